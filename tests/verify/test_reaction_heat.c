/* Heat that holds prescribed temperatures, as probes: through a bar between two temperatures, of
   sources, films and warming, of bodies of every kind, whole and reduced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

#define SIZE 0.5  // length; the section is
#define AREA 0.02 // m^2
#define CONDUCTIVITY 20.0
#define CAPACITY (1000 * 500 * SIZE * AREA)

static const char model[] =
    "parameters: {Tl: 0, Tr: 0, S: 0, rate: 0, end: 1}\n"
    "materials: {m: {density: 1000, young: 1e9, poisson: 0.3, expansion: 1e-5,\n"
    "  conductivity: 20, specific_heat: 500}}\n"
    "sections: {s: {type: rectangle, width: 0.2, height: 0.1}}\n"
    "%s\n"
    "joints: {hold: {type: clamp, between: [ground, %s]}}\n"
    "heat:\n"
    "  l: {type: temperature, value: 'Tl+rate*t', on: %s}\n"
    "  r: {type: temperature, value: 'Tr+rate*t', on: %s}\n"
    "  source: {type: source, value: S, on: bar}\n"
    "probes: {l: {heat: l, quantity: reaction_heat}, r: {heat: r, quantity: reaction_heat}}\n"
    "analysis: {type: static, end: end, step: 1}\n";

static const struct kind {
    const char *name, *body, *hold, *left, *right, *how;
} kinds[] = {
#define MESHED(mesh, more)                                                                         \
    "meshes: {bar: " mesh "}\nbodies: {bar: {type: floating, mesh: bar, material: m, " more        \
    "  reduce: {method: krylov, order: 6}}}\n"
    {"solids", MESHED("{type: box, size: [0.5, 0.2, 0.1], cells: [5, 2, 1]}", ""), "bar.frame",
     "bar.left", "bar.right", ""},
    {"solids, reduced", MESHED("{type: box, size: [0.5, 0.2, 0.1], cells: [5, 2, 1]}", ""),
     "bar.frame", "bar.left", "bar.right", "floating_bodies=reduced"},
    {"shell",
     MESHED("{type: rectangle, size: [0.5, 0.2], cells: [5, 2]}",
            "element: shell, thickness: 0.1,"),
     "bar.frame", "bar.left", "bar.right", ""},
    {"beam",
     "bodies: {bar: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [0.5, 0, 0],\n"
     "  elements: 5}}\n",
     "bar.start", "bar.start", "bar.end", ""},
    {"solid",
     "meshes: {bar: {type: box, size: [0.5, 0.2, 0.1], cells: [5, 2, 1]}}\n"
     "bodies: {bar: {type: solid, mesh: bar, material: m}}\n",
     "bar.left", "bar.left", "bar.right", ""},
};

static void open_kind(verify *v, const struct kind *k, const char *set) {
    char text[2500], all[300];
    snprintf(text, sizeof text, model, k->body, k->hold, k->left, k->right);
    snprintf(all, sizeof all, "%s %s", set, k->how);
    print_message("%s: %s\n", k->name, set);
    verify_text(v, text, all);
}

/* lambda A (Tl - Tr) / L from left to right, and half of the heat of sources to each side */
static void steady(void **state) {
    GOS_UNUSED(state);
    const double through = CONDUCTIVITY * AREA * 60 / SIZE, sources = 2e4 * SIZE * AREA;
    for (int i = 0; i < GOS_COUNT(kinds); i++) {
        verify v;
        open_kind(&v, &kinds[i], "Tl=80 Tr=20 S=2e4");
        verify_static(&v);
        verify_near("left [W]", verify_value(&v, v.state, "l.value"), through - sources / 2,
                    1e-9 * through);
        verify_near("right [W]", verify_value(&v, v.state, "r.value"), -through - sources / 2,
                    1e-9 * through);
        verify_close(&v);
    }
}

/* Both ends warm by 0.01 K/s: in the end all of the bar does, and they bring C T' between them. */
static void warming(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < GOS_COUNT(kinds); i++) {
        verify v;
        open_kind(&v, &kinds[i], "rate=0.01 end=20000 analysis.type=dynamic analysis.step=200");
        verify_run(&v);
        const double want = CAPACITY * 0.01 / 2;
        verify_near("left [W]", verify_value(&v, v.state, "l.value"), want, 1e-6 * want);
        verify_near("right [W]", verify_value(&v, v.state, "r.value"), want, 1e-6 * want);
        verify_close(&v);
    }
}

/* what has no such heat */
static void refused(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    gos_system *sys = NULL;
    char text[2500];
    snprintf(text, sizeof text, model, kinds[0].body, kinds[0].hold, kinds[0].left, kinds[0].right);
    assert_int_equal(gos_model_parse(ctx, text, strlen(text), "test", NULL, &m), GOS_OK);
    assert_int_equal(gos_model_set(ctx, m, "probes.l.heat", "source"), GOS_OK);
    assert_int_equal(gos_system_create(ctx, m, &sys), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "the name of an entry of type temperature"));
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady),
        cmocka_unit_test(warming),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
