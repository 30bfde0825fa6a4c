/* Constants of common cross-sections. */
#ifndef GOS_SECTION_SHAPES_H
#define GOS_SECTION_SHAPES_H

/** Saint-Venant's torsion constant of a rectangle with sides a and b [m] -> [m^4]. */
double gos__torsion_rectangle(double a, double b);
/** Shear factors for Poisson's ratio nu: of a rectangle, and of a tube whose inner radius is
 * `inner` times the outer one (0: a circle). G. R. Cowper, J. Appl. Mech. 33 (1966) 335. */
double gos__shear_rectangle(double nu);
double gos__shear_tube(double nu, double inner);

#endif
