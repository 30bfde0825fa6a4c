/* Error estimator. The basis contains all undamped modes below a cut above the band, so
   residuals have no part along them, and P is definite on the rest: displacements, G = K + sigma
   M: Re x* P x >= (cut - w^2) / (cut + sigma) x* G x; temperatures, G = K_T + sigma C_T: |x* P
   x| >= |lambda + i w| / (lambda + sigma) x* G x, lambda >= cut. sigma = 0 without free motions.
   Residual norms use the Gram matrix of [B, Y^T, K V, M V, D V] in G^-1. */
#include "linear_reduction/estimator.h"

#include <cblas.h>
#include <complex.h>
#include <math.h>

#include "base/base.h"
#include "linalg/dense.h"
#include "linalg/eigen.h"
#include "linalg/petsc.h"

#define CUT_RATIO 2.0            // cut relative to the squared highest frequency of the band
#define FREE_MOTION 1e-6         // relative threshold of free motions
#define MAX_MODES 300            // largest number of modes
#define MAX_VECTORS 700          // largest number of basis vectors
#define MAX_ENTRIES 5e7          // largest number of entries of [X, G^-1 X]: 400 MB
#define RESIDUAL_ROUNDING 1e-14  // round-off of a residual relative to its terms
#define RAYLEIGH_TOLERANCE 1e-10 // relative tolerance for Rayleigh damping
#define COUPLED 1e-8             // relative threshold of damping coupling to other modes
#define UNIT_ROUNDING 1.2e-16    // relative round-off of an entry
#define MAX_ROUNDS 8             // enlargements of the basis
#define MIN_IMPROVEMENT 0.5      // a round must reduce the best bound below this ratio
#define MAX_IDLE_ROUNDS 2        // consecutive rounds without gain before stopping
#define REFERENCE_ROUNDING 1e-11 // relative reference error at round-off level

struct gos_estimator {
    gos_ctx *ctx; // own context: failures only mean no bound
    const gos_linear *l;
    double lo, hi;
    bool thermal, rayleigh;
    int field, n, nu, ny;
    const gos_sparse *K, *M, *D; // of the field; D NULL: none or Rayleigh
    double alpha, beta;          // D = alpha M + beta K
    gos_pencil pencil;
    gos_saddle *saddle; // G
    bool at_rest;       // factorised with sigma = 0
    double sigma, cut;
    double *ports; // [B, Y0^T, Y1^T] (n, nports)
    int nports;
    gos_space own;                // orthonormal modes and successive response blocks
    int next;                     // start of the last block
    gos_space raw;                // orthonormal: `own` and the seed
    gos_linear_reduction *richer; // reference: `raw` in normal form
    gos_reduce_pencil *small;     // pencil of `richer`
    int columns;
    double *gram;    // (columns, columns)
    double *length;  // square roots of the diagonal (columns)
    double *c, *gc;  // residual coefficients, and gram times them (columns, 2 ports)
    gos_complex *X;  // (reduced coordinates, max of nu and ny)
    double *rounded; // V^T |A| V per power of s, |A| by row sums (r, r, 3); scratch
};

void gos__estimator_destroy(gos_estimator *e) {
    if (e) {
        gos_ctx *own = e->ctx;
        gos__saddle_destroy(e->saddle);
        gos__reduce_pencil_destroy(e->small);
        gos_linear_reduction_destroy(e->richer);
        if (e->raw.ctx) {
            gos__space_free(&e->own);
            gos__space_free(&e->raw);
        }
        gos__free(e->ctx, e->ports);
        gos__free(e->ctx, e->gram);
        gos__free(e->ctx, e->c);
        gos__free(e->ctx, e->X);
        gos__free(e->ctx, e->rounded);
        gos__free(own, e);
        gos_ctx_destroy(own);
    }
}

/* ---- applicability --------------------------------------------------------------------------- */

static gos_status find_rayleigh(gos_estimator *e) {
    const gos_sparse *D = &e->l->block[GOS_BLOCK_D];
    const double mm = gos__sparse_dot(e->M, e->M), mk = gos__sparse_dot(e->M, e->K),
                 kk = gos__sparse_dot(e->K, e->K);
    const double dm = gos__sparse_dot(D, e->M), dk = gos__sparse_dot(D, e->K),
                 dd = gos__sparse_dot(D, D);
    const double det = mm * kk - mk * mk;
    const double alpha = det > 1e-12 * mm * kk ? (dm * kk - dk * mk) / det : 0;
    const double beta = det > 1e-12 * mm * kk ? (dk * mm - dm * mk) / det : kk > 0 ? dk / kk : 0;
    gos_sparse S = {0}, R = {0};
    gos_status status = gos__sparse_sum(e->ctx, alpha, e->M, beta, e->K, &S);
    status = status == GOS_OK ? gos__sparse_sum(e->ctx, 1, D, -1, &S, &R) : status;
    // negligible parts may have either sign
    const double min = -RAYLEIGH_TOLERANCE * sqrt(dd);
    e->rayleigh = status == GOS_OK &&
                  gos__sparse_dot(&R, &R) <= RAYLEIGH_TOLERANCE * RAYLEIGH_TOLERANCE * dd &&
                  alpha * sqrt(mm) >= min && beta * sqrt(kk) >= min;
    gos__sparse_free(e->ctx, &S);
    gos__sparse_free(e->ctx, &R);
    e->alpha = e->rayleigh ? fmax(alpha, 0) : 0;
    e->beta = e->rayleigh ? fmax(beta, 0) : 0;
    e->D = e->rayleigh ? NULL : D;
    return status;
}

static bool applies(const gos_linear *l) {
    const bool mechanical = l->nq > 0 && l->nt == 0 && l->nphi == 0;
    const bool thermal = l->nt > 0 && l->nq == 0 && l->nphi == 0;
    return l->symmetric && (mechanical || thermal) && l->nu > 0 && l->ny > 0;
}

static gos_status check_dissipation(const gos_estimator *e, bool *good) {
    const gos_pencil p = {.K = e->D, .M = e->M, .C = e->pencil.C, .ncomp = e->pencil.ncomp};
    gos_saddle *s = NULL;
    int negative = 0;
    gos_status status = gos__saddle_create(e->ctx, &p, &s);
    status = status == GOS_OK
                 ? gos__saddle_count(s, -RAYLEIGH_TOLERANCE * gos__pencil_scale(&p), &negative)
                 : status;
    gos__saddle_destroy(s);
    *good = status == GOS_OK && negative == 0;
    return status == GOS_E_SINGULAR ? GOS_OK : status;
}

/* true if D x = d M x for each M-normalised mode x (n, m) */
static gos_status check_modal(const gos_estimator *e, int m, const double *x, bool *good) {
    const size_t n = e->n;
    double *work = gos__alloc(e->ctx, 2 * n + 1, sizeof *work), size = 0, rest = 0;
    if (!work) {
        return GOS_E_MEMORY;
    }
    for (int k = 0; k < m; k++) {
        const double *mode = x + k * n;
        gos__sparse_apply(e->D, 1, mode, work);
        gos__sparse_apply(e->M, 1, mode, work + n);
        const double d = gos__dense_dot(e->n, mode, work);
        for (size_t i = 0; i < n; i++) {
            const double r = work[i] - d * work[n + i];
            size += work[i] * work[i];
            rest += r * r;
        }
    }
    gos__free(e->ctx, work);
    *good = rest <= COUPLED * COUPLED * size;
    return GOS_OK;
}

/* ---- vectors --------------------------------------------------------------------------------- */

static gos_status add(gos_estimator *e, gos_space *s, double *x) {
    return gos__space_add(s, e->field, x, cblas_dnrm2(e->n, x, 1));
}

static gos_status add_own(gos_estimator *e, double *x) {
    const int before = e->own.count[e->field];
    GOS_TRY(add(e, &e->own, x));
    return e->own.count[e->field] > before ? add(e, &e->raw, x) : GOS_OK;
}

/* The lowest m modes, with the factorisation for residuals if there are no free motions and none
   is missed. */
static gos_status find_modes(gos_estimator *e, int m, double *lambda, double *x, int *found) {
    int below = 1;
    const bool large = e->n >= GOS_SYMMETRIC_LARGE && !gos__petsc_chosen(e->ctx, e->n);
    gos_status status = large ? gos__saddle_try(e->saddle, 0, 0, &below) : GOS_OK;
    if (status == GOS_OK && below == 0) {
        status = gos__eigen_about(e->ctx, &e->pencil, e->saddle, m, lambda, x, found, NULL);
        e->at_rest = status == GOS_OK && *found == m && lambda[0] > FREE_MOTION * e->cut &&
                     lambda[m - 1] <= e->cut;
    }
    if (status == GOS_E_MEMORY || status == GOS_E_INTERRUPTED) {
        return status;
    }
    return e->at_rest ? GOS_OK : gos__eigen_lowest(e->ctx, &e->pencil, m, lambda, x, found);
}

/* add modes below the cut; *good false: too many, or coupled by damping */
static gos_status add_modes(gos_estimator *e, bool *good) {
    int m, found = 0;
    GOS_TRY(gos__saddle_count(e->saddle, e->cut, &m));
    *good = m <= MAX_MODES && m <= MAX_VECTORS / 2;
    if (!*good || m == 0) {
        return GOS_OK;
    }
    double *lambda = gos__alloc(e->ctx, m * (1L + e->n), sizeof *lambda);
    if (!lambda) {
        return GOS_E_MEMORY;
    }
    double *x = lambda + m;
    gos_status status = find_modes(e, m, lambda, x, &found);
    *good = status == GOS_OK && found == m && lambda[0] >= 0;
    if (*good && lambda[0] <= FREE_MOTION * e->cut) {
        e->sigma = e->thermal ? sqrt(fmax(e->lo, 1e-4 * e->hi) * e->hi) : e->hi * e->hi;
    }
    if (*good && e->D) {
        status = check_modal(e, m, x, good);
    }
    for (long k = 0; k < m && *good && status == GOS_OK; k++) {
        status = add_own(e, x + k * e->n);
    }
    gos__free(e->ctx, lambda);
    return status;
}

/* G^-1 times the ports, or times M and the last block */
static gos_status add_block(gos_estimator *e) {
    const int end = e->own.count[e->field], from = e->next;
    const int count = from < 0 ? e->nports : end - from;
    double *x = gos__alloc(e->ctx, (size_t)count * e->n + 1, sizeof *x);
    if (!x) {
        return GOS_E_MEMORY;
    }
    if (from < 0) {
        memcpy(x, e->ports, (size_t)count * e->n * sizeof *x);
    } else {
        gos__sparse_apply(e->M, count, e->own.v[e->field] + (size_t)from * e->n, x);
    }
    e->next = end;
    gos_status status = gos__saddle_solve(e->saddle, count, x, x);
    for (long k = 0; k < count && status == GOS_OK; k++) {
        status = add_own(e, x + k * e->n);
    }
    gos__free(e->ctx, x);
    return status;
}

static gos_status add_seed(gos_estimator *e, const gos_space *seed) {
    double *x = gos__alloc(e->ctx, e->n, sizeof *x);
    gos_status status = x ? GOS_OK : GOS_E_MEMORY;
    for (long k = 0; k < seed->count[e->field] && status == GOS_OK; k++) {
        memcpy(x, seed->v[e->field] + k * e->n, e->n * sizeof *x);
        status = add(e, &e->raw, x);
    }
    gos__free(e->ctx, x);
    return status;
}

/* A or A^T into X (n, columns) */
static void put(const gos_sparse *A, bool transposed, int n, double *X) {
    for (int c = 0; c < A->n; c++) {
        for (int k = A->p[c]; k < A->p[c + 1]; k++) {
            const long column = transposed ? A->i[k] : c, row = transposed ? c : A->i[k];
            X[column * n + row] = A->x[k];
        }
    }
}

static gos_status make_ports(gos_estimator *e) {
    const gos_sparse *b = e->l->block;
    const size_t n = e->n;
    e->nports = e->nu + (e->thermal ? 1 : 2) * e->ny;
    e->ports = gos__zalloc(e->ctx, n * e->nports + 1, sizeof *e->ports);
    if (!e->ports) {
        return GOS_E_MEMORY;
    }
    put(&b[e->thermal ? GOS_BLOCK_B_T : GOS_BLOCK_B], false, e->n, e->ports);
    double *Y = e->ports + n * e->nu;
    put(&b[e->thermal ? GOS_BLOCK_Y_T : GOS_BLOCK_Y_q], true, e->n, Y);
    if (!e->thermal) {
        put(&b[GOS_BLOCK_Y_v], true, e->n, Y + n * e->ny);
    }
    return GOS_OK;
}

/* ---- reference model and Gram matrix --------------------------------------------------------- */

static gos_status project(gos_estimator *e) {
    gos_linear_reduction_destroy(e->richer);
    e->richer = gos__zalloc(e->ctx, 1, sizeof *e->richer);
    if (!e->richer) {
        return GOS_E_MEMORY;
    }
    e->richer->ctx = e->ctx;
    gos__space_init(e->ctx, e->raw.start, NULL, &e->richer->V);
    for (long k = 0; k < e->raw.count[e->field]; k++) {
        GOS_TRY(gos__space_put(&e->richer->V, e->field, e->raw.v[e->field] + k * e->n));
    }
    GOS_TRY(gos__reduce_project(e->ctx, e->l, e->richer));
    gos__reduce_pencil_destroy(e->small);
    e->small = NULL;
    return gos__reduce_pencil_create(e->ctx, e->richer->model, NULL, &e->small);
}

/* R (n, columns) = [ports, K V, M V, D V] */
static void fill_residuals(const gos_estimator *e, int r, double *R) {
    const size_t n = e->n, block = n * r;
    const double *V = e->richer->V.v[e->field];
    memcpy(R, e->ports, n * e->nports * sizeof *R);
    double *KV = R + n * e->nports;
    gos__sparse_apply(e->K, r, V, KV);
    gos__sparse_apply(e->M, r, V, KV + block);
    if (e->D) {
        gos__sparse_apply(e->D, r, V, KV + 2 * block);
    }
}

/* X := G^-1 R; for K V it is V - sigma G^-1 M V, without a solve */
static gos_status solve_residuals(const gos_estimator *e, int r, const double *R, double *X) {
    const size_t n = e->n, block = n * r, ports = n * e->nports;
    const double *V = e->richer->V.v[e->field];
    double *of_K = X + ports, *of_M = of_K + block;
    GOS_TRY(gos__saddle_solve(e->saddle, e->nports, R, X));
    GOS_TRY(gos__saddle_solve(e->saddle, e->D ? 2 * r : r, R + ports + block, of_M));
    for (size_t i = 0; i < block; i++) {
        of_K[i] = V[i] - e->sigma * of_M[i];
    }
    return GOS_OK;
}

static gos_status make_gram(gos_estimator *e) {
    const int r = e->richer->V.count[e->field];
    e->columns = e->nports + (e->D ? 3 : 2) * r;
    const size_t n = e->n, m = e->columns;
    double *R = gos__alloc(e->ctx, 2 * n * m + 1, sizeof *R);
    gos__free(e->ctx, e->gram);
    gos__free(e->ctx, e->c);
    gos__free(e->ctx, e->X);
    const long widest = e->nu > e->ny ? e->nu : e->ny;
    e->gram = gos__alloc(e->ctx, m * m + m + 1, sizeof *e->gram);
    e->c = gos__alloc(e->ctx, 4 * m * widest + 1, sizeof *e->c);
    e->X = gos__alloc(e->ctx, r * widest + 1, sizeof *e->X);
    gos_status status = R && e->gram && e->c && e->X ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        e->gc = e->c + 2 * m * widest;
        e->length = e->gram + m * m;
        fill_residuals(e, r, R);
        status = solve_residuals(e, r, R, R + n * m);
        gos__dense_product(e->columns, e->columns, e->n, R + n * m, R, e->gram);
        for (size_t i = 0; i < m; i++) {
            e->length[i] = sqrt(fmax(e->gram[i * m + i], 0));
        }
    }
    gos__free(e->ctx, R);
    return status;
}

/* Row sums of |A_ij| sqrt(A_ii / A_jj), independent of units, times `factor`, added to sum (n). */
static void add_sums(const gos_sparse *A, double factor, double *sum, double *root) {
    for (int j = 0; j < A->n; j++) {
        root[j] = 0;
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            root[j] = A->i[k] == j ? sqrt(fmax(A->x[k], 0)) : root[j];
        }
    }
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            const int i = A->i[k];
            const double ratio = root[i] > 0 && root[j] > 0 ? root[i] / root[j] : 1;
            sum[i] += factor * ratio * fabs(A->x[k]);
        }
    }
}

/* Round-off of entries changes the response by x*^T dP x, |dP| <= eps |P|, bounded by scaled row
   sums. */
static gos_status make_rounded(gos_estimator *e) {
    const int r = e->richer->V.count[e->field];
    const size_t n = e->n, rr = (size_t)r * r;
    const double *V = e->richer->V.v[e->field];
    double *sum = gos__alloc(e->ctx, n * (r + 2L) + 1, sizeof *sum), *SV = sum + n;
    gos__free(e->ctx, e->rounded);
    e->rounded = gos__alloc(e->ctx, 4 * rr + 2L * r + 1, sizeof *e->rounded);
    const bool room = sum && e->rounded;
    for (int power = 0; power < 3 && room; power++) {
        memset(sum, 0, n * sizeof *sum);
        if (power == 0) {
            add_sums(e->K, 1, sum, SV);
        } else if (power == (e->thermal ? 1 : 2)) {
            add_sums(e->M, 1, sum, SV);
        } else if (power == 1 && e->D) {
            add_sums(e->D, 1, sum, SV);
        } else if (power == 1) {
            add_sums(e->K, e->beta, sum, SV);
            add_sums(e->M, e->alpha, sum, SV);
        }
        for (size_t k = 0; k < (size_t)r; k++) {
            for (size_t i = 0; i < n; i++) {
                SV[k * n + i] = sum[i] * V[k * n + i];
            }
        }
        gos__dense_product(r, r, e->n, V, SV, e->rounded + power * rr);
    }
    gos__free(e->ctx, sum);
    return room ? GOS_OK : GOS_E_MEMORY;
}

static gos_status renew(gos_estimator *e) {
    GOS_TRY(project(e));
    GOS_TRY(make_rounded(e));
    return make_gram(e);
}

/* ---- residuals at a frequency ---------------------------------------------------------------- */

/* Sum of squared residual norms for coefficients c (columns, 2 count), with round-off as lower
   limit. */
static double squares(const gos_estimator *e, int count) {
    const int m = e->columns;
    double sum = 0;
    cblas_dsymm(CblasColMajor, CblasLeft, CblasUpper, m, 2 * count, 1, e->gram, m, e->c, m, 0,
                e->gc, m);
    for (int k = 0; k < count; k++) {
        const double *re = e->c + 2L * k * m, *im = re + m;
        const double *g = e->gc + 2L * k * m;
        double size = 0;
        for (int i = 0; i < m; i++) {
            size += hypot(re[i], im[i]) * e->length[i];
        }
        const double square = gos__dense_dot(2 * m, re, g);
        sum += fmax(square, 0) + RESIDUAL_ROUNDING * size * size;
    }
    return sum;
}

/* sum of x^T |P| x over the solutions in X */
static double rounded(const gos_estimator *e, gos_complex s, int count) {
    const int r = e->richer->V.count[e->field];
    const size_t rr = (size_t)r * r;
    const double w = cimag(s), *R = e->rounded;
    double *P = e->rounded + 3 * rr, *x = P + rr, *Px = x + r, sum = 0;
    for (size_t k = 0; k < rr; k++) {
        P[k] = R[k] + w * R[rr + k] + w * w * R[2 * rr + k];
    }
    for (int k = 0; k < 2 * count; k++) { // real and imaginary parts
        for (int i = 0; i < r; i++) {
            const gos_complex z = e->X[(size_t)(k / 2) * r + i];
            x[i] = k % 2 ? cimag(z) : creal(z);
        }
        cblas_dsymv(CblasColMajor, CblasUpper, r, 1, P, r, x, 1, 0, Px, 1);
        sum += gos__dense_dot(r, x, Px);
    }
    return sum;
}

/* Squared residuals of all inputs (or outputs) at s; negative: out of memory or singular. */
static double residuals(const gos_estimator *e, gos_complex s, bool outputs, double *rounding) {
    const int r = e->richer->V.count[e->field], count = outputs ? e->ny : e->nu;
    const size_t m = e->columns;
    const gos_complex ofM = e->thermal ? s : s * s + s * e->alpha, ofK = 1 + s * e->beta;
    gos__reduce_pencil_rhs(e->small, outputs, s, 0, e->X);
    if (gos__reduce_pencil_solve(e->small, outputs, count, e->X) != GOS_OK) {
        return -1;
    }
    *rounding = rounded(e, s, count);
    memset(e->c, 0, 2 * m * count * sizeof *e->c);
    for (long k = 0; k < count; k++) {
        const gos_complex *x = e->X + k * r;
        double *re = e->c + 2L * k * m, *im = re + m;
        re[outputs ? e->nu + k : k] = 1;
        if (outputs && !e->thermal) {
            im[e->nu + e->ny + k] = cimag(s); // s is imaginary
        }
        for (int i = 0, at = e->nports; i < r; i++, at++) {
            const gos_complex of[] = {-ofK * x[i], -ofM * x[i], -s * x[i]};
            for (int part = 0; part < (e->D ? 3 : 2); part++) {
                re[at + part * r] = creal(of[part]);
                im[at + part * r] = cimag(of[part]);
            }
        }
    }
    return squares(e, count);
}

/* factor d of the bound */
static double definiteness(const gos_estimator *e, double w) {
    if (!e->thermal) {
        return (e->cut - w * w) / (e->cut + e->sigma);
    }
    const double at = e->sigma > 0 ? fmax(e->cut, w * w / e->sigma) : HUGE_VAL;
    return isfinite(at) ? hypot(at, w) / (at + e->sigma) : 1;
}

/* bound of |H - H_ref|; *rounding: round-off of H */
static double reference_error_at(void *user, double w, double *rounding) {
    const gos_estimator *e = user;
    const gos_complex s = gos__complex(0, w);
    double by_in, by_out;
    if (gos__reduce_pencil_try(e->small, s) != GOS_OK) {
        return HUGE_VAL; // at a pole
    }
    const double in = residuals(e, s, false, &by_in), out = residuals(e, s, true, &by_out);
    if (in < 0 || out < 0) {
        return -1;
    }
    *rounding = UNIT_ROUNDING * sqrt(fmax(by_in, 0) * fmax(by_out, 0));
    return e->raw.count[e->field] + e->pencil.C->m >= e->n ? 0 // complete basis: exact
                                                           : sqrt(in * out) / definiteness(e, w);
}

/* ---- construction, refinement, comparison ---------------------------------------------------- */

static bool room(const gos_estimator *e, int more) {
    const double r = e->raw.count[e->field] + more;
    return r <= MAX_VECTORS && 2.0 * e->n * (e->nports + (e->D ? 3 : 2) * r) <= MAX_ENTRIES;
}

static gos_status make(gos_estimator *e, const gos_space *seed, bool *good) {
    if (!e->thermal) {
        GOS_TRY(find_rayleigh(e));
    }
    if (e->D) {
        GOS_TRY(check_dissipation(e, good));
    }
    if (!*good) {
        return GOS_OK;
    }
    GOS_TRY(make_ports(e));
    GOS_TRY(gos__saddle_create(e->ctx, &e->pencil, &e->saddle));
    GOS_TRY(add_modes(e, good));
    if (!*good) {
        return GOS_OK;
    }
    GOS_TRY(e->at_rest ? GOS_OK : gos__saddle_factor(e->saddle, 0, e->sigma));
    if (seed) {
        GOS_TRY(add_seed(e, seed));
    }
    *good = room(e, 2 * e->nports);
    e->next = -1;
    if (!*good) {
        return GOS_OK;
    }
    GOS_TRY(add_block(e));
    return renew(e);
}

gos_status gos__estimator_create(gos_ctx *ctx, const gos_linear *l, const double band[2],
                                 const gos_space *seed, gos_estimator **estimator) {
    *estimator = NULL;
    if (!applies(l) || !(band[1] > 0)) {
        return GOS_OK;
    }
    gos_ctx *quiet = gos__ctx_quiet(ctx);
    gos_estimator *e = quiet ? gos__zalloc(quiet, 1, sizeof *e) : NULL;
    if (!e) {
        gos_ctx_destroy(quiet);
        return GOS_E_MEMORY;
    }
    gos__progress_follow(quiet, ctx);
    const bool thermal = l->nt > 0;
    const int start[] = {0, l->nq, l->nq + l->nt, l->nq + l->nt};
    *e = (gos_estimator){.ctx = quiet,
                         .l = l,
                         .lo = band[0],
                         .hi = band[1],
                         .thermal = thermal,
                         .field = thermal ? GOS_FIELD_T : GOS_FIELD_Q,
                         .n = thermal ? l->nt : l->nq,
                         .nu = l->nu,
                         .ny = l->ny,
                         .K = thermal ? &l->K_T : &l->K,
                         .M = thermal ? &l->block[GOS_BLOCK_C_T] : &l->M,
                         .cut = thermal ? FREE_MOTION * band[1] : CUT_RATIO * band[1] * band[1]};
    e->pencil = (gos_pencil){.K = e->K,
                             .M = e->M,
                             .C = &l->block[thermal ? GOS_BLOCK_H : GOS_BLOCK_C],
                             .ncomp = thermal ? 1 : l->ncomp};
    gos__space_init(quiet, start, NULL, &e->own);
    gos__space_init(quiet, start, NULL, &e->raw);
    bool good = true;
    const gos_status status = make(e, seed, &good);
    if (status == GOS_OK && good) {
        *estimator = e;
        return GOS_OK;
    }
    gos__estimator_destroy(e);
    return status == GOS_E_MEMORY ? gos__fail(ctx, status, "no memory for the error estimate")
                                  : GOS_OK;
}

const gos_linear *gos__estimator_model(const gos_estimator *e) {
    return e->richer->model;
}

gos_status gos__estimator_refine(gos_estimator *e, bool *more) {
    const int before = e->raw.count[e->field], block = e->own.count[e->field] - e->next;
    *more = block > 0 && room(e, block);
    if (!*more) {
        return GOS_OK;
    }
    GOS_TRY(add_block(e));
    *more = e->own.count[e->field] > e->next;
    return e->raw.count[e->field] > before ? renew(e) : GOS_OK;
}

gos_status gos__estimator_compare(gos_estimator *e, const gos_linear *reduced, gos_estimate *v) {
    const gos_linear *own = e->richer->model;
    gos_reference_error reference_error = {.at = reference_error_at, .user = e};
    GOS_TRY(gos__band_error(e->ctx, own, reduced ? reduced : own, e->lo, e->hi, &reference_error,
                            &v->error));
    v->reference_error = reference_error.worst / v->error.largest;
    v->bound = reference_error.least > 0 ? reference_error.bound / reference_error.least : HUGE_VAL;
    return GOS_OK;
}

gos_status gos__estimator_difference(gos_estimator *e, const gos_linear *reduced,
                                     gos_band_error *error) {
    return gos_linear_band_error(e->ctx, e->richer->model, reduced, e->lo, e->hi, error);
}

gos_status gos__estimator_bound(gos_estimator *e, const gos_linear *reduced, double share,
                                double size, gos_estimate *v, bool *settled) {
    bool more = true;
    double best = HUGE_VAL;
    int vain = 0;
    *settled = false;
    for (int round = 0; more && !*settled; round++) {
        GOS_TRY(gos__estimator_compare(e, reduced, v));
        vain = v->reference_error > MIN_IMPROVEMENT * best ? vain + 1 : 0;
        best = fmin(best, v->reference_error);
        *settled = v->reference_error <=
                   fmax(share * (reduced ? v->error.relative : size), REFERENCE_ROUNDING);
        more = round < MAX_ROUNDS && vain < MAX_IDLE_ROUNDS;
        if (!*settled && more) {
            GOS_TRY(gos__estimator_refine(e, &more));
        }
    }
    return GOS_OK;
}
