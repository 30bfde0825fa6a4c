#include "linear_reduction/dense_cost.h"

#include <lapacke.h>
#include <stdint.h>

#include "linalg/dense.h"
#include "math/random.h"

#define MEASURED_SIZE 160      // size of the measured problem: some 10 ms
#define MIN_ESTIMATED_SIZE 400 // smaller problems take negligible time

/* pseudo-random entries */
static void scatter(size_t n, double *A) {
    uint64_t x = GOS_XORSHIFT_START;
    for (size_t i = 0; i < n; i++) {
        A[i] = gos__xorshift_unit(&x);
    }
}

/* time for size n, scaling with n^3; minimum of two measurements */
static double forecast(gos_ctx *ctx, int n, bool eigen) {
    const size_t nn = (size_t)MEASURED_SIZE * MEASURED_SIZE;
    if (n < MIN_ESTIMATED_SIZE) {
        return 0;
    }
    double *A = gos__alloc(ctx, 2 * nn + 2 * MEASURED_SIZE, sizeof *A), best = 0;
    lapack_int *pivot = gos__alloc(ctx, MEASURED_SIZE, sizeof *pivot);
    for (int trial = 0; trial < 2 && A && pivot; trial++) {
        double *B = A + nn, *re = B + nn;
        scatter(2 * nn, A);
        const double start = gos__now();
        if (eigen) {
            if (gos__dense_general(ctx, MEASURED_SIZE, A, re, re + MEASURED_SIZE, B) != GOS_OK) {
                break;
            }
        } else if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, MEASURED_SIZE, MEASURED_SIZE, A, MEASURED_SIZE,
                                  pivot) == 0) {
            LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', MEASURED_SIZE, MEASURED_SIZE, A, MEASURED_SIZE,
                           pivot, B, MEASURED_SIZE);
        }
        const double time = gos__now() - start;
        best = trial == 0 || time < best ? time : best;
    }
    gos__free(ctx, A);
    gos__free(ctx, pivot);
    const double ratio = (double)n / MEASURED_SIZE;
    return best * ratio * ratio * ratio;
}

double gos__forecast_eigen(gos_ctx *ctx, int n) {
    return forecast(ctx, n, true);
}

double gos__forecast_solve(gos_ctx *ctx, int n) {
    return forecast(ctx, n, false);
}
