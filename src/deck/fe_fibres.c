/* Nodes of expanded shells (shell_expansion.c) as reference nodes: u = (u_1 + u_3)/2 between
   corners and 2 u_2 - (u_1 + u_3)/2 at them, by which forces act as constant traction on an edge;
   rotation about the surface by the difference of the faces, about the normal by the curl of the
   displacements of the middle surface. Where the normals of cells differ, their nodes turn as a
   rigid body and stretch by one factor, as the knots of CalculiX. */
#include <math.h>

#include "deck/fe_ties.h"
#include "math/vec3.h"
#include "mesh/shapes.h"

#define ALONG 0.999 // cosine of a direction to the normal: no rotation of the surface

static gos_status term(gos_deck_ties *t, int node, int dof, double factor) {
    const int number = gos__deck_ties_number(t, node, dof);
    return number < 0 || factor == 0 ? GOS_OK : gos__conditions_term(&t->move, number, factor);
}

/* unit vector from the lower face to the upper; returns the thickness */
static double normal_of(const gos_mesh *m, const gos_deck_fibre *f, double n[3]) {
    for (int c = 0; c < 3; c++) {
        n[c] = m->x[f->at[2]][c] - m->x[f->at[0]][c];
    }
    const double t = gos__norm3(n);
    for (int c = 0; c < 3; c++) {
        n[c] /= t;
    }
    return t;
}

int gos__deck_fibres_at(const gos_deck *d, int node, int *first) {
    int lo = 0, hi = d->nfibre, n = 0;
    while (lo < hi) {
        const int middle = (lo + hi) / 2;
        if (d->fibre[middle].node < node) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    while (lo + n < d->nfibre && d->fibre[lo + n].node == node) {
        n++;
    }
    *first = lo;
    return n;
}

int gos__deck_held(const gos_deck *d, int node, int dof, double axis[3], gos_deck_held row[2]) {
    int first;
    row[0] = (gos_deck_held){1, {node, -1}};
    if (gos__deck_fibres_at(d, node, &first) != 1) {
        return 1;
    }
    const gos_deck_fibre *f = &d->fibre[first];
    if (dof < 3) {
        row[0] = (gos_deck_held){2, {f->at[0], f->at[2]}};
        row[1] = (gos_deck_held){1, {f->at[1], -1}};
        return f->at[1] < 0 ? 1 : 2;
    }
    double n[3];
    (void)normal_of(d->mesh, f, n);
    const double along = gos__dot3(axis, n);
    for (int c = 0; c < 3; c++) {
        axis[c] -= along * n[c];
    }
    return fabs(along) > ALONG ? 0 : 1;
}

/* ---- one normal ------------------------------------------------------------------------------ */

/* the middle surface of a cell */
typedef struct surface {
    int nodes, lower[8], upper[8];
    double x[8][3], dN[GOS_CELL_NODES][3];
} surface;

/* with derivatives at a fibre of the cell */
static void surface_of(const gos_mesh *m, const gos_deck_fibre *f, surface *s) {
    int at, own = 0;
    const gos_cell_block *b = gos__mesh_cell(m, f->cell, &at);
    const int *node = b->node + (size_t)at * gos__cell_kind[b->shape].nodes;
    const gos_cell_shape shape = b->shape == GOS_CELL_HEX20 ? GOS_CELL_QUAD8 : GOS_CELL_TRI6;
    const int c = gos__cell_kind[shape].corners;
    double place[GOS_CELL_NODES][3], N[GOS_CELL_NODES];
    s->nodes = 2 * c;
    for (int k = 0; k < s->nodes; k++) {
        s->lower[k] = node[k < c ? k : c + k];
        s->upper[k] = node[k < c ? c + k : 2 * c + k];
        own = s->lower[k] == f->at[0] ? k : own;
        for (int i = 0; i < 3; i++) {
            s->x[k][i] = 0.5 * (m->x[s->lower[k]][i] + m->x[s->upper[k]][i]);
        }
    }
    gos__shape_nodes(shape, place);
    gos__shape(shape, place[own], N, s->dN);
}

/* Rotation about n as sum_k factor_k . u_k. With the surface gradients s_k of the shape functions
   and its projector P, sum s_k x (w x x_k) = (2 I - P) w, so q = (P + m m^T/2) n for the normal m
   of the surface makes rigid motions exact. */
static void drilling(const surface *s, const double n[3], double factor[8][3]) {
    double g[2][3] = {{0}}, m[3], along[2][3], q[3];
    for (int i = 0; i < 2 * s->nodes; i++) {
        for (int c = 0; c < 3; c++) {
            g[i % 2][c] += s->dN[i / 2][i % 2] * s->x[i / 2][c];
        }
    }
    gos__cross3(g[0], g[1], m);
    const double area = gos__norm3(m);
    for (int c = 0; c < 3; c++) {
        m[c] /= area;
    }
    gos__cross3(g[1], m, along[0]); // dual vectors times the area
    gos__cross3(m, g[0], along[1]);
    const double off = 0.5 * gos__dot3(m, n);
    for (int c = 0; c < 3; c++) {
        q[c] = n[c] - off * m[c];
    }
    for (int k = 0; k < s->nodes; k++) {
        double slope[3];
        for (int c = 0; c < 3; c++) {
            slope[c] = (s->dN[k][0] * along[0][c] + s->dN[k][1] * along[1][c]) / area;
        }
        gos__cross3(q, slope, factor[k]);
    }
}

static gos_status add_move(gos_deck_ties *t, const gos_deck_fibre *f, int c) {
    const double end = f->at[1] < 0 ? 0.5 : -0.5;
    GOS_TRY(gos__conditions_begin(&t->move, gos__deck_ties_number(t, f->node, c)));
    GOS_TRY(term(t, f->node, c, 1));
    GOS_TRY(term(t, f->at[0], c, -end));
    GOS_TRY(term(t, f->at[2], c, -end));
    return f->at[1] < 0 ? GOS_OK : term(t, f->at[1], c, -2);
}

static gos_status add_turn(gos_deck_ties *t, const gos_deck_fibre *f, const surface *s, int c) {
    const int p = (c + 1) % 3, q = (c + 2) % 3;
    double n[3], factor[8][3];
    const double thickness = normal_of(t->deck->mesh, f, n);
    drilling(s, n, factor);
    GOS_TRY(gos__conditions_begin(&t->move, gos__deck_ties_number(t, f->node, 3 + c)));
    GOS_TRY(term(t, f->node, 3 + c, 1));
    for (int k = 0; k < 2; k++) { // n x (upper - lower) / t
        const double by = (k == 0 ? 1 : -1) / thickness;
        GOS_TRY(term(t, f->at[2 * k], q, n[p] * by));
        GOS_TRY(term(t, f->at[2 * k], p, -n[q] * by));
    }
    for (int i = 0; i < 6 * s->nodes; i++) {
        const int k = i / 6, d = i % 3, node = i % 6 < 3 ? s->lower[k] : s->upper[k];
        GOS_TRY(term(t, node, d, -0.5 * n[c] * factor[k][d]));
    }
    return GOS_OK;
}

static gos_status add_smooth(gos_deck_ties *t, const gos_deck_fibre *f) {
    surface s;
    surface_of(t->deck->mesh, f, &s);
    for (int c = 0; c < 3; c++) {
        GOS_TRY(add_move(t, f, c));
    }
    for (int c = 0; c < 3; c++) {
        GOS_TRY(gos__deck_ties_number(t, f->node, 3 + c) < 0 ? GOS_OK : add_turn(t, f, &s, c));
    }
    return GOS_OK;
}

/* ---- several normals ------------------------------------------------------------------------- */

/* u_i = u + theta x r + alpha r */
static gos_status add_follower(gos_deck_ties *t, int node, int of, int stretch) {
    double r[3];
    for (int c = 0; c < 3; c++) {
        r[c] = t->deck->mesh->x[of][c] - t->deck->mesh->x[node][c];
    }
    for (int c = 0; c < 3; c++) {
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        GOS_TRY(gos__conditions_begin(&t->move, gos__deck_ties_number(t, of, c)));
        GOS_TRY(term(t, of, c, 1));
        GOS_TRY(term(t, node, c, -1));
        GOS_TRY(term(t, node, 3 + p, -r[q]));
        GOS_TRY(term(t, node, 3 + q, r[p]));
        GOS_TRY(gos__conditions_term(&t->move, stretch, -r[c]));
    }
    return GOS_OK;
}

/* parallel normals do not determine the rotation about them */
static gos_status add_drilling(gos_deck_ties *t, const gos_deck_fibre *f) {
    surface s;
    double n[3], factor[8][3];
    surface_of(t->deck->mesh, f, &s);
    (void)normal_of(t->deck->mesh, f, n);
    drilling(&s, n, factor);
    GOS_TRY(gos__conditions_begin(&t->move, -1));
    for (int c = 0; c < 3; c++) {
        GOS_TRY(term(t, f->node, 3 + c, n[c]));
    }
    for (int i = 0; i < 6 * s.nodes; i++) {
        const int k = i / 6, d = i % 3, node = i % 6 < 3 ? s.lower[k] : s.upper[k];
        GOS_TRY(term(t, node, d, -0.5 * factor[k][d]));
    }
    return GOS_OK;
}

static gos_status add_knot(gos_deck_ties *t, const gos_deck_fibre *f, int n) {
    const int stretch = t->n++;
    double first[3], other[3];
    bool parallel = true;
    (void)normal_of(t->deck->mesh, f, first);
    for (int i = 0; i < n; i++) {
        (void)normal_of(t->deck->mesh, &f[i], other);
        parallel = parallel && fabs(gos__dot3(first, other)) > ALONG;
        for (int k = 0; k < 3; k++) {
            GOS_TRY(f[i].at[k] < 0 ? GOS_OK : add_follower(t, f->node, f[i].at[k], stretch));
        }
    }
    return parallel ? add_drilling(t, f) : GOS_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int group_of(const gos_deck *d, int i) {
    int n = 1;
    while (i + n < d->nfibre && d->fibre[i + n].node == d->fibre[i].node) {
        n++;
    }
    return n;
}

void gos__deck_fibres_number(gos_deck_ties *t) {
    const gos_deck *d = t->deck;
    for (int i = 0; i < d->nfibre; i += group_of(d, i)) {
        if (t->body->freedom.mask[d->fibre[i].at[0]] == 0) {
            continue;
        }
        gos_deck_reference *r = gos__deck_ties_reference(t, d->fibre[i].node);
        for (int k = 0; k < GOS_FE_FREEDOMS; k++) {
            const bool own = gos__fe_number(&t->body->freedom, r->node, k) >= 0;
            r->unknown[k] = own || r->unknown[k] >= 0 ? r->unknown[k] : t->n++;
        }
    }
}

gos_status gos__deck_fibres_add(gos_deck_ties *t) {
    const gos_deck *d = t->deck;
    for (int i = 0; i < d->nfibre; i += group_of(d, i)) {
        const int n = group_of(d, i);
        if (t->body->freedom.mask[d->fibre[i].at[0]] != 0) {
            GOS_TRY(n > 1 ? add_knot(t, &d->fibre[i], n) : add_smooth(t, &d->fibre[i]));
        }
    }
    return GOS_OK;
}
