#ifndef GOS_STATE_SPACE_H
#define GOS_STATE_SPACE_H

#include "linear/linear.h"

/* E x' = A x + B u, y = C x + D u, column-major; x = (p, p', theta, phi) with q = Z p */
typedef struct gos_state_space {
    int n, nu, ny;
    double *E, *A; // (n, n)
    double *B, *C; // (n, nu), (ny, n)
    double *D;     // (ny, nu)
} gos_state_space;

#define GOS_STATE_SPACE_MAX 3000 // most states: 72 MB per matrix

/** Constraints are eliminated: q = Z p, theta = Z_T vartheta with orthonormal null spaces of C
 *  and H. Potentials remain unknowns (singular E). Free with gos__state_space_free, also after a
 *  failure. @return GOS_E_LIMIT above GOS_STATE_SPACE_MAX states. */
gos_status gos__state_space_make(gos_ctx *ctx, const gos_linear *l, gos_state_space *s);
void gos__state_space_free(gos_ctx *ctx, gos_state_space *s);

#endif
