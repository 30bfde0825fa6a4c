/* Modes of a structure in its initial position: loads that the state does not balance, and motion,
   are left out with words; a state in balance keeps what its loads make. Flat rigid bodies, whose
   mass is in a plane. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/modes.h"
#include "support/suite.h"

static void linearise_structure(fixture *f) {
    need(f->ctx, gos_linearise_structure(f->ctx, f->sys, f->state, &f->linear));
}

static bool warned(const fixture *f, const char *words) {
    char line[1000];
    for (int i = 0; i < gos_ctx_ndiag(f->ctx); i++) {
        gos_ctx_format(f->ctx, i, line, sizeof line);
        if (strstr(line, words)) {
            return true;
        }
    }
    return false;
}

/* ---- a hub with booms under a moment that turns with it -------------------------------------- */

/* Booms along +-(ax, ay, az), n of them 2 or 4 (the others across); lengths times M, masses times
 * KG. */
static const char hub[] =
    "parameters: {T0: 5, F: 0, spin: 0, M: 1, KG: 1, ax: 1, ay: 0, az: 0, bx: 0, by: 1, bz: 0}\n"
    "materials: {m: {density: 1600*KG/M^3, young: 7.0e10*KG/M, poisson: 0.3}}\n"
    "sections: {s: {type: rectangle, height: 0.02*M, width: 0.04*M}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 10*KG, inertia: [2*KG*M^2, 2*KG*M^2, 2*KG*M^2],\n"
    "        points: {a: [0.5*ax*M, 0.5*ay*M, 0.5*az*M], b: [-0.5*ax*M, -0.5*ay*M, -0.5*az*M]}}\n"
    "  a: {type: ancf_beam, material: m, section: s, from: [0.5*ax*M, 0.5*ay*M, 0.5*az*M],\n"
    "      to: [3*ax*M, 3*ay*M, 3*az*M], elements: 4, normal: [bx, by, bz]}\n"
    "  b: {type: ancf_beam, material: m, section: s, from: [-0.5*ax*M, -0.5*ay*M, -0.5*az*M],\n"
    "      to: [-3*ax*M, -3*ay*M, -3*az*M], elements: 4, normal: [bx, by, bz]}\n"
    "joints:\n"
    "  ja: {type: clamp, between: [hub.a, a.start]}\n"
    "  jb: {type: clamp, between: [hub.b, b.start]}\n"
    "loads:\n"
    "  torque: {type: moment, on: hub, frame: body,\n"
    "           moment: [T0*bx*KG*M^2, T0*by*KG*M^2, T0*bz*KG*M^2]}\n"
    "  push: {type: force, on: a.end, value: [F*bx*KG*M, F*by*KG*M, F*bz*KG*M]}\n"
    "initial: {all: {angular_velocity: [spin*ax, spin*ay, spin*az]}}\n";

enum { HUB = 10 };

static void hub_modes(const char *text, const char *const *names, const double *values,
                      gos_mode *mode, bool quiet) {
    fixture f = read_model(text, names, values);
    linearise_structure(&f);
    int found;
    gos_mode_proof proof;
    need(f.ctx, gos_linear_modes_verified(f.ctx, f.linear, HUB, mode, &found, &proof));
    assert_int_equal(found, HUB);
    assert_true(proof.computed);
    assert_int_equal(proof.found, proof.counted);
    assert_int_equal(warned(&f, "linearised"), !quiet);
    done(&f);
}

/* six rigid motions with the whole mass, and the frequencies of the hub without loads */
static void test_loaded_hub(void **unused) {
    (void)unused;
    static const char *const names[] = {"T0", "F",  "M",  "KG", "ax", "ay",
                                        "az", "bx", "by", "bz", NULL};
    static const double values[][10] = {
        {0, 0, 1, 1, 1, 0, 0, 0, 1, 0},
        {5, 0, 1, 1, 1, 0, 0, 0, 1, 0},
        {500, 30, 1, 1, 1, 0, 0, 0, 1, 0},
        {5, 1, 1, 1, 0, 0, 1, 1, 0, 0},
        {5, 1, 1, 1, 2. / 3, 2. / 3, 1. / 3, -2. / 3, 1. / 3, 2. / 3},
        {5, 1, 1, 1, 0, 0.6, 0.8, 1, 0, 0},
        {5, 1, 1000, 1e-3, 1, 0, 0, 0, 1, 0}}; // mm, tonne
    gos_mode free[HUB], mode[HUB];
    for (int i = 0; i < GOS_COUNT(values); i++) {
        double mass = 0;
        hub_modes(hub, names, values[i], i ? mode : free, i == 0);
        const gos_mode *m = i ? mode : free;
        for (int k = 0; k < 6; k++) {
            assert_true(m[k].rigid);
            mass += m[k].mass[0];
        }
        near_rel_named("mass of the rigid motions", mass,
                       (10 + 2 * 1600 * 0.02 * 0.04 * 2.5) * values[i][3], 1e-9);
        for (int k = 6; k < HUB; k++) {
            assert_false(m[k].rigid);
            near_rel_named("frequency", m[k].omega, free[k].omega, 1e-7);
        }
    }
}

/* a craft that spins is taken at rest, with words */
static void test_spinning_hub(void **unused) {
    (void)unused;
    gos_mode free[HUB], mode[HUB];
    hub_modes(hub, NAMES("T0"), VALUES(0), free, true);
    hub_modes(hub, NAMES("T0", "spin"), VALUES(0, 3), mode, false);
    for (int k = 6; k < HUB; k++) {
        near_rel_named("frequency", mode[k].omega, free[k].omega, 1e-9);
    }
}

/* forces are inputs all the same, though the state is linearised without them */
static void test_inputs_stay(void **unused) {
    (void)unused;
    fixture f = read_model(hub, NAMES("T0", "F"), VALUES(5, 2));
    linearise_structure(&f);
    gos_linear_info info;
    gos_linear_info_get(f.linear, &info);
    assert_int_equal(info.inputs, 2); // torque.y, push.y
    gos_matrix_view B;
    gos_linear_block(f.linear, GOS_BLOCK_B, &B);
    double sum = 0;
    for (int k = B.start[1]; k < B.start[2]; k++) {
        sum += fabs(B.value[k]);
    }
    near_rel_named("force of push.y", sum, 1, 1e-12);
    done(&f);
}

/* ---- in balance or not ----------------------------------------------------------------------- */

/* A rod of 2 kg and 1.2 m that hangs from a pin, tilted by `tilt`; gravity g */
static const char pendulum[] =
    "parameters: {tilt: 0, g: 9.81, w: 0}\n"
    "bodies: {rod: {type: rigid, mass: 2, inertia: [0.24, 0.001, 0.24],\n"
    "  position: [0.6*sin(tilt), -0.6*cos(tilt), 0],\n"
    "  points: {top: [-0.6*sin(tilt), 0.6*cos(tilt), 0]}}}\n"
    "joints: {pin: {type: revolute, between: [ground, rod.top], axis: [0, 0, 1]}}\n"
    "gravity: [0, -g, 0]\n";

static void test_balance(void **unused) {
    (void)unused;
    gos_mode mode[1];
    // hanging: the forces that hold it are there, (m g l / J)^(1/2) about the pin
    fixture f = read_model(pendulum, NULL, NULL);
    linearise_structure(&f);
    get_modes(&f, 1, false, mode);
    near_rel_named("pendulum", mode[0].omega, sqrt(2 * 9.81 * 0.6 / (0.24 + 2 * 0.36)), 1e-10);
    assert_false(warned(&f, "linearised"));
    done(&f);
    // held askew by nothing: it swings out of this state, of which nothing but the joint is known
    f = read_model(pendulum, NAMES("tilt"), VALUES(0.5));
    linearise_structure(&f);
    get_modes(&f, 1, false, mode);
    assert_true(mode[0].rigid);
    assert_true(warned(&f, "linearised without gravity"));
    done(&f);
    f = read_model(pendulum, NAMES("tilt", "g"), VALUES(0.5, 0));
    linearise_structure(&f);
    get_modes(&f, 1, false, mode);
    assert_true(mode[0].rigid);
    assert_false(warned(&f, "linearised"));
    done(&f);
}

/* ---- flat rigid bodies ----------------------------------------------------------------------- */

/* A disc of mass 20 kg at the end of a shaft: its axial second moment of mass is exactly 0; n:
 * discs */
static const char disc[] =
    "parameters: {M: 1, KG: 1, ax: 1, ay: 0, az: 0, J: 0.6}\n"
    "materials: {st: {density: 7.85*KG/M^3, young: 2.1e11*KG/M, poisson: 0.3}}\n"
    "sections: {s: {type: circle, diameter: 0.02*M}}\n"
    "bodies:\n"
    "  s1: {type: ancf_beam, material: st, section: s, from: [0, 0, 0],\n"
    "       to: [0.3*ax*M, 0.3*ay*M, 0.3*az*M], elements: 8}\n"
    "  disc: {type: rigid, mass: 20*KG, position: [0.3*ax*M, 0.3*ay*M, 0.3*az*M],\n"
    "         inertia: [J*(1 + ax^2)/2*KG*M^2, J*(1 + ay^2)/2*KG*M^2, J*(1 + az^2)/2*KG*M^2,\n"
    "                   J*ax*ay/2*KG*M^2, J*ax*az/2*KG*M^2, J*ay*az/2*KG*M^2]}\n"
    "joints:\n"
    "  b1: {type: clamp, between: [ground, s1.start]}\n"
    "  d1: {type: clamp, between: [disc, s1.end]}\n";

static void test_flat_disc(void **unused) {
    (void)unused;
    static const double axes[][5] = {{1, 1, 1, 0, 0},
                                     {1, 1, 0, 0.6, 0.8},
                                     {1, 1, 2. / 3, 2. / 3, 1. / 3},
                                     {1000, 1e-3, 1, 0, 0}};
    const double E = 2.1e11, G = E / 2.6, d = 0.02, L = 0.3, I = M_PI * pow(d, 4) / 64;
    for (int i = 0; i < GOS_COUNT(axes); i++) {
        fixture f = read_model(disc, NAMES("M", "KG", "ax", "ay", "az"), axes[i]);
        gos_mode mode[5];
        int found;
        gos_mode_proof proof;
        linearise_structure(&f);
        need(f.ctx, gos_linear_modes_verified(f.ctx, f.linear, 5, mode, &found, &proof));
        assert_int_equal(proof.found, proof.counted);
        // a shaft without mass, disc with J across half that along: torsion, and bending from
        // [12 -6L; -6L 4L^2] E I / L^3 (Bernoulli) on (m, J/2)
        const double m = 20, J = 0.3, k = E * I / (L * L * L);
        const double a = m * J, b = -k * (12 * J + 4 * L * L * m), c = 12 * k * k * L * L;
        const double low = (-b - sqrt(b * b - 4 * a * c)) / (2 * a);
        near_rel_named("bending", mode[0].omega, sqrt(low),
                       3e-3); // shear of the shaft: 3 E I / (G A L^2 k)
        near_rel_named("bending", mode[1].omega, mode[0].omega, 1e-8);
        near_rel_named("torsion", mode[2].omega, sqrt(G * 2 * I / (L * 0.6)), 1e-5);
        done(&f);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loaded_hub),  cmocka_unit_test(test_spinning_hub),
        cmocka_unit_test(test_inputs_stay), cmocka_unit_test(test_balance),
        cmocka_unit_test(test_flat_disc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
