/* Error of a mesh in strains and moments, estimated by recovery from superconvergent points
   (stress_patch.c), against the error itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "probes/probe.h"
#include "support/suite.h"
#include "support/verify.h"

static double estimate(const verify *v, const char *probe, double *largest) {
    double error;
    *largest = gos__stress_patch_error(v->state, v->sys->probe[verify_find(v, probe)], &error);
    return error;
}

/* notes on the probe's mesh during a static run */
static bool noted(const verify *v, const char *probe) {
    char object[80];
    (void)snprintf(object, sizeof object, "probe '%s'", probe);
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        const gos_diag *d = gos_ctx_diag(v->ctx, i);
        if (d->object && strcmp(d->object, object) == 0 && strstr(d->text, "error of the mesh")) {
            return true;
        }
    }
    return false;
}

/* ---- clamped plate under its weight ---------------------------------------------------------- */

/* L: length unit in m, axes by permutation */
static const char plate[] =
    "materials: {m: {density: 7800*M/L^3, young: 2e11*M/L, poisson: 0.3}}\n"
    "bodies:\n"
    "  p: {type: ancf_plate, material: m, thickness: 0.01*L, corner: [0, 0, 0], x: [X],\n"
    "      y: [Y], elements: [n, n]}\n"
    "joints:\n"
    "  a: {type: clamp, between: [ground, p.edge.x0], rigid: true}\n"
    "  b: {type: clamp, between: [ground, p.edge.x1], rigid: true}\n"
    "  c: {type: clamp, between: [ground, p.edge.y0], rigid: true}\n"
    "  d: {type: clamp, between: [ground, p.edge.y1], rigid: true}\n"
    "gravity: [G]\n"
    "probes:\n"
    "  mid: {at: \"p.node(n/2,n/2)\", quantity: section_moment}\n"
    "  edge: {at: \"p.node(0,n/2)\", quantity: section_moment}\n"
    "analysis: {type: static}\n";

typedef struct axes {
    const char *x, *y, *g;
} axes;

static void open_plate(verify *v, const axes *to, int n, double L, double M) {
    char text[2000], node[2][24], settings[120], *at = text;
    (void)snprintf(node[0], sizeof node[0], "%d,%d", n / 2, n / 2);
    (void)snprintf(node[1], sizeof node[1], "0,%d", n / 2);
    for (const char *c = plate; *c;) {
        const char *with = *c == 'X' ? to->x : *c == 'Y' ? to->y : *c == 'G' ? to->g : NULL;
        with = strncmp(c, "n/2,n/2", 7) == 0 ? node[0]
               : strncmp(c, "0,n/2", 5) == 0 ? node[1]
                                             : with;
        at += with ? sprintf(at, "%s", with) : 1;
        if (!with) {
            at[-1] = *c;
        }
        c += with == node[0] ? 7 : with == node[1] ? 5 : 1;
    }
    *at = '\0';
    (void)snprintf(settings, sizeof settings, "n=%d L=%g M=%g", n, L, M);
    char whole[2200];
    (void)snprintf(whole, sizeof whole, "parameters: {n: 4, L: 1, M: 1}\n%s", text);
    verify_text(v, whole, settings);
    verify_static(v);
}

/* Timoshenko: 0.0229 q a^2 in the middle and -0.0513 q a^2 at the edges of a thin square plate. */
static void clamped(void **state) {
    GOS_UNUSED(state);
    static const axes way[] = {{"L, 0, 0", "0, L, 0", "0, 0, -1e-3*L"},
                               {"0, 0.6*L, 0.8*L", "L, 0, 0", "0, -0.8e-3*L, 0.6e-3*L"}};
    for (int i = 0; i < 6; i++) {
        const double L = i % 2 ? 1e3 : 1, M = i % 2 ? 1e-3 : 1, q = 7800 * 0.01 * 1e-3 * M / L * L;
        const int n = i < 4 ? 4 : 16;
        verify v;
        double most, y[GOS_PROBE_MAX];
        open_plate(&v, &way[i / 2 % 2], n, L, M);
        const double unit = q * L; // moment per length of a unit pressure on the unit square
        verify_probe(&v, NULL, "mid", y);
        const double mid = fabs(fabs(y[0]) / unit - 0.0229);
        const double mid_told = estimate(&v, "mid", &most) / unit;
        verify_probe(&v, NULL, "edge", y);
        const double edge = fabs(fabs(y[0]) / unit - 0.0513);
        const double edge_told = estimate(&v, "edge", &most) / unit;
        print_message("  %d elements: %.3g (estimated %.3g), %.3g (%.3g)\n", n, mid, mid_told, edge,
                      edge_told);
        if (n == 4) {
            verify_within("middle, estimated over true", mid_told / mid, 0.5, 2);
            verify_within("edge, estimated over true", edge_told / edge, 0.33, 3);
        } else {
            verify_below("middle, estimated", mid_told, 0.05 * 0.0229);
            verify_below("edge, estimated", edge_told, 0.05 * 0.0513);
        }
        verify_close(&v);
    }
}

/* ---- solids ---------------------------------------------------------------------------------- */

static const char bar[] =
    "parameters: {n: 4}\n"
    "materials: {m: {density: 7800, young: 2e11, poisson: 0}}\n"
    "meshes: {m: {type: box, size: [1, 0.1, 0.1], cells: [n, 2, 2], order: quadratic}}\n"
    "bodies: {p: {type: solid, material: m, mesh: m}}\n"
    "joints: {a: {type: clamp, between: [ground, p.left]}}\n"
    "gravity: [0, 0, -1e-3]\n"
    "probes: {mid: {at: \"p.at(0.5,0.05,0.1)\", quantity: stress}}\n"
    "analysis: {type: static}\n";

/* At the upper face the shear stress is 0; its value there is the error, h^2 the order. */
static void bent_bar(void **state) {
    GOS_UNUSED(state);
    for (int n = 4; n <= 8; n *= 2) {
        char settings[40];
        verify v;
        double most, y[GOS_PROBE_MAX];
        (void)snprintf(settings, sizeof settings, "n=%d", n);
        verify_text(&v, bar, settings);
        verify_static(&v);
        verify_probe(&v, NULL, "mid", y);
        const double error = fabs(y[5]), told = estimate(&v, "mid", &most);
        print_message("  %d elements: shear %.3g Pa at the face, estimated %.3g of %.3g\n", n,
                      error, told, most);
        verify_within("estimated over true", told / error, 0.5, 2);
        verify_close(&v);
    }
}

/* A uniform strain is recovered to rounding, by any patch: at corners, edges, inside. */
static void uniform(void **state) {
    GOS_UNUSED(state);
    static const char *const order[] = {"linear", "quadratic"};
    static const char *const at[] = {"1,0,0", "1,0.05,0.1", "0.83,0.02,0.07", "0.8,0.1,0"};
    for (int i = 0; i < 2 * GOS_COUNT(at); i++) {
        char text[1000];
        (void)snprintf(
            text, sizeof text,
            "materials: {m: {density: 7800, young: 2e11, poisson: 0}}\n"
            "meshes: {m: {type: box, size: [1, 0.1, 0.1], cells: [4, 2, 2], order: %s, bias: [3, "
            "1, 2]}}\n"
            "bodies: {p: {type: solid, material: m, mesh: m}}\n"
            "joints: {a: {type: clamp, between: [ground, p.left]}}\n"
            "loads: {f: {type: force, on: p.right, value: [2e5, 0, 0]}}\n"
            "probes: {s: {at: \"p.at(%s)\", quantity: strain}}\n"
            "analysis: {type: static}\n",
            order[i % 2], at[i / 2]);
        verify v;
        double most;
        verify_text(&v, text, NULL);
        verify_static(&v);
        const double told = estimate(&v, "s", &most);
        verify_near_rel("strain", most, 1e-4, 1e-3);
        verify_below("estimated error over the strain", told / most, 1e-8);
        verify_close(&v);
    }
}

/* ---- the run says so ------------------------------------------------------------------------- */

static void in_a_run(void **state) {
    GOS_UNUSED(state);
    static const axes way = {"L, 0, 0", "0, L, 0", "0, 0, -1e-3*L"};
    for (int n = 4; n <= 16; n *= 4) {
        verify v;
        gos_sink sink = {0};
        open_plate(&v, &way, n, 1, 1);
        verify_good(&v, gos_run_into(v.ctx, v.sys, &v.opt, NULL, &sink, NULL, NULL));
        assert_int_equal(noted(&v, "mid"), n == 4);
        assert_int_equal(noted(&v, "edge"), n == 4);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(clamped), cmocka_unit_test(bent_bar),
                                       cmocka_unit_test(uniform), cmocka_unit_test(in_a_run)};
    return cmocka_run_group_tests_name("stress patches", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
