/* Graphical data of design reports. */
#ifndef GOS_IO_DESIGN_VIEW_H
#define GOS_IO_DESIGN_VIEW_H

#include "control/design.h"
#include "gossamer/system.h"
#include "results/h5.h"

/* Electrode of a candidate input on a cell. */
typedef struct gos_view_patch {
    int candidate, cell, side; // side: 1 along the cell's normal, or -1
} gos_view_patch;

typedef struct gos_design_view {
    const char *model, *name; // of the model, of the design
    const char *warnings;     // one per line
    gos_mesh_info mesh;       // without names; no nodes: nothing to draw
    const double *x;          // (nnodes, 3) [m]
    int nmode;                // lowest modes
    const char *mode_names;   // one per line
    const double *shape;      // (nmode)(nnodes, 3)
    int npatch;
    const gos_view_patch *patch; // (npatch)
} gos_design_view;

/** Mesh and n lowest modes of a system at a state with its linear model, unless too large to draw.
 *  In the arena. */
gos_status gos__view_model(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                           const gos_linear *linear, gos_arena *a, int n, gos_design_view *view);
/** One per line; NULL without memory. */
const char *gos__view_warnings(const gos_ctx *ctx, gos_arena *a);
/** Write view, if any, and time histories to the group /view. */
bool gos__design_view_put(hid_t file, const gos_design *design);
/** Also true if the file has none. */
bool gos__design_view_get(hid_t file, gos_design *design);

#endif
