/* Large matrices of symmetric pattern by MUMPS in one process: multifrontal LDL^T with pivots of
 * order 1 and 2, or LU for unsymmetric values, in our order (METIS on the graph of nodes): the
 * packaged library has no METIS, and SCOTCH is not reproducible. Amestoy, Duff, Koster,
 * L'Excellent, SIAM J. Matrix Anal. Appl. 23 (2001). */
#include "linalg/mumps.h"

#include <dmumps_c.h>
#include <math.h>
#include <unistd.h>

#include "base/global_lock.h"
#include "linalg/order.h"
#include "linalg/sparse.h"
#include "linalg/symmetric.h"

_Static_assert(sizeof(MUMPS_INT) == sizeof(int), "MUMPS of 32 bits");

gos_status gos__mumps_status(gos_ctx *ctx, int n, int code, int detail) {
    if (code >= 0) {
        return GOS_OK;
    }
    if (code == -10) {
        return GOS_E_SINGULAR;
    }
    if (code == -5 || code == -7 || code == -13 || code == -22) {
        return gos__fail(ctx, GOS_E_MEMORY, "out of memory while factorising %d unknowns", n);
    }
    return gos__fail(ctx, GOS_E_INTERNAL,
                     "factorising a matrix of %d unknowns failed (MUMPS: %d, "
                     "%d)",
                     n, code, detail);
}

bool gos__mumps_small(int code) {
    return code == -8 || code == -9 || code == -11 || code == -14 || code == -15 || code == -17 ||
           code == -20;
}

gos_status gos__mumps_memory(gos_ctx *ctx, int n, double memory) {
    const double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return memory > machine ? gos__fail(ctx, GOS_E_MEMORY,
                                        "factorising %d unknowns needs %.1f GB of memory, but the "
                                        "machine has %.1f GB; use a coarser mesh",
                                        n, 1e-9 * memory, 1e-9 * machine)
                            : GOS_OK;
}

void gos__mumps_options(int *icntl) {
    for (int i = 0; i < 4; i++) {
        icntl[i] = i < 3 ? -1 : 0; // silent
    }
    icntl[5] = 0;  // ICNTL(6): no permutation for large diagonals
    icntl[6] = 1;  // user-supplied order
    icntl[11] = 1; // ICNTL(12): keep that order
    icntl[12] = 1; // count negative pivots in the root front too
    icntl[27] = 1; // ICNTL(28): sequential analysis
    icntl[57] = 2; // ICNTL(58): front sizes from column counts
}

typedef struct large {
    gos_ctx *ctx;
    gos_symmetric_info *info;
    const gos_pattern *pattern;
    DMUMPS_STRUC_C id;
    bool begun, strict, general, lower;
    // lower triangle, or all entries; order; counted from 1
    int *row, *column, *place;
    double *value; // (id.nnz), NULL if the pattern is the lower triangle
} large;

static int call(large *s, int job) {
    s->id.job = job;
    gos__library_lock(GOS_LIBRARY_MUMPS);
    dmumps_c(&s->id);
    gos__library_unlock(GOS_LIBRARY_MUMPS);
    return s->id.INFOG(1);
}

static gos_status explain(large *s) {
    return gos__mumps_status(s->ctx, s->pattern->n, s->id.INFOG(1), s->id.INFOG(2));
}

/* Order from the graph of the pattern and its transpose. */
static gos_status dissect(const large *s, int ncomp, int nlast, int *order) {
    const gos_pattern *a = s->pattern;
    // 1 may understate the unknowns per node of user-supplied matrices
    ncomp = ncomp > 1 ? ncomp : 0;
    if (s->lower) {
        return gos__dissect_lower(s->ctx, a, order);
    }
    if (!s->general) {
        return gos__dissect(s->ctx, a, ncomp, nlast, order);
    }
    double *zero = gos__zalloc(s->ctx, a->nnz + 1L, sizeof *zero);
    const gos_sparse A = {.m = a->n, .n = a->n, .nnz = a->nnz, .p = a->p, .i = a->i, .x = zero};
    gos_sparse both = {0};
    gos_status status = zero ? gos__sparse_symmetric_part(s->ctx, &A, &both, NULL) : GOS_E_MEMORY;
    const gos_pattern graph = {.n = both.n, .nnz = both.nnz, .p = both.p, .i = both.i};
    status = status == GOS_OK ? gos__dissect(s->ctx, &graph, ncomp, nlast, order) : status;
    gos__sparse_free(s->ctx, &both);
    gos__free(s->ctx, zero);
    return status;
}

static gos_status fill(large *s, int ncomp, int nlast) {
    const gos_pattern *a = s->pattern;
    const size_t n = a->n;
    int64_t nnz = s->lower ? a->nnz : 0;
    for (int j = 0; j < a->n && !s->lower; j++) {
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            nnz += s->general || a->i[k] >= j;
        }
    }
    s->row = gos__alloc(s->ctx, nnz + 1L, sizeof *s->row);
    s->column = gos__alloc(s->ctx, nnz + 1L, sizeof *s->column);
    s->value = s->lower ? NULL : gos__alloc(s->ctx, nnz + 1L, sizeof *s->value);
    s->place = gos__alloc(s->ctx, n + 1, sizeof *s->place);
    int *order = gos__alloc(s->ctx, n + 1, sizeof *order);
    gos_status status =
        s->row && s->column && (s->value || s->lower) && s->place && order ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? dissect(s, ncomp, nlast, order) : status;
    for (int k = 0; k < a->n && status == GOS_OK; k++) {
        s->place[order[k]] = k + 1;
    }
    gos__free(s->ctx, order);
    nnz = 0;
    for (int j = 0; j < a->n && status == GOS_OK; j++) {
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            if (s->general || s->lower || a->i[k] >= j) {
                s->row[nnz] = a->i[k] + 1;
                s->column[nnz++] = j + 1;
            }
        }
    }
    s->id.n = a->n;
    s->id.nnz = nnz;
    s->id.irn = s->row;
    s->id.jcn = s->column;
    s->id.perm_in = s->place;
    return status;
}

/* Sets all fields to defaults. */
static gos_status begin(large *s) {
    s->id.par = 1;
    s->id.sym = s->general ? 0 : 2; // 2: indefinite
    s->id.comm_fortran = MUMPS_WORLD;
    (void)call(s, MUMPS_JOB_BEGIN);
    s->begun = true;
    gos__mumps_options(s->id.icntl);
    s->id.ICNTL(24) = s->strict;
    s->id.ICNTL(33) = s->general; // compute the determinant, for its sign
    s->id.CNTL(3) = MUMPS_SINGULAR;
    return explain(s);
}

static gos_status analyse(large *s) {
    (void)call(s, MUMPS_JOB_ANALYSE);
    GOS_TRY(explain(s));
    s->info->memory = 1e6 * s->id.INFOG(16);
    // INFOG(3): number of entries, in millions if negative
    s->info->entries = s->id.INFOG(3) < 0 ? -1e6 * s->id.INFOG(3) : s->id.INFOG(3);
    return gos__mumps_memory(s->ctx, s->pattern->n, s->info->memory);
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

static gos_status large_create(gos_ctx *ctx, const gos_symmetric_def *def, gos_symmetric_info *info,
                               void **content) {
    large *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    s->ctx = ctx;
    s->info = info;
    s->pattern = def->pattern;
    s->strict = def->strict;
    s->general = def->general;
    s->lower = def->lower;
    gos_status status = begin(s);
    status = status == GOS_OK ? fill(s, def->ncomp, def->nlast) : status;
    status = status == GOS_OK ? analyse(s) : status;
    if (status != GOS_OK) {
        large_destroy(s);
        return status;
    }
    *content = s;
    return GOS_OK;
}

static gos_status large_factor(void *content, const double *values, bool solve, int *negative) {
    GOS_UNUSED(solve);
    large *s = content;
    const gos_pattern *a = s->pattern;
    int64_t at = 0;
    bool finite = true;
    for (int j = 0; j < a->n; j++) {
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            if (s->value && (s->general || a->i[k] >= j)) {
                s->value[at++] = values[k];
            }
            finite = finite && isfinite(values[k]);
        }
    }
    if (!finite && s->general) {
        return GOS_E_SINGULAR; // a diverged iteration
    }
    if (!finite) {
        return gos__fail(s->ctx, GOS_E_NONFINITE,
                         "the matrix to factorise has entries that are not finite");
    }
    s->id.a = s->value ? s->value : (double *)(uintptr_t)values; // MUMPS does not modify them
    int code = call(s, MUMPS_JOB_FACTOR);
    for (int i = 0; i < MUMPS_GROWTH && gos__mumps_small(code); i++) {
        s->id.ICNTL(14) = 2 * s->id.ICNTL(14) + 20;
        code = call(s, MUMPS_JOB_FACTOR);
    }
    if (code >= 0 && negative) {
        *negative = s->id.INFOG(12);
    }
    GOS_TRY(explain(s));
    return s->strict && s->id.INFOG(28) > 0 ? GOS_E_SINGULAR : GOS_OK;
}

static gos_status large_solve(void *content, int nrhs, double *x) {
    large *s = content;
    s->id.rhs = x;
    s->id.nrhs = nrhs;
    s->id.lrhs = s->pattern->n;
    (void)call(s, MUMPS_JOB_SOLVE);
    return explain(s);
}

int gos__mumps_sign(const void *content) {
    const double mantissa = ((const large *)content)->id.RINFOG(12);
    return (mantissa > 0) - (mantissa < 0);
}

const gos_symmetric_way gos__symmetric_mumps = {
    "MUMPS", large_create, large_destroy, large_factor, large_solve, NULL, NULL};
