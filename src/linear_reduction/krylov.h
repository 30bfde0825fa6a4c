/* Vectors whose span keeps moments (theory 3.2). */
#ifndef GOS_REDUCE_KRYLOV_H
#define GOS_REDUCE_KRYLOV_H

#include "linear_reduction/space.h"

/** Second-order Krylov vectors at a point, `count` of them, added to a space; from the outputs when
 *  transposed. *blocks is the number of complete blocks (krylov.c). */
gos_status gos__krylov_vectors(gos_reduce_pencil *p, gos_complex s0, bool transposed, int count,
                               gos_space *space, int *blocks);
/** The same after a real symmetric factorisation (p->real), where right-hand sides have one term
 * only (krylov_real.c). */
gos_status gos__krylov_real(gos_reduce_pencil *p, double s0, bool transposed, int count,
                            gos_space *space, int *blocks);

#endif
