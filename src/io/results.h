/* Writing a results file: internal; users call gos_run. The layout is described in
   docs/command-line.md; results_read.c reads it back. */
#ifndef GOS_IO_RESULTS_H
#define GOS_IO_RESULTS_H

#include "base/base.h"
#include "gossamer/sim.h"

#define GOS_STATUS_TEXT 256    // bytes of the stored status of a run
#define GOS_WARNINGS_TEXT 4096 // bytes of stored warnings

/* Everything about a run that is known before it starts; borrowed during gos__writer_create only. */
typedef struct gos_writer_layout {
    const char *name;    // of the model
    const char *text;    // of the model, with settings
    const char *options; // how it is solved
    gos_sizes sizes;
    const gos_probe_info *probes; // (nprobes)
    int nprobes;
    gos_mesh_info mesh;
    const double *reference; // node positions from which displacements count (nnodes, 3) [m]
    bool thermal;            // store temperatures
} gos_writer_layout;

/* Fields at one output time; arrays as from gos_system_nodes, the last two NULL when not thermal. */
typedef struct gos_frame {
    double time;
    const double *position, *velocity, *temperature, *temperature_rate;
    gos_energy energy;
    gos_heat heat;
} gos_frame;

/* What of an interrupted run stays in its file; text is borrowed during gos__writer_resume only. */
typedef struct gos_writer_past {
    long rows, frames;    // steps and output times
    const char *warnings; // one a line
    long warning_count;
} gos_writer_past;

typedef struct gos_writer gos_writer;

/** Create `path`, replacing what was there only once the new file is complete enough to be read. */
gos_status gos__writer_create(gos_ctx *ctx, const char *path, const gos_writer_layout *layout,
                              gos_writer **writer);
/** Go on writing `path` behind what stays. That happens in a copy, which takes the file's place when it
 *  can be read: whatever fails, the file is either as it was or ready to go on. `layout` gives probes and
 *  mesh; names and texts stay those of the file. @return GOS_E_USE when another process is writing it. */
gos_status gos__writer_resume(gos_ctx *ctx, const char *path, const gos_writer_layout *layout,
                              const gos_writer_past *past, gos_writer **writer);
/** Store the probes of one step: values and rates of all probes, one after the other. */
gos_status gos__writer_row(gos_writer *w, double time, const double *values, const double *rates);
gos_status gos__writer_frame(gos_writer *w, const gos_frame *frame);
/** Write out what is held, when the last time was long enough ago or `now`. */
gos_status gos__writer_flush(gos_writer *w, const gos_statistics *stats, bool now);
/** Write out what is held and wait until the disk has it. */
gos_status gos__writer_sync(gos_writer *w, const gos_statistics *stats);
/** Complete steps and output times so far. */
void gos__writer_position(const gos_writer *w, long *rows, long *frames);
/** Write everything, store the final status, statistics and warnings, close and free. Frees also on
 *  failure; the file then ends with its last good flush. NULL is allowed. */
gos_status gos__writer_close(gos_writer *w, const char *status, const gos_statistics *stats);
/** For tests: let the n-th write from now on fail as on a full disk. */
void gos__writer_fail_at(gos_writer *w, long n);

#endif
