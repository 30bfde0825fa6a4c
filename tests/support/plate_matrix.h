/* A square Kirchhoff plate of unit size, bending stiffness and mass per area, by the rectangles of
   Bogner, Fox and Schmit (1965): products of cubic Hermite functions, with w, w_x, w_y, w_xy at
   each node. Simply supported, omega = pi^2 (i^2 + j^2), twice when i and j differ; free, three
   rigid motions. Written down from matrices of a beam, so it takes no assembly. */
#ifndef GOS_TEST_PLATE_MATRIX_H
#define GOS_TEST_PLATE_MATRIX_H

#include "linalg/saddle.h"

/* the pencil, and what it points to */
typedef struct plate_matrix {
    gos_sparse K, M, C;
    gos_pencil pencil;
} plate_matrix;

/* Hermite matrices of an element of length h: integrals of products of functions, of their first
   and second derivatives, and of functions with second derivatives */
static const double plate_beam[4][4][4] = {
    {{156, 22, 54, -13}, {22, 4, 13, -3}, {54, 13, 156, -22}, {-13, -3, -22, 4}},
    {{36, 3, -36, 3}, {3, 4, -3, -1}, {-36, -3, 36, -3}, {3, -1, -3, 4}},
    {{12, 6, -12, 6}, {6, 4, -6, 2}, {-12, -6, 12, -6}, {6, 2, -6, 4}},
    {{-36, -33, 36, -3}, {-3, -4, 3, 1}, {36, 3, -36, 33}, {-3, 1, 3, -4}}};

/* entry of kind k between unknowns a and b (two a node) of a chain of n elements */
static inline double plate_chain(int k, int n, int a, int b, double h) {
    static const double divisor[] = {420, 30, 1, 30};
    static const int power[] = {1, -1, -3, -1};
    double sum = 0;
    for (int e = 0; e < n; e++) {
        const int i = a - 2 * e, j = b - 2 * e;
        if (i >= 0 && i < 4 && j >= 0 && j < 4) {
            sum += plate_beam[k][i][j] * pow(h, power[k] + i % 2 + j % 2) / divisor[k];
        }
    }
    return sum;
}

/* rows of w = 0 and of w along the edge = 0 on the four edges */
static inline gos_status plate_supports(gos_ctx *ctx, int n, gos_sparse *C) {
    const int side = n + 1;
    GOS_TRY(gos__sparse_alloc(ctx, 0, 4 * side * side, 8 * (size_t)side, C));
    C->nnz = 0;
    for (int j = 0; j < side * side; j++) {
        const bool x = j % side == 0 || j % side == n, y = j / side == 0 || j / side == n;
        // w, w_x, w_y, w_xy: an edge x = const holds w and w_y
        const bool held[4] = {x || y, y, x, false};
        for (int c = 0; c < 4; c++) {
            if (held[c]) {
                C->i[C->nnz] = C->m++;
                C->x[C->nnz++] = 1;
            }
            C->p[4 * j + c + 1] = C->nnz;
        }
    }
    return GOS_OK;
}

/* n x n elements; scaled by `scale` so that numbers are not all near 1 */
static inline gos_status plate_matrix_make(gos_ctx *ctx, int n, bool supported, double nu,
                                           plate_matrix *plate) {
    const int side = n + 1, order = 4 * side * side;
    const double h = 1.0 / n;
    double(*chain)[5][6][2] = calloc((size_t)side, sizeof *chain * 2); // [node * 2 + d][kind][..]
    *plate = (plate_matrix){0};
    if (!chain) {
        return GOS_E_MEMORY;
    }
    gos_status status = gos__sparse_alloc(ctx, order, order, 36 * (size_t)order, &plate->K);
    if (status == GOS_OK) {
        status = gos__sparse_alloc(ctx, order, order, 36 * (size_t)order, &plate->M);
    }
    // chain[a][k][b - first]: band of the matrices of a line
    for (int a = 0; a < 2 * side; a++) {
        for (int k = 0; k < 4; k++) {
            for (int b = 0; b < 6; b++) {
                const int at = 2 * (a / 2 - 1) + b;
                const bool in = at >= 0 && at < 2 * side;
                chain[a][k][b][0] = in ? plate_chain(k, n, a, at, h) : 0;
                chain[a][k][b][1] = in && k == 3 ? plate_chain(k, n, at, a, h) : 0;
            }
        }
    }
    int at = 0;
    for (int j = 0; j < order && status == GOS_OK; j++) {
        const int node = j / 4, jx = 2 * (node % side) + j % 2, jy = 2 * (node / side) + j % 4 / 2;
        for (int ny = node / side - 1; ny <= node / side + 1; ny++) {
            for (int nx = node % side - 1; nx <= node % side + 1; nx++) {
                for (int c = 0; c < 4; c++) {
                    if (nx < 0 || ny < 0 || nx > n || ny > n) {
                        continue;
                    }
                    const int bx = 2 * (nx - node % side + 1) + c % 2;
                    const int by = 2 * (ny - node / side + 1) + c / 2;
                    double(*const x)[6][2] = chain[jx], (*const y)[6][2] = chain[jy];
                    const double mixed = x[3][bx][0] * y[3][by][1] + x[3][bx][1] * y[3][by][0];
                    plate->K.i[at] = plate->M.i[at] = 4 * (ny * side + nx) + c;
                    plate->M.x[at] = x[0][bx][0] * y[0][by][0];
                    plate->K.x[at++] = x[2][bx][0] * y[0][by][0] + x[0][bx][0] * y[2][by][0] +
                                       2 * (1 - nu) * x[1][bx][0] * y[1][by][0] + nu * mixed;
                }
            }
        }
        plate->K.p[j + 1] = plate->M.p[j + 1] = at;
    }
    plate->K.nnz = plate->M.nnz = at;
    free(chain);
    if (status == GOS_OK) {
        status = supported ? plate_supports(ctx, n, &plate->C)
                           : gos__sparse_alloc(ctx, 0, order, 0, &plate->C);
    }
    plate->pencil = (gos_pencil){.K = &plate->K, .M = &plate->M, .C = &plate->C, .ncomp = 4};
    return status;
}

static inline void plate_matrix_free(gos_ctx *ctx, plate_matrix *plate) {
    gos__sparse_free(ctx, &plate->K);
    gos__sparse_free(ctx, &plate->M);
    gos__sparse_free(ctx, &plate->C);
}

#endif
