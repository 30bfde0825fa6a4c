/* e^A = (e^(A / 2^s))^(2^s) with the diagonal Pade approximant of degree 13, whose backward error
 * is below rounding for a 1-norm up to 5.37. Higham, SIAM J. Matrix Anal. Appl. 26 (2005). Linear
 * systems with constant and linear loads are integrated exactly by adding time and 1 to the state
 * (theory 4.6). */
#include "linalg/expm.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#define NORM 5.371920351148152 // of A / 2^s
#define MAX_SQUARINGS 60

static const double pade[14] = {64764752532480000,
                                32382376266240000,
                                7771770303897600,
                                1187353796428800,
                                129060195264000,
                                10559470521600,
                                670442572800,
                                33522128640,
                                1323241920,
                                40840800,
                                960960,
                                16380,
                                182,
                                1};

size_t gos__expm_work(int n) {
    return 6L * n * n + 1;
}

static double norm1(int n, const double *A) {
    double max = 0;
    for (long j = 0; j < n; j++) {
        const double sum = cblas_dasum(n, A + j * n, 1);
        max = sum <= max ? max : sum; // keeps NaN
    }
    return max;
}

static void multiply(int n, const double *A, const double *B, double *C) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, A, n, B, n, 0, C, n);
}

/* Y = c0 I + c2 A2 + c4 A4 + c6 A6 */
static void combine(long n, const double c[4], const double *A2, const double *A4, const double *A6,
                    double *Y) {
    const size_t nn = n * n;
    for (size_t i = 0; i < nn; i++) {
        Y[i] = c[1] * A2[i] + c[2] * A4[i] + c[3] * A6[i];
    }
    for (long i = 0; i < n; i++) {
        Y[i * (n + 1)] += c[0];
    }
}

gos_status gos__expm(int n, double *A, double *work, int *pivot) {
    const size_t nn = (size_t)n * n;
    double *A2 = work, *A4 = A2 + nn, *A6 = A4 + nn, *P = A6 + nn, *Q = P + nn, *R = Q + nn;
    const double norm = n > 0 ? norm1(n, A) : 0;
    if (!isfinite(norm)) {
        return GOS_RETRY;
    }
    int s = 0;
    (void)frexp(norm / NORM, &s);
    s = s > 0 ? s : 0;
    if (s > MAX_SQUARINGS) {
        return GOS_RETRY;
    }
    cblas_dscal((int)nn, ldexp(1, -s), A, 1);
    multiply(n, A, A, A2);
    multiply(n, A2, A2, A4);
    multiply(n, A2, A4, A6);
    /* odd part: A (A6 (b13 A6 + b11 A4 + b9 A2) + b7 A6 + b5 A4 + b3 A2 + b1 I) into P */
    combine(n, (double[4]){0, pade[9], pade[11], pade[13]}, A2, A4, A6, Q);
    combine(n, (double[4]){pade[1], pade[3], pade[5], pade[7]}, A2, A4, A6, R);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, A6, n, Q, n, 1, R, n);
    multiply(n, A, R, P);
    /* even part: A6 (b12 A6 + b10 A4 + b8 A2) + b6 A6 + b4 A4 + b2 A2 + b0 I into R */
    combine(n, (double[4]){0, pade[8], pade[10], pade[12]}, A2, A4, A6, Q);
    combine(n, (double[4]){pade[0], pade[2], pade[4], pade[6]}, A2, A4, A6, R);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, A6, n, Q, n, 1, R, n);
    for (size_t i = 0; i < nn; i++) {
        A[i] = R[i] + P[i];
        Q[i] = R[i] - P[i];
    }
    if (n > 0 && (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, Q, n, pivot) != 0 ||
                  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, n, Q, n, pivot, A, n) != 0)) {
        return GOS_RETRY;
    }
    for (int k = 0; k < s; k++) {
        multiply(n, A, A, P);
        memcpy(A, P, nn * sizeof *A);
    }
    return GOS_OK;
}
