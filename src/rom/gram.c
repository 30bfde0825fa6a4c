/* Quadratic form of a block of points in products of amplitudes (parts/gram.h). With y = (g -
   g0, 1, theta), mechanical strains are H y and W = y^T A y/2, A = sum w H^T C H = U^T U by
   pivoted Cholesky factorisation. Inextensional bending has large products but small strains, so
   columns are scaled first and the rank is cut at round-off. */
#include "parts/gram.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "rom/rom.h"

#define L GOS_LANES
#define CHUNK 32            // points per block update
#define RANK 1e-13          // round-off threshold of scaled diagonal entries
#define MAX_PAIRS 2500      // beyond about 70 fields the points are kept
#define MAX_OPERATIONS 5e11 // largest number of operations to build it

typedef struct making {
    gos_rom *r;
    const gos_points *p;
    gos_gram *k;
    int ny;          // length of y: pairs, 1, temperatures
    double root[36]; // C = root^T root
    double *H;       // (6 CHUNK, ny)
    double *A;       // (ny, ny), upper triangle
    double *scale;   // (ny)
    int *pivot;      // (ny)
} making;

/* upper R with C = R^T R; false: C is not positive definite */
static bool root_of(const double *C, double *R) {
    memcpy(R, C, 36 * sizeof *R);
    if (LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'U', 6, R, 6) != 0) {
        return false;
    }
    for (int i = 0; i < 36; i++) {
        R[i] = i % 6 < i / 6 ? 0 : R[i];
    }
    return true;
}

/* function i of gradient q at point n: a field, or an axis of the constant part */
static double function_at(const gos_points *p, int n, int q, int i) {
    const long tab = p->tab[n / L], nz = p->law->nz;
    return i < p->nv ? p->b[((tab * nz + q) * p->nv + i) * L + n % L]
                     : p->z0[(tab * 3 * nz + 3 * q + i - p->nv) * L + n % L];
}

/* rows of H (6, ny) at point n: products, initial and negative thermal strains */
static void strains_at(const making *k, int n, const gos_green *law, double *H) {
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    const gos_points *p = k->p;
    const int all = k->k->all, pairs = k->k->pairs;
    double *b[3];
    for (int q = 0; q < 3; q++) {
        b[q] = k->scale + q * all; // scratch, used otherwise later
        for (int i = 0; i < all; i++) {
            b[q][i] = function_at(p, n, q, i);
        }
    }
    for (int s = 0; s < 6; s++) {
        const double *x = b[pair[s][0]], *y = b[pair[s][1]], half = s < 3 ? 0.5 : 1;
        double *row = H + (long)s * k->ny, start = s < 3 ? -0.5 : 0;
        for (int i = 0, at = 0; i < all; i++) {
            for (int j = i; j < all; j++, at++) {
                row[at] = half * (i == j ? x[i] * y[i] : x[i] * y[j] + x[j] * y[i]);
                start += row[at] * k->k->g0[at];
            }
        }
        row[pairs] = start;
        for (int i = 0; i < p->nt; i++) {
            row[pairs + 1 + i] = -law->a[s] * p->N[((long)p->tab[n / L] * p->nt + i) * L + n % L];
        }
    }
}

/* A = sum w H^T C H, for the first ny functions */
static void add_up(making *k, const gos_green *law, int ny) {
    const gos_points *p = k->p;
    double *row = k->H + 6L * CHUNK * k->ny;
    memset(k->A, 0, (size_t)ny * (size_t)ny * sizeof *k->A);
    for (int from = 0; from < p->ne; from += CHUNK) {
        const int n = p->ne - from < CHUNK ? p->ne - from : CHUNK;
        for (int i = 0; i < n; i++) {
            const int at = from + i;
            const double w = sqrt(p->w[(long)p->tab[at / L] * L + at % L]);
            strains_at(k, at, law, row);
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 6, ny, 6, w, k->root, 6, row,
                        k->ny, 0, k->H + 6L * i * ny, ny);
        }
        cblas_dsyrk(CblasColMajor, CblasUpper, CblasNoTrans, ny, 6 * n, 1, k->H, ny, 1, k->A, ny);
    }
}

/* rows (rank, ny) with A = rows^T rows */
static gos_status factorise(making *k, int ny, double **rows, int *rank) {
    for (int i = 0; i < ny; i++) {
        const double d = k->A[(long)i * ny + i];
        k->scale[i] = d > 0 ? sqrt(d) : 1;
    }
    for (long j = 0; j < ny; j++) {
        for (long i = 0; i <= j; i++) {
            k->A[j * ny + i] /= k->scale[i] * k->scale[j];
        }
    }
    if (LAPACKE_dpstrf(LAPACK_COL_MAJOR, 'U', ny, k->A, ny, k->pivot, rank, RANK) < 0) {
        return gos__fail(k->r->ctx, GOS_E_INTERNAL,
                         "reduction: the quadratic form of a body cannot be factorised");
    }
    *rows = GOS_NEW(k->r->sys->arena, double, (long)*rank *ny + 1);
    if (!*rows) {
        return GOS_E_MEMORY;
    }
    for (long i = 0; i < *rank; i++) {
        for (long j = i; j < ny; j++) {
            const int to = k->pivot[j] - 1;
            (*rows)[i * ny + to] = k->A[j * ny + i] * k->scale[to];
        }
    }
    return GOS_OK;
}

/* rows (rank, m, all) of derivatives; those of c_i . c_i are doubled */
static gos_status derivatives(const making *k, int rank, const double *rows, double **d) {
    const gos_gram *g = k->k;
    double *to = *d = GOS_NEW(k->r->sys->arena, double, (long)rank * g->m * g->all + 1);
    if (!to) {
        return GOS_E_MEMORY;
    }
    for (long n = 0; n < rank; n++) {
        for (int i = 0; i < g->m; i++) {
            for (int j = 0; j < g->all; j++) {
                *to++ = (i == j ? 2 : 1) * rows[n * g->pairs + gos__gram_pair(g->all, i, j)];
            }
        }
    }
    return GOS_OK;
}

/* split rows (rank, ny) into U, e and T */
static gos_status divide(const making *k, const double *rows) {
    gos_gram *g = k->k;
    gos_arena *a = k->r->sys->arena;
    g->U = GOS_NEW(a, double, (long)g->rank * g->pairs + 1);
    g->e = GOS_NEW(a, double, g->rank + 1);
    g->T = GOS_NEW(a, double, (long)g->rank * g->nt + 1);
    if (!g->U || !g->e || !g->T) {
        return GOS_E_MEMORY;
    }
    for (long i = 0; i < g->rank; i++) {
        const double *row = rows + i * k->ny;
        memcpy(g->U + i * g->pairs, row, g->pairs * sizeof *row);
        g->e[i] = row[g->pairs];
        memcpy(g->T + i * g->nt, row + g->pairs + 1, g->nt * sizeof *row);
    }
    return derivatives(k, g->rank, g->U, &g->dU);
}

static gos_status start(const making *k) {
    gos_gram *g = k->k;
    const double *c = k->r->sys->e0 + 3L * k->p->v[0];
    g->g0 = GOS_NEW(k->r->sys->arena, double, g->pairs);
    if (!g->g0) {
        return GOS_E_MEMORY;
    }
    for (int i = 0, at = 0; i < g->all; i++) {
        for (int j = i; j < g->all; j++, at++) {
            for (int d = 0; d < 3; d++) {
                g->g0[at] += (i < g->m ? c[3 * i + d] : d == i - g->m) *
                             (j < g->m ? c[3 * j + d] : d == j - g->m);
            }
        }
    }
    return GOS_OK;
}

static gos_status make(making *k, gos_green *law) {
    gos_gram *g = k->k;
    double *rows = NULL, viscous = 0;
    GOS_TRY(start(k));
    add_up(k, law, k->ny);
    GOS_TRY(factorise(k, k->ny, &rows, &g->rank));
    GOS_TRY(divide(k, rows));
    for (int i = 0; i < 36; i++) {
        viscous = fmax(viscous, fabs(law->V[i]));
    }
    if (viscous > 0) {
        memset(law->a, 0, sizeof law->a);
        root_of(law->V, k->root);
        add_up(k, law, g->pairs);
        GOS_TRY(factorise(k, g->pairs, &g->V, &g->vrank));
        GOS_TRY(derivatives(k, g->vrank, g->V, &g->dV));
    }
    return GOS_OK;
}

gos_status gos__rom_gram(gos_rom *r, gos_points *p) {
    gos_green law;
    double root[36];
    if (!p->law->green || p->law->nz != 3 || p->nsurf > 0 || p->nfam > 1 ||
        !p->law->green(p->par, &law) || !root_of(law.C, root)) {
        return GOS_OK;
    }
    const int all = p->nv + (p->z0 ? 3 : 0), pairs = all * (all + 1) / 2, ny = pairs + 1 + p->nt;
    if (pairs > MAX_PAIRS || 6.0 * p->ne * ny * ny > MAX_OPERATIONS ||
        4.0 * ny * ny > p->ne * (36.0 * p->nv + 120)) {
        // (rank at most ny) no gain, or too expensive
        return GOS_OK;
    }
    gos_gram *g = GOS_NEW(r->sys->arena, gos_gram, 1);
    making k = {.r = r, .p = p, .k = g, .ny = ny};
    k.H = gos__alloc(r->ctx, (6L * CHUNK + 6) * ny, sizeof *k.H);
    k.A = gos__alloc(r->ctx, (size_t)ny * (size_t)ny, sizeof *k.A);
    k.scale = gos__alloc(r->ctx, ny + 3L * all, sizeof *k.scale);
    k.pivot = gos__alloc(r->ctx, ny, sizeof *k.pivot);
    gos_status status = g && k.H && k.A && k.scale && k.pivot ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        *g = (gos_gram){.m = p->nv, .all = all, .pairs = pairs, .nt = p->nt, .T0 = law.T0};
        memcpy(k.root, root, sizeof root);
        status = make(&k, &law);
    }
    gos__free(r->ctx, k.H);
    gos__free(r->ctx, k.A);
    gos__free(r->ctx, k.scale);
    gos__free(r->ctx, k.pivot);
    p->gram = status == GOS_OK ? g : NULL;
    return status;
}
