/* Map of a design's inputs on its bodies, for its page or a separate picture. */
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "gossamer/io.h"
#include "base/units.h"
#include "pages/design_page.h"
#include "pages/report.h"
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

/* A body in pictures of a design. */

/* out, a and view must be set. */
static gos_status design_body_open(gos_design_body *b) {
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

/* Lines between two nodes (beams), nodes at x (nnodes, 3). */
static void design_body_lines(const gos_design_body *b, const gos_plot *p, const gos_view *v,
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

/* Surface edges in grey, and lines between two nodes. */
static gos_status design_body_rest(const gos_design_body *b, const gos_plot *p, const gos_view *v) {
    (void)fputs("<g class=\"rest\" stroke=\"#9ca3af\" fill=\"none\">\n", b->out);
    GOS_TRY(gos__faces_draw(b->a, &b->faces, p, v, b->view->x, NULL));
    design_body_lines(b, p, v, b->view->x, "#9ca3af");
    (void)fputs("</g>\n", b->out);
    return GOS_OK;
}

/* Mode shapes in the page of a design. */

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

/* An SVG text of a page. */
typedef struct drawing {
    char *text;
    size_t size;
} drawing;

static gos_status drawing_open(gos_design_body *b, gos_plot *fit, drawing *d) {
    b->out = open_memstream(&d->text, &d->size);
    fit->out = b->out;
    GOS_TRY(b->out ? GOS_OK : GOS_E_MEMORY);
    return GOS_OK;
}

static void drawing_begin(FILE *out, double width, double height) {
    (void)fprintf(out, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" width=\"%.0f\">\n", width,
                  height, width);
}

/* closes the stream; writes the text unless the drawing failed */
static gos_status drawing_put(gos_page *p, const char *key, gos_design_body *b, drawing *d,
                              gos_status status) {
    (void)fputs("</svg>", b->out);
    const bool good = fclose(b->out) == 0;
    b->out = NULL;
    if (status == GOS_OK && good) {
        gos__page_text(p, key, d->text);
    }
    free(d->text);
    return good ? status : GOS_E_MEMORY;
}

static gos_status paint_mode(const gos_design_body *b, const gos_view *v, const gos_plot *fit,
                             const double *u) {
    const int n = b->view->mesh.nnodes;
    double *x = GOS_NEW(b->a, double, 3 * n + 1), *level = GOS_NEW(b->a, double, n + 1);
    GOS_TRY(x && level ? GOS_OK : GOS_E_MEMORY);
    drawing_begin(b->out, fit->width, fit->height);
    GOS_TRY(design_body_rest(b, fit, v));
    shape_at(b, u, x, level);
    GOS_TRY(gos__faces_draw(b->a, &b->faces, fit, v, x, level));
    design_body_lines(b, fit, v, x, "#1d4ed8");
    return GOS_OK;
}

static gos_status put_mode(gos_page *p, gos_design_body *b, const gos_view *v, gos_plot *fit,
                           const double *u, const char *name, int length) {
    char text[128];
    drawing d = {0};
    gos__format(text, sizeof text, "%.*s", length, name);
    GOS_TRY(drawing_open(b, fit, &d));
    gos__page_open(p, NULL, '{');
    gos__page_text(p, "name", text);
    GOS_TRY(drawing_put(p, "svg", b, &d, paint_mode(b, v, fit, u)));
    gos__page_close(p, '}');
    return GOS_OK;
}

/* the motion of modes is inside; the view is oblique to it */
static void view_modes(gos_design_body *b, gos_view *eye, gos_plot *fit) {
    const double size = MOVED * b->extent;
    for (int c = 0; c < 3; c++) { // modes may move along any axis
        b->seen.moved[c] = b->seen.hi[c] - b->seen.lo[c] < size ? size : 0;
        b->seen.lo[c] -= b->seen.moved[c];
        b->seen.hi[c] += b->seen.moved[c];
    }
    int flattest = 2;
    for (int c = 1; c >= 0; c--) {
        const double least = b->seen.hi[flattest] - b->seen.lo[flattest];
        flattest = b->seen.hi[c] - b->seen.lo[c] < 0.999 * least ? c : flattest;
    }
    b->seen.moved[flattest] *= 2; // oblique: motion along the line of sight is invisible
    b->seen.surfaces = true;
    gos__view_choose(&b->seen, eye);
    gos__view_fit(eye, &b->seen, SIZE, SIZE, fit);
}

gos_status gos__design_page_modes(gos_page *p, gos_arena *a, const gos_design_view *view) {
    gos_design_body b = {.a = a, .view = view};
    gos_view eye;
    gos_plot fit = {0};
    if (!view || view->nmode == 0 || view->mesh.ncells == 0) {
        return GOS_OK;
    }
    GOS_TRY(design_body_open(&b));
    view_modes(&b, &eye, &fit);
    gos__page_open(p, "modes", '[');
    const char *at = view->mode_names;
    for (int i = 0; i < view->nmode && *at; i++) {
        const size_t n = strcspn(at, "\n");
        GOS_TRY(put_mode(p, &b, &eye, &fit, view->shape + (size_t)i * 3 * (size_t)view->mesh.nnodes,
                         at, (int)(n < 100 ? n : 100)));
        at += n + (at[n] != '\0');
    }
    gos__page_close(p, ']');
    return GOS_OK;
}

#define IN_PAGE 320.0 // [px]
#define PAGE_WIDTH 460.0

/* painted from back to front */
typedef struct painted {
    const gos_view_patch *patch;
    double depth;
} painted;

static int by_depth(const void *a, const void *b) {
    const painted *p = a, *q = b;
    return p->depth != q->depth ? (p->depth > q->depth) - (p->depth < q->depth)
                                : (p->patch > q->patch) - (p->patch < q->patch);
}

static double depth_of(const gos_design_body *b, const gos_view *v, int cell) {
    const gos_mesh_info *m = &b->view->mesh;
    double depth = 0;
    for (int k = m->cell_offset[cell]; k < m->cell_offset[cell + 1]; k++) {
        const double *x = b->view->x + 3L * m->cell_nodes[k];
        depth += v->eye[0] * x[0] + v->eye[1] * x[1] + v->eye[2] * x[2];
    }
    return depth / fmax(1, m->cell_offset[cell + 1] - m->cell_offset[cell]);
}

/* corners, shrunk towards the centre by `in` */
static void outline(const gos_design_body *b, const gos_plot *p, const gos_view *v, int cell,
                    double in) {
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

static double largest(const gos_design *d) {
    double most = 0;
    for (int i = 0; i < d->ncandidate; i++) {
        most = fmax(most, d->candidate[i].importance);
    }
    return most;
}

/* one side: *n patches, *chosen of them driven */
static gos_status paint(const gos_design_body *b, const gos_design *d, const gos_plot *fit,
                        const gos_view *v, int side, int *n, int *chosen) {
    const gos_design_view *view = b->view;
    painted *all = GOS_NEW(b->a, painted, view->npatch + 1);
    GOS_TRY(all ? GOS_OK : GOS_E_MEMORY);
    *n = *chosen = 0;
    for (int i = 0; i < view->npatch; i++) {
        if (view->patch[i].side == side) {
            all[(*n)++] = (painted){&view->patch[i], depth_of(b, v, view->patch[i].cell)};
            *chosen += d->candidate[view->patch[i].candidate].chosen;
        }
    }
    qsort(all, (size_t)*n, sizeof *all, by_depth);
    GOS_TRY(design_body_rest(b, fit, v));
    const double most = largest(d);
    for (int i = 0; i < *n; i++) {
        const gos_design_input *c = &d->candidate[all[i].patch->candidate];
        char colour[8];
        gos__svg_colour(most > 0 ? c->importance / most : 0, colour);
        (void)fprintf(b->out, "<path fill=\"%s\" class=\"%s\" d=\"", colour,
                      c->chosen ? "patch chosen" : "patch");
        outline(b, fit, v, all[i].patch->cell, c->chosen ? 0.06 : 0.02);
        (void)fputs("z\"><title>", b->out);
        gos__xml_text(b->out, c->name, ' ');
        (void)fprintf(b->out, ": %.4g%s</title></path>\n", c->importance,
                      c->chosen ? ", drives" : "");
    }
    return GOS_OK;
}

static bool has_side(const gos_design_view *v, int side) {
    for (int i = 0; i < v->npatch; i++) {
        if (v->patch[i].side == side) {
            return true;
        }
    }
    return false;
}

static const char *name_of(int side) {
    return side > 0 ? "upper faces" : "lower faces, seen through the body";
}

/* ---- in a page ------------------------------------------------------------------------------- */

static gos_status put_side(gos_page *p, gos_design_body *b, const gos_design *d, gos_plot *fit,
                           const gos_view *v, int side) {
    int n, chosen;
    drawing svg = {0};
    if (!has_side(b->view, side)) {
        return GOS_OK;
    }
    GOS_TRY(drawing_open(b, fit, &svg));
    drawing_begin(b->out, fit->width, fit->height);
    gos__page_open(p, NULL, '{');
    GOS_TRY(drawing_put(p, "svg", b, &svg, paint(b, d, fit, v, side, &n, &chosen)));
    gos__page_text(p, "faces", name_of(side));
    gos__page_number(p, "patches", n);
    gos__page_number(p, "driven", chosen);
    gos__page_close(p, '}');
    return GOS_OK;
}

gos_status gos__design_page_map(gos_page *p, const gos_design *d) {
    gos_design_body b = {.a = d->arena, .view = d->view};
    gos_plot fit = {0};
    gos_view eye;
    drawing bar = {0};
    if (!d->view || d->view->npatch == 0) {
        return GOS_OK;
    }
    GOS_TRY(design_body_open(&b));
    gos__view_choose(&b.seen, &eye);
    gos__view_fit(&eye, &b.seen, IN_PAGE, IN_PAGE, &fit);
    gos__page_open(p, "map", '{');
    gos__page_open(p, "sides", '[');
    GOS_TRY(put_side(p, &b, d, &fit, &eye, 1));
    GOS_TRY(put_side(p, &b, d, &fit, &eye, -1));
    gos__page_close(p, ']');
    GOS_TRY(drawing_open(&b, &fit, &bar));
    drawing_begin(b.out, 130, fit.height);
    gos__svg_bar(b.out, 12, 40, 20, fmax(60, fmin(260, fit.height - 60)), 0, largest(d), "norm");
    GOS_TRY(drawing_put(p, "bar", &b, &bar, GOS_OK));
    gos__page_close(p, '}');
    return GOS_OK;
}

/* ---- separate picture ------------------------------------------------------------------------ */

static void put_title(FILE *out, const gos_design *d, double left) {
    char title[300];
    const int n = d->report.inputs;
    gos__format(title, sizeof title, "%.100s, design %.100s: %d of %d inputs driven",
                d->view->model, d->view->name, n, d->ncandidate);
    gos__svg_text(out, left, 40, "start", "class=\"title\"", title);
}

static gos_status put_picture(gos_design_body *b, const gos_design *d) {
    enum { LEFT = 80, TOP = 100, BETWEEN = 100, BESIDE = 170, BELOW = 70 };
    FILE *out = b->out;
    gos_plot fit = {.out = out, .left = LEFT, .top = TOP};
    gos_view eye;
    GOS_TRY(design_body_open(b));
    gos__view_choose(&b->seen, &eye);
    gos__view_fit(&eye, &b->seen, PAGE_WIDTH, PAGE_WIDTH, &fit);
    const int sides = has_side(d->view, 1) + has_side(d->view, -1);
    const double width = LEFT + sides * fit.width + (sides - 1) * BETWEEN + BESIDE,
                 height = TOP + fit.height + BELOW;
    (void)fprintf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
                  "width=\"%.0f\" height=\"%.0f\" "
                  "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
                  "<!-- made by gossamer -->\n<style>.grid{stroke:#e8ebef;fill:none}"
                  ".tick{font-size:13px;fill:#374151}.label{font-size:14px;fill:#111827}"
                  ".title{font-size:19px;fill:#111827;font-weight:600}.patch{stroke:#fff;"
                  "stroke-width:.6}.chosen{stroke:#10b981;stroke-width:3}</style>\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                  width, height, width, height);
    put_title(out, d, LEFT);
    for (int side = 1; side >= -1; side -= 2) {
        int n, chosen;
        if (has_side(d->view, side)) {
            gos__svg_text(out, fit.left, TOP - 16, "start", "class=\"label\"", name_of(side));
            gos__view_axes(&fit, &eye, gos_unit_name(d->units, "m", GOS_UNIT_BUFFER));
            GOS_TRY(paint(b, d, &fit, &eye, side, &n, &chosen));
            fit.left += fit.width + BETWEEN;
        }
    }
    const double x = fit.left - BETWEEN + 34;
    gos__svg_bar(out, x, TOP + 74, 18, fmin(280, fit.height - 90), 0, largest(d),
                 "norm of the gain");
    (void)fprintf(out,
                  "<rect x=\"%.1f\" y=\"%d\" width=\"16\" height=\"16\" fill=\"none\" "
                  "class=\"chosen\"/>\n",
                  x, TOP + 8);
    gos__svg_text(out, x + 28, TOP + 21, "start", "class=\"tick\"", "drives");
    (void)fputs("</svg>\n", out);
    return GOS_OK;
}

gos_status gos_controller_picture(gos_ctx *ctx, const char *path, FILE *out) {
    gos_design *d = NULL;
    GOS_TRY(gos_controller_read(ctx, path, &d));
    gos_status status = GOS_OK;
    if (!d->view || d->view->npatch == 0) {
        status = gos__fail(ctx, GOS_E_USE,
                           "%s: the design has no patches on shells to draw; use `gossamer report`",
                           path);
    }
    if (status == GOS_OK) {
        gos_design_body b = {.out = out, .a = d->arena, .view = d->view};
        const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        const locale_t before = uselocale(plain);
        status = put_picture(&b, d);
        (void)uselocale(before);
        if (plain) {
            freelocale(plain);
        }
    }
    if (status == GOS_OK && ferror(out)) {
        status = gos__fail(ctx, GOS_E_FILE, "cannot write the picture");
    }
    gos_design_destroy(d);
    return status;
}
