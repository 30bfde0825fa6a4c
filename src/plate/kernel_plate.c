/* Constitutive kernel of the thin ANCF plate, GOS_LANES points at a time (theory 2.7). */

/* Strains: E_ab = (r_a . r_b - delta)/2 depend on r_1, r_2; b_ab = n . r_ab also on the normal and
 * one second derivative each, with gradient n (normal.h). With
 *
 *     D = [1 nu 0; nu 1 0; 0 0 (1 - nu)/2],  e = E - alpha T,  k = b + alpha T_z
 *
 * the membrane resultants are D (A e + C k), moments D (C e + B k), plus the same with damped D and
 * strain rates. C is nonzero for layers off the midsurface (plate_layers.c). Engineering strains 2
 * E_12, 2 b_12: every third gradient is doubled. */
#include "plate/plate_law.h"
#include "plate/plate_strains.h"

/* y = D x, normal entries times gn, shear times gs */
GOS_INLINE void stiffness(const gos_plate_par *p, double gn, double gs, const vd x[3], vd y[3]) {
    y[0] = gn * (x[0] + p->nu * x[1]);
    y[1] = gn * (p->nu * x[0] + x[1]);
    y[2] = (0.5 * gs * (1 - p->nu)) * x[2];
}

/* y += the same */
GOS_INLINE void add_stiffness(const gos_plate_par *p, double gn, double gs, const vd x[3],
                              vd y[3]) {
    vd more[3];
    stiffness(p, gn, gs, x, more);
    for (int i = 0; i < 3; i++) {
        y[i] += more[i];
    }
}

/* N = D (A e + C k), M = D (C e + B k) */
GOS_INLINE void resultants_of(const gos_plate_par *p, double gn, double gs, const vd e[3],
                              const vd k[3], vd N[3], vd M[3]) {
    stiffness(p, p->A * gn, p->A * gs, e, N);
    stiffness(p, p->B * gn, p->B * gs, k, M);
    if (p->C != 0) {
        add_stiffness(p, p->C * gn, p->C * gs, k, N);
        add_stiffness(p, p->C * gn, p->C * gs, e, M);
    }
}

/* Elastic strains: total minus thermal. */
GOS_INLINE void elastic(const gos_plate_par *p, const geometry *g, const double *th, int nfam,
                        vd e[3], vd k[3]) {
    for (int i = 0; i < 3; i++) {
        e[i] = g->E[i];
        k[i] = g->b[i];
    }
    if (th && nfam > 0) {
        const vd T = p->alpha * GOS_CV8(th, 0), Tz = p->alpha * GOS_CV8(th, 1);
        e[0] -= T, e[1] -= T;
        k[0] += Tz, k[1] += Tz;
    }
}

/* N0, M0: elastic parts; r NULL: at rest */
typedef struct stresses {
    vd N[3], M[3], N0[3], M0[3], Nv[3], Mv[3], e[3], k[3];
} stresses;

GOS_INLINE void stresses_make(const gos_plate_par *p, const geometry *g, const rates *r,
                              const double *th, int nfam, stresses *s) {
    const vd zero = {0};
    elastic(p, g, th, nfam, s->e, s->k);
    resultants_of(p, 1, 1, s->e, s->k, s->N0, s->M0);
    for (int i = 0; i < 3; i++) {
        s->Nv[i] = s->Mv[i] = zero;
    }
    if (r) {
        resultants_of(p, p->gamma_n, p->gamma_s, r->E, r->k, s->Nv, s->Mv);
    }
    for (int i = 0; i < 3; i++) {
        s->N[i] = s->N0[i] + s->Nv[i];
        s->M[i] = s->M0[i] + s->Mv[i];
    }
}

GOS_KERNEL static void plate_resultants(const void *par_, int nfam, const gos_batch *b) {
    const gos_plate_par *p = par_;
    geometry g;
    rates r;
    stresses s;
    geometry_make(b->z, &g);
    if (b->zd) {
        rates_make(&g, b->zd, &r);
    }
    stresses_make(p, &g, b->zd ? &r : NULL, b->th, nfam, &s);
    put_forces(&g, s.N, s.M, b->sigma);
    vd P = {0}, x;
    if (b->zd) {
        gos__v8_dot(s.Nv, r.E, &P);
        gos__v8_dot(s.Mv, r.k, &x);
        P += x;
    }
    if (b->heat && b->th && b->zd) {
        const double te = p->T0 * p->alpha * (1 + p->nu);
        const vd E = r.E[0] + r.E[1], k = r.k[0] + r.k[1];
        GOS_V8(b->heat, 0) += p->viscous * P - te * (p->A * E + p->C * k);
        GOS_V8(b->heat, 1) += p->viscous * p->zeta * P + te * (p->C * E + p->B * k);
    }
    if (b->energy) {
        const vd zero = {0};
        gos__v8_dot(s.N0, s.e, &GOS_V8(b->energy, 0));
        gos__v8_dot(s.M0, s.k, &x);
        GOS_V8(b->energy, 0) = 0.5 * (GOS_CV8(b->energy, 0) + x);
        GOS_V8(b->power, 0) = P;
        GOS_V8(b->dwdth, 0) = -p->alpha * (s.N0[0] + s.N0[1]);
        GOS_V8(b->dwdth, 1) = p->alpha * (s.M0[0] + s.M0[1]);
        GOS_V8(b->dwdth, 2) = zero;
    }
}

/* R_i = sum_j C_ij g_j + V_ij d_j by r_1, r_2: rows R for membrane strains, S for curvatures */
GOS_INLINE void stiff_rows(const gos_plate_par *p, const double c[2], const double v[2],
                           const gradients *o, vd R[3][6], vd S[3][6]) {
    for (int i = 0; i < 6; i++) {
        const vd e[3] = {o->g[0][i], o->g[1][i], o->g[2][i]};
        const vd k[3] = {o->g[3][i], o->g[4][i], o->g[5][i]};
        const vd de[3] = {o->d[0][i], o->d[1][i], o->d[2][i]};
        const vd dk[3] = {o->d[3][i], o->d[4][i], o->d[5][i]};
        vd N[3], M[3], Nv[3], Mv[3];
        resultants_of(p, c[0], c[1], e, k, N, M);
        resultants_of(p, v[0], v[1], de, dk, Nv, Mv);
        for (int j = 0; j < 3; j++) {
            R[j][i] = N[j] + Nv[j];
            S[j][i] = M[j] + Mv[j];
        }
    }
}

/* Material part sum_i g_i R_i^T of Kz; curvature gradients also have n by their own vector. */
GOS_INLINE void material_part(const gos_plate_par *p, const geometry *g, const rates *r,
                              const gos_batch *b, gradients *o, double *Kz) {
    const double cm = b->geometric ? 0 : b->ck;
    const double c_[2] = {cm + b->cd * p->gamma_n, cm + b->cd * p->gamma_s};
    const double v_[2] = {cm * p->gamma_n, cm * p->gamma_s};
    const vd zero = {0}, none[3] = {zero, zero, zero};
    vd R[3][6], S[3][6];
    stiff_rows(p, c_, v_, o, R, S);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            vd x = zero;
            for (int k = 0; k < 3; k++) {
                x += o->g[k][i] * R[k][j] + o->g[3 + k][i] * S[k][j];
            }
            GOS_V8(Kz, i * 15 + j) = x;
        }
    }
    for (int l = 0; l < 3; l++) { // by the vector of curvature l: C_kl n + V_kl dn
        const vd e[3] = {zero + factor_of[l] * (l == 0), zero + factor_of[l] * (l == 1),
                         zero + factor_of[l] * (l == 2)};
        vd N[3], Nv[3], C[3], V[3];
        resultants_of(p, c_[0], c_[1], none, e, N, C);
        resultants_of(p, v_[0], v_[1], none, e, Nv, V);
        const int q = 3 * vector_of[l];
        for (int c = 0; c < 3; c++) {
            vd col[3], mem[3];
            for (int k = 0; k < 3; k++) {
                col[k] = C[k] * g->f.n[c];
                mem[k] = N[k] * g->f.n[c];
                if (r) {
                    col[k] += V[k] * r->n[c];
                    mem[k] += Nv[k] * r->n[c];
                }
            }
            for (int i = 0; i < 6; i++) {
                vd x = o->g[3][i] * col[0] + o->g[4][i] * col[1] + o->g[5][i] * col[2];
                if (p->C != 0) {
                    x += o->g[0][i] * mem[0] + o->g[1][i] * mem[1] + o->g[2][i] * mem[2];
                }
                GOS_V8(Kz, i * 15 + q + c) = x;
                GOS_V8(Kz, (q + c) * 15 + i) = factor_of[l] * g->f.n[c] * S[l][i];
            }
            for (int k = 0; k < 3; k++) {
                for (int i = 0; i < 3; i++) {
                    GOS_V8(Kz, (3 * vector_of[k] + i) * 15 + q + c) =
                        factor_of[k] * g->f.n[i] * col[k];
                }
            }
        }
    }
}

/* dsigma/dT = -alpha (1 + nu) (A grad (E_11 + E_22) + C grad (b_11 + b_22)); by T_z with C, B and a
 * plus sign */
GOS_INLINE void thermal_tangent(const gos_plate_par *p, const geometry *g, gradients *o, int nfam,
                                double *G) {
    const double a = p->alpha * (1 + p->nu);
    for (int c = 0; c < 6; c++) {
        const vd E = o->g[0][c] + o->g[1][c], k = o->g[3][c] + o->g[4][c];
        GOS_V8(G, c * nfam) = -a * (p->A * E + p->C * k);
        GOS_V8(G, c * nfam + 1) = a * (p->C * E + p->B * k);
    }
    for (int c = 0; c < 3; c++) {
        GOS_V8(G, (6 + c) * nfam) = GOS_V8(G, (9 + c) * nfam) = -a * p->C * g->f.n[c];
        GOS_V8(G, (6 + c) * nfam + 1) = GOS_V8(G, (9 + c) * nfam + 1) = a * p->B * g->f.n[c];
    }
}

/* Derivatives of the Gough-Joule and viscous heat by z and zd. */
GOS_INLINE void heat_tangent(const gos_plate_par *p, const geometry *g, const rates *r,
                             const stresses *s, gradients *o, const gos_batch *b) {
    const double te = p->T0 * p->alpha * (1 + p->nu), w = 2 * p->viscous;
    const double hk = b->hk, hd = b->hd;
    for (int c = 0; c < 6; c++) {
        vd v[6], q = {0};
        for (int k = 0; k < 6; k++) {
            v[k] = hk * o->d[k][c] + hd * o->g[k][c];
        }
        for (int k = 0; k < 3; k++) {
            q += s->Nv[k] * v[k] + s->Mv[k] * v[3 + k];
        }
        const vd E = v[0] + v[1], k = v[3] + v[4];
        GOS_V8(b->Hz, c) += w * q - te * (p->A * E + p->C * k);
        GOS_V8(b->Hz, 15 + c) += w * p->zeta * q + te * (p->C * E + p->B * k);
    }
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++) {
            const vd v = factor_of[k] * (hk * r->n[c] + hd * g->f.n[c]);
            const int q = 3 * vector_of[k] + c;
            GOS_V8(b->Hz, q) += w * s->Mv[k] * v;
            GOS_V8(b->Hz, 15 + q) += w * p->zeta * s->Mv[k] * v;
            if (k < 2) {
                GOS_V8(b->Hz, q) -= te * p->C * v;
                GOS_V8(b->Hz, 15 + q) += te * p->B * v;
            }
        }
    }
}

GOS_KERNEL static void plate_tangent(const void *par_, int nfam, const gos_batch *b) {
    const gos_plate_par *p = par_;
    geometry g;
    rates r;
    stresses s;
    gradients o;
    geometry_make(b->z, &g);
    if (b->zd) {
        rates_make(&g, b->zd, &r);
    }
    const rates *moving = b->zd ? &r : NULL;
    stresses_make(p, &g, moving, b->th, nfam, &s);
    gradients_make(&g, moving, &o);
    material_part(p, &g, moving, b, &o, b->Kz);
    vd N[3], M[3];
    for (int k = 0; k < 3; k++) {
        N[k] = b->ck * s.N[k];
        M[k] = b->ck * s.M[k];
    }
    add_geometric(&g, N, M, b->Kz);
    if (b->G && b->th) {
        thermal_tangent(p, &g, &o, nfam, b->G);
    }
    if (b->Hz && b->th && b->zd) {
        heat_tangent(p, &g, &r, &s, &o, b);
    }
}

/* c = -u . n, as a curvature with z = -u */
GOS_KERNEL void gos__plate_cosines(const void *par_, const gos_batch *b, const double *u, double *c,
                                   double *dc) {
    GOS_UNUSED(par_);
    const vd zero = {0};
    gos_normal f;
    vd x[3], y[3], h[3];
    gos__v8_load3(b->z, 0, x);
    gos__v8_load3(b->z, 1, y);
    gos__normal_make(x, y, &f);
    const vd v[3] = {zero - u[0], zero - u[1], zero - u[2]};
    gos__v8_dot(f.n, v, &GOS_V8(c, 0));
    if (dc) {
        gos__normal_h(&f, v, h);
        gos__normal_pull(&f, h, x, y);
        for (int i = 0; i < 3; i++) {
            GOS_V8(dc, i) = x[i];
            GOS_V8(dc, 3 + i) = y[i];
            GOS_V8(dc, 6 + i) = GOS_V8(dc, 9 + i) = GOS_V8(dc, 12 + i) = zero;
        }
    }
}

GOS_KERNEL static void plate_strains(const void *par_, int nfam, const gos_batch *b, double *strain,
                                     double *force) {
    const gos_plate_par *p = par_;
    geometry g;
    rates r;
    stresses s;
    geometry_make(b->z, &g);
    if (b->zd) {
        rates_make(&g, b->zd, &r);
    }
    stresses_make(p, &g, b->zd ? &r : NULL, b->th, nfam, &s);
    for (int k = 0; k < 3; k++) {
        GOS_V8(strain, k) = g.E[k];
        GOS_V8(strain, 3 + k) = g.b[k];
        GOS_V8(force, k) = s.N[k];
        GOS_V8(force, 3 + k) = s.M[k];
    }
}

const char *const gos__plate_strain_names[] = {"E11", "E22", "2E12", "b11", "b22", "2b12"};
const char *const gos__plate_force_names[] = {"N11", "N22", "N12", "M11", "M22", "M12"};

const gos_law gos__plate_law = {
    .name = "plate",
    .nz = 5,
    .ndir = 1,
    .resultants = plate_resultants,
    .tangent = plate_tangent,
    .cosines = gos__plate_cosines,
    .nstrain = 6,
    .nforce = 3,
    .strain_name = gos__plate_strain_names,
    .force_name = gos__plate_force_names,
    .force_unit = "N/m",
    .moment_unit = "N",
    .strains = plate_strains,
};
