/* The laws of solids keep the contract (parts.h): the energy is that of Saint Venant and Kirchhoff,
   forces are derivatives of energy and dissipation, tangents agree with differences on random
   states, rigid motion has no rates, everything turns with the points; a bar and shear see the
   damping that the material says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solid/solid_law.h"
#include "math/vec3.h"

enum { NZ = 9, NF = 1 };
#include "support/law_contract.h"

static const gos_solid_par full = {
    .lambda = 1.3, .mu = 0.7, .lambda_v = 0.35, .mu_v = 0.6, .alpha = 0.8, .T0 = 1.7, .viscous = 1};

/* columns near e_1, e_2 and e_3 with oblique angles, everything else of order 1 */
static void random_point(uint64_t *seed, point *p) {
    random_fill(seed, NZ * N, 1, p->z);
    random_fill(seed, NZ * N, 1, p->zd);
    random_fill(seed, NF * N, 1, p->th);
    for (int i = 0; i < NZ * N; i++) {
        p->z[i] = 0.4 * p->z[i] + (i / N % 4 == 0);
    }
}

/* ---- energy ---------------------------------------------------------------------------------- */

/* 2 E = F^T F - I, row-major, of which the shears are doubled */
static void strains_of(const point *q, int l, double e[6]) {
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    for (int k = 0; k < 6; k++) {
        double dot = 0;
        for (int c = 0; c < 3; c++) {
            dot += q->z[(3 * pair[k][0] + c) * N + l] * q->z[(3 * pair[k][1] + c) * N + l];
        }
        e[k] = k < 3 ? 0.5 * (dot - 1) : dot;
    }
}

/* x^T D x of an isotropic solid, in strains with doubled shears */
static double quadratic(double lambda, double mu, const double x[6]) {
    const double tr = x[0] + x[1] + x[2];
    return lambda * tr * tr + 2 * mu * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) +
           mu * (x[3] * x[3] + x[4] * x[4] + x[5] * x[5]);
}

static double energy_of(const point *q, int l) {
    double e[6];
    strains_of(q, l, e);
    for (int i = 0; i < 3; i++) {
        e[i] -= full.alpha * q->th[l];
    }
    return 0.5 * quadratic(full.lambda, full.mu, e);
}

static void rates_of(const point *q, int l, double rate[6]) {
    double e[4][6];
    for (int k = 0; k < 4; k++) {
        point m = *q;
        for (int i = 0; i < NZ; i++) {
            m.z[i * N + l] += 1e-3 * shifts[k] * q->zd[i * N + l];
        }
        strains_of(&m, l, e[k]);
    }
    for (int i = 0; i < 6; i++) {
        const double f[4] = {e[0][i], e[1][i], e[2][i], e[3][i]};
        rate[i] = difference(f, 1e-3);
    }
}

static void energy_is_that_of_the_material(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 1;
    double energy = 0, power = 0, heat = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        point p;
        results r;
        random_point(&seed, &p);
        evaluate(&p, true, &r);
        for (int l = 0; l < N; l++) {
            double rate[6];
            rates_of(&p, l, rate);
            const double P = quadratic(full.lambda_v, full.mu_v, rate);
            energy = fmax(energy, fabs(r.energy[l] - energy_of(&p, l)));
            power = fmax(power, fabs(r.power[l] - P) / (1 + P));
            /* -T0 alpha (3 lambda + 2 mu) tr E' */
            const double te = full.T0 * full.alpha * (3 * full.lambda + 2 * full.mu);
            const double T = P - te * (rate[0] + rate[1] + rate[2]);
            heat = fmax(heat, fabs(r.heat[l] - T) / (1 + P));
        }
    }
    verify_below("energy", energy, 1e-13);
    verify_below("dissipated power", power, 1e-8);
    verify_below("thermoelastic and viscous heat", heat, 1e-8);
}

/* c = -u . n and its derivative */
static void cosines(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 5;
    const double u[3] = {0.48, -0.6, 0.64};
    block C = {.what = "dc/dz"};
    point p;
    _Alignas(64) double c[4][N], c0[N], dc[6 * N];
    random_point(&seed, &p);
    const gos_batch b = {.z = p.z};
    gos__skin_law.cosines(NULL, &b, u, c0, dc);
    for (int l = 0; l < N; l++) {
        double a[3], d[3], m[3];
        for (int i = 0; i < 3; i++) {
            a[i] = p.z[i * N + l];
            d[i] = p.z[(3 + i) * N + l];
        }
        gos__cross3(a, d, m);
        assert_true(fabs(c0[l] + gos__dot3(u, m) / gos__norm3(m)) < 1e-14);
    }
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 4; k++) {
            point m = p;
            for (int l = 0; l < N; l++) {
                m.z[i * N + l] += 1e-3 * shifts[k];
            }
            const gos_batch moved = {.z = m.z};
            gos__skin_law.cosines(NULL, &moved, u, c[k], NULL);
        }
        for (int l = 0; l < N; l++) {
            const double f[4] = {c[0][l], c[1][l], c[2][l], c[3][l]};
            compare(&C, dc[i * N + l], difference(f, 1e-3));
        }
    }
    check_block(&C);
}

/* strains are those of Green and Lagrange, and stresses on them have the power of sigma on the
 * rates */
static void strains(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 6;
    point p;
    results r;
    _Alignas(64) double e[6 * N], f[6 * N];
    random_point(&seed, &p);
    evaluate(&p, true, &r);
    const gos_batch b = {.z = p.z, .zd = p.zd, .th = p.th};
    gos__solid_law.strains(&full, NF, &b, e, f);
    for (int l = 0; l < N; l++) {
        double want[6], rate[6], power = 0, of_rates = 0;
        strains_of(&p, l, want);
        rates_of(&p, l, rate);
        for (int i = 0; i < 6; i++) {
            assert_true(fabs(e[i * N + l] - want[i]) < 1e-14);
            of_rates += f[i * N + l] * rate[i];
        }
        for (int i = 0; i < NZ; i++) {
            power += r.sigma[i * N + l] * p.zd[i * N + l];
        }
        assert_true(fabs(power - of_rates) < 1e-8 * (1 + fabs(power)));
    }
}

/* spinning and turning as a rigid body: no dissipation; turned points have turned forces */
static void law_is_objective(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 7;
    const double w[3] = {0.7, -1.1, 0.4};
    const double R[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6};
    point p, q;
    results r, s;
    random_point(&seed, &p);
    q = p;
    for (int k = 0; k < 3 * N; k++) {
        const int at[3] = {(k / N * 3) * N + k % N, (k / N * 3 + 1) * N + k % N,
                           (k / N * 3 + 2) * N + k % N};
        const double x[3] = {p.z[at[0]], p.z[at[1]], p.z[at[2]]};
        double v[3];
        gos__cross3(w, x, v);
        for (int i = 0; i < 3; i++) {
            p.zd[at[i]] = v[i];
            q.z[at[i]] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
        }
        for (int i = 0; i < 3; i++) {
            q.zd[at[i]] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
        }
    }
    evaluate(&p, true, &r);
    evaluate(&q, true, &s);
    double power = 0, turned = 0;
    for (int l = 0; l < N; l++) {
        power = fmax(power, fabs(r.power[l]));
        for (int k = 0; k < NZ; k++) {
            const int v = k / 3 * 3, i = k % 3;
            const double f = R[3 * i] * r.sigma[v * N + l] +
                             R[3 * i + 1] * r.sigma[(v + 1) * N + l] +
                             R[3 * i + 2] * r.sigma[(v + 2) * N + l];
            turned = fmax(turned, fabs(f - s.sigma[k * N + l]));
        }
    }
    verify_below("power of a rigid spin", power, 1e-28);
    verify_below("forces of the turned points", turned, 1e-13);
}

/* Damping as the material says it: of shear gamma_s mu; a bar that is stretched with stress along
   it alone, so that it narrows by Poisson's ratio, dissipates gamma_n E; energy is gained by no
   change of volume, or the material is refused */
static void damping_of_shear_and_bars(void **state) {
    GOS_UNUSED(state);
    const gos_material m = {.young = 2.6, .poisson = 0.3, .gamma_n = 0.4, .gamma_s = 0.15};
    gos_solid_par p = {0};
    assert_true(gos__solid_law_make(&m, &p));
    assert_true(fabs(p.mu - 1) < 1e-14 && fabs(p.lambda - 1.5) < 1e-14);
    assert_true(fabs(p.mu_v - m.gamma_s) < 1e-14);
    const double bar[6] = {1, -m.poisson, -m.poisson};
    assert_true(fabs(quadratic(p.lambda_v, p.mu_v, bar) - m.gamma_n * m.young) < 1e-14);
    gos_material bad = m;
    bad.gamma_n = 2 * (1 + m.poisson) / 3 * m.gamma_s;
    assert_true(gos__solid_law_make(&bad, &p)); // no damping of changes of volume
    bad.gamma_n *= 0.99;
    assert_false(gos__solid_law_make(&bad, &p));
}

static int take_law(void **state) {
    GOS_UNUSED(state);
    law = &gos__solid_law;
    par = &full;
    return 0;
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_that_of_the_material),
        cmocka_unit_test(forces_are_derivatives),
        cmocka_unit_test(tangents),
        cmocka_unit_test(tangent_at_rest),
        cmocka_unit_test(cosines),
        cmocka_unit_test(strains),
        cmocka_unit_test(law_is_objective),
        cmocka_unit_test(damping_of_shear_and_bars),
    };
    return cmocka_run_group_tests_name("solid law", tests, take_law, NULL);
}
SUITE_INTERNAL(suite)
