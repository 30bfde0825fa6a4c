/* Checkpoints: files from which an interrupted run goes on to the last bit. */
#ifndef GOS_IO_CHECKPOINT_H
#define GOS_IO_CHECKPOINT_H

#include "gossamer/io.h"
#include "solve/stepper.h"

#define GOS_CHECKPOINT_ENDING ".checkpoint"               // behind the name of the results
#define GOS_CHECKPOINT_OLD GOS_CHECKPOINT_ENDING ".old"   // the one before
#define GOS_CHECKPOINT_PART GOS_CHECKPOINT_ENDING ".part" // the one being written

/* How far the results file had come. */
#define GOS_POSITION_NUMBERS(X)                                                                    \
    X(rows, "steps stored")                                                                        \
    X(frames, "output times stored")                                                               \
    X(events, "limits passed stored")                                                              \
    X(row_time, "time of the last step stored [s]")                                                \
    X(frame_time, "last output time stored [s]")                                                   \
    X(preparing, "wall time of reducing and of finding the equilibrium to start from [s]")         \
    X(output, "wall time of output [s]")

/* All that a run depends on, apart from its system and its state, with what the stepper keeps in
 * that. */
typedef struct gos_checkpoint {
    gos_options options;
#define X(name, doc) double name; // doc
    GOS_POSITION_NUMBERS(X)
#undef X
    const void *image; // of the results (nimage bytes), see overwrite_image.h; borrowed
    size_t nimage;
} gos_checkpoint;

/** Write a checkpoint for the results `path`: under a temporary name, synchronised with the disk,
 * then renamed; the one before is kept as the old one. Allocates nothing. @return 0 or an errno;
 * what was there is then still there, the newest perhaps under the name of the old one. */
int gos__checkpoint_write(const char *path, const gos_system *sys, const gos_state *state,
                          const gos_checkpoint *checkpoint);
/** The same bytes into memory, at `to` (room bytes; NULL, 0: nothing is written). @return how many
 * they are; more than there is room for are not written */
size_t gos__checkpoint_put(const gos_system *sys, const gos_state *state,
                           const gos_checkpoint *checkpoint, void *to, size_t room);
/** Remove the checkpoints of the results `path`; files of others stay. */
void gos__checkpoint_remove(const char *path);
/** Wall time [s] from one checkpoint (the `n`-th of this process; 0: from its start) to the next
 * one: `every` when that is > 0, else growing, so that a short run has one and a long one does not
 * write them all the time. */
double gos__checkpoint_distance(double every, int n);

/* ---- reading: bytes may be hostile
 * ------------------------------------------------------------------ */

#define GOS_WHY 320 // bytes of a reason

enum { GOS_CHECKPOINT_SECTIONS = 7 };

/* A checkpoint whose bytes have been checked against damage, not yet against a system. */
typedef struct gos_checkpoint_view {
    uint64_t system; // hash
    struct {
        const double *v;
        size_t n;
    } section[GOS_CHECKPOINT_SECTIONS];
    size_t given;       // bytes of the model's text that were its file's
    bool reduced;       // the system was a reduced one
    const char *folder; // where its tables were, NULL: nowhere
    const void *image;  // of the results (nimage bytes), not looked at yet
    size_t nimage;
} gos_checkpoint_view;

/** Look at the n bytes (aligned to 8) of a checkpoint. @return NULL, or why they are no good. */
const char *gos__checkpoint_parse(const void *bytes, size_t n, gos_checkpoint_view *view);
/** Make checksums fit again after bytes were changed: for tests. */
void gos__checkpoint_seal(void *bytes, size_t n);
/** Read a checkpoint of the results `path`, the newest or the `old` one. *bytes (free with
 * gos__free) holds what the view points to. @return GOS_E_INPUT without a record: `why` says why it
 * is no good,
 *  "" when it is not there. */
gos_status gos__checkpoint_load(gos_ctx *ctx, const char *path, bool old, char **bytes,
                                gos_checkpoint_view *view, char why[GOS_WHY]);
/** Take over what belongs to the system of `state`, which is filled; an integrator created at it
 * goes on, or finds that what its stepper kept makes no sense. @return NULL, or why not; state and
 * checkpoint are then unchanged. */
const char *gos__checkpoint_take(const gos_checkpoint_view *view, gos_state *state,
                                 gos_checkpoint *checkpoint);
/** The same from another system with as many variables of each kind: that they mean the same is for
 * the caller to know. */
const char *gos__checkpoint_adopt(const gos_checkpoint_view *view, gos_state *state,
                                  gos_checkpoint *checkpoint);

/* ---- repairing (results_repair.c)
 * --------------------------------------------------------------------- */

/** Bring results back that a loss of power left in no order: as they were at the newest checkpoint.
 * *mended: that was needed and done. What is in order, or no results at all, is left as it is
 * (GOS_OK).
 *  @return GOS_E_FILE: there is no checkpoint to do that with; GOS_E_USE: the run is going on */
gos_status gos__results_recover(gos_ctx *ctx, const char *path, bool *mended);

/* ---- resuming (resume.c)
 * ------------------------------------------------------------------------------ */

/** A model from its complete text, of which `given` bytes are the source and the rest settings made
 * later; folder (may be NULL) is where its tables are. `path` is for messages. */
gos_status gos__model_again(gos_ctx *ctx, const char *path, const char *text, size_t given,
                            const char *folder, gos_model **model);

#endif
