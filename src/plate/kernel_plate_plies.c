/* Constitutive kernel of orthotropic and laminated thin ANCF plates (theory 2.7, Laminates):
 * resultants C (x - free_T T - free_Tz T_z) + V dx/dt of the strains x = (E_11, E_22, 2 E_12, b_11,
 * b_22, 2 b_12), any symmetric C, V. */
#include "plate/plate_law.h"
#include "plate/plate_strains.h"

typedef gos_plate_plies_par law_par;

/* S0 elastic, Sv viscous; x: elastic strains, u: rates */
typedef struct resultants {
    vd S[6], S0[6], Sv[6], x[6], u[6];
} resultants;

GOS_INLINE void multiply(const double m[6][6], const vd x[6], vd y[6]) {
    for (int i = 0; i < 6; i++) {
        y[i] = m[i][0] * x[0] + m[i][1] * x[1] + m[i][2] * x[2] + m[i][3] * x[3] + m[i][4] * x[4] +
               m[i][5] * x[5];
    }
}

GOS_INLINE void dot6(const vd x[6], const vd y[6], vd *d) {
    *d = x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3] + x[4] * y[4] + x[5] * y[5];
}

GOS_INLINE void weigh(const double w[6], const vd x[6], vd *d) {
    *d = w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] * x[3] + w[4] * x[4] + w[5] * x[5];
}

GOS_INLINE void resultants_make(const law_par *p, const geometry *g, const rates *r,
                                const double *th, int nfam, resultants *s) {
    const vd zero = {0};
    for (int i = 0; i < 3; i++) {
        s->x[i] = g->E[i];
        s->x[3 + i] = g->b[i];
        s->u[i] = r ? r->E[i] : zero;
        s->u[3 + i] = r ? r->k[i] : zero;
    }
    if (th && nfam > 0) {
        for (int i = 0; i < 6; i++) {
            s->x[i] -= p->free[0][i] * GOS_CV8(th, 0) + p->free[1][i] * GOS_CV8(th, 1);
        }
    }
    multiply(p->C, s->x, s->S0);
    for (int i = 0; i < 6; i++) {
        s->Sv[i] = zero;
    }
    if (r && p->damped) {
        multiply(p->V, s->u, s->Sv);
    }
    for (int i = 0; i < 6; i++) {
        s->S[i] = s->S0[i] + s->Sv[i];
    }
}

GOS_KERNEL static void plies_resultants(const void *par_, int nfam, const gos_batch *b) {
    const law_par *p = par_;
    const vd zero = {0};
    geometry g;
    rates r;
    resultants s;
    geometry_make(b->z, &g);
    if (b->zd) {
        rates_make(&g, b->zd, &r);
    }
    resultants_make(p, &g, b->zd ? &r : NULL, b->th, nfam, &s);
    put_forces(&g, s.S, s.S + 3, b->sigma);
    vd P = zero;
    if (b->zd) {
        dot6(s.Sv, s.u, &P);
    }
    if (b->heat && b->th && b->zd) {
        vd Hu[6], Q, T, Tz;
        multiply(p->H, s.u, Hu);
        dot6(Hu, s.u, &Q);
        weigh(p->F[0], s.u, &T);
        weigh(p->F[1], s.u, &Tz);
        GOS_V8(b->heat, 0) += p->viscous * P - p->T0 * T;
        GOS_V8(b->heat, 1) += p->viscous * Q - p->T0 * Tz;
    }
    if (b->energy) {
        vd x;
        dot6(s.S0, s.x, &x);
        GOS_V8(b->energy, 0) = 0.5 * x;
        GOS_V8(b->power, 0) = P;
        for (int f = 0; f < 2; f++) {
            weigh(p->free[f], s.S0, &x);
            GOS_V8(b->dwdth, f) = -x;
        }
        GOS_V8(b->dwdth, 2) = zero;
    }
}

/* Columns of Kz by the vector of curvature l, component c. */
GOS_INLINE void curvature_column(const double C[6][6], const double V[6][6], const geometry *g,
                                 const rates *r, int l, int c, vd col[6]) {
    for (int i = 0; i < 6; i++) {
        col[i] = factor_of[l] * C[i][3 + l] * g->f.n[c];
        if (r) {
            col[i] += factor_of[l] * V[i][3 + l] * r->n[c];
        }
    }
}

/* Material part sum_ij g_i (C_ij g_j + V_ij d_j) of Kz; curvature gradients also have n by their
 * own vector, with rate dn. */
GOS_INLINE void material_part(const double C[6][6], const double V[6][6], const geometry *g,
                              const rates *r, gradients *o, double *Kz) {
    vd R[6][6];
    for (int j = 0; j < 6; j++) {
        vd y[6], v[6];
        const vd at[6] = {o->g[0][j], o->g[1][j], o->g[2][j], o->g[3][j], o->g[4][j], o->g[5][j]};
        multiply(C, at, y);
        if (r) {
            const vd d[6] = {o->d[0][j], o->d[1][j], o->d[2][j],
                             o->d[3][j], o->d[4][j], o->d[5][j]};
            multiply(V, d, v);
            for (int i = 0; i < 6; i++) {
                y[i] += v[i];
            }
        }
        for (int i = 0; i < 6; i++) {
            R[i][j] = y[i];
        }
        for (int i = 0; i < 6; i++) {
            vd x;
            const vd left[6] = {o->g[0][i], o->g[1][i], o->g[2][i],
                                o->g[3][i], o->g[4][i], o->g[5][i]};
            dot6(left, y, &x);
            GOS_V8(Kz, i * 15 + j) = x;
        }
    }
    for (int l = 0; l < 3; l++) {
        const int q = 3 * vector_of[l];
        for (int c = 0; c < 3; c++) {
            vd col[6], x;
            curvature_column(C, V, g, r, l, c, col);
            for (int i = 0; i < 6; i++) {
                const vd left[6] = {o->g[0][i], o->g[1][i], o->g[2][i],
                                    o->g[3][i], o->g[4][i], o->g[5][i]};
                dot6(left, col, &x);
                GOS_V8(Kz, i * 15 + q + c) = x;
                GOS_V8(Kz, (q + c) * 15 + i) = factor_of[l] * g->f.n[c] * R[3 + l][i];
            }
            for (int k = 0; k < 3; k++) {
                for (int i = 0; i < 3; i++) {
                    GOS_V8(Kz, (3 * vector_of[k] + i) * 15 + q + c) =
                        factor_of[k] * g->f.n[i] * col[3 + k];
                }
            }
        }
    }
}

/* dsigma/dT_f = -F_f times the strain gradients */
GOS_INLINE void thermal_tangent(const law_par *p, const geometry *g, gradients *o, int nfam,
                                double *G) {
    for (int f = 0; f < 2; f++) {
        for (int c = 0; c < 6; c++) {
            const vd at[6] = {o->g[0][c], o->g[1][c], o->g[2][c],
                              o->g[3][c], o->g[4][c], o->g[5][c]};
            vd x;
            weigh(p->F[f], at, &x);
            GOS_V8(G, c * nfam + f) = -x;
        }
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) {
                GOS_V8(G, (3 * vector_of[k] + c) * nfam + f) =
                    -factor_of[k] * p->F[f][3 + k] * g->f.n[c];
            }
        }
    }
}

/* Derivatives of the Gough-Joule and viscous heat by z and zd. */
GOS_INLINE void heat_tangent(const law_par *p, const geometry *g, const rates *r,
                             const resultants *s, gradients *o, const gos_batch *b) {
    const double w = 2 * p->viscous, hk = b->hk, hd = b->hd;
    vd by[2][6]; // heat by strain rates
    multiply(p->H, s->u, by[1]);
    for (int i = 0; i < 6; i++) {
        by[0][i] = w * s->Sv[i] - p->T0 * p->F[0][i];
        by[1][i] = w * by[1][i] - p->T0 * p->F[1][i];
    }
    for (int f = 0; f < 2; f++) {
        for (int c = 0; c < 6; c++) {
            vd v[6], x;
            for (int k = 0; k < 6; k++) {
                v[k] = hk * o->d[k][c] + hd * o->g[k][c];
            }
            dot6(by[f], v, &x);
            GOS_V8(b->Hz, f * 15 + c) += x;
        }
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) {
                GOS_V8(b->Hz, f * 15 + 3 * vector_of[k] + c) +=
                    factor_of[k] * by[f][3 + k] * (hk * r->n[c] + hd * g->f.n[c]);
            }
        }
    }
}

GOS_KERNEL static void plies_tangent(const void *par_, int nfam, const gos_batch *b) {
    const law_par *p = par_;
    geometry g;
    rates r;
    resultants s;
    gradients o;
    double C[6][6], V[6][6];
    geometry_make(b->z, &g);
    if (b->zd) {
        rates_make(&g, b->zd, &r);
    }
    const rates *moving = b->zd ? &r : NULL;
    resultants_make(p, &g, moving, b->th, nfam, &s);
    gradients_make(&g, moving, &o);
    const double cm = b->geometric ? 0 : b->ck;
    for (int i = 0; i < 36; i++) {
        C[i / 6][i % 6] = cm * p->C[i / 6][i % 6] + b->cd * p->V[i / 6][i % 6];
        V[i / 6][i % 6] = cm * p->V[i / 6][i % 6];
    }
    material_part((const double(*)[6])C, (const double(*)[6])V, &g, moving, &o, b->Kz);
    for (int i = 0; i < 6; i++) {
        s.S[i] *= b->ck;
    }
    add_geometric(&g, s.S, s.S + 3, b->Kz);
    if (b->G && b->th) {
        thermal_tangent(p, &g, &o, nfam, b->G);
    }
    if (b->Hz && b->th && b->zd) {
        heat_tangent(p, &g, &r, &s, &o, b);
    }
}

GOS_KERNEL static void plies_strains(const void *par_, int nfam, const gos_batch *b, double *strain,
                                     double *force) {
    const law_par *p = par_;
    geometry g;
    rates r;
    resultants s;
    geometry_make(b->z, &g);
    if (b->zd) {
        rates_make(&g, b->zd, &r);
    }
    resultants_make(p, &g, b->zd ? &r : NULL, b->th, nfam, &s);
    for (int k = 0; k < 3; k++) {
        GOS_V8(strain, k) = g.E[k];
        GOS_V8(strain, 3 + k) = g.b[k];
    }
    for (int k = 0; k < 6; k++) {
        GOS_V8(force, k) = s.S[k];
    }
}

const gos_law gos__plate_plies_law = {
    .name = "plate of plies",
    .nz = 5,
    .ndir = 1,
    .resultants = plies_resultants,
    .tangent = plies_tangent,
    .cosines = gos__plate_cosines,
    .nstrain = 6,
    .nforce = 3,
    .strain_name = gos__plate_strain_names,
    .force_name = gos__plate_force_names,
    .force_unit = "N/m",
    .moment_unit = "N",
    .strains = plies_strains,
};
