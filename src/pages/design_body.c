#include "pages/design_body.h"

#include <math.h>

gos_status gos__design_body_open(gos_design_body *b) {
    const gos_mesh_info *m = &b->view->mesh;
    double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < m->nnodes; i++) {
        for (int c = 0; c < 3; c++) {
            lo[c] = fmin(lo[c], b->view->x[3 * i + c]);
            hi[c] = fmax(hi[c], b->view->x[3 * i + c]);
        }
    }
    b->extent = fmax(hi[0] - lo[0], fmax(hi[1] - lo[1], hi[2] - lo[2]));
    memcpy(b->seen.lo, lo, sizeof lo);
    memcpy(b->seen.hi, hi, sizeof hi);
    GOS_TRY(gos__faces_make(b->a, m, b->view->x, &b->faces));
    b->seen.surfaces = b->faces.n > 0;
    return GOS_OK;
}

void gos__design_body_lines(const gos_design_body *b, const gos_plot *p, const gos_view *v,
                            const double *x, const char *colour) {
    const gos_mesh_info *m = &b->view->mesh;
    for (int i = 0; i < m->ncells; i++) {
        const int *node = m->cell_nodes + m->cell_offset[i];
        if (m->cell_offset[i + 1] - m->cell_offset[i] == 2) {
            const double *s = x + 3L * node[0], *e = x + 3L * node[1];
            (void)fprintf(b->out,
                          "<path stroke=\"%s\" stroke-width=\"2\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
                          colour, gos__view_x(p, v, s), gos__view_y(p, v, s), gos__view_x(p, v, e),
                          gos__view_y(p, v, e));
        }
    }
}

gos_status gos__design_body_rest(const gos_design_body *b, const gos_plot *p, const gos_view *v) {
    (void)fputs("<g class=\"rest\" stroke=\"#9ca3af\" fill=\"none\">\n", b->out);
    GOS_TRY(gos__faces_draw(b->a, &b->faces, p, v, b->view->x, NULL));
    gos__design_body_lines(b, p, v, b->view->x, "#9ca3af");
    (void)fputs("</g>\n", b->out);
    return GOS_OK;
}
