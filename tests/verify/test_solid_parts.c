/* Solids of several materials: closed forms of bars whose halves differ, and pieces joined in one
 * mesh against two bodies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/gossamer.h"
#include "support/suite.h"
#include "support/verify.h"

/* a bar of two halves along x, cross-section 0.5 x 0.4; the second half is in no part */
#define BAR_PARTS                                                                                  \
    "reference_temperature: 300\n"                                                                 \
    "parameters: {nu: 0, F: 0, E: 200, k: 2}\n"                                                    \
    "materials:\n"                                                                                 \
    "  soft: {density: 8, young: E, poisson: nu, conductivity: k, specific_heat: 500,\n"           \
    "         expansion: 1.0e-3, emissivity: 0.8}\n"                                               \
    "  stiff: {density: 3, young: 3.5*E, poisson: nu, conductivity: 3.5*k, specific_heat: 90,\n"   \
    "          expansion: 1.0e-3/3.5, emissivity: 0.2}\n"                                          \
    "meshes:\n"                                                                                    \
    "  bar: {type: box, size: [2, 0.5, 0.4], cells: [4, 2, 1], order: quadratic,\n"                \
    "        sets: {near: {of: cells, box: {from: [-1, -1, -1], to: [1, 1, 1]}}}}\n"               \
    "bodies: {bar: {type: solid, mesh: bar, material: stiff,\n"                                    \
    "               parts: [{cells: near, material: soft}]}}\n"
#define BAR                                                                                        \
    BAR_PARTS                                                                                      \
    "probes:\n"                                                                                    \
    "  middle: {quantity: displacement, at: \"bar.at(1, 0.25, 0.2)\"}\n"                           \
    "  u: {quantity: displacement, at: bar.right}\n"                                               \
    "  root: {quantity: joint_force, joint: root}\n"                                               \
    "  Tm: {quantity: temperature, at: \"bar.at(1, 0.25, 0.2)\"}\n"                                \
    "  T: {quantity: temperature, at: bar.right}\n"                                                \
    "  soft: {quantity: stress, at: \"bar.at(0.7, 0.1, 0.15)\"}\n"                                 \
    "  stiff: {quantity: stress, at: \"bar.at(1.3, 0.1, 0.15)\"}\n"
#define STATIC "analysis: {type: static, newton_tolerance: 1.0e-6, load_steps: 1}\n"
#define ROOT "joints: {root: {type: clamp, between: [ground, bar.left]}}\n"

/* One force through both halves (nu = 0): F/A = E l (l^2 - 1)/2 and S = E (l^2 - 1)/2 in each */
static void pulled_halves(void **state) {
    GOS_UNUSED(state);
    verify v;
    char set[60];
    const double area = 0.2, young[2] = {200, 700}, P = 30;
    double l[2];
    for (int i = 0; i < 2; i++) {
        l[i] = 1;
        for (int it = 0; it < 50; it++) {
            const double f = young[i] * l[i] * (l[i] * l[i] - 1) / 2;
            l[i] -= (f - P) / (young[i] * (3 * l[i] * l[i] - 1) / 2);
        }
    }
    snprintf(set, sizeof set, "F=%.17g", P * area);
    verify_text(&v,
                BAR ROOT STATIC "heat: {cold: {type: temperature, value: 0, on: bar}}\n"
                                "loads: {pull: {type: force, on: bar.right, value: [F, 0, 0]}}\n",
                set);
    verify_static(&v);
    verify_near("where the halves meet", verify_value(&v, NULL, "middle.x"), l[0] - 1, 1e-11);
    verify_near("the end", verify_value(&v, NULL, "u.x"), l[0] + l[1] - 2, 1e-11);
    verify_near("S11 of the soft half", verify_value(&v, NULL, "soft.S11"), P / l[0], 1e-8);
    verify_near("S11 of the stiff half", verify_value(&v, NULL, "stiff.S11"), P / l[1], 1e-8);
    verify_close(&v);
}

/* Held on its whole skin and heated; E alpha is the same in both halves, so that nothing moves
   where they meet and S = -E alpha T (nu = 0) everywhere */
static void held_and_heated(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v,
                BAR STATIC "joints: {root: {type: clamp, between: [ground, bar.skin]}}\n"
                           "heat: {warm: {type: temperature, value: 20, on: bar}}\n",
                NULL);
    verify_static(&v);
    verify_near("held and heated: soft", verify_value(&v, NULL, "soft.S11"), -4, 1e-11);
    verify_near("held and heated: stiff", verify_value(&v, NULL, "stiff.S11"), -4, 1e-11);
    verify_near("... nothing moves inside", verify_value(&v, NULL, "middle.x"), 0, 1e-12);
    verify_close(&v);
}

/* conduction in series; weight; warming up without loss: P t = (sum of rho c V) T */
static void heat_and_weight(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v,
                "gravity: [0, 0, -10]\n" BAR ROOT STATIC "heat:\n"
                "  cold: {type: temperature, value: 0, on: bar.left}\n"
                "  warm: {type: temperature, value: 90, on: bar.right}\n",
                "E=1e6");
    verify_static(&v);
    verify_near("temperature where the halves meet", verify_value(&v, NULL, "Tm.T"), 90 * 7.0 / 9,
                1e-9);
    verify_near("weight", fabs(verify_value(&v, NULL, "root.z")), (8 + 3) * 0.2 * 10, 1e-8);
    verify_close(&v);
    verify_text(&v,
                BAR ROOT "heat: {fire: {type: source, value: 50, on: bar}}\n"
                         "analysis: {end: 4}\n",
                "k=1e9");
    verify_run(&v);
    const double capacity = (8 * 500 + 3 * 90) * 0.2;
    verify_near("warmed up", verify_value(&v, NULL, "T.T"), 50 * 0.4 * 4 / capacity, 1e-6);
    verify_close(&v);
}

/* what radiates by its material is reported when the materials differ in it; a sum over the two
 * surfaces needs no more */
static void places(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"heat: {glow: {type: radiation, sink: 400, on: bar}}\n",
         "the materials of body 'bar' differ in this property; give emissivity here"},
        {"probes: {S: {quantity: stress, at: \"bar.at(1, 0.1, 0.15)\"}}\n",
         "several materials of 'bar' meet at this point; choose a point inside one of them"},
        {"probes: {S: {quantity: stress, at: bar.skin}}\n",
         "several materials of 'bar' meet at this point"},
        {"probes: {S: {quantity: stress, at: bar.left}}\n",
         "this set of 'bar' has no strain; use node(k) or at(x,y,z)"},
        {"probes: {S: {quantity: stress, at: bar.node(1)}}\n", NULL},
        {"heat: {glow: {type: radiation, sink: 400, emissivity: 0.3, on: bar}}\n", NULL},
    };
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        verify v = {.ctx = gos_ctx_create()};
        char text[4000];
        snprintf(text, sizeof text, "%s%s%s", BAR_PARTS, cases[i].text, ROOT STATIC);
        gos_status status = gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model);
        status = status == GOS_OK ? gos_system_create(v.ctx, v.model, &v.sys) : status;
        print_message("%s\n", status ? gos_ctx_message(v.ctx) : "accepted");
        assert_int_equal(status == GOS_OK, cases[i].want == NULL);
        assert_true(!cases[i].want || strstr(gos_ctx_message(v.ctx), cases[i].want));
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pulled_halves),
        cmocka_unit_test(held_and_heated),
        cmocka_unit_test(heat_and_weight),
        cmocka_unit_test(places),
    };
    return cmocka_run_group_tests_name("solid parts", tests, NULL, NULL);
}
SUITE(suite)
