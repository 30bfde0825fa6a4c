/* Bodies in the page of a design: modes, and patches by their importance. */
#include <math.h>
#include <stdlib.h>

#include "io/design_page.h"
#include "io/picture_surface.h"
#include "io/report.h"

#define MOVED 0.12 // of the extent: how far the largest displacement of a mode is drawn
#define SMALL 210.0
#define LARGE 320.0
#define FRONT 1e-9

/* what is drawn in one picture */
typedef struct body {
    FILE *out;
    gos_arena *a;
    const gos_design_view *view;
    gos_faces faces;
    gos_seen seen;
    double extent;
    double *x, *level; // (nnodes, 3), (nnodes)
} body;

static gos_status open_body(body *b) {
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
    b->x = GOS_NEW(b->a, double, 3 * m->nnodes + 1);
    b->level = GOS_NEW(b->a, double, m->nnodes + 1);
    GOS_TRY(b->x && b->level ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__faces_make(b->a, m, b->view->x, &b->faces));
    b->seen.surfaces = b->faces.n > 0;
    return GOS_OK;
}

/* lines between two nodes, as beams have */
static void draw_lines(const body *b, const gos_plot *p, const gos_view *v, const double *x,
                       const char *colour) {
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

/* ---- modes ------------------------------------------------------------------------------------------ */

/* places and colours of one mode: by what it does along its largest component, from -1 to 1 */
static void shape_at(body *b, const double *u) {
    const int n = b->view->mesh.nnodes;
    double most = 0, along[3] = {0};
    for (int i = 0; i < n; i++) {
        const double *v = u + 3L * i;
        const double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        if (size > most) {
            most = size;
            for (int c = 0; c < 3; c++) {
                along[c] = v[c] / size;
            }
        }
    }
    const double by = most > 0 ? MOVED * b->extent / most : 0;
    for (int i = 0; i < n; i++) {
        const double *v = u + 3L * i;
        for (int c = 0; c < 3; c++) {
            b->x[3 * i + c] = b->view->x[3 * i + c] + by * v[c];
        }
        const double s = v[0] * along[0] + v[1] * along[1] + v[2] * along[2];
        b->level[i] = most > 0 ? 0.5 + 0.5 * s / most : 0.5;
    }
}

static gos_status draw_mode(body *b, const gos_view *v, const gos_plot *fit, const double *u,
                            const char *name, int length) {
    (void)fprintf(b->out,
                  "<figure><svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" width=\"%.0f\">\n"
                  "<g class=\"rest\" stroke=\"#9ca3af\" fill=\"none\">\n",
                  fit->width, fit->height, fit->width);
    GOS_TRY(gos__faces_draw(b->a, &b->faces, fit, v, b->view->x, NULL));
    draw_lines(b, fit, v, b->view->x, "#9ca3af");
    (void)fputs("</g>\n", b->out);
    shape_at(b, u);
    GOS_TRY(gos__faces_draw(b->a, &b->faces, fit, v, b->x, b->level));
    draw_lines(b, fit, v, b->x, "#1d4ed8");
    (void)fprintf(b->out, "</svg><figcaption>%.*s</figcaption></figure>\n", length, name);
    return GOS_OK;
}

gos_status gos__design_page_modes(FILE *out, gos_arena *a, const gos_design_view *view) {
    body b = {.out = out, .a = a, .view = view};
    if (!view || view->nmode == 0 || view->mesh.ncells == 0) {
        return GOS_OK;
    }
    GOS_TRY(open_body(&b));
    gos_view eye;
    gos_plot fit = {.out = out};
    const double size = MOVED * b.extent;
    for (int c = 0; c < 3; c++) { // modes may move along any axis
        b.seen.moved[c] = b.seen.hi[c] - b.seen.lo[c] < size ? size : 0;
        b.seen.lo[c] -= b.seen.moved[c];
        b.seen.hi[c] += b.seen.moved[c];
    }
    gos__view_choose(&b.seen, &eye);
    gos__view_fit(&eye, &b.seen, SMALL, SMALL, &fit);
    (void)fputs("<section>\n<h2>Modes</h2>\n<p>The lowest modes of the model without control, as "
                "its designer sees it; at rest in grey. Colours go from the one side to the "
                "other.</p>\n<div class=\"modes\">\n",
                out);
    const char *at = view->mode_names;
    gos_status status = GOS_OK;
    for (int i = 0; i < view->nmode && status == GOS_OK && *at; i++) {
        const size_t n = strcspn(at, "\n");
        status = draw_mode(&b, &eye, &fit, view->shape + (size_t)i * 3 * (size_t)view->mesh.nnodes,
                           at, (int)(n < 100 ? n : 100));
        at += n + (at[n] != '\0');
    }
    (void)fputs("</div>\n</section>\n", out);
    return status;
}

/* ---- patches ---------------------------------------------------------------------------------------- */

/* a patch as it is painted, from back to front */
typedef struct painted {
    const gos_view_patch *patch;
    double depth;
} painted;

static int by_depth(const void *a, const void *b) {
    const painted *p = a, *q = b;
    return p->depth != q->depth ? (p->depth > q->depth) - (p->depth < q->depth)
                                : (p->patch > q->patch) - (p->patch < q->patch);
}

static double depth_of(const body *b, const gos_view *v, int cell) {
    const gos_mesh_info *m = &b->view->mesh;
    double depth = 0;
    for (int k = m->cell_offset[cell]; k < m->cell_offset[cell + 1]; k++) {
        const double *x = b->view->x + 3L * m->cell_nodes[k];
        depth += v->eye[0] * x[0] + v->eye[1] * x[1] + v->eye[2] * x[2];
    }
    return depth / fmax(1, m->cell_offset[cell + 1] - m->cell_offset[cell]);
}

/* corners, drawn in to the middle by `in` */
static void outline(const body *b, const gos_plot *p, const gos_view *v, int cell, double in) {
    const gos_mesh_info *m = &b->view->mesh;
    const int first = m->cell_offset[cell], n = m->cell_offset[cell + 1] - first;
    double middle[3] = {0};
    for (int k = 0; k < n; k++) {
        for (int c = 0; c < 3; c++) {
            middle[c] += b->view->x[3L * m->cell_nodes[first + k] + c] / n;
        }
    }
    for (int k = 0; k < n; k++) {
        double x[3];
        for (int c = 0; c < 3; c++) {
            x[c] = (1 - in) * b->view->x[3L * m->cell_nodes[first + k] + c] + in * middle[c];
        }
        (void)fprintf(b->out, "%c%.1f %.1f", k ? 'L' : 'M', gos__view_x(p, v, x),
                      gos__view_y(p, v, x));
    }
}

static gos_status draw_side(const body *b, const gos_design *d, const gos_plot *fit,
                            const gos_view *v, int side, double most) {
    const gos_design_view *view = b->view;
    painted *all = GOS_NEW(b->a, painted, view->npatch + 1);
    int n = 0, chosen = 0;
    GOS_TRY(all ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < view->npatch; i++) {
        if (view->patch[i].side == side) {
            all[n++] = (painted){&view->patch[i], depth_of(b, v, view->patch[i].cell)};
            chosen += d->candidate[view->patch[i].candidate].chosen;
        }
    }
    if (n == 0) {
        return GOS_OK;
    }
    qsort(all, (size_t)n, sizeof *all, by_depth);
    (void)fprintf(b->out,
                  "<figure><svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" width=\"%.0f\">\n<g "
                  "class=\"rest\" stroke=\"#9ca3af\" fill=\"none\">\n",
                  fit->width, fit->height, fit->width);
    GOS_TRY(gos__faces_draw(b->a, &b->faces, fit, v, view->x, NULL));
    draw_lines(b, fit, v, view->x, "#9ca3af");
    (void)fputs("</g>\n", b->out);
    for (int i = 0; i < n; i++) {
        const gos_design_input *c = &d->candidate[all[i].patch->candidate];
        char colour[8];
        gos__svg_colour(most > 0 ? c->importance / most : 0, colour);
        (void)fprintf(b->out, "<path fill=\"%s\" class=\"%s\" d=\"", colour,
                      c->chosen ? "patch chosen" : "patch");
        outline(b, fit, v, all[i].patch->cell, c->chosen ? 0.06 : 0.02);
        (void)fputs("z\"><title>", b->out);
        gos__page_html(b->out, c->name);
        (void)fprintf(b->out, ": %.4g%s</title></path>\n", c->importance,
                      c->chosen ? ", drives" : "");
    }
    (void)fprintf(b->out,
                  "</svg><figcaption>%s: %d patches, %d of them drive</figcaption></figure>\n",
                  side > 0 ? "upper faces" : "lower faces, seen through the body", n, chosen);
    return GOS_OK;
}

gos_status gos__design_page_map(FILE *out, gos_arena *a, const gos_design *d) {
    const gos_design_view *view = d->view;
    body b = {.out = out, .a = a, .view = view};
    gos_plot fit = {.out = out};
    gos_view eye;
    double most = 0;
    if (!view || view->npatch == 0) {
        return GOS_OK;
    }
    for (int i = 0; i < d->ncandidate; i++) {
        most = fmax(most, d->candidate[i].importance);
    }
    GOS_TRY(open_body(&b));
    gos__view_choose(&b.seen, &eye);
    gos__view_fit(&eye, &b.seen, LARGE, LARGE, &fit);
    (void)fprintf(out,
                  "<p>Patches by the norms of their rows of the gain%s; those that drive have a "
                  "border.</p>\n<div class=\"map\">\n",
                  d->report.choose_k_Q > 0 ? ", all of them driving" : "");
    GOS_TRY(draw_side(&b, d, &fit, &eye, 1, most));
    GOS_TRY(draw_side(&b, d, &fit, &eye, -1, most));
    (void)fprintf(out, "<svg viewBox=\"0 0 130 %.0f\" width=\"130\" role=\"img\">\n", fit.height);
    gos__svg_bar(out, 12, 40, 20, fmin(260, fit.height - 60), 0, most, "norm");
    (void)fputs("</svg>\n</div>\n", out);
    return GOS_OK;
}
