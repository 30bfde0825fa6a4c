/* Absorption of a parallel flux at GOS_LANES points: a linear combination of c2, c3, |c2|, |c3| and
   sqrt(c2^2 + c3^2) for each temperature family, and its derivative (theory guide 2.4). One kernel
   serves rectangles, single faces and circles; weights that vanish cost a multiplication, which is
   cheaper than a branch. Arrays are 64-byte aligned. */
#include "base/kernel.h"
#include "heat/heat.h"

GOS_KERNEL void gos__kernel_flux(const gos_flux_weights *f, int nfam, double q, const double *c,
                                 double *heat) {
    const gos_v8 c2 = GOS_CV8(c, 0), c3 = GOS_CV8(c, 1);
    const gos_v8 s2 = c2 * c2 + f->eps2, s3 = c3 * c3 + f->eps2, sp = c2 * c2 + s3;
    gos_v8 a2, a3, ap;
    gos__v8_sqrt(&s2, &a2);
    gos__v8_sqrt(&s3, &a3);
    gos__v8_sqrt(&sp, &ap);
    for (int k = 0; k < nfam; k++) {
        const double *w = f->w[k];
        GOS_V8(heat, k) += q * (w[0] * c2 + w[1] * c3 + w[2] * a2 + w[3] * a3 + w[4] * ap);
    }
}

/* c / sqrt(s), and 0 where both vanish: the mean slope of the kink */
GOS_INLINE void slope(const gos_v8 *c, const gos_v8 *s, gos_v8 *d) {
    for (int l = 0; l < GOS_LANES; l++) {
        (*d)[l] = (*s)[l] > 0.0 ? (*c)[l] / __builtin_sqrt((*s)[l]) : 0.0;
    }
}

GOS_KERNEL void gos__kernel_flux_tangent(const gos_flux_weights *f, int nfam, int nz3, double q,
                                         const double *c, const double *dc, double *Hz) {
    const gos_v8 c2 = GOS_CV8(c, 0), c3 = GOS_CV8(c, 1);
    const gos_v8 s2 = c2 * c2 + f->eps2, s3 = c3 * c3 + f->eps2, sp = c2 * c2 + s3;
    gos_v8 d2, d3, p2, p3;
    slope(&c2, &s2, &d2);
    slope(&c3, &s3, &d3);
    slope(&c2, &sp, &p2);
    slope(&c3, &sp, &p3);
    for (int k = 0; k < nfam; k++) {
        const double *w = f->w[k];
        const gos_v8 g2 = q * (w[0] + w[2] * d2 + w[4] * p2);
        const gos_v8 g3 = q * (w[1] + w[3] * d3 + w[4] * p3);
        for (int j = 0; j < nz3; j++) {
            GOS_V8(Hz, k * nz3 + j) += g2 * GOS_CV8(dc, j) + g3 * GOS_CV8(dc, nz3 + j);
        }
    }
}
