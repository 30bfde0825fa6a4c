/* Evaluation at cell points, extrapolation to nodes, averaging over cells. */
#include "fe/recovery.h"

#include <lapacke.h>
#include <math.h>

#include "fe/layer.h"
#include "linalg/dense.h"

#define MOST_U (6 * GOS_CELL_NODES) // freedoms of a cell
#define MOST_T (GOS_FE_HEATS * GOS_CELL_NODES)
#define POINTS 8 // recovery points: as many as corners, or one

/* ---- one cell -------------------------------------------------------------------------------- */

/* components at the points of a cell by displacements and temperatures */
typedef struct recovered {
    const gos_fe_body *body;
    const gos_fe_recovery *what;
    gos_arena *arena;
    void *data[GOS_CELL_SHAPES]; // of the current part
    const gos_fe_part *part;
    gos_fe_cell cell;
    const int *node; // of the current cell
    gos_cell_shape shape;
    int points;
    double weight[GOS_CELL_NODES][POINTS]; // of points, at nodes
    double by_u[POINTS * 6 * MOST_U], by_t[POINTS * 6 * MOST_T];
} recovered;

/* superconvergent points; linear wedges use their stiffness points */
static void points_of(const gos_fe_part *part, gos_cell_shape shape, gos_rule *rule) {
    const bool full = shape == GOS_CELL_WEDGE6 && part->element != &gos__fe_element_solid_reduced;
    gos__rule(shape, full ? GOS_RULE_STIFFNESS : GOS_RULE_REDUCED, rule);
}

/* for functions linear like those of corners; two points on a wedge's axis: along it */
static void extrapolate(gos_cell_shape shape, const gos_rule *rule, const double at[3],
                        double weight[POINTS]) {
    static const gos_cell_shape linear[GOS_CELL_SHAPES] = {
        [GOS_CELL_LINE2] = GOS_CELL_LINE2,   [GOS_CELL_LINE3] = GOS_CELL_LINE2,
        [GOS_CELL_TRI3] = GOS_CELL_TRI3,     [GOS_CELL_TRI6] = GOS_CELL_TRI3,
        [GOS_CELL_QUAD4] = GOS_CELL_QUAD4,   [GOS_CELL_QUAD8] = GOS_CELL_QUAD4,
        [GOS_CELL_TET4] = GOS_CELL_TET4,     [GOS_CELL_TET10] = GOS_CELL_TET4,
        [GOS_CELL_WEDGE6] = GOS_CELL_WEDGE6, [GOS_CELL_WEDGE15] = GOS_CELL_WEDGE6,
        [GOS_CELL_HEX8] = GOS_CELL_HEX8,     [GOS_CELL_HEX20] = GOS_CELL_HEX8};
    const int n = rule->n;
    double A[POINTS][POINTS + 1], N[GOS_CELL_NODES];
    if (n == 1) {
        weight[0] = 1;
        return;
    }
    if (n == 2 && shape == GOS_CELL_WEDGE6) {
        weight[1] = (at[2] - rule->at[0][2]) / (rule->at[1][2] - rule->at[0][2]);
        weight[0] = 1 - weight[1];
        return;
    }
    // sum_p weight_p N_c(at_p) = N_c(at)
    for (int p = 0; p <= n; p++) {
        gos__shape(linear[shape], p < n ? rule->at[p] : at, N, NULL);
        for (int c = 0; c < n; c++) {
            A[c][p] = N[c];
        }
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        }
        for (int j = 0; j <= n; j++) {
            const double x = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = x;
        }
        for (int i = 0; i < n; i++) {
            const double by = i == k ? 0 : A[i][k] / A[k][k];
            for (int j = k; j <= n; j++) {
                A[i][j] -= by * A[k][j];
            }
        }
    }
    for (int p = 0; p < n; p++) {
        weight[p] = A[p][n] / A[p][p];
    }
}

/* set up for a cell, with data per part and shape */
static gos_status recover(recovered *r, const gos_fe_part *part, int cell) {
    int i;
    const gos_fe_body *body = r->body;
    const gos_cell_block *b = gos__mesh_cell(body->mesh, cell, &i);
    const int n = gos__cell_kind[b->shape].nodes;
    double at[GOS_CELL_NODES][3];
    gos_rule rule;
    if (part != r->part) {
        memset(r->data, 0, sizeof r->data);
        r->part = part;
    }
    if (!r->data[b->shape]) {
        GOS_TRY(part->element->prepare(body->ctx, part, b->shape, r->arena, &r->data[b->shape]));
    }
    r->node = b->node + (size_t)i * n;
    gos__fe_cell_make(body, part, body->at_of[cell], cell, &r->cell);
    points_of(part, b->shape, &rule);
    gos__shape_nodes(b->shape, at);
    for (int k = 0; k < n && (r->shape != b->shape || r->points != rule.n); k++) {
        extrapolate(b->shape, &rule, at[k], r->weight[k]);
    }
    r->shape = b->shape;
    r->points = rule.n;
    part->element->recover(r->data[b->shape], &r->cell, r->what->quantity == GOS_FE_STRAIN, rule.n,
                           rule.at, &r->what->depth, r->by_u, r->by_t);
    for (int a = 0; a < 6 * rule.n && part->offset != 0; a++) {
        gos__fe_layer_derivatives(part, &r->cell, r->by_u + (size_t)a * n * part->element->comps,
                                  r->by_t + (size_t)a * n * part->element->heats);
    }
    return GOS_OK;
}

static gos_status begin(recovered **r, const gos_fe_body *body, const gos_fe_recovery *what) {
    recovered *made = gos__zalloc(body->ctx, 1, sizeof *made);
    if (!made) {
        return GOS_E_MEMORY;
    }
    made->body = body;
    made->what = what;
    made->arena = gos__arena_create(body->ctx);
    *r = made;
    return made->arena ? GOS_OK : GOS_E_MEMORY;
}

static void end(recovered *r) {
    if (r) {
        gos__arena_destroy(r->arena);
        gos__free(r->body->ctx, r);
    }
}

/* part of a cell if requested, else NULL */
static const gos_fe_part *wanted(const gos_fe_body *body, const gos_fe_recovery *what, int cell) {
    const int part = body->part_of[cell];
    const gos_fe_part *p = &body->part[part >= 0 ? part : 0];
    const bool in = part >= 0 && (!what->material ||
                                  (p->material == what->material &&
                                   p->thickness == what->thickness && p->profile == what->profile));
    return in ? &body->part[part] : NULL;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static void add_to_nodes(const recovered *r, const double *u, const double *t, double (*value)[6],
                         int *count) {
    const gos_fe_element *e = r->part->element;
    const int n = r->cell.nodes, nd = n * e->comps, nt = n * e->heats;
    double own[MOST_U], heat[MOST_T], at[POINTS][6];
    gos__fe_gather(&r->body->freedom, e->freedoms, n, r->node, u, own);
    gos__fe_gather(&r->body->temperature, e->heats > 1 ? 3 : 1, n, r->node, t, heat);
    for (int p = 0; p < r->points; p++) {
        for (int a = 0; a < 6; a++) {
            at[p][a] = gos__dense_dot(nd, r->by_u + (size_t)(6 * p + a) * nd, own) +
                       gos__dense_dot(nt, r->by_t + (size_t)(6 * p + a) * nt, heat);
        }
    }
    for (int k = 0; k < n; k++) {
        count[r->node[k]]++;
        for (int p = 0; p < r->points; p++) {
            for (int a = 0; a < 6; a++) {
                value[r->node[k]][a] += r->weight[k][p] * at[p][a];
            }
        }
    }
}

gos_status gos__fe_field(const gos_fe_body *body, const gos_fe_recovery *what, const double *u,
                         const double *t, double (*value)[6], int *count) {
    recovered *r = NULL;
    gos_status status = begin(&r, body, what);
    memset(value, 0, (size_t)body->mesh->nnode * sizeof *value);
    memset(count, 0, (size_t)body->mesh->nnode * sizeof *count);
    for (int cell = 0; cell < body->mesh->ncell && status == GOS_OK; cell++) {
        const gos_fe_part *part = wanted(body, what, cell);
        if (part) {
            status = recover(r, part, cell);
        }
        if (part && status == GOS_OK) {
            add_to_nodes(r, u, t, value, count);
        }
    }
    for (int i = 0; i < body->mesh->nnode; i++) {
        for (int a = 0; a < 6 && count[i] > 0; a++) {
            value[i][a] /= count[i];
        }
    }
    end(r);
    return status;
}

/* ---- linear functions ------------------------------------------------------------------------ */

/* triplets */
typedef struct entries {
    int n, room_i, room_j, room_x;
    int *i, *j;
    double *x;
} entries;

static gos_status add(gos_ctx *ctx, entries *e, int i, int j, double x) {
    GOS_TRY(gos__grow(ctx, (void **)&e->i, &e->room_i, e->n + 1, sizeof *e->i));
    GOS_TRY(gos__grow(ctx, (void **)&e->j, &e->room_j, e->n + 1, sizeof *e->j));
    GOS_TRY(gos__grow(ctx, (void **)&e->x, &e->room_x, e->n + 1, sizeof *e->x));
    e->i[e->n] = i;
    e->j[e->n] = j;
    e->x[e->n++] = x;
    return GOS_OK;
}

static gos_status add_cell(const recovered *r, const gos_fe_layout *l, unsigned mask,
                           const double *by, const double weight[POINTS], double factor,
                           int location, entries *to) {
    const int n = r->cell.nodes, width = n * __builtin_popcount(mask);
    for (int a = 0; a < 6; a++) {
        for (int k = 0, at = 0; k < n; k++) {
            for (int c = 0; c < GOS_FE_FREEDOMS; c++) {
                if (!(mask >> c & 1)) {
                    continue;
                }
                double sum = 0;
                for (int p = 0; p < r->points; p++) {
                    sum += weight[p] * by[(size_t)(6 * p + a) * width + at];
                }
                at++;
                if (sum != 0) {
                    GOS_TRY(add(r->body->ctx, to, gos__fe_number(l, r->node[k], c),
                                6 * location + a, factor * sum));
                }
            }
        }
    }
    return GOS_OK;
}

typedef struct collected {
    entries u, t;
} collected;

static gos_status add_both(const recovered *r, const double weight[POINTS], double factor,
                           int location, collected *to) {
    const gos_fe_element *e = r->part->element;
    GOS_TRY(add_cell(r, &r->body->freedom, e->freedoms, r->by_u, weight, factor, location, &to->u));
    return add_cell(r, &r->body->temperature, e->heats > 1 ? 3 : 1, r->by_t, weight, factor,
                    location, &to->t);
}

static gos_status close_entries(const gos_fe_body *body, int rows, int columns, const entries *e,
                                gos_sparse *A) {
    GOS_TRY(gos__sparse_from_triplets(body->ctx, rows, columns, e->n, e->i, e->j, e->x, A));
    gos__sparse_merge(A);
    return GOS_OK;
}

static gos_status close_both(const gos_fe_body *body, int locations, const collected *from,
                             gos_fe_components *c) {
    GOS_TRY(close_entries(body, body->freedom.n, 6 * locations, &from->u, &c->by_u));
    return close_entries(body, body->temperature.n, 6 * locations, &from->t, &c->by_t);
}

static void free_collected(gos_ctx *ctx, collected *c) {
    gos__free(ctx, c->u.i);
    gos__free(ctx, c->u.j);
    gos__free(ctx, c->u.x);
    gos__free(ctx, c->t.i);
    gos__free(ctx, c->t.j);
    gos__free(ctx, c->t.x);
}

/* cells of location k are cell[start[k]] ... */
typedef struct neighbours {
    int *location; // -1: not requested (nodes)
    int *start;    // (locations + 1)
    int *cell;
} neighbours;

static void free_neighbours(gos_ctx *ctx, neighbours *near) {
    gos__free(ctx, near->location);
    gos__free(ctx, near->start);
    gos__free(ctx, near->cell);
}

/* count (cell NULL) or list cells at locations */
static void visit_cells(const gos_fe_body *body, const gos_fe_recovery *what, neighbours *near) {
    for (int cell = 0; cell < body->mesh->ncell; cell++) {
        int i;
        const gos_cell_block *b = gos__mesh_cell(body->mesh, cell, &i);
        const int n = gos__cell_kind[b->shape].nodes;
        for (int k = 0; k < n && wanted(body, what, cell); k++) {
            const int location = near->location[b->node[(size_t)i * n + k]];
            if (location >= 0 && near->cell) {
                near->cell[near->start[location]++] = cell;
            } else if (location >= 0) {
                near->start[location + 1]++;
            }
        }
    }
}

static gos_status find_neighbours(const gos_fe_body *body, const gos_fe_recovery *what, int n,
                                  const int *node, neighbours *near) {
    near->location = gos__alloc(body->ctx, (size_t)body->mesh->nnode + 1, sizeof *near->location);
    near->start = gos__zalloc(body->ctx, (size_t)n + 2, sizeof *near->start);
    GOS_TRY(near->location && near->start ? GOS_OK : GOS_E_MEMORY);
    memset(near->location, -1, ((size_t)body->mesh->nnode + 1) * sizeof *near->location);
    for (int k = 0; k < n; k++) {
        near->location[node[k]] = k;
    }
    visit_cells(body, what, near);
    for (int k = 0; k < n; k++) {
        near->start[k + 1] += near->start[k];
    }
    int *cell = gos__alloc(body->ctx, (size_t)near->start[n] + 1, sizeof *cell);
    GOS_TRY(cell ? GOS_OK : GOS_E_MEMORY);
    near->cell = cell;
    visit_cells(body, what, near);
    memmove(near->start + 1, near->start, (size_t)n * sizeof *near->start);
    near->start[0] = 0;
    return GOS_OK;
}

static gos_status at_node(recovered *r, const neighbours *near, int location, int node,
                          collected *to) {
    const gos_fe_body *body = r->body;
    const int *first = near->start + near->location[node], count = first[1] - first[0];
    if (count == 0) {
        return gos__fail(body->ctx, GOS_E_INPUT,
                         "node %lld has no cell of that material, so there is no stress or strain; "
                         "give another node",
                         (long long)gos__mesh_node_tag(body->mesh, node));
    }
    for (int c = first[0]; c < first[1]; c++) {
        if (c > first[0] && near->cell[c] == near->cell[c - 1]) {
            continue; // it contains the node twice
        }
        GOS_TRY(recover(r, wanted(body, r->what, near->cell[c]), near->cell[c]));
        for (int k = 0; k < r->cell.nodes; k++) {
            if (r->node[k] == node) {
                GOS_TRY(add_both(r, r->weight[k], 1.0 / count, location, to));
            }
        }
    }
    return GOS_OK;
}

gos_status gos__fe_components_at_nodes(const gos_fe_body *body, const gos_fe_recovery *what, int n,
                                       const int *node, gos_fe_components *c) {
    recovered *r = NULL;
    collected all = {0};
    neighbours near = {0};
    *c = (gos_fe_components){0};
    gos_status status = begin(&r, body, what);
    status = status == GOS_OK ? find_neighbours(body, what, n, node, &near) : status;
    for (int k = 0; k < n && status == GOS_OK; k++) {
        status = at_node(r, &near, k, node[k], &all);
    }
    status = status == GOS_OK ? close_both(body, n, &all, c) : status;
    free_collected(body->ctx, &all);
    free_neighbours(body->ctx, &near);
    end(r);
    return status;
}

static gos_status at_point(recovered *r, int cell, const double at[3], collected *to) {
    const int part = r->body->part_of[cell];
    double weight[POINTS];
    gos_rule rule;
    if (part < 0) {
        return gos__fail(r->body->ctx, GOS_E_INPUT, "cell %lld has no material; give another cell",
                         (long long)gos__mesh_cell_tag(r->body->mesh, cell));
    }
    GOS_TRY(recover(r, &r->body->part[part], cell));
    points_of(r->part, r->shape, &rule);
    extrapolate(r->shape, &rule, at, weight);
    return add_both(r, weight, 1, 0, to);
}

gos_status gos__fe_components_at_point(const gos_fe_body *body, const gos_fe_recovery *what,
                                       int cell, const double at[3], gos_fe_components *c) {
    recovered *r = NULL;
    collected all = {0};
    *c = (gos_fe_components){0};
    gos_status status = begin(&r, body, what);
    status = status == GOS_OK ? at_point(r, cell, at, &all) : status;
    status = status == GOS_OK ? close_both(body, 1, &all, c) : status;
    free_collected(body->ctx, &all);
    end(r);
    return status;
}

void gos__fe_components_free(gos_ctx *ctx, gos_fe_components *c) {
    gos__sparse_free(ctx, &c->by_u);
    gos__sparse_free(ctx, &c->by_t);
}

/* ---- invariants ------------------------------------------------------------------------------ */

double gos__fe_mises(const double s[6]) {
    const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

void gos__fe_principal(gos_fe_quantity quantity, const double v[6], double principal[3]) {
    const double half = quantity == GOS_FE_STRAIN ? 0.5 : 1;
    double A[9] = {v[0],        half * v[3], half * v[5], half * v[3], v[1],
                   half * v[4], half * v[5], half * v[4], v[2]},
           w[3];
    const bool good = LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', 3, A, 3, w) == 0;
    for (int i = 0; i < 3; i++) {
        principal[i] = good ? w[2 - i] : (double)NAN;
    }
}
