/* gossamer sweep: the command (sweep.c), tables and report of its runs (sweep_table.c), quantiles
 * of random samples (sweep_spread.c). */
#ifndef GOS_CLI_SWEEP_H
#define GOS_CLI_SWEEP_H

#include "cli.h"

typedef struct sweep_job {
    gos_ctx *ctx;
    gos_sweep *sweep;
    const char *model, *folder;
    char *chosen; // default folder name
    gos_sweep_options options;
    bool quiet, until_given, accept, as_json;
    bool list; // only print the numbers of missing parts
    int part;  // part to run, from 1; 0: all
    text_list vary, settings;
    gos_sampling sampling; // n = 0: no random samples
    double seed;
    bool seed_given;
    gos_spread *spread; // (nspreads) quantiles of each grid point, after the runs
    int nspreads;
} sweep_job;

/** Print the table of runs (unless there are random samples). Write DIR/table.csv, and
 * DIR/times.csv with the values that are not reproducible. @return exit code */
int sweep_write_tables(const sweep_job *job);
/** Print quantiles of random samples and write DIR/quantiles.csv; without samples do nothing
 * (sweep_spread.c). @return exit code */
int sweep_write_spread(const sweep_job *job);
/** Write a table of runs to DIR/NAME. @return exit code */
int sweep_write_csv(const sweep_job *job, const char *name,
                    void (*put)(FILE *csv, const sweep_job *job));
/** Print a comma and the number; only the comma if it is not finite. */
void sweep_put_number(FILE *out, const char *format, double value);
/** Print a comma and the text as a CSV cell. */
void sweep_put_cell(FILE *out, const char *text);
/** Print the runs, or the quantiles of random samples, as JSON. */
void sweep_print_json(const sweep_job *job);
/** Entries of JSON for quantiles: mean, deviation and quantiles of the last, least and largest
 * value of each probe component at each grid point (sweep_spread.c). */
void sweep_json_spreads(json *j, const sweep_job *job);
/** Write DIR/report.html. @return exit code */
int sweep_write_report(const sweep_job *job);
/** The path DIR/NAME; the caller frees it. NULL when out of memory. */
char *sweep_inside(const sweep_job *job, const char *name);
/** Report lack of memory. @return EXIT_FAILED */
int sweep_no_memory(void);

#endif
