/* The estimated error of whole runs (analysis.error_check) against runs of another integrator with
   a far smaller tolerance: where the motion amplifies errors, where it does not, turned and in mm,
   tonne, s, with a body more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/io.h"
#include "solve/scales.h"
#include "support/suite.h"
#include "support/turned.h"
#include "support/verify.h"

enum { SAMPLES = 64, SIZE = 400 };

/* ---- what a run reports ---------------------------------------------------------------------- */

typedef struct reported {
    double tolerances;    // estimated error, -1: none is reported
    bool warned, omitted; // omitted: a note says that there is no estimate
} reported;

static reported run_and_read(const verify *v) {
    reported r = {.tolerances = -1};
    const int before = gos_ctx_ndiag(v->ctx);
    gos_statistics stats;
    verify_good(v, gos_run(v->ctx, v->sys, &v->opt, NULL, &stats));
    for (int i = before; i < gos_ctx_ndiag(v->ctx); i++) {
        const gos_diag *d = gos_ctx_diag(v->ctx, i);
        const char *estimate = strstr(d->text, "estimated error of the whole run");
        const char *number = estimate ? strchr(estimate, '(') : NULL;
        r.tolerances = number ? strtod(number + 1, NULL) : r.tolerances;
        r.omitted = r.omitted || strstr(d->text, "the error of the whole run is not estimated");
        r.warned = r.warned || strstr(d->text, "amplifies the errors of steps") ||
                   strstr(d->text, "the motion is sensitive");
    }
    return r;
}

/* ---- the true error -------------------------------------------------------------------------- */

static void record(const char *text, const char *settings, const char *more, int *n, double *q) {
    verify v;
    char all[4000];
    snprintf(all, sizeof all, "%s %s", settings, more);
    verify_text(&v, text, all);
    verify_start(&v);
    *n = v.sys->nq;
    assert_true(*n <= SIZE);
    for (int k = 0; k <= SAMPLES; k++) {
        const gos_state *x = verify_at(&v, v.opt.end * k / SAMPLES);
        memcpy(q + (size_t)k * SIZE, x->q, (size_t)*n * sizeof *q);
    }
    verify_close(&v);
}

/* largest error of a run, RMS over the mass relative to the extent */
static double true_error(const char *text, const char *settings, const char *more) {
    double *got = calloc(2 * (size_t)(SAMPLES + 1) * SIZE, sizeof *got);
    double *want = got + (size_t)(SAMPLES + 1) * SIZE, weighed[SIZE], most = 0;
    verify v;
    int n;
    assert_non_null(got);
    record(text, settings, more, &n, got);
    record(text, settings, "analysis.integrator=radau analysis.tolerance=1e-11", &n, want);
    verify_text(&v, text, settings);
    for (int k = 0; k <= SAMPLES; k++) {
        for (int i = 0; i < n; i++) {
            got[(size_t)k * SIZE + i] -= want[(size_t)k * SIZE + i];
        }
        most = fmax(most, gos__motion_rms(v.sys, got + (size_t)k * SIZE, weighed));
    }
    verify_close(&v);
    free(got);
    return most;
}

/* The estimate is within a factor of 3 of the truth, as far as that is not as large as the motion;
   3 tolerances are never exceeded without a warning, but for the tenth that the estimate itself may
   be off by. */
static void check_run(const char *name, const char *text, const turned *t, const char *more) {
    char settings[3000], all[4000], what[200];
    verify v;
    turned_settings(t, NULL, settings, sizeof settings);
    snprintf(all, sizeof all, "%s %s", settings, more);
    verify_text(&v, text, all);
    const reported r = run_and_read(&v);
    const double error = true_error(text, settings, more), tolerances = error / v.opt.tolerance;
    verify_close(&v);
    snprintf(what, sizeof what, "%s, %s: %.3g tolerances, estimated over true", name, more,
             tolerances);
    assert_true(r.tolerances > 0);
    if (error < 0.3) {
        verify_within(what, r.tolerances / tolerances, 1 / 3.0, 3);
    }
    if (tolerances > 3.3) {
        assert_true(r.warned);
    }
    if (tolerances < 2.7) {
        assert_false(r.warned);
    }
}

static void check_all(const char *name, const char *text, const char *const *integrators,
                      const char *const *tolerances) {
    for (int i = 0; integrators[i]; i++) {
        for (int k = 0; tolerances[k]; k++) {
            const turned plain = turned_by(0, 0, 0, false), turns = turned_by(0.4, 1.1, -2, true);
            char more[200];
            snprintf(more, sizeof more, "analysis.integrator=%s analysis.tolerance=%s",
                     integrators[i], tolerances[k]);
            check_run(name, text, k == 0 ? &turns : &plain, more);
        }
    }
}

static const char *const each[] = {"generalised_alpha", "radau", "bdf", NULL};
static const char *const alpha[] = {"generalised_alpha", NULL};
static const char *const two[] = {"1e-3", "1e-4", NULL};

/* ---- models ---------------------------------------------------------------------------------- */

/* about its intermediate axis a free body tumbles: an error grows by exp(t w
 * sqrt((I2-I1)(I3-I2)/(I1 I3))) */
static void tumbling(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        "parameters: {" TURNED_PARAMETERS ", kg: rho*mm^3}\n"
        "bodies: {b: {type: rigid, mass: 2*kg, inertia: [1.0*kg*mm^2, 2.0*kg*mm^2, 3.0*kg*mm^2],\n"
        "  angular_velocity: " TURNED(
            "0.01", "5", "0") "}}\n"
                              "probes: {w: {at: b, quantity: angular_velocity, frame: b}}\n"
                              "analysis: {end: 7}\n";
    check_all("tumbling", text, each, two);
}

static void heavy_top(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        "parameters: {" TURNED_PARAMETERS ", kg: rho*mm^3}\n"
        "gravity: " TURNED(
            "0", "0",
            "-9.81*mm") "\n"
                        "bodies: {b: {type: rigid, mass: 15*kg, inertia: [0.23*kg*mm^2, "
                        "0.23*kg*mm^2, "
                        "0.3*kg*mm^2],\n"
                        "  position: " TURNED(
                            "0", "0.6*mm",
                            "0.8*mm") ", angular_velocity: " TURNED("0", "3",
                                                                    "9") ",\n"
                                                                         "  points: {foot: [0, 0, "
                                                                         "0]}}}\n"
                                                                         "joints: {foot: {type: "
                                                                         "spherical, between: "
                                                                         "[ground, b], at: [0, 0, "
                                                                         "0]}}\n"
                                                                         "probes: {p: {at: b}}\n"
                                                                         "analysis: {end: 3}\n";
    check_all("heavy top", text, each, two);
}

/* n equal links: its errors grow with the number of swings */
static void chain(void **unused) {
    GOS_UNUSED(unused);
    static const char two_links[] =
        "parameters: {" TURNED_PARAMETERS ", kg: rho*mm^3}\n"
        "gravity: " TURNED(
            "0", "-9.81*mm",
            "0") "\n"
                 "bodies:\n"
                 "  a: {type: rigid, mass: 1*kg, inertia: [0.1*kg*mm^2, 0.1*kg*mm^2, 0.1*kg*mm^2], "
                 "position: " TURNED(
                     "0.5*mm", "0",
                     "0") "}\n"
                          "  b: {type: rigid, mass: 1*kg, inertia: [0.1*kg*mm^2, 0.1*kg*mm^2, "
                          "0.1*kg*mm^2], position: " TURNED(
                              "1.5*mm", "0",
                              "0") "}\n"
                                   "joints:\n"
                                   "  o: {type: revolute, between: [ground, a], at: [0, 0, 0], "
                                   "axis: " TURNED(
                                       "0", "0",
                                       "1") "}\n"
                                            "  p: {type: revolute, between: [a, b], at: " TURNED(
                                                "1*mm", "0",
                                                "0") ", axis: " TURNED("0", "0",
                                                                       "1") "}\n"
                                                                            "redundant: drop\n"
                                                                            "probes: {p: {at: b}}\n"
                                                                            "analysis: {end: 4}\n";
    check_all("double pendulum", two_links, each, two);
}

/* angle of the columns of the four-bars at t: theta'' = ratio g sin(theta), theta = 0 and 1 rad/s
 * at t = 0; ratio: moment of all weights over that of all inertias */
static double four_bar_angle(double t, double ratio) {
    enum { N = 20000 };
    double y[2] = {0, 1};
    for (int i = 0; i < N; i++) {
        double k[4][2], z[2];
        for (int s = 0; s < 4; s++) {
            const double by = s == 0 ? 0 : s == 3 ? 1 : 0.5;
            for (int j = 0; j < 2; j++) {
                z[j] = y[j] + (s ? by * t / N * k[s - 1][j] : 0);
            }
            k[s][0] = z[1];
            k[s][1] = ratio * 9.81 * sin(z[0]);
        }
        for (int j = 0; j < 2; j++) {
            y[j] += t / N / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
        }
    }
    return y[0];
}

/* It passes on the side of its momentum and is right or warned of, or it stops there and names a
 * joint. */
static void check_four_bar(const char *text, double ratio, const char *integrator,
                           const char *tolerance, bool turned_too) {
    const turned t = turned_too ? turned_by(0.4, 1.1, -2, true) : turned_by(0, 0, 0, false);
    const double angle = four_bar_angle(2.5, ratio);
    char settings[3000], more[200], what[300];
    double p[GOS_PROBE_MAX], q[3];
    verify v;
    snprintf(more, sizeof more, "analysis.integrator=%s analysis.tolerance=%s", integrator,
             tolerance);
    turned_settings(&t, more, settings, sizeof settings);
    verify_text(&v, text, settings);
    verify_start(&v);
    gos_status status = GOS_OK;
    while (status == GOS_OK && gos_state_time(v.state) < v.opt.end) {
        status = gos_integrator_step(v.run, v.opt.end);
    }
    if (status != GOS_OK) {
        print_message("    %s: %s\n", more, gos_ctx_message(v.ctx));
        assert_non_null(strstr(gos_ctx_message(v.ctx), "singular position"));
        assert_non_null(strstr(gos_ctx_message(v.ctx), "joint '"));
        verify_close(&v);
        return;
    }
    verify_probe(&v, NULL, "p", p);
    turned_back(&t, p, q);
    const double off = hypot(q[0] - 0.5 - sin(angle), q[1] - cos(angle)) / 2;
    verify_close(&v);
    verify_text(&v, text, settings);
    const reported r = run_and_read(&v);
    snprintf(what, sizeof what, "four-bar, %s: error in tolerances, %swarned", more,
             r.warned ? "" : "not ");
    verify_below(what, off / v.opt.tolerance, r.warned ? 30 : 5);
    verify_close(&v);
}

/* all links of a row of parallel four-bars are in one line at the top and the bottom: singular
 * there */
static void singular(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        "parameters: {" TURNED_PARAMETERS ", kg: rho*mm^3, I: kg*mm^2/12, i: 1e-6*kg*mm^2}\n"
        "gravity: " TURNED(
            "0", "-9.81*mm",
            "0") "\n"
                 "bodies:\n"
                 "  c: {type: rigid, mass: kg, inertia: [I, I, I], position: " TURNED(
                     "0", "0.5*mm",
                     "0") ",\n"
                          "      angular_velocity: " TURNED("0", "0", "-1") ", velocity: " TURNED(
                              "0.5*mm",
                              "0", "0") "}\n"
                                        "  d: {type: rigid, mass: kg, inertia: [I, I, I], "
                                        "position: " TURNED(
                                            "1*mm", "0.5*mm",
                                            "0") ",\n"
                                                 "      angular_velocity: " TURNED("0", "0", "-1") ", velocity: " TURNED(
                                                     "0.5*mm", "0",
                                                     "0") "}\n"
                                                          "  h: {type: rigid, mass: kg, inertia: "
                                                          "[I, I, I], position: " TURNED(
                                                              "0.5*mm", "1*mm",
                                                              "0") ",\n"
                                                                   "      velocity: " TURNED(
                                                                       "1*mm", "0",
                                                                       "0") "}\n"
                                                                            "joints:\n"
                                                                            "  g: {type: revolute, "
                                                                            "between: [ground, c], "
                                                                            "at: [0, 0, 0], "
                                                                            "axis: " TURNED(
                                                                                "0", "0",
                                                                                "1") "}\n"
                                                                                     "  k: {type: "
                                                                                     "revolute, "
                                                                                     "between: "
                                                                                     "[ground, d], "
                                                                                     "at: " TURNED("1*mm", "0", "0") ", axis: " TURNED(
                                                                                         "0", "0",
                                                                                         "1") "}\n"
                                                                                              "  "
                                                                                              "a: "
                                                                                              "{typ"
                                                                                              "e: "
                                                                                              "revo"
                                                                                              "lute"
                                                                                              ", "
                                                                                              "betw"
                                                                                              "een:"
                                                                                              " [c,"
                                                                                              " h],"
                                                                                              " at:"
                                                                                              " " TURNED("0", "1*mm", "0") ", axis: " TURNED(
                                                                                                  "0",
                                                                                                  "0",
                                                                                                  "1") "}\n"
                                                                                                       "  b: {type: revolute, between: [h, d], at: " TURNED(
                                                                                                           "1*mm",
                                                                                                           "1*mm",
                                                                                                           "0") ", axis: " TURNED("0",
                                                                                                                                  "0",
                                                                                                                                  "1") "}\n"
                                                                                                                                       "redundant: drop\n"
                                                                                                                                       "probes: {p: {at: h}}\n"
                                                                                                                                       "analysis: {end: 2.5}\n";
    static const char *const tolerances[] = {"1e-3", "1e-4", "1e-5", "1e-6"};
    for (int i = 0; each[i]; i++) {
        for (int k = 0; k < GOS_COUNT(tolerances); k++) {
            check_four_bar(text, 1.2, each[i], tolerances[k], k % 2);
        }
    }
}

#define COLUMN(n, x)                                                                               \
    "  c" n ": {type: rigid, mass: kg, inertia: [I, I, I], position: " TURNED(                     \
        x "*mm", "0.5*mm",                                                                         \
        "0") ", angular_velocity: " TURNED("0", "0", "-1") ", velocity: " TURNED("0.5*mm", "0",    \
                                                                                 "0") "}\n"
#define COUPLER(n, x)                                                                              \
    "  h" n ": {type: rigid, mass: kg, inertia: [I, I, I], position: " TURNED(                     \
        x "*mm", "1*mm", "0") ", velocity: " TURNED("1*mm", "0", "0") "}\n"
#define HINGE(name, a, b, x, y)                                                                    \
    "  " name ": {type: revolute, between: [" a ", " b                                             \
    "], at: " TURNED(x "*mm", y "*mm", "0") ", axis: " TURNED("0", "0", "1") "}\n"

/* Two four-bars in a row. At small tolerances bdf stops up to 0.02 rad from the singular position.
 */
static void singular_row(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        "parameters: {" TURNED_PARAMETERS ", kg: rho*mm^3, I: kg*mm^2/12}\n"
        "gravity: " TURNED(
            "0", "-9.81*mm",
            "0") "\n"
                 "bodies:\n" COLUMN("0", "0") COLUMN("1", "1") COLUMN("2", "2") COUPLER("0", "0.5")
                     COUPLER("1", "1.5") "joints:\n" HINGE("g0", "ground", "c0", "0", "0")
                         HINGE("g1", "ground", "c1", "1", "0") HINGE("g2", "ground", "c2", "2", "0")
                             HINGE("a0", "c0", "h0", "0", "1") HINGE("b0", "h0", "c1", "1", "1")
                                 HINGE("a1", "c1", "h1", "1", "1")
                                     HINGE("b1", "h1", "c2", "2", "1") "redundant: drop\n"
                                                                       "probes: {p: {at: h0}}\n"
                                                                       "analysis: {end: 2.5}\n";
    static const char *const tolerances[] = {"3e-7", "2e-7", "2e-8"};
    for (int k = 0; k < GOS_COUNT(tolerances); k++) {
        check_four_bar(text, 3.5 / 3, "bdf", tolerances[k], k % 2);
    }
}

/* A flexible pendulum swings by itself: errors add up and nothing amplifies them. */
static void flexible(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        "parameters: {" TURNED_PARAMETERS "}\n"
        "gravity: " TURNED(
            "0", "-9.81*mm",
            "0") "\n"
                 "materials: {m: {density: 1000*rho, young: 1e7*Pa}}\n"
                 "sections: {s: {type: rectangle, height: 0.02*mm, width: 0.02*mm}}\n"
                 "bodies: {r: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], "
                 "to: " TURNED("1*mm", "0", "0") ", elements: 4, normal: " TURNED(
                     "0", "0",
                     "1") "}}\n"
                          "joints: {o: {type: revolute, between: [ground, r.start], axis: " TURNED(
                              "0", "0", "1") "}}\n"
                                             "probes: {tip: {at: r.end}}\n"
                                             "analysis: {end: 0.6}\n";
    check_all("flexible pendulum", text, alpha, two);
}

/* A damped boom with a stepped torque: at the larger tolerance both runs step over its vibration,
   and the number of steps hardly depends on the tolerance. */
static void stepped_torque(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        "parameters: {" TURNED_PARAMETERS ", kg: rho*mm^3}\n"
        "materials: {m: {density: 1600*rho, young: 7e10*Pa, damping: {normal: 1e-4}}}\n"
        "sections: {s: {type: rectangle, height: 0.005*mm, width: 1*mm}}\n"
        "bodies:\n"
        "  hub: {type: rigid, mass: 100*kg, inertia: [20*kg*mm^2, 20*kg*mm^2, 20*kg*mm^2]}\n"
        "  boom: {type: ancf_cable, material: m, section: s, from: [0, 0, 0],\n"
        "    to: " TURNED("3*mm", "0", "0") ", elements: 6, normal: " TURNED(
            "0", "0",
            "1") "}\n"
                 "joints: {r: {type: clamp, between: [hub, boom.start]}}\n"
                 "loads: {torque: {type: moment, on: hub, frame: global,\n"
                 "  moment: " TURNED(
                     "0", "0",
                     "5*kg*mm^2*((t<2)-(t>=2)*(t<4))") "}}\n"
                                                       "probes: {tip: {at: boom.end}}\n"
                                                       "analysis: {end: 5, error_check: always}\n";
    check_all("stepped torque", text, alpha, two);
}

/* ---- when a run is repeated ------------------------------------------------------------------ */

static reported estimate(const char *settings) {
    static const char text[] = "materials: {m: {density: 1000, young: 1e7}}\n"
                               "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
                               "bodies: {r: {type: ancf_cable, material: m, section: s, from: [0, "
                               "0, 0], to: [1, 0, 0], elements: 30}}\n"
                               "loads: {f: {type: force, on: r.end, value: [0, 1, 0]}}\n"
                               "analysis: {end: 0.01}\n";
    verify v;
    verify_text(&v, text, settings);
    const reported r = run_and_read(&v);
    verify_close(&v);
    return r;
}

static void choices(void **unused) {
    GOS_UNUSED(unused);
    reported r = estimate("");
    assert_true(r.tolerances > 0 && !r.omitted);
    r = estimate("analysis.error_check=never");
    assert_true(r.tolerances < 0 && !r.omitted);
    r = estimate("analysis.error_check=always analysis.step=0.001");
    assert_true(r.tolerances < 0 && !r.omitted);
    // 186 unknowns and 25000 steps are more than are repeated unasked
    r = estimate("analysis.max_step=4e-7");
    assert_true(r.tolerances < 0 && r.omitted);
}

/* states of controllers are no temperatures */
static void controller_states(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        "bodies:\n"
        "  c: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
        "  far: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [100, 0, 0]}\n"
        "joints: {g: {type: clamp, between: [ground, far]}}\n"
        "loads:\n"
        "  push: {type: force, on: c, value: [\"cos(3*t)\", 0, 0]}\n"
        "  none: {type: force, on: c, value: [0, 0, 0]}\n"
        "probes: {x: {at: c, quantity: position}}\n"
        "controllers: {law: {type: expression, inputs: none.x, amounts: 0, rates: 100*x.x}}\n"
        "analysis: {end: 2}\n";
    verify v;
    int named = 0;
    gos_statistics stats;
    verify_text(&v, text, NULL);
    verify_good(&v, gos_run(v.ctx, v.sys, &v.opt, NULL, &stats));
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        const char *said = gos_ctx_diag(v.ctx, i)->text;
        assert_null(strstr(said, "range of temperatures"));
        named += strstr(said, "of the range of controller states (") != NULL;
    }
    assert_int_equal(named, 1);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tumbling),
        cmocka_unit_test(heavy_top),
        cmocka_unit_test(chain),
        cmocka_unit_test(singular),
        cmocka_unit_test(singular_row),
        cmocka_unit_test(flexible),
        cmocka_unit_test(stepped_torque),
        cmocka_unit_test(choices),
        cmocka_unit_test(controller_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

SUITE_INTERNAL(suite)
