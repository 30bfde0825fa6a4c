/* Warning about motion that a thermal model computes without need. */
#ifndef SYSTEM_THERMAL_ONLY_H
#define SYSTEM_THERMAL_ONLY_H

#include "gossamer/system.h"
#include "model/model.h"

/** Warns of costly floating bodies in dynamic models whose only loads are heat and whose probes
 * read temperatures. */
void gos__thermal_only_warn(gos_ctx *ctx, const gos_system *s, const gos_node *root);

#endif
