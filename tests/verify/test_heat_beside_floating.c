/* rotation_closed and auto beside heated floating bodies, whose temperatures stay as they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "gossamer/linearise.h"
#include "gossamer/io.h"
#include "rom/auto.h"
#include "support/projection.h"
#include "support/reduced.h"
#include "support/suite.h"

/* a hub with two strips, one of them floating; heat through a rod between them, and by the motion
 * of their strains */
static const char model[] =
    "parameters: {n: 2}\n"
    "reference_temperature: 293\n"
    "materials:\n"
    "  m: {density: 2700, young: 7.0e9, poisson: 0.3, expansion: 2.3e-5, conductivity: 160,\n"
    "      specific_heat: 900, damping: {normal: 1.0e-4, shear: 1.0e-4}}\n"
    "meshes:\n"
    "  strip: {type: box, size: [0.3, 0.06, 0.01], cells: [n, 1, 1], order: quadratic,\n"
    "          sets: {tip: {near: [0.3, 0.03, 0.01]}}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 2, inertia: [0.01, 0.01, 0.02]}\n"
    "  solid: {type: solid, mesh: strip, material: m, position: [0.1, -0.03, -0.005]}\n"
    "  floating: {type: floating, mesh: strip, material: m, position: [-0.1, 0.03, -0.005],\n"
    "             rotation_vector: [0, 0, pi], reference: clamped, at: left, coupling: first,\n"
    "             rayleigh: [0, 1.0e-4], reduce: %s}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
    "  root_s: {type: clamp, between: [hub, solid.left]}\n"
    "  root_f: {type: clamp, between: [hub, floating.frame]}\n"
    "loads:\n"
    "  push: {type: force, on: solid.tip, value: [0, 3, 30*t]}\n"
    "  pull: {type: force, on: floating.tip, value: [0, 0, 30*t]}\n"
    "heat:\n"
    "  gas_s: {type: convection, coefficient: 2000, ambient: 400, on: solid.bottom}\n"
    "  gas_f: {type: convection, coefficient: 2000, ambient: 400, on: floating.bottom}\n"
    "  glow: {type: radiation, emissivity: 0.8, sink: 293, on: floating.top}\n"
    "  rod: {type: contact, between: [solid.tip, floating.tip], conductance: 0.5}\n"
    "probes:\n"
    "  s: {at: solid.tip, quantity: position, frame: hub}\n"
    "  f: {at: floating.tip, quantity: position, frame: hub}\n"
    "  Ts: {at: solid.tip, quantity: temperature}\n"
    "  Tf: {at: floating.tip, quantity: temperature}\n"
    "analysis: {end: 0.1, step: 2.0e-3, thermoelastic_heat: on}\n"
    "output: {every: 0.02}\n";

/* Newton's equations of the reduced system are those of the full one on its fields and functions,
   the floating body whole or on a basis, with deformations that follow the temperatures at once
   too */
static void test_projection(void **state) {
    static const struct {
        const char *name, *reduce, *settings;
    } cases[] = {{"whole", "{method: krylov, order: 3}", NULL},
                 {"krylov", "{method: krylov, order: 3}", "floating_bodies=reduced"},
                 {"dependent",
                  "{method: response_modes, order: 3, modes: 2, response: quasi_static}",
                  "floating_bodies=reduced bodies.floating.coupling=zeroth"}};
    const gos_reduction_def def = {
        .fields = GOS_FIELDS_MODES, .number = 6, .statics = 1, .thermal_fields = 5, .tolerance = 1};
    (void)state;
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        char text[4000];
        verify v;
        gos_system *s = NULL;
        snprintf(text, sizeof text, model, cases[i].reduce);
        verify_text(&v, text, cases[i].settings);
        reduce_as(v.sys, def);
        verify_good(&v, gos_reduce(v.ctx, v.sys, &s));
        print_message("%s: %d of %d coordinates, %d of %d temperatures\n", cases[i].name, s->nq,
                      v.sys->nq, s->nt, v.sys->nt);
        check_projection(&v, s);
        if (i > 0) {
            check_newton_matrix(s, cases[i].name, 0, false);
        }
        gos_system_destroy(s);
        verify_close(&v);
    }
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* places of both tips, along and across, their temperatures */
static void run_to_end(const verify *v, const gos_system *s, double y[8]) {
    gos_integrator *run = NULL;
    gos_state *x = NULL;
    gos_options o;
    gos_options_get(s, &o);
    verify_good(v, gos_state_create(v->ctx, s, &x));
    verify_good(v, gos_integrator_create(v->ctx, s, &o, x, &run));
    while (gos_state_time(x) < o.end) {
        verify_good(v, gos_integrator_step(run, o.end));
    }
    static const char *const name[] = {"s", "f", "Ts", "Tf"};
    for (int i = 0; i < 4; i++) {
        const int at = gos_system_probe_find(s, name[i]);
        verify_good(v, gos_system_probe(v->ctx, s, x, at, y + (i < 2 ? 3 * i : 4 + i), NULL));
    }
    gos_integrator_destroy(run);
    gos_state_destroy(x);
}

/* With nearly all fields and all temperatures of the solid a run is that of the full model: 1e-5 of
   the deflection. What outputs see of deformations that follow temperatures at once is among it. */
static void test_all_fields(void **state) {
    static const char *const reduce[] = {
        "{method: krylov, order: 3}",
        "{method: response_modes, order: 3, modes: 2, response: quasi_static}"};
    const gos_reduction_def def = {
        .fields = GOS_FIELDS_MODES, .number = 400, .thermal_fields = 400, .tolerance = 1};
    (void)state;
    for (int i = 0; i < GOS_COUNT(reduce); i++) {
        char text[4000];
        double full[8], reduced[8];
        verify v;
        gos_system *s = NULL;
        snprintf(text, sizeof text, model, reduce[i]);
        verify_text(&v, text,
                    i == 0 ? "floating_bodies=reduced"
                           : "floating_bodies=reduced bodies.floating.coupling=zeroth");
        reduce_as(v.sys, def);
        verify_good(&v, gos_reduce(v.ctx, v.sys, &s));
        run_to_end(&v, v.sys, full);
        run_to_end(&v, s, reduced);
        for (int k = 0; k < 8; k++) {
            print_message("    %.12g (full %.12g)\n", reduced[k], full[k]);
        }
        verify_below("tip of the solid [m]", verify_distance(full, reduced), 1e-7);
        verify_below("tip of the floating body [m]", verify_distance(full + 3, reduced + 3), 1e-7);
        verify_near("temperature of the solid [K]", reduced[6], full[6], 1e-4 * fabs(full[6]));
        verify_near("temperature of the floating body [K]", reduced[7], full[7],
                    1e-6 * fabs(full[7]));
        gos_system_destroy(s);
        verify_close(&v);
    }
}

/* ---- the example ----------------------------------------------------------------------------- */

static gos_trial_runs track_of(const verify *v, const gos_system *sys, const gos_options *o) {
    gos_trial_runs k;
    verify_good(v, gos__trial_runs_create(v->ctx, sys, o, &k));
    verify_good(v, gos__trial_runs_run(v->ctx, sys, o, &k, NULL, NULL));
    assert_false(k.failed);
    return k;
}

/* Both turbine blades, by auto at 1e-3, against the whole model with steps of a half: places and
   temperatures within the tolerance, and as a file says it. */
static void test_blades(void **state) {
    verify v;
    gos_system *sys = NULL, *loaded = NULL;
    gos_reduction chosen;
    gos_options o;
    char path[] = "/tmp/gos_blades_XXXXXX";
    (void)state;
    verify_example(&v, "turbine-blade", "floating_bodies=reduced");
    const gos_reduction_def def = {.tolerance = 1e-3};
    reduce_as(v.sys, def);
    verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &sys));
    gos_reduction_get(sys, &chosen);
    gos_options_get(sys, &o);
    gos_trial_runs k = track_of(&v, sys, &o);
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    verify_good(&v, gos_rom_save(v.ctx, sys, path));
    verify_good(&v, gos_rom_load(v.ctx, v.sys, path, &loaded));
    (void)remove(path);
    gos_trial_runs again = track_of(&v, loaded, &o);
    o.step /= 2;
    gos_trial_runs full = track_of(&v, v.sys, &o);
    const gos_distance d = gos__trial_runs_distance(v.sys, &k, &full);
    print_message(
        "%d of %d coordinates, %d of %d temperatures, %d functions; predicted %.2g, %.2g\n",
        sys->nq, v.sys->nq, sys->nt, v.sys->nt, chosen.thermal_fields, chosen.predicted,
        chosen.predicted_temperature);
    verify_below("places, of the extent", d.position, 1e-3);
    verify_below("temperatures, of their range", d.temperature, 1e-3);
    verify_below("predicted of them", chosen.predicted_temperature, 1e-3);
    assert_memory_equal(again.T, k.T, (size_t)(k.samples * k.n) * sizeof *k.T);
    assert_memory_equal(again.r, k.r, (size_t)(3 * k.samples * k.n) * sizeof *k.r);
    gos__trial_runs_free(v.ctx, &full);
    gos__trial_runs_free(v.ctx, &again);
    gos__trial_runs_free(v.ctx, &k);
    gos_system_destroy(loaded);
    gos_system_destroy(sys);
    verify_close(&v);
}

/* Heat without outlet has no static response. */
static void test_insulated(void **state) {
    (void)state;
    static const char text[] =
        "materials: {s: {density: 2700, young: 7e10, poisson: 0.3, conductivity: 100,\n"
        "  specific_heat: 900, expansion: 2e-5}}\n"
        "meshes: {m: {type: rectangle, size: [1, 0.5], cells: [4, 2]}}\n"
        "bodies:\n"
        "  pan: {type: floating, mesh: m, material: s, element: shell, thickness: 0.01, zeta: "
        "0.01,\n"
        "    reduce: {method: modes, order: 8, static: [h]}}\n"
        "heat: {h: {type: heat_flow, on: pan.corner_2, value: 5}}\n"
        "floating_bodies: reduced\n"
        "analysis: {end: 1}\n";
    verify v = {.ctx = gos_ctx_create()};
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
    assert_int_equal(gos_system_create(v.ctx, v.model, &v.sys), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "insulated body, which has no static response"));
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projection), cmocka_unit_test(test_all_fields),
        cmocka_unit_test(test_blades), cmocka_unit_test(test_insulated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
