/* The state of a system from outside: coordinates by name, what is written and brought to the
   constraints, outputs inside steps, the equations with their matrix, functions of the program as
   loads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/binding.h"
#include "support/newton_matrix.h"
#include "support/suite.h"

/* ---- coordinates ----------------------------------------------------------------------------- */

static const char craft[] =
    "materials: {m: {density: 1000, young: 1.0e7, poisson: 0.3, conductivity: 1, specific_heat: "
    "200,\n"
    "  expansion: 1.0e-4, damping: {normal: 2.0e-3}, absorptivity: 1}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.25], position: [0, 0, 0], points: {o: [0, "
    "0, 0]}}\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], elements: "
    "3}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, hub.o], axis: [0, 0, 1]}\n"
    "  tie: {type: clamp, between: [hub.o, rod.start]}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads: {push: {type: force, on: rod.end, value: [0.3, \"0.5*cos(t)\", 0.2], frame: body}}\n"
    "heat: {sun: {type: flux, value: 2.0e4, direction: [0, -1, 0], on: rod}}\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "analysis: {end: 1}\n";

/* every name is found again, and what it names is there */
static void names(void **state) {
    GOS_UNUSED(state);
    verify v;
    double y[3], rate[3];
    verify_text(&v, craft, NULL);
    const int n = gos_system_ncoordinates(v.sys);
    for (int i = 0; i < n; i++) {
        gos_coordinate_info info;
        gos_system_coordinate_info(v.sys, i, &info);
        assert_int_equal(gos_system_coordinate_find(v.sys, info.name), i);
        assert_int_equal(info.ncomp, info.temperature ? 1 : 3);
    }
    gos_sizes sizes;
    gos_system_sizes(v.sys, &sizes);
    assert_int_equal(3 * (n - sizes.temperatures) + sizes.temperatures,
                     sizes.coordinates + sizes.temperatures);
    gos_state_coordinate(v.state, gos_system_coordinate_find(v.sys, "rod.node(3).position"), y,
                         rate);
    assert_true(y[0] == 1 && y[1] == 0 && y[2] == 0 && rate[0] == 0);
    gos_state_coordinate(v.state, gos_system_coordinate_find(v.sys, "rod.node(1).slope"), y, NULL);
    assert_true(y[0] == 1 && y[1] == 0 && y[2] == 0);
    gos_state_coordinate(v.state, gos_system_coordinate_find(v.sys, "hub.axis_2"), y, NULL);
    assert_true(y[0] == 0 && y[1] == 1 && y[2] == 0);
    assert_true(gos_system_coordinate_find(v.sys, "rod.node(2).T_2") >= 0);
    assert_int_equal(gos_system_coordinate_find(v.sys, "rod.node(4).position"), -1);
    assert_int_equal(gos_system_coordinate_find(v.sys, "hub"), -1);
    verify_close(&v);
}

static const char arm[] =
    "bodies: {b: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0], "
    "points: {o: [-1, 0, 0]}}}\n"
    "joints: {h: {type: revolute, between: [ground, b.o], axis: [0, 0, 1]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "probes: {place: {at: b, quantity: position}, rate: {at: b, quantity: angular_velocity},\n"
    "  F: {joint: h, quantity: joint_force}}\n"
    "analysis: {end: 2, tolerance: 1.0e-6}\n";

static void write(verify *v, const char *name, double x, double y, double z, bool rate) {
    const double to[3] = {x, y, z};
    const int i = gos_system_coordinate_find(v->sys, name);
    assert_true(i >= 0);
    verify_good(v,
                gos_state_set_coordinate(v->ctx, v->state, i, rate ? NULL : to, rate ? to : NULL));
}

/* The velocity (0, 1, 0) of the middle of an arm that is at rest otherwise: projected in the mass
   norm its momentum about the hinge is kept, (I + m r^2) omega = m r v. The middle pulled out by
   0.1 m comes back, and the axes with it. At rest there the hinge holds the weight less what the
   fall takes, m g I/(I + m r^2). */
static void settled(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_constraint_correction s;
    double y[GOS_PROBE_MAX];
    verify_text(&v, arm, NULL);
    verify_good(&v, gos_state_satisfy_constraints(v.ctx, v.state, &s));
    assert_true(s.violation < 1e-15 && s.position < 1e-15 && s.velocity == 0);
    verify_probe(&v, NULL, "F", y);
    verify_near("force of the hinge [N]", fabs(y[1]), 2 * 9.81 * 0.1 / 2.1, 1e-12);
    write(&v, "b.position", 0, 1, 0, true);
    verify_good(&v, gos_state_satisfy_constraints(v.ctx, v.state, &s));
    verify_probe(&v, NULL, "rate", y);
    verify_near("rate of the projected motion [rad/s]", y[2], 2 / 2.1, 1e-12);
    assert_true(s.velocity > 0.1);
    write(&v, "b.position", 1.1, 0, 0, false);
    verify_good(&v, gos_state_satisfy_constraints(v.ctx, v.state, &s));
    verify_near("violation [m]", s.violation, 0.1, 1e-12);
    verify_probe(&v, NULL, "place", y);
    assert_string_equal(s.where, "joint 'h'");
    verify_near("place [m]", y[0], 1, 1e-12);
    verify_near("changed by [m]", s.position, 0.1, 1e-12);
    // three axes that are none: no rotation is near
    gos_state *before;
    verify_good(&v, gos_state_create(v.ctx, v.sys, &before));
    for (int k = 1; k <= 3; k++) {
        char name[20];
        snprintf(name, sizeof name, "b.axis_%d", k);
        write(&v, name, 0, 0, 0, false);
    }
    verify_good(&v, gos_state_copy(before, v.state));
    assert_int_equal(gos_state_satisfy_constraints(v.ctx, v.state, &s), GOS_E_INPUT);
    print_message("    %s\n", gos_ctx_message(v.ctx));
    assert_non_null(strstr(gos_ctx_message(v.ctx), "cannot be satisfied"));
    assert_memory_equal(before->block, v.state->block, before->nblock * sizeof(double));
    const double nan[3] = {(double)NAN, 0, 0};
    assert_int_equal(gos_state_set_coordinate(v.ctx, v.state, 0, nan, NULL), GOS_E_USE);
    assert_int_equal(gos_state_set_coordinate(v.ctx, v.state, -1, NULL, NULL), GOS_E_USE);
    gos_state_destroy(before);
    verify_close(&v);
}

/* In the middle of a run the arm is put to another angle with another rate; it continues as one
   that began there, also when the constraints were not requested. */
static void goes_on(void **state) {
    GOS_UNUSED(state);
    const double a = 0.7, c = cos(a), s = sin(a), w = 0.5;
    double y[2][GOS_PROBE_MAX];
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v, arm, NULL);
        verify_start(&v);
        if (i) {
            while (gos_state_time(v.state) < 0.5) {
                verify_good(&v, gos_integrator_step(v.run, 0.5));
            }
        }
        write(&v, "b.position", c, s, 0, false);
        write(&v, "b.axis_1", c, s, 0, false);
        write(&v, "b.axis_2", -s, c, 0, false);
        write(&v, "b.position", -w * s, w * c, 0, true);
        write(&v, "b.axis_1", -w * s, w * c, 0, true);
        write(&v, "b.axis_2", -w * c, -w * s, 0, true);
        const double end = 1 + 0.5 * i;
        while (gos_state_time(v.state) < end) {
            verify_good(&v, gos_integrator_step(v.run, end));
        }
        gos_energy e;
        gos_system_energy(v.sys, v.state, &e);
        verify_near("kinetic energy and that of height [J]", e.kinetic + e.gravity,
                    0.5 * 2.1 * w * w + 2 * 9.81 * s, 1e-4);
        verify_below("energy balance [J]", e.balance, 1e-4);
        verify_probe(&v, NULL, "place", y[i]);
        verify_close(&v);
    }
    verify_near("place, written at the start and later [m]", verify_distance(y[0], y[1]), 0, 1e-6);
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* A body that inputs push has a parabola for its place: cubic interpolation in the last step is
 * exact */
static void inside(void **state) {
    GOS_UNUSED(state);
    static const char body[] =
        "bodies: {b: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [0, 0, 0]}}\n"
        "loads: {push: {type: force, on: b, value: [1, 0, 0]}}\n"
        "probes: {place: {at: b, quantity: position}}\n"
        "analysis: {end: 2, step: 0.25}\n";
    verify v;
    double y[GOS_PROBE_MAX], rate[GOS_PROBE_MAX], x = 0, u = 0;
    verify_text(&v, body, NULL);
    verify_start(&v);
    const int push = gos_system_input_find(v.sys, "push.x");
    const int place = gos_system_probe_find(v.sys, "place");
    for (int k = 0; k < 8; k++) {
        const double t = gos_state_time(v.state), f = 1 + k % 3;
        verify_good(&v, gos_state_set_input(v.ctx, v.state, push, f, t));
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        for (int j = 1; j <= 4; j++) {
            const double d = 0.0625 * j;
            const gos_state *at = gos_integrator_at(v.run, t + d);
            assert_true(gos_state_input(at, push) == f);
            verify_good(&v, gos_system_probe(v.ctx, v.sys, at, place, y, rate));
            assert_true(fabs(y[0] - (x + u * d + 0.25 * f * d * d)) < 1e-13);
            assert_true(fabs(rate[0] - (u + 0.5 * f * d)) < 1e-13);
        }
        x += u * 0.25 + 0.25 * f * 0.0625;
        u += 0.125 * f;
        verify_near("place [m]", y[0], x, 1e-13);
    }
    verify_close(&v);
}

/* ---- equations ------------------------------------------------------------------------------- */

static double value_at(const gos_equations_matrix *J, int row, int column) {
    if (!J->p) {
        return J->x[(size_t)column * (size_t)J->n + (size_t)row];
    }
    for (int k = J->p[column]; k < J->p[column + 1]; k++) {
        if (J->i[k] == row) {
            return J->x[k];
        }
    }
    return 0;
}

/* The residual is none where a run stands; its matrix is that of differences, for all of by_rate
 * and by_acceleration. */
static void equations(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_equations *eq;
    gos_equations_matrix J;
    uint64_t seed = 11;
    verify_text(&v, craft, NULL);
    const gos_system *s = v.sys;
    const int n = s->n, nm = s->nq + s->nt;
    double *r = calloc(5 * (size_t)n, sizeof *r);
    assert_non_null(r);
    verify_good(&v, gos_equations_create(v.ctx, s, &eq));
    verify_start(&v);
    while (gos_state_time(v.state) < 0.2) {
        verify_good(&v, gos_integrator_step(v.run, 0.2));
    }
    gos_equations_point at = gos_equations_at(v.state);
    verify_good(&v, gos_equations_residual(eq, &at, r));
    double largest = 0, size = 0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(r[i]));
    }
    for (int i = 0; i < s->nc; i++) {
        size = fmax(size, fabs(at.lam[i]));
    }
    verify_below("residual, of the largest multiplier", largest / size, 1e-4);
    random_at x;
    random_state(s, &seed, 20, &x);
    at = (gos_equations_point){v.state, 0.3, x.q, x.v, x.a, x.th, x.thd, x.lam, x.lamT};
    const double weights[3][2] = {{0, 0}, {0.7, 0}, {20, 300}};
    for (int w = 0; w < 3; w++) {
        block b = {"matrix of the equations", 0, 0, 0};
        const double rate = weights[w][0], acceleration = weights[w][1];
        verify_good(&v, gos_equations_jacobian(eq, &at, rate, acceleration, &J));
        assert_int_equal(J.n, n);
        for (int j = 0; j < n; j++) {
            double *const value = j < s->nq        ? x.q + j
                                  : j < nm         ? x.th + j - s->nq
                                  : j < nm + s->nc ? x.lam + j - nm
                                                   : x.lamT + j - nm - s->nc;
            double *const first = j < s->nq ? x.v + j : j < nm ? x.thd + j - s->nq : NULL;
            double *const second = j < s->nq ? x.a + j : NULL;
            const double h = 1e-5, keep[3] = {*value, first ? *first : 0, second ? *second : 0};
            for (int k = 0; k < 4; k++) {
                *value = keep[0] + shifts[k] * h;
                if (first) {
                    *first = keep[1] + shifts[k] * h * rate;
                }
                if (second) {
                    *second = keep[2] + shifts[k] * h * acceleration;
                }
                verify_good(&v, gos_equations_residual(eq, &at, r + (size_t)k * (size_t)n));
            }
            *value = keep[0];
            if (first) {
                *first = keep[1];
            }
            if (second) {
                *second = keep[2];
            }
            for (int i = 0; i < n; i++) {
                const double f[4] = {r[i], r[n + i], r[2 * n + i], r[3 * n + i]};
                compare(&b, value_at(&J, i, j), difference(f, h));
            }
        }
        check_block(&b);
    }
    free(x.block);
    free(r);
    gos_equations_destroy(eq);
    verify_close(&v);
}

/* ---- callbacks ------------------------------------------------------------------------------- */

typedef struct law {
    double k, d;
    long values, derivatives;
} law;

static double law_value(void *user, double t, const double *y) {
    law *p = user;
    GOS_UNUSED(t);
    p->values++;
    return -p->k * y[0] - p->d * y[1] * fabs(y[1]);
}

static void law_derivative(void *user, double t, const double *y, double *dy) {
    law *p = user;
    GOS_UNUSED(t);
    p->derivatives++;
    dy[0] = -p->k;
    dy[1] = -2 * p->d * fabs(y[1]);
}

static const char held_arm[] =
    "bodies: {b: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0], "
    "points: {o: [-1, 0, 0]}}}\n"
    "joints: {h: {type: revolute, between: [ground, b.o], axis: [0, 0, 1]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads: {law: {type: moment, on: b, moment: [0, 0, %s]}}\n"
    "probes: {angle: {at: b, quantity: angle, axis: [0, 0, 1]},\n"
    "  rate: {at: b, quantity: angular_velocity, direction: [0, 0, 1]}}\n"
    "analysis: {end: 2, step: 0.01}\n";

/* a run with an expression of probes (no callback), or with a function of this program */
static void held(const char *amount, const gos_callback *callback, gos_state **end,
                 gos_statistics *stats, verify *v) {
    char text[2000];
    snprintf(text, sizeof text, held_arm, amount);
    *v = (verify){.ctx = gos_ctx_create()};
    verify_good(v, gos_model_parse(v->ctx, text, strlen(text), "test", NULL, &v->model));
    if (callback) {
        verify_good(v, gos_model_callback(v->ctx, v->model, "law", callback));
    }
    verify_compile(v);
    verify_run(v);
    *end = v->state;
    *stats = v->stats;
}

static void callbacks(void **state) {
    GOS_UNUSED(state);
    law of = {.k = 300, .d = 12};
    const gos_callback exact = {law_value, law_derivative, &of}, plain = {law_value, NULL, &of};
    verify v[3];
    gos_state *x[3];
    gos_statistics stats[3];
    held("\"-300*angle - 12*rate*abs(rate)\"", NULL, &x[0], &stats[0], &v[0]);
    held("{call: law, of: [angle, rate]}", &exact, &x[1], &stats[1], &v[1]);
    assert_true(of.values > 0 && of.derivatives > 0);
    held("{call: law, of: [angle, rate]}", &plain, &x[2], &stats[2], &v[2]);
    print_message("    iterations: %ld with an expression, %ld with derivatives, %ld without\n",
                  stats[0].iterations, stats[1].iterations, stats[2].iterations);
    // the values have other digits in their last place, at most
    assert_int_equal(stats[1].iterations, stats[0].iterations);
    assert_int_equal(stats[2].iterations, stats[0].iterations);
    for (int i = 1; i < 3; i++) {
        double most = 0;
        for (int k = 0; k < x[0]->sys->nq; k++) {
            most = fmax(most, fabs(x[i]->q[k] - x[0]->q[k]));
        }
        verify_below("coordinates, from those of the expression", most, 1e-12);
    }
    for (int i = 0; i < 3; i++) {
        verify_close(&v[i]);
    }
}

static void refused_call(const char *amount, bool give, const char *words) {
    char text[2000];
    law of = {0};
    const gos_callback c = {law_value, NULL, &of};
    verify v = {.ctx = gos_ctx_create()};
    snprintf(text, sizeof text, held_arm, amount);
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
    if (give) {
        verify_good(&v, gos_model_callback_of(v.ctx, v.model, "law", 1, &c));
    }
    assert_int_equal(gos_system_create(v.ctx, v.model, &v.sys), GOS_E_INPUT);
    print_message("    %s\n", gos_ctx_message(v.ctx));
    assert_non_null(strstr(gos_ctx_message(v.ctx), words));
    assert_int_equal(gos_model_callback(v.ctx, v.model, "", &c), GOS_E_USE);
    assert_int_equal(gos_model_callback_of(v.ctx, v.model, "law", 0, &c), GOS_E_USE);
    v.sys = NULL;
    verify_close(&v);
}

static void refused(void **state) {
    GOS_UNUSED(state);
    refused_call("{call: law, of: [angle]}", false, "function 'law' is not registered");
    refused_call("{call: law}", true, "needs the probes");
    refused_call("{call: law, of: [angle, rate]}", true,
                 "lists 2 probes, but the function 'law' requires 1");
    refused_call("{call: law, of: [angel]}", true, "no probe 'angel'");
    refused_call("{call: law, of: [angle], expression: t}", true, "give either");
    refused_call("{expression: t, of: [angle]}", true, "allowed only with 'call");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(names),     cmocka_unit_test(settled),
                                       cmocka_unit_test(goes_on),   cmocka_unit_test(inside),
                                       cmocka_unit_test(equations), cmocka_unit_test(callbacks),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests_name("state access", tests, NULL, NULL);
}
SUITE(suite)
