/* Layers on shells, and offset shells: at offset o they move by u + o theta x n and have
   temperature mean + o gradient, in the shell's freedoms. Temperatures of an offset shell refer to
   its own middle. */
#ifndef GOS_FE_LAYER_H
#define GOS_FE_LAYER_H

#include "fe/element.h"

/** Replace positions in the shell's middle by those in the layer; lanes. */
void gos__fe_layer_location(const gos_fe_part *layer, int nodes, const double *director, double *x);
/** Replace the shell's displacements, rotations and temperatures by the layer's. */
void gos__fe_layer_values(const gos_fe_part *layer, const gos_fe_cell *cell, double *u, double *t);
/** Transform derivatives by the layer's unknowns to those by the shell's. */
void gos__fe_layer_derivatives(const gos_fe_part *layer, const gos_fe_cell *cell, double *by_u,
                               double *by_t);
/** Transform matrices from the layer's unknowns to the shell's; director as in gos_fe_batch. */
void gos__fe_layer_shift(const gos_fe_part *layer, int nodes, const double *director,
                         gos_fe_local *local);

#endif
