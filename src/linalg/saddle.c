/* The saddle-point matrix: one pattern to solve with and to count eigenvalues by. With K - s M it
   has as many negative eigenvalues as the constrained pencil has below s, plus one for each
   constraint. Constraints are scaled to the size of K, so that
   pivots of both kinds can be compared. */
#include "linalg/saddle.h"

#include <float.h>
#include <math.h>

struct gos_saddle {
    gos_ctx *ctx;
    int n, nc;
    gos_pattern pattern;
    double *k, *d, *m; // values of K and C, of D (NULL without), of M (pattern.nnz)
    double *values;    // their last sum, P while there are factors to solve with
    double *rhs;       // (pattern.n, GOS_SADDLE_BLOCK)
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

/* the terms of P, and how far each has been read in a column */
typedef struct merge {
    const gos_sparse *A[3]; // K, M, D
    int terms, next[3];
} merge;

static merge merge_column(const gos_pencil *p, int j) {
    return (merge){.A = {p->K, p->M, p->D},
                   .terms = p->D ? 3 : 2,
                   .next = {p->K->p[j], p->M->p[j], p->D ? p->D->p[j] : 0}};
}

/* the next row of column j that any term has, with its values there; INT32_MAX: there is none */
static int merge_next(merge *m, int j, double *value) {
    int row = INT32_MAX;
    for (int t = 0; t < m->terms; t++) {
        const bool left = m->next[t] < m->A[t]->p[j + 1];
        row = left && m->A[t]->i[m->next[t]] < row ? m->A[t]->i[m->next[t]] : row;
    }
    for (int t = 0; t < m->terms && row < INT32_MAX; t++) {
        const bool there = m->next[t] < m->A[t]->p[j + 1] && m->A[t]->i[m->next[t]] == row;
        value[t] = there ? m->A[t]->x[m->next[t]++] : 0;
    }
    return row;
}

/* column j < n: K, D and M merged, then the constraints; returns the end */
static int put_column(gos_saddle *s, const gos_pencil *p, int j, double scale, int at) {
    const gos_sparse *C = p->C;
    merge m = merge_column(p, j);
    double value[3];
    for (int row = merge_next(&m, j, value); row < INT32_MAX; row = merge_next(&m, j, value)) {
        s->k[at] = value[0];
        s->m[at] = value[1];
        if (s->d) {
            s->d[at] = value[2];
        }
        s->pattern.i[at++] = row;
    }
    for (int c = C->p[j]; c < C->p[j + 1]; c++) {
        s->pattern.i[at] = s->n + C->i[c];
        s->k[at++] = scale * C->x[c];
    }
    return at;
}

/* entries of the saddle-point matrix; K and M have nearly the same, so that their sum is twice that */
static size_t count_entries(const gos_pencil *p) {
    size_t nnz = 2L * p->C->nnz;
    double value[3];
    for (int j = 0; j < p->K->n; j++) {
        merge m = merge_column(p, j);
        while (merge_next(&m, j, value) < INT32_MAX) {
            nnz++;
        }
    }
    return nnz;
}

static void fill(gos_saddle *s, const gos_pencil *p, const gos_sparse *CT) {
    const double k = gos__sparse_largest(p->K), c = gos__sparse_largest(p->C);
    const double scale = k > 0 && c > 0 ? k / c : 1;
    int at = 0;
    for (int j = 0; j < s->n; j++) {
        at = put_column(s, p, j, scale, at);
        s->pattern.p[j + 1] = at;
    }
    for (int j = 0; j < s->nc; j++) {
        for (int q = CT->p[j]; q < CT->p[j + 1]; q++) {
            s->pattern.i[at] = CT->i[q];
            s->k[at++] = scale * CT->x[q];
        }
        s->pattern.p[s->n + j + 1] = at;
    }
    s->pattern.nnz = at;
}

/* ---- coordinates without mass and stiffness -------------------------------------------------------- */

static bool on_diagonal(const gos_sparse *A, int j) {
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
        if (A->i[k] == j && A->x[k] != 0) {
            return true;
        }
    }
    return false;
}

/* is there a coordinate that constraints alone hold (an axis of a flat rigid body across it)? */
static bool has_bare(const gos_pencil *p) {
    for (int j = 0; j < p->K->n; j++) {
        if (p->C->p[j + 1] > p->C->p[j] && !on_diagonal(p->K, j) && !on_diagonal(p->M, j)) {
            return true;
        }
    }
    return false;
}

/* A = K + mu C^T C: the same where C x = 0, and the saddle-point matrix keeps its inertia, but no
   coordinate is left without a pivot. mu makes the second term as large as the first. */
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

static gos_status allocate(gos_saddle *s, const gos_pencil *p) {
    const size_t nnz = count_entries(p);
    if (nnz > INT32_MAX) {
        return gos__fail(s->ctx, GOS_E_LIMIT, "the matrix of modes has more than 2^31 entries");
    }
    s->pattern = (gos_pattern){.n = s->n + s->nc};
    s->pattern.p = gos__zalloc(s->ctx, s->pattern.n + 1L, sizeof(int));
    s->pattern.i = gos__alloc(s->ctx, nnz + 1, sizeof(int));
    s->k = gos__zalloc(s->ctx, nnz + 1, sizeof(double));
    s->d = p->D ? gos__zalloc(s->ctx, nnz + 1, sizeof(double)) : NULL;
    s->m = gos__zalloc(s->ctx, nnz + 1, sizeof(double));
    s->values = gos__alloc(s->ctx, nnz + 1, sizeof(double));
    s->rhs = gos__alloc(s->ctx, GOS_SADDLE_BLOCK * (size_t)s->pattern.n + 1, sizeof(double));
    const bool pattern = s->pattern.p && s->pattern.i;
    return pattern && s->k && (s->d || !p->D) && s->m && s->values && s->rhs ? GOS_OK
                                                                             : GOS_E_MEMORY;
}

gos_status gos__saddle_create(gos_ctx *ctx, const gos_pencil *pencil, gos_saddle **saddle) {
    return gos__saddle_create_by(ctx, pencil, NULL, saddle);
}

gos_status gos__saddle_create_by(gos_ctx *ctx, const gos_pencil *pencil,
                                 const gos_symmetric_way *way, gos_saddle **saddle) {
    gos_saddle *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    *s = (gos_saddle){.ctx = ctx, .n = pencil->K->n, .nc = pencil->C->m};
    gos_sparse CT = {0}, K = {0};
    gos_pencil own = *pencil;
    gos_status status = gos__sparse_transpose(ctx, pencil->C, &CT);
    if (status == GOS_OK && has_bare(pencil)) {
        status = augment(ctx, pencil, &CT, &K);
        own.K = &K;
    }
    status = status == GOS_OK ? allocate(s, &own) : status;
    if (status == GOS_OK) {
        fill(s, &own, &CT);
        const gos_symmetric_def def = {
            .pattern = &s->pattern, .ncomp = pencil->ncomp, .nlast = s->nc};
        status = gos__symmetric_create(ctx, &def, way, &s->factors);
    }
    gos__sparse_free(ctx, &CT);
    gos__sparse_free(ctx, &K);
    if (status != GOS_OK) {
        gos__saddle_destroy(s);
        return status;
    }
    *saddle = s;
    return GOS_OK;
}

void gos__saddle_destroy(gos_saddle *s) {
    if (s) {
        gos__symmetric_destroy(s->factors);
        gos__free(s->ctx, s->pattern.p);
        gos__free(s->ctx, s->pattern.i);
        gos__free(s->ctx, s->k);
        gos__free(s->ctx, s->d);
        gos__free(s->ctx, s->m);
        gos__free(s->ctx, s->values);
        gos__free(s->ctx, s->rhs);
        gos__free(s->ctx, s);
    }
}

static void add_up(gos_saddle *s, double d, double m) {
    for (int k = 0; k < s->pattern.nnz; k++) {
        s->values[k] = s->k[k] + m * s->m[k];
    }
    for (int k = 0; k < s->pattern.nnz && s->d && d != 0; k++) {
        s->values[k] += d * s->d[k];
    }
}

gos_status gos__saddle_factor(gos_saddle *s, double d, double m) {
    add_up(s, d, m);
    const gos_status status = gos__symmetric_factor(s->factors, s->values, true, NULL);
    if (status == GOS_E_SINGULAR) {
        return gos__fail(s->ctx, status,
                         "no unique modes: constraints depend on each other in this configuration, "
                         "or a coordinate has neither mass nor stiffness");
    }
    return status;
}

gos_status gos__saddle_solve(gos_saddle *s, int ncol, const double *B, double *X) {
    const size_t n = s->n, N = s->pattern.n;
    for (int done = 0; done < ncol; done += GOS_SADDLE_BLOCK) {
        const int count = ncol - done < GOS_SADDLE_BLOCK ? ncol - done : GOS_SADDLE_BLOCK;
        if (s->nc == 0) { // in place
            double *x = X + done * n;
            memmove(x, B + done * n, count * n * sizeof(double));
            GOS_TRY(gos__symmetric_solve(s->factors, count, x));
            continue;
        }
        for (size_t c = 0; c < (size_t)count; c++) {
            memcpy(s->rhs + c * N, B + (done + c) * n, n * sizeof(double));
            memset(s->rhs + c * N + n, 0, s->nc * sizeof(double));
        }
        GOS_TRY(gos__symmetric_solve(s->factors, count, s->rhs));
        for (size_t c = 0; c < (size_t)count; c++) {
            memcpy(X + (done + c) * n, s->rhs + c * N, n * sizeof(double));
        }
    }
    return GOS_OK;
}

gos_status gos__saddle_project(gos_saddle *s, double *x) {
    memset(s->rhs, 0, s->pattern.n * sizeof(double));
    for (int j = 0; j < s->n; j++) {
        for (int k = s->pattern.p[j]; k < s->pattern.p[j + 1]; k++) {
            s->rhs[s->pattern.i[k]] += s->values[k] * x[j];
        }
    }
    memset(s->rhs + s->n, 0, s->nc * sizeof(double));
    GOS_TRY(gos__symmetric_solve(s->factors, 1, s->rhs));
    memcpy(x, s->rhs, s->n * sizeof(double));
    return GOS_OK;
}

gos_status gos__saddle_shift(gos_saddle *s, double shift, int *below) {
    add_up(s, 0, -shift);
    const gos_status status = gos__symmetric_factor(s->factors, s->values, true, below);
    *below -= s->nc;
    if (status == GOS_E_SINGULAR) { // perhaps only for the one that counts without pivoting
        *below = 0;
        return gos__saddle_factor(s, 0, -shift);
    }
    return status;
}

gos_status gos__saddle_count(gos_saddle *s, double shift, int *below) {
    gos_status status = GOS_E_SINGULAR;
    for (int k = 0; k < 8 && status == GOS_E_SINGULAR; k++) {
        add_up(s, 0, -shift * (1 + k * k * 2e-5));
        status = gos__symmetric_factor(s->factors, s->values, false, below);
    }
    if (status == GOS_E_SINGULAR) {
        return gos__fail(s->ctx, status,
                         "modes cannot be counted: constraints depend on each other "
                         "in this configuration");
    }
    *below -= s->nc;
    return status;
}

const gos_symmetric_info *gos__saddle_info(const gos_saddle *s) {
    return gos__symmetric_info(s->factors);
}
