/* The exponential of a dense matrix. */
#ifndef GOS_EXPM_H
#define GOS_EXPM_H

#include "base/base.h"

/** Doubles for order n. */
size_t gos__expm_work(int n);
/** A := e^A (n, n), row- or column-major, by scaling and squaring with the [13/13] Pade
 * approximant; `pivot` (n). No allocation. @return GOS_RETRY when A is not finite or too large. */
gos_status gos__expm(int n, double *A, double *work, int *pivot);

#endif
