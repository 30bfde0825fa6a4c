/* What a run must not lose without a word: fixed steps, energy, momentum, the impulse at a kink of a drive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/verify.h"

static bool warned(const verify *v, const char *what) {
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        const gos_diag *d = gos_ctx_diag(v->ctx, i);
        if (d->status == GOS_OK && strstr(d->text, what)) {
            print_message("    %s: %s\n", d->object ? d->object : "-", d->text);
            return true;
        }
    }
    return false;
}

/* an arm that a body-fixed force pushes, on a hub: steps of 1 ms are too long for it */
static const char hub_arm[] =
    "parameters: {n: 20, L: 1.8, I: 1.302e-10, A: 2.5e-4, E: 6.895e10, rho: 2767, JH: 0.25, r0: "
    "0.1, w0: 1}\n"
    "materials: {al: {density: rho, young: E}}\n"
    "sections: {s: {type: general, area: A, Iy: I, Iz: I, J: 2*I}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [JH, JH, JH], points: {root: [r0, 0, 0]}, "
    "angular_velocity: [0, 0, w0]}\n"
    "  arm: {type: ancf_cable, material: al, section: s, from: [r0, 0, 0], to: [r0+L, 0, 0], "
    "elements: n}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, hub.node], axis: [0, 0, 1]}\n"
    "  root: {type: clamp, between: [hub.root, arm.start]}\n"
    "loads: {tip: {type: force, on: arm.end, value: [4, 0.2, 0], frame: body}}\n"
    "initial: {arm: {angular_velocity: [0, 0, w0], about: [0, 0, 0]}}\n"
    "analysis: {end: 2, step: 1e-3}\n";

/* Fixed steps that must be taken in parts again and again are told of, and what they made of the energy. */
static void fixed_step(void **state) {
    GOS_UNUSED(state);
    static const char *const set[] = {"", "L=3.6 n=24"};
    for (int i = 0; i < GOS_COUNT(set); i++) {
        verify v;
        verify_text(&v, hub_arm, set[i]);
        verify_start(&v);
        gos_status status = GOS_OK;
        while (status == GOS_OK && gos_state_time(v.state) < v.opt.end) {
            status = gos_integrator_step(v.run, v.opt.end);
        }
        gos_integrator_statistics(v.run, &v.stats);
        print_message("    %s, %ld steps, %ld rejected: %s\n", gos_status_text(status),
                      v.stats.steps, v.stats.rejected, gos_ctx_message(v.ctx));
        if (status == GOS_OK && v.stats.rejected > 10 + v.stats.steps / 10) {
            assert_true(warned(&v, "was not kept"));
        }
        if (status == GOS_OK) {
            gos_energy e;
            gos_system_energy(v.sys, v.state, &e);
            const bool open = fabs(e.balance) > 0.01 * fmax(e.kinetic, fmax(e.strain, e.work));
            assert_true(!open || warned(&v, "balance of energy"));
        } else {
            assert_int_equal(status, GOS_E_DIVERGED);
            assert_non_null(strstr(gos_ctx_message(v.ctx), "take a smaller `step`"));
        }
        verify_close(&v);
    }
}

/* two bodies joined by a hinge that spin freely: long steps lose angular momentum, short ones do not */
static void momentum(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "bodies:\n"
        "  a: {type: rigid, mass: 2, inertia: [1, 2, 2.5], position: [0, 0, 0], points: {h: [1, 0, "
        "0]}, angular_velocity: [0.5, 3, 1]}\n"
        "  b: {type: rigid, mass: 1, inertia: [1, 1, 1.5], position: [2, 0, 0], points: {h: [-1, "
        "0, 0]}}\n"
        "joints: {h: {type: spherical, between: [a.h, b.h]}}\n"
        "initial: {b: {angular_velocity: [0.5, 3, 1], about: [0, 0, 0]}}\n"
        "analysis: {end: 10}\n";
    verify v;
    verify_text(&v, text, "analysis.step=0.08 analysis.rho_infinity=0");
    verify_run(&v);
    assert_true(warned(&v, "momentum drifts"));
    verify_close(&v);
    verify_text(&v, text, "analysis.step=0.002");
    verify_run(&v);
    assert_false(warned(&v, "momentum drifts"));
    assert_false(warned(&v, "balance of energy"));
    verify_close(&v);
}

/* a body swung round by a drive whose rate halves at 0.2 s; drives that are smooth are not named */
static void kink(void **state) {
    GOS_UNUSED(state);
    static const char *const models[] = {
        "bodies: {b: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [1, 0, 0], points: {o: "
        "[-1, 0, 0]}}}\n"
        "joints:\n"
        "  h: {type: revolute, between: [ground, b.o], axis: [0, 0, 1]}\n"
        "  m: {type: driven_rotation, between: [ground, b.o], axis: [0, 0, 1], angle: "
        "\"10*t*min(t/0.2,1)\"}\n"
        "analysis: {end: 0.5}\n",
        "bodies: {b: {type: rigid, mass: 0.002, inertia: [1000, 1000, 1000], position: [0, 0, "
        "1000], points: {o: [0, 0, -1000]}}}\n"
        "joints:\n"
        "  h: {type: revolute, between: [ground, b.o], axis: [0, 1, 0]}\n"
        "  m: {type: driven_rotation, between: [ground, b.o], axis: [0, 1, 0], angle: "
        "\"10*t*min(t/0.2,1)\"}\n"
        "analysis: {end: 0.5}\n"};
    for (int i = 0; i < GOS_COUNT(models); i++) {
        verify v;
        verify_text(&v, models[i], NULL);
        verify_run(&v);
        assert_true(warned(&v, "its rate jumps by 10 at t = 0.2 s"));
        verify_close(&v);
        verify_text(&v, models[i], "joints.m.angle=10*t*t");
        verify_run(&v);
        assert_false(warned(&v, "its rate jumps"));
        verify_close(&v);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fixed_step), cmocka_unit_test(momentum),
                                       cmocka_unit_test(kink)};
    return cmocka_run_group_tests_name("kept", tests, NULL, NULL);
}
