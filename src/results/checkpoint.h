/* Checkpoints, from which an interrupted run continues bit by bit identically. */
#ifndef GOS_IO_CHECKPOINT_H
#define GOS_IO_CHECKPOINT_H

#include "gossamer/io.h"
#include "solve/integrator.h"

#define GOS_CHECKPOINT_ENDING ".checkpoint"               // appended to the name of the results
#define GOS_CHECKPOINT_OLD GOS_CHECKPOINT_ENDING ".old"   // the previous one
#define GOS_CHECKPOINT_PART GOS_CHECKPOINT_ENDING ".part" // being written

/* Position in the results file. */
#define GOS_POSITION_NUMBERS(X)                                                                    \
    X(rows, "steps stored")                                                                        \
    X(frames, "output times stored")                                                               \
    X(events, "events stored")                                                                     \
    X(row_time, "time of the last step stored [s]")                                                \
    X(frame_time, "wall time of reduction and initial equilibrium [s]")                            \
    X(preparing, "wall time of reducing and of finding the equilibrium to start from [s]")         \
    X(output, "wall time of output [s]")

/* Inputs of a run besides system and state; the stepper's data are part of the state. */
typedef struct gos_checkpoint {
    gos_options options;
#define X(name, doc) double name; // doc
    GOS_POSITION_NUMBERS(X)
#undef X
    // overwrite image (nimage bytes), see overwrite_image.h; borrowed
    const void *image;
    size_t nimage;
    const void *messages; // warnings and notes (nmessages bytes), borrowed
    size_t nmessages;
} gos_checkpoint;

/** Write a checkpoint of the results `path` under a temporary name, synchronise it to disk, and
 *  rename it; the previous one becomes the old one. Allocates nothing. @return 0 or an errno;
 *  previous checkpoints then still exist, possibly renamed to old. */
int gos__checkpoint_write(const char *path, const gos_system *sys, const gos_state *state,
                          const gos_checkpoint *checkpoint);
/** The same into memory at `to` (room bytes; NULL, 0: nothing is written). @return number of bytes
 *  needed */
size_t gos__checkpoint_put(const gos_system *sys, const gos_state *state,
                           const gos_checkpoint *checkpoint, void *to, size_t room);
/** Remove the checkpoints of the results `path`, and no other files. */
void gos__checkpoint_remove(const char *path);
/** Wall time [s] from checkpoint `n` of this process (0: from its start) to the next: `every` if >
 *  0, else growing with n. */
double gos__checkpoint_distance(double every, int n);

/* ---- reading: input may be malicious --------------------------------------------------------- */

#define GOS_WHY 320 // bytes of an error text

enum { GOS_CHECKPOINT_SECTIONS = 8 };

/* A checkpoint with valid checksums, not yet compared with a system. */
typedef struct gos_checkpoint_view {
    uint64_t system; // hash
    struct {
        const double *v;
        size_t n;
    } section[GOS_CHECKPOINT_SECTIONS];
    size_t given;       // bytes of the model's source text
    bool reduced;       // the system was reduced
    const char *folder; // folder of its tables, NULL: none
    const void *image;  // overwrite image (nimage bytes), not parsed
    size_t nimage;
    const void *messages; // (nmessages bytes), not parsed
    size_t nmessages;
} gos_checkpoint_view;

/** Bytes must be aligned to 8. @return NULL, or why they are invalid */
const char *gos__checkpoint_parse(const void *bytes, size_t n, gos_checkpoint_view *view);
/** Update the checksums of modified bytes; for tests. */
void gos__checkpoint_seal(void *bytes, size_t n);
/** Read the newest or the `old` checkpoint. The view points into *bytes (free with gos__free).
 *  @return GOS_E_INPUT without a record if invalid: `why` is the reason, "" if the file is
 *  missing. */
gos_status gos__checkpoint_load(gos_ctx *ctx, const char *path, bool old, char **bytes,
                                gos_checkpoint_view *view, char why[GOS_WHY]);
/** Restore a state of the same system; an integrator created from it continues, or reports that the
 *  stepper's data are invalid. @return NULL, or why not; all is then unchanged. */
const char *gos__checkpoint_take(const gos_checkpoint_view *view, gos_state *state,
                                 gos_checkpoint *checkpoint);
/** The same from another system with equal numbers of variables; the caller ensures equal
 *  meaning. */
const char *gos__checkpoint_adopt(const gos_checkpoint_view *view, gos_state *state,
                                  gos_checkpoint *checkpoint);

/* ---- repair (results_repair.c) --------------------------------------------------------------- */

/** Restore results damaged by a loss of power to the newest checkpoint. *mended: this was done.
 *  Intact or missing results are unchanged (GOS_OK).
 *  @return GOS_E_FILE: no checkpoint; GOS_E_USE: the run is still going on */
gos_status gos__results_recover(gos_ctx *ctx, const char *path, bool *mended);

/* ---- resuming (resume.c) --------------------------------------------------------------------- */

/** Model from its complete text: `given` bytes of source, then later settings. folder (may be NULL)
 *  contains tables. `path` is for messages. */
gos_status gos__model_again(gos_ctx *ctx, const char *path, const char *text, size_t given,
                            const char *folder, gos_model **model);

#endif
