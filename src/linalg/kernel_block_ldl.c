/* Arithmetic of the block L D L^T, row by row ("up-looking"; T. A. Davis, Direct Methods for
 * Sparse Linear Systems, 2006, chapter 4). Y: transposed part of row k of the matrix; for each
 * earlier block j
 *   Y_i -= L_ij Y_j for the rows i of column j up to k,     L_kj = (D_j^-1 Y_j)^T,
 * and i = k leaves the pivot D_k. L is read in storage order. */
#include <math.h>
#include <string.h>

#include "base/kernel.h"
#include "linalg/block_ldl_parts.h"
#include "linalg/block_pivot.h"

/* Unaligned vector of four doubles. */
typedef double v4 __attribute__((vector_size(32), aligned(8), may_alias));
#define AT(x) (*(v4 *)(x))
#define CAT(x) (*(const v4 *)(x))

/* L := (D^-1 Y)^T; taken += diagonal of |L| |Y|. */
GOS_INLINE void divide(const double *inverse, const double *y, double *l, double taken[3]) {
    for (int c = 0; c < 3; c++) {
        double t[3], sum = 0;
        for (int r = 0; r < 3; r++) {
            t[r] = inverse[r] * y[4 * c] + inverse[3 + r] * y[4 * c + 1] +
                   inverse[6 + r] * y[4 * c + 2];
            l[3 * r + c] = t[r];
            sum += fabs(t[r] * y[4 * c + r]);
        }
        taken[c] += sum;
    }
}

/* work -= L Y for `count` blocks of L; row: blocks of work. */
GOS_INLINE void subtract(size_t count, const double *l, const int *row, const double *y,
                         double *work) {
    const double y00 = y[0], y10 = y[1], y20 = y[2], y01 = y[4], y11 = y[5], y21 = y[6], y02 = y[8],
                 y12 = y[9], y22 = y[10];
    for (size_t p = 0; p < count; p++) {
        const double *b = l + GOS_BLOCK * p;
        double *w = work + GOS_BLOCK_WIDE * (size_t)row[p];
        const v4 b0 = CAT(b), b1 = CAT(b + 3), b2 = CAT(b + 6);
        AT(w) -= b0 * y00 + b1 * y10 + b2 * y20;
        AT(w + 4) -= b0 * y01 + b1 * y11 + b2 * y21;
        AT(w + 8) -= b0 * y02 + b1 * y12 + b2 * y22;
    }
}

GOS_KERNEL int gos__kernel_block_factor(gos_block_factor *f, const double *values, int *part) {
    double *const work = f->work;
    memset(work, 0, GOS_BLOCK_WIDE * (size_t)f->n * sizeof *work);
    f->negative = 0;
    for (int k = 0; k < f->n; k++) {
        double *const pivot = work + GOS_BLOCK_WIDE * (size_t)k;
        for (size_t e = f->entry[k]; e < f->entry[k + 1]; e++) {
            work[f->to[e]] += 0.5 * values[f->from[e]];
        }
        for (int c = f->size[k]; c < 3; c++) {
            pivot[5 * c] = 1;
        }
        const double before[3] = {pivot[0], pivot[5], pivot[10]};
        double taken[3] = {0, 0, 0};
        for (size_t e = f->first[k]; e < f->first[k + 1]; e++) {
            const size_t j = (size_t)f->of[e], from = f->column[j], at = f->place[e];
            double y[GOS_BLOCK_WIDE];
            memcpy(y, work + GOS_BLOCK_WIDE * j, sizeof y);
            memset(work + GOS_BLOCK_WIDE * j, 0, sizeof y);
            divide(f->inverse + GOS_BLOCK * j, y, f->l + GOS_BLOCK * at, taken);
            subtract(at + 1 - from, f->l + GOS_BLOCK * from, f->row + from, y, work);
        }
        *part = invert(pivot, before, taken, f->inverse + GOS_BLOCK * (size_t)k, &f->negative);
        if (*part >= 0) {
            return k;
        }
        memset(pivot, 0, GOS_BLOCK_WIDE * sizeof *pivot);
    }
    return -1;
}

GOS_KERNEL void gos__kernel_block_solve(gos_block_factor *f) {
    double *const x = f->x;
    for (int j = 0; j < f->n; j++) {
        double *const y = x + GOS_BLOCK_VECTOR * (size_t)j;
        const double y0 = y[0], y1 = y[1], y2 = y[2];
        for (size_t p = f->column[j]; p < f->column[j + 1]; p++) {
            const double *b = f->l + GOS_BLOCK * p;
            AT(x + GOS_BLOCK_VECTOR * (size_t)f->row[p]) -=
                CAT(b) * y0 + CAT(b + 3) * y1 + CAT(b + 6) * y2;
        }
        const double *d = f->inverse + GOS_BLOCK * (size_t)j;
        for (int r = 0; r < 3; r++) {
            y[r] = d[r] * y0 + d[3 + r] * y1 + d[6 + r] * y2;
        }
    }
    for (int j = f->n - 1; j >= 0; j--) {
        double *const y = x + GOS_BLOCK_VECTOR * (size_t)j;
        v4 s0 = {0}, s1 = {0}, s2 = {0}; // the fourth of each is unused
        for (size_t p = f->column[j]; p < f->column[j + 1]; p++) {
            const double *b = f->l + GOS_BLOCK * p;
            const v4 z = CAT(x + GOS_BLOCK_VECTOR * (size_t)f->row[p]);
            s0 += CAT(b) * z;
            s1 += CAT(b + 3) * z;
            s2 += CAT(b + 6) * z;
        }
        y[0] -= s0[0] + s0[1] + s0[2];
        y[1] -= s1[0] + s1[1] + s1[2];
        y[2] -= s2[0] + s2[1] + s2[2];
    }
}
