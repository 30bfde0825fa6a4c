/* Constitutive kernels of the ANCF cable (theory 1.3, 1.5, 2.3). `n` is 6, or 9 with the rows of v;
 * `own`: points have their own sections (cable_frame.h). */

/* With p = r', s = r'', a = p.p and the section frame (t, d2, d3), d2 = v x p / |v x p|, frame
 * components of increments are x = R^T dp / |p| and y = R^T ds / |p|. The frame rotates by dt = x2
 * d2 + x3 d3, dd2 = -x2 t + mu x2 d3, mu = (t.v)/(d3.v). With tau = t.s/|p| and c2 = mu k3 - tau
 * the gradients are
 *
 *     d eps = a x_t,   d k2 = -k2 x_t + c2 x_2 + y_2,   d k3 = -k3 x_t - mu k2 x_2 - tau x_3 + y_3.
 *
 * Differentiating again gives the Hessians of the tangents. All algebra is done in the frame; only
 * results are transformed back.
 *
 * A v that rotates with a body (theory 2.2 A) is a third row of z, of any length, with increments n
 * = R^T dv / D, D = |v x t| = d3.v. They rotate the frame about t only, dd2 = (mu x2 - n2) d3, and
 *
 *     d k2 += -k3 n2,   d k3 += k2 n2,   d n2 = -x2 n_t + (mu x2 - n2) n3 - n2 (n3 - mu x3),
 *     d mu = (1 + mu^2) x3 + n_t - mu n3. */
#include "line/cable_frame.h"

GOS_INLINE void frame_make(const double *z, const double *v, frame *f) {
    const vd p0 = GOS_CV8(z, 0), p1 = GOS_CV8(z, 1), p2 = GOS_CV8(z, 2);
    const vd s0 = GOS_CV8(z, 3), s1 = GOS_CV8(z, 4), s2 = GOS_CV8(z, 5);
    const vd v0 = GOS_CV8(v, 0), v1 = GOS_CV8(v, 1), v2 = GOS_CV8(v, 2);
    const vd a = p0 * p0 + p1 * p1 + p2 * p2;
    vd A, D;
    gos__v8_sqrt(&a, &A);
    A = 1.0 / A;
    const vd t0 = A * p0, t1 = A * p1, t2 = A * p2;
    const vd w0 = v1 * t2 - v2 * t1, w1 = v2 * t0 - v0 * t2, w2 = v0 * t1 - v1 * t0;
    const vd ww = w0 * w0 + w1 * w1 + w2 * w2; // |v x t| = d3.v
    gos__v8_sqrt(&ww, &D);
    const vd iD = 1.0 / D;
    const vd d0 = iD * w0, d1 = iD * w1, d2 = iD * w2;
    const vd b0 = t1 * d2 - t2 * d1, b1 = t2 * d0 - t0 * d2, b2 = t0 * d1 - t1 * d0;
    f->a = a;
    f->A = A;
    f->iD = iD;
    f->mu = (t0 * v0 + t1 * v1 + t2 * v2) * iD;
    f->tau = A * (t0 * s0 + t1 * s1 + t2 * s2);
    f->k2 = A * (d0 * s0 + d1 * s1 + d2 * s2);
    f->k3 = A * (b0 * s0 + b1 * s1 + b2 * s2);
    f->c2 = f->mu * f->k3 - f->tau;
    f->eps = 0.5 * (a - 1.0);
    f->R[0][0] = t0, f->R[0][1] = t1, f->R[0][2] = t2;
    f->R[1][0] = d0, f->R[1][1] = d1, f->R[1][2] = d2;
    f->R[2][0] = b0, f->R[2][1] = b1, f->R[2][2] = b2;
}

GOS_INLINE const double *reference_of(const gos_batch *b, const int n) {
    return n == 9 ? b->z + 6 * GOS_LANES : b->ref;
}

GOS_INLINE void strain_rates(const frame *f, const int n, const vd u[9], vd r[3]) {
    r[0] = f->a * u[0];
    r[1] = -f->k2 * u[0] + f->c2 * u[1] + u[4];
    r[2] = -f->k3 * u[0] - f->mu * f->k2 * u[1] - f->tau * u[2] + u[5];
    if (n == 9) {
        r[1] -= f->k3 * u[7];
        r[2] += f->k2 * u[7];
    }
}

GOS_INLINE void resultants(const gos_cable_par *par, int nfam, const gos_batch *b, const int n,
                           const int own) {
    const vd zero = {0};
    frame f;
    frame_make(b->z, reference_of(b, n), &f);
    vd u[9], r[3] = {zero, zero, zero}, M[3];
    const vd e[3] = {f.eps, f.k2, f.k3};
    if (b->zd) {
        frame_rates(&f, n, b->zd, u);
        strain_rates(&f, n, u, r);
    }
    section_forces(par, own, nfam, b, e, r, M);
    const vd M2 = M[1], M3 = M[2];
    const vd Xt = f.A * (M[0] * f.a - M2 * f.k2 - M3 * f.k3);
    const vd X2 = f.A * (M2 * f.c2 - M3 * f.mu * f.k2), X3 = -f.A * M3 * f.tau;
    const vd Y2 = f.A * M2, Y3 = f.A * M3;
    for (int i = 0; i < 3; i++) {
        GOS_V8(b->sigma, i) = Xt * f.R[0][i] + X2 * f.R[1][i] + X3 * f.R[2][i];
        GOS_V8(b->sigma, 3 + i) = Y2 * f.R[1][i] + Y3 * f.R[2][i];
    }
    if (n == 9) {
        const vd V2 = f.iD * (M3 * f.k2 - M2 * f.k3);
        for (int i = 0; i < 3; i++) {
            GOS_V8(b->sigma, 6 + i) = V2 * f.R[1][i];
        }
    }
}

GOS_INLINE void gradients_of_carrier(const frame *f, const vd u[9], gradients *d) {
    const vd zero = {0}, mu = f->mu, k2 = f->k2, k3 = f->k3, c2 = f->c2, q = u[7];
    for (int i = 6; i < 9; i++) {
        d->g[0][i] = d->g[1][i] = d->g[2][i] = d->h[0][i] = zero;
    }
    d->g[1][7] = -k3;
    d->g[2][7] = k2;
    const vd nm = u[6] - mu * u[8], x2 = u[1], w3 = u[8] - mu * u[2];
    d->h[1][0] += k3 * q;
    d->h[1][1] += k3 * nm + mu * k2 * q;
    d->h[1][2] -= c2 * q;
    d->h[1][5] -= q;
    d->h[1][6] = k3 * x2;
    d->h[1][7] = k3 * u[0] + mu * k2 * x2 + f->tau * u[2] - u[5] - k2 * q + k3 * w3;
    d->h[1][8] = -k3 * (mu * x2 - q);
    d->h[2][0] -= k2 * q;
    d->h[2][1] += -k2 * nm + c2 * q;
    d->h[2][2] += mu * k2 * q;
    d->h[2][4] += q;
    d->h[2][6] = -k2 * x2;
    d->h[2][7] = -k2 * u[0] + c2 * x2 + u[4] - k3 * q - k2 * w3;
    d->h[2][8] = k2 * (mu * x2 - q);
}

GOS_INLINE void gradients_make(const frame *f, const int n, const vd u[9], gradients *d) {
    const vd zero = {0}, one = zero + 1.0, mu = f->mu, k2 = f->k2, k3 = f->k3;
    const vd g[3][6] = {{f->a, zero, zero, zero, zero, zero},
                        {-k2, f->c2, zero, zero, one, zero},
                        {-k3, -mu * k2, -f->tau, zero, zero, one}};
    const vd h22 = -(2 + mu * mu) * k2, h23 = -(1 + mu * mu) * k2;
    const vd q22 = 2 * mu * f->tau - (1 + mu * mu) * k3;
    for (int k = 0; k < 3; k++) {
        memcpy(d->g[k], g[k], sizeof g[k]);
    }
    for (int i = 0; i < 3; i++) {
        d->h[0][i] = f->a * u[i];
        d->h[0][3 + i] = zero;
    }
    d->h[1][0] = 2 * k2 * u[0] - 2 * f->c2 * u[1] - u[4];
    d->h[1][1] = -2 * f->c2 * u[0] + h22 * u[1] + mu * f->c2 * u[2] - u[3] + mu * u[5];
    d->h[1][2] = mu * f->c2 * u[1] - k2 * u[2];
    d->h[1][3] = -u[1];
    d->h[1][4] = -u[0];
    d->h[1][5] = mu * u[1];
    d->h[2][0] = 2 * k3 * u[0] + 2 * mu * k2 * u[1] + 2 * f->tau * u[2] - u[5];
    d->h[2][1] = 2 * mu * k2 * u[0] + q22 * u[1] + h23 * u[2] - mu * u[4];
    d->h[2][2] = 2 * f->tau * u[0] + h23 * u[1] - 2 * k3 * u[2] - u[3];
    d->h[2][3] = -u[2];
    d->h[2][4] = -mu * u[1];
    d->h[2][5] = -u[0];
    if (n == 9) {
        gradients_of_carrier(f, u, d);
    }
}

/* K += N1 H_eps + N2 H_k2 + N3 H_k3 */
GOS_INLINE void add_geometric(const frame *f, const int n, vd *K, const vd N[3]) {
    const vd mu = f->mu, k2 = f->k2, k3 = f->k3, m1 = 1 + mu * mu;
    const vd n1 = f->a * N[0];
    const vd k01 = -2 * f->c2 * N[1] + 2 * mu * k2 * N[2], k02 = 2 * f->tau * N[2];
    const vd k12 = mu * f->c2 * N[1] - m1 * k2 * N[2];
    AT(0, 0) += n1 + 2 * (k2 * N[1] + k3 * N[2]);
    AT(1, 1) += n1 - (1 + m1) * k2 * N[1] + (2 * mu * f->tau - m1 * k3) * N[2];
    AT(2, 2) += n1 - k2 * N[1] - 2 * k3 * N[2];
    AT(0, 1) += k01, AT(1, 0) += k01;
    AT(0, 2) += k02, AT(2, 0) += k02;
    AT(1, 2) += k12, AT(2, 1) += k12;
    AT(0, 4) -= N[1], AT(4, 0) -= N[1];
    AT(0, 5) -= N[2], AT(5, 0) -= N[2];
    AT(1, 3) -= N[1], AT(3, 1) -= N[1];
    AT(1, 4) -= mu * N[2], AT(4, 1) -= mu * N[2];
    AT(1, 5) += mu * N[1], AT(5, 1) += mu * N[1];
    AT(2, 3) -= N[2], AT(3, 2) -= N[2];
}

/* Adds the geometric part of the rows of v; X, Y: rotation terms of the moments. */
GOS_INLINE void add_geometric_carrier(const frame *f, vd *K, const vd N[3]) {
    const int n = 9;
    const vd mu = f->mu, X = f->k3 * N[1] - f->k2 * N[2], Y = f->k2 * N[1] + f->k3 * N[2];
    const vd k17 = mu * f->k2 * N[1] + f->c2 * N[2], k27 = -f->c2 * N[1] + mu * f->k2 * N[2];
    AT(0, 7) += X, AT(7, 0) += X;
    AT(1, 6) += X, AT(6, 1) += X;
    AT(1, 7) += k17, AT(7, 1) += k17;
    AT(1, 8) -= mu * X, AT(8, 1) -= mu * X;
    AT(2, 7) += k27, AT(7, 2) += k27;
    AT(4, 7) += N[2], AT(7, 4) += N[2];
    AT(5, 7) -= N[1], AT(7, 5) -= N[1];
    AT(7, 7) -= Y;
    AT(7, 8) += X, AT(8, 7) += X;
}

GOS_INLINE void tangent(const gos_cable_par *par, int nfam, const gos_batch *b, const int n,
                        const int own) {
    const double ga = par->gamma;
    const vd zero = {0};
    section c;
    section_make(par, b, own, &c);
    const vd *D = c.D;
    frame f;
    frame_make(b->z, reference_of(b, n), &f);
    vd u[9], r[3] = {zero, zero, zero}, e[3] = {f.eps, f.k2, f.k3};
    memset(u, 0, n * sizeof *u);
    if (b->zd) {
        frame_rates(&f, n, b->zd, u);
        strain_rates(&f, n, u, r);
    }
    subtract_free_strains(par, &c, own, nfam, b, e);
    gradients d;
    gradients_make(&f, n, u, &d);
    vd K[81], N[3];
    memset(K, 0, n * n * sizeof *K);
    const double cm = b->geometric ? 0 : b->ck, kd = cm + ga * b->cd, kg = cm * ga;
    for (int k = 0; k < 3; k++) {
        N[k] = b->ck * D[k] * (e[k] + ga * r[k]);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                AT(i, j) += D[k] * d.g[k][i] * (kd * d.g[k][j] + kg * d.h[k][j]);
            }
        }
    }
    add_geometric(&f, n, K, N);
    if (n == 9) {
        add_geometric_carrier(&f, K, N);
    }
    turn_back(par, &c, nfam, b, n, &f, &d, r, K);
}

GOS_INLINE void cosines(const gos_batch *b, const double *u, double *c, double *dc, const int n) {
    const vd zero = {0};
    frame f;
    frame_make(b->z, reference_of(b, n), &f);
    vd r[3];
    for (int i = 0; i < 3; i++) {
        r[i] = u[0] * f.R[i][0] + u[1] * f.R[i][1] + u[2] * f.R[i][2];
    }
    GOS_V8(c, 0) = -r[1];
    GOS_V8(c, 1) = -r[2];
    if (dc) {
        const vd g2 = f.A * (r[0] - f.mu * r[2]), g32 = f.A * f.mu * r[1], g33 = f.A * r[0];
        for (int i = 0; i < 3; i++) {
            GOS_V8(dc, i) = g2 * f.R[1][i];
            GOS_V8(dc, n + i) = g32 * f.R[1][i] + g33 * f.R[2][i];
            GOS_V8(dc, 3 + i) = GOS_V8(dc, n + 3 + i) = zero;
        }
        for (int i = 0; n == 9 && i < 3; i++) {
            GOS_V8(dc, 6 + i) = f.iD * r[2] * f.R[1][i];
            GOS_V8(dc, n + 6 + i) = -f.iD * r[1] * f.R[1][i];
        }
    }
}

/* eps [-], k2, k3 [1/m]; N [N], M2, M3 [N m] with viscous parts */
GOS_INLINE void strains(const gos_cable_par *par, int nfam, const gos_batch *b, double *strain,
                        double *force, const int n, const int own) {
    const vd zero = {0};
    frame f;
    frame_make(b->z, reference_of(b, n), &f);
    vd u[9], r[3] = {zero, zero, zero};
    if (b->zd) {
        frame_rates(&f, n, b->zd, u);
        strain_rates(&f, n, u, r);
    }
    const vd e[3] = {f.eps, f.k2, f.k3};
    put_strains(par, own, nfam, b, e, r, strain, force);
}

/* ---- the laws with a frame ------------------------------------------------------------------- */

GOS_KERNEL static void framed_cosines(const void *par, const gos_batch *b, const double *u,
                                      double *c, double *dc) {
    GOS_UNUSED(par);
    cosines(b, u, c, dc, 6);
}

GOS_KERNEL static void carried_cosines(const void *par, const gos_batch *b, const double *u,
                                       double *c, double *dc) {
    GOS_UNUSED(par);
    cosines(b, u, c, dc, 9);
}

const char *const gos__cable_strains[3] = {"axial", "k2", "k3"};
const char *const gos__cable_forces[3] = {"N", "M2", "M3"};

/* One law: n components of z, refs reference data, `cos` its cosines. */
#define LAW(symbol, text, kernel, n, refs, own, cos)                                               \
    GOS_KERNEL static void kernel##_resultants(const void *par, int nfam, const gos_batch *b) {    \
        resultants(par, nfam, b, n, own);                                                          \
    }                                                                                              \
    GOS_KERNEL static void kernel##_tangent(const void *par, int nfam, const gos_batch *b) {       \
        tangent(par, nfam, b, n, own);                                                             \
    }                                                                                              \
    GOS_KERNEL static void kernel##_strains(const void *par, int nfam, const gos_batch *b,         \
                                            double *strain, double *force) {                       \
        strains(par, nfam, b, strain, force, n, own);                                              \
    }                                                                                              \
    const gos_law symbol = {.name = text,                                                          \
                            .nz = (n) / 3,                                                         \
                            .ndir = 2,                                                             \
                            .nref = refs,                                                          \
                            .resultants = kernel##_resultants,                                     \
                            .tangent = kernel##_tangent,                                           \
                            .cosines = cos,                                                        \
                            .nstrain = 3,                                                          \
                            .nforce = 1,                                                           \
                            .strain_name = gos__cable_strains,                                     \
                            .force_name = gos__cable_forces,                                       \
                            .force_unit = "N",                                                     \
                            .moment_unit = "N m",                                                  \
                            .strains = kernel##_strains};

LAW(gos__cable_framed, "cable, framed", framed, 6, 3, -1, framed_cosines)
LAW(gos__cable_framed_own, "cable, framed, sections", framed_own, 6, 3 + GOS_CABLE_OWN, 3,
    framed_cosines)
LAW(gos__cable_carried, "cable, carried", carried, 9, 0, -1, carried_cosines)
LAW(gos__cable_carried_own, "cable, carried, sections", carried_own, 9, GOS_CABLE_OWN, 0,
    carried_cosines)

/* ---- without a frame: W = EA eps^2/2 + EI f/2, f = c/a - b^2/a^2 (theory 1.3) ---------------- */

GOS_KERNEL static void plain_resultants(const void *par_, int nfam, const gos_batch *b) {
    GOS_UNUSED(nfam);
    const gos_cable_par *par = par_;
    const double EA = par->EA, EI = par->EIz;
    vd p[3], s[3], a = {0}, bb = {0}, c = {0};
    for (int i = 0; i < 3; i++) {
        p[i] = GOS_CV8(b->z, i);
        s[i] = GOS_CV8(b->z, 3 + i);
        a += p[i] * p[i];
        bb += p[i] * s[i];
        c += s[i] * s[i];
    }
    const vd ia = 1.0 / a, r = bb * ia, eps = 0.5 * (a - 1.0);
    const vd kp = EA * eps + EI * ia * (2 * r * r - c * ia); // EA eps + EI f_a
    const vd kb = -EI * r * ia, ks = EI * ia;                // EI f_b / 2, EI f_c
    for (int i = 0; i < 3; i++) {
        GOS_V8(b->sigma, i) = kp * p[i] + kb * s[i];
        GOS_V8(b->sigma, 3 + i) = kb * p[i] + ks * s[i];
    }
    if (b->energy) {
        GOS_V8(b->energy, 0) = 0.5 * (EA * eps * eps + EI * (c * ia - r * r));
        memset(b->power, 0, sizeof(vd));
    }
}

/* Kz -= EA p p^T and EI dk^T dk of the curvature vector k = s / A - p (p.s) / A^3, A = |p|: leaves
   the geometric part. */
GOS_INLINE void subtract_plain_material(const gos_batch *b, double EA, double EI, const vd p[3],
                                        const vd s[3], const vd *a, const vd *bb) {
    vd A, d[3][6];
    gos__v8_sqrt(a, &A);
    const vd i1 = 1.0 / A, i3 = i1 / *a, i5 = i3 / *a;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            d[i][j] = 3 * p[i] * p[j] * *bb * i5 - (s[i] * p[j] + p[i] * s[j]) * i3;
            d[i][3 + j] = -p[i] * p[j] * i3;
        }
        d[i][i] -= *bb * i3;
        d[i][3 + i] += i1;
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            vd x = EI * (d[0][i] * d[0][j] + d[1][i] * d[1][j] + d[2][i] * d[2][j]);
            if (i < 3 && j < 3) {
                x += EA * p[i] * p[j];
            }
            GOS_V8(b->Kz, i * 6 + j) -= x;
        }
    }
}

GOS_KERNEL static void plain_tangent(const void *par_, int nfam, const gos_batch *b) {
    GOS_UNUSED(nfam);
    const gos_cable_par *par = par_;
    const double EA = b->ck * par->EA, EI = 0.5 * b->ck * par->EIz;
    vd p[3], s[3], a = {0}, bb = {0}, c = {0};
    for (int i = 0; i < 3; i++) {
        p[i] = GOS_CV8(b->z, i);
        s[i] = GOS_CV8(b->z, 3 + i);
        a += p[i] * p[i];
        bb += p[i] * s[i];
        c += s[i] * s[i];
    }
    const vd i1 = 1.0 / a, i2 = i1 * i1, i3 = i2 * i1;
    const vd fa = -c * i2 + 2 * bb * bb * i3, fb = -2 * bb * i2;
    const vd faa = 2 * c * i3 - 6 * bb * bb * i3 * i1, fab = 4 * bb * i3, fac = -i2, fbb = -2 * i2;
    const vd dpp = EA * 0.5 * (a - 1.0) + EI * 2 * fa, dps = EI * fb, dss = EI * 2 * i1;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const vd pp = p[i] * p[j], ps = p[i] * s[j], sp = s[i] * p[j], ss = s[i] * s[j];
            vd kpp = EA * pp + EI * (4 * faa * pp + 2 * fab * (ps + sp) + fbb * ss);
            vd kps = EI * (2 * fab * pp + 4 * fac * ps + fbb * sp), kss = EI * fbb * pp;
            if (i == j) {
                kpp += dpp;
                kps += dps;
                kss += dss;
            }
            GOS_V8(b->Kz, i * 6 + j) = kpp;
            GOS_V8(b->Kz, i * 6 + 3 + j) = kps;
            GOS_V8(b->Kz, (3 + j) * 6 + i) = kps;
            GOS_V8(b->Kz, (3 + i) * 6 + 3 + j) = kss;
        }
    }
    if (b->geometric) {
        subtract_plain_material(b, EA, 2 * EI, p, s, &a, &bb);
    }
}

const gos_law gos__cable_plain = {
    .name = "cable, plain",
    .nz = 2,
    .ndir = 2,
    .nref = 3,
    .resultants = plain_resultants,
    .tangent = plain_tangent,
    .cosines = framed_cosines,
    .nstrain = 3,
    .nforce = 1,
    .strain_name = gos__cable_strains,
    .force_name = gos__cable_forces,
    .force_unit = "N",
    .moment_unit = "N m",
    .strains = framed_strains,
};
