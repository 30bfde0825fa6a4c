/* The charge of a patch on an element of a plate: an integral over points of what is linear in the
   plate's strains, and so no linear function of its coordinates. */
#ifndef GOS_PLATE_CHARGE_H
#define GOS_PLATE_CHARGE_H

#include "parts/parts.h"

#define GOS_PLATE_CHARGE_SLOPES 5 // r_1, r_2, r_11, r_22, r_12
#define GOS_PLATE_CHARGE_STRAINS 6

/* Sums over GOS_LANES points to a batch; the last one is filled up with coefficients 0. */
typedef struct gos_plate_charge {
    int nb;            // batches
    const double *S;   // derivatives of the element's twelve functions (nb, 5, 12, LANES)
    const double *per; // charge by E_11, E_22, 2 E_12, b_11, b_22, 2 b_12 at each (nb, 6, LANES)
} gos_plate_charge;

/** The charge at coordinates e (12, 3). g (12, 3) += factor times its gradient; H (rows of `width`,
 * the first 36 of 36)
 *  += factor times its second derivatives. Either may be NULL. */
double gos__plate_charge(const gos_plate_charge *c, const double *e, double factor, double *g,
                         int width, double *H);

#endif
