/* Gramians by the factored matrix sign function (Benner, Claver, Quintana-Orti, Efficient
   solution of coupled Lyapunov equations via matrix sign function iteration (1998)); columns are
   compressed after each doubling, which keeps small Hankel values accurate. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "base/duration.h"
#include "linalg/dense.h"
#include "linear_reduction/dense_cost.h"
#include "linear_reduction/gramian.h"

#define MAX_STEPS 80          // Newton steps for the sign function
#define TYPICAL_COST 40.0     // typical cost, in dense solves of the model's size
#define CONVERGED_CHANGE 1e-6 // relative change after which one more step is sufficient
#define STABLE_DISTANCE 1e-5  // relative distance of the limit from -E
#define NEGLIGIBLE 1e-16      // relative rank threshold of the compression

typedef struct sign {
    gos_ctx *ctx;
    int n;
    const gos_sparse *E;
    double *A, *LU, *T, *ET; // (n, n)
    lapack_int *pivot;
    double *B, *CT; // (n, nb), (n, nc)
    int nb, nc;
} sign;

static void densify(const gos_sparse *S, double factor, double *A) {
    for (long j = 0; j < S->n; j++) {
        for (int k = S->p[j]; k < S->p[j + 1]; k++) {
            A[j * S->m + S->i[k]] = factor * S->x[k];
        }
    }
}

/* compress B (n, *m) to its rank, keeping B B^T */
static gos_status compress(gos_ctx *ctx, int n, double *B, int *m) {
    const int rows = *m, min = rows < n ? rows : n;
    double *T = gos__alloc(ctx, (size_t)n * rows + min + 1, sizeof *T);
    lapack_int *pivot = gos__zalloc(ctx, n + 1L, sizeof *pivot);
    if (!T || !pivot) {
        gos__free(ctx, T);
        gos__free(ctx, pivot);
        return GOS_E_MEMORY;
    }
    double *tau = T + (size_t)n * rows;
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < rows; i++) {
            T[j * rows + i] = B[i * n + j];
        }
    }
    const lapack_int info = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, rows, n, T, rows, pivot, tau);
    int rank = 0;
    while (rank < min && fabs(T[(size_t)rank * rows + rank]) > NEGLIGIBLE * fabs(T[0])) {
        rank++;
    }
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < rank; i++) {
            B[i * n + (pivot[j] - 1)] = i <= j ? T[j * rows + i] : 0;
        }
    }
    *m = rank;
    gos__free(ctx, T);
    gos__free(ctx, pivot);
    return info == 0 ? GOS_OK
                     : gos__fail(ctx, GOS_E_NONFINITE, "a factor of a Gramian is not finite");
}

/* B := [B, c X B] / sqrt(2 c), compressed; `second` = X B */
static gos_status join(sign *s, double **B, int *m, const double *second, double c) {
    const size_t size = (size_t)s->n * *m;
    double *both = gos__alloc(s->ctx, 2 * size + 1, sizeof *both);
    if (!both) {
        return GOS_E_MEMORY;
    }
    const double first = 1 / sqrt(2 * c), other = c * first;
    for (size_t k = 0; k < size; k++) {
        both[k] = first * (*B)[k];
        both[size + k] = other * second[k];
    }
    gos__free(s->ctx, *B);
    *B = both;
    *m *= 2;
    return compress(s->ctx, s->n, both, m);
}

/* *change relative to the new A */
static gos_status step(sign *s, bool scaled, double *change) {
    const int n = s->n;
    const size_t nn = (size_t)n * n;
    memcpy(s->LU, s->A, nn * sizeof *s->A);
    memset(s->T, 0, nn * sizeof *s->T);
    densify(s->E, 1, s->T);
    if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, s->LU, n, s->pivot) != 0) {
        return gos__fail(s->ctx, GOS_E_INPUT,
                         "the model has a pole at 0 (a rigid-body mode) or on the imaginary axis; "
                         "balancing requires an asymptotically stable model");
    }
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, n, s->LU, n, s->pivot, s->T, n); // A^-1 E
    gos__sparse_apply(s->E, n, s->T, s->ET);
    const double a = cblas_dnrm2((int)nn, s->A, 1), e = cblas_dnrm2((int)nn, s->ET, 1);
    const double c = scaled && a > 0 && e > 0 ? sqrt(a / e) : 1;
    const long max = s->nb > s->nc ? s->nb : s->nc;
    double *X = gos__alloc(s->ctx, 2L * n * max + 1, sizeof *X);
    if (!X) {
        return GOS_E_MEMORY;
    }
    double *Y = X + n * max;
    memcpy(Y, s->B, (size_t)n * s->nb * sizeof *Y);
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, s->nb, s->LU, n, s->pivot, Y, n);
    gos__sparse_apply(s->E, s->nb, Y, X);
    gos_status status = join(s, &s->B, &s->nb, X, c);
    if (status == GOS_OK) {
        gos__dense_product(n, s->nc, n, s->T, s->CT, X); // (C A^-1 E)^T
        status = join(s, &s->CT, &s->nc, X, c);
    }
    gos__free(s->ctx, X);
    double difference = 0, size = 0;
    for (size_t k = 0; k < nn; k++) {
        const double next = (s->A[k] / c + c * s->ET[k]) / 2;
        difference += (next - s->A[k]) * (next - s->A[k]);
        size += next * next;
        s->A[k] = next;
    }
    *change = sqrt(difference / size);
    return status;
}

static gos_status iterate(sign *s, int *steps) {
    double change = 1;
    bool last = false;
    char text[64];
    gos__format(text, sizeof text, "balancing %d states by the sign function", s->n);
    GOS_TRY(gos__announce_duration(s->ctx, TYPICAL_COST * gos__forecast_solve(s->ctx, s->n), text));
    for (*steps = 0; *steps < MAX_STEPS; ++*steps) {
        GOS_TRY(gos__progress(s->ctx, fmin(*steps / TYPICAL_COST, 0.99), text));
        GOS_TRY(step(s, change > 1e-2, &change));
        if (last) {
            break;
        }
        last = change < CONVERGED_CHANGE;
        if (!isfinite(change)) {
            break;
        }
    }
    // A -> -E if all poles are stable
    double distance = 0, size = 0;
    densify(s->E, 1, memset(s->T, 0, (size_t)s->n * s->n * sizeof *s->T));
    for (size_t k = 0; k < (size_t)s->n * s->n; k++) {
        distance += (s->A[k] + s->T[k]) * (s->A[k] + s->T[k]);
        size += s->T[k] * s->T[k];
    }
    return sqrt(distance) < STABLE_DISTANCE * sqrt(size)
               ? GOS_OK
               : gos__fail(s->ctx, GOS_E_INPUT,
                           "the model is not asymptotically stable (poles on or right of the "
                           "imaginary axis); balancing requires an asymptotically stable model");
}

/* R = E^-1 B / sqrt 2, L = E^-T C^T / sqrt 2 */
static gos_status factors(sign *s, gos_gramians *g) {
    const int n = s->n;
    if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, s->T, n, s->pivot) != 0) {
        return gos__fail(s->ctx, GOS_E_INPUT, "the mass or heat capacity matrix is singular");
    }
    cblas_dscal(n * s->nb, M_SQRT1_2, s->B, 1);
    cblas_dscal(n * s->nc, M_SQRT1_2, s->CT, 1);
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, s->nb, s->T, n, s->pivot, s->B, n);
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'T', n, s->nc, s->T, n, s->pivot, s->CT, n);
    *g = (gos_gramians){.n = n, .nr = s->nb, .nl = s->nc, .R = s->B, .L = s->CT};
    s->B = s->CT = NULL;
    return GOS_OK;
}

gos_status gos__gramians_dense(gos_reduce_pencil *p, gos_gramians *g) {
    const size_t n = p->n, nn = n * n;
    sign s = {.ctx = p->ctx, .n = p->n, .E = &p->A[1], .nb = p->nu, .nc = p->ny};
    *g = (gos_gramians){0};
    if (p->nc > 0) {
        return gos__fail(p->ctx, GOS_E_INTERNAL, "dense Gramians do not support constraints");
    }
    s.A = gos__zalloc(p->ctx, 4 * nn + 1, sizeof *s.A);
    s.pivot = gos__alloc(p->ctx, n + 1, sizeof *s.pivot);
    s.B = gos__alloc(p->ctx, n * p->nu + 1, sizeof *s.B);
    s.CT = gos__alloc(p->ctx, n * p->ny + 1, sizeof *s.CT);
    gos_status status = s.A && s.pivot && s.B && s.CT ? GOS_OK : GOS_E_MEMORY;
    int steps = 0;
    if (status == GOS_OK) {
        s.LU = s.A + nn;
        s.T = s.LU + nn;
        s.ET = s.T + nn;
        densify(&p->A[0], -1, s.A);
        memcpy(s.B, p->B, n * p->nu * sizeof *s.B);
        memcpy(s.CT, p->Y[0], n * p->ny * sizeof *s.CT);
        status = iterate(&s, &steps);
    }
    status = status == GOS_OK ? factors(&s, g) : status;
    g->iterations = steps;
    gos__free(p->ctx, s.A);
    gos__free(p->ctx, s.pivot);
    gos__free(p->ctx, s.B);
    gos__free(p->ctx, s.CT);
    return status;
}
