/* A body in pictures of a design. */
#ifndef GOS_IO_DESIGN_BODY_H
#define GOS_IO_DESIGN_BODY_H

#include "pages/design_view.h"
#include "pages/picture_surface.h"

typedef struct gos_design_body {
    FILE *out;
    gos_arena *a;
    const gos_design_view *view;
    gos_faces faces;
    gos_seen seen;
    double extent; // [m]
} gos_design_body;

/** out, a and view must be set. */
gos_status gos__design_body_open(gos_design_body *b);
/** Surface edges in grey, and lines between two nodes. */
gos_status gos__design_body_rest(const gos_design_body *b, const gos_plot *plot,
                                 const gos_view *eye);
/** Lines between two nodes (beams), nodes at x (nnodes, 3). */
void gos__design_body_lines(const gos_design_body *b, const gos_plot *plot, const gos_view *eye,
                            const double *x, const char *colour);

#endif
