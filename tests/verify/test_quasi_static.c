/* Quasi-static motion: closed forms of heated rods and strips against time, springs with dampers,
   what inertia would do, loads that switch, agreement with runs that have inertia, other axes and
   units, going on, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solve/integrator.h"
#include "steppers/radau/radau.h"
#include "support/suite.h"
#include "support/turn_model.h"

enum { TIMES = 40 };

static const double turned_by[3] = {0.7, -1.1, 0.4};

/* a text with settings; turned, and in mm, t and s */
static void open_turned(verify *v, const char *text, const char *settings) {
    *v = (verify){.ctx = gos_ctx_create()};
    verify_good(v, gos_model_parse(v->ctx, text, strlen(text), "test", NULL, &v->model));
    verify_set(v, settings);
    turn_model(v, turned_by, 1000, 1e-3);
    verify_compile(v);
}

static void open_text(verify *v, const char *text, const char *settings, bool turn) {
    if (turn) {
        open_turned(v, text, settings);
    } else {
        verify_text(v, text, settings);
    }
}

/* Positions at the ends of steps are of order 5, velocities inside them of order 3, accelerations
 * of order 2. */
static double order(double tolerance, int n) {
    return pow(tolerance, n / 5.0);
}

static double length_of(const verify *v, const gos_state *x, const char *probe) {
    double y[GOS_PROBE_MAX];
    verify_probe(v, x, probe, y);
    return sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
}

/* ---- a rod that expands ---------------------------------------------------------------------- */

/* free expansion by a film: T = A (1 - exp(-t / tau)), tau = rho c area / (film perimeter); u =
 * expansion L T */
#define ROD                                                                                        \
    "materials: {m: {density: 7850, young: 2.1e11, poisson: 0.3, expansion: 1.2e-5,\n"             \
    "    conductivity: 40, specific_heat: 500}}\n"                                                 \
    "sections: {s: {type: rectangle, width: 0.02, height: 0.01}}\n"                                \
    "bodies:\n"                                                                                    \
    "  r: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"            \
    "      elements: 4}\n"
#define ROD_REST                                                                                   \
    "heat: {f: {type: convection, coefficient: 50, ambient: 80, on: [r.top, r.bottom, r.left,\n"   \
    "    r.right]}}\n"                                                                             \
    "probes: {u: {at: r.end, quantity: displacement}, v: {at: r.end, quantity: velocity},\n"       \
    "    a: {at: r.end, quantity: acceleration}, E: {quantity: energy}}\n"                         \
    "analysis: {end: 2000, motion: quasi_static}\n"

static const char rod[] = ROD "joints: {c: {type: clamp, between: [ground, r.start]}}\n" ROD_REST;

/* ... with a rigid body at its end, and another rod behind that */
static const char rods[] =
    ROD "  b: {type: rigid, mass: 3, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0]}\n"
        "  o: {type: ancf_beam, material: m, section: s, from: [1, 0, 0], to: [2, 0, 0],\n"
        "      elements: 3}\n"
        "joints: {c: {type: clamp, between: [ground, r.start]},\n"
        "    d: {type: clamp, between: [r.end, b]}, e: {type: clamp, between: [b, "
        "o.start]}}\n" ROD_REST;

/* places and rates to `off` tolerances of the extent, at the steps and between them; balance of
 * energy */
static void check_rod(const char *text, const char *settings, double extent, bool turn,
                      double tolerance) {
    const double tau = 7850.0 * 500 * 0.02 * 0.01 / (50 * 0.06), unit = turn ? 1e3 : 1;
    double worst = 0, rate = 0, fast = 0, open = 0, most = 0;
    verify v;
    open_text(&v, text, settings, turn);
    v.opt.tolerance = tolerance;
    verify_start(&v);
    for (int k = 0; k < TIMES; k++) {
        const double t = v.opt.end * pow((k + 0.37) / TIMES, 3), part = exp(-t / tau);
        const gos_state *x = verify_at(&v, t);
        const double u = 80 * 1.2e-5 * (1 - part), ud = 80 * 1.2e-5 * part / tau;
        worst = fmax(worst, fabs(length_of(&v, x, "u") / unit - u) / extent);
        rate = fmax(rate, fabs(length_of(&v, x, "v") / unit - ud));
        fast = fmax(fast, fabs(length_of(&v, x, "a") / unit - ud / tau));
        open = fmax(open, fabs(verify_value(&v, x, "E.balance")));
        most = fmax(most, fabs(verify_value(&v, x, "E.strain")));
    }
    verify_below("extension, of the extent", worst, tolerance);
    verify_below("its rate, of the largest", rate / (80 * 1.2e-5 / tau), order(tolerance, 3));
    verify_below("its acceleration, of the largest", fast / (80 * 1.2e-5 / tau / tau),
                 order(tolerance, 2));
    verify_below("balance of energy, of the strain energy", open / most, 100 * tolerance);
    gos_integrator_statistics(v.run, &v.stats);
    verify_below("steps", (double)v.stats.steps, 300);
    verify_close(&v);
}

static void free_expansion(void **state) {
    GOS_UNUSED(state);
    check_rod(rod, NULL, 1, false, 1e-5);
    check_rod(rod, NULL, 1, true, 1e-5);
    check_rod(rod, NULL, 1, false, 1e-7);
    check_rod(rods, NULL, 2, false, 1e-6);
    check_rod(rods, NULL, 2, true, 1e-6);
}

/* ---- a strip that bends ---------------------------------------------------------------------- */

/* Flux q into the top: the linear part of the temperature across the section obeys rho c I G' + k A
   G = q b h / 2, so that the curvature is expansion q / (2 k) (1 - exp(-t / tau)), tau = rho c h^2
   / (12 k); the mean warms by q t / (rho c h). */
static const char strip[] =
    "materials: {m: {density: 1200, young: 3.0e9, poisson: 0.3, expansion: 6.0e-5,\n"
    "    conductivity: 0.2, specific_heat: 1500}}\n"
    "sections: {s: {type: rectangle, width: 0.02, height: 0.01}}\n"
    "bodies:\n"
    "  r: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "      elements: 8}\n"
    "joints: {c: {type: clamp, between: [ground, r.start]}}\n"
    "heat: {f: {type: flux, value: 500, on: r.top}}\n"
    "probes: {u: {at: r.end, quantity: displacement}, v: {at: r.end, quantity: velocity},\n"
    "    E: {quantity: energy}}\n"
    "analysis: {end: 400, motion: quasi_static}\n";

static void check_strip(bool turn, double tolerance) {
    const double tau = 1200 * 1500 * 1e-4 / (12 * 0.2), unit = turn ? 1e3 : 1;
    double worst = 0, rate = 0;
    verify v;
    open_text(&v, strip, NULL, turn);
    v.opt.tolerance = tolerance;
    v.opt.error_check = GOS_ERROR_CHECK_NEVER;
    verify_start(&v);
    double place[3][2];
    for (int k = 1; k <= TIMES; k++) {
        const double at = v.opt.end * pow((k - 0.37) / TIMES, 2), d = 1e-4 * at;
        for (int i = 0; i < 3; i++) {
            const double t = at + d * (i - 1);
            const double bend = 6e-5 * 500 / 0.4 * (1 - exp(-t / tau));
            const double longer = 1 + 6e-5 * 500 * t / (1200 * 1500 * 0.01);
            place[i][0] = longer * sin(bend) / bend - 1;
            place[i][1] = longer * (1 - cos(bend)) / bend;
        }
        const gos_state *x = verify_at(&v, at);
        worst = fmax(worst, fabs(length_of(&v, x, "u") / unit - hypot(place[1][0], place[1][1])));
        rate =
            fmax(rate, fabs(length_of(&v, x, "v") / unit -
                            hypot(place[2][0] - place[0][0], place[2][1] - place[0][1]) / (2 * d)));
    }
    verify_below("deflection", worst, 3e-6 + tolerance);
    verify_below("its rate, of the largest", rate / (0.5 * 6e-5 * 500 / 0.4 / tau),
                 1e-4 + order(tolerance, 3));
    verify_close(&v);
}

static void bending(void **state) {
    GOS_UNUSED(state);
    check_strip(false, 1e-4);
    check_strip(false, 1e-6);
    check_strip(true, 1e-6);
}

/* errors fall with the tolerance, and stay below it: rates too */
static void convergence(void **state) {
    GOS_UNUSED(state);
    static double want[TIMES][2], got[TIMES][2];
    for (int i = 0; i < 6; i++) {
        const double tolerance = i == 0 ? 1e-9 : pow(10, -2 - i);
        double place = 0, rate = 0, speed = 0;
        verify v;
        verify_text(&v, strip, NULL);
        v.opt.tolerance = tolerance;
        verify_start(&v);
        for (int k = 0; k < TIMES; k++) {
            const gos_state *x = verify_at(&v, v.opt.end * (k + 0.37) / TIMES);
            got[k][0] = length_of(&v, x, "u");
            got[k][1] = length_of(&v, x, "v");
            place = fmax(place, fabs(got[k][0] - want[k][0]));
            rate = fmax(rate, fabs(got[k][1] - want[k][1]));
            speed = fmax(speed, fabs(want[k][1]));
        }
        if (i == 0) {
            memcpy(want, got, sizeof want);
        } else {
            verify_below("deflection, tolerances", place / tolerance, 1);
            verify_below("its rate, of the largest", rate / speed, order(tolerance, 3));
        }
        verify_close(&v);
    }
}

/* ---- springs and dampers --------------------------------------------------------------------- */

/* c a' + k a = 10 t + 50 (t > 10) about the axis of a hinge, with tau = c / k */
static const char dashpot[] =
    "bodies: {b: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0]}}\n"
    "joints: {h: {type: revolute, between: [ground, b], axis: [0, 1, 0]}}\n"
    "loads:\n"
    "  s: {type: torsion_spring, between: [ground, b], axis: [0, 1, 0], stiffness: 100,\n"
    "      damping: damping}\n"
    "  f: {type: moment, on: b, moment: [0, \"10*t + 25*(1 + sign(t - 10))\", 0]}\n"
    "parameters: {damping: 500}\n"
    "probes: {a: {joint: h, quantity: joint_coordinates}, w: {joint: h, quantity: joint_rates},\n"
    "    E: {quantity: energy}}\n"
    "analysis: {end: 20, tolerance: 1.0e-6, motion: quasi_static}\n";

static double first_of(const verify *v, const gos_state *x, const char *probe) {
    double y[GOS_PROBE_MAX];
    verify_probe(v, x, probe, y);
    return y[0];
}

static void damped(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < 2; i++) {
        const double tau = i == 0 ? 5 : 0.02;
        double place = 0, rate = 0;
        verify v;
        verify_text(&v, dashpot, i == 0 ? NULL : "damping=2");
        verify_start(&v);
        for (int k = 0; k < 57; k++) {
            const double t = 20 * (k + 0.37) / 57, s = t - 10;
            const double more = s > 0 ? 1 - exp(-s / tau) : 0;
            const double a = 0.1 * (t - tau + tau * exp(-t / tau)) + 0.5 * more;
            const double w = 0.1 * (1 - exp(-t / tau)) + (s > 0 ? 0.5 / tau * exp(-s / tau) : 0);
            const gos_state *x = verify_at(&v, t);
            place = fmax(place, fabs(first_of(&v, x, "a") - a));
            rate = fmax(rate, fabs(first_of(&v, x, "w") - w) * tau);
        }
        verify_below("angle", place, 2e-6);
        verify_below("its rate, times the time constant", rate, order(1e-6, 3));
        verify_below("balance of energy, of the work",
                     verify_value(&v, NULL, "E.balance") / verify_value(&v, NULL, "E.work"), 1e-5);
        verify_close(&v);
    }
}

/* ---- without inertia ------------------------------------------------------------------------- */

/* every kind of body: displacements do not depend on the mass, kinetic energy is proportional to
   it */
static const char masses[] =
    "parameters: {heavy: 1}\n"
    "materials: {m: {density: 2700*heavy, young: 7.0e10, poisson: 0.3, expansion: 2.0e-5,\n"
    "    conductivity: 100, specific_heat: 900/heavy}}\n"
    "sections: {s: {type: rectangle, width: 0.02, height: 0.01}}\n"
    "bodies:\n"
    "  r: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "      elements: 3}\n"
    "  f: {type: floating_beam, material: m, section: s, from: [1, 0, 0], to: [1, 1, 0],\n"
    "      elements: 4, reference: clamped}\n"
    "  b: {type: rigid, mass: 2*heavy, inertia: [0.1*heavy, 0.2*heavy, 0.1*heavy],\n"
    "      position: [1, 1, 0]}\n"
    "joints:\n"
    "  c: {type: driven_rotation, between: [ground, r.start], axis: [0, 0, 1], angle: \"0.3*t\"}\n"
    "  h: {type: revolute, between: [ground, r.start], axis: [0, 0, 1]}\n"
    "  d: {type: clamp, between: [r.end, f.start]}\n"
    "  e: {type: clamp, between: [f.end, b]}\n"
    "loads: {p: {type: force, on: b, value: [\"20*sin(t)\", 5, \"3*t\"]}}\n"
    "heat: {q: {type: flux, value: 3000, on: r.top}}\n"
    "probes: {u: {at: b, quantity: position}, v: {at: b, quantity: velocity},\n"
    "    T: {at: r.end, quantity: temperature}, E: {quantity: energy}}\n"
    "analysis: {end: 6, tolerance: 1.0e-6, motion: quasi_static}\n";

static void massless(void **state) {
    GOS_UNUSED(state);
    double place[2][3], rate[2][3], energy[2], own[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v, masses, i == 0 ? NULL : "heavy=1000");
        verify_run(&v);
        verify_probe(&v, NULL, "u", place[i]);
        verify_probe(&v, NULL, "v", rate[i]);
        energy[i] = verify_value(&v, NULL, "E.kinetic");
        own[i] = verify_value(&v, NULL, "E.balance") / verify_value(&v, NULL, "E.strain");
        verify_close(&v);
    }
    for (int c = 0; c < 3; c++) {
        verify_near("place with a thousand times the mass", place[1][c], place[0][c], 1e-6);
        verify_near("its rate", rate[1][c], rate[0][c], 1e-5);
    }
    verify_near_rel("kinetic energy", energy[1] / energy[0], 1000, 1e-4);
    verify_below("balance without it, of the strain energy", own[1], 1e-4);
}

/* ---- what is left out ------------------------------------------------------------------------ */

static const gos_quasi_static *left_out(const verify *v) {
    return ((const gos_radau *)v->run)->quasi;
}

/* A body at the angle a on a spring k about a hinge, with inertia J: a moment M that jumps leaves
   out the amplitude M / k; one that grows at a rate r that of a rate r / k over the frequency; one
   that is M sin(p t) J p^2 / k of the angle. The RMS of a displacement of angle a is a sqrt(J /
   m). */
static void vibration_and_inertia(void **state) {
    GOS_UNUSED(state);
    const struct {
        const char *moment;
        double vibration, inertia; // angles
    } some[] = {{"5*(1+sign(t-1))", 0.1, 0},
                {"3*max(t-1,0)", 0.03 / sqrt(1000), 0},
                {"2*sin(3*t)*(1-exp(-t*t))", 0, 0.02 * 0.9 / 100}};
    for (int i = 0; i < GOS_COUNT(some); i++) {
        char set[100];
        verify v;
        (void)snprintf(set, sizeof set, "loads.f.moment=[0,\"%s\",0] damping=0", some[i].moment);
        verify_text(&v, dashpot, set);
        verify_run(&v);
        const double rms = sqrt(0.1 / 1) / v.sys->extent;
        if (some[i].vibration > 0) {
            verify_near_rel("vibration left out", left_out(&v)->vibration, some[i].vibration * rms,
                            0.01);
        } else {
            verify_below("vibration left out", left_out(&v)->vibration, 1e-6);
        }
        verify_near("what inertia would do", left_out(&v)->inertia, some[i].inertia * rms,
                    0.05 * some[i].inertia * rms + v.opt.tolerance);
        verify_close(&v);
    }
}

/* ---- beside runs with inertia ---------------------------------------------------------------- */

/* the example: 300 steps at most, and what runs with inertia have */
static void thermal_disc(void **state) {
    GOS_UNUSED(state);
    static const char *const value[] = {"u0.x", "u90.y", "T0.T", "T180.T"};
    double y[2][3][4], last[4];
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_example(&v, "thermal-disc",
                       i == 0 ? "analysis.motion=quasi_static t_end=400"
                              : "analysis.motion=dynamic t_end=400");
        v.opt.tolerance = i == 0 ? 1e-6 : 1e-5;
        verify_start(&v);
        for (int k = 0; k < 3; k++) {
            const gos_state *x = verify_at(&v, 4 * pow(10, k));
            for (int j = 0; j < 4; j++) {
                y[i][k][j] = verify_value(&v, x, value[j]);
            }
        }
        verify_close(&v);
    }
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 4; j++) {
            verify_near(value[j], y[0][k][j], y[1][k][j], j < 2 ? 1e-9 : 2e-4);
        }
    }
    verify v;
    verify_example(&v, "thermal-disc", "analysis.motion=quasi_static t_end=500000");
    v.opt.tolerance = 1e-6;
    verify_run(&v);
    verify_below("steps", (double)v.stats.steps, 300);
    for (int j = 0; j < 4; j++) {
        last[j] = verify_value(&v, NULL, value[j]);
    }
    verify_close(&v);
    verify_example(&v, "thermal-disc", "analysis.motion=dynamic analysis.type=static");
    verify_static(&v);
    for (int j = 0; j < 4; j++) {
        verify_near(value[j], last[j], verify_value(&v, NULL, value[j]), j < 2 ? 1e-9 : 2e-4);
    }
    verify_close(&v);
}

/* ---- axes, units, going on ------------------------------------------------------------------- */

static void turned(void **state) {
    GOS_UNUSED(state);
    long steps[2];
    double energy[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        open_text(&v, strip, NULL, i == 1);
        verify_run(&v);
        steps[i] = v.stats.steps;
        energy[i] = verify_value(&v, NULL, "E.kinetic");
        verify_close(&v);
    }
    assert_int_equal(steps[0], steps[1]);
    verify_near_rel("kinetic energy in mJ", energy[1] / energy[0], 1e3, 1e-5);
}

/* a run that continues from any kept state makes the same steps, to the last bit */
static void goes_on(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < 4; i++) {
        gos_state *kept = NULL;
        gos_statistics stats[2];
        double at[2];
        verify v;
        verify_text(&v, i < 2 ? dashpot : strip, NULL);
        verify_good(&v, gos_state_create(v.ctx, v.sys, &kept));
        verify_start(&v);
        while (v.state->t < v.opt.end * (0.3 + 0.4 * (i % 2))) {
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        }
        verify_good(&v, gos_integrator_store_history(v.run));
        verify_good(&v, gos_state_copy(kept, v.state));
        for (int k = 0; k < 2; k++) {
            if (k > 0) {
                gos_integrator_destroy(v.run);
                v.run = NULL;
                verify_good(&v, gos_state_copy(v.state, kept));
                verify_start(&v);
            }
            while (v.state->t < v.opt.end) {
                verify_good(&v, gos_integrator_step(v.run, v.opt.end));
            }
            at[k] = verify_value(&v, NULL, "E.kinetic");
            gos_integrator_statistics(v.run, &stats[k]);
        }
        assert_memory_equal(&at[0], &at[1], sizeof at[0]);
        assert_int_equal(stats[0].iterations, stats[1].iterations);
        assert_int_equal(stats[0].factorisations, stats[1].factorisations);
        gos_state_destroy(kept);
        verify_close(&v);
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refused(const char *text, const char *settings, const char *words) {
    verify v;
    verify_text(&v, text, settings);
    gos_status status = gos_integrator_create(v.ctx, v.sys, &v.opt, v.state, &v.run);
    while (status == GOS_OK && v.state->t < v.opt.end) {
        status = gos_integrator_step(v.run, v.opt.end);
    }
    assert_true(status != GOS_OK);
    bool found = false;
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        found = found || strstr(gos_ctx_diag(v.ctx, i)->text, words);
    }
    print_message("    %s\n", gos_ctx_message(v.ctx));
    assert_true(found);
    verify_close(&v);
}

static void refusals(void **state) {
    GOS_UNUSED(state);
    static const char held[] = "joints: {c: {type: clamp, between: [ground, r.start]},\n"
                               "    d: {type: clamp, between: [ground, r.end]}}\n";
    char text[2000];
    refused(ROD ROD_REST, NULL, "nothing supports body 'r'");
    refused(dashpot, "damping=1 loads.s.stiffness=0", "every body must be supported");
    (void)snprintf(text, sizeof text, "%sinitial: {r: {angular_velocity: [0, 0, 1]}}\n", rod);
    refused(text, NULL, "initial velocities");
    (void)snprintf(text, sizeof text, "%s%s%s", ROD, held, ROD_REST);
    refused(text, NULL, "the model buckles in between");
    verify v; // ... or followed on its unstable path
    verify_text(&v, text, "analysis.branch=any");
    verify_run(&v);
    assert_non_null(strstr(gos_ctx_diag(v.ctx, 0)->text, "unstable"));
    verify_close(&v);
    /* a shallow arch of two rods snaps through where the force passes its limit */
    refused("materials: {m: {density: 7850, young: 2.0e9}}\n"
            "sections: {s: {type: rectangle, width: 0.02, height: 0.02}}\n"
            "bodies: {r: {type: ancf_beam, material: m, section: s, elements: 12,\n"
            "    from: [-1, 0, 0], arc: [0, 0, 0.15], to: [1, 0, 0]}}\n"
            "joints: {c: {type: clamp, between: [ground, r.start]},\n"
            "    d: {type: clamp, between: [ground, r.end]}}\n"
            "loads: {f: {type: force, on: r.node(12), value: [0, 0, \"-1000*t\"]}}\n"
            "analysis: {end: 1, motion: quasi_static}\n",
            NULL, "motion: dynamic");
}

/* A thin plate in the sun vibrates by its heating, which a small tolerance follows over 1e8 steps:
 * the refusal names what works, and that works. */
static void thin_plate(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "materials: {al: {density: 2700, young: 7.0e10, poisson: 0.33, expansion: 2.3e-5,\n"
        "    conductivity: 160, specific_heat: 900, damping: {normal: 0, shear: 0}}}\n"
        "bodies: {p: {type: ancf_plate, material: al, corner: [0, 0, 0], x: [1, 0, 0],\n"
        "    y: [0, 1, 0], thickness: 0.001, elements: [2, 2]}}\n"
        "joints: {a: {type: clamp, between: [ground, \"p.node(1,1)\"]}}\n"
        "heat: {s: {type: sun, on: p.top, direction: [0, 0, -1], absorptivity: 0.3},\n"
        "  r: {type: radiation, on: [p.top, p.bottom], emissivity: 0.8, sink: 3}}\n"
        "analysis: {end: 300, tolerance: 1.0e-7, max_steps: 500, error_check: never}\n";
    static const char *const remedy[] = {
        "analysis.motion=quasi_static",
        "analysis.integrator=radau materials.al.damping.normal=1e-2 "
        "materials.al.damping.shear=1e-2"};
    refused(text, NULL, "use `motion: quasi_static`, or radau with material damping");
    for (int i = 0; i < GOS_COUNT(remedy); i++) {
        verify v;
        verify_text(&v, text, remedy[i]);
        verify_run(&v);
        print_message("    %s: %ld steps\n", remedy[i], v.stats.steps);
        verify_close(&v);
    }
}

/* Free expansion stores no energy: neither its rounding nor its balance is reported. */
static void energy_of_rounding(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "materials: {s: {density: 2700, young: 7.0e10, poisson: 0.3, expansion: 2.3e-5,\n"
        "    conductivity: 160, specific_heat: 900}}\n"
        "sections: {r: {type: rectangle, height: 0.01, width: 0.02}}\n"
        "bodies: {p: {type: ancf_cable, material: s, section: r, from: [0.3, 0.1, -0.2],\n"
        "    to: [1.3, 0.1, -0.2], elements: 4}}\n"
        "joints: {c: {type: clamp, between: [ground, p.start]}}\n"
        "heat: {h: {type: flux, on: [p.top, p.bottom], value: 500}}\n"
        "probes: {x: {at: p.end, quantity: displacement}}\n"
        "analysis: {motion: quasi_static, end: 100}\n";
    static const char *const settings[] = {NULL, "bodies.p.elements=20",
                                           "bodies.p.to=[0.9,0.8,0.3]", "bodies.p.type=ancf_beam"};
    for (int i = 0; i < GOS_COUNT(settings) + 1; i++) {
        verify v;
        open_text(&v, text, i < GOS_COUNT(settings) ? settings[i] : NULL, i >= GOS_COUNT(settings));
        verify_run(&v);
        assert_int_equal(gos_ctx_ndiag(v.ctx), 0);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(free_expansion),
                                       cmocka_unit_test(bending),
                                       cmocka_unit_test(convergence),
                                       cmocka_unit_test(damped),
                                       cmocka_unit_test(massless),
                                       cmocka_unit_test(vibration_and_inertia),
                                       cmocka_unit_test(thermal_disc),
                                       cmocka_unit_test(turned),
                                       cmocka_unit_test(goes_on),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(energy_of_rounding),
                                       cmocka_unit_test(thin_plate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
