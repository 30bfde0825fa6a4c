/* Membrane forces of bent plates from element equilibrium; membrane locking makes those of the law
 * wrong by any factor in thin plates. The forces on the nodes of an element, F_i = int sigma . grad
 * of the position functions, balance the loads there. f_d = sum F_i x_di / A is their mean force
 * across axis d. It varies linearly, by least squares to the neighbours; across a row of single
 * elements like the forces of the law. */
#include "plate/plate_balance.h"

#include <math.h>

#include "plate/plate_plies.h"
#include "math/vec3.h"

#define L GOS_LANES
#define NODES 12 // of an element and its neighbours
#define CELLS 5
#define MIN_NEIGHBOUR_SPREAD                                                                       \
    0.02 // sum of squared distances of neighbours over the area: none along that axis

/* The law's force is kept where locking is far below this fraction of it. */
#define SMALL 5e-4
/* Locking by a mean curvature and by its change in an element, over (k h)^4 and k dk h^2. Strips
 * under an end moment: 1.4e-3 to 1.9e-3; the second one is that of Hermite interpolation. */
#define BY_CURVATURE 1.8e-3
#define BY_CHANGE 0.024

/* An element of the patch and the points of its quadrature. */
typedef struct block {
    int n;
    int node[4];                    // in the patch
    double (*S)[5][12];             // z = S x (n)
    double (*N)[4];                 // bilinear (n)
    double *w;                      // weights [m^2] (n)
    double (*x)[2];                 // [m] (n)
    double corner[4][2], centre[2]; // [m]
    double area;                    // [m^2]
} block;

typedef struct patch {
    int n; // elements; the first one has the location
    double x[2];
    block block[CELLS];
} patch;

/* The law at the points of a block. */
typedef struct block_state {
    double sigma[GOS_PLATE_POINTS][15];
    double strain[GOS_PLATE_POINTS][6];
    double force[GOS_PLATE_POINTS][6];
} block_state;

/* At a location: force per length across each axis; membrane forces to add; the membrane force per
 * length that locking may cause by bending along each axis. */
typedef struct flux {
    double f[2][3];
    double more[3];
    double own[2];
    double error[2]; // of f: how far neighbours are off the linear function
} flux;

/* ---- patch ----------------------------------------------------------------------------------- */

/* number of common nodes */
static int shared(const int *a, const int *b) {
    int n = 0;
    for (int i = 0; i < 16; i++) {
        n += a[i / 4] == b[i % 4];
    }
    return n;
}

static gos_status fill_block(gos_builder *b, const gos_plate *c, int cell, block *to) {
    gos_plate_element e;
    gos_plate_point at[GOS_PLATE_POINTS];
    double S[6][12];
    gos__plate_element(c, cell, &e);
    to->n = gos__plate_rule(&e, false, at);
    to->S = gos__arena_alloc(b->arena, to->n, sizeof *to->S);
    to->N = gos__arena_alloc(b->arena, to->n, sizeof *to->N);
    to->x = gos__arena_alloc(b->arena, to->n, sizeof *to->x);
    to->w = GOS_NEW(b->arena, double, to->n);
    GOS_TRY(to->S && to->N && to->x && to->w ? GOS_OK : GOS_E_MEMORY);
    memcpy(to->corner, e.x, sizeof to->corner);
    for (int i = 0; i < to->n; i++) {
        gos__plate_shapes_at(&e, &at[i], S);
        memcpy(to->S[i], S[GOS_SHAPE_1], sizeof to->S[i]);
        gos__bilinear(at[i].xi, to->N[i], NULL);
        memcpy(to->x[i], at[i].x, sizeof to->x[i]);
        to->w[i] = at[i].w;
        to->area += at[i].w;
        to->centre[0] += at[i].w * at[i].x[0];
        to->centre[1] += at[i].w * at[i].x[1];
    }
    to->centre[0] /= to->area;
    to->centre[1] /= to->area;
    return GOS_OK;
}

/* elements that share a side, and their nodes */
static gos_status make_patch(gos_builder *b, const gos_body *body, const gos_location *p,
                             int node[NODES], int *nnode, patch *to) {
    const gos_plate *c = body->par;
    gos_plate_element e;
    gos_plate_point at;
    int cell[CELLS];
    (void)gos__plate_find(c, p->u[0], p->u[1], &e, &at);
    memcpy(to->x, p->u, sizeof to->x);
    cell[to->n++] = e.cell;
    for (int i = 0; i < c->ncell && to->n < CELLS; i++) {
        if (i != e.cell && shared(c->cell + 4 * (size_t)i, c->cell + 4 * (size_t)e.cell) == 2) {
            cell[to->n++] = i;
        }
    }
    for (int i = 0; i < 4 * to->n; i++) {
        const int one = c->cell[4 * cell[i / 4] + i % 4];
        int k = 0;
        while (k < *nnode && node[k] != one) {
            k++;
        }
        node[k] = one;
        *nnode += k == *nnode;
        to->block[i / 4].node[i % 4] = k;
    }
    for (int i = 0; i < to->n; i++) {
        GOS_TRY(fill_block(b, c, cell[i], &to->block[i]));
    }
    return GOS_OK;
}

gos_status gos__plate_balance(gos_builder *b, const gos_body *body, const gos_location *p,
                              gos_balance *to) {
    const double one = 1;
    int node[NODES], n = 0;
    patch *of = gos__arena_alloc(b->arena, 1, sizeof *of);
    GOS_TRY(of ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(make_patch(b, body, p, node, &n, of));
    to->tm = GOS_NEW(b->arena, gos_tmarker, n * body->nfam + 1);
    GOS_TRY(to->tm ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < 3 * n; k++) {
        const int at = body->v0 + 3 * node[k / 3] + k % 3;
        GOS_TRY(gos__marker_make(b->arena, 1, &at, &one, NULL, &to->m[k]));
    }
    for (int k = 0; k < n * body->nfam; k++) {
        const int at = body->t0 + node[k / body->nfam] * body->nfam + k % body->nfam;
        GOS_TRY(gos__tmarker_make(b->arena, 1, &at, &one, &to->tm[k]));
    }
    to->nm = 3 * n;
    to->ntm = n * body->nfam;
    to->data = of;
    return GOS_OK;
}

/* ---- law at the points of an element --------------------------------------------------------- */

typedef struct lanes {
    _Alignas(64) double z[15 * L];
    _Alignas(64) double zd[15 * L];
    _Alignas(64) double th[GOS_FAMILIES * L];
    _Alignas(64) double sigma[15 * L];
    _Alignas(64) double strain[6 * L];
    _Alignas(64) double force[6 * L];
} lanes;

static void fill_lane(const gos_body *body, const block *b, int i, const gos_balance_state *s,
                      int l, lanes *to) {
    for (int k = 0; k < 15; k++) {
        double x = 0, v = 0;
        for (int a = 0; a < 12; a++) {
            const int at = 3 * (3 * b->node[a / 3] + a % 3) + k % 3;
            x += b->S[i][k / 3][a] * s->x[at];
            v += b->S[i][k / 3][a] * s->v[at];
        }
        to->z[k * L + l] = x;
        to->zd[k * L + l] = v;
    }
    for (int k = 0; k < body->nfam; k++) {
        double T = 0;
        for (int a = 0; a < 4; a++) {
            T += b->N[i][a] * s->th[b->node[a] * body->nfam + k];
        }
        to->th[k * L + l] = T;
    }
}

static void evaluate(const gos_body *body, const block *b, const gos_balance_state *s,
                     block_state *to) {
    lanes w;
    const gos_batch batch = {
        .z = w.z, .zd = w.zd, .th = body->nfam ? w.th : NULL, .sigma = w.sigma};
    for (int from = 0; from < b->n; from += L) {
        for (int l = 0; l < L; l++) { // idle lanes repeat the last point
            fill_lane(body, b, from + l < b->n ? from + l : b->n - 1, s, l, &w);
        }
        body->law->resultants(body->law_par, body->nfam, &batch);
        body->law->strains(body->law_par, body->nfam, &batch, w.strain, w.force);
        for (int l = 0; l < L && from + l < b->n; l++) {
            for (int k = 0; k < 15; k++) {
                to->sigma[from + l][k] = w.sigma[k * L + l];
            }
            for (int k = 0; k < 6; k++) {
                to->strain[from + l][k] = w.strain[k * L + l];
                to->force[from + l][k] = w.force[k * L + l];
            }
        }
    }
}

/* Locking by bending along axis d, from the curvatures at the points. */
static double locking(const gos_body *body, const block *b, int d, const block_state *at) {
    const gos_plate *c = body->par;
    const double A = c->plies ? c->plies->par.C[d][d] : c->par.A;
    double low = HUGE_VAL, high = -HUGE_VAL, from = HUGE_VAL, to = -HUGE_VAL;
    for (int i = 0; i < b->n; i++) {
        low = fmin(low, at->strain[i][3 + d]);
        high = fmax(high, at->strain[i][3 + d]);
    }
    for (int i = 0; i < 4; i++) {
        from = fmin(from, b->corner[i][d]);
        to = fmax(to, b->corner[i][d]);
    }
    const double h = to - from, k = h * fmax(fabs(low), fabs(high));
    return A * (BY_CURVATURE * k * k * k * k + BY_CHANGE * k * h * (high - low));
}

/* ---- flux at the location -------------------------------------------------------------------- */

static void mean_flux(const block *b, const block_state *at, double f[2][3]) {
    memset(f, 0, 6 * sizeof(double));
    for (int i = 0; i < b->n; i++) {
        for (int k = 0; k < 15 * 4; k++) {
            const int v = k / 12, c = k / 4 % 3, a = k % 4;
            const double F = b->w[i] * b->S[i][v][3 * a] * at->sigma[i][3 * v + c] / b->area;
            f[0][c] += F * (b->corner[a][0] - b->centre[0]);
            f[1][c] += F * (b->corner[a][1] - b->centre[1]);
        }
    }
}

/* Slope of the law's membrane forces along the unit vector u. */
static void law_slope(const block *b, const block_state *at, const double u[2], double slope[3]) {
    double square = 0;
    memset(slope, 0, 3 * sizeof *slope);
    for (int i = 0; i < b->n; i++) {
        const double y = u[0] * (b->x[i][0] - b->centre[0]) + u[1] * (b->x[i][1] - b->centre[1]);
        square += b->w[i] * y * y;
        for (int k = 0; k < 3; k++) {
            slope[k] += b->w[i] * y * at->force[i][k];
        }
    }
    for (int k = 0; k < 3; k++) {
        slope[k] /= square;
    }
}

/* Principal axes u of the neighbours' distances and their sums of squares. */
static void spread_of(const patch *p, double u[2][2], double value[2]) {
    double m[3] = {0};
    for (int k = 1; k < p->n; k++) {
        const double d[2] = {p->block[k].centre[0] - p->block[0].centre[0],
                             p->block[k].centre[1] - p->block[0].centre[1]};
        m[0] += d[0] * d[0], m[1] += d[0] * d[1], m[2] += d[1] * d[1];
    }
    const double angle = 0.5 * atan2(2 * m[1], m[0] - m[2]);
    const double mean = 0.5 * (m[0] + m[2]), radius = hypot(0.5 * (m[0] - m[2]), m[1]);
    u[0][0] = u[1][1] = cos(angle);
    u[0][1] = sin(angle);
    u[1][0] = -u[0][1];
    value[0] = mean + radius;
    value[1] = mean - radius;
}

static double along(const double u[2], const double to[2], const double from[2]) {
    return u[0] * (to[0] - from[0]) + u[1] * (to[1] - from[1]);
}

/* An eighth of what the neighbours are off the fit: the error of a linear function between two
 * elements. slope: of f by x and y */
static double misfit(const patch *p, int d, const double f[CELLS][2][3],
                     const double slope[2][2][3]) {
    double most = 0;
    for (int k = 1; k < p->n; k++) {
        double off[3];
        for (int c = 0; c < 3; c++) {
            off[c] = f[k][d][c] - f[0][d][c];
            for (int i = 0; i < 2; i++) {
                off[c] -= slope[i][d][c] * (p->block[k].centre[i] - p->block[0].centre[i]);
            }
        }
        most = fmax(most, gos__norm3(off) / 8);
    }
    return most;
}

static void flux_at(const gos_body *body, const patch *p, const gos_balance_state *s, flux *to) {
    const block *own = &p->block[0];
    block_state at, other;
    double f[CELLS][2][3], slope[2][2][3] = {0}, u[2][2], value[2], by_law[3];
    evaluate(body, own, s, &at);
    mean_flux(own, &at, f[0]);
    for (int k = 1; k < p->n; k++) {
        evaluate(body, &p->block[k], s, &other);
        mean_flux(&p->block[k], &other, f[k]);
    }
    *to = (flux){.own = {locking(body, own, 0, &at), locking(body, own, 1, &at)}};
    memcpy(to->f, f[0], sizeof to->f);
    spread_of(p, u, value);
    for (int i = 0; i < 2; i++) {
        const double here = along(u[i], p->x, own->centre);
        if (!(value[i] > MIN_NEIGHBOUR_SPREAD * own->area)) {
            law_slope(own, &at, u[i], by_law);
            for (int k = 0; k < 3; k++) {
                to->more[k] += here * by_law[k];
            }
            continue;
        }
        for (int k = 1; k < p->n; k++) {
            const double by = along(u[i], p->block[k].centre, own->centre) / value[i];
            for (int c = 0; c < 6; c++) {
                const double step = by * (f[k][c / 3][c % 3] - f[0][c / 3][c % 3]);
                to->f[c / 3][c % 3] += here * step;
                slope[0][c / 3][c % 3] += u[i][0] * step;
                slope[1][c / 3][c % 3] += u[i][1] * step;
            }
        }
    }
    for (int d = 0; d < 2; d++) {
        to->error[d] = misfit(p, d, (const double(*)[2][3])f, (const double(*)[2][3])slope);
    }
}

/* ---- correction ------------------------------------------------------------------------------ */

/* Stiffness of N and M against membrane strains. */
static void stiffness_of(const gos_plate *c, double C[6][3]) {
    const double A = c->par.A, nu = c->par.nu;
    const double plain[3][3] = {{A, nu * A, 0}, {nu * A, A, 0}, {0, 0, 0.5 * (1 - nu) * A}};
    for (int i = 0; i < 18; i++) {
        C[i / 3][i % 3] = c->plies ? c->plies->par.C[i / 3][i % 3]
                          : i < 9  ? plain[i / 3][i % 3]
                                   : 0;
    }
}

/* Removes the membrane strains of locking; share: by axis, of the difference `off` to N_11, N_22,
 * N_12 of the first and of the second flux. */
static void correct(const double C[6][3], const double share[2], const double off[4],
                    double *strain, double *force) {
    const double a = share[0] * off[0] / C[0][0], b = share[1] * off[1] / C[1][1];
    const double ab = share[0] * C[0][1] / C[0][0], ba = share[1] * C[1][0] / C[1][1];
    const double sum = share[0] + share[1], most = fmin(1, sum);
    const double both = (share[0] * off[2] + share[1] * off[3]) / fmax(1, sum);
    double e[3];
    e[0] = (a - ab * b) / (1 - ab * ba);
    e[1] = b - ba * e[0];
    e[2] = (both - most * (C[2][0] * e[0] + C[2][1] * e[1])) / C[2][2];
    for (int i = 0; i < 6; i++) {
        force[i] += C[i][0] * e[0] + C[i][1] * e[1] + C[i][2] * e[2];
        strain[i] += i < 3 ? e[i] : 0;
    }
}

double gos__plate_balanced(const gos_body *body, const void *data, const gos_balance_state *s,
                           double *strain, double *force) {
    const double *a = s->z, *b = s->z + 3;
    const double aa = gos__dot3(a, a), bb = gos__dot3(b, b);
    double C[6][3], share[2];
    flux q;
    flux_at(body, data, s, &q);
    for (int d = 0; d < 2; d++) {
        share[d] = q.own[d] > 0 ? q.own[d] / (q.own[d] + SMALL * gos__norm3(q.f[d])) : 0;
    }
    const double off[4] = {gos__dot3(q.f[0], a) / aa + q.more[0] - force[0],
                           gos__dot3(q.f[1], b) / bb + q.more[1] - force[1],
                           gos__dot3(q.f[0], b) / bb + q.more[2] - force[2],
                           gos__dot3(q.f[1], a) / aa + q.more[2] - force[2]};
    stiffness_of(body->par, C);
    correct((const double(*)[3])C, share, off, strain, force);
    const int bent = q.own[1] > q.own[0]; // across a free strip fluxes are not smooth
    return share[bent] * q.error[bent];
}
