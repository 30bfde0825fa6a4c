#include "fe/layer.h"

#define COMPS 6 // freedoms per shell node
#define HEATS 2

/* temperatures refer to the shell's own middle */
static double heat_offset(const gos_fe_part *layer) {
    return layer->follows ? layer->offset : 0;
}

void gos__fe_layer_location(const gos_fe_part *layer, int nodes, const double *director,
                            double *x) {
    for (int k = 0; k < GOS_FE_LANES * 3 * nodes; k++) {
        x[k] += layer->offset * director[k];
    }
}

void gos__fe_layer_values(const gos_fe_part *layer, const gos_fe_cell *cell, double *u, double *t) {
    for (int k = 0; k < cell->nodes; k++) {
        const double *n = cell->director[k], *turn = u + COMPS * k + 3;
        for (int c = 0; c < 3; c++) {
            const int p = (c + 1) % 3, q = (c + 2) % 3;
            u[COMPS * k + c] += layer->offset * (turn[p] * n[q] - turn[q] * n[p]);
        }
        t[HEATS * k] += heat_offset(layer) * t[HEATS * k + 1];
    }
}

void gos__fe_layer_derivatives(const gos_fe_part *layer, const gos_fe_cell *cell, double *by_u,
                               double *by_t) {
    for (int k = 0; k < cell->nodes; k++) {
        const double *n = cell->director[k], *moved = by_u + (size_t)COMPS * k;
        double *turn = by_u + (size_t)COMPS * k + 3;
        for (int c = 0; c < 3; c++) {
            const int p = (c + 1) % 3, q = (c + 2) % 3;
            turn[p] += layer->offset * n[q] * moved[c];
            turn[q] -= layer->offset * n[p] * moved[c];
        }
        by_t[HEATS * k + 1] += heat_offset(layer) * by_t[HEATS * k];
    }
}

/* a matrix in lanes */
typedef struct matrix {
    double *a;
    int rows, columns;
} matrix;

/* mirror the upper triangle */
static void fill(const matrix *m) {
    for (int i = 0; i < m->rows; i++) {
        for (int j = 0; j < i; j++) {
            memcpy(m->a + GOS_FE_LANES * (i * m->columns + j),
                   m->a + GOS_FE_LANES * (j * m->columns + i), GOS_FE_LANES * sizeof *m->a);
        }
    }
}

/* row or column `to` += factor times `from` */
static void add(const matrix *m, bool row, int to, int from, const double *factor, double sign) {
    const int n = row ? m->columns : m->rows, by = row ? 1 : m->columns;
    const int step = row ? m->columns : 1;
    for (int i = 0; i < n; i++) {
        double *a = m->a + GOS_FE_LANES * (to * step + i * by);
        const double *b = m->a + GOS_FE_LANES * (from * step + i * by);
        for (int l = 0; l < GOS_FE_LANES; l++) {
            a[l] += sign * factor[l] * b[l];
        }
    }
}

/* rotation e_a displaces the layer by o e_a x n */
static void shift_moves(const matrix *m, bool row, int nodes, double o, const double *director) {
    for (int k = 0; k < nodes; k++) {
        const double *n = director + (size_t)GOS_FE_LANES * 3 * k;
        for (int a = 0; a < 3; a++) {
            const int p = (a + 1) % 3, q = (a + 2) % 3, turn = COMPS * k + 3 + a;
            add(m, row, turn, COMPS * k + q, n + GOS_FE_LANES * p, o);
            add(m, row, turn, COMPS * k + p, n + GOS_FE_LANES * q, -o);
        }
    }
}

static void shift_heats(const matrix *m, bool row, int nodes, double o) {
    static const double one[GOS_FE_LANES] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int k = 0; k < nodes; k++) {
        add(m, row, HEATS * k + 1, HEATS * k, one, o);
    }
}

void gos__fe_layer_shift(const gos_fe_part *layer, int nodes, const double *director,
                         gos_fe_local *local) {
    const double o = layer->offset, heat = heat_offset(layer);
    const int nd = COMPS * nodes, nt = HEATS * nodes;
    double *const stiff[] = {local->K, local->G}, *const warm[] = {local->C, local->conduct};
    for (int i = 0; i < 2; i++) {
        if (stiff[i]) {
            const matrix m = {stiff[i], nd, nd};
            fill(&m);
            shift_moves(&m, true, nodes, o, director);
            shift_moves(&m, false, nodes, o, director);
        }
        if (warm[i]) {
            const matrix m = {warm[i], nt, nt};
            fill(&m);
            shift_heats(&m, true, nodes, heat);
            shift_heats(&m, false, nodes, heat);
        }
    }
    if (local->couple) {
        const matrix m = {local->couple, nd, nt};
        shift_moves(&m, true, nodes, o, director);
        shift_heats(&m, false, nodes, heat);
    }
    for (int k = 0; k < GOS_FE_LANES * nodes * nodes; k++) {
        const double moment = local->moment ? local->moment[k] : 0;
        if (local->rotary) {
            local->rotary[k] += o * (2 * moment + o * local->mass[k]);
        }
        if (local->moment) {
            local->moment[k] += o * local->mass[k];
        }
    }
}
