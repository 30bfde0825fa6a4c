/* Gravity gradient on bodies of all kinds along an orbit: forces and moments in closed form, the
   Newton matrix against differences, and the motions of textbooks: libration, tension of a tether,
   relative motion, Jacobi's integral. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "math/orbit.h"
#include "math/vec3.h"
#include "support/newton_matrix.h"
#include "support/reduced.h"
#include "support/suite.h"
#include "system/derived.h"

/* ---- forces --------------------------------------------------------------------------------- */

/* A bar of 2 m along (2, 1, 2)/3, 3 kg, of a square section with the side 0.1 m, its middle at
   (0.5, -0.2, 0.3) where it has a mesh. mu/R^3 is 1000: all of it counts. Cables have no inertia of
   their sections, floating beams that about their axis, and across it where `rotary_inertia` is on,
   by itself from such thickness on. */
#define FIELD                                                                                      \
    "orbit: {semi_major_axis: 2, radius: 1, mu: 8000, anomaly: 0.4, inclination: 0.5, "            \
    "axes: inertial}\n"                                                                            \
    "materials: {m: {density: 150, young: 1.0e6, poisson: 0.3}}\n"                                 \
    "sections: {s: {type: rectangle, height: 0.1, width: 0.1}}\n"

typedef struct bar {
    const char *name, *text;
    bool twists, bends; // its section has inertia about the bar, and across it
} bar;

#define ENDS "from: [-1/6, -1/2 - 1/30, -11/30], to: [7/6, 1/3 - 0.2, 2/3 + 0.3]"
#define MESH                                                                                       \
    "meshes: {b: {type: box, size: [2, 0.1, 0.1], corner: [-0.5, -0.25, 0.25], "                   \
    "cells: [4, 1, 1]}}\n"

static const bar bars[] = {
    {"rigid",
     "bodies: {b: {type: rigid, mass: 3, position: [0.1, 0, 0.2], centre_of_mass: [0.4, -0.2, "
     "0.1],\n"
     "             inertia: [0.005, 1.0025, 1.0025]}}\n",
     true, true},
    {"cable", "bodies: {b: {type: ancf_cable, material: m, section: s, " ENDS ", elements: 3}}\n",
     false, false},
    {"beam", "bodies: {b: {type: ancf_beam, material: m, section: s, " ENDS ", elements: 3}}\n",
     true, true},
    {"floating beam",
     "bodies: {b: {type: floating_beam, material: m, section: s, " ENDS ", elements: 3}}\n", true,
     true},
    {"floating beam without rotary inertia",
     "bodies: {b: {type: floating_beam, material: m, section: s, " ENDS ", elements: 3, "
     "rotary_inertia: false}}\n",
     true, false},
    {"floating beam, reduced",
     "floating_bodies: reduced\n"
     "bodies: {b: {type: floating_beam, material: m, section: s, " ENDS ", elements: 3,\n"
     "             reduce: {method: modes, order: 4}}}\n",
     true, true},
    {"solid", MESH "bodies: {b: {type: solid, mesh: b, material: m}}\n", true, true},
    {"floating mesh",
     MESH "bodies: {b: {type: floating, mesh: b, material: m, reference: clamped, at: left}}\n",
     true, true},
};

static void moments_of(const gos_system *s, const double *q, const double *r, double f[3],
                       double m[3]) {
    memset(f, 0, 3 * sizeof *f);
    memset(m, 0, 3 * sizeof *m);
    for (int i = 0; i < s->nv; i++) {
        double x[3];
        if (gos__derived_single(s, i)) {
            continue;
        }
        gos__cross3(q + 3 * i, r + 3 * i, x);
        for (int c = 0; c < 3; c++) {
            f[c] -= s->trans[i] * r[3 * i + c];
            m[c] -= x[c];
        }
    }
}

/* force m G x_c; moment x_c x that + 3 mu/R^3 n x J n, of J = J_1 (1 - t t) + J_t t t along the
 * bar, t its direction */
static void closed_form(const verify *v, const double t[3], const bar *b, double f[3],
                        double m[3]) {
    const double mass = 3, across = mass * 4 / 12 + (b->bends ? mass * 0.01 / 12 : 0);
    const double along = b->twists ? mass * 0.01 / 6 : 0, centre[3] = {0.5, -0.2, 0.3};
    double G[9], n[3], arm[3], turn[3];
    gos_orbit_position p;
    gos__orbit_gradient(v->sys->orbit, 0.3, G);
    gos__orbit_at(v->sys->orbit, 0.3, &p);
    memcpy(n, p.axes, sizeof n);
    for (int c = 0; c < 3; c++) {
        f[c] = mass * gos__dot3(G + 3 * c, centre);
        arm[c] = 3 * 1000 * ((along - across) * gos__dot3(n, t) * t[c] + across * n[c]);
    }
    gos__cross3(n, arm, m);
    gos__cross3(centre, f, turn);
    for (int c = 0; c < 3; c++) {
        m[c] += turn[c];
    }
}

static void test_forces(void **unused) {
    GOS_UNUSED(unused);
    for (int i = 0; i < GOS_COUNT(bars); i++) {
        verify v;
        char text[2000];
        snprintf(text, sizeof text, "%s%s", FIELD, bars[i].text);
        verify_text(&v, text, NULL);
        gos_work *w = NULL;
        verify_good(&v, gos__work_create(v.ctx, v.sys, &w));
        double *r = calloc((size_t)v.sys->n + 1, sizeof *r), f[3], m[3], F[3], M[3];
        assert_non_null(r);
        const gos_point_of at = {.t = 0.3, .scale = 1, .q = v.state->q};
        const gos_residual out = gos__residual_of(v.sys, r);
        verify_good(&v, gos__residual(w, &at, &out, NULL));
        moments_of(v.sys, v.state->q, r, f, m);
        const bool slanting = strstr(bars[i].text, "from:") != NULL;
        const double t[3] = {slanting ? 2 / 3.0 : 1, slanting ? 1 / 3.0 : 0,
                             slanting ? 2 / 3.0 : 0};
        closed_form(&v, t, &bars[i], F, M);
        for (int c = 0; c < 3; c++) {
            char what[100];
            snprintf(what, sizeof what, "%s, force %d [N]", bars[i].name, c);
            verify_near(what, f[c], F[c], 1e-9 * 3000);
            snprintf(what, sizeof what, "%s, moment %d [N m]", bars[i].name, c);
            verify_near(what, m[c], M[c], 1e-9 * 3000);
        }
        free(r);
        gos__work_destroy(v.ctx, w);
        verify_close(&v);
    }
}

/* at random states, where made vectors have rates and bodies are bent; and of a reduced system */
static void test_newton_matrix(void **unused) {
    GOS_UNUSED(unused);
    for (int i = 0; i < GOS_COUNT(bars); i++) {
        verify v;
        char text[2000];
        snprintf(text, sizeof text, "%s%s", FIELD, bars[i].text);
        verify_text(&v, text, NULL);
        check_newton_matrix(v.sys, bars[i].name, 0, false);
        verify_close(&v);
    }
    verify v;
    gos_system *reduced = NULL;
    verify_text(&v,
                FIELD "bodies: {b: {type: ancf_cable, material: m, section: s, " ENDS
                      ", elements: 4},\n"
                      "  hub: {type: rigid, mass: 2, inertia: [1, 2, 2.5], position: [1, 1, 1]}}\n",
                NULL);
    reduce_as(v.sys, (gos_reduction_def){.fields = GOS_FIELDS_MODES, .number = 3, .statics = 1});
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    check_newton_matrix(reduced, "reduced", 0, false);
    gos_system_destroy(reduced);
    verify_close(&v);
}

/* ---- motions -------------------------------------------------------------------------------- */

/* A free particle beside a circular orbit: Clohessy and Wiltshire's equations are these very ones.
   From x0 radially out at rest in turning axes: x = x0 (4 - 3 cos nt), y = 6 x0 (sin nt - nt), and
   z = z0 cos nt. Of order 2 in the step. */
static void test_particle(void **unused) {
    GOS_UNUSED(unused);
    double error[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v,
                    "parameters: {n: sqrt(3.986004418e14/7e6)/7e6, h: 10}\n"
                    "orbit: {semi_major_axis: 7e6, inclination: 1, node: 2, anomaly: 0.7}\n"
                    "bodies: {p: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [10, 0, 5],\n"
                    "             velocity: [0, 10*n, 0]}}\n"
                    "probes: {r: {at: p, quantity: orbit_coordinates}}\n"
                    "analysis: {end: 6000, step: h, rho_infinity: 1, newton_tolerance: 1.0e-6}\n",
                    i ? "h=2.5" : "h=5");
        verify_run(&v);
        const double nt = v.sys->orbit->rate * v.state->t;
        const double want[3] = {10 * (4 - 3 * cos(nt)), 60 * (sin(nt) - nt), 5 * cos(nt)};
        double r[3];
        verify_probe(&v, NULL, "r", r);
        error[i] = verify_distance(r, want);
        verify_close(&v);
    }
    verify_below("off after 330 m [m]", error[1], 2e-2);
    verify_within("its order", verify_order(error[0], error[1], 2), 1.9, 2.1);
}

/* Rates of quantities of the orbit, by which results are interpolated: its own velocity; of a body
 * in its axes, which turn. */
static void test_rates(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    verify_text(
        &v,
        "orbit: {semi_major_axis: 1e7, eccentricity: 0.1, inclination: 1, node: 2, anomaly: "
        "0.7, beta: 0.5}\n"
        "bodies: {p: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [10, -3, 5],\n"
        "             velocity: [0.002, 0.01, -0.003]}}\n"
        "probes: {r: {at: p, quantity: orbit_coordinates}, x: {quantity: orbit_position},\n"
        "         v: {quantity: orbit_velocity}, s: {quantity: sunlight}}\n"
        "analysis: {end: 1}\n",
        NULL);
    double y[4][3], rate[4][3], want[3] = {0}, *const x = v.state->q, *const u = v.state->v;
    for (int i = 0; i < 4; i++) {
        verify_good(&v, gos_system_probe(v.ctx, v.sys, v.state, i, y[i], rate[i]));
    }
    gos_orbit_position before, after;
    gos__orbit_at(v.sys->orbit, -0.01, &before);
    gos__orbit_at(v.sys->orbit, 0.01, &after);
    for (int k = 0; k < 9; k++) {
        want[k / 3] += (after.axes[k] - before.axes[k]) / 0.02 * x[k % 3] +
                       (after.axes[k] + before.axes[k]) / 2 * u[k % 3];
    }
    verify_below("rate of the position, off of all",
                 verify_distance(rate[1], y[2]) / gos__norm3(y[2]), 1e-5);
    verify_below("rate in axes of the orbit, off [m/s]", verify_distance(rate[0], want), 1e-7);
    assert_true(rate[3][0] == 0);
    verify_close(&v);
}

/* The particle on an eccentric orbit: the difference of two of Kepler's orbits, to first order in
   it. 1 m from 7e6 m leaves 1e-7 of it, grown by the way, to second order. */
static void test_eccentric(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    verify_text(&v,
                "orbit: {semi_major_axis: 1e7, eccentricity: 0.3, anomaly: 1, axes: inertial,\n"
                "        inclination: 0.6, perigee: 2}\n"
                "bodies: {p: {type: rigid, mass: 2, inertia: [1, 1, 1]}}\n"
                "probes: {r: {at: p, quantity: position}}\n"
                "analysis: {end: 5000, step: 5, rho_infinity: 1, newton_tolerance: 1.0e-6}\n",
                NULL);
    gos_orbit other = *v.sys->orbit;
    gos_orbit_position a, b, c, d;
    other.mean += 1e-7;
    other.node += 2e-7;
    gos__orbit_at(v.sys->orbit, 0, &a);
    gos__orbit_at(&other, 0, &b);
    for (int k = 0; k < 3; k++) {
        v.state->q[k] = b.r[k] - a.r[k];
        v.state->v[k] = b.v[k] - a.v[k];
    }
    verify_run(&v);
    gos__orbit_at(v.sys->orbit, v.state->t, &c);
    gos__orbit_at(&other, v.state->t, &d);
    const char *const name[] = {"r.x", "r.y", "r.z"};
    for (int k = 0; k < 3; k++) {
        verify_near(name[k], verify_value(&v, NULL, name[k]), d.r[k] - c.r[k], 4e-5);
    }
    verify_close(&v);
}

static void modes_with_orbit(verify *v, int n, gos_mode *mode) {
    gos_orbit_position p;
    gos_linear *l = NULL;
    double spin[3];
    const double pivot[3] = {0};
    int found = 0;
    gos__orbit_at(v->sys->orbit, v->state->t, &p);
    for (int c = 0; c < 3; c++) {
        spin[c] = v->sys->orbit->rate * p.axes[6 + c];
    }
    v->opt.spin_x = spin[0], v->opt.spin_y = spin[1], v->opt.spin_z = spin[2];
    verify_static(v);
    verify_good(v, gos_linearise_rotating(v->ctx, v->sys, v->state, spin, pivot, &l));
    verify_good(v, gos_linear_modes(v->ctx, l, n, true, mode, &found));
    for (int i = 0; i < found; i++) {
        print_message("    mode %d: %.10g %+.10g i orbits\n", i, mode[i].re / v->sys->orbit->rate,
                      mode[i].im / v->sys->orbit->rate);
    }
    assert_int_equal(found, n);
    gos_linear_destroy(l);
}

static bool has(const gos_mode *mode, int n, double want, double relative) {
    bool found = false;
    for (int i = 0; i < n; i++) {
        found = found || fabs(fabs(mode[i].im) - want) < relative * want;
    }
    return found;
}

/* Hughes, Spacecraft Attitude Dynamics, 9.2: a thin dumbbell (to 1e-4) swings with sqrt(3) n in the
   plane of the orbit and 2 n out of it; a body's pitch with n sqrt(3 (Ix - Iy)/Iz), x radially out,
   and its roll and yaw with the roots of his biquadratic */
#define ORBIT "orbit: {semi_major_axis: 7e6, inclination: 0.9}\n"

static void test_libration(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    gos_mode mode[12];
    verify_text(&v, ORBIT "bodies: {p: {type: rigid, mass: 2, inertia: [0.1, 800, 800.05]}}\n",
                NULL);
    modes_with_orbit(&v, 6, mode);
    double n = v.sys->orbit->rate;
    assert_true(has(mode, 6, sqrt(3) * n, 2e-4) && has(mode, 6, 2 * n, 2e-4) &&
                has(mode, 6, n, 1e-6));
    verify_close(&v);
    const double I[3] = {20, 50, 60}; // about x radially out, y along, z normal: I_z > I_y > I_x
    verify_text(&v, ORBIT "bodies: {p: {type: rigid, mass: 2, inertia: [20, 50, 60]}}\n", NULL);
    modes_with_orbit(&v, 6, mode);
    n = v.sys->orbit->rate;
    assert_true(has(mode, 6, n * sqrt(3 * (I[1] - I[0]) / I[2]), 1e-6));
    const double k1 = (I[2] - I[0]) / I[1], k3 = (I[2] - I[1]) / I[0];
    const double b = 1 + 3 * k1 + k1 * k3, root = sqrt(b * b - 16 * k1 * k3);
    assert_true(has(mode, 6, n * sqrt((b + root) / 2), 1e-6) &&
                has(mode, 6, n * sqrt((b - root) / 2), 1e-6));
    verify_close(&v);
}

/* the same in nonlinear motion: three periods of pitch at 1e-3 rad; the amplitude lengthens them by
 * 1e-6/16 */
static void test_pitch(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    verify_text(&v,
                "parameters: {n: sqrt(3.986004418e14/7e6)/7e6}\n"
                "orbit: {semi_major_axis: 7e6, inclination: 1.2}\n"
                "bodies: {p: {type: rigid, mass: 2, inertia: [20, 50, 60],\n"
                "             rotation_vector: [0, 0, 1.0e-3], angular_velocity: [0, 0, n],\n"
                "             points: {x: [1, 0, 0]}}}\n"
                "probes: {r: {at: p.x, quantity: orbit_coordinates}}\n"
                "analysis: {end: 14000, step: 4, rho_infinity: 1, newton_tolerance: 1.0e-6}\n",
                NULL);
    verify_run(&v);
    const double w = v.sys->orbit->rate * sqrt(3 * 30.0 / 60);
    verify_near("pitch [rad]", verify_value(&v, NULL, "r.along"), 1e-3 * cos(w * v.state->t), 2e-6);
    verify_close(&v);
}

/* Two masses on a spring that turn with the orbit, one over the other: the spring pulls with 3 n^2
 * m L */
static void test_tension(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    verify_text(&v,
                "parameters: {n: sqrt(3.986004418e14/7e6)/7e6, k: 1.0e-3}\n"
                "orbit: {semi_major_axis: 7e6}\n"
                "bodies:\n"
                "  a: {type: rigid, mass: 20, inertia: [1, 2, 2.5], position: [500, 0, 0]}\n"
                "  b: {type: rigid, mass: 20, inertia: [1, 2, 2.5], position: [-500, 0, 0]}\n"
                "loads: {t: {type: spring, between: [a, b], stiffness: k, free_length: 1000}}\n"
                "probes: {a: {at: a, quantity: position}, b: {at: b, quantity: position}}\n"
                "analysis: {type: static, spin: {axis: [0, 0, 1], rate: n}}\n",
                NULL);
    verify_static(&v);
    const double n = v.sys->orbit->rate, L = verify_value(&v, NULL, "a.x");
    verify_near_rel("tension [N]", 1e-3 * (2 * L - 1000), 3 * n * n * 20 * L, 1e-6);
    verify_near_rel("its middle at the origin [m]", verify_value(&v, NULL, "b.x"), -L, 1e-9);
    verify_close(&v);
}

/* ---- energy --------------------------------------------------------------------------------- */

/* A craft of a rigid hub and bending booms on a circular orbit: T + V - n . L + V_g is constant,
   V_g = -1/2 sum of dm x . G x (Jacobi's integral). And the work of the field is what the energies
   of the run lose. */
static const char craft[] =
    "parameters: {n: sqrt(3.986004418e14/7e6)/7e6, h: 2}\n"
    "orbit: {semi_major_axis: 7e6, inclination: 0.3}\n"
    "materials: {m: {density: 500, young: 1.0e5, poisson: 0.3}}\n"
    "sections: {s: {type: rectangle, height: 0.1, width: 0.2}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 100, inertia: [40, 60, 50]}\n"
    "  up: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [20, 8, 3], elements: "
    "3}\n"
    "  down: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [-20, 2, 1], "
    "elements: 3}\n"
    "joints: {u: {type: clamp, between: [hub, up.start]}, d: {type: clamp, between: [hub, "
    "down.start]}}\n"
    "initial: {all: {angular_velocity: [0, 0.2*n, 1.5*n]}}\n"
    "probes: {e: {quantity: energy}, tip: {at: up.end, quantity: orbit_coordinates}}\n"
    "analysis: {end: 1500, step: h, rho_infinity: 1, newton_tolerance: 1.0e-6}\n";

static double jacobi(const verify *v) {
    const gos_system *s = v->sys;
    gos_energy e;
    gos_orbit_position at;
    double p[3], l[3], G[9], field = 0;
    gos_system_energy(s, v->state, &e);
    gos_system_momentum(s, v->state, p, l);
    gos__orbit_at(s->orbit, v->state->t, &at);
    gos__orbit_gradient(s->orbit, v->state->t, G);
    for (int i = 0; i < s->nv; i++) {
        for (int k = s->mass.p[i]; k < s->mass.p[i + 1]; k++) {
            for (int c = 0; c < 3; c++) {
                field -= 0.5 * s->mass.v[k] * v->state->q[3 * i + c] *
                         gos__dot3(G + 3 * c, v->state->q + 3 * s->mass.j[k]);
            }
        }
    }
    return e.kinetic + e.strain + field - s->orbit->rate * gos__dot3(at.axes + 6, l);
}

static void test_jacobi(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    gos_energy e;
    double drift = 0;
    verify_text(&v, craft, NULL);
    verify_start(&v);
    const double before = jacobi(&v);
    gos_system_energy(v.sys, v.state, &e);
    const double kinetic = e.kinetic;
    while (v.state->t < v.opt.end) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        drift = fmax(drift, fabs(jacobi(&v) - before) / kinetic);
    }
    gos_system_energy(v.sys, v.state, &e);
    verify_below("drift of Jacobi's integral, of the kinetic energy", drift, 5e-6);
    verify_below("balance of the energies, of the kinetic energy", e.balance / kinetic, 5e-5);
    verify_within("work of the field, of the kinetic energy", -e.work / kinetic, 0.3, 1);
    verify_close(&v);
}

/* reduced within the predicted error: the tip follows the full model along its swing */
static void test_reduced(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    gos_system *reduced = NULL;
    double full[3], y[3];
    verify_text(&v, craft,
                "analysis.step=0 analysis.tolerance=1e-5 analysis.newton_tolerance=1e-2 "
                "analysis.rho_infinity=0.6");
    reduce_as(v.sys,
              (gos_reduction_def){
                  .fields = GOS_FIELDS_MODES, .number = 30, .statics = 1, .tolerance = 1e-4});
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    verify_run(&v);
    verify_probe(&v, NULL, "tip", full);
    gos_integrator_destroy(v.run);
    gos_state_destroy(v.state);
    gos_system *whole = v.sys;
    v.run = NULL;
    v.sys = reduced;
    verify_good(&v, gos_state_create(v.ctx, v.sys, &v.state));
    verify_run(&v);
    verify_probe(&v, NULL, "tip", y);
    print_message("    %d of %d coordinates\n", reduced->nq, whole->nq);
    verify_below("reduced against full, of 20 m [m]", verify_distance(y, full), 5e-3);
    gos_state_destroy(v.state);
    v.state = NULL;
    gos_integrator_destroy(v.run);
    v.run = NULL;
    gos_system_destroy(reduced);
    v.sys = whole;
    verify_close(&v);
}

/* ---- what is refused, or told --------------------------------------------------------------- */

static void refused(const char *text, const char *message) {
    gos_ctx *ctx = gos_ctx_create();
    gos_model *model = NULL;
    gos_system *sys = NULL;
    assert_int_equal(gos_model_parse(ctx, text, strlen(text), "test", NULL, &model), GOS_OK);
    assert_int_equal(gos_system_create(ctx, model, &sys), GOS_E_INPUT);
    if (!strstr(gos_ctx_message(ctx), message)) {
        print_error("'%s' has no '%s'\n", gos_ctx_message(ctx), message);
        fail();
    }
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
}

#define BALL "bodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\n"

static void test_refused(void **unused) {
    GOS_UNUSED(unused);
    refused("orbit: {eccentricity: 0}\n" BALL, "'semi_major_axis' is missing");
    refused("orbit: {altitude: 4e5, semi_major_axis: 7e6}\n" BALL, "remove altitude");
    refused("orbit: {altitude: 4e5, eccentricity: 0.2}\n" BALL, "inside the central body");
    refused("orbit: {semi_major_axis: 7000}\n" BALL, "lengths of an orbit are in m");
    refused("orbit: {altitude: 4e5, eccentricity: 1}\n" BALL, "eccentricity");
    refused("orbit: {altitude: 4e5, beta: 0, sun: [0, 0]}\n" BALL, "give one of them");
    refused("orbit: {altitude: 4e5, noon: 1}\n" BALL, "noon requires beta");
    refused("orbit: {altitude: 4e5, date: tomorrow}\n" BALL, "2026-03-20");
    refused("orbit: {altitude: 4e5, beta: 0, sun_distance: 1e6}\n" BALL, "reaches the Sun");
    refused("gravity: [0, 0, -9.81]\norbit: {altitude: 4e5}\n" BALL, "falls freely");
    refused("probes: {s: {quantity: sunlight}}\n" BALL, "requires `orbit`");
    refused("orbit: {altitude: 4e5}\nprobes: {s: {quantity: sunlight}}\n" BALL, "give it a date");
}

/* A steady rotation is one with a circular orbit, and a linear model without it holds the field of
 * one time */
static void test_told(void **unused) {
    GOS_UNUSED(unused);
    const char *const wrong[] = {"rate=2e-3", "tilt=0.3", "ecc=0.01", "j2=1e-3", "pivot=5"};
    for (int i = 0; i < GOS_COUNT(wrong); i++) {
        verify v;
        verify_text(&v,
                    "parameters: {rate: sqrt(3.986004418e14/7e6)/7e6, tilt: 0, ecc: 0, j2: 0, "
                    "pivot: 0}\n"
                    "orbit: {semi_major_axis: 7e6, eccentricity: ecc, j2: j2}\n"
                    "bodies: {b: {type: rigid, mass: 1, inertia: [1, 2, 2.5]}}\n"
                    "analysis: {type: static, spin: {axis: [tilt, 0, 1], rate: rate, "
                    "through: [pivot, 0, 0]}}\n",
                    wrong[i]);
        assert_int_equal(gos_solve_static(v.ctx, v.sys, &v.opt, v.state, &v.stats), GOS_E_INPUT);
        assert_non_null(strstr(gos_ctx_message(v.ctx), "rotates with the orbit"));
        verify_close(&v);
    }
    verify v;
    gos_linear *l = NULL;
    verify_text(&v, "orbit: {altitude: 4e5}\n" BALL, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    bool told = false;
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        told = told || strstr(gos_ctx_diag(v.ctx, i)->text, "keeps the gravity gradient");
    }
    assert_true(told);
    gos_linear_destroy(l);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces),    cmocka_unit_test(test_newton_matrix),
        cmocka_unit_test(test_particle),  cmocka_unit_test(test_rates),
        cmocka_unit_test(test_eccentric), cmocka_unit_test(test_libration),
        cmocka_unit_test(test_pitch),     cmocka_unit_test(test_tension),
        cmocka_unit_test(test_jacobi),    cmocka_unit_test(test_reduced),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
