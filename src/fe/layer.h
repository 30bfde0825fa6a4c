/* Layers on shells, and shells whose middle is off the surface of the mesh. Layers take part in
   what the shell under them does: a layer at o off the shell's middle moves by u + o theta x n and
   has the temperature mean + o gradient, so that its matrices are those of a shell there, in the
   shell's own freedoms. A shell off the surface moves alike, but its temperatures are those of its
   middle. */
#ifndef GOS_FE_LAYER_H
#define GOS_FE_LAYER_H

#include "fe/element.h"

/** Places of nodes in the middle of a layer instead of those in that of the shell; lanes. */
void gos__fe_layer_place(const gos_fe_part *layer, int nodes, const double *director, double *x);
/** Displacements, rotations and temperatures of a cell of a layer instead of those of the shell. */
void gos__fe_layer_values(const gos_fe_part *layer, const gos_fe_cell *cell, double *u, double *t);
/** Derivatives by displacements, rotations and temperatures of the shell instead of those of the
 * layer. */
void gos__fe_layer_derivatives(const gos_fe_part *layer, const gos_fe_cell *cell, double *by_u,
                               double *by_t);
/** Matrices in the shell's freedoms and temperatures instead of the layer's; director as in
 * gos_fe_batch. */
void gos__fe_layer_shift(const gos_fe_part *layer, int nodes, const double *director,
                         gos_fe_local *local);

#endif
