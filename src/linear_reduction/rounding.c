/* Round-off of responses. Solves and assembly perturb P by a relative eps, which changes y P^-1
   b by at most eps |z|^T |P| |x|, x = P^-1 b, z = P^-T y^T. Per field |P| is replaced by its
   diagonal and bounded by the norms of z and x (Schwarz); independent of scales and units. */
#include "linear_reduction/rounding.h"

#include <complex.h>
#include <math.h>

static const gos_block blocks[3][GOS_NFIELDS] = {
    {GOS_BLOCK_K, GOS_BLOCK_K_T, GOS_BLOCK_K_phi},
    {GOS_BLOCK_D, GOS_BLOCK_C_T, GOS_NBLOCKS},
    {GOS_BLOCK_M, GOS_NBLOCKS, GOS_NBLOCKS},
};

/* magnitudes of the diagonal of a block; 0 if absent */
static void diagonal_of(const gos_linear *l, gos_block block, int n, double *d) {
    memset(d, 0, (size_t)n * sizeof *d);
    const gos_sparse *A = block == GOS_NBLOCKS ? NULL : &l->block[block];
    for (int j = 0; A && A->p && j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            d[j] += A->i[k] == j ? fabs(A->x[k]) : 0;
        }
    }
}

/* S (size, size) from `at` := V^T diag(d) V, V NULL: diag(d) */
static gos_status add_field(gos_ctx *ctx, const double *d, int n, int r, const double *V, int at,
                            int size, double *S) {
    gos_sparse D;
    double *part = gos__alloc(ctx, (size_t)r * r + 1, sizeof *part);
    GOS_TRY(part ? GOS_OK : GOS_E_MEMORY);
    gos_status status = gos__sparse_alloc(ctx, n, n, n, &D);
    for (int j = 0; j < n && status == GOS_OK; j++) {
        D.i[j] = j;
        D.x[j] = d[j];
        D.p[j + 1] = j + 1;
    }
    status = status == GOS_OK ? gos__reduce_congruence(ctx, &D, false, r, V, part) : status;
    for (int j = 0; j < r && status == GOS_OK; j++) {
        memcpy(S + (size_t)(at + j) * size + at, part + (size_t)j * r, r * sizeof *S);
    }
    gos__sparse_free(ctx, &D);
    gos__free(ctx, part);
    return status;
}

/* one power of s, on the vectors of a space */
static gos_status reduced(gos_ctx *ctx, const gos_linear *l, const gos_space *space, int power,
                          double *d, gos_sparse *to) {
    int size = 0, at = 0;
    for (int f = 0; f < GOS_NFIELDS; f++) {
        size += space->count[f];
    }
    double *S = gos__zalloc(ctx, (size_t)size * size + 1, sizeof *S);
    gos_status status = S ? GOS_OK : GOS_E_MEMORY;
    for (int f = 0; f < GOS_NFIELDS && status == GOS_OK; at += space->count[f++]) {
        const int n = gos__space_rows(space, f);
        diagonal_of(l, blocks[power][f], n, d);
        status = space->count[f] > 0
                     ? add_field(ctx, d, n, space->count[f], space->v[f], at, size, S)
                     : GOS_OK;
    }
    status = status == GOS_OK ? gos__sparse_from_dense(ctx, size, size, S, to) : status;
    gos__free(ctx, S);
    return status;
}

/* one power of s, whole model */
static gos_status whole(gos_ctx *ctx, const gos_linear *l, int power, double *d, gos_sparse *to) {
    int start[GOS_NFIELDS + 1], max[GOS_NFIELDS];
    gos__reduce_fields(l, start, max);
    const int n = start[GOS_NFIELDS];
    for (int f = 0; f < GOS_NFIELDS; f++) {
        diagonal_of(l, blocks[power][f], start[f + 1] - start[f], d + start[f]);
    }
    GOS_TRY(gos__sparse_alloc(ctx, n, n, n, to));
    for (int j = 0; j < n; j++) {
        to->i[j] = j;
        to->x[j] = d[j];
        to->p[j + 1] = j + 1;
    }
    return GOS_OK;
}

gos_status gos__rounding_begin(gos_ctx *ctx, const gos_linear *l, const gos_linear_reduction *r,
                               gos_rounding *rounding) {
    *rounding = (gos_rounding){.ctx = ctx};
    double *d = gos__alloc(ctx, (size_t)l->nq + l->nt + l->nphi + 1, sizeof *d);
    gos_status status = d ? GOS_OK : GOS_E_MEMORY;
    for (int k = 0; k < 6 && status == GOS_OK; k++) {
        const bool left = k >= 3;
        gos_sparse *to = &rounding->diagonal[left][k % 3];
        if (r && !(left && !r->W.ctx)) {
            status = reduced(ctx, l, left ? &r->W : &r->V, k % 3, d, to);
        } else if (!left) {
            status = whole(ctx, l, k % 3, d, to);
        }
    }
    gos__free(ctx, d);
    if (status != GOS_OK) {
        gos__rounding_end(rounding);
    }
    return status;
}

void gos__rounding_end(gos_rounding *rounding) {
    for (int k = 0; k < 6; k++) {
        gos__sparse_free(rounding->ctx, &rounding->diagonal[k / 3][k % 3]);
    }
}

static void norms(const gos_reduce_pencil *p, const gos_sparse D[3], double s, int n,
                  const gos_complex *X, double *norm) {
    for (int c = 0; c < n; c++) {
        const gos_complex *x = X + (size_t)c * (size_t)p->n;
        for (int f = 0; f < GOS_NFIELDS; f++) {
            double sum = 0, factor = 1;
            for (int power = 0; power < 3; power++, factor *= s) {
                for (int j = p->start[f]; j < p->start[f + 1]; j++) {
                    for (int k = D[power].p[j]; k < D[power].p[j + 1]; k++) {
                        sum += factor * D[power].x[k] * creal(conj(x[D[power].i[k]]) * x[j]);
                    }
                }
            }
            norm[c * GOS_NFIELDS + f] = sqrt(fmax(0, sum));
        }
    }
}

gos_status gos__rounding_response(const gos_rounding *rounding, gos_reduce_pencil *p, gos_complex s,
                                  gos_complex *H, double *in, double *out) {
    const int max = p->nu > p->ny ? p->nu : p->ny;
    gos_complex *X = gos__alloc(p->ctx, (size_t)p->n * (size_t)max + 1, sizeof *X);
    gos_status status = X ? gos__reduce_pencil_quiet(p, s, H) : GOS_E_MEMORY;
    for (int side = 0; side < 2 && status == GOS_OK; side++) {
        const int n = side ? p->ny : p->nu;
        gos__reduce_pencil_rhs(p, side, s, 0, X);
        status = gos__reduce_pencil_solve(p, side, n, X);
        const bool own = side && rounding->diagonal[1][0].p;
        if (status == GOS_OK) {
            norms(p, rounding->diagonal[own], cabs(s), n, X, side ? out : in);
        }
    }
    gos__free(p->ctx, X);
    return status;
}
