/* Component mode synthesis with complex modes (Hasselman and Kaplan 1974, Craig and Chung 1982).
   Components are bodies with their damping and ground joints, free or held at other joints. */
#ifndef GOS_LOCAL_PARTS_H
#define GOS_LOCAL_PARTS_H

#include "rom/local.h"

/** Allocate for the parts of the system at its present state. GOS_E_SINGULAR if a part has
 *  motions without mass. */
gos_status gos__local_parts_create(gos_local *g, gos_local_parts **parts);
void gos__local_parts_destroy(gos_local_parts *p);
/** Largest number of columns. */
int gos__local_parts_max_columns(const gos_local_parts *p);
/** Columns of g->modes from component modes, with the matrices in g->stiff and g->w. */
gos_status gos__local_parts_columns(gos_local *g);

#endif
