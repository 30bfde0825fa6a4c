/* Writer of results files. Layout: docs/command-line.md. */
#ifndef GOS_IO_RESULTS_H
#define GOS_IO_RESULTS_H

#include "base/base.h"
#include "gossamer/io.h"
#include "gossamer/sim.h"
#include "results/mode_shapes.h"
#include "system/marks.h"

#define GOS_MARK_NUMBERS 14     // numbers stored per mark
#define GOS_MAX_FIELDS 16       // at nodes, besides motion and temperature
#define GOS_STATUS_TEXT 256     // bytes
#define GOS_WARNINGS_TEXT 16384 // bytes

/* Known before a run starts; borrowed during gos__writer_create. */
typedef struct gos_writer_layout {
    const char *name;    // of the model
    const char *units;   // of all values, as gos_model_units; NULL: SI
    const char *text;    // with settings
    const char *options; // solver options
    gos_sizes sizes;
    const gos_probe_info *probes; // (nprobes)
    int nprobes;
    const char *const *events; // names of the events (nevents)
    int nevents;
    const gos_mark *marks; // joints and loads (nmarks)
    int nmarks;
    const gos_mode_pictures *modes; // of a reduced model; NULL: none
    gos_mesh_info mesh;
    const double *reference; // node positions of zero displacement (nnodes, 3) [m]
    bool thermal;            // store temperatures
    double T_ref;            // reference of temperatures [K]
    const int *athermal;     // nodes without temperature, ascending (nathermal)
    int nathermal;
    const gos_field_info *fields; // further node fields of frames (nfields)
    int nfields;
    double frames, rows; // expected output times and steps, for the chunks; 0: unknown
} gos_writer_layout;

/* Kept part of an interrupted run; the image is borrowed during gos__writer_resume. */
typedef struct gos_writer_past {
    long rows, frames, events; // stored steps, output times, events
    const void *image;         // overwrite image (nimage), see overwrite_image.h
    size_t nimage;
} gos_writer_past;

typedef struct gos_writer gos_writer;

/** Create results for `path`. They get this name at once if it is free, else in gos__writer_publish
 *  or gos__writer_close.
 *  @return GOS_E_USE: not a results file, or another process writes it */
gos_status gos__writer_create(gos_ctx *ctx, const char *path, const gos_writer_layout *layout,
                              gos_writer **writer);
/** Continue `path` after the kept part, in a copy that replaces it once readable: on failure the
 *  file is unchanged or ready to continue. `layout` gives probes and mesh. @return GOS_E_USE if
 *  another process writes it. */
gos_status gos__writer_resume(gos_ctx *ctx, const char *path, const gos_writer_layout *layout,
                              const gos_writer_past *past, gos_writer **writer);
/** Values and rates of all probes at a step, consecutively. */
gos_status gos__writer_row(gos_writer *w, double time, const double *values, const double *rates);
/** Values and rates after a switch, with which the next step begins. */
gos_status gos__writer_start(gos_writer *w, const double *values, const double *rates);
gos_status gos__writer_frame(gos_writer *w, const gos_frame *frame);
gos_status gos__writer_event(gos_writer *w, const gos_event *event);
/** Unless `now`, only if the last flush is old enough. */
gos_status gos__writer_flush(gos_writer *w, const gos_statistics *stats, bool now);
/** Flush and wait for the disk. *image (*n bytes, owned by the writer) can restore this state; n is
 *  0 without memory. */
gos_status gos__writer_sync(gos_writer *w, const gos_statistics *stats, const void **image,
                            size_t *n);
/** Rename the file, once its data are on disk. */
gos_status gos__writer_publish(gos_writer *w);
bool gos__writer_published(const gos_writer *w);
/** Complete steps, output times and events so far. */
void gos__writer_position(const gos_writer *w, long *rows, long *frames, long *events);
/** Close and free; removes an unpublished file. NULL is allowed. */
void gos__writer_abandon(gos_writer *w);
/** Store final status, statistics and warnings, wait for the disk, close and free. Frees also on
 *  failure; the file then ends with its last good flush. NULL is allowed. */
gos_status gos__writer_close(gos_writer *w, const char *status, const gos_statistics *stats);
/** Position of the journal (h5_journal.c), 0: none. */
off_t gos__results_journal(const gos_results *results);
/** "" in older files; borrowed. */
const char *gos__results_key(const gos_results *results);
/** For tests: the n-th write from now fails as on a full disk. */
void gos__writer_fail_at(gos_writer *w, long n);

#endif
