/* Free motion of floating beams: energy and momentum, and reference conditions that must not
 * matter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

/* a beam thrown into the air, turning about all axes, bent by a force along y and z at its end that
 * grows and goes again */
static const char thrown[] =
    "gravity: [0, 0, -9.81]\n"
    "materials: {m: {density: 1000, young: 1.0e8, poisson: 0.3}}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.03}}\n"
    "bodies:\n"
    "  arm: {type: floating_beam, material: m, section: bar, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 3,\n"
    "        axial: rigid, torsion: rigid, rotary_inertia: true, coupling: %s, reference: %s,\n"
    "        velocity: [1, 2, 5], angular_velocity: [2, 3, 4]}\n"
    "loads:\n"
    "  push: {type: force, on: arm.end, value: [0, '0.2*sin(pi*t/0.5)^2*(t < 0.5)', "
    "'0.3*sin(pi*t/0.5)^2*(t < 0.5)']}\n"
    "probes:\n"
    "  start: {at: arm.start, quantity: position}\n"
    "  end: {at: arm.end, quantity: position}\n"
    "analysis: {type: dynamic, end: 1, step: %g}\n";

typedef struct outcome {
    double drift;       // largest change of energies less work [J]
    double momentum[3]; // less the impulse of weight and force [kg m/s]
    double ends[6];     // where the ends are [m]
} outcome;

static outcome fly(const char *coupling, const char *reference, double h) {
    static const char *const what[] = {"start.x", "start.y", "start.z", "end.x", "end.y", "end.z"};
    char text[sizeof thrown + 100];
    verify v;
    outcome o;
    gos_energy now;
    double p[3], q[3], l[3];
    snprintf(text, sizeof text, thrown, coupling, reference, h);
    verify_text(&v, text, NULL);
    verify_start(&v);
    gos_system_momentum(v.sys, v.state, p, l);
    o.drift = 0;
    while (gos_state_time(v.state) < 1) {
        verify_good(&v, gos_integrator_step(v.run, 1));
        gos_system_energy(v.sys, v.state, &now);
        o.drift = fmax(o.drift, fabs(now.balance));
    }
    gos_system_momentum(v.sys, v.state, q, l);
    const double impulse[3] = {0, 0.2 * 0.25, 0.3 * 0.25 - 9.81 * 0.6};
    for (int c = 0; c < 3; c++) {
        o.momentum[c] = q[c] - p[c] - impulse[c];
    }
    for (int i = 0; i < 6; i++) {
        o.ends[i] = verify_value(&v, NULL, what[i]);
    }
    verify_close(&v);
    return o;
}

static double distance(const outcome *a, const outcome *b) {
    double most = 0;
    for (int i = 0; i < 6; i++) {
        most = fmax(most, fabs(a->ends[i] - b->ends[i]));
    }
    return most;
}

/* energy less work, and momentum less impulses, are kept to the second order of the steps; so is
 * the place of the ends */
static void test_order(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        static const char *const references[] = {"clamped", "chord", "mean_axis"};
        const char *coupling = i < 3 ? "first" : "zeroth";
        const outcome a = fly(coupling, references[i % 3], 2e-3),
                      b = fly(coupling, references[i % 3], 1e-3),
                      c = fly(coupling, references[i % 3], 5e-4);
        print_message("%s, %s\n", coupling, references[i % 3]);
        verify_within("order of the energy", verify_order(b.drift, c.drift, 2), 1.8, 2.2);
        verify_below("energy [J]", c.drift, 1e-6);
        for (int d = 0; d < 3; d++) {
            verify_below("momentum [kg m/s]", fabs(c.momentum[d]), 2e-7);
        }
        verify_within("order of the places", verify_order(distance(&a, &b), distance(&b, &c), 2),
                      1.8, 2.2);
    }
}

/* The frame may follow what it likes: the body is the same, but for squares of its deformation. */
static void test_references(void **state) {
    (void)state;
    const outcome clamped = fly("first", "clamped", 5e-4), chord = fly("first", "chord", 5e-4),
                  mean = fly("first", "mean_axis", 5e-4);
    verify_below("chord from clamped [m]", distance(&chord, &clamped), 5e-6);
    verify_below("mean axes from clamped [m]", distance(&mean, &clamped), 5e-6);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_references)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
