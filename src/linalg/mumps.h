/* Shared by real and complex MUMPS: constants, lock, error reports. Include after the MUMPS
 * headers. */
#ifndef GOS_MUMPS_H
#define GOS_MUMPS_H

#include "linalg/solver.h"

#define MUMPS_WORLD (-987654) // communicator of the sequential library
#define MUMPS_GROWTH 6        // attempts to enlarge the workspace
#define MUMPS_SINGULAR 4e-15  // pivot relative to the norm of the scaled matrix that counts as zero

enum {
    MUMPS_JOB_END = -2,
    MUMPS_JOB_BEGIN = -1,
    MUMPS_JOB_ANALYSE = 1,
    MUMPS_JOB_FACTOR = 2,
    MUMPS_JOB_SOLVE = 3
};

/* Numbered from 1 as in the manual. */
#define ICNTL(i) icntl[(i)-1]
#define CNTL(i) cntl[(i)-1]
#define INFOG(i) infog[(i)-1]
#define RINFOG(i) rinfog[(i)-1]

/** Reports code (INFOG(1), detail INFOG(2)) for n unknowns; GOS_E_SINGULAR without a record when a
 * pivot vanishes. */
gos_status gos__mumps_status(gos_ctx *ctx, int n, int code, int detail);
/** Was the workspace too small? Delayed pivots, unknown to the analysis, enlarge it. */
bool gos__mumps_small(int code);
/** Rejects a factorisation that needs more memory [bytes] than installed, used or not, so that
 * results do not depend on other programs. */
gos_status gos__mumps_memory(gos_ctx *ctx, int n, double memory);
/** Options common to all our analyses: silent, user-supplied order. */
void gos__mumps_options(int *icntl);

#endif
