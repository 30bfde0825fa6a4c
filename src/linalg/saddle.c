/* The saddle-point matrix, for solution and counting. With K - s M it has as many negative
 * eigenvalues as the constrained pencil has below s, plus one per constraint. Constraints are
 * scaled to K, so that pivots are comparable; in large pencils they are eliminated if possible
 * (eliminate.c). Values are not stored. */
#include "linalg/saddle.h"

#include <float.h>
#include <math.h>

#include "linalg/eliminate.h"
#include "linalg/merge.h"

struct gos_saddle {
    gos_ctx *ctx;
    int n, nc;
    gos_pencil pencil; // matrices borrowed, except ...
    gos_sparse own;    // ... K, if coordinates have neither mass nor stiffness
    double d, m;       // of the last factorisation
    bool eliminated;   // constraints are eliminated, by `less`
    gos_elimination less;
    gos_sparse CT;       // otherwise: C^T
    gos_pattern pattern; // of the whole matrix
    double scale;        // of the constraints
    double *rhs;         // (unknowns, GOS_SADDLE_BLOCK)
    bool mass;           // the mode finder has the mass matrix
    bool strict;         // nearly vanishing pivots count as zero
    gos_symmetric *factors;
};

double gos__pencil_scale(const gos_pencil *p) {
    double scale = 0;
    for (int j = 0; j < p->K->n; j++) {
        double k = 0, m = 0;
        for (int i = p->K->p[j]; i < p->K->p[j + 1]; i++) {
            k = p->K->i[i] == j ? p->K->x[i] : k;
        }
        for (int i = p->M->p[j]; i < p->M->p[j + 1]; i++) {
            m = p->M->i[i] == j ? p->M->x[i] : m;
        }
        scale = m > 0 ? fmax(scale, k / m) : scale;
    }
    return scale;
}

double gos__pencil_rounding(const gos_pencil *p, const double *x, double *squares) {
    const gos_sparse *K = p->K;
    const int ncomp = p->ncomp > 0 ? p->ncomp : 1;
    double sum = 0;
    memset(squares, 0, (K->n / ncomp) * sizeof *squares);
    for (int i = 0; i < K->n; i++) {
        squares[i / ncomp] += x[i] * x[i];
    }
    for (int j = 0; j < K->n; j++) {
        double column = 0;
        for (int k = K->p[j]; k < K->p[j + 1]; k++) {
            column += K->x[k] * K->x[k] * squares[K->i[k] / ncomp];
        }
        sum += column * squares[j / ncomp];
    }
    return DBL_EPSILON * sqrt(sum);
}

/* Column j < n: merged rows of K, D and M, then the constraints; returns the end. */
static int put_column(gos_saddle *s, int j, int at) {
    const gos_sparse *C = s->pencil.C;
    gos_merge m = gos__merge_column(&s->pencil, j);
    for (int row = gos__merge_next(&m, j); row < INT32_MAX; row = gos__merge_next(&m, j)) {
        s->pattern.i[at++] = row;
    }
    for (int c = C->p[j]; c < C->p[j + 1]; c++) {
        s->pattern.i[at++] = s->n + C->i[c];
    }
    return at;
}

/* Number of entries; K and M nearly coincide, so their sum would be twice as large. */
static size_t count_entries(const gos_pencil *p) {
    size_t nnz = 2L * p->C->nnz;
    for (int j = 0; j < p->K->n; j++) {
        gos_merge m = gos__merge_column(p, j);
        while (gos__merge_next(&m, j) < INT32_MAX) {
            nnz++;
        }
    }
    return nnz;
}

static void fill_pattern(gos_saddle *s) {
    const double k = gos__sparse_largest(s->pencil.K), c = gos__sparse_largest(s->pencil.C);
    s->scale = k > 0 && c > 0 ? k / c : 1;
    int at = 0;
    for (int j = 0; j < s->n; j++) {
        at = put_column(s, j, at);
        s->pattern.p[j + 1] = at;
    }
    for (int j = 0; j < s->nc; j++) {
        for (int q = s->CT.p[j]; q < s->CT.p[j + 1]; q++) {
            s->pattern.i[at++] = s->CT.i[q];
        }
        s->pattern.p[s->n + j + 1] = at;
    }
    s->pattern.nnz = at;
}

/* [k K + d D + m M, C^T; C, 0] in pattern order; without constraints if k = 0. */
static void fill_values(const gos_saddle *s, double k, double d, double m, double *values) {
    const gos_pencil *p = &s->pencil;
    const double scale = k != 0 ? s->scale : 0;
    size_t at = 0;
    for (int j = 0; j < s->n; j++) {
        gos_merge merge = gos__merge_column(p, j);
        while (gos__merge_next(&merge, j) < INT32_MAX) {
            values[at++] = k * merge.value[0] + m * merge.value[1] + d * merge.value[2];
        }
        for (int c = p->C->p[j]; c < p->C->p[j + 1]; c++) {
            values[at++] = scale * p->C->x[c];
        }
    }
    for (int q = 0; q < s->CT.nnz; q++) {
        values[at++] = scale * s->CT.x[q];
    }
}

static bool on_diagonal(const gos_sparse *A, int j) {
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
        if (A->i[k] == j && A->x[k] != 0) {
            return true;
        }
    }
    return false;
}

/* Is there a coordinate with neither mass nor stiffness (an axis of a planar rigid body)? */
static bool has_bare(const gos_pencil *p) {
    for (int j = 0; j < p->K->n; j++) {
        if (p->C->p[j + 1] > p->C->p[j] && !on_diagonal(p->K, j) && !on_diagonal(p->M, j)) {
            return true;
        }
    }
    return false;
}

/* A = K + mu C^T C: equal to K where C x = 0, same inertia of the saddle-point matrix, but pivots
 * for all coordinates. mu balances both terms. */
static gos_status augment(gos_ctx *ctx, const gos_pencil *p, const gos_sparse *CT, gos_sparse *A) {
    const double k = gos__sparse_largest(p->K), c = gos__sparse_largest(p->C);
    const double mu = k > 0 && c > 0 ? k / (c * c) : 1;
    size_t nnz = 0;
    for (int r = 0; r < CT->n; r++) {
        const size_t entries = CT->p[r + 1] - CT->p[r];
        nnz += entries * entries;
    }
    if (nnz > INT32_MAX) {
        return gos__fail(ctx, GOS_E_LIMIT, "the constraints have too many coordinates in a row");
    }
    int *i = gos__alloc(ctx, 2 * nnz + 1, sizeof *i), *j = i + nnz, at = 0;
    double *x = gos__alloc(ctx, nnz + 1, sizeof *x);
    gos_sparse CTC = {0};
    gos_status status = i && x ? GOS_OK : GOS_E_MEMORY;
    for (int r = 0; r < CT->n && status == GOS_OK; r++) {
        for (int a = CT->p[r]; a < CT->p[r + 1]; a++) {
            for (int b = CT->p[r]; b < CT->p[r + 1]; b++) {
                i[at] = CT->i[a];
                j[at] = CT->i[b];
                x[at++] = CT->x[a] * CT->x[b];
            }
        }
    }
    const int n = p->K->n;
    status = status == GOS_OK ? gos__sparse_from_triplets(ctx, n, n, at, i, j, x, &CTC) : status;
    if (status == GOS_OK) {
        gos__sparse_merge(&CTC);
    }
    status = status == GOS_OK ? gos__sparse_sum(ctx, 1, p->K, mu, &CTC, A) : status;
    gos__sparse_free(ctx, &CTC);
    gos__free(ctx, i);
    gos__free(ctx, x);
    return status;
}

static gos_status make_pattern(gos_saddle *s) {
    const size_t nnz = count_entries(&s->pencil);
    if (nnz > INT32_MAX) {
        return gos__fail(s->ctx, GOS_E_LIMIT,
                         "the matrix of the modal analysis has more than 2^31 entries");
    }
    s->pattern = (gos_pattern){.n = s->n + s->nc};
    s->pattern.p = gos__zalloc(s->ctx, s->pattern.n + 1L, sizeof(int));
    s->pattern.i = gos__alloc(s->ctx, nnz + 1, sizeof(int));
    GOS_TRY(s->pattern.p && s->pattern.i ? GOS_OK : GOS_E_MEMORY);
    fill_pattern(s);
    return GOS_OK;
}

static gos_status make_whole(gos_saddle *s) {
    GOS_TRY(gos__sparse_transpose(s->ctx, s->pencil.C, &s->CT));
    if (has_bare(&s->pencil)) {
        GOS_TRY(augment(s->ctx, &s->pencil, &s->CT, &s->own));
        s->pencil.K = &s->own;
    }
    return make_pattern(s);
}

static gos_status make_factors(gos_saddle *s, const gos_symmetric_way *way) {
    const gos_pattern *pattern = s->eliminated ? &s->less.pattern : &s->pattern;
    const gos_symmetric_def def = {.pattern = pattern,
                                   .ncomp = s->pencil.ncomp,
                                   .nlast = s->eliminated ? 0 : s->nc,
                                   .lower = s->eliminated,
                                   .strict = s->strict};
    s->rhs = gos__alloc(s->ctx, GOS_SADDLE_BLOCK * (size_t)pattern->n + 1, sizeof *s->rhs);
    GOS_TRY(s->rhs ? GOS_OK : GOS_E_MEMORY);
    return gos__symmetric_create(s->ctx, &def, way, &s->factors);
}

static gos_status create(gos_ctx *ctx, const gos_pencil *pencil, const gos_symmetric_way *way,
                         bool strict, gos_saddle **saddle) {
    gos_saddle *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    *s = (gos_saddle){
        .ctx = ctx, .n = pencil->K->n, .nc = pencil->C->m, .pencil = *pencil, .strict = strict};
    gos_status status = GOS_OK;
    if ((!way || strict) && s->n - s->nc >= GOS_SYMMETRIC_LARGE) {
        status = gos__eliminate(ctx, pencil, &s->less, &s->eliminated);
    }
    status = status == GOS_OK && !s->eliminated ? make_whole(s) : status;
    status = status == GOS_OK ? make_factors(s, way) : status;
    if (status != GOS_OK) {
        gos__saddle_destroy(s);
        return status;
    }
    *saddle = s;
    return GOS_OK;
}

gos_status gos__saddle_create(gos_ctx *ctx, const gos_pencil *pencil, gos_saddle **saddle) {
    return create(ctx, pencil, NULL, false, saddle);
}

gos_status gos__saddle_create_by(gos_ctx *ctx, const gos_pencil *pencil,
                                 const gos_symmetric_way *way, gos_saddle **saddle) {
    return create(ctx, pencil, way, false, saddle);
}

gos_status gos__saddle_create_strict(gos_ctx *ctx, const gos_pencil *pencil, gos_saddle **saddle) {
    return create(ctx, pencil, &gos__symmetric_mumps, true, saddle);
}

void gos__saddle_destroy(gos_saddle *s) {
    if (s) {
        gos__symmetric_destroy(s->factors);
        gos__elimination_free(&s->less);
        gos__free(s->ctx, s->pattern.p);
        gos__free(s->ctx, s->pattern.i);
        gos__sparse_free(s->ctx, &s->CT);
        gos__sparse_free(s->ctx, &s->own);
        gos__free(s->ctx, s->rhs);
        gos__free(s->ctx, s);
    }
}

static gos_status make_values(const gos_saddle *s, double k, double d, double m, double **values) {
    const int nnz = s->eliminated ? s->less.pattern.nnz : s->pattern.nnz;
    *values = gos__alloc(s->ctx, nnz + 1L, sizeof **values);
    if (!*values) {
        return GOS_E_MEMORY;
    }
    if (s->eliminated) {
        gos__elimination_values(&s->less, &s->pencil, k, d, m, *values);
    } else {
        fill_values(s, k, d, m, *values);
    }
    return GOS_OK;
}

/* Factorises K + d D + m M; *negative (may be NULL): negative eigenvalues without those of
 * constraints. */
static gos_status factor(gos_saddle *s, double d, double m, bool solve, int *negative) {
    double *values;
    GOS_TRY(make_values(s, 1, d, m, &values));
    s->d = d;
    s->m = m;
    const gos_status status = gos__symmetric_factor(s->factors, values, solve, negative);
    if (negative) {
        *negative -= s->eliminated ? 0 : s->nc;
    }
    gos__free(s->ctx, values);
    return status;
}

gos_status gos__saddle_try(gos_saddle *s, double d, double m, int *negative) {
    return factor(s, d, m, true, negative);
}

gos_status gos__saddle_factor(gos_saddle *s, double d, double m) {
    const gos_status status = factor(s, d, m, true, NULL);
    if (status == GOS_E_SINGULAR) {
        return gos__fail(s->ctx, status,
                         "the modes are not unique: constraints are redundant in this "
                         "configuration, or a coordinate has neither mass nor stiffness");
    }
    return status;
}

static gos_status solve_block(gos_saddle *s, int ncol, const double *B, double *X) {
    const size_t n = s->n, N = s->eliminated ? s->less.T.n : s->pattern.n;
    for (size_t c = 0; c < (size_t)ncol; c++) {
        if (s->eliminated) {
            gos__sparse_apply_transposed(&s->less.T, B + c * n, s->rhs + c * N);
        } else {
            memcpy(s->rhs + c * N, B + c * n, n * sizeof *B);
            memset(s->rhs + c * N + n, 0, s->nc * sizeof *B);
        }
    }
    GOS_TRY(gos__symmetric_solve(s->factors, ncol, s->rhs));
    for (size_t c = 0; c < (size_t)ncol; c++) {
        if (s->eliminated) {
            gos__sparse_apply(&s->less.T, 1, s->rhs + c * N, X + c * n);
        } else {
            memcpy(X + c * n, s->rhs + c * N, n * sizeof *X);
        }
    }
    return GOS_OK;
}

gos_status gos__saddle_solve(gos_saddle *s, int ncol, const double *B, double *X) {
    const size_t n = s->n;
    for (int done = 0; done < ncol; done += GOS_SADDLE_BLOCK) {
        const int count = ncol - done < GOS_SADDLE_BLOCK ? ncol - done : GOS_SADDLE_BLOCK;
        GOS_TRY(solve_block(s, count, B + done * n, X + done * n));
    }
    return GOS_OK;
}

/* Converts multipliers and right-hand sides between our scale of C and the caller's. */
static void weigh(const gos_saddle *s, double factor, int ncol, double *X) {
    const size_t n = s->n, nc = s->nc;
    for (size_t c = 0; c < (size_t)ncol && factor != 1; c++) {
        for (size_t i = 0; i < nc; i++) {
            X[c * (n + nc) + (n + i)] *= factor;
        }
    }
}

gos_status gos__saddle_solve_augmented(gos_saddle *s, double scale, int ncol, double *X) {
    const size_t n = s->n, nc = s->nc, N = n + nc;
    if (!s->eliminated) {
        weigh(s, s->scale / scale, ncol, X);
        GOS_TRY(gos__symmetric_solve(s->factors, ncol, X));
        weigh(s, s->scale / scale, ncol, X);
        return GOS_OK;
    }
    const size_t free = s->less.T.n;
    for (int from = 0; from < ncol; from += GOS_SADDLE_BLOCK) {
        const int count = ncol - from < GOS_SADDLE_BLOCK ? ncol - from : GOS_SADDLE_BLOCK;
        for (size_t c = 0; c < (size_t)count; c++) {
            gos__sparse_apply_transposed(&s->less.T, X + (from + c) * N, s->rhs + c * free);
        }
        GOS_TRY(gos__symmetric_solve(s->factors, count, s->rhs));
        for (size_t c = 0; c < (size_t)count; c++) {
            double *x = X + (from + c) * N;
            gos__sparse_apply(&s->less.T, 1, s->rhs + c * free, x);
            memset(x + n, 0, nc * sizeof *x);
        }
    }
    return GOS_OK;
}

/* y (n) := P x of the last factorisation. */
static void apply(const gos_saddle *s, const double *x, double *y) {
    const gos_pencil *p = &s->pencil;
    memset(y, 0, s->n * sizeof *y);
    for (int j = 0; j < s->n; j++) {
        gos_merge m = gos__merge_column(p, j);
        for (int i = gos__merge_next(&m, j); x[j] != 0 && i < INT32_MAX;
             i = gos__merge_next(&m, j)) {
            y[i] += (m.value[0] + s->m * m.value[1] + s->d * m.value[2]) * x[j];
        }
    }
}

gos_status gos__saddle_project(gos_saddle *s, double *x) {
    double *Px = gos__alloc(s->ctx, s->n + 1L, sizeof *Px);
    if (!Px) {
        return GOS_E_MEMORY;
    }
    apply(s, x, Px);
    const gos_status status = gos__saddle_solve(s, 1, Px, x);
    gos__free(s->ctx, Px);
    return status;
}

/* A vector that satisfies the constraints, minus its elastic correction. */
static gos_status impose_eliminated(gos_saddle *s, int ncol, const double *c, double *X) {
    const size_t n = s->n, block = GOS_SADDLE_BLOCK;
    double *Y = gos__alloc(s->ctx, block * n + 1, sizeof *Y);
    gos_status status = Y ? GOS_OK : GOS_E_MEMORY;
    for (int from = 0; from < ncol && status == GOS_OK; from += GOS_SADDLE_BLOCK) {
        const int count = ncol - from < GOS_SADDLE_BLOCK ? ncol - from : GOS_SADDLE_BLOCK;
        for (int k = 0; k < count; k++) {
            double *x = X + (from + k) * n;
            gos__elimination_begin(&s->less, c + (size_t)(from + k) * (size_t)s->nc, x);
            apply(s, x, Y + k * n);
        }
        status = solve_block(s, count, Y, Y);
        for (size_t i = 0; i < count * n && status == GOS_OK; i++) {
            X[from * n + i] -= Y[i];
        }
    }
    gos__free(s->ctx, Y);
    return status;
}

gos_status gos__saddle_impose(gos_saddle *s, int ncol, const double *c, double *X) {
    const size_t n = s->n, nc = s->nc;
    if (s->eliminated) {
        return impose_eliminated(s, ncol, c, X);
    }
    for (int k = 0; k < ncol; k++) {
        memset(s->rhs, 0, n * sizeof *s->rhs);
        for (size_t r = 0; r < nc; r++) {
            s->rhs[n + r] = s->scale * c[k * nc + r];
        }
        GOS_TRY(gos__symmetric_solve(s->factors, 1, s->rhs));
        memcpy(X + k * n, s->rhs, n * sizeof *X);
    }
    return GOS_OK;
}

gos_status gos__saddle_shift(gos_saddle *s, double shift, int *below) {
    const gos_status status = factor(s, 0, -shift, true, below);
    if (status == GOS_E_SINGULAR) { // possibly only the count without pivoting has failed
        *below = 0;
        return gos__saddle_factor(s, 0, -shift);
    }
    return status;
}

gos_status gos__saddle_count(gos_saddle *s, double shift, int *below) {
    gos_status status = GOS_E_SINGULAR;
    for (int k = 0; k < 8 && status == GOS_E_SINGULAR; k++) {
        status = factor(s, 0, -shift * (1 + k * k * 2e-5), false, below);
    }
    if (status == GOS_E_SINGULAR) {
        return gos__fail(s->ctx, status,
                         "cannot count modes: constraints are redundant in this configuration");
    }
    return status;
}

bool gos__saddle_finds(const gos_saddle *s) {
    return gos__symmetric_finds(s->factors);
}

static gos_status send_mass(gos_saddle *s) {
    double *values;
    GOS_TRY(make_values(s, 0, 0, 1, &values));
    const gos_status status = gos__symmetric_mass(s->factors, values);
    gos__free(s->ctx, values);
    s->mass = status == GOS_OK;
    return status;
}

/* Converts to and from the unknowns of the factorised matrix. */
gos_status gos__saddle_find(gos_saddle *s, gos_symmetric_search *q) {
    const size_t n = s->n, N = s->eliminated ? s->less.T.n : s->pattern.n;
    const size_t known = q->known, all = known + (size_t)q->requested;
    GOS_TRY(s->mass ? GOS_OK : send_mass(s));
    gos_symmetric_search its = *q;
    its.X = gos__alloc(s->ctx, N * all + 1, sizeof *its.X);
    if (!its.X) {
        return GOS_E_MEMORY;
    }
    for (size_t k = 0; k < known; k++) {
        if (s->eliminated) {
            gos__elimination_free_part(&s->less, q->X + k * n, its.X + k * N);
        } else {
            memcpy(its.X + k * N, q->X + k * n, n * sizeof *q->X);
            memset(its.X + k * N + n, 0, s->nc * sizeof *q->X);
        }
    }
    const gos_status status = gos__symmetric_find(s->factors, &its);
    for (size_t k = known; k < known + (size_t)its.found && status == GOS_OK; k++) {
        if (s->eliminated) {
            gos__sparse_apply(&s->less.T, 1, its.X + k * N, q->X + k * n);
        } else {
            memcpy(q->X + k * n, its.X + k * N, n * sizeof *q->X);
        }
    }
    q->found = its.found;
    q->shift_too_low = its.shift_too_low;
    q->reach = its.reach;
    gos__free(s->ctx, its.X);
    return status;
}

const gos_symmetric_info *gos__saddle_info(const gos_saddle *s) {
    return gos__symmetric_info(s->factors);
}
