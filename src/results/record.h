/* The sink of runs that is a results file, shared by new runs (record.c) and those that go on
 * (resume.c). */
#ifndef GOS_RECORD_H
#define GOS_RECORD_H

#include "results/checkpoint.h"
#include "results/results.h"

#define GOS_OPTIONS_TEXT 2048 // bytes of the options as text

typedef struct gos_recorder {
    gos_ctx *ctx;
    const char *path;            // of the results
    const gos_writer_past *past; // what stays of an interrupted run, NULL: a new file
    /* filled by the sink */
    const gos_system *system;
    const gos_options *options;
    gos_writer *writer;
    double started_at; // clock when storing began
    double saved_at;   // clock at the last checkpoint
    int saves;         // checkpoints so far
    bool stepping;     // the state that it starts from is stored
} gos_recorder;

/** Its object is a gos_recorder. */
extern const gos_sink gos__results_sink;
/** How a system is solved and, where it is a reduced one, what the reduction chose: the same text
 * each time. */
void gos__options_text(const gos_system *sys, const gos_options *o, char *buf, size_t size);

#endif
