/* Control loops whose commands are limited: the plant, its controller, and the clipping between
 * them. */
#ifndef GOS_LOOP_H
#define GOS_LOOP_H

#include "control/plant.h"

/* x' = A x + B v + E w, v = clip(F x), z = C x + D v + G w, with one disturbance w; states are
   those of the plant, then those of the controller */
typedef struct gos_loop {
    int n, nu, nz;
    int nplant; // states of the plant
    double *A;  // (n, n)
    double *B;  // (n, nu)
    double *E;  // (n)
    double *F;  // (nu, n)
    double *C;  // (nz, n)
    double *D;  // (nz, nu)
    double *G;  // (nz)
} gos_loop;

/** A controller that is told the limited commands, so that it does not wind up: its model's states
 * by a filter, inputs (measured outputs y, limited commands v), x^' = A x^ + B v + L (y - C x^ - D
 * v), output -K x^. */
gos_status gos__limited_lqg(gos_ctx *ctx, const gos_plant *model, const double *K, const double *L,
                            gos_plant *controller);
/** Plant and controller. The plant's last input is the disturbance, its first `measured` outputs go
 * to the controller, the others are z. The controller has as many inputs, or those and then the
 * limited commands.
 *  @return GOS_E_USE when sizes do not fit, or commands would depend on themselves, or on the
 * disturbance, without delay */
gos_status gos__loop_close(gos_ctx *ctx, const gos_plant *plant, int measured,
                           const gos_plant *controller, gos_loop *loop);
/** The same with v = -K x of the plant's own state; all outputs of the plant from `measured` on are
 * z. */
gos_status gos__loop_state(gos_ctx *ctx, const gos_plant *plant, int measured, const double *K,
                           gos_loop *loop);
void gos__loop_free(gos_ctx *ctx, gos_loop *loop);
/** A + B F (n, n): the loop as long as nothing is clipped. */
void gos__loop_matrix(const gos_loop *loop, double *A);

#endif
