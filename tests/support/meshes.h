/* Meshes from an entry's text, and sizes of them by the corners of their sides: areas in the x-y
   plane and volumes by the divergence theorem, so that orders of nodes and directions of sides are
   looked at, too. */
#ifndef GOS_TEST_MESHES_H
#define GOS_TEST_MESHES_H

#include <math.h>

#include "gossamer/gossamer.h"
#include "mesh/generate.h"
#include "mesh/shapes.h"

static gos_ctx *mesh_ctx;

static int mesh_setup(void **state) {
    GOS_UNUSED(state);
    mesh_ctx = gos_ctx_create();
    return mesh_ctx == NULL;
}

static int mesh_teardown(void **state) {
    GOS_UNUSED(state);
    gos_ctx_destroy(mesh_ctx);
    return 0;
}

/* what becomes of an entry "{type: ...}"; files are looked for in `where` */
static gos_status mesh_try(const char *entry, const char *where, gos_mesh **mesh) {
    char text[4000];
    gos_model *model = NULL;
    const int n = snprintf(text, sizeof text, "meshes:\n  m: %s\n", entry);
    assert_true(n > 0 && n < (int)sizeof text);
    gos_ctx_clear(mesh_ctx);
    if (gos_model_parse(mesh_ctx, text, (size_t)n, "a.yaml", where, &model) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(mesh_ctx));
    }
    const gos_node *e = gos__node_get(gos__node_get(model->root, "meshes"), "m");
    const gos_status status = gos__mesh_make(model, e, "mesh 'm'", mesh);
    gos_model_destroy(model);
    return status;
}

static inline gos_mesh *mesh_make(const char *entry) {
    gos_mesh *mesh = NULL;
    if (mesh_try(entry, NULL, &mesh) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(mesh_ctx));
    }
    return mesh;
}

static inline void mesh_refuse(const char *entry, const char *message) {
    gos_mesh *mesh = NULL;
    assert_int_not_equal(mesh_try(entry, NULL, &mesh), GOS_OK);
    assert_null(mesh);
    assert_string_equal(gos_ctx_message(mesh_ctx), message);
}

/* twice the vector area of the triangle a b c, added to n; six times the volume of its cone from
 * the origin */
static double mesh_triangle(const double *a, const double *b, const double *c, double n[3]) {
    double volume = 0;
    for (int i = 0; i < 3; i++) {
        const int u = (i + 1) % 3, v = (i + 2) % 3;
        const double t = (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
        n[i] += t;
        volume += a[i] * t;
    }
    return volume;
}

/* the vector n (length, area: normal outwards) of a side, and what it adds to the measure of its
 * cell */
static double mesh_side(const gos_mesh *m, int cell, int side, double n[3]) {
    int node[GOS_CELL_SIDE_NODES], i;
    const gos_cell_block *b = gos__mesh_cell(m, cell, &i);
    const gos_cell_kind *kind = &gos__cell_kind[gos__cell_kind[b->shape].side[side]];
    const double *x[4] = {NULL};
    double volume = 0;
    gos__mesh_side(m, cell, side, node);
    for (int k = 0; k < kind->corners; k++) {
        x[k] = m->x[node[k]];
    }
    memset(n, 0, 3 * sizeof *n);
    if (kind->corners == 2) {
        n[0] = x[1][1] - x[0][1];
        n[1] = x[0][0] - x[1][0];
        return 0.5 * (x[0][0] * n[0] + x[0][1] * n[1]);
    }
    const int parts =
        kind->corners == 3 ? 1 : 4; // of a bilinear side: the mean of both ways to cut it
    static const int cut[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 1, 3}, {1, 2, 3}};
    for (int p = 0; p < parts; p++) {
        volume += mesh_triangle(x[cut[p][0]], x[cut[p][1]], x[cut[p][2]], n);
    }
    for (int c = 0; c < 3; c++) {
        n[c] *= parts == 1 ? 0.5 : 0.25;
    }
    return volume / (parts == 1 ? 6 : 12);
}

/* area or volume of a cell */
static double mesh_cell(const gos_mesh *m, int cell) {
    int i;
    double n[3], sum = 0;
    const gos_cell_kind *kind = &gos__cell_kind[gos__mesh_cell(m, cell, &i)->shape];
    for (int s = 0; s < kind->sides; s++) {
        sum += mesh_side(m, cell, s, n);
    }
    return sum;
}

/* of all cells of the highest dimension, and of the smallest one */
static inline double mesh_measure(const gos_mesh *m, double *smallest) {
    double sum = 0;
    int dim = 0, i;
    *smallest = HUGE_VAL;
    for (int b = 0; b < m->nblock; b++) {
        const int d = gos__cell_kind[m->block[b].shape].dim;
        dim = d > dim ? d : dim;
    }
    for (int c = 0; c < m->ncell; c++) {
        if (gos__cell_kind[gos__mesh_cell(m, c, &i)->shape].dim == dim) {
            const double one = mesh_cell(m, c);
            sum += one;
            *smallest = fmin(*smallest, one);
        }
    }
    return sum;
}

/* length or area of a surface of plane sides */
static inline double mesh_size(const gos_mesh *m, const char *name) {
    const gos_mesh_surface *s = gos__mesh_surface(m, name);
    double sum = 0, n[3];
    assert_non_null(s);
    for (int i = 0; i < s->n; i++) {
        mesh_side(m, s->cell[i], s->side[i], n);
        sum += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    }
    return sum;
}

/* area or volume of all cells by their shape functions; *least: the smallest determinant over the
 * mean of its cell */
static inline double mesh_integral(const gos_mesh *m, double *least) {
    double sum = 0;
    *least = HUGE_VAL;
    for (int c = 0; c < m->ncell; c++) {
        int at;
        const gos_cell_block *b = gos__mesh_cell(m, c, &at);
        const gos_cell_kind *kind = &gos__cell_kind[b->shape];
        double x[GOS_CELL_NODES][3], N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3],
            grad[GOS_CELL_NODES][3];
        double cell = 0, natural = 0, smallest = HUGE_VAL;
        gos_rule rule;
        for (int k = 0; k < kind->nodes; k++) {
            memcpy(x[k], m->x[b->node[at * kind->nodes + k]], sizeof x[k]);
        }
        gos__rule(b->shape, GOS_RULE_MASS, &rule);
        for (int k = 0; k < rule.n; k++) {
            gos__shape(b->shape, rule.at[k], N, dN);
            const double det = gos__shape_gradient(kind->dim, kind->nodes, x, dN, grad);
            cell += det * rule.weight[k];
            natural += rule.weight[k];
            smallest = fmin(smallest, det);
        }
        sum += cell;
        *least = fmin(*least, smallest * natural / cell);
    }
    return sum;
}

/* the skin is closed, and around all cells */
static inline void mesh_check_skin(const gos_mesh *m) {
    const gos_mesh_surface *s = gos__mesh_surface(m, "skin");
    double total[3] = {0}, around = 0, size = 0, smallest;
    for (int i = 0; i < s->n; i++) {
        double n[3];
        around += mesh_side(m, s->cell[i], s->side[i], n);
        for (int c = 0; c < 3; c++) {
            total[c] += n[c];
            size += fabs(n[c]);
        }
    }
    const double inside = mesh_measure(m, &smallest);
    assert_true(smallest > 0);
    assert_true(fabs(around - inside) <= 1e-12 * inside);
    for (int c = 0; c < 3; c++) {
        assert_true(fabs(total[c]) <= 1e-12 * size);
    }
}

#endif
