/* What a basis leaves out of the stresses of a reduced body: the energy that it leaves of a body at
   rest under a load is the way of the load that is missing, f.(u - u_V) over f.u. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

static const char bar[] =
    "materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3%s}}\n"
    "meshes: {bar: {type: rectangle, size: [1, 0.1], cells: [10, 2]}}\n"
    "bodies: {bar: {type: floating, mesh: bar, material: steel, element: plane_stress,\n"
    "  thickness: 0.01, reference: clamped, at: left, interfaces: {tip: {of: right}},\n"
    "  reduce: {%s}}}\n"
    "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n"
    "parameters: {x: 0, y: 0, z: 0}\n"
    "loads:\n"
    "  push: {type: force, on: bar.tip, value: [x, y, 0]}\n"
    "  turn: {type: moment, on: bar.tip, moment: [0, 0, z]}\n"
    "%s"
    "probes:\n"
    "  u: {at: bar.tip, quantity: displacement}\n"
    "  w: {at: bar.tip, quantity: rotation_vector}\n"
    "  s: {at: bar.left, quantity: %s}\n"
    "analysis: {type: static}\n";

static void open_bar(verify *v, const char *heat, const char *reduce, const char *warm,
                     const char *seen, const char *settings) {
    char text[2000];
    snprintf(text, sizeof text, bar, heat, reduce, warm, seen);
    verify_text(v, text, settings);
}

/* what is said of stresses, NULL: nothing */
static const char *said(const verify *v, const char *with) {
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        const char *at = strstr(gos_ctx_diag(v->ctx, i)->text, with);
        if (at) {
            return at + strlen(with);
        }
    }
    return NULL;
}

/* the way of the load of this name, of the amount 1 */
static double way(const char *reduce, const char *load, const char *set) {
    static const char *const of[] = {"x", "y", "rz"}, *const seen[] = {"u.x", "u.y", "w.z"},
                             *const amount[] = {"x", "y", "z"};
    char settings[100];
    double y = 0;
    for (int i = 0; i < 3; i++) {
        if (strcmp(load, of[i]) == 0) {
            verify v;
            snprintf(settings, sizeof settings, "%s=1 %s", amount[i], set);
            open_bar(&v, "", reduce, "", "von_mises", settings);
            verify_static(&v);
            y = verify_value(&v, v.state, seen[i]);
            verify_close(&v);
        }
    }
    return y;
}

/* modes alone: a load at the tip is one of theirs by parts */
static void modes(void **state) {
    GOS_UNUSED(state);
    for (int order = 4; order <= 16; order += 4) {
        char reduce[100], load[10];
        double left;
        verify v;
        snprintf(reduce, sizeof reduce, "method: modes, order: %d, static: []", order);
        open_bar(&v, "", reduce, "", "von_mises", "floating_bodies=reduced");
        const char *text = said(&v, "its basis omits ");
        assert_non_null(text);
        assert_int_equal(sscanf(text, "%lf of the stresses under tip.%9s", &left, load), 2);
        const double whole = way(reduce, load, ""),
                     reduced = way(reduce, load, "floating_bodies=reduced");
        print_message("order %d, tip.%s\n", order, load);
        verify_near("stresses that are left out", left, sqrt(1 - reduced / whole), 0.006);
        verify_close(&v);
    }
}

/* with static deflections nothing is left out, and nothing is reported where no stress is requested
 */
static void statics(void **state) {
    GOS_UNUSED(state);
    double left;
    verify v;
    open_bar(&v, "", "method: modes, order: 4", "", "von_mises", "floating_bodies=reduced");
    assert_null(said(&v, "its basis omits "));
    const char *text = said(&v, "the basis omits at most ");
    assert_non_null(text);
    assert_int_equal(sscanf(text, "%lf", &left), 1);
    verify_below("stresses that are left out", left, 1e-5);
    verify_close(&v);
    open_bar(&v, "", "method: modes, order: 4, static: []", "", "displacement",
             "floating_bodies=reduced");
    assert_null(said(&v, "its basis omits "));
    verify_close(&v);
}

/* temperatures: modes of motion do not have what they do, response modes do */
static void heated(void **state) {
    GOS_UNUSED(state);
    static const char heat[] = ", expansion: 1e-5, conductivity: 40, specific_heat: 500",
                      warm[] = "heat: {air: {type: convection, on: bar.top, coefficient: 50, "
                               "ambient: 10}}\n";
    verify v;
    open_bar(&v, heat, "method: modes, order: 4", warm, "von_mises", "floating_bodies=reduced");
    const char *text = said(&v, "its basis omits ");
    assert_true(text && strstr(text, "temperature field") && strstr(text, "response_modes"));
    verify_close(&v);
    open_bar(&v, heat, "method: response_modes, order: 4", warm, "von_mises",
             "floating_bodies=reduced");
    assert_null(said(&v, "its basis omits "));
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(modes), cmocka_unit_test(statics),
                                       cmocka_unit_test(heated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
