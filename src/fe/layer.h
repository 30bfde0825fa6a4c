/* Layers on shells, and shells with an offset. A layer at offset o moves by u + o theta x n and has
   the temperature mean + o gradient, so its matrices are those of a shell there, transformed to the
   shell's freedoms. An offset shell moves alike, but its temperatures refer to its own middle. */
#ifndef GOS_FE_LAYER_H
#define GOS_FE_LAYER_H

#include "fe/element.h"

/** Replace node positions in the shell's middle by those in the layer's; lanes. */
void gos__fe_layer_place(const gos_fe_part *layer, int nodes, const double *director, double *x);
/** Replace displacements, rotations and temperatures of the shell by those of a layer's cell. */
void gos__fe_layer_values(const gos_fe_part *layer, const gos_fe_cell *cell, double *u, double *t);
/** Transform derivatives by displacements, rotations and temperatures of the layer to those of the
 * shell. */
void gos__fe_layer_derivatives(const gos_fe_part *layer, const gos_fe_cell *cell, double *by_u,
                               double *by_t);
/** Transform matrices from the layer's freedoms and temperatures to the shell's; director as in
 * gos_fe_batch. */
void gos__fe_layer_shift(const gos_fe_part *layer, int nodes, const double *director,
                         gos_fe_local *local);

#endif
