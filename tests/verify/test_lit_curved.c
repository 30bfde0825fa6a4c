/* Light on bodies of meshes with curved and angled surfaces: reduced bodies know which side of them
   is lit, and what looks at the body itself is warned of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

#define MODEL(mesh, element, order, on, more) LIT(mesh, element, order, "[u, v, -0.6]", on, more)
#define LIT(mesh, element, order, direction, on, more)                                             \
    "parameters: {turn: 0, u: -0.8, v: 0}\n"                                                       \
    "reference_temperature: 300\n"                                                                 \
    "materials: {m: {density: 1600, young: 7e10, poisson: 0.3, expansion: 1e-6, conductivity: "    \
    "5,\n"                                                                                         \
    "  specific_heat: 900, absorptivity: 0.9, emissivity: 0.8}}\n"                                 \
    "meshes: {b: " mesh "}\n"                                                                      \
    "bodies: {b: {type: floating, mesh: b, material: m, " element ", reference: clamped,\n"        \
    "  at: bottom, rayleigh: [0, 1e-3], rotation_vector: [0, 0, turn],\n"                          \
    "  reduce: {method: krylov, order: " order "}}}\n"                                             \
    "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"                                  \
    "heat: {sun: {type: sun, direction: " direction ", on: " on "}" more "}\n"                     \
    "probes: {hot: {at: b.hot, quantity: temperature},\n"                                          \
    "  side: {at: b.side, quantity: temperature}, tip: {at: b.top, quantity: displacement}}\n"     \
    "analysis: {end: 200, step: 2}\n"
#define TUBE                                                                                       \
    "{type: tube_shell, radius: 0.5, length: 1, cells: [16, 3], sets: {hot: {near: [0.5, 0, "      \
    "1]},\n"                                                                                       \
    "  side: {near: [0, 0.5, 1]}}}"
#define SHELL "element: shell, thickness: 0.002"
#define BOX                                                                                        \
    "{type: box, size: [0.1, 0.08, 0.06], cells: [3, 3, 3], sets: {hot: {near: [0.1, 0, 0.06]},\n" \
    "  side: {near: [0, 0.08, 0.06]}}}"

typedef struct outcome {
    double hot, side, tip[3];
} outcome;

static outcome run(const char *model, const char *bodies, double turn) {
    char settings[200];
    verify v = {0};
    outcome o;
    // the light turns with the body, so that nothing else changes
    snprintf(settings, sizeof settings, "floating_bodies=%s turn=%.17g u=%.17g v=%.17g", bodies,
             turn, -0.8 * cos(turn), -0.8 * sin(turn));
    verify_text(&v, model, settings);
    verify_run(&v);
    o.hot = verify_value(&v, v.state, "hot.T");
    o.side = verify_value(&v, v.state, "side.T");
    verify_probe(&v, v.state, "tip", o.tip);
    verify_close(&v);
    return o;
}

/* The whole body against the reduced one, where nothing cools: linear, so that a basis of the right
   loads has all of it. Of light that comes in evenly alone, `hot` and `side` had the same
   temperature. */
static void check(const char *model, double turn, double tolerance) {
    const outcome whole = run(model, "whole", turn), reduced = run(model, "reduced", turn);
    verify_below("side over hot", whole.side, 0.6 * whole.hot);
    verify_near("hot", reduced.hot, whole.hot, tolerance * whole.hot);
    verify_near("side", reduced.side, whole.side, tolerance * whole.hot);
    verify_near("tip", verify_distance(reduced.tip, whole.tip), 0, tolerance * fabs(whole.tip[2]));
}

static void tube(void **state) {
    GOS_UNUSED(state);
    static const char model[] = MODEL(TUBE, SHELL, "16", "b.upper", "");
    check(model, 0, 1e-3);
    check(model, 0.7, 1e-3); // in axes of the body, not in global ones
}

static void box(void **state) {
    GOS_UNUSED(state);
    check(MODEL(BOX, "zeta: 0", "12", "b", ""), 0, 1e-3);
}

/* Light that goes around the body: patterns for all directions, not for that of the start alone */
static void turning(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        LIT(TUBE, SHELL, "30", "[\"-0.8*cos(t/40)\", \"-0.8*sin(t/40)\", -0.6]", "b.upper", "");
    outcome o[2];
    for (int i = 0; i < 2; i++) {
        verify v = {0};
        verify_text(&v, model, i == 0 ? "floating_bodies=whole" : "floating_bodies=reduced");
        verify_run(&v);
        o[i].hot = verify_value(&v, v.state, "hot.T");
        o[i].side = verify_value(&v, v.state, "side.T");
        verify_close(&v);
    }
    verify_near("hot", o[1].hot, o[0].hot, 0.02 * o[0].hot);
    verify_near("side", o[1].side, o[0].side, 0.02 * o[0].hot);
}

/* Little heat flows along the surface, and it radiates: temperatures are curved functions of what
 * falls there (theory guide 2.5) */
static void radiating(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        MODEL(TUBE, SHELL, "16", "b.upper", ", space: {type: radiation, sink: 3, on: b.upper}");
    check(model, 0, 3e-3);
}

/* how often the model warns of what looks at itself, and the part that the first warning names */
static int warnings(const char *model, int *percent) {
    verify v = {0};
    int n = 0;
    verify_text(&v, model, "");
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        const char *const text = gos_ctx_diag(v.ctx, i)->text, *at = strstr(text, " % of the area");
        if (at) {
            const char *number = at;
            while (number > text && number[-1] >= '0' && number[-1] <= '9') {
                number--;
            }
            *percent = n++ == 0 ? atoi(number) : *percent;
        }
    }
    verify_close(&v);
    return n;
}

/* Of a tube both of whose sides meet light, half; of a thick one its bore, 2 pi r_i L of the whole
 * skin; outsides none. */
static void sight(void **state) {
    GOS_UNUSED(state);
    int percent = 0;
    assert_int_equal(warnings(MODEL(TUBE, SHELL, "6", "b", ""), &percent), 1);
    assert_int_equal(percent, 50);
    assert_int_equal(warnings(MODEL(TUBE, SHELL, "6", "b.upper", ""), &percent), 0);
    assert_int_equal(warnings(MODEL(TUBE, SHELL, "6", "b.lower", ""), &percent), 1);
    assert_int_equal(percent, 100);
    assert_int_equal(warnings(MODEL(BOX, "zeta: 0", "6", "b", ""), &percent), 0);
    assert_int_equal(warnings(MODEL(TUBE, SHELL, "6", "b.upper",
                                    ", space: {type: radiation, sink: 3, on: b.lower}"),
                              &percent),
                     1);
    // r_i 0.1, r_o 0.2, L 1: 0.2 pi of (0.2 + 0.4 + 2 (0.04 - 0.01)) pi, 30 %
    assert_int_equal(
        warnings(
            MODEL("{type: tube, inner: 0.1, outer: 0.2, length: 1, cells: [1, 40, 10], sets: {hot: "
                  "{near: [0.2, 0, 1]}, side: {near: [0, 0.2, 1]}}}",
                  "zeta: 0", "6", "b", ""),
            &percent),
        1);
    assert_int_equal(percent, 30);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tube),      cmocka_unit_test(box),   cmocka_unit_test(turning),
        cmocka_unit_test(radiating), cmocka_unit_test(sight),
    };
    return cmocka_run_group_tests_name("lit_curved", tests, NULL, NULL);
}
SUITE(suite)
