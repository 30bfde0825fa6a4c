/* *TIE: projection of nodes onto faces. *DISTRIBUTING: area shares. */
#include "deck/fe_ties.h"

#include <math.h>

#define POSITION_TOLERANCE 0.025 // default of CalculiX, in element sizes
#define STEPS 20                 // Newton iterations

/* or (shells) a cell */
typedef struct face {
    gos_cell_shape shape;
    int n, node[GOS_CELL_NODES];
    double x[GOS_CELL_NODES][3];
    double low[3], high[3], size;
} face;

static void face_of(const gos_deck *d, const gos_deck_faces *faces, int i, face *f) {
    const gos_mesh *m = d->mesh;
    int at;
    const gos_cell_block *b = gos__mesh_cell(m, faces->cell[i], &at);
    const gos_cell_kind *kind = &gos__cell_kind[b->shape];
    const int side = faces->face ? faces->face[i] : -1;
    f->shape = side >= 0 ? kind->side[side] : b->shape;
    f->n = gos__cell_kind[f->shape].nodes;
    if (side >= 0) {
        gos__mesh_side(m, faces->cell[i], side, f->node);
    } else {
        memcpy(f->node, b->node + (size_t)at * kind->nodes, (size_t)f->n * sizeof *f->node);
    }
    f->size = 0;
    for (int k = 0; k < 3 * f->n; k++) {
        const double x = m->x[f->node[k / 3]][k % 3];
        f->x[k / 3][k % 3] = x;
        f->low[k % 3] = k < 3 ? x : fmin(f->low[k % 3], x);
        f->high[k % 3] = k < 3 ? x : fmax(f->high[k % 3], x);
    }
    for (int c = 0; c < 3; c++) {
        f->size = fmax(f->size, f->high[c] - f->low[c]);
    }
}

static void clamp(gos_cell_shape shape, double at[3]) {
    const gos_cell_kind *kind = &gos__cell_kind[shape];
    if (kind->dim == 2 && kind->corners == 3) {
        const double over = fmax(0, at[0]) + fmax(0, at[1]) - 1;
        for (int c = 0; c < 2; c++) {
            at[c] = fmax(0, at[c]);
            at[c] = over > 0 ? fmin(1, fmax(0, at[c] - over / 2)) : at[c];
        }
        return;
    }
    for (int c = 0; c < kind->dim; c++) {
        at[c] = fmin(1, fmax(-1, at[c]));
    }
}

/* Gauss-Newton projection of p; returns the distance */
static double project(const face *f, const double p[3], double N[GOS_CELL_NODES]) {
    const int dim = gos__cell_kind[f->shape].dim;
    const bool triangle = dim == 2 && gos__cell_kind[f->shape].corners == 3;
    double at[3] = {triangle ? 1.0 / 3 : 0, triangle ? 1.0 / 3 : 0, 0}, gap = 0;
    for (int step = 0; step <= STEPS; step++) {
        double dN[GOS_CELL_NODES][3], r[3], J[2][3] = {{0}};
        gos__shape(f->shape, at, N, dN);
        memcpy(r, p, sizeof r);
        for (int k = 0; k < 3 * f->n; k++) {
            r[k % 3] -= N[k / 3] * f->x[k / 3][k % 3];
            J[0][k % 3] += dN[k / 3][0] * f->x[k / 3][k % 3];
            J[1][k % 3] += dN[k / 3][1] * f->x[k / 3][k % 3];
        }
        gap = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        double a = 0, b = 0, c = 0, u = 0, v = 0;
        for (int k = 0; k < 3; k++) {
            a += J[0][k] * J[0][k];
            b += J[0][k] * J[1][k];
            c += J[1][k] * J[1][k];
            u += J[0][k] * r[k];
            v += J[1][k] * r[k];
        }
        const double det = dim == 2 ? a * c - b * b : a;
        if (step == STEPS || !(det > 0)) {
            break;
        }
        at[0] += dim == 2 ? (c * u - b * v) / det : u / det;
        at[1] += dim == 2 ? (a * v - b * u) / det : 0;
        clamp(f->shape, at);
    }
    return gap;
}

void gos__deck_follow(const gos_deck *deck, const gos_deck_tie *tie, int node,
                      gos_deck_follow *to) {
    const gos_deck_surface *s = &deck->surface[tie->independent];
    const double *p = deck->mesh->x[node];
    double best = HUGE_VAL;
    to->n = 0;
    for (int i = 0; i < s->faces.n; i++) {
        face f;
        double N[GOS_CELL_NODES];
        face_of(deck, &s->faces, i, &f);
        const double reach = tie->tolerance > 0 ? tie->tolerance : POSITION_TOLERANCE * f.size;
        bool near = true;
        for (int c = 0; c < 3; c++) {
            near = near && p[c] >= f.low[c] - reach && p[c] <= f.high[c] + reach;
        }
        const double gap = near ? project(&f, p, N) : HUGE_VAL;
        if (gap <= reach && gap < best) {
            best = gap;
            to->n = f.n;
            to->gap = gap / f.size;
            memcpy(to->node, f.node, sizeof to->node);
            memcpy(to->weight, N, sizeof to->weight);
        }
    }
}

/* ---- shares ---------------------------------------------------------------------------------- */

static int find(int n, const int *node, int wanted) {
    int low = 0, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (node[middle] < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < n && node[low] == wanted ? low : -1;
}

void gos__deck_shares(const gos_deck *deck, int surface, int n, const int *node, double *share) {
    const gos_deck_surface *s = &deck->surface[surface];
    double sum = 0;
    for (int i = 0; i < n; i++) {
        share[i] = s->of_nodes ? 1 : 0;
    }
    for (int i = 0; i < s->faces.n && !s->of_nodes; i++) {
        face f;
        gos_rule rule;
        face_of(deck, &s->faces, i, &f);
        gos__rule(f.shape, GOS_RULE_MASS, &rule);
        for (int g = 0; g < rule.n; g++) {
            double N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], normal[3];
            gos__shape(f.shape, rule.at[g], N, dN);
            const double area = rule.weight[g] * gos__shape_normal(gos__cell_kind[f.shape].dim, f.n,
                                                                   f.x, dN, normal);
            for (int k = 0; k < f.n; k++) {
                const int at = find(n, node, f.node[k]);
                share[at < 0 ? 0 : at] += at < 0 ? 0 : area * N[k];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        sum += share[i];
    }
    for (int i = 0; i < n; i++) {
        share[i] /= sum;
    }
}
