/* Properties that depend on the temperature, taken by floating bodies at a stated one: each of
   them, against the body of a constant; runs that leave it are reported so; bodies that cannot take
   them refuse them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

#define MODELS GOS_SOURCE_DIR "/tests/verify/models"

/* A bar with a square section, held at its left side without being held across, pulled, cooled by a
   film and heated: displacement by young and expansion, across by poisson, temperature by
   conductivity, its rate by specific_heat. */
static const char bar[] =
    "parameters: {at: 0, F: 0, q: 0, end: 0}\n"
    "reference_temperature: 300\n"
    "materials: {m: {density: 2700, young: %s, poisson: %s, expansion: %s, conductivity: %s,\n"
    "  specific_heat: %s}}\n"
    "meshes: {bar: {type: box, size: [1, 0.1, 0.1], cells: [4, 1, 1]}}\n"
    "bodies: {bar: {type: floating, mesh: bar, material: m, material_temperature: at}}\n"
    "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n"
    "loads: {a: {type: force, on: bar.right, value: [F, 0, 0]},\n"
    "  b: {type: force, on: bar.left, value: [-F, 0, 0]}}\n"
    "heat: {q: {type: flux, value: q, on: bar.right},\n"
    "  film: {type: convection, coefficient: 10, on: bar.left}}\n"
    "probes: {r: {at: bar.corner_7, quantity: displacement}, l: {at: bar.corner_1, quantity: "
    "displacement},\n"
    "  T: {at: bar.corner_7, quantity: temperature}}\n"
    "analysis: {type: %s, end: 100, step: 100}\n";

static void values(const char *const property[5], const char *settings, bool run, double y[3]) {
    char text[3000];
    verify v = {.ctx = gos_ctx_create()};
    (void)snprintf(text, sizeof text, bar, property[0], property[1], property[2], property[3],
                   property[4], run ? "dynamic" : "static");
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", MODELS, &v.model));
    verify_set(&v, settings);
    verify_compile(&v);
    run ? verify_run(&v) : verify_static(&v);
    y[0] = verify_value(&v, v.state, "r.x") - verify_value(&v, v.state, "l.x");
    y[1] = verify_value(&v, v.state, "r.y") - verify_value(&v, v.state, "l.y");
    y[2] = verify_value(&v, v.state, "T.T");
    verify_close(&v);
}

/* at T = 150 the function of each property is the constant; at 0 it is another one */
static void each(void **state) {
    GOS_UNUSED(state);
    static const char *const constant[5] = {"61.5e9", "0.32", "2.6e-5", "30", "1050"};
    static const char *const function[5] = {"{table: young.csv}", "0.29+T*2e-4",
                                            "2.3e-5*(1+T/1150)", "45-0.1*T", "900+T"};
    static const int seen[5] = {0, 1, 0, 2, 2}; // a value that it changes
    for (int p = 0; p < 5; p++) {
        const char *property[5];
        double want[3], got[3], other[3];
        memcpy(property, constant, sizeof property);
        property[p] = function[p];
        const bool run = p == 4;
        values(constant, "at=150 F=1e5 q=500", run, want);
        values(property, "at=150 F=1e5 q=500", run, got);
        values(property, "at=0 F=1e5 q=500", run, other);
        for (int k = 0; k < 3; k++) {
            verify_near(function[p], got[k], want[k], 1e-12 * fabs(want[k]));
        }
        assert_true(fabs(other[seen[p]] - want[seen[p]]) > 1e-3 * fabs(want[seen[p]]));
    }
    double y[3]; // F L/(E A) with the table's value between its points
    const char *property[5] = {"{table: young.csv}", "0.3", "0", "30", "1050"};
    values(property, "at=150 F=1e5", false, y);
    verify_near("F L/(E A)", y[0], 1e5 / (61.5e9 * 0.01), 1e-10 * y[0]);
}

static int warned(const gos_ctx *ctx, const char *text) {
    int n = 0;
    for (int i = 0; i < gos_ctx_ndiag(ctx); i++) {
        n += strstr(gos_ctx_diag(ctx, i)->text, text) != NULL;
    }
    return n;
}

/* a block that is heated evenly by 200 K: young falls by 4.8 % up to the temperature stated last, 8
 * % from the reference on */
static void range(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {at: 0, warm: 200}\nreference_temperature: 300\nfloating_bodies: %s\n"
        "materials: {m: {density: 2700, young: 7e10*(1-4e-4*T), conductivity: 100,\n"
        "  specific_heat: 900, expansion: 2e-5}}\n"
        "meshes: {b: {type: box, size: [1, 0.1, 0.1], cells: [2, 1, 1]}}\n"
        "bodies: {b: {type: floating, mesh: b, material: m, material_temperature: at,\n"
        "  reduce: {method: modes, order: 4}}}\n"
        "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
        "initial: {b: {temperature: warm}}\n"
        "analysis: {end: 2, step: 1}\n";
    static const struct {
        const char *how, *settings;
        int warnings;
    } cases[] = {
        {"whole", "", 1},          {"whole", "at=85", 0},     {"whole", "at=85 warm=220", 1},
        {"whole", "warm=-100", 0}, {"whole", "warm=-140", 1}, {"reduced", "", 1},
        {"reduced", "at=100", 0}};
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        char text[2000];
        verify v = {0};
        (void)snprintf(text, sizeof text, model, cases[i].how);
        verify_text(&v, text, cases[i].settings);
        verify_good(&v, gos_run_into(v.ctx, v.sys, &v.opt, NULL, NULL, NULL, &v.stats));
        verify_near(cases[i].settings, warned(v.ctx, "young of material 'm'"), cases[i].warnings,
                    0);
        if (i == 0) {
            assert_int_equal(
                warned(v.ctx, "is 6.44e+10, a relative change of 0.08 from the value used, 7e+10"),
                1);
        }
        verify_close(&v);
    }
}

static void refused_as(const char *body, const char *message) {
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "materials: {m: {density: 2700, young: 7e10*(1-4e-4*T)}}\n"
                   "sections: {s: {type: circle, radius: 0.01}}\n"
                   "meshes: {b: {type: box, size: [1, 0.1, 0.1], cells: [2, 1, 1]}}\n"
                   "bodies: {b: %s}\n",
                   body);
    verify v = {.ctx = gos_ctx_create()};
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
    assert_int_equal(gos_system_create(v.ctx, v.model, &v.sys), GOS_E_INPUT);
    print_message("    %s\n", gos_ctx_message(v.ctx));
    assert_non_null(strstr(gos_ctx_message(v.ctx), message));
    verify_close(&v);
}

static void refusals(void **state) {
    GOS_UNUSED(state);
    refused_as(
        "{type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], elements: 2}",
        "bodies of type ancf_cable do not support");
    refused_as("{type: floating_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
               "elements: 2}",
               "bodies of type floating_beam do not support");
    refused_as("{type: floating, mesh: b, material: m, material_temperature: 3000}",
               "strain energy is not positive");
    refused_as("{type: floating, mesh: b, material: m}}\nparameters: {T: 3",
               "'T' is both the variable of this function and a parameter");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each),
        cmocka_unit_test(range),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
