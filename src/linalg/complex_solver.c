/* Choice of the method; KLU and LAPACK for complex matrices. KLU reuses the last pivots while they
 * are good, which is usual along a frequency axis. */
#include "linalg/complex_solver.h"

#include <complex.h>
#include <klu.h>
#include <lapacke.h>
#include <math.h>

#include "linalg/order.h"

#define MIN_DENSE_FILL 0.25 // share of stored entries
#define MUMPS_MIN_WORK 2e6 // multiplications per factorisation above which MUMPS is faster than KLU
#define MUMPS_MIN_WORK_SADDLE 3e7 // ... in the order of solver.c
#define REPIVOT_RATIO 1e-10       // smallest over largest pivot below which pivots are chosen again
#define SINGULAR_RATIO 1e-15      // ... below which the matrix counts as singular
#define SINGULAR_DENSE 1e-17      // reciprocal condition number estimated by LAPACK
#define EQUILIBRATION_SWEEPS 5

struct gos_complex_solver {
    gos_ctx *ctx;
    int n;
    const gos_complex_way *way;
    void *content;
};

static const gos_complex_way *choose(const gos_pattern *pattern) {
    const double n = pattern->n;
    return pattern->nnz > MIN_DENSE_FILL * n * n ? &gos__complex_lapack
           : pattern->n < GOS_COMPLEX_LARGE      ? &gos__complex_klu
                                                 : &gos__complex_mumps;
}

static double products_of(const void *small);

/* Replaces KLU by MUMPS, unless KLU was requested, when its factors fill up, as those of solids
 * do. */
static gos_status create(gos_complex_solver *s, const gos_complex_def *def, bool any) {
    GOS_TRY(s->way->create(s->ctx, def, &s->content));
    const double large = def->saddle ? MUMPS_MIN_WORK_SADDLE : MUMPS_MIN_WORK;
    if (!any || s->way != &gos__complex_klu || products_of(s->content) < large) {
        return GOS_OK;
    }
    s->way->destroy(s->content);
    s->content = NULL;
    s->way = &gos__complex_mumps;
    return s->way->create(s->ctx, def, &s->content);
}

gos_status gos__complex_solver_create(gos_ctx *ctx, const gos_complex_def *def,
                                      const gos_complex_way *way, gos_complex_solver **solver) {
    gos_complex_solver *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    *s = (gos_complex_solver){
        .ctx = ctx, .n = def->pattern->n, .way = way ? way : choose(def->pattern)};
    const gos_status status = s->n > 0 ? create(s, def, !way) : GOS_OK;
    if (status != GOS_OK) {
        gos__free(ctx, s);
        return status;
    }
    *solver = s;
    return GOS_OK;
}

void gos__complex_solver_destroy(gos_complex_solver *s) {
    if (s) {
        if (s->content) {
            s->way->destroy(s->content);
        }
        gos__free(s->ctx, s);
    }
}

const gos_complex_way *gos__complex_solver_way(const gos_complex_solver *s) {
    return s->way;
}

gos_status gos__complex_solver_factor(gos_complex_solver *s, const gos_complex *values) {
    return s->n > 0 ? s->way->factor(s->content, values) : GOS_OK;
}

bool gos__complex_solver_keeps(const gos_complex_solver *s) {
    return s->way->kept != NULL;
}

void gos__complex_solver_repivot(gos_complex_solver *s) {
    if (s->n > 0 && s->way->repivot) {
        s->way->repivot(s->content);
    }
}

bool gos__complex_solver_kept_pivots(const gos_complex_solver *s) {
    return s->n > 0 && s->way->kept && s->way->kept(s->content);
}

gos_complex gos__complex_solver_log_determinant(const gos_complex_solver *s) {
    return s->n > 0 ? s->way->log_determinant(s->content) : 0;
}

gos_status gos__complex_solver_solve(gos_complex_solver *s, bool transposed, int nrhs,
                                     gos_complex *X) {
    return s->n > 0 && nrhs > 0 ? s->way->solve(s->content, transposed, nrhs, X) : GOS_OK;
}

/* ---- LAPACK ---------------------------------------------------------------------------------- */

typedef struct full {
    gos_ctx *ctx;
    const gos_pattern *pattern;
    gos_complex *lu; // factors of S A S (n, n)
    double *scale;   // S (n)
    double *norm;    // scratch (n)
    lapack_int *pivot;
} full;

static void full_destroy(void *content) {
    full *s = content;
    gos__free(s->ctx, s->lu);
    gos__free(s->ctx, s->scale);
    gos__free(s->ctx, s->norm);
    gos__free(s->ctx, s->pivot);
    gos__free(s->ctx, s);
}

static gos_status full_create(gos_ctx *ctx, const gos_complex_def *def, void **content) {
    const size_t n = def->pattern->n;
    full *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    s->ctx = ctx;
    s->pattern = def->pattern;
    s->lu = gos__alloc(ctx, n * n, sizeof *s->lu);
    s->scale = gos__alloc(ctx, n, sizeof *s->scale);
    s->norm = gos__alloc(ctx, n, sizeof *s->norm);
    s->pivot = gos__alloc(ctx, n, sizeof *s->pivot);
    if (!s->lu || !s->scale || !s->norm || !s->pivot) {
        full_destroy(s);
        return GOS_E_MEMORY;
    }
    *content = s;
    return GOS_OK;
}

/* Scales the largest entry of each row and column to about 1 (Ruiz, A scaling algorithm to
 * equilibrate both rows and columns norms in matrices, 2001), so that the condition number shows
 * cancellation, not slow motion beside stiff motion. Powers of two avoid rounding. */
static void equilibrate(full *s, const gos_complex *values) {
    const gos_pattern *a = s->pattern;
    for (int i = 0; i < a->n; i++) {
        s->scale[i] = 1;
    }
    for (int sweep = 0; sweep < EQUILIBRATION_SWEEPS; sweep++) {
        memset(s->norm, 0, a->n * sizeof *s->norm);
        for (int j = 0; j < a->n; j++) {
            for (int k = a->p[j]; k < a->p[j + 1]; k++) {
                const int i = a->i[k];
                const double x = s->scale[i] * cabs(values[k]) * s->scale[j];
                s->norm[i] = fmax(s->norm[i], x);
                s->norm[j] = fmax(s->norm[j], x);
            }
        }
        for (int i = 0; i < a->n; i++) {
            const double norm = s->norm[i];
            s->scale[i] /= norm > 0 && isfinite(norm) ? sqrt(norm) : 1;
        }
    }
    for (int i = 0; i < a->n; i++) {
        s->scale[i] = exp2(rint(log2(s->scale[i])));
    }
}

static gos_status full_factor(void *content, const gos_complex *values) {
    full *s = content;
    const gos_pattern *a = s->pattern;
    const size_t n = a->n;
    memset(s->lu, 0, n * n * sizeof *s->lu);
    equilibrate(s, values);
    double norm = 0;
    for (size_t j = 0; j < n; j++) {
        double column = 0;
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            const gos_complex x = s->scale[a->i[k]] * s->scale[j] * values[k];
            s->lu[j * n + a->i[k]] = x;
            column += cabs(x);
        }
        norm = fmax(norm, column);
    }
    if (LAPACKE_zgetrf(LAPACK_COL_MAJOR, a->n, a->n, s->lu, a->n, s->pivot) != 0) {
        return GOS_E_SINGULAR;
    }
    double rcond = 0;
    LAPACKE_zgecon(LAPACK_COL_MAJOR, '1', a->n, s->lu, a->n, norm, &rcond);
    return rcond > SINGULAR_DENSE ? GOS_OK : GOS_E_SINGULAR;
}

static void scale_rows(const full *s, int ncols, gos_complex *X) {
    for (int c = 0; c < ncols; c++, X += s->pattern->n) {
        for (int i = 0; i < s->pattern->n; i++) {
            X[i] *= s->scale[i];
        }
    }
}

static gos_status full_solve(void *content, bool transposed, int nrhs, gos_complex *X) {
    full *s = content;
    const int n = s->pattern->n;
    scale_rows(s, nrhs, X);
    (void)LAPACKE_zgetrs(LAPACK_COL_MAJOR, transposed ? 'T' : 'N', n, nrhs, s->lu, n, s->pivot, X,
                         n);
    scale_rows(s, nrhs, X);
    return GOS_OK;
}

static gos_complex full_log_determinant(const void *content) {
    const full *s = content;
    const size_t n = s->pattern->n;
    gos_complex sum = 0;
    int swaps = 0;
    for (size_t i = 0; i < n; i++) {
        sum += clog(s->lu[i * n + i]) - 2 * log(s->scale[i]);
        swaps += s->pivot[i] != (int)i + 1;
    }
    return sum + gos__complex(0, swaps % 2 * M_PI);
}

const gos_complex_way gos__complex_lapack = {
    "LAPACK", full_create, full_destroy, full_factor, full_solve, NULL, NULL, full_log_determinant};

/* ---- KLU ------------------------------------------------------------------------------------- */

typedef struct small {
    gos_ctx *ctx;
    const gos_pattern *pattern;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    bool *visited;   // scratch (n)
    double products; // multiplications per factorisation
    bool kept;       // the last factorisation reused pivots
} small;

static void small_destroy(void *content) {
    small *s = content;
    klu_z_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
    gos__free(s->ctx, s->visited);
    gos__free(s->ctx, s);
}

static gos_status small_analyse(small *s, bool saddle) {
    const gos_pattern *a = s->pattern;
    if (!saddle) {
        s->symbolic = klu_analyze(a->n, a->p, a->i, &s->common);
        s->products = s->symbolic ? s->symbolic->est_flops : 0;
        return GOS_OK;
    }
    int *order = gos__alloc(s->ctx, a->n + 1L, sizeof *order);
    bool *late = gos__alloc(s->ctx, a->n + 1L, sizeof *late);
    gos_status status = order && late ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__order_saddle(s->ctx, a, late, order, &s->products) : status;
    if (status == GOS_OK) {
        s->common.btf = 0; // BTF would pair constraints with other rows
        s->symbolic = klu_analyze_given(a->n, a->p, a->i, order, order, &s->common);
    }
    gos__free(s->ctx, order);
    gos__free(s->ctx, late);
    return status;
}

static gos_status small_create(gos_ctx *ctx, const gos_complex_def *def, void **content) {
    const gos_pattern *a = def->pattern;
    small *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    s->ctx = ctx;
    s->pattern = a;
    klu_defaults(&s->common);
    s->visited = gos__alloc(ctx, a->n + 1L, sizeof *s->visited);
    const gos_status status = s->visited ? small_analyse(s, def->saddle) : GOS_E_MEMORY;
    if (status != GOS_OK) {
        small_destroy(s);
        return status;
    }
    if (!s->symbolic) {
        const bool memory = s->common.status == KLU_OUT_OF_MEMORY;
        small_destroy(s);
        return memory
                   ? gos__fail(ctx, GOS_E_MEMORY, "out of memory while ordering %d unknowns", a->n)
                   : GOS_E_SINGULAR;
    }
    *content = s;
    return GOS_OK;
}

static double products_of(const void *content) {
    return ((const small *)content)->products;
}

static bool pivots_above(small *s, double min_ratio) {
    return klu_z_rcond(s->symbolic, s->numeric, &s->common) && s->common.rcond > min_ratio;
}

static gos_status small_factor(void *content, const gos_complex *values) {
    small *s = content;
    double *x = (double *)(uintptr_t)values; // KLU does not modify them
    const gos_pattern *a = s->pattern;
    if (s->numeric && klu_z_refactor(a->p, a->i, x, s->symbolic, s->numeric, &s->common) &&
        s->common.status == KLU_OK && pivots_above(s, REPIVOT_RATIO)) {
        s->kept = true;
        return GOS_OK;
    }
    s->kept = false;
    klu_z_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_z_factor(a->p, a->i, x, s->symbolic, &s->common);
    if (!s->numeric && s->common.status == KLU_OUT_OF_MEMORY) {
        return gos__fail(s->ctx, GOS_E_MEMORY, "out of memory while factorising %d unknowns", a->n);
    }
    return s->numeric && s->common.status == KLU_OK && pivots_above(s, SINGULAR_RATIO)
               ? GOS_OK
               : GOS_E_SINGULAR;
}

static gos_status small_solve(void *content, bool transposed, int nrhs, gos_complex *X) {
    small *s = content;
    const int n = s->pattern->n;
    if (transposed) {
        klu_z_tsolve(s->symbolic, s->numeric, n, nrhs, (double *)X, 0, &s->common);
    } else {
        klu_z_solve(s->symbolic, s->numeric, n, nrhs, (double *)X, &s->common);
    }
    return GOS_OK;
}

static void small_repivot(void *content) {
    small *s = content;
    klu_z_free_numeric(&s->numeric, &s->common);
}

static bool small_kept(const void *content) {
    return ((const small *)content)->kept;
}

static int parity(int n, const int *order, bool *visited) {
    int odd = 0;
    memset(visited, 0, n * sizeof *visited);
    for (int i = 0; i < n; i++) {
        for (int k = order[i]; !visited[i] && k != i; k = order[k]) {
            visited[k] = true;
            odd ^= 1;
        }
    }
    return odd;
}

static gos_complex small_log_determinant(const void *content) {
    const small *s = content;
    const klu_numeric *f = s->numeric;
    const int n = s->pattern->n;
    const gos_complex *pivot = f->Udiag;
    gos_complex sum = 0;
    for (int i = 0; i < n; i++) {
        sum += clog(pivot[i]) + (f->Rs ? log(f->Rs[i]) : 0);
    }
    const int odd = parity(n, f->Pnum, s->visited) ^ parity(n, s->symbolic->Q, s->visited);
    return sum + gos__complex(0, odd * M_PI);
}

const gos_complex_way gos__complex_klu = {"KLU",        small_create,         small_destroy,
                                          small_factor, small_solve,          small_repivot,
                                          small_kept,   small_log_determinant};
