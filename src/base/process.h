/* Work divided among processes: each piece is done by a copy of this process, so that one that
   crashes, or is killed for its memory, takes nothing with it, and libraries that keep state of
   their own (MUMPS, HDF5) do not make the pieces wait for each other. No other thread of the
   program may be inside the library meanwhile. */
#ifndef GOS_PROCESS_H
#define GOS_PROCESS_H

#include "base/base.h"

#define GOS_PIECE_TEXT 512 // bytes of a message

/* How a piece of work ended. */
typedef struct gos_piece_end {
    bool started;                 // false: there was no process to be had, the message says why
    gos_status status;            // of the work; GOS_E_INTERNAL when its process died
    double wall;                  // time that it took [s]
    char message[GOS_PIECE_TEXT]; // its first error; "" without one
} gos_piece_end;

typedef struct gos_division {
    int n;            // pieces
    int jobs;         // at a time, at least 1
    const char *text; // for progress
    /** Do piece i, in a process of its own: what it changes in memory is lost, but for memory of
     * gos__shared_alloc. */
    gos_status (*work)(void *user, gos_ctx *ctx, int i);
    /** In this process: piece i is about to begin, or has ended; in the order in which that
     * happens. NULL: nothing. */
    void (*begin)(void *user, int i);
    void (*end)(void *user, int i, const gos_piece_end *end);
    void *user;
} gos_division;

/** Do all pieces. Progress is that of all together; the wish to stop is passed on to those at work,
 * and nothing new is begun. What pieces return is told to `end` alone.
 *  @return GOS_E_INTERRUPTED, GOS_E_MEMORY: nothing was begun */
gos_status gos__divide(gos_ctx *ctx, const gos_division *division);

/** Zeroed memory that is shared with the processes of gos__divide; NULL when there is none (no
 * record). */
void *gos__shared_alloc(size_t n, size_t size);
void gos__shared_free(void *p, size_t n, size_t size);

#endif
