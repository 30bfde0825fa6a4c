/* What the real and the complex half of MUMPS share: its calls, its lock, words for its errors.
   Only for files that include its headers. */
#ifndef GOS_MUMPS_H
#define GOS_MUMPS_H

#include <pthread.h>

#include "linalg/solver.h"

#define MUMPS_WORLD (-987654) // the communicator of the sequential library
#define MUMPS_GROWTH 6        // times that the workspace is enlarged
#define MUMPS_SINGULAR 4e-15  // pivot over the norm of the scaled matrix that counts as zero

enum {
    MUMPS_JOB_END = -2,
    MUMPS_JOB_BEGIN = -1,
    MUMPS_JOB_ANALYSE = 1,
    MUMPS_JOB_FACTOR = 2,
    MUMPS_JOB_SOLVE = 3
};

/* The manual numbers from 1. */
#define ICNTL(i) icntl[(i)-1]
#define CNTL(i) cntl[(i)-1]
#define INFOG(i) infog[(i)-1]
#define RINFOG(i) rinfog[(i)-1]

/* MUMPS keeps state between its calls, also between its halves: one call runs at a time in a
 * process. */
extern pthread_mutex_t gos__mumps_lock;

/** What code (INFOG(1), with its detail INFOG(2)) says about n unknowns; of a vanishing pivot
 *  GOS_E_SINGULAR without a record. */
gos_status gos__mumps_status(gos_ctx *ctx, int n, int code, int detail);
/** The workspace was too small: it grows with delayed pivots, which the analysis cannot foresee. */
bool gos__mumps_small(int code);
/** Refuse what needs more memory [bytes] than the machine has, free or not: refusals must not
 * depend on the hour. */
gos_status gos__mumps_memory(gos_ctx *ctx, int n, double memory);
/** Options of the analysis of all our matrices: silent, with a given order. */
void gos__mumps_options(int *icntl);

#endif
