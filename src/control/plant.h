/* Dense state-space models for control design. */
#ifndef GOS_PLANT_H
#define GOS_PLANT_H

#include "linear/linear.h"

/* x' = A x + B u, y = C x + D u, column-major */
typedef struct gos_plant {
    int n, nu, ny;
    double *A;     // (n, n)
    double *B, *C; // (n, nu), (ny, n)
    double *D;     // (ny, nu)
} gos_plant;

/** Free with gos__plant_free, also after a failure. */
gos_status gos__plant_create(gos_ctx *ctx, int n, int nu, int ny, gos_plant *plant);
/** Constraints eliminated, electric potentials condensed, x = (p, p', theta) with q = Z p.
 *  @return GOS_E_SINGULAR if masses, capacities or permittivities do not determine the rates,
 *  GOS_E_LIMIT for more than 3000 states */
gos_status gos__plant_make(gos_ctx *ctx, const gos_linear *linear, gos_plant *plant);
void gos__plant_free(gos_ctx *ctx, gos_plant *plant);

/** In order of the lists (NULL: the first nu, ny). */
gos_status gos__plant_part(gos_ctx *ctx, const gos_plant *plant, int nu, const int *input, int ny,
                           const int *output, gos_plant *part);
/** u = F y + r around a plant, from r to y. @return GOS_E_SINGULAR if I - D F is */
gos_status gos__plant_feedback(gos_ctx *ctx, const gos_plant *plant, const double *F,
                               gos_plant *closed);
/** y = second(first(u)). */
gos_status gos__plant_series(gos_ctx *ctx, const gos_plant *first, const gos_plant *second,
                             gos_plant *series);
/** Output `row` := its rate, C A x + C B u. *direct: it has feedthrough; unchanged. */
gos_status gos__plant_rate(gos_ctx *ctx, gos_plant *plant, int row, bool *direct);
/** H (ny, nu), complex as pairs, at s = i omega. @return GOS_E_SINGULAR at a pole */
gos_status gos__plant_response(gos_ctx *ctx, const gos_plant *plant, double omega, double *H);

/* Control loops with saturated commands. */

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
