/* Orthonormality of body axes. */
#ifndef GOS_ORTHONORMALITY_H
#define GOS_ORTHONORMALITY_H

#include "parts/parts.h"

/** Six rows 1/2 (a_i . a_j - delta_ij) = 0 of the vector coordinates axis .. axis + 2. `name`
 * ("body 'hub'") lives in the builder's arena. */
gos_status gos__add_rigidity(gos_builder *b, int axis, const char *name, gos_loc loc);

#endif
