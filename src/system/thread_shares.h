/* A mesh divided among threads. Each has a run of batches of every block; coordinates that two of
   them touch are left alone until all are done, and then get what was kept for them in the order of
   one thread. So sums are the same to the last bit for any number of threads. */
#ifndef GOS_THREAD_SHARES_H
#define GOS_THREAD_SHARES_H

#include "base/pool.h"
#include "system/system.h"

/* What one thread does, and its scratch memory. */
typedef struct gos_share {
    gos_points_part *part;       // of each block (npoints)
    int v_from, v_to;            // rows of the mass matrix
    int t_from, t_to;            // ... of capacity and conduction
    size_t value_from, value_to; // of the Newton matrix
    double *points;              // for the point kernels
    double *A;                   // one batch of element tangents
} gos_share;

typedef struct gos_shares {
    gos_ctx *ctx; // whose threads they are
    gos_arena *arena;
    int n;                  // shares, one for each thread; 1: all is one's
    gos_share *share;       // (n)
    gos_points_held **held; // what batches keep, (npoints)(nb); NULL: one share
} gos_shares;

gos_status gos__shares_create(gos_ctx *ctx, const gos_system *s, gos_shares **shares);
void gos__shares_destroy(gos_shares *shares);

#endif
