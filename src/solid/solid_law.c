/* Constants of the solid law. */
#include "solid/solid_law.h"

bool gos__solid_law_make(const gos_material *m, gos_solid_par *par) {
    gos_solid_at at;
    *par = (gos_solid_par){.over = m};
    gos__solid_law_at(par, 0, &at);
    par->mu = at.mu[0];
    par->lambda = at.la[0];
    par->mu_v = at.mv[0];
    par->lambda_v = at.lv[0];
    par->alpha = at.a[1];
    par->over = gos__material_varies(m) ? m : NULL;
    const double nu = m->over[1] ? 0.5 : m->poisson;
    return 3 * m->gamma_n - 2 * (1 + nu) * m->gamma_s >= -1e-12 * (m->gamma_n + m->gamma_s);
}

/* value and slope of table k */
static double value_of(const gos_material *m, int k, double T, double *slope) {
    *slope = 0;
    return m->over[k] ? gos__timefn_at(m->over[k], 0, &T, slope) : gos__material_value(m, k, T);
}

/* mu = E/(2 (1 + nu)), bulk modulus K = E/(3 (1 - 2 nu)), lambda = K - 2 mu/3; viscous: K gamma_v,
 * mu gamma_s with gamma_v = (3 gamma_n - 2 (1 + nu) gamma_s)/(1 - 2 nu) */
void gos__solid_law_at(const gos_solid_par *par, double T, gos_solid_at *at) {
    const gos_material *m = par->over;
    double dE, dn, da, unused;
    const double E = value_of(m, 0, T, &dE), nu = value_of(m, 1, T, &dn);
    const double alpha = value_of(m, 4, T, &da), alpha0 = value_of(m, 4, 0, &unused);
    const double p = 1 + nu, q = 1 - 2 * nu, from = m->expansion_from;
    const double K[3] = {E / (3 * q), dE / (3 * q) + 2 * E * dn / (3 * q * q),
                         4 * dE * dn / (3 * q * q) + 8 * E * dn * dn / (3 * q * q * q)};
    at->mu[0] = E / (2 * p);
    at->mu[1] = dE / (2 * p) - E * dn / (2 * p * p);
    at->mu[2] = -dE * dn / (p * p) + E * dn * dn / (p * p * p);
    for (int i = 0; i < 3; i++) {
        at->la[i] = K[i] - 2 * at->mu[i] / 3;
    }
    const double over = 3 * m->gamma_n - 2 * p * m->gamma_s, gamma = over / q;
    const double dgamma = (2 * over / q - 2 * m->gamma_s) / q * dn;
    for (int i = 0; i < 2; i++) {
        at->mv[i] = at->mu[i] * m->gamma_s;
        at->lv[i] = K[i] * gamma + (i == 0 ? 0 : K[0] * dgamma) - 2 * at->mv[i] / 3;
    }
    at->a[0] = alpha * (T - from) + alpha0 * from; // expansion since the reference
    at->a[1] = da * (T - from) + alpha;
    at->a[2] = 2 * da;
}
