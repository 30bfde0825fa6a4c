/* One-way correction of what is seen of reduced floating bodies: with all modes that a basis leaves
   out it makes of a run of two vectors the exact motion of the whole body, where that is linear;
   one by one what enters the oscillators. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gossamer/linearise.h"
#include "linear/linear.h"
#include "support/history.h"
#include "support/suite.h"
#include "support/verify.h"

#define POINTS 400
#define EVERY 1e-3 // [s]
#define SMALL 1e-3 // force of linear motion [N]

/* the arm of examples/hub-beam without stretch, so that it has 20 modes; %s: its root, loads,
 * settings, correction */
static const char arm[] =
    "parameters: {coupling: 0, J: 0.25, r0: 0.1, w0: 0, F: 0.2, T: 0, zeta: 0.01, n: 18, order: "
    "2}\n"
    "materials: {aluminium: {density: 2767, young: 6.895e10}}\n"
    "sections: {strip: {type: general, area: 2.5e-4, Iy: 1.302e-10, Iz: 1.302e-10}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [J, J, J], points: {rim: [r0, 0, 0]}}\n"
    "  arm: {type: floating_beam, material: aluminium, section: strip, from: [r0, 0, 0],\n"
    "        to: [r0 + 1.8, 0, 0], elements: 10, bending: y, torsion: rigid, axial: rigid,\n"
    "        coupling: coupling, zeta: zeta,\n"
    "        reduce: {method: modes, order: order, correction: n,\n"
    "                 inputs: [end.y, \"euler.z + r0*acceleration.y\"],\n"
    "                 frame_motions: [\"euler.z + r0*acceleration.y\"], frame_inertia: [J]}}\n"
    "joints:\n"
    "  axle: {type: %s, between: [ground, hub]%s}\n"
    "  root: {type: clamp, between: [hub.rim, arm.start]}\n"
    "loads: {push: {type: force, on: arm.end, frame: hub, value: [0, \"F*(t < T ? 0 : 1)\", 0]}}\n"
    "initial: {all: {angular_velocity: [0, 0, w0], about: [0, 0, 0]}}\n"
    "probes:\n"
    "  theta: {at: hub, quantity: angle}\n"
    "  tip: {at: arm.end, quantity: displacement, frame: hub}\n"
    "  rate: {at: arm.end, quantity: velocity, frame: hub}\n"
    "  place: {at: arm.end, quantity: position}\n"
    "  speed: {at: arm.end, quantity: velocity}\n"
    "  thrust: {at: arm.end, quantity: acceleration}\n"
    "analysis: {type: dynamic, end: 0.4, step: 1e-4}\n";
#define FREE "revolute", ", axis: [0, 0, 1]"
#define HELD "clamp", ""

static void open_arm(verify *v, const char *joint, const char *axis, const char *set) {
    char text[3000];
    snprintf(text, sizeof text, arm, joint, axis);
    verify_text(v, text, set);
}

/* component "y" of tip, ... every ms */
static void follow(const char *joint, const char *axis, const char *set, const char *of,
                   double *y) {
    verify v;
    open_arm(&v, joint, axis, set);
    history_record(&v, EVERY, POINTS, 1, &of, y);
    verify_close(&v);
}

static int find(const gos_linear *l, bool output, const char *name) {
    const int n = output ? l->ny : l->nu;
    for (int i = 0; i < n; i++) {
        const gos_port p = output ? gos_linear_output(l, i) : gos_linear_input(l, i);
        if (strcmp(p.name, name) == 0) {
            return i;
        }
    }
    print_error("no port '%s'\n", name);
    fail();
    return -1;
}

/* The response of the whole body, linear about its start, to the force F from `behind` points on:
 * exact in time. */
static void exact(const char *joint, const char *axis, const char *set, double F, int behind,
                  const char *of, double *y) {
    verify v;
    gos_linear *l;
    open_arm(&v, joint, axis, set);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    const int nu = l->nu, ny = l->ny, in = find(l, false, "push.y"), out = find(l, true, of),
              n = POINTS + 1 - behind;
    double *u = calloc((size_t)(n * nu), sizeof *u), *all = calloc((size_t)(n * ny), sizeof *all);
    for (int i = 0; i < n; i++) {
        u[i * nu + in] = F;
    }
    verify_good(&v, gos_linear_transient(v.ctx, l, GOS_TRANSIENT_EXACT, EVERY, n, u, all));
    for (int i = 0; i < POINTS; i++) {
        y[i] = i + 1 < behind ? 0 : all[(i + 1 - behind) * ny + out];
    }
    free(u);
    free(all);
    gos_linear_destroy(l);
    verify_close(&v);
}

#define STIFF "bodies.arm.reduce.frame_motions=[] bodies.arm.reduce.frame_inertia=[]"
#define LIGHT "J=0.02 F=1e-3 zeta=0"
#define BARE                                                                                       \
    " floating_bodies=reduced n=0 bodies.arm.reduce.frame_motions=[] "                             \
    "bodies.arm.reduce.frame_inertia=[]"

/* What two modes of the arm miss of a probe, without and with eighteen that follow, against the
 * exact motion of the whole arm. */
static void compare(const char *joint, const char *axis, const char *set, int behind,
                    const char *of, double bare, double most) {
    static double want[POINTS], got[POINTS];
    char with[500];
    exact(joint, axis, set, strstr(set, "F=") ? SMALL : 0.2, behind, of, want);
    snprintf(with, sizeof with, "%s" BARE, set);
    follow(joint, axis, with, of, got);
    print_message("    %s: %s\n", of, set);
    verify_near("two modes miss", history_rms(POINTS, got, want) / bare, 1, 0.05);
    snprintf(with, sizeof with, "%s floating_bodies=reduced", set);
    follow(joint, axis, with, of, got);
    verify_below("with eighteen that follow", history_rms(POINTS, got, want), most);
}

/* Of a force from the beginning, of one that sets in within the run, with damping and without. The
   force is constant, so that the oscillators are exact; what is left are the errors of the steps of
   the two modes, (omega h)^2 omega t / 12 of the second one, 5e-6 of its part. */
static void held(void **state) {
    GOS_UNUSED(state);
    compare(HELD, STIFF, 0, "tip.y", 1.03e-2, 1e-6);
    compare(HELD, STIFF " zeta=0", 0, "tip.y", 1.045e-2, 1e-6);
    compare(HELD, STIFF " T=0.1", 100, "tip.y", 1.694e-2, 1e-6);
    compare(HELD, STIFF, 0, "speed.y", 5.62e-2, 1e-5);
}

/* The frame answers: the whole arm rings at other frequencies where the hub is light. The force of
   the oscillators is linear over steps, which are 1e-4 s. What twelve modes and the deflection by
   what is left of both loads miss is the ringing of the rest; without the deflection by the Euler
   load more. */
static void free_hub(void **state) {
    GOS_UNUSED(state);
    compare(FREE, LIGHT, 0, "tip.y", 4.574e-2, 2e-6);
    compare(FREE, LIGHT " n=12", 0, "tip.y", 4.574e-2, 1e-4);
    compare(FREE, LIGHT " n=12 bodies.arm.reduce.inputs=[end.y]", 0, "tip.y", 4.574e-2, 1e-4);
}

/* Frequencies follow the rate of the frame and the acceleration of its origin, which is 0.5 m from
   the axle of a heavy hub: it turns at 4.2 rad/s, and the modes are those of 3.8 rad/s. Couplings
   between modes by that difference are left out, 5.9e-4; without the change of frequencies 8.6e-4,
   without the acceleration alone 1.2e-3. */
static void turning(void **state) {
    static const char set[] =
        "coupling=1 r0=0.5 J=1e6 w0=4.2 zeta=0 "
        "bodies.arm.reduce.state=[3.8^2*centrifugal.zz,-r0*3.8^2*acceleration.x]";
    static double want[POINTS], got[POINTS];
    char with[300];
    GOS_UNUSED(state);
    snprintf(with, sizeof with, "%s analysis.step=1e-5", set);
    follow(FREE, with, "tip.y", want);
    snprintf(with, sizeof with, "%s" BARE, set);
    follow(FREE, with, "tip.y", got);
    verify_near("two modes miss", history_rms(POINTS, got, want) / 1.23e-2, 1, 0.05);
    snprintf(with, sizeof with, "%s floating_bodies=reduced", set);
    follow(FREE, with, "tip.y", got);
    verify_below("with eighteen that follow", history_rms(POINTS, got, want), 7e-4);
}

/* An equilibrium has what the load deflects beyond the two modes. A run from there stays. */
static void equilibrium(void **state) {
    const double L = 1.8, EI = 6.895e10 * 1.302e-10;
    verify v;
    GOS_UNUSED(state);
    open_arm(&v, HELD, STIFF " floating_bodies=reduced analysis.type=static");
    verify_static(&v);
    verify_near("deflection of the tip", verify_value(&v, NULL, "tip.y"),
                0.2 * L * L * L / (3 * EI), 1e-12);
    verify_start(&v);
    verify_near("and later", verify_value(&v, verify_at(&v, 0.05), "tip.y"),
                0.2 * L * L * L / (3 * EI), 1e-9);
    verify_close(&v);
}

/* The reduced run is the same: the hub turns as without the correction, to rounding of Newton's
 * iterations. */
static void one_way(void **state) {
    static double bare[POINTS], got[POINTS];
    GOS_UNUSED(state);
    follow(FREE, "w0=1" BARE, "theta.value", bare);
    follow(FREE, "w0=1 floating_bodies=reduced", "theta.value", got);
    verify_below("the angle of the hub differs by", history_rms(POINTS, got, bare), 1e-9);
}

/* Between steps the oscillators continue from the last one: where the run is looked at makes no
   difference but of fourth order, and velocities are the derivatives of places. */
static void between_steps(void **state) {
    double y[GOS_PROBE_MAX], r[GOS_PROBE_MAX];
    verify v;
    GOS_UNUSED(state);
    open_arm(&v, FREE, "w0=1 floating_bodies=reduced");
    verify_start(&v);
    for (int i = 0; i < 3; i++) {
        const double t = 0.10002 + i * 0.3e-4, dt = 1e-7;
        double place[2], speed;
        for (int k = 0; k < 2; k++) {
            const gos_state *x = verify_at(&v, 0.1001);
            GOS_UNUSED(x);
            place[k] = verify_value(&v, gos_integrator_at(v.run, t + (k ? dt : -dt)), "place.y");
        }
        speed = verify_value(&v, gos_integrator_at(v.run, t), "speed.y");
        verify_near("velocity", (place[1] - place[0]) / (2 * dt) / speed, 1, 1e-6);
    }
    const double u[2] = {verify_value(&v, gos_integrator_at(v.run, 0.10004 - 1e-7), "tip.y"),
                         verify_value(&v, gos_integrator_at(v.run, 0.10004 + 1e-7), "tip.y")};
    verify_good(&v, gos_system_probe(v.ctx, v.sys, gos_integrator_at(v.run, 0.10004),
                                     verify_find(&v, "tip"), y, r));
    verify_near("rate of a displacement in the axes of the hub", (u[1] - u[0]) / 2e-7 / r[1], 1,
                1e-5);
    verify_close(&v);
}

/* All that the oscillators know is in the state. */
static void goes_on(void **state) {
    double a[GOS_PROBE_MAX], b[GOS_PROBE_MAX];
    verify v;
    gos_state *copy;
    gos_integrator *other;
    GOS_UNUSED(state);
    open_arm(&v, FREE, "w0=1 floating_bodies=reduced");
    verify_start(&v);
    (void)verify_at(&v, 0.1);
    verify_good(&v, gos_integrator_store_history(v.run));
    verify_good(&v, gos_state_create(v.ctx, v.sys, &copy));
    verify_good(&v, gos_state_copy(copy, v.state));
    verify_good(&v, gos_integrator_create(v.ctx, v.sys, &v.opt, copy, &other));
    (void)verify_at(&v, 0.2);
    while (gos_state_time(copy) < gos_state_time(v.state)) {
        verify_good(&v, gos_integrator_step(other, v.opt.end));
    }
    verify_probe(&v, NULL, "speed", a);
    verify_probe(&v, copy, "speed", b);
    assert_memory_equal(a, b, 3 * sizeof *a);
    gos_integrator_destroy(other);
    gos_state_destroy(copy);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(held),    cmocka_unit_test(free_hub),
                                       cmocka_unit_test(turning), cmocka_unit_test(equilibrium),
                                       cmocka_unit_test(one_way), cmocka_unit_test(between_steps),
                                       cmocka_unit_test(goes_on)};
    return cmocka_run_group_tests_name("missed vibrations", tests, NULL, NULL);
}
SUITE(suite)
