/* Basis of each field of a coupled model by frequency-limited balancing (Gawronski and Juang,
   Int. J. Systems Science 21 (1990)): responses to inputs and of the transposed model to outputs
   serve as Gramian factors. Right and left vectors alternate in one basis for Galerkin
   projection. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>

#include <cblas.h>

#include "linear_reduction/gramian.h"
#include "linear_reduction/poles.h"
#include "linear_reduction/reduce.h"

#define GRID_FREQUENCIES 60   // logarithmic grid
#define MAX_RESONANCES 60     // largest number of poles in the band
#define LOWEST_FREQUENCY 1e-4 // lowest frequency relative to the upper end, if the band starts at 0
#define AXIS_OFFSET 1e-3      // relative offset from the imaginary axis
#define NEGLIGIBLE 1e-14      // smallest relative singular value

typedef struct sampling {
    gos_ctx *ctx;
    gos_reduce_pencil *p;
    int n; // frequencies
    double omega[GRID_FREQUENCIES + MAX_RESONANCES];
    double *X[2]; // responses to inputs and outputs, real and imaginary parts (unknowns, columns)
    int columns[2];
} sampling;

static void choose(sampling *s, const gos_poles *poles, const double band[2]) {
    const double low = fmax(band[0], LOWEST_FREQUENCY * band[1]);
    for (int k = 0; k < GRID_FREQUENCIES; k++) {
        s->omega[s->n++] = low * pow(band[1] / low, (double)k / (GRID_FREQUENCIES - 1));
    }
    for (int j = 0; j < poles->n && s->n < GRID_FREQUENCIES + MAX_RESONANCES; j++) {
        if (poles->im[j] > low && poles->im[j] < band[1]) {
            s->omega[s->n++] = poles->im[j];
        }
    }
}

static gos_status sample(sampling *s) {
    gos_reduce_pencil *p = s->p;
    const size_t n = p->n;
    const int ports[2] = {p->nu, p->ny}, widest = p->nu > p->ny ? p->nu : p->ny;
    gos_complex *X = gos__alloc(s->ctx, n * widest + 1, sizeof *X);
    gos_status status = X ? GOS_OK : GOS_E_MEMORY;
    for (int side = 0; side < 2 && status == GOS_OK; side++) {
        s->columns[side] = 2 * ports[side] * s->n;
        s->X[side] = gos__alloc(s->ctx, n * s->columns[side] + 1, sizeof *s->X[side]);
        status = s->X[side] ? GOS_OK : GOS_E_MEMORY;
    }
    for (int k = 0; k < s->n && status == GOS_OK; k++) {
        const gos_complex at = gos__complex(AXIS_OFFSET, 1) * s->omega[k];
        status = gos__reduce_pencil_factor(p, at);
        for (int side = 0; side < 2 && status == GOS_OK; side++) {
            gos__reduce_pencil_rhs(p, side == 1, at, 0, X);
            status = gos__reduce_pencil_solve(p, side == 1, ports[side], X);
            double *to = s->X[side] + 2 * n * (ports[side] * k);
            for (size_t i = 0; i < n * ports[side]; i++) {
                to[i] = creal(X[i]);
                to[i + n * ports[side]] = cimag(X[i]);
            }
        }
    }
    gos__free(s->ctx, X);
    return status;
}

/* F (n, n) with F F^T = X X^T; X (n, columns): rows of a field in the samples */
static gos_status factor(const sampling *s, int side, int field, double *F) {
    const size_t ld = s->p->n, columns = s->columns[side];
    const int first = s->p->start[field], n = s->p->start[field + 1] - first;
    const size_t m = n, min = columns < m ? columns : m;
    double *X = gos__alloc(s->ctx, m * columns + min + 1, sizeof *X);
    if (!X) {
        return GOS_E_MEMORY;
    }
    for (size_t j = 0; j < columns; j++) {
        memcpy(X + j * m, s->X[side] + j * ld + first, m * sizeof *X);
    }
    memset(F, 0, m * m * sizeof *F);
    const bool good = LAPACKE_dgelqf(LAPACK_COL_MAJOR, n, (int)columns, X, n, X + m * columns) == 0;
    for (size_t j = 0; j < min && good; j++) {
        memcpy(F + j * m + j, X + j * m + j, (m - j) * sizeof *F);
    }
    gos__free(s->ctx, X);
    return good ? GOS_OK
                : gos__fail(s->ctx, GOS_E_DIVERGED,
                            "the factorisation of frequency responses failed");
}

static gos_status put(const double *F, int n, const double *v, double sigma, int field, double *x,
                      gos_space *to) {
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1 / sqrt(sigma), F, n, v, 1, 0, x, 1);
    return gos__space_add(to, field, x, cblas_dnrm2(n, x, 1));
}

static gos_status balance_field(const sampling *s, const gos_sparse *E, int field, gos_space *to) {
    const int n = E->n;
    const size_t nn = (size_t)n * n;
    double *R = gos__alloc(s->ctx, 2 * nn + n + 1, sizeof *R);
    gos_balance b = {0};
    gos_status status = R ? factor(s, 0, field, R) : GOS_E_MEMORY;
    status = status == GOS_OK ? factor(s, 1, field, R + nn) : status;
    if (status == GOS_OK) {
        const gos_gramians g = {.n = n, .nr = n, .nl = n, .R = R, .L = R + nn};
        status = gos__balance(s->ctx, &g, E, 0, 0, &b);
    }
    for (long j = 0; j < b.n && status == GOS_OK && b.sigma[j] > NEGLIGIBLE * b.sigma[0]; j++) {
        const size_t at = j * n;
        status = put(R, n, b.V + at, b.sigma[j], field, R + 2 * nn, to);
        status =
            status == GOS_OK ? put(R + nn, n, b.U + at, b.sigma[j], field, R + 2 * nn, to) : status;
    }
    gos__balance_free(s->ctx, &b);
    gos__free(s->ctx, R);
    return status;
}

gos_status gos__reduce_field_vectors(gos_ctx *ctx, const gos_linear *l, const double band[2],
                                     gos_space *vectors) {
    static const gos_block inertia[] = {GOS_BLOCK_M, GOS_BLOCK_C_T};
    static const int field[] = {GOS_FIELD_Q, GOS_FIELD_T};
    sampling s = {.ctx = ctx};
    gos_poles poles = {0};
    gos_status status = gos__reduce_pencil_create(ctx, l, NULL, &s.p);
    if (status == GOS_OK) {
        gos__space_init(ctx, s.p->start, NULL, vectors);
        status = gos__poles(ctx, l, &poles);
    }
    if (status == GOS_OK) {
        choose(&s, &poles, band);
        status = sample(&s);
    }
    for (int i = 0; i < 2 && status == GOS_OK; i++) {
        const gos_sparse *E = &l->block[inertia[i]];
        status = E->n > 0 ? balance_field(&s, E, field[i], vectors) : GOS_OK;
    }
    gos__poles_free(ctx, &poles);
    gos__free(ctx, s.X[0]);
    gos__free(ctx, s.X[1]);
    gos__reduce_pencil_destroy(s.p);
    return status;
}
