/* Structured grids: nodes on a lattice, subdivision of grid boxes into cells, sides at the ends. A
   grid cell spans 2 x 2 x 2 lattice steps for quadratic cells (mid-edge nodes between), else 1 x 1
   x 1. */
#include "mesh/grid.h"

#include <math.h>

/* subdivision of a grid box into cells; bits 1, 2, 4 of a corner are its directions */
typedef struct cutting {
    gos_cell_shape shape[2]; // linear and quadratic
    int ncell;
    signed char corner[6][8];
} cutting;

static const cutting cuttings[2][2] = {
    {{{GOS_CELL_QUAD4, GOS_CELL_QUAD8}, 1, {{0, 1, 3, 2}}},
     {{GOS_CELL_TRI3, GOS_CELL_TRI6}, 2, {{0, 1, 3}, {0, 3, 2}}}},
    {{{GOS_CELL_HEX8, GOS_CELL_HEX20}, 1, {{0, 1, 3, 2, 4, 5, 7, 6}}},
     // six tetrahedra about the diagonal 0-7, conforming between boxes
     {{GOS_CELL_TET4, GOS_CELL_TET10},
      6,
      {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}}}};

/* edges whose middles are the nodes after the corners */
static const signed char (*edges_of(gos_cell_shape shape))[2] {
    static const signed char tri[3][2] = {{0, 1}, {1, 2}, {2, 0}};
    static const signed char quad[4][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    static const signed char tet[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    static const signed char hex[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                           {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    return shape == GOS_CELL_TRI6    ? tri
           : shape == GOS_CELL_QUAD8 ? quad
           : shape == GOS_CELL_TET10 ? tet
                                     : hex;
}

typedef struct lattice {
    const gos_grid *g;
    const cutting *cut;
    const gos_cell_kind *kind;
    int step; // lattice steps per grid cell
    int n[3]; // cells; 1 in the third direction of surfaces
    int points[3];
    int *id;      // node at a point, -1: none
    double *s[3]; // coordinates of lattice points (points + 1)
} lattice;

static bool is_solid(const gos_grid *g) {
    return g->n[2] > 0;
}

/* nodes: corners, for quadratic cells mid-edge nodes, for simplices also those of diagonals */
static double count_nodes(const lattice *l) {
    const gos_grid *g = l->g;
    double all = 1, p[3], e[3];
    for (int d = 0; d < 3; d++) {
        e[d] = g->n[d];
        p[d] = e[d] + (g->closed != d + 1);
        all *= l->points[d];
    }
    if (l->step == 1 || g->simplex) {
        return all;
    }
    return p[0] * p[1] * p[2] + e[0] * p[1] * p[2] + p[0] * e[1] * p[2] + p[0] * p[1] * e[2];
}

/* coordinates of lattice points in direction d: graded corners, midpoints between them */
static gos_status grade(gos_mesh *m, lattice *l, int d) {
    const int n = l->g->n[d];
    const double bias = l->g->bias[d] > 0 ? l->g->bias[d] : 1;
    l->s[d] = gos__zalloc(m->ctx, (size_t)(n * l->step) + 1, sizeof *l->s[d]);
    GOS_TRY(l->s[d] ? GOS_OK : GOS_E_MEMORY);
    const double ratio = n > 1 ? pow(bias, 1.0 / (n - 1)) : 1;
    double at = 0, size = 1;
    for (int i = 1; i <= n; i++) {
        at = bias == 1 ? i : at + size;
        size *= ratio;
        l->s[d][i * l->step] = at;
    }
    for (int i = 1; i <= n; i++) {
        l->s[d][i * l->step] /= at; // normalises the last one to 1
    }
    for (int i = 0; i < n && l->step == 2; i++) {
        l->s[d][2 * i + 1] = 0.5 * (l->s[d][2 * i] + l->s[d][2 * i + 2]);
    }
    return GOS_OK;
}

static int *point(const lattice *l, const int a[3]) {
    int b[3];
    for (int d = 0; d < 3; d++) {
        b[d] = a[d] == l->points[d] && l->g->closed == d + 1 ? 0 : a[d];
    }
    return &l->id[((size_t)b[2] * l->points[1] + b[1]) * l->points[0] + b[0]];
}

static void make_nodes(gos_mesh *m, const lattice *l) {
    int a[3], n = 0;
    for (a[2] = 0; a[2] < l->points[2]; a[2]++) {
        for (a[1] = 0; a[1] < l->points[1]; a[1]++) {
            for (a[0] = 0; a[0] < l->points[0]; a[0]++) {
                const int odd = l->step == 2 ? a[0] % 2 + a[1] % 2 + a[2] % 2 : 0;
                const bool node = odd <= 1 || l->g->simplex;
                *point(l, a) = node ? n : -1;
                if (node) {
                    const double s[3] = {l->s[0][a[0]], l->s[1][a[1]], l->s[2][a[2]]};
                    l->g->place(l->g->par, s, m->x[n++]);
                }
            }
        }
    }
}

/* lattice point of node k of cell c of the box at grid cell `at` */
static void point_of(const lattice *l, const int at[3], int c, int k, int a[3]) {
    const signed char *corner = l->cut->corner[c];
    int p = k, q = k;
    if (k >= l->kind->corners) {
        const signed char *edge = edges_of(l->cut->shape[1])[k - l->kind->corners];
        p = edge[0];
        q = edge[1];
    }
    for (int d = 0; d < 3; d++) {
        const int sum = ((corner[p] >> d) & 1) + ((corner[q] >> d) & 1);
        a[d] = at[d] * l->step + sum * l->step / 2;
    }
}

static void make_cells(const lattice *l, gos_cell_block *b) {
    int at[3], a[3];
    int *node = b->node;
    for (at[2] = 0; at[2] < l->n[2]; at[2]++) {
        for (at[1] = 0; at[1] < l->n[1]; at[1]++) {
            for (at[0] = 0; at[0] < l->n[0]; at[0]++) {
                for (int c = 0; c < l->cut->ncell; c++) {
                    for (int k = 0; k < l->kind->nodes; k++) {
                        point_of(l, at, c, k, a);
                        *node++ = *point(l, a);
                    }
                }
            }
        }
    }
}

/* ---- ends ------------------------------------------------------------------------------------ */

static gos_status name_nodes(gos_mesh *m, const lattice *l, int d, int end, const char *name) {
    const int u = (d + 1) % 3, v = (d + 2) % 3;
    int a[3], n = 0;
    int *list = gos__alloc(m->ctx, (size_t)l->points[u] * l->points[v], sizeof *list);
    GOS_TRY(list ? GOS_OK : GOS_E_MEMORY);
    a[d] = end ? l->points[d] - 1 : 0;
    for (a[v] = 0; a[v] < l->points[v]; a[v]++) {
        for (a[u] = 0; a[u] < l->points[u]; a[u]++) {
            list[n] = *point(l, a);
            n += list[n] >= 0;
        }
    }
    const gos_status status = gos__mesh_add_nodes(m, name, n, list);
    gos__free(m->ctx, list);
    return status;
}

/* is side k of cell c of a box at this end of direction d? */
static bool side_at(const lattice *l, int c, int k, int d, int end) {
    const gos_cell_kind *side = &gos__cell_kind[l->kind->side[k]];
    for (int i = 0; i < side->corners; i++) {
        const int corner = l->cut->corner[c][l->kind->side_node[k][i]];
        if (((corner >> d) & 1) != end) {
            return false;
        }
    }
    return true;
}

static gos_status name_sides(gos_mesh *m, const lattice *l, int d, int end, const char *name) {
    const int u = (d + 1) % 3, v = (d + 2) % 3;
    const size_t max = 2 * (size_t)l->n[u] * l->n[v];
    int at[3], n = 0;
    int *cell = gos__alloc(m->ctx, max, sizeof *cell);
    unsigned char *side = gos__alloc(m->ctx, max, 1);
    gos_status status = cell && side ? GOS_OK : GOS_E_MEMORY;
    at[d] = end ? l->n[d] - 1 : 0;
    for (at[v] = 0; status == GOS_OK && at[v] < l->n[v]; at[v]++) {
        for (at[u] = 0; at[u] < l->n[u]; at[u]++) {
            const int box = (at[2] * l->n[1] + at[1]) * l->n[0] + at[0];
            for (int c = 0; c < l->cut->ncell; c++) {
                for (int k = 0; k < l->kind->sides; k++) {
                    if (side_at(l, c, k, d, end)) {
                        cell[n] = box * l->cut->ncell + c;
                        side[n++] = (unsigned char)k;
                    }
                }
            }
        }
    }
    status = status == GOS_OK ? gos__mesh_add_surface(m, name, n, cell, side) : status;
    gos__free(m->ctx, cell);
    gos__free(m->ctx, side);
    return status;
}

static gos_status name_corners(gos_mesh *m, const lattice *l) {
    const cutting *whole = &cuttings[is_solid(l->g)][0];
    const int n = gos__cell_kind[whole->shape[0]].corners;
    for (int k = 0; k < n; k++) {
        char name[16];
        int a[3];
        for (int d = 0; d < 3; d++) {
            a[d] = (whole->corner[0][k] >> d) & 1 ? l->points[d] - 1 : 0;
        }
        gos__format(name, sizeof name, "corner_%d", k + 1);
        GOS_TRY(gos__mesh_add_nodes(m, name, 1, point(l, a)));
    }
    return GOS_OK;
}

static gos_status name_ends(gos_mesh *m, const lattice *l) {
    for (int d = 0; d < (is_solid(l->g) ? 3 : 2); d++) {
        for (int end = 0; end < 2 && l->g->closed != d + 1; end++) {
            const char *name = l->g->ends[d][end];
            GOS_TRY(name ? name_nodes(m, l, d, end, name) : GOS_OK);
            GOS_TRY(name ? name_sides(m, l, d, end, name) : GOS_OK);
        }
    }
    return l->g->corners ? name_corners(m, l) : GOS_OK;
}

/* ---- assembly -------------------------------------------------------------------------------- */

static gos_status fill(gos_mesh *m, lattice *l, gos_cell_block *b) {
    const size_t all = (size_t)l->points[0] * (size_t)l->points[1] * (size_t)l->points[2];
    for (int d = 0; d < 3; d++) {
        GOS_TRY(grade(m, l, d));
    }
    l->id = gos__alloc(m->ctx, all, sizeof *l->id);
    GOS_TRY(l->id ? GOS_OK : GOS_E_MEMORY);
    make_nodes(m, l);
    make_cells(l, b);
    return name_ends(m, l);
}

gos_status gos__grid_make(gos_mesh *m, const gos_grid *g, gos_loc loc, const char *object) {
    lattice l = {.g = g, .cut = &cuttings[is_solid(g)][g->simplex], .step = g->order};
    const gos_cell_shape shape = l.cut->shape[g->order - 1];
    double cells = l.cut->ncell;
    gos_cell_block *block;
    l.kind = &gos__cell_kind[shape];
    for (int d = 0; d < 3; d++) {
        l.n[d] = g->n[d] > 0 ? g->n[d] : 1;
        l.points[d] = g->n[d] * l.step + (g->closed != d + 1);
        cells *= l.n[d];
    }
    GOS_TRY(gos__mesh_nodes(m, count_nodes(&l), loc, object)); // also bounds the lattice size
    GOS_TRY(gos__mesh_cells(m, shape, cells, loc, object, &block));
    const gos_status status = fill(m, &l, block);
    for (int d = 0; d < 3; d++) {
        gos__free(m->ctx, l.s[d]);
    }
    gos__free(m->ctx, l.id);
    return status == GOS_OK ? gos__mesh_finish(m, loc, object) : status;
}
