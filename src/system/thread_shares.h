/* Mesh partition among threads, in batch ranges. Shared coordinates are added in single-thread
   order, so sums are bitwise independent of the number of threads. */
#ifndef GOS_THREAD_SHARES_H
#define GOS_THREAD_SHARES_H

#include "base/pool.h"
#include "system/system.h"

/* Share of a thread, with scratch. */
typedef struct gos_share {
    gos_points_part *part;       // of each block (npoints)
    int v_from, v_to;            // rows of the mass matrix
    int t_from, t_to;            // ... of capacity and conduction
    size_t value_from, value_to; // of the Newton matrix
    double *points;              // for point kernels
    double *A;                   // element tangents of a batch
} gos_share;

typedef struct gos_shares {
    gos_ctx *ctx; // owns the threads
    gos_arena *arena;
    int n;                  // number of shares; 1: serial
    gos_share *share;       // (n)
    gos_points_held **held; // held contributions, (npoints)(nb); NULL: one share
} gos_shares;

#endif
