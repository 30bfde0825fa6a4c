/* Floating bodies of meshes with `coupling: first`: what stress does to their stiffness. Heated
   strips that buckle, bodies that are free to expand, rotation, heat inside a body, and the Newton
   matrix of all of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/modes.h"
#include "support/newton_matrix.h"
#include "support/suite.h"
#include "system/constants.h"
#include "system/derived.h"

#define L 1.0
#define H 0.02
#define ALPHA 2e-5

/* ---- heated strips --------------------------------------------------------------------------- */

#define ALLOY                                                                                      \
    "materials: {alloy: {density: 2700, young: 7e10, poisson: 0, expansion: 2e-5,\n"               \
    "  conductivity: 200, specific_heat: 900}}\n"

/* Ends that do not move, in the middle of their faces, the frame stands on them; or faces that do
   not turn either. Without `end` the strip is free to expand. */
static const char pinned[] = ALLOY
    "meshes: {strip: %s}\n"
    "bodies: {strip: {type: floating, mesh: strip, material: alloy, element: %s, thickness: %g,\n"
    "  coupling: first, reference: chord, at: left, chord_end: right, reduce: {method: "
    "response_modes, order: 1, modes: 12}}}\n"
    "joints:\n"
    "  frame: {type: clamp, between: [ground, strip.frame]}\n"
    "%s"
    "heat: {T: {type: temperature, value: '%s', on: strip.node(1)}}\n"
    "redundant: drop\n"
    "floating_bodies: %s\n";
static const char clamped[] = ALLOY
    "meshes: {strip: %s}\n"
    "bodies: {strip: {type: floating, mesh: strip, material: alloy, element: %s, thickness: %g,\n"
    "  coupling: first, reference: clamped, at: left, reduce: {method: response_modes, order: 1, "
    "modes: 12}}}\n"
    "joints:\n"
    "  frame: {type: clamp, between: [ground, strip.frame]}\n"
    "%s"
    "heat: {T: {type: temperature, value: '%s', on: strip.node(1)}}\n"
    "redundant: drop\n"
    "floating_bodies: %s\n";
static const char pin[] = "  end: {type: spherical, between: [ground, strip.right]}\n";
static const char nodes[] = "  end_1: {type: clamp, between: [ground, strip.corner_2]}\n"
                            "  end_2: {type: clamp, between: [ground, strip.corner_3]}\n";
static const char clamp[] = "  end: {type: clamp, between: [ground, strip.right]}\n";

/* Squares of the lowest frequency of the body at rest at n temperatures: T follows the time, and
   one system has all of them. */
static void squares(const char *text, int n, const double *T, double *square) {
    fixture f = read_model(text, NULL, NULL);
    for (int i = 0; i < n; i++) {
        gos_mode mode[1];
        f.state->t = T[i];
        to_equilibrium(&f);
        linearise(&f);
        get_modes(&f, 1, false, mode);
        square[i] = mode[0].omega * mode[0].omega;
        gos_linear_destroy(f.linear);
        f.linear = NULL;
    }
    done(&f);
}

static const struct strip {
    const char *mesh, *element;
    double thickness;
} strip[] = {
    {"{type: rectangle, size: [1, 0.02], corner: [0, -0.01, 0], cells: [20, 2], order: quadratic}",
     "plane_stress", 0.03},
    {"{type: rectangle, size: [1, 0.02], corner: [0, -0.01, 0], cells: [40, 1]}",
     "plane_stress_incompatible", 0.03},
    {"{type: box, size: [1, 0.02, 0.03], corner: [0, -0.01, -0.015], cells: [%d, 1, 1]}",
     "solid_incompatible", 0},
    {"{type: rectangle, size: [1, 0.03], corner: [0, -0.015, 0], cells: [%d, 1]}", "shell", H},
};

/* theta_cr = pi^2 I / (A alpha l^2), four times that when clamped, but for shear: some (pi H /
   L)^2, 4e-3 when clamped. Squares fall linearly, where the mode stays the same. */
static void strips(void **state) {
    static const char *const how[] = {"whole", "reduced"};
    GOS_UNUSED(state);
    for (int i = 0; i < 4 * GOS_COUNT(strip); i++) {
        const struct strip *s = &strip[i / 4];
        const bool held = i & 1;
        char text[2000], mesh[200];
        if (i / 2 % 2 == 0 && strncmp(s->element, "solid", 5) == 0) {
            continue; // see too_large
        }
        if (i / 2 % 2 == 1 && strcmp(s->element, "shell") == 0) {
            continue; // one temperature vector, and a node of a shell requires two
        }
        if (!suite_long() && i / 4 < 2 && i / 4 == i / 2 % 2) {
            continue; // of the sheets the one reduced, the other whole
        }
        if (held && strncmp(s->element, "plane", 5) == 0) {
            continue; // it has no rotation of its ends out of the plane
        }
        snprintf(mesh, sizeof mesh, s->mesh, suite_long() ? 40 : 32);
        snprintf(text, sizeof text, held ? clamped : pinned, mesh, s->element, s->thickness,
                 !held                              ? pin
                 : strcmp(s->element, "shell") == 0 ? nodes
                                                    : clamp,
                 "t", how[i / 2 % 2]);
        print_message("%s, %s, %s\n", s->element, held ? "clamped" : "pinned", how[i / 2 % 2]);
        const double cr = (held ? 4 : 1) * M_PI * M_PI * H * H / (12 * ALPHA * L * L);
        double y[4]; // cold, half way, near, nearer
        squares(text, 4, (const double[]){0, cr / 2, 0.95 * cr, 0.99 * cr}, y);
        verify_below("half way to buckling", fabs(y[1] / y[0] - 0.5), held ? 2e-2 : 5e-4);
        verify_below("temperature of buckling", fabs(0.99 + 0.04 * y[3] / (y[2] - y[3]) - 1),
                     held ? 5e-3 : 1e-3);
        snprintf(text, sizeof text, held ? clamped : pinned, mesh, s->element, s->thickness, "",
                 "t", how[i / 2 % 2]);
        squares(text, 2, (const double[]){0, cr}, y);
        verify_below("free to expand", fabs(y[1] / y[0] - 1),
                     held ? 1e-3 : 1e-7); // the clamped face holds its own expansion
    }
}

/* ---- the body's own thermal stress ----------------------------------------------------------- */

/* A long thin bar, heated all through and cooled at its edges, free: the temperature T (1 -
   (y/c)^2) leaves the stress -E alpha (temperature less its mean), whose moment int stress y^2 dA =
   8/45 E alpha T t c^3 adds to the stiffness against twisting, G (2 c) t^3 / 3 (Wagner): the
   squared frequency of twisting is 1 + 8/15 alpha T (1 + nu) (c/t)^2 times that of the cold one, in
   the middle of the bar. Cooled all through it buckles. The ends are free of stress along some 2
   c. */
#define WIDTH 0.04
#define THIN 0.002

static const char twisted[] =
    "parameters: {T: 0}\n" ALLOY
    "meshes: {bar: {type: box, size: [1, 0.04, 0.002], corner: [-0.5, -0.02, -0.001],\n"
    "  cells: [20, 8, 1]}}\n"
    "bodies: {bar: {type: floating, mesh: bar, material: alloy, element: solid_incompatible,\n"
    "  coupling: first, reduce: {method: response_modes, order: 1, modes: 10, static: [all]}}}\n"
    "joints: {frame: {type: clamp, between: [ground, bar.frame]}}\n"
    "heat:\n"
    "  all: {type: source, value: 'T*2*200/0.02^2', on: bar}\n"
    "  front: {type: convection, coefficient: 1e7, on: bar.front}\n"
    "  back: {type: convection, coefficient: 1e7, on: bar.back}\n"
    "probes: {T: {at: bar.node(95), quantity: temperature}}\n"
    "floating_bodies: reduced\n";

enum { TWISTED = 8 };

static void twisted_modes(double T, double *squares) {
    fixture f = read_model(twisted, NAMES("T"), VALUES(T));
    gos_mode mode[TWISTED];
    to_equilibrium(&f);
    linearise(&f);
    get_modes(&f, TWISTED, false, mode);
    for (int i = 0; i < TWISTED; i++) {
        squares[i] = mode[i].omega * mode[i].omega;
    }
    done(&f);
}

static void own_stress(void **state) {
    GOS_UNUSED(state);
    double cold[TWISTED], warm[TWISTED];
    twisted_modes(1e-6, cold); // a load of 0 would be switched off
    twisted_modes(100, warm);
    const double want = 8 * ALPHA * 100 / 15 * pow(WIDTH / 2 / THIN, 2);
    int twisting = 0;
    for (int i = 0; i < TWISTED; i++) {
        twisting =
            fabs(warm[i] / cold[i] - 1) > fabs(warm[twisting] / cold[twisting] - 1) ? i : twisting;
    }
    print_message("mode %d, %.5g rad/s\n", twisting, sqrt(cold[twisting]));
    verify_near("share of the stress", warm[twisting] / cold[twisting] - 1, want, 0.02 * want);
    // the resultant of the stress is nothing: bending is as it was
    verify_below("bending", fabs(warm[0] / cold[0] - 1), 1e-6);
}

static int warnings(const gos_ctx *ctx, const char *with) {
    int n = 0;
    for (int i = 0; i < gos_ctx_ndiag(ctx); i++) {
        n += strstr(gos_ctx_diag(ctx, i)->text, with) != NULL;
    }
    return n;
}

/* At -T with 8/15 alpha T (c/t)^2 = 1, 937 K, the bar twists by itself: a run that comes near says
 * that it has no bound. */
static void warned(void **state) {
    GOS_UNUSED(state);
    static const double T[] = {-500, -900};
    for (int i = 0; i < 2; i++) {
        verify v;
        char set[100];
        snprintf(set, sizeof set, "T=%g analysis.type=static", T[i]);
        verify_text(&v, twisted, set);
        verify_good(&v, gos_run_into(v.ctx, v.sys, &v.opt, NULL, &(gos_sink){0}, NULL, NULL));
        assert_int_equal(warnings(v.ctx, "thermal stress reduces"), T[i] < -750);
        verify_close(&v);
    }
}

/* Pinned and warmer than where it buckles, the ends' distance is that of the stretch less what
   bending shortens it by: a sine of the height 2 sqrt(I / A) sqrt(theta / theta_cr - 1). */
static void buckled(void **state) {
    GOS_UNUSED(state);
    static const char more[] = "loads: {side: {type: force, on: strip.mid, value: [0, 1e-3, 0]}}\n"
                               "probes: {u: {at: strip.mid, quantity: displacement}}\n"
                               "analysis: {type: static}\n";
    static const char mesh[] = "{type: rectangle, size: [1, 0.02], corner: [0, -0.01, 0], cells: "
                               "[24, 1],\n"
                               "  sets: {mid: {of: nodes, near: [0.5, 0.01, 0]}}}";
    char text[3000], T[40];
    verify v;
    snprintf(T, sizeof T, "%.10g", 1.3 * M_PI * M_PI * H * H / (12 * ALPHA * L * L));
    const int n = snprintf(text, sizeof text, pinned, mesh, "plane_stress_incompatible", 0.03, pin,
                           T, "whole");
    snprintf(text + n, sizeof text - (size_t)n, "%s", more);
    verify_text(&v, text, NULL);
    verify_static(&v);
    const double want = 2 * H / sqrt(12) * sqrt(0.3);
    verify_near("deflection", verify_value(&v, v.state, "u.y"), want, 1e-2 * want);
    verify_close(&v);
}

/* ---- rotation -------------------------------------------------------------------------------- */

/* A square bar of solids on a hub that turns, E I and rho A L^4 are 1: across the
   plane 3.6816, 4.1373, 7.3604 rad/s at 1, 2, 6 rad/s (Wright and others, J. Appl. Mech. 49, 1982),
   in the plane their squares less that of the rate. */
static const char blade[] =
    "parameters: {Omega: 0}\n"
    "materials: {unit: {density: 1e4, young: 1.2e9, poisson: 0}}\n"
    "meshes: {bar: {type: box, size: [1, 0.01, 0.01], corner: [0, -0.005, -0.005],\n"
    "  cells: [40, 1, 1]}}\n"
    "bodies: {bar: {type: floating, mesh: bar, material: unit, element: solid_incompatible,\n"
    "  coupling: first, reference: clamped, at: left, angular_velocity: [0, 0, Omega],\n"
    "  reduce: {method: modes, order: 10, static: [centrifugal.zz]}}}\n"
    "joints:\n"
    "  drive: {type: driven_rotation, between: [ground, bar.frame], axis: [0, 0, 1],\n"
    "    angle: 'Omega*t'}\n"
    "  axle: {type: revolute, between: [ground, bar.frame], axis: [0, 0, 1]}\n"
    "floating_bodies: reduced\n";

static void rotation(void **state) {
    GOS_UNUSED(state);
    static const double rate[] = {1, 2, 6}, wright[] = {3.6816, 4.1373, 7.3604};
    for (int i = 0; i < 3; i++) {
        const double Omega = rate[i], spin[3] = {0, 0, Omega}, pivot[3] = {0};
        fixture f = read_model(blade, NAMES("Omega"), VALUES(Omega));
        gos_mode mode[2];
        gos_options o;
        gos_options_get(f.sys, &o);
        o.analysis = GOS_STATIC;
        o.end = 0;
        o.spin_z = Omega;
        need(f.ctx, gos_solve_static(f.ctx, f.sys, &o, f.state, NULL));
        need(f.ctx, gos_linearise_rotating(f.ctx, f.sys, f.state, spin, pivot, &f.linear));
        int found;
        need(f.ctx, gos_linear_modes(f.ctx, f.linear, 2, true, mode, &found));
        assert_int_equal(found, 2);
        const double lag = sqrt(wright[i] * wright[i] - Omega * Omega);
        verify_near("in the plane", mode[0].omega, lag, 1e-3 * lag);
        verify_near("across", mode[1].omega, wright[i], 1e-3 * wright[i]);
        done(&f);
    }
}

/* ---- the Newton matrix ----------------------------------------------------------------------- */

static const char sheet[] =
    "gravity: [0.3, -9.81, 1]\n"
    "materials: {soft: {density: 2767, young: 3e3, poisson: 0.3, expansion: 1e-2,\n"
    "  conductivity: 200, specific_heat: 9}}\n"
    "meshes: {sheet: {type: rectangle, size: [0.6, 0.4], cells: [2, 2]}}\n"
    "bodies: {sheet: {type: floating, mesh: sheet, material: soft, element: plane_stress,\n"
    "  thickness: 0.01, coupling: first}}\n"
    "joints: {pin: {type: spherical, between: [ground, sheet.left]}}\n"
    "loads: {pull: {type: force, on: sheet.right, value: [3, 1, 2]}}\n"
    "heat: {air: {type: convection, coefficient: 10, on: sheet.right}}\n"
    "analysis: {end: 1, thermoelastic_heat: true}\n";

static void newton_matrix(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, sheet, NULL);
    assert_non_null(v.sys->constants->heated);
    print_message("%d coordinates, %d derived vectors\n", v.sys->nq, v.sys->derived->n);
    check_newton_matrix(v.sys, "sheet", 3, true);
    verify_close(&v);
}

/* What temperatures do to the forces, at one state of motion: their power is what is reported as
   work. */
static void power(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, sheet, NULL);
    const gos_system *s = v.sys;
    gos_work *w = NULL;
    uint64_t seed = 4;
    random_at x;
    gos_sums sums[2];
    double *r = calloc(2 * (size_t)s->n, sizeof *r), by_force = 0;
    random_state(s, &seed, 3, &x);
    assert_int_equal(gos__work_create(s->ctx, s, &w), GOS_OK);
    for (int k = 0; k < 2; k++) {
        residual(w, &x, r + (size_t)(k * s->n), &sums[k]);
        memset(x.th, 0, (size_t)s->nt * sizeof *x.th);
    }
    for (int i = 0; i < s->nq; i++) {
        by_force += (r[i] - r[s->n + i]) * x.v[i];
    }
    verify_near("power [W]", -by_force, sums[0].work - sums[1].work, 1e-12 * fabs(by_force));
    assert_true(fabs(sums[0].strain - sums[1].strain) <= 1e-12 * fabs(sums[0].strain));
    gos__work_destroy(s->ctx, w);
    free(r);
    free(x.block);
    verify_close(&v);
}

/* The limit is reached after seconds of work. */
static void too_large(void **state) {
    GOS_UNUSED(state);
    if (!suite_long()) {
        skip();
    }
    char text[2000];
    gos_ctx *ctx = gos_ctx_create();
    gos_model *model = NULL;
    gos_system *sys = NULL;
    snprintf(text, sizeof text, pinned,
             "{type: box, size: [1, 0.02, 0.03], cells: [20, 2, 1], order: quadratic}", "solid", 0.,
             pin, "0", "whole");
    assert_int_equal(gos_model_parse(ctx, text, strlen(text), "test", NULL, &model), GOS_OK);
    assert_int_equal(gos_system_create(ctx, model, &sys), GOS_E_LIMIT);
    assert_non_null(strstr(gos_ctx_message(ctx), "reduce it"));
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newton_matrix), cmocka_unit_test(power),  cmocka_unit_test(rotation),
        cmocka_unit_test(own_stress),    cmocka_unit_test(warned), cmocka_unit_test(buckled),
        cmocka_unit_test(too_large),     cmocka_unit_test(strips)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
