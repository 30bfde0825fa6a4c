/* Making reduced models: the cable's polynomials, elimination of joints, exact initial values,
   what stays with multipliers, refusals, memory. Whether they are right is asked by
   verify/test_reduced_pendulum.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gossamer/reduce.h"
#include "rom/limits.h"
#include "rom/rom.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/verify.h"

static const char rod[] =
    "parameters: {n: 8}\n"
    "materials: {m: {density: 2000, young: 1e8, conductivity: 1, specific_heat: 200,\n"
    "  expansion: 1e-4, damping: {normal: 1e-3}, absorptivity: 1}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0.3, 0.1, 0.2],\n"
    "  to: [0.9, 0.9, 0.2], elements: n}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "heat: {sun: {type: flux, value: 1000, direction: [0, -1, 0], on: rod}}\n"
    "initial: {rod: {angular_velocity: [0, 1, 2], about: [0.3, 0.1, 0.2], temperature: 30}}\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "analysis: {end: 0.1, step: 1e-3}\n"
    "reduction: {method: rotation_closed}\n";

static gos_system *reduced_of(verify *v) {
    gos_system *sys;
    verify_good(v, gos_reduce(v->ctx, v->sys, &sys));
    return sys;
}

/* ---- the cable's polynomials ----------------------------------------------------------------- */

static void cable_fields(void **state) {
    (void)state;
    verify v;
    gos_body_fields f;
    verify_text(&v, rod, NULL);
    const gos_body *b = v.sys->body[0];
    gos_arena *a = gos__arena_create(v.ctx);
    verify_good(&v, b->ops->fields(v.ctx, a, b, 4, 2, 9, &f));
    double worst = 0, length = 0, mass = 0;
    for (int i = 0; i < 4; i++) { // cubic: the mesh holds them exactly
        for (int k = 0; k < 4; k++) {
            double sum = 0;
            for (int j = 0; j < b->nv; j++) {
                sum += f.dual[i * b->nv + j] * f.value[j * 4 + k];
            }
            worst = fmax(worst, fabs(sum - (i == k)));
        }
    }
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            double sum = 0;
            for (int j = 0; j < b->nnode; j++) {
                sum += f.tdual[i * b->nnode + j] * f.tvalue[j * 2 + k];
            }
            worst = fmax(worst, fabs(sum - (i == k)));
        }
    }
    verify_below("dual of values", worst, 1e-12);
    for (int i = 0; i < f.npoints; i++) {
        length += f.w[i];
        assert_true(f.b[i * 8] == 0 && f.b[i * 8 + 4] == 0 && f.b[i * 8 + 5] == 0);
        assert_true(fabs(f.b[i * 8 + 1] - 2) < 1e-12); // P_1' = 2 / l, l = 1
    }
    for (int i = 0; i < 4; i++) {
        mass += f.mass[i * 4 + i] * (2 * i + 1) / 4;
    }
    verify_near("length", length, 1, 1e-13);
    verify_near("mass", mass, v.sys->mass_total, 1e-13);
    gos__arena_destroy(a);
    verify_close(&v);
}

/* many points lie in several pieces */
static void pieces(void **state) {
    (void)state;
    verify v;
    gos_body_fields f;
    verify_text(&v, rod, NULL);
    const gos_body *b = v.sys->body[0];
    gos_arena *a = gos__arena_create(v.ctx);
    verify_good(&v, b->ops->fields(v.ctx, a, b, 10, 8, 100, &f));
    double length = 0;
    for (int i = 0; i < f.npoints; i++) {
        length += f.w[i];
    }
    assert_true(f.npoints >= 100);
    verify_near("length", length, 1, 1e-13);
    assert_int_equal(b->ops->fields(v.ctx, a, b, 100, 8, 100, &f), GOS_E_LIMIT);
    gos__arena_destroy(a);
    verify_close(&v);
}

/* ---- spaces ---------------------------------------------------------------------------------- */

static void initial_values(const char *settings, int coordinates, int constraints) {
    verify v;
    verify_text(&v, rod, settings);
    gos_system *s = reduced_of(&v);
    gos_sizes size;
    gos_system_sizes(s, &size);
    print_message("  %s\n", settings);
    assert_true(size.reduced);
    assert_int_equal(size.coordinates, coordinates);
    assert_int_equal(size.constraints, constraints);
    gos_state *x;
    verify_good(&v, gos_state_create(v.ctx, s, &x));
    double r[2][27], rate[2][27], T[2][9], worst = 0;
    gos_system_nodes(v.sys, v.state, r[0], rate[0], T[0], NULL);
    gos_system_nodes(s, x, r[1], rate[1], T[1], NULL);
    for (int i = 0; i < 27; i++) {
        worst = fmax(worst, fabs(r[0][i] - r[1][i]) + fabs(rate[0][i] - rate[1][i]));
        worst = fmax(worst, fabs(T[0][i / 3] - T[1][i / 3]));
    }
    verify_below("initial positions, velocities, temperatures", worst, 1e-12);
    for (int i = 0; i < s->nv; i++) { // every field has the mass of the whole
        assert_int_equal(s->mass.p[i + 1], i + 1);
        assert_int_equal(s->mass.j[i], i);
        assert_true(fabs(s->mass.v[i] / v.sys->mass_total - 1) < 1e-10);
    }
    gos_state_destroy(x);
    gos_system_destroy(s);
    verify_close(&v);
}

static void spaces(void **state) {
    (void)state;
    initial_values("reduction.number=9", 27, 0);
    initial_values("n=8", 30, 0);
    initial_values("reduction.fields=modes reduction.number=6 reduction.statics=false", 21, 0);
    /* a joint whose force is requested keeps its multipliers and its fields */
    initial_values("reduction.number=9 probes.f.quantity=joint_force probes.f.joint=pin", 30, 3);
}

/* Newton matrix of a reduced system against differences, at random amplitudes */
static void jacobian_of(const char *example, const char *settings) {
    verify v;
    verify_example(&v, example, settings);
    gos_system *s = reduced_of(&v);
    gos_work *w;
    verify_good(&v, gos__work_create(v.ctx, s, &w));
    const int n = s->n, nq = s->nq;
    double *x = calloc(5 * (size_t)n + 8, sizeof *x), *rate = x + n, *plus = rate + n;
    double *minus = plus + n, *J = calloc((size_t)n * (size_t)n + 1, sizeof *J);
    uint64_t seed = 7;
    for (int i = 0; i < n; i++) {
        const double u = 0.5 * random_uniform(&seed);
        x[i] = i < nq ? s->e0[i] + 0.01 * u : u;
        rate[i] = i < nq ? u : 0;
    }
    const double d = 0.01;
    const gos_newton_factors f = {.k = 1, .d = d, .ck = 1, .cd = d, .lam = 1, .lamT = 1};
    const gos_point_of at = {.t = 0.01,
                             .scale = 1,
                             .q = x,
                             .v = rate,
                             .th = x + nq,
                             .lam = x + nq + s->nt,
                             .lamT = x + nq + s->nt + s->nc};
    gos__jacobian(w, &at, &f);
    memcpy(J, w->values, (size_t)n * (size_t)n * sizeof *J);
    double worst = 0, size = 0;
    for (int j = 0; j < nq; j++) {
        double *const side[2] = {plus, minus};
        const double x0 = x[j], v0 = rate[j], h = 1e-7;
        for (int k = 0; k < 2; k++) {
            double *r = side[k];
            const gos_residual out = {
                .q = r, .th = r + nq, .c = r + nq + s->nt, .h = r + nq + s->nt + s->nc};
            x[j] = x0 + (k ? -h : h);
            rate[j] = v0 + (k ? -h : h) * d;
            verify_good(&v, gos__residual(w, &at, &out, NULL));
        }
        x[j] = x0;
        rate[j] = v0;
        for (int i = 0; i < nq; i++) {
            const double difference = (plus[i] - minus[i]) / (2 * h);
            worst = fmax(worst, fabs(J[j * n + i] - difference));
            size = fmax(size, fabs(difference));
        }
    }
    verify_below(settings, worst / size, 1e-6);
    free(x);
    free(J);
    gos__work_destroy(v.ctx, w);
    gos_system_destroy(s);
    verify_close(&v);
}

static void jacobians(void **state) {
    (void)state;
    jacobian_of("thermal-pendulum", "reduction.number=9");
    jacobian_of("thermal-pendulum", "reduction.number=6 reduction.fields=modes");
    jacobian_of("elastica",
                "reduction.method=rotation_closed reduction.number=6"); // with a constant part
    jacobian_of("boley-beam", "reduction.method=rotation_closed reduction.number=6");
}

/* a rigid body: nothing is lost, so nothing may change */
static void rigid_body(void **state) {
    (void)state;
    verify v;
    double y[2][3];
    verify_example(&v, "heavy-top", "t_end=0.2 analysis.step=1e-3");
    gos_system *s = reduced_of(&v);
    const gos_system *const both[] = {v.sys, s};
    assert_int_equal(s->nq, 9); // the socket takes three of twelve
    for (int i = 0; i < 2; i++) {
        gos_state *x;
        gos_integrator *run;
        verify_good(&v, gos_state_create(v.ctx, both[i], &x));
        verify_good(&v, gos_integrator_create(v.ctx, both[i], &v.opt, x, &run));
        while (gos_state_time(x) < v.opt.end) {
            verify_good(&v, gos_integrator_step(run, v.opt.end));
        }
        verify_good(&v, gos_system_probe(v.ctx, both[i], x, 1, y[i], NULL));
        gos_integrator_destroy(run);
        gos_state_destroy(x);
    }
    verify_below("axis, full - reduced [m]", verify_distance(y[0], y[1]), 1e-6);
    gos_system_destroy(s);
    verify_close(&v);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void refuse(const char *settings, gos_status status, const char *text) {
    verify v;
    gos_system *s = NULL;
    verify_text(&v, rod, settings);
    assert_int_equal(gos_reduce(v.ctx, v.sys, &s), status);
    assert_null(s);
    print_message("  %s\n", gos_ctx_message(v.ctx));
    assert_non_null(strstr(gos_ctx_message(v.ctx), text));
    verify_close(&v);
}

static void refusals(void **state) {
    (void)state;
    verify v;
    refuse("reduction.number=1", GOS_E_INPUT, "at least 2 fields");
    refuse("reduction.number=200", GOS_E_LIMIT, "at most");
    refuse("reduction.thermal_fields=1 heat.a.type=temperature heat.a.value=1 heat.a.on=rod.start "
           "heat.b.type=temperature heat.b.value=2 heat.b.on=rod.end",
           GOS_E_INPUT, "thermal_fields");
    verify_text(&v, rod, NULL);
    gos_system *s = reduced_of(&v), *again = NULL;
    assert_int_equal(gos_reduce(v.ctx, s, &again), GOS_E_USE);
    gos_system_destroy(s);
    verify_close(&v);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* an allocator that fails once at the n-th call */
typedef struct meter {
    long left, held;
} meter;

static void *meter_alloc(void *user, size_t size) {
    meter *m = user;
    if (m->left > 0 && --m->left == 0) {
        return NULL;
    }
    m->held++;
    return malloc(size);
}

static void *meter_realloc(void *user, void *p, size_t size) {
    meter *m = user;
    if (m->left > 0 && --m->left == 0) {
        return NULL;
    }
    m->held += p == NULL;
    return realloc(p, size);
}

static void meter_free(void *user, void *p) {
    meter *m = user;
    m->held -= p != NULL;
    free(p);
}

static void out_of_memory(void **state) {
    (void)state;
    static const char *const fields[] = {"polynomials", "modes"};
    for (int k = 0; k < 2; k++) {
        meter m = {0};
        const gos_allocator allocator = {meter_alloc, meter_realloc, meter_free, &m};
        verify v = {.ctx = gos_ctx_create_with(&allocator)};
        verify_good(&v, gos_model_parse(v.ctx, rod, strlen(rod), "test", NULL, &v.model));
        verify_good(&v, gos_model_set(v.ctx, v.model, "reduction.fields", fields[k]));
        verify_compile(&v);
        const long before = m.held;
        gos_status status = GOS_E_MEMORY;
        long n = 0;
        for (n = 1; status != GOS_OK; n++) {
            gos_system *s = NULL;
            m.left = n;
            status = gos_reduce(v.ctx, v.sys, &s);
            m.left = 0;
            assert_true(status == GOS_OK || status == GOS_E_MEMORY);
            gos_system_destroy(s);
            gos_ctx_clear(v.ctx);
            assert_int_equal(m.held, before);
        }
        print_message("  %ld allocations failed one by one\n", n - 2);
        verify_close(&v);
    }
}

static bool is_said(const gos_ctx *ctx, const char *text) {
    for (int i = 0; i < gos_ctx_ndiag(ctx); i++) {
        if (strstr(gos_ctx_diag(ctx, i)->text, text)) {
            return true;
        }
    }
    return false;
}

/* Errors above the extent, and costs after a run that failed at once, have no value. */
static void meaningless_numbers(void **state) {
    static const struct {
        gos_reduction r;
        const char *said, *unsaid;
    } cases[] = {
        {{.tolerance = 1e-3, .predicted = 2.4e3}, "its value is unknown", "2.4"},
        {{.tolerance = 1e-3, .predicted = 0.24}, "0.24 of the extent", "is unknown"},
        {{.work = 1, .reached = 1e-6, .work_run = 4.5e5}, "its error is unknown", "4.5e+05"},
        {{.work = 1, .reached = 0.5, .work_run = 4.5}, "about 4.5 full runs", "e+05"},
    };
    (void)state;
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        verify v;
        gos_system *s;
        verify_text(&v,
                    "materials: {m: {density: 1000, young: 1e6}}\n"
                    "sections: {s: {type: rectangle, height: 0.01, width: 0.01}}\n"
                    "bodies: {c: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], "
                    "to: [1, 0, 0], elements: 8}}\n"
                    "analysis: {end: 1}\n"
                    "reduction: {method: rotation_closed, number: 5}\n",
                    NULL);
        verify_good(&v, gos_reduce(v.ctx, v.sys, &s));
        s->rom->chosen = cases[i].r;
        gos__rom_limits(v.ctx, s);
        assert_true(is_said(v.ctx, cases[i].said));
        assert_false(is_said(v.ctx, cases[i].unsaid));
        gos_system_destroy(s);
        verify_close(&v);
    }
}

static void time_of_bases(void **state) {
    verify v;
    (void)state;
    verify_text(&v,
                "materials: {m: {density: 1000, young: 1e9, poisson: 0.3}}\n"
                "sections: {s: {type: rectangle, height: 0.01, width: 0.01}}\n"
                "bodies: {c: {type: floating_beam, material: m, section: s, from: [0, 0, 0], "
                "to: [1, 0, 0], elements: 8}}\n"
                "joints: {j: {type: clamp, between: [ground, c.start]}}\n"
                "analysis: {end: 0.01, step: 0.01}\n",
                "floating_bodies=reduced");
    verify_good(&v, gos_run_into(v.ctx, v.sys, &v.opt, NULL, NULL, NULL, &v.stats));
    assert_true(v.sys->basis_time > 0);
    assert_true(v.stats.time_setup >= v.sys->basis_time); // printed as preparation
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cable_fields),  cmocka_unit_test(pieces),
        cmocka_unit_test(spaces),        cmocka_unit_test(jacobians),
        cmocka_unit_test(rigid_body),    cmocka_unit_test(refusals),
        cmocka_unit_test(out_of_memory), cmocka_unit_test(meaningless_numbers),
        cmocka_unit_test(time_of_bases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
