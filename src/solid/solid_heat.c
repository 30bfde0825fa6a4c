/* Temperature-dependent conduction and capacity per cell, beyond the reference: q_i = -int (k(T) -
 * k(0)) grad N_i . grad T - int rho (c(T) - c(0)) N_i T'. */
#include <math.h>

#include "solid/solid.h"
#include "math/vec3.h"

#define CONDUCTIVITY 2 // of gos__material_table
#define SPECIFIC_HEAT 3
#define ALIKE 1e-13

/* points of a cell */
typedef struct points {
    int n;               // nodes
    int ng[2];           // conduction, capacity
    double *w[2], *N[2]; // (ng), (ng, n)
    double *grad;        // (ng[0], n, 3)
} points;

typedef struct warm_cell {
    const gos_material *m;
    const points *p;
} warm_cell;

static double change(const gos_material *m, int table, double T, double *slope) {
    *slope = 0;
    return m->over[table]
               ? gos__timefn_at(m->over[table], 0, &T, slope) - gos__material_value(m, table, 0)
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
        const double more = p->w[0][g] * change(k->m, CONDUCTIVITY, sum_of(n, N, io->th), &slope);
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
        const double more = w * change(k->m, SPECIFIC_HEAT, sum_of(n, N, io->th), &slope);
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

/* int rho int_0^T (c - c(0)) dT */
static double holds(const gos_item *it, const double *th) {
    const warm_cell *k = it->par;
    const points *p = k->p;
    const gos_timefn *c = k->m->over[SPECIFIC_HEAT];
    const double c0 = gos__material_value(k->m, SPECIFIC_HEAT, 0);
    double sum = 0;
    for (int g = 0; g < p->ng[1]; g++) {
        const double T = sum_of(p->n, p->N[1] + (size_t)g * (size_t)p->n, th);
        sum += p->w[1][g] * k->m->density * (gos__timefn_integral(c, 0, T) - c0 * T);
    }
    return sum;
}

static const gos_item_type type = {.name = "heat of a cell", .eval = eval, .holds = holds};

/* ---- making them ----------------------------------------------------------------------------- */

static gos_status make_points(gos_arena *a, const gos_solid *c, const gos_solid_block *b, int e,
                              points *p) {
    *p = (points){.n = b->nodes};
    for (int use = 0; use < 2; use++) {
        gos_rule rule;
        gos__rule(b->shape, use ? GOS_RULE_MASS : GOS_RULE_STIFFNESS, &rule);
        const size_t all = (size_t)rule.n * (size_t)p->n;
        p->ng[use] = rule.n;
        p->w[use] = GOS_NEW(a, double, rule.n);
        p->N[use] = GOS_NEW(a, double, all);
        p->grad = use ? p->grad : GOS_NEW(a, double, 3 * all);
        GOS_TRY(p->w[use] && p->N[use] && p->grad ? GOS_OK : GOS_E_MEMORY);
        for (int g = 0; g < rule.n; g++) {
            gos_solid_point at;
            gos__solid_point(c, b, e, rule.at[g], &at);
            p->w[use][g] = rule.weight[g] * at.det;
            memcpy(p->N[use] + (size_t)g * (size_t)p->n, at.N, (size_t)p->n * sizeof(double));
            for (int i = 0; i < 3 * p->n && use == 0; i++) {
                p->grad[3 * (size_t)g * (size_t)p->n + (size_t)i] = at.grad[i / 3][i % 3];
            }
        }
    }
    return GOS_OK;
}

static bool alike(const gos_solid *c, const gos_solid_block *b, int one, int e) {
    const int *m = b->node + (size_t)one * (size_t)b->nodes,
              *n = b->node + (size_t)e * (size_t)b->nodes;
    double d[3], most = 0, size = 0;
    gos__sub3(c->x[n[0]], c->x[m[0]], d);
    for (int i = 0; i < 3 * b->nodes; i++) {
        const int k = i / 3, q = i % 3;
        most = fmax(most, fabs(c->x[n[k]][q] - c->x[m[k]][q] - d[q]));
        size = fmax(size, fabs(c->x[m[k]][q] - c->x[m[0]][q]));
    }
    return most <= ALIKE * size;
}

static gos_status add_cell(gos_builder *b, const gos_body *body, const char *object,
                           const warm_cell *k, const int *node) {
    gos_item it = {.type = &type,
                   .par = k,
                   .name = object,
                   .loc = body->loc,
                   .ntm = k->p->n,
                   .stores_heat = k->m->over[SPECIFIC_HEAT] != NULL};
    double *one = GOS_NEW(b->arena, double, 1);
    int *idx = GOS_NEW(b->arena, int, k->p->n);
    it.tm = GOS_NEW(b->arena, gos_tmarker, k->p->n);
    GOS_TRY(one && idx && it.tm ? GOS_OK : GOS_E_MEMORY);
    *one = 1;
    for (int i = 0; i < k->p->n; i++) {
        idx[i] = body->t0 + node[i];
        it.tm[i] = (gos_tmarker){.n = 1, .idx = &idx[i], .w = one};
    }
    return gos__add_item(b, &it, NULL);
}

gos_status gos__solid_add_heat(gos_builder *b, const gos_body *body, const char *object) {
    const gos_solid *c = body->par;
    for (int i = 0; i < c->nblock && body->nfam > 0; i++) {
        const gos_solid_block *block = &c->block[i];
        const gos_material *m = c->part[block->part].material;
        warm_cell *k = NULL;
        int made = 0;
        for (int e = 0; e < block->n && (m->over[CONDUCTIVITY] || m->over[SPECIFIC_HEAT]); e++) {
            if (!k || !alike(c, block, made, e)) {
                points *p = GOS_NEW(b->arena, points, 1);
                k = GOS_NEW(b->arena, warm_cell, 1);
                GOS_TRY(p && k ? make_points(b->arena, c, block, e, p) : GOS_E_MEMORY);
                *k = (warm_cell){m, p};
                made = e;
            }
            GOS_TRY(add_cell(b, body, object, k, block->node + (size_t)e * (size_t)block->nodes));
        }
    }
    return GOS_OK;
}
