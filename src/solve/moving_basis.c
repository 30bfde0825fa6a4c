/* Columns of X: M x + C^T mu = 0, C x = -C' e_j for each coordinate j in a rotating constraint
 * (moving_basis.h). */
#include "solve/moving_basis.h"

#include <math.h>

#include "linalg/dense.h"
#include "solve/consistent.h"
#include "system/assemble.h"

#define CHUNK 32         // columns solved together
#define NEGLIGIBLE 1e-16 // relative to the largest entry of a column

void gos__moving_basis_destroy(gos_moving_basis *b) {
    if (b) {
        gos__sparse_free(b->ctx, &b->rates);
        gos__free(b->ctx, b->column);
        gos__free(b->ctx, b->X);
        gos__free(b->ctx, b->mu);
        gos__free(b->ctx, b);
    }
}

static gos_status solve(gos_moving_basis *b, gos_work *w, const gos_point_of *x) {
    const gos_system *s = w->sys;
    const size_t n = s->n;
    double *rhs = gos__alloc(b->ctx, CHUNK * n + 1, sizeof *rhs);
    gos_status status = rhs ? GOS_OK : GOS_E_MEMORY;
    for (int from = 0; from < b->n && status == GOS_OK; from += CHUNK) {
        const int many = b->n - from < CHUNK ? b->n - from : CHUNK;
        memset(rhs, 0, many * n * sizeof *rhs);
        for (long c = 0; c < many; c++) {
            const int j = b->column[from + c];
            for (int k = b->rates.p[j]; k < b->rates.p[j + 1]; k++) {
                rhs[c * n + (s->at.lam + b->rates.i[k])] = -b->rates.x[k];
            }
        }
        status = gos__consistent_solve(b->ctx, w, x, many, rhs);
        for (int c = 0; c < many && status == GOS_OK; c++) {
            const double *r = rhs + c * n;
            memcpy(gos__dense_column(b->X, b->nq, from + c), r, b->nq * sizeof *r);
            memcpy(gos__dense_column(b->mu, b->nc, from + c), r + s->at.lam, b->nc * sizeof *r);
        }
    }
    gos__free(b->ctx, rhs);
    return status;
}

gos_status gos__moving_basis_create(gos_ctx *ctx, gos_work *w, const gos_point_of *x,
                                    gos_moving_basis **basis) {
    const gos_system *s = w->sys;
    *basis = NULL;
    gos_moving_basis *b = gos__zalloc(ctx, 1, sizeof *b);
    if (!b) {
        return GOS_E_MEMORY;
    }
    b->ctx = ctx;
    b->nq = s->nq;
    b->nc = s->nc;
    gos_status status = gos__constraint_row_rates(ctx, w, x, &b->rates);
    for (int j = 0; j < s->nq && status == GOS_OK; j++) {
        b->n += b->rates.p[j + 1] > b->rates.p[j];
    }
    if (status == GOS_OK && b->n > GOS_MOVING_COLUMNS) {
        status = GOS_E_LIMIT;
    }
    if (status == GOS_OK && b->n > 0) {
        b->column = gos__alloc(ctx, b->n, sizeof *b->column);
        b->X = gos__alloc(ctx, (size_t)b->n * b->nq, sizeof *b->X);
        b->mu = gos__alloc(ctx, (size_t)b->n * b->nc, sizeof *b->mu);
        status = b->column && b->X && b->mu ? GOS_OK : GOS_E_MEMORY;
    }
    for (int j = 0, n = 0; j < s->nq && status == GOS_OK; j++) {
        if (b->rates.p[j + 1] > b->rates.p[j]) {
            b->column[n++] = j;
        }
    }
    status = status == GOS_OK && b->n > 0 ? solve(b, w, x) : status;
    if (status != GOS_OK || b->n == 0) {
        gos__moving_basis_destroy(b);
        return status;
    }
    *basis = b;
    return GOS_OK;
}

/* B (m, nq) := dense matrix spread to columns b->column, without small entries */
static gos_status spread(const gos_moving_basis *b, int m, const double *dense, gos_sparse *B) {
    size_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            GOS_TRY(gos__sparse_alloc(b->ctx, m, b->nq, count, B));
            count = 0;
        }
        for (int j = 0, c = 0; j < b->nq; j++) {
            const bool there = c < b->n && b->column[c] == j;
            const double *x = there ? gos__dense_column((double *)dense, m, c++) : NULL;
            double most = 0;
            for (int i = 0; i < m && x; i++) {
                most = fmax(most, fabs(x[i]));
            }
            for (int i = 0; i < m && x; i++) {
                if (fabs(x[i]) > NEGLIGIBLE * most) {
                    if (pass == 1) {
                        B->i[count] = i;
                        B->x[count] = x[i];
                    }
                    count++;
                }
            }
            if (pass == 1) {
                B->p[j + 1] = (int)count;
            }
        }
    }
    return GOS_OK;
}

gos_status gos__moving_basis_times(const gos_moving_basis *b, const gos_sparse *A, gos_sparse *B) {
    double *AX = gos__alloc(b->ctx, (size_t)A->m * b->n + 1, sizeof *AX);
    if (!AX) {
        return GOS_E_MEMORY;
    }
    gos__sparse_apply(A, b->n, b->X, AX);
    const gos_status status = spread(b, A->m, AX, B);
    gos__free(b->ctx, AX);
    return status;
}

gos_status gos__moving_basis_square(const gos_moving_basis *b, gos_sparse *S) {
    // X^T M X = -X^T C^T mu = C'^T mu, symmetric up to rounding
    double *P = gos__alloc(b->ctx, (size_t)b->nq * b->n + 1, sizeof *P);
    if (!P) {
        return GOS_E_MEMORY;
    }
    for (int c = 0; c < b->n; c++) {
        gos__sparse_apply_transposed(&b->rates, gos__dense_column(b->mu, b->nc, c),
                                     gos__dense_column(P, b->nq, c));
    }
    gos_sparse raw = {0};
    gos_status status = spread(b, b->nq, P, &raw);
    gos__free(b->ctx, P);
    if (status == GOS_OK) {
        status = gos__sparse_symmetric_part(b->ctx, &raw, S, NULL);
    }
    gos__sparse_free(b->ctx, &raw);
    return status;
}
