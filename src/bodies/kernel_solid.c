/* Constitutive kernel of solids, GOS_LANES points at a time.

   With the columns F_q of the deformation gradient, E_qr = (F_q . F_r - delta_qr)/2 and the elastic strain
   e = E - alpha T I:

       S = lambda tr(e) I + 2 mu e + lambda_v tr(E') I + 2 mu_v E',   sigma_q = sum_r S_qr F_r

   (the first Piola-Kirchhoff stress by columns), because dE_qr = (dF_q . F_r + F_q . dF_r)/2 makes S : dE of it.
   The derivative by F_s is

       S_qs I + F_q (lambda F_s + lambda_v F'_s)^T + F_s (mu F_q + mu_v F'_q)^T
              + delta_qs sum_r F_r (mu F_r + mu_v F'_r)^T,

   that by F'_s the same without S and with lambda_v, mu_v in place of lambda, mu and nothing in place of those. */
#include "bodies/normal.h"
#include "bodies/solid_law.h"
#include "parts/gram.h"

typedef gos_v8 vd;

bool gos__solid_law_make(const gos_material *m, gos_solid_par *par) {
    const double nu = m->poisson, mu = m->young / (2 * (1 + nu));
    const double bulk = m->young / (3 * (1 - 2 * nu));
    const double gamma_v = (3 * m->gamma_n - 2 * (1 + nu) * m->gamma_s) / (1 - 2 * nu);
    const double mu_v = mu * m->gamma_s;
    par->mu = mu;
    par->lambda = bulk - 2 * mu / 3;
    par->mu_v = mu_v;
    par->lambda_v = bulk * gamma_v - 2 * mu_v / 3;
    par->alpha = m->expansion;
    return gamma_v >= -1e-12 * (m->gamma_n + m->gamma_s);
}

/* symmetric tensors are 11, 22, 33, 12, 23, 13 */
static const int entry[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};

typedef struct state {
    vd F[3][3], v[3][3]; // columns and their rates
    vd E[6], e[6];       // strain, elastic strain (not doubled)
    vd D[6];             // strain rate
    vd S0[6], Sv[6];     // elastic, viscous stress
    vd S[6];
} state;

GOS_INLINE void isotropic(double lambda, double mu, const vd e[6], vd S[6]) {
    const vd p = lambda * (e[0] + e[1] + e[2]);
    for (int i = 0; i < 6; i++) {
        S[i] = (2 * mu) * e[i];
    }
    for (int i = 0; i < 3; i++) {
        S[i] += p;
    }
}

/* a : b */
GOS_INLINE void contract(const vd a[6], const vd b[6], vd *x) {
    *x = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + 2.0 * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/* rates: F' is there and matters */
GOS_INLINE void state_make(const gos_solid_par *p, const gos_batch *b, bool rates, state *s) {
    vd T = {0};
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
    if (b->th) {
        T = p->alpha * GOS_CV8(b->th, 0);
    }
    for (int i = 0; i < 6; i++) {
        s->e[i] = s->E[i] - (i < 3 ? 1.0 : 0.0) * T;
    }
    isotropic(p->lambda, p->mu, s->e, s->S0);
    if (rates) {
        isotropic(p->lambda_v, p->mu_v, s->D, s->Sv);
    }
    for (int i = 0; i < 6; i++) {
        s->S[i] = s->S0[i];
        if (rates) {
            s->S[i] += s->Sv[i];
        }
    }
}

/* stress by temperature: -alpha (3 lambda + 2 mu) I */
GOS_INLINE double thermal_stress(const gos_solid_par *p) {
    return p->alpha * (3 * p->lambda + 2 * p->mu);
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
        GOS_V8(b->heat, 0) +=
            p->viscous * P - (p->T0 * thermal_stress(p)) * (s.D[0] + s.D[1] + s.D[2]);
    }
    if (b->energy) {
        const vd zero = {0};
        vd w;
        contract(s.S0, s.e, &w);
        GOS_V8(b->energy, 0) = 0.5 * w;
        GOS_V8(b->power, 0) = P;
        GOS_V8(b->dwdth, 0) = -p->alpha * (s.S0[0] + s.S0[1] + s.S0[2]);
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

/* rows of force: F_q a_s^T + F_s b_q^T + delta_qs sum_r F_r b_r^T + k S_qs I */
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

GOS_INLINE void tangent(const gos_solid_par *p, int nfam, const gos_batch *b, const bool rates) {
    state s;
    vd A[3][3], B[3][3];
    state_make(p, b, rates, &s);
    const double la = b->ck * p->lambda + b->cd * p->lambda_v, lv = b->ck * p->lambda_v;
    const double ma = b->ck * p->mu + b->cd * p->mu_v, mv = b->ck * p->mu_v;
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
        for (int i = 0; i < 9; i++) {
            GOS_V8(b->G, i * nfam) = -thermal_stress(p) * s.F[i / 3][i % 3];
        }
    }
    if (!b->Hz || !b->th || !rates) {
        return;
    }
    /* tr E' changes by F'_q . dF_q + F_q . dF'_q; the viscous power, a square, by 2 Sv : dE' */
    const double te = p->T0 * thermal_stress(p), w = 2 * p->viscous;
    for (int q = 0; q < 3; q++) {
        for (int c = 0; c < 3; c++) {
            vd by_F = te * s.v[q][c], by_v = te * s.F[q][c];
            for (int r = 0; r < 3; r++) {
                by_F -= w * s.Sv[entry[q][r]] * s.v[r][c];
                by_v -= w * s.Sv[entry[q][r]] * s.F[r][c];
            }
            GOS_V8(b->Hz, 3 * q + c) -= b->hk * by_F + b->hd * by_v;
        }
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

/* viscous heat is no linear function of the rates of strains */
static bool solid_green(const void *par, gos_green *g) {
    const gos_solid_par *p = par;
    *g = (gos_green){.a = {p->alpha, p->alpha, p->alpha}, .T0 = p->T0};
    put_isotropic(p->lambda, p->mu, g->C);
    put_isotropic(p->lambda_v, p->mu_v, g->V);
    return !(p->viscous > 0 && (p->lambda_v != 0 || p->mu_v > 0));
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

/* ---- surfaces ------------------------------------------------------------------------------------ */

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

/* c = -u . n; by both vectors like a curvature with z = -u */
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
