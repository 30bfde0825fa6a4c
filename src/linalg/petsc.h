/* Large symmetric matrices on the ranks of an MPI job: another program, gossamer-petsc, factorises
   them with MUMPS and finds modes with SLEPc. This one knows nothing of MPI, and is linked with
   none of them. */
#ifndef GOS_PETSC_H
#define GOS_PETSC_H

#include "linalg/symmetric.h"

#define GOS_PETSC_LEAST 200 // unknowns: fewer are not sent anywhere

/** The context has chosen it (gos_ctx_set_solver), and the matrix is large enough. */
bool gos__petsc_chosen(const gos_ctx *ctx, int unknowns);

extern const gos_symmetric_way gos__symmetric_petsc;

#endif
