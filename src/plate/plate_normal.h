/* Unit normal of a plate from its slopes. */
#ifndef GOS_PLATE_NORMAL_H
#define GOS_PLATE_NORMAL_H

/** n = r_1 x r_2 / |r_1 x r_2|, its derivatives dn by slopes (r_1, r_2), and second derivatives H
 * of lam . n; H is not set (may be NULL) if lam is NULL. */
void gos__plate_normal(const double *slopes, const double lam[3], double n[3], double dn[3][6],
                       double H[6][6]);

#endif
