/* Rows between single components of vector coordinates: sums that are 0, components that stay. */
#ifndef GOS_COMPONENT_ROWS_H
#define GOS_COMPONENT_ROWS_H

#include "parts/parts.h"

/** Markers with component 0 of x[0], 1 of x[1] and 2 of x[2] summing up to sum w[k] (coordinate
 * at[k] = 3 v + c) (n). */
gos_status gos__sum_markers(gos_arena *a, int n, const int *at, const double *w, gos_marker x[3]);
/** A row: component 0 of x[0], 1 of x[1] and 2 of x[2] sum up to 0. `name` must live in the
 * builder's arena. */
gos_status gos__add_sum_row(gos_builder *b, const gos_marker x[3], gos_loc loc, const char *name);
/** Keep the coordinate at = 3 v + c as it is. */
gos_status gos__hold_component(gos_builder *b, gos_loc loc, const char *name, int at);
/** Keep sum w[k] (coordinate at[k]) at 0 (n). */
gos_status gos__hold_sum(gos_builder *b, gos_loc loc, const char *name, int n, const int *at,
                         const double *w);

#endif
