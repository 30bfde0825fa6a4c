/* Temperature-dependent conduction and capacity of a cell, beyond those of the matrices at the
 * temperature T0: q_i = -int (k(T) - k(T0)) grad N_i . grad T - int rho (c(T) - c(T0)) N_i T'. */
#include "solid/cell_heat.h"

#include <math.h>

#include "math/vec3.h"

#define CONDUCTIVITY 2 // of gos__material_table
#define SPECIFIC_HEAT 3
#define EQUAL_TOLERANCE 1e-13

/* points of a cell */
struct gos_cell_points {
    int n;               // nodes
    int ng[2];           // conduction, capacity
    double *w[2], *N[2]; // (ng), (ng, n)
    double *grad;        // (ng[0], n, 3)
};

typedef gos_cell_points points;

typedef struct warm_cell {
    const gos_material *m;
    const points *p;
    double T0; // of the matrices, above the reference [K]
} warm_cell;

static double change(const warm_cell *k, int table, double T, double *slope) {
    const gos_material *m = k->m;
    *slope = 0;
    return m->over[table]
               ? gos__timefn_at(m->over[table], 0, &T, slope) - gos__material_value(m, table, k->T0)
               : 0;
}

static double sum_of(int n, const double *N, const double *x) {
    double sum = 0;
    for (int i = 0; i < n && x; i++) {
        sum += N[i] * x[i];
    }
    return sum;
}

static void conduct(const warm_cell *k, const gos_item_io *io) {
    const points *p = k->p;
    const int n = p->n;
    for (int g = 0; g < p->ng[0]; g++) {
        const double *N = p->N[0] + (size_t)g * (size_t)n,
                     *grad = p->grad + 3 * (size_t)g * (size_t)n;
        double slope, dT[3] = {0, 0, 0};
        const double more = p->w[0][g] * change(k, CONDUCTIVITY, sum_of(n, N, io->th), &slope);
        for (int i = 0; i < 3 * n; i++) {
            dT[i % 3] += grad[i] * io->th[i / 3];
        }
        for (int i = 0; i < n; i++) {
            const double along = gos__dot3(grad + 3 * i, dT);
            if (io->heat) {
                io->heat[i] -= more * along;
            }
            for (int j = 0; j < n && io->heat_th; j++) {
                io->heat_th[i * n + j] -= more * gos__dot3(grad + 3 * i, grad + 3 * j) +
                                          p->w[0][g] * slope * along * N[j];
            }
        }
    }
}

static void warm(const warm_cell *k, const gos_item_io *io) {
    const points *p = k->p;
    const int n = p->n;
    for (int g = 0; g < p->ng[1]; g++) {
        const double *N = p->N[1] + (size_t)g * (size_t)n, w = p->w[1][g] * k->m->density;
        double slope;
        const double more = w * change(k, SPECIFIC_HEAT, sum_of(n, N, io->th), &slope);
        const double rate = sum_of(n, N, io->thd);
        for (int i = 0; i < n; i++) {
            if (io->heat) {
                io->heat[i] -= more * N[i] * rate;
            }
            for (int j = 0; j < n && io->heat_th; j++) {
                io->heat_th[i * n + j] -= w * slope * N[i] * N[j] * rate;
            }
            for (int j = 0; j < n && io->heat_thd; j++) {
                io->heat_thd[i * n + j] -= more * N[i] * N[j];
            }
        }
    }
}

static void eval(const gos_item *it, const gos_item_io *io) {
    const warm_cell *k = it->par;
    if (k->m->over[CONDUCTIVITY]) {
        conduct(k, io);
    }
    if (it->stores_heat) {
        warm(k, io);
    }
}

/* int rho int_0^T (c - c(T0)) dT */
static double holds(const gos_item *it, const double *th) {
    const warm_cell *k = it->par;
    const points *p = k->p;
    const gos_timefn *c = k->m->over[SPECIFIC_HEAT];
    const double c0 = gos__material_value(k->m, SPECIFIC_HEAT, k->T0);
    double sum = 0;
    for (int g = 0; g < p->ng[1]; g++) {
        const double T = sum_of(p->n, p->N[1] + (size_t)g * (size_t)p->n, th);
        sum += p->w[1][g] * k->m->density * (gos__timefn_integral(c, 0, T) - c0 * T);
    }
    return sum;
}

static const gos_item_type type = {.name = "heat of a cell", .eval = eval, .holds = holds};

/* ---- making them ----------------------------------------------------------------------------- */

static gos_status make_points(gos_arena *a, gos_cell_shape shape, double (*x)[3], points *p) {
    *p = (points){.n = gos__cell_kind[shape].nodes};
    for (int use = 0; use < 2; use++) {
        gos_rule rule;
        gos__rule(shape, use ? GOS_RULE_MASS : GOS_RULE_STIFFNESS, &rule);
        const size_t all = (size_t)rule.n * (size_t)p->n;
        p->ng[use] = rule.n;
        p->w[use] = GOS_NEW(a, double, rule.n);
        p->N[use] = GOS_NEW(a, double, all);
        p->grad = use ? p->grad : GOS_NEW(a, double, 3 * all);
        GOS_TRY(p->w[use] && p->N[use] && p->grad ? GOS_OK : GOS_E_MEMORY);
        for (int g = 0; g < rule.n; g++) {
            double N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], grad[GOS_CELL_NODES][3];
            gos__shape(shape, rule.at[g], N, dN);
            const double det = gos__shape_gradient(3, p->n, x, dN, grad);
            p->w[use][g] = rule.weight[g] * det;
            memcpy(p->N[use] + (size_t)g * (size_t)p->n, N, (size_t)p->n * sizeof(double));
            for (int i = 0; i < 3 * p->n && use == 0; i++) {
                p->grad[3 * (size_t)g * (size_t)p->n + (size_t)i] = grad[i / 3][i % 3];
            }
        }
    }
    return GOS_OK;
}

/* a translated copy of the last cell? */
static bool alike(const gos_cell_heat *k, gos_cell_shape shape, double (*x)[3]) {
    double d[3], most = 0, size = 0;
    if (!k->points || k->shape != shape) {
        return false;
    }
    gos__sub3(x[0], k->x[0], d);
    for (int i = 0; i < 3 * k->points->n; i++) {
        most = fmax(most, fabs(x[i / 3][i % 3] - k->x[i / 3][i % 3] - d[i % 3]));
        size = fmax(size, fabs(k->x[i / 3][i % 3] - k->x[0][i % 3]));
    }
    return most <= EQUAL_TOLERANCE * size;
}

bool gos__cell_heat_varies(const gos_material *m) {
    return m->over[CONDUCTIVITY] || m->over[SPECIFIC_HEAT];
}

gos_status gos__cell_heat_add(gos_builder *b, gos_cell_heat *k, gos_cell_shape shape,
                              double (*x)[3], const int *temperature) {
    if (!alike(k, shape, x)) {
        points *p = GOS_NEW(b->arena, points, 1);
        warm_cell *cell = GOS_NEW(b->arena, warm_cell, 1);
        GOS_TRY(p && cell ? make_points(b->arena, shape, x, p) : GOS_E_MEMORY);
        *cell = (warm_cell){k->material, p, k->T0};
        k->points = p;
        k->par = cell;
        k->shape = shape;
        memcpy(k->x, x, (size_t)p->n * sizeof *x);
    }
    const int n = k->points->n;
    gos_item it = {.type = &type,
                   .par = k->par,
                   .name = k->object,
                   .loc = k->loc,
                   .ntm = n,
                   .stores_heat = k->material->over[SPECIFIC_HEAT] != NULL};
    double *one = GOS_NEW(b->arena, double, 1);
    int *idx = GOS_NEW(b->arena, int, n);
    it.tm = GOS_NEW(b->arena, gos_tmarker, n);
    GOS_TRY(one && idx && it.tm ? GOS_OK : GOS_E_MEMORY);
    *one = 1;
    memcpy(idx, temperature, (size_t)n * sizeof *idx);
    for (int i = 0; i < n; i++) {
        it.tm[i] = (gos_tmarker){.n = 1, .idx = &idx[i], .w = one};
    }
    return gos__add_item(b, &it, NULL);
}
