/* Weighted sums over consecutive vectors, eight at a time: 24 components in three registers. */
#include "base/kernel.h"
#include "parts/marker.h"

typedef double numbers __attribute__((vector_size(64), aligned(8), may_alias)); // unaligned access

GOS_INLINE bool in_a_row(int n, const int *idx) {
    int off = 0;
    for (int j = 0; j < n; j++) {
        off |= idx[j] - idx[0] - j;
    }
    return off == 0;
}

GOS_KERNEL bool gos__kernel_marker(const gos_marker *m, const double *v, double x[3]) {
    const int n = m->n;
    if (!in_a_row(n, m->idx)) {
        return false;
    }
    const double *e = v + 3L * m->idx[0], *w = m->w;
    gos_v8 a = {0}, b = {0}, c = {0};
    int j = 0;
    for (; j + 8 <= n; j += 8) {
        const numbers *from = (const numbers *)(e + 3L * j);
        const gos_v8 weight = *(const numbers *)(w + j);
        a += __builtin_shufflevector(weight, weight, 0, 0, 0, 1, 1, 1, 2, 2) * from[0];
        b += __builtin_shufflevector(weight, weight, 2, 3, 3, 3, 4, 4, 4, 5) * from[1];
        c += __builtin_shufflevector(weight, weight, 5, 5, 6, 6, 6, 7, 7, 7) * from[2];
    }
    double rest[3] = {0};
    for (; j < n; j++) {
        for (int k = 0; k < 3; k++) {
            rest[k] += w[j] * e[3L * j + k];
        }
    }
    // component k of vector i is entry 3 i + k of the 24
    x[0] = ((a[0] + a[3]) + (a[6] + b[1])) + ((b[4] + b[7]) + (c[2] + c[5])) + rest[0];
    x[1] = ((a[1] + a[4]) + (a[7] + b[2])) + ((b[5] + c[0]) + (c[3] + c[6])) + rest[1];
    x[2] = ((a[2] + a[5]) + (b[0] + b[3])) + ((b[6] + c[1]) + (c[4] + c[7])) + rest[2];
    return true;
}
