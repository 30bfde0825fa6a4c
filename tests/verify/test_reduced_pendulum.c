/* Reduced models against full ones on the same mesh (theory 8): the thermal pendulum, free
   flight, bodies joined in every way, statics. Errors are those of the space of motions: both
   runs take the same small steps. Position errors are relative to the extent, temperature
   errors to the range of the full run; e(t) is the RMS over nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gossamer/reduce.h"
#include "support/suite.h"
#include "support/verify.h"

#define SAMPLES 51

/* ---- comparing ------------------------------------------------------------------------------- */

/* what a run leaves behind at SAMPLES times */
typedef struct track {
    int nnodes;
    double *r, *T; // (SAMPLES, nnodes, 3), (SAMPLES, nnodes)
    gos_energy energy;
    gos_heat heat;
    double p[3], l[3];
    gos_statistics stats;
    long allocations; // calls during the steps
} track;

static void track_free(track *k) {
    free(k->r);
    free(k->T);
}

static track record(const verify *v, const gos_system *sys, const gos_options *opt) {
    gos_mesh_info mesh;
    gos_state *x;
    gos_integrator *run;
    gos_system_mesh(sys, &mesh);
    track k = {.nnodes = mesh.nnodes};
    const size_t n = (size_t)mesh.nnodes;
    k.r = calloc(SAMPLES * 3 * n, sizeof *k.r);
    k.T = calloc(SAMPLES * n, sizeof *k.T);
    assert_true(k.r && k.T);
    verify_good(v, gos_state_create(v->ctx, sys, &x));
    verify_good(v, gos_integrator_create(v->ctx, sys, opt, x, &run));
    const long before = gos_ctx_allocations(v->ctx);
    for (int i = 0; i < SAMPLES; i++) {
        const double t = opt->end * i / (SAMPLES - 1);
        while (gos_state_time(x) < t * (1 - 1e-12)) {
            verify_good(v, gos_integrator_step(run, opt->end));
        }
        gos_system_nodes(sys, gos_integrator_at(run, t), k.r + (size_t)i * 3 * n, NULL,
                         k.T + (size_t)i * n, NULL);
    }
    k.allocations = gos_ctx_allocations(v->ctx) - before;
    gos_system_energy(sys, x, &k.energy);
    gos_system_heat(sys, x, &k.heat);
    gos_system_momentum(sys, x, k.p, k.l);
    gos_integrator_statistics(run, &k.stats);
    gos_integrator_destroy(run);
    gos_state_destroy(x);
    return k;
}

/* largest over time: tip (last node), RMS over nodes, worst node, RMS of temperatures */
typedef struct errors {
    double tip, rms, worst, temperature;
} errors;

static double distance3(const double *a, const double *b) {
    return verify_distance(a, b);
}

static errors compare(const track *a, const track *b, double extent) {
    const int n = a->nnodes;
    errors e = {0};
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int i = 0; i < SAMPLES; i++) {
        double sum = 0, heat = 0;
        for (int j = 0; j < n; j++) {
            const size_t at = (size_t)i * (size_t)n + (size_t)j;
            const double d = distance3(a->r + 3 * at, b->r + 3 * at), dT = a->T[at] - b->T[at];
            e.worst = fmax(e.worst, d / extent);
            e.tip = j == n - 1 ? fmax(e.tip, d / extent) : e.tip;
            sum += d * d / n;
            heat += dT * dT / n;
            lo = fmin(lo, a->T[at]);
            hi = fmax(hi, a->T[at]);
        }
        e.rms = fmax(e.rms, sqrt(sum) / extent);
        e.temperature = fmax(e.temperature, sqrt(heat));
    }
    e.temperature = hi > lo ? e.temperature / (hi - lo) : 0;
    return e;
}

/* reduce with settings and run both; tracks may be NULL */
static errors run_both(verify *v, double step, track *full, track *reduced) {
    gos_system *sys;
    verify_good(v, gos_reduce(v->ctx, v->sys, &sys));
    v->opt.step = step;
    track a = record(v, v->sys, &v->opt), b = record(v, sys, &v->opt);
    const errors e = compare(&a, &b, v->sys->extent);
    gos_sizes size;
    gos_system_sizes(sys, &size);
    print_message(
        "  %d coordinates, %d temperatures, %d points: tip %.3g, e %.3g, node %.3g, T %.3g; "
        "%.3g us a step, full %.3g us\n",
        size.coordinates, size.temperatures, size.points, e.tip, e.rms, e.worst, e.temperature,
        1e6 * b.stats.time_total / (double)b.stats.steps,
        1e6 * a.stats.time_total / (double)a.stats.steps);
    assert_true(b.allocations == 0 || b.stats.restarts > 0);
    gos_system_destroy(sys);
    if (full) {
        *full = a;
        *reduced = b;
    } else {
        track_free(&a);
        track_free(&b);
    }
    return e;
}

static errors text_errors(const char *text, const char *settings, double step) {
    verify v;
    verify_text(&v, text, settings);
    const errors e = run_both(&v, step, NULL, NULL);
    verify_close(&v);
    return e;
}

/* ---- the thermal pendulum -------------------------------------------------------------------- */

static errors pendulum_errors(const char *settings, double step) {
    verify v;
    verify_example(&v, "thermal-pendulum", settings);
    const errors e = run_both(&v, step, NULL, NULL);
    verify_close(&v);
    return e;
}

/* theory 8: 6 -> 5 %, 8 -> 0.5 %, 9 -> 0.06 %, 10 -> 0.02 %, 14 -> 0.003 % */
static void two_seconds(void **state) {
    (void)state;
    errors e = pendulum_errors("n=64 reduction.number=9", 1e-3);
    verify_within("m = 9, largest tip error / L", e.tip, 4e-4, 9e-4);
    verify_below("m = 9, temperatures / range", e.temperature, 1e-3);
    e = pendulum_errors("n=64 reduction.number=10", 1e-3);
    verify_within("m = 10, largest tip error / L", e.tip, 1e-4, 2.4e-4);
    verify_below("m = 10, temperatures / range", e.temperature, 1e-3);
    e = pendulum_errors("n=64 reduction.number=14", 1e-3);
    verify_below("m = 14, largest tip error / L", e.tip, 3e-5);
    verify_below("m = 14, temperatures / range", e.temperature, 1e-3);
    e = pendulum_errors("n=64 reduction.fields=modes reduction.number=8 reduction.statics=false",
                        1e-3);
    verify_below("8 bending modes, largest tip error / L", e.tip, 4e-4);
    verify_below("8 bending modes, temperatures / range", e.temperature, 1e-3);
}

static void spectral(void **state) {
    (void)state;
    static const int m[] = {5, 7, 9, 11};
    double last = 1;
    for (int i = 0; i < 4; i++) {
        char settings[100];
        snprintf(settings, sizeof settings, "n=64 t_end=0.5 reduction.number=%d", m[i]);
        const errors e = pendulum_errors(settings, 1e-3);
        verify_below("error with two fields more", e.tip, last / 4);
        last = e.tip;
    }
}

/* temperatures by themselves: more functions, less error */
static void thermal_functions(void **state) {
    (void)state;
    double last = 1;
    for (int n = 4; n <= 12; n += 4) {
        char settings[100];
        snprintf(settings, sizeof settings,
                 "n=64 t_end=0.5 reduction.number=14 reduction.thermal_fields=%d", n);
        const errors e = pendulum_errors(settings, 2e-3);
        verify_below("temperature error with four functions more", e.temperature, 0.7 * last);
        last = e.temperature;
    }
}

/* a polynomial run does not use the mesh */
static void mesh_independent(void **state) {
    (void)state;
    double tip[2][3];
    for (int k = 0; k < 2; k++) {
        verify v;
        gos_system *sys;
        verify_example(&v, "thermal-pendulum", k ? "n=256 t_end=0.5" : "n=4 t_end=0.5");
        verify_good(&v, gos_reduce(v.ctx, v.sys, &sys));
        v.opt.step = 2e-3;
        track a = record(&v, sys, &v.opt);
        memcpy(tip[k], a.r + 3 * ((size_t)SAMPLES * (size_t)a.nnodes - 1), sizeof tip[k]);
        track_free(&a);
        gos_system_destroy(sys);
        verify_close(&v);
    }
    verify_below("tip of 4 and of 256 elements / L", verify_distance(tip[0], tip[1]) / 1.2, 1e-8);
}

/* energy and heat close as in the full run: to the order of the scheme, and to round-off */
static void balances(void **state) {
    (void)state;
    double error[2];
    for (int k = 0; k < 2; k++) {
        verify v;
        track a, b;
        verify_example(&v, "thermal-pendulum", "n=16 t_end=0.5");
        (void)run_both(&v, k ? 1e-3 : 2e-3, &a, &b);
        error[k] = fabs(b.energy.balance) / b.energy.kinetic;
        verify_below("energy balance / kinetic", error[k], 1e-4);
        verify_below("heat balance / stored", fabs(b.heat.balance) / b.heat.stored, 1e-9);
        track_free(&a);
        track_free(&b);
        verify_close(&v);
    }
    verify_within("order of the energy balance", verify_order(error[0], error[1], 2), 1.6, 3);
}

/* ---- closure under rotation ------------------------------------------------------------------ */

#define CLOSURE                                                                                    \
    "parameters: {ax: 1, ay: 0, az: 0, gx: 0, gy: -9.81, gz: 0, nx: 0, ny: 0, nz: 1}\n"            \
    "materials: {m: {density: 2000, young: 1e7, damping: {normal: 1e-3}}}\n"                       \
    "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"                                \
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0.1, 0.2, 0.3],\n"           \
    "  to: [0.1+ax, 0.2+ay, 0.3+az], normal: [nx, ny, nz], elements: 16}}\n"                       \
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"                             \
    "gravity: [gx, gy, gz]\n"                                                                      \
    "analysis: {end: 0.5}\n"

/* the same model turned by R (rows): results turned back must agree */
static void closure_of(const char *reduction) {
    static const double R[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6},
                        o[3] = {0.1, 0.2, 0.3};
    track k[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        gos_system *sys;
        char settings[400];
        snprintf(
            settings, sizeof settings,
            "ax=%.17g ay=%.17g az=%.17g gx=%.17g gy=%.17g gz=%.17g nx=%.17g ny=%.17g nz=%.17g %s",
            i ? R[0] : 1, i ? R[3] : 0, i ? R[6] : 0, i ? -9.81 * R[1] : 0,
            i ? -9.81 * R[4] : -9.81, i ? -9.81 * R[7] : 0, i ? R[2] : 0, i ? R[5] : 0,
            i ? R[8] : 1, reduction);
        verify_text(&v, CLOSURE, settings);
        verify_good(&v, gos_reduce(v.ctx, v.sys, &sys));
        v.opt.step = 2e-3;
        k[i] = record(&v, sys, &v.opt);
        gos_system_destroy(sys);
        verify_close(&v);
    }
    double worst = 0;
    for (int i = 0; i < SAMPLES * k[0].nnodes; i++) {
        double y[3];
        for (int a = 0; a < 3; a++) {
            y[a] = o[a];
            for (int b = 0; b < 3; b++) {
                y[a] += R[3 * a + b] * (k[0].r[3 * i + b] - o[b]);
            }
        }
        worst = fmax(worst, verify_distance(y, k[1].r + 3 * i));
    }
    verify_below(reduction, worst, 1e-6);
    track_free(&k[0]);
    track_free(&k[1]);
}

static void closure(void **state) {
    (void)state;
    closure_of("reduction.method=rotation_closed reduction.fields=polynomials reduction.number=6");
    closure_of("reduction.method=rotation_closed reduction.fields=modes reduction.number=6");
}

/* ---- free flight ----------------------------------------------------------------------------- */

static const char free_cable[] =
    "materials: {m: {density: 2000, young: 1e8}}\n"
    "sections: {s: {type: circle, radius: 0.01}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "  elements: 16}}\n"
    "loads: {kick: {type: force, on: rod.end, value: [0, \"2*(t<0.1)\", \"1*(t<0.1)\"]}}\n"
    "initial: {all: {velocity: [0.3, -0.2, 0.1], angular_velocity: [0, 1, 4]}}\n"
    "analysis: {end: 0.5}\n"
    "reduction: {method: rotation_closed}\n";

static void free_flight(void **state) {
    (void)state;
    const char *const settings[] = {"reduction.number=8", "reduction.number=14",
                                    "reduction.fields=modes reduction.number=8"};
    static const double most[] = {5e-3, 3e-4, 2e-3};
    for (int i = 0; i < 3; i++) {
        verify v;
        track a, b;
        verify_text(&v, free_cable, settings[i]);
        const errors e = run_both(&v, 5e-4, &a, &b);
        verify_below("free cable, e / L", e.rms, most[i]);
        verify_below("linear momentum, full - reduced [kg m/s]", verify_distance(a.p, b.p), 1e-7);
        verify_below("angular momentum, full - reduced [kg m^2/s]", verify_distance(a.l, b.l),
                     most[i]);
        track_free(&a);
        track_free(&b);
        verify_close(&v);
    }
}

/* without the kick nothing acts: momenta stay, and the energy to the order of the scheme */
static void conserved(void **state) {
    (void)state;
    double energy[2], angular[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        gos_system *sys;
        gos_state *x;
        track b;
        double p[3], l[3];
        verify_text(&v, free_cable,
                    "loads.kick.value=[0,0,0] materials.m.young=1e5 analysis.end=0.5 "
                    "reduction.number=8");
        verify_good(&v, gos_reduce(v.ctx, v.sys, &sys));
        verify_good(&v, gos_state_create(v.ctx, sys, &x));
        gos_system_momentum(sys, x, p, l);
        v.opt.rho_infinity = 1;
        v.opt.step = i ? 1e-3 : 2e-3;
        b = record(&v, sys, &v.opt);
        verify_below("linear momentum changes by", verify_distance(p, b.p), 1e-9);
        angular[i] = verify_distance(l, b.l);
        energy[i] = fabs(b.energy.balance);
        print_message("    angular momentum off by %.3g, energy by %.3g of %.3g\n", angular[i],
                      energy[i], b.energy.kinetic);
        track_free(&b);
        gos_state_destroy(x);
        gos_system_destroy(sys);
        verify_close(&v);
    }
    verify_within("order of the angular momentum", verify_order(angular[0], angular[1], 2), 1.6, 3);
    verify_within("order of the energy", verify_order(energy[0], energy[1], 2), 1.6, 3);
}

/* ---- bodies joined --------------------------------------------------------------------------- */

/* two cables with a ball joint between, the first one pinned away from the origin */
static const char chain[] =
    "materials: {m: {density: 2000, young: 1e8, damping: {normal: 2e-3}}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies:\n"
    "  one: {type: ancf_cable, material: m, section: s, from: [1, 1, 0], to: [1.5, 1, 0],\n"
    "    elements: 40}\n"
    "  two: {type: ancf_cable, material: m, section: s, from: [1.5, 1, 0], to: [1.8, 1.4, 0],\n"
    "    elements: 40}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, one.start]}\n"
    "  elbow: {type: tie, between: [one.end, two.start]}\n"
    "gravity: [0, -9.81, 0]\n"
    "analysis: {end: 0.5}\n"
    "reduction: {method: rotation_closed}\n";

/* what is left at many fields is the error in time: axial waves are not resolved */
static void tied_cables(void **state) {
    (void)state;
    verify_below("two tied cables, polynomials, e / L",
                 text_errors(chain, "reduction.number=4", 5e-4).rms, 5e-3);
    verify_below("two tied cables, polynomials, e / L",
                 text_errors(chain, "reduction.number=9", 5e-4).rms, 2e-4);
    verify_below("two tied cables, modes, e / L",
                 text_errors(chain, "reduction.fields=modes reduction.number=8", 5e-4).rms, 2e-4);
}

/* the joint to the ground is not at the origin: what stays there counts in energy and momentum */
static void away_from_the_origin(void **state) {
    (void)state;
    verify v;
    track a, b;
    verify_text(&v, chain, "reduction.number=9");
    (void)run_both(&v, 5e-4, &a, &b);
    verify_near("gravity energy [J]", b.energy.gravity, a.energy.gravity, 1e-3);
    verify_below("angular momentum, full - reduced [kg m^2/s]", verify_distance(a.l, b.l), 1e-3);
    track_free(&a);
    track_free(&b);
    verify_close(&v);
}

/* a rigid hub on a hinge that a motor turns, with two cables clamped to it */
static const char spinner[] =
    "materials: {m: {density: 1500, young: 2e8, damping: {normal: 1e-3}}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.03}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [0.012, 0.012, 0.02], points: {a: [0.1, 0, 0],\n"
    "    b: [-0.1, 0, 0]}}\n"
    "  left: {type: ancf_cable, material: m, section: s, from: [-0.1, 0, 0], to: [-1, 0, 0],\n"
    "    elements: 40}\n"
    "  right: {type: ancf_cable, material: m, section: s, from: [0.1, 0, 0], to: [1, 0, 0],\n"
    "    elements: 40}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
    "  clamp_a: {type: clamp, between: [hub.a, right.start]}\n"
    "  clamp_b: {type: clamp, between: [hub.b, left.start]}\n"
    "loads: {motor: {type: moment, on: hub, moment: [0, 0, \"4*sin(6*t)\"]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "probes: {angle: {at: hub, quantity: angle}}\n"
    "analysis: {end: 0.5}\n"
    "reduction: {method: rotation_closed}\n";

static void hub_with_cables(void **state) {
    (void)state;
    verify_below("hub with two cables, 6 polynomials, e / L",
                 text_errors(spinner, "reduction.number=6", 5e-4).rms, 1e-2);
    verify_below("hub with two cables, 10 polynomials, e / L",
                 text_errors(spinner, "reduction.number=10", 5e-4).rms, 5e-5);
    verify_below("hub with two cables, 12 modes, e / L",
                 text_errors(spinner, "reduction.fields=modes reduction.number=12", 5e-4).rms,
                 4e-3);
    verify_below(
        "flat hub, one axis without inertia, e / L",
        text_errors(spinner, "reduction.number=8 bodies.hub.inertia=[0.01,0.01,0.02]", 5e-4).rms,
        1e-3);
}

/* hinges keep multipliers: two groups, and prescribed temperatures at an end and along a body */
static const char hinged[] =
    "materials: {m: {density: 2000, young: 1e8, conductivity: 20000, specific_heat: 500,\n"
    "  expansion: 1e-4, damping: {normal: 2e-3}}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies:\n"
    "  one: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [0.5, 0, 0],\n"
    "    elements: 40}\n"
    "  two: {type: ancf_cable, material: m, section: s, from: [0.5, 0, 0], to: [1, 0, 0],\n"
    "    elements: 40}\n"
    "joints:\n"
    "  hinge: {type: revolute, between: [ground, one.start], axis: [0, 0, 1]}\n"
    "  elbow: {type: spherical, between: [one.end, two.start], temperature: true}\n"
    "heat:\n"
    "  oven: {type: temperature, value: \"50*t\", on: one}\n"
    "  flame: {type: heat_flow, value: 5, on: two.end}\n"
    "gravity: [0, -9.81, 0]\n"
    "probes: {pull: {quantity: joint_force, joint: elbow}}\n"
    "analysis: {end: 0.5}\n"
    "reduction: {method: rotation_closed}\n";

static void kept_joints(void **state) {
    (void)state;
    errors e = text_errors(hinged, "reduction.number=9", 5e-4);
    verify_below("hinge and probed elbow, polynomials, e / L", e.rms, 1e-4);
    verify_below("temperatures / range", e.temperature, 1e-3);
    e = text_errors(hinged, "reduction.fields=modes reduction.number=6", 5e-4);
    verify_below("hinge and probed elbow, modes, e / L", e.rms, 2e-4);
    verify_below("temperatures / range", e.temperature, 1e-3);
}

/* the force of a joint that a probe requires */
static void joint_force(void **state) {
    (void)state;
    verify v;
    gos_system *sys;
    double force[2][3];
    verify_text(&v, chain,
                "probes.pull.quantity=joint_force probes.pull.joint=elbow materials.m.young=1e6");
    verify_good(&v, gos_reduce(v.ctx, v.sys, &sys));
    v.opt.step = 5e-4;
    v.opt.end = 0.3;
    const gos_system *const both[] = {v.sys, sys};
    for (int i = 0; i < 2; i++) {
        gos_state *x;
        gos_integrator *run;
        verify_good(&v, gos_state_create(v.ctx, both[i], &x));
        verify_good(&v, gos_integrator_create(v.ctx, both[i], &v.opt, x, &run));
        while (gos_state_time(x) < v.opt.end) {
            verify_good(&v, gos_integrator_step(run, v.opt.end));
        }
        verify_good(&v, gos_system_probe(v.ctx, both[i], x, 0, force[i], NULL));
        gos_integrator_destroy(run);
        gos_state_destroy(x);
    }
    print_message("    force (%.5f, %.5f) N, reduced (%.5f, %.5f) N\n", force[0][0], force[0][1],
                  force[1][0], force[1][1]);
    verify_below("joint force, full - reduced / size",
                 verify_distance(force[0], force[1]) / hypot(force[0][0], force[0][1]), 0.02);
    gos_system_destroy(sys);
    verify_close(&v);
}

/* ---- statics --------------------------------------------------------------------------------- */

// the example has no entry `reduction`
#define ROTATION_CLOSED "reduction.method=rotation_closed "

static void elastica(void **state) {
    (void)state;
    static const char *const settings[] = {
        ROTATION_CLOSED "n=64 reduction.number=8", ROTATION_CLOSED "n=64 reduction.number=14",
        ROTATION_CLOSED "n=64 reduction.fields=modes reduction.number=10",
        ROTATION_CLOSED "n=64 reduction.fields=modes reduction.number=20"};
    static const double most[] = {2e-6, 1e-6, 2e-3, 1e-4};
    for (int i = 0; i < 4; i++) {
        verify v;
        gos_system *sys;
        gos_state *x;
        double full[3], reduced[3];
        verify_example(&v, "elastica", settings[i]);
        verify_static(&v);
        verify_probe(&v, NULL, "tip", full);
        verify_good(&v, gos_reduce(v.ctx, v.sys, &sys));
        verify_good(&v, gos_state_create(v.ctx, sys, &x));
        verify_good(&v, gos_solve_static(v.ctx, sys, &v.opt, x, &v.stats));
        verify_good(&v, gos_system_probe(v.ctx, sys, x, 0, reduced, NULL));
        verify_below(settings[i], verify_distance(full, reduced), most[i]);
        gos_state_destroy(x);
        gos_system_destroy(sys);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_seconds),       cmocka_unit_test(spectral),
        cmocka_unit_test(thermal_functions), cmocka_unit_test(mesh_independent),
        cmocka_unit_test(balances),          cmocka_unit_test(closure),
        cmocka_unit_test(free_flight),       cmocka_unit_test(conserved),
        cmocka_unit_test(tied_cables),       cmocka_unit_test(away_from_the_origin),
        cmocka_unit_test(hub_with_cables),   cmocka_unit_test(kept_joints),
        cmocka_unit_test(joint_force),       cmocka_unit_test(elastica),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
