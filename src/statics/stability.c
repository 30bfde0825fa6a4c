/* Inertia of the stiffness K on C dx = 0. [K C^T; C 0] with m independent constraints has m more
   negative eigenvalues than K on them (Sylvester; Gould, Math. Programming 32 (1985)). Counted from
   the signs of Newton's pivots if these are diagonal, else by MUMPS (LDL^T with pivots of order 1
   and 2) or, if dense, LAPACK's Bunch-Kaufman. Temperatures are frozen: their response is slow. */
#include "statics/stability.h"

#include <lapacke.h>
#include <math.h>

#include "linalg/eigen.h"
#include "linalg/symmetric.h"

#define CHEAP_UNKNOWNS 3000 // unknowns up to which an extra factorisation is cheap
#define MAX_ASYMMETRY 1e-9  // negligible asymmetry, relative to row and column

struct gos_stability {
    gos_ctx *ctx;
    const gos_system *s;
    int n;        // unknowns of motion and constraints
    bool *of;     // those among all unknowns (s->n)
    gos_sparse A; // their block, symmetrised; x: values
    // Newton matrix positions of entry and transpose, -1: none (A.nnz)
    int *here, *across;
    double *max;         // largest entry per row and column (n)
    gos_symmetric *ldl;  // MUMPS, created on first use
    gos_pattern pattern; // of A
    int *pivot;          // dense (n)
    double *work;        // dense (n, 64)
    double *x;           // (GOS_STABILITY_MODES, nq)
};

static int place(const gos_system *s, int i) {
    const int c = i - s->nq - s->nt;
    return i < s->nq ? i : c >= 0 && c < s->nc ? s->nq + c : -1;
}

/* triplets with value position + 1, each with its transpose of value 0 */
typedef struct entries {
    int n, *i, *j;
    double *here, *across;
} entries;

static void take(entries *e, int i, int j, double position) {
    e->i[e->n] = i;
    e->j[e->n] = j;
    e->here[e->n] = position;
    e->across[e->n++] = 0;
    e->i[e->n] = j;
    e->j[e->n] = i;
    e->here[e->n] = 0;
    e->across[e->n++] = position;
}

static void collect(const gos_system *s, entries *e) {
    const gos_pattern *a = &s->pattern;
    for (int j = 0; j < a->n; j++) {
        const int from = a->dense ? 0 : a->p[j], to = a->dense ? a->n : a->p[j + 1];
        for (int k = from; k < to; k++) {
            const int row = a->dense ? k : a->i[k];
            const double at = a->dense ? (double)j * a->n + k : k;
            if (place(s, row) >= 0 && place(s, j) >= 0) {
                take(e, place(s, row), place(s, j), at + 1);
            }
        }
    }
}

static gos_status make_positions(gos_stability *st, const double *here, const double *across) {
    const size_t n = st->A.nnz + 1L;
    st->here = gos__alloc(st->ctx, n, sizeof *st->here);
    st->across = gos__alloc(st->ctx, n, sizeof *st->across);
    for (int k = 0; k < st->A.nnz && st->here && st->across; k++) {
        st->here[k] = (int)here[k] - 1;
        st->across[k] = (int)across[k] - 1;
    }
    return st->here && st->across ? GOS_OK : GOS_E_MEMORY;
}

static gos_status make_pattern(gos_stability *st) {
    const gos_system *s = st->s;
    const size_t room = 2L * s->pattern.nnz + 1;
    entries e = {.i = gos__alloc(st->ctx, room, sizeof *e.i),
                 .j = gos__alloc(st->ctx, room, sizeof *e.j),
                 .here = gos__alloc(st->ctx, room, sizeof *e.here),
                 .across = gos__alloc(st->ctx, room, sizeof *e.across)};
    gos_sparse B = {0};
    gos_status status = e.i && e.j && e.here && e.across ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        collect(s, &e);
        status = gos__sparse_from_triplets(st->ctx, st->n, st->n, e.n, e.i, e.j, e.here, &st->A);
    }
    if (status == GOS_OK) {
        gos__sparse_merge(&st->A);
        status = gos__sparse_from_triplets(st->ctx, st->n, st->n, e.n, e.i, e.j, e.across, &B);
    }
    if (status == GOS_OK) {
        gos__sparse_merge(&B);
        status = make_positions(st, st->A.x, B.x);
        st->pattern = (gos_pattern){.n = st->n, .nnz = st->A.nnz, .p = st->A.p, .i = st->A.i};
    }
    gos__sparse_free(st->ctx, &B);
    gos__free(st->ctx, e.i);
    gos__free(st->ctx, e.j);
    gos__free(st->ctx, e.here);
    gos__free(st->ctx, e.across);
    return status;
}

gos_status gos__stability_create(gos_ctx *ctx, const gos_system *sys, gos_stability **st) {
    gos_stability *k = gos__zalloc(ctx, 1, sizeof *k);
    if (!k) {
        return GOS_E_MEMORY;
    }
    *k = (gos_stability){.ctx = ctx, .s = sys, .n = sys->nq + sys->nc};
    k->of = gos__alloc(ctx, (size_t)sys->n + 1, sizeof *k->of);
    k->max = gos__alloc(ctx, (size_t)k->n + 1, sizeof *k->max);
    if (!k->of || !k->max) {
        gos__stability_destroy(k);
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < sys->n; i++) {
        k->of[i] = place(sys, i) >= 0;
    }
    *st = k;
    return GOS_OK;
}

void gos__stability_destroy(gos_stability *st) {
    if (st) {
        gos__symmetric_destroy(st->ldl);
        gos__sparse_free(st->ctx, &st->A);
        gos__free(st->ctx, st->of);
        gos__free(st->ctx, st->here);
        gos__free(st->ctx, st->across);
        gos__free(st->ctx, st->max);
        gos__free(st->ctx, st->pivot);
        gos__free(st->ctx, st->work);
        gos__free(st->ctx, st->x);
        gos__free(st->ctx, st);
    }
}

/* Fills A. *symmetric: are the values symmetric? */
static gos_status take_values(gos_stability *st, const double *values, bool *symmetric) {
    gos_sparse *A = &st->A;
    GOS_TRY(st->here ? GOS_OK : make_pattern(st));
    memset(st->max, 0, st->n * sizeof *st->max);
    for (int j = 0; j < st->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            A->x[k] = st->here[k] >= 0 ? values[st->here[k]] : 0;
            st->max[j] = fmax(st->max[j], fabs(A->x[k]));
            st->max[A->i[k]] = fmax(st->max[A->i[k]], fabs(A->x[k]));
        }
    }
    *symmetric = true;
    for (int j = 0; j < st->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            const double other = st->across[k] >= 0 ? values[st->across[k]] : 0;
            const double min = fmin(st->max[j], st->max[A->i[k]]);
            *symmetric = *symmetric && fabs(A->x[k] - other) <= MAX_ASYMMETRY * min;
            A->x[k] = 0.5 * (A->x[k] + other);
        }
    }
    return GOS_OK;
}

/* Did the solver factorise a symmetric matrix and count its negative pivots? */
static bool is_counted(const gos_stability *st, const gos_solver *solver, int *negative) {
    return solver && gos__solver_is_symmetric(solver) &&
           gos__solver_negative(solver, st->of, negative);
}

/* blocks of LAPACK's factorisation; order 2 has one eigenvalue of each sign */
static int count_blocks(const gos_stability *st, const double *F) {
    int negative = 0;
    for (long k = 0; k < st->n; k++) {
        if (st->pivot[k] > 0) {
            negative += F[k * (size_t)st->n + k] < 0;
        } else {
            negative++;
            k++;
        }
    }
    return negative;
}

static gos_status count_dense(gos_stability *st, int *negative) {
    const size_t n = st->n;
    if (!st->pivot) {
        st->pivot = gos__alloc(st->ctx, n + 1, sizeof *st->pivot);
        st->work = gos__alloc(st->ctx, (n + 64) * n + 1, sizeof *st->work);
    }
    if (!st->pivot || !st->work) {
        return GOS_E_MEMORY;
    }
    double *F = st->work + 64 * n;
    memset(F, 0, n * n * sizeof *F);
    for (long j = 0; j < st->n; j++) {
        for (int k = st->A.p[j]; k < st->A.p[j + 1]; k++) {
            F[j * n + st->A.i[k]] = st->A.x[k];
        }
    }
    const int info = LAPACKE_dsytrf_work(LAPACK_COL_MAJOR, 'L', st->n, F, st->n, st->pivot,
                                         st->work, 64 * st->n);
    *negative = count_blocks(st, F);
    return info == 0 ? GOS_OK : GOS_E_SINGULAR;
}

static gos_status count_sparse(gos_stability *st, int *negative) {
    if (!st->ldl) {
        const gos_symmetric_def def = {
            .pattern = &st->pattern, .ncomp = st->s->constants ? 1 : 3, .nlast = st->s->nc};
        GOS_TRY(gos__symmetric_create(st->ctx, &def, &gos__symmetric_mumps, &st->ldl));
    }
    return gos__symmetric_factor(st->ldl, st->A.x, false, negative);
}

gos_status gos__stability_count(gos_stability *st, const gos_work *w, const gos_solver *solver,
                                gos_signs *signs) {
    const gos_system *s = st->s;
    *signs = (gos_signs){.symmetric = true};
    if (s->nq == 0) {
        return GOS_OK;
    }
    int negative = 0;
    if (is_counted(st, solver, &negative)) {
        signs->negative = negative - s->nc;
        return GOS_OK;
    }
    GOS_TRY(take_values(st, w->values, &signs->symmetric));
    if (!signs->symmetric || !solver || !gos__solver_negative(solver, st->of, &negative)) {
        GOS_TRY(s->pattern.dense ? count_dense(st, &negative) : count_sparse(st, &negative));
    }
    signs->negative = negative - s->nc;
    if (!signs->symmetric && solver) {
        const int expected_sign = (s->nc + s->nh) % 2 ? -1 : 1;
        signs->odd = gos__solver_sign(solver) == -expected_sign;
    }
    return GOS_OK;
}

gos_status gos__stability_begin(gos_stability *st, const gos_work *w, const gos_solver *solver,
                                int neutral, bool *unstable) {
    const gos_system *s = st->s;
    int negative = 0;
    *unstable = false;
    if (s->nq == 0) {
        return GOS_OK;
    }
    bool symmetric;
    if (is_counted(st, solver, &negative)) {
        *unstable = negative - s->nc > neutral;
        return GOS_OK;
    }
    GOS_TRY(take_values(st, w->values, &symmetric));
    if (!symmetric) {
        *unstable = gos__solver_sign(solver) == ((s->nc + s->nh) % 2 ? 1 : -1);
        return GOS_OK;
    }
    if (!gos__solver_negative(solver, st->of, &negative)) {
        if (st->n > CHEAP_UNKNOWNS) {
            return GOS_OK;
        }
        const gos_status status =
            s->pattern.dense ? count_dense(st, &negative) : count_sparse(st, &negative);
        GOS_TRY(status == GOS_E_SINGULAR ? GOS_OK : status);
        negative = status == GOS_OK ? negative : s->nc;
    }
    *unstable = negative - s->nc > neutral;
    return GOS_OK;
}

static gos_status lowest(gos_stability *st, gos_ctx *quiet, gos_sparse *M, int max,
                         gos_unstable *u) {
    const gos_system *s = st->s;
    gos_sparse K = {0}, C = {0};
    int found = 0;
    gos_status status = gos__sparse_block(quiet, &st->pattern, st->A.x, 0, s->nq, 0, s->nq, &K);
    status = status == GOS_OK
                 ? gos__sparse_block(quiet, &st->pattern, st->A.x, s->nq, s->nc, 0, s->nq, &C)
                 : status;
    if (status == GOS_OK) {
        const gos_pencil p = {.K = &K, .M = M, .C = &C, .ncomp = s->constants ? 1 : 3};
        status = gos__eigen_lowest(quiet, &p, max, u->lambda, st->x, &found);
    }
    u->x = st->x;
    u->n = status == GOS_OK ? found : 0;
    gos__sparse_free(quiet, &K);
    gos__sparse_free(quiet, &C);
    return status;
}

gos_status gos__stability_directions(gos_stability *st, gos_work *w, const gos_point_of *x, int max,
                                     gos_unstable *u) {
    const gos_system *s = st->s;
    *u = (gos_unstable){0};
    max = max < GOS_STABILITY_MODES ? max : GOS_STABILITY_MODES;
    if (!st->x) {
        st->x = gos__alloc(st->ctx, GOS_STABILITY_MODES * (size_t)s->nq + 1, sizeof *st->x);
    }
    gos_ctx *quiet = st->x ? gos__ctx_quiet(st->ctx) : NULL;
    if (!quiet) {
        return GOS_E_MEMORY;
    }
    gos_sparse M = {0};
    bool symmetric;
    gos__jacobian(w, x, &(gos_newton_factors){.m = 1});
    gos_status status = gos__sparse_block(quiet, &s->pattern, w->values, 0, s->nq, 0, s->nq, &M);
    gos__jacobian(w, x, &(gos_newton_factors){.k = 1, .ck = 1, .lam = 1, .lamT = 1});
    status = status == GOS_OK ? take_values(st, w->values, &symmetric) : status;
    status = status == GOS_OK ? lowest(st, quiet, &M, max, u) : status;
    gos__sparse_free(quiet, &M);
    gos_ctx_destroy(quiet);
    return status;
}
