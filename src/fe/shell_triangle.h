#ifndef GOS_FE_SHELL_TRIANGLE_H
#define GOS_FE_SHELL_TRIANGLE_H

#include "fe/shell.h"

/** Rows at natural coordinates, in lane 0 and the first 18 columns; shears and drilling are 0.
 * @param axis axis 1; NULL: along the first side */
void gos__shell_triangle_point(const gos_shell *s, const double (*x)[3], const double *axis,
                               const double at[2], gos_shell_point *p);
/** Matrices of a cell into one lane. */
void gos__shell_triangle(const gos_shell *s, const double (*x)[3], const double (*director)[3],
                         const double *axis, int lane, gos_fe_local *local);

#endif
