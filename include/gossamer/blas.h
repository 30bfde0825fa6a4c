/* Gossamer: which linear algebra kernels run. SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_BLAS_H
#define GOSSAMER_BLAS_H

#include <stdbool.h>

#include "gossamer/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Name of the OpenBLAS kernels in use, e.g. "Haswell". */
GOS_API const char *gos_blas_kernels(void);
/** One line for a log: the version of OpenBLAS, its kernels and what made it take them, e.g.
 * "OpenBLAS 0.3.21, kernels Prescott (Haswell suit this processor better)". Kernels add in
 * different orders: results differ in their last digits. Cut to fit in buf. */
GOS_API void gos_blas_describe(char *buf, size_t size);
/** Has this processor the instructions of the kernels in use? When not, and only OPENBLAS_CORETYPE
 * can bring that about, the first product of matrices kills the program. */
GOS_API bool gos_blas_runs(void);
/** Name of kernels that suit this processor better, or NULL. OpenBLAS takes its slowest ones on
 *  processors newer than itself; they can only be chosen before the library is loaded. */
GOS_API const char *gos_blas_better(void);
/** For programs, at the start of main: when there are better kernels and nobody has chosen
 *  (OPENBLAS_CORETYPE unset), set it and start this program again with the same arguments. Returns
 *  when there is nothing to do or it cannot be done. OpenBLAS is set to one thread. */
GOS_API void gos_blas_choose(char *const argv[]);
/** For programs whose address space may be limited, at their start: take the working memory of
 * OpenBLAS for one thread (128 MB of addresses, not of memory) now. It never gives up asking for it
 * later, when there is none: the program would hang. @return false when there is not so much. */
GOS_API bool gos_blas_reserve(void);

#ifdef __cplusplus
}
#endif
#endif
