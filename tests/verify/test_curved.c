/* Beams and cables whose axis is curved where it is free of stress: shape, no force at rest and in
   rigid motion, statics of arches and rings by Castigliano's theorem, the bend of Bathe and
   Bolourchi, frequencies of a ring, expansion, energy of a free swing, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "math/section_shapes.h"
#include "math/vec3.h"
#include "support/suite.h"
#include "support/verify.h"

#define QUARTER "from: [R, 0, 0], arc: [\"R*cos(pi/4)\", \"R*sin(pi/4)\", 0], to: [0, R, 0]"

/* quarter of a circle, clamped where it points along y; `type`, `load`, what else */
static const char quarter[] =
    "parameters: {n: 8, R: 1, P: 1.0e-5, b: 0.01, h: 0.005, E: 2.0e11, nu: 0.3}\n"
    "materials: {m: {density: 7800, young: E, poisson: nu}}\n"
    "sections: {s: {type: rectangle, height: h, width: b}}\n"
    "bodies: {rod: {type: %s, material: m, section: s, " QUARTER ", elements: n}}\n"
    "joints: {root: {type: clamp, between: [ground, rod.start]}}\n"
    "loads: {f: {type: force, on: rod.end, value: %s}}\n"
    "probes: {tip: {at: rod.end, quantity: displacement},\n"
    "         M: {at: rod.start, quantity: section_moment},\n"
    "         N: {at: rod.start, quantity: section_force}}\n"
    "analysis: {type: static, newton_tolerance: 1.0e-12}\n";

static const char *const types[2] = {"ancf_cable", "ancf_beam"};

static void solve_quarter(const char *type, const char *load, const char *settings, double tip[3],
                          double M[3]) {
    verify v;
    char text[VERIFY_TEXT];
    double y[GOS_PROBE_MAX] = {0};
    snprintf(text, sizeof text, quarter, type, load);
    verify_text(&v, text, settings);
    verify_static(&v);
    verify_probe(&v, NULL, "tip", y);
    memcpy(tip, y, 3 * sizeof *tip);
    verify_probe(&v, NULL, "M", y);
    memcpy(M, y, 3 * sizeof *M);
    verify_close(&v);
}

/* ---- shape ----------------------------------------------------------------------------------- */

/* nodes on the circle at equal arc lengths; a spline through points of it comes near with the
   fourth power of their distance */
static void shape(void **state) {
    GOS_UNUSED(state);
    for (int k = 0; k < 2; k++) {
        verify v;
        char text[VERIFY_TEXT];
        snprintf(text, sizeof text, quarter, types[k], "[0, 0, 0]");
        verify_text(&v, text, NULL);
        const gos_body *b = v.sys->body[0];
        verify_near("length of the quarter [m]", b->length, M_PI / 2, 1e-14);
        for (int i = 0; i < b->nnode; i++) {
            const double *x = v.state->q + 3 * b->node_v[i], phi = M_PI / 2 * i / (b->nnode - 1);
            const double want[3] = {cos(phi), sin(phi), 0};
            assert_true(verify_distance(x, want) < 1e-14);
        }
        verify_close(&v);
    }
}

static double spline_error(int points) {
    char text[VERIFY_TEXT], through[2000] = "";
    for (int i = 1; i < points; i++) {
        char one[100];
        const double phi = M_PI / 2 * i / points;
        snprintf(one, sizeof one, "%s[%.17g, %.17g, 0]", i > 1 ? ", " : "", cos(phi), sin(phi));
        strcat(through, one);
    }
    snprintf(text, sizeof text,
             "materials: {m: {density: 1, young: 1}}\nsections: {s: {type: circle, radius: 0.1}}\n"
             "bodies: {rod: {type: ancf_beam, material: m, section: s, from: [1, 0, 0], to: [0, 1, "
             "0],\n through: [%s], elements: 7}}\nanalysis: {end: 1}\n",
             through);
    verify v;
    verify_text(&v, text, NULL);
    const gos_body *b = v.sys->body[0];
    double worst = fabs(b->length - M_PI / 2);
    for (int i = 0; i < b->nnode; i++) {
        worst = fmax(worst, fabs(gos__norm3(v.state->q + 3 * b->node_v[i]) - 1));
    }
    verify_close(&v);
    return worst;
}

static void spline(void **state) {
    GOS_UNUSED(state);
    const double coarse = spline_error(16), fine = spline_error(32);
    verify_below("spline through 33 points of a quarter [m]", fine, 5e-7);
    verify_within("order of the spline", verify_order(coarse, fine, 2), 3.6, 5.5);
}

/* ---- at rest, and in rigid motion ------------------------------------------------------------ */

/* a curve in space; a beam may turn anywhere, a cable about its reference vector */
static const char helix[] =
    "materials: {m: {density: 7800, young: 2.0e11, poisson: 0.3}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.01}}\n"
    "bodies: {rod: {type: ancf_beam, material: m, section: s, from: [1, 0, 0], elements: 6,\n"
    "         through: [[0.5, 0.9, 0.2], [-0.4, 0.8, 0.5], [-1, 0, 0.6]], to: [-0.6, -0.8, 0.9]}}\n"
    "probes: {N: {at: rod.at(0.7), quantity: section_force},\n"
    "         M: {at: rod.at(0.7), quantity: section_moment},\n"
    "         k: {at: rod.at(0.7), quantity: curvature}, e: {at: rod.start, quantity: strain}}\n"
    "analysis: {end: 1}\n";

static void turn_all(verify *v, const double r[3]) {
    const double a = gos__norm3(r);
    for (int i = 0; i < v->sys->nv; i++) {
        double *x = v->state->q + 3 * i, w[3], ww[3];
        gos__cross3(r, x, w);
        gos__cross3(r, w, ww);
        for (int k = 0; k < 3; k++) {
            x[k] += sin(a) / a * w[k] + (1 - cos(a)) / (a * a) * ww[k];
        }
    }
}

/* largest force that the points make, and the strain energy, of the state as it is */
static double force_of(verify *v, double *energy) {
    double worst = 0, *r = calloc((size_t)v->sys->n + 1, sizeof *r);
    gos_work *w = NULL;
    gos_sums sums;
    assert_non_null(r);
    verify_good(v, gos__work_create(v->ctx, v->sys, &w));
    const gos_point_of at = {.scale = 1, .q = v->state->q, .th = v->state->th};
    verify_good(v, gos__residual(w, &at, &(gos_residual){.q = r}, &sums));
    for (int i = 0; i < v->sys->nq; i++) {
        worst = fmax(worst, fabs(r[i]));
    }
    *energy = sums.strain;
    gos__work_destroy(v->ctx, w);
    free(r);
    return worst;
}

static void rest_and_turned(const char *text, const char *settings, const double r[3],
                            double stiffness) {
    verify v;
    double energy, y[GOS_PROBE_MAX] = {0};
    verify_text(&v, text, settings);
    for (int k = 0; k < 2; k++) {
        verify_below("force over EA, free of stress", force_of(&v, &energy) / stiffness, 1e-13);
        verify_below("strain energy over EA l", energy / stiffness, 1e-26);
        static const char *const zero[] = {"N", "M"};
        for (int p = 0; p < 2; p++) {
            verify_probe(&v, NULL, zero[p], y);
            verify_below("force or moment over EA", gos__norm3(y) / stiffness, 1e-13);
        }
        turn_all(&v, r);
    }
    verify_close(&v);
}

static void rigid(void **state) {
    GOS_UNUSED(state);
    char text[VERIFY_TEXT];
    const double anywhere[3] = {0.7, -1.9, 1.2}, about[3] = {0, 0, 2.1};
    rest_and_turned(helix, NULL, anywhere, 2e11 * 2e-4);
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text, quarter, types[k], "[0, 0, 0]");
        rest_and_turned(text, "n=5", about, 2e11 * 5e-5);
    }
    snprintf(text, sizeof text, quarter, types[0], "[0, 0, 0]");
    rest_and_turned(text, "n=5 bodies.rod.quadrature=reduced", about, 2e11 * 5e-5);
}

/* ---- statics of a quarter of a circle -------------------------------------------------------- */

/* Castigliano: M = P R (1 - sin phi), N = -P sin phi, Q = P cos phi for a force P along x at the
   end; cables have no shear, beams k_s = 10 (1 + nu)/(12 + 11 nu) */
static void in_plane(void **state) {
    GOS_UNUSED(state);
    const double E = 2e11, A = 0.01 * 0.005, I = 0.01 * pow(0.005, 3) / 12, P = 1e-5;
    const double GAk = E / 2.6 * A * 13 / 15.3;
    for (int k = 0; k < 2; k++) {
        double tip[3][3], M[3], error[3];
        const double shear = k ? P * M_PI / 4 / GAk : 0;
        const double x = P / (E * I) * (0.75 * M_PI - 2) + P * M_PI / 4 / (E * A) + shear;
        const double y = P / (E * I) * 0.5 - P * 0.5 / (E * A) + (k ? P * 0.5 / GAk : 0);
        for (int i = 0; i < 3; i++) {
            char settings[20];
            snprintf(settings, sizeof settings, "n=%d", 8 << i);
            solve_quarter(types[k], "[P, 0, 0]", settings, tip[i], M);
            error[i] = fabs(tip[i][0] / x - 1);
        }
        print_message("  %s\n", types[k]);
        verify_near("end along the force over Castigliano's", tip[2][0] / x, 1, 1e-5);
        verify_near("end across it", tip[2][1] / y, 1, 1e-5);
        verify_within("order of convergence", verify_order(error[0], error[1], 2), 3.4, 6.5);
        verify_near("moment at the clamp [N m]", k ? M[1] : M[0], -P, 2e-3 * P);
    }
}

/* out of its plane a beam bends and twists, M = P R cos phi ..., which a cable cannot */
static void out_of_plane(void **state) {
    GOS_UNUSED(state);
    const double E = 2e11, h = 0.005, b = 0.01, P = 1e-5, J = gos__torsion_rectangle(h, b);
    const double I = h * b * b * b / 12, GAk = E / 2.6 * h * b * 13 / 15.3;
    const double w =
        P / (E * I) * M_PI / 4 + P / (E / 2.6 * J) * (0.75 * M_PI - 2) + P * M_PI / 2 / GAk;
    double tip[3], M[3];
    solve_quarter("ancf_beam", "[0, 0, P]", "n=16", tip, M);
    verify_near("end out of the plane over Castigliano's", tip[2] / w, 1, 5e-5);
}

/* ---- a ring ---------------------------------------------------------------------------------- */

/* two halves of a ring; clamped at its right end, or free */
static const char ring[] =
    "parameters: {n: 32, R: 1, P: 1.0e-4, d: 0.01, E: 2.0e11, rho: 7800, nu: 0.3}\n"
    "materials: {m: {density: rho, young: E, poisson: nu}}\n"
    "sections: {s: {type: circle, diameter: d}}\n"
    "bodies:\n"
    "  up: {type: %s, material: m, section: s, from: [R, 0, 0], arc: [0, R, 0], to: [-R, 0, 0],\n"
    "       elements: n}\n"
    "  low: {type: %s, material: m, section: s, from: [-R, 0, 0], arc: [0, -R, 0], to: [R, 0, 0],\n"
    "        elements: n}\n"
    "joints: {left: {type: clamp, between: [up.end, low.start]},\n"
    "         right: {type: clamp, between: [low.end, up.start]}%s}\n"
    "%s"
    "analysis: {type: static, newton_tolerance: 1.0e-12}\n";

static void open_ring(verify *v, const char *type, const char *joint, const char *more,
                      const char *settings) {
    char text[VERIFY_TEXT];
    snprintf(text, sizeof text, ring, type, type, joint, more);
    verify_text(v, text, settings);
}

/* Timoshenko, Strength of Materials II: the diameter under two forces P shortens by
   (pi/4 - 2/pi) P R^3/(E I) = 0.1488, without extension and shear: 0.05 % for d/R = 0.01 */
static void pinched_ring(void **state) {
    GOS_UNUSED(state);
    for (int k = 0; k < 2; k++) {
        verify v;
        open_ring(&v, types[k], ", hold: {type: clamp, between: [ground, up.start]}",
                  "loads: {a: {type: force, on: up.at(pi*R/2), value: [0, \"-P\", 0]},\n"
                  "        b: {type: force, on: low.at(pi*R/2), value: [0, P, 0]}}\n"
                  "probes: {a: {at: up.at(pi*R/2), quantity: displacement},\n"
                  "         b: {at: low.at(pi*R/2), quantity: displacement}}\n",
                  NULL);
        verify_static(&v);
        const double got = verify_value(&v, NULL, "b.y") - verify_value(&v, NULL, "a.y");
        const double want = (M_PI / 4 - 2 / M_PI) * 1e-4 / (2e11 * M_PI / 64 * 1e-8);
        verify_near("pinched ring over 0.1488 P R^3/(E I)", got / want, 1, 6e-4);
        verify_close(&v);
    }
}

static int has_mode(const gos_mode *mode, int n, double want, double tolerance) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        found += fabs(mode[i].omega / want - 1) < tolerance;
    }
    return found;
}

/* Two of each: in the plane n (n^2 - 1)/sqrt(n^2 + 1), out of it n (n^2 - 1)/sqrt(n^2 + 1 + nu) (E
   I/(G J) = 1 + nu for round sections), times sqrt(E I/(rho A R^4)). Love, Mathematical Theory of
   Elasticity, 293. */
static void ring_frequencies(void **state) {
    GOS_UNUSED(state);
    const double unit = sqrt(2e11 * 1e-4 / 16 / 7800);
    for (int k = 0; k < 2; k++) {
        verify v;
        gos_linear *linear = NULL;
        gos_mode mode[24];
        int found = 0;
        open_ring(&v, types[k], "", "", NULL);
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
        verify_good(&v, gos_linear_modes(v.ctx, linear, 24, false, mode, &found));
        for (int n = 2; n <= 4; n++) {
            const double w = n * (n * n - 1) * unit, in = w / sqrt(n * n + 1);
            const int plane = has_mode(mode, found, in, 4e-4 * n);
            const int out = has_mode(mode, found, w / sqrt(n * n + 1.3), 4e-4 * n);
            print_message("    n = %d: %d modes in the plane, %d out of it\n", n, plane, out);
            assert_int_equal(plane, 2);
            assert_true(k == 0 || out == 2); // a cable has none of these
        }
        int rigid = 0;
        for (int i = 0; i < found; i++) {
            rigid += mode[i].rigid;
        }
        assert_true(k == 0 || rigid == 6);
        assert_int_equal(gos_ctx_ndiag(v.ctx) > 0, k == 0); // and it is reported
        gos_linear_destroy(linear);
        verify_close(&v);
    }
}

/* ---- large bending in space ------------------------------------------------------------------ */

/* K. J. Bathe, S. Bolourchi, Int. J. Numer. Methods Eng. 14 (1979) 961: 45 degrees of a circle of
   radius 100 in the plane, unit square section, E = 1e7, no Poisson's ratio; tip under 600 across
   the plane at (15.9, 47.2, 53.4) from (29.3, 70.7, 0); under 300 at (22.5, 59.2, 39.5). J. C.
   Simo, L. Vu-Quoc, Comput. Methods Appl. Mech. Eng. 58 (1986) 79, have (22.33, 58.84, 40.08) and
   (15.79, 47.23, 53.37). */
static void bathe_bolourchi(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "parameters: {n: 8, P: 600}\n"
        "materials: {m: {density: 1, young: 1.0e7, poisson: 0}}\n"
        "sections: {s: {type: rectangle, height: 1, width: 1}}\n"
        "bodies: {rod: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], elements: n,\n"
        "         arc: [\"100*(1 - cos(pi/8))\", \"100*sin(pi/8)\", 0],\n"
        "         to: [\"100*(1 - cos(pi/4))\", \"100*sin(pi/4)\", 0]}}\n"
        "joints: {root: {type: clamp, between: [ground, rod.start]}}\n"
        "loads: {f: {type: force, on: rod.end, value: [0, 0, P]}}\n"
        "probes: {tip: {at: rod.end}}\n"
        "analysis: {type: static}\n";
    static const double want[2][3] = {{22.33, 58.84, 40.08}, {15.9, 47.2, 53.4}};
    for (int k = 0; k < 2; k++) {
        verify v;
        double tip[GOS_PROBE_MAX] = {0};
        verify_text(&v, text, k ? "P=600" : "P=300");
        verify_static(&v);
        verify_probe(&v, NULL, "tip", tip);
        print_message("    tip at (%.3f, %.3f, %.3f)\n", tip[0], tip[1], tip[2]);
        for (int i = 0; i < 3; i++) {
            verify_near("tip of the bend", tip[i], want[k][i], k ? 0.35 : 0.41);
        }
        verify_close(&v);
    }
}

/* ---- expansion ------------------------------------------------------------------------------- */

/* uniformly warm and free it grows in all directions alike, without stress; the clamp holds
 * directions only */
static void expansion(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "parameters: {n: 4, R: 1, dT: 100, a: 1.0e-5}\n"
        "materials: {m: {density: 7800, young: 2.0e11, poisson: 0.3, conductivity: 50,\n"
        "                specific_heat: 500, expansion: a}}\n"
        "sections: {s: {type: rectangle, height: 0.02, width: 0.01}}\n"
        "bodies: {rod: {type: %s, material: m, section: s, " QUARTER ", elements: n}}\n"
        "joints: {root: {type: clamp, between: [ground, rod.start], rigid: false}}\n"
        "heat: {T: {type: temperature, on: [rod.start, rod.end], value: dT}}\n"
        "probes: {tip: {at: rod.end, quantity: displacement}, T: {at: rod.at(0.5), quantity: "
        "temperature},\n"
        "         N: {at: rod.at(0.5), quantity: section_force},\n"
        "         M: {at: rod.at(0.5), quantity: section_moment}}\n"
        "analysis: {type: static, newton_tolerance: 1.0e-12}\n";
    for (int k = 0; k < 2; k++) {
        verify v;
        char full[VERIFY_TEXT];
        double y[GOS_PROBE_MAX] = {0};
        snprintf(full, sizeof full, text, types[k]);
        verify_text(&v, full, NULL);
        verify_static(&v);
        assert_true(fabs(verify_value(&v, NULL, "T.T") - 100) < 1e-9);
        // Green's strain of the cable: stretch^2 = 1 + 2 alpha dT; the beam's is the stretch
        const double stretch = (k ? 1e-3 : sqrt(1 + 2e-3) - 1);
        const double tol = k ? 1e-4 : 1e-9; // between nodes the beam is not quite across its axis
        verify_near("tip along x over that of a scaling",
                    verify_value(&v, NULL, "tip.x") / -stretch, 1, tol);
        verify_near("tip along y", verify_value(&v, NULL, "tip.y") / stretch, 1, tol);
        const double EA = 2e11 * 2e-4;
        verify_probe(&v, NULL, "N", y);
        verify_below("force over that of held ends", gos__norm3(y) / (EA * 1e-3), tol);
        verify_probe(&v, NULL, "M", y);
        verify_below("moment over EA alpha dT h", gos__norm3(y) / (EA * 1e-3 * 0.02), tol);
        verify_close(&v);
    }
}

/* ---- motion ---------------------------------------------------------------------------------- */

/* a quarter of a circle falls about a pin: nothing that is stored is lost */
static void swing(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "parameters: {n: 6, R: 1}\ngravity: [0, -9.81, 0]\n"
        "materials: {m: {density: 1000, young: 2.0e7, poisson: 0.3}}\n"
        "sections: {s: {type: rectangle, height: 0.03, width: 0.03}}\n"
        "bodies: {rod: {type: %s, material: m, section: s, " QUARTER ", elements: n}}\n"
        "joints: {pin: {type: %s, between: [ground, rod.start]%s}}\n"
        "probes: {tip: {at: rod.end}}\n"
        "analysis: {end: 1, tolerance: 1.0e-5, rho_infinity: 1}\n";
    for (int k = 0; k < 2; k++) {
        verify v;
        char full[VERIFY_TEXT];
        gos_energy energy;
        snprintf(full, sizeof full, text, types[k], "revolute", ", axis: [0, 0, 1]");
        verify_text(&v, full, NULL);
        verify_run(&v);
        gos_system_energy(v.sys, v.state, &energy);
        verify_within("kinetic energy in the end [J]", energy.kinetic, 0.5, 20);
        verify_within("strain energy in the end [J]", energy.strain, 1e-4, 5);
        verify_below("energy balance over the kinetic energy", energy.balance / energy.kinetic,
                     1e-3);
        assert_int_equal(gos_ctx_ndiag(v.ctx), 0);
        verify_close(&v);
    }
}

/* pushed out of its plane a curved cable says that it has no twist */
static void out_of_plane_cable(void **state) {
    GOS_UNUSED(state);
    char text[VERIFY_TEXT];
    verify v;
    snprintf(text, sizeof text, quarter, "ancf_cable", "[0, 0, P]");
    verify_text(&v, text, "P=5");
    verify_static(&v);
    assert_true(gos_ctx_ndiag(v.ctx) > 0);
    verify_close(&v);
}

/* a reduced model has the same reference: fields from modes; polynomials do not know the shape */
static void reduced(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "parameters: {n: 8, R: 1}\ngravity: [0, -9.81, 0]\n"
        "materials: {m: {density: 1000, young: 2.0e8, poisson: 0.3}}\n"
        "sections: {s: {type: rectangle, height: 0.03, width: 0.03}}\n"
        "bodies: {rod: {type: ancf_beam, material: m, section: s, " QUARTER ", elements: n}}\n"
        "joints: {root: {type: clamp, between: [ground, rod.start]}}\n"
        "probes: {tip: {at: rod.end, quantity: displacement},\n"
        "         M: {at: rod.start, quantity: section_moment}}\n"
        "reduction: {method: rotation_closed, fields: modes, number: 16}\n"
        "analysis: {end: 0.4, tolerance: 1.0e-5}\n";
    double tip[2][GOS_PROBE_MAX];
    for (int k = 0; k < 2; k++) {
        verify v;
        verify_text(&v, text, NULL);
        gos_system *const whole = v.sys;
        if (k) {
            gos_state_destroy(v.state);
            verify_good(&v, gos_reduce(v.ctx, whole, &v.sys));
            verify_good(&v, gos_state_create(v.ctx, v.sys, &v.state));
        }
        verify_run(&v);
        verify_probe(&v, NULL, "tip", tip[k]);
        gos_system *const small = v.sys;
        gos_integrator_destroy(v.run);
        gos_state_destroy(v.state);
        v.run = NULL;
        v.state = NULL;
        v.sys = whole; // the reduced one borrows from it
        if (k) {
            gos_system_destroy(small);
        }
        verify_close(&v);
    }
    verify_within("displacement of the end [m]", gos__norm3(tip[0]), 0.05, 1);
    verify_below("reduced less full over it", verify_distance(tip[0], tip[1]) / gos__norm3(tip[0]),
                 5e-3);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shape),
        cmocka_unit_test(spline),
        cmocka_unit_test(rigid),
        cmocka_unit_test(in_plane),
        cmocka_unit_test(out_of_plane),
        cmocka_unit_test(pinched_ring),
        cmocka_unit_test(ring_frequencies),
        cmocka_unit_test(bathe_bolourchi),
        cmocka_unit_test(expansion),
        cmocka_unit_test(swing),
        cmocka_unit_test(out_of_plane_cable),
        cmocka_unit_test(reduced),
    };
    return cmocka_run_group_tests_name("curved", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
