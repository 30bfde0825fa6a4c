/* The parts of gossamer sweep: the command (sweep.c), and what is told about its runs
 * (sweep_table.c). */
#ifndef GOS_CLI_SWEEP_H
#define GOS_CLI_SWEEP_H

#include "cli.h"

typedef struct sweep_job {
    gos_ctx *ctx;
    gos_sweep *sweep;
    const char *model, *folder;
    char *chosen; // folder made from the model's name
    gos_sweep_options options;
    bool quiet, until_given;
    bool list; // print the parts that are missing, run nothing
    int part;  // run this one alone, from 1 on; 0: all
    text_list vary, settings;
    gos_sampling sampling; // n = 0: nothing is drawn
    double seed;
    bool seed_given;
    gos_spread *spread; // of each point of the grid, when the runs have ended
    int nspreads;
} sweep_job;

/** Print the table, or of draws how they spread, and write DIR/table.csv and, with what is another
 * time another one, DIR/times.csv. */
int sweep_write_tables(const sweep_job *job);
/** Print how far draws spread, and write DIR/quantiles.csv; without draws nothing
 * (sweep_statistics.c). */
int sweep_write_spread(const sweep_job *job);
/** Write DIR/NAME, a table of runs. */
int sweep_write_csv(const sweep_job *job, const char *name,
                    void (*put)(FILE *csv, const sweep_job *job));
/** A number, or nothing where it is not finite, with a comma before it. */
void sweep_put_number(FILE *out, const char *format, double value);
/** A text with a comma before it. */
void sweep_put_cell(FILE *out, const char *text);
/** Write DIR/report.html. */
int sweep_write_report(const sweep_job *job);
/** DIR/NAME; free it. NULL when out of memory. */
char *sweep_inside(const sweep_job *job, const char *name);
/** Write that memory is out; returns EXIT_FAILED. */
int sweep_no_memory(void);

#endif
