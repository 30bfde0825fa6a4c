/* Controller designs and their linear models. */
#ifndef GOS_CONTROL_DESIGN_H
#define GOS_CONTROL_DESIGN_H

#include "gossamer/control.h"
#include "gossamer/sim.h"

/* Basis of a design: the system without controllers, linearised at the state. */
typedef struct gos_design_scene {
    const gos_system *sys;
    const gos_state *state;
    const gos_linear *linear;
    const char *name; // of the entry
} gos_design_scene;

/** Called after the design is made; may allocate in its arena. */
typedef gos_status (*gos_design_visitor)(gos_ctx *ctx, const gos_design_scene *scene,
                                         gos_design *design);

/** As gos_design_model; with a visitor (may be NULL) the design includes time histories. */
gos_status gos__design_model(gos_ctx *ctx, gos_model *model, const char *name,
                             gos_design_visitor visit, gos_design **design);

#endif
