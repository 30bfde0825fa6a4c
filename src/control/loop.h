/* Control loops with saturated commands. */
#ifndef GOS_LOOP_H
#define GOS_LOOP_H

#include "control/plant.h"

/* x' = A x + B v + E w, v = sat(F x), z = C x + D v + G w, disturbance w; plant states, then
   controller states */
typedef struct gos_loop {
    int n, nu, nz;
    int nplant; // plant states
    double *A;  // (n, n)
    double *B;  // (n, nu)
    double *E;  // (n)
    double *F;  // (nu, n)
    double *C;  // (nz, n)
    double *D;  // (nz, nu)
    double *G;  // (nz)
} gos_loop;

/** LQG with feedback of saturated commands (anti-windup): inputs (measured outputs y, saturated
 *  commands v), x^' = A x^ + B v + L (y - C x^ - D v), output -K x^. */
gos_status gos__limited_lqg(gos_ctx *ctx, const gos_plant *model, const double *K, const double *L,
                            gos_plant *controller);
/** The plant's last input is the disturbance; its first `measured` outputs go to the controller,
 *  the others are z. Controller inputs: these, optionally followed by the saturated commands.
 *  @return GOS_E_USE: sizes do not match, or direct feedthrough to commands */
gos_status gos__loop_close(gos_ctx *ctx, const gos_plant *plant, int measured,
                           const gos_plant *controller, gos_loop *loop);
/** The same with v = -K x; plant outputs from `measured` on are z. */
gos_status gos__loop_state(gos_ctx *ctx, const gos_plant *plant, int measured, const double *K,
                           gos_loop *loop);
void gos__loop_free(gos_ctx *ctx, gos_loop *loop);
/** A + B F (n, n): the unsaturated loop. */
void gos__loop_matrix(const gos_loop *loop, double *A);

#endif
