/* Section `designs` of a model: controllers to design. */
#ifndef GOS_SETTINGS_DESIGN_H
#define GOS_SETTINGS_DESIGN_H

#include "gossamer/control.h"
#include "parts/builder.h"

extern const gos_type gos__design_lqr, gos__design_lqg, gos__design_collocated;

/* Linearisation point of a design. */
typedef struct gos_design_point {
    enum { GOS_DESIGN_INITIAL, GOS_DESIGN_EQUILIBRIUM, GOS_DESIGN_TIME } about;
    double time; // [s]
} gos_design_point;

/** Check one entry alone. */
gos_status gos__design_check(gos_builder *b, const gos_node *entry, const char *object);
/** As gos_design_settings, plus the linearisation point; *entry: its node, for messages. All live
 * as long as the model. */
gos_status gos__design_settings(gos_ctx *ctx, gos_model *model, const char *name,
                                gos_design_options *options, gos_design_point *point,
                                const gos_node **entry);

#endif
