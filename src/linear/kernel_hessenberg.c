/* Gaussian elimination of i omega E - A, upper Hessenberg, with pivoting between adjacent rows. */
#include <math.h>

#include <stdbool.h>

#include "base/kernel.h"
#include "linear/hessenberg.h"

/* row i of i omega E - A from column i - 1 */
GOS_INLINE void make_row(int i, int row, double omega, const double *E, const double *A, double *re,
                         double *im) {
    const int from = i > 0 ? (i - 1) / 8 * 8 : 0;
    const double *a = A + (size_t)i * row, *e = E + (size_t)i * row;
    for (int j = from; j < row; j++) {
        re[j] = -a[j];
        im[j] = omega * e[j];
    }
}

GOS_INLINE void swap_rows(int from, int n, double *a, double *b) {
    for (int j = from; j < n; j++) {
        const double t = a[j];
        a[j] = b[j];
        b[j] = t;
    }
}

GOS_INLINE void subtract(int from, int n, double mr, double mi, const double *ar, const double *ai,
                         double *br, double *bi) {
    for (int j = from; j < n; j++) {
        br[j] -= mr * ar[j] - mi * ai[j];
        bi[j] -= mr * ai[j] + mi * ar[j];
    }
}

GOS_INLINE double size2(double re, double im) {
    return re * re + im * im;
}

/* sum of u_j x_j for j in [from, row) */
GOS_INLINE void dot(int from, int row, const double *ur, const double *ui, const double *xr,
                    const double *xi, double sum[2]) {
    gos_v8 re = {0}, im = {0};
    const int first = (from + 7) / 8;
    sum[0] = sum[1] = 0;
    for (int j = from; j < 8 * first; j++) {
        sum[0] += ur[j] * xr[j] - ui[j] * xi[j];
        sum[1] += ur[j] * xi[j] + ui[j] * xr[j];
    }
    for (int j = first; j < row / 8; j++) {
        re += GOS_CV8(ur, j) * GOS_CV8(xr, j) - GOS_CV8(ui, j) * GOS_CV8(xi, j);
        im += GOS_CV8(ur, j) * GOS_CV8(xi, j) + GOS_CV8(ui, j) * GOS_CV8(xr, j);
    }
    for (int l = 0; l < 8; l++) {
        sum[0] += re[l];
        sum[1] += im[l];
    }
}

GOS_INLINE void back_substitute(int n, int row, int nu, const double *Ur, const double *Ui,
                                double *Xr, double *Xi) {
    for (int i = n - 1; i >= 0; i--) {
        const double *ur = Ur + (size_t)i * row, *ui = Ui + (size_t)i * row;
        const double d = size2(ur[i], ui[i]), dr = ur[i] / d, di = -ui[i] / d;
        for (long c = 0; c < nu; c++) {
            double *xr = Xr + c * row, *xi = Xi + c * row;
            double sum[2];
            dot(i + 1, row, ur, ui, xr, xi, sum);
            const double re = xr[i] - sum[0], im = xi[i] - sum[1];
            xr[i] = re * dr - im * di;
            xi[i] = re * di + im * dr;
        }
    }
}

GOS_KERNEL double gos__hessenberg_solve(int n, int row, int nu, double omega, const double *E,
                                        const double *A, double *Ur, double *Ui, double *Xr,
                                        double *Xi) {
    double least = HUGE_VAL, most = 0;
    make_row(0, row, omega, E, A, Ur, Ui);
    for (int i = 0; i < n; i++) {
        double *ar = Ur + (size_t)i * row, *ai = Ui + (size_t)i * row;
        double *br = ar + row, *bi = ai + row;
        if (i + 1 < n) {
            make_row(i + 1, row, omega, E, A, br, bi);
            const bool other = size2(br[i], bi[i]) > size2(ar[i], ai[i]);
            if (other) {
                swap_rows(i, row, ar, br);
                swap_rows(i, row, ai, bi);
            }
            const double d = size2(ar[i], ai[i]);
            const double mr = d > 0 ? (br[i] * ar[i] + bi[i] * ai[i]) / d : 0;
            const double mi = d > 0 ? (bi[i] * ar[i] - br[i] * ai[i]) / d : 0;
            subtract(i + 1, row, mr, mi, ar, ai, br, bi);
            for (long c = 0; c < nu; c++) {
                double *xr = Xr + c * row + i, *xi = Xi + c * row + i;
                const double tr = xr[other], ti = xi[other];
                const double ur = xr[!other], ui = xi[!other];
                xr[0] = tr;
                xi[0] = ti;
                xr[1] = ur - (mr * tr - mi * ti);
                xi[1] = ui - (mr * ti + mi * tr);
            }
        }
        const double pivot = size2(ar[i], ai[i]);
        least = pivot < least ? pivot : least;
        most = pivot > most ? pivot : most;
    }
    if (!(least > 0)) {
        return 0;
    }
    back_substitute(n, row, nu, Ur, Ui, Xr, Xi);
    return sqrt(least / most);
}
