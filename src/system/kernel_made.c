/* Sums over dense forms of floating bodies: what each evaluation of a body on a reduced basis spends its time with. */
#include "system/kernel_made.h"

#include "base/kernel.h"

GOS_INLINE void gradients(int order, const double *S, const double *z, const double *zd, int n,
                          double *restrict g, double *restrict gd) {
    for (int i = 0; i < GOS_FORM_BLOCK; i++) {
        g[i] = gd[i] = 0;
    }
    for (int j = 0; j < order; j++) {
        for (int i = 0; i < n; i++) { // by columns, which are rows
            g[i] += S[(long)j * order + i] * z[j];
            gd[i] += S[(long)j * order + i] * zd[j];
        }
    }
}

GOS_KERNEL void gos__form_gradients(int order, const double *S, int from, const double *z,
                                    const double *zd, double *g, double *gd) {
    double a[GOS_FORM_BLOCK], ad[GOS_FORM_BLOCK];
    if (order - from >= GOS_FORM_BLOCK) {
        gradients(order, S + from, z, zd, GOS_FORM_BLOCK, a, ad);
    } else {
        gradients(order, S + from, z, zd, order - from, a, ad);
    }
    for (int i = 0; i < GOS_FORM_BLOCK; i++) {
        g[i] = a[i];
        gd[i] = ad[i];
    }
}

GOS_KERNEL void gos__made_row(int n, const double *m, const int *at, const double *x, double y[3]) {
    double a[3] = {0, 0, 0}, b[3] = {0, 0, 0};
    int k = 0;
    for (; k + 1 < n; k += 2) {
        const double *one = x + at[k], *two = x + at[k + 1];
        for (int c = 0; c < 3; c++) {
            a[c] += m[k] * one[c];
            b[c] += m[k + 1] * two[c];
        }
    }
    for (; k < n; k++) {
        for (int c = 0; c < 3; c++) {
            a[c] += m[k] * x[at[k] + c];
        }
    }
    for (int c = 0; c < 3; c++) {
        y[c] = a[c] + b[c];
    }
}
