/* Absorption of what a sphere radiates evenly at GOS_LANES points: that of light of one direction (kernel_flux.c) with rounded functions
   in the place of |c2|, |c3| and sqrt(c2^2 + c3^2) (math/sphere.h). */
#include "math/sphere.h"

#include <math.h>

#include "heat/heat.h"

/* the five functions and, by c2 and c3, their derivatives */
static void functions(double u, double c2, double c3, double g[GOS_FLUX_SHAPES],
                      double d[2][GOS_FLUX_SHAPES]) {
    const double p = hypot(c2, c3);
    double dp;
    memset(d, 0, 2 * sizeof *d);
    g[0] = c2;
    g[1] = c3;
    g[2] = gos__sphere_even(c2, u, &d[0][2]);
    g[3] = gos__sphere_even(c3, u, &d[1][3]);
    g[4] = gos__sphere_around(p, u, &dp);
    d[0][0] = d[1][1] = 1.0;
    d[0][4] = p > 0.0 ? dp * c2 / p : 0.0;
    d[1][4] = p > 0.0 ? dp * c3 / p : 0.0;
}

void gos__sphere_flux(const gos_flux_weights *f, int nfam, double u, double q, const double *c,
                      double *heat) {
    double g[GOS_FLUX_SHAPES], d[2][GOS_FLUX_SHAPES];
    for (int l = 0; l < GOS_LANES; l++) {
        functions(u, c[l], c[GOS_LANES + l], g, d);
        for (int k = 0; k < nfam; k++) {
            for (int i = 0; i < GOS_FLUX_SHAPES; i++) {
                heat[k * GOS_LANES + l] += q * f->w[k][i] * g[i];
            }
        }
    }
}

void gos__sphere_flux_tangent(const gos_flux_weights *f, int nfam, int nz3, double u, double q,
                              const double *c, const double *dc, double *Hz) {
    double g[GOS_FLUX_SHAPES], d[2][GOS_FLUX_SHAPES];
    for (int l = 0; l < GOS_LANES; l++) {
        functions(u, c[l], c[GOS_LANES + l], g, d);
        for (int k = 0; k < nfam; k++) {
            double g2 = 0.0, g3 = 0.0;
            for (int i = 0; i < GOS_FLUX_SHAPES; i++) {
                g2 += q * f->w[k][i] * d[0][i];
                g3 += q * f->w[k][i] * d[1][i];
            }
            for (int j = 0; j < nz3; j++) {
                Hz[(k * nz3 + j) * GOS_LANES + l] +=
                    g2 * dc[j * GOS_LANES + l] + g3 * dc[(nz3 + j) * GOS_LANES + l];
            }
        }
    }
}
