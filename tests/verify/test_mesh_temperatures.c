/* Prescribed temperatures of sets of nodes of floating bodies of meshes against closed forms, whole
 * and reduced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

#define MODEL(mesh, element, more)                                                                 \
    "parameters: {Tl: 0, Tr: 0, end: 1}\n"                                                         \
    "materials: {m: {density: 1000, young: 1e9, poisson: 0.3, expansion: 1e-5,\n"                  \
    "  conductivity: 20, specific_heat: 500}}\n"                                                   \
    "meshes: {bar: " mesh "}\n"                                                                    \
    "bodies: {bar: {type: floating, mesh: bar, material: m, " element "\n"                         \
    "  rotation_vector: [0.1, 0.2, 0.3], reduce: {method: krylov, order: 10}}}\n"                  \
    "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n" more

/* Steady conduction between two faces: linear, by bodies of every kind; the heat through a face is
   k A (Tl - Tr) / L. The elongation is that of the mean temperature. A film on the far face: the
   wall's series of resistances. */
static void steady(void **state) {
    GOS_UNUSED(state);
    static const char *const model[] = {
        MODEL("{type: box, size: [0.5, 0.2, 0.1], cells: [5, 2, 1]}", "", "%s"),
        MODEL("{type: rectangle, size: [0.5, 0.2], cells: [5, 2]}",
              "element: plane_stress, thickness: 0.1,", "%s"),
        MODEL("{type: rectangle, size: [0.5, 0.2], cells: [5, 2]}",
              "element: shell, thickness: 0.1,", "%s")};
    static const char *const heat[] = {
        "heat: {l: {type: temperature, value: Tl, on: bar.left},\n"
        "  r: {type: temperature, value: Tr, on: [bar.right]}}\n"
        "probes: {T: {at: bar.node(3), quantity: temperature},\n"
        "  a: {at: bar.left, quantity: displacement}, b: {at: bar.right, quantity: displacement}}\n"
        "analysis: {type: static}\n",
        "heat: {l: {type: temperature, value: Tl, on: bar.left},\n"
        "  r: {type: convection, coefficient: 50, ambient: Tr, on: bar.right}}\n"
        "probes: {T: {at: bar.right, quantity: temperature},\n"
        "  a: {at: bar.left, quantity: displacement}, b: {at: bar.right, quantity: displacement}}\n"
        "analysis: {type: static}\n"};
    for (int i = 0; i < 12; i++) {
        verify v = {0};
        char text[2000];
        double a[3], b[3], d[3];
        const bool film = i / 3 % 2;
        static const double zero[3];
        (void)snprintf(text, sizeof text, model[i % 3], heat[film]);
        verify_text(&v, text, i < 6 ? "Tl=100 Tr=20" : "Tl=100 Tr=20 floating_bodies=reduced");
        verify_static(&v);
        const double flux = film ? 80 / (0.5 / 20 + 1.0 / 50) : 80 * 20 / 0.5;
        const double right = 100 - flux * 0.5 / 20;
        const int third = 2; // cells along the bar until the probe
        verify_near("temperature", verify_value(&v, v.state, "T.T"),
                    film ? right : 100 - flux * third * 0.1 / 20, 1e-8);
        verify_probe(&v, v.state, "a", a);
        verify_probe(&v, v.state, "b", b);
        for (int c = 0; c < 3; c++) {
            d[c] = b[c] - a[c];
        }
        if (i % 3 !=
            0) { // sheets and shells stretch freely; heat makes the block's faces no plane strain
            verify_near("elongation", verify_distance(d, zero), 1e-5 * (100 + right) / 2 * 0.5,
                        1e-9);
        }
        verify_close(&v);
    }
}

/* A wall whose faces change at once: in its middle 1 - sum 4 / (n pi) sin(n pi / 2) exp(-n^2 pi^2 a
   t / L^2), of order two in the cells' size; what is stored has come through the prescribed
   temperatures. Where they grow in Tr seconds the reduced wall does the same. */
static void wall(void **state) {
    GOS_UNUSED(state);
    const double tau = 20 / (1000 * 500.0) * 1000 / 0.25;
    static const char *const settings[] = {"Tl=100 end=1000", "Tl=100 end=1000",
                                           "Tl=100 end=1000 Tr=200",
                                           "Tl=100 end=1000 Tr=200 floating_bodies=reduced"};
    double middle[4], exact = 100;
    for (int n = 1; n < 40; n += 2) {
        exact -= 400 / (n * M_PI) * (n % 4 == 1 ? 1 : -1) * exp(-n * n * M_PI * M_PI * tau);
    }
    for (int i = 0; i < 4; i++) {
        verify v = {0};
        gos_heat heat;
        char text[2000];
        (void)snprintf(text, sizeof text,
                       MODEL("{type: box, size: [0.5, 0.2, 0.1], cells: [%d, 1, 1]}", "",
                             "heat: {faces: {type: temperature, on: [bar.left, bar.right],\n"
                             "  value: %s}}\n"
                             "probes: {T: {at: bar.node(%d), quantity: temperature}}\n"
                             "analysis: {end: end, step: end/400}\n"),
                       i == 0 ? 8 : 16, i < 2 ? "Tl" : "\"Tl*min(t/Tr, 1)\"", i == 0 ? 5 : 9);
        verify_text(&v, text, settings[i]);
        verify_run(&v);
        gos_system_heat(v.sys, v.state, &heat);
        middle[i] = verify_value(&v, v.state, "T.T");
        verify_near("through the faces", heat.constrained, heat.stored, 1e-3 * heat.stored);
        verify_close(&v);
    }
    verify_near("sixteen cells", middle[1], exact, 0.3);
    verify_within("order", verify_order(middle[0] - exact, middle[1] - exact, 2), 1.8, 2.2);
    verify_near("reduced", middle[3], middle[2], 1e-3);
}

/* Two edges that meet in a corner, prescribed by two entries with one value or by one entry. */
static void corner(void **state) {
    GOS_UNUSED(state);
    static const char *const body[] = {
        "bodies: {p: {type: ancf_plate, material: alloy, thickness: 0.01, elements: [3, 2],\n"
        "  corner: [0, 0, 0], x: [0.6, 0, 0.8], y: [0, 1, 0]}}\n",
        "meshes: {m: {type: rectangle, size: [1, 1], cells: [3, 2]}}\n"
        "bodies: {p: {type: floating, mesh: m, material: alloy, element: shell, thickness: 0.01,\n"
        "  reference: mean_axis}}\n"};
    static const char *const edge[][2] = {{"p.edge.x0", "p.edge.y0"}, {"p.left", "p.bottom"}};
    static const char *const far[] = {"p.node(3,2)", "p.node(12)"};
    for (int i = 0; i < 4; i++) {
        const char *const *e = edge[i / 2];
        double T[2];
        for (int one = 0; one < 2; one++) {
            char text[2000], heat[300];
            verify v;
            snprintf(heat, sizeof heat,
                     one ? "  a: {type: temperature, on: [%s, %s], value: \"t\"}\n"
                         : "  a: {type: temperature, on: %s, value: \"t\"}\n"
                           "  b: {type: temperature, on: %s, value: \"t\"}\n",
                     e[i % 2], e[1 - i % 2]);
            snprintf(text, sizeof text,
                     "materials: {alloy: {density: 2700, young: 7e10, poisson: 0.3,\n"
                     "  expansion: 0, conductivity: 200, specific_heat: 900}}\n"
                     "%sheat:\n%sprobes: {T: {at: \"%s\", quantity: temperature}}\n"
                     "analysis: {end: 1000, step: 20}\n",
                     body[i / 2], heat, far[i / 2]);
            verify_text(&v, text, NULL);
            verify_run(&v);
            T[one] = verify_value(&v, NULL, "T.T");
            verify_close(&v);
        }
        verify_near("far from both edges [K]", T[0], T[1], 1e-6);
    }
}

/* Two entries that share nodes are refused, and so are gradients that would be free. */
static void refused(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *heat, *element, *says;
    } wrong[] = {{"heat: {a: {type: temperature, value: 1, on: bar.left},\n"
                  "  b: {type: temperature, value: 2, on: bar.bottom}}\n",
                  "element: plane_stress, thickness: 0.1,",
                  "'a' and 'b' prescribe temperatures of sets of 'bar' that share node 1 "},
                 {"heat: {a: {type: temperature, value: 1, on: bar.left, gradients: free}}\n",
                  "element: shell, thickness: 0.1,", "share one gradient, which cannot be free"}};
    for (int i = 0; i < GOS_COUNT(wrong); i++) {
        verify v = {.ctx = gos_ctx_create()};
        char text[2000];
        (void)snprintf(text, sizeof text,
                       MODEL("{type: rectangle, size: [0.5, 0.2], cells: [5, 2]}", "%s", "%s"),
                       wrong[i].element, wrong[i].heat);
        verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
        assert_int_equal(gos_system_create(v.ctx, v.model, &v.sys), GOS_E_INPUT);
        assert_non_null(strstr(gos_ctx_message(v.ctx), wrong[i].says));
        verify_close(&v);
    }
}

static void refused_corner(void **state) {
    GOS_UNUSED(state);
    verify v = {.ctx = gos_ctx_create()};
    static const char text[] =
        "materials: {alloy: {density: 2700, young: 7e10, poisson: 0.3, expansion: 0,\n"
        "  conductivity: 200, specific_heat: 900}}\n"
        "bodies: {p: {type: ancf_plate, material: alloy, thickness: 0.01, elements: [3, 2],\n"
        "  corner: [0, 0, 0], x: [0.6, 0, 0.8], y: [0, 1, 0]}}\n"
        "heat:\n"
        "  cold: {type: temperature, on: p.edge.x0, value: 1}\n"
        "  hot: {type: temperature, on: p.edge.y0, value: 2}\n";
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
    assert_int_equal(gos_system_create(v.ctx, v.model, &v.sys), GOS_E_INPUT);
    print_message("    %s\n", gos_ctx_message(v.ctx));
    assert_non_null(strstr(gos_ctx_message(v.ctx), "heat 'hot'"));
    assert_non_null(strstr(gos_ctx_message(v.ctx), "another temperature than 'cold'"));
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady),  cmocka_unit_test(wall),           cmocka_unit_test(corner),
        cmocka_unit_test(refused), cmocka_unit_test(refused_corner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
