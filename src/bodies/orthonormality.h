/* Orthonormality constraints of body axes. */
#ifndef GOS_ORTHONORMALITY_H
#define GOS_ORTHONORMALITY_H

#include "parts/parts.h"

/** Adds six rows 1/2 (a_i . a_j - delta_ij) = 0 for the vector coordinates axis .. axis + 2 as one
 * item. `name` ("body 'hub'") must live in the builder's arena. */
gos_status gos__add_rigidity(gos_builder *b, int axis, const char *name, gos_loc loc);

#endif
