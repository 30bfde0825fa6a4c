/* Large symmetric matrices on the ranks of an MPI job. A separate program, gossamer-petsc,
 * factorises them with MUMPS and finds modes with SLEPc, so this library does not link MPI. */
#ifndef GOS_PETSC_H
#define GOS_PETSC_H

#include "linalg/symmetric.h"

#define GOS_PETSC_MIN_UNKNOWNS 200 // unknowns below which the local solver is used

/** Is it selected (gos_ctx_set_solver) and the matrix large enough? */
bool gos__petsc_chosen(const gos_ctx *ctx, int unknowns);

extern const gos_symmetric_way gos__symmetric_petsc;

#endif
