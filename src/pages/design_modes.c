/* Mode shapes in the page of a design. */
#include <math.h>

#include "pages/design_body.h"
#include "pages/design_page.h"

#define MOVED 0.12 // drawn size of the largest displacement over the extent
#define SIZE 210.0 // [px]

/* node positions; colours: displacement along its largest component, -1 to 1 */
static void shape_at(const gos_design_body *b, const double *u, double *x, double *level) {
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
            x[3 * i + c] = b->view->x[3 * i + c] + by * v[c];
        }
        const double s = v[0] * along[0] + v[1] * along[1] + v[2] * along[2];
        level[i] = most > 0 ? 0.5 + 0.5 * s / most : 0.5;
    }
}

static gos_status draw_mode(const gos_design_body *b, const gos_view *v, const gos_plot *fit,
                            const double *u, const char *name, int length) {
    const int n = b->view->mesh.nnodes;
    double *x = GOS_NEW(b->a, double, 3 * n + 1), *level = GOS_NEW(b->a, double, n + 1);
    GOS_TRY(x && level ? GOS_OK : GOS_E_MEMORY);
    (void)fprintf(b->out, "<figure><svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" width=\"%.0f\">\n",
                  fit->width, fit->height, fit->width);
    GOS_TRY(gos__design_body_rest(b, fit, v));
    shape_at(b, u, x, level);
    GOS_TRY(gos__faces_draw(b->a, &b->faces, fit, v, x, level));
    gos__design_body_lines(b, fit, v, x, "#1d4ed8");
    (void)fprintf(b->out, "</svg><figcaption>%.*s</figcaption></figure>\n", length, name);
    return GOS_OK;
}

gos_status gos__design_page_modes(FILE *out, gos_arena *a, const gos_design_view *view) {
    gos_design_body b = {.out = out, .a = a, .view = view};
    if (!view || view->nmode == 0 || view->mesh.ncells == 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__design_body_open(&b));
    gos_view eye;
    gos_plot fit = {.out = out};
    const double size = MOVED * b.extent;
    for (int c = 0; c < 3; c++) { // modes may move along any axis
        b.seen.moved[c] = b.seen.hi[c] - b.seen.lo[c] < size ? size : 0;
        b.seen.lo[c] -= b.seen.moved[c];
        b.seen.hi[c] += b.seen.moved[c];
    }
    int flattest = 2;
    for (int c = 1; c >= 0; c--) {
        const double least = b.seen.hi[flattest] - b.seen.lo[flattest];
        flattest = b.seen.hi[c] - b.seen.lo[c] < 0.999 * least ? c : flattest;
    }
    b.seen.moved[flattest] *= 2; // oblique: motion along the line of sight is invisible
    b.seen.surfaces = true;
    gos__view_choose(&b.seen, &eye);
    gos__view_fit(&eye, &b.seen, SIZE, SIZE, &fit);
    (void)fputs("<section>\n<h2>Modes</h2>\n<p>Lowest modes; grey: at rest. Colours show the "
                "displacement from one side to the other.</p>\n<div class=\"modes\">\n",
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
