/* Motion of orthotropic and laminated thin plates: frequencies and deflections by Navier, a
   floating shell of the same plies, balances of energy and heat, the Newton matrix, reduced
   models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <lapacke.h>

#include "gossamer/gossamer.h"
#include "support/balance.h"
#include "support/lamination.h"
#include "support/newton_matrix.h"
#include "support/suite.h"

#define DEG (M_PI / 180)
#define LX 1.5
#define LY 1.0
#define H 0.01 // of all plies

/* ---- Navier ---------------------------------------------------------------------------------- */

static const fibres stiff = {
    .E1 = 25, .E2 = 1, .nu12 = 0.25, .G12 = 0.5, .k1 = 1, .k2 = 1, .k3 = 1, .rho = 1.6};

typedef enum support { ALONG, ACROSS } support; // displacement that an edge holds in its plane

typedef struct supported {
    const char *name;
    int n;
    double angle[4]; // of equal plies
    support how;
} supported;

/* Amplitudes U, V, W of half waves each way, with u, v that vanish along edges or, ACROSS, across
   them (Jones, ch. 5): strains that go as sin sin and those as cos cos, whose coupling B joins.
   Deflection by a load sin sin, and the lowest squared frequency. */
static void navier(const supported *of, double *w, double *squared) {
    const double a = M_PI / LX, c = M_PI / LY, in = of->how == ALONG ? -1 : 1;
    const double rows[6][3] = {{in * a, 0, 0}, {0, in * c, 0}, {-in * c, -in * a, 0},
                               {0, 0, a * a},  {0, 0, c * c},  {0, 0, -2 * a * c}};
    const int wave[6] = {of->how == ALONG, of->how == ALONG, of->how != ALONG, 1, 1, 0};
    layer plies[4];
    lamination l;
    double C[6][6], K[9] = {0}, M[9] = {0}, x[3] = {0, 0, 1}, L[9], own[3];
    for (int i = 0; i < of->n; i++) {
        plies[i] = (layer){&stiff, H / of->n, of->angle[i]};
    }
    laminate(plies, of->n, 0, &l);
    for (int i = 0; i < 9; i++) {
        C[i / 3][i % 3] = l.A[i / 3][i % 3];
        C[i / 3][3 + i % 3] = C[3 + i % 3][i / 3] = l.B[i / 3][i % 3];
        C[3 + i / 3][3 + i % 3] = l.D[i / 3][i % 3];
    }
    for (int rs = 0; rs < 36; rs++) {
        const int r = rs / 6, s = rs % 6;
        for (int ij = 0; ij < 9 && wave[r] == wave[s]; ij++) {
            K[ij] += rows[r][ij / 3] * C[r][s] * rows[s][ij % 3];
        }
    }
    M[0] = M[4] = M[8] = l.mass[0];
    memcpy(L, K, sizeof L);
    assert_int_equal(LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', 3, 1, L, 3, x, 3), 0);
    *w = x[2];
    assert_int_equal(LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'N', 'L', 3, K, 3, M, 3, own), 0);
    *squared = own[0];
}

/* is component c (of position, slope along x, along y: part 0, 1, 2) held at this node of an
   edge? */
static bool held_at(support how, bool ex, bool ey, int part, int c) {
    const bool side = ex && part != 1, end = ey && part != 2; // what does not change along the edge
    return (c == 2 && (side || end)) || (c == 0 && (how == ALONG ? end : side)) ||
           (c == 1 && (how == ALONG ? side : end));
}

/* the same of n x n elements: coordinates that are not held, K and M of these, inverse iteration
 * from the deflection */
static void elements(const supported *of, int n, double *w, double *squared) {
    char text[2000], plies[200] = "";
    gos_linear *linear = NULL;
    gos_matrix_view view[2];
    verify v;
    for (int i = 0, at = 0; i < of->n; i++) {
        at +=
            snprintf(plies + at, sizeof plies - (size_t)at, "%s%.17g", i ? ", " : "", of->angle[i]);
    }
    (void)snprintf(text, sizeof text,
                   "materials:\n  m: {type: orthotropic, density: 1.6, E1: 25, E2: 1, nu12: 0.25,\n"
                   "    G12: 0.5, G13: 0.5, G23: 0.2}\n"
                   "  panel: {type: laminate, material: m, thickness: %.17g, plies: [%s]}\n"
                   "bodies: {p: {type: ancf_plate, material: panel, corner: [0, 0, 0],\n"
                   "  x: [1.5, 0, 0], y: [0, 1, 0], elements: [%d, %d]}}\n",
                   H / of->n, plies, n, n);
    verify_text(&v, text, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    gos_linear_block(linear, GOS_BLOCK_K, &view[0]);
    gos_linear_block(linear, GOS_BLOCK_M, &view[1]);
    const int all = 9 * (n + 1) * (n + 1);
    int *index = calloc((size_t)all, sizeof *index), left = 0, middle = -1;
    double *x = calloc(2 * (size_t)all, sizeof *x), *f = x + all, before = 0, after = 0;
    assert_true(index && x);
    for (int i = 0; i < all; i++) {
        const int node = i / 9, at = node % (n + 1), up = node / (n + 1), part = i % 9 / 3;
        const double a = M_PI / LX, b = M_PI / LY, px = a * LX * at / n, py = b * LY * up / n;
        const bool free = !held_at(of->how, at == 0 || at == n, up == 0 || up == n, part, i % 3);
        middle = 2 * at == n && 2 * up == n && i % 9 == 2 ? left : middle;
        if (free && i % 3 == 2) { // the load's shape
            x[left] = part == 0   ? sin(px) * sin(py)
                      : part == 1 ? a * cos(px) * sin(py)
                                  : b * sin(px) * cos(py);
        }
        index[i] = free ? left++ : -1;
    }
    double *A = calloc(2 * (size_t)left * (size_t)left, sizeof *A), *B = A + (long)left * left;
    assert_non_null(A);
    for (int k = 0; k < 2; k++) {
        for (int col = 0; col < all; col++) {
            for (int e = view[k].start[col]; e < view[k].start[col + 1]; e++) {
                if (index[col] >= 0 && index[view[k].row[e]] >= 0) {
                    (k ? B : A)[(long)index[col] * left + index[view[k].row[e]]] = view[k].value[e];
                }
            }
        }
    }
    assert_int_equal(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', left, A, left), 0);
    for (int k = 0; k < 12; k++) {
        for (int i = 0; i < left; i++) {
            f[i] = 0;
            for (int j = 0; j < left; j++) {
                f[i] += B[(long)j * left + i] * x[j];
            }
        }
        before = after = 0;
        for (int i = 0; i < left; i++) {
            before += x[i] * f[i];
        }
        memcpy(x, f, (size_t)left * sizeof *x);
        assert_int_equal(LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', left, 1, A, left, x, left), 0);
        for (int i = 0; i < left; i++) {
            after += x[i] * f[i];
        }
        if (k == 0) { // by m sin sin
            *w = x[middle] / (1.6 * H);
        }
        *squared = before / after;
    }
    // before: x^T M x, after: (K^-1 M x)^T M x
    free(index);
    free(x);
    free(A);
    gos_linear_destroy(linear);
    verify_close(&v);
}

static void simply_supported(void **state) {
    GOS_UNUSED(state);
    static const supported plates[] = {{"along x", 1, {0}, ALONG},
                                       {"along y", 1, {90 * DEG}, ALONG},
                                       {"0/90/90/0", 4, {0, 90 * DEG, 90 * DEG, 0}, ALONG},
                                       {"0/90", 2, {0, 90 * DEG}, ALONG},
                                       {"45/-45", 2, {45 * DEG, -45 * DEG}, ACROSS},
                                       {"30/-30", 2, {30 * DEG, -30 * DEG}, ACROSS}};
    for (int i = suite_long() ? 0 : 3; i < GOS_COUNT(plates); i += suite_long() ? 1 : 2) {
        double want[2], is[2][2], off[2];
        navier(&plates[i], &want[0], &want[1]);
        elements(&plates[i], 6, &is[0][0], &is[0][1]);
        elements(&plates[i], 12, &is[1][0], &is[1][1]);
        for (int q = 0; q < 2; q++) { // elements are of second order: without what falls with it
            off[q] = fabs((4 * is[1][q] - is[0][q]) / (3 * want[q]) - 1);
        }
        print_message(
            "    %-10s deflection %.2e, without order 2 %.2e; squared frequency %.2e, %.2e\n",
            plates[i].name, is[1][0] / want[0] - 1, off[0], is[1][1] / want[1] - 1, off[1]);
        for (int q = 0; q < 2; q++) {
            assert_true(fabs(is[1][q] / want[q] - 1) < 1.2e-2 && off[q] < 1e-3);
        }
    }
}

/* ---- a floating shell of the same plies ------------------------------------------------------ */

/* a strip of unlike plies at angles, held at one side: what a small force at a corner of the other
 * and warmth do to both corners */
static void as_a_shell(void **state) {
    GOS_UNUSED(state);
    static const char head[] =
        "parameters: {n: 12}\n"
        "materials:\n  cfrp: {type: orthotropic, density: 1600, E1: 140e9, E2: 9e9, nu12: 0.3,\n"
        "    G12: 5e9, G13: 5e9, G23: 3.2e9, expansion1: -1e-6, expansion2: 3e-5,\n"
        "    conductivity1: 5, conductivity2: 0.6, specific_heat: 900}\n"
        "  panel: {type: laminate, material: cfrp, thickness: 5e-4, plies: [0, deg(35), "
        "deg(90)]}\n";
    static const char *const bodies[2] = {
        "bodies: {p: {type: ancf_plate, material: panel, corner: [0, 0, 0], x: [0.4, 0, 0],\n"
        "  y: [0, 0.2, 0], elements: [2*n, n]}}\n"
        "joints: {hold: {type: clamp, between: [ground, p.edge.x0]}}\n",
        "meshes: {sheet: {type: rectangle, size: [0.4, 0.2], cells: [4*n, 2*n],\n"
        "  sets: {all: {of: nodes, box: {from: [-1, -1, -1], to: [1, 1, 1]}}}}}\n"
        "bodies: {p: {type: floating, mesh: sheet, material: panel, reference: clamped, at: "
        "left}}\n"
        "joints: {hold: {type: clamp, between: [ground, p.frame]}}\n"};
    static const char *const corner[2][2] = {{"p.corner(2)", "p.corner(3)"},
                                             {"p.corner_2", "p.corner_3"}};
    double w[2][2][2];
    for (int warm = 0; warm < 2; warm++) {
        for (int i = 0; i < 2; i++) {
            char text[3000], cause[300];
            verify v;
            (void)snprintf(cause, sizeof cause,
                           "heat: {T: {type: temperature, value: %g, on: %s}}\n"
                           "loads: {f: {type: force, on: %s, value: [0, 0, %g]}}\n",
                           0.1 * warm, i ? "p.all" : "p", corner[i][0], 1e-3 * !warm);
            (void)snprintf(text, sizeof text,
                           "%s%s%sprobes: {a: {at: %s, quantity: displacement},\n"
                           "  b: {at: %s, quantity: displacement}}\n"
                           "analysis: {type: static, newton_tolerance: 1e-8}\n",
                           head, bodies[i], cause, corner[i][0], corner[i][1]);
            verify_text(&v, text, suite_long() ? NULL : "n=6");
            verify_static(&v);
            w[warm][i][0] = verify_value(&v, NULL, "a.z");
            w[warm][i][1] = verify_value(&v, NULL, "b.z");
            verify_close(&v);
        }
    }
    for (int k = 0; k < 4; k++) {
        verify_near(k / 2 ? "warm" : "force", w[k / 2][0][k % 2], w[k / 2][1][k % 2],
                    (suite_long() ? 2e-3 : 8e-3) * fabs(w[k / 2][1][k % 2])); // of second order
    }
    // the plies at 35 degrees twist it
    assert_true(fabs(w[0][1][0] / w[0][1][1] - 1) > 0.4 &&
                fabs(w[1][1][0] / w[1][1][1] - 1) > 0.02);
}

/* ---- motion ---------------------------------------------------------------------------------- */

/* a plate of unlike plies at angles, whose surface is the middle of their mass, that swings on a
 * corner in the sun */
static const char swing[] =
    "parameters: {end: 0.3}\n"
    "gravity: [0, 0, -9.81]\n"
    "materials:\n"
    "  a: {type: orthotropic, density: 2000, E1: 3.0e8, E2: 5e7, nu12: 0.3, G12: 3e7, G13: 3e7,\n"
    "    G23: 2e7, conductivity1: 3, conductivity2: 0.5, specific_heat: 200, expansion1: 2e-4,\n"
    "    expansion2: 2.0e-3, damping: {normal: 2.0e-3, shear: 1.0e-3}}\n"
    "  b: {density: 1500, young: 6.0e7, poisson: 0.3, conductivity: 0.3, specific_heat: 300,\n"
    "    expansion: 1.0e-3, damping: {normal: 1.0e-3, shear: 1.0e-3}}\n"
    "  panel: {type: laminate, absorptivity: 0.8, emissivity: 0.6, offset: 1e-3/3,\n"
    "    plies: [{material: a, angle: deg(20), thickness: 0.004},\n"
    "    {material: a, angle: deg(-65), thickness: 0.002}, {material: b, thickness: 0.004}]}\n"
    "bodies:\n"
    "  plate: {type: ancf_plate, material: panel, corner: [0, 0, 0], x: [1, 0, 0],\n"
    "          y: [0, 0.6, 0], elements: [6, 4]}\n"
    "joints: {pin: {type: spherical, between: [ground, plate.corner(1)]}}\n"
    "heat:\n"
    "  sun: {type: flux, value: 20000, direction: [0, 0.6, -0.8], on: plate}\n"
    "  space: {type: radiation, sink: 3, on: plate}\n"
    "probes: {tip: {at: plate.corner(3)}, th: {at: \"plate.at(0.5,0.3)\", quantity: temperature}}\n"
    "analysis: {end: end, thermoelastic_heat: true, viscous_heating: true, newton_tolerance: "
    "1.0e-5,\n"
    "           step: 1.0e-3}\n"
    "reduction: {method: rotation_closed, fields: modes, number: 60, thermal_fields: 35}\n";

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

#define STILL                                                                                      \
    "materials.a.damping.normal=0 materials.a.damping.shear=0 materials.b.damping.normal=0 "       \
    "materials.b.damping.shear=0 bodies.plate.temperature=off "

/* plies of one stiffness and unlike masses: m = 2 kg/m^2 whose middle is at z = 1.25e-4 */
#define LOPSIDED                                                                                   \
    "parameters: {nx: 10, g: 0}\nmaterials: {light: {density: 1000, young: 7e8, poisson: 0},\n"    \
    "  heavy: {density: 3000, young: 7e8, poisson: 0},\n"                                          \
    "  panel: {type: laminate, thickness: 5e-4, plies: [{material: light}, {material: heavy}]}}\n" \
    "gravity: [g, 0, 0]\n"                                                                         \
    "bodies: {p: {type: ancf_plate, material: panel, corner: [0, 0, 0], x: [0.2, 0, 0],\n"         \
    "  y: [0, 0.06, 0], elements: [nx, 2]}}\n"

/* weight along a strip bends it by its arm: w = -m g z l^3 / (3 D), of second order
 * (test_plate_layers) */
static void lopsided_weight(void **state) {
    GOS_UNUSED(state);
    const double want = -2 * 1e-3 * 1.25e-4 * pow(0.2, 3) / (3 * 7e8 * 1e-9 / 12);
    double w[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v,
                    LOPSIDED "joints: {hold: {type: clamp, between: [ground, p.edge.x0]}}\n"
                             "probes: {tip: {at: \"p.at(0.2,0.03)\", quantity: displacement}}\n"
                             "analysis: {type: static, newton_tolerance: 1e-8}\n",
                    i ? "g=1e-3 nx=20" : "g=1e-3 nx=10");
        verify_static(&v);
        w[i] = verify_value(&v, NULL, "tip.z");
        verify_close(&v);
    }
    // the weight stiffens it by about m g l^3 / (D (pi/2)^2) = 1e-4 of it
    verify_near("weight", (4 * w[1] - w[0]) / 3, want, 1e-4 * fabs(want));
    verify v;
    gos_system *small = NULL;
    verify_text(&v,
                LOPSIDED "reduction: {method: rotation_closed, fields: polynomials, number: 6, "
                         "points: 36}\nanalysis: {end: 1}\n",
                NULL);
    assert_int_equal(gos_reduce(v.ctx, v.sys, &small), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "give the laminate `offset: -0.000125`"));
    verify_close(&v);
}

/* energy of a rigid turn about a corner, w^T J w / 2 with all of the plies' inertia, and of a free
 * fall with it; energy stays */
static void lopsided_motion(void **state) {
    GOS_UNUSED(state);
    static const double w[3] = {3, -5, 2};
    const double m = 2, z = 1.25e-4, a = 0.2, b = 0.06, A = a * b,
                 zz = (1000 + 3000) * 1.25e-10 / 3 / m; // int rho z^2 / m
    const double xx = a * a / 3, yy = b * b / 3, xy = a * b / 4;
    const double want = m * A / 2 *
                        (w[1] * w[1] * zz - 2 * w[1] * w[2] * z * b / 2 + w[2] * w[2] * yy +
                         w[2] * w[2] * xx - 2 * w[2] * w[0] * z * a / 2 + w[0] * w[0] * zz +
                         w[0] * w[0] * yy - 2 * w[0] * w[1] * xy + w[1] * w[1] * xx);
    double y[GOS_PROBE_MAX], off[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v,
                    LOPSIDED "initial: {p: {angular_velocity: [3, -5, 2], about: [0, 0, 0]}}\n"
                             "probes: {E: {quantity: energy}}\n"
                             "analysis: {end: 0.02, step: 1e-3, newton_tolerance: 1e-8}\n",
                    i ? "nx=4 g=2 analysis.step=5e-4" : "nx=4 g=2");
        verify_start(&v);
        verify_probe(&v, NULL, "E", y);
        verify_near("kinetic energy", verify_value(&v, NULL, "E.kinetic"), want, 1e-10 * want);
        verify_close(&v);
        verify_text(&v,
                    LOPSIDED "initial: {p: {angular_velocity: [3, -5, 2], about: [0, 0, 0]}}\n"
                             "analysis: {end: 0.02, step: 1e-3, newton_tolerance: 1e-8}\n",
                    i ? "nx=4 g=2 analysis.step=5e-4" : "nx=4 g=2");
        off[i] = verify_imbalance(&v, NULL);
    }
    verify_below("energy", off[1], 1e-5);
    verify_within("order", verify_order(off[0], off[1], 2), 1.5, 3);
}

/* without damping and heat nothing is lost or won */
static void conserves(void **state) {
    GOS_UNUSED(state);
    double off[2];
    char text[3000];
    (void)snprintf(text, sizeof text, "%s", swing);
    (void)snprintf(strstr(text, "heat:\n  sun"), 500, "%s",
                   "analysis: {end: end, newton_tolerance: 1.0e-5, step: 1.0e-3}\n");
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v, text, i ? STILL "analysis.step=5e-4" : STILL "analysis.step=1e-3");
        off[i] = verify_imbalance(&v, NULL);
    }
    verify_below("energy", off[1], 1e-3);
    verify_within("order", verify_order(off[0], off[1], 2), 1.7, 2.6);
}

static void newton_matrix(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, swing, "bodies.plate.elements=[2,1]");
    check_newton_matrix(v.sys, "plies", 3, true);
    verify_close(&v);
}

/* reduced models on mesh modes and on polynomials follow the full one */
static void reduced(void **state) {
    GOS_UNUSED(state);
    const char *const ways[2] = {suite_long() ? NULL : "end=0.1",
                                 suite_long()
                                     ? "reduction.fields=polynomials reduction.points=144 end=0.15"
                                     : "reduction.fields=polynomials reduction.points=144 end=0.1"};
    for (int i = 0; i < 2; i++) {
        verify v;
        gos_system *small = NULL;
        double full[2][GOS_PROBE_MAX], less[2][GOS_PROBE_MAX];
        verify_text(&v, swing, ways[i]);
        verify_good(&v, gos_reduce(v.ctx, v.sys, &small));
        verify_run(&v);
        verify_probe(&v, NULL, "tip", full[0]);
        verify_probe(&v, NULL, "th", full[1]);
        gos_state *x = NULL;
        gos_integrator *run = NULL;
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
        verify_below("tip, of 1.17 m", verify_distance(full[0], less[0]) / 1.17, 2e-3);
        // of polynomials strains, and with them the heat of deformation, converge slower still
        verify_below("T", fabs(less[1][0] / full[1][0] - 1), i ? 2.5e-2 : 1e-2);
        verify_below("T_z", fabs(less[1][1] / full[1][1] - 1), 2.5e-2);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simply_supported), cmocka_unit_test(as_a_shell),
        cmocka_unit_test(balances),         cmocka_unit_test(conserves),
        cmocka_unit_test(lopsided_weight),  cmocka_unit_test(lopsided_motion),
        cmocka_unit_test(newton_matrix),    cmocka_unit_test(reduced),
    };
    return cmocka_run_group_tests_name("motion of plates of plies", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
