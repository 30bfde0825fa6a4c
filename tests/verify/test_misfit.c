/* Bodies that do not quite meet at t = 0: brought together by the least change in the mass, told or
 * refused by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

/* what was reported last of `source`, NULL: nothing */
static const char *said_of(const verify *v, const char *source) {
    const char *text = NULL;
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        const gos_diag *d = gos_ctx_diag(v->ctx, i);
        text = d->object && strstr(d->object, source) ? d->text : text;
    }
    return text;
}

/* Two masses of 1 and 3 kg on a spherical joint, whose points are d apart on the line between them:
   the lighter goes three quarters of the way, and nothing turns. Without forces both stay there. */
static const char two[] =
    "parameters: {d: 1e-4}\n"
    "bodies:\n"
    "  a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [-1, 0, 0],\n"
    "      points: {p: [1, 0, 0]}}\n"
    "  b: {type: rigid, mass: 3, inertia: [2, 2, 2], position: [1 + d, 0, 0],\n"
    "      points: {p: [-1, 0, 0], far: [0, 1, 0]}}\n"
    "joints: {pin: {type: spherical, between: [a.p, b.p]}}\n"
    "probes: {a: {at: a, quantity: position}, b: {at: b, quantity: position},\n"
    "  far: {at: b.far, quantity: position},\n"
    "  va: {at: a, quantity: velocity}}\n"
    "analysis: {end: 1}\n";

static void two_masses(void **state) {
    (void)state;
    static const char *const settings[] = {"", "analysis.step=0.1", "analysis.integrator=bdf",
                                           "analysis.integrator=radau"};
    for (int i = 0; i < GOS_COUNT(settings); i++) {
        verify v;
        double a[GOS_PROBE_MAX], b[GOS_PROBE_MAX], far[GOS_PROBE_MAX], va[GOS_PROBE_MAX];
        verify_text(&v, two, settings[i]);
        verify_start(&v);
        for (int k = 0; k < 2; k++) {
            const gos_state *x = k == 0 ? v.state : verify_at(&v, 1);
            verify_probe(&v, x, "a", a);
            verify_probe(&v, x, "b", b);
            verify_probe(&v, x, "far", far);
            verify_probe(&v, x, "va", va);
            verify_near("the lighter", a[0], -1 + 0.75e-4, 1e-12);
            verify_near("the heavier", b[0], 1 + 0.75e-4, 1e-12);
            verify_near("a point beside it", far[0], 1 + 0.75e-4, 1e-12);
            verify_near("velocity", va[0], 0, 1e-11);
        }
        const char *text = said_of(&v, "initial");
        assert_non_null(text);
        // RMS over the mass: sqrt((1 (3/4)^2 + 3 (1/4)^2)/4) d = sqrt(3)/4 d
        assert_non_null(strstr(text, "corrected by 4.33e-05 m (RMS over the mass)"));
        assert_non_null(strstr(text, "mostly at body 'a'"));
        assert_non_null(strstr(text, "by 7.5e-05; the largest violation is that of joint 'pin', "
                                     "0.0001 in units of the constraint"));
        text = said_of(&v, "pin");
        assert_non_null(text);
        assert_non_null(strstr(text, "is slightly violated at t = 0, by 0.0001"));
        verify_close(&v);
    }
}

/* rounding of given positions is not reported, and does not become a jump of d/h */
static void small(void **state) {
    (void)state;
    double va[GOS_PROBE_MAX], a[GOS_PROBE_MAX];
    verify v;
    verify_text(&v, two, "d=1e-9 analysis.step=1e-3");
    verify_start(&v);
    verify_probe(&v, verify_at(&v, 0.01), "va", va);
    verify_probe(&v, v.state, "a", a);
    verify_near("velocity, times a step", 1e-3 * va[0], 0, 1e-15);
    verify_near("the lighter", a[0], -1 + 0.75e-9, 1e-14);
    assert_null(said_of(&v, "initial"));
    assert_null(said_of(&v, "pin"));
    verify_close(&v);
}

static void large(void **state) {
    (void)state;
    gos_model *m;
    gos_system *s;
    verify v = {.ctx = gos_ctx_create()};
    verify_good(&v, gos_model_parse(v.ctx, two, strlen(two), "two", NULL, &m));
    verify_good(&v, gos_model_set(v.ctx, m, "parameters.d", "0.1"));
    assert_int_equal(gos_system_create(v.ctx, m, &s), GOS_E_INPUT);
    const gos_diag *d = gos_ctx_diag(v.ctx, 0);
    assert_non_null(strstr(d->object, "pin"));
    assert_non_null(strstr(d->text, "0.1 m away from the joint"));
    assert_non_null(strstr(d->text, "must coincide at t = 0"));
    gos_model_destroy(m);
    gos_ctx_destroy(v.ctx);
}

/* Four bars whose rod is 1 mm too long: it closes, and swings as the one whose rod fits does. A
   crank and a rocker of 1 m, 2 m apart; brought together they lean by about 1e-3 rad, which changes
   the motion by as much. */
#define FOUR(length)                                                                               \
    "bodies:\n"                                                                                    \
    "  a: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0.5, 0],\n"               \
    "      points: {lo: [0, -0.5, 0], hi: [0, 0.5, 0]}}\n"                                         \
    "  b: {type: rigid, mass: 2, inertia: [0.1, 0.7, 0.7], position: [1, 1, 0],\n"                 \
    "      points: {lo: [-1, 0, 0], hi: [" length ", 0, 0]}}\n"                                    \
    "  c: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, 0.5, 0],\n"               \
    "      points: {lo: [0, -0.5, 0], hi: [0, 0.5, 0]}}\n"                                         \
    "joints:\n"                                                                                    \
    "  A: {type: revolute, between: [ground, a.lo], axis: [0, 0, 1]}\n"                            \
    "  B: {type: revolute, between: [a.hi, b.lo], axis: [0, 0, 1]}\n"                              \
    "  C: {type: spherical, between: [b.hi, c.hi]}\n"                                              \
    "  D: {type: cylindrical, between: [ground, c.lo], axis: [0, 0, 1]}\n"                         \
    "initial: {all: {velocity: [0, 0, 0]}}\n"                                                      \
    "gravity: [0, -9.81, 0]\n"                                                                     \
    "loads: {push: {type: force, on: a.hi, value: [5, 0, 0]}}\n"                                   \
    "probes: {p: {at: b, quantity: position}, gap: {at: b.hi, quantity: position},\n"              \
    "  end: {at: c.hi, quantity: position}, energy: {quantity: energy}}\n"                         \
    "analysis: {end: 0.3, tolerance: 1e-6}\n"

static void four_bars(void **state) {
    (void)state;
    verify v, w;
    double one[GOS_PROBE_MAX], two_[GOS_PROBE_MAX];
    verify_text(&v, FOUR("1.001"), NULL);
    verify_text(&w, FOUR("1"), NULL);
    verify_run(&v);
    verify_run(&w);
    verify_probe(&v, NULL, "gap", one);
    verify_probe(&v, NULL, "end", two_);
    verify_below("gap [m]", verify_distance(one, two_), 1e-10);
    verify_probe(&v, NULL, "p", one);
    verify_probe(&w, NULL, "p", two_);
    verify_within("how far the motions are apart [m]", verify_distance(one, two_), 1e-5, 5e-3);
    verify_below("energy [J]", verify_value(&v, NULL, "energy.balance"), 1e-4);
    assert_non_null(said_of(&v, "initial"));
    assert_null(said_of(&w, "initial"));
    verify_close(&v);
    verify_close(&w);
}

/* velocities across a hinge: by names and parts of their size, nothing without a unit */
static void velocities(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(
        &v,
        "bodies: {b: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0],\n"
        "  points: {o: [-1, 0, 0]}, velocity: [0, 1, 0]}}\n"
        "joints: {h: {type: revolute, between: [ground, b.o], axis: [0, 0, 1]}}\n"
        "analysis: {end: 0.1}\n",
        NULL);
    verify_start(&v);
    const char *text = said_of(&v, "initial");
    assert_non_null(text);
    assert_non_null(strstr(text, "of their magnitude"));
    assert_non_null(strstr(text, "the largest violation is that of joint 'h'"));
    assert_null(strstr(text, "units"));
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_masses), cmocka_unit_test(small),
                                       cmocka_unit_test(large), cmocka_unit_test(velocities),
                                       cmocka_unit_test(four_bars)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
