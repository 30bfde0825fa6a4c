/* Clamps hold directions and leave strains free: section forces at supports, extension to the order
   of the elements, corners of beams at any angle, plates on adjacent edges; each as it is, turned
   by three rotations, in mm-t-s, and of twice the size or with a body more. Closed forms of bars,
   frames and plates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/vec3.h"
#include "gossamer/linearise.h"
#include "support/near.h"
#include "support/suite.h"
#include "support/verify.h"

/* a metre is `length` in the model's unit, a kilogram `mass`; "v(x, y, z)" in a text is turned by R
   and scaled by the length, "d(x, y, z)" turned, "f(x, y, z)" turned and scaled as a force, "g(x,
   y, z)" as an acceleration */
typedef struct setting {
    double R[9], length, mass;
} setting;

static const setting settings[] = {
    {{1, 0, 0, 0, 1, 0, 0, 0, 1}, 1, 1},
    {{0, 0, 1, 1, 0, 0, 0, 1, 0}, 1, 1},
    {{0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1}, 1, 1},
    {{1.0 / 3, 2.0 / 3, -2.0 / 3, 2.0 / 3, 1.0 / 3, 2.0 / 3, 2.0 / 3, -2.0 / 3, -1.0 / 3}, 1, 1},
    {{1, 0, 0, 0, 1, 0, 0, 0, 1}, 1000, 1e-3},
};

static void turned(const setting *k, const char *from, char *to, size_t size) {
    size_t n = 0;
    for (const char *c = from; *c && n + 1 < size;) {
        double x[3];
        int used = 0;
        static const char kinds[] = "vdfg";
        const char *kind = strchr(kinds, c[0]);
        if (kind && sscanf(c + 1, "(%lf, %lf, %lf)%n", &x[0], &x[1], &x[2], &used) == 3 &&
            used > 0) {
            const double scale[] = {k->length, 1, k->mass * k->length, k->length};
            double y[3];
            for (int i = 0; i < 3; i++) {
                y[i] = scale[kind - kinds] * gos__dot3(k->R + 3 * i, x);
            }
            n += (size_t)snprintf(to + n, size - n, "[%.17g, %.17g, %.17g]", y[0], y[1], y[2]);
            c += 1 + used;
        } else {
            to[n++] = *c++;
        }
    }
    to[n] = '\0';
}

static void open_set(verify *v, const setting *k, const char *text, const char *more) {
    char all[8000], body[6000];
    turned(k, text, body, sizeof body);
    snprintf(all, sizeof all, "parameters: {U: %.17g, Pa: %.17g, rho: %.17g, s: 1}\n%s", k->length,
             k->mass / k->length, k->mass / (k->length * k->length * k->length), body);
    verify_text(v, all, more);
}

/* vector probe along a direction of the untouched model */
static double along(const verify *v, const setting *k, const char *name, double x, double y,
                    double z) {
    const double d[3] = {x, y, z};
    double a[GOS_PROBE_MAX], sum = 0;
    verify_probe(v, NULL, name, a);
    for (int i = 0; i < 3; i++) {
        sum += a[i] * gos__dot3(k->R + 3 * i, d);
    }
    return sum;
}

/* ---- bars ------------------------------------------------------------------------------------ */

static const char bar[] =
    "materials: {st: {density: 7850*rho, young: 2.1e11*Pa, poisson: 0.3}}\n"
    "sections: {q: {type: rectangle, height: 0.01*U*s, width: 0.02*U*s, shear_factors: [0.8, "
    "0.8]}}\n"
    "bodies:\n"
    "  rod: {type: %s, material: st, section: q, from: v(0, 0, 0), to: v(%g, 0, 0), elements: %d,\n"
    "        normal: d(0, 0, 1)}\n"
    "%s"
    "joints: {c: {type: clamp, between: [ground, rod.start]}}\n"
    "loads: {f: {type: force, on: rod.end, value: f(%g, 0, 0)}}\n"
    "probes:\n"
    "  u: {at: rod.end, quantity: displacement}\n"
    "  N: {at: rod.start, quantity: section_force}\n"
    "  middle: {at: \"rod.at(0.31*U)\", quantity: section_force}\n"
    "  R: {joint: c, quantity: joint_force}\n"
    "  J: {joint: c, quantity: joint_force, frame: joint}\n"
    "  M: {joint: c, quantity: joint_moment}\n"
    "analysis: {type: static}\n";

/* A bar under 42 kN: of a cable N lambda = F with N = EA (lambda^2 - 1)/2, of a beam N = F = EA
   (lambda - 1), everywhere, so at the root too, where the support carries -F; elements of any
   number are exact. */
static void pulled_bar(void **state) {
    GOS_UNUSED(state);
    static const char *const type[] = {"ancf_cable", "ancf_beam"};
    for (int i = 0; i < 2 * GOS_COUNT(settings) + 2; i++) {
        const setting *k = &settings[i / 2 % GOS_COUNT(settings)];
        const bool large = i >= 2 * GOS_COUNT(settings); // twice the size: four times the force
        const double s = large ? 2 : 1, F = 42000 * s * s, EA = 2.1e11 * 2e-4 * s * s;
        char text[6000];
        verify v;
        double lambda = 1, y[GOS_PROBE_MAX];
        for (int n = 0; n < 20 && i % 2 == 0; n++) {
            lambda = sqrt(1 + 2 * F / (EA * lambda));
        }
        lambda = i % 2 ? 1 + F / EA : lambda;
        snprintf(text, sizeof text, bar, type[i % 2], s, i % 2 ? 2 : 3, "", F);
        open_set(&v, k, text, large ? "parameters.s=2" : NULL);
        verify_static(&v);
        const double N = i % 2 ? F : F / lambda, force = k->mass * k->length;
        near_rel_named("extension", along(&v, k, "u", 1, 0, 0), (lambda - 1) * s * k->length, 1e-9);
        near_rel_named("N at the root", verify_value(&v, NULL, "N.N"), N * force, 1e-9);
        near_rel_named("N amid", verify_value(&v, NULL, "middle.N"), N * force, 1e-9);
        near_rel_named("force on the ground", along(&v, k, "R", 1, 0, 0), F * force, 1e-9);
        verify_probe(&v, NULL, "J", y); // the ground's axes
        assert_true(fabs(gos__norm3(y) - F * force) <= 1e-9 * F * force);
        verify_probe(&v, NULL, "M", y);
        assert_true(gos__norm3(y) <= 1e-9 * F * force * k->length);
        verify_close(&v);
    }
}

/* the bar held by a rigid body on the ground, a body more */
static void bar_on_hub(void **state) {
    GOS_UNUSED(state);
    verify v;
    char text[6000];
    snprintf(text, sizeof text, bar, "ancf_cable", 1.0, 4,
             "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1], position: v(-1, 0, 0)}\n", 42000.0);
    open_set(&v, &settings[0], text,
             "joints.c.between=[hub,rod.start] joints.h.type=clamp joints.h.between=[ground,hub]");
    verify_static(&v);
    near_rel_named("N at the root", verify_value(&v, NULL, "N.N"), 42000, 2e-3);
    near_rel_named("force on the hub", verify_value(&v, NULL, "R.x"), 42000, 1e-9);
    verify_close(&v);
}

/* First frequency of extension of a clamped bar, pi/2 sqrt(E/rho)/L: the error falls with the order
   of the elements, 6 of cubic cables, 4 of quadratic beams. */
static void axial_order(void **state) {
    GOS_UNUSED(state);
    static const char *const type[] = {"ancf_cable", "ancf_beam"};
    for (int i = 0; i < 2; i++) {
        double error[2];
        for (int n = 0; n < 2; n++) {
            char text[6000], more[100];
            verify v;
            gos_linear *l = NULL;
            gos_mode mode[200];
            int found = 0;
            // soft and thick: extension is among the lowest modes
            snprintf(text, sizeof text, bar, type[i], 1.0, n == 0 ? 3 : 6, "", 0.0);
            snprintf(more, sizeof more, "sections.q.height=0.3 sections.q.width=0.3");
            open_set(&v, &settings[0], text, more);
            verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
            verify_good(&v, gos_linear_modes(v.ctx, l, 30, false, mode, &found));
            const double exact = 0.5 * M_PI * sqrt(2.1e11 / 7850);
            error[n] = HUGE_VAL;
            for (int m = 0; m < found; m++) {
                error[n] = fmin(error[n], fabs(mode[m].omega / exact - 1));
            }
            gos_linear_destroy(l);
            verify_close(&v);
        }
        const double order = log2(error[0] / error[1]);
        print_message("%s: axial frequency off by %.2e and %.2e, order %.2f\n", type[i], error[0],
                      error[1], order);
        assert_true(order > (i == 0 ? 5.5 : 3.7));
    }
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Two legs of a unit length: a along x, b at the angle phi in the plane of x and y, its section
   turned about its axis by the choice of its normal; a force at the tip. Bending and torsion of
   both legs, unit load theorem. */
static const char corner[] =
    "materials: {m: {density: 2700*rho, young: 7.0e10*Pa, poisson: 0.3}}\n"
    "sections: {q: {type: circle, radius: 0.01*U*s, shear_factors: [0.9, 0.9]}}\n"
    "bodies:\n"
    "  a: {type: ancf_beam, material: m, section: q, from: v(0, 0, 0), to: v(%g, 0, 0), elements: "
    "8,\n"
    "      normal: d(0, 0, 1)}\n"
    "  b: {type: ancf_beam, material: m, section: q, from: v(%g, 0, 0), to: v(%.17g, %.17g, 0), "
    "elements: 8,\n"
    "      normal: d(%g, %g, %g)}\n"
    "joints:\n"
    "  r: {type: clamp, between: [ground, a.start]}\n"
    "  j: {type: clamp, between: [a.end, b.start]}\n"
    "loads: {f: {type: force, on: b.end, value: f(%g, %g, %g)}}\n"
    "probes:\n"
    "  tip: {at: b.end, quantity: displacement}\n"
    "  force: {joint: j, quantity: joint_force}\n"
    "  moment: {joint: j, quantity: joint_moment}\n"
    "analysis: {type: static}\n";

static void frame_case(const setting *k, double phi, const double normal[3], const double f[3],
                       double s) {
    const double L = s, r = 0.01 * s, E = 7e10, EI = E * M_PI * pow(r, 4) / 4, GJ = EI / 1.3;
    const double EA = E * M_PI * r * r, GA = 0.9 * EA / 2.6;
    const double t[3] = {cos(phi), sin(phi), 0}, ex[3] = {1, 0, 0}, F = s * s;
    double u[3] = {0}, m[3], arm[3];
    char text[6000];
    verify v;
    snprintf(text, sizeof text, corner, L, L, L + L * t[0], L * t[1], normal[0], normal[1],
             normal[2], F * f[0], F * f[1], F * f[2]);
    open_set(&v, k, text, s == 1 ? NULL : "parameters.s=2");
    verify_static(&v);
    /* along each leg: moment of the load and of a unit load, curvature and twist; Simpson is
       exact */
    for (int c = 0; c < 3; c++) {
        double unit[3] = {c == 0, c == 1, c == 2};
        for (int leg = 0; leg < 2; leg++) {
            const double *axis = leg ? t : ex;
            for (int g = 0; g < 3; g++) {
                const double w = L * (g == 1 ? 4 : 1) / 6.0, x = L * g / 2.0;
                double M[3], m1[3], shear = 0, normal_force = 0;
                for (int i = 0; i < 3; i++) {
                    arm[i] = (leg ? 0 : (L - x) * ex[i]) + (leg ? L - x : L) * t[i];
                }
                gos__cross3(arm, f, M);
                gos__cross3(arm, unit, m1);
                const double T = gos__dot3(M, axis), T1 = gos__dot3(m1, axis);
                normal_force = gos__dot3(f, axis) * gos__dot3(unit, axis);
                shear = gos__dot3(f, unit) - normal_force;
                u[c] += w * F *
                        ((gos__dot3(M, m1) - T * T1) / EI + T * T1 / GJ + normal_force / EA +
                         shear / GA);
            }
        }
    }
    double now[3], back[3], size = gos__norm3(u), off = 0;
    verify_probe(&v, NULL, "tip", now);
    for (int c = 0; c < 3; c++) {
        back[c] = now[0] * k->R[c] + now[1] * k->R[3 + c] + now[2] * k->R[6 + c];
        off = fmax(off, fabs(back[c] / k->length - u[c]));
    }
    print_message("corner of %.0f degrees: tip off by %.2e of %.4g m\n", phi * 180 / M_PI,
                  off / size, size);
    assert_true(off <= 3e-3 * size);
    /* what the joint does to its first side is what the load does to b */
    const double force = k->mass * k->length;
    for (int i = 0; i < 3; i++) {
        arm[i] = L * t[i];
    }
    gos__cross3(arm, f, m);
    for (int c = 0; c < 3; c++) {
        const double axis[3] = {c == 0, c == 1, c == 2};
        const double a = along(&v, k, "force", axis[0], axis[1], axis[2]);
        const double b = along(&v, k, "moment", axis[0], axis[1], axis[2]);
        assert_true(fabs(a - F * f[c] * force) <= 1e-8 * F * force);
        assert_true(fabs(b - F * m[c] * force * k->length) <=
                    2e-2 * F * force * k->length); // it moves
    }
    verify_close(&v);
}

static void frame_corners(void **state) {
    GOS_UNUSED(state);
    static const double angles[] = {90, 45, 0, 135, -60};
    static const double normals[][3] = {{0, 0, 1}, {0.3, -0.2, 1}};
    static const double loads[][3] = {{1, 0, 0}, {0.2, -0.3, 0.5}};
    for (int i = 0; i < GOS_COUNT(angles); i++) {
        for (int n = 0; n < 2; n++) {
            frame_case(&settings[0], angles[i] * M_PI / 180, normals[n], loads[n], 1);
        }
    }
    for (int i = 1; i < GOS_COUNT(settings); i++) {
        frame_case(&settings[i], M_PI / 2, normals[0], loads[1], 1);
    }
    frame_case(&settings[0], M_PI / 2, normals[0], loads[1], 2);
}

/* ---- bars in line ---------------------------------------------------------------------------- */

static const char in_line[] =
    "materials: {m: {density: 1000*rho, young: 1.0e9*Pa, poisson: 0.3}}\n"
    "sections: {s: {type: rectangle, height: 0.01*U, width: 0.01*U}, r: {type: rectangle, height: "
    "%g*U, width: %g*U}}\n"
    "bodies:\n"
    "  a: {type: %s, material: m, section: s, from: v(0, 0, 0), to: v(1, 0, 0), elements: %d, "
    "normal: d(0, 0, 1)}\n"
    "  b: {type: %s, material: m, section: r, from: v(1, 0, 0), to: v(2, 0, 0), elements: %d, "
    "normal: d(0, 0, 1)}\n"
    "joints:\n"
    "  g: {type: clamp, between: [ground, a.start]}\n"
    "  c: {type: clamp, between: [a.end, b.start]}\n"
    "loads: {f: {type: force, on: b.end, value: f(100, 0, 0)}}\n"
    "probes: {tip: {at: b.end, quantity: displacement}}\n"
    "analysis: {type: static}\n";

/* elongation of two bars in line over F L (1/EA_1 + 1/EA_2) - 1, and whether the run warned of
 * their strains */
static double elongation(const setting *k, const char *type, double width, int n, bool *warned) {
    char raw[2000];
    verify v;
    snprintf(raw, sizeof raw, in_line, width, width, type, n, type, n);
    open_set(&v, k, raw, NULL);
    *warned = false;
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        *warned = *warned || strstr(gos_ctx_diag(v.ctx, i)->text, "equal slopes make the strains");
    }
    verify_static(&v);
    const double want = 100 / 1e9 * (1 / 1e-4 + 1 / (width * width));
    const double got = along(&v, k, "tip", 1, 0, 0) / k->length / want - 1;
    verify_close(&v);
    return got;
}

/* Beams in line of unequal stiffness are exact but for the strain itself squared; cables, which
   meet with equal slopes, converge with the first order, and say so; equal cables do not. */
static void bars_in_line(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < GOS_COUNT(settings); i++) {
        bool warned;
        assert_true(fabs(elongation(&settings[i], "ancf_beam", 0.02, 2, &warned)) < 1e-5);
        assert_false(warned);
        assert_true(fabs(elongation(&settings[i], "ancf_cable", 0.01, 2, &warned)) < 2e-3);
        assert_false(warned);
        const double coarse = elongation(&settings[i], "ancf_cable", 0.02, 2, &warned);
        assert_true(warned);
        const double fine = elongation(&settings[i], "ancf_cable", 0.02, 4, &warned);
        print_message("cables of EA 1 to 4: %.2e, %.2e\n", coarse, fine);
        assert_true(fabs(coarse) > 1e-2 && fabs(coarse / fine - 2) < 0.2);
    }
}

/* ---- plates ---------------------------------------------------------------------------------- */

static const char plate[] = "parameters: {U: %.17g, Pa: %.17g, rho: %.17g}\n"
                            "materials: {m: {density: 1000*rho, young: 1.0e9*Pa, poisson: 0.3}}\n"
                            "gravity: %s\n"
                            "bodies:\n"
                            "  p: {type: ancf_plate, material: m, thickness: %g*U, corner: v(0, 0, "
                            "0), x: v(%g, 0, 0), y: v(0, %g, 0),\n"
                            "      elements: [%d, 16]}\n"
                            "%s"
                            "joints:\n"
                            "%s"
                            "probes:\n"
                            "  w: {at: %s, quantity: displacement}\n"
                            "  r0: {joint: e0, quantity: joint_force}\n"
                            "  r1: {joint: e1, quantity: joint_force}\n"
                            "  r2: {joint: e2, quantity: joint_force}\n"
                            "  r3: {joint: e3, quantity: joint_force}\n"
                            "analysis: {type: static}\n";

/* a square plate on all four edges under its weight: w = c q a^4/D, c = 0.001265 clamped, 0.004062
   on hinges (Timoshenko, tables 35 and 8); the edges carry the weight */
static void plate_case(const setting *k, const char *type, double coefficient, double s,
                       bool halves) {
    const char *const edge[4] = {"x0", "x1", "y0", "y1"};
    const double q = 1000 * 0.01 * s * 0.01, D = 1e9 * pow(0.01 * s, 3) / 12 / 0.91;
    char raw[6000], text[6000], joints[2000] = "", second[600] = "", gravity[100];
    verify v;
    for (int e = 0; e < 4; e++) {
        const size_t n = strlen(joints);
        snprintf(joints + n, sizeof joints - n,
                 "  e%d: {type: %s, between: [ground, %s.edge.%s]}\n", e, type,
                 halves && e == 1 ? "h" : "p", edge[e]);
    }
    if (halves) { // the right half is another plate
        snprintf(second, sizeof second,
                 "  h: {type: ancf_plate, material: m, thickness: %g*U, corner: v(%g, 0, 0), "
                 "x: v(%g, 0, 0), y: v(0, %g, 0), elements: [8, 16]}\n",
                 0.01 * s, s / 2, s / 2, s);
        const size_t n = strlen(joints);
        snprintf(joints + n, sizeof joints - n,
                 "  e4: {type: %s, between: [ground, h.edge.y0]}\n"
                 "  e5: {type: %s, between: [ground, h.edge.y1]}\n"
                 "  seam: {type: clamp, between: [p.edge.x1, h.edge.x0]}\n",
                 type, type);
    }
    turned(k, "g(0, 0, -0.01)", gravity, sizeof gravity);
    snprintf(raw, sizeof raw, plate, k->length, k->mass / k->length, k->mass / pow(k->length, 3),
             gravity, 0.01 * s, halves ? s / 2 : s, s, halves ? 8 : 16, second, joints,
             "\"p.node(8,8)\"");
    turned(k, raw, text, sizeof text);
    verify_text(&v, text, NULL);
    verify_static(&v);
    near_rel_named("deflection", -along(&v, k, "w", 0, 0, 1) / k->length,
                   coefficient * q * pow(s, 4) / D, 1e-2);
    double sum = 0;
    for (int e = 0; e < 4 && !halves; e++) {
        char name[3] = {'r', (char)('0' + e), 0};
        sum -= along(&v, k, name, 0, 0, 1);
    }
    if (!halves) {
        near_rel_named("weight", sum, q * s * s * k->mass * k->length, 1e-8);
    }
    verify_close(&v);
}

static void plates_on_edges(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < GOS_COUNT(settings); i++) {
        plate_case(&settings[i], "clamp", 0.001265, 1, false);
        plate_case(&settings[i], "spherical", 0.004062, 1, false);
    }
    plate_case(&settings[0], "clamp", 0.001265, 2, false);
    plate_case(&settings[0], "clamp", 0.001265, 1, true);
    plate_case(&settings[0], "spherical", 0.004062, 1, true);
}

static const char on_two_edges[] =
    "materials: {m: {density: 1000*rho, young: 1.0e9*Pa, poisson: 0.3}}\n"
    "bodies:\n"
    "  p: {type: ancf_plate, material: m, thickness: 0.002*s*U, corner: v(0, 0, 0), x: v(1, 0, "
    "0),\n"
    "      y: v(0, 1, 0), elements: [16, 16]}\n"
    "joints:\n"
    "  a: {type: %s, between: [ground, p.edge.x0]}\n"
    "  b: {type: %s, between: [ground, p.edge.y0]}\n";

/* Square plate on two adjacent edges, the others free: omega a^2 (rho h/D)^(1/2). Leissa (J. Sound
   Vib. 31, 1973) has 6.942 and 24.03 for two clamped, 3.369 and 17.41 for two hinged edges, by
   Ritz's method and so from above. */
static void plates_on_adjacent_edges(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *type;
        double leissa[2];
    } cases[] = {{"clamp", {6.942, 24.03}}, {"spherical", {3.369, 17.41}}};
    for (int i = 0; i < GOS_COUNT(settings) + 1; i++) {
        const setting *k = &settings[i % GOS_COUNT(settings)];
        const double thickness = i < GOS_COUNT(settings) ? 0.002 : 0.004;
        for (int c = 0; c < GOS_COUNT(cases); c++) {
            char text[3000];
            verify v;
            gos_linear *linear = NULL;
            gos_mode mode[2];
            int found = 0;
            snprintf(text, sizeof text, on_two_edges, cases[c].type, cases[c].type);
            open_set(&v, k, text, thickness > 0.003 ? "s=2" : NULL);
            verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
            verify_good(&v, gos_linear_modes(v.ctx, linear, 2, false, mode, &found));
            for (int m = 0; m < 2; m++) {
                const double unit = sqrt(1e9 * thickness * thickness / 12 / 0.91 / 1000);
                const double got = mode[m].omega / unit;
                print_message("%s %d: %.4f (Ritz %.4f)\n", cases[c].type, m + 1, got,
                              cases[c].leissa[m]);
                assert_true(got <= cases[c].leissa[m] && got >= 0.99 * cases[c].leissa[m]);
            }
            gos_linear_destroy(linear);
            verify_close(&v);
        }
    }
}

/* Two strips (nu = 0) that meet at an angle, bent by a moment M per length of the far edge: both
   turn by M/B, for any angle; the first sinks by M/2B, the second continues from there. */
static const char fold[] =
    "parameters: {X: %g, Z: %g}\n"
    "materials: {m: {density: 2000, young: 1.0e8, poisson: 0}}\n"
    "bodies:\n"
    "  a: {type: ancf_plate, material: m, thickness: 0.02, corner: [0, 0, 0], x: [1, 0, 0],\n"
    "      y: [0, 0.5, 0], elements: [8, 4]}\n"
    "  c: {type: ancf_plate, material: m, thickness: 0.02, corner: [1, 0, 0], x: [X, 0, Z],\n"
    "      y: [0, 0.5, 0], elements: [8, 4]}\n"
    "joints:\n"
    "  r: {type: clamp, between: [ground, a.edge.x0]}\n"
    "  j: {type: clamp, between: [a.edge.x1, c.edge.x0]}\n"
    "loads: {bend: {type: edge_moment, on: c.edge.x1, moment: 0.01}}\n"
    "probes:\n"
    "  tip: {at: \"c.node(8,2)\", quantity: displacement}\n"
    "  M: {joint: j, quantity: joint_moment}\n"
    "  Mj: {joint: j, quantity: joint_moment, frame: joint}\n"
    "analysis: {type: static}\n";

static void folded_plates(void **state) {
    GOS_UNUSED(state);
    static const double side[][2] = {{0, 1}, {0.6, 0.8}, {1, 0}, {-0.6, 0.8}};
    const double turn = 0.01 / (1e8 * 8e-6 / 12);
    for (int i = 0; i < GOS_COUNT(side); i++) {
        const double X = side[i][0], Z = side[i][1];
        char text[3000];
        double y[GOS_PROBE_MAX], u[3] = {1.5 * turn * Z, 0, -0.5 * turn - 1.5 * turn * X};
        verify v;
        snprintf(text, sizeof text, fold, X, Z);
        verify_text(&v, text, NULL);
        verify_static(&v);
        verify_probe(&v, NULL, "tip", y);
        for (int c = 0; c < 3; c++) {
            assert_true(fabs(y[c] - u[c]) <= 1e-3 * turn);
        }
        verify_probe(&v, NULL, "M", y);
        assert_true(fabs(y[1] - 0.005) <= 1e-8);
        verify_probe(&v, NULL, "Mj", y); // about y in the plates' axes too
        assert_true(fabs(y[1] - 0.005) <= 1e-8);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pulled_bar),      cmocka_unit_test(bar_on_hub),
        cmocka_unit_test(axial_order),     cmocka_unit_test(frame_corners),
        cmocka_unit_test(bars_in_line),    cmocka_unit_test(folded_plates),
        cmocka_unit_test(plates_on_edges), cmocka_unit_test(plates_on_adjacent_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
