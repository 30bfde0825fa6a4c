/* Training of the cubature. Point i with weight w_i adds w_i b_qi(k) sigma_q to the force on
   field k. Per training state, force kind (elastic, thermal, viscous), gradient q and heat of
   each family, sums over all points form a block of b and the points' contributions columns of
   A, scaled to length 1 (heat more). Rows are compressed exactly; non-negative least squares
   adds points until A w is close to b. One more row and a common factor keep the sum of the
   weights. */
#include "rom/cubature.h"

#include <cblas.h>
#include <math.h>

#include "linalg/nnls.h"

#define L GOS_LANES
#define RUN_STATES 16      // training states selected from the run
#define MIXED_STATES 8     // states of the run with added fields
#define FREE_STATES 8      // initial configuration with added fields
#define MAX_CANDIDATES 256 // largest number of candidate points; a longer mesh is sampled evenly
// blocks smaller than this, relative to the largest of their kind, are noise
#define NOISE_RATIO 1e-3
#define ROUNDING 1e-13       // round-off level relative to the elastic forces
#define TRAINING_STRAIN 1e-4 // strain of training states if the run has none
#define MAX_AMPLITUDE 0.05   // largest amplitude of an added field, relative to the extent
#define TRAINING_RISE 10.0   // temperatures of training states if the run has none [K]
#define ENERGY_BATCHES 4     // batches per block at which energies are evaluated
#define ROW_CAPACITY_RATIO 4 // rows before compression, relative to the columns
// work (rom/auto.h) per point of a sampled state
#define WORK_PER_SAMPLE 100.0
#define WORK_PER_ROW 0.3      // per group, point and row
#define WORK_PER_FUNCTION 1.0 // per mixed row, candidate and function
#define WORK_PER_PAIR 0.15    // per pair of candidates
#define MIXED_ROWS 4          // rows representing a group
#define PARTS 3               // elastic, thermal, viscous
// weight of heat: its errors accumulate, those of forces oscillate about 0
#define HEAT_WEIGHT 100.0

static double *at(double *x, long i, int n) {
    return x + i * n;
}

/* ---- one block ------------------------------------------------------------------------------- */

typedef struct block {
    gos_points *from;
    int ncand;
    int *cand;      // their point indices (ncand)
    int nrows, cap; // rows of A; capacity
    double *A, *b;  // (cap, ncand) column-major; (cap), stored as its next column
    double total;
    int ngroups;     // blocks of rows
    double *largest; // largest length of each kind over the states: (PARTS, nz), then (nfam)
} block;

struct gos_cubature {
    gos_ctx *ctx;
    gos_arena *arena;
    gos_system *sys;
    gos_work *w;
    gos_training k;
    int part; // divisor of the number of states
    int nblock;
    block *block; // (nblock)
    uint64_t seed;
    double *sigma;   // (PARTS, 3 nz, points)
    double *heat;    // (nfam, points)
    double *scratch; // z, zd, th, sigma, heat, energy, power of lanes
    double *sums;    // rows of one group, summed over all points
    double *signs;   // random signs of functions
};

static size_t scratch_size(const gos_points *p) {
    return (size_t)(3 * 3 * p->law->nz + 3 * p->nfam + 5) * L;
}

/* First `parts` parts and heat in the lanes of a batch. Returns the elastic energy, which needs
   only one part. */
static double evaluate(gos_cubature *c, const gos_points *p, int ib, int parts, const double *q,
                       const double *v, const double *th) {
    const int n = 3 * p->law->nz * L, nf = p->nt ? p->nfam : 0;
    double *z = c->scratch, *zd = z + n, *s = zd + n, *T = s + n, *none = T + nf * L;
    double *heat = none + nf * L, *energy = heat + nf * L, *power = energy + L, *dwdth = power + L;
    const size_t np = (size_t)p->nb * L;
    gos__batch_gradients(p, ib, q, th, true, z, nf && parts > 1 ? T : NULL);
    if (parts > 2) {
        gos__batch_gradients(p, ib, v, th, false, zd, NULL);
    }
    memset(none, 0, (2 * nf * L) * sizeof *none);
    gos_batch b = {.z = z,
                   .th = nf ? none : NULL,
                   .ref = p->ref + (size_t)p->tab[ib] * p->law->nref * L,
                   .mem = c->sys->mem0 + p->m0 + (size_t)(ib * p->law->nmem) * L,
                   .sigma = s,
                   .energy = energy,
                   .power = power,
                   .dwdth = dwdth};
    double sum = 0;
    for (int part = 0; part < parts; part++) {
        b.th = part > 0 && nf ? T : b.th;
        b.zd = part > 1 && p->rates ? zd : NULL;
        b.heat = part > 1 && nf ? heat : NULL;
        p->law->resultants(p->par, p->nfam, &b);
        for (int l = 0; l < L && part == 0; l++) {
            sum += p->w[(size_t)p->tab[ib] * L + l] * energy[l];
        }
        for (int i = 0; i < 3 * p->law->nz; i++) {
            double *to = c->sigma + (part * 3 * p->law->nz + i) * np + (ib * L);
            for (int l = 0; l < L; l++) {
                to[l] = s[i * L + l];
            }
        }
    }
    for (int i = 0; i < p->nsurf && nf && parts > 1; i++) {
        const gos_surface *f = &p->surf[i];
        f->type->eval(f->par, p->law, p->par, p->nfam, c->w->fn + f->fn0, 1, &b);
    }
    for (int f = 0; f < nf && parts > 1; f++) {
        memcpy(c->heat + f * np + (ib * L), heat + f * L, L * sizeof *heat);
    }
    return sum;
}

/* all points of a block; later parts are stored as differences */
static void sample(gos_cubature *c, const gos_points *p, double t, const double *q, const double *v,
                   const double *th) {
    const size_t n = (size_t)(3 * p->law->nz) * p->nb * L;
    gos__work_time(c->w, t);
    for (int ib = 0; ib < p->nb; ib++) {
        (void)evaluate(c, p, ib, PARTS, q, v, th);
    }
    for (int part = PARTS - 1; part > 0; part--) {
        for (size_t i = 0; i < n; i++) {
            c->sigma[part * n + i] -= c->sigma[(part - 1) * n + i];
        }
    }
}

/* ---- synthetic states ------------------------------------------------------------------------ */

static double random_number(gos_cubature *c) { // in [-1, 1], Knuth's multiplier
    c->seed = c->seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(c->seed >> 33) / 1073741824.0 - 1;
}

static double random_sign(gos_cubature *c) {
    return random_number(c) < 0 ? -1 : 1;
}

/* isothermal; large blocks are subsampled */
static double energy_of(gos_cubature *c, const double *q) {
    double sum = 0;
    for (int i = 0; i < c->nblock; i++) {
        const gos_points *p = c->block[i].from;
        const int every = (p->nb + ENERGY_BATCHES - 1) / ENERGY_BATCHES;
        for (int ib = every / 2; p->dense && ib < p->nb; ib += every) {
            sum += every * evaluate(c, p, ib, 1, q, c->k.v, c->k.th);
        }
    }
    return sum;
}

/* (nq), each of about `energy` in the initial configuration */
static void amplitudes(gos_cubature *c, double energy, double *q, double *a) {
    const double *e0 = c->sys->e0, d = 1e-4 * c->sys->extent;
    const double w0 = energy_of(c, e0);
    memcpy(q, e0, c->sys->nq * sizeof *q);
    for (int i = 0; i < c->sys->nq; i++) {
        q[i] = e0[i] + d;
        double w = energy_of(c, q);
        q[i] = e0[i] - d;
        w += energy_of(c, q);
        q[i] = e0[i];
        const double k = (w - 2 * w0) / (d * d);
        a[i] = fmin(sqrt(2 * energy / fmax(k, 1e-300)), MAX_AMPLITUDE * c->sys->extent);
    }
}

/* Append a state: number `from` with added fields, at most `energy` above it. */
static void mix(gos_cubature *c, int from, double energy, const double *a, const double *rise,
                double *d) {
    gos_training *k = &c->k;
    const int nq = k->nq, nt = k->nt;
    double *q = at(k->q, k->n, nq), *v = at(k->v, k->n, nq), *th = at(k->th, k->n, nt);
    const double *q0 = at(k->q, from, nq), limit = energy_of(c, q0) + energy;
    double scale = 1;
    for (int i = 0; i < nq; i++) {
        d[i] = random_number(c) * a[i];
    }
    for (int attempts = 0; attempts < 40; attempts++, scale *= 0.7) {
        for (int i = 0; i < nq; i++) {
            q[i] = q0[i] + scale * d[i];
        }
        if (energy_of(c, q) <= limit) {
            break;
        }
    }
    for (int i = 0; i < nq; i++) {
        v[i] = at(k->v, from, nq)[i] + random_number(c) * a[i] / (k->t[0] + 1);
    }
    for (int i = 0; i < nt; i++) {
        th[i] = at(k->th, from, nt)[i] + 0.3 * random_number(c) * rise[i];
    }
    k->t[k->n] = k->t[from];
    k->n++;
}

/* [K] (nt): largest magnitude of each coordinate in the run */
static void temperature_scale(const gos_cubature *c, double *scale) {
    double hottest = 0;
    for (int i = 0; i < c->k.nt; i++) {
        for (long j = 0; j < c->k.n; j++) {
            scale[i] = fmax(scale[i], fabs(c->k.th[j * c->k.nt + i]));
        }
        hottest = fmax(hottest, scale[i]);
    }
    for (int i = 0; i < c->k.nt; i++) {
        scale[i] = hottest > 0 ? fmax(scale[i], 0.03 * hottest) : TRAINING_RISE;
    }
}

static gos_status make_states(gos_cubature *c, const gos_training *given) {
    const int nq = c->sys->nq, nt = c->sys->nt;
    const int max = RUN_STATES / c->part, n = given->n < max ? given->n : max;
    const int mixed = MIXED_STATES / c->part, loose = FREE_STATES / c->part;
    gos_training *k = &c->k;
    double *a = GOS_NEW(c->arena, double, 3L * nq + nt + 1);
    if (!a) {
        return GOS_E_MEMORY;
    }
    double *q = a + nq, *d = q + nq, *scale = d + nq, energy = 0;
    for (int i = 0; i < n; i++) { // evenly over the run, including its end
        const int j = n > 1 ? (int)((long)i * (given->n - 1) / (n - 1)) : given->n - 1;
        memcpy(at(k->q, i, nq), at(given->q, j, nq), nq * sizeof(double));
        memcpy(at(k->v, i, nq), at(given->v, j, nq), nq * sizeof(double));
        memcpy(at(k->th, i, nt), at(given->th, j, nt), nt * sizeof(double));
        k->t[i] = given->t[j];
        k->n = i + 1;
        energy = fmax(energy, energy_of(c, at(k->q, i, nq)));
    }
    for (int i = 0; i < nq; i++) {
        q[i] = (1 + TRAINING_STRAIN) * c->sys->e0[i];
    }
    energy = fmax(energy, energy_of(c, q));
    amplitudes(c, energy / fmax(1, c->sys->nv), q, a);
    temperature_scale(c, scale);
    for (int i = 0; i < mixed && n > 0; i++) {
        mix(c, (i + 1) * n / (mixed + 1), energy, a, scale, d);
    }
    const int first = k->n; // the initial configuration, not itself a training state
    memcpy(at(k->q, first + loose, nq), c->sys->e0, nq * sizeof(double));
    memcpy(at(k->th, first + loose, nt), c->sys->th0, nt * sizeof(double));
    for (int i = 0; i < loose; i++) {
        mix(c, first + loose, energy, a, scale, d);
    }
    return GOS_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static double weight_of(const gos_points *p, int i) {
    return p->w[(size_t)p->tab[i / L] * L + (i % L)];
}

/* Rows of one kind: products of amplitudes (stress, heat) and functions. */
typedef struct group {
    int ns, nf;                // amplitudes and functions: ns * nf rows
    size_t np;                 // points in whole batches
    const double *s;           // amplitudes (ns, np)
    const double *f;           // functions of the first table (nf, LANES)
    size_t block;              // stride between tables
    double min_length, weight; // length below which the group is zero; weight of the group
} group;

static const double *functions(const gos_points *p, const group *g, int ib) {
    return g->f + p->tab[ib] * g->block;
}

/* c->sums (ns, nf); returns its length */
static double add_up(gos_cubature *c, const gos_points *p, const group *g) {
    double sum = 0;
    memset(c->sums, 0, (g->ns * g->nf) * sizeof *c->sums);
    for (int i = 0; i < g->ns; i++) {
        for (int ib = 0; ib < p->nb; ib++) {
            const double *f = functions(p, g, ib), *s = g->s + i * g->np + (ib * L);
            const double *w = p->w + (size_t)p->tab[ib] * L;
            double ws[L];
            for (int l = 0; l < L; l++) {
                ws[l] = ib * L + l < p->ne ? w[l] * s[l] : 0;
            }
            for (int j = 0; j < g->nf; j++) {
                double part = 0;
                for (int l = 0; l < L; l++) {
                    part += ws[l] * f[j * L + l];
                }
                c->sums[i * g->nf + j] += part;
            }
        }
    }
    for (int i = 0; i < g->ns * g->nf; i++) {
        sum += c->sums[i] * c->sums[i];
    }
    return sqrt(sum);
}

/* all rows mixed with random signs u of amplitudes and v of functions, or a single one */
static void put_row(gos_cubature *c, block *k, const group *g, const double *u, const double *v,
                    double scale) {
    const gos_points *p = k->from;
    double sum = 0;
    for (int i = 0; i < g->ns * g->nf; i++) {
        sum += u[i / g->nf] * v[i % g->nf] * c->sums[i];
    }
    k->b[k->nrows] = scale * sum;
    for (long n = 0; n < k->ncand; n++) {
        const int at = k->cand[n];
        const double *f = functions(p, g, at / L) + at % L;
        double amplitude = 0, function = 0;
        for (int i = 0; i < g->ns; i++) {
            amplitude += u[i] * g->s[i * g->np + at];
        }
        for (int j = 0; j < g->nf; j++) {
            function += v[j] * f[j * L];
        }
        k->A[n * k->cap + k->nrows] = scale * amplitude * function;
    }
    k->nrows++;
}

/* Add a scaled group to A and b. Many rows are represented by a few sums with random signs,
   which have the mean length of the group for any points. */
static void put_group(gos_cubature *c, block *k, const group *g, double *largest) {
    const double size = add_up(c, k->from, g);
    const int rows = g->ns * g->nf, n = rows < MIXED_ROWS ? rows : MIXED_ROWS;
    double u[3];
    *largest = fmax(*largest, size);
    if (!(size > g->min_length) || !(size > NOISE_RATIO * *largest)) {
        return;
    }
    for (int row = 0; row < n; row++) {
        for (int i = 0; i < g->ns; i++) {
            u[i] = n == rows ? row / g->nf == i : random_sign(c);
        }
        for (int j = 0; j < g->nf; j++) {
            c->signs[j] = n == rows ? row % g->nf == j : random_sign(c);
        }
        put_row(c, k, g, u, c->signs, g->weight / (size * (n == rows ? 1 : sqrt(MIXED_ROWS))));
    }
    k->ngroups++;
}

static void add_state(gos_cubature *c, block *k, int s) {
    const gos_points *p = k->from;
    const int nz = p->law->nz, parts = p->rates ? PARTS : PARTS - 1;
    const size_t np = (size_t)p->nb * L, m = p->nv;
    sample(c, p, c->k.t[s], at(c->k.q, s, c->k.nq), at(c->k.v, s, c->k.nq),
           at(c->k.th, s, c->k.nt));
    for (int part = 0; part < parts; part++) {
        for (int q = 0; q < nz; q++) { // forces of one part by one gradient on all fields
            const group g = {.ns = 3,
                             .nf = p->nv,
                             .np = np,
                             .s = c->sigma + (part * nz + q) * 3L * np,
                             .f = p->b + q * m * L,
                             .block = nz * m * L,
                             .min_length = part > 0 ? ROUNDING * k->largest[q] : 0,
                             .weight = 1};
            put_group(c, k, &g, &k->largest[part * nz + q]);
        }
    }
    for (int f = 0; f < p->nfam && p->nt; f++) {
        const group g = {.ns = 1,
                         .nf = p->nt,
                         .np = np,
                         .s = c->heat + f * np,
                         .f = p->N,
                         .block = (size_t)p->nt * L,
                         .weight = HEAT_WEIGHT};
        put_group(c, k, &g, &k->largest[PARTS * nz + f]);
    }
}

/* additional row: the sum of the weights counts as much as all forces */
static void put_total(block *k) {
    const double size = sqrt(fmax(1, k->ngroups));
    k->b[k->nrows] = size;
    for (long j = 0; j < k->ncand; j++) {
        k->A[j * k->cap + k->nrows] = size / k->total;
    }
    k->nrows++;
}

static gos_status compress(gos_cubature *c, block *k) {
    return gos__nnls_compress(c->ctx, k->nrows, k->ncand, k->A, k->cap, &k->nrows);
}

static gos_status make_rows(gos_cubature *c, block *k) {
    const gos_points *p = k->from;
    const int nz = p->law->nz, once = (PARTS * nz + p->nfam) * MIXED_ROWS + 1;
    k->ncand = p->ne < MAX_CANDIDATES ? p->ne : MAX_CANDIDATES;
    k->cap = k->ncand + 1 +
             (once > ROW_CAPACITY_RATIO * k->ncand ? once : ROW_CAPACITY_RATIO * k->ncand);
    k->cand = GOS_NEW(c->arena, int, k->ncand + 1);
    k->A = GOS_NEW(c->arena, double, (size_t)k->cap *(k->ncand + 1) + 1);
    k->largest = GOS_NEW(c->arena, double, PARTS *nz + p->nfam + 1);
    if (!k->cand || !k->A || !k->largest) {
        return GOS_E_MEMORY;
    }
    k->b = k->A + (size_t)k->cap * k->ncand;
    for (int i = 0; i < k->ncand; i++) {
        k->cand[i] = (int)(((2 * (long)i + 1) * p->ne) / (2 * k->ncand));
    }
    for (int i = 0; i < p->ne; i++) {
        k->total += weight_of(p, i);
    }
    for (int s = 0; s < c->k.n; s++) {
        if (k->nrows + once > k->cap) {
            GOS_TRY(compress(c, k));
        }
        add_state(c, k, s);
    }
    put_total(k);
    GOS_TRY(compress(c, k));
    for (long j = 1; j < k->ncand && k->nrows < k->cap; j++) { // remove the gaps between columns
        memmove(k->A + j * k->nrows, k->A + j * k->cap, k->nrows * sizeof *k->A);
    }
    return GOS_OK;
}

/* ---- create and destroy ---------------------------------------------------------------------- */

static size_t max(size_t a, size_t b) {
    return a > b ? a : b;
}

static gos_status allocate(gos_cubature *c) {
    const gos_system *s = c->sys;
    size_t sigma = 0, heat = 0, scratch = 0, rows = 0;
    for (int i = 0; i < s->npoints; i++) {
        const gos_points *p = s->points[i];
        const size_t np = (size_t)p->nb * L, m = 3L * p->nv, nt = p->nt;
        sigma = max(sigma, PARTS * 3L * p->law->nz * np);
        heat = max(heat, p->nfam * np);
        scratch = max(scratch, scratch_size(p));
        rows = max(rows, max(m, nt));
    }
    c->block = GOS_NEW(c->arena, block, s->npoints + 1);
    c->sigma = GOS_NEW(c->arena, double, sigma + 1);
    c->heat = GOS_NEW(c->arena, double, heat + 1);
    c->scratch = GOS_NEW(c->arena, double, scratch + 64);
    c->sums = GOS_NEW(c->arena, double, rows + 1);
    c->signs = GOS_NEW(c->arena, double, rows + 1);
    return c->block && c->sigma && c->heat && c->scratch && c->sums && c->signs ? GOS_OK
                                                                                : GOS_E_MEMORY;
}

/* excludes floating bodies, which are kept unchanged */
static bool has_candidates(const gos_points *p) {
    return p->dense && !p->gram;
}

static gos_status make(gos_cubature *c, const gos_training *training) {
    GOS_TRY(gos__work_create(c->ctx, c->sys, &c->w));
    GOS_TRY(allocate(c));
    GOS_TRY(
        gos__training_create(c->ctx, c->sys, RUN_STATES + MIXED_STATES + FREE_STATES + 1, &c->k));
    for (int i = 0; i < c->sys->npoints; i++) {
        c->block[i].from = c->sys->points[i];
    }
    c->nblock = c->sys->npoints;
    GOS_TRY(make_states(c, training));
    for (int i = 0; i < c->nblock; i++) {
        if (has_candidates(c->block[i].from)) {
            GOS_TRY(make_rows(c, &c->block[i]));
        }
    }
    return GOS_OK;
}

gos_status gos__cubature_create(gos_ctx *ctx, gos_system *sys, const gos_training *training,
                                int part, gos_cubature **cubature) {
    gos_arena *a = gos__arena_create(ctx);
    gos_cubature *c = a ? GOS_NEW(a, gos_cubature, 1) : NULL;
    if (!c) {
        gos__arena_destroy(a);
        return GOS_E_MEMORY;
    }
    *c = (gos_cubature){.ctx = ctx, .arena = a, .sys = sys, .part = part, .seed = 1};
    const gos_status status = make(c, training);
    if (status != GOS_OK) {
        gos__cubature_destroy(c);
        return status;
    }
    *cubature = c;
    return GOS_OK;
}

void gos__cubature_destroy(gos_cubature *c) {
    if (c) {
        gos__training_free(c->ctx, &c->k);
        gos__work_destroy(c->ctx, c->w);
        gos__arena_destroy(c->arena);
    }
}

double gos__cubature_work(const gos_system *sys, int part) {
    double work = 0;
    for (int i = 0; i < sys->npoints; i++) {
        const gos_points *p = sys->points[i];
        const double n = !has_candidates(p) ? 0 : p->ne < MAX_CANDIDATES ? p->ne : MAX_CANDIDATES;
        const double groups = PARTS * p->law->nz + p->nfam, rows = MIXED_ROWS * groups;
        work += (RUN_STATES + MIXED_STATES + FREE_STATES) / part *
                (WORK_PER_SAMPLE * PARTS * p->ne + groups * WORK_PER_ROW * 3.0 * p->nv * p->ne +
                 rows * n * (WORK_PER_FUNCTION * p->nv + WORK_PER_PAIR * n));
    }
    return work;
}

/* ---- selected points ------------------------------------------------------------------------- */

static gos_status fit(gos_cubature *c, int i, double tolerance, double *w,
                      gos_selection *selection) {
    const block *k = &c->block[i];
    int count = 0, n = 0;
    /* relative to b with all weights 1 */
    const double heavier = sqrt(2.0 * fmax(1, k->ngroups)) / cblas_dnrm2(k->nrows, k->b, 1);
    GOS_TRY(
        gos__nnls(c->ctx, k->nrows, k->ncand, k->A, k->b, tolerance * heavier, w, &count, NULL));
    gos_selection s = {.all = k->from->ne};
    s.index = GOS_NEW(c->sys->arena, int, count + 1);
    s.weight = GOS_NEW(c->sys->arena, double, count + 1);
    if (!s.index || !s.weight) {
        return GOS_E_MEMORY;
    }
    double total = 0;
    for (int j = 0; j < k->ncand; j++) {
        total += w[j];
    }
    for (int j = 0; j < k->ncand; j++) {
        if (w[j] > 0) {
            s.index[n] = k->cand[j];
            s.weight[n++] = w[j] * (k->total / total);
        }
    }
    s.n = n;
    if (n == 0) {
        return gos__fail(c->ctx, GOS_E_INTERNAL, "cubature: no points");
    }
    *selection = s;
    return gos__cubature_select(c->sys, i, k->from, &s);
}

gos_status gos__cubature_apply(gos_cubature *c, double tolerance, gos_selection *selection,
                               int *points) {
    double *w = gos__alloc(c->ctx, MAX_CANDIDATES, sizeof *w);
    gos_status status = w ? GOS_OK : GOS_E_MEMORY;
    *points = 0;
    for (int i = 0; i < c->nblock && status == GOS_OK; i++) {
        status =
            !has_candidates(c->block[i].from) ? GOS_OK : fit(c, i, tolerance, w, &selection[i]);
        *points += status == GOS_OK ? c->sys->points[i]->ne : 0;
    }
    gos__free(c->ctx, w);
    return status;
}

void gos__cubature_restore(gos_cubature *c) {
    for (int i = 0; i < c->nblock; i++) {
        c->sys->points[i] = c->block[i].from;
        gos__memory_points(c->sys, c->block[i].from);
    }
}
