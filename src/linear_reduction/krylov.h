#ifndef GOS_REDUCE_KRYLOV_H
#define GOS_REDUCE_KRYLOV_H

#include "linear_reduction/space.h"

/** Add `count` second-order Krylov vectors at s0 to a space, from outputs if transposed.
 *  *blocks: complete blocks (krylov.c). */
gos_status gos__krylov_vectors(gos_reduce_pencil *p, gos_complex s0, bool transposed, int count,
                               gos_space *space, int *blocks);
/** The same after a real symmetric factorisation (p->real), for one-term right-hand sides
 *  (krylov_real.c). */
gos_status gos__krylov_real(gos_reduce_pencil *p, double s0, bool transposed, int count,
                            gos_space *space, int *blocks);

#endif
