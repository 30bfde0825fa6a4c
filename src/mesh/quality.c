/* Cell and side sizes, and cell shape quality from Jacobian determinants at quadrature points. */
#include "mesh/quality.h"
#include "mesh/shapes.h"

#include <math.h>

/* a cell or side in space */
typedef struct piece {
    gos_cell_shape shape;
    double x[GOS_CELL_NODES][3];
} piece;

static void take(const gos_mesh *m, gos_cell_shape shape, const int *node, piece *p) {
    p->shape = shape;
    for (int k = 0; k < gos__cell_kind[shape].nodes; k++) {
        memcpy(p->x[k], m->x[node[k]], sizeof p->x[k]);
    }
}

static bool is_flat(const gos_mesh *m) {
    for (int i = 1; i < m->nnode; i++) {
        if (m->x[i][2] != m->x[0][2]) {
            return false;
        }
    }
    return true;
}

/* lines: length; surfaces: area and normal; solids: determinant */
static double determinant(piece *p, const double at[3], double normal[3]) {
    const gos_cell_kind *kind = &gos__cell_kind[p->shape];
    double N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], grad[GOS_CELL_NODES][3];
    gos__shape(p->shape, at, N, dN);
    if (kind->dim == 3) {
        return gos__shape_gradient(3, kind->nodes, p->x, dN, grad);
    }
    if (kind->dim == 2) {
        return gos__shape_normal(2, kind->nodes, p->x, dN, normal);
    }
    double t[3] = {0};
    for (int k = 0; k < kind->nodes; k++) {
        for (int c = 0; c < 3; c++) {
            t[c] += dN[k][0] * p->x[k][c];
        }
    }
    return hypot(hypot(t[0], t[1]), t[2]);
}

/* size of a piece and its smallest determinant (1 for a natural cell); `up`: reference normal for
   surfaces, NULL: that at their middle */
static double measure(piece *p, const double up[3], double *smallest) {
    gos_rule rule;
    double reference[3] = {0}, normal[3], middle[3] = {0}, sum = 0, natural = 0;
    gos__rule(p->shape, GOS_RULE_MASS, &rule);
    *smallest = HUGE_VAL;
    for (int k = 0; k < rule.n; k++) {
        for (int c = 0; c < 3; c++) {
            middle[c] += rule.at[k][c] / rule.n;
        }
    }
    if (up) {
        memcpy(reference, up, sizeof reference);
    } else {
        (void)determinant(p, middle, reference);
    }
    for (int k = 0; k < rule.n; k++) {
        double det = determinant(p, rule.at[k], normal);
        if (gos__cell_kind[p->shape].dim == 2) {
            det *= normal[0] * reference[0] + normal[1] * reference[1] + normal[2] * reference[2];
        }
        sum += det * rule.weight[k];
        natural += rule.weight[k];
        *smallest = fmin(*smallest, det);
    }
    *smallest *= natural;
    return sum;
}

void gos__mesh_inspect(const gos_mesh *m, gos_mesh_quality *q) {
    static const double e_z[3] = {0, 0, 1};
    const double *up = is_flat(m) ? e_z : NULL;
    *q = (gos_mesh_quality){.least = HUGE_VAL, .worst = -1, .first = -1};
    for (int b = 0; b < m->nblock; b++) {
        const int dim = gos__cell_kind[m->block[b].shape].dim;
        q->dim = m->block[b].n > 0 && dim > q->dim ? dim : q->dim;
    }
    for (int b = 0; b < m->nblock; b++) {
        const gos_cell_block *block = &m->block[b];
        const gos_cell_kind *kind = &gos__cell_kind[block->shape];
        for (int i = 0; q->dim > 0 && kind->dim == q->dim && i < block->n; i++) {
            piece p;
            double smallest;
            take(m, block->shape, block->node + (size_t)i * kind->nodes, &p);
            const double size = measure(&p, up, &smallest);
            const double ratio = smallest > 0 ? smallest / size : smallest <= 0 ? -1 : 0;
            q->size += size;
            if (ratio < q->least) {
                q->least = ratio;
                q->worst = block->first + i;
            }
            if (!(smallest > 0)) {
                q->first = q->inverted == 0 ? block->first + i : q->first;
                q->inverted++;
            }
        }
    }
}

double gos__mesh_side_size(const gos_mesh *m, int cell, int side) {
    int node[GOS_CELL_SIDE_NODES], i;
    const gos_cell_block *b = gos__mesh_cell(m, cell, &i);
    piece p;
    double smallest;
    gos__mesh_side(m, cell, side, node);
    take(m, gos__cell_kind[b->shape].side[side], node, &p);
    return measure(&p, NULL, &smallest);
}
