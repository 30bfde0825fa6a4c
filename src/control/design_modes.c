/* Assigns each mode of a plant to the closed-loop pole with its largest participation. */
#include <lapacke.h>
#include <math.h>

#include "control/design.h"
#include "control/sampled.h"

/* energies of n modes in the eigenvector re + i im, relative to the total */
static void parts(int n, const gos_design_mode *mode, const double *re, const double *im,
                  double *part) {
    double all = 0;
    for (int i = 0; i < n; i++) {
        const double w = mode[i].omega;
        part[i] =
            w * w * (re[i] * re[i] + im[i] * im[i]) + re[n + i] * re[n + i] + im[n + i] * im[n + i];
        all += part[i];
    }
    for (int i = 0; i < n && all > 0; i++) {
        part[i] /= all;
    }
}

gos_status gos__design_follow(gos_ctx *ctx, const gos_plant *closed, int n, double period,
                              gos_design_mode *mode) {
    const lapack_int order = closed->n;
    const size_t N = (size_t)order;
    double *A = gos__zalloc(ctx, 2 * N * N + 3 * N + (size_t)n + 1, sizeof *A);
    if (!A) {
        return GOS_E_MEMORY;
    }
    double *V = A + N * N, *re = V + N * N, *im = re + N, *zero = im + N, *part = zero + N;
    memcpy(A, closed->A, N * N * sizeof *A);
    gos_status status = GOS_OK;
    if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', order, A, order, re, im, NULL, 1, V, order) !=
        0) {
        status = gos__fail(ctx, GOS_E_DIVERGED, "the closed-loop poles could not be computed");
    }
    for (lapack_int k = 0; k < order && status == GOS_OK; k++) {
        if (im[k] < 0) {
            continue; // complex pair
        }
        parts(n, mode, V + (size_t)k * N, im[k] > 0 ? V + (size_t)(k + 1) * N : zero, part);
        gos_root pole = {re[k], im[k]};
        if (period > 0) {
            gos__bilinear_pole(period, &pole.re, &pole.im);
        }
        for (int i = 0; i < n; i++) {
            if (part[i] > mode[i].share) {
                mode[i].share = part[i];
                mode[i].pole = pole;
            }
        }
    }
    gos__free(ctx, A);
    return status;
}
