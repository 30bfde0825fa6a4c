/* Steady rotation (src/statics/turning.c): the shape that turns, and small motions about it in
   turning axes, against closed forms; and the linear model against the nonlinear one in time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "support/suite.h"
#include "support/verify.h"

/* a model that turns with (0, 0, rate) about the global z */
static void trim(verify *v, const char *text, const char *settings, double rate) {
    verify_text(v, text, settings);
    v->opt.spin_z = rate;
    verify_static(v);
}

static gos_linear *linear_of(const verify *v) {
    const double spin[3] = {v->opt.spin_x, v->opt.spin_y, v->opt.spin_z};
    const double pivot[3] = {v->opt.pivot_x, v->opt.pivot_y, v->opt.pivot_z};
    gos_linear *l = NULL;
    verify_good(v, gos_linearise_rotating(v->ctx, v->sys, v->state, spin, pivot, &l));
    return l;
}

/* n modes of the model in turning axes; v stays open */
static void modes_of(const verify *v, int n, bool damped, gos_mode *mode) {
    int found = 0;
    gos_linear *l = linear_of(v);
    verify_good(v, gos_linear_modes(v->ctx, l, n, damped, mode, &found));
    for (int i = 0; i < found; i++) {
        print_message("    mode %d: %.10g %+.10g i, whirl %d%s\n", i, mode[i].re, mode[i].im,
                      mode[i].whirl, mode[i].rigid ? ", rigid" : "");
    }
    assert_int_equal(found, n);
    gos_linear_destroy(l);
}

/* ---- a free body ----------------------------------------------------------------------------- */

static const char top[] = "parameters: {a: 1, b: 1, c: 1.6, tilt: 0, z: 0.4}\n"
                          "bodies: {top: {type: rigid, mass: 2, inertia: [a, b, c],\n"
                          "    position: [0, 0, z], rotation_vector: [tilt, -tilt/2, 0]}}\n"
                          "probes: {rate: {at: top, quantity: angular_velocity}}\n";

/* In turning axes a free body falls behind at the rate of the axes, in its position (x = R^T (a + b
   t), a double root) and in the direction of its angular momentum; it nutates with Omega sqrt((C -
   A)(C - B)/(A B)), forward for C > A, B; and stays where it is along and about the axis. */
static void test_free_body(void **unused) {
    GOS_UNUSED(unused);
    const struct {
        const char *set;
        double nutation;
    } k[] = {{NULL, 3}, {"b=1.3 c=1.7", 5 * sqrt(0.7 * 0.4 / 1.3)}, {"c=0.3", 3.5}};
    for (int i = 0; i < GOS_COUNT(k); i++) {
        verify v;
        gos_mode mode[6];
        trim(&v, top, k[i].set, 5);
        modes_of(&v, 6, false, mode);
        assert_true(mode[0].rigid && mode[1].rigid && mode[0].im == 0 && mode[1].im == 0);
        verify_near_rel("nutation", mode[2].im, k[i].nutation, 1e-8);
        verify_below("nutation: growth", mode[2].re, 1e-9);
        assert_int_equal(mode[2].whirl, i == 2 ? -1 : 1);
        for (int m = 3; m < 6; m++) { // double roots: to the square root of rounding
            verify_near_rel("behind", mode[m].im, 5, 1e-6);
            assert_int_equal(mode[m].whirl, -1);
        }
        verify_close(&v);
    }
}

/* the axis of mean inertia: Omega sqrt((C - A)(B - C)/(A B)) is a rate of growth */
static void test_unstable_axis(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    gos_mode mode[6];
    trim(&v, top, "b=1.9 c=1.4", 5);
    modes_of(&v, 6, false, mode);
    verify_near_rel("growth", mode[0].re, 5 * sqrt(0.4 * 0.5 / 1.9), 1e-8);
    verify_close(&v);
}

/* directions that the run says lower the energy; 0: it says nothing */
static int told(const verify *v) {
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        const char *at = strstr(gos_ctx_diag(v->ctx, i)->text, "in rotating axes decreases in ");
        if (at) {
            return atoi(at + strlen("in rotating axes decreases in "));
        }
    }
    return 0;
}

/* A free body about its axes of largest, least and middle inertia: none, two, one direction
   (Omega^2 (I_k - I_z) is the stiffness of a tilt); a disc on a shaft (below) below and above its
   critical rate; about each axis of space and in mm and t; two bodies. */
static void test_count(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        "parameters: {U: %g, ix: %g, iy: %g, iz: %g}\n"
        "bodies:\n"
        "  top: {type: rigid, mass: 2, inertia: [ix*U*U, iy*U*U, iz*U*U], position: [0, 0, 0]}\n"
        "%s";
    static const struct {
        double i[3]; // about two axes, and the one that it turns about
        int n;
    } k[] = {{{1, 1.2, 1.6}, 0}, {{1, 0.9, 0.3}, 2}, {{1, 1.6, 1.2}, 1}};
    for (int m = 0; m < GOS_COUNT(k) * 3 * 3; m++) {
        const double *inertia = k[m / 9].i;
        const int axis = m / 3 % 3, variant = m % 3;
        double about[3], spin[3] = {0, 0, 0};
        verify v;
        char all[1000];
        for (int c = 0; c < 3; c++) {
            about[(axis + 1 + c) % 3] = inertia[c];
        }
        spin[axis] = 5;
        snprintf(all, sizeof all, text, variant == 1 ? 1000.0 : 1.0, about[0], about[1], about[2],
                 variant == 2 ? "  hub: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], "
                                "position: [0, 0, 0]}\n"
                                "joints: {weld: {type: clamp, between: [top.centre, hub.centre]}}\n"
                              : "");
        verify_text(&v, all, NULL);
        v.opt.spin_x = spin[0], v.opt.spin_y = spin[1], v.opt.spin_z = spin[2];
        verify_static(&v);
        assert_int_equal(told(&v), k[m / 9].n);
        verify_close(&v);
    }
}

/* velocities are relative to turning axes: none from a place that is at rest there */
static void test_outputs(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    trim(&v, top, NULL, 5);
    gos_linear *l = linear_of(&v);
    gos_matrix_view y, yv;
    gos_linear_block(l, GOS_BLOCK_Y_q, &y);
    gos_linear_block(l, GOS_BLOCK_Y_v, &yv);
    assert_int_equal(yv.rows, 3);
    assert_true(yv.entries > 0);
    for (int k = 0; k < y.entries; k++) {
        verify_below("rate by position", y.value[k], 1e-9);
    }
    gos_linear_destroy(l);
    verify_close(&v);
}

/* a body that does not lie right turns until a principal axis does */
static void test_alignment(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    double w[GOS_PROBE_MAX];
    gos_mode mode[6];
    trim(&v, top, "tilt=0.1 b=1.3 c=1.7", 5);
    verify_probe(&v, NULL, "rate", w);
    verify_near("angular velocity z", w[2], 5, 1e-12);
    for (int c = 0; c < 2; c++) { // a3 along the axis
        verify_near("principal axis", v.state->q[9 + c], 0, 1e-10);
    }
    modes_of(&v, 6, false, mode);
    verify_near_rel("nutation", mode[2].im, 5 * sqrt(0.7 * 0.4 / 1.3), 1e-7);
    verify_close(&v);
}

/* ---- a rigid blade on two hinges ------------------------------------------------------------- */

static const char blade[] =
    "parameters: {rate: 6, off: 0.2, g: 0, A: 0.01, B: 0.5, C: 0.51, m: 3, c: 0.4, axis: 1}\n"
    "gravity: [0, 0, -g]\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1], points: {hinge: [off, 0, 0]}}\n"
    "  blade: {type: rigid, mass: m, inertia: [A, B - m*c^2, C - m*c^2],\n"
    "          centre_of_mass: [c, 0, 0], position: [off, 0, 0], points: {tip: [1, 0, 0]}}\n"
    "joints:\n"
    "  bearing: {type: revolute, between: [ground, hub.node], axis: [0, 0, 1]}\n"
    "  motor: {type: driven_rotation, between: [ground, hub], axis: [0, 0, 1], angle: \"rate*t\"}\n"
    "  hinge: {type: revolute, between: [hub.hinge, blade.node], axis: [0, axis, 1 - axis]}\n"
    "loads:\n"
    "  push: {type: force, on: blade.tip, frame: body, value: [0, 0, \"0*t\"]}\n"
    "probes:\n"
    "  tip: {at: blade.tip, quantity: displacement, frame: hub}\n"
    "analysis: {end: 1.0471975511965976, step: 0.0025}\n";

/* flap: Omega^2 (C - A + m e c)/B, lag: Omega^2 m e c/C; inertias of the blade about its hinge */
static void test_blade(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    gos_mode mode[1];
    trim(&v, blade, NULL, 6);
    modes_of(&v, 1, false, mode);
    verify_near_rel("flap", mode[0].im, 6 * sqrt((0.5 + 3 * 0.2 * 0.4) / 0.5), 1e-9);
    verify_close(&v);
    trim(&v, blade, "axis=0", 6);
    modes_of(&v, 1, false, mode);
    verify_near_rel("lag", mode[0].im, 6 * sqrt(3 * 0.2 * 0.4 / 0.51), 1e-9);
    verify_close(&v);
}

/* A rod on a ball joint on the axis, where nothing accelerates: its rigid flap has the rate of the
   rotation, since Omega^2 C/B = Omega^2 for a thin rod, its lag is free; in mm and t, too. */
static void test_pinned_rod(void **unused) {
    GOS_UNUSED(unused);
    static const char rod[] =
        "parameters: {U: 1}\n"
        "materials: {m: {density: 1000/U^4, young: 1.0e8/U^2, poisson: 0.3}}\n" // t = kg/U
        "sections: {s: {type: rectangle, height: 0.02*U, width: 0.02*U}}\n"
        "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [U, 0, "
        "0],\n"
        "               elements: 8}}\n"
        "joints: {ball: {type: spherical, between: [ground, rod.start]}}\n";
    for (int i = 0; i < 2; i++) {
        verify v;
        gos_mode mode[2];
        trim(&v, rod, i == 0 ? NULL : "U=1000", 6);
        modes_of(&v, 2, false, mode);
        assert_true(mode[0].rigid && mode[0].im == 0);
        verify_near_rel("flap of a pinned rod", mode[1].im, 6, 1e-6);
        verify_close(&v);
    }
}

/* coning b under gravity: Omega^2 ((C - A) sin b cos b + m e c sin b) = m g c cos b for the droop
   b */
static void test_coning(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    trim(&v, blade, "g=9.81", 6);
    const double b = asin(-verify_value(&v, NULL, "tip.z"));
    const double D = 0.5, mec = 3 * 0.2 * 0.4, mgc = 3 * 9.81 * 0.4;
    verify_within("droop", b, 0.2, 0.7);
    verify_near("moments", 36 * (D * sin(b) * cos(b) + mec * sin(b)), mgc * cos(b), 1e-8);
    /* flap about it: Omega^2 (D cos 2b + m e c cos b) + m g c sin b over B */
    gos_mode mode[1];
    modes_of(&v, 1, false, mode);
    verify_near_rel("flap", mode[0].im,
                    sqrt((36 * (D * cos(2 * b) + mec * cos(b)) + mgc * sin(b)) / 0.5), 1e-8);
    verify_close(&v);
}

/* ---- a rotating cantilever ------------------------------------------------------------------- */

/* EI = rho A L^4 = 1 in the units of the frequencies: gamma = rate. Thin: no rotary inertia, no
 * stretch. */
static const char cantilever[] =
    "parameters: {n: 32, h: 1.0e-3, gamma: 0, damping: 0}\n"
    "materials: {m: {density: 1/h^2, young: 12/h^4, poisson: 0.3,\n"
    "                damping: {normal: damping, shear: damping}}}\n"
    "sections: {s: {type: rectangle, height: h, width: h}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "        elements: n}\n"
    "joints:\n"
    "  bearing: {type: revolute, between: [ground, hub.node], axis: [0, 0, 1]}\n"
    "  motor: {type: driven_rotation, between: [ground, hub], axis: [0, 0, 1],\n"
    "          angle: \"gamma*t\"}\n"
    "  root: {type: clamp, between: [hub.node, rod.start], rigid: false}\n";

/* S. J. Hodges, M. J. Rutkowski, AIAA J. 19 (1981) 1459, and A. D. Wright, C. E. Smith, R. W.
   Thresher, J. L. C. Wang, J. Appl. Mech. 49 (1982) 197: flap of a uniform blade without hub
   radius. Lag is smaller by Omega^2 in omega^2, exactly: the centrifugal force has a part along the
   motion. */
static void test_southwell(void **unused) {
    GOS_UNUSED(unused);
    const struct {
        double gamma, flap[2];
    } k[] = {{1, {3.6816, 22.1810}}, {5, {6.4495, 25.4461}}, {10, {11.2023, 33.6404}}};
    for (int i = 0; i < GOS_COUNT(k); i++) {
        verify v;
        char set[60];
        gos_mode mode[4];
        snprintf(set, sizeof set, "gamma=%g", k[i].gamma);
        trim(&v, cantilever, set, k[i].gamma);
        modes_of(&v, 4, false, mode);
        for (int m = 0; m < 2; m++) {
            const double lag = mode[2 * m].im, flap = mode[2 * m + 1].im;
            verify_near("flap", flap, k[i].flap[m], 1e-4); // printed digits
            // Coriolis' force 2 Omega rho A v stretches the rod, and comes back as inertia: 4
            // Omega^2 int (int_x^1 v)^2 / (EA int v^2), 0.4 for v = x as in the first mode
            const double stretch = m == 0 ? 4 * k[i].gamma * k[i].gamma * 0.4 * 1e-6 / 12 : 0;
            verify_near_rel("lag", lag * lag,
                            (flap * flap - k[i].gamma * k[i].gamma) * (1 - stretch),
                            m == 0 ? 1e-6 : 1e-5);
        }
        verify_close(&v);
    }
}

/* Data of J. C. Simo, L. Vu-Quoc, J. Appl. Mech. 53 (1986) 855: after the spin-up to 6 rad/s the
   stretch is Omega^2 rho A L^3/(3 E A) = 5.143e-4 m; strains of second order and the arm's own
   stretch change it by about their size, 1e-4 */
static const char spin_up[] =
    "parameters: {h: 0.0774596669241483, A: h, rate: 6}\n"
    "materials: {m: {density: 1.2/A, young: 2.8e7/A, poisson: 0.3}}\n"
    "sections: {s: {type: rectangle, height: h, width: 1}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [10, 0, 0],\n"
    "        elements: 10}\n"
    "joints:\n"
    "  bearing: {type: revolute, between: [ground, hub.node], axis: [0, 0, 1]}\n"
    "  motor: {type: driven_rotation, between: [ground, hub], axis: [0, 0, 1], angle: \"rate*t\"}\n"
    "  root: {type: clamp, between: [hub.node, rod.start], rigid: false}\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "analysis: {end: 1.0471975511965976, step: 0.002, start: equilibrium,\n"
    "           spin: {axis: [0, 0, 1], rate: rate}}\n";

static void test_stretch(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    verify_text(&v, spin_up, NULL);
    assert_true(v.opt.spin_z == 6);
    verify_static(&v);
    verify_near_rel("stretch", verify_value(&v, NULL, "tip.x") - 10, 36 * 1.2 * 1000 / 3 / 2.8e7,
                    5e-4);
    verify_close(&v);
}

/* the steady rotation is a motion: after a turn everything is where it was, and stretched as before
   on the way; what is left is the integrator's error of phase, of second order */
static void test_goes_on(void **unused) {
    GOS_UNUSED(unused);
    double behind[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v, spin_up, i ? "analysis.step=0.001" : NULL);
        verify_static(&v);
        const double r0 = verify_value(&v, NULL, "tip.x");
        verify_run(&v);
        const double x = verify_value(&v, NULL, "tip.x"), y = verify_value(&v, NULL, "tip.y");
        verify_below("radius after a turn", hypot(x, y) - r0, 1e-4 * 5.143e-4);
        behind[i] = fabs(y / r0);
        verify_close(&v);
    }
    verify_below("angle after a turn", behind[1], 1e-5);
    verify_within("order in the step", verify_order(behind[0], behind[1], 2), 1.9, 2.1);
}

/* ---- a satellite with booms, full and reduced ------------------------------------------------ */

static const char booms[] =
    "materials: {m: {density: 2700, young: 7.0e10, poisson: 0.3}}\n"
    "sections: {s: {type: annulus, outer: 0.02, inner: 0.018}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 50, inertia: [5, 5, 8], points: {l: [-0.5, 0, 0], r: [0.5, 0, "
    "0]}}\n"
    "  right: {type: ancf_cable, material: m, section: s, from: [0.5, 0, 0], to: [5.5, 0, 0],\n"
    "          elements: 8}\n"
    "  left: {type: ancf_cable, material: m, section: s, from: [-0.5, 0, 0], to: [-5.5, 0, 0],\n"
    "         elements: 8}\n"
    "joints:\n"
    "  a: {type: clamp, between: [hub.r, right.start], rigid: false}\n"
    "  b: {type: clamp, between: [hub.l, left.start], rigid: false}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 9}\n";

/* Free in space, it falls behind turning axes as a rigid body does, and no root of that is taken
   for growth. The reduced system, whose coordinates count from the initial place, turns alike. */
static void test_booms(void **unused) {
    GOS_UNUSED(unused);
    enum { N = 10 };
    verify v;
    gos_mode full[N], small[N];
    trim(&v, booms, NULL, 2);
    modes_of(&v, N, false, full);
    for (int i = 3; i < 6; i++) {
        verify_near_rel("behind", full[i].im, 2, 1e-4);
    }
    assert_int_equal(gos_ctx_ndiag(v.ctx), 0);
    gos_system *whole = v.sys;
    verify_good(&v, gos_reduce(v.ctx, whole, &v.sys));
    gos_state_destroy(v.state);
    verify_good(&v, gos_state_create(v.ctx, v.sys, &v.state));
    verify_static(&v);
    modes_of(&v, N, false, small);
    // three roots of 2, two of them defective: their mean is what they are known by, as they part
    // by the square root of rounding
    double mean = 0;
    for (int i = 2; i < N; i++) {
        const bool behind = i >= 3 && i < 6;
        verify_near_rel("reduced", small[i].omega, full[i].omega, behind ? 1e-3 : 1e-4);
        mean += behind ? small[i].im / 3 : 0;
    }
    verify_near_rel("behind, reduced", mean, 2, 1e-6);
    gos_state_destroy(v.state);
    gos_system_destroy(v.sys);
    v.state = NULL;
    v.sys = whole;
    verify_close(&v);
}

/* ---- a rotor --------------------------------------------------------------------------------- */

/* a disc in the middle of a light shaft: 48 EI/(m L^3) = 40^2, 12 EI/L = 2000 N m */
static const char rotor[] =
    "parameters: {h: 0.01, Ip: 0.04, It: 0.0225, damping: 0}\n"
    "materials: {m: {density: 0.1, young: 2.0e11, poisson: 0.3,\n"
    "                damping: {normal: damping, shear: damping}}}\n"
    "sections: {s: {type: rectangle, height: h, width: h}}\n"
    "bodies:\n"
    "  disc: {type: rigid, mass: 5, inertia: [It, It, Ip], position: [0, 0, 0.5]}\n"
    "  low: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [0, 0, 0.5],\n"
    "        elements: 1%s}\n"
    "  high: {type: ancf_cable, material: m, section: s, from: [0, 0, 0.5], to: [0, 0, 1],\n"
    "         elements: 1%s}\n"
    "joints:\n"
    "  a: {type: spherical, between: [ground, low.start]}\n"
    "  b: {type: clamp, between: [disc.node, low.end], rigid: false}\n"
    "  c: {type: clamp, between: [disc.node, high.start], rigid: false}\n"
    "  d: {type: point_on_line, between: [ground, high.end], direction: [0, 0, 1]}\n";

static void open_rotor(verify *v, bool carried, const char *settings, double rate) {
    char text[2000];
    const char *by = carried ? ", carried_by: disc" : "";
    snprintf(text, sizeof text, rotor, by, by);
    trim(v, text, settings, rate);
}

/* Jeffcott's rotor: the disc whirls with +-40 rad/s for any rate, and tilts with
   (Ip Omega +- sqrt(Ip^2 Omega^2 + 4 It k))/(2 It); turning axes take Omega from each */
static void test_rotor(void **unused) {
    GOS_UNUSED(unused);
    const double rate[] = {30, 60};
    for (int i = 0; i < 2; i++) {
        verify v;
        gos_mode mode[5];
        const double O = rate[i], p = 0.04 * O, root = sqrt(p * p + 4 * 0.0225 * 2000);
        const double whirl[4] = {40 - O, -40 - O, (p - root) / 0.045 - O, (p + root) / 0.045 - O};
        open_rotor(&v, false, NULL, O);
        assert_int_equal(told(&v), O > 40 ? 2 : 0);
        modes_of(&v, 5, false, mode);
        assert_true(mode[0].rigid);
        for (int m = 0; m < 4; m++) {
            int found = 0;
            for (int k = 1; k < 5; k++) {
                found += fabs(mode[k].whirl * mode[k].im - whirl[m]) < 2e-5 * fabs(whirl[m]);
            }
            print_message("    whirl %g\n", whirl[m]);
            assert_int_equal(found, 1);
        }
        verify_close(&v);
    }
}

/* A disc on springs: translation +-sqrt(k/m), tilt as above. For a thin disc, Ip = 2 It, both tilts
   have one rate in turning axes, and directions of the disc have no inertia along its axis. */
static void test_thin_disc(void **unused) {
    GOS_UNUSED(unused);
    static const char disc[] =
        "parameters: {Ip: 0.2, It: 0.1, m: 2, k: 800, kt: 50, x: 0}\n"
        "bodies: {d: {type: rigid, mass: m,\n"
        "             inertia: ['x ? Ip : It', It, 'x ? It : Ip']}}\n"
        "joints: {s: {type: bushing, between: [ground, d], stiffness: ['x ? 1.2*k : k', k,\n"
        "             'x ? k : 1.2*k', 'x ? 0 : kt', kt, 'x ? kt : 0']}}\n";
    static const struct {
        const char *set;
        double ratio; // Ip / It
    } c[] = {{"", 2},
             {"x=1", 2},
             {"Ip=0.199", 1.99},
             {"Ip=200 It=100 m=2e-3 k=0.8 kt=5e4", 2}}; // mm, t, s
    for (int i = 0; i < 4; i++) {
        verify v;
        gos_mode mode[6];
        const double O = 10, p = c[i].ratio * O, root = sqrt(p * p + 4 * 500);
        const double whirl[4] = {20 - O, -20 - O, (p + root) / 2 - O, (p - root) / 2 - O};
        verify_text(&v, disc, c[i].set);
        *(i == 1 ? &v.opt.spin_x : &v.opt.spin_z) = O;
        verify_static(&v);
        modes_of(&v, 6, false, mode);
        for (int m = 0; m < 4; m++) {
            int found = 0;
            for (int k = 1; k < 6; k++) {
                found += mode[k].whirl != 0 &&
                         fabs(mode[k].whirl * mode[k].im - whirl[m]) < 1e-6 * fabs(whirl[m]);
            }
            assert_int_equal(found, 1);
        }
        verify_close(&v);
    }
}

/* a quarter of the centrifugal load, a step on the way, is that of the critical speed 20 */
static void test_beyond_critical(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    gos_mode mode[3];
    trim(&v,
         "bodies: {d: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.15]}}\n"
         "joints: {s: {type: bushing, between: [ground, d],\n"
         "             stiffness: [800, 800, 9000, 500, 500, 0]}}\n",
         NULL, 40);
    modes_of(&v, 3, false, mode);
    verify_near_rel("behind", mode[1].im, 20, 1e-8);
    assert_int_equal(mode[1].whirl, -1);
    verify_close(&v);
}

/* Damping in a shaft that turns drives forward whirl above the critical rate,
   s^2 + c (s - i Omega) + 40^2 = 0 with c = 40^2 gamma; of a section that does not turn it only
   damps, s^2 + c s + 40^2 = 0; in turning axes s - i Omega, whose real part is the same */
static void test_internal_damping(void **unused) {
    GOS_UNUSED(unused);
    for (int carried = 0; carried < 2; carried++) {
        verify v;
        gos_mode mode[2];
        open_rotor(&v, carried, "damping=1e-4", 60);
        modes_of(&v, 2, true, mode);
        const double c = 0.16;
        /* two steps of Newton from s = 40 i, written out in parts */
        double re = 0, im = 40;
        for (int step = 0; step < 6; step++) {
            const double fr = re * re - im * im + c * re + 1600;
            const double fi = 2 * re * im + c * (im - (carried ? 60 : 0));
            const double dr = 2 * re + c, di = 2 * im, d = dr * dr + di * di;
            re -= (fr * dr + fi * di) / d;
            im -= (fi * dr - fr * di) / d;
        }
        assert_true(carried ? re > 0.03 : re < -0.07);
        verify_near("growth", mode[1].re, re, 1e-4 * fabs(re));
        verify_near("whirl", mode[1].im, 60 - im, 1e-4);
        verify_close(&v);
    }
}

/* ---- what does not turn ---------------------------------------------------------------------- */

static void refused(const char *text, const char *settings, const char *about) {
    verify v;
    verify_text(&v, text, settings);
    v.opt.spin_z = 6;
    const gos_status status = gos_solve_static(v.ctx, v.sys, &v.opt, v.state, NULL);
    print_message("    %s\n", gos_ctx_message(v.ctx));
    assert_int_equal(status, GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(v.ctx), about));
    verify_close(&v);
}

#define HUB "bodies:\n  hub: {type: rigid, mass: 1, inertia: [1, 1, 2], points: {p: [0.5, 0, 0]}}\n"
#define ROD(heat)                                                                                  \
    "materials: {m: {density: 1000, young: 1.0e7, poisson: 0.3" heat "}}\n"                        \
    "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"                                \
    "bodies:\n  hub: {type: rigid, mass: 1, inertia: [1, 1, 2]}\n"                                 \
    "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0.5],\n"       \
    "        elements: 4, normal: [0.5, 0, -1]}\n"                                                 \
    "joints: {root: {type: clamp, between: [hub.node, rod.start]}}\n"

static void test_refused(void **unused) {
    GOS_UNUSED(unused);
    refused(HUB "joints: {wall: {type: clamp, between: [ground, hub.node]}}\n", NULL, "'wall'");
    refused(HUB "gravity: [0, -9.81, 0]\n", NULL, "gravity");
    refused(HUB "loads: {wind: {type: force, on: hub.node, value: [1, 0, 0]}}\n", NULL, "'wind'");
    refused(HUB "loads: {wind: {type: force, on: hub.node, value: [0, 0, 1]}}\n", NULL,
            "along the axis, but is loaded by 1 N");
    refused(HUB "loads: {motor: {type: moment, on: hub, moment: [0, 0, 2]}}\n", NULL,
            "about the axis, but is loaded by 2 N m");
    refused(HUB "loads: {drag: {type: torsion_spring, between: [ground, hub], axis: [0, 0, 1],\n"
                "    damping: 0.5}}\n",
            NULL, "about the axis, but is loaded by 3 N m");
    refused(HUB "loads: {stay: {type: spring, between: [ground, hub.p], at: [2, 0, 0],\n"
                "    stiffness: 5}}\n",
            NULL, "'stay'");
    refused(HUB "joints:\n  axle: {type: revolute, between: [ground, hub.node], axis: [0, 0, 1]}\n"
                "  motor: {type: driven_rotation, between: [ground, hub], axis: [0, 0, 1],\n"
                "          angle: \"5*t\"}\n",
            NULL, "'motor'");
    refused(HUB "joints: {axle: {type: revolute, between: [ground, hub.node], axis: [0, 1, 1]}}\n",
            NULL, "'axle'");
    /* a section with a reference vector fixed in space, unlike in its second moments */
    refused(ROD(""), NULL, "body 'rod'");
    refused(
        ROD(", conductivity: 1, specific_heat: 100, absorptivity: 1") "heat: {sun: {type: flux, "
                                                                      "value: 100, direction: [1, "
                                                                      "0, 0], on: rod}}\n",
        NULL, "'sun'");
    /* what a spin of zero length and a state at rest are */
    verify v;
    verify_text(&v, HUB, NULL);
    const double spin[3] = {0, 0, 6}, pivot[3] = {0};
    gos_linear *l = NULL;
    assert_int_equal(gos_linearise_rotating(v.ctx, v.sys, v.state, spin, pivot, &l), GOS_E_USE);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "not a steady rotation"));
    verify_close(&v);
}

/* ---- one road against the other -------------------------------------------------------------- */

/* A push on the blade in nonlinear motion and in the linear model: the difference is of second
   order in the push (of third, as flap is symmetric) */
static void test_push(void **unused) {
    GOS_UNUSED(unused);
    enum { N = 201 };
    static double u[N], y[3 * N];
    double error[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        char set[100];
        const double size = i ? 0.25 : 0.5, h = 0.5 / (N - 1);
        snprintf(set, sizeof set, "g=4 loads.push.value=[0,0,%g*sin(5*t)]", size);
        trim(&v, blade, set, 6);
        gos_linear *l = linear_of(&v);
        gos_linear_info info;
        gos_linear_info_get(l, &info);
        assert_int_equal(info.inputs, 1);
        assert_int_equal(info.outputs, 3);
        const double rest[3] = {verify_value(&v, NULL, "tip.x"), verify_value(&v, NULL, "tip.y"),
                                verify_value(&v, NULL, "tip.z")};
        for (int k = 0; k < N; k++) {
            u[k] = size * sin(5 * k * h);
        }
        verify_good(&v, gos_linear_transient(v.ctx, l, GOS_TRANSIENT_EXACT, h, N, u, y));
        v.opt.end = 0.5;
        v.opt.step = 2.5e-4;
        verify_run(&v);
        const double x = verify_value(&v, NULL, "tip.x") - rest[0];
        const double z = verify_value(&v, NULL, "tip.z") - rest[2];
        error[i] = hypot(y[3 * (N - 1)] - x, y[3 * (N - 1) + 2] - z);
        print_message("    moved by %g, %g\n", x, z);
        verify_below("of the motion", error[i] / hypot(x, z), 0.1);
        gos_linear_destroy(l);
        verify_close(&v);
    }
    verify_within("order in the push", verify_order(error[0], error[1], 2), 1.8, 2.2);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_free_body),
                                       cmocka_unit_test(test_outputs),
                                       cmocka_unit_test(test_unstable_axis),
                                       cmocka_unit_test(test_count),
                                       cmocka_unit_test(test_alignment),
                                       cmocka_unit_test(test_blade),
                                       cmocka_unit_test(test_pinned_rod),
                                       cmocka_unit_test(test_coning),
                                       cmocka_unit_test(test_southwell),
                                       cmocka_unit_test(test_stretch),
                                       cmocka_unit_test(test_goes_on),
                                       cmocka_unit_test(test_push),
                                       cmocka_unit_test(test_booms),
                                       cmocka_unit_test(test_rotor),
                                       cmocka_unit_test(test_thin_disc),
                                       cmocka_unit_test(test_beyond_critical),
                                       cmocka_unit_test(test_internal_damping),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
