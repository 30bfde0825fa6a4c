/* For tests of finite elements: boxes and rectangles of any shape of cells, placed by a function,
   and bodies of them. Include after cmocka. */
#ifndef GOS_TEST_FE_MESH_H
#define GOS_TEST_FE_MESH_H

#include <math.h>

#include "fe/mesh_loads.h"
#include "linalg/eigen.h"
#include "linalg/symmetric.h"

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

typedef void fe_place(const double unit[3], double x[3]); // from the unit cube

static inline void fe_good(gos_ctx *ctx, gos_status status) {
    if (status != GOS_OK) {
        print_error("%s: %s\n", gos_status_text(status), gos_ctx_message(ctx));
    }
    assert_int_equal(status, GOS_OK);
}

/* corners of the cells that a hexahedron (or quadrilateral) of the grid is divided into */
static const signed char fe_wedges[2][6] = {{0, 1, 2, 4, 5, 6}, {0, 2, 3, 4, 6, 7}};
static const signed char fe_tets[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                          {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
static const signed char fe_tris[2][3] = {{0, 1, 2}, {0, 2, 3}};
static const signed char fe_whole[8] = {0, 1, 2, 3, 4, 5, 6, 7};

static inline int fe_divide(gos_cell_shape shape, const signed char **corner) {
    switch (shape) {
    case GOS_CELL_TRI3:
    case GOS_CELL_TRI6:
        *corner = fe_tris[0];
        return 2;
    case GOS_CELL_TET4:
    case GOS_CELL_TET10:
        *corner = fe_tets[0];
        return 6;
    case GOS_CELL_WEDGE6:
    case GOS_CELL_WEDGE15:
        *corner = fe_wedges[0];
        return 2;
    default:
        *corner = fe_whole;
        return 1;
    }
}

/* nodes in the middle of edges, by their ends */
typedef struct fe_edges {
    int room, n;
    int (*end)[2], *node, nnode;
    double (*unit)[3];
} fe_edges;

static inline int fe_middle(fe_edges *e, int a, int b) {
    const int lo = a < b ? a : b, hi = a < b ? b : a;
    unsigned at = ((unsigned)lo * 2654435761u ^ (unsigned)hi * 40503u) % (unsigned)e->room;
    for (; e->node[at] >= 0; at = (at + 1) % (unsigned)e->room) {
        if (e->end[at][0] == lo && e->end[at][1] == hi) {
            return e->node[at];
        }
    }
    e->end[at][0] = lo;
    e->end[at][1] = hi;
    e->node[at] = e->nnode;
    for (int c = 0; c < 3; c++) {
        e->unit[e->nnode][c] = (e->unit[lo][c] + e->unit[hi][c]) / 2;
    }
    return e->nnode++;
}

/* A grid of n[0] n[1] n[2] (n[2] = 0 of surfaces) with nodes at place(unit); NULL: the unit cube
   itself. Nodes in the middle of edges are placed themselves, or, straight, between their ends. */
static inline gos_mesh *fe_grid(gos_ctx *ctx, gos_cell_shape shape, const int n[3], fe_place *place,
                                bool straight) {
    const gos_cell_kind *kind = &gos__cell_kind[shape];
    const int nx = n[0] + 1, ny = n[1] + 1, nz = n[2] + 1, corners = nx * ny * nz;
    const int hexes = n[0] * n[1] * (n[2] > 0 ? n[2] : 1);
    const signed char *corner;
    const int parts = fe_divide(shape, &corner), ncell = hexes * parts;
    const int most = corners + ncell * kind->nodes;
    fe_edges e = {.room = 4 * most, .nnode = corners};
    e.end = malloc(sizeof *e.end * (size_t)e.room);
    e.node = malloc(sizeof *e.node * (size_t)e.room);
    e.unit = malloc(sizeof *e.unit * (size_t)most);
    for (int i = 0; i < e.room; i++) {
        e.node[i] = -1;
    }
    for (int i = 0; i < corners; i++) {
        e.unit[i][0] = (double)(i % nx) / n[0];
        e.unit[i][1] = (double)(i / nx % ny) / n[1];
        e.unit[i][2] = n[2] > 0 ? (double)(i / nx / ny) / n[2] : 0;
    }
    double at[GOS_CELL_NODES][3];
    gos__shape_nodes(shape, at);
    int *node = malloc(sizeof *node * (size_t)ncell * (size_t)kind->nodes);
    int *ends = malloc(sizeof *ends * 2 * (size_t)most);
    for (int h = 0, cell = 0; h < hexes; h++) {
        const int i = h % n[0], j = h / n[0] % n[1], k = h / n[0] / n[1];
        const int o = i + nx * (j + ny * k), up = n[2] > 0 ? nx * ny : 0;
        const int hex[8] = {o,      o + 1,      o + nx + 1,      o + nx,
                            o + up, o + up + 1, o + up + nx + 1, o + up + nx};
        for (int p = 0; p < parts; p++, cell++) {
            int *to = node + (size_t)cell * (size_t)kind->nodes;
            for (int c = 0; c < kind->nodes; c++) {
                if (c < kind->corners) {
                    to[c] = hex[(int)corner[p * kind->corners + c]];
                    continue;
                }
                int pair[2] = {0, 0}, found = 0; // the two corners that it lies between
                for (int a = 0; a < kind->corners; a++) {
                    for (int b = a + 1; b < kind->corners; b++) {
                        double off = 0;
                        for (int d = 0; d < 3; d++) {
                            off += fabs(at[c][d] - (at[a][d] + at[b][d]) / 2);
                        }
                        // of two diagonals with the same middle there is none among edges
                        if (off < 1e-12 && found == 0) {
                            pair[0] = a;
                            pair[1] = b;
                            found = 1;
                        }
                    }
                }
                to[c] = fe_middle(&e, to[pair[0]], to[pair[1]]);
                ends[2 * to[c]] = to[pair[0]];
                ends[2 * to[c] + 1] = to[pair[1]];
            }
        }
    }
    gos_mesh *mesh;
    gos_cell_block *block;
    fe_good(ctx, gos__mesh_create(ctx, &mesh));
    fe_good(ctx, gos__mesh_nodes(mesh, e.nnode, (gos_loc){0}, NULL));
    fe_good(ctx, gos__mesh_cells(mesh, shape, ncell, (gos_loc){0}, NULL, &block));
    memcpy(block->node, node, sizeof *node * (size_t)ncell * (size_t)kind->nodes);
    for (int i = 0; i < e.nnode; i++) {
        if (i >= corners && straight) {
            for (int c = 0; c < 3; c++) {
                mesh->x[i][c] = (mesh->x[ends[2 * i]][c] + mesh->x[ends[2 * i + 1]][c]) / 2;
            }
        } else if (place) {
            place(e.unit[i], mesh->x[i]);
        } else {
            memcpy(mesh->x[i], e.unit[i], sizeof mesh->x[i]);
        }
    }
    fe_good(ctx, gos__mesh_finish(mesh, (gos_loc){0}, "mesh"));
    free(e.end);
    free(e.node);
    free(e.unit);
    free(node);
    free(ends);
    return mesh;
}

/* y = A x */
static inline void fe_apply(const gos_sparse *A, const double *x, double *y) {
    gos__sparse_apply(A, 1, x, y);
}

static inline double fe_dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

static inline double fe_largest(int n, const double *x) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static inline gos_fe_material fe_isotropic(gos_ctx *ctx, double E, double nu, double rho,
                                           double alpha, double lambda, double c) {
    gos_fe_material m = {.density = rho, .heat = c};
    fe_good(ctx, gos__fe_isotropic(ctx, (gos_loc){0}, NULL, E, nu, &m));
    for (int i = 0; i < 3; i++) {
        m.expansion[i] = alpha;
        m.conductivity[i][i] = lambda;
    }
    return m;
}

/* Solve A x = b with x = 0 where held (n): b is overwritten. */
static inline void fe_solve(gos_ctx *ctx, const gos_sparse *A, const bool *held, double *x) {
    int *number = malloc(sizeof *number * (size_t)A->n), n = 0, nnz = 0;
    for (int i = 0; i < A->n; i++) {
        number[i] = held[i] ? -1 : n++;
    }
    gos_pattern pattern = {.n = n};
    int *p = calloc((size_t)n + 1, sizeof *p), *row = malloc(sizeof *row * (size_t)A->nnz);
    double *value = malloc(sizeof *value * (size_t)A->nnz), *b = malloc(sizeof *b * (size_t)n);
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1] && !held[j]; k++) {
            if (!held[A->i[k]]) {
                row[nnz] = number[A->i[k]];
                value[nnz++] = A->x[k];
            }
        }
        if (!held[j]) {
            p[number[j] + 1] = nnz;
            b[number[j]] = x[j];
        }
    }
    pattern.nnz = nnz;
    pattern.p = p;
    pattern.i = row;
    gos_symmetric *s;
    fe_good(ctx, gos__symmetric_create(
                     ctx, &(const gos_symmetric_def){.pattern = &pattern, .ncomp = 1}, NULL, &s));
    fe_good(ctx, gos__symmetric_factor(s, value, true, NULL));
    fe_good(ctx, gos__symmetric_solve(s, 1, b));
    gos__symmetric_destroy(s);
    for (int i = 0; i < A->n; i++) {
        x[i] = held[i] ? 0 : b[number[i]];
    }
    free(number);
    free(p);
    free(row);
    free(value);
    free(b);
}

/* The n lowest eigenvalues of K x = lambda M x, x = 0 where held, and vectors (order, n) unless
 * NULL. */
static inline void fe_lowest(gos_ctx *ctx, const gos_sparse *K, const gos_sparse *M,
                             const bool *held, int n, double *lambda, double *vectors) {
    int *row = malloc(sizeof *row * (size_t)K->n), *column = malloc(sizeof *column * (size_t)K->n);
    double *one = malloc(sizeof *one * (size_t)K->n);
    double *X = vectors ? vectors : malloc(sizeof *X * (size_t)K->n * (size_t)n);
    int nc = 0, found;
    for (int i = 0; i < K->n; i++) {
        if (held[i]) {
            row[nc] = nc;
            column[nc] = i;
            one[nc++] = 1;
        }
    }
    gos_sparse C;
    fe_good(ctx, gos__sparse_from_triplets(ctx, nc, K->n, nc, row, column, one, &C));
    fe_good(ctx, gos__eigen_lowest(ctx, &(const gos_pencil){.K = K, .M = M, .C = &C, .ncomp = 1}, n,
                                   lambda, X, &found));
    assert_int_equal(found, n);
    gos__sparse_free(ctx, &C);
    free(row);
    free(column);
    free(one);
    if (!vectors) {
        free(X);
    }
}

#endif
