/* Columns of an interval from modes of the parts (component mode synthesis with complex modes:
   Hasselman and Kaplan 1974, Craig and Chung 1982): each body by itself, with its own damping and
   the joints that it has with the ground, free or held where others are joined to it; beside its
   modes what forces in these joints do to it. All of them together, as far as the joints allow, are
   the columns. */
#ifndef GOS_LOCAL_PARTS_H
#define GOS_LOCAL_PARTS_H

#include "rom/local.h"

/** Room for the parts of the system at its present state; GOS_E_SINGULAR when a part has motions
 * without mass. */
gos_status gos__local_parts_create(gos_local *g, gos_local_parts **parts);
void gos__local_parts_destroy(gos_local_parts *p);
/** Most columns that they give. */
int gos__local_parts_most(const gos_local_parts *p);
/** Columns of g->modes from the parts' modes, with the matrices of the state that g->stiff and g->w
 * hold. */
gos_status gos__local_parts_columns(gos_local *g);

#endif
