/* The published scheme, local linearisation with complex modes, made right (theory 4, 7, 8): the
   thermal pendulum at the published thresholds, energy at updates, convergence to the full run,
   rigid bodies, exact steps, error control, the turning frame, and the variants that fail. The 2 s
   runs are in bench/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gossamer/reduce.h"
#include "support/faults.h"
#include "support/suite.h"
#include "support/verify.h"

#define SAMPLES 31
// the example is for another method
#define METHOD "reduction=null reduction.method=complex_modes "
#define PUBLISHED METHOD "t_end=0.3 analysis.step=1e-4 reduction.thermal_modes=25 "

/* ---- runs ------------------------------------------------------------------------------------ */

typedef struct track {
    int nnodes;
    double *r; // (SAMPLES, nnodes, 3)
    gos_energy energy;
    gos_heat heat;
    double balance; // largest of the energy
    gos_local_report report;
    gos_statistics stats;
    long allocations;
    double violation; // of the constraints at the end
} track;

static void begin(const verify *v, track *k) {
    gos_mesh_info mesh;
    gos_system_mesh(v->sys, &mesh);
    *k = (track){.nnodes = mesh.nnodes};
    k->r = calloc(SAMPLES * 3 * (size_t)mesh.nnodes, sizeof *k->r);
    assert_non_null(k->r);
}

static void sample(const verify *v, const gos_state *x, int i, track *k) {
    gos_energy e;
    gos_system_nodes(v->sys, x, k->r + (size_t)i * 3 * (size_t)k->nnodes, NULL, NULL, NULL);
    gos_system_energy(v->sys, x, &e);
    k->balance = fmax(k->balance, fabs(e.balance));
}

/* by Newton, at a fixed step */
static track full_run(verify *v, double step) {
    track k;
    gos_options o = v->opt;
    gos_state *x;
    gos_integrator *run;
    begin(v, &k);
    o.step = step;
    verify_good(v, gos_state_create(v->ctx, v->sys, &x));
    verify_good(v, gos_integrator_create(v->ctx, v->sys, &o, x, &run));
    for (int i = 0; i < SAMPLES; i++) {
        const double t = o.end * i / (SAMPLES - 1);
        while (gos_state_time(x) < t * (1 - 1e-12)) {
            verify_good(v, gos_integrator_step(run, o.end));
        }
        sample(v, gos_integrator_at(run, t), i, &k);
    }
    gos_system_energy(v->sys, x, &k.energy);
    gos_integrator_destroy(run);
    gos_state_destroy(x);
    return k;
}

static track local_run(verify *v) {
    track k;
    gos_state *x;
    gos_local *run;
    begin(v, &k);
    verify_good(v, gos_state_create(v->ctx, v->sys, &x));
    verify_good(v, gos_local_create(v->ctx, v->sys, &v->opt, x, &run));
    verify_good(v, gos_local_step(run, v->opt.end)); // scratch of a library at its first call
    const long before = gos_ctx_allocations(v->ctx);
    for (int i = 0; i < SAMPLES; i++) {
        const double t = v->opt.end * i / (SAMPLES - 1);
        while (gos_state_time(x) < t * (1 - 1e-12)) {
            verify_good(v, gos_local_step(run, v->opt.end));
        }
        sample(v, gos_local_at(run, t), i, &k);
    }
    k.allocations = gos_ctx_allocations(v->ctx) - before;
    gos_system_energy(v->sys, x, &k.energy);
    gos_system_heat(v->sys, x, &k.heat);
    gos_local_get_report(run, &k.report);
    gos_local_statistics(run, &k.stats);
    k.violation = gos__state_violation(v->sys, x);
    gos_local_destroy(run);
    gos_state_destroy(x);
    return k;
}

/* max over t of the RMS over nodes, and RMS over t of the last node */
typedef struct errors {
    double rms, tip;
} errors;

static errors compare(const track *a, const track *b) {
    errors e = {0};
    const int n = a->nnodes;
    for (int i = 0; i < SAMPLES; i++) {
        double sum = 0, d = 0;
        for (int j = 0; j < n; j++) {
            const size_t at = 3 * ((size_t)i * (size_t)n + (size_t)j);
            d = verify_distance(a->r + at, b->r + at);
            sum += d * d;
        }
        e.rms = fmax(e.rms, sqrt(sum / n));
        e.tip += d * d / SAMPLES;
    }
    e.tip = sqrt(e.tip);
    return e;
}

/* errors of the pendulum with settings against its full run; *k gets the rest */
static errors pendulum(const char *settings, track *k) {
    verify v;
    verify_example(&v, "thermal-pendulum", settings);
    track full = full_run(&v, v.opt.step > 0 ? v.opt.step : 1e-4);
    *k = local_run(&v);
    const errors e = compare(&full, k);
    print_message("  %s: %ld intervals, %d columns, e %.3g m, tip %.3g m\n", settings,
                  k->report.intervals, k->report.columns, e.rms, e.tip);
    free(full.r);
    free(k->r);
    verify_close(&v);
    return e;
}

/* ---- as published, made right ---------------------------------------------------------------- */

static void published(void **state) {
    (void)state;
    static const char *const settings[] = {PUBLISHED "reduction.displacement_modes=35",
                                           PUBLISHED "reduction.displacement_modes=30",
                                           PUBLISHED "reduction.displacement_modes=25"};
    for (int i = suite_long() ? 0 : 2; i < 3; i++) { // with fewest modes the error is largest
        track k;
        const errors e = pendulum(settings[i], &k);
        verify_below("max e(t) [m], published 0.035", e.rms, 1e-3);
        verify_below("RMS of the tip [m]", e.tip, 1e-3);
        verify_below("energy at an update / peak kinetic",
                     k.report.energy_jump / k.report.peak_kinetic, 1e-6);
        verify_below("... sum over the run", k.report.energy_drift / k.report.peak_kinetic, 1e-6);
        verify_below("energy balance / peak kinetic", k.balance / k.report.peak_kinetic, 1e-3);
        verify_below("heat balance / stored", k.heat.balance / k.heat.stored, 1e-4);
        verify_within("intervals", (double)k.report.intervals, 200, 350);
        assert_int_equal(k.allocations, 0);
        assert_int_equal(k.report.thermal_columns, 26);
    }
}

/* all modes and smaller thresholds: the full run, with second order */
static void converges(void **state) {
    (void)state;
    static const char *const settings[] = {
        METHOD "n=8 t_end=0.3 analysis.step=5e-5 reduction.modes=real "
               "reduction.thresholds.displacement=0.004",
        METHOD "n=8 t_end=0.3 analysis.step=5e-5 reduction.modes=real "
               "reduction.thresholds.displacement=0.001"};
    double e[2];
    for (int i = 0; i < 2; i++) {
        track k;
        e[i] = pendulum(settings[i], &k).rms;
    }
    verify_within("order in the threshold", verify_order(e[0], e[1], 4), 1.6, 2.6);
    verify_below("max e(t) [m]", e[1], 2e-5);
}

static void all_modes(void **state) {
    (void)state;
    track k;
    const errors whole = pendulum(METHOD "n=4 t_end=0.3 analysis.step=1e-4", &k);
    assert_int_equal(k.report.columns, 27);
    assert_int_equal(k.report.modes, 27);
    verify_below("complex modes, all of them, e [m]", whole.rms, 1e-4);
}

/* ---- exact steps, error control, turning frame ----------------------------------------------- */

static void exact_steps(void **state) {
    (void)state;
    track k;
    const errors e =
        pendulum(METHOD "t_end=0.3 reduction.displacement_modes=25 reduction.thermal_modes=25", &k);
    verify_below("exact steps, max e(t) [m]", e.rms, 1e-3);
    assert_int_equal(k.stats.steps, k.report.intervals);
}

static void error_control(void **state) {
    (void)state;
    static const char *const settings[] = {
        METHOD
        "n=8 t_end=0.3 reduction.intervals=error reduction.modes=real reduction.tolerance=1e-2",
        METHOD
        "n=8 t_end=0.3 reduction.intervals=error reduction.modes=real reduction.tolerance=1e-3",
        METHOD
        "n=8 t_end=0.3 reduction.intervals=error reduction.modes=real reduction.tolerance=1e-4"};
    double tolerance = 1e-2;
    long last = 0;
    for (int i = 0; i < 3; i++, tolerance /= 10) {
        track k;
        const errors e = pendulum(settings[i], &k);
        verify_below("max e(t) / L / tolerance", e.rms / 1.2 / tolerance, 2);
        assert_true(k.report.intervals > last);
        last = k.report.intervals;
    }
}

static void turning_frame(void **state) {
    (void)state;
    track plain, turned;
    pendulum(PUBLISHED "reduction.displacement_modes=25", &plain);
    const errors e =
        pendulum(PUBLISHED "reduction.displacement_modes=25 reduction.corotated=true", &turned);
    verify_below("turning frame, max e(t) [m]", e.rms, 2e-3);
    verify_below("intervals / those without",
                 (double)turned.report.intervals / (double)plain.report.intervals, 0.5);
}

/* ---- variants, those that fail too ----------------------------------------------------------- */

static void variants(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        double least, most; // of max e(t) [m]
    } cases[] = {
        {"reduction.velocity=truncate reduction.dropped=ignore", 5e-4, 1},
        {"reduction.velocity=truncate", 0, 1e-2},
        {"reduction.velocity=scale", 0, 1e-2},
        {"reduction.dropped=ignore", 0, 1e-3},
        {"reduction.coupling=false", 0, 1e-3},
        {"reduction.modes=real", 0, 1e-3},
        {"reduction.refresh=20", 0, 1e-3},
        {"reduction.modes=real_diagonal", 2e-4, 1e-2},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        if (!suite_long() && (i == 1 || i == 3 || i == 5)) {
            continue; // the first has both of them, `converges` the real modes
        }
        char settings[300];
        track k;
        snprintf(settings, sizeof settings, PUBLISHED "reduction.displacement_modes=20 %s",
                 cases[i].settings);
        const errors e = pendulum(settings, &k);
        verify_within("max e(t) [m]", e.rms, cases[i].least, cases[i].most);
    }
}

static void warns(void **state) {
    (void)state;
    verify v;
    gos_local *run;
    verify_example(&v, "thermal-pendulum",
                   METHOD "reduction.velocity=truncate reduction.coupling=false");
    const int before = gos_ctx_ndiag(v.ctx);
    verify_good(&v, gos_local_create(v.ctx, v.sys, &v.opt, v.state, &run));
    assert_int_equal(gos_ctx_ndiag(v.ctx) - before, 2);
    gos_local_destroy(run);
    verify_close(&v);
}

/* ---- rigid bodies ---------------------------------------------------------------------------- */

/* two bodies tumbling about a ball joint, free of forces: energy to the last digits, positions with
   second order. Carried velocities and the stiffness of static multipliers belong together. */
static const char tumble[] =
    "bodies:\n"
    "  a: {type: rigid, mass: 1, inertia: [0.01, 0.02, 0.025], centre_of_mass: [0.05, 0.02, 0],\n"
    "    angular_velocity: [3, 1, 4]}\n"
    "  b: {type: rigid, mass: 0.5, inertia: [0.01, 0.012, 0.015], position: [0.5, 0, 0],\n"
    "    points: {tip: [-0.5, 0, 0]}, angular_velocity: [3, 1, 4], velocity: [0, 2, -0.5]}\n"
    "joints: {ball: {type: spherical, between: [a.node, b.tip]}}\n"
    "analysis: {end: 0.5, step: 1.0e-4, rho_infinity: 1}\n";

static void tumbling(void **state) {
    (void)state;
    double e[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v, tumble,
                    i ? METHOD "reduction.thresholds.displacement=0.005"
                      : METHOD "reduction.thresholds.displacement=0.02");
        track full = full_run(&v, 1e-4), k = local_run(&v);
        e[i] = compare(&full, &k).rms;
        verify_below("energy balance / kinetic", fabs(k.energy.balance) / k.energy.kinetic, 1e-11);
        verify_below("||C U||", k.report.null_error, 1e-12);
        assert_int_equal(k.allocations, 0);
        free(full.r);
        free(k.r);
        verify_close(&v);
    }
    verify_within("order in the threshold", verify_order(e[0], e[1], 4), 1.7, 2.4);
    verify_below("max e(t) [m]", e[1], 1e-4);
}

/* a hub on a hinge with two cables clamped to it, driven by a motor: everything at once */
static const char spinner[] =
    "materials: {m: {density: 1500, young: 2e8, damping: {normal: 1e-3}}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.03}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [0.012, 0.012, 0.02], points: {a: [0.1, 0, 0],\n"
    "    b: [-0.1, 0, 0]}}\n"
    "  left: {type: ancf_cable, material: m, section: s, from: [-0.1, 0, 0], to: [-1, 0, 0],\n"
    "    elements: 4}\n"
    "  right: {type: ancf_cable, material: m, section: s, from: [0.1, 0, 0], to: [1, 0, 0],\n"
    "    elements: 4}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
    "  clamp_a: {type: clamp, between: [hub.a, right.start]}\n"
    "  clamp_b: {type: clamp, between: [hub.b, left.start], rigid: false}\n"
    "loads: {motor: {type: moment, on: hub, moment: [0, 0, \"4*sin(6*t)*(t<0.15)\"]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "analysis: {end: 0.2, step: 2.0e-4}\n";

static void hub_with_cables(void **state) {
    (void)state;
    double e[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v, spinner,
                    i ? METHOD "reduction.thresholds.displacement=0.001"
                      : METHOD "reduction.thresholds.displacement=0.004");
        track full = full_run(&v, 2e-4), k = local_run(&v);
        e[i] = compare(&full, &k).rms;
        verify_below("energy at an update / peak kinetic",
                     k.report.energy_jump / k.report.peak_kinetic, 1e-10);
        verify_below("violation after a step", k.violation, 1e-11);
        free(full.r);
        free(k.r);
        verify_close(&v);
    }
    verify_within("order in the threshold", verify_order(e[0], e[1], 4), 1.4, 2.8);
    verify_below("max e(t) [m]", e[1], 2e-4);
}

/* ---- as a system, refusals ------------------------------------------------------------------- */

static void as_a_system(void **state) {
    (void)state;
    verify v;
    gos_system *sys;
    gos_state *x;
    gos_integrator *run;
    gos_sizes sizes;
    double tip[GOS_PROBE_MAX];
    verify_example(&v, "thermal-pendulum",
                   METHOD "n=8 t_end=0.02 analysis.step=1e-4 "
                          "reduction.displacement_modes=10");
    verify_good(&v, gos_reduce(v.ctx, v.sys, &sys));
    gos_system_sizes(sys, &sizes);
    assert_true(sizes.reduced);
    verify_good(&v, gos_state_create(v.ctx, sys, &x));
    verify_good(&v, gos_integrator_create(v.ctx, sys, &v.opt, x, &run));
    while (gos_state_time(x) < v.opt.end) {
        verify_good(&v, gos_integrator_step(run, v.opt.end));
    }
    verify_good(&v, gos_system_probe(v.ctx, sys, gos_integrator_at(run, 0.02), 0, tip, NULL));
    verify_near("tip falls freely at first [m]", tip[1], -0.5 * 9.81 * 0.02 * 0.02, 1e-4);
    gos_system *again;
    assert_int_equal(gos_reduce(v.ctx, sys, &again), GOS_E_USE);
    gos_integrator_destroy(run);
    gos_state_destroy(x);
    gos_system_destroy(sys);
    verify_close(&v);
}

static void refusals(void **state) {
    (void)state;
    verify v;
    gos_local *run;
    static const struct {
        const char *settings;
        gos_status status;
    } cases[] = {{METHOD "n=400", GOS_E_LIMIT},
                 {METHOD "analysis.rho_infinity=1", GOS_OK},
                 {"n=8", GOS_E_USE}}; // the method is another one
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        verify_example(&v, "thermal-pendulum", cases[i].settings);
        const gos_status status = gos_local_create(v.ctx, v.sys, &v.opt, v.state, &run);
        assert_int_equal(status, cases[i].status);
        if (status == GOS_OK) {
            assert_int_equal(gos_local_step(run, 0), GOS_E_USE);
            gos_local_destroy(run);
        }
        verify_close(&v);
    }
    verify_text(&v, spinner, METHOD "reduction.corotated=true");
    assert_int_equal(gos_local_create(v.ctx, v.sys, &v.opt, v.state, &run), GOS_E_INPUT);
    verify_close(&v);
}

/* memory that runs out at any allocation: an error, nothing lost, and the same call works
   afterwards */
static void out_of_memory(void **state) {
    (void)state;
    faults f;
    verify v = {.ctx = faults_context(&f)};
    assert_non_null(v.ctx);
    verify_good(&v, gos_model_parse(v.ctx, spinner, strlen(spinner), "test", NULL, &v.model));
    verify_set(&v, METHOD);
    verify_compile(&v);
    gos_status status = GOS_E_MEMORY;
    long n = 0;
    while (status != GOS_OK) {
        gos_local *run = NULL;
        const long live = f.live;
        gos_ctx_clear(v.ctx);
        const long before = f.live;
        faults_arm(&f, ++n, 0);
        status = gos_local_create(v.ctx, v.sys, &v.opt, v.state, &run);
        faults_arm(&f, 0, 0);
        if (status == GOS_OK) {
            verify_good(&v, gos_local_step(run, v.opt.end));
            gos_local_destroy(run);
        } else {
            assert_int_equal(status, GOS_E_MEMORY);
            gos_ctx_clear(v.ctx);
            assert_int_equal(f.live, before);
        }
        assert_true(live >= before && n < 10000);
    }
    print_message("    %ld allocations\n", n - 1);
    verify_close(&v);
    assert_int_equal(f.live, 0);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published),     cmocka_unit_test(converges),
        cmocka_unit_test(all_modes),     cmocka_unit_test(exact_steps),
        cmocka_unit_test(error_control), cmocka_unit_test(turning_frame),
        cmocka_unit_test(variants),      cmocka_unit_test(warns),
        cmocka_unit_test(tumbling),      cmocka_unit_test(hub_with_cables),
        cmocka_unit_test(as_a_system),   cmocka_unit_test(refusals),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
