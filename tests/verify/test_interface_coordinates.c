/* Component modes of floating bodies keep the coordinates of declared interfaces: static
   deflections under forces and moments there are exact with any number of fixed-interface modes,
   frequencies converge. Wrong entries are refused before any work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "support/suite.h"
#include "support/verify.h"

#define FREQUENCIES 3

static void make(const char *unit, const char *reference, const char *interfaces,
                 const char *reduce, char text[4000]) {
    const bool mm = strcmp(unit, "mm-t-s") == 0;
    snprintf(text, 4000,
             "parameters: {L: %s}\n"
             "materials: {m: {density: %s, young: %s, poisson: 0.3}}\n"
             "meshes:\n"
             "  box: {type: box, size: [L, 0.2*L, 0.1*L], cells: [8, 2, 1],\n"
             "    sets: {mid: {plane: {point: [L/2, 0, 0], normal: [1, 0, 0]}}}}\n"
             "bodies:\n"
             "  b: {type: floating, mesh: box, material: m, element: solid_incompatible,\n"
             "    rotation_vector: [0.4, -0.7, 1.1], reference: %s, interfaces: {%s},\n"
             "    reduce: {%s}}\n"
             "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
             "loads:\n"
             "  f: {type: force, on: b.z, value: [3, -5, 7]}\n"
             "  m: {type: moment, on: b.z, moment: [0.2*L, 0.3*L, -0.1*L]}\n"
             "probes:\n"
             "  u: {at: b.z, quantity: displacement}\n"
             "  r: {at: b.z, quantity: rotation_vector}\n"
             "analysis: {type: static}\n",
             mm ? "1000" : "1", mm ? "2.7e-9" : "2700", mm ? "7e4" : "7e10", reference, interfaces,
             reduce);
}

/* what the body at rest moves at z, and its lowest frequencies [rad/s] */
static void solve(const char *text, const char *kind, double x[6], double omega[FREQUENCIES]) {
    gos_mode mode[FREQUENCIES];
    gos_linear *l;
    int found;
    verify v;
    verify_text(&v, text, kind);
    verify_static(&v);
    verify_probe(&v, NULL, "u", x);
    verify_probe(&v, NULL, "r", x + 3);
    verify_close(&v);
    char settings[200];
    snprintf(settings, sizeof settings, "%s analysis.type=dynamic analysis.end=1", kind);
    verify_text(&v, text, settings);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    verify_good(&v, gos_linear_modes(v.ctx, l, FREQUENCIES, false, mode, &found));
    assert_int_equal(found, FREQUENCIES);
    for (int i = 0; i < FREQUENCIES; i++) {
        omega[i] = mode[i].omega;
    }
    gos_linear_destroy(l);
    verify_close(&v);
}

typedef struct kept {
    const char *unit, *reference, *interfaces, *reduce;
} kept;

/* one and two interfaces, by default and by name; modes up to three times the third frequency give
   it to 1 %, by Rayleigh's quotient, and statics are exact without `static` */
static void keeps(void **unused) {
    static const kept list[] = {
        {"SI", "clamped, at: left", "z: {of: right}",
         "method: craig_bampton, order: 12, static: []"},
        {"mm-t-s", "clamped, at: left", "z: {of: right}",
         "method: craig_bampton, order: 12, static: []"},
        {"SI", "clamped, at: a", "a: {of: left}, z: {of: right}, p: {of: mid}",
         "method: craig_bampton, order: 20, static: []"},
        {"SI", "clamped, at: left", "z: {of: right}, p: {of: mid}",
         "method: craig_bampton, order: 12, static: [], interface: [z]"},
        {"SI", "clamped, at: left", "z: {of: right}, p: {of: mid}",
         "method: free_interface, order: 18, static: []"},
        {"mm-t-s", "chord, at: a, chord_end: node(20)", "a: {of: left}, z: {of: mid}",
         "method: craig_bampton, order: 24, static: []"},
        {"SI", "mean_axis", "z: {of: right}, p: {of: mid}",
         "method: craig_bampton, order: 24, static: []"},
    };
    GOS_UNUSED(unused);
    for (int k = 0; k < GOS_COUNT(list); k++) {
        double x[2][6], omega[2][FREQUENCIES];
        char text[4000];
        make(list[k].unit, list[k].reference, list[k].interfaces, list[k].reduce, text);
        solve(text, "floating_bodies=whole", x[0], omega[0]);
        solve(text, "floating_bodies=reduced", x[1], omega[1]);
        print_message("%s, %s, %s, %s\n", list[k].unit, list[k].reference, list[k].interfaces,
                      list[k].reduce);
        verify_near_all("displacement at rest", 3, x[1], x[0], 1e-8);
        verify_near_all("rotation at rest", 3, x[1] + 3, x[0] + 3, 1e-8);
        for (int i = 0; i < FREQUENCIES; i++) {
            verify_within("frequency, reduced over whole", omega[1][i] / omega[0][i], 1 - 1e-8,
                          1.01);
        }
    }
}

static void refused(const char *interfaces, const char *reduce, const char *kind,
                    const char *message) {
    char text[4000];
    gos_ctx *ctx = gos_ctx_create();
    gos_model *model;
    gos_system *sys = NULL;
    make("SI", "clamped, at: left", interfaces, reduce, text);
    assert_int_equal(gos_model_parse(ctx, text, strlen(text), "test", NULL, &model), GOS_OK);
    assert_int_equal(gos_model_set(ctx, model, "floating_bodies", kind), GOS_OK);
    assert_int_equal(gos_system_create(ctx, model, &sys), GOS_E_INPUT);
    print_message("%s\n", gos_ctx_message(ctx));
    assert_non_null(strstr(gos_ctx_message(ctx), message));
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
}

/* also of the whole body, as `check` makes it */
static void refuses(void **unused) {
    static const char *const kinds[] = {"whole", "reduced"};
    GOS_UNUSED(unused);
    for (int k = 0; k < 2; k++) {
        refused("z: {of: right}", "method: craig_bampton, order: 5", kinds[k],
                "order 5 is less than the number of coordinates of its rigid interfaces, 6");
        refused("z: {of: right}, p: {of: mid}",
                "method: craig_bampton, order: 9, interface: [z, p]", kinds[k],
                "order 9 is less than the number of interface coordinates, 12 (z: 6, p: 6)");
        refused("z: {of: right}", "method: craig_bampton, order: 9, interface: [tip]", kinds[k],
                "'tip' is not a location of this body");
        refused("z: {of: right, type: averaging}", "method: craig_bampton, order: 9", kinds[k],
                "the motion of 'z' is a mean over nodes");
        refused("z: {of: right}", "method: craig_bampton, order: 9, interface: [left]", kinds[k],
                "no location that moves in its frame");
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps), cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
