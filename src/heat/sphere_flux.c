/* Absorption of diffuse radiation of a sphere at GOS_LANES points: as kernel_flux.c, with rounded
   functions instead of |c2|, |c3| and sqrt(c2^2 + c3^2) (math/sphere.h). */
#include "math/sphere.h"

#include <math.h>

#include "heat/heat.h"

enum { EVEN_2 = 2, EVEN_3, AROUND };

/* skips unused, expensive functions: a plate needs one, a tube the integral, a rectangle both
   others */
static bool has(const gos_flux_weights *f, int nfam, int shape) {
    bool any = false;
    for (int k = 0; k < nfam; k++) {
        any = any || f->w[k][shape] != 0.0;
    }
    return any;
}

/* used functions, else 0; derivatives with respect to c2 and c3 */
static void functions(const gos_flux_weights *f, int nfam, double u, double c2, double c3,
                      double g[GOS_FLUX_SHAPES], double d[2][GOS_FLUX_SHAPES]) {
    memset(g, 0, GOS_FLUX_SHAPES * sizeof *g);
    memset(d, 0, 2 * sizeof *d);
    g[0] = c2;
    g[1] = c3;
    d[0][0] = d[1][1] = 1.0;
    if (has(f, nfam, EVEN_2)) {
        g[EVEN_2] = gos__sphere_even(c2, u, &d[0][EVEN_2]);
    }
    if (has(f, nfam, EVEN_3)) {
        g[EVEN_3] = gos__sphere_even(c3, u, &d[1][EVEN_3]);
    }
    if (has(f, nfam, AROUND)) {
        const double p = hypot(c2, c3);
        double dp;
        g[AROUND] = gos__sphere_around(p, u, &dp);
        d[0][AROUND] = p > 0.0 ? dp * c2 / p : 0.0;
        d[1][AROUND] = p > 0.0 ? dp * c3 / p : 0.0;
    }
}

void gos__sphere_flux(const gos_flux_weights *f, int nfam, double u, double q, const double *c,
                      double *heat) {
    double g[GOS_FLUX_SHAPES], d[2][GOS_FLUX_SHAPES];
    for (int l = 0; l < GOS_LANES; l++) {
        functions(f, nfam, u, c[l], c[GOS_LANES + l], g, d);
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
        functions(f, nfam, u, c[l], c[GOS_LANES + l], g, d);
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
