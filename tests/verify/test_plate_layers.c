/* Patches with mass and stiffness on ANCF plates: arcs of layered strips, frequencies, inertia of
   what is off the middle, weight, warmth, the Newton matrix, energy and momentum of a strip that
   turns and swings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "support/newton_matrix.h"
#include "support/suite.h"

#define L 0.2
#define WIDTH 0.02
#define H 1e-3
#define H_P 2e-4
#define E31 (-6.5)
#define EPS 1.3e-8
#define E_S 70e9
#define E_P 60e9

#define HEAD                                                                                       \
    "parameters: {V: 100, nx: 10, ny: 1, h: 1e-3, nu: 0}\n"                                        \
    "materials: {alloy: {density: 2700, young: 70e9, poisson: nu},\n"                              \
    "  pzt: {density: 7800, young: 60e9, poisson: nu}}\n"
#define STRIP                                                                                      \
    HEAD "bodies: {beam: {type: ancf_plate, material: alloy, thickness: h, corner: [0, 0, 0],\n"   \
         "  x: [0.2, 0, 0], y: [0, 0.02, 0], elements: [nx, ny]}}\n"                               \
         "joints: {hold: {type: clamp, between: [ground, beam.edge.x0]}}\n"
#define PATCHES                                                                                    \
    "type: patch, on: beam, thickness: 2e-4, e31: -6.5, e32: 0, along: [1, 0, 0],\n"               \
    "  permittivity: 1.3e-8, material: pzt"
#define TIP "  tip: {at: \"beam.at(0.2,0.01)\", quantity: displacement}"

static void statics(const char *text, const char *settings, verify *v) {
    char model[4000];
    const int n =
        snprintf(model, sizeof model, "%sanalysis: {type: static, newton_tolerance: 1e-6}\n", text);
    assert_true(n < (int)sizeof model);
    verify_text(v, model, settings);
    verify_static(v);
}

/* ---- arcs ------------------------------------------------------------------------------------ */

/* the end of a strip with the same Green strain E and b = n.r_11 everywhere: r_1 has the length s =
   sqrt(1 + 2 E), the curvature of the arc is b / s^2, its angle b L / s */
static void arc(double E, double b, double tip[3]) {
    const double s = sqrt(1 + 2 * E), curvature = b / (s * s), angle = b * L / s;
    tip[0] = sin(angle) / curvature - L;
    tip[1] = 0;
    tip[2] = (1 - cos(angle)) / curvature;
}

/* E I of a core of thickness h between two patches, per width */
static double bending(double h) {
    const double middle = (h + H_P) / 2;
    return E_S * h * h * h / 12 + 2 * E_P * (H_P * H_P * H_P / 12 + H_P * middle * middle);
}

/* Curvature e31 V (h + h_p) / D, small and far round; a charge 2 C V + (e31 (h + h_p))^2 b L V / D;
   equal voltages stretch it by -2 e31 V / (E_s h + 2 E_p h_p). */
static void bimorph(void **state) {
    GOS_UNUSED(state);
    const double D = bending(H), a = E31 * (H + H_P), volts[] = {100, 1.5 / L * D / a};
    for (int i = 0; i < 2; i++) {
        const double curvature = a * volts[i] / D, w = curvature * L * L / 2, tol = i ? 1e-6 : 1e-8,
                     Q = (2 * EPS * L * WIDTH / H_P + a * a * WIDTH * L / D) * volts[i];
        char set[100];
        double want[3], y[3];
        verify v;
        snprintf(set, sizeof set, "nx=%d V=%.17g", i ? 24 : 10, volts[i]);
        statics(STRIP "piezo: {p: {" PATCHES ", channels: {bend: [upper, -lower]}, voltage: V}}\n"
                      "probes: {q: {at: p.bend, quantity: charge}, " TIP "}\n",
                set, &v);
        arc(0, curvature, want);
        verify_probe(&v, NULL, "tip", y);
        verify_near("x", y[0], want[0], tol * fabs(w));
        verify_near("z", y[2], want[2], tol * fabs(w));
        verify_near("charge", verify_value(&v, NULL, "q.value"), Q, tol * fabs(Q));
        verify_close(&v);
    }
    const double green = -2 * E31 * 100 / (E_S * H + 2 * E_P * H_P);
    verify v;
    statics(STRIP "piezo: {p: {" PATCHES ", channels: joined, voltage: V}}\nprobes: {" TIP "}\n",
            NULL, &v);
    verify_near("stretch", verify_value(&v, NULL, "tip.x"), (sqrt(1 + 2 * green) - 1) * L,
                1e-9 * green * L);
    verify_near("no bending", verify_value(&v, NULL, "tip.z"), 0, 1e-9 * green * L);
    verify_close(&v);
}

/* A core that vanishes leaves the curvature 6 e31 V / (E H^2) of a strip of thickness H = 2 h_p, w
   = 3 e31 V L^2 / (E H^2), to first order in h / h_p */
static void no_core(void **state) {
    GOS_UNUSED(state);
    const double coreless = 3 * E31 * 100 * L * L / (E_P * 4 * H_P * H_P);
    double last = 0;
    for (double h = 1e-5; h > 5e-8; h /= 10) {
        char set[60];
        double want[3], none[3], y[3];
        verify v;
        snprintf(set, sizeof set, "h=%.17g nx=20", h);
        statics(STRIP "piezo: {p: {" PATCHES ", channels: bimorph, voltage: V}}\n"
                      "probes: {" TIP "}\n",
                set, &v);
        arc(0, E31 * 100 * (h + H_P) / bending(h), want);
        arc(0, 2 * coreless / (L * L), none);
        verify_probe(&v, NULL, "tip", y);
        const double off = 1 - y[2] / none[2];
        print_message("    h / h_p %.0e: %.3e off\n", h / H_P, off);
        verify_near("tip", y[2], want[2], 1e-6 * fabs(want[2]));
        assert_true(last == 0 || fabs(last / off - 10) < 0.5);
        last = off;
        verify_close(&v);
    }
    verify_below("no core", last, 1e-3);
}

/* A layer on one face: A E + C b = -e31 V, C E + B b = e31 V z with A = E_s h + E_p h_p, C = -E_p
   h_p z, B = E_s h^3 / 12 + E_p (h_p^3 / 12
   + h_p z^2), z = (h + h_p) / 2 above and -z below; the charge per area is C V / h_p - e31 (E - z
   b). */
static void one_face(void **state) {
    GOS_UNUSED(state);
    static const char *const faces[] = {"upper", "lower"};
    for (int i = 0; i < (suite_long() ? 4 : 3); i++) { // far: up, in the long form down, too
        const double V = i / 2 ? 3e4 : 100, z = (1 - 2 * (i % 2)) * (H + H_P) / 2,
                     A = E_S * H + E_P * H_P, C = -E_P * H_P * z,
                     B = E_S * H * H * H / 12 + E_P * (H_P * H_P * H_P / 12 + H_P * z * z),
                     f = -E31 * V, det = A * B - C * C, E = (B * f + C * f * z) / det,
                     b = (-A * f * z - C * f) / det;
        char text[3000], set[100];
        double want[3], y[3];
        verify v;
        snprintf(text, sizeof text,
                 STRIP "piezo: {p: {" PATCHES ", faces: %s, channels: joined, voltage: V}}\n"
                       "probes: {q: {at: p, quantity: charge}, " TIP "}\n",
                 faces[i % 2]);
        snprintf(set, sizeof set, "V=%.17g nx=%d", V, i / 2 ? 24 : 10);
        statics(text, set, &v);
        arc(E, b, want);
        const double size = hypot(want[0], want[2]), tol = i / 2 ? 1e-6 : 1e-8;
        assert_true(i / 2 == 0 || fabs(b * L) > 0.5);
        verify_probe(&v, NULL, "tip", y);
        verify_near("x", y[0], want[0], tol * size);
        verify_near("z", y[2], want[2], tol * size);
        const double q = EPS * L * WIDTH / H_P * V - E31 * WIDTH * L * (E - z * b);
        verify_near("charge", verify_value(&v, NULL, "q.value"), q, tol * fabs(q));
        verify_close(&v);
    }
}

/* Patches of the plate's own material on both faces make a thicker plate, turned far by a force, of
 * rectangles and of other shapes. */
static void thicker_plate(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {m: {density: 2700, young: 70e9, poisson: 0.3}}\n"
        "bodies: {beam: {type: ancf_plate, material: m, thickness: %g, corners: [[0, 0, 0],\n"
        "  [0.2, 0, 0], [%g, 0.05, 0], [0, 0.05, 0]], elements: [6, 2]}}\n"
        "joints: {hold: {type: clamp, between: [ground, beam.edge.x0]}}\n"
        "loads: {f: {type: force, on: beam.corner(2), value: [0, 5, 40]}}\n%s"
        "probes: {tip: {at: beam.corner(2), quantity: displacement}}\n";
    for (int i = 0; i < 2; i++) {
        char text[3000];
        double layered[3], want[3];
        verify v;
        snprintf(text, sizeof text, model, 1e-3, i ? 0.17 : 0.2,
                 "piezo: {p: {type: patch, on: beam, thickness: 2.5e-4, e31: -6.5, permittivity: "
                 "1.3e-8, material: m}}\n");
        statics(text, NULL, &v);
        verify_probe(&v, NULL, "tip", layered);
        verify_close(&v);
        snprintf(text, sizeof text, model, 1.5e-3, i ? 0.17 : 0.2, "");
        statics(text, NULL, &v);
        verify_probe(&v, NULL, "tip", want);
        verify_close(&v);
        print_message("    %g, %g, %g m\n", want[0], want[1], want[2]);
        assert_true(want[2] > 0.03);
        verify_below("layers", verify_distance(layered, want) / want[2], 1e-8);
    }
}

/* ---- inertia --------------------------------------------------------------------------------- */

static double lowest(const char *text, const char *settings, int n, gos_mode *mode) {
    gos_linear *linear;
    int found;
    verify v;
    verify_text(&v, text, settings);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    verify_good(&v, gos_linear_modes(v.ctx, linear, n, false, mode, &found));
    assert_int_equal(found, n);
    gos_linear_destroy(linear);
    verify_close(&v);
    return mode[0].omega;
}

/* omega = 1.8751^2 sqrt(D / (m L^4)), on one face D - C^2 / A about the neutral axis; and the six
   lowest modes of the floating shell with the same layers and Poisson's ratio 0.3. The fifth is
   torsion, which free edges of Mindlin's shells make softer by 0.63 h / b of the stiffness, those
   of Kirchhoff's plates do not (h / b is 0.06 and 0.07). */
static void frequencies(void **state) {
    GOS_UNUSED(state);
    static const char shell[] =
        HEAD "meshes: {strip: {type: rectangle, size: [0.2, 0.02], cells: [nx, ny]}}\n"
             "bodies: {beam: {type: floating, mesh: strip, material: alloy, element: shell,\n"
             "  thickness: 1e-3, reference: clamped, at: left}}\n"
             "joints: {hold: {type: clamp, between: [ground, beam.frame]}}\n";
    const char *fine = suite_long() ? "nx=120 ny=12 nu=0.3" : "nx=120 ny=6 nu=0.3";
    for (int both = 0; both < 2; both++) {
        const double z = (H + H_P) / 2, own = E_P * (H_P * H_P * H_P / 12 + H_P * z * z),
                     A = E_S * H + E_P * H_P, C = E_P * H_P * z, plate = E_S * H * H * H / 12,
                     D = both ? plate + 2 * own : plate + own - C * C / A,
                     m = 2700 * H + (1 + both) * 7800 * H_P,
                     want = 1.875104068711961 * 1.875104068711961 / (L * L) * sqrt(D / m);
        char text[3000], patches[500];
        gos_mode mode[6], as[6];
        snprintf(patches, sizeof patches, "piezo: {p: {" PATCHES ", faces: [%s]}}\n",
                 both ? "upper, lower" : "lower");
        snprintf(text, sizeof text, STRIP "%s", patches);
        const double omega = lowest(text, "nx=20", 1, mode);
        verify_near("slender", omega, want, 1e-4 * want);
        if (both && !suite_long()) {
            break; // one face has all terms of two and the coupling
        }
        lowest(text, "nx=30 ny=4 nu=0.3", 6, mode);
        snprintf(text, sizeof text, "%s%s", shell, patches);
        lowest(text, fine, 6, as);
        for (int k = 0; k < 6; k++) {
            verify_near("as shells [Hz]", mode[k].frequency, as[k].frequency,
                        (k == 4 ? 2.5e-2 : 3e-3) * as[k].frequency);
        }
    }
}

/* Heavy soft layers off the middle of a short, narrow pinned strip: omega^2 = D k^4 / (m + I k^2)
   with m = rho h + 2 rho_p h_p, I = 2 rho_p h_p (z^2 + h_p^2 / 12), k = pi / l: I k^2 / m is 1e-2,
   and of that the patch's own part is 13 %. */
static void rotary_inertia(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {alloy: {density: 2700, young: 70e9, poisson: 0},\n"
        "  pzt: {density: 8000, young: 1, poisson: 0}}\n"
        "bodies: {beam: {type: ancf_plate, material: alloy, thickness: 1e-3, corner: [0, 0, 0],\n"
        "  x: [0.05, 0, 0], y: [0, 0.002, 0], elements: [20, 1]}}\n"
        "joints: {a: {type: spherical, between: [ground, beam.corner(1)]},\n"
        "  b: {type: point_on_plane, between: [beam.corner(2), ground], normal: [0, 0, 1]},\n"
        "  c: {type: point_on_plane, between: [beam.corner(3), ground], normal: [0, 0, 1]},\n"
        "  d: {type: point_on_line, between: [beam.corner(4), ground], direction: [0, 1, 0]}}\n"
        "piezo: {p: {type: patch, on: beam, thickness: 2e-3, e31: -6.5, permittivity: 1.3e-8,\n"
        "  material: pzt}}\n";
    const double k = M_PI / 0.05, m = 2.7 + 2 * 16, own = 16 * 4e-6 / 12,
                 I = 2 * (16 * 1.5e-3 * 1.5e-3 + own), D = E_S * 1e-9 / 12,
                 want = k * k * sqrt(D / (m + I * k * k));
    gos_mode mode[2]; // the first one bends it in its plane
    lowest(model, NULL, 2, mode);
    const double omega = mode[1].omega;
    print_message("    rotary inertia %.3e, of it %.3e the patches' own\n", I * k * k / m,
                  2 * own * k * k / m);
    verify_near("omega", omega, want, 3e-5 * want); // of second order in the cells
    assert_true(I * k * k / m > 9e-3 && own * k * k / m > 5e-4);
}

/* What weighs off the middle bends a strip along which gravity acts: the potential -m g z n_x per
   area is a force -m g z per width at its end, w = -m g z l^3 / (3 D); of second order, as normals
   are linear in elements. */
static void weight(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {nx: 10}\n"
        "materials: {alloy: {density: 1, young: 70e9, poisson: 0},\n"
        "  pzt: {density: 7800, young: 1, poisson: 0}}\n"
        "gravity: [0.01, 0, 0]\n"
        "bodies: {beam: {type: ancf_plate, material: alloy, thickness: 1e-3, corner: [0, 0, 0],\n"
        "  x: [0.2, 0, 0], y: [0, 0.02, 0], elements: [nx, 1]}}\n"
        "joints: {hold: {type: clamp, between: [ground, beam.edge.x0]}}\n"
        "piezo: {p: {type: patch, on: beam, thickness: 2e-4, e31: -6.5, permittivity: 1.3e-8,\n"
        "  material: pzt, faces: %s}}\nprobes: {" TIP "}\n";
    static const char *const fine[] = {"nx=10", "nx=20"};
    for (int lower = 0; lower < 2; lower++) {
        const double z = (1 - 2 * lower) * 6e-4,
                     want = -7800 * 2e-4 * 0.01 * z * L * L * L / (3 * E_S * 1e-9 / 12);
        char text[2000];
        double w[2];
        snprintf(text, sizeof text, model, lower ? "lower" : "upper");
        for (int i = 0; i < 2; i++) {
            verify v;
            statics(text, fine[i], &v);
            w[i] = verify_value(&v, NULL, "tip.z");
            verify_close(&v);
        }
        verify_below("off", (w[1] - want) / want, 1e-3);
        verify_near("tip", (4 * w[1] - w[0]) / 3, want, 5e-6 * fabs(want));
    }
}

#define FREE                                                                                       \
    "materials: {alloy: {density: 2700, young: 7e8, poisson: 0.3},\n"                              \
    "  pzt: {density: 7800, young: 6e8, poisson: 0.2}}\n"                                          \
    "gravity: [0, 0, 0]\n"                                                                         \
    "bodies: {beam: {type: ancf_plate, material: alloy, thickness: 1e-3, corner: [0, 0, 0],\n"     \
    "  x: [0.2, 0, 0], y: [0, 0.06, 0], elements: [4, 2]}}\n"                                      \
    "piezo: {p: {type: patch, on: \"beam.range(0,0.1,0,0.06)\", thickness: 1e-3, e31: -6.5,\n"     \
    "  permittivity: 1.3e-8, material: pzt, faces: upper, channels: joined%s}}\n"

/* Of what turns as a piece with the rate w: w^T J w / 2, J that of the middle of the plate and of
   layers at (x, y, z) with normals that turn, about the corner where the axes begin. */
static void rigid_spin(void **state) {
    GOS_UNUSED(state);
    static const double w[3] = {3, -5, 2};
    char text[2000];
    double y[GOS_PROBE_MAX], want = 0;
    const double m[2] = {2.7, 7.8}, z[2] = {0, 1e-3}, l[2] = {0.2, 0.1}, b = 0.06;
    for (int i = 0; i < 2; i++) { // |w x (x, y, z)|^2 over the rectangle l x b, h^2 / 12 |w x n|^2
        const double A = l[i] * b, xx = l[i] * l[i] / 3, yy = b * b / 3, xy = l[i] * b / 4,
                     x = l[i] / 2, yb = b / 2, zz = z[i] * z[i];
        const double v[3] = {w[1] * w[1] * zz - 2 * w[1] * w[2] * z[i] * yb + w[2] * w[2] * yy,
                             w[2] * w[2] * xx - 2 * w[2] * w[0] * x * z[i] + w[0] * w[0] * zz,
                             w[0] * w[0] * yy - 2 * w[0] * w[1] * xy + w[1] * w[1] * xx};
        want += m[i] * A / 2 * (v[0] + v[1] + v[2]);
        want += i * m[i] * A / 2 * 1e-6 / 12 * (w[0] * w[0] + w[1] * w[1]);
    }
    verify v;
    snprintf(text, sizeof text,
             FREE "initial: {beam: {angular_velocity: [3, -5, 2], about: [0, 0, 0]}}\n"
                  "probes: {E: {quantity: energy}}\nanalysis: {end: 1e-3, step: 1e-4}\n",
             "");
    verify_text(&v, text, NULL);
    verify_start(&v);
    verify_probe(&v, NULL, "E", y);
    verify_near("kinetic energy", verify_value(&v, NULL, "E.kinetic"), want, 1e-11 * want);
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        assert_null(strstr(gos_ctx_diag(v.ctx, i)->text, "initial velocities"));
    }
    verify_close(&v);
}

static double norm(const double x[3]) {
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* A free strip with a layer on half of one face that turns by some radians while it swings far: its
   energy and what it moves and turns with stay, to second order in the step. */
static void free_motion(void **state) {
    GOS_UNUSED(state);
    static const char *const steps[] = {"step=2e-4", "step=1e-4"};
    double drift[2], most[2];
    char text[2000];
    snprintf(text, sizeof text,
             "parameters: {step: 1e-3, F: 0.2, t_end: %g}\n" FREE
             "initial: {beam: {angular_velocity: [6, -9, 4]}}\n"
             "loads: {f: {type: force, on: beam.corner(2), value: [0, 0, "
             "\"F*(1-cos(100*pi*t))*(t<0.02)\"]}}\n"
             "probes: {E: {quantity: energy}, a: {at: beam.corner(1), quantity: displacement}}\n"
             "analysis: {end: t_end, step: step}\n",
             suite_long() ? 0.3 : 0.2, "");
    for (int i = 0; i < 2; i++) {
        verify v;
        double first = 0, p0[6] = {0}, p[6], strain = 0, y[3], far = 0;
        drift[i] = most[i] = 0;
        verify_text(&v, text, steps[i]);
        verify_start(&v);
        while (gos_state_time(v.state) < v.opt.end - 1e-9) {
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
            const double now =
                verify_value(&v, NULL, "E.kinetic") + verify_value(&v, NULL, "E.strain");
            gos_system_momentum(v.sys, v.state, p, p + 3);
            if (gos_state_time(v.state) < 0.0205) {
                first = now;
                memcpy(p0, p, sizeof p);
                continue;
            }
            verify_probe(&v, NULL, "a", y);
            far = fmax(far, norm(y));
            strain = fmax(strain, verify_value(&v, NULL, "E.strain"));
            drift[i] = fmax(drift[i], fabs(now - first) / first);
            for (int k = 0; k < 6; k++) {
                most[i] = fmax(most[i], fabs(p[k] - p0[k]) / (k < 3 ? norm(p0) : norm(p0 + 3)));
            }
        }
        print_message("    of %.3g J up to %.3g J in strain; a corner moves by %.2g m\n", first,
                      strain, far);
        assert_true(strain > 0.02 * first && far > 0.1);
        verify_close(&v);
    }
    print_message("    energy %.2e, %.2e; momentum %.2e, %.2e\n", drift[0], drift[1], most[0],
                  most[1]);
    verify_below("energy", drift[1], 1e-3);
    verify_below("momentum", most[1], 1e-5);
    verify_within("order", verify_order(drift[0], drift[1], 2), 1.7, 4);
    verify_within("order", verify_order(most[0], most[1], 2), 1.7, 4);
}

/* ---- warmth ---------------------------------------------------------------------------------- */

#define WARM                                                                                       \
    "materials: {alloy: {density: 2700, young: 70e9, poisson: 0, expansion: 2e-5,\n"               \
    "    conductivity: 100, specific_heat: 900},\n"                                                \
    "  pzt: {density: 7800, young: 60e9, poisson: 0, expansion: 4e-6, conductivity: 1.5,\n"        \
    "    specific_heat: 420}}\n"                                                                   \
    "bodies: {beam: {type: ancf_plate, material: alloy, thickness: 1e-3, corner: [0, 0, 0],\n"     \
    "  x: [0.2, 0, 0], y: [0, 0.004, 0], elements: [10, 1]}}\n"

/* A layer that expands less bends the strip like a bimetal, also by a gradient, of which its middle
   is t = T + z T_z warm: A E + C b = N, C E + B b = M with N = E_s h a T + E_p h_p a_p t, M = -E_s
   h^3 / 12 a T_z - z E_p h_p a_p t - E_p h_p^3 / 12 a_p T_z. Edges that are clamped across keep the
   width, which nu = 0 does not mind. */
static void bimetal(void **state) {
    GOS_UNUSED(state);
    static const char model[] = WARM
        "joints: {hold: {type: spherical, between: [ground, beam.corner(1)]},\n"
        "  b: {type: point_on_line, between: [beam.corner(4), ground], direction: [0, 1, 0]},\n"
        "  c: {type: point_on_plane, between: [beam.corner(2), ground], normal: [0, 0, 1]}}\n"
        "heat: {up: {type: convection, coefficient: 1e9, ambient: %g, on: beam.top},\n"
        "  low: {type: convection, coefficient: 1e9, ambient: %g, on: beam.bottom}}\n"
        "piezo: {p: {" PATCHES ", faces: upper}}\n"
        "probes: {mid: {at: \"beam.at(0.1,0)\", quantity: displacement},\n"
        "  end: {at: \"beam.corner(2)\", quantity: displacement}}\n";
    static const double faces[3][2] = {{10, 10}, {4, -4}, {20, 2}};
    for (int i = 0; i < 3; i++) {
        const double T = (faces[i][0] + faces[i][1]) / 2, Tz = (faces[i][0] - faces[i][1]) / H,
                     z = (H + H_P) / 2, t = T + z * Tz, A = E_S * H + E_P * H_P, C = -E_P * H_P * z,
                     b0 = E_S * H * H * H / 12, own = E_P * H_P * H_P * H_P / 12,
                     B = b0 + own + E_P * H_P * z * z,
                     N = E_S * H * 2e-5 * T + E_P * H_P * 4e-6 * t,
                     M = -b0 * 2e-5 * Tz - z * E_P * H_P * 4e-6 * t - own * 4e-6 * Tz,
                     det = A * B - C * C, E = (B * N - C * M) / det, b = (A * M - C * N) / det;
        char text[3000];
        verify v;
        snprintf(text, sizeof text, model, faces[i][0], faces[i][1]);
        statics(text, NULL, &v);
        verify_near("sag", verify_value(&v, NULL, "mid.z"), -b * L * L / 8, 2e-4 * fabs(b * L * L));
        const double s = sqrt(1 + 2 * E), chord = 2 * sin(b * L / (2 * s)) * s * s / b;
        verify_near("stretch", verify_value(&v, NULL, "end.x"), chord - L, 1e-4 * 2e-5 * 10 * L);
        verify_close(&v);
    }
}

/* Layers store heat and lead it: rho c h + 2 rho_p c_p h_p per area; steady flux along the strip
   meets k h + 2 k_p h_p, that through it k h / h^2 + what layers lead through, in T_z; a gradient
   decays by its capacity rho c h^3 / 12 + 2 rho_p c_p (h_p^3 / 12 + h_p z^2). */
static void heated(void **state) {
    GOS_UNUSED(state);
    static const char even[] = WARM "heat: {q: {type: flux, on: beam.top, value: 1000}}\n"
                                    "piezo: {p: {" PATCHES "}}\n"
                                    "probes: {T: {at: beam.corner(3), quantity: temperature}}\n"
                                    "analysis: {end: 20, step: 0.5}\n";
    static const char across[] = WARM "heat: {q: {type: flux, on: beam.top, value: 1000},\n"
                                      "  r: {type: flux, on: beam.bottom, value: -1000}}\n"
                                      "piezo: {p: {" PATCHES ", faces: %s}}\n"
                                      "probes: {T: {at: beam.corner(3), quantity: temperature}}\n"
                                      "analysis: {end: %.17g, step: %.17g}\n";
    static const char along[] =
        WARM "joints: {hold: {type: clamp, between: [ground, beam.edge.x0]}}\n"
             "heat: {q: {type: flux, on: beam.top, value: 1000},\n"
             "  cold: {type: temperature, on: [beam.corner(1), beam.corner(4)], value: 0}}\n"
             "piezo: {p: {" PATCHES "}}\nprobes: {T: {at: beam.corner(3), quantity: temperature}}\n"
             "analysis: {type: static}\n";
    const double capacity = 2700 * 900 * H + 2 * 7800 * 420 * H_P, lead = 100 * H + 2 * 1.5 * H_P,
                 z = (H + H_P) / 2, through = lead,
                 turned = 2700 * 900 * H * H * H / 12 +
                          2 * 7800 * 420 * (H_P * H_P * H_P / 12 + H_P * z * z);
    double y[GOS_PROBE_MAX];
    verify v;
    // without expansion, so that nothing moves
    verify_text(&v, even, "materials.alloy.expansion=0 materials.pzt.expansion=0");
    verify_run(&v);
    verify_probe(&v, NULL, "T", y);
    verify_near("mean", y[0], 1000 * 20 / capacity, 1e-6);
    verify_near("gradient", y[1], 1000 * H / 2 / through, 1e-6 * 1000 * H / 2 / through);
    verify_close(&v);
    for (int one = 0; one < 2; one++) {
        char text[3000];
        const double tau = turned / through;
        snprintf(text, sizeof text, across, one ? "upper" : "[upper, lower]", tau, tau / 200);
        verify_text(&v, text, NULL);
        verify_run(&v);
        verify_probe(&v, NULL, "T", y);
        if (one) { // what flows through moves heat into the layer
            gos_heat heat;
            gos_system_heat(v.sys, v.state, &heat);
            const double layer = 7800 * 420 * H_P,
                         want = -layer * z * y[1] / (2700 * 900 * H + layer);
            verify_near("mean", y[0], want, 1e-9 * fabs(want));
            verify_below("stored", heat.stored, 1e-12);
        } else {
            const double want = 1000 * H / through * (1 - exp(-1));
            verify_near("gradient in time", y[1], want, 1e-5 * want);
        }
        verify_close(&v);
    }
    verify_text(&v, along, NULL);
    verify_static(&v);
    verify_probe(&v, NULL, "T", y);
    verify_near("along", y[0], 1000 * L * L / (2 * lead), 1e-6 * 1000 * L * L / (2 * lead));
    verify_close(&v);
}

/* ---- derivatives, refusals ------------------------------------------------------------------- */

/* everything at once: one face and both, damping, heat of strains and of damping, weight */
static const char all[] =
    "materials: {alloy: {density: 2700, young: 7e4, poisson: 0.3, expansion: 2e-3,\n"
    "    conductivity: 100, specific_heat: 900, damping: {normal: 0.3, shear: 0.2}},\n"
    "  pzt: {density: 7800, young: 6e4, poisson: 0.2, expansion: 4e-3, conductivity: 1.5,\n"
    "    specific_heat: 420, damping: {normal: 0.1, shear: 0.4}}}\n"
    "gravity: [1, 2, 3]\n"
    "bodies: {beam: {type: ancf_plate, material: alloy, thickness: 0.05, corner: [0, 0, 0],\n"
    "  x: [1, 0, 0], y: [0, 0.6, 0], elements: [2, 1]}}\n"
    "piezo: {p: {type: patch, on: beam.cell(0), thickness: 0.1, e31: -6.5, permittivity: 1.3e-2,\n"
    "    faces: upper, material: pzt},\n"
    "  b: {type: patch, on: beam.cell(1), thickness: 0.02, e31: -6.5, permittivity: 1.3e-2,\n"
    "    channels: bimorph, material: pzt}}\n"
    "analysis: {thermoelastic_heat: true, viscous_heating: true, end: 1}\n"
    "reference_temperature: 300\n";

static void newton_matrix(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, all, NULL);
    check_newton_matrix(v.sys, "layers", 3, true);
    verify_close(&v);
}

/* Heat of a layer on one face that is strained evenly, by a voltage: into T what strain and damping
   make, zeta times that of damping into T_z, which conduction k h evens out: c_0 T + c_1 T_z = q,
   c_1 T + c_2 T_z + k h int T_z dt = z q with the moments c of rho c. Of strain q = -T_ref a_p (A_p
   E - z A_p b), T being known from q alone once T_z is 0. */
static void heat_of_strain(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "reference_temperature: 300\n"
        "materials: {alloy: {density: 2700, young: 70e9, poisson: 0, conductivity: 0.1,\n"
        "    specific_heat: 900},\n"
        "  pzt: {density: 7800, young: 60e9, poisson: 0, expansion: %s, conductivity: 0.1,\n"
        "    specific_heat: 420%s}}\n"
        "bodies: {beam: {type: ancf_plate, material: alloy, thickness: 1e-3, corner: [0, 0, 0],\n"
        "  x: [0.2, 0, 0], y: [0, 0.004, 0], elements: [4, 1]}}\n"
        "joints: {hold: {type: clamp, between: [ground, beam.edge.x0]}}\n"
        "piezo: {p: {" PATCHES ", faces: upper, channels: joined, voltage: \"%s\"}}\n"
        "probes: {e: {at: \"beam.at(0.1,0.002)\", quantity: strain}, E: {quantity: energy},\n"
        "  b: {at: \"beam.at(0.1,0.002)\", quantity: curvature}}\n"
        "analysis: {end: %g, step: %g, %s: true}\n";
    const double z = (H + H_P) / 2, c0 = 2430e3 * H + 3276e3 * H_P, c1 = 3276e3 * H_P * z,
                 c2 = 2430e3 * H * H * H / 12 + 3276e3 * (H_P * H_P * H_P / 12 + H_P * z * z),
                 k = 0.1 * (H + H_P);
    for (int damped = 0; damped < 2; damped++) {
        char text[3000];
        double T[2] = {0}, e[GOS_PROBE_MAX], b[GOS_PROBE_MAX], last = 0, sum = 0;
        verify v;
        snprintf(text, sizeof text, model, damped ? "0" : "4e-5",
                 damped ? ", damping: {normal: 1e-3, shear: 1e-3}" : "",
                 damped ? "200*sin(20*t)" : "500*(1-cos(pi*min(t,0.5)/0.5))", damped ? 0.3 : 60.0,
                 damped ? 1e-3 : 0.02, damped ? "viscous_heating" : "thermoelastic_heat");
        verify_text(&v, text, NULL);
        verify_start(&v);
        while (gos_state_time(v.state) < v.opt.end - 1e-9) {
            const double before = gos_state_time(v.state);
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
            memset(T, 0, sizeof T); // means of what is linear between the nodes
            for (int i = 0; i < 10; i++) {
                const double part = i % 5 == 0 || i % 5 == 4 ? 1.0 / 16 : 1.0 / 8;
                T[0] += part * v.state->th[2 * i];
                T[1] += part * v.state->th[2 * i + 1];
            }
            sum += (gos_state_time(v.state) - before) * (last + T[1]) / 2;
            last = T[1];
        }
        verify_probe(&v, NULL, "e", e);
        verify_probe(&v, NULL, "b", b);
        const double q = damped ? verify_value(&v, NULL, "E.dissipated") / (L * 0.004)
                                : -300 * 4e-5 * E_P * H_P * (e[0] + e[1] - z * (b[0] + b[1]));
        print_message("    q %g J/m^2, T %g K, T_z %g K/m\n", q, T[0], T[1]);
        verify_near("into T", c0 * T[0] + c1 * T[1], q, 3e-4 * fabs(q));
        if (damped) {
            verify_near("into T_z", c1 * T[0] + c2 * T[1] + k * sum, z * q, 1e-3 * z * fabs(q));
        }
        verify_close(&v);
    }
}

/* what strain and damping heat, and what warmth does to strain, come to one sum: a layer on one
 * face of a strip that swings */
static void warm_motion(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {step: 1e-4, n: 4, t_end: 0.04}\n"
        "materials: {alloy: {density: 2700, young: 7e9, poisson: 0.3, expansion: 2e-4,\n"
        "    conductivity: 100, specific_heat: 900, damping: {normal: 1e-4, shear: 1e-4}},\n"
        "  pzt: {density: 7800, young: 6e9, poisson: 0.2, expansion: 1e-4, conductivity: 1.5,\n"
        "    specific_heat: 420, damping: {normal: 2e-4, shear: 2e-4}}}\n"
        "bodies: {beam: {type: ancf_plate, material: alloy, thickness: 1e-3, corner: [0, 0, 0],\n"
        "  x: [0.2, 0, 0], y: [0, 0.02, 0], elements: [n, 1]}}\n"
        "joints: {hold: {type: clamp, between: [ground, beam.edge.x0]}}\n"
        "piezo: {p: {" PATCHES ", faces: upper, channels: joined,\n"
        "  voltage: \"4e3*(1-cos(200*t))*(t<0.01*pi)\"}}\n"
        "probes: {E: {quantity: energy}, " TIP "}\n"
        "analysis: {end: t_end, step: step, thermoelastic_heat: true, viscous_heating: true}\n";
    static const char *const steps[2][2] = {
        {"step=4e-4", "step=2e-4"}, {"step=2e-4 n=6 t_end=0.06", "step=1e-4 n=6 t_end=0.06"}};
    double off[2] = {0};
    for (int i = 0; i < 2; i++) {
        double most = 0;
        verify v;
        verify_text(&v, model, steps[suite_long() != 0][i]);
        verify_start(&v);
        while (gos_state_time(v.state) < v.opt.end) {
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
            most = fmax(most, fabs(verify_value(&v, NULL, "tip.z")));
        }
        const double work = verify_value(&v, NULL, "E.work");
        off[i] = fabs(verify_value(&v, NULL, "E.balance") / work);
        print_message("    tip %g m, work %g J, dissipated %g J, thermal work %g J\n", most, work,
                      verify_value(&v, NULL, "E.dissipated"),
                      verify_value(&v, NULL, "E.thermal_work"));
        verify_close(&v);
    }
    print_message("    balance %.2e, %.2e\n", off[0], off[1]);
    const double bound = suite_long() ? 1e-3 : 4e-3; // of second order
    assert_true(off[0] < 4 * bound && off[1] < bound);
}

static void refused(const char *model, bool reduce, const char *why) {
    gos_model *m = NULL;
    gos_system *sys = NULL, *small = NULL;
    gos_ctx *ctx = gos_ctx_create();
    gos_status status = gos_model_parse(ctx, model, strlen(model), "test.yaml", NULL, &m);
    status = status == GOS_OK ? gos_system_create(ctx, m, &sys) : status;
    if (reduce) {
        assert_int_equal(status, GOS_OK);
        status = gos_reduce(ctx, sys, &small);
    }
    assert_int_not_equal(status, GOS_OK);
    if (!strstr(gos_ctx_message(ctx), why)) {
        fail_msg("'%s' does not say '%s'", gos_ctx_message(ctx), why);
    }
    gos_system_destroy(sys);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

static void refusals(void **state) {
    GOS_UNUSED(state);
    static const char *const methods[] = {"rotation_closed, fields: modes, number: 9",
                                          "rotation_closed, number: 9", "auto, tolerance: 1e-2"};
    for (int i = 0; i < GOS_COUNT(methods); i++) {
        char text[3000];
        snprintf(text, sizeof text,
                 STRIP "piezo: {p: {" PATCHES "}}\nprobes: {" TIP "}\nanalysis: {end: 0.01}\n"
                       "reduction: {method: %s}\n",
                 methods[i]);
        refused(text, true, "give the patches `own: none`, or run the full model");
    }
    refused("materials: {m: {density: 2700, young: 70e9, poisson: 0, conductivity: 1, "
            "specific_heat: 1},\n"
            "  pzt: {density: 7800, young: 60e9, poisson: 0}}\n"
            "bodies: {beam: {type: ancf_plate, material: m, thickness: 1e-3, corner: [0, 0, 0],\n"
            "  x: [1, 0, 0], y: [0, 1, 0], elements: [1, 1]}}\n"
            "piezo: {p: {" PATCHES "}}\n",
            false, "material 'pzt' has no conductivity or specific_heat");
}

/* the mass that patches add is reported, and coordinates of nodes keep their names */
static void told(void **state) {
    GOS_UNUSED(state);
    bool found = false;
    gos_coordinate_info info;
    verify v;
    verify_text(&v, STRIP "piezo: {p: {" PATCHES "}}\n", NULL);
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        found = found || strstr(gos_ctx_diag(v.ctx, i)->text, "patches add 116 % to the mass");
    }
    assert_true(found);
    gos_system_coordinate_info(v.sys, 65, &info);
    assert_string_equal(info.name, "beam.node(21).slope_y");
    gos_system_coordinate_info(v.sys, 66, &info);
    assert_string_equal(info.name, "beam.coordinate(67)");
    assert_int_equal(gos_system_coordinate_find(v.sys, "beam.coordinate(67)"), 66);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bimorph),       cmocka_unit_test(no_core),
        cmocka_unit_test(one_face),      cmocka_unit_test(thicker_plate),
        cmocka_unit_test(frequencies),   cmocka_unit_test(rotary_inertia),
        cmocka_unit_test(weight),        cmocka_unit_test(rigid_spin),
        cmocka_unit_test(free_motion),   cmocka_unit_test(bimetal),
        cmocka_unit_test(heated),        cmocka_unit_test(heat_of_strain),
        cmocka_unit_test(newton_matrix), cmocka_unit_test(warm_motion),
        cmocka_unit_test(refusals),      cmocka_unit_test(told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
