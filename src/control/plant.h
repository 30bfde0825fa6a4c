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

#endif
