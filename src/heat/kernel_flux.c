/* Absorption of a parallel flux at GOS_LANES points: combinations of c2, c3, |c2|, |c3| and
   sqrt(c2^2 + c3^2) per family, with derivatives (theory guide 2.4); branch-free. 64-byte aligned
   arrays. */
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

/* c / sqrt(s); 0 (mean slope of the kink) if both vanish */
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

/* The cosine over a circle, |w| max(0, cos(phi - phi_0)), w = c2 + i c3 = |w| e^{i phi_0}, has
   coefficients |w| e^{i m phi_0} times a number; powers of n = w/|w| avoid poles. At |w| = 0 (light
   along the tube) all vanish; the mean slope 0 is used at that kink. */
typedef struct harmonic {
    gos_v8 size, n2, n3; // |w|, n
    gos_v8 s2, s3;       // n^2
    gos_v8 re, im;       // n^m
} harmonic;

GOS_INLINE void harmonic_start(const double *c, double eps2, harmonic *h) {
    const gos_v8 c2 = GOS_CV8(c, 0), c3 = GOS_CV8(c, 1), s = c2 * c2 + c3 * c3 + eps2;
    const gos_v8 zero = {0};
    gos__v8_sqrt(&s, &h->size);
    slope(&c2, &s, &h->n2);
    slope(&c3, &s, &h->n3);
    h->s2 = h->n2 * h->n2 - h->n3 * h->n3;
    h->s3 = 2.0 * h->n2 * h->n3;
    h->re = zero + 1.0;
    h->im = zero;
}

GOS_INLINE void harmonic_next(harmonic *h) {
    const gos_v8 re = h->re;
    h->re = re * h->s2 - h->im * h->s3;
    h->im = re * h->s3 + h->im * h->s2;
}

/* 2 (-1)^{m/2+1}/(m^2 - 1): integral of cos(m x) max(0, cos x), m even */
GOS_INLINE double harmonic_weight(int m) {
    return (m % 4 ? 2.0 : -2.0) / (m * m - 1);
}

GOS_KERNEL void gos__kernel_harmonics(int modes, double eps2, double q, const double *c,
                                      double *heat) {
    harmonic h;
    harmonic_start(c, eps2, &h);
    for (int m = 2; m <= modes; m += 2) {
        const gos_v8 g = q * harmonic_weight(m) * h.size;
        harmonic_next(&h);
        GOS_V8(heat, 2 * m - 1) += g * h.re;
        GOS_V8(heat, 2 * m) += g * h.im;
    }
}

/* d(|w| n^m)/dw2 = m n^{m-1} - (m - 1) n^m n2,  /dw3 = i m n^{m-1} - (m - 1) n^m n3 */
GOS_KERNEL void gos__kernel_harmonics_tangent(int modes, double eps2, int nz3, double q,
                                              const double *c, const double *dc, double *Hz) {
    harmonic h;
    harmonic_start(c, eps2, &h);
    for (int m = 2; m <= modes; m += 2) {
        const double g = q * harmonic_weight(m);
        const gos_v8 re1 = h.re * h.n2 - h.im * h.n3, im1 = h.re * h.n3 + h.im * h.n2; // n^{m-1}
        harmonic_next(&h);
        const gos_v8 re = (m - 1.0) * h.re, im = (m - 1.0) * h.im;
        const gos_v8 a2 = g * (m * re1 - re * h.n2), a3 = g * (-m * im1 - re * h.n3);
        const gos_v8 b2 = g * (m * im1 - im * h.n2), b3 = g * (m * re1 - im * h.n3);
        for (int j = 0; j < nz3; j++) {
            const gos_v8 d2 = GOS_CV8(dc, j), d3 = GOS_CV8(dc, nz3 + j);
            GOS_V8(Hz, (2 * m - 1) * nz3 + j) += a2 * d2 + a3 * d3;
            GOS_V8(Hz, 2 * m * nz3 + j) += b2 * d2 + b3 * d3;
        }
    }
}
