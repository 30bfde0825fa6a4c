/* What control design works on: dense equations of first order, solved for the rates. */
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

/** Sizes and zeroed matrices; free with gos__plant_free, also after a failure. */
gos_status gos__plant_create(gos_ctx *ctx, int n, int nu, int ny, gos_plant *plant);
/** Of a linear model: constraints eliminated, electric potentials condensed, x = (p, p', theta)
 * with q = Z p.
 *  @return GOS_E_SINGULAR when masses, capacities or permittivities do not determine the rates,
 *  GOS_E_LIMIT for more than 3000 states */
gos_status gos__plant_make(gos_ctx *ctx, const gos_linear *linear, gos_plant *plant);
void gos__plant_free(gos_ctx *ctx, gos_plant *plant);

/** The plant with some of its inputs and outputs: those of the lists (NULL: the first nu, ny), in
 * their order. */
gos_status gos__plant_part(gos_ctx *ctx, const gos_plant *plant, int nu, const int *input, int ny,
                           const int *output, gos_plant *part);
/** u = F y + r around a plant: its equations from r to y. @return GOS_E_SINGULAR when I - D F is */
gos_status gos__plant_feedback(gos_ctx *ctx, const gos_plant *plant, const double *F,
                               gos_plant *closed);
/** Two plants in series, y = second(first(u)). */
gos_status gos__plant_series(gos_ctx *ctx, const gos_plant *first, const gos_plant *second,
                             gos_plant *series);
/** Output `row` becomes its rate, C A x + C B u. *direct: it followed an input at once, so that it
 * has none; it is left alone then. */
gos_status gos__plant_rate(gos_ctx *ctx, gos_plant *plant, int row, bool *direct);
/** H (ny, nu), complex as pairs, at s = i omega. @return GOS_E_SINGULAR at a pole */
gos_status gos__plant_response(gos_ctx *ctx, const gos_plant *plant, double omega, double *H);

#endif
