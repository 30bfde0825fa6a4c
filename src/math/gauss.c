/* Gauss-Legendre quadrature by Newton iteration on Legendre polynomials, and shape functions. */
#include "math/gauss.h"

#include <math.h>
#include <stddef.h>

void gos__legendre(int n, double u, double *P, double *d) {
    P[0] = 1;
    if (d) {
        d[0] = 0;
    }
    if (n < 1) {
        return;
    }
    P[1] = u;
    if (d) {
        d[1] = 1;
    }
    for (int k = 2; k <= n; k++) {
        P[k] = ((2 * k - 1) * u * P[k - 1] - (k - 1) * P[k - 2]) / k;
        if (d) {
            d[k] = d[k - 2] + (2 * k - 1) * P[k - 1];
        }
    }
}

void gos__gauss(int n, double *x, double *w) {
    double P[65], d[65];
    for (int i = 0; i < n; i++) {
        double u = -cos(M_PI * (i + 0.75) / (n + 0.5));
        for (int it = 0; it < 100; it++) {
            gos__legendre(n, u, P, d);
            const double du = P[n] / d[n];
            u -= du;
            if (!(fabs(du) > 1e-16)) {
                break;
            }
        }
        gos__legendre(n, u, P, d);
        x[i] = 0.5 * (1 + u);
        w[i] = 1 / ((1 - u * u) * d[n] * d[n]);
    }
}

void gos__hermite_shapes(double h, double xi, double *s, double *ds, double *dds) {
    const double x2 = xi * xi, x3 = x2 * xi;
    if (s) {
        s[0] = 1 - 3 * x2 + 2 * x3;
        s[1] = h * (xi - 2 * x2 + x3);
        s[2] = 3 * x2 - 2 * x3;
        s[3] = h * (x3 - x2);
    }
    if (ds) {
        ds[0] = (6 * x2 - 6 * xi) / h;
        ds[1] = 1 - 4 * xi + 3 * x2;
        ds[2] = (6 * xi - 6 * x2) / h;
        ds[3] = 3 * x2 - 2 * xi;
    }
    if (dds) {
        dds[0] = (12 * xi - 6) / (h * h);
        dds[1] = (6 * xi - 4) / h;
        dds[2] = (6 - 12 * xi) / (h * h);
        dds[3] = (6 * xi - 2) / h;
    }
}

void gos__lagrange3(double h, double xi, double N[3], double dN[3]) {
    N[0] = (1 - xi) * (1 - 2 * xi);
    N[1] = 4 * xi * (1 - xi);
    N[2] = xi * (2 * xi - 1);
    dN[0] = (4 * xi - 3) / h;
    dN[1] = (4 - 8 * xi) / h;
    dN[2] = (4 * xi - 1) / h;
}
