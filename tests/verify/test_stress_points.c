/* Stresses and strains of floating bodies of meshes at points between nodes: at nodes those of
   nodes, in the middle of a cell their mean, closed forms, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

static void components(const verify *v, const char *probe, double y[6]) {
    double all[GOS_PROBE_MAX];
    verify_probe(v, NULL, probe, all);
    memcpy(y, all, 6 * sizeof *y);
}

/* A bar in a place and direction of its own: node 2 is at (0.1, 0, 0) of the mesh, which is
   (1, 2.1, 3) in space; the middle of its first cell has the mean of eight nodes; whole and
   reduced. */
static void between_nodes(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {m: {density: 7800, young: 2e11, poisson: 0.3, expansion: 1.2e-5,\n"
        "  conductivity: 43, specific_heat: 465}}\n"
        "meshes: {bar: {type: box, size: [0.3, 0.2, 0.1], cells: [3, 1, 1], sets: {\n"
        "  first: {of: nodes, box: {from: [-1, -1, -1], to: [0.11, 1, 1]}}}}}\n"
        "bodies: {bar: {type: floating, mesh: bar, material: m, position: [1, 2, 3],\n"
        "  rotation_vector: [0, 0, pi/2], reference: clamped, at: left,\n"
        "  reduce: {method: krylov, order: 6, shifts: [100]}}}\n"
        "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n"
        "loads: {F: {type: force, on: bar.right, value: [1e4, 4e5, -2e4]}}\n"
        "heat: {q: {type: flux, on: bar.top, value: 1e6}}\n"
        "floating_bodies: %s\n"
        "probes: {node: {at: bar.node(2), quantity: stress},\n"
        "  same: {at: \"bar.at(1, 2.1, 3)\", quantity: stress},\n"
        "  set: {at: bar.first, quantity: strain},\n"
        "  middle: {at: \"bar.at(0.9, 2.05, 3.05)\", quantity: strain},\n"
        "  mises: {at: \"bar.at(0.9, 2.05, 3.05)\", quantity: von_mises},\n"
        "  mean: {at: \"bar.at(0.9, 2.05, 3.05)\", quantity: stress}}\n"
        "analysis: {end: 0.02, step: 1e-3}\n";
    for (int reduced = 0; reduced < 2; reduced++) {
        verify v = {0};
        char text[2000];
        double a[6], b[6], c[6], d[6], s[6], most = 0, strain = 0;
        (void)snprintf(text, sizeof text, model, reduced ? "reduced" : "whole");
        verify_text(&v, text, "");
        verify_run(&v);
        components(&v, "node", a);
        components(&v, "same", b);
        components(&v, "set", c);
        components(&v, "middle", d);
        components(&v, "mean", s);
        for (int i = 0; i < 6; i++) {
            most = fmax(most, fabs(a[i]));
            strain = fmax(strain, fabs(c[i]));
        }
        for (int i = 0; i < 6; i++) {
            verify_near("at a node", b[i], a[i], 1e-12 * most);
            verify_near("in the middle of a cell", d[i], c[i], 1e-12 * strain);
        }
        const double x = s[0] - s[1], y = s[1] - s[2], z = s[2] - s[0];
        verify_near(
            "von Mises", verify_value(&v, NULL, "mises.value"),
            sqrt(0.5 * (x * x + y * y + z * z) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5])),
            1e-9 * most);
        verify_close(&v);
    }
}

/* a cantilever, F (L - x) z / I within a cell; a shell, F (L - x) t / 2 / I on either face, also
 * where the point is on that face */
static void bending(void **state) {
    GOS_UNUSED(state);
    static const char solid[] =
        "materials: {m: {density: 7800, young: 2e11, poisson: 0}}\n"
        "meshes: {beam: {type: box, size: [1, 0.05, 0.1], cells: [8, 1, 2], order: quadratic}}\n"
        "bodies: {beam: {type: floating, mesh: beam, material: m, reference: clamped, at: left}}\n"
        "joints: {hold: {type: clamp, between: [ground, beam.frame]}}\n"
        "loads: {F: {type: force, on: beam.right, value: [0, 0, -1e4]}}\n"
        "probes: {s: {at: \"beam.at(0.437, 0.021, 0.083)\", quantity: stress}}\n"
        "analysis: {type: static}\n";
    static const char shell[] =
        "materials: {m: {density: 7800, young: 2e11, poisson: 0}}\n"
        "meshes: {sheet: {type: rectangle, size: [1, 0.1], cells: [20, 2]}}\n"
        "bodies: {sheet: {type: floating, mesh: sheet, material: m, element: shell,\n"
        "  thickness: 0.01, reference: clamped, at: left}}\n"
        "joints: {hold: {type: clamp, between: [ground, sheet.frame]}}\n"
        "loads: {F: {type: force, on: sheet.right, value: [0, 0, -10]}}\n"
        "probes: {up: {at: \"sheet.at(0.525, 0.033, 0)\", quantity: stress, face: upper},\n"
        "  low: {at: \"sheet.at(0.525, 0.033, -0.005)\", quantity: stress, face: lower}}\n"
        "analysis: {type: static}\n";
    verify v = {0};
    double s[6];
    verify_text(&v, solid, "");
    verify_static(&v);
    components(&v, "s", s);
    const double want = 1e4 * 0.563 * 0.033 / (0.05 * 0.001 / 12);
    verify_near("cantilever of hexahedra", s[0], want, 2e-3 * want);
    verify_close(&v);
    verify_text(&v, shell, "");
    verify_static(&v);
    const double face = 10 * 0.475 * 0.005 / (0.1 * 1e-6 / 12);
    components(&v, "up", s);
    verify_near("upper face", s[0], face, 1e-3 * face);
    components(&v, "low", s);
    verify_near("lower face", s[0], -face, 1e-3 * face);
    verify_close(&v);
}

/* every shape of cell: displacements that are linear in space have one strain anywhere */
static void shapes(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *mesh, *element, *at;
    } all[] = {{"type: box, size: [0.3, 0.2, 0.1], cells: [3, 2, 1]", "solid", "0.111, 0.07, 0.03"},
               {"type: box, size: [0.3, 0.2, 0.1], cells: [3, 2, 1], order: quadratic", "solid",
                "0.111, 0.07, 0.03"},
               {"type: box, size: [0.3, 0.2, 0.1], cells: [3, 2, 1], shape: tetrahedra", "solid",
                "0.111, 0.07, 0.03"},
               {"type: rectangle, size: [0.3, 0.2], cells: [3, 2]", "plane_stress, thickness: 0.1",
                "0.111, 0.07, 0"},
               {"type: rectangle, size: [0.3, 0.2], cells: [3, 2], shape: triangles",
                "plane_stress, thickness: 0.1", "0.111, 0.07, 0"}};
    for (int i = 0; i < GOS_COUNT(all); i++) {
        verify v = {0};
        char text[1200];
        double e[6];
        (void)snprintf(text, sizeof text,
                       "materials: {m: {density: 7800, young: 2e11, poisson: 0, expansion: 1e-5,\n"
                       "  conductivity: 43, specific_heat: 465}}\n"
                       "meshes: {m: {%s}}\n"
                       "bodies: {b: {type: floating, mesh: m, material: m, element: %s}}\n"
                       "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
                       "heat: {T: {type: temperature, value: 40, on: b.node(1)}}\n"
                       "probes: {e: {at: \"b.at(%s)\", quantity: strain}}\n"
                       "analysis: {type: static}\n",
                       all[i].mesh, all[i].element, all[i].at);
        verify_text(&v, text, "");
        verify_static(&v);
        components(&v, "e", e);
        for (int c = 0; c < 6; c++) {
            verify_near(all[i].mesh, e[c], c < 3 ? 4e-4 : 0, 1e-10);
        }
        verify_close(&v);
    }
}

static void refused(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {hard: {density: 7800, young: 2e11}, soft: {density: 2700, young: 7e10}}\n"
        "meshes: {bar: {type: rectangle, size: [1, 0.2], cells: [4, 4], sets: {\n"
        "  lower: {of: cells, box: {from: [0, 0, -1], to: [1, 0.1, 1]}},\n"
        "  upper: {of: cells, box: {from: [0, 0.1, -1], to: [1, 0.2, 1]}}}}}\n"
        "bodies: {bar: {type: floating, mesh: bar, element: plane_stress, thickness: 0.01,\n"
        "  parts: [{cells: lower, material: hard}, {cells: upper, material: soft}]}}\n"
        "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n"
        "%s\nanalysis: {type: static}\n";
    static const struct {
        const char *entry, *message;
    } all[] = {
        {"probes: {s: {at: \"bar.at(0.5, 0.3, 0)\", quantity: stress}}",
         "at(0.5, 0.3, 0) is outside 'bar'; the nearest node is node(23) at (0.5, 0.2, 0), 0.1 m "
         "away"},
        {"probes: {s: {at: \"bar.at(0.6, 0.1, 0)\", quantity: stress}}",
         "parts of different material or thickness, or beams of different directions, meet there"},
        {"probes: {s: {at: \"bar.at(0.6, 0.15, 0)\", quantity: stress, material: hard}}",
         "outside 'bar', or not in hard"},
        {"probes: {s: {at: \"bar.at(0.6, 0.15, 0)\", quantity: stress, face: upper}}",
         "'bar' has no faces there"},
        {"probes: {s: {at: \"bar.at(0.6, 0.15, 0.006)\", quantity: von_mises}}", "is outside "
                                                                                 "'bar'"},
        {"probes: {s: {at: \"bar.at(0.6, 0.15, 0)\", quantity: position}}", "has no location 'at("},
        {"loads: {F: {type: force, on: \"bar.at(0.6, 0.15, 0)\", value: [1, 0, 0]}}",
         "has no location 'at("},
        {"probes: {s: {at: \"bar.at(0.6, 0.1, 0)\", quantity: stress, material: soft},\n"
         "  e: {at: \"bar.at(0.6, 0.15, 0.004)\", quantity: principal_stress}}",
         NULL}};
    for (int i = 0; i < GOS_COUNT(all); i++) {
        char text[1500];
        gos_ctx *ctx = gos_ctx_create();
        gos_model *m;
        gos_system *sys = NULL;
        (void)snprintf(text, sizeof text, model, all[i].entry);
        assert_int_equal(gos_model_parse(ctx, text, strlen(text), "test", NULL, &m), GOS_OK);
        assert_int_equal(gos_system_create(ctx, m, &sys), all[i].message ? GOS_E_INPUT : GOS_OK);
        if (all[i].message && !strstr(gos_ctx_message(ctx), all[i].message)) {
            fail_msg("%s", gos_ctx_message(ctx));
        }
        gos_system_destroy(sys);
        gos_model_destroy(m);
        gos_ctx_destroy(ctx);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(between_nodes), cmocka_unit_test(bending),
                                       cmocka_unit_test(shapes), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
