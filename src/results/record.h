/* Sink of new (record.c) and resumed runs (resume.c). */
#ifndef GOS_RECORD_H
#define GOS_RECORD_H

#include "results/checkpoint.h"
#include "results/results.h"

#define GOS_OPTIONS_TEXT 2048 // bytes of the options as text

typedef struct gos_recorder {
    gos_ctx *ctx;
    const char *path;            // of the results
    const gos_writer_past *past; // kept part of an interrupted run, or NULL
    const void *messages;        // of that run (nmessages bytes)
    size_t nmessages;
    /* set by the sink */
    const gos_system *system;
    const gos_options *options;
    gos_writer *writer;
    double started_at; // start of storing
    double saved_at;   // last checkpoint
    int saves;         // checkpoints so far
    bool stepping;     // the initial state is stored
    double row_bytes, frame_bytes;
    double stored; // bytes of rows and frames so far
} gos_recorder;

/** User pointer: gos_recorder. */
extern const gos_sink gos__results_sink;
/** Solver options, and the choices of a reduction, as reproducible text. */
void gos__options_text(const gos_system *sys, const gos_options *o, char *buf, size_t size);

#endif
