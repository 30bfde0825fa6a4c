/* Strains of the section-vector beam (theory 2.7) with gradients, rates and second derivatives;
 * inlined into kernel_beam.c. */

/* With the section vectors a, b, the normal n = a x b/|a x b| and the dual vectors A = b x n/|a x
 * b|, B = n x a/|a x b| (A.a = B.b = 1, A.b = B.a = 0):
 *
 *     dn = -A (n.da) - B (n.db)
 *     dA = -A (A.da) - B (A.db) + n (A.A n.da + A.B n.db),   dB likewise.
 *
 * n . z has the gradients -(A.z) n, -(B.z) n, n in a, b, z. With d2 = a/|a|, d3 = b/|b|, beta =
 * 1/|a|, gamma = 1/|b|:
 *
 *     Gamma_1 = n.p - 1,  Gamma_2 = d2.p,  Gamma_3 = d3.p,
 *     kappa_1 = beta gamma (a'.b - b'.a)/2,  k2 = -beta n.a',  k3 = -gamma n.b'. */
#ifndef GOS_BEAM_STRAINS_H
#define GOS_BEAM_STRAINS_H

#include "base/kernel.h"
#include "line/beam_law.h"

typedef gos_v8 vd;

#define DOT(x, y) ((x)[0] * (y)[0] + (x)[1] * (y)[1] + (x)[2] * (y)[2])
#define NS GOS_BEAM_AXIS
#define N3 15 // components of z

enum { P, A_, B_, S, Q }; // p, a, b, a', b' in z

GOS_INLINE void load(const double *z, int i, vd x[3]) {
    for (int c = 0; c < 3; c++) {
        x[c] = GOS_CV8(z, 3 * i + c);
    }
}

/* ---- a point --------------------------------------------------------------------------------- */

/* section frame, duals and strains */
typedef struct point {
    vd z[5][3];              // p, a, b, a', b'
    vd n[3], A[3], B[3];     // normal, duals
    vd d2[3], d3[3], be, ga; // directions of a, b and inverse lengths
    vd AA, AB, BB;           // products of the duals
    vd e[NS];                // strains
} point;

GOS_INLINE void cross(const vd x[3], const vd y[3], vd w[3]) {
    w[0] = x[1] * y[2] - x[2] * y[1];
    w[1] = x[2] * y[0] - x[0] * y[2];
    w[2] = x[0] * y[1] - x[1] * y[0];
}

GOS_INLINE void inverse_length(const vd x[3], vd *inverse) {
    const vd xx = DOT(x, x);
    gos__v8_sqrt(&xx, inverse);
    *inverse = 1.0 / *inverse;
}

GOS_INLINE void section_make(const double *z, int ia, int ib, point *f) {
    vd M;
    load(z, ia, f->z[A_]);
    load(z, ib, f->z[B_]);
    cross(f->z[A_], f->z[B_], f->n);
    inverse_length(f->n, &M);
    inverse_length(f->z[A_], &f->be);
    inverse_length(f->z[B_], &f->ga);
    for (int c = 0; c < 3; c++) {
        f->n[c] *= M;
        f->d2[c] = f->be * f->z[A_][c];
        f->d3[c] = f->ga * f->z[B_][c];
    }
    cross(f->z[B_], f->n, f->A);
    cross(f->n, f->z[A_], f->B);
    for (int c = 0; c < 3; c++) {
        f->A[c] *= M;
        f->B[c] *= M;
    }
    f->AA = DOT(f->A, f->A);
    f->AB = DOT(f->A, f->B);
    f->BB = DOT(f->B, f->B);
}

GOS_INLINE void point_make(const double *z, point *f) {
    section_make(z, A_, B_, f);
    load(z, P, f->z[P]);
    load(z, S, f->z[S]);
    load(z, Q, f->z[Q]);
    f->e[0] = DOT(f->n, f->z[P]) - 1.0;
    f->e[1] = DOT(f->d2, f->z[P]);
    f->e[2] = DOT(f->d3, f->z[P]);
    f->e[3] = 0.5 * (f->be * DOT(f->z[S], f->d3) - f->ga * DOT(f->z[Q], f->d2));
    f->e[4] = -f->be * DOT(f->n, f->z[S]);
    f->e[5] = -f->ga * DOT(f->n, f->z[Q]);
}

/* g[k][3 v + c]: gradients of the six strains */
GOS_INLINE void gradients(const point *f, vd (*g)[N3]) {
    const vd(*z)[3] = f->z;
    const vd be = f->be, ga = f->ga, c = 0.5 * be * ga, *e = f->e;
    const vd Ap = DOT(f->A, z[P]), Bp = DOT(f->B, z[P]), As = be * DOT(f->A, z[S]);
    const vd Bs = be * DOT(f->B, z[S]), Aq = ga * DOT(f->A, z[Q]), Bq = ga * DOT(f->B, z[Q]);
    memset(g, 0, NS * sizeof *g);
    for (int i = 0; i < 3; i++) {
        const vd n = f->n[i], d2 = f->d2[i], d3 = f->d3[i];
        g[0][3 * P + i] = n;
        g[0][3 * A_ + i] = -Ap * n;
        g[0][3 * B_ + i] = -Bp * n;
        g[1][3 * P + i] = d2;
        g[1][3 * A_ + i] = be * (z[P][i] - e[1] * d2);
        g[2][3 * P + i] = d3;
        g[2][3 * B_ + i] = ga * (z[P][i] - e[2] * d3);
        g[3][3 * A_ + i] = -c * z[Q][i] - e[3] * be * d2;
        g[3][3 * B_ + i] = c * z[S][i] - e[3] * ga * d3;
        g[3][3 * S + i] = c * z[B_][i];
        g[3][3 * Q + i] = -c * z[A_][i];
        g[4][3 * A_ + i] = As * n - e[4] * be * d2;
        g[4][3 * B_ + i] = Bs * n;
        g[4][3 * S + i] = -be * n;
        g[5][3 * A_ + i] = Aq * n;
        g[5][3 * B_ + i] = Bq * n - e[5] * ga * d3;
        g[5][3 * Q + i] = -ga * n;
    }
}

GOS_INLINE void strain_rates(int ns, int n3, vd (*g)[N3], const double *zd, vd *r) {
    for (int k = 0; k < ns; k++) {
        vd x = {0};
        for (int i = 0; i < n3; i++) {
            x += g[k][i] * GOS_CV8(zd, i);
        }
        r[k] = x;
    }
}

/* rates of all terms of the gradients */
typedef struct motion {
    vd z[5][3], n[3], A[3], B[3], d2[3], d3[3], be, ga;
} motion;

GOS_INLINE void motion_make(const point *f, const double *zd, motion *m) {
    for (int i = 0; i < 5; i++) {
        load(zd, i, m->z[i]);
    }
    const vd *ad = m->z[A_], *bd = m->z[B_];
    const vd na = DOT(f->n, ad), nb = DOT(f->n, bd), Aa = DOT(f->A, ad), Ab = DOT(f->A, bd);
    const vd Ba = DOT(f->B, ad), Bb = DOT(f->B, bd), a = DOT(f->d2, ad), b = DOT(f->d3, bd);
    const vd nA = f->AA * na + f->AB * nb, nB = f->AB * na + f->BB * nb;
    m->be = -f->be * f->be * a;
    m->ga = -f->ga * f->ga * b;
    for (int i = 0; i < 3; i++) {
        m->n[i] = -f->A[i] * na - f->B[i] * nb;
        m->A[i] = -f->A[i] * Aa - f->B[i] * Ab + f->n[i] * nA;
        m->B[i] = -f->A[i] * Ba - f->B[i] * Bb + f->n[i] * nB;
        m->d2[i] = f->be * (ad[i] - a * f->d2[i]);
        m->d3[i] = f->ga * (bd[i] - b * f->d3[i]);
    }
}

/* h = dg/dt; r: strain rates */
GOS_INLINE void gradient_rates(const point *f, const motion *m, const vd *r, vd (*h)[N3]) {
    const vd(*z)[3] = f->z, (*y)[3] = m->z;
    const vd be = f->be, ga = f->ga, c = 0.5 * be * ga, *e = f->e;
    const vd cd = 0.5 * (m->be * ga + be * m->ga);
    const vd Ap = DOT(f->A, z[P]), Bp = DOT(f->B, z[P]);
    const vd Apd = DOT(m->A, z[P]) + DOT(f->A, y[P]), Bpd = DOT(m->B, z[P]) + DOT(f->B, y[P]);
    const vd s1 = DOT(f->A, z[S]), s2 = DOT(f->B, z[S]), q1 = DOT(f->A, z[Q]), q2 = DOT(f->B, z[Q]);
    const vd As = be * s1, Asd = m->be * s1 + be * (DOT(m->A, z[S]) + DOT(f->A, y[S]));
    const vd Bs = be * s2, Bsd = m->be * s2 + be * (DOT(m->B, z[S]) + DOT(f->B, y[S]));
    const vd Aq = ga * q1, Aqd = m->ga * q1 + ga * (DOT(m->A, z[Q]) + DOT(f->A, y[Q]));
    const vd Bq = ga * q2, Bqd = m->ga * q2 + ga * (DOT(m->B, z[Q]) + DOT(f->B, y[Q]));
    memset(h, 0, NS * sizeof *h);
    for (int i = 0; i < 3; i++) {
        const vd n = f->n[i], nd = m->n[i], d2 = f->d2[i], d3 = f->d3[i];
        const vd bd2 = m->be * d2 + be * m->d2[i], gd3 = m->ga * d3 + ga * m->d3[i];
        h[0][3 * P + i] = nd;
        h[0][3 * A_ + i] = -Apd * n - Ap * nd;
        h[0][3 * B_ + i] = -Bpd * n - Bp * nd;
        h[1][3 * P + i] = m->d2[i];
        h[1][3 * A_ + i] =
            m->be * (z[P][i] - e[1] * d2) + be * (y[P][i] - r[1] * d2 - e[1] * m->d2[i]);
        h[2][3 * P + i] = m->d3[i];
        h[2][3 * B_ + i] =
            m->ga * (z[P][i] - e[2] * d3) + ga * (y[P][i] - r[2] * d3 - e[2] * m->d3[i]);
        h[3][3 * A_ + i] = -cd * z[Q][i] - c * y[Q][i] - r[3] * be * d2 - e[3] * bd2;
        h[3][3 * B_ + i] = cd * z[S][i] + c * y[S][i] - r[3] * ga * d3 - e[3] * gd3;
        h[3][3 * S + i] = cd * z[B_][i] + c * y[B_][i];
        h[3][3 * Q + i] = -cd * z[A_][i] - c * y[A_][i];
        h[4][3 * A_ + i] = Asd * n + As * nd - r[4] * be * d2 - e[4] * bd2;
        h[4][3 * B_ + i] = Bsd * n + Bs * nd;
        h[4][3 * S + i] = -m->be * n - be * nd;
        h[5][3 * A_ + i] = Aqd * n + Aq * nd;
        h[5][3 * B_ + i] = Bqd * n + Bq * nd - r[5] * ga * d3 - e[5] * gd3;
        h[5][3 * Q + i] = -m->ga * n - ga * nd;
    }
}

/* ---- second derivatives ---------------------------------------------------------------------- */

/* K(3 i + r, 3 j + c) += x y^T, and transposed */
GOS_INLINE void add_outer(double *K, int i, int j, const vd x[3], const vd y[3]) {
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            const vd v = x[r] * y[c];
            GOS_V8(K, (3 * i + r) * N3 + 3 * j + c) += v;
            if (i != j) {
                GOS_V8(K, (3 * j + c) * N3 + 3 * i + r) += v;
            }
        }
    }
}

GOS_INLINE void add_eye(double *K, int i, int j, const vd *x) {
    for (int r = 0; r < 3; r++) {
        GOS_V8(K, (3 * i + r) * N3 + 3 * j + r) += *x;
        if (i != j) {
            GOS_V8(K, (3 * j + r) * N3 + 3 * i + r) += *x;
        }
    }
}

/* Second derivatives of N1 n.p - N5 beta n.a' - N6 gamma n.b' at constant beta, gamma. */
GOS_INLINE void add_normal_part(const point *f, const vd *N, double *K) {
    vd zeta[3], u[3], v[3], w[3], y[3];
    for (int c = 0; c < 3; c++) {
        zeta[c] = N[0] * f->z[P][c] - N[4] * f->be * f->z[S][c] - N[5] * f->ga * f->z[Q][c];
    }
    const vd zA = DOT(f->A, zeta), zB = DOT(f->B, zeta), zn = DOT(f->n, zeta);
    for (int c = 0; c < 3; c++) {
        u[c] = zA * f->A[c] - 0.5 * zn * f->AA * f->n[c];
        v[c] = zB * f->B[c] - 0.5 * zn * f->BB * f->n[c];
        w[c] = zB * f->A[c] - zn * f->AB * f->n[c];
        y[c] = zA * f->B[c];
    }
    add_outer(K, A_, A_, f->n, u);
    add_outer(K, A_, A_, u, f->n);
    add_outer(K, B_, B_, f->n, v);
    add_outer(K, B_, B_, v, f->n);
    add_outer(K, A_, B_, f->n, w);
    add_outer(K, A_, B_, y, f->n);
    const vd weight[3] = {-N[0], N[4] * f->be, N[5] * f->ga};
    const int third[3] = {P, S, Q};
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++) {
            u[c] = weight[k] * f->A[c];
            v[c] = weight[k] * f->B[c];
        }
        add_outer(K, A_, third[k], f->n, u);
        add_outer(K, B_, third[k], f->n, v);
    }
}

/* Second derivatives of strains divided by |a| (mine = A_) or |b|. x: direction, s: inverse length,
 * V: gradient of the numerators times s and N, sum: N . e. */
GOS_INLINE void add_length_part(int mine, const vd x[3], const vd *s, const vd *sum, const vd V[3],
                                double *K) {
    vd u[3];
    const vd eye = -*sum * *s * *s;
    for (int c = 0; c < 3; c++) {
        u[c] = -*s * V[c] - 1.5 * eye * x[c];
    }
    add_eye(K, mine, mine, &eye);
    add_outer(K, mine, mine, x, u);
    add_outer(K, mine, mine, u, x);
}

/* mixed derivatives of the lengths and the other vectors */
GOS_INLINE void add_mixed_part(const point *f, const vd *N, double *K) {
    const vd be = f->be, ga = f->ga, c = 0.5 * be * ga * N[3];
    const vd Bs = N[4] * be * be * DOT(f->B, f->z[S]), Aq = N[5] * ga * ga * DOT(f->A, f->z[Q]);
    const vd tw = N[3] * f->e[3] * be * ga, plus = c, minus = -c, n1 = N[1] * be, n2 = N[2] * ga;
    vd u[3], v[3], w[3], y[3];
    for (int i = 0; i < 3; i++) { // (a, b): d2 u^T + v d3^T
        u[i] = -Bs * f->n[i] + tw * f->d3[i] - c * be * f->z[S][i];
        v[i] = -Aq * f->n[i] + c * ga * f->z[Q][i];
    }
    add_outer(K, A_, B_, f->d2, u);
    add_outer(K, A_, B_, v, f->d3);
    for (int i = 0; i < 3; i++) { // with p
        u[i] = -n1 * f->d2[i];
        v[i] = -n2 * f->d3[i];
    }
    add_eye(K, P, A_, &n1);
    add_outer(K, P, A_, f->d2, u);
    add_eye(K, P, B_, &n2);
    add_outer(K, P, B_, f->d3, v);
    for (int i = 0; i < 3; i++) { // with a': -beta^2 of the twist's b and of the normal
        u[i] = -c * be * f->z[B_][i] + N[4] * be * be * f->n[i];
        v[i] = -c * ga * f->z[B_][i];
        w[i] = c * be * f->z[A_][i];
        y[i] = c * ga * f->z[A_][i] + N[5] * ga * ga * f->n[i];
    }
    add_outer(K, S, A_, u, f->d2);
    add_eye(K, S, B_, &plus);
    add_outer(K, S, B_, v, f->d3);
    add_eye(K, Q, A_, &minus);
    add_outer(K, Q, A_, w, f->d2);
    add_outer(K, Q, B_, y, f->d3);
}

/* K += sum_k N_k d^2 e_k / dz^2 */
GOS_INLINE void add_geometric(const point *f, const vd *N, double *K) {
    vd Va[3], Vb[3];
    const vd be = f->be, ga = f->ga, c = 0.5 * be * ga * N[3];
    const vd As = N[4] * be * DOT(f->A, f->z[S]), Bq = N[5] * ga * DOT(f->B, f->z[Q]);
    const vd sa = N[1] * f->e[1] + N[3] * f->e[3] + N[4] * f->e[4];
    const vd sb = N[2] * f->e[2] + N[3] * f->e[3] + N[5] * f->e[5];
    for (int i = 0; i < 3; i++) {
        Va[i] = N[1] * be * f->z[P][i] - c * f->z[Q][i] + As * f->n[i];
        Vb[i] = N[2] * ga * f->z[P][i] + c * f->z[S][i] + Bq * f->n[i];
    }
    add_normal_part(f, N, K);
    add_length_part(A_, f->d2, &be, &sa, Va, K);
    add_length_part(B_, f->d3, &ga, &sb, Vb, K);
    add_mixed_part(f, N, K);
}

/* ---- sunlight -------------------------------------------------------------------------------- */

/* c = -u.d2, -u.d3 */
GOS_INLINE void cosines_of(const point *f, int ia, int ib, int n3, const double *u, double *c,
                           double *dc) {
    const vd u2 = u[0] * f->d2[0] + u[1] * f->d2[1] + u[2] * f->d2[2];
    const vd u3 = u[0] * f->d3[0] + u[1] * f->d3[1] + u[2] * f->d3[2];
    GOS_V8(c, 0) = -u2;
    GOS_V8(c, 1) = -u3;
    if (dc) {
        memset(dc, 0, 2 * n3 * sizeof(vd));
        for (int i = 0; i < 3; i++) {
            GOS_V8(dc, 3 * ia + i) = f->be * (u2 * f->d2[i] - u[i]);
            GOS_V8(dc, n3 + 3 * ib + i) = f->ga * (u3 * f->d3[i] - u[i]);
        }
    }
}

#endif
