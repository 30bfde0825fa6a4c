/* The judge. Undamped modes below a cut above the band are found and counted; with them in the basis,
   residuals have no part along them, and on the rest P is as definite as the cut is far from the band:
       displacements:  G = K + sigma M,      Re x* P x >= (cut - w^2) / (cut + sigma) x* G x,
       temperatures:   G = K_T + sigma C_T,  |x* P x| >= |lambda + i w| / (lambda + sigma) x* G x
   for the worst rate lambda >= cut. sigma is 0 unless something moves, or keeps its heat, freely.
   Residuals lie in the span of [B, Y^T, K V, M V, D V]: their norms at any frequency come from the Gram
   matrix of these in G^-1, which costs one factorisation and one block of solves. */
#include "linear_reduction/judge.h"

#include <cblas.h>
#include <complex.h>
#include <math.h>

#include "linalg/dense.h"
#include "linalg/eigen.h"

#define ABOVE 2.0     // cut over the square of the highest frequency of the band
#define FREE 1e-6     // lower than this, relative to the band, nothing holds the model
#define MODES 300     // most that are looked for
#define VECTORS 700   // most in the basis
#define ROOM 5e7      // most numbers in [X, G^-1 X]: 400 MB
#define ALLOWED 1e-14 // rounding of a residual, of the terms that it is the difference of
#define EQUAL 1e-10   // of D and Rayleigh's, relative
#define COUPLED 1e-8  // damping between kept modes and others, relative, that is none
#define UNIT 1.2e-16  // rounding of an entry, relative
#define ROUNDS 8
#define NOTHING 1e-11 // a doubt that is rounding

struct gos_judge {
    gos_ctx *ctx; // its own: failures are no errors, only no proof
    const gos_linear *l;
    double lo, hi;
    bool thermal, rayleigh;
    int field, n, nu, ny;
    const gos_sparse *K, *M, *D; // of the field; D NULL: none, or Rayleigh's
    double alpha, beta;          // D = alpha M + beta K
    gos_pencil pencil;
    gos_saddle *saddle; // G
    double sigma, cut;
    double *ports; // [B, Y0^T, Y1^T] (n, nports)
    int nports;
    gos_space own; // orthonormal: modes, and blocks of responses that follow each other,
    int next;      // the last of which begins here
    gos_space raw; // orthonormal: those and the seed
    gos_linear_reduction *richer; // the same in normal form
    gos_reduce_pencil *small;     // of that model
    int columns;
    double *gram;   // (columns, columns)
    double *length; // roots of its diagonal (columns)
    double *c, *gc; // coefficients of residuals and the Gram matrix times them (columns, 2 ports)
    gos_complex *X; // (reduced coordinates, larger number of ports)
    double
        *rounded; // V^T |A| V for A of each power of s, |A| by sums of its rows (r, r, 3); scratch
};

void gos__judge_destroy(gos_judge *j) {
    if (j) {
        gos_ctx *own = j->ctx;
        gos__saddle_destroy(j->saddle);
        gos__reduce_pencil_destroy(j->small);
        gos_linear_reduction_destroy(j->richer);
        if (j->raw.ctx) {
            gos__space_free(&j->own);
            gos__space_free(&j->raw);
        }
        gos__free(j->ctx, j->ports);
        gos__free(j->ctx, j->gram);
        gos__free(j->ctx, j->c);
        gos__free(j->ctx, j->X);
        gos__free(j->ctx, j->rounded);
        gos__free(own, j);
        gos_ctx_destroy(own);
    }
}

/* ---- does it apply? ---------------------------------------------------------------------------- */

/* D = alpha M + beta K by least squares of their entries: is nothing left? */
static gos_status find_rayleigh(gos_judge *j) {
    const gos_sparse *D = &j->l->block[GOS_BLOCK_D];
    const double mm = gos__sparse_dot(j->M, j->M), mk = gos__sparse_dot(j->M, j->K),
                 kk = gos__sparse_dot(j->K, j->K);
    const double dm = gos__sparse_dot(D, j->M), dk = gos__sparse_dot(D, j->K),
                 dd = gos__sparse_dot(D, D);
    const double det = mm * kk - mk * mk;
    const double alpha = det > 1e-12 * mm * kk ? (dm * kk - dk * mk) / det : 0;
    const double beta = det > 1e-12 * mm * kk ? (dk * mm - dm * mk) / det : kk > 0 ? dk / kk : 0;
    gos_sparse S = {0}, R = {0};
    gos_status status = gos__sparse_sum(j->ctx, alpha, j->M, beta, j->K, &S);
    status = status == GOS_OK ? gos__sparse_sum(j->ctx, 1, D, -1, &S, &R) : status;
    // one part may be next to nothing, and of either sign
    const double least = -EQUAL * sqrt(dd);
    j->rayleigh = status == GOS_OK && gos__sparse_dot(&R, &R) <= EQUAL * EQUAL * dd &&
                  alpha * sqrt(mm) >= least && beta * sqrt(kk) >= least;
    gos__sparse_free(j->ctx, &S);
    gos__sparse_free(j->ctx, &R);
    j->alpha = j->rayleigh ? fmax(alpha, 0) : 0;
    j->beta = j->rayleigh ? fmax(beta, 0) : 0;
    j->D = j->rayleigh ? NULL : D;
    return status;
}

static bool applies(const gos_linear *l) {
    const bool mechanical = l->nq > 0 && l->nt == 0 && l->nphi == 0;
    const bool thermal = l->nt > 0 && l->nq == 0 && l->nphi == 0;
    return l->symmetric && (mechanical || thermal) && l->nu > 0 && l->ny > 0;
}

/* has D no negative eigenvalue? */
static gos_status check_dissipation(const gos_judge *j, bool *good) {
    const gos_pencil p = {.K = j->D, .M = j->M, .C = j->pencil.C, .ncomp = j->pencil.ncomp};
    gos_saddle *s = NULL;
    int negative = 0;
    gos_status status = gos__saddle_create(j->ctx, &p, &s);
    status =
        status == GOS_OK ? gos__saddle_count(s, -EQUAL * gos__pencil_scale(&p), &negative) : status;
    gos__saddle_destroy(s);
    *good = status == GOS_OK && negative == 0;
    return status == GOS_E_SINGULAR ? GOS_OK : status;
}

/* D x = d M x for each of the modes x (n, m) with X^T M X = 1? */
static gos_status check_modal(const gos_judge *j, int m, const double *x, bool *good) {
    const size_t n = j->n;
    double *work = gos__alloc(j->ctx, 2 * n + 1, sizeof *work), size = 0, rest = 0;
    if (!work) {
        return GOS_E_MEMORY;
    }
    for (int k = 0; k < m; k++) {
        const double *mode = x + k * n;
        gos__sparse_apply(j->D, 1, mode, work);
        gos__sparse_apply(j->M, 1, mode, work + n);
        const double d = gos__dense_dot(j->n, mode, work);
        for (size_t i = 0; i < n; i++) {
            const double r = work[i] - d * work[n + i];
            size += work[i] * work[i];
            rest += r * r;
        }
    }
    gos__free(j->ctx, work);
    *good = rest <= COUPLED * COUPLED * size;
    return GOS_OK;
}

/* ---- vectors ------------------------------------------------------------------------------------- */

static gos_status add(gos_judge *j, gos_space *s, double *x) {
    return gos__space_add(s, j->field, x, cblas_dnrm2(j->n, x, 1));
}

/* what is new in the one space goes into the other, too; it may be there already */
static gos_status add_own(gos_judge *j, double *x) {
    const int before = j->own.count[j->field];
    GOS_TRY(add(j, &j->own, x));
    return j->own.count[j->field] > before ? add(j, &j->raw, x) : GOS_OK;
}

/* the modes below the cut; *good false: too many, or their damping couples them */
static gos_status add_modes(gos_judge *j, bool *good) {
    int m, found = 0;
    GOS_TRY(gos__saddle_count(j->saddle, j->cut, &m));
    *good = m <= MODES && m <= VECTORS / 2;
    if (!*good || m == 0) {
        return GOS_OK;
    }
    double *lambda = gos__alloc(j->ctx, m * (1L + j->n), sizeof *lambda);
    if (!lambda) {
        return GOS_E_MEMORY;
    }
    double *x = lambda + m;
    gos_status status = gos__eigen_lowest(j->ctx, &j->pencil, m, lambda, x, &found);
    *good = status == GOS_OK && found == m && lambda[0] >= 0;
    if (*good && lambda[0] <= FREE * j->cut) {
        j->sigma = j->thermal ? sqrt(fmax(j->lo, 1e-4 * j->hi) * j->hi) : j->hi * j->hi;
    }
    if (*good && j->D) {
        status = check_modal(j, m, x, good);
    }
    for (int k = 0; k < m && *good && status == GOS_OK; k++) {
        status = add_own(j, x + (size_t)k * j->n);
    }
    gos__free(j->ctx, lambda);
    return status;
}

/* G^-1 of the ports, or of M times the last block */
static gos_status add_block(gos_judge *j) {
    const int end = j->own.count[j->field], from = j->next;
    const int count = from < 0 ? j->nports : end - from;
    double *x = gos__alloc(j->ctx, (size_t)count * j->n + 1, sizeof *x);
    if (!x) {
        return GOS_E_MEMORY;
    }
    if (from < 0) {
        memcpy(x, j->ports, (size_t)count * j->n * sizeof *x);
    } else {
        gos__sparse_apply(j->M, count, j->own.v[j->field] + (size_t)from * j->n, x);
    }
    j->next = end;
    gos_status status = gos__saddle_solve(j->saddle, count, x, x);
    for (int k = 0; k < count && status == GOS_OK; k++) {
        status = add_own(j, x + (size_t)k * j->n);
    }
    gos__free(j->ctx, x);
    return status;
}

/* the vectors of a basis */
static gos_status add_seed(gos_judge *j, const gos_space *seed) {
    double *x = gos__alloc(j->ctx, j->n, sizeof *x);
    gos_status status = x ? GOS_OK : GOS_E_MEMORY;
    for (int k = 0; k < seed->count[j->field] && status == GOS_OK; k++) {
        memcpy(x, seed->v[j->field] + (size_t)k * j->n, j->n * sizeof *x);
        status = add(j, &j->raw, x);
    }
    gos__free(j->ctx, x);
    return status;
}

/* A, or its transpose, into X (n, columns) */
static void put(const gos_sparse *A, bool transposed, int n, double *X) {
    for (int c = 0; c < A->n; c++) {
        for (int k = A->p[c]; k < A->p[c + 1]; k++) {
            const int column = transposed ? A->i[k] : c, row = transposed ? c : A->i[k];
            X[(size_t)column * n + row] = A->x[k];
        }
    }
}

static gos_status make_ports(gos_judge *j) {
    const gos_sparse *b = j->l->block;
    const size_t n = j->n;
    j->nports = j->nu + (j->thermal ? 1 : 2) * j->ny;
    j->ports = gos__zalloc(j->ctx, n * j->nports + 1, sizeof *j->ports);
    if (!j->ports) {
        return GOS_E_MEMORY;
    }
    put(&b[j->thermal ? GOS_BLOCK_B_T : GOS_BLOCK_B], false, j->n, j->ports);
    double *Y = j->ports + n * j->nu;
    put(&b[j->thermal ? GOS_BLOCK_Y_T : GOS_BLOCK_Y_q], true, j->n, Y);
    if (!j->thermal) {
        put(&b[GOS_BLOCK_Y_v], true, j->n, Y + n * j->ny);
    }
    return GOS_OK;
}

/* ---- the model and the Gram matrix of its residuals ------------------------------------------------ */

static gos_status project(gos_judge *j) {
    gos_linear_reduction_destroy(j->richer);
    j->richer = gos__zalloc(j->ctx, 1, sizeof *j->richer);
    if (!j->richer) {
        return GOS_E_MEMORY;
    }
    j->richer->ctx = j->ctx;
    gos__space_begin(j->ctx, j->raw.start, NULL, &j->richer->V);
    for (int k = 0; k < j->raw.count[j->field]; k++) {
        GOS_TRY(gos__space_put(&j->richer->V, j->field, j->raw.v[j->field] + (size_t)k * j->n));
    }
    GOS_TRY(gos__reduce_project(j->ctx, j->l, j->richer));
    gos__reduce_pencil_destroy(j->small);
    j->small = NULL;
    return gos__reduce_pencil_create(j->ctx, j->richer->model, NULL, &j->small);
}

/* R (n, columns) = [ports, K V, M V, D V] */
static void fill_residuals(const gos_judge *j, int r, double *R) {
    const size_t n = j->n, block = n * r;
    const double *V = j->richer->V.v[j->field];
    memcpy(R, j->ports, n * j->nports * sizeof *R);
    double *KV = R + n * j->nports;
    gos__sparse_apply(j->K, r, V, KV);
    gos__sparse_apply(j->M, r, V, KV + block);
    if (j->D) {
        gos__sparse_apply(j->D, r, V, KV + 2 * block);
    }
}

/* X := G^-1 R; of K V it is V - sigma G^-1 M V, which needs no solve */
static gos_status solve_residuals(const gos_judge *j, int r, const double *R, double *X) {
    const size_t n = j->n, block = n * r, ports = n * j->nports;
    const double *V = j->richer->V.v[j->field];
    double *of_K = X + ports, *of_M = of_K + block;
    GOS_TRY(gos__saddle_solve(j->saddle, j->nports, R, X));
    GOS_TRY(gos__saddle_solve(j->saddle, j->D ? 2 * r : r, R + ports + block, of_M));
    for (size_t i = 0; i < block; i++) {
        of_K[i] = V[i] - j->sigma * of_M[i];
    }
    return GOS_OK;
}

static gos_status make_gram(gos_judge *j) {
    const int r = j->richer->V.count[j->field];
    j->columns = j->nports + (j->D ? 3 : 2) * r;
    const size_t n = j->n, m = j->columns;
    double *R = gos__alloc(j->ctx, 2 * n * m + 1, sizeof *R);
    gos__free(j->ctx, j->gram);
    gos__free(j->ctx, j->c);
    gos__free(j->ctx, j->X);
    const int widest = j->nu > j->ny ? j->nu : j->ny;
    j->gram = gos__alloc(j->ctx, m * m + m + 1, sizeof *j->gram);
    j->c = gos__alloc(j->ctx, 4 * m * widest + 1, sizeof *j->c);
    j->X = gos__alloc(j->ctx, (size_t)r * widest + 1, sizeof *j->X);
    gos_status status = R && j->gram && j->c && j->X ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        j->gc = j->c + 2 * m * widest;
        j->length = j->gram + m * m;
        fill_residuals(j, r, R);
        status = solve_residuals(j, r, R, R + n * m);
        gos__dense_product(j->columns, j->columns, j->n, R + n * m, R, j->gram);
        for (size_t i = 0; i < m; i++) {
            j->length[i] = sqrt(fmax(j->gram[i * m + i], 0));
        }
    }
    gos__free(j->ctx, R);
    return status;
}

/* sums of |A_ij| sqrt(A_ii / A_jj) in the rows of A, the same whatever the units are, times `factor`, into
   sum (n); root (n) is scratch */
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

/* What entries of the full matrices are rounded by moves the response by x*^T dP x, and |dP| <= eps |P|, which is
   no more than the diagonal of its scaled row sums. */
static gos_status make_rounded(gos_judge *j) {
    const int r = j->richer->V.count[j->field];
    const size_t n = j->n, rr = (size_t)r * r;
    const double *V = j->richer->V.v[j->field];
    double *sum = gos__alloc(j->ctx, n * (r + 2L) + 1, sizeof *sum), *SV = sum + n;
    gos__free(j->ctx, j->rounded);
    j->rounded = gos__alloc(j->ctx, 4 * rr + 2L * r + 1, sizeof *j->rounded);
    const bool room = sum && j->rounded;
    for (int power = 0; power < 3 && room; power++) {
        memset(sum, 0, n * sizeof *sum);
        if (power == 0) {
            add_sums(j->K, 1, sum, SV);
        } else if (power == (j->thermal ? 1 : 2)) {
            add_sums(j->M, 1, sum, SV);
        } else if (power == 1 && j->D) {
            add_sums(j->D, 1, sum, SV);
        } else if (power == 1) {
            add_sums(j->K, j->beta, sum, SV);
            add_sums(j->M, j->alpha, sum, SV);
        }
        for (size_t k = 0; k < (size_t)r; k++) {
            for (size_t i = 0; i < n; i++) {
                SV[k * n + i] = sum[i] * V[k * n + i];
            }
        }
        gos__dense_product(r, r, j->n, V, SV, j->rounded + power * rr);
    }
    gos__free(j->ctx, sum);
    return room ? GOS_OK : GOS_E_MEMORY;
}

static gos_status renew(gos_judge *j) {
    GOS_TRY(project(j));
    GOS_TRY(make_rounded(j));
    return make_gram(j);
}

/* ---- residuals at a frequency -------------------------------------------------------------------- */

/* sum of squared norms of residuals with coefficients c (columns, 2 count), real and imaginary parts, none
   below its rounding */
static double squares(const gos_judge *j, int count) {
    const int m = j->columns;
    double sum = 0;
    cblas_dsymm(CblasColMajor, CblasLeft, CblasUpper, m, 2 * count, 1, j->gram, m, j->c, m, 0,
                j->gc, m);
    for (int k = 0; k < count; k++) {
        const double *re = j->c + 2L * k * m, *im = re + m;
        const double *g = j->gc + 2L * k * m;
        double size = 0;
        for (int i = 0; i < m; i++) {
            size += hypot(re[i], im[i]) * j->length[i];
        }
        const double square = gos__dense_dot(2 * m, re, g);
        sum += fmax(square, 0) + ALLOWED * size * size;
    }
    return sum;
}

/* sum of x^T |P| x of the solutions in X */
static double rounded(const gos_judge *j, gos_complex s, int count) {
    const int r = j->richer->V.count[j->field];
    const size_t rr = (size_t)r * r;
    const double w = cimag(s), *R = j->rounded;
    double *P = j->rounded + 3 * rr, *x = P + rr, *Px = x + r, sum = 0;
    for (size_t k = 0; k < rr; k++) {
        P[k] = R[k] + w * R[rr + k] + w * w * R[2 * rr + k];
    }
    for (int k = 0; k < 2 * count; k++) { // real and imaginary parts
        for (int i = 0; i < r; i++) {
            const gos_complex z = j->X[(size_t)(k / 2) * r + i];
            x[i] = k % 2 ? cimag(z) : creal(z);
        }
        cblas_dsymv(CblasColMajor, CblasUpper, r, 1, P, r, x, 1, 0, Px, 1);
        sum += gos__dense_dot(r, x, Px);
    }
    return sum;
}

/* sum of squares of the residuals of all inputs (or outputs) at s; negative: out of memory or singular */
static double residuals(const gos_judge *j, gos_complex s, bool outputs, double *rounding) {
    const int r = j->richer->V.count[j->field], count = outputs ? j->ny : j->nu;
    const size_t m = j->columns;
    const gos_complex ofM = j->thermal ? s : s * s + s * j->alpha, ofK = 1 + s * j->beta;
    gos__reduce_pencil_rhs(j->small, outputs, s, 0, j->X);
    if (gos__reduce_pencil_solve(j->small, outputs, count, j->X) != GOS_OK) {
        return -1;
    }
    *rounding = rounded(j, s, count);
    memset(j->c, 0, 2 * m * count * sizeof *j->c);
    for (int k = 0; k < count; k++) {
        const gos_complex *x = j->X + (size_t)k * r;
        double *re = j->c + 2L * k * m, *im = re + m;
        re[outputs ? j->nu + k : k] = 1;
        if (outputs && !j->thermal) {
            im[j->nu + j->ny + k] = cimag(s); // s is imaginary
        }
        for (int i = 0, at = j->nports; i < r; i++, at++) {
            const gos_complex of[] = {-ofK * x[i], -ofM * x[i], -s * x[i]};
            for (int part = 0; part < (j->D ? 3 : 2); part++) {
                re[at + part * r] = creal(of[part]);
                im[at + part * r] = cimag(of[part]);
            }
        }
    }
    return squares(j, count);
}

/* d of the bound */
static double definiteness(const gos_judge *j, double w) {
    if (!j->thermal) {
        return (j->cut - w * w) / (j->cut + j->sigma);
    }
    const double at = j->sigma > 0 ? fmax(j->cut, w * w / j->sigma) : HUGE_VAL;
    return isfinite(at) ? hypot(at, w) / (at + j->sigma) : 1;
}

/* |H - H_judge| at most, and what entries of P that are rounded change of H */
static double doubt_at(void *user, double w, double *rounding) {
    const gos_judge *j = user;
    const gos_complex s = gos__complex(0, w);
    double by_in, by_out;
    if (gos__reduce_pencil_try(j->small, s) != GOS_OK) {
        return HUGE_VAL; // on a pole
    }
    const double in = residuals(j, s, false, &by_in), out = residuals(j, s, true, &by_out);
    if (in < 0 || out < 0) {
        return -1;
    }
    *rounding = UNIT * sqrt(fmax(by_in, 0) * fmax(by_out, 0));
    return j->raw.count[j->field] + j->pencil.C->m >= j->n ? 0 // all there is, in other coordinates
                                                           : sqrt(in * out) / definiteness(j, w);
}

/* ---- the whole ----------------------------------------------------------------------------------- */

static bool room(const gos_judge *j, int more) {
    const double r = j->raw.count[j->field] + more;
    return r <= VECTORS && 2.0 * j->n * (j->nports + (j->D ? 3 : 2) * r) <= ROOM;
}

static gos_status make(gos_judge *j, const gos_space *seed, bool *good) {
    if (!j->thermal) {
        GOS_TRY(find_rayleigh(j));
    }
    if (j->D) {
        GOS_TRY(check_dissipation(j, good));
    }
    if (!*good) {
        return GOS_OK;
    }
    GOS_TRY(make_ports(j));
    GOS_TRY(gos__saddle_create(j->ctx, &j->pencil, &j->saddle));
    GOS_TRY(add_modes(j, good));
    if (!*good) {
        return GOS_OK;
    }
    GOS_TRY(gos__saddle_factor(j->saddle, 0, j->sigma));
    if (seed) {
        GOS_TRY(add_seed(j, seed));
    }
    *good = room(j, 2 * j->nports);
    j->next = -1;
    if (!*good) {
        return GOS_OK;
    }
    GOS_TRY(add_block(j));
    return renew(j);
}

gos_status gos__judge_create(gos_ctx *ctx, const gos_linear *l, const double band[2],
                             const gos_space *seed, gos_judge **judge) {
    *judge = NULL;
    if (!applies(l) || !(band[1] > 0)) {
        return GOS_OK;
    }
    gos_ctx *quiet = gos__ctx_quiet(ctx);
    gos_judge *j = quiet ? gos__zalloc(quiet, 1, sizeof *j) : NULL;
    if (!j) {
        gos_ctx_destroy(quiet);
        return GOS_E_MEMORY;
    }
    const bool thermal = l->nt > 0;
    const int start[] = {0, l->nq, l->nq + l->nt, l->nq + l->nt};
    *j = (gos_judge){.ctx = quiet,
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
                     .cut = thermal ? FREE * band[1] : ABOVE * band[1] * band[1]};
    j->pencil = (gos_pencil){.K = j->K,
                             .M = j->M,
                             .C = &l->block[thermal ? GOS_BLOCK_H : GOS_BLOCK_C],
                             .ncomp = thermal ? 1 : l->ncomp};
    gos__space_begin(quiet, start, NULL, &j->own);
    gos__space_begin(quiet, start, NULL, &j->raw);
    bool good = true;
    const gos_status status = make(j, seed, &good);
    if (status == GOS_OK && good) {
        *judge = j;
        return GOS_OK;
    }
    gos__judge_destroy(j);
    return status == GOS_E_MEMORY ? gos__fail(ctx, status, "no memory to estimate errors") : GOS_OK;
}

const gos_linear *gos__judge_model(const gos_judge *j) {
    return j->richer->model;
}

gos_status gos__judge_refine(gos_judge *j, bool *more) {
    const int before = j->raw.count[j->field], block = j->own.count[j->field] - j->next;
    *more = block > 0 && room(j, block);
    if (!*more) {
        return GOS_OK;
    }
    GOS_TRY(add_block(j));
    *more = j->own.count[j->field] > j->next;
    return j->raw.count[j->field] > before ? renew(j) : GOS_OK;
}

gos_status gos__judge_compare(gos_judge *j, const gos_linear *reduced, gos_verdict *v) {
    const gos_linear *own = j->richer->model;
    gos_doubt doubt = {.at = doubt_at, .user = j};
    GOS_TRY(gos__band_error(j->ctx, own, reduced ? reduced : own, j->lo, j->hi, &doubt, &v->error));
    v->doubt = doubt.worst / v->error.largest;
    v->bound = doubt.least > 0 ? doubt.bound / doubt.least : HUGE_VAL;
    return GOS_OK;
}

gos_status gos__judge_difference(gos_judge *j, const gos_linear *reduced, gos_band_error *e) {
    return gos_linear_band_error(j->ctx, j->richer->model, reduced, j->lo, j->hi, e);
}

gos_status gos__judge_settle(gos_judge *j, const gos_linear *reduced, double share, double size,
                             gos_verdict *v, bool *settled) {
    bool more = true;
    *settled = false;
    for (int round = 0; more && !*settled; round++) {
        GOS_TRY(gos__judge_compare(j, reduced, v));
        *settled = v->doubt <= fmax(share * (reduced ? v->error.relative : size), NOTHING);
        more = round < ROUNDS;
        if (!*settled && more) {
            GOS_TRY(gos__judge_refine(j, &more));
        }
    }
    return GOS_OK;
}
