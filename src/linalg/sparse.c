/* Sparse matrices by columns. Columns are sorted, so sums and transposes are single sweeps. */
#include "linalg/sparse.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "base/kernel.h"

/* Sparse symmetric matrix times eight vectors, with sums as if in 79 bits (24 digits): a stiffness
 * times a smooth vector cancels nearly all products, and ordinary sums would leave only rounding.
 * High parts are multiplied exactly and summed with error terms; the rest is 2^-26 of a product
 * (Dekker, Numer. Math. 18 (1971) 224; Ogita, Rump, Oishi, SIAM J. Sci. Comput. 26 (2005) 1955).
 * Not a kernel_ file: FMA contraction would destroy error terms. */

typedef int64_t words8 __attribute__((vector_size(64), may_alias));

#define HIGH ((int64_t)0xfffffffff8000000) // sign, exponent and 26 bits of a double

static double high_part(double x) {
    union {
        double d;
        int64_t w;
    } u = {.d = x};
    u.w &= HIGH;
    return u.d;
}

/* Y := A X for up to eight columns, with sums of 24 digits. panel (8 n): scratch. */
static GOS_KERNEL void product_exact(int n, const int *p, const int *row, const double *value,
                                     int ncol, const double *X, double *Y, double *panel) {
    const size_t order = n;
    for (size_t i = 0; i < order; i++) {
        for (int c = 0; c < 8; c++) {
            panel[8 * i + c] = c < ncol ? X[c * order + i] : 0;
        }
    }
    for (size_t j = 0; j < order; j++) {
        gos_v8 sum = {0}, rest = {0};
        for (int k = p[j]; k < p[j + 1]; k++) {
            const gos_v8 x = GOS_CV8(panel, row[k]);
            const gos_v8 xh = (gos_v8)((words8)x & HIGH), xl = x - xh;
            const double ah = high_part(value[k]), al = value[k] - ah;
            const gos_v8 big = ah * xh, next = sum + big, back = next - sum; // big is exact
            rest += ((sum - (next - back)) + (big - back)) + (ah * xl + al * xh + al * xl);
            sum = next;
        }
        sum += rest;
        for (int c = 0; c < ncol; c++) {
            Y[c * order + j] = sum[c];
        }
    }
}

gos_status gos__sparse_alloc(gos_ctx *ctx, int m, int n, size_t nnz, gos_sparse *A) {
    *A = (gos_sparse){.m = m, .n = n, .nnz = (int)nnz};
    if (nnz > INT32_MAX) {
        return gos__fail(ctx, GOS_E_LIMIT, "a matrix of order %d has more than 2^31 entries", n);
    }
    A->p = gos__zalloc(ctx, n + 1L, sizeof *A->p);
    A->i = gos__alloc(ctx, nnz + 1, sizeof *A->i);
    A->x = gos__alloc(ctx, nnz + 1, sizeof *A->x);
    if (A->p && A->i && A->x) {
        return GOS_OK;
    }
    gos__sparse_free(ctx, A);
    return GOS_E_MEMORY;
}

void gos__sparse_free(gos_ctx *ctx, gos_sparse *A) {
    gos__free(ctx, A->p);
    gos__free(ctx, A->i);
    gos__free(ctx, A->x);
    *A = (gos_sparse){0};
}

/* Number of entries of the block; also writes them if A has memory. */
static size_t cut(const gos_pattern *pattern, const double *values, int r0, int c0, gos_sparse *A) {
    size_t count = 0;
    for (int j = 0; j < A->n; j++) {
        const size_t stride = pattern->n, column = c0 + j;
        const size_t from = pattern->dense ? column * stride : (size_t)pattern->p[c0 + j];
        const size_t to = pattern->dense ? from + stride : (size_t)pattern->p[c0 + j + 1];
        for (size_t k = from; k < to; k++) {
            const int row = (pattern->dense ? (int)(k - from) : pattern->i[k]) - r0;
            if (row < 0 || row >= A->m || values[k] == 0) {
                continue;
            }
            if (A->p) {
                A->i[count] = row;
                A->x[count] = values[k];
            }
            count++;
        }
        if (A->p) {
            A->p[j + 1] = (int)count;
        }
    }
    return count;
}

gos_status gos__sparse_block(gos_ctx *ctx, const gos_pattern *pattern, const double *values, int r0,
                             int m, int c0, int n, gos_sparse *block) {
    gos_sparse count = {.m = m, .n = n};
    GOS_TRY(gos__sparse_alloc(ctx, m, n, cut(pattern, values, r0, c0, &count), block));
    cut(pattern, values, r0, c0, block);
    return GOS_OK;
}

gos_status gos__sparse_from_triplets(gos_ctx *ctx, int m, int n, int count, const int *i,
                                     const int *j, const double *x, gos_sparse *A) {
    // columns of T are rows of A, unsorted; the transpose sorts
    gos_sparse T;
    GOS_TRY(gos__sparse_alloc(ctx, n, m, count, &T));
    for (int k = 0; k < count; k++) {
        T.p[i[k] + 1]++;
    }
    for (int r = 0; r < m; r++) {
        T.p[r + 1] += T.p[r];
    }
    // p is advanced while filling, then restored
    for (int k = 0; k < count; k++) {
        const int at = T.p[i[k]]++;
        T.i[at] = j[k];
        T.x[at] = x[k];
    }
    for (int r = m; r > 0; r--) {
        T.p[r] = T.p[r - 1];
    }
    T.p[0] = 0;
    const gos_status status = gos__sparse_transpose(ctx, &T, A);
    gos__sparse_free(ctx, &T);
    return status;
}

void gos__sparse_merge(gos_sparse *A) {
    int at = 0, from = 0;
    for (int j = 0; j < A->n; j++) {
        const int to = A->p[j + 1], first = at;
        for (int k = from; k < to; k++) {
            if (at > first && A->i[at - 1] == A->i[k]) {
                A->x[at - 1] += A->x[k];
            } else {
                A->i[at] = A->i[k];
                A->x[at++] = A->x[k];
            }
        }
        from = to;
        A->p[j + 1] = at;
    }
    A->nnz = at;
}

gos_status gos__sparse_from_dense(gos_ctx *ctx, int m, int n, const double *A, gos_sparse *S) {
    size_t nnz = 0;
    for (size_t k = 0; k < (size_t)m * n; k++) {
        nnz += A[k] != 0;
    }
    GOS_TRY(gos__sparse_alloc(ctx, m, n, nnz, S));
    int at = 0;
    for (long j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            const double x = A[j * m + i];
            if (x != 0) {
                S->i[at] = i;
                S->x[at++] = x;
            }
        }
        S->p[j + 1] = at;
    }
    return GOS_OK;
}

gos_status gos__sparse_copy(gos_ctx *ctx, const gos_sparse *A, gos_sparse *copy) {
    GOS_TRY(gos__sparse_alloc(ctx, A->m, A->n, A->nnz, copy));
    memcpy(copy->p, A->p, (A->n + 1L) * sizeof *A->p);
    memcpy(copy->i, A->i, A->nnz * sizeof *A->i);
    memcpy(copy->x, A->x, A->nnz * sizeof *A->x);
    return GOS_OK;
}

gos_status gos__sparse_transpose(gos_ctx *ctx, const gos_sparse *A, gos_sparse *T) {
    GOS_TRY(gos__sparse_alloc(ctx, A->n, A->m, A->nnz, T));
    for (int k = 0; k < A->nnz; k++) {
        T->p[A->i[k] + 1]++;
    }
    for (int i = 0; i < T->n; i++) {
        T->p[i + 1] += T->p[i];
    }
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            const int at = T->p[A->i[k]]++;
            T->i[at] = j;
            T->x[at] = A->x[k];
        }
    }
    for (int i = T->n; i > 0; i--) {
        T->p[i] = T->p[i - 1];
    }
    T->p[0] = 0;
    return GOS_OK;
}

gos_status gos__sparse_sum(gos_ctx *ctx, double a, const gos_sparse *A, double b,
                           const gos_sparse *B, gos_sparse *sum) {
    GOS_TRY(gos__sparse_alloc(ctx, A->m, A->n, (size_t)A->nnz + B->nnz, sum));
    int n = 0;
    for (int j = 0; j < A->n; j++) {
        int ka = A->p[j], kb = B->p[j];
        while (ka < A->p[j + 1] || kb < B->p[j + 1]) {
            const int ra = ka < A->p[j + 1] ? A->i[ka] : INT32_MAX;
            const int rb = kb < B->p[j + 1] ? B->i[kb] : INT32_MAX;
            double x = 0;
            x += ra <= rb ? a * A->x[ka++] : 0;
            x += rb <= ra ? b * B->x[kb++] : 0;
            sum->i[n] = ra < rb ? ra : rb;
            sum->x[n++] = x;
        }
        sum->p[j + 1] = n;
    }
    sum->nnz = n;
    return GOS_OK;
}

gos_status gos__sparse_is_symmetric(gos_ctx *ctx, const gos_sparse *A, bool *symmetric) {
    int *next = gos__alloc(ctx, A->n + 1L, sizeof *next); // next entry of each column
    if (!next) {
        return GOS_E_MEMORY;
    }
    memcpy(next, A->p, A->n * sizeof *next);
    *symmetric = A->m == A->n;
    for (int j = 0; j < A->n && *symmetric; j++) {
        for (int k = A->p[j]; k < A->p[j + 1] && *symmetric; k++) {
            const int at = next[A->i[k]]++; // both indices ascend
            *symmetric = at < A->p[A->i[k] + 1] && A->i[at] == j && A->x[at] == A->x[k];
        }
    }
    gos__free(ctx, next);
    return GOS_OK;
}

gos_status gos__sparse_symmetric_part(gos_ctx *ctx, const gos_sparse *A, gos_sparse *S,
                                      double *asymmetry) {
    gos_sparse T, skew;
    bool symmetric;
    GOS_TRY(gos__sparse_is_symmetric(ctx, A, &symmetric));
    if (symmetric) { // exactly symmetric, the usual case
        if (asymmetry) {
            *asymmetry = 0;
        }
        return gos__sparse_copy(ctx, A, S);
    }
    GOS_TRY(gos__sparse_transpose(ctx, A, &T));
    gos_status status = gos__sparse_sum(ctx, 0.5, A, 0.5, &T, S);
    if (status == GOS_OK && asymmetry) {
        status = gos__sparse_sum(ctx, 1, A, -1, &T, &skew);
        if (status == GOS_OK) {
            const double largest = gos__sparse_largest(A);
            *asymmetry = largest > 0 ? gos__sparse_largest(&skew) / largest : 0;
            gos__sparse_free(ctx, &skew);
        } else {
            gos__sparse_free(ctx, S);
        }
    }
    gos__sparse_free(ctx, &T);
    return status;
}

void gos__sparse_apply(const gos_sparse *A, int ncol, const double *X, double *Y) {
    for (long c = 0; c < ncol; c++) {
        const double *x = X + c * A->n;
        double *y = Y + c * A->m;
        memset(y, 0, A->m * sizeof *y);
        for (int j = 0; j < A->n; j++) {
            const double xj = x[j];
            for (int k = A->p[j]; k < A->p[j + 1] && xj != 0; k++) {
                y[A->i[k]] += A->x[k] * xj;
            }
        }
    }
}

typedef void (*product_fn)(int n, const int *p, const int *row, const double *value, int ncol,
                           const double *X, double *Y, double *panel);

static void apply_panels(product_fn product, const gos_sparse *A, int ncol, const double *X,
                         double *Y, double *panel) {
    enum { WIDTH = 8 };
    assert((uintptr_t)panel % 64 == 0); // vectors of eight are loaded from it
    for (int done = 0; done < ncol; done += WIDTH) {
        const int count = ncol - done < WIDTH ? ncol - done : WIDTH;
        const size_t at = (size_t)done * A->n;
        product(A->n, A->p, A->i, A->x, count, X + at, Y + at, panel);
    }
}

void gos__sparse_apply_symmetric(const gos_sparse *A, int ncol, const double *X, double *Y,
                                 double *panel) {
    apply_panels(gos__kernel_product, A, ncol, X, Y, panel);
}

void gos__sparse_apply_exact(const gos_sparse *A, int ncol, const double *X, double *Y,
                             double *panel) {
    apply_panels(product_exact, A, ncol, X, Y, panel);
}

void gos__sparse_apply_transposed(const gos_sparse *A, const double *x, double *y) {
    for (int j = 0; j < A->n; j++) {
        double sum = 0;
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            sum += A->x[k] * x[A->i[k]];
        }
        y[j] = sum;
    }
}

double gos__sparse_dot(const gos_sparse *A, const gos_sparse *B) {
    double sum = 0;
    for (int j = 0; j < A->n; j++) {
        for (int a = A->p[j], b = B->p[j]; a < A->p[j + 1] && b < B->p[j + 1];) {
            if (A->i[a] == B->i[b]) {
                sum += A->x[a++] * B->x[b++];
            } else if (A->i[a] < B->i[b]) {
                a++;
            } else {
                b++;
            }
        }
    }
    return sum;
}

double gos__sparse_largest(const gos_sparse *A) {
    double largest = 0;
    for (int k = 0; k < A->nnz; k++) {
        largest = fmax(largest, fabs(A->x[k]));
    }
    return largest;
}
