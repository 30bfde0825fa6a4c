#include "control/plant.h"

#include <cblas.h>
#include <complex.h>
#include <lapacke.h>
#include <math.h>

#include "linear/condensed.h"
#include "linear/state_space.h"

/* C (m, n) += alpha A (m, k) B (k, n) */
static void add_product(int m, int n, int k, double alpha, const double *A, int lda,
                        const double *B, int ldb, double *C, int ldc) {
    if (m > 0 && n > 0 && k > 0) {
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, alpha, A, lda, B, ldb, 1, C,
                    ldc);
    }
}

gos_status gos__limited_lqg(gos_ctx *ctx, const gos_plant *m, const double *K, const double *L,
                            gos_plant *c) {
    const int n = m->n, nu = m->nu, ny = m->ny;
    GOS_TRY(gos__plant_create(ctx, n, ny + nu, nu, c));
    double *Bv = c->B + (size_t)ny * n;
    memcpy(c->A, m->A, (size_t)n * n * sizeof *c->A);
    memcpy(c->B, L, (size_t)n * ny * sizeof *c->B);
    memcpy(Bv, m->B, (size_t)n * nu * sizeof *c->B);
    add_product(n, n, ny, -1, L, n, m->C, ny, c->A, n);
    add_product(n, nu, ny, -1, L, n, m->D, ny, Bv, n);
    for (long k = 0; k < (long)nu * n; k++) {
        c->C[k] = -K[k];
    }
    return GOS_OK;
}

static gos_status create(gos_ctx *ctx, int n, int nplant, int nu, int nz, gos_loop *l) {
    *l = (gos_loop){.n = n, .nu = nu, .nz = nz, .nplant = nplant};
    const size_t N = n, U = nu, Z = nz;
    l->A = gos__zalloc(ctx, N * N + 2 * N * U + N + Z * N + Z * U + Z + 1, sizeof *l->A);
    if (!l->A) {
        return GOS_E_MEMORY;
    }
    l->B = l->A + N * N;
    l->F = l->B + N * U;
    l->E = l->F + N * U;
    l->C = l->E + N;
    l->D = l->C + Z * N;
    l->G = l->D + Z * U;
    return GOS_OK;
}

void gos__loop_free(gos_ctx *ctx, gos_loop *l) {
    gos__free(ctx, l->A);
    *l = (gos_loop){0};
}

static gos_status check_plant(gos_ctx *ctx, const gos_plant *p, int measured) {
    if (p->nu < 1 || measured < 0 || measured > p->ny) {
        return gos__fail(ctx, GOS_E_USE,
                         "a loop needs a plant whose last input is the disturbance; got %d inputs, "
                         "%d of %d outputs measured",
                         p->nu, measured, p->ny);
    }
    return GOS_OK;
}

static void put_plant(const gos_plant *p, int measured, gos_loop *l) {
    for (long j = 0; j < p->n; j++) {
        memcpy(l->A + j * l->n, p->A + j * p->n, p->n * sizeof *p->A);
        memcpy(l->C + j * l->nz, p->C + j * p->ny + measured, l->nz * sizeof *p->C);
    }
    for (long k = 0; k < l->nu; k++) {
        memcpy(l->B + k * l->n, p->B + k * p->n, p->n * sizeof *p->B);
        memcpy(l->D + k * l->nz, p->D + k * p->ny + measured, l->nz * sizeof *p->D);
    }
    memcpy(l->E, p->B + (size_t)l->nu * p->n, p->n * sizeof *p->B);
    memcpy(l->G, p->D + (size_t)l->nu * p->ny + measured, l->nz * sizeof *p->D);
}

gos_status gos__loop_state(gos_ctx *ctx, const gos_plant *p, int measured, const double *K,
                           gos_loop *l) {
    *l = (gos_loop){0};
    GOS_TRY(check_plant(ctx, p, measured));
    GOS_TRY(create(ctx, p->n, p->n, p->nu - 1, p->ny - measured, l));
    put_plant(p, measured, l);
    for (long k = 0; k < (long)l->nu * l->n; k++) {
        l->F[k] = -K[k];
    }
    return GOS_OK;
}

/* D_y (D, G) of the measured outputs, and the controller's D_v */
static gos_status check_direct(gos_ctx *ctx, const gos_plant *p, int measured, const gos_plant *c) {
    const int nu = p->nu - 1;
    for (long k = 0; k < p->nu; k++) {
        for (long i = 0; i < nu; i++) {
            double sum = 0, size = 0;
            for (long s = 0; s < measured; s++) {
                const double term = c->D[s * nu + i] * p->D[k * p->ny + s];
                sum += term;
                size += fabs(term);
            }
            if (c->nu > measured && k < nu) {
                const double own = c->D[(measured + k) * nu + i];
                sum += own;
                size += fabs(own);
            }
            if (fabs(sum) > 1e-12 * size) {
                return gos__fail(
                    ctx, GOS_E_USE,
                    k < nu ? "command %ld of a controller depends on saturated command %ld without "
                             "delay; add a filter, or measure with other electrodes"
                           : "command %ld of a controller depends on the disturbance (input %ld) "
                             "without delay; add a filter",
                    i, k);
            }
        }
    }
    return GOS_OK;
}

gos_status gos__loop_close(gos_ctx *ctx, const gos_plant *p, int measured, const gos_plant *c,
                           gos_loop *l) {
    *l = (gos_loop){0};
    GOS_TRY(check_plant(ctx, p, measured));
    const int nu = p->nu - 1, nc = c->n, np = p->n;
    if (c->ny != nu || (c->nu != measured && c->nu != measured + nu)) {
        return gos__fail(ctx, GOS_E_USE,
                         "a controller with %d inputs and %d outputs does not fit a plant with %d "
                         "measured outputs and %d inputs",
                         c->nu, c->ny, measured, nu);
    }
    GOS_TRY(check_direct(ctx, p, measured, c));
    GOS_TRY(create(ctx, np + nc, np, nu, p->ny - measured, l));
    put_plant(p, measured, l);
    const int n = l->n;
    for (long j = 0; j < nc; j++) {
        memcpy(l->A + (np + j) * n + np, c->A + j * nc, nc * sizeof *c->A);
        memcpy(l->F + (np + j) * nu, c->C + j * nu, nu * sizeof *c->C);
    }
    add_product(nc, np, measured, 1, c->B, nc, p->C, p->ny, l->A + np, n);
    add_product(nu, np, measured, 1, c->D, nu, p->C, p->ny, l->F, nu);
    add_product(nc, nu, measured, 1, c->B, nc, p->D, p->ny, l->B + np, n);
    add_product(nc, 1, measured, 1, c->B, nc, p->D + (size_t)nu * p->ny, p->ny, l->E + np, n);
    for (long k = 0; k < nu && c->nu > measured; k++) {
        for (long i = 0; i < nc; i++) {
            l->B[k * n + np + i] += c->B[(measured + k) * nc + i];
        }
    }
    return GOS_OK;
}

void gos__loop_matrix(const gos_loop *l, double *A) {
    memcpy(A, l->A, (size_t)l->n * l->n * sizeof *A);
    add_product(l->n, l->n, l->nu, 1, l->B, l->n, l->F, l->nu, A, l->n);
}

gos_status gos__plant_create(gos_ctx *ctx, int n, int nu, int ny, gos_plant *p) {
    *p = (gos_plant){.n = n, .nu = nu, .ny = ny};
    const size_t N = n, U = nu, Y = ny;
    p->A = gos__zalloc(ctx, N * N + N * U + Y * N + Y * U + 1, sizeof *p->A);
    if (!p->A) {
        return GOS_E_MEMORY;
    }
    p->B = p->A + N * N;
    p->C = p->B + N * U;
    p->D = p->C + Y * N;
    return GOS_OK;
}

void gos__plant_free(gos_ctx *ctx, gos_plant *p) {
    gos__free(ctx, p->A);
    *p = (gos_plant){0};
}

/* ---- from a linear model --------------------------------------------------------------------- */

/* E^-1 A and E^-1 B; E is overwritten */
static gos_status solve_rates(gos_ctx *ctx, gos_state_space *s, gos_plant *p) {
    const int n = s->n, nu = s->nu;
    lapack_int *pivot = gos__alloc(ctx, (size_t)n + 1, sizeof *pivot);
    if (!pivot) {
        return GOS_E_MEMORY;
    }
    const bool good = n == 0 || LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, s->E, n, pivot) == 0;
    if (good && n > 0) {
        LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, n, s->E, n, pivot, p->A, n);
    }
    if (good && n > 0 && nu > 0) {
        LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, nu, s->E, n, pivot, p->B, n);
    }
    gos__free(ctx, pivot);
    return good ? GOS_OK
                : gos__fail(ctx, GOS_E_SINGULAR,
                            "the mass or heat capacity matrix of the model is singular, so its "
                            "time derivatives are undetermined");
}

gos_status gos__plant_make(gos_ctx *ctx, const gos_linear *linear, gos_plant *plant) {
    *plant = (gos_plant){0};
    gos_linear *own;
    gos_state_space s = {0};
    GOS_TRY(gos__linear_condense(ctx, linear, &own, &linear));
    gos_status status = gos__state_space_make(ctx, linear, &s);
    status = status == GOS_OK ? gos__plant_create(ctx, s.n, s.nu, s.ny, plant) : status;
    if (status == GOS_OK) {
        const size_t n = (size_t)s.n, nu = (size_t)s.nu, ny = (size_t)s.ny;
        memcpy(plant->A, s.A, n * n * sizeof *s.A);
        memcpy(plant->B, s.B, n * nu * sizeof *s.B);
        memcpy(plant->C, s.C, ny * n * sizeof *s.C);
        memcpy(plant->D, s.D, ny * nu * sizeof *s.D);
        status = solve_rates(ctx, &s, plant);
    }
    gos__state_space_free(ctx, &s);
    gos_linear_destroy(own);
    return status;
}

/* ---- connections ----------------------------------------------------------------------------- */

gos_status gos__plant_part(gos_ctx *ctx, const gos_plant *p, int nu, const int *input, int ny,
                           const int *output, gos_plant *part) {
    for (int k = 0; k < nu; k++) {
        if ((input ? input[k] : k) < 0 || (input ? input[k] : k) >= p->nu) {
            return gos__fail(ctx, GOS_E_USE, "a plant has no input %d", input ? input[k] : k);
        }
    }
    for (int i = 0; i < ny; i++) {
        if ((output ? output[i] : i) < 0 || (output ? output[i] : i) >= p->ny) {
            return gos__fail(ctx, GOS_E_USE, "a plant has no output %d", output ? output[i] : i);
        }
    }
    GOS_TRY(gos__plant_create(ctx, p->n, nu, ny, part));
    memcpy(part->A, p->A, (size_t)p->n * p->n * sizeof *p->A);
    for (long k = 0; k < nu; k++) {
        const long from = input ? input[k] : k;
        memcpy(part->B + k * p->n, p->B + from * p->n, p->n * sizeof *p->B);
        for (long i = 0; i < ny; i++) {
            part->D[k * ny + i] = p->D[from * p->ny + (output ? output[i] : i)];
        }
    }
    for (long j = 0; j < p->n; j++) {
        for (long i = 0; i < ny; i++) {
            part->C[j * ny + i] = p->C[j * p->ny + (output ? output[i] : i)];
        }
    }
    return GOS_OK;
}

gos_status gos__plant_feedback(gos_ctx *ctx, const gos_plant *p, const double *F,
                               gos_plant *closed) {
    const int n = p->n, nu = p->nu, ny = p->ny;
    GOS_TRY(gos__plant_create(ctx, n, nu, ny, closed));
    // y = S (C x + D r), S = (I - D F)^-1; x' = A x + B (F y + r)
    double *S = gos__zalloc(ctx, (size_t)ny * ny + (size_t)n * ny + 1, sizeof *S);
    lapack_int *pivot = gos__alloc(ctx, ny + 1L, sizeof *pivot);
    gos_status status = S && pivot ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK && ny > 0) {
        double *BF = S + (size_t)ny * ny;
        for (long i = 0; i < ny; i++) {
            S[i * ny + i] = 1;
        }
        add_product(ny, ny, nu, -1, p->D, ny, F, nu, S, ny);
        add_product(n, ny, nu, 1, p->B, n, F, nu, BF, n);
        memcpy(closed->C, p->C, (size_t)n * ny * sizeof *S);
        memcpy(closed->D, p->D, (size_t)nu * ny * sizeof *S);
        if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, ny, ny, S, ny, pivot) != 0) {
            status =
                gos__fail(ctx, GOS_E_SINGULAR,
                          "a loop with direct feedthrough has no solution: I - D F is singular");
        } else {
            LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', ny, n, S, ny, pivot, closed->C, ny);
            LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', ny, nu, S, ny, pivot, closed->D, ny);
        }
        memcpy(closed->A, p->A, (size_t)n * n * sizeof *S);
        memcpy(closed->B, p->B, (size_t)n * nu * sizeof *S);
        add_product(n, n, ny, 1, BF, n, closed->C, ny, closed->A, n);
        add_product(n, nu, ny, 1, BF, n, closed->D, ny, closed->B, n);
    }
    gos__free(ctx, S);
    gos__free(ctx, pivot);
    return status;
}

gos_status gos__plant_series(gos_ctx *ctx, const gos_plant *first, const gos_plant *second,
                             gos_plant *series) {
    const int n1 = first->n, n2 = second->n, n = n1 + n2;
    if (first->ny != second->nu) {
        return gos__fail(ctx, GOS_E_USE,
                         "plants in series: the first has %d outputs, but the second has %d inputs",
                         first->ny, second->nu);
    }
    GOS_TRY(gos__plant_create(ctx, n, first->nu, second->ny, series));
    for (long j = 0; j < n1; j++) {
        memcpy(series->A + j * n, first->A + j * n1, n1 * sizeof *series->A);
    }
    for (long j = 0; j < n2; j++) {
        memcpy(series->A + (n1 + j) * n + n1, second->A + j * n2, n2 * sizeof *series->A);
    }
    for (long j = 0; j < first->nu; j++) {
        memcpy(series->B + j * n, first->B + j * n1, n1 * sizeof *series->B);
    }
    memcpy(series->C + (size_t)n1 * second->ny, second->C,
           (size_t)second->ny * n2 * sizeof *series->C);
    add_product(n2, n1, second->nu, 1, second->B, n2, first->C, first->ny, series->A + n1, n);
    add_product(n2, first->nu, second->nu, 1, second->B, n2, first->D, first->ny, series->B + n1,
                n);
    add_product(second->ny, n1, second->nu, 1, second->D, second->ny, first->C, first->ny,
                series->C, second->ny);
    add_product(second->ny, first->nu, second->nu, 1, second->D, second->ny, first->D, first->ny,
                series->D, second->ny);
    return GOS_OK;
}

gos_status gos__plant_response(gos_ctx *ctx, const gos_plant *p, double omega, double *H) {
    const int n = p->n, nu = p->nu, ny = p->ny;
    double complex *M = gos__zalloc(ctx, (size_t)n * (n + nu) + 1, sizeof *M);
    lapack_int *pivot = gos__alloc(ctx, n + 1L, sizeof *pivot);
    if (!M || !pivot) {
        gos__free(ctx, M);
        gos__free(ctx, pivot);
        return GOS_E_MEMORY;
    }
    double complex *X = M + (size_t)n * n;
    for (long k = 0; k < (long)n * n; k++) {
        M[k] = -p->A[k];
    }
    for (long i = 0; i < n; i++) {
        ((double *)&M[i * n + i])[1] += omega; // the imaginary part
    }
    for (long k = 0; k < (long)n * nu; k++) {
        X[k] = p->B[k];
    }
    const lapack_int info = n > 0 && nu > 0
                                ? LAPACKE_zgesv(LAPACK_COL_MAJOR, n, nu, (lapack_complex_double *)M,
                                                n, pivot, (lapack_complex_double *)X, n)
                                : 0;
    for (long j = 0; j < nu; j++) {
        for (long i = 0; i < ny; i++) {
            double complex h = p->D[j * ny + i];
            for (long k = 0; k < n; k++) {
                h += p->C[k * ny + i] * X[j * n + k];
            }
            H[2 * (j * ny + i)] = creal(h);
            H[2 * (j * ny + i) + 1] = cimag(h);
        }
    }
    gos__free(ctx, M);
    gos__free(ctx, pivot);
    return info == 0 ? GOS_OK
                     : gos__fail(ctx, GOS_E_SINGULAR,
                                 "a frequency response was requested at a pole (%g rad/s)", omega);
}

gos_status gos__plant_rate(gos_ctx *ctx, gos_plant *p, int row, bool *direct) {
    const int n = p->n;
    double *rate = gos__alloc(ctx, (size_t)n + 1, sizeof *rate);
    GOS_TRY(rate ? GOS_OK : GOS_E_MEMORY);
    *direct = false;
    for (long k = 0; k < p->nu; k++) {
        *direct = *direct || p->D[k * p->ny + row] != 0;
    }
    if (!*direct) {
        for (long k = 0; k < p->nu; k++) {
            p->D[k * p->ny + row] = cblas_ddot(n, p->C + row, p->ny, p->B + k * n, 1);
        }
        cblas_dgemv(CblasColMajor, CblasTrans, n, n, 1, p->A, n, p->C + row, p->ny, 0, rate, 1);
        cblas_dcopy(n, rate, 1, p->C + row, p->ny);
    }
    gos__free(ctx, rate);
    return GOS_OK;
}
