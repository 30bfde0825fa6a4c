/* Arithmetic of the block L D L^T. Rows of L are made one after the other ("up-looking"; T. A. Davis, Direct Methods for Sparse
   Linear Systems, 2006, chapter 4): with Y := the part of row k of the matrix, transposed, in each earlier block j in turn

       Y_i -= L_ij Y_j for the rows i of column j up to k,     L_kj = (D_j^-1 Y_j)^T,

   where i = k leaves the pivot D_k. The same product of two blocks all the time; L is read in the order in which it lies. */
#include <math.h>
#include <string.h>

#include "base/kernel.h"
#include "linalg/block_ldl_parts.h"

#define VANISHED 1e-11 // pivot, of what adds up to it, that is rounding
#define GROWN 1e4      // sum of what is taken from a diagonal entry, over it: small pivots before
#define PLAIN                                                                                      \
    1e-2 // pivot, of what adds up to it, that needs no search for another one in its block
#define ALPHA 0.64 // of Bunch and Parlett: pivots of one and of two unknowns grow alike

/* four doubles side by side, wherever they lie */
typedef double v4 __attribute__((vector_size(32), aligned(8), may_alias));
#define AT(x) (*(v4 *)(x))
#define CAT(x) (*(const v4 *)(x))

/* ---- pivots ----------------------------------------------------------------------------------- */

/* inverse of a symmetric block whose diagonal serves as pivots as it stands; false: it does not */
static bool invert_plain(const double d[6], const double scale[3], double inv[GOS_BLOCK],
                         int *negative) {
    const double p0 = d[0], l1 = d[1] / p0, l2 = d[2] / p0;
    const double p1 = d[3] - l1 * d[1], m = d[4] - l1 * d[2], l3 = m / p1;
    const double p2 = d[5] - l2 * d[2] - l3 * m;
    if (!(fabs(p0) > PLAIN * scale[0] && fabs(p1) > PLAIN * scale[1] &&
          fabs(p2) > PLAIN * scale[2])) {
        return false;
    }
    *negative += (p0 < 0) + (p1 < 0) + (p2 < 0);
    const double k = l1 * l3 - l2, i2 = 1 / p2, i1 = 1 / p1;
    inv[8] = i2;
    inv[5] = inv[7] = -l3 * i2;
    inv[2] = inv[6] = k * i2;
    inv[4] = i1 + l3 * l3 * i2;
    inv[1] = inv[3] = -l1 * i1 - k * l3 * i2;
    inv[0] = 1 / p0 + l1 * l1 * i1 + k * k * i2;
    return true;
}

/* Eliminate one unknown a, or two, a and b (then b >= 0), of N, which becomes less its inverse when all have been. */
static void sweep(double N[3][3], int a, int b, double grown[3]) {
    const double det = b < 0 ? N[a][a] : N[a][a] * N[b][b] - N[a][b] * N[a][b];
    const double paa = b < 0 ? 1 / det : N[b][b] / det, pbb = b < 0 ? 0 : N[a][a] / det,
                 pab = b < 0 ? 0 : -N[a][b] / det;
    double t[3][2]; // rows of the others, times the inverse of the pivot
    for (int i = 0; i < 3; i++) {
        const double x = N[i][a], y = b < 0 ? 0 : N[i][b];
        t[i][0] = x * paa + y * pab;
        t[i][1] = x * pab + y * pbb;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3 && i != a && i != b; j++) {
            const double less =
                j == a || j == b ? 0 : t[i][0] * N[a][j] + (b < 0 ? 0 : t[i][1] * N[b][j]);
            N[i][j] -= less;
            grown[i] += i == j ? fabs(less) : 0;
        }
    }
    for (int i = 0; i < 3; i++) {
        if (i != a && i != b) {
            N[i][a] = N[a][i] = t[i][0];
            if (b >= 0) {
                N[i][b] = N[b][i] = t[i][1];
            }
        }
    }
    N[a][a] = -paa;
    if (b >= 0) {
        N[b][b] = -pbb;
        N[a][b] = N[b][a] = -pab;
    }
}

/* the next pivot of N among unknowns that are not yet done: one (*b = -1) or two; false: all of them have vanished */
static bool choose(double N[3][3], const bool done[3], const double grown[3], int *a, int *b) {
    double one = -1, two = -1;
    int at = 0, row = 0, column = 0;
    bool good = false;
    for (int i = 0; i < 3; i++) {
        if (done[i]) {
            continue;
        }
        if (fabs(N[i][i]) > one) {
            one = fabs(N[i][i]);
            at = i;
        }
        good |= fabs(N[i][i]) > VANISHED * grown[i];
        for (int j = i + 1; j < 3; j++) {
            if (!done[j] && fabs(N[i][j]) > two) {
                two = fabs(N[i][j]);
                row = i, column = j;
            }
            good |= !done[j] && fabs(N[i][j]) > VANISHED * sqrt(grown[i] * grown[j]);
        }
    }
    *a = one >= ALPHA * two ? at : row;
    *b = one >= ALPHA * two ? -1 : column;
    return good;
}

/* ... with pivots of one or two unknowns, the largest first (Bunch and Parlett 1971); the unknown where they have vanished, or -1 */
static int invert_searched(const double d[6], const double scale[3], double inv[GOS_BLOCK],
                           int *negative) {
    double s[3], grown[3] = {1, 1, 1}, N[3][3];
    bool done[3] = {false, false, false};
    for (int i = 0; i < 3; i++) {
        s[i] = 1 / sqrt(scale[i]);
    }
    const int of[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            N[i][j] = d[of[i][j]] * s[i] * s[j];
        }
    }
    while (!done[0] || !done[1] || !done[2]) {
        int a, b;
        if (!choose(N, done, grown, &a, &b)) {
            return a;
        }
        *negative += b < 0 ? N[a][a] < 0 : 1;
        sweep(N, a, b, grown);
        done[a] = true;
        if (b >= 0) {
            done[b] = true;
        }
    }
    for (int i = 0; i < GOS_BLOCK; i++) {
        inv[i] = -N[i / 3][i % 3] * s[i / 3] * s[i % 3];
    }
    return -1;
}

/* the pivot of which `taken` was subtracted from the diagonal `before` in absolute terms */
static int invert(const double *pivot, const double before[3], const double taken[3],
                  double inv[GOS_BLOCK], int *negative) {
    const double d[6] = {pivot[0], 0.5 * (pivot[1] + pivot[4]), 0.5 * (pivot[2] + pivot[8]),
                         pivot[5], 0.5 * (pivot[6] + pivot[9]), pivot[10]};
    const double other[3] = {fmax(fabs(d[1]), fabs(d[2])), fmax(fabs(d[1]), fabs(d[4])),
                             fmax(fabs(d[2]), fabs(d[4]))};
    double scale[3];
    for (int c = 0; c < 3; c++) {
        if (before[c] != 0 && !(taken[c] <= GROWN * fabs(before[c]))) {
            return c;
        }
        scale[c] = fabs(before[c]) + taken[c];
        scale[c] = scale[c] > 0 ? scale[c] : other[c]; // nothing of its own
        if (!(scale[c] > 0) || !(scale[c] < HUGE_VAL)) {
            return c;
        }
    }
    return invert_plain(d, scale, inv, negative) ? -1 : invert_searched(d, scale, inv, negative);
}

/* ---- factorisation ---------------------------------------------------------------------------- */

/* L := (D^-1 Y)^T; taken += |L| |Y| of the diagonal */
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

/* work -= L Y for `count` blocks of L, to the blocks `row` of work */
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

/* ---- solution --------------------------------------------------------------------------------- */

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
        v4 s0 = {0}, s1 = {0}, s2 = {0}; // the fourth of each is not used
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
