/* KLU for sparse Newton matrices, MUMPS for those with much fill (L D L^T if the values are
 * symmetric), LAPACK's LU for dense ones. KLU reuses its pivot order (klu_refactor) while pivots
 * stay well away from zero. Callers that reuse factors monitor the contraction of their iteration
 * and call gos__solver_repivot when it fails. */
#include "linalg/solver.h"

#include <float.h>
#include <klu.h>
#include <lapacke.h>
#include <math.h>

#include "linalg/order.h"
#include "linalg/symmetric.h"

#define MUMPS_MIN_WORK 3e7    // multiplications per factorisation above which MUMPS is faster
#define MIN_PIVOT_GROWTH 1e-6 // reciprocal pivot growth below which full partial pivoting is used
#define MIN_PIVOT_RATIO 1e-13 // smallest over largest pivot below which pivots are chosen again
#define MAX_ASYMMETRY 1e-12   // of entries, relative to their row and column: rounding

struct gos_solver {
    gos_ctx *ctx;
    const gos_pattern *pattern;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    bool kept; // the last factorisation reused pivots
    struct large {
        bool used;               // MUMPS replaces KLU
        int nlast;               // trailing unknowns without diagonal
        void *whole, *half;      // of MUMPS: LU, L D L^T; each analysed on first use
        gos_symmetric_info info; // of the last analysis
        bool symmetric;          // L D L^T was used last
        int negative;            // its negative pivots
        int *next;               // scratch (n)
        double *max;             // largest entry of each row and column (n)
    } large;
    struct block {
        int n, lead;  // order; padded column length (gos__kernel_lead)
        int *index;   // its unknowns (n)
        double *lu;   // factors, or the inverse (lead, n)
        int *pivot;   // (n)
        double *x;    // right-hand side (lead), scratch (lead)
    } block[2];       // dense: groups 0 and 1
    double *coupling; // dense, two groups: rows of group 0 (its lead), columns of group 1
    bool inverted;    // dense: lu holds inverses
};

/* A constraint has no own pivot. Eliminated early it uses the row of a coupled unknown, which may
 * fill the rest of the matrix; later it has a diagonal pivot. */
static gos_status analyse_ordered(gos_solver *s) {
    gos_pattern a = *s->pattern;
    int *order = gos__alloc(s->ctx, a.n + 1L, sizeof *order);
    bool *late = gos__alloc(s->ctx, a.n + 1L, sizeof *late);
    gos_status status = order && late ? GOS_OK : GOS_E_MEMORY;
    double products = 0;
    status = status == GOS_OK ? gos__order_saddle(s->ctx, &a, late, order, &products) : status;
    if (status == GOS_OK && products > MUMPS_MIN_WORK) {
        struct large *l = &s->large;
        l->used = true;
        while (l->nlast < a.n && late[a.n - 1 - l->nlast]) {
            l->nlast++;
        }
        l->next = gos__alloc(s->ctx, a.n + 1L, sizeof *l->next);
        l->max = gos__alloc(s->ctx, a.n + 1L, sizeof *l->max);
        status = l->next && l->max ? GOS_OK : GOS_E_MEMORY;
    } else if (status == GOS_OK) {
        s->common.btf = 0; // BTF would pair constraints with other rows
        s->symbolic = klu_analyze_given(a.n, a.p, a.i, order, order, &s->common);
    }
    gos__free(s->ctx, order);
    gos__free(s->ctx, late);
    return status;
}

static gos_status analyse(gos_solver *s) {
    klu_defaults(&s->common);
    GOS_TRY(analyse_ordered(s));
    if (s->symbolic || s->large.used) {
        return GOS_OK;
    }
    if (s->common.status == KLU_OUT_OF_MEMORY) {
        return gos__fail(s->ctx, GOS_E_MEMORY, "out of memory while ordering %d unknowns",
                         s->pattern->n);
    }
    return GOS_E_SINGULAR;
}

static gos_status make_block(gos_solver *s, int group) {
    const gos_pattern *a = s->pattern;
    struct block *b = &s->block[group];
    b->index = gos__alloc(s->ctx, a->n + 1L, sizeof *b->index);
    if (!b->index) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < a->n; i++) {
        if ((a->group ? a->group[i] : 0) == group) {
            b->index[b->n++] = i;
        }
    }
    b->lead = gos__kernel_lead(b->n);
    b->lu = gos__alloc(s->ctx, (size_t)b->lead * b->n + 1, sizeof *b->lu);
    b->pivot = gos__alloc(s->ctx, b->n + 1L, sizeof *b->pivot);
    b->x = gos__alloc(s->ctx, 2L * b->lead + 1, sizeof *b->x);
    return b->lu && b->pivot && b->x ? GOS_OK : GOS_E_MEMORY;
}

static gos_status make_dense(gos_solver *s) {
    GOS_TRY(make_block(s, 0));
    GOS_TRY(make_block(s, 1));
    s->coupling =
        gos__alloc(s->ctx, (size_t)s->block[0].lead * s->block[1].n + 1, sizeof *s->coupling);
    return s->coupling ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__solver_create(gos_ctx *ctx, const gos_pattern *pattern, gos_solver **solver) {
    gos_solver *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    s->ctx = ctx;
    s->pattern = pattern;
    gos_status status = GOS_OK;
    if (pattern->dense) {
        status = make_dense(s);
    } else if (pattern->n > 0) {
        status = analyse(s);
    }
    if (status != GOS_OK) {
        gos__solver_destroy(s);
        return status;
    }
    *solver = s;
    return GOS_OK;
}

void gos__solver_destroy(gos_solver *s) {
    if (!s) {
        return;
    }
    klu_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
    void *const large[] = {s->large.whole, s->large.half};
    for (int i = 0; i < 2; i++) {
        if (large[i]) {
            gos__symmetric_mumps.destroy(large[i]);
        }
    }
    gos__free(s->ctx, s->large.next);
    gos__free(s->ctx, s->large.max);
    for (int i = 0; i < 2; i++) {
        gos__free(s->ctx, s->block[i].index);
        gos__free(s->ctx, s->block[i].lu);
        gos__free(s->ctx, s->block[i].pivot);
        gos__free(s->ctx, s->block[i].x);
    }
    gos__free(s->ctx, s->coupling);
    gos__free(s->ctx, s);
}

/* to (rows.lead, cols.n) := block of the full matrix, zero-padded. */
static void take_block(const gos_solver *s, const double *values, const struct block *rows,
                       const struct block *cols, double *to) {
    for (int j = 0; j < cols->n; j++, to += rows->lead) {
        const double *column = values + (size_t)cols->index[j] * s->pattern->n;
        for (int i = 0; i < rows->n; i++) {
            to[i] = column[rows->index[i]];
        }
        memset(to + rows->n, 0, (rows->lead - rows->n) * sizeof *to);
    }
}

static gos_status factor_dense(gos_solver *s, const double *values, int *column) {
    s->inverted = false;
    for (int k = 0; k < 2; k++) {
        struct block *b = &s->block[k];
        if (b->n == 0) {
            continue;
        }
        take_block(s, values, b, b, b->lu);
        const int info =
            LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, b->n, b->n, b->lu, b->lead, b->pivot);
        if (info != 0) {
            if (column) {
                *column = info > 0 ? b->index[info - 1] : -1;
            }
            return GOS_E_SINGULAR;
        }
    }
    take_block(s, values, &s->block[0], &s->block[1], s->coupling);
    return GOS_OK;
}

static void gather_block(struct block *b, const double *x) {
    for (int i = 0; i < b->n; i++) {
        b->x[i] = x[b->index[i]];
    }
}

void gos__solver_invert(gos_solver *s) {
    for (int k = 0; k < 2 && s->pattern->dense && !s->inverted; k++) {
        struct block *b = &s->block[k];
        if (b->n > 0) {
            LAPACKE_dgetri_work(LAPACK_COL_MAJOR, b->n, b->lu, b->lead, b->pivot, b->x,
                                2 * b->lead);
        }
    }
    s->inverted = s->pattern->dense;
}

/* A product runs at memory speed; substitutions wait for each entry. */
static void apply_inverse(struct block *b) {
    double *y = b->x + b->lead;
    gos__kernel_times(b->n, b->n, b->lu, b->lead, b->x, y);
    memcpy(b->x, y, b->n * sizeof *y);
}

static void solve_block(const gos_solver *s, struct block *b, double *x) {
    if (s->inverted) {
        apply_inverse(b);
    } else {
        gos__kernel_lu_solve(b->n, b->lu, b->lead, b->pivot, b->x);
    }
    for (int i = 0; i < b->n; i++) {
        x[b->index[i]] = b->x[i];
    }
}

static void solve_dense(gos_solver *s, double *x) {
    struct block *a = &s->block[0], *b = &s->block[1];
    gather_block(a, x);
    if (b->n > 0) {
        gather_block(b, x);
        solve_block(s, b, x);
    }
    if (a->n > 0 && b->n > 0) {
        double *y = a->x + a->lead;
        gos__kernel_times(a->n, b->n, s->coupling, a->lead, b->x, y);
        for (int i = 0; i < a->n; i++) {
            a->x[i] -= y[i];
        }
    }
    if (a->n > 0) {
        solve_block(s, a, x);
    }
}

static gos_status factor_sparse(gos_solver *s, const double *values, int *column) {
    const gos_pattern *a = s->pattern;
    double *x = (double *)(uintptr_t)values; // KLU does not modify them, but lacks const
    if (s->numeric && klu_refactor(a->p, a->i, x, s->symbolic, s->numeric, &s->common) &&
        s->common.status == KLU_OK && klu_rcond(s->symbolic, s->numeric, &s->common) &&
        s->common.rcond > MIN_PIVOT_RATIO) {
        s->kept = true;
        return GOS_OK;
    }
    s->kept = false;
    klu_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_factor(a->p, a->i, x, s->symbolic, &s->common);
    if (s->numeric && s->common.status == KLU_OK &&
        klu_rgrowth(a->p, a->i, x, s->symbolic, s->numeric, &s->common) &&
        s->common.rgrowth < MIN_PIVOT_GROWTH) { // the preference for diagonal pivots failed
        const double preference = s->common.tol;
        klu_free_numeric(&s->numeric, &s->common);
        s->common.tol = 1;
        s->numeric = klu_factor(a->p, a->i, x, s->symbolic, &s->common);
        s->common.tol = preference;
    }
    if (s->numeric && s->common.status == KLU_OK) {
        return GOS_OK;
    }
    if (s->common.status == KLU_OUT_OF_MEMORY) {
        return gos__fail(s->ctx, GOS_E_MEMORY, "out of memory while factorising %d unknowns", a->n);
    }
    if (column) {
        *column = s->common.singular_col;
    }
    klu_free_numeric(&s->numeric, &s->common);
    return GOS_E_SINGULAR;
}

static bool find_largest(const gos_pattern *a, const double *values, double *max) {
    bool finite = true;
    memset(max, 0, a->n * sizeof *max);
    for (int j = 0; j < a->n; j++) {
        double column = max[j];
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            const double x = fabs(values[k]);
            column = x > column ? x : column;
            max[a->i[k]] = x > max[a->i[k]] ? x : max[a->i[k]];
            finite = finite && x <= DBL_MAX;
        }
        max[j] = column > max[j] ? column : max[j];
    }
    return finite;
}

/* Equal to the transpose except for rounding? Columns ascend, so each is read once. */
static bool is_symmetric(const gos_pattern *a, const double *values, struct large *l) {
    if (!find_largest(a, values, l->max)) {
        return false;
    }
    memcpy(l->next, a->p, a->n * sizeof *l->next);
    for (int j = 0; j < a->n; j++) {
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            const int i = a->i[k];
            int *next = &l->next[i];
            while (*next < a->p[i + 1] && a->i[*next] < j) {
                (*next)++;
            }
            const bool exists = *next < a->p[i + 1] && a->i[*next] == j;
            const double odd = fabs(values[k] - (exists ? values[*next] : 0));
            if (odd > 0 && odd > MAX_ASYMMETRY * fmin(l->max[i], l->max[j])) {
                return false;
            }
        }
    }
    return true;
}

static gos_status factor_large(gos_solver *s, const double *values) {
    struct large *l = &s->large;
    l->symmetric = is_symmetric(s->pattern, values, l);
    void **to = l->symmetric ? &l->half : &l->whole, **other = l->symmetric ? &l->whole : &l->half;
    if (*other) {
        gos__symmetric_mumps.destroy(*other); // two sets of factors may exceed the memory
        *other = NULL;
    }
    if (!*to) {
        const gos_symmetric_def def = {
            .pattern = s->pattern, .ncomp = 3, .nlast = l->nlast, .general = !l->symmetric};
        GOS_TRY(gos__symmetric_mumps.create(s->ctx, &def, &l->info, to));
    }
    return gos__symmetric_mumps.factor(*to, values, true, l->symmetric ? &l->negative : NULL);
}

gos_status gos__solver_factor(gos_solver *s, const double *values, int *column) {
    if (column) {
        *column = -1;
    }
    if (s->pattern->n == 0) {
        return GOS_OK;
    }
    if (s->large.used) {
        return factor_large(s, values);
    }
    return s->pattern->dense ? factor_dense(s, values, column) : factor_sparse(s, values, column);
}

bool gos__solver_kept_pivots(const gos_solver *s) {
    return s->kept;
}

long gos__solver_entries(const gos_solver *s) {
    const long n = s->pattern->n;
    return s->large.used       ? (long)s->large.info.entries
           : s->pattern->dense ? n * n
           : s->numeric        ? (long)s->numeric->lnz + s->numeric->unz
                               : 0;
}

bool gos__solver_is_large(const gos_solver *s) {
    return s->large.used;
}

bool gos__solver_is_symmetric(const gos_solver *s) {
    return s->large.used && s->large.symmetric;
}

static bool is_all(const bool *of, int n) {
    int i = 0;
    while (i < n && of[i]) {
        i++;
    }
    return i == n;
}

bool gos__solver_negative(const gos_solver *s, const bool *of, int *negative) {
    if (gos__solver_is_symmetric(s) && is_all(of, s->pattern->n)) {
        *negative = s->large.negative;
        return true;
    }
    *negative = 0;
    if (!s->numeric || s->symbolic->nblocks != 1) {
        return false;
    }
    const double *pivot = s->numeric->Udiag; // rows are scaled by positive numbers
    for (int k = 0; k < s->pattern->n; k++) {
        const int column = s->symbolic->Q[k];
        if (s->numeric->Pnum[k] != column) {
            return false;
        }
        *negative += of[column] && pivot[k] < 0;
    }
    return true;
}

/* +1: even permutation; 0: out of memory. */
static int parity(gos_ctx *ctx, int n, const int *order) {
    bool *visited = gos__zalloc(ctx, n + 1L, sizeof *visited);
    int sign = visited ? 1 : 0;
    for (int i = 0; visited && i < n; i++) {
        for (int k = order[i]; !visited[i] && k != i; k = order[k]) {
            visited[k] = true;
            sign = -sign;
        }
    }
    gos__free(ctx, visited);
    return sign;
}

static int sign_dense(const gos_solver *s) {
    int sign = s->inverted ? 0 : 1;
    for (int b = 0; b < 2; b++) {
        const struct block *m = &s->block[b];
        for (long k = 0; k < m->n; k++) {
            sign = m->lu[k * m->lead + k] < 0 ? -sign : sign;
            sign = m->pivot[k] != k + 1 ? -sign : sign;
        }
    }
    return sign;
}

int gos__solver_sign(const gos_solver *s) {
    const struct large *l = &s->large;
    if (l->used) {
        return !l->symmetric ? gos__mumps_sign(l->whole) : l->negative % 2 ? -1 : 1;
    }
    if (s->pattern->dense || !s->numeric) {
        return s->pattern->dense ? sign_dense(s) : 0;
    }
    const double *pivot = s->numeric->Udiag;
    int sign = parity(s->ctx, s->pattern->n, s->symbolic->Q) *
               parity(s->ctx, s->pattern->n, s->numeric->Pnum);
    for (int k = 0; k < s->pattern->n; k++) {
        sign = pivot[k] < 0 ? -sign : sign;
    }
    return sign;
}

void gos__solver_repivot(gos_solver *s) {
    klu_free_numeric(&s->numeric, &s->common);
}

void gos__solver_solve(gos_solver *s, double *x) {
    gos__solver_solve_columns(s, 1, x);
}

void gos__solver_solve_columns(gos_solver *s, int nrhs, double *x) {
    const int n = s->pattern->n;
    if (n == 0) {
        return;
    }
    const struct large *l = &s->large;
    if (l->used) {
        void *factors = l->symmetric ? l->half : l->whole;
        if (gos__symmetric_mumps.solve(factors, nrhs, x) != GOS_OK) {
            x[0] = (double)NAN; // out of memory: the iteration detects the failure
        }
    } else if (s->pattern->dense) {
        for (long k = 0; k < nrhs; k++) {
            solve_dense(s, x + k * n);
        }
    } else {
        klu_solve(s->symbolic, s->numeric, n, nrhs, x, &s->common);
    }
}
