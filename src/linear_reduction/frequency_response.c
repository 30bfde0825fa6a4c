/* H(s) = Y_u + sum c_j b_j^T / (s - p_j) is as accurate as the eigenvectors are
   well-conditioned; error.c verifies it. */
#include "linear_reduction/frequency_response.h"

#include <complex.h>
#include <lapacke.h>
#include <math.h>

#define MAX_STATES 600            // largest number of states for pole-residue responses,
#define MAX_STATES_DENSE 1600     // the same for dense models,
#define DENSE_FILL 0.15           // whose fill is at least this
#define LAPACK_MIN_SIZE 150       // unknowns from which dense LAPACK is faster than sparse factors
#define MAX_STORED_VALUES 4000000 // largest stored values: 64 MB
#define MIN_DAMPING 1e-10 // smallest |Re p| / |p|: closer poles may coincide with frequencies

static double filled(const gos_reduce_pencil *p) {
    return p->pattern.nnz / ((double)p->n * p->n);
}

static bool pole_residues_are_cheaper(const gos_linear *l, const gos_reduce_pencil *p) {
    const int states = 2 * l->nq + l->nt;
    return l->nphi + l->nc + l->nh == 0 &&
           (states <= MAX_STATES || (states <= MAX_STATES_DENSE && filled(p) >= DENSE_FILL));
}

/* Poles if complete. A singular rate matrix (round-off in free models) gives none;
   factorisations are used. */
static gos_status poles_of(gos_ctx *ctx, const gos_linear *l, gos_poles *poles) {
    gos_ctx *quiet = gos__ctx_quiet(ctx);
    if (!quiet) {
        return GOS_E_MEMORY;
    }
    gos_status status = gos__poles(quiet, l, poles);
    if (status == GOS_E_SINGULAR) {
        *poles = (gos_poles){0};
        status = GOS_OK;
    } else if (status != GOS_OK) {
        status = gos__fail(ctx, status, "%s", gos_ctx_message(quiet));
    }
    gos_ctx_destroy(quiet);
    return status;
}

gos_status gos__responder_begin(gos_ctx *ctx, const gos_linear *l, gos_responder *r) {
    *r = (gos_responder){0};
    GOS_TRY(gos__reduce_pencil_create(ctx, l, NULL, &r->pencil));
    gos_status status = gos__uncoupled_create(ctx, l, &r->modes);
    if (status == GOS_OK && r->modes) {
        status = gos__uncoupled_poles(r->modes, &r->poles);
    } else if (status == GOS_OK && pole_residues_are_cheaper(l, r->pencil)) {
        status = poles_of(ctx, l, &r->poles);
    }
    if (status != GOS_OK) {
        gos__responder_end(ctx, r);
        return status;
    }
    r->dense =
        r->pencil->nc == 0 && r->pencil->n >= LAPACK_MIN_SIZE && filled(r->pencil) >= DENSE_FILL;
    r->by_poles = r->poles.n > 0 && !r->modes;
    for (int j = 0; j < r->poles.n && r->by_poles;
         j++) { // residues overflow for defective matrices
        const double re = r->poles.re[j];
        r->by_poles = r->by_poles && fabs(re) > MIN_DAMPING * hypot(re, r->poles.im[j]) &&
                      isfinite(gos__poles_residue(&r->poles, j));
    }
    r->off_axis = r->by_poles;
    return GOS_OK;
}

void gos__responder_end(gos_ctx *ctx, gos_responder *r) {
    gos__reduce_pencil_destroy(r->pencil);
    gos__uncoupled_destroy(r->modes);
    gos__poles_free(ctx, &r->poles);
    gos__free(ctx, r->P);
    gos__free(ctx, r->pivot);
    gos__free(ctx, r->kept);
    gos__free(ctx, r->value);
    *r = (gos_responder){0};
}

/* X (n, nu) := P(s)^-1 B */
static gos_status solve_dense(gos_responder *r, gos_complex s, gos_complex *X) {
    const gos_reduce_pencil *p = r->pencil;
    const size_t n = p->n;
    r->P = r->P ? r->P : gos__alloc(p->ctx, n * n + 1, sizeof *r->P);
    r->pivot = r->pivot ? r->pivot : gos__alloc(p->ctx, n + 1, sizeof *r->pivot);
    if (!r->P || !r->pivot) {
        return GOS_E_MEMORY;
    }
    memset(r->P, 0, n * n * sizeof *r->P);
    for (int j = 0; j < p->n; j++) {
        for (int k = p->pattern.p[j]; k < p->pattern.p[j + 1]; k++) {
            r->P[j * n + p->pattern.i[k]] =
                p->value[0][k] + s * (p->value[1][k] + s * p->value[2][k]);
        }
    }
    for (size_t k = 0; k < n * p->nu; k++) {
        X[k] = p->B[k];
    }
    return LAPACKE_zgesv(LAPACK_COL_MAJOR, p->n, p->nu, r->P, p->n, r->pivot, X, p->n) == 0
               ? GOS_OK
               : GOS_E_SINGULAR;
}

static gos_status factored_dense(gos_responder *r, double omega, gos_complex *H) {
    const gos_reduce_pencil *p = r->pencil;
    const gos_complex s = gos__complex(0, omega);
    const size_t n = p->n;
    gos_complex *X = gos__alloc(p->ctx, n * p->nu + 1, sizeof *X);
    const gos_status status = X ? solve_dense(r, s, X) : GOS_E_MEMORY;
    for (int u = 0; u < p->nu && status == GOS_OK; u++) {
        for (int y = 0; y < p->ny; y++) {
            const double *y0 = p->Y[0] + y * n, *y1 = p->Y[1] + y * n;
            gos_complex sum = p->Yu[u * p->ny + y];
            for (size_t i = 0; i < n; i++) {
                sum += (y0[i] + s * y1[i]) * X[u * n + i];
            }
            H[u * p->ny + y] = sum;
        }
    }
    gos__free(p->ctx, X);
    return status;
}

static gos_status keep(gos_responder *r, double omega, const gos_complex *H) {
    const gos_reduce_pencil *p = r->pencil;
    const long size = (long)p->ny * p->nu;
    if ((r->nkept + 1) * size > MAX_STORED_VALUES) {
        return GOS_OK;
    }
    void *kept = r->kept, *value = r->value;
    GOS_TRY(gos__grow(p->ctx, &kept, &r->cap_kept, r->nkept + 1, sizeof *r->kept));
    r->kept = kept;
    GOS_TRY(
        gos__grow(p->ctx, &value, &r->cap_values, (int)((r->nkept + 1) * size), sizeof *r->value));
    r->value = value;
    r->kept[r->nkept] = omega;
    memcpy(r->value + r->nkept++ * size, H, size * sizeof *H);
    return GOS_OK;
}

gos_status gos__responder_factored(gos_responder *r, double omega, gos_complex *H) {
    const gos_reduce_pencil *p = r->pencil;
    const long size = (long)p->ny * p->nu;
    if (r->modes) {
        return gos__uncoupled_at(r->modes, omega, H);
    }
    for (long k = 0; k < r->nkept; k++) {
        if (r->kept[k] == omega) {
            memcpy(H, r->value + k * size, size * sizeof *H);
            return GOS_OK;
        }
    }
    GOS_TRY(r->dense ? factored_dense(r, omega, H)
                     : gos__reduce_pencil_quiet(r->pencil, gos__complex(0, omega), H));
    return keep(r, omega, H);
}

gos_status gos__responder_at(gos_responder *r, double omega, gos_complex *H) {
    const gos_poles *p = &r->poles;
    if (!r->by_poles) {
        return gos__responder_factored(r, omega, H);
    }
    for (int k = 0; k < p->ny * p->nu; k++) {
        H[k] = r->pencil->Yu[k];
    }
    for (long j = 0; j < p->n; j++) {
        const gos_complex factor = 1 / gos__complex(-p->re[j], omega - p->im[j]);
        const gos_complex *c = p->c + j * p->ny;
        for (long u = 0; u < p->nu; u++) {
            const gos_complex b = factor * p->b[u * p->n + j];
            for (int y = 0; y < p->ny; y++) {
                H[u * p->ny + y] += c[y] * b;
            }
        }
    }
    return GOS_OK;
}
