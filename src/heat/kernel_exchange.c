/* Heat exchange with surroundings at GOS_LANES points: radiation by quadrature, convection by
   outline integrals (theory guide 2.5). 64-byte aligned arrays. */
#include "base/kernel.h"
#include "heat/heat.h"

#include <math.h>

GOS_INLINE void magnitude(const gos_v8 *x, gos_v8 *y) {
    for (int l = 0; l < GOS_LANES; l++) {
        (*y)[l] = __builtin_fabs((*x)[l]);
    }
}

/* T |T|^3 instead of T^4, so that an overshooting iterate below zero is heated back; and its
   derivative 4 |T|^3 */
GOS_INLINE void absolute_temperature(const gos_section_point *p, int nfam, double T_ref,
                                     const double *th, gos_v8 *T, gos_v8 *cube) {
    const gos_v8 zero = {0};
    gos_v8 t = zero + T_ref, a;
    for (int k = 0; k < nfam; k++) {
        t += p->phi[k] * GOS_CV8(th, k);
    }
    magnitude(&t, &a);
    *T = t;
    *cube = a * t * t;
}

GOS_KERNEL void gos__kernel_radiation(const gos_section_point *pt, int n, int nfam, double q,
                                      double T_ref, double sink, const double *th, double *heat) {
    const double sink4 = sink * sink * sink * fabs(sink);
    for (int i = 0; i < n; i++) {
        gos_v8 T, cube;
        absolute_temperature(&pt[i], nfam, T_ref, th, &T, &cube);
        const gos_v8 r = q * pt[i].dl * (sink4 - cube * T);
        for (int k = 0; k < nfam; k++) {
            GOS_V8(heat, k) += pt[i].phi[k] * r;
        }
    }
}

GOS_KERNEL void gos__kernel_radiation_tangent(const gos_section_point *pt, int n, int nfam,
                                              double q, double T_ref, const double *th,
                                              double *Ht) {
    for (int i = 0; i < n; i++) {
        gos_v8 T, cube;
        absolute_temperature(&pt[i], nfam, T_ref, th, &T, &cube);
        const gos_v8 d = -4.0 * q * pt[i].dl * cube;
        for (int j = 0; j < nfam; j++) {
            const gos_v8 dj = pt[i].phi[j] * d;
            for (int k = 0; k < nfam; k++) {
                GOS_V8(Ht, j * nfam + k) += pt[i].phi[k] * dj;
            }
        }
    }
}

GOS_KERNEL void gos__kernel_film(const double *S, const double *s, int nfam, double q,
                                 double ambient, const double *th, double *heat) {
    const gos_v8 zero = {0};
    for (int k = 0; k < nfam; k++) {
        gos_v8 sum = zero + ambient * s[k];
        for (int j = 0; j < nfam; j++) {
            sum -= S[k * nfam + j] * GOS_CV8(th, j);
        }
        GOS_V8(heat, k) += q * sum;
    }
}

GOS_KERNEL void gos__kernel_film_tangent(const double *S, int nfam, double q, double *Ht) {
    for (int i = 0; i < nfam * nfam; i++) {
        GOS_V8(Ht, i) -= q * S[i];
    }
}
