/* The laws of the plate, of one isotropic material or layer and of plies, keep the contract
   (parts.h): its energy is the theory guide's, forces are derivatives of energy and dissipation,
   tangents agree with differences on random states, rigid motion has no rates, everything turns
   with the points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "plate/plate_law.h"
#include "math/vec3.h"

enum { NZ = 15, NF = 2 };
#include "support/law_contract.h"

/* a layer at ZETA off the middle, of membrane stiffness STRETCH and bending stiffness BEND about
 * its own */
#define STRETCH 1.3
#define BEND 0.7
#define ZETA (-0.4)
static const gos_plate_par full = {.A = STRETCH,
                                   .B = BEND + ZETA * ZETA * STRETCH,
                                   .C = -ZETA * STRETCH,
                                   .zeta = ZETA,
                                   .nu = 0.3,
                                   .gamma_n = 0.6,
                                   .gamma_s = 0.25,
                                   .alpha = 0.8,
                                   .T0 = 1.7,
                                   .viscous = 1};

/* plies of any stiffness and damping, positive, and any expansion */
static gos_plate_plies_par of_plies = {.T0 = 1.7, .viscous = 1, .damped = true};

static int take_one(void **state) {
    GOS_UNUSED(state);
    law = &gos__plate_law;
    par = &full;
    return 0;
}

/* B B^T + 1/2 of a random B */
static void random_positive(uint64_t *seed, double A[6][6]) {
    double B[36];
    random_fill(seed, 36, 1, B);
    for (int i = 0; i < 36; i++) {
        A[i / 6][i % 6] = i % 7 == 0 ? 0.5 : 0;
        for (int k = 0; k < 6; k++) {
            A[i / 6][i % 6] += B[6 * (i / 6) + k] * B[6 * (i % 6) + k];
        }
    }
}

static int take_plies(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 99;
    random_positive(&seed, of_plies.C);
    random_positive(&seed, of_plies.V);
    random_positive(&seed, of_plies.H);
    for (int f = 0; f < 2; f++) {
        random_fill(&seed, 6, 1, of_plies.free[f]);
        for (int i = 0; i < 6; i++) {
            of_plies.H[i][i] -= 2; // of either sign
            of_plies.F[f][i] = 0;
            for (int j = 0; j < 6; j++) {
                of_plies.F[f][i] += of_plies.C[i][j] * of_plies.free[f][j];
            }
        }
    }
    law = &gos__plate_plies_law;
    par = &of_plies;
    return 0;
}

/* slopes near e_1 and e_2 with oblique angles, everything else of order 1 */
static void random_point(uint64_t *seed, point *p) {
    random_fill(seed, NZ * N, 1, p->z);
    random_fill(seed, NZ * N, 1, p->zd);
    random_fill(seed, NF * N, 1, p->th);
    for (int i = 0; i < 6 * N; i++) {
        p->z[i] = 0.4 * p->z[i] + (i / N == 0 || i / N == 4);
    }
}

/* ---- energy ---------------------------------------------------------------------------------- */

/* theory guide 2.7, written down on its own */
static void strains_of(const point *q, int l, double e[6]) {
    double v[5][3], m[3];
    for (int i = 0; i < NZ; i++) {
        v[i / 3][i % 3] = q->z[i * N + l];
    }
    gos__cross3(v[0], v[1], m);
    const double lm = gos__norm3(m);
    e[0] = 0.5 * (gos__dot3(v[0], v[0]) - 1);
    e[1] = 0.5 * (gos__dot3(v[1], v[1]) - 1);
    e[2] = gos__dot3(v[0], v[1]);
    for (int k = 0; k < 3; k++) {
        e[3 + k] = (k == 2 ? 2 : 1) * gos__dot3(m, v[2 + k]) / lm;
    }
}

/* x^T D x for the plane state of stress, its normal block times gn, its shear entry times gs */
static double quadratic(double stiffness, double gn, double gs, const double x[3]) {
    const double nu = full.nu;
    return stiffness * (gn * (x[0] * x[0] + 2 * nu * x[0] * x[1] + x[1] * x[1]) +
                        gs * 0.5 * (1 - nu) * x[2] * x[2]);
}

/* the strains x - ZETA (x + 3) in the layer's own middle */
static void in_layer(const double x[6], double e[3]) {
    for (int i = 0; i < 3; i++) {
        e[i] = x[i] - ZETA * x[3 + i];
    }
}

static double of_layer(double gn, double gs, const double x[6]) {
    double e[3];
    in_layer(x, e);
    return quadratic(STRETCH, gn, gs, e) + quadratic(BEND, gn, gs, x + 3);
}

static double form(const double A[6][6], const double x[6]) {
    double sum = 0;
    for (int i = 0; i < 36; i++) {
        sum += x[i / 6] * A[i / 6][i % 6] * x[i % 6];
    }
    return sum;
}

static double energy_of(const point *q, int l) {
    double e[6];
    strains_of(q, l, e);
    for (int i = 0; i < 6 && par == &of_plies; i++) {
        e[i] -= of_plies.free[0][i] * q->th[l] + of_plies.free[1][i] * q->th[N + l];
    }
    if (par == &of_plies) {
        return 0.5 * form((const double(*)[6])of_plies.C, e);
    }
    for (int i = 0; i < 2; i++) {
        e[i] -= full.alpha * q->th[l];
        e[3 + i] += full.alpha * q->th[N + l];
    }
    return 0.5 * of_layer(1, 1, e);
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

/* power, and heat into T and T_z, at these rates. theory guide 2.6: T0 G^T zd, G = -alpha A (1 +
   nu) (E_11 + E_22), + ... of b; into the layer's middle */
static void heat_of(const double rate[6], double *P, double *T, double *Tz) {
    if (par == &of_plies) {
        *P = form((const double(*)[6])of_plies.V, rate);
        *T = *P;
        *Tz = form((const double(*)[6])of_plies.H, rate);
        for (int i = 0; i < 6; i++) {
            *T -= of_plies.T0 * of_plies.F[0][i] * rate[i];
            *Tz -= of_plies.T0 * of_plies.F[1][i] * rate[i];
        }
        return;
    }
    double e[3];
    in_layer(rate, e);
    *P = of_layer(full.gamma_n, full.gamma_s, rate);
    const double te = full.T0 * full.alpha * (1 + full.nu);
    *T = *P - te * STRETCH * (e[0] + e[1]);
    *Tz = ZETA * *T + te * BEND * (rate[3] + rate[4]);
}

static void energy_is_the_guide_s(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 1;
    double energy = 0, power = 0, heat = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        point p;
        results r;
        random_point(&seed, &p);
        evaluate(&p, true, &r);
        for (int l = 0; l < N; l++) {
            double rate[6], P, T, Tz;
            rates_of(&p, l, rate);
            heat_of(rate, &P, &T, &Tz);
            energy = fmax(energy, fabs(r.energy[l] - energy_of(&p, l)));
            power = fmax(power, fabs(r.power[l] - P) / (1 + P));
            heat = fmax(heat, fabs(r.heat[l] - T) / (1 + P));
            heat = fmax(heat, fabs(r.heat[N + l] - Tz) / (1 + P));
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
    _Alignas(64) double c[4][N], c0[N], dc[NZ * N];
    random_point(&seed, &p);
    const gos_batch b = {.z = p.z};
    law->cosines(par, &b, u, c0, dc);
    for (int l = 0; l < N; l++) {
        double a[3], d[3], m[3];
        for (int i = 0; i < 3; i++) {
            a[i] = p.z[i * N + l];
            d[i] = p.z[(3 + i) * N + l];
        }
        gos__cross3(a, d, m);
        assert_true(fabs(c0[l] + gos__dot3(u, m) / gos__norm3(m)) < 1e-14);
    }
    for (int i = 0; i < NZ; i++) {
        for (int k = 0; k < 4; k++) {
            point m = p;
            for (int l = 0; l < N; l++) {
                m.z[i * N + l] += 1e-3 * shifts[k];
            }
            const gos_batch moved = {.z = m.z};
            law->cosines(par, &moved, u, c[k], NULL);
        }
        for (int l = 0; l < N; l++) {
            const double f[4] = {c[0][l], c[1][l], c[2][l], c[3][l]};
            compare(&C, dc[i * N + l], difference(f, 1e-3));
        }
    }
    check_block(&C);
}

/* strains are the guide's, and forces on them have the power of sigma on the rates */
static void strains(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 6;
    point p;
    results r;
    _Alignas(64) double e[6 * N], f[6 * N];
    random_point(&seed, &p);
    evaluate(&p, true, &r);
    const gos_batch b = {.z = p.z, .zd = p.zd, .th = p.th};
    law->strains(par, NF, &b, e, f);
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
    for (int k = 0; k < 5 * N; k++) {
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

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_the_guide_s),
        cmocka_unit_test(forces_are_derivatives),
        cmocka_unit_test(tangents),
        cmocka_unit_test(tangent_at_rest),
        cmocka_unit_test(cosines),
        cmocka_unit_test(strains),
        cmocka_unit_test(law_is_objective),
    };
    const int one = cmocka_run_group_tests_name("plate law", tests, take_one, NULL);
    return one + cmocka_run_group_tests_name("plate law of plies", tests, take_plies, NULL);
}
SUITE_INTERNAL(suite)
