/* Work distributed over forked processes, so that a crash or lack of memory affects one piece only
 * and libraries with global state (MUMPS, HDF5) do not serialise the pieces. Meanwhile no other
 * thread may use the library. */
#ifndef GOS_PROCESS_H
#define GOS_PROCESS_H

#include "base/base.h"

#define GOS_PIECE_TEXT 512

typedef struct gos_piece_end {
    bool started;                 // false: no process could be started, see message
    gos_status status;            // of the work; GOS_E_INTERNAL if its process died
    double wall;                  // wall time [s]
    char message[GOS_PIECE_TEXT]; // its first error, or ""
} gos_piece_end;

typedef struct gos_division {
    int n;
    int jobs;         // concurrent pieces, at least 1
    const char *text; // for progress
    /** Execute piece i in its own process: changes of memory are lost, except in memory of
     * gos__shared_alloc. */
    gos_status (*work)(void *user, gos_ctx *ctx, int i);
    /** Called in this process when piece i starts or ends, in that order. May be NULL. */
    void (*begin)(void *user, int i);
    void (*end)(void *user, int i, const gos_piece_end *end);
    void *user;
} gos_division;

/** Execute all pieces, with joint progress. Interruption is passed on and starts no further piece.
 * Results are passed to `end` only.
 * @return GOS_E_INTERRUPTED; GOS_E_MEMORY: nothing was started */
gos_status gos__divide(gos_ctx *ctx, const gos_division *division);

/** Zeroed memory shared with the processes of gos__divide; NULL on failure (no message). */
void *gos__shared_alloc(size_t n, size_t size);
void gos__shared_free(void *p, size_t n, size_t size);

#endif
