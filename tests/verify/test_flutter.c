/* Thermal flutter of examples/hubble-boom: roots and runs beside the closed form of E. A. Thornton,
   Y. A. Kim, Thermally induced bending vibrations of a flexible rolled-up solar array, Journal of
   Spacecraft and Rockets 30 (1993), in the form of the example's page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>

#include "gossamer/linearise.h"
#include "support/near.h"
#include "support/suite.h"
#include "support/turn_model.h"

#define MODEL "examples/hubble-boom/model.yaml"
#define IMAG ((double complex)I)
#define SIGMA 5.670374419e-8
enum { PARTS = 400, MOST = 60, PEAKS = 200 };

/* what tests change, and the rest of the example */
typedef struct boom {
    double incidence, tau, zeta, length, mass; // mass: of the tip
} boom;

static const double outer = 0.022095 / 2, inner = 0.021625 / 2, density = 7010, capacity = 502,
                    young = 1.93e11, expansion = 1.69e-5, flux = 1350, absorptivity = 0.9,
                    emissivity = 0.234;

/* ---- closed form ----------------------------------------------------------------------------- */

/* first mode of a cantilever with a mass at its tip */
typedef struct shape {
    double beta, sigma, L;  // N = cosh - cos - sigma (sinh - sin) of beta x/L
    double frequency, mass; // [rad/s], of the mode [kg]
} shape;

static double value(const shape *s, double x) {
    const double z = s->beta * x / s->L;
    return cosh(z) - cos(z) - s->sigma * (sinh(z) - sin(z));
}
static double slope(const shape *s, double x) {
    const double z = s->beta * x / s->L;
    return s->beta / s->L * (sinh(z) + sin(z) - s->sigma * (cosh(z) - cos(z)));
}
static double bending(const shape *s, double x) {
    const double z = s->beta * x / s->L, k = s->beta / s->L;
    return k * k * (cosh(z) + cos(z) - s->sigma * (sinh(z) + sin(z)));
}

static double area(void) {
    return M_PI * (outer * outer - inner * inner);
}
static double stiffness(void) {
    return young * M_PI / 4 * (pow(outer, 4) - pow(inner, 4));
}

static shape first_mode(const boom *b) {
    const double along = density * area(), ratio = b->mass / (along * b->length);
    double low = 1e-3, high = 1.8751;
    for (int i = 0; i < 100; i++) {
        const double z = 0.5 * (low + high);
        const double f = 1 + cos(z) * cosh(z) + ratio * z * (cos(z) * sinh(z) - sin(z) * cosh(z));
        *(f > 0 ? &low : &high) = z;
    }
    shape s = {
        .beta = low, .L = b->length, .sigma = (cos(low) + cosh(low)) / (sin(low) + sinh(low))};
    s.frequency = low * low * sqrt(stiffness() / (along * pow(b->length, 4)));
    s.mass = b->mass * pow(value(&s, b->length), 2);
    for (int i = 0; i < PARTS; i++) {
        s.mass += along * b->length / PARTS * pow(value(&s, (i + 0.5) * b->length / PARTS), 2);
    }
    return s;
}

/* root near i w of (s^2 + 2 zeta w s + w^2)(tau s + 1) + heated = 0 */
static double complex root_of(double w, double zeta, double tau, double heated) {
    double complex s = w * IMAG;
    for (int i = 0; i < 30; i++) {
        const double complex q = s * s + 2 * zeta * w * s + w * w, t = tau * s + 1;
        s -= (q * t + heated) / ((2 * s + 2 * zeta * w) * t + q * tau);
    }
    return s;
}

static double complex closed_form(const boom *b) {
    const shape s = first_mode(b);
    const double R = 0.5 * (outer + inner), A = 2 * M_PI * R * (outer - inner);
    const double T =
        pow(absorptivity * flux * cos(b->incidence) / (M_PI * emissivity * SIGMA), 0.25);
    const double loss = density * capacity * R * R / b->tau * A / 2 +
                        4 * emissivity * SIGMA * T * T * T * M_PI * outer * R * R;
    const double tau = density * capacity * A * R * R / 2 / loss;
    const double gradient = M_PI / 2 * outer * R * absorptivity * flux / loss;
    const double curvature = expansion * gradient * cos(b->incidence);
    double work = 0;
    for (int i = 0; i < PARTS; i++) {
        const double x = (i + 0.5) * b->length / PARTS;
        work +=
            b->length / PARTS * sin(b->incidence + curvature * x) * slope(&s, x) * bending(&s, x);
    }
    return root_of(s.frequency, b->zeta, tau, stiffness() * expansion * gradient * work / s.mass);
}

/* ---- roots of the model ---------------------------------------------------------------------- */

static void settings_of(const boom *b, const char *more, char *text, size_t size) {
    (void)snprintf(text, size,
                   "incidence=%.17g tau=%.17g zeta=%.17g L=%.17g bodies.tip.mass=%.17g w1=%.17g %s",
                   b->incidence, b->tau, b->zeta, b->length, b->mass, first_mode(b).frequency,
                   more);
}

/* the root of the first bending mode of a model that is open, about its equilibrium */
static double complex bending_root(verify *v, double w) {
    gos_linear *linear;
    gos_mode mode[MOST];
    gos_root slow[MOST];
    int found, nroots;
    double complex s = 0;
    verify_static(v);
    verify_good(v, gos_linearise(v->ctx, v->sys, v->state, &linear));
    verify_good(v,
                gos_linear_coupled_modes(v->ctx, linear, MOST, mode, &found, MOST, slow, &nroots));
    for (int i = 0; i < found; i++) {
        if (fabs(mode[i].im / w - 1) < 0.05) {
            assert_true(s == 0); // there is one
            s = mode[i].re + mode[i].im * IMAG;
        }
    }
    assert_true(s != 0);
    gos_linear_destroy(linear);
    return s;
}

static double complex root_of_model(const boom *b) {
    char text[400];
    verify v;
    settings_of(b, "", text, sizeof text);
    verify_example(&v, "hubble-boom", text);
    const double complex s = bending_root(&v, first_mode(b).frequency);
    verify_close(&v);
    return s;
}

/* incidence at which the real part is 0 */
static double boundary(boom b, double complex (*root)(const boom *)) {
    double x[2] = {0.05, 0.5}, f[2];
    for (int i = 0; i < 2; i++) {
        b.incidence = x[i];
        f[i] = creal(root(&b));
    }
    for (int i = 0; i < 8 && fabs(x[1] - x[0]) > 1e-5; i++) {
        b.incidence = x[1] - f[1] * (x[1] - x[0]) / (f[1] - f[0]);
        x[0] = x[1];
        f[0] = f[1];
        x[1] = b.incidence;
        f[1] = creal(root(&b));
    }
    return x[1];
}

static void check_boundary(const boom *b) {
    char what[80];
    (void)snprintf(what, sizeof what, "critical incidence at tau %g, zeta %g", b->tau, b->zeta);
    const double is = boundary(*b, root_of_model), should = boundary(*b, closed_form);
    print_message("    %s: %.5f, closed form %.5f\n", what, is, should);
    near_rel_named(what, is, should, 6e-3);
}

/* What is left is the heated boom's length, 1.002 L: its frequency falls by 0.3 %. */
static void test_boundary(void **state) {
    GOS_UNUSED(state);
    static const double cases[][2] = {{0.5, 1e-4}, {1, 3e-4}, {2, 3e-4}, {5, 1e-4}, {25, 3e-4}};
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        check_boundary(
            &(boom){.tau = cases[i][0], .zeta = cases[i][1], .length = 5.91, .mass = 0.867});
    }
    check_boundary(&(boom){.tau = 3, .zeta = 2e-4, .length = 4, .mass = 2});
}

/* real parts on either side of square, where the sun damps */
static void test_real_parts(void **state) {
    GOS_UNUSED(state);
    for (int i = -1; i <= 1; i++) {
        const boom b = {
            .incidence = 0.8 * i, .tau = 2, .zeta = 3e-4, .length = 5.91, .mass = 0.867};
        const double complex is = root_of_model(&b), should = closed_form(&b);
        near_abs_named("real part", creal(is), creal(should), 1e-5);
        near_rel_named("frequency", cimag(is), cimag(should), 3e-3);
        assert_int_equal(creal(is) > 0, i == 1);
    }
}

/* turned about an axis and in mm, tonne, s */
static void test_turned(void **state) {
    GOS_UNUSED(state);
    const boom b = {.incidence = 0.8, .tau = 2, .zeta = 3e-4, .length = 5.91, .mass = 0.867};
    const double complex should = root_of_model(&b);
    char text[400];
    verify v;
    settings_of(&b, "", text, sizeof text);
    turn_open(&v, MODEL, text, (const double[]){-0.4, -0.9, 0.5}, 1000, 1e-3);
    const double complex is = bending_root(&v, cimag(should));
    near_abs_named("real part", creal(is), creal(should), 1e-7 * cabs(should));
    near_rel_named("frequency", cimag(is), cimag(should), 1e-7);
    verify_close(&v);
}

/* ---- nonlinear runs -------------------------------------------------------------------------- */

/* rate of growth of the tip's swings [1/s] after the push: slope of the logarithm of what lies
 * between turning points */
static double growth(verify *v, double from, double end) {
    double t[3] = {0}, y[3] = {0}, turn[PEAKS], when[PEAKS], st = 0, sl = 0, stt = 0, stl = 0;
    int peaks = 0;
    for (int i = 0; i * 0.05 < end; i++) {
        const gos_state *x = verify_at(v, i * 0.05);
        t[0] = t[1], t[1] = t[2], y[0] = y[1], y[1] = y[2];
        t[2] = i * 0.05;
        y[2] = verify_value(v, x, "tip.y");
        if (t[0] > from && (y[1] - y[0]) * (y[2] - y[1]) < 0 && peaks < PEAKS) { // a parabola
            const double a = 0.5 * (y[2] - y[0]), b = y[2] - 2 * y[1] + y[0];
            when[peaks] = t[1] - 0.05 * a / b;
            turn[peaks++] = y[1] - 0.5 * a * a / b;
        }
    }
    assert_true(peaks > 20);
    for (int i = 0; i + 1 < peaks; i++) {
        const double at = 0.5 * (when[i] + when[i + 1]), size = log(fabs(turn[i + 1] - turn[i]));
        st += at;
        sl += size;
        stt += at * at;
        stl += at * size;
    }
    const int n = peaks - 1;
    return (n * stl - st * sl) / (n * stt - st * st);
}

static void test_runs(void **state) {
    GOS_UNUSED(state);
    static const double incidence[] = {1.0, 0.1}; // 0.44 is critical
    for (int i = 0; i < 2; i++) {
        const boom b = {
            .incidence = incidence[i], .tau = 2, .zeta = 3e-4, .length = 5.91, .mass = 0.867};
        const double should = creal(root_of_model(&b));
        char text[400];
        verify v;
        settings_of(&b, "t_end=60", text, sizeof text);
        verify_example(&v, "hubble-boom", text);
        verify_static(&v);
        verify_start(&v);
        const double is = growth(&v, 10, 60);
        print_message("    incidence %g: grows by %.4e 1/s, root %.4e\n", b.incidence, is, should);
        near_rel_named("rate of growth", is, should, 0.01);
        assert_int_equal(is > 0, i == 0);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_boundary),
                                       cmocka_unit_test(test_real_parts),
                                       cmocka_unit_test(test_turned), cmocka_unit_test(test_runs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
