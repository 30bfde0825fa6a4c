/* Gossamer: OpenBLAS kernels in use. SPDX-License-Identifier: Apache-2.0
 *
 * OpenBLAS selects its kernels by processor when it is loaded. These functions report the
 * selection and let programs improve it at their start. */
#ifndef GOSSAMER_BLAS_H
#define GOSSAMER_BLAS_H

#include <stdbool.h>

#include "gossamer/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Name of the OpenBLAS kernels in use, e.g. "Haswell". */
GOS_API const char *gos_blas_kernels(void);
/** One line for a log: version of OpenBLAS, its kernels and the reason for their selection, e.g.
 * "OpenBLAS 0.3.21, kernels Prescott (Haswell suit this processor better)". Kernels sum in
 * different orders, so results differ in their last digits. Truncated to fit in buf. */
GOS_API void gos_blas_describe(char *buf, size_t size);
/** True if the processor supports the instructions of the kernels in use. If not, the first matrix
 * product crashes the program; only a wrong OPENBLAS_CORETYPE can cause this. */
GOS_API bool gos_blas_supported(void);
/** Name of kernels that suit this processor better, or NULL. OpenBLAS uses its slowest kernels on
 * processors newer than itself; kernels can only be selected before the library is loaded. */
GOS_API const char *gos_blas_recommended(void);
/** Call at the start of main: if better kernels exist and OPENBLAS_CORETYPE is not set, sets it and
 * restarts the program with the same arguments. Returns if no restart is needed or possible.
 * OpenBLAS is set to one thread. */
GOS_API void gos_blas_select(char *const argv[]);
/** For programs with limited address space; call at the start of main: reserve the working memory
 * of OpenBLAS for one thread (128 MB of addresses, not of memory). If it cannot get this memory
 * later, OpenBLAS retries forever and the program hangs. @return false if there is not enough
 * memory */
GOS_API bool gos_blas_reserve(void);

#ifdef __cplusplus
}
#endif
#endif
