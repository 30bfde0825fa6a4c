/* Large complex matrices by MUMPS: LDL^T if symmetric, otherwise LU, in our own order (METIS on
 * the graph of nodes). One analysis serves all values. */
#include "linalg/mumps.h"

#include <complex.h>
#include <math.h>
#include <zmumps_c.h>

#include "base/global_lock.h"
#include "linalg/complex_solver.h"
#include "linalg/order.h"
#include "linalg/sparse.h"

_Static_assert(sizeof(ZMUMPS_COMPLEX) == sizeof(gos_complex), "two doubles");

typedef struct large {
    gos_ctx *ctx;
    const gos_pattern *pattern;
    bool symmetric;
    ZMUMPS_STRUC_C id;
    bool begun;
    int *row, *column, *place; // entries (lower triangle if symmetric) and order, from 1
    gos_complex *value;        // (id.nnz)
} large;

static int call(large *s, int job) {
    s->id.job = job;
    gos__library_lock(GOS_LIBRARY_MUMPS);
    zmumps_c(&s->id);
    gos__library_unlock(GOS_LIBRARY_MUMPS);
    return s->id.INFOG(1);
}

static gos_status explain(large *s) {
    return gos__mumps_status(s->ctx, s->pattern->n, s->id.INFOG(1), s->id.INFOG(2));
}

/* Orders the pattern plus its transpose, as a graph requires. */
static gos_status order_symmetrised(large *s, int ncomp, int nlast, int *order) {
    const gos_pattern *a = s->pattern;
    gos_sparse T = {0}, U = {0};
    double *zero = gos__zalloc(s->ctx, a->nnz + 1L, sizeof *zero);
    const gos_sparse A = {a->n, a->n, a->nnz, a->p, a->i, zero};
    gos_status status = zero ? gos__sparse_transpose(s->ctx, &A, &T) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__sparse_sum(s->ctx, 1, &A, 1, &T, &U) : status;
    if (status == GOS_OK) {
        const gos_pattern both = {.n = a->n, .nnz = U.nnz, .p = U.p, .i = U.i};
        status = gos__dissect(s->ctx, &both, ncomp, nlast, order);
    }
    gos__sparse_free(s->ctx, &T);
    gos__sparse_free(s->ctx, &U);
    gos__free(s->ctx, zero);
    return status;
}

static gos_status make_order(large *s, const gos_complex_def *def) {
    const int n = s->pattern->n, ncomp = def->ncomp > 1 ? def->ncomp : 0; // as in mumps.c
    int *order = gos__alloc(s->ctx, n + 1L, sizeof *order);
    gos_status status = order ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        status = s->symmetric ? gos__dissect(s->ctx, s->pattern, ncomp, def->nlast, order)
                              : order_symmetrised(s, ncomp, def->nlast, order);
    }
    for (int k = 0; k < n && status == GOS_OK; k++) {
        s->place[order[k]] = k + 1;
    }
    gos__free(s->ctx, order);
    return status;
}

static gos_status fill(large *s, const gos_complex_def *def) {
    const gos_pattern *a = s->pattern;
    const size_t n = a->n, room = a->nnz + 1L;
    s->row = gos__alloc(s->ctx, room, sizeof *s->row);
    s->column = gos__alloc(s->ctx, room, sizeof *s->column);
    s->value = gos__alloc(s->ctx, room, sizeof *s->value);
    s->place = gos__alloc(s->ctx, n + 1, sizeof *s->place);
    if (!s->row || !s->column || !s->value || !s->place) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(make_order(s, def));
    int64_t nnz = 0;
    for (int j = 0; j < a->n; j++) {
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            if (!s->symmetric || a->i[k] >= j) {
                s->row[nnz] = a->i[k] + 1;
                s->column[nnz++] = j + 1;
            }
        }
    }
    s->id.n = a->n;
    s->id.nnz = nnz;
    s->id.irn = s->row;
    s->id.jcn = s->column;
    s->id.a = (ZMUMPS_COMPLEX *)s->value;
    s->id.perm_in = s->place;
    return GOS_OK;
}

static gos_status begin(large *s) {
    s->id.par = 1;
    s->id.sym = s->symmetric ? 2 : 0;
    s->id.comm_fortran = MUMPS_WORLD;
    (void)call(s, MUMPS_JOB_BEGIN);
    s->begun = true;
    gos__mumps_options(s->id.icntl);
    s->id.ICNTL(24) = 1; // count null pivots
    s->id.ICNTL(33) = 1; // compute the determinant
    s->id.CNTL(3) = MUMPS_SINGULAR;
    return explain(s);
}

static void large_destroy(void *content) {
    large *s = content;
    if (s->begun) {
        (void)call(s, MUMPS_JOB_END);
    }
    gos__free(s->ctx, s->row);
    gos__free(s->ctx, s->column);
    gos__free(s->ctx, s->place);
    gos__free(s->ctx, s->value);
    gos__free(s->ctx, s);
}

static gos_status large_create(gos_ctx *ctx, const gos_complex_def *def, void **content) {
    large *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    s->ctx = ctx;
    s->pattern = def->pattern;
    s->symmetric = def->symmetric;
    gos_status status = begin(s);
    status = status == GOS_OK ? fill(s, def) : status;
    if (status == GOS_OK) {
        (void)call(s, MUMPS_JOB_ANALYSE);
        status = explain(s);
        status = status == GOS_OK ? gos__mumps_memory(ctx, def->pattern->n, 1e6 * s->id.INFOG(16))
                                  : status;
    }
    if (status != GOS_OK) {
        large_destroy(s);
        return status;
    }
    *content = s;
    return GOS_OK;
}

static gos_status large_factor(void *content, const gos_complex *values) {
    large *s = content;
    const gos_pattern *a = s->pattern;
    int64_t at = 0;
    for (int j = 0; j < a->n; j++) {
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            if (!s->symmetric || a->i[k] >= j) {
                s->value[at++] = values[k];
            }
            if (!isfinite(creal(values[k])) || !isfinite(cimag(values[k]))) {
                return gos__fail(s->ctx, GOS_E_NONFINITE,
                                 "the matrix to factorise has entries that are not finite");
            }
        }
    }
    int code = call(s, MUMPS_JOB_FACTOR);
    for (int i = 0; i < MUMPS_GROWTH && gos__mumps_small(code); i++) {
        s->id.ICNTL(14) = 2 * s->id.ICNTL(14) + 20;
        code = call(s, MUMPS_JOB_FACTOR);
    }
    GOS_TRY(explain(s));
    return s->id.INFOG(28) > 0 ? GOS_E_SINGULAR : GOS_OK;
}

static gos_status large_solve(void *content, bool transposed, int nrhs, gos_complex *X) {
    large *s = content;
    s->id.ICNTL(9) = transposed && !s->symmetric ? 0 : 1; // 1: A x = b
    s->id.rhs = (ZMUMPS_COMPLEX *)X;
    s->id.nrhs = nrhs;
    s->id.lrhs = s->pattern->n;
    (void)call(s, MUMPS_JOB_SOLVE);
    return explain(s);
}

static gos_complex large_log_determinant(const void *content) {
    const large *s = content;
    return clog(gos__complex(s->id.RINFOG(12), s->id.RINFOG(13))) + s->id.INFOG(34) * M_LN2;
}

const gos_complex_way gos__complex_mumps = {"MUMPS",      large_create,         large_destroy,
                                            large_factor, large_solve,          NULL,
                                            NULL,         large_log_determinant};
