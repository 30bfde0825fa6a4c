/* Derivatives of n . z, n = m / |m|, m = a x b: curvatures of plates (a = r_1, b = r_2, z a second
 * derivative) and section strains of beams (theory 2.7). */

/* With P = I - n n^T:
 *
 *     d(n . z) = n . dz + h . dm,  h = P z / |m|,  dm = da x b + a x db,
 *
 * so d/da = b x h, d/db = h x a. Along (dm, dz) h changes by
 *
 *     (P dz - (n . dm) h - (h . dm) n - (n . z) dn) / |m|,  dn = P dm / |m|.
 *
 * Linear in z: sum_k S_k n . z_k has the second derivatives of one term with z = sum_k S_k z_k. */
#ifndef GOS_NORMAL_H
#define GOS_NORMAL_H

#include "base/kernel.h"

typedef struct gos_normal {
    gos_v8 a[3], b[3];
    gos_v8 n[3]; // unit normal
    gos_v8 im;   // 1 / |m|
} gos_normal;

GOS_INLINE void gos__v8_load3(const double *x, int i, gos_v8 y[3]) {
    for (int c = 0; c < 3; c++) {
        y[c] = GOS_CV8(x, 3 * i + c);
    }
}

GOS_INLINE void gos__v8_cross(const gos_v8 x[3], const gos_v8 y[3], gos_v8 z[3]) {
    const gos_v8 z0 = x[1] * y[2] - x[2] * y[1], z1 = x[2] * y[0] - x[0] * y[2];
    const gos_v8 z2 = x[0] * y[1] - x[1] * y[0];
    z[0] = z0, z[1] = z1, z[2] = z2;
}

GOS_INLINE void gos__v8_dot(const gos_v8 x[3], const gos_v8 y[3], gos_v8 *d) {
    *d = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

GOS_INLINE void gos__normal_make(const gos_v8 a[3], const gos_v8 b[3], gos_normal *f) {
    gos_v8 m[3], mm, lm;
    gos__v8_cross(a, b, m);
    gos__v8_dot(m, m, &mm);
    gos__v8_sqrt(&mm, &lm);
    f->im = 1.0 / lm;
    for (int c = 0; c < 3; c++) {
        f->a[c] = a[c];
        f->b[c] = b[c];
        f->n[c] = f->im * m[c];
    }
}

/* h of a vector z */
GOS_INLINE void gos__normal_h(const gos_normal *f, const gos_v8 z[3], gos_v8 h[3]) {
    gos_v8 nz;
    gos__v8_dot(f->n, z, &nz);
    for (int c = 0; c < 3; c++) {
        h[c] = f->im * (z[c] - nz * f->n[c]);
    }
}

/* gradients by a and b from h */
GOS_INLINE void gos__normal_pull(const gos_normal *f, const gos_v8 h[3], gos_v8 ga[3],
                                 gos_v8 gb[3]) {
    gos__v8_cross(f->b, h, ga);
    gos__v8_cross(h, f->a, gb);
}

/* dm along (da, db) */
GOS_INLINE void gos__normal_dm(const gos_normal *f, const gos_v8 da[3], const gos_v8 db[3],
                               gos_v8 dm[3]) {
    gos_v8 x[3], y[3];
    gos__v8_cross(da, f->b, x);
    gos__v8_cross(f->a, db, y);
    for (int c = 0; c < 3; c++) {
        dm[c] = x[c] + y[c];
    }
}

/* rate of h along (dm, dz); dn = P dm / |m| */
GOS_INLINE void gos__normal_dh(const gos_normal *f, const gos_v8 z[3], const gos_v8 h[3],
                               const gos_v8 dm[3], const gos_v8 dn[3], const gos_v8 dz[3],
                               gos_v8 dh[3]) {
    gos_v8 nz, nd, hm, ndz;
    gos__v8_dot(f->n, z, &nz);
    gos__v8_dot(f->n, dm, &nd);
    gos__v8_dot(h, dm, &hm);
    gos__v8_dot(f->n, dz, &ndz);
    for (int c = 0; c < 3; c++) {
        dh[c] = f->im * (dz[c] - ndz * f->n[c] - nd * h[c] - hm * f->n[c] - nz * dn[c]);
    }
}

/* By a, b: blocks D[0] = (a, a), D[1] = (a, b), D[2] = (b, b), row-major; (b, a) is D[1]
 * transposed. */
GOS_INLINE void gos__normal_second(const gos_normal *f, const gos_v8 z[3], gos_v8 D[3][9]) {
    const gos_v8 zero = {0};
    gos_v8 h[3], none[3] = {zero, zero, zero};
    gos__normal_h(f, z, h);
    for (int j = 0; j < 3; j++) {
        gos_v8 e[3] = {zero, zero, zero}, dm[3], dn[3], dh[3], g[3], q[3];
        e[j] += 1.0;
        gos__v8_cross(e, f->b, dm); // along a
        gos__normal_h(f, dm, dn);
        gos__normal_dh(f, z, h, dm, dn, none, dh);
        gos__v8_cross(f->b, dh, g);
        for (int i = 0; i < 3; i++) {
            D[0][3 * i + j] = g[i];
        }
        gos__v8_cross(f->a, e, dm); // along b
        gos__normal_h(f, dm, dn);
        gos__normal_dh(f, z, h, dm, dn, none, dh);
        gos__v8_cross(f->b, dh, g);
        gos__v8_cross(e, h, q);
        for (int i = 0; i < 3; i++) {
            D[1][3 * i + j] = g[i] + q[i];
        }
        gos__v8_cross(dh, f->a, g);
        for (int i = 0; i < 3; i++) {
            D[2][3 * i + j] = g[i];
        }
    }
}

/* Na[3 i + j] = dn_j/da_i, Nb[3 i + j] = dn_j/db_i: second derivatives by (a_i, z_j), (b_i,
 * z_j). */
GOS_INLINE void gos__normal_turn(const gos_normal *f, gos_v8 Na[9], gos_v8 Nb[9]) {
    const gos_v8 zero = {0};
    for (int i = 0; i < 3; i++) {
        gos_v8 e[3] = {zero, zero, zero}, dm[3];
        e[i] += 1.0;
        gos__v8_cross(e, f->b, dm);
        gos__normal_h(f, dm, Na + 3 * i);
        gos__v8_cross(f->a, e, dm);
        gos__normal_h(f, dm, Nb + 3 * i);
    }
}

#endif
