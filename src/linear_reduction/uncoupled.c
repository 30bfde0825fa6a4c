/* H(s) = Y_u + sum (y0 + s y1)_j x_j with x_j = b_j / (lambda_j + s d_j + s^2) for displacements
   and b_j / (kappa_j + s) for temperatures, with one-way coupling (b_j - g_j^T theta). The
   normal form resolves the lowest mode beside the highest one; factorisations leave only 3 or 4
   digits of the resonances of slender solids. */
#include "linear_reduction/uncoupled.h"

#include <complex.h>
#include <math.h>

#include "linear_reduction/reduce.h"

// largest number of coordinates of a field, above which modes cost too much,
#define MAX_COORDINATES 800
#define MAX_COORDINATES_DENSE 1600 // the same for models with a fill of at least DENSE_FILL
#define DENSE_FILL 0.15
#define COUPLING_THRESHOLD 1e-8

struct gos_uncoupled {
    gos_ctx *ctx;
    gos_reduce_pencil *p; // of the normal form
    double *lambda, *d;   // displacements: lambda and d, temperatures: kappa and 1 (n)
    gos_complex *x;       // scratch (n)
    int nq;
};

static bool is_diagonal(const gos_sparse *A) {
    for (int j = 0; j < A->n; j++) {
        if (A->p[j + 1] - A->p[j] != 1 || A->i[A->p[j]] != j) {
            return false;
        }
    }
    return true;
}

/* diagonal (n) of a field of A; false if off-diagonal entries are significant */
static bool take_diagonal(const gos_sparse *A, int from, int to, double *diagonal) {
    for (int j = from; j < to; j++) {
        diagonal[j] = 0;
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            diagonal[j] += A->i[k] == j ? A->x[k] : 0;
        }
    }
    for (int j = from; j < to; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            const int i = A->i[k];
            const bool beside = i != j && i >= from && i < to;
            if (beside &&
                fabs(A->x[k]) > COUPLING_THRESHOLD * sqrt(fabs(diagonal[j] * diagonal[i]))) {
                return false;
            }
        }
    }
    return true;
}

static gos_status put_units(gos_ctx *ctx, int field, int n, gos_space *V) {
    double *x = gos__zalloc(ctx, (size_t)n + 1, sizeof *x);
    gos_status status = x ? GOS_OK : GOS_E_MEMORY;
    for (int j = 0; j < n && status == GOS_OK; j++) {
        x[j] = 1;
        status = gos__space_put(V, field, x);
        x[j] = 0;
    }
    gos__free(ctx, x);
    return status;
}

static gos_status turn(gos_ctx *ctx, const gos_linear *l, gos_linear_reduction **r) {
    int start[GOS_NFIELDS + 1], max[GOS_NFIELDS];
    gos_linear_reduction *out = gos__zalloc(ctx, 1, sizeof *out);
    GOS_TRY(out ? GOS_OK : GOS_E_MEMORY);
    out->ctx = ctx;
    gos__reduce_fields(l, start, max);
    gos__space_init(ctx, start, max, &out->V);
    gos_status status = put_units(ctx, GOS_FIELD_Q, l->nq, &out->V);
    status = status == GOS_OK ? put_units(ctx, GOS_FIELD_T, l->nt, &out->V) : status;
    status = status == GOS_OK ? gos__reduce_project(ctx, l, out) : status;
    if (status != GOS_OK) {
        gos_linear_reduction_destroy(out);
        return status;
    }
    *r = out;
    return GOS_OK;
}

/* divide displacement equations by modal masses */
static void divide(gos_uncoupled *u, const gos_linear *l) {
    const size_t n = (size_t)u->p->n, nq = (size_t)u->nq;
    const double *mass = l->block[GOS_BLOCK_M].x;
    gos_sparse *A = &u->p->A[0];
    for (size_t j = 0; j < nq; j++) {
        u->lambda[j] /= mass[j];
        u->d[j] /= mass[j];
        for (int i = 0; i < u->p->nu; i++) {
            u->p->B[i * n + j] /= mass[j];
        }
    }
    for (int k = A->p[nq]; k < A->p[n]; k++) {
        A->x[k] /= A->i[k] < u->nq ? mass[A->i[k]] : 1;
    }
}

/* *u, if the modes of the diagonal model l are uncoupled */
static gos_status take(gos_ctx *ctx, const gos_linear *l, gos_uncoupled **u) {
    const int n = l->nq + l->nt;
    gos_uncoupled *out = gos__zalloc(ctx, 1, sizeof *out);
    GOS_TRY(out ? GOS_OK : GOS_E_MEMORY);
    out->ctx = ctx;
    out->nq = l->nq;
    out->lambda = gos__alloc(ctx, 2 * (size_t)n + 1, sizeof *out->lambda);
    out->x = gos__alloc(ctx, (size_t)n + 1, sizeof *out->x);
    out->d = out->lambda ? out->lambda + n : NULL;
    const gos_status status =
        out->lambda && out->x ? gos__reduce_pencil_create(ctx, l, NULL, &out->p) : GOS_E_MEMORY;
    bool good = status == GOS_OK;
    for (int f = 0; f < 2 && good; f++) {
        const int from = f == 0 ? 0 : l->nq, to = f == 0 ? l->nq : n;
        good = take_diagonal(&out->p->A[0], from, to, out->lambda) &&
               take_diagonal(&out->p->A[1], from, to, out->d);
    }
    if (good) {
        divide(out, l);
        *u = out;
    } else {
        gos__uncoupled_destroy(out);
    }
    return status;
}

static bool is_filled(const gos_linear *l) {
    double entries = 0;
    for (int b = GOS_BLOCK_M; b <= GOS_BLOCK_K; b++) {
        entries += l->block[b].nnz;
    }
    return entries >= DENSE_FILL * l->nq * (double)l->nq;
}

static bool is_empty(const gos_sparse *A) {
    return A->nnz == 0;
}

/* Candidates for uncoupled modes. With thermal coupling, round-off differs from that of the
   basis, so modes are used only if factorisations are too expensive. */
static bool fits(const gos_linear *l) {
    const bool heavy = l->nq > MAX_COORDINATES && is_filled(l);
    const int max = heavy ? MAX_COORDINATES_DENSE : MAX_COORDINATES;
    return (l->nt == 0 || heavy) && l->symmetric && l->nq > 0 && l->nq <= max && l->nt <= max &&
           l->nphi + l->nc + l->nh == 0 && is_empty(&l->block[GOS_BLOCK_H_q]) &&
           is_empty(&l->block[GOS_BLOCK_H_v]);
}

static bool is_normal(const gos_linear *l) {
    return is_diagonal(&l->block[GOS_BLOCK_M]) && is_diagonal(&l->block[GOS_BLOCK_K]) &&
           is_diagonal(&l->block[GOS_BLOCK_C_T]) && is_diagonal(&l->block[GOS_BLOCK_K_T]);
}

gos_status gos__uncoupled_create(gos_ctx *ctx, const gos_linear *l, gos_uncoupled **u) {
    gos_linear_reduction *r = NULL;
    *u = NULL;
    if (!fits(l)) {
        return GOS_OK;
    }
    if (is_normal(l)) {
        return take(ctx, l, u);
    }
    gos_status status = turn(ctx, l, &r);
    if (status == GOS_OK && is_normal(r->model)) {
        status = take(ctx, r->model, u);
    }
    gos_linear_reduction_destroy(r);
    return status;
}

void gos__uncoupled_destroy(gos_uncoupled *u) {
    if (u) {
        gos__reduce_pencil_destroy(u->p);
        gos__free(u->ctx, u->lambda);
        gos__free(u->ctx, u->x);
        gos__free(u->ctx, u);
    }
}

/* x := response to an input, temperatures first. False at a pole. */
static bool respond(const gos_uncoupled *u, double omega, int input, gos_complex *x) {
    const gos_reduce_pencil *p = u->p;
    const gos_sparse *A = &p->A[0];
    const double *b = p->B + (size_t)input * (size_t)p->n;
    for (int j = 0; j < p->n; j++) {
        x[j] = b[j];
    }
    for (int j = p->n - 1; j >= 0; j--) {
        const bool heat = j >= u->nq;
        const gos_complex at =
            gos__complex(u->lambda[j] - (heat ? 0 : omega * omega), omega * u->d[j]);
        if (at == 0) {
            return false;
        }
        x[j] /= at;
        for (int k = A->p[j]; k < (heat ? A->p[j + 1] : 0); k++) {
            if (A->i[k] < u->nq) {
                x[A->i[k]] -= A->x[k] * x[j];
            }
        }
    }
    return true;
}

gos_status gos__uncoupled_at(const gos_uncoupled *u, double omega, gos_complex *H) {
    const gos_reduce_pencil *p = u->p;
    const size_t n = (size_t)p->n, ny = (size_t)p->ny;
    for (int k = 0; k < p->ny * p->nu; k++) {
        H[k] = p->Yu[k];
    }
    for (int input = 0; input < p->nu; input++) {
        if (!respond(u, omega, input, u->x)) {
            return GOS_E_SINGULAR;
        }
        for (size_t i = 0; i < ny; i++) {
            const double *y[2] = {p->Y[0] + i * n, p->Y[1] + i * n};
            for (size_t j = 0; j < n; j++) {
                H[(size_t)input * ny + i] += gos__complex(y[0][j], omega * y[1][j]) * u->x[j];
            }
        }
    }
    return GOS_OK;
}

gos_status gos__uncoupled_poles(const gos_uncoupled *u, gos_poles *poles) {
    const int n = u->nq;
    *poles = (gos_poles){.n = n, .nu = u->p->nu, .ny = u->p->ny};
    poles->re = gos__alloc(u->ctx, 2 * (size_t)n + 1, sizeof *poles->re);
    GOS_TRY(poles->re ? GOS_OK : GOS_E_MEMORY);
    poles->im = poles->re + n;
    for (int j = 0; j < n; j++) {
        poles->re[j] = -u->d[j] / 2;
        poles->im[j] = sqrt(fmax(0, u->lambda[j] - u->d[j] * u->d[j] / 4));
    }
    return GOS_OK;
}
