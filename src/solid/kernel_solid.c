/* Constitutive kernel of solids, GOS_LANES points at a time. */

/* With the columns F_q of the deformation gradient, E_qr = (F_q . F_r - delta_qr)/2 and e = E -
 * alpha T I:
 *
 *     S = lambda tr(e) I + 2 mu e + lambda_v tr(E') I + 2 mu_v E',   sigma_q = sum_r S_qr F_r
 *
 * (columns of the first Piola-Kirchhoff stress). The derivative by F_s is
 *
 *     S_qs I + F_q (lambda F_s + lambda_v F'_s)^T + F_s (mu F_q + mu_v F'_q)^T
 *            + delta_qs sum_r F_r (mu F_r + mu_v F'_r)^T;
 *
 * that by F'_s has no S term and lambda_v, mu_v for lambda, mu.
 *
 * Temperature-dependent constants (par->over; solid_law.c): alpha T becomes a(T), and
 *
 *     dS/dT = lambda' tr(e) I + 2 mu' e - a' (3 lambda + 2 mu) I + lambda_v' tr(E') I + 2 mu_v' E'.
 *
 * Strain heating is T0 times its elastic part : E'. Constant properties leave only the third
 * term. */
#include "plate/normal.h"
#include "solid/solid_law.h"
#include "parts/gram.h"

typedef gos_v8 vd;

/* symmetric tensors: 11, 22, 33, 12, 23, 13 */
static const int entry[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};

/* constants and their temperature derivatives */
typedef struct constants {
    vd la, mu, lv, mv, a;
    vd la1, mu1, lv1, mv1, a1; // first derivatives
    vd la2, mu2, a2;           // second ones
} constants;

GOS_INLINE void constants_make(const gos_solid_par *p, const gos_batch *b, constants *k) {
    const vd zero = {0};
    memset(k, 0, sizeof *k);
    if (!p->over) {
        k->la = zero + p->lambda;
        k->mu = zero + p->mu;
        k->lv = zero + p->lambda_v;
        k->mv = zero + p->mu_v;
        k->a1 = zero + p->alpha;
        if (b->th) {
            k->a = p->alpha * GOS_CV8(b->th, 0);
        }
        return;
    }
    for (int l = 0; l < GOS_LANES; l++) {
        gos_solid_at at;
        gos__solid_law_at(p, b->th ? GOS_CV8(b->th, 0)[l] : 0, &at);
        k->la[l] = at.la[0];
        k->la1[l] = at.la[1];
        k->la2[l] = at.la[2];
        k->mu[l] = at.mu[0];
        k->mu1[l] = at.mu[1];
        k->mu2[l] = at.mu[2];
        k->lv[l] = at.lv[0];
        k->lv1[l] = at.lv[1];
        k->mv[l] = at.mv[0];
        k->mv1[l] = at.mv[1];
        k->a[l] = at.a[0];
        k->a1[l] = at.a[1];
        k->a2[l] = at.a[2];
    }
}

typedef struct state {
    constants k;
    vd F[3][3], v[3][3]; // columns and their rates
    vd E[6], e[6];       // strain, elastic strain (not doubled)
    vd D[6];
    vd S0[6], Sv[6]; // elastic, viscous stress
    vd S[6];
} state;

GOS_INLINE void isotropic(const vd *lambda, const vd *mu, const vd e[6], vd S[6]) {
    const vd p = *lambda * (e[0] + e[1] + e[2]);
    for (int i = 0; i < 6; i++) {
        S[i] = (2 * *mu) * e[i];
    }
    for (int i = 0; i < 3; i++) {
        S[i] += p;
    }
}

/* a : b */
GOS_INLINE void contract(const vd a[6], const vd b[6], vd *x) {
    *x = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + 2.0 * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/* rates: F' is needed */
GOS_INLINE void state_make(const gos_solid_par *p, const gos_batch *b, bool rates, state *s) {
    constants_make(p, b, &s->k);
    for (int q = 0; q < 3; q++) {
        gos__v8_load3(b->z, q, s->F[q]);
        if (rates) {
            gos__v8_load3(b->zd, q, s->v[q]);
        }
    }
    for (int q = 0; q < 3; q++) {
        for (int r = q; r < 3; r++) {
            vd x, y;
            gos__v8_dot(s->F[q], s->F[r], &x);
            s->E[entry[q][r]] = 0.5 * (x - (q == r ? 1.0 : 0.0));
            if (rates) {
                gos__v8_dot(s->F[q], s->v[r], &x);
                gos__v8_dot(s->v[q], s->F[r], &y);
                s->D[entry[q][r]] = 0.5 * (x + y);
            }
        }
    }
    for (int i = 0; i < 6; i++) {
        s->e[i] = s->E[i] - (i < 3 ? 1.0 : 0.0) * s->k.a;
    }
    isotropic(&s->k.la, &s->k.mu, s->e, s->S0);
    if (rates) {
        isotropic(&s->k.lv, &s->k.mv, s->D, s->Sv);
    }
    for (int i = 0; i < 6; i++) {
        s->S[i] = s->S0[i];
        if (rates) {
            s->S[i] += s->Sv[i];
        }
    }
}

/* derivative of the elastic stress by temperature */
GOS_INLINE void thermal_stress(const gos_solid_par *p, const state *s, vd M[6]) {
    const constants *k = &s->k;
    const vd zero = {0}, all = -k->a1 * (3.0 * k->la + 2.0 * k->mu);
    if (p->over) {
        isotropic(&k->la1, &k->mu1, s->e, M);
    }
    for (int i = 0; i < 6; i++) {
        M[i] = p->over ? M[i] : zero;
        if (i < 3) {
            M[i] += all;
        }
    }
}

GOS_INLINE void resultants(const gos_solid_par *p, const gos_batch *b, const bool rates) {
    state s;
    state_make(p, b, rates, &s);
    for (int q = 0; q < 3; q++) {
        for (int c = 0; c < 3; c++) {
            GOS_V8(b->sigma, 3 * q + c) = s.S[entry[q][0]] * s.F[0][c] +
                                          s.S[entry[q][1]] * s.F[1][c] +
                                          s.S[entry[q][2]] * s.F[2][c];
        }
    }
    vd P = {0};
    if (rates) {
        contract(s.Sv, s.D, &P);
    }
    if (b->heat && b->th && rates) {
        vd M[6], warms;
        thermal_stress(p, &s, M);
        contract(M, s.D, &warms);
        GOS_V8(b->heat, 0) += p->viscous * P + p->T0 * warms;
    }
    if (b->energy) {
        const vd zero = {0};
        vd w, w1, S1[6];
        isotropic(&s.k.la1, &s.k.mu1, s.e, S1);
        contract(s.S0, s.e, &w);
        contract(S1, s.e, &w1);
        GOS_V8(b->energy, 0) = 0.5 * w;
        GOS_V8(b->power, 0) = P;
        GOS_V8(b->dwdth, 0) = 0.5 * w1 - s.k.a1 * (s.S0[0] + s.S0[1] + s.S0[2]);
        GOS_V8(b->dwdth, 1) = GOS_V8(b->dwdth, 2) = zero;
    }
}

GOS_KERNEL static void solid_resultants(const void *par, int nfam, const gos_batch *b) {
    GOS_UNUSED(nfam);
    if (b->zd) {
        resultants(par, b, true);
    } else {
        resultants(par, b, false);
    }
}

/* force rows F_q a_s^T + F_s b_q^T + delta_qs sum_r F_r b_r^T + k S_qs I */
GOS_INLINE void add_stiffness(const state *s, vd a[3][3], vd b[3][3], double k, double *Kz) {
    vd M[3][3];
    for (int c = 0; c < 3; c++) {
        for (int d = 0; d < 3; d++) {
            M[c][d] = s->F[0][c] * b[0][d] + s->F[1][c] * b[1][d] + s->F[2][c] * b[2][d];
        }
    }
    for (int q = 0; q < 3; q++) {
        for (int r = 0; r < 3; r++) {
            const vd geometric = k * s->S[entry[q][r]];
            for (int c = 0; c < 3; c++) {
                for (int d = 0; d < 3; d++) {
                    vd x = s->F[q][c] * a[r][d] + s->F[r][c] * b[q][d];
                    if (q == r) {
                        x += M[c][d];
                    }
                    if (c == d) {
                        x += geometric;
                    }
                    GOS_V8(Kz, (3 * q + c) * 9 + 3 * r + d) = x;
                }
            }
        }
    }
}

/* Adds force derivatives by temperature, sum_r (dS/dT)_qr F_r. */
GOS_INLINE void add_thermal(const gos_solid_par *p, int nfam, const state *s, const bool rates,
                            double *G) {
    vd M[6], more[6];
    thermal_stress(p, s, M);
    if (p->over && rates) {
        isotropic(&s->k.lv1, &s->k.mv1, s->D, more);
        for (int i = 0; i < 6; i++) {
            M[i] += more[i];
        }
    }
    for (int i = 0; i < 9; i++) {
        const int q = i / 3, c = i % 3;
        GOS_V8(G, i * nfam) = p->over ? M[entry[q][0]] * s->F[0][c] + M[entry[q][1]] * s->F[1][c] +
                                            M[entry[q][2]] * s->F[2][c]
                                      : M[0] * s->F[q][c];
    }
}

/* T0 (dS/dT) : E' and viscous power by F and F'. M = dS/dT depends on E, E' on F; the power has the
 * derivative 2 Sv : dE'. */
GOS_INLINE void add_warming(const gos_solid_par *p, const state *s, const gos_batch *b) {
    const vd trace = s->D[0] + s->D[1] + s->D[2];
    vd M[6], N[6];
    thermal_stress(p, s, M);
    isotropic(&s->k.la1, &s->k.mu1, s->D, N); // M : E' by E
    for (int i = 0; i < 6; i++) {
        M[i] = p->T0 * M[i] + (2 * p->viscous) * s->Sv[i];
        N[i] *= p->T0;
    }
    for (int q = 0; q < 3; q++) {
        for (int c = 0; c < 3; c++) {
            vd by_F = {0}, by_v = {0};
            for (int r = 0; r < 3; r++) {
                by_F += M[entry[q][r]] * s->v[r][c];
                by_v += M[entry[q][r]] * s->F[r][c];
                if (p->over) {
                    by_F += N[entry[q][r]] * s->F[r][c];
                }
            }
            GOS_V8(b->Hz, 3 * q + c) += b->hk * by_F + b->hd * by_v;
        }
    }
    if (p->over && b->Ht) {
        const constants *k = &s->k;
        vd power, by_T;
        contract(s->D, s->D, &power);
        contract(s->e, s->D, &by_T);
        by_T = 2.0 * k->mu2 * by_T + k->la2 * (s->e[0] + s->e[1] + s->e[2]) * trace;
        by_T -=
            (2.0 * k->a1 * (3.0 * k->la1 + 2.0 * k->mu1) + k->a2 * (3.0 * k->la + 2.0 * k->mu)) *
            trace;
        GOS_V8(b->Ht, 0) +=
            p->T0 * by_T + p->viscous * (k->lv1 * trace * trace + 2.0 * k->mv1 * power);
    }
}

GOS_INLINE void tangent(const gos_solid_par *p, int nfam, const gos_batch *b, const bool rates) {
    state s;
    vd A[3][3], B[3][3];
    state_make(p, b, rates, &s);
    const double cm = b->geometric ? 0 : b->ck;
    const vd la = cm * s.k.la + b->cd * s.k.lv, lv = cm * s.k.lv;
    const vd ma = cm * s.k.mu + b->cd * s.k.mv, mv = cm * s.k.mv;
    for (int q = 0; q < 3; q++) {
        for (int c = 0; c < 3; c++) {
            A[q][c] = la * s.F[q][c];
            B[q][c] = ma * s.F[q][c];
            if (rates) {
                A[q][c] += lv * s.v[q][c];
                B[q][c] += mv * s.v[q][c];
            }
        }
    }
    add_stiffness(&s, A, B, b->ck, b->Kz);
    if (b->G && b->th) {
        add_thermal(p, nfam, &s, rates, b->G);
    }
    if (b->Hz && b->th && rates) {
        add_warming(p, &s, b);
    }
}

GOS_KERNEL static void solid_tangent(const void *par, int nfam, const gos_batch *b) {
    if (b->zd) {
        tangent(par, nfam, b, true);
    } else {
        tangent(par, nfam, b, false);
    }
}

GOS_KERNEL static void solid_strains(const void *par, int nfam, const gos_batch *b, double *strain,
                                     double *force) {
    GOS_UNUSED(nfam);
    state s;
    state_make(par, b, b->zd != NULL, &s);
    for (int i = 0; i < 6; i++) {
        GOS_V8(strain, i) = (i < 3 ? 1.0 : 2.0) * s.E[i];
        GOS_V8(force, i) = s.S[i];
    }
}

static void put_isotropic(double lambda, double mu, double *C) {
    for (int i = 0; i < 36; i++) {
        const int r = i / 6, c = i % 6;
        C[i] = (r < 3 && c < 3 ? lambda : 0) + (r != c ? 0 : r < 3 ? 2 * mu : mu);
    }
}

/* Viscous heat and varying constants give no quadratic form. */
static bool solid_green(const void *par, gos_green *g) {
    const gos_solid_par *p = par;
    *g = (gos_green){.a = {p->alpha, p->alpha, p->alpha}, .T0 = p->T0};
    put_isotropic(p->lambda, p->mu, g->C);
    put_isotropic(p->lambda_v, p->mu_v, g->V);
    return !p->over && !(p->viscous > 0 && (p->lambda_v != 0 || p->mu_v > 0));
}

static const char *const strain_names[] = {"E11", "E22", "E33", "2E12", "2E23", "2E13"};
static const char *const stress_names[] = {"S11", "S22", "S33", "S12", "S23", "S13"};

const gos_law gos__solid_law = {
    .name = "solid",
    .nz = 3,
    .resultants = solid_resultants,
    .tangent = solid_tangent,
    .nstrain = 6,
    .nforce = 6,
    .strain_name = strain_names,
    .force_name = stress_names,
    .force_unit = "Pa",
    .strains = solid_strains,
    .green = solid_green,
};

/* ---- surfaces -------------------------------------------------------------------------------- */

static void skin_resultants(const void *par, int nfam, const gos_batch *b) {
    GOS_UNUSED(par);
    GOS_UNUSED(nfam);
    memset(b->sigma, 0, 6 * sizeof(vd));
    if (b->energy) {
        memset(b->energy, 0, sizeof(vd));
        memset(b->power, 0, sizeof(vd));
        memset(b->dwdth, 0, 3 * sizeof(vd));
    }
}

static void skin_tangent(const void *par, int nfam, const gos_batch *b) {
    GOS_UNUSED(par);
    GOS_UNUSED(nfam);
    memset(b->Kz, 0, 36 * sizeof(vd));
}

/* c = -u . n; derivatives by both vectors as for a curvature with z = -u */
GOS_KERNEL static void skin_cosines(const void *par, const gos_batch *b, const double *u, double *c,
                                    double *dc) {
    GOS_UNUSED(par);
    const vd zero = {0};
    const vd w[3] = {zero - u[0], zero - u[1], zero - u[2]};
    gos_normal f;
    vd x[3], y[3], h[3];
    gos__v8_load3(b->z, 0, x);
    gos__v8_load3(b->z, 1, y);
    gos__normal_make(x, y, &f);
    gos__v8_dot(f.n, w, &GOS_V8(c, 0));
    if (dc) {
        gos__normal_h(&f, w, h);
        gos__normal_pull(&f, h, x, y);
        for (int i = 0; i < 3; i++) {
            GOS_V8(dc, i) = x[i];
            GOS_V8(dc, 3 + i) = y[i];
        }
    }
}

const gos_law gos__skin_law = {
    .name = "skin",
    .nz = 2,
    .ndir = 1,
    .resultants = skin_resultants,
    .tangent = skin_tangent,
    .cosines = skin_cosines,
};
