/* Painter's algorithm: faces are drawn in depth slices from back to front, by colour within a
   slice, so that adjacent faces of one colour form one path. Back faces of closed surfaces are
   omitted. Edges are borders, outlines and sharp bends. */
#include "pages/picture_surface.h"

#include <math.h>
#include <stdlib.h>

#include "pages/report.h"

enum { SLICES = 24, COLOURS = 24, MOST_NODES = 2500 };
#define SHARP 0.82   // cosine of the angle between normals
#define EDGE_ON 1e-9 // cosine of the angle to the line of sight: invisible

/* ---- faces and edges ------------------------------------------------------------------------- */

/* edge as part of one face */
typedef struct half {
    int a, b, face; // a < b
    bool forward;   // the face runs from a to b
} half;

static int compare_halves(const void *x, const void *y) {
    const half *p = x, *q = y;
    return p->a != q->a   ? (p->a > q->a) - (p->a < q->a)
           : p->b != q->b ? (p->b > q->b) - (p->b < q->b)
                          : p->face - q->face;
}

/* distinct corners, at least three */
static gos_status take_faces(gos_arena *a, const gos_thin_mesh *thin, gos_faces *s, int **body) {
    const int total = thin->ncells > 0 ? thin->cell_offset[thin->ncells] : 0;
    s->start = GOS_NEW(a, int, thin->ncells + 2);
    s->node = GOS_NEW(a, int, total + 1);
    *body = GOS_NEW(a, int, thin->ncells + 1);
    GOS_TRY(s->start && s->node && *body ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < thin->ncells; i++) {
        int *to = s->node + s->start[s->n], n = 0;
        for (int k = thin->cell_offset[i]; k < thin->cell_offset[i + 1]; k++) {
            const int node = thin->node[thin->cell_nodes[k]];
            bool there = false;
            for (int j = 0; j < n; j++) {
                there = there || to[j] == node;
            }
            to[n] = node;
            n += !there;
        }
        if (n > 2) {
            (*body)[s->n] = thin->cell_body[i];
            s->start[s->n + 1] = s->start[s->n] + n;
            s->n++;
        }
    }
    return GOS_OK;
}

/* six times the signed volume between face and origin */
static double volume_of(const gos_faces *s, int face, const double *x) {
    const int *node = s->node + s->start[face], n = s->start[face + 1] - s->start[face];
    const double *p = x + 3 * node[0];
    double sum = 0;
    for (int k = 1; k + 1 < n; k++) {
        const double *q = x + 3 * node[k], *r = x + 3 * node[k + 1];
        sum += p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
               p[2] * (q[0] * r[1] - q[1] * r[0]);
    }
    return sum;
}

/* closed: each edge of the body is traversed once in each direction */
static gos_status find_sides(gos_arena *a, gos_faces *s, const int *body, int nbodies,
                             const bool *open, const double *x) {
    double *volume = GOS_NEW(a, double, nbodies + 1);
    s->outside = GOS_NEW(a, bool, s->n + 1);
    s->inside = GOS_NEW(a, bool, s->n + 1);
    GOS_TRY(volume && s->outside && s->inside ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < s->n; i++) {
        volume[body[i]] += volume_of(s, i, x);
    }
    for (int i = 0; i < s->n; i++) {
        s->outside[i] = !open[body[i]] && volume[body[i]] > 0;
        s->inside[i] = !open[body[i]] && volume[body[i]] < 0;
    }
    return GOS_OK;
}

static gos_status take_edges(gos_arena *a, gos_faces *s, const int *body, bool *open) {
    const int total = s->n > 0 ? s->start[s->n] : 0;
    half *all = GOS_NEW(a, half, total + 1);
    s->edge = GOS_NEW(a, gos_face_edge, total + 1);
    GOS_TRY(all && s->edge ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0, at = 0; i < s->n; i++) {
        const int *node = s->node + s->start[i], n = s->start[i + 1] - s->start[i];
        for (int k = 0; k < n; k++) {
            const int p = node[k], q = node[(k + 1) % n];
            all[at++] = (half){p < q ? p : q, p < q ? q : p, i, p < q};
        }
    }
    qsort(all, (size_t)total, sizeof *all, compare_halves);
    for (int i = 0; i < total;) {
        int n = 1;
        while (i + n < total && all[i + n].a == all[i].a && all[i + n].b == all[i].b) {
            n++;
        }
        s->edge[s->nedge++] =
            (gos_face_edge){{all[i].a, all[i].b}, {all[i].face, n == 2 ? all[i + 1].face : -1}};
        const bool closed = n == 2 && all[i].forward != all[i + 1].forward;
        for (int k = 0; k < n && !closed; k++) {
            open[body[all[i + k].face]] = true;
        }
        i += n;
    }
    return GOS_OK;
}

gos_status gos__faces_make(gos_arena *a, const gos_mesh_info *mesh, const double *x, gos_faces *s) {
    gos_thin_mesh thin;
    int *body = NULL;
    bool *open = GOS_NEW(a, bool, mesh->nbodies + 1);
    *s = (gos_faces){0};
    GOS_TRY(open ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__thin_mesh(a, mesh, x, MOST_NODES, &thin));
    GOS_TRY(take_faces(a, &thin, s, &body));
    GOS_TRY(take_edges(a, s, body, open));
    return find_sides(a, s, body, mesh->nbodies, open, x);
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* a visible face */
typedef struct seen {
    int face, slice, colour;
} seen;

typedef struct canvas {
    const gos_faces *s;
    const gos_plot *plot;
    const gos_view *view;
    const double *x;
    double (*normal)[3]; // unit (faces)
    bool *shown;         // (faces)
    int *slice;          // (faces)
} canvas;

static int compare_seen(const void *a, const void *b) {
    const seen *p = a, *q = b;
    return p->slice != q->slice     ? p->slice - q->slice
           : p->colour != q->colour ? p->colour - q->colour
                                    : p->face - q->face;
}

/* twice the vector area: sum of cross products of edges, for warped faces */
static void area_of(const gos_faces *s, int face, const double *x, double n[3]) {
    const int *node = s->node + s->start[face], count = s->start[face + 1] - s->start[face];
    n[0] = n[1] = n[2] = 0;
    for (int k = 0; k < count; k++) {
        const double *p = x + 3 * node[k], *q = x + 3 * node[(k + 1) % count];
        for (int d = 0; d < 3; d++) {
            n[d] += p[(d + 1) % 3] * q[(d + 2) % 3] - p[(d + 2) % 3] * q[(d + 1) % 3];
        }
    }
}

void gos__faces_area(const gos_faces *s, const double *x, double area[3]) {
    for (int i = 0; i < s->n; i++) {
        double n[3];
        area_of(s, i, x, n);
        for (int d = 0; d < 3; d++) {
            area[d] += isfinite(n[d]) ? fabs(n[d]) / 2 : 0;
        }
    }
}

static void normal_of(const canvas *c, int face, double n[3]) {
    area_of(c->s, face, c->x, n);
    const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int d = 0; d < 3 && size > 0; d++) {
        n[d] /= size;
    }
}

static double towards(const double n[3], const double e[3]) {
    return n[0] * e[0] + n[1] * e[1] + n[2] * e[2];
}

static gos_status look(gos_arena *a, canvas *c) {
    const gos_faces *s = c->s;
    double *depth = GOS_NEW(a, double, s->n + 1), lo = HUGE_VAL, hi = -HUGE_VAL;
    c->normal = (double(*)[3])GOS_NEW(a, double, 3 * s->n + 3);
    c->shown = GOS_NEW(a, bool, s->n + 1);
    c->slice = GOS_NEW(a, int, s->n + 1);
    GOS_TRY(depth && c->normal && c->shown && c->slice ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < s->n; i++) {
        const int n = s->start[i + 1] - s->start[i];
        normal_of(c, i, c->normal[i]);
        const double front = towards(c->normal[i], c->view->eye);
        c->shown[i] = !(s->outside[i] && front < EDGE_ON) && !(s->inside[i] && front > -EDGE_ON);
        for (int k = 0; k < n; k++) {
            depth[i] += towards(c->x + 3 * s->node[s->start[i] + k], c->view->eye) / n;
        }
        c->shown[i] = c->shown[i] && isfinite(depth[i]);
        lo = c->shown[i] ? fmin(lo, depth[i]) : lo;
        hi = c->shown[i] ? fmax(hi, depth[i]) : hi;
    }
    for (int i = 0; i < s->n && hi > lo; i++) {
        c->slice[i] = c->shown[i] ? (int)((SLICES - 1) * (depth[i] - lo) / (hi - lo) + 0.5) : 0;
    }
    return GOS_OK;
}

/* relative coordinates in tenths of a pixel, a third of the length */
static void path(const canvas *c, const int *node, int n, bool close) {
    long x0 = 0, y0 = 0;
    for (int k = 0; k < n; k++) {
        const double *p = c->x + 3 * node[k];
        const long x = lround(10 * gos__view_x(c->plot, c->view, p));
        const long y = lround(10 * gos__view_y(c->plot, c->view, p));
        (void)fprintf(c->plot->out, "%s%g %g",
                      k == 0   ? "M"
                      : k == 1 ? "l"
                               : " ",
                      (double)(x - x0) / 10, (double)(y - y0) / 10);
        x0 = x;
        y0 = y;
    }
    (void)fputs(close ? "z" : "", c->plot->out);
}

/* borders, outlines and bends whose nearer face is in the slice; -1: all */
static void draw_edges(const canvas *c, int slice) {
    FILE *out = c->plot->out;
    bool any = false;
    for (int i = 0; i < c->s->nedge; i++) {
        const gos_face_edge *e = &c->s->edge[i];
        const int f = e->face[0], g = e->face[1];
        const bool a = c->shown[f], b = g >= 0 && c->shown[g];
        if (!a && !b) {
            continue;
        }
        const int at = !b                          ? c->slice[f]
                       : !a                        ? c->slice[g]
                       : c->slice[f] > c->slice[g] ? c->slice[f]
                                                   : c->slice[g];
        const bool drawn = !a || !b || towards(c->normal[f], c->normal[g]) < SHARP;
        if (drawn && (slice < 0 || at == slice)) {
            (void)fputs(any ? "" : "<path class=\"edge\" d=\"", out);
            path(c, e->node, 2, false);
            any = true;
        }
    }
    (void)fputs(any ? "\"/>\n" : "", out);
}

static int colour_of(const canvas *c, int face, const double *level) {
    const int first = c->s->start[face], n = c->s->start[face + 1] - first;
    double sum = 0;
    for (int k = 0; k < n; k++) {
        sum += level[c->s->node[first + k]] / n;
    }
    return isfinite(sum) ? (int)(COLOURS * fmin(1, fmax(0, sum)) + 0.5) : -1; // -1: grey
}

static void draw_faces(const canvas *c, const seen *all, int n) {
    FILE *out = c->plot->out;
    for (int i = 0; i < n; i++) {
        const bool first = i == 0 || all[i].slice != all[i - 1].slice;
        if (first || all[i].colour != all[i - 1].colour) {
            char colour[8] = GOS_SVG_GREY;
            if (all[i].colour >= 0) {
                gos__svg_colour((double)all[i].colour / COLOURS, colour);
            }
            (void)fprintf(out, "%s<path class=\"face\" color=\"%s\" d=\"",
                          i > 0 && !first ? "\"/>\n" : "", colour);
        }
        path(c, c->s->node + c->s->start[all[i].face],
             c->s->start[all[i].face + 1] - c->s->start[all[i].face], true);
        if (i + 1 == n || all[i + 1].slice != all[i].slice) {
            (void)fputs("\"/>\n", out);
            draw_edges(c, all[i].slice);
        }
    }
}

gos_status gos__faces_draw(gos_arena *a, const gos_faces *s, const gos_plot *plot,
                           const gos_view *view, const double *x, const double *level) {
    canvas c = {.s = s, .plot = plot, .view = view, .x = x};
    GOS_TRY(look(a, &c));
    if (!level) {
        draw_edges(&c, -1);
        return GOS_OK;
    }
    seen *all = GOS_NEW(a, seen, s->n + 1);
    GOS_TRY(all ? GOS_OK : GOS_E_MEMORY);
    int n = 0;
    for (int i = 0; i < s->n; i++) {
        if (c.shown[i]) {
            all[n++] = (seen){.face = i, .slice = c.slice[i], .colour = colour_of(&c, i, level)};
        }
    }
    qsort(all, (size_t)n, sizeof *all, compare_seen);
    draw_faces(&c, all, n);
    return GOS_OK;
}
