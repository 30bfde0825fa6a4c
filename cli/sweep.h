/* The parts of gossamer sweep: the command (sweep.c), and what is told about its runs (sweep_table.c). */
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
    text_list vary, settings;
} sweep_job;

/** Print the table, and write DIR/table.csv and, with what is another time another one, DIR/times.csv. */
int sweep_write_tables(const sweep_job *job);
/** Write DIR/report.html. */
int sweep_write_report(const sweep_job *job);
/** DIR/NAME; free it. NULL when out of memory. */
char *sweep_inside(const sweep_job *job, const char *name);
/** Write that memory is out; returns EXIT_FAILED. */
int sweep_no_memory(void);

#endif
