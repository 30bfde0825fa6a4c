/* Cable law with transported section frames (theory 2.2 B). Each point stores tangent and d2 of the
 * last step, (t*, d2*). Components as in kernel_cable.c. */

/* The minimal rotation from t* to t gives
 *
 *     d2 = d2* - (t.d2*)/(1 + t.t*) (t + t*).
 *
 * Its derivative contains a rotation about t by
 *
 *     psi = l2 x3 - l3 x2,   l_i = (t*.d_i)/(1 + t.t*)   ("lean"),
 *
 * which vanishes with the step size. Virtual displacements do not twist, so forces and rates omit
 * psi:
 *
 *     d k2 = -k2 x_t - tau x2 + y2,   d k3 = -k3 x_t - tau x3 + y3.
 *
 * With psi they would have a first-order error, by the rotation of a step. Nothing jumps when a
 * step is accepted. The tangent includes the moving frame and is unsymmetric: without twist the
 * moments have no potential. */
#include "line/cable_frame.h"

/* Between points nothing is stored: use the initial (t, d2). */
GOS_INLINE const double *memory_of(const gos_batch *b) {
    return b->mem ? b->mem : b->ref;
}

GOS_INLINE void frame_make(const double *z, const double *mem, frame *f, vd lean[2]) {
    const vd zero = {0};
    vd a = zero, A, c = zero, m = zero, t[3], d[3];
    for (int i = 0; i < 3; i++) {
        a += GOS_CV8(z, i) * GOS_CV8(z, i);
    }
    gos__v8_sqrt(&a, &A);
    A = 1.0 / A;
    for (int i = 0; i < 3; i++) {
        t[i] = A * GOS_CV8(z, i);
        c += t[i] * GOS_CV8(mem, i);
        m += t[i] * GOS_CV8(mem, 3 + i);
    }
    const vd e = 1.0 / (1.0 + c);
    for (int i = 0; i < 3; i++) {
        d[i] = GOS_CV8(mem, 3 + i) - e * m * (t[i] + GOS_CV8(mem, i));
    }
    const vd b[3] = {t[1] * d[2] - t[2] * d[1], t[2] * d[0] - t[0] * d[2],
                     t[0] * d[1] - t[1] * d[0]};
    vd tau = zero, k2 = zero, k3 = zero;
    lean[0] = lean[1] = zero;
    for (int i = 0; i < 3; i++) {
        const vd s = A * GOS_CV8(z, 3 + i);
        f->R[0][i] = t[i], f->R[1][i] = d[i], f->R[2][i] = b[i];
        tau += t[i] * s;
        k2 += d[i] * s;
        k3 += b[i] * s;
        lean[0] += e * d[i] * GOS_CV8(mem, i);
        lean[1] += e * b[i] * GOS_CV8(mem, i);
    }
    f->a = a, f->A = A, f->tau = tau, f->k2 = k2, f->k3 = k3;
    f->eps = 0.5 * (a - 1.0);
}

GOS_INLINE void strain_rates(const frame *f, const vd u[9], vd r[3]) {
    r[0] = f->a * u[0];
    r[1] = -f->k2 * u[0] - f->tau * u[1] + u[4];
    r[2] = -f->k3 * u[0] - f->tau * u[2] + u[5];
}

/* Frame, frame rates and strain rates; zero without rates. */
GOS_INLINE void motion(const gos_batch *b, frame *f, vd lean[2], vd u[9], vd r[3]) {
    frame_make(b->z, memory_of(b), f, lean);
    memset(u, 0, 9 * sizeof *u);
    memset(r, 0, 3 * sizeof *r);
    if (b->zd) {
        frame_rates(f, 6, b->zd, u);
        strain_rates(f, u, r);
    }
}

GOS_INLINE void resultants(const void *par, int nfam, const gos_batch *b, const int own) {
    frame f;
    vd lean[2], u[9], r[3], M[3];
    motion(b, &f, lean, u, r);
    const vd e[3] = {f.eps, f.k2, f.k3};
    section_forces(par, own, nfam, b, e, r, M);
    const vd Xt = f.A * (M[0] * f.a - M[1] * f.k2 - M[2] * f.k3);
    const vd Y2 = f.A * M[1], Y3 = f.A * M[2], X2 = -f.tau * Y2, X3 = -f.tau * Y3;
    for (int i = 0; i < 3; i++) {
        GOS_V8(b->sigma, i) = Xt * f.R[0][i] + X2 * f.R[1][i] + X3 * f.R[2][i];
        GOS_V8(b->sigma, 3 + i) = Y2 * f.R[1][i] + Y3 * f.R[2][i];
    }
}

/* x += w psi */
GOS_INLINE void add_psi(const vd lean[2], const vd *w, vd x[9]) {
    x[1] -= lean[1] * *w;
    x[2] += lean[0] * *w;
}

/* Gradients g without psi; h: derivatives of the strain rates by z. */
GOS_INLINE void gradients_make(const frame *f, const vd lean[2], const vd u[9], const vd r[3],
                               gradients *d) {
    const vd zero = {0}, one = zero + 1.0, k2 = f->k2, k3 = f->k3, tau = f->tau;
    const vd g[3][9] = {{f->a, zero, zero, zero, zero, zero, zero, zero, zero},
                        {-k2, -tau, zero, zero, one, zero, zero, zero, zero},
                        {-k3, zero, -tau, zero, zero, one, zero, zero, zero}};
    const vd h23 = -k3 * u[1] - k2 * u[2], back = -r[1];
    const vd h[3][9] = {{f->a * u[0], f->a * u[1], f->a * u[2], zero, zero, zero, zero, zero, zero},
                        {2 * (k2 * u[0] + tau * u[1]) - u[4], 2 * (tau * u[0] - k2 * u[1]) - u[3],
                         h23, -u[1], -u[0], zero, zero, zero, zero},
                        {2 * (k3 * u[0] + tau * u[2]) - u[5], h23,
                         2 * (tau * u[0] - k3 * u[2]) - u[3], -u[2], zero, -u[0], zero, zero,
                         zero}};
    memcpy(d->g, g, sizeof g);
    memcpy(d->h, h, sizeof h);
    add_psi(lean, &r[2], d->h[1]);
    add_psi(lean, &back, d->h[2]);
}

/* K += rotation and stretch terms of the forces N. */
GOS_INLINE void add_geometric(const frame *f, const vd lean[2], vd *K, const vd N[3]) {
    const int n = 6;
    const vd k2 = f->k2, k3 = f->k3, tau = f->tau, n1 = f->a * N[0];
    const vd t2 = 2 * tau * N[1], t3 = 2 * tau * N[2];
    AT(0, 0) += n1 + 2 * (k2 * N[1] + k3 * N[2]);
    AT(1, 1) += n1 - 2 * k2 * N[1] - k3 * N[2];
    AT(2, 2) += n1 - k2 * N[1] - 2 * k3 * N[2];
    AT(0, 1) += t2, AT(1, 0) += t2;
    AT(0, 2) += t3, AT(2, 0) += t3;
    AT(1, 2) -= k3 * N[1];
    AT(2, 1) -= k2 * N[2];
    AT(0, 4) -= N[1], AT(4, 0) -= N[1];
    AT(0, 5) -= N[2], AT(5, 0) -= N[2];
    AT(1, 3) -= N[1], AT(3, 1) -= N[1];
    AT(2, 3) -= N[2], AT(3, 2) -= N[2];
    const vd zero = {0};
    const vd turn[6] = {k2 * N[2] - k3 * N[1], tau * N[2], -tau * N[1], zero, -N[2], N[1]};
    for (int i = 0; i < 6; i++) {
        add_psi(lean, &turn[i], K + i * n);
    }
}

GOS_INLINE void tangent(const gos_cable_par *par, int nfam, const gos_batch *b, const int own) {
    const double ga = par->gamma;
    const int n = 6;
    section c;
    section_make(par, b, own, &c);
    const vd *D = c.D;
    frame f;
    gradients d;
    vd lean[2], u[9], r[3], K[36], N[3];
    motion(b, &f, lean, u, r);
    vd e[3] = {f.eps, f.k2, f.k3};
    subtract_free_strains(par, &c, own, nfam, b, e);
    gradients_make(&f, lean, u, r, &d);
    memset(K, 0, sizeof K);
    const vd turned[3] = {{0}, f.k3, -f.k2}; // of eps, k2, k3 with psi
    const double cm = b->geometric ? 0 : b->ck, kd = cm + ga * b->cd, kg = cm * ga;
    for (int k = 0; k < 3; k++) {
        vd change[9];
        for (int j = 0; j < 6; j++) {
            change[j] = D[k] * (kd * d.g[k][j] + kg * d.h[k][j]);
        }
        const vd w = cm * D[k] * turned[k];
        add_psi(lean, &w, change);
        N[k] = b->ck * D[k] * (e[k] + ga * r[k]);
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) {
                AT(i, j) += d.g[k][i] * change[j];
            }
        }
    }
    add_geometric(&f, lean, K, N);
    turn_back(par, &c, nfam, b, 6, &f, &d, r, K);
}

GOS_KERNEL static void transported_cosines(const void *par, const gos_batch *b, const double *u,
                                           double *c, double *dc) {
    GOS_UNUSED(par);
    frame f;
    vd lean[2], r[3];
    frame_make(b->z, memory_of(b), &f, lean);
    for (int i = 0; i < 3; i++) {
        r[i] = u[0] * f.R[i][0] + u[1] * f.R[i][1] + u[2] * f.R[i][2];
    }
    GOS_V8(c, 0) = -r[1];
    GOS_V8(c, 1) = -r[2];
    for (int i = 0; dc && i < 3; i++) {
        const vd zero = {0};
        GOS_V8(dc, i) = f.A * ((r[0] + lean[1] * r[2]) * f.R[1][i] - lean[0] * r[2] * f.R[2][i]);
        GOS_V8(dc, 6 + i) =
            f.A * ((r[0] + lean[0] * r[1]) * f.R[2][i] - lean[1] * r[1] * f.R[1][i]);
        GOS_V8(dc, 3 + i) = GOS_V8(dc, 9 + i) = zero;
    }
}

GOS_INLINE void strains(const void *par, int nfam, const gos_batch *b, double *strain,
                        double *force, const int own) {
    frame f;
    vd lean[2], u[9], r[3];
    motion(b, &f, lean, u, r);
    const vd e[3] = {f.eps, f.k2, f.k3};
    put_strains(par, own, nfam, b, e, r, strain, force);
}

/* Stores the frame; one Newton step towards |d2| = 1, d2.t = 0 against round-off. */
GOS_KERNEL static void transported_accept(const void *par, int nfam, const gos_batch *b,
                                          double *mem) {
    GOS_UNUSED(par);
    GOS_UNUSED(nfam);
    frame f;
    vd lean[2], along = {0}, square = {0};
    frame_make(b->z, memory_of(b), &f, lean);
    for (int i = 0; i < 3; i++) {
        along += f.R[0][i] * f.R[1][i];
        square += f.R[1][i] * f.R[1][i];
    }
    for (int i = 0; i < 3; i++) {
        GOS_V8(mem, i) = f.R[0][i];
        GOS_V8(mem, 3 + i) = (1.5 - 0.5 * square) * f.R[1][i] - along * f.R[0][i];
    }
}

/* One law, for the body's or each point's section. */
#define LAW(symbol, text, kernel, refs, own)                                                       \
    GOS_KERNEL static void kernel##_resultants(const void *par, int nfam, const gos_batch *b) {    \
        resultants(par, nfam, b, own);                                                             \
    }                                                                                              \
    GOS_KERNEL static void kernel##_tangent(const void *par, int nfam, const gos_batch *b) {       \
        tangent(par, nfam, b, own);                                                                \
    }                                                                                              \
    GOS_KERNEL static void kernel##_strains(const void *par, int nfam, const gos_batch *b,         \
                                            double *strain, double *force) {                       \
        strains(par, nfam, b, strain, force, own);                                                 \
    }                                                                                              \
    const gos_law symbol = {.name = text,                                                          \
                            .nz = 2,                                                               \
                            .ndir = 2,                                                             \
                            .nref = refs,                                                          \
                            .nmem = 6,                                                             \
                            .resultants = kernel##_resultants,                                     \
                            .tangent = kernel##_tangent,                                           \
                            .cosines = transported_cosines,                                        \
                            .nstrain = 3,                                                          \
                            .nforce = 1,                                                           \
                            .strain_name = gos__cable_strains,                                     \
                            .force_name = gos__cable_forces,                                       \
                            .force_unit = "N",                                                     \
                            .moment_unit = "N m",                                                  \
                            .strains = kernel##_strains,                                           \
                            .accept = transported_accept};

LAW(gos__cable_transported, "cable, transported", transported, 6, -1)
LAW(gos__cable_transported_own, "cable, transported, sections", transported_own, 6 + GOS_CABLE_OWN,
    6)
