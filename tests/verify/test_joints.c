/* Joints with an axis: each against another formulation of the same mechanism, on a carrier that
   moves, and against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/vec3.h"
#include "support/suite.h"
#include "support/verify.h"

#define TIMES 8

/* A carrier on a ball joint, turning and swinging, and a body b that moves on it. The axis (1, 2,
   2)/3 has (2, 1, -2)/3 and (2, -2, 1)/3 across it; b is at (0.4, 0.3, 0.2), its points lie along
   these, and one of the carrier along the axis. */
#define STAGE                                                                                      \
    "bodies:\n"                                                                                    \
    "  a: {type: rigid, mass: 3, inertia: [0.3, 0.4, 0.5], position: [0.1, 0.1, 0],\n"             \
    "      points: {rail: [0.2, 0, 0]}}\n"                                                         \
    "  b: {type: rigid, mass: 1, inertia: [0.02, 0.03, 0.04], position: [0.4, 0.3, 0.2],\n"        \
    "      points: {w: [0.1, 0.2, 0.2], u: [0.2, 0.1, -0.2], v: [0.2, -0.2, 0.1]}}\n"              \
    "gravity: [1, -2, -9]\n"                                                                       \
    "initial:\n"                                                                                   \
    "  a: {angular_velocity: [0.7, -1.1, 1.6], about: [0, 0, 0]}\n"                                \
    "  b: {angular_velocity: [0.7, -1.1, 1.6], about: [0, 0, 0]}\n"                                \
    "analysis: {end: 0.8, tolerance: 1e-8}\n"                                                      \
    "probes:\n"                                                                                    \
    "  x: {at: b, quantity: position}\n"                                                           \
    "  r: {at: b, quantity: rotation_vector}\n"                                                    \
    "  w: {at: b, quantity: angular_velocity}\n"                                                   \
    "  xa: {at: a.rail, quantity: position}\n"                                                     \
    "  F: {joint: ball, quantity: joint_force}\n"                                                  \
    "joints:\n"                                                                                    \
    "  ball: {type: spherical, between: [ground, a], at: [0, 0, 0]}\n"

static double apart(const verify *v, const gos_state *x, const verify *u, const gos_state *y,
                    const char *probe) {
    double a[GOS_PROBE_MAX], b[GOS_PROBE_MAX];
    verify_probe(v, x, probe, a);
    verify_probe(u, y, probe, b);
    return verify_distance(a, b);
}

/* two formulations of one mechanism move alike, and press alike on the ground */
static void alike(const char *one, const char *other) {
    static const char *const probes[] = {"x", "r", "w", "xa", "F"};
    static const double size[] = {1, 1, 3, 1, 40};
    verify v, u;
    verify_text(&v, one, NULL);
    verify_text(&u, other, NULL);
    verify_start(&v);
    verify_start(&u);
    double most[5] = {0}, way = 0, first[3], now[3];
    verify_probe(&v, NULL, "x", first);
    for (int k = 1; k <= TIMES; k++) {
        const double t = (suite_long() ? v.opt.end : v.opt.end / 2) * k / TIMES;
        const gos_state *x = verify_at(&v, t), *y = verify_at(&u, t);
        for (int i = 0; i < 5; i++) {
            most[i] = fmax(most[i], apart(&v, x, &u, y, probes[i]) / size[i]);
        }
        verify_probe(&v, x, "x", now);
        way = fmax(way, verify_distance(now, first));
    }
    for (int i = 0; i < 5; i++) {
        verify_below(probes[i], most[i], i == 4 ? 2e-5 : 2e-6);
    }
    assert_true(way > 0.2); // something happens
    verify_close(&v);
    verify_close(&u);
}

static void prismatic(void **state) {
    GOS_UNUSED(state);
    alike(STAGE "  j: {type: prismatic, between: [a, b.node], axis: [1, 2, 2]}\n",
          STAGE "  p: {type: point_on_line, between: [b.node, a], direction: [1, 2, 2]}\n"
                "  q: {type: point_on_line, between: [b.w, a], direction: [1, 2, 2]}\n"
                "  s: {type: point_on_plane, between: [b.u, a], normal: [2, -2, 1]}\n");
}

static void cylindrical(void **state) {
    GOS_UNUSED(state);
    alike(STAGE "  j: {type: cylindrical, between: [a, b.node], axis: [1, 2, 2]}\n",
          STAGE "  p: {type: point_on_line, between: [b.node, a], direction: [1, 2, 2]}\n"
                "  q: {type: point_on_line, between: [b.w, a], direction: [1, 2, 2]}\n");
}

static void planar(void **state) {
    GOS_UNUSED(state);
    alike(STAGE "  j: {type: planar, between: [a, b.node], normal: [1, 2, 2]}\n",
          STAGE "  p: {type: point_on_plane, between: [b.node, a], normal: [1, 2, 2]}\n"
                "  q: {type: point_on_plane, between: [b.u, a], normal: [1, 2, 2]}\n"
                "  s: {type: point_on_plane, between: [b.v, a], normal: [1, 2, 2]}\n");
}

/* run a model with more probes */
static void probed(verify *v, const char *text, const char *probes) {
    char all[6000];
    const char *at = strstr(text, "joints:\n");
    snprintf(all, sizeof all, "%.*s%s%s", (int)(at - text), text, probes, at);
    verify_text(v, all, NULL);
    verify_run(v);
}

/* a cross of next to no mass between two hinges */
static void universal(void **state) {
    GOS_UNUSED(state);
    char text[4000];
    const char cross[] =
        "  c: {type: rigid, mass: 1e-7, inertia: [1e-9, 1e-9, 1e-9], position: [0.5, 0.5, 0.4]}\n"
        "gravity:";
    const char arm[] = "  p: {type: revolute, between: [a, c.node], axis: [2, 1, -2]}\n"
                       "  q: {type: revolute, between: [c.node, b.w], axis: [2, -2, 1]}\n";
    const char *at = strstr(STAGE, "gravity:");
    snprintf(text, sizeof text, "%.*s%s%s%s", (int)(at - STAGE), STAGE, cross,
             at + strlen("gravity:"), arm);
    static const char joint[] = STAGE "  j: {type: universal, between: [a, b.w], axis: [2, 1, -2], "
                                      "second_axis: [2, -2, 1]}\n";
    alike(joint, text);
    verify v, u; // its angles are those of the two hinges
    probed(&v, joint,
           "  j: {joint: j, quantity: joint_coordinates}\n"
           "  jd: {joint: j, quantity: joint_rates}\n");
    probed(&u, text,
           "  p: {joint: p, quantity: joint_coordinates}\n"
           "  q: {joint: q, quantity: joint_coordinates}\n"
           "  pd: {joint: p, quantity: joint_rates}\n");
    const double p = verify_value(&u, NULL, "p.angle"), q = verify_value(&u, NULL, "q.angle");
    assert_true(fabs(p) > 0.1 && fabs(q) > 0.1);
    verify_near("angle of the cross [rad]", verify_value(&v, NULL, "j.angle"), p, 1e-6);
    verify_near("angle of the fork [rad]", verify_value(&v, NULL, "j.second_angle"), q, 1e-6);
    verify_near("rate of the cross [rad/s]", verify_value(&v, NULL, "jd.angle"),
                verify_value(&u, NULL, "pd.angle"), 1e-5);
    verify_close(&v);
    verify_close(&u);
}

/* ---- closed forms ---------------------------------------------------------------------------- */

/* Two shafts at an angle beta: with the cross as here tan(phi) = cos(beta) tan(theta). The second
   shaft is free but for the joint and for the line that its far end is on. */
static void velocity_ratio(void **state) {
    GOS_UNUSED(state);
    const double beta = 0.6, rate = 2, c = cos(beta), s = sin(beta);
    char text[2000];
    snprintf(text, sizeof text,
             "bodies:\n"
             "  one: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.2], position: [0, 0, 0]}\n"
             "  two: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0],\n"
             "        points: {far: [0, %.17g, %.17g]}}\n"
             "joints:\n"
             "  bearing: {type: revolute, between: [ground, one], axis: [0, 0, 1]}\n"
             "  drive: {type: driven_rotation, between: [ground, one], axis: [0, 0, 1], angle: "
             "\"%g*t\"}\n"
             "  j: {type: universal, between: [one.node, two], axis: [1, 0, 0], second_axis: [0, "
             "%.17g, %.17g]}\n"
             "  line: {type: point_on_line, between: [two.far, ground], direction: [0, %.17g, "
             "%.17g]}\n"
             "initial: {one: {angular_velocity: [0, 0, %g]}, two: {angular_velocity: [0, %.17g, "
             "%.17g]}}\n"
             "probes: {w: {at: two, quantity: angular_velocity},\n"
             "         q: {joint: j, quantity: joint_coordinates}}\n"
             "analysis: {end: 2, tolerance: 1e-7}\n",
             s, c, rate, c, -s, s, c, rate, rate * c * s, rate * c * c);
    verify v;
    verify_text(&v, text, NULL);
    verify_start(&v);
    for (int k = 1; k <= 6; k++) {
        const double t = 2.0 * k / 6, theta = rate * t, st = sin(theta);
        const gos_state *x = verify_at(&v, t);
        double w[GOS_PROBE_MAX], want = rate * c / (1 - s * s * st * st);
        verify_probe(&v, x, "w", w);
        verify_near("second shaft, along its axis [rad/s]", w[1] * s + w[2] * c, want, 1e-5);
        assert_true(fabs(w[0]) < 1e-5 && fabs(w[1] * c - w[2] * s) < 1e-5);
    }
    verify_close(&v);
}

#define SLIDE(joint) BODY("{b: {velocity: [0.5, 1, 1]}}", joint)
#define AT_REST(joint) BODY("{}", joint)
#define BODY(initial, joint)                                                                       \
    "bodies:\n"                                                                                    \
    "  b: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 2, 3]}\n"                 \
    "gravity: [0, 0, -9]\n"                                                                        \
    "loads: {m: {type: moment, on: b, moment: [0.1, 0.2, 0.2]}}\n"                                 \
    "initial: " initial "\n"                                                                       \
    "probes:\n"                                                                                    \
    "  q: {joint: j, quantity: joint_coordinates}\n"                                               \
    "  qd: {joint: j, quantity: joint_rates}\n"                                                    \
    "  F: {joint: j, quantity: joint_force}\n"                                                     \
    "  M: {joint: j, quantity: joint_moment}\n"                                                    \
    "analysis: {end: 1.5, tolerance: 1e-6}\n"                                                      \
    "joints: {j: " joint "}\n"

/* on a line along (1, 2, 2)/3 gravity pulls with -6; a moment of 0.3 along it turns with 3
   rad/s^2 */
static void closed_forms(void **state) {
    GOS_UNUSED(state);
    const double t = 1.5, w[3] = {1.0 / 3, 2.0 / 3, 2.0 / 3}, slide = 1.5 * t - 3 * t * t;
    double y[GOS_PROBE_MAX];
    for (int i = 0; i < 4; i++) {
        static const char *const text[] = {
            SLIDE("{type: prismatic, between: [ground, b], axis: [1, 2, 2]}"),
            SLIDE("{type: cylindrical, between: [ground, b], axis: [1, 2, 2]}"),
            SLIDE("{type: cylindrical, between: [b, ground], axis: [1, 2, 2]}"),
            SLIDE("{type: planar, between: [ground, b], normal: [2, 1, -2]}")};
        verify v;
        verify_text(&v, text[i], NULL);
        verify_run(&v);
        const double sign = i == 2 ? -1 : 1;
        double force[3], off[3];
        verify_probe(&v, NULL, "q", y);
        if (i < 3) {
            verify_near("slide [m]", y[0], sign * slide, 1e-5);
            if (i > 0) { // three rad/s^2: over half a turn, the nearest one here
                verify_near("angle [rad]", remainder(y[1] - sign * 1.5 * t * t, 2 * M_PI), 0, 1e-5);
            }
            verify_probe(&v, NULL, "qd", y);
            verify_near("its rate [m/s]", y[0], sign * (1.5 - 6 * t), 1e-5);
            assert_true(i == 0 || fabs(y[1] - sign * 3 * t) < 1e-5);
            for (int c = 0; c < 3; c++) { // what holds is what gravity has across the line
                force[c] = -sign * -(2 * (c == 2 ? -9 : 0) - 2 * -6 * w[c]);
            }
            verify_probe(&v, NULL, "F", y);
            verify_below("force across the line [N]", verify_distance(y, force), 1e-6);
            verify_probe(&v, NULL, "M", y);
            for (int c = 0; c < 3; c++) {
                off[c] = i == 0 ? (c == 0 ? 0.1 : 0.2) : 0; // it holds the moment, or nothing
            }
            verify_below("moment [N m]", verify_distance(y, off), 1e-6);
        } else { // n1, n2 of (2, 1, -2)/3: gravity in the plane
            double n[3] = {2.0 / 3, 1.0 / 3, -2.0 / 3}, n1[3], n2[3];
            gos__normals3(n, n1, n2);
            const double *axis[2] = {n1, n2};
            for (int k = 0; k < 2; k++) {
                const double v0 = 0.5 * axis[k][0] + axis[k][1] + axis[k][2];
                verify_near("in the plane [m]", y[k], v0 * t - 4.5 * axis[k][2] * t * t, 1e-5);
            }
            assert_true(fabs(y[2]) < 1e-9); // no moment along the normal
        }
        verify_close(&v);
    }
}

/* ---- hinges between flexible bodies ---------------------------------------------------------- */

#define ARMS(joint)                                                                                \
    "materials:\n  soft: {density: 1000, young: 1e7, poisson: 0.3, damping: {normal: 1e-3, "       \
    "shear: 1e-3}}\n"                                                                              \
    "sections:\n  bar: {type: rectangle, height: 0.03, width: 0.05}\n"                             \
    "bodies:\n"                                                                                    \
    "  a: {type: ancf_beam, material: soft, section: bar, from: [0, 0, 0], to: [1, 0, 0], "        \
    "elements: 2}\n"                                                                               \
    "  b: {type: ancf_beam, material: soft, section: bar, from: [1, 0, 0], to: [1.6, 0, -0.8], "   \
    "elements: 2, normal: [0, 1, 0]}\n"                                                            \
    "gravity: [0, 3, -9]\n"                                                                        \
    "probes: {x: {at: b.end, quantity: position}, y: {at: b.start, quantity: position}}\n"         \
    "analysis: {end: 0.4, tolerance: 1e-6}\n"                                                      \
    "joints:\n"                                                                                    \
    "  root: {type: clamp, between: [ground, a.start]}\n" joint

/* the hinge of two beams across both, and a small rigid pin clamped to one and hinged to the
   other */
static void two_beams(void **state) {
    GOS_UNUSED(state);
    static const char direct[] =
        ARMS("  j: {type: revolute, between: [a.end, b.start], axis: [0, 1, 0]}\n");
    char pin[4000];
    const char *at = strstr(direct, "gravity:"), *joint = strstr(direct, "  j: ");
    snprintf(pin, sizeof pin,
             "%.*s  c: {type: rigid, mass: 1e-6, inertia: [1e-10, 1e-10, 1e-10], position: [1, 0, "
             "0]}\n%.*s  k: {type: clamp, between: [a.end, c.node]}\n"
             "  j: {type: revolute, between: [c.node, b.start], axis: [0, 1, 0]}\n",
             (int)(at - direct), direct, (int)(joint - at), at);
    verify v, u;
    verify_text(&v, direct, NULL);
    verify_text(&u, pin, NULL);
    verify_run(&v);
    verify_run(&u);
    verify_below("tip of the second beam [m]", apart(&v, NULL, &u, NULL, "x"), 2e-5);
    verify_below("hinge [m]", apart(&v, NULL, &u, NULL, "y"), 2e-5);
    verify_close(&v);
    verify_close(&u);
}

/* ---- screws, gears --------------------------------------------------------------------------- */

/* A nut of mass 2 on a screw along (1, 2, 2)/3 with h = pitch/(2 pi): gravity -6 along it,
   (m + I/h^2) s'' = -m 6 + 0.3/h; right-handed, left-handed, exchanged. */
static void nut(void **state) {
    GOS_UNUSED(state);
    static const char *const joint[] = {
        AT_REST("{type: screw, between: [ground, b], axis: [1, 2, 2], pitch: 0.05}"),
        AT_REST("{type: screw, between: [ground, b], axis: [1, 2, 2], pitch: -0.05}"),
        AT_REST("{type: screw, between: [b, ground], axis: [1, 2, 2], pitch: 0.05}")};
    for (int i = 0; i < 3; i++) {
        const double h = (i == 1 ? -0.05 : 0.05) / (2 * M_PI), I = 0.1, t = 1.5;
        const double a = (2 * -6 + 0.3 / h) / (2 + I / (h * h)), sign = i == 2 ? -1 : 1;
        double y[GOS_PROBE_MAX], force[3];
        verify v;
        verify_text(&v, joint[i], NULL);
        verify_run(&v);
        verify_probe(&v, NULL, "q", y);
        verify_near("slide of the nut [m]", y[0], sign * 0.5 * a * t * t, 1e-7);
        verify_near("its turns, without those of the slide",
                    remainder((y[1] - y[0] / h) / (2 * M_PI), 1), 0, 1e-7);
        verify_probe(&v, NULL, "qd", y);
        verify_near("its rate [m/s]", y[0], sign * a * t, 1e-7);
        verify_near("rate of its angle [rad/s]", y[1], sign * a * t / h, 1e-5);
        verify_probe(&v, NULL, "F", y);
        for (int c = 0; c < 3; c++) { // m a - m g on the nut
            force[c] = -sign * (2 * a * (c == 0 ? 1 : 2) / 3 - 2 * (c == 2 ? -9 : 0));
        }
        verify_below("force [N]", verify_distance(y, force), 1e-4);
        verify_close(&v);
    }
}

/* A screw that is turned by a drive, on a carrier that moves: a cylindrical joint with a drive of
   its own along the axis, which is seen by its z component. */
static void screw_on_a_carrier(void **state) {
    GOS_UNUSED(state);
#define TURN "  m: {type: driven_rotation, between: [a, b], axis: [1, 2, 2], angle: \"8*t^2\"}\n"
    alike(STAGE "  j: {type: screw, between: [a, b.node], axis: [1, 2, 2], pitch: 0.7}\n" TURN,
          STAGE "  j: {type: cylindrical, between: [a, b.node], axis: [1, 2, 2]}\n" TURN
                "  s: {type: driven, between: [a, b.node], components: z, displacement: [0, 0, "
                "\"0.7*8*t^2/(2*pi)*2/3\"]}\n");
}

/* driven along an axis of a carrier that moves, from two points of it */
static void driven_between(void **state) {
    GOS_UNUSED(state);
    alike(STAGE "  j: {type: prismatic, between: [a, b.node], axis: [0, 1, 0]}\n"
                "  d: {type: driven, between: [a, b.node], components: y, position: [0, "
                "\"0.2 + t^2\", 0]}\n",
          STAGE "  j: {type: prismatic, between: [b.node, a], axis: [0, 1, 0]}\n"
                "  p: {type: driven, between: [a.rail, b.node], components: y, displacement: [0, "
                "\"t^2\", 0]}\n");
}

#define WHEELS(probes, more)                                                                       \
    "parameters: {r: -2.5}\n"                                                                      \
    "bodies:\n"                                                                                    \
    "  a: {type: rigid, mass: 1, inertia: [0.3, 0.3, 0.4], position: [0, 0, 0]}\n"                 \
    "  b: {type: rigid, mass: 1, inertia: [0.02, 0.02, 0.03], position: [1, 0, 0]}\n"              \
    "probes:\n"                                                                                    \
    "  a: {joint: ja, quantity: joint_coordinates}\n"                                              \
    "  b: {joint: jb, quantity: joint_coordinates}\n"                                              \
    "  ad: {joint: ja, quantity: joint_rates}\n"                                                   \
    "  bd: {joint: jb, quantity: joint_rates}\n" probes "analysis: {end: 4, tolerance: 1e-6}\n"    \
    "joints:\n"                                                                                    \
    "  ja: {type: revolute, between: [ground, a], axis: [0, 0, 1]}\n" more

/* two wheels on the ground, a moment on the first: (I_a + r^2 I_b) a'' = M, over six turns of the
 * second */
static void gear_wheels(void **state) {
    GOS_UNUSED(state);
    static const char *const text[] = {
        WHEELS("", "  jb: {type: revolute, between: [ground, b], axis: [0, 0, 1]}\n"
                   "  g: {type: gear, between: [a, b], axis: [0, 0, 1], ratio: r}\n"
                   "loads: {m: {type: moment, on: a, moment: [0, 0, 1.2]}}\n"),
        WHEELS("", "  jb: {type: revolute, between: [ground, b], axis: [1, 0, 0]}\n"
                   "  g: {type: gear, between: [a, b], axis: [0, 0, 1], second_axis: [1, 0, 0], "
                   "ratio: r}\n"
                   "loads: {m: {type: moment, on: a, moment: [0, 0, 1.2]}}\n")};
    for (int i = 0; i < 2; i++) { // the same axis, and a bevel gear
        const double I = 0.4 + 6.25 * (i == 0 ? 0.03 : 0.02), t = 4, M = 1.2;
        const double a = 0.5 * M / I * t * t;
        verify v;
        double y[GOS_PROBE_MAX];
        verify_text(&v, text[i], NULL);
        verify_run(&v);
        assert_true(2.5 * a > 12 * M_PI);
        verify_probe(&v, NULL, "ad", y);
        verify_near("rate of the first wheel [rad/s]", y[0], M / I * t, 1e-4);
        verify_probe(&v, NULL, "bd", y);
        verify_near("rate of the second wheel [rad/s]", y[0], -2.5 * M / I * t, 2e-4);
        verify_probe(&v, NULL, "a", y);
        verify_near("angle of the first wheel [rad]", remainder(y[0] - a, 2 * M_PI), 0, 2e-3);
        const double b = -2.5 * y[0];
        verify_probe(&v, NULL, "b", y);
        verify_near("angle of the second wheel [rad]", remainder(y[0] - b, M_PI), 0, 1e-7);
        verify_close(&v);
    }
}

/* The second wheel driven by the gear, and by a drive of its own: the first drive feels r times the
   moment of the second one more. */
static void gear_and_drives(void **state) {
    GOS_UNUSED(state);
#define DRIVE                                                                                      \
    "  jb: {type: revolute, between: [ground, b], axis: [0, 0, 1]}\n"                              \
    "  da: {type: driven_rotation, between: [ground, a], axis: [0, 0, 1], angle: \"0.5*t^2\"}\n"
    verify v, u;
    double y[GOS_PROBE_MAX], z[GOS_PROBE_MAX], m[GOS_PROBE_MAX];
    verify_text(&v,
                WHEELS("  Da: {joint: da, quantity: joint_moment}\n"
                       "  G: {joint: g, quantity: joint_moment}\n",
                       DRIVE "  g: {type: gear, between: [a, b], axis: [0, 0, 1], ratio: r}\n"),
                NULL);
    verify_text(&u,
                WHEELS("  Da: {joint: da, quantity: joint_moment}\n"
                       "  Db: {joint: db, quantity: joint_moment}\n",
                       DRIVE "  db: {type: driven_rotation, between: [ground, b], axis: [0, 0, 1], "
                             "angle: \"r*0.5*t^2\"}\n"),
                NULL);
    verify_run(&v);
    verify_run(&u);
    verify_probe(&v, NULL, "bd", y);
    verify_probe(&u, NULL, "bd", z);
    verify_near("rate of the wheel that follows [rad/s]", y[0], z[0], 2e-5);
    verify_probe(&v, NULL, "b", y);
    verify_probe(&u, NULL, "b", z);
    verify_near("its angle [rad]", remainder(y[0] - z[0], 2 * M_PI), 0, 1e-6);
    verify_probe(&v, NULL, "Da", y);
    verify_probe(&u, NULL, "Da", z);
    verify_probe(&u, NULL, "Db", m);
    verify_near("moment of its drive on the ground [N m]", m[0], 0.03 * 2.5, 1e-5);
    verify_near("moment of the first drive on the ground [N m]", y[0], z[0] - 2.5 * m[0], 1e-5);
    verify_near("which is [N m]", y[0], -(0.4 + 6.25 * 0.03), 2e-5);
    verify_probe(&v, NULL, "G", y);
    verify_near("moment of the gear on the first wheel [N m]", y[2], -6.25 * 0.03, 2e-5);
    verify_close(&v);
    verify_close(&u);
}

/* A planet on an arm around a sun that stands: seen from the arm the planet turns with 1.5 times
   the rate of the arm, in space with 2.5 times. The sun is the ground, the arm carries the
   bearings. */
static void planet(void **state) {
    GOS_UNUSED(state);
    verify v;
    double y[GOS_PROBE_MAX];
    verify_text(
        &v,
        "bodies:\n"
        "  arm: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0]}\n"
        "  b: {type: rigid, mass: 1, inertia: [0.02, 0.02, 0.03], position: [0, 0.5, 0]}\n"
        "joints:\n"
        "  ja: {type: revolute, between: [ground, arm], axis: [0, 0, 1]}\n"
        "  jb: {type: revolute, between: [arm, b.node], axis: [0, 0, 1]}\n"
        "  g: {type: gear, between: [ground, b], carrier: arm, axis: [0, 0, 1], ratio: -1.5}\n"
        "loads: {m: {type: moment, on: arm, moment: [0, 0, 2]}}\n"
        "probes: {w: {at: b, quantity: angular_velocity}, wa: {at: arm, quantity: "
        "angular_velocity}}\n"
        "analysis: {end: 3, tolerance: 1e-6}\n",
        NULL);
    verify_run(&v);
    const double a = 2 / (0.1 + 0.25 + 6.25 * 0.03);
    verify_probe(&v, NULL, "wa", y);
    verify_near("arm [rad/s]", y[2], a * 3, 1e-4);
    verify_probe(&v, NULL, "w", y);
    verify_near("planet [rad/s]", y[2], 2.5 * a * 3, 2e-4);
    verify_close(&v);
}

/* ---- bushings, motors ------------------------------------------------------------------------ */

/* a body on a bushing in axes that are turned: rest under a force */
static void bushing(void **state) {
    GOS_UNUSED(state);
    verify v;
    double y[GOS_PROBE_MAX], z[GOS_PROBE_MAX];
    verify_text(
        &v,
        "bodies:\n"
        "  b: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0],\n"
        "      rotation_vector: [0.3, -0.5, 0.7]}\n"
        "  c: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0]}\n"
        "joints:\n"
        "  k: {type: clamp, between: [ground, b]}\n"
        "  j: {type: bushing, between: [b, c.node],\n"
        "      stiffness: [2000, 3000, 4000, 50, 60, 70], damping: [4, 6, 8, 0.1, 0.12, 0.14]}\n"
        "loads: {f: {type: force, on: c, value: [1, -2, 3]}}\n"
        "analysis: {type: static}\n"
        "probes: {x: {at: c, quantity: position, frame: b},\n"
        "         F: {joint: j, quantity: joint_force, frame: b}}\n",
        NULL);
    verify_static(&v);
    verify_probe(&v, NULL, "x", y);
    verify_probe(&v, NULL, "F", z);
    for (int c = 0; c < 3; c++) { // the force on the first side is the stretch times the stiffness
        assert_true(fabs(z[c]) > 0.1);
        verify_near("force on the first side [N]", z[c], (2000 + 1000 * c) * y[c], 1e-9);
    }
    verify_near("which is the load [N]", gos__norm3(z), sqrt(14), 1e-9);
    verify_close(&v);
}

/* a full matrix: its rest solves K y = Q, with moments of small angles */
static void bushing_matrix(void **state) {
    GOS_UNUSED(state);
    static const double K[36] = {900, 100, 0,   20, 0,  10, 100, 800, 50, 0,  30, 0,
                                 0,   50,  700, 0,  10, 20, 20,  0,   0,  60, 5,  0,
                                 0,   30,  10,  5,  70, 4,  10,  0,   20, 0,  4,  80};
    static const double Q[6] = {1e-3, 2e-3, -1e-3, 3e-4, -1e-4, 2e-4};
    char text[3000];
    int n =
        snprintf(text, sizeof text,
                 "bodies:\n  c: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, "
                 "0, 0]}\njoints:\n  j: {type: bushing, between: [ground, c.node], stiffness: [");
    for (int i = 0; i < 36; i++) {
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%g", i ? ", " : "", K[i]);
    }
    (void)snprintf(
        text + n, sizeof text - (size_t)n,
        "]}\nloads:\n  f: {type: force, on: c, value: [%g, %g, %g]}\n  m: {type: moment, "
        "on: c, moment: [%g, %g, %g]}\nprobes: {x: {at: c, quantity: position}, r: {at: "
        "c, quantity: rotation_vector}}\nanalysis: {type: static}\n",
        Q[0], Q[1], Q[2], Q[3], Q[4], Q[5]);
    verify v;
    double y[GOS_PROBE_MAX], z[GOS_PROBE_MAX];
    verify_text(&v, text, NULL);
    verify_static(&v);
    verify_probe(&v, NULL, "x", y);
    verify_probe(&v, NULL, "r", z);
    for (int i = 0; i < 6; i++) {
        double sum = 0;
        for (int k = 0; k < 6; k++) {
            sum += K[6 * i + k] * (k < 3 ? y[k] : z[k - 3]);
        }
        verify_near("force or moment [N, N m]", sum, Q[i], 2e-8);
    }
    verify_close(&v);
}

/* a swing on a bushing, along and about one axis: v exp(-g t) sin(w t)/w */
static void bushing_swing(void **state) {
    GOS_UNUSED(state);
    verify v;
    double y[GOS_PROBE_MAX], want[2];
    verify_text(
        &v,
        "bodies:\n  c: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0]}\n"
        "joints:\n  j: {type: bushing, between: [ground, c.node],\n"
        "      stiffness: [2000, 3000, 4000, 50, 60, 70], damping: [4, 6, 8, 0.1, 0.12, "
        "0.14]}\n"
        "initial: {c: {velocity: [0, 0.2, 0], angular_velocity: [0, 0, 0.01], about: [0, 0, "
        "0]}}\n"
        "probes: {x: {at: c, quantity: position}, r: {at: c, quantity: rotation_vector}}\n"
        "analysis: {end: 1, tolerance: 1e-7}\n",
        NULL);
    verify_run(&v);
    const double g[2] = {6 / 4.0, 0.14 / 0.6}, k[2] = {3000 / 2.0, 70 / 0.3};
    for (int i = 0; i < 2; i++) {
        const double w = sqrt(k[i] - g[i] * g[i]);
        want[i] = (i == 0 ? 0.2 : 0.01) * exp(-g[i]) * sin(w) / w;
    }
    gos_energy e;
    gos_system_energy(v.sys, v.state, &e);
    assert_true(e.strain > 1e-4 && e.dissipated > 1e-3);
    verify_near("open balance of energies [J]", e.balance, 0, 1e-6);
    verify_probe(&v, NULL, "x", y);
    verify_near("swing along y [m]", y[1], want[0], 2e-6);
    verify_probe(&v, NULL, "r", y);
    verify_near("swing about z [rad]", y[2], want[1], 2e-7);
    verify_close(&v);
}

#define TWO                                                                                        \
    "bodies:\n"                                                                                    \
    "  a: {type: rigid, mass: 3, inertia: [0.3, 0.3, 0.4], position: [0, 0, 0]}\n"                 \
    "  b: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0]}\n"                 \
    "probes:\n"                                                                                    \
    "  wa: {at: a, quantity: angular_velocity}\n"                                                  \
    "  wb: {at: b, quantity: angular_velocity}\n"                                                  \
    "  va: {at: a, quantity: velocity}\n"                                                          \
    "  vb: {at: b, quantity: velocity}\n"                                                          \
    "  M: {joint: m, quantity: joint_moment}\n"                                                    \
    "  F: {joint: m, quantity: joint_force}\n"                                                     \
    "analysis: {end: 1.5, tolerance: 1e-7}\n"                                                      \
    "joints:\n"

/* inner moments and forces of free bodies: each gets its impulse */
static void motors(void **state) {
    GOS_UNUSED(state);
    verify v;
    double y[GOS_PROBE_MAX], z[GOS_PROBE_MAX];
    const double impulse = 0.3 * 1.5 * 1.5;
    verify_text(&v,
                TWO "  j: {type: revolute, between: [a, b.node], axis: [0, 0, 1]}\n"
                    "  m: {type: motor, between: [a, b], axis: [0, 0, 1], moment: \"0.6*t\"}\n",
                NULL);
    verify_run(&v);
    verify_probe(&v, NULL, "wa", y);
    verify_probe(&v, NULL, "wb", z);
    verify_near("first body [rad/s]", y[2], -impulse / 0.4, 1e-6);
    verify_near("second body [rad/s]", z[2], impulse / 0.1, 1e-5);
    verify_probe(&v, NULL, "M", y);
    verify_near("moment on the first body [N m]", y[2], -0.9, 1e-9);
    verify_close(&v);
    verify_text(&v,
                TWO "  j: {type: prismatic, between: [a, b.node], axis: [1, 2, 2]}\n"
                    "  m: {type: motor, between: [a, b.node], axis: [1, 2, 2], force: \"6*t\"}\n",
                NULL);
    verify_run(&v);
    verify_probe(&v, NULL, "va", y);
    verify_probe(&v, NULL, "vb", z);
    verify_near("first body [m/s]", y[1], -10 * impulse / 3 * 2 / 3, 1e-6);
    verify_near("second body [m/s]", z[1], 10 * impulse * 2 / 3, 1e-6);
    verify_probe(&v, NULL, "F", y);
    verify_near("force on the first body [N]", y[0], -9.0 / 3, 1e-9);
    verify_close(&v);
}

/* ---- loops ----------------------------------------------------------------------------------- */

#define LINKAGE(C, D)                                                                              \
    "bodies:\n"                                                                                    \
    "  crank: {type: rigid, mass: 0.1, inertia: [1e-5, 1e-4, 1e-4], position: [0, 0, 0],\n"        \
    "          points: {a: [0, 0, 0], b: [0, 0.1, 0]}}\n"                                          \
    "  coupler: {type: rigid, mass: 0.3, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0.1, 0],\n"    \
    "            points: {start: [0, 0, 0], end: [0.4, 0.2, 0]}}\n"                                \
    "  rocker: {type: rigid, mass: 0.2, inertia: [1e-3, 1e-3, 1e-3], position: [0.4, 0, 0],\n"     \
    "           points: {d: [0, 0, 0], c: [0, 0.3, 0]}}\n"                                         \
    "joints:\n"                                                                                    \
    "  A: {type: revolute, between: [ground, crank.a], axis: [0, 0, 1]}\n"                         \
    "  B: {type: revolute, between: [crank.b, coupler.start], axis: [0, 0, 1]}\n" C D "loads:\n"   \
    "  drive: {type: moment, on: crank, moment: [0, 0, 0.05]}\n"                                   \
    "gravity: [0, -9.81, 0]\n"                                                                     \
    "probes:\n"                                                                                    \
    "  rocker: {at: rocker, quantity: angle}\n"                                                    \
    "  F: {joint: A, quantity: joint_force}\n"                                                     \
    "analysis: {end: 1, tolerance: 1e-7}\n"

/* the last hinge as a point on a line along it, which is what the message says; cut at the ground,
 * or at the rocker */
static void four_bar(void **state) {
    GOS_UNUSED(state);
    verify v, u;
    double a[GOS_PROBE_MAX], b[GOS_PROBE_MAX];
    verify_text(
        &v,
        LINKAGE("  C: {type: revolute, between: [rocker.c, coupler.end], axis: [0, 0, 1]}\n",
                "  D: {type: point_on_line, between: [rocker.d, ground], direction: [0, 0, "
                "1]}\n"),
        NULL);
    verify_text(&u,
                LINKAGE("  D: {type: revolute, between: [ground, rocker.d], axis: [0, 0, 1]}\n",
                        "  C: {type: point_on_line, between: [coupler.end, rocker], direction: [0, "
                        "0, 1]}\n"),
                NULL);
    verify_start(&v);
    verify_start(&u);
    double angle = 0, force = 0, way = 0;
    for (int k = 1; k <= TIMES; k++) {
        const gos_state *x = verify_at(&v, (double)k / TIMES),
                        *y = verify_at(&u, (double)k / TIMES);
        verify_probe(&v, x, "rocker", a);
        verify_probe(&u, y, "rocker", b);
        angle = fmax(angle, fabs(remainder(a[0] - b[0], 2 * M_PI)));
        way = fmax(way, fabs(a[0]));
        verify_probe(&v, x, "F", a);
        verify_probe(&u, y, "F", b);
        force = fmax(force, hypot(a[0] - b[0], a[1] - b[1]));
    }
    assert_true(way > 0.2);
    verify_below("angle of the rocker [rad]", angle, 1e-5);
    verify_below("force of the first hinge in the plane [N]", force, 1e-3);
    verify_close(&v);
    verify_close(&u);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(prismatic),
                                       cmocka_unit_test(cylindrical),
                                       cmocka_unit_test(planar),
                                       cmocka_unit_test(universal),
                                       cmocka_unit_test(velocity_ratio),
                                       cmocka_unit_test(closed_forms),
                                       cmocka_unit_test(two_beams),
                                       cmocka_unit_test(nut),
                                       cmocka_unit_test(screw_on_a_carrier),
                                       cmocka_unit_test(driven_between),
                                       cmocka_unit_test(gear_wheels),
                                       cmocka_unit_test(gear_and_drives),
                                       cmocka_unit_test(planet),
                                       cmocka_unit_test(bushing),
                                       cmocka_unit_test(bushing_matrix),
                                       cmocka_unit_test(bushing_swing),
                                       cmocka_unit_test(motors),
                                       cmocka_unit_test(four_bar)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
