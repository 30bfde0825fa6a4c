/* Writing a results file: internal; users call gos_run. The layout is described in
   docs/command-line.md; results_open.c and results_read.c read it back. */
#ifndef GOS_IO_RESULTS_H
#define GOS_IO_RESULTS_H

#include "base/base.h"
#include "gossamer/io.h"
#include "gossamer/sim.h"
#include "results/shapes.h"
#include "system/symbols.h"

#define GOS_MARK_NUMBERS 14     // stored of a mark
#define GOS_MOST_FIELDS 16      // of nodes, besides motion and temperature
#define GOS_STATUS_TEXT 256     // bytes of the stored status of a run
#define GOS_WARNINGS_TEXT 16384 // bytes of stored warnings

/* Everything about a run that is known before it starts; borrowed during gos__writer_create
   only. */
typedef struct gos_writer_layout {
    const char *name;    // of the model
    const char *text;    // of the model, with settings
    const char *options; // how it is solved
    gos_sizes sizes;
    const gos_probe_info *probes; // (nprobes)
    int nprobes;
    const char *const *events; // names of limits that may be passed (nevents)
    int nevents;
    const gos_mark *marks; // where joints and loads act (nmarks)
    int nmarks;
    const gos_mode_pictures *modes; // of a reduced model; NULL: none
    gos_mesh_info mesh;
    const double *reference;      // node positions from which displacements count (nnodes, 3) [m]
    bool thermal;                 // store temperatures
    double T_ref;                 // from which temperatures count [K]
    const gos_field_info *fields; // what else frames have at nodes (nfields)
    int nfields;
} gos_writer_layout;

/* What of an interrupted run stays in its file; text is borrowed during gos__writer_resume only. */
typedef struct gos_writer_past {
    long rows, frames, events; // steps, output times, limits passed
    const char *warnings;      // one a line
    long warning_count;
    const void *image; // of the file at that time (nimage), see overwrite_image.h
    size_t nimage;
} gos_writer_past;

typedef struct gos_writer gos_writer;

/** Create results for `path`. They have that name at once when nothing is there; else they get it,
 * and take the place of what is there, by gos__writer_publish or gos__writer_close.
 *  @return GOS_E_USE: what is there are no results, or another process is writing them */
gos_status gos__writer_create(gos_ctx *ctx, const char *path, const gos_writer_layout *layout,
                              gos_writer **writer);
/** Go on writing `path` behind what stays. That happens in a copy, which takes the file's place
 * when it can be read: whatever fails, the file is either as it was or ready to go on. `layout`
 * gives probes and mesh; names and texts stay those of the file. @return GOS_E_USE when another
 * process is writing it. */
gos_status gos__writer_resume(gos_ctx *ctx, const char *path, const gos_writer_layout *layout,
                              const gos_writer_past *past, gos_writer **writer);
/** Store the probes of one step: values and rates of all probes, one after the other. */
gos_status gos__writer_row(gos_writer *w, double time, const double *values, const double *rates);
/** Store the values and rates that the step behind the last row begins with, where something
 * switches. */
gos_status gos__writer_start(gos_writer *w, const double *values, const double *rates);
gos_status gos__writer_frame(gos_writer *w, const gos_frame *frame);
/** Store that a limit was passed. */
gos_status gos__writer_event(gos_writer *w, const gos_event *event);
/** Write out what is held, when the last time was long enough ago or `now`. */
gos_status gos__writer_flush(gos_writer *w, const gos_statistics *stats, bool now);
/** Write out what is held and wait until the disk has it. *image (*n bytes, the writer's) gives the
 * file of now back whatever is written later; n is 0 when memory was short for it. */
gos_status gos__writer_sync(gos_writer *w, const gos_statistics *stats, const void **image,
                            size_t *n);
/** Give the file its name, unless it has it: when the disk has what was written. */
gos_status gos__writer_publish(gos_writer *w);
/** Does the file have its name? */
bool gos__writer_published(const gos_writer *w);
/** Complete steps, output times and limits passed so far. */
void gos__writer_position(const gos_writer *w, long *rows, long *frames, long *events);
/** Close and free; a file without its name is removed. NULL is allowed. */
void gos__writer_abandon(gos_writer *w);
/** Write everything, store the final status, statistics and warnings, wait until the disk has it,
 * close and free. Frees also on failure; the file then ends with its last good flush. NULL is
 * allowed. */
gos_status gos__writer_close(gos_writer *w, const char *status, const gos_statistics *stats);
/** Where its journal lies (h5_journal.c), 0: it has none. */
off_t gos__results_journal(const gos_results *results);
/** The name of a results file, "" when it has none (of an older version); borrowed. */
const char *gos__results_key(const gos_results *results);
/** For tests: let the n-th write from now on fail as on a full disk. */
void gos__writer_fail_at(gos_writer *w, long n);

#endif
