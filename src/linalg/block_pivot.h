/* Inversion of 3 x 3 pivots of the block L D L^T, for kernel_block_ldl.c and kernel_super_ldl.c. */
#ifndef GOS_BLOCK_PIVOT_H
#define GOS_BLOCK_PIVOT_H

#include <math.h>

#include "linalg/block_ldl_parts.h"

#define VANISHED 1e-11 // pivot relative to the sum of its terms that counts as zero
// largest sum of subtracted terms over the diagonal entry; more means earlier small pivots
#define MAX_GROWTH 1e4
// pivot relative to the sum of its terms, and reciprocal, that needs no pivot search
#define PLAIN 1e-2
#define ALPHA 0.64 // of Bunch and Parlett: equal growth for pivots of one and two unknowns

/* Inverse of a symmetric block with its diagonal as pivots; false: it needs a pivot search. */
static bool invert_plain(const double d[6], const double scale[3], double inv[GOS_BLOCK],
                         int *negative) {
    const double p0 = d[0], l1 = d[1] / p0, l2 = d[2] / p0;
    const double p1 = d[3] - l1 * d[1], m = d[4] - l1 * d[2], l3 = m / p1;
    const double p2 = d[5] - l2 * d[2] - l3 * m;
    if (!(fabs(p0) > PLAIN * scale[0] && fabs(p1) > PLAIN * scale[1] &&
          fabs(p2) > PLAIN * scale[2] && PLAIN * fabs(p1) < scale[1] &&
          PLAIN * fabs(p2) < scale[2])) {
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

/* Eliminates unknown a, or a and b (b >= 0), of N, which finally holds minus its inverse. */
static void sweep(double N[3][3], int a, int b, double grown[3]) {
    const double det = b < 0 ? N[a][a] : N[a][a] * N[b][b] - N[a][b] * N[a][b];
    const double paa = b < 0 ? 1 / det : N[b][b] / det, pbb = b < 0 ? 0 : N[a][a] / det,
                 pab = b < 0 ? 0 : -N[a][b] / det;
    double t[3][2]; // other rows times the inverse pivot
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

/* Chooses the next pivot of N: one unknown (*b = -1) or two; false: all remaining ones vanish. */
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

/* Inverse with complete pivoting (Bunch and Parlett 1971); returns the unknown of a vanishing
 * pivot, or -1. */
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

/* Inverts the pivot; `taken`: sum of absolute terms subtracted from the diagonal `before`. */
static int invert(const double *pivot, const double before[3], const double taken[3],
                  double inv[GOS_BLOCK], int *negative) {
    const double d[6] = {pivot[0], 0.5 * (pivot[1] + pivot[4]), 0.5 * (pivot[2] + pivot[8]),
                         pivot[5], 0.5 * (pivot[6] + pivot[9]), pivot[10]};
    const double other[3] = {fmax(fabs(d[1]), fabs(d[2])), fmax(fabs(d[1]), fabs(d[4])),
                             fmax(fabs(d[2]), fabs(d[4]))};
    double scale[3];
    for (int c = 0; c < 3; c++) {
        if (before[c] != 0 && !(taken[c] <= MAX_GROWTH * fabs(before[c]))) {
            return c;
        }
        scale[c] = fabs(before[c]) + taken[c];
        scale[c] = scale[c] > 0 ? scale[c] : other[c]; // no diagonal terms
        if (!(scale[c] > 0) || !(scale[c] < HUGE_VAL)) {
            return c;
        }
    }
    return invert_plain(d, scale, inv, negative) ? -1 : invert_searched(d, scale, inv, negative);
}

#endif
