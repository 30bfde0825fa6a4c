/* Heat in plates of quadrilateral elements and what it bends, balances of a motion, and its reduced
 * model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/gossamer.h"
#include "support/balance.h"
#include "support/plate_mesh.h"
#include "support/suite.h"

/* 3 x 3 elements of any shape, the inner nodes 5, 6, 9, 10 and some outer ones off the lines */
#define MATERIAL                                                                                   \
    "materials: {m: {density: 1000, young: 1.0e9, poisson: 0.3, conductivity: 0.5, "               \
    "specific_heat: 200, expansion: 1.0e-4, absorptivity: 0.8}}\n"
#define IRREGULAR                                                                                  \
    MATERIAL                                                                                       \
    "bodies:\n"                                                                                    \
    "  a: {type: ancf_plate, material: m, thickness: 0.02,\n"                                      \
    "      nodes: [[0, 0, 0], [1, 0, 0], [2.3, 0.2, 0], [3.5, 0, 0], [-0.2, 0.5, 0],\n"            \
    "              [1.3, 0.3, 0], [2.1, 0.7, 0], [3.3, 0.5, 0], [0, 0.9, 0], [0.8, 0.7, 0],\n"     \
    "              [2.5, 1.1, 0], [3.6, 0.9, 0], [0, 1.2, 0], [1.1, 1.3, 0], [2.4, 1.4, 0],\n"     \
    "              [3.4, 1.2, 0]],\n"                                                              \
    "      quads: [[0, 1, 5, 4], [1, 2, 6, 5], [3, 7, 6, 2], [5, 9, 8, 4], [5, 6, 10, 9],\n"       \
    "              [6, 7, 11, 10], [8, 9, 13, 12], [9, 10, 14, 13], [10, 11, 15, 14]]}\n"
#define SUPPORTS                                                                                   \
    "joints:\n"                                                                                    \
    "  a: {type: spherical, between: [ground, a.node(0)]}\n"                                       \
    "  b: {type: point_on_line, between: [ground, a.node(3)], direction: [1, 0, 0]}\n"             \
    "  c: {type: point_on_plane, between: [ground, a.node(12)], normal: [0, 0, 1]}\n"

/* ---- conduction ------------------------------------------------------------------------------ */

/* outer nodes held at T = 3 + 2 x - y: so are the inner ones, and the points between */
static void conduction_patch(void **state) {
    GOS_UNUSED(state);
    static const double x[16][2] = {{0, 0},      {1, 0},     {2.3, 0.2}, {3.5, 0},
                                    {-0.2, 0.5}, {1.3, 0.3}, {2.1, 0.7}, {3.3, 0.5},
                                    {0, 0.9},    {0.8, 0.7}, {2.5, 1.1}, {3.6, 0.9},
                                    {0, 1.2},    {1.1, 1.3}, {2.4, 1.4}, {3.4, 1.2}};
    verify v;
    mesh_text t = {.n = 0};
    mesh_add(&t, "%s", IRREGULAR SUPPORTS "heat:\n");
    for (int i = 0; i < 16; i++) {
        if (i != 5 && i != 6 && i != 9 && i != 10) {
            mesh_add(&t, "  h%d: {type: temperature, value: %.17g, on: a.node(%d)}\n", i,
                     3 + 2 * x[i][0] - x[i][1], i);
        }
    }
    mesh_add(&t, "probes:\n  p: {at: \"a.at(1.5,0.8)\", quantity: temperature}\n"
                 "  q: {at: a.node(10), quantity: temperature}\n"
                 "analysis: {type: static}\n");
    verify_text(&v, t.s, NULL);
    verify_static(&v);
    verify_near("T between nodes", verify_value(&v, NULL, "p.T"), 3 + 2 * 1.5 - 0.8, 1e-12);
    verify_near("T at an inner node", verify_value(&v, NULL, "q.T"), 3 + 2 * 2.5 - 1.1, 1e-12);
    verify_close(&v);
}

/* named edges held at 0 and 100: linear between, and k h b 100/a flows */
static void held_edges(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(
        &v,
        MATERIAL
        "bodies:\n"
        "  a: {type: ancf_plate, material: m, thickness: 0.02,\n"
        "      nodes: [[0, 0, 0], [2, 0, 0], [0, 0.3, 0], [2, 0.2, 0], [0, 1, 0], [2, 1, 0]],\n"
        "      quads: [[0, 1, 3, 2], [2, 3, 5, 4]], edges: {root: [0, 2, 4], tip: [1, 3, 5]}}\n"
        "joints: {c: {type: clamp, between: [ground, a.edge.root]}}\n"
        "heat:\n"
        "  cold: {type: temperature, value: 0, on: a.edge.root}\n"
        "  warm: {type: temperature, value: 100, on: a.edge.tip}\n"
        "probes: {th: {at: \"a.at(0.7,0.4)\", quantity: temperature}}\n"
        "analysis: {type: static}\n",
        "materials.m.expansion=0");
    double flow = 0;
    verify_static(&v);
    verify_near("T at 0.7 of 2 m", verify_value(&v, NULL, "th.T"), 35, 1e-12);
    for (int i = 0; i < v.sys->nitem; i++) {
        if (strcmp(v.sys->item[i]->name, "heat 'warm'") == 0) {
            flow += v.state->lamT[v.sys->item[i]->h0];
        }
    }
    verify_near("heat flow [W]", fabs(flow), 0.5 * 0.02 * 1 * 100 / 2, 1e-12);
    verify_close(&v);
}

/* a quarter of a ring, radii 1 and 2, held at 0 and 1: T = ln r/ln 2 */
static double ring(int n) {
    verify v;
    double x[MESH_NODES][2];
    mesh_text t = {.n = 0};
    for (int k = 0; k < (n + 1) * (2 * n + 1); k++) {
        const double r = 1 + (double)(k % (n + 1)) / n, phi = M_PI / 4 * (k / (n + 1)) / n;
        x[k][0] = r * cos(phi);
        x[k][1] = r * sin(phi);
    }
    mesh_add(&t, MATERIAL "bodies:\n  a: {type: ancf_plate, material: m, thickness: 0.02,\n  ");
    mesh_rows(&t, n, 2 * n, (const double(*)[2])x);
    mesh_add(&t, "}\njoints: {c: {type: clamp, between: [ground, a.node(0)]}}\nheat:\n");
    for (int j = 0; j <= 2 * n; j++) {
        mesh_add(&t, "  c%d: {type: temperature, value: 0, on: a.node(%d)}\n", j, j * (n + 1));
        mesh_add(&t, "  w%d: {type: temperature, value: 1, on: a.node(%d)}\n", j, j * (n + 1) + n);
    }
    mesh_add(&t,
             "probes: {th: {at: a.node(%d), quantity: temperature}}\n"
             "analysis: {type: static}\n",
             n * (n + 1) + n / 2);
    verify_text(&v, t.s, NULL);
    verify_static(&v);
    const double T = verify_value(&v, NULL, "th.T");
    verify_close(&v);
    return fabs(T - log(1.5) / log(2));
}

static void conduction_ring(void **state) {
    GOS_UNUSED(state);
    const double e[3] = {ring(2), ring(4), ring(8)};
    verify_below("T in the middle of 8 elements", e[2], 3e-4);
    verify_within("... order", verify_order(e[1], e[2], 2), 1.8, 2.2);
}

/* T_z = alpha_s q/(2 k) (1 - exp(-12 kappa t/h^2)) and T = alpha_s q t/(rho c h), everywhere alike
   (test_plate: gradient), on a quadrilateral whose normal is +Z */
static void even_flux(void **state) {
    GOS_UNUSED(state);
    static const char *const at[] = {"p", "q", "r"};
    verify v;
    verify_text(&v,
                MATERIAL
                "bodies: {a: {type: ancf_plate, material: m, thickness: 0.02, elements: [3, 2],\n"
                "             corners: [[0, 0, 0], [3, 0.5, 0], [2, 2, 0], [0.4, 1, 0]]}}\n"
                "joints: {c: {type: clamp, between: [ground, a.edge.x0]}}\n"
                "heat: {sun: {type: flux, value: 1000, direction: [0, 0, -1], on: a.top}}\n"
                "probes:\n"
                "  p: {at: a.corner(3), quantity: temperature}\n"
                "  q: {at: \"a.node(1,1)\", quantity: temperature}\n"
                "  r: {at: \"a.at(1.4,0.6)\", quantity: temperature}\n"
                "analysis: {end: 5, step: 0.1, newton_tolerance: 1.0e-10}\n",
                "materials.m.expansion=0");
    verify_run(&v);
    for (int i = 0; i < 3; i++) {
        double y[GOS_PROBE_MAX];
        verify_probe(&v, NULL, at[i], y);
        verify_near("T", y[0], 0.8 * 1000 * 5 / (2e5 * 0.02), 1e-11);
        verify_near("T_z", y[1], 0.8 * 1000 / (2 * 0.5) * (1 - exp(-0.075 * 5)), 1e-2);
    }
    verify_close(&v);
}

/* ---- what heat does to the shape ------------------------------------------------------------- */

/* A small uniform T_z bends the supported plate free of moments into w = -alpha T_z (x^2 - 3.5 x +
   y^2 - 1.2 y)/2, T stretches it by alpha T free of forces. */
static void free_bending(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        IRREGULAR SUPPORTS "heat:\n"
                           "  mean: {type: temperature, value: 0.01, on: a, gradients: free}\n"
                           "  warm: {type: flux, value: 0.005, on: a.top}\n"
                           "  cool: {type: flux, value: -0.005, on: a.bottom}\n"
                           "probes:\n"
                           "  th: {at: \"a.at(1.5,0.8)\", quantity: temperature}\n"
                           "  b: {at: \"a.at(1.5,0.8)\", quantity: strain}\n"
                           "  M: {at: \"a.at(1.5,0.8)\", quantity: section_moment}\n"
                           "  N: {at: \"a.at(1.5,0.8)\", quantity: section_force}\n"
                           "  w: {at: a.node(10), quantity: displacement}\n"
                           "analysis: {type: static}\n";
    verify v;
    double M[GOS_PROBE_MAX], N[GOS_PROBE_MAX];
    verify_text(&v, text, NULL);
    verify_static(&v);
    const double k = 1e-4 * 0.01, D = 1e9 * 8e-6 / (12 * 0.91),
                 w = 2.5 * 2.5 - 3.5 * 2.5 + 1.1 * 1.1 - 1.2 * 1.1;
    verify_near("T_z = q/k", verify_value(&v, NULL, "th.T_z"), 0.01, 1e-12);
    verify_near("b11 / alpha T_z", verify_value(&v, NULL, "b.b11") / k, -1, 1e-6);
    verify_near("b22 / alpha T_z", verify_value(&v, NULL, "b.b22") / k, -1, 1e-6);
    verify_near("E11 / alpha T", verify_value(&v, NULL, "b.E11") / k, 1, 1e-6);
    verify_near("E22 / alpha T", verify_value(&v, NULL, "b.E22") / k, 1, 1e-6);
    verify_near("w", verify_value(&v, NULL, "w.z") / (-0.5 * k * w), 1, 1e-5);
    verify_probe(&v, NULL, "M", M);
    verify_probe(&v, NULL, "N", N);
    for (int i = 0; i < 3; i++) {
        verify_below("moment left", M[i] / (D * k), 1e-6);
        verify_below("force left", N[i] / (1e9 * 0.02 * k), 1e-6);
    }
    verify_close(&v);
}

/* ---- motion ---------------------------------------------------------------------------------- */

/* a trapezoid that swings on a corner in the sun (test_plate: swing) */
static const char swing[] =
    "parameters: {end: 0.3}\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: {m: {density: 2000, young: 1.0e8, poisson: 0.3, conductivity: 1, specific_heat: "
    "200,\n"
    "                expansion: 1.0e-3, absorptivity: 0.8, emissivity: 0.6,\n"
    "                damping: {normal: 2.0e-3, shear: 1.0e-3}}}\n"
    "bodies:\n"
    "  plate: {type: ancf_plate, material: m, thickness: 0.01, elements: [6, 4],\n"
    "          corners: [[0, 0, 0], [1, 0.1, 0], [0.8, 0.6, 0], [0, 0.5, 0]]}\n"
    "joints: {pin: {type: spherical, between: [ground, plate.corner(1)]}}\n"
    "heat:\n"
    "  sun: {type: flux, value: 20000, direction: [0, 0.6, -0.8], on: plate}\n"
    "  space: {type: radiation, sink: 3, on: plate}\n"
    "probes: {tip: {at: plate.corner(3)}, th: {at: \"plate.at(0.5,0.3)\", quantity: temperature}}\n"
    "analysis: {end: end, thermoelastic_heat: true, viscous_heating: true, newton_tolerance: "
    "1.0e-5,\n"
    "           step: 1.0e-3}\n"
    "reduction: {method: rotation_closed, fields: modes, number: 60, thermal_fields: 20}\n";

static double imbalance(const char *settings, double *heat) {
    verify v;
    verify_text(&v, swing, settings);
    return verify_imbalance(&v, heat);
}

static void balances(void **state) {
    GOS_UNUSED(state);
    double heat[2];
    const double a = imbalance("analysis.step=2e-3", &heat[0]), b = imbalance(NULL, &heat[1]);
    verify_below("energy balance, step 1 ms", b, 2e-3);
    verify_within("order of the energy balance", verify_order(a, b, 2), 1.7, 2.6);
    verify_below("heat balance", heat[1], 1e-9);
}

/* the reduced model, of fields from modes and of polynomials, against the full one */
static void reduced(void **state) {
    GOS_UNUSED(state);
    static const char *const fields[2] = {"end=0.1", "end=0.1 reduction.fields=polynomials "
                                                     "reduction.number=36 reduction.points=100"};
    for (int k = 0; k < 2; k++) {
        verify v;
        gos_system *small = NULL;
        gos_state *x = NULL;
        gos_integrator *run = NULL;
        double full[2][GOS_PROBE_MAX], less[2][GOS_PROBE_MAX];
        verify_text(&v, swing, fields[k]);
        verify_good(&v, gos_reduce(v.ctx, v.sys, &small));
        verify_run(&v);
        verify_probe(&v, NULL, "tip", full[0]);
        verify_probe(&v, NULL, "th", full[1]);
        verify_good(&v, gos_state_create(v.ctx, small, &x));
        verify_good(&v, gos_integrator_create(v.ctx, small, &v.opt, x, &run));
        while (gos_state_time(x) < v.opt.end) {
            verify_good(&v, gos_integrator_step(run, v.opt.end));
        }
        verify_good(&v, gos_system_probe(v.ctx, small, x, 0, less[0], NULL));
        verify_good(&v, gos_system_probe(v.ctx, small, x, 1, less[1], NULL));
        gos_integrator_destroy(run);
        gos_state_destroy(x);
        gos_system_destroy(small);
        verify_below(k ? "polynomials: tip, of 1 m" : "modes: tip, of 1 m",
                     verify_distance(full[0], less[0]), 2e-3);
        verify_below("T", less[1][0] / full[1][0] - 1, 1e-2);
        verify_below("T_z", less[1][1] / full[1][1] - 1, 2.5e-2);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conduction_patch), cmocka_unit_test(conduction_ring),
        cmocka_unit_test(held_edges),       cmocka_unit_test(even_flux),
        cmocka_unit_test(free_bending),     cmocka_unit_test(balances),
        cmocka_unit_test(reduced),
    };
    return cmocka_run_group_tests_name("quadrilateral plates, heat", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
