#include "mesh/find.h"

#include <math.h>

#include "mesh/shapes.h"

// tolerance for inside: in natural coordinates and relative to the cell's size
#define INSIDE_TOLERANCE 1e-9
#define BOX_MARGIN 0.05 // margin of a cell's bounding box, for curved sides
#define MAX_ITERATIONS 30

/* distance outside the natural cell; at most 0: inside */
static double outside(gos_cell_shape shape, const double at[3]) {
    const gos_cell_kind *kind = &gos__cell_kind[shape];
    const bool wedge = shape == GOS_CELL_WEDGE6 || shape == GOS_CELL_WEDGE15;
    const bool triangle = kind->dim == 2 && kind->corners == 3;
    const bool tet = kind->dim == 3 && kind->corners == 4;
    if (!wedge && !triangle && !tet) {
        const double flat = fmax(fabs(at[0]), kind->dim > 1 ? fabs(at[1]) : 0);
        return fmax(flat, kind->dim > 2 ? fabs(at[2]) : 0) - 1;
    }
    const double z = tet ? at[2] : 0;
    const double flat = fmax(fmax(-at[0], -at[1]), fmax(-z, at[0] + at[1] + z - 1));
    return wedge ? fmax(flat, fabs(at[2]) - 1) : flat;
}

/* is x in the bounding box enlarged by `off`? *size is that of the cell */
static bool in_box(double (*node)[3], int n, const double x[3], double off, double *size) {
    double lo[3], hi[3];
    *size = 0;
    for (int d = 0; d < 3; d++) {
        lo[d] = hi[d] = node[0][d];
        for (int i = 1; i < n; i++) {
            lo[d] = fmin(lo[d], node[i][d]);
            hi[d] = fmax(hi[d], node[i][d]);
        }
        *size = fmax(*size, hi[d] - lo[d]);
    }
    const double slack = BOX_MARGIN * *size + off;
    bool in = true;
    for (int d = 0; d < 3; d++) {
        in = in && x[d] >= lo[d] - slack && x[d] <= hi[d] + slack;
    }
    return in;
}

/* Gauss-Newton step towards x: J^T J step = J^T r. @return size of the step, NAN: J is singular */
static double improve(int dim, int n, double (*node)[3], const double N[GOS_CELL_NODES],
                      double (*dN)[3], const double x[3], double at[3], double *distance) {
    double J[3][3] = {{0}}, r[3] = {x[0], x[1], x[2]}, A[3][3] = {{0}}, b[3] = {0}, size = 0;
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < 3; d++) {
            r[d] -= N[i] * node[i][d];
            for (int c = 0; c < dim; c++) {
                J[d][c] += dN[i][c] * node[i][d];
            }
        }
    }
    for (int c = 0; c < 3; c++) {
        for (int d = 0; d < 3; d++) {
            b[c] += J[d][c] * r[d];
            for (int e = 0; e < 3; e++) {
                A[c][e] += J[d][c] * J[d][e];
            }
        }
    }
    A[2][2] = dim > 2 ? A[2][2] : 1;
    A[1][1] = dim > 1 ? A[1][1] : 1;
    *distance = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    const double det = A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
                       A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
                       A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
    for (int c = 0; c < dim; c++) { // Cramer's rule; A is symmetric
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        const double step = (b[c] * (A[p][p] * A[q][q] - A[p][q] * A[q][p]) +
                             b[p] * (A[p][q] * A[q][c] - A[p][c] * A[q][q]) +
                             b[q] * (A[p][c] * A[q][p] - A[p][p] * A[q][c])) /
                            det;
        at[c] += step;
        size = fmax(size, fabs(step));
    }
    return det > 0 ? size : (double)NAN;
}

bool gos__mesh_inside(const gos_mesh *m, int cell, const double x[3], double off, double at[3]) {
    int k;
    const gos_cell_block *b = gos__mesh_cell(m, cell, &k);
    const gos_cell_kind *kind = &gos__cell_kind[b->shape];
    double node[GOS_CELL_NODES][3], N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], size, distance = 0;
    for (int i = 0; i < kind->nodes; i++) {
        memcpy(node[i], m->x[b->node[(size_t)k * kind->nodes + i]], sizeof node[i]);
    }
    if (kind->dim < 1 || !in_box(node, kind->nodes, x, off, &size)) {
        return false;
    }
    const bool box = kind->corners == 1 << kind->dim;
    at[0] = at[1] = box ? 0 : 0.25;
    at[2] = box || kind->dim < 3 || kind->corners == 6 ? 0 : 0.25;
    double step = 1;
    for (int i = 0; i < MAX_ITERATIONS && step > 1e-13; i++) {
        gos__shape(b->shape, at, N, dN);
        step = improve(kind->dim, kind->nodes, node, N, dN, x, at, &distance);
    }
    return step <= INSIDE_TOLERANCE && outside(b->shape, at) <= INSIDE_TOLERANCE &&
           distance <= off + INSIDE_TOLERANCE * size;
}
