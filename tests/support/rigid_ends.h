/* A bar of solids along x whose two ends are rigid, as a linear model for Craig and Bampton: twelve
   coordinates follow those of the nodes, translations and rotations of each end about the middle of
   its nodes, with a force and moments on each. */
#ifndef GOS_TEST_RIGID_ENDS_H
#define GOS_TEST_RIGID_ENDS_H

#include <math.h>
#include <stdlib.h>

#include "fe/mesh_body.h"
#include "linear/linear.h"

/* the least and largest x of nodes, and their mean place */
static inline void rigid_extent(const gos_mesh *mesh, double extent[2], double middle[3]) {
    extent[0] = extent[1] = mesh->x[0][0];
    middle[0] = middle[1] = middle[2] = 0;
    for (int i = 0; i < mesh->nnode; i++) {
        extent[0] = fmin(extent[0], mesh->x[i][0]);
        extent[1] = fmax(extent[1], mesh->x[i][0]);
        for (int c = 0; c < 3; c++) {
            middle[c] += mesh->x[i][c] / mesh->nnode;
        }
    }
}

typedef struct rigid_rows {
    int n, rows; // entries, rows
    int *row, *column;
    double *value;
} rigid_rows;

static inline void rigid_entry(rigid_rows *r, int column, double value) {
    r->row[r->n] = r->rows;
    r->column[r->n] = column;
    r->value[r->n++] = value;
}

/* u - t - w x r = 0 of the nodes at x, whose end moves by the coordinates from `end` on */
static inline void rigid_end(const gos_fe_body *body, double x, const double middle[3], int end,
                             rigid_rows *rows) {
    for (int i = 0; i < body->mesh->nnode; i++) {
        const double *X = body->mesh->x[i];
        const double r[3] = {0, X[1] - middle[1], X[2] - middle[2]};
        for (int c = 0; c < 3 && fabs(X[0] - x) < 1e-9; c++, rows->rows++) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            rigid_entry(rows, gos__fe_number(&body->freedom, i, c), 1);
            rigid_entry(rows, end + c, -1);
            rigid_entry(rows, end + 3 + d, -r[e]);
            rigid_entry(rows, end + 3 + e, r[d]);
        }
    }
}

/* a matrix of the body among the coordinates of the model, which has a dozen more */
static inline gos_status rigid_widen(gos_ctx *ctx, int order, const gos_sparse *A, gos_sparse *to) {
    gos__sparse_free(ctx, to);
    GOS_TRY(gos__sparse_alloc(ctx, order, order, (size_t)A->nnz, to));
    memcpy(to->i, A->i, (size_t)A->nnz * sizeof *to->i);
    memcpy(to->x, A->x, (size_t)A->nnz * sizeof *to->x);
    for (int j = 0; j < order; j++) {
        to->p[j + 1] = A->p[j < A->n ? j + 1 : A->n];
    }
    return GOS_OK;
}

static inline gos_status rigid_ends(gos_ctx *ctx, const gos_fe_body *body, gos_linear **linear) {
    const int own = body->freedom.n, order = own + 12, room = 4 * own;
    double extent[2], middle[3];
    gos_linear *l;
    gos_sparse M;
    rigid_rows r = {.row = calloc((size_t)room, sizeof(int)),
                    .column = calloc((size_t)room, sizeof(int)),
                    .value = calloc((size_t)room, sizeof(double))};
    rigid_extent(body->mesh, extent, middle);
    rigid_end(body, extent[0], middle, own, &r);
    rigid_end(body, extent[1], middle, own + 6, &r);
    GOS_TRY(gos__linear_create(ctx, &(gos_linear_size){.nq = order, .nc = r.rows, .nu = 12}, &l));
    GOS_TRY(gos__fe_body_mass(body, &M));
    GOS_TRY(rigid_widen(ctx, order, &M, &l->block[GOS_BLOCK_M]));
    gos__sparse_free(ctx, &M);
    GOS_TRY(rigid_widen(ctx, order, &body->K, &l->block[GOS_BLOCK_K]));
    gos__sparse_free(ctx, &l->block[GOS_BLOCK_C]);
    GOS_TRY(gos__sparse_from_triplets(ctx, r.rows, order, r.n, r.row, r.column, r.value,
                                      &l->block[GOS_BLOCK_C]));
    for (int u = 0; u < 12; u++) {
        r.row[u] = own + u;
        r.column[u] = u;
        r.value[u] = 1;
    }
    gos__sparse_free(ctx, &l->block[GOS_BLOCK_B]);
    GOS_TRY(gos__sparse_from_triplets(ctx, order, 12, 12, r.row, r.column, r.value,
                                      &l->block[GOS_BLOCK_B]));
    free(r.row);
    free(r.column);
    free(r.value);
    *linear = l;
    return gos__linear_close(l);
}

#endif
