/* Linear rows on single components of vector coordinates. */
#ifndef GOS_COMPONENT_ROWS_H
#define GOS_COMPONENT_ROWS_H

#include "parts/parts.h"

/** x[0][0] + x[1][1] + x[2][2] = sum w[k] (coordinate at[k] = 3 v + c), k < n. */
gos_status gos__sum_markers(gos_arena *a, int n, const int *at, const double *w, gos_marker x[3]);
/** Adds the row x[0][0] + x[1][1] + x[2][2] = 0. `name` must live in the builder's arena. */
gos_status gos__add_sum_row(gos_builder *b, const gos_marker x[3], gos_loc loc, const char *name);
/** Locks a coordinate at its initial value. */
gos_status gos__hold_component(gos_builder *b, gos_loc loc, const char *name, int at);
/** Adds the row sum w[k] (coordinate at[k]) = 0, k < n. */
gos_status gos__hold_sum(gos_builder *b, gos_loc loc, const char *name, int n, const int *at,
                         const double *w);

#endif
