/* Amounts that depend on probes: the Newton matrix of full and reduced systems against differences
   of the residual, with every type of load and heat that allows it and every quantity that can
   serve. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/reduce.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/verify.h"

static const char parts[] =
    "materials:\n"
    "  rubber: {density: 2000, young: 1.0e6, poisson: 0.3, conductivity: 1, specific_heat: 200,\n"
    "           expansion: 1.0e-4}\n"
    "sections: {bar: {type: rectangle, height: 0.1, width: 0.08}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 2, inertia: [0.02, 0.03, 0.04], position: [0, 0.1, 0],\n"
    "        rotation_vector: [0.3, -0.5, 0.7], points: {tip: [0.1, 0.2, -0.3]}}\n"
    "  box: {type: rigid, mass: 1, inertia: [0.2, 0.3, 0.4], position: [0.5, 0.2, 0]}\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
    "        elements: 2, normal: [0, 0, 1]}\n"
    "  boom: {type: ancf_beam, material: rubber, section: bar, from: [1, 0, 0], to: [2, 0, 0],\n"
    "         elements: 1}\n"
    "  slab: {type: ancf_plate, material: rubber, thickness: 0.05, corner: [0, 0, 0],\n"
    "         x: [1, 0, 0], y: [0, 0.5, 0], elements: [1, 1]}\n";

static const char rest[] =
    "probes:\n"
    "  x: {at: rod.end, quantity: position}\n"
    "  u: {at: hub.tip, quantity: displacement, direction: [1, 2, 2]}\n"
    "  v: {at: rod.end, quantity: velocity}\n"
    "  xf: {at: rod.end, quantity: position, frame: box}\n"
    "  vf: {at: hub.tip, quantity: velocity, frame: box, direction: [1, 0, 0]}\n"
    "  a: {at: hub, quantity: angle, axis: [1, 2, 2]}\n"
    "  r: {at: hub, quantity: rotation_vector}\n"
    "  w: {at: hub, quantity: angular_velocity, frame: box}\n"
    "  wz: {at: box, quantity: angular_velocity, direction: [0, 0, 1]}\n"
    "  ab: {at: boom.end, quantity: angle, axis: [0, 1, 0]}\n"
    "  wb: {at: boom.end, quantity: angular_velocity}\n"
    "  T: {at: rod.end, quantity: temperature}\n"
    "  s: {at: rod.at(0.3), quantity: strain}\n"
    "  k: {at: boom.at(0.3), quantity: curvature}\n"
    "  N: {at: boom.at(0.3), quantity: section_force}\n"
    "  M: {at: rod.at(0.3), quantity: section_moment}\n"
    "reduction: {method: rotation_closed, fields: modes, number: 3, thermal_fields: 3}\n"
    "analysis: {end: 0.01}\n";

/* entry (i, j) of the assembled matrix */
static double entry(const gos_system *s, const double *values, int i, int j) {
    const gos_pattern *p = &s->pattern;
    if (p->dense) {
        return values[(size_t)j * (size_t)p->n + (size_t)i];
    }
    for (int k = p->p[j]; k < p->p[j + 1]; k++) {
        if (p->i[k] == i) {
            return values[k];
        }
    }
    return 0;
}

/* worst error of the columns of coordinates (with rates d times as fast) and temperatures */
static double matrix_error(verify *v, const gos_system *s, double d) {
    gos_work *w;
    verify_good(v, gos__work_create(v->ctx, s, &w));
    const int n = s->n, nq = s->nq, first = nq + s->nt;
    double *x = calloc(4 * (size_t)n + 8, sizeof *x), *rate = x + n;
    double *side[2] = {rate + n, rate + 2 * n};
    uint64_t seed = 7;
    for (int i = 0; i < n; i++) {
        const double u = 0.5 * random_uniform(&seed);
        x[i] = i < nq ? s->e0[i] + 0.05 * u : i < first ? 10 * u : 0;
        rate[i] = u;
    }
    const gos_newton_factors f = {.k = 1, .d = d, .ck = 1, .cd = d, .lam = 1, .lamT = 1};
    const gos_point_of at = {.t = 0.3,
                             .scale = 0.8,
                             .q = x,
                             .v = rate,
                             .th = x + nq,
                             .lam = x + first,
                             .lamT = x + first + s->nc};
    gos__jacobian(w, &at, &f);
    double worst = 0, size = 0;
    for (int j = 0; j < first; j++) {
        const double x0 = x[j], v0 = rate[j], h = j < nq ? 1e-6 : 1e-3;
        for (int k = 0; k < 2; k++) {
            double *r = side[k];
            const gos_residual out = {.q = r, .th = r + nq, .c = r + first, .h = r + first + s->nc};
            x[j] = x0 + (k ? -h : h);
            rate[j] = v0 + (k ? -h : h) * (j < nq ? d : 0);
            verify_good(v, gos__residual(w, &at, &out, NULL));
        }
        x[j] = x0;
        rate[j] = v0;
        for (int i = 0; i < first; i++) {
            const double difference = (side[0][i] - side[1][i]) / (2 * h);
            worst = fmax(worst, fabs(entry(s, w->values, i, j) - difference));
            size = fmax(size, fabs(difference));
        }
    }
    free(x);
    gos__work_destroy(v->ctx, w);
    return worst / size;
}

/* a load so large that its derivatives are those that count in the matrix */
static void check(const char *loads) {
    char text[VERIFY_TEXT];
    verify v;
    snprintf(text, sizeof text, "%s%s%s", parts, loads, rest);
    verify_text(&v, text, NULL);
    verify_below(loads, matrix_error(&v, v.sys, 0.3), 2e-6);
    gos_system *reduced;
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    verify_below("... reduced", matrix_error(&v, reduced, 0.3), 2e-6);
    gos_system_destroy(reduced);
    verify_close(&v);
}

#define LOAD(text) "loads: {p: {type: " text "}}\n"

static void loads(void **state) {
    (void)state;
    check(LOAD("force, on: hub.tip, value: [\"1e7*x.y - 2e6*v.z\", 0, \"-1e7*u*x.x^2\"]"));
    check(LOAD("force, on: hub.tip, value: [\"1e7*xf.y\", \"1e6*vf\", 1e5], frame: body"));
    check(LOAD("force, on: rod.end, value: [0, \"1e7*sin(a)\", \"1e6*w.x\"], frame: body"));
    check(LOAD("force, on: boom.end, value: [0, \"1e7*ab\", \"1e6*wb.y\"], frame: body"));
    check(LOAD("moment, on: hub, moment: [0, \"1e7*r.x\", \"-2e7*a - 3e6*wz\"]"));
    check(LOAD("moment, on: rod.end, moment: [\"1e7*r.z\", \"1e5*s.axial\", \"1e5*k.k2\"]"));
    check(LOAD("moment, on: boom.end, moment: [0, \"100*N.N\", \"1e4*M.M2\"], frame: body"));
    check(LOAD("edge_moment, on: slab.edge.x1, moment: \"1e7*x.z - 1e6*v.y\""));
    // what stands inside depends on states, and they on motion
    check(LOAD("wheel, on: hub, axis: [1, 2, 2], inertia: 0.3, speed: 1e6, friction: 1e6,\n"
               "     moment: \"1e6*a - 1e6*wz\""));
}

/* forces by temperatures, heat by motion and temperature */
static void heat(void **state) {
    (void)state;
    check(LOAD("moment, on: hub, moment: [0, 0, \"1e6*T.T\"]"));
    check("heat: {p: {type: heat_flow, on: rod.end, value: \"-1e4*T.T + 1e5*x.y + 1e5*v.x\"}}\n");
    check("heat: {p: {type: heat_flow, on: rod.at(0.3), value: \"1e5*a - 1e4*wz*T.T\"}}\n");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads), cmocka_unit_test(heat)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
