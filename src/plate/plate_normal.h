/* Unit normal of a plate as a function of its slopes. */
#ifndef GOS_PLATE_NORMAL_H
#define GOS_PLATE_NORMAL_H

/** n = r_1 x r_2 / |r_1 x r_2| of slopes (r_1, r_2), its derivatives dn, and second derivatives H
 * of lam . n. If lam is NULL, H is not set and may be NULL. */
void gos__plate_normal(const double *slopes, const double lam[3], double n[3], double dn[3][6],
                       double H[6][6]);

#endif
