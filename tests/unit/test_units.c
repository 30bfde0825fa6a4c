/* Units of components: as texts, of probes, of linear outputs, and in the file of a run and its
 * comparison. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "gossamer/gossamer.h"
#include "support/suite.h"

static void texts(void **state) {
    char one[GOS_UNIT_MAX], all[GOS_UNITS_MAX];
    (void)state;
    assert_string_equal(gos__unit_at("N m", 2, one), "N m");
    assert_string_equal(gos__unit_at("rad, N m, 1", 0, one), "rad");
    assert_string_equal(gos__unit_at("rad, N m, 1", 1, one), "N m");
    assert_string_equal(gos__unit_at("rad, N m, 1", 2, one), "1");
    assert_string_equal(gos__unit_at("rad, N m, 1", 7, one), "1");
    assert_string_equal(gos__unit_at("", 1, one), "");
    assert_string_equal(gos__unit_rates("m", all), "m/s");
    assert_string_equal(gos__unit_rates("K, K/m", all), "K/s, K/m/s");
    assert_string_equal(gos__unit_rates("-", all), "1/s");
    assert_string_equal(gos__unit_rates("", all), "1/s");
}

static const char *const model_text =
    "materials:\n"
    "  foil: {density: 2700, young: 7e10, poisson: 0.3, conductivity: 200, specific_heat: 900}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.01, width: 0.02}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: foil, section: bar, from: [0, 0, 0], to: [1, 0, 0]}\n"
    "  sheet: {type: ancf_plate, material: foil, thickness: 1e-3, corner: [0, 1, 0], x: [1, 0, 0],"
    " y: [0, 1, 0], elements: [2, 2]}\n"
    "  disc: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}\n"
    "joints:\n"
    "  hold: {type: clamp, between: [ground, rod.start]}\n"
    "  screw: {type: cylindrical, between: [ground, disc.centre], axis: [0, 0, 1]}\n"
    "probes:\n"
    "  warm: {quantity: temperature, at: rod.end}\n"
    "  face: {quantity: temperature, at: \"sheet.node(0,0)\"}\n"
    "  bend: {quantity: strain, at: rod.start}\n"
    "  skin: {quantity: strain, at: \"sheet.node(1,1)\"}\n"
    "  turn: {quantity: joint_coordinates, joint: screw}\n"
    "  pace: {quantity: joint_rates, joint: screw}\n"
    "  tip: {at: rod.end}\n"
    "analysis: {end: 1e-3}\n";

/* the unit of each component is that of what it measures: a gradient of temperature K/m, a
 * curvature 1/m, an angle rad */
static const struct {
    const char *name, *unit;
} expected[] = {{"warm", "K, K/m, K/m"},
                {"face", "K, K/m"},
                {"bend", "1, 1/m, 1/m"},
                {"skin", "1, 1, 1, 1/m, 1/m, 1/m"},
                {"turn", "m, rad"},
                {"pace", "m/s, rad/s"},
                {"tip", "m"}};

typedef struct fixture {
    gos_ctx *ctx;
    gos_model *model;
    gos_system *sys;
} fixture;

static void begin(fixture *f) {
    *f = (fixture){0};
    f->ctx = gos_ctx_create();
    assert_non_null(f->ctx);
    assert_int_equal(
        gos_model_parse(f->ctx, model_text, strlen(model_text), "model.yaml", ".", &f->model),
        GOS_OK);
    assert_int_equal(gos_system_create(f->ctx, f->model, &f->sys), GOS_OK);
}

static void end(fixture *f) {
    gos_system_destroy(f->sys);
    gos_model_destroy(f->model);
    gos_ctx_destroy(f->ctx);
}

static void probes(void **state) {
    fixture f;
    (void)state;
    begin(&f);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        gos_probe_info p;
        gos_system_probe_info(f.sys, (int)i, &p);
        assert_string_equal(p.name, expected[i].name);
        assert_string_equal(p.unit, expected[i].unit);
    }
    end(&f);
}

/* outputs of linear models are components, each with its unit */
static void outputs(void **state) {
    fixture f;
    gos_state *x;
    gos_linear *linear;
    (void)state;
    begin(&f);
    assert_int_equal(gos_state_create(f.ctx, f.sys, &x), GOS_OK);
    assert_int_equal(gos_linearise(f.ctx, f.sys, x, &linear), GOS_OK);
    gos_linear_info info;
    gos_linear_info_get(linear, &info);
    int seen = 0;
    for (int i = 0; i < info.outputs; i++) {
        const gos_port port = gos_linear_output(linear, i);
        const bool gradient = strcmp(port.name, "warm.T_y") == 0;
        const bool angle = strcmp(port.name, "turn.angle") == 0;
        if (gradient || angle) {
            assert_string_equal(port.unit, gradient ? "K/m" : "rad");
            seen++;
        }
    }
    assert_int_equal(seen, 2);
    gos_linear_destroy(linear);
    gos_state_destroy(x);
    end(&f);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts), cmocka_unit_test(probes),
                                       cmocka_unit_test(outputs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
