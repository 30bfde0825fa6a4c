/* rotation_closed beside floating bodies: these stay as they are, the others are reduced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gossamer/linearise.h"
#include "solve/corotation.h"
#include "support/projection.h"
#include "support/reduced.h"
#include "support/suite.h"
#include "system/derived.h"

/* a link that floats on the ground and carries cables, one of them clamped to a rigid body */
static const char model[] =
    "parameters: {n: 4}\n"
    "gravity: [0.3, -9.81, 1]\n"
    "materials:\n"
    "  stiff: {density: 7800, young: 2.0e9, poisson: 0.3}\n"
    "  soft: {density: 2700, young: 1.0e7, poisson: 0.3, expansion: 1.0e-5, conductivity: 100,\n"
    "         specific_heat: 900}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.03}}\n"
    "bodies:\n"
    "  arm: {type: floating_beam, material: stiff, section: bar, from: [0, 0, 0], to: [0.6, 0, "
    "0],\n"
    "        elements: 2, coupling: %s, reference: chord, rayleigh: [0.1, 1.0e-3]}\n"
    "  tail: {type: ancf_cable, material: soft, section: bar, from: [0.6, 0, 0], to: [1.4, 0, 0],\n"
    "         elements: n}\n"
    "  side: {type: ancf_cable, material: soft, section: bar, from: [0.3, 0, 0], to: [0.3, -0.4, "
    "0.1],\n"
    "         elements: 3}\n"
    "  bob: {type: rigid, mass: 0.1, inertia: [1.0e-4, 1.0e-4, 2.0e-4], position: [0.3, -0.4, "
    "0.1]}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [ground, arm.start], axis: [0, 0, 1]}\n"
    "  elbow: {type: spherical, between: [arm.end, tail.start]}\n"
    "  hook: {type: spherical, between: ['arm.at(0.3)', side.start]}\n"
    "  end: {type: clamp, between: [side.end, bob.node]}\n"
    "loads:\n"
    "  push: {type: force, on: tail.end, value: [0, 0, 'sin(3*t)']}\n"
    "  pull: {type: force, on: arm.at(0.2), value: [0, 2, 0.3], frame: arm}\n"
    "  strut: {type: spring, between: ['arm.at(0.5)', tail.at(0.4)], stiffness: 20, damping: 0.3,\n"
    "          free_length: 0.1}\n"
    "probes:\n"
    "  tip: {at: tail.end, quantity: position}\n"
    "  elbow: {at: arm.end, quantity: position}\n"
    "analysis: {type: dynamic, end: 0.15, tolerance: 1.0e-5}\n"
    "output: {every: 0.02}\n";

static const char *const coupling[] = {"zeroth", "first"};

static gos_system *open(verify *v, const char *how, const gos_reduction_def *def) {
    char text[4000];
    gos_system *reduced = NULL;
    snprintf(text, sizeof text, model, how);
    verify_text(v, text, NULL);
    reduce_as(v->sys, *def);
    verify_good(v, gos_reduce(v->ctx, v->sys, &reduced));
    return reduced;
}

static void test_projection(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        verify v;
        const gos_reduction_def def = {
            .fields = GOS_FIELDS_MODES, .number = 6, .statics = 1, .tolerance = 1e-3};
        gos_system *s = open(&v, coupling[i], &def);
        print_message("%s order: %d of %d coordinates, %d made vectors\n", coupling[i], s->nq,
                      v.sys->nq, s->derived->n);
        check_projection(&v, s);
        check_newton_matrix(s, coupling[i], 0, false);
        gos_system_destroy(s);
        verify_close(&v);
    }
}

/* ---- a factorisation that turns along -------------------------------------------------------- */

/* Right-hand sides that are turned back and corrections that are turned forth keep their lengths,
   the one undoes the other, amplitudes do not turn and fields do: multipliers of joints that hold
   made vectors turn too. */
static void test_turned(void **state) {
    const gos_reduction_def def = {.number = 6, .tolerance = 1e-3};
    verify v;
    gos_corotation *k = NULL;
    uint64_t seed = 9;
    (void)state;
    gos_system *s = open(&v, "first", &def);
    random_at x;
    random_state(s, &seed, 0, &x);
    double *r = test_calloc((size_t)(2 * s->n), sizeof *r), *before = r + s->n, length[2] = {0};
    random_fill(&seed, s->n, 1, r);
    memcpy(before, r, (size_t)s->n * sizeof *r);
    verify_good(&v, gos__corotation_create(v.ctx, s, &k));
    gos__corotation_set(k, s->e0);
    gos__corotation_update(k, x.q);
    gos__corotation_back(k, r);
    bool fields = false;
    for (int i = 0; i < s->n; i++) {
        length[0] += before[i] * before[i];
        length[1] += r[i] * r[i];
        if (i < s->nq && gos__derived_single(s, i / 3)) {
            assert_true(r[i] == before[i]);
        } else {
            fields = fields || (i < s->nq && fabs(r[i] - before[i]) > 1e-3);
        }
    }
    assert_true(fields);
    verify_near("length turned back", sqrt(length[1]), sqrt(length[0]), 1e-13 * sqrt(length[0]));
    gos__corotation_forth(k, r);
    verify_near_all("turned back and forth", s->n, r, before, 1e-13);
    gos__corotation_destroy(k);
    test_free(r);
    free(x.block);
    gos_system_destroy(s);
    verify_close(&v);
}

/* ---- runs against the full model ------------------------------------------------------------- */

/* the reduced system in place of the full one, which is returned: it must live on */
static gos_system *take_reduced(verify *v, const gos_reduction_def *def) {
    gos_system *full = v->sys, *s = NULL;
    reduce_as(full, *def);
    verify_good(v, gos_reduce(v->ctx, full, &s));
    gos_state_destroy(v->state);
    v->state = NULL;
    v->sys = s;
    verify_good(v, gos_state_create(v->ctx, s, &v->state));
    gos_options_get(s, &v->opt);
    return full;
}

typedef struct course {
    double tip[3], elbow[3];
    double balance, kinetic;
} course;

/* the end of a run; def NULL: of the full model */
static course run_to_end(const char *how, const char *settings, const gos_reduction_def *def) {
    char text[4000];
    verify v;
    gos_energy e;
    course k;
    snprintf(text, sizeof text, model, how);
    verify_text(&v, text, settings);
    gos_system *full = def ? take_reduced(&v, def) : NULL;
    verify_run(&v);
    verify_probe(&v, NULL, "tip", k.tip);
    verify_probe(&v, NULL, "elbow", k.elbow);
    gos_system_energy(v.sys, v.state, &e);
    k.balance = fabs(e.balance);
    k.kinetic = e.kinetic;
    print_message("    %s: %d coordinates, %ld steps, kinetic energy %.6g J\n",
                  def ? "reduced" : "full", v.sys->nq, v.stats.steps, e.kinetic);
    gos_system *sys = v.sys;
    v.sys = full ? full : sys;
    gos_state_destroy(v.state);
    gos_integrator_destroy(v.run);
    v.state = NULL;
    v.run = NULL;
    if (full) {
        gos_system_destroy(sys);
    }
    verify_close(&v);
    return k;
}

/* With as many fields as the cables have coordinates nothing is lost but for steps; fewer fields
   lose little, and the more fields the less. A model of polynomials has no mesh: it converges to
   cables of many elements. Energy is kept to the error of the steps in any of them. */
static void test_runs(void **state) {
    static const int number[] = {60, 8, 5};
    double off[GOS_COUNT(number)];
    (void)state;
    for (int i = 0; i < 2; i++) {
        const course full = run_to_end(coupling[i], "n=8", NULL);
        for (int k = 0; k < GOS_COUNT(number); k++) {
            const gos_reduction_def def = {
                .fields = GOS_FIELDS_MODES, .number = number[k], .tolerance = 1e-3};
            const course r = run_to_end(coupling[i], "n=8", &def);
            off[k] = fmax(verify_distance(r.tip, full.tip), verify_distance(r.elbow, full.elbow));
            verify_below("energy balance, of the kinetic energy", r.balance / r.kinetic, 1e-5);
        }
        verify_below("all fields: off [m]", off[0], 1e-5 * 1.4);
        verify_below("8 fields: off [m]", off[1], 1e-3);
        verify_below("8 fields against 5", off[1] / off[2], 0.5);
        const course fine = run_to_end(coupling[i], "n=14 bodies.side.elements=8", NULL);
        const gos_reduction_def def = {.number = 12, .tolerance = 1e-3};
        const course p = run_to_end(coupling[i], "n=8", &def);
        verify_below("polynomials: off [m]", verify_distance(p.tip, fine.tip), 5e-4);
        verify_below("energy balance, of the kinetic energy", p.balance / p.kinetic, 1e-5);
    }
}

/* other steppers */
static void test_solvers(void **state) {
    static const struct {
        const char *settings;
        double bound;
    } cases[] = {{"analysis.integrator=bdf analysis.end=0.05", 1e-5 * 1.4},
                 {"analysis.integrator=radau analysis.end=0.05", 1e-5 * 1.4},
                 {"analysis.step=1e-3", 1e-6}};
    const gos_reduction_def def = {.fields = GOS_FIELDS_MODES, .number = 60, .tolerance = 1e-3};
    (void)state;
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        const course full = run_to_end("first", cases[i].settings, NULL),
                     r = run_to_end("first", cases[i].settings, &def);
        verify_below(cases[i].settings, verify_distance(r.tip, full.tip), cases[i].bound);
    }
}

/* ---- statics, linear models ------------------------------------------------------------------ */

/* a cable between a clamped link and the ground, which sags */
static const char bridge[] =
    "gravity: [0, -9.81, 1]\n"
    "materials:\n"
    "  stiff: {density: 7800, young: 2.0e9, poisson: 0.3}\n"
    "  soft: {density: 2700, young: 1.0e7, poisson: 0.3}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.03}}\n"
    "bodies:\n"
    "  arm: {type: floating_beam, material: stiff, section: bar, from: [0, 0, 0], to: [0.6, 0, "
    "0],\n"
    "        elements: 3}\n"
    "  tail: {type: ancf_cable, material: soft, section: bar, from: [0.6, 0, 0], to: [1.4, 0, 0],\n"
    "         elements: 10}\n"
    "joints:\n"
    "  wall: {type: clamp, between: [ground, arm.start]}\n"
    "  hook: {type: spherical, between: [arm.end, tail.start]}\n"
    "  far: {type: spherical, between: [ground, tail.end]}\n"
    "probes: {middle: {at: tail.at(0.4), quantity: position}, pull: {joint: wall, quantity: "
    "joint_force}}\n"
    "analysis: {type: static}\n";

typedef struct still {
    double middle[3], pull[3], omega[8];
} still;

static still in_equilibrium(const gos_reduction_def *def) {
    still k;
    verify v;
    gos_linear *l = NULL;
    gos_mode mode[8];
    int found = 0;
    verify_text(&v, bridge, NULL);
    gos_system *full = def ? take_reduced(&v, def) : NULL;
    verify_static(&v);
    verify_probe(&v, NULL, "middle", k.middle);
    verify_probe(&v, NULL, "pull", k.pull);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    verify_good(&v, gos_linear_modes(v.ctx, l, 8, false, mode, &found));
    assert_int_equal(found, 8);
    for (int i = 0; i < 8; i++) {
        k.omega[i] = mode[i].omega;
    }
    gos_linear_destroy(l);
    if (full) {
        gos_state_destroy(v.state);
        gos_system_destroy(v.sys);
        v.state = NULL;
        v.sys = full;
    }
    verify_close(&v);
    return k;
}

/* Equilibrium and frequencies about it: of all fields those of the full model, of few fields near
   them. The wall carries the link and what the cable gives it. */
static void test_still(void **state) {
    gos_reduction_def def = {.fields = GOS_FIELDS_MODES, .number = 60, .tolerance = 1e-3};
    (void)state;
    const still full = in_equilibrium(NULL), all = in_equilibrium(&def);
    def.number = 8;
    def.statics = 1;
    const still few = in_equilibrium(&def);
    assert_true(full.middle[1] < -0.02);
    verify_below("all fields: middle [m]", verify_distance(all.middle, full.middle), 1e-8);
    verify_below("8 fields: middle [m]", verify_distance(few.middle, full.middle), 1e-4);
    verify_below("8 fields: force [N]", verify_distance(few.pull, full.pull) / 9.81, 0.03);
    for (int i = 0; i < 8; i++) {
        print_message("  %d: %.9g rad/s\n", i, full.omega[i]);
        verify_below("all fields", all.omega[i] / full.omega[i] - 1, 1e-6);
        if (i < 5) {
            verify_below("8 fields", few.omega[i] / full.omega[i] - 1, 1e-2);
        }
    }
}

/* a link and a cable that turn with a hub at 4 rad/s, which stretches them */
static const char spinner[] =
    "materials:\n"
    "  stiff: {density: 7800, young: 2.0e9, poisson: 0.3}\n"
    "  soft: {density: 2700, young: 1.0e7, poisson: 0.3}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.03}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], points: {rim: [0.1, 0, 0]}}\n"
    "  arm: {type: floating_beam, material: stiff, section: bar, from: [0.1, 0, 0],\n"
    "        to: [0.6, 0, 0], elements: 3}\n"
    "  tail: {type: ancf_cable, material: soft, section: bar, from: [0.6, 0, 0], to: [1.4, 0, 0],\n"
    "         elements: 6}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [ground, hub.node], axis: [0, 0, 1]}\n"
    "  root: {type: clamp, between: [hub.rim, arm.start]}\n"
    "  hook: {type: spherical, between: [arm.end, tail.start]}\n"
    "probes: {tip: {at: tail.end, quantity: position}}\n"
    "analysis: {type: static, spin: {axis: [0, 0, 1], rate: 4}}\n";

/* Steady rotation: all fields give the full model's equilibrium. */
static void test_spin(void **state) {
    const gos_reduction_def def = {.fields = GOS_FIELDS_MODES, .number = 60, .tolerance = 1e-3};
    double tip[2][3];
    (void)state;
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v, spinner, NULL);
        gos_system *full = i ? take_reduced(&v, &def) : NULL;
        verify_static(&v);
        verify_probe(&v, NULL, "tip", tip[i]);
        if (full) {
            gos_state_destroy(v.state);
            gos_system_destroy(v.sys);
            v.state = NULL;
            v.sys = full;
        }
        verify_close(&v);
    }
    assert_true(tip[0][0] > 1.4 + 1e-4);
    verify_below("tip [m]", verify_distance(tip[0], tip[1]), 1e-9);
}

/* ---- going on, and being known --------------------------------------------------------------- */

/* a state that was kept in the midst of a run continues to the same digits; another body is another
 * system */
static void test_kept(void **state) {
    const gos_reduction_def def = {.number = 6, .tolerance = 1e-3};
    verify v;
    char text[4000];
    gos_state *kept = NULL;
    uint64_t hash[2];
    (void)state;
    snprintf(text, sizeof text, model, "first");
    for (int i = 0; i < 2; i++) {
        verify_text(&v, text, i ? "bodies.arm.rayleigh=[0.1,2e-3]" : NULL);
        gos_system *full = take_reduced(&v, &def);
        hash[i] = gos__system_hash(v.sys);
        verify_start(&v);
        (void)verify_at(&v, 0.05);
        verify_good(&v, gos_state_create(v.ctx, v.sys, &kept));
        verify_good(&v, gos_integrator_store_history(v.run));
        verify_good(&v, gos_state_copy(kept, v.state));
        (void)verify_at(&v, 0.15);
        gos_integrator_destroy(v.run);
        gos_state *end = v.state;
        v.state = kept;
        verify_start(&v);
        (void)verify_at(&v, 0.15);
        assert_memory_equal(v.state->q, end->q, (size_t)v.sys->nq * sizeof(double));
        assert_memory_equal(v.state->v, end->v, (size_t)v.sys->nq * sizeof(double));
        gos_state_destroy(end);
        gos_integrator_destroy(v.run);
        gos_state_destroy(v.state);
        gos_system_destroy(v.sys);
        v.run = NULL;
        v.state = NULL;
        v.sys = full;
        verify_close(&v);
    }
    assert_true(hash[0] != hash[1]);
}

/* ---- what is watched, and refused ------------------------------------------------------------ */

static bool warned(const verify *v, const char *what) {
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        const gos_diag *d = gos_ctx_diag(v->ctx, i);
        if (d->status == GOS_OK && strstr(d->text, what)) {
            print_message("    %s: %s\n", d->object ? d->object : "-", d->text);
            return true;
        }
    }
    return false;
}

/* a run into nothing, which is watched */
static void run_watched(verify *v, const char *settings, const gos_reduction_def *def) {
    char text[4000];
    snprintf(text, sizeof text, model, "zeroth");
    verify_text(v, text, settings);
    gos_system *full = take_reduced(v, def);
    verify_good(v, gos_run_into(v->ctx, v->sys, &v->opt, NULL, NULL, NULL, NULL));
    gos_state_destroy(v->state);
    gos_system_destroy(v->sys);
    v->state = NULL;
    v->sys = full;
}

/* Bodies in floating frames leave the range of their equations in reduced models too; the residual
   of the full model measures missing fields, not existing ones. */
static void test_watched(void **state) {
    static const char residual_text[] = "the residual of the full model indicates",
                      rotation[] = "deformation causes rotations of",
                      rate[] = "its frame rotates at";
    const gos_reduction_def all = {.fields = GOS_FIELDS_MODES, .number = 60, .tolerance = 1e-5},
                            few = {.fields = GOS_FIELDS_MODES, .number = 1, .tolerance = 1e-5};
    verify v;
    (void)state;
    run_watched(&v, NULL, &all);
    assert_false(warned(&v, residual_text));
    assert_false(warned(&v, rotation));
    assert_false(warned(&v, rate));
    verify_close(&v);
    run_watched(&v, NULL, &few);
    assert_true(warned(&v, residual_text));
    verify_close(&v);
    run_watched(&v,
                "materials.stiff.young=2e7 loads.pull.value=[0,20,0] analysis.end=0.1 "
                "analysis.tolerance=1e-4",
                &all);
    assert_true(warned(&v, rotation));
    verify_close(&v);
}

static void test_refused(void **state) {
    static const struct {
        const char *settings, *what;
    } cases[] = {{"reduction.method=complex_modes",
                  "body 'arm': is a floating body, which `reduction: complex_modes`"},
                 {"bodies.arm.reference=clamped bodies.tail.carried_by=arm.start "
                  "reduction.method=rotation_closed",
                  "body 'tail' is carried by a floating body"}};
    (void)state;
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        char text[4000];
        verify v;
        gos_system *s = NULL;
        snprintf(text, sizeof text, model, "first");
        verify_text(&v, text, cases[i].settings);
        assert_int_equal(gos_reduce(v.ctx, v.sys, &s), GOS_E_USE);
        print_message("    %s\n", gos_ctx_message(v.ctx));
        assert_non_null(strstr(gos_ctx_message(v.ctx), cases[i].what));
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projection), cmocka_unit_test(test_turned),
        cmocka_unit_test(test_runs),       cmocka_unit_test(test_solvers),
        cmocka_unit_test(test_still),      cmocka_unit_test(test_spin),
        cmocka_unit_test(test_kept),       cmocka_unit_test(test_watched),
        cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
