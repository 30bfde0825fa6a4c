#ifndef GOS_SHELL_CELLS_H
#define GOS_SHELL_CELLS_H

#include "mesh/mesh.h"
#include "parts/builder.h"

/** Report stiffening by 4-node quadrilaterals: a warning for curved and folded bodies, a note for
 * flat ones. shear: G/E, 0: other cells; thickness [m] (cells). */
gos_status gos__shell_cells(gos_builder *b, gos_loc loc, const char *object, const gos_mesh *mesh,
                            const double *shear, const double *thickness);

#endif
