/* What reports of a design show beside its numbers: the model's modes, and patches on its
   bodies. */
#ifndef GOS_IO_DESIGN_VIEW_H
#define GOS_IO_DESIGN_VIEW_H

#include "control/design.h"
#include "gossamer/system.h"
#include "results/h5.h"

/* An electrode of an input that there was to choose from, on a face of a cell. */
typedef struct gos_view_patch {
    int candidate, cell, side; // side: 1, out of which the cell's normal points, or -1
} gos_view_patch;

typedef struct gos_design_view {
    const char *model, *name; // of the model, of the design
    const char *warnings;     // that it came with, a line each
    gos_mesh_info mesh;       // without names; no nodes: there is nothing to draw
    const double *x;          // (nnodes, 3) [m]
    int nmode;                // lowest ones
    const char *mode_names;   // a line each
    const double *shape;      // (nmode)(nnodes, 3)
    int npatch;
    const gos_view_patch *patch; // (npatch)
} gos_design_view;

/** Mesh and the n lowest modes of a system at a state, with its linear model there, into a view
 * without them; nothing of meshes that are too large for a picture. In the arena. */
gos_status gos__view_model(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                           const gos_linear *linear, gos_arena *a, int n, gos_design_view *view);
/** The warnings and notes of a context, a line each; NULL without memory. */
const char *gos__view_warnings(const gos_ctx *ctx, gos_arena *a);
/** The view of a design, when it has one, and its courses: into the group /view of a file. */
bool gos__design_view_put(hid_t file, const gos_design *design);
/** ... and from there; true also when the file has none. */
bool gos__design_view_get(hid_t file, gos_design *design);

#endif
