/* Quasi-static response modes: deformations that follow temperatures at once. In linear models and
   in floating bodies that are held, hinged and free: exact statics, an error of the square of the
   rate over the frequency, no frequencies of their own, momentum, joints, heat of strains; and what
   is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <lapacke.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce_linear.h"
#include "linear/linear.h"
#include "linear/response_modes.h"
#include "support/suite.h"
#include "support/verify.h"

/* a ring that is held at its inner edge, heated on a sixth of its face, cooled by a film on another
 * one */
static const char ring[] =
    "reference_temperature: 300\n"
    "materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3, expansion: 12e-6,\n"
    "  conductivity: 43, specific_heat: 465}}\n"
    "meshes: {ring: {type: annulus, inner: 0.075, outer: 0.15, cells: [3, 18],\n"
    "  sets: {hot: {of: cells, sector: {at: 0, angle: pi/3}},\n"
    "    cold: {of: cells, sector: {at: pi, angle: pi/3}}}}}\n"
    "bodies: {disc: {type: floating, mesh: ring, material: steel, element: plane_stress,\n"
    "  thickness: 0.007, reference: clamped, at: inner,\n"
    "  reduce: {method: response_modes, order: 7, response: quasi_static}}}\n"
    "joints: {hub: {type: clamp, between: [ground, disc.frame]}}\n"
    "heat:\n"
    "  hot: {type: flux, value: 3000, on: disc.hot}\n"
    "  cold: {type: convection, coefficient: 10, ambient: 0, on: disc.cold}\n"
    "probes:\n"
    "  u: {at: disc.node(60), quantity: displacement}\n"
    "  v: {at: disc.node(60), quantity: velocity}\n"
    "  s: {at: disc.node(40), quantity: von_mises}\n"
    "  T: {at: disc.node(60), quantity: temperature}\n"
    "analysis: {end: 18000, step: 60}\n";

static gos_linear *linear_of(verify *v, const char *settings) {
    gos_linear *l = NULL;
    verify_text(v, ring, settings);
    verify_good(v, gos_linearise(v->ctx, v->sys, v->state, &l));
    return l;
}

static gos_linear_reduction *reduce(const verify *v, const gos_linear *l, int order, int modes,
                                    bool quasi_static) {
    const gos_linear_reduction_options o = {
        .method = "response_modes", .order = order, .modes = modes, .quasi_static = quasi_static};
    gos_linear_reduction *r = NULL;
    verify_good(v, gos_linear_reduce(v->ctx, l, &o, &r));
    return r;
}

/* x += V z, V (n, k) */
static void add(int n, int k, const double *V, const double *z, double *x) {
    for (int j = 0; j < k; j++) {
        for (int i = 0; i < n; i++) {
            x[i] += V[(size_t)j * (size_t)n + (size_t)i] * z[j];
        }
    }
}

/* at rest under random temperatures: displacements of the modes that move, K z = -G theta, and of
   what follows, against those of the full model */
static void statics(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_linear *l = linear_of(&v, "");
    for (int modes = 0; modes <= 12; modes += 6) {
        gos_linear_reduction *r = reduce(&v, l, 7, modes, true);
        const gos_linear *s = gos_linear_reduction_model(r);
        int n, k, m, nt;
        const double *W = gos_linear_reduction_basis(r, GOS_TEMPERATURE, false, &nt, &k);
        const double *V = gos_linear_reduction_basis(r, GOS_DISPLACEMENT, false, &n, &m);
        double z[7], *theta = calloc((size_t)nt, sizeof *theta);
        double *q = calloc((size_t)m + 1, sizeof *q), *have = calloc((size_t)l->nq, sizeof *have),
               *want = calloc((size_t)l->nq, sizeof *want);
        assert_int_equal(s->nq, modes); // responses are no coordinates ...
        assert_int_equal(m, modes);
        for (int i = 0; i < 7; i++) {
            z[i] = sin(1 + 3.7 * i);
        }
        add(nt, k, W, z, theta);
        verify_good(&v, gos__linear_response_modes(v.ctx, l, 1, theta, want));
        gos__sparse_apply(&s->block[GOS_BLOCK_G], 1, z, q);
        for (int i = 0; i < modes; i++) { // ... and modes are in normal form
            assert_int_equal(s->K.i[i], i);
            q[i] /= -s->K.x[i];
        }
        add(l->nq, m, V, q, have);
        const double *U = gos_linear_reduction_dependent(r, &n, &k);
        assert_int_equal(n, l->nq);
        assert_int_equal(k, 7);
        add(n, k, U, z, have);
        double off = 0, most = 0;
        for (int i = 0; i < l->nq; i++) {
            off = fmax(off, fabs(have[i] - want[i]));
            most = fmax(most, fabs(want[i]));
        }
        char label[60];
        snprintf(label, sizeof label, "with %d modes of motion", modes);
        verify_below(label, off / most, 1e-10);
        free(theta);
        free(q);
        free(have);
        free(want);
        gos_linear_reduction_destroy(r);
    }
    gos_linear_destroy(l);
    verify_close(&v);
}

/* largest difference of responses to the flux at omega, relative, of outputs from..to */
static double apart(const verify *v, const gos_linear *a, const gos_linear *b, double omega,
                    int from, int to) {
    double H[2][64], off = 0, most = 0;
    const int nu = a->nu;
    assert_true(a->ny * nu * 2 <= 64);
    verify_good(v, gos_linear_response(v->ctx, a, 1, &omega, H[0]));
    verify_good(v, gos_linear_response(v->ctx, b, 1, &omega, H[1]));
    for (int y = from; y <= to; y++) {
        for (int c = 0; c < 2; c++) { // the first input is the flux
            off = fmax(off, fabs(H[0][2 * y * nu + c] - H[1][2 * y * nu + c]));
            most = fmax(most, fabs(H[0][2 * y * nu + c]));
        }
    }
    return off / most;
}

/* With all temperature fields nothing but the inertia of what follows is missing: the error is
   (omega / frequency)^2 of displacements, rates and temperatures, which heat of strains cools. The
   lowest frequency is 1.2e5 rad/s. */
static void slow(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *what;
        int from, to;
        double most; // at 1000 rad/s
    } part[] = {
        {"displacement", 0, 2, 1e-3}, {"velocity", 3, 5, 1e-3}, {"temperature", 7, 7, 3e-6}};
    verify v;
    gos_linear *l = linear_of(&v, "analysis.thermoelastic_heat=true");
    for (int modes = 0; modes <= 4; modes += 4) {
        gos_linear_reduction *r = reduce(&v, l, l->nt, modes, true);
        const gos_linear *s = gos_linear_reduction_model(r);
        for (int i = 0; i < GOS_COUNT(part); i++) {
            const double e = apart(&v, l, s, 1000, part[i].from, part[i].to),
                         half = apart(&v, l, s, 500, part[i].from, part[i].to);
            print_message("%d modes, %s: %.2e, %.2e\n", modes, part[i].what, e, half);
            verify_below(part[i].what, e, part[i].most);
            if (e > 1e-8) { // else rounding
                verify_within("... order", log2(e / half), 1.9, 2.1);
            }
        }
        gos_linear_reduction_destroy(r);
    }
    gos_linear_destroy(l);
    verify_close(&v);
}

/* a value of the probes at the end of a run of the text */
static void run(const char *text, const char *settings, int n, const char *const *what, double *y) {
    verify v;
    verify_text(&v, text, settings);
    verify_run(&v);
    for (int i = 0; i < n; i++) {
        y[i] = verify_value(&v, v.state, what[i]);
    }
    verify_close(&v);
}

#define SLOWLY " floating_bodies=reduced bodies.disc.reduce.response="

/* The ring in a run: what moves at once against coordinates of their own, whose frequencies are 1e5
   rad/s beside rates of 1e-3 1/s, and without a frequency in the modes of the system. */
static void held(void **state) {
    GOS_UNUSED(state);
    static const char *const what[] = {"u.x", "u.y", "v.x", "s.value", "T.T"};
    double dynamic[5], now[5];
    run(ring, SLOWLY "dynamic", 5, what, dynamic);
    run(ring, SLOWLY "quasi_static", 5, what, now);
    for (int i = 0; i < 5; i++) {
        verify_near(what[i], now[i], dynamic[i], (i == 2 ? 1e-6 : 1e-9) * fabs(dynamic[i]));
    }
    for (int modes = 0; modes <= 3; modes += 3) {
        gos_mode mode[20];
        gos_linear *l = NULL;
        char settings[200];
        int found = -1;
        verify v;
        snprintf(settings, sizeof settings, SLOWLY "quasi_static bodies.disc.reduce.modes=%d",
                 modes);
        verify_text(&v, ring, settings);
        verify_good(&v, gos_linearise_structure(v.ctx, v.sys, v.state, &l));
        verify_good(&v, gos_linear_modes(v.ctx, l, 20, false, mode, &found));
        assert_int_equal(found, modes);
        gos_linear_destroy(l);
        verify_close(&v);
    }
}

/* linear models of the reduced systems: outputs by temperatures, stresses among them; rates are
 * requested without them */
static void linearised(void **state) {
    GOS_UNUSED(state);
    verify v[2];
    gos_linear *l[2];
    for (int i = 0; i < 2; i++) {
        verify_text(&v[i], ring, i ? SLOWLY "quasi_static" : SLOWLY "dynamic");
        verify_start(&v[i]);
        verify_at(&v[i], 600);
        verify_good(&v[i], gos_linearise(v[i].ctx, v[i].sys, v[i].state, &l[i]));
    }
    verify_below("displacement", apart(&v[0], l[0], l[1], 10, 0, 2), 1e-6);
    verify_below("stress", apart(&v[0], l[0], l[1], 10, 6, 6), 1e-6);
    verify_below("temperature", apart(&v[0], l[0], l[1], 10, 7, 7), 1e-9);
    int told = 0;
    for (int i = 0; i < gos_ctx_ndiag(v[1].ctx); i++) {
        told += strstr(gos_ctx_diag(v[1].ctx, i)->text, "omits the rate") != NULL;
    }
    assert_int_equal(told, 1);
    for (int i = 0; i < 2; i++) {
        gos_linear_destroy(l[i]);
        verify_close(&v[i]);
    }
}

/* A free bar turns at w and is heated evenly by T: it grows by alpha T, its moment of inertia by
   twice that, and its spin falls by 2 alpha T w. Its ends move, and its centre continues along its
   line. */
static void free_bar(void **state) {
    GOS_UNUSED(state);
    static const char bar[] =
        "materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3, expansion: 12e-6,\n"
        "  conductivity: 43, specific_heat: 465}}\n"
        "meshes: {bar: {type: rectangle, size: [0.4, 0.1], cells: [8, 2]}}\n"
        "bodies: {bar: {type: floating, mesh: bar, material: steel, element: plane_stress,\n"
        "  thickness: 0.01, zeta: 0.05, angular_velocity: [0, 0, 50], velocity: [2.5, -10, 0],\n"
        "  reduce: {method: response_modes, order: 3, modes: 1, response: quasi_static}}}\n"
        "heat: {q: {type: source, on: bar, value: \"1e8*(1-cos(pi*t/0.1))/2\"}}\n"
        "probes:\n"
        "  w: {at: bar.frame, quantity: angular_velocity}\n"
        "  T: {at: bar.node(1), quantity: temperature}\n"
        "  a: {at: bar.node(1), quantity: position}\n"
        "  b: {at: bar.node(27), quantity: position}\n"
        "analysis: {end: 0.2, step: 1e-4}\n"
        "floating_bodies: reduced\n";
    static const char *const what[] = {"w.z", "T.T", "a.x", "a.y", "b.x", "b.y"};
    double y[6], cold[6];
    run(bar, "", 6, what, y);
    run(bar, "heat.q.value=0", 6, what, cold);
    const double growth = 12e-6 * y[1];
    verify_near("temperature", y[1], 1e8 * 0.1 / (7800 * 465.0), 1e-6);
    verify_near("fall of spin, of 2 alpha T", (cold[0] - y[0]) / (2 * growth * cold[0]), 1, 1e-3);
    verify_near("length", hypot(y[4] - y[2], y[5] - y[3]),
                (1 + growth) * hypot(cold[4] - cold[2], cold[5] - cold[3]), 1e-9);
    verify_near("centre, x", y[2] + y[4], cold[2] + cold[4], 1e-9);
    verify_near("centre, y", y[3] + y[5], cold[3] + cold[5], 1e-9);
}

/* A bar between a hinge and a ball, heated at its lower side in a tenth of a second: places and
 * joint forces. */
static void hinged(void **state) {
    GOS_UNUSED(state);
    static const char bar[] =
        "gravity: [0, -9.81, 0]\n"
        "materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3, expansion: 12e-6,\n"
        "  conductivity: 43, specific_heat: 465}}\n"
        "meshes: {bar: {type: rectangle, size: [0.4, 0.04], cells: [10, 2]}}\n"
        "bodies:\n"
        "  bar: {type: floating, mesh: bar, material: steel, element: plane_stress,\n"
        "    thickness: 0.01, zeta: 0.05, interfaces: {pin: {of: left}, tip: {of: right}},\n"
        "    reduce: {method: response_modes, order: 6, modes: 2}}\n"
        "  ball: {type: rigid, mass: 2, inertia: [0.01, 0.01, 0.01], position: [0.4, 0.02, 0]}\n"
        "joints:\n"
        "  pin: {type: revolute, between: [ground, bar.pin], axis: [0, 0, 1], at: [0, 0.02, 0]}\n"
        "  tip: {type: clamp, between: [bar.tip, ball]}\n"
        "heat: {q: {type: flux, on: bar.bottom, value: \"5e7*(1-cos(pi*t/0.05))/2\"}}\n"
        "probes:\n"
        "  a: {at: bar.tip, quantity: position}\n"
        "  m: {at: bar.node(5), quantity: displacement}\n"
        "  f: {joint: tip, quantity: joint_force}\n"
        "analysis: {end: 0.1, step: 2e-5}\n"
        "floating_bodies: reduced\n";
    static const char *const what[] = {"a.x", "a.y", "m.x", "m.y", "f.x", "f.y"};
    double dynamic[6], now[6], cold[6];
    run(bar, "", 6, what, dynamic);
    run(bar, "bodies.bar.reduce.response=quasi_static", 6, what, now);
    run(bar, "heat.q.value=0", 6, what, cold);
    for (int i = 0; i < 6; i++) {
        print_message("%s: heated by %.3e, apart by %.1e\n", what[i], dynamic[i] - cold[i],
                      now[i] - dynamic[i]);
    }
    // the way by heat
    assert_true(fabs(dynamic[0] - cold[0]) > 5e-5 && fabs(dynamic[2] - cold[2]) > 2e-5);
    for (int i = 0; i < 4; i++) {
        verify_near(what[i], now[i], dynamic[i], 1e-9);
    }
    // of which heat makes 3 mN and 1 mN
    verify_near("f.x", now[4], dynamic[4], 1e-5);
    verify_near("f.y", now[5], dynamic[5], 1e-5);
}

static void refuse(const char *more, const char *settings, const char *with) {
    verify v = {.ctx = gos_ctx_create()};
    char text[3000];
    snprintf(text, sizeof text, "%s%s", ring, more);
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", ".", &v.model));
    verify_set(&v, settings);
    assert_true(gos_system_create(v.ctx, v.model, &v.sys) < 0);
    bool told = false;
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        told = told || strstr(gos_ctx_diag(v.ctx, i)->text, with) != NULL;
    }
    for (int i = 0; i < gos_ctx_ndiag(v.ctx) && !told; i++) {
        print_error("%s\n", gos_ctx_diag(v.ctx, i)->text);
    }
    assert_true(told);
    verify_close(&v);
}

/* what would have no part of the deformation is refused, with the remedy */
static void refused(void **state) {
    GOS_UNUSED(state);
    refuse("", SLOWLY "quasi_static bodies.disc.coupling=first", "coupling: first");
    refuse("loads: {push: {type: force, on: disc.node(50), value: [\"1e3*u.x\", 0, 0]}}\n",
           SLOWLY "quasi_static", "without an equation of its own; use `response: dynamic`");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statics),    cmocka_unit_test(slow),     cmocka_unit_test(held),
        cmocka_unit_test(linearised), cmocka_unit_test(free_bar), cmocka_unit_test(hinged),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
