/* Base drive, random vibration, jitter and shock: an oscillator (transmissibility, Miles),
   effective masses and base forces of a cantilever, a body as base, densities, spectra of a
   half-sine pulse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/vibration.h"
#include "support/suite.h"
#include "support/verify.h"

static gos_linear *linear_of(verify *v) {
    gos_linear *l = NULL;
    verify_good(v, gos_linearise_structure(v->ctx, v->sys, v->state, &l));
    return l;
}

static int output_of(const gos_base *base, const char *name) {
    int at = -1;
    for (int i = 0; i < gos_base_noutputs(base); i++) {
        at = strcmp(gos_base_output(base, i).name, name) == 0 ? i : at;
    }
    assert_true(at >= 0);
    return at;
}

/* ---- oscillator ------------------------------------------------------------------------------ */

/* 50 Hz, damping ratio 0.05, along z */
static const char oscillator[] =
    "bodies: {m: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [0, 0, 0]}}\n"
    "joints: {p: {type: prismatic, between: [ground, m], axis: [0, 0, 1]}}\n"
    "loads: {k: {type: spring, between: [ground, m], at: [0, 0, -1], free_length: 1, stiffness: "
    "'2*(2*pi*50)^2', damping: '2*2*0.05*2*pi*50'}}\n"
    "probes: {z: {at: m, quantity: displacement}, v: {at: m, quantity: velocity}}\n"
    "analysis: {end: 1}\n";

#define ZETA 0.05
#define F0 50.0

static void test_transmissibility(void **state) {
    (void)state;
    verify v;
    gos_base *base;
    double omega[40], H[40 * 2 * 7];
    verify_text(&v, oscillator, NULL);
    gos_linear *l = linear_of(&v);
    verify_good(&v, gos_base_create(v.ctx, l, "ground", 2, &base));
    const int ny = gos_base_noutputs(base), z = output_of(base, "z.z"), u = output_of(base, "v.z"),
              f = output_of(base, "base.force.z");
    assert_int_equal(ny, 7);
    assert_string_equal(gos_base_output(base, z).unit, "m/s^2");
    for (int k = 0; k < 40; k++) {
        omega[k] = 2 * M_PI * F0 * (0.01 + 0.1 * k);
    }
    verify_good(&v, gos_base_response(v.ctx, base, 40, omega, H));
    double worst = 0;
    for (int k = 0; k < 40; k++) {
        const double r = omega[k] / (2 * M_PI * F0), d = 2 * ZETA * r;
        const double want = sqrt((1 + d * d) / (pow(1 - r * r, 2) + d * d));
        const double *h = H + 2 * ny * k;
        worst = fmax(worst, fabs(hypot(h[2 * z], h[2 * z + 1]) / want - 1));
        worst = fmax(worst, hypot(h[2 * u] - h[2 * z], h[2 * u + 1] - h[2 * z + 1]) / want);
        worst = fmax(worst, hypot(h[2 * f] - 2 * h[2 * z], h[2 * f + 1] - 2 * h[2 * z + 1]) / want);
    }
    verify_below("transmissibility, by velocity, force over mass", worst, 1e-10);
    gos_base_destroy(base);
    gos_linear_destroy(l);
    verify_close(&v);
}

/* RMS^2 = G (pi / 2) f Q (1 + 4 zeta^2) over all frequencies; the ends of the band, from f / 1000
   to 1000 f, contribute G f / 1000 and G f (2 zeta)^2 / 1000 to first order. */
static void test_miles(void **state) {
    (void)state;
    verify v;
    gos_base *base;
    gos_random r;
    const double frequency[] = {F0 / 1000, 1000 * F0}, density[] = {3, 3};
    const gos_psd psd = {.n = 2, .frequency = frequency, .density = density};
    verify_text(&v, oscillator, NULL);
    gos_linear *l = linear_of(&v);
    verify_good(&v, gos_base_create(v.ctx, l, NULL, 2, &base));
    verify_good(&v, gos_base_random(v.ctx, base, &psd, &r));
    const int z = output_of(base, "z.z");
    const double d = 4 * ZETA * ZETA;
    const double want = 3 * F0 * (0.5 * M_PI / (2 * ZETA) * (1 + d) - (1 + d) / 1000);
    verify_near("Miles", r.rms[z] / sqrt(want), 1, 1e-6);
    verify_near("cumulative at the end", r.cumulative[(r.n - 1) * (size_t)r.outputs + z] / r.rms[z],
                1, 1e-12);
    assert_true(r.error[z] < 1e-8);
    gos_random_free(&r);
    gos_base_destroy(base);
    gos_linear_destroy(l);
    verify_close(&v);
}

/* Slopes of 3, 0, -1 and -6 dB per octave and so on: f^2, 1, 1/f, f^-4; a narrow band of lines
   between points far from them; far below resonance an oscillator moves with its base. */
static void test_density(void **state) {
    (void)state;
    const double frequency[] = {1, 2, 5, 10, 20}, density[] = {1, 4, 4, 2, 0.125};
    const gos_psd psd = {.n = 5, .frequency = frequency, .density = density};
    const double want = 7.0 / 3 + 12 + 20 * log(2) + 2e4 * (1e-3 - 1.25e-4) / 3;
    verify_near("mean square of the density", gos_psd_mean_square(&psd) / want, 1, 1e-13);
    verify_near("between points", gos_psd_at(&psd, 1.5), 2.25, 1e-13);
    verify_near("slope -1", gos_psd_at(&psd, 7), 20.0 / 7, 1e-13);
    assert_true(gos_psd_at(&psd, 0.99) == 0 && gos_psd_at(&psd, 20.01) == 0);
    // against a fine trapezoidal rule, with the resonance in the band
    enum { N = 40000 };
    verify v;
    gos_base *base;
    gos_random r;
    const double f2[] = {10, 50, 200}, g2[] = {1e-3, 2, 0.01};
    const gos_psd other = {.n = 3, .frequency = f2, .density = g2};
    verify_text(&v, oscillator, NULL);
    gos_linear *l = linear_of(&v);
    verify_good(&v, gos_base_create(v.ctx, l, NULL, 2, &base));
    verify_good(&v, gos_base_random(v.ctx, base, &other, &r));
    double sum = 0, second = 0;
    for (int k = 0; k <= N; k++) {
        const double f = 10 + 190.0 * k / N, x = f / F0, d = 2 * ZETA * x;
        const double g = (1 + d * d) / (pow(1 - x * x, 2) + d * d) * gos_psd_at(&other, f);
        const double w = (k == 0 || k == N ? 0.5 : 1) * 190.0 / N;
        sum += w * g;
        second += w * g * f * f;
    }
    const int z = output_of(base, "z.z");
    verify_near("segments", r.rms[z] / sqrt(sum), 1, 1e-6);
    verify_near("zero crossings", r.crossings[z] / sqrt(second / sum), 1, 1e-6);
    gos_random_free(&r);
    gos_base_destroy(base);
    gos_linear_destroy(l);
    verify_close(&v);
}

/* ---- cantilever ------------------------------------------------------------------------------ */

#define BEAM                                                                                       \
    "materials: {s: {density: 7800, young: 2e11, poisson: 0.3}}\n"                                 \
    "sections: {q: {type: rectangle, height: 0.01, width: 0.02}}\n"
#define LINE                                                                                       \
    "r: {type: floating_beam, material: s, section: q, from: [0, 0, 0], to: [1, 0, 0], normal: "   \
    "[0, "                                                                                         \
    "0, 1], elements: 24, bending: z, axial: rigid, torsion: rigid, zeta: 0.01, rotary_inertia: "  \
    "false}"
static const char cantilever[] =
    BEAM "bodies: {" LINE "}\njoints: {c: {type: clamp, between: [ground, r.start]}}\n"
         "probes: {tip: {at: r.end, quantity: displacement}}\nanalysis: {end: 1}\n";
static const char on_hub[] =
    BEAM "bodies:\n  " LINE "\n"
         "  hub: {type: rigid, mass: 5, inertia: [1, 1, 1], position: [0, 0, 0]}\n"
         "joints: {c: {type: clamp, between: [hub, r.start]}}\n"
         "probes: {tip: {at: r.end, quantity: displacement}}\nanalysis: {end: 1}\n";

/* 61.31, 18.83, 6.47, 3.31 percent: 4 (sigma_k / beta_k)^2 with cos beta cosh beta = -1 */
static void test_effective_masses(void **state) {
    (void)state;
    static const double beta[] = {1.875104068711961, 4.694091132974174, 7.854757438237613,
                                  10.995540734875467};
    verify v;
    enum { N = 60 };
    gos_mode mode[N];
    int found;
    verify_text(&v, cantilever, NULL);
    gos_linear *l = linear_of(&v);
    verify_good(&v, gos_linear_modes(v.ctx, l, N, false, mode, &found));
    gos_linear_info info;
    gos_linear_info_get(l, &info);
    const double mass = 7800 * 2e-4;
    for (int k = 0; k < 4; k++) {
        const double b = beta[k], sigma = (sinh(b) - sin(b)) / (cosh(b) + cos(b));
        verify_near("effective mass over mass", mode[k].mass[2] / mass, 4 * sigma * sigma / (b * b),
                    k < 2 ? 1e-5 : 1e-4);
    }
    double sum = 0;
    for (int k = 0; k < found; k++) {
        sum += mode[k].mass[2];
    }
    // the rest belongs to the clamped node: between a third and a half of an element
    verify_near("mass of the support, in elements", 24 * (1 - sum / info.mass), 0.3, 0.05);
    gos_linear_destroy(l);
    verify_close(&v);
}

/* F = m_0 + sum m_i (1 + 2 i z r) / (1 - r^2 + 2 i z r) over all modes, r = w / w_i, m_0 the mass
   of the support; the damping of the modes is relative to the base */
static void test_base_force(void **state) {
    (void)state;
    enum { N = 60, M = 5 };
    gos_mode mode[N];
    int found;
    double omega[M], H[2 * M * 4];
    verify v;
    gos_base *base, *hub;
    verify_text(&v, cantilever, NULL);
    gos_linear *l = linear_of(&v);
    verify_good(&v, gos_linear_modes(v.ctx, l, N, false, mode, &found));
    for (int k = 0; k < M; k++) {
        omega[k] = (0.001 + 1.3 * k) * mode[0].omega;
    }
    verify_good(&v, gos_base_create(v.ctx, l, NULL, 2, &base));
    const int ny = gos_base_noutputs(base), f = output_of(base, "base.force.z"),
              t = output_of(base, "tip.z");
    assert_int_equal(ny, 4);
    verify_good(&v, gos_base_response(v.ctx, base, M, omega, H));
    for (int k = 0; k < M; k++) {
        double re = 1.56, im = 0;
        for (int i = 0; i < found; i++) {
            re -= mode[i].mass[2];
            const double r = omega[k] / mode[i].omega, a = 1 - r * r, b = 0.02 * r;
            re += mode[i].mass[2] * (a + b * b) / (a * a + b * b);
            im += mode[i].mass[2] * (a * b - b) / (a * a + b * b);
        }
        verify_near("force of the base, real", H[2 * (k * ny + f)], re, 1e-6);
        verify_near("imaginary", H[2 * (k * ny + f) + 1], im, 1e-6);
    }
    verify_near("at low frequency the mass", H[2 * f], 1.56, 1e-5);
    // the same on a free hub that is driven
    verify w;
    double other[2 * M * 4];
    verify_text(&w, on_hub, NULL);
    gos_linear *free_one = linear_of(&w);
    verify_good(&w, gos_base_create(w.ctx, free_one, "hub", 2, &hub));
    verify_good(&w, gos_base_response(w.ctx, hub, M, omega, other));
    for (int k = 0; k < M; k++) {
        const double *a = H + 2 * (k * ny + t), *b = other + 2 * (k * ny + t);
        verify_below("tip, driven by the hub", hypot(a[0] - b[0], a[1] - b[1]) / hypot(a[0], a[1]),
                     1e-7);
        verify_near("force with the hub", other[2 * (k * ny + f)] - H[2 * (k * ny + f)], 5, 1e-6);
    }
    gos_base_destroy(hub);
    gos_linear_destroy(free_one);
    verify_close(&w);
    gos_base_destroy(base);
    gos_linear_destroy(l);
    verify_close(&v);
}

/* ---- shock ----------------------------------------------------------------------------------- */

/* Half-sine of duration D, oscillator of period T without damping: during the pulse the maximum of
   (sin(pi t/D) - r sin(2 pi t/T)) / (1 - r^2), r = T / (2 D); after it 2 r cos(pi D/T) / (1 - r^2).
 */
static double half_sine(double D, double f) {
    const double r = 1 / (2 * D * f);
    double most = fabs(2 * r * cos(M_PI * D * f) / (1 - r * r));
    for (int k = 0; k <= 200000; k++) {
        const double t = D * k / 200000;
        most = fmax(most, fabs((sin(M_PI * t / D) - r * sin(2 * M_PI * f * t)) / (1 - r * r)));
    }
    return most;
}

static void test_shock(void **state) {
    (void)state;
    enum { N = 4001, M = 6 };
    static double a[N];
    const double D = 0.011, h = D / 2000;
    const double f[M] = {2, 20, 60, 130, 700, 4000};
    double srs[M], fine[M];
    gos_ctx *ctx = gos_ctx_create();
    for (int k = 0; k < N; k++) {
        a[k] = k <= 2000 ? sin(M_PI * k / 2000) : 0;
    }
    assert_int_equal(gos_srs(ctx, N, h, a, 1e6, M, f, srs), GOS_OK);
    for (int i = 0; i < M; i++) {
        verify_near("half-sine", srs[i] / half_sine(D, f[i]), 1, 2e-4);
    }
    verify_near("velocity shock", srs[0] / (2 * M_PI * f[0] * 2 * D / M_PI), 1, 5e-3);
    verify_near("stiff oscillator", srs[M - 1], 1, 0.02);
    // coarse samples of a piecewise linear history, with damping: a triangle in any steps
    const double triangle[] = {0, 1, 0, 0};
    double many[31] = {0};
    for (int k = 0; k <= 20; k++) {
        many[k] = k <= 10 ? 0.1 * k : 2 - 0.1 * k;
    }
    assert_int_equal(gos_srs(ctx, 4, 0.01, triangle, 10, M, f, srs), GOS_OK);
    assert_int_equal(gos_srs(ctx, 31, 0.001, many, 10, M, f, fine), GOS_OK);
    for (int i = 0; i < M; i++) {
        verify_near("other steps", srs[i] / fine[i], 1, 1e-3);
    }
    assert_int_equal(gos_srs(ctx, 4, 0, triangle, 10, M, f, srs), GOS_E_USE);
    assert_int_equal(gos_srs(ctx, 4, 0.01, triangle, 0.5, M, f, srs), GOS_E_USE);
    gos_ctx_destroy(ctx);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void test_refused(void **state) {
    (void)state;
    verify v;
    gos_base *base;
    gos_random r;
    verify_text(&v, oscillator, NULL);
    gos_linear *l = linear_of(&v);
    assert_int_equal(gos_base_create(v.ctx, l, "n", 2, &base), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "no rigid or floating body 'n'"));
    gos_ctx_clear(v.ctx);
    assert_int_equal(gos_base_create(v.ctx, l, "m", 2, &base), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "also connected to the ground by springs"));
    assert_int_equal(gos_base_create(v.ctx, l, NULL, 3, &base), GOS_E_USE);
    verify_good(&v, gos_base_create(v.ctx, l, NULL, 2, &base));
    const double f[] = {1, 2}, bad[] = {1, -1}, back[] = {2, 1}, good[] = {1, 1};
    assert_int_equal(gos_base_random(v.ctx, base, &(gos_psd){2, f, bad}, &r), GOS_E_INPUT);
    assert_int_equal(gos_base_random(v.ctx, base, &(gos_psd){2, back, good}, &r), GOS_E_INPUT);
    gos_base_destroy(base);
    gos_linear_destroy(l);
    verify_close(&v);
}

/* ---- jitter ---------------------------------------------------------------------------------- */

static int input_of(const gos_linear *l, const char *name) {
    gos_linear_info info;
    int at = -1;
    gos_linear_info_get(l, &info);
    for (int i = 0; i < info.inputs; i++) {
        at = strcmp(gos_linear_input(l, i).name, name) == 0 ? i : at;
    }
    assert_true(at >= 0);
    return at;
}

/* share of the mean square of cos(wt + p) in means over T, by quadrature over phases */
static double mean_share(double w, double T) {
    double sum = 0;
    for (int i = 0; i < 64; i++) {
        double mean = 0;
        for (int k = 0; k < 4000; k++) {
            mean += cos(w * T * (k + 0.5) / 4000 + 2 * M_PI * i / 64) / 4000;
        }
        sum += mean * mean / 64;
    }
    return 2 * sum;
}

/* Two harmonics of a force on an oscillator: closed form at every speed; resonances between the
   points of a coarse grid; the difference of an output with itself is 0. */
static void test_jitter(void **state) {
    (void)state;
    static const char push[] = "loads: {push: {type: force, on: m, value: [0, 0, 1]}, ";
    char model[1000];
    verify v;
    const double T = 0.013, c[2] = {3e-4, 1e-4}, order[2] = {1, 2.6}, w0 = 2 * M_PI * F0;
    snprintf(model, sizeof model, "%.*s%s%s", (int)(strstr(oscillator, "loads: {") - oscillator),
             oscillator, push, strstr(oscillator, "loads: {") + strlen("loads: {"));
    verify_text(&v, model, NULL);
    gos_linear *l = linear_of(&v);
    gos_linear_info info;
    gos_linear_info_get(l, &info);
    const int in = input_of(l, "push.z");
    const gos_harmonic list[2] = {{in, order[0], c[0]}, {in, order[1], c[1]}};
    double sight[2 * 20] = {0};
    int z = -1;
    for (int i = 0; i < info.outputs; i++) {
        z = strcmp(gos_linear_output(l, i).name, "z.z") == 0 ? i : z;
    }
    assert_true(z >= 0 && info.outputs <= 20);
    sight[z] = -2;
    gos_jitter_options o = {2, list, 2, sight, 50, 400, 3, T};
    gos_jitter j;
    verify_good(&v, gos_jitter_response(v.ctx, l, &o, &j));
    double worst = 0, dense = 0;
    for (int k = 0; k < j.n; k++) {
        double square[3] = {0};
        for (int h = 0; h < 2; h++) {
            const double s = j.speed[k], w = order[h] * s, r = w / w0;
            const double x = 2 * c[h] * s * s / (2 * w0 * w0) / hypot(1 - r * r, 2 * ZETA * r);
            const double share = mean_share(w, T);
            square[0] += x * x / 2;
            square[1] += share * x * x / 2;
            square[2] += (1 - share) * x * x / 2;
        }
        for (int p = 0; p < 3; p++) {
            verify_near("root mean square", j.rms[6 * k + p], sqrt(square[p]),
                        1e-6 * sqrt(square[0]));
        }
        verify_near("no output", j.rms[6 * k + 3], 0, 0);
        worst = fmax(worst, j.rms[6 * k]);
        assert_true(k == 0 || j.speed[k] > j.speed[k - 1]);
    }
    gos_jitter_free(&j);
    o.points = 5000;
    verify_good(&v, gos_jitter_response(v.ctx, l, &o, &j));
    for (int k = 0; k < j.n; k++) {
        dense = fmax(dense, j.rms[6 * k]);
    }
    verify_near("worst speed of a coarse grid", worst, dense, 0.01 * dense);
    assert_int_equal(j.dominant[0], 0);
    for (int k = 0; k < j.n; k++) { // the second harmonic resonates
        assert_true(fabs(j.speed[k] - w0 / order[1]) > 0.1 || j.dominant[2 * k] == 1);
    }
    gos_jitter_free(&j);
    o.from = 0;
    assert_int_equal(gos_jitter_response(v.ctx, l, &o, &j), GOS_E_USE);
    gos_linear_destroy(l);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jitter),
        cmocka_unit_test(test_transmissibility),
        cmocka_unit_test(test_miles),
        cmocka_unit_test(test_density),
        cmocka_unit_test(test_effective_masses),
        cmocka_unit_test(test_base_force),
        cmocka_unit_test(test_shock),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
