/* Axial force of a cable from element equilibrium; membrane locking makes EA eps wrong by any
 * factor in thin cables. The nodal force F_e = int sigma_1 N' + sigma_2 N'' ds, N' = 6 xi (1 -
 * xi)/h, balances all loads and inertia and is the force at the element's centre. It varies
 * linearly; the slope is the mean of the differences to both neighbours, or the smaller one if
 * dissimilar (beside a loaded node). */
#include "line/cable_balance.h"

#include <math.h>

#include "line/cable_points.h"
#include "math/gauss.h"
#include "math/vec3.h"

#define L GOS_LANES
#define MAX_ELEMENTS 3 // the element and its neighbours
#define POINTS 5       // Gauss points, one per lane

/* one quadrature of an element */
typedef struct block {
    const gos_cable_par *par;
    int n;
    double shape[POINTS][2][4], weight[POINTS], at[POINTS];
    double ref[GOS_CABLE_REF * L];
} block;

typedef struct balance {
    int n, own; // elements; the one at the location
    double xi;  // in that element
    int nblock;
    block block[MAX_ELEMENTS][2];
} balance;

static void fill_block(const gos_body *body, int e, const gos_cable_par *par, int ng, block *b) {
    const gos_cable *c = body->par;
    double x[8], w[8], ref[GOS_CABLE_REF], shape[3][4];
    *b = (block){.par = par, .n = ng};
    gos__gauss(ng, x, w);
    for (int g = 0; g < L; g++) { // idle lanes repeat the first point
        const int from = g < ng ? g : 0;
        const gos_location at = {.body = body, .node = -1, .face = -1, .s = (e + x[from]) * c->h};
        gos__cable_reference(body, &at, ref);
        for (int i = 0; i < body->law->nref; i++) {
            b->ref[i * L + g] = ref[i];
        }
        if (g < ng) {
            const double j = gos__cable_shapes(c, e, x[g], shape);
            memcpy(b->shape[g], shape[1], sizeof b->shape[g]);
            b->weight[g] = c->h * w[g] * j;
            b->at[g] = x[g];
        }
    }
}

static gos_status take_markers(gos_builder *b, const gos_body *body, int first, int nodes,
                               gos_balance *to) {
    const double one = 1;
    to->tm = GOS_NEW(b->arena, gos_tmarker, nodes * body->nfam + 1);
    GOS_TRY(to->tm ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < 2 * nodes; k++) {
        const int at = body->v0 + 2 * first + k;
        GOS_TRY(gos__marker_make(b->arena, 1, &at, &one, NULL, &to->m[k]));
    }
    for (int k = 0; k < nodes * body->nfam; k++) {
        const int at = body->t0 + first * body->nfam + k;
        GOS_TRY(gos__tmarker_make(b->arena, 1, &at, &one, &to->tm[k]));
    }
    to->nm = 2 * nodes;
    to->ntm = nodes * body->nfam;
    return GOS_OK;
}

gos_status gos__cable_balance(gos_builder *b, const gos_body *body, const gos_location *p,
                              gos_balance *to) {
    const gos_cable *c = body->par;
    balance *f = gos__arena_alloc(b->arena, 1, sizeof *f);
    GOS_TRY(f ? GOS_OK : GOS_E_MEMORY);
    double xi;
    const int e = gos__cable_element(c, p->s, &xi);
    const int first = e > 0 ? e - 1 : 0, last = e + 1 < c->ne ? e + 1 : e;
    f->xi = xi;
    f->n = last - first + 1;
    f->own = e - first;
    f->nblock = c->reduced ? 2 : 1;
    for (int i = 0; i < f->n; i++) {
        if (c->reduced) {
            fill_block(body, first + i, &c->axial, 2, &f->block[i][0]);
            fill_block(body, first + i, &c->bending, POINTS, &f->block[i][1]);
        } else {
            fill_block(body, first + i, &c->par, POINTS, &f->block[i][0]);
        }
    }
    to->data = f;
    return take_markers(b, body, first, f->n + 1, to);
}

typedef struct lanes {
    _Alignas(64) double z[9 * L];
    _Alignas(64) double zd[9 * L];
    _Alignas(64) double th[GOS_FAMILIES * L];
    _Alignas(64) double ref[GOS_CABLE_REF * L];
    _Alignas(64) double mem[12 * L];
    _Alignas(64) double sigma[9 * L];
} lanes;

static void fill_lanes(const gos_body *body, const block *b, int i, const gos_balance_state *s,
                       lanes *to) {
    const gos_law *law = body->law;
    memcpy(to->ref, b->ref, sizeof to->ref);
    for (int g = 0; g < L; g++) {
        const int from = g < b->n ? g : 0;
        for (int k = 0; k < 6; k++) {
            double x = 0, v = 0;
            for (int a = 0; a < 4; a++) {
                const double w = b->shape[from][k / 3][a];
                x += w * s->x[3 * (2 * i + a) + k % 3];
                v += w * s->v[3 * (2 * i + a) + k % 3];
            }
            to->z[k * L + g] = x;
            to->zd[k * L + g] = v;
        }
        for (int k = 6; k < 3 * law->nz; k++) { // vector that rotates with a body
            to->z[k * L + g] = s->z[k];
            to->zd[k * L + g] = 0;
        }
        for (int k = 0; k < body->nfam; k++) {
            to->th[k * L + g] = (1 - b->at[from]) * s->th[i * body->nfam + k] +
                                b->at[from] * s->th[(i + 1) * body->nfam + k];
        }
        for (int k = 0; s->mem && k < law->nmem; k++) {
            to->mem[k * L + g] = s->mem[k];
        }
    }
}

/* Adds the nodal force of one quadrature and its change along the element. */
static void add_force(const gos_body *body, const block *b, int i, const gos_balance_state *s,
                      double F[3], double odd[3]) {
    const gos_cable *c = body->par;
    lanes l;
    fill_lanes(body, b, i, s, &l);
    const gos_batch batch = {.z = l.z,
                             .zd = l.zd,
                             .th = body->nfam ? l.th : NULL,
                             .ref = l.ref,
                             .mem = s->mem ? l.mem : NULL,
                             .sigma = l.sigma};
    body->law->resultants(b->par, body->nfam, &batch);
    for (int g = 0; g < b->n; g++) {
        const double(*N)[4] = b->shape[g];
        for (int k = 0; k < 3; k++) {
            const double p = l.sigma[k * L + g], q = l.sigma[(3 + k) * L + g];
            F[k] += b->weight[g] * (p * N[0][2] + q * N[1][2]);
            odd[k] += b->weight[g] / c->h * (p * (N[0][3] - N[0][1]) + q * (N[1][3] - N[1][1]));
        }
    }
}

/* Change of the force along an element, from its neighbours if any. */
static void slope_of(const balance *f, double F[MAX_ELEMENTS][3], const double odd[3],
                     double D[3]) {
    double d[2][3], mean[3], apart[3];
    const int o = f->own;
    if (f->n == 1) {
        for (int k = 0; k < 3; k++) {
            D[k] = 6 * odd[k];
        }
        return;
    }
    gos__sub3(F[o], F[o > 0 ? o - 1 : o], d[0]);
    gos__sub3(F[o + 1 < f->n ? o + 1 : o], F[o], d[1]);
    if (o == 0 || o + 1 == f->n) { // end element
        memcpy(D, d[o == 0], sizeof d[0]);
        return;
    }
    gos__sub3(d[1], d[0], apart);
    const double a = gos__norm3(d[0]), b = gos__norm3(d[1]);
    for (int k = 0; k < 3; k++) {
        mean[k] = 0.5 * (d[0][k] + d[1][k]);
    }
    memcpy(D, gos__norm3(apart) <= 0.5 * (a + b) ? mean : d[a <= b ? 0 : 1], sizeof d[0]);
}

double gos__cable_balanced(const gos_body *b, const void *data, const gos_balance_state *s,
                           double *strain, double *force) {
    const balance *f = data;
    const gos_cable *c = b->par;
    double F[MAX_ELEMENTS][3] = {{0}}, odd[MAX_ELEMENTS][3] = {{0}}, D[3], N = 0;
    for (int i = 0; i < f->n; i++) {
        for (int k = 0; k < f->nblock; k++) {
            add_force(b, &f->block[i][k], i, s, F[i], odd[i]);
        }
    }
    slope_of(f, F, odd[f->own], D);
    for (int k = 0; k < 3; k++) { // the law's force is along r'
        N += (F[f->own][k] + (f->xi - 0.5) * D[k]) * s->z[k];
    }
    N /= gos__dot3(s->z, s->z);
    const double EA = c->own ? s->ref[b->law->nref - GOS_CABLE_OWN + 2] : c->par.EA;
    strain[0] += (N - force[0]) / EA;
    force[0] = N;
    return 0;
}
