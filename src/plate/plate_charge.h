/* Charge of a patch on a plate element, nonlinear in the coordinates. */
#ifndef GOS_PLATE_CHARGE_H
#define GOS_PLATE_CHARGE_H

#include "parts/builder.h"

#define GOS_PLATE_CHARGE_SLOPES 5 // r_1, r_2, r_11, r_22, r_12
#define GOS_PLATE_CHARGE_STRAINS 6

/* Batches of points, zero-padded. */
typedef struct gos_plate_charge {
    int nb;            // batches
    const double *S;   // (nb, 5, 12, LANES) derivatives of the functions
    const double *per; // (nb, 6, LANES) by E_11, E_22, 2 E_12, b_11, b_22, 2 b_12
} gos_plate_charge;

/** Charge at coordinates e (12, 3). g (12, 3) += factor times its gradient; H (row length `width`,
 * leading 36 x 36 block) += factor times second derivatives. g, H may be NULL. */
double gos__plate_charge(const gos_plate_charge *c, const double *e, double factor, double *g,
                         int width, double *H);

#endif
