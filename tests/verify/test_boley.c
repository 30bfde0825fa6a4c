/* Boley's beam (theory guide 5.1): thermally induced vibration of a simply supported beam whose upper
   face is heated from t = 0, for three ratios of thermal to mechanical time, against closed forms that
   are coded here on their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/verify.h"

/* the example's material and plan, theory guide 5.1 */
static const double L = 0.254, E = 7e10, RHO = 2700, K = 200, C = 900, ALPHA = 2.3e-5;
static const double FLUX = 1.6353e6;

typedef struct beam {
    double h;         // depth [m]
    double flux;      // [W/m^2]
    bool exponential; // the section with one gradient: mu = (1 - exp(-12 tau))/24
} beam;

static double omega_of(const beam *b, int n) {
    return n * n * M_PI * M_PI / (L * L) * b->h * sqrt(E / (12 * RHO));
}

/* response of y'' + w^2 y = w^2 exp(-beta t), at rest at t = 0 */
static double decaying(double w, double beta, double t) {
    return w * w / (w * w + beta * beta) *
           (exp(-beta * t) - cos(w * t) + beta / w * sin(w * t));
}

/* midspan deflection towards the heated side, undamped */
static double closed_form(const beam *b, double t) {
    const double kappa = K / (RHO * C), factor = ALPHA * b->flux * 12 / K; // E alpha q b h^3 / (E I k)
    double w = 0;
    for (int n = 1; n < 60; n += 2) {
        const double wn = omega_of(b, n);
        double y = (1 - cos(wn * t)) / 24;
        if (b->exponential) {
            y -= decaying(wn, 12 * kappa / (b->h * b->h), t) / 24;
        } else {
            for (int j = 1; j < 60; j += 2) {
                const double beta = j * j * M_PI * M_PI * kappa / (b->h * b->h);
                y -= 4 / pow(M_PI * j, 4) * decaying(wn, beta, t);
            }
        }
        w += 4 * L * L / pow(n * M_PI, 3) * factor * y * (n % 4 == 1 ? 1 : -1);
    }
    return w;
}

/* the formula itself: it must start at rest and oscillate about q alpha L^2/(16 k), each B of the guide */
static void formula(void **state) {
    GOS_UNUSED(state);
    static const double table[][2] = {{1e-3, 0.526}, {1.5875e-3, 1.052}, {3e-3, 2.734}};
    for (int i = 0; i < GOS_COUNT(table); i++) {
        const beam b = {.h = table[i][0], .flux = FLUX};
        const double kappa = K / (RHO * C);
        const double B = sqrt(sqrt(E / (12 * RHO)) * b.h * b.h * b.h / (kappa * L * L));
        verify_near("Boley's B", B, table[i][1], 6e-4);
    }
    const beam b = {.h = 1.5875e-3, .flux = FLUX};
    verify_near("omega_1 [rad/s]", omega_of(&b, 1), 356.96, 5e-3);
    verify_near("steady deflection [mm]", 1e3 * ALPHA * FLUX * L * L / (16 * K), 0.7583, 5e-5);
    assert_true(fabs(closed_form(&b, 0)) < 1e-12);
}

/* largest difference from the closed form over five periods, over its maximum */
static double difference(const beam *b, int n, int modes, double *at_mid) {
    char settings[300];
    verify v;
    snprintf(settings, sizeof settings, "n=%d height=%.17g q=%.17g depth_modes=%d", n, b->h, b->flux,
             modes);
    verify_example(&v, "boley-beam", settings);
    verify_start(&v);
    const double end = 5 * 2 * M_PI / omega_of(b, 1);
    assert_true(fabs(v.opt.end / end - 1) < 1e-12);
    double most = 0, worst = 0;
    for (int i = 1; i <= 400; i++) {
        const double t = end * i / 400, want = closed_form(b, t);
        const double got = verify_value(&v, verify_at(&v, t), "mid.y");
        most = fmax(most, fabs(want));
        worst = fmax(worst, fabs(got - want));
        if (i == 400 && at_mid) {
            *at_mid = got;
        }
    }
    gos_integrator_statistics(v.run, &v.stats);
    print_message("    h %.4g mm, flux %.4g, modes %d: %ld steps, %ld iterations, %.2f s\n",
                  1e3 * b->h, b->flux, modes, v.stats.steps, v.stats.iterations, v.stats.time_total);
    verify_close(&v);
    return worst / most;
}

static const double depths[] = {1e-3, 1.5875e-3, 3e-3};

/* linear regime: 0.2 % of the maximum */
static void small_flux(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < GOS_COUNT(depths); i++) {
        const beam series = {.h = depths[i], .flux = FLUX / 1000};
        const beam single = {.h = depths[i], .flux = FLUX / 1000, .exponential = true};
        verify_below("depth_modes 5 against Boley's series", difference(&series, 16, 5, NULL), 2e-3);
        verify_below("depth_modes 1 against one exponential", difference(&single, 16, 1, NULL),
                     2e-3);
    }
}

/* published flux: large deflection, within 0.7 %, and in proportion to the flux */
static void published_flux(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < GOS_COUNT(depths); i++) {
        const beam full = {.h = depths[i], .flux = FLUX}, half = {.h = depths[i], .flux = FLUX / 2};
        const double one = difference(&full, 16, 5, NULL), two = difference(&half, 16, 5, NULL);
        verify_below("published flux against Boley's series", one, 7e-3);
        print_message("    half %g\n", two);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formula),
        cmocka_unit_test(small_flux),
        cmocka_unit_test(published_flux),
    };
    return cmocka_run_group_tests_name("boley", tests, NULL, NULL);
}
