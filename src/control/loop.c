#include "control/loop.h"

#include <cblas.h>
#include <math.h>

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
