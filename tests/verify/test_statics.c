/* Static equilibrium of the cable against closed forms (theory guide 5.2, 6.3): roll-up to a
   circle, the elastica, and what full and reduced quadrature make of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/gauss.h"
#include "support/suite.h"
#include "support/turn_model.h"

/* ---- the elastica, theory guide 5.2, from its elliptic integrals ----------------------------- */

/* int_a^pi/2 of (1 - p^2 sin^2)^(-1/2) and (1 - p^2 sin^2)^(1/2): K - F and E - E(a) */
static void elliptic(double p, double a, double *first, double *second) {
    double x[64], w[64];
    gos__gauss(64, x, w);
    *first = *second = 0;
    for (int panel = 0; panel < 32; panel++) {
        const double width = (0.5 * M_PI - a) / 32;
        for (int i = 0; i < 64; i++) {
            const double s = p * sin(a + width * (panel + x[i])), root = sqrt(1 - s * s);
            *first += w[i] * width / root;
            *second += w[i] * width * root;
        }
    }
}

/* tip of the inextensible cantilever of length 1 under beta = P L^2/(E I): sqrt(beta) = K - F */
static void elastica(double beta, double *x, double *y) {
    double lo = 0, hi = 0.5 * M_PI, first, second;
    for (int i = 0; i < 200; i++) { // tip slope by bisection
        const double mid = 0.5 * (lo + hi), p = sqrt(0.5 * (1 + sin(mid)));
        elliptic(p, asin(1 / (p * sqrt(2))), &first, &second);
        *(first < sqrt(beta) ? &lo : &hi) = mid;
    }
    const double p = sqrt(0.5 * (1 + sin(lo)));
    elliptic(p, asin(1 / (p * sqrt(2))), &first, &second);
    *x = sqrt(2 * sin(lo) / beta);
    *y = 1 - 2 * second / sqrt(beta);
}

static void closed_form(void **state) {
    GOS_UNUSED(state);
    /* the guide's table, and beta = 3 as in the literature (0.745579815, 0.603253441) */
    static const double table[][3] = {{1, 0.943566764, 0.301720774},
                                      {2, 0.839358278, 0.493457480},
                                      {3, 0.745579815, 0.603253441},
                                      {5, 0.612371639, 0.713791524},
                                      {10, 0.445004402, 0.810609025}};
    for (int i = 0; i < GOS_COUNT(table); i++) {
        double x, y;
        elastica(table[i][0], &x, &y);
        verify_near("closed form of the elastica, x", x, table[i][1], 1.5e-9); // their last digit
        verify_near("closed form of the elastica, y", y, table[i][2], 1.5e-9);
    }
}

/* beyond a quarter of a turn the cable would leave the plane, which the closed form does not */
#define ANY "analysis.branch=any "

/* ---- the program ----------------------------------------------------------------------------- */

static void solve_tip(const char *settings, double tip[3]) {
    verify v;
    verify_example(&v, "elastica", settings);
    verify_static(&v);
    double y[GOS_PROBE_MAX];
    verify_probe(&v, NULL, "tip", y);
    memcpy(tip, y, 3 * sizeof *tip);
    verify_close(&v);
}

/* distance of the tip from the root, rolled up to a full circle; over the length */
static double roll_up(int n, const char *more) {
    char settings[200];
    double tip[3];
    const double root[3] = {0, 0, 0};
    snprintf(settings, sizeof settings, "n=%d P=0 M=2*pi*E*I/L " ANY "%s", n, more);
    solve_tip(settings, tip);
    assert_true(fabs(tip[2]) < 1e-12);
    return verify_distance(tip, root);
}

/* theory guide 6.3: 3.3e-4, 7.1e-6, 3.9e-7 (the last is the axial strain itself), each within 20
   % */
static void rolls_up(void **state) {
    GOS_UNUSED(state);
    static const double table[][2] = {{16, 3.3e-4}, {32, 7.1e-6}, {64, 3.9e-7}};
    for (int i = 0; i < GOS_COUNT(table); i++) {
        const double error = roll_up((int)table[i][0], "");
        verify_within("roll-up, tip error / L", error, 0.8 * table[i][1], 1.2 * table[i][1]);
    }
}

static void rolls_up_reduced(void **state) {
    GOS_UNUSED(state);
    const double full = roll_up(16, ""), reduced = roll_up(16, "bodies.rod.quadrature=reduced");
    verify_within("roll-up, 16 elements, full over reduced quadrature", full / reduced, 10, 1e9);
}

/* part of a circle under lambda 2 pi E I / L: x = L sin(a)/a, y = L (1 - cos a)/a, a = 2 pi
   lambda */
static void arc(void **state) {
    GOS_UNUSED(state);
    double tip[3];
    solve_tip("n=32 P=0 M=pi*E*I/L " ANY, tip);
    /* elements turn by the same angle as those of the full circle with 64 elements: 3.9e-7 of L */
    verify_near("half circle, x", tip[0], 0, 1.2 * 3.9e-7);
    verify_near("half circle, y", tip[1], 2 / M_PI, 1.2 * 3.9e-7);
}

/* a moment about +z turns the tip towards +y, and about -z towards -y */
static void moment_sign(void **state) {
    GOS_UNUSED(state);
    double up[3], down[3];
    solve_tip("n=8 P=0 M=0.1*E*I/L", up);
    solve_tip("n=8 P=0 M=-0.1*E*I/L", down);
    /* M L^2 / (2 E I) = 0.05 to first order; exactly (1 - cos 0.1)/0.1 */
    verify_near("tip under 0.1 E I/L", up[1], (1 - cos(0.1)) / 0.1, 1e-6);
    verify_near("tip under -0.1 E I/L", down[1], -up[1], 1e-12);
}

static void elastica_values(void **state) {
    GOS_UNUSED(state);
    static const double betas[] = {1, 2, 3, 5, 10};
    for (int i = 0; i < GOS_COUNT(betas); i++) {
        char settings[100];
        double tip[3], x, y;
        elastica(betas[i], &x, &y);
        snprintf(settings, sizeof settings, "n=64 P=%g*E*I/L^2", betas[i]);
        solve_tip(settings, tip);
        /* 8e-7 of L is the guide's error at beta = 10 with 64 elements, smaller loads err less; and
           this cable is extensible: P/(E A) = beta (1e-3)^2/12 */
        const double tol = 1.2 * 8e-7 + betas[i] * 1e-6 / 12;
        verify_near("elastica, tip x/L, 64 elements", tip[0], x, tol);
        verify_near("elastica, tip y/L, 64 elements", tip[1], y, tol);
    }
}

/* theory guide 6.3: 2.9e-3, 5.7e-4, 5.7e-5, 8e-7 for 8 to 64 elements */
static void elastica_convergence(void **state) {
    GOS_UNUSED(state);
    static const double table[][2] = {{8, 2.9e-3}, {16, 5.7e-4}, {32, 5.7e-5}, {64, 8e-7}};
    double x, y, fine[3], error[4];
    elastica(10, &x, &y);
    solve_tip("n=256 P=10*E*I/L^2", fine);
    for (int i = 0; i < GOS_COUNT(table); i++) {
        char settings[100];
        double tip[3];
        snprintf(settings, sizeof settings, "n=%d P=10*E*I/L^2", (int)table[i][0]);
        solve_tip(settings, tip);
        verify_within("elastica, beta 10, error of y/L", fabs(tip[1] - y), 0.8 * table[i][1],
                      1.2 * table[i][1]);
        error[i] = fabs(tip[1] - fine[1]);
    }
    verify_within("order between 32 and 64 elements", verify_order(error[2], error[3], 2), 3.5, 12);
}

/* The soft clamp leaves the stretch of the root slope free: with two axial points one stretch
   pattern of the whole cable has no energy. It is refused, with what to do. */
static void soft_clamp_reduced(void **state) {
    GOS_UNUSED(state);
    static const char *const held[] = {
        "joints.root.rigid=false",
        "joints.root.type=spherical",
    };
    for (int i = 0; i < GOS_COUNT(held); i++) {
        verify v = {.ctx = gos_ctx_create()};
        char settings[100];
        verify_good(
            &v, gos_model_read(v.ctx, GOS_SOURCE_DIR "/examples/elastica/model.yaml", &v.model));
        snprintf(settings, sizeof settings, "n=8 bodies.rod.quadrature=reduced %s", held[i]);
        verify_set(&v, settings);
        assert_int_equal(gos_system_create(v.ctx, v.model, &v.sys), GOS_E_INPUT);
        print_message("    %s\n", gos_ctx_message(v.ctx));
        assert_non_null(strstr(gos_ctx_message(v.ctx), "body 'rod': reduced quadrature"));
        assert_non_null(strstr(gos_ctx_message(v.ctx), "rigid: true"));
        verify_close(&v);
    }
}

/* the soft clamp with full quadrature and the rigid clamp with reduced quadrature do work, and
   agree with the rigid clamp: a clamp without axial force does not care */
static void soft_clamp_full(void **state) {
    GOS_UNUSED(state);
    double rigid[3], soft[3];
    solve_tip("n=32 P=0 M=0.5*E*I/L", rigid);
    solve_tip("n=32 P=0 M=0.5*E*I/L joints.root.rigid=false", soft);
    verify_below("soft against rigid clamp", verify_distance(rigid, soft), 1e-7);
}

/* Rigid bodies that hang have stiffness by the forces of their joints alone: a chain of two, in two
   systems of units. */
static void hanging(void **state) {
    GOS_UNUSED(state);
    for (int mm = 0; mm < 2; mm++) {
        const double L = mm ? 1e3 : 1, M = mm ? 1e-3 : 1;
        char settings[80];
        verify v;
        (void)snprintf(settings, sizeof settings, "L=%g M=%g", L, M);
        verify_text(
            &v,
            "parameters: {L: 1, M: 1}\n"
            "bodies:\n"
            "  p: {type: rigid, mass: 0.5*M, inertia: [0.01*M*L^2, 0.01*M*L^2, 0.01*M*L^2],\n"
            "      position: [0, -0.6*L, 0], points: {top: [0, 0.6*L, 0], low: [0, -0.2*L, 0]}}\n"
            "  q: {type: rigid, mass: 0.2*M, inertia: [0.01*M*L^2, 0.01*M*L^2, 0.01*M*L^2],\n"
            "      position: [0, -L, 0], points: {top: [0, 0.2*L, 0]}}\n"
            "joints:\n"
            "  h: {type: revolute, between: [ground, p.top], axis: [0, 0, 1]}\n"
            "  k: {type: revolute, between: [p.low, q.top], axis: [0, 0, 1]}\n"
            "gravity: [0, -9.81*L, 0]\n"
            "probes: {p: {at: p}, q: {at: q}, h: {joint: h, quantity: joint_force}}\n"
            "analysis: {type: static}\n",
            settings);
        verify_static(&v);
        verify_near("upper body over the length", verify_value(&v, NULL, "p.y") / L, -0.6, 1e-12);
        verify_near("lower body over the length", verify_value(&v, NULL, "q.y") / L, -1, 1e-12);
        verify_near("force on the hinge [N]", fabs(verify_value(&v, NULL, "h.y")) / (M * L),
                    0.7 * 9.81, 1e-9);
        verify_close(&v);
    }
}

/* Pendulums under a side load F: tan(angle) = F/W with the weight W of a body, 2 F/W of a bar. No
 * small load leads there, as weight and F grow together; turned and in mm, t and s too. */
static void side_load(void **state) {
    GOS_UNUSED(state);
    static const char rigid[] =
        "bodies: {p: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, -1, 0],\n"
        "  points: {o: [0, 1, 0], e: [0, 0, 0]}}}\n"
        "joints: {h: {type: revolute, between: [ground, p.o], axis: [0, 0, 1]}}\n"
        "loads: {f: {type: force, on: p.e, value: [3, 0, 0]}}\n"
        "gravity: [0, -9.81, 0]\n"
        "probes: {e: {at: p.e, quantity: displacement}}\n"
        "analysis: {type: static}\n";
    static const char bar[] =
        "materials: {s: {density: 7800, young: 2.0e11, poisson: 0.3}}\n"
        "sections: {r: {type: rectangle, height: 0.01, width: 0.01}}\n"
        "bodies: {p: {type: ancf_beam, material: s, section: r, from: [0, 0, 0], to: [0, -1, 0],\n"
        "  elements: 4, normal: [0, 0, 1]}}\n"
        "joints: {h: {type: revolute, between: [ground, p.start], axis: [0, 0, 1]}}\n"
        "loads: {f: {type: force, on: p.end, value: [3, 0, 0]}}\n"
        "gravity: [0, -9.81, 0]\n"
        "probes: {e: {at: p.end, quantity: displacement}}\n"
        "analysis: {type: static}\n";
    static const double axes[][3] = {{0, 0, 0}, {0.7, -1.1, 0.4}};
    static const struct {
        const char *text, *set;
        double tangent, bound;
    } c[] = {{rigid, NULL, 3 / 9.81, 1e-9},
             {rigid, "loads.f.value=[300,0,0]", 300 / 9.81, 1e-9},
             {bar, NULL, 6 / (0.78 * 9.81), 1e-3},
             {bar, "bodies.p.type=ancf_cable", 6 / (0.78 * 9.81), 1e-3}};
    for (int i = 0; i < 2 * GOS_COUNT(c); i++) {
        const bool moved = i % 2;
        double d[GOS_PROBE_MAX];
        verify v = {.ctx = gos_ctx_create()};
        verify_good(&v, gos_model_parse(v.ctx, c[i / 2].text, strlen(c[i / 2].text), "test", NULL,
                                        &v.model));
        verify_set(&v, c[i / 2].set);
        turn_model(&v, axes[moved], moved ? 1e3 : 1, moved ? 1e-3 : 1);
        verify_compile(&v);
        verify_static(&v);
        verify_probe(&v, NULL, "e", d);
        const double chord = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (moved ? 1e3 : 1);
        verify_near("angle [rad]", 2 * asin(chord / 2), atan(c[i / 2].tangent), c[i / 2].bound);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(side_load),
        cmocka_unit_test(closed_form),
        cmocka_unit_test(rolls_up),
        cmocka_unit_test(rolls_up_reduced),
        cmocka_unit_test(arc),
        cmocka_unit_test(moment_sign),
        cmocka_unit_test(elastica_values),
        cmocka_unit_test(elastica_convergence),
        cmocka_unit_test(soft_clamp_reduced),
        cmocka_unit_test(soft_clamp_full),
        cmocka_unit_test(hanging),
    };
    return cmocka_run_group_tests_name("statics", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
