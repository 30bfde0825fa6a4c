/* Sparse symmetric matrix times eight vectors, with sums as if in 79 bits (24 digits): a stiffness
 * times a smooth vector cancels nearly all products, and ordinary sums would leave only rounding.
 * High parts are multiplied exactly and summed with error terms; the rest is 2^-26 of a product
 * (Dekker, Numer. Math. 18 (1971) 224; Ogita, Rump, Oishi, SIAM J. Sci. Comput. 26 (2005) 1955).
 * Not a kernel_ file: FMA contraction would destroy error terms. */
#include "base/kernel.h"
#include "linalg/sparse.h"

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

GOS_KERNEL void gos__product_exact(int n, const int *p, const int *row, const double *value,
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
