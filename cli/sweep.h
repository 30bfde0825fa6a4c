/* The parts of gossamer sweep: the grid of runs (sweep_grid.c), running them (sweep.c), and what is told
   about them (sweep_table.c). */
#ifndef GOS_CLI_SWEEP_H
#define GOS_CLI_SWEEP_H

#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "cli.h"

enum { MAX_PARAMETERS = 16, MESSAGE_MAX = 512 };

/* What varies, with the texts that are set one after the other. */
typedef struct parameter {
    char *name;
    char **value; // (n)
    int n;
} parameter;

typedef struct sweep_run {
    char **arguments;     // of the program, ended by NULL; owned
    char *path;           // results file
    const char *name;     // the last part of it
    const char **value;   // of each parameter
    FILE *errors;         // what the run writes to standard error, while it goes on
    pid_t pid;            // 0: not started, -1: ended
    struct stat old;      // what was there before it started
    double started, wall; // [s]
    int code;             // exit code, or 128 + signal
    bool has_results;
    char message[MESSAGE_MAX]; // why it failed; "" when it did not
    gos_statistics statistics;
} sweep_run;

typedef struct sweep_job {
    gos_ctx *ctx;
    const char *model, *folder;
    char *chosen; // folder made from the model's name
    bool reduced, quiet;
    const char *until;
    int jobs;
    text_list vary, settings;
    parameter parameter[MAX_PARAMETERS];
    int nparameters;
    sweep_run *run;
    int nruns;
    const char **values;      // of all runs (nruns, MAX_PARAMETERS)
    sigset_t waiting, before; // signals we wait for, and the mask as it was
    int stop;                 // the signal that was asked for, 0: none
} sweep_job;

/** Read a "NAME=..." of --vary into the next parameter; messages are written. */
int sweep_add_parameter(sweep_job *job, const char *text);
/** All combinations of the values, the last parameter varying fastest. */
int sweep_make_grid(sweep_job *job);
/** Read what the runs left, print the table and write DIR/table.csv. */
int sweep_write_table(sweep_job *job);
/** Write DIR/report.html about the runs that have been read. */
int sweep_write_report(sweep_job *job);
/** DIR/NAME; free it. NULL when out of memory. */
char *sweep_inside(const sweep_job *job, const char *name);
/** Write that memory is out; returns EXIT_FAILED. */
int sweep_no_memory(void);

#endif
