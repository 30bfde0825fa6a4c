/* The unit normal of a plate as a function of its slopes. */
#ifndef GOS_PLATE_NORMAL_H
#define GOS_PLATE_NORMAL_H

/** n = r_1 x r_2 / |r_1 x r_2| of slopes (r_1, r_2) and dn its derivatives by them; H: second
 * derivatives of lam . n. lam NULL: H is left as it is, and may be NULL. */
void gos__plate_normal(const double *slopes, const double lam[3], double n[3], double dn[3][6],
                       double H[6][6]);

#endif
