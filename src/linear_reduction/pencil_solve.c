/* Factorisation and solution of P(s) with its constraints: complex, or real symmetric for large
   models at real points (undamped: at frequencies), a quarter of the work. */
#include <complex.h>
#include <math.h>

#include "linear_reduction/pencil.h"
#include "math/random.h"

#define BLOCK GOS_PENCIL_BLOCK
#define UNREPEATABLE 0.1 // relative difference of repeated solutions without correct digits

void gos__pencil_solvers_free(gos_reduce_pencil *p) {
    gos__complex_solver_destroy(p->solver);
    gos__saddle_destroy(p->saddle);
    gos__free(p->ctx, p->sum);
    gos__free(p->ctx, p->rhs);
    gos__free(p->ctx, p->real_rhs);
}

static gos_status make_complex(gos_reduce_pencil *p) {
    if (p->solver) {
        return GOS_OK;
    }
    const gos_complex_def def = {
        .pattern = &p->pattern, .symmetric = p->symmetric, .ncomp = p->ncomp, .nlast = p->nc};
    p->sum = gos__zalloc(p->ctx, p->pattern.nnz + 1L, sizeof *p->sum);
    gos_status status = p->sum ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__complex_solver_create(p->ctx, &def, NULL, &p->solver) : status;
    if (status != GOS_OK) {
        gos__free(p->ctx, p->sum);
        p->sum = NULL;
    }
    return status == GOS_E_SINGULAR
               ? gos__fail(p->ctx, status, "a row or column of the model matrices is empty")
               : status;
}

gos_status gos__reduce_pencil_heavy(gos_reduce_pencil *p, bool *heavy) {
    GOS_TRY(make_complex(p));
    *heavy = gos__complex_solver_way(p->solver) == &gos__complex_mumps;
    return GOS_OK;
}

static gos_status make_real(gos_reduce_pencil *p) {
    if (p->saddle) {
        return GOS_OK;
    }
    const gos_pencil pencil = {.K = &p->A[0],
                               .M = &p->A[2],
                               .D = p->A[1].nnz > 0 ? &p->A[1] : NULL,
                               .C = &p->C,
                               .ncomp = p->ncomp};
    p->real_rhs = gos__zalloc(p->ctx, 2 * BLOCK * (size_t)p->pattern.n + 1, sizeof *p->real_rhs);
    const gos_status status =
        p->real_rhs ? gos__saddle_create_strict(p->ctx, &pencil, &p->saddle) : GOS_E_MEMORY;
    if (status != GOS_OK) {
        gos__free(p->ctx, p->real_rhs);
        p->real_rhs = NULL;
    }
    return status;
}

/* true if P(s) is real and large enough for the real solver */
static bool is_real(const gos_reduce_pencil *p, gos_complex s) {
    return p->symmetric && p->pattern.n >= GOS_SYMMETRIC_LARGE &&
           (cimag(s) == 0 || (creal(s) == 0 && p->A[1].nnz == 0));
}

static gos_status factor_real(gos_reduce_pencil *p, gos_complex s) {
    GOS_TRY(make_real(p));
    return gos__saddle_try(p->saddle, creal(s), creal(s * s), &p->negative);
}

static gos_status factor_complex(gos_reduce_pencil *p, gos_complex s) {
    GOS_TRY(make_complex(p));
    for (int k = 0; k < p->pattern.nnz; k++) {
        p->sum[k] = p->value[0][k] + s * (p->value[1][k] + s * p->value[2][k]);
    }
    return gos__complex_solver_factor(p->solver, p->sum);
}

static gos_status solve(gos_reduce_pencil *p, bool transposed, int ncol, gos_complex *X,
                        const double *c);

/* *singular within round-off, such as conduction of an insulated body, which pivots do not
   reveal: solving P x again differs completely. */
static gos_status check_singular(gos_reduce_pencil *p, gos_complex s, bool *singular) {
    const size_t n = p->n;
    gos_complex *x = gos__alloc(p->ctx, 2 * n + 1, sizeof *x), *y = x + n;
    uint64_t seed = GOS_XORSHIFT_START;
    *singular = false;
    GOS_TRY(x ? GOS_OK : GOS_E_MEMORY);
    for (size_t i = 0; i < n; i++) {
        x[i] = gos__xorshift_unit(&seed);
    }
    gos_status status = solve(p, false, 1, x, NULL);
    memset(y, 0, n * sizeof *y);
    gos_complex power = 1;
    for (int k = 0; k < 3; k++) {
        gos__reduce_pencil_add(p, k, false, power, x, y);
        power *= s;
    }
    status = status == GOS_OK ? solve(p, false, 1, y, NULL) : status;
    for (int f = 0; f < GOS_NFIELDS && status == GOS_OK; f++) {
        double size = 0, off = 0;
        for (int i = p->start[f]; i < p->start[f + 1]; i++) {
            size += creal(x[i] * conj(x[i]));
            off += creal((x[i] - y[i]) * conj(x[i] - y[i]));
        }
        *singular = *singular || !(off <= UNREPEATABLE * UNREPEATABLE * size);
    }
    gos__free(p->ctx, x);
    return status;
}

gos_status gos__reduce_pencil_try(gos_reduce_pencil *p, gos_complex s) {
    const double begin = gos__now();
    if (p->factored && p->at == s) {
        return GOS_OK;
    }
    if (!p->rhs) {
        p->rhs = gos__zalloc(p->ctx, BLOCK * (size_t)p->pattern.n + 1, sizeof *p->rhs);
    }
    if (!p->rhs) {
        return GOS_E_MEMORY;
    }
    p->real = is_real(p, s);
    gos_status status = p->real ? factor_real(p, s) : factor_complex(p, s);
    if (status == GOS_OK && s == 0) { // possible pole of free motions or insulated bodies
        bool singular;
        status = check_singular(p, s, &singular);
        status = status == GOS_OK && singular ? GOS_E_SINGULAR : status;
    }
    p->factored = status == GOS_OK;
    p->at = s;
    p->factorisations++;
    p->time_factor += gos__now() - begin;
    return status;
}

/* Columns of rhs (pattern.n, count); real and imaginary parts separately, zero parts are
   skipped. */
static gos_status solve_real(gos_reduce_pencil *p, int count, gos_complex *rhs) {
    const size_t N = p->pattern.n;
    int at[BLOCK], extra = count; // column of each imaginary part
    for (int j = 0; j < count; j++) {
        bool imaginary = false;
        const gos_complex *b = rhs + j * N;
        for (size_t i = 0; i < N; i++) {
            p->real_rhs[j * N + i] = creal(b[i]);
            imaginary = imaginary || cimag(b[i]) != 0;
        }
        at[j] = imaginary ? extra++ : -1;
        for (size_t i = 0; i < N && imaginary; i++) {
            p->real_rhs[at[j] * N + i] = cimag(b[i]);
        }
    }
    GOS_TRY(gos__saddle_solve_augmented(p->saddle, p->scale, extra, p->real_rhs));
    for (int j = 0; j < count; j++) {
        const double *re = p->real_rhs + j * N, *im = at[j] < 0 ? NULL : p->real_rhs + at[j] * N;
        for (size_t i = 0; i < N; i++) {
            rhs[j * N + i] = gos__complex(re[i], im ? im[i] : 0);
        }
    }
    return GOS_OK;
}

gos_status gos__pencil_solve_augmented(gos_reduce_pencil *p, bool transposed, int count,
                                       gos_complex *X) {
    return p->real ? solve_real(p, count, X)
                   : gos__complex_solver_solve(p->solver, transposed, count, X);
}

/* X += solution of C x = c (nc, ncol) without load */
static gos_status impose_real(gos_reduce_pencil *p, int ncol, const double *c, gos_complex *X) {
    const size_t size = (size_t)p->n * ncol;
    double *Y = gos__alloc(p->ctx, size + 1, sizeof *Y);
    const gos_status status = Y ? gos__saddle_impose(p->saddle, ncol, c, Y) : GOS_E_MEMORY;
    for (size_t i = 0; i < size && status == GOS_OK; i++) {
        X[i] += Y[i];
    }
    gos__free(p->ctx, Y);
    return status;
}

static gos_status solve(gos_reduce_pencil *p, bool transposed, int ncol, gos_complex *X,
                        const double *c) {
    const size_t n = p->n, nc = p->nc, N = n + nc;
    for (int from = 0; from < ncol; from += BLOCK) {
        const int count = ncol - from < BLOCK ? ncol - from : BLOCK;
        for (int j = 0; j < count; j++) {
            gos_complex *b = p->rhs + j * N;
            memcpy(b, X + (from + j) * n, n * sizeof *X);
            for (size_t i = 0; i < nc; i++) {
                b[n + i] = c && !p->real ? p->scale * c[(from + j) * nc + i] : 0;
            }
        }
        GOS_TRY(gos__pencil_solve_augmented(p, transposed, count, p->rhs));
        for (int j = 0; j < count; j++) {
            memcpy(X + (from + j) * n, p->rhs + j * N, n * sizeof *X);
        }
    }
    return c && p->real ? impose_real(p, ncol, c, X) : GOS_OK;
}

gos_status gos__reduce_pencil_solve_real(gos_reduce_pencil *p, int ncol, double *X) {
    const size_t n = p->n, nc = p->nc, N = n + nc;
    for (int from = 0; from < ncol; from += BLOCK) {
        const int count = ncol - from < BLOCK ? ncol - from : BLOCK;
        for (int j = 0; j < count; j++) {
            memcpy(p->real_rhs + j * N, X + (from + j) * n, n * sizeof *X);
            memset(p->real_rhs + j * N + n, 0, nc * sizeof *X);
        }
        GOS_TRY(gos__saddle_solve_augmented(p->saddle, p->scale, count, p->real_rhs));
        for (int j = 0; j < count; j++) {
            memcpy(X + (from + j) * n, p->real_rhs + j * N, n * sizeof *X);
        }
    }
    return GOS_OK;
}

gos_status gos__reduce_pencil_solve_at(gos_reduce_pencil *p, int ncol, gos_complex *X,
                                       const double *c) {
    return solve(p, false, ncol, X, c);
}

gos_status gos__reduce_pencil_solve(gos_reduce_pencil *p, bool transposed, int ncol,
                                    gos_complex *X) {
    return solve(p, transposed, ncol, X, NULL);
}
