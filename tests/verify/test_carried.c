/* A section reference vector that turns with a body (theory guide 1.5, 2.2 A): forces, damping and
   heat of a cable belong to the structure and not to space. A hub carries a cable with unlike
   second moments, damping and temperature gradients. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "linalg/solver.h"
#include "math/vec3.h"
#include "support/suite.h"
#include "support/verify.h"

/* `on`: what carries the reference vector */
static const char form[] =
    "parameters: {h: 1.0e-3, end: 0.5, w: 3, n: 6, k: 1.0e-9, alpha: 1.0e-3, gamma: 2.0e-3,\n"
    "             Ix: 0.04, Iz: 0.03}\n"
    "materials: {m: {density: 1000, young: 1.0e8, conductivity: k, specific_heat: 100,\n"
    "                expansion: alpha, damping: {normal: gamma}, absorptivity: 0.8}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], elements: "
    "n,\n"
    "        carried_by: %s}\n"
    "  hub: {type: rigid, mass: 1, inertia: [Ix, 0.02, Iz], rotation_vector: [0.3, -0.2, "
    "0.5]}\n"
    "joints: {root: {type: clamp, between: [hub, rod.start]}}\n"
    "initial: {all: {angular_velocity: [w, 0, 0], about: [0, 0, 0]}}\n"
    "probes: {tip: {at: rod.end, quantity: position}, gradient: {at: rod.at(0.5), quantity: "
    "temperature},\n"
    "         bend: {at: rod.at(0.5), quantity: curvature}}\n"
    "analysis: {end: end, step: h, rho_infinity: 0.9, newton_tolerance: 1.0e-9}\n"
    "%s";

static void open_model(verify *v, const char *on, const char *more, const char *settings) {
    char text[VERIFY_TEXT];
    snprintf(text, sizeof text, form, on, more);
    verify_text(v, text, settings);
}

static const gos_body *body_of(const verify *v, const char *name) {
    for (int i = 0; i < v->sys->nbody; i++) {
        if (strcmp(v->sys->body[i]->name, name) == 0) {
            return v->sys->body[i];
        }
    }
    fail();
    return NULL;
}

/* family 1 or 2 (T_y, T_z) of all nodes of the rod */
static void set_gradient(const verify *v, int family, double value) {
    const gos_body *rod = body_of(v, "rod");
    for (int i = 0; i < rod->nnode; i++) {
        v->state->th[rod->node_t[i] + family] = value;
    }
}

/* the rod an arc of curvature k towards y, everything turning with omega about the origin */
static void spin_arc(const verify *v, double k, const double omega[3]) {
    const gos_body *rod = body_of(v, "rod");
    for (int i = 0; i < rod->nnode; i++) {
        const double a = k * rod->length * i / rod->ncell;
        const double r[3] = {sin(a) / k, (1 - cos(a)) / k, 0}, t[3] = {cos(a), sin(a), 0};
        memcpy(v->state->q + 3 * rod->node_v[i], r, sizeof r);
        memcpy(v->state->q + 3 * rod->node_slope[i], t, sizeof t);
    }
    for (int i = 0; i < v->sys->nv; i++) {
        gos__cross3(omega, v->state->q + 3 * i, v->state->v + 3 * i);
    }
}

/* internal forces (nq) and sums at the state, no accelerations or multipliers */
static void evaluate(const verify *v, double *Q, gos_sums *sums) {
    gos_work *w = NULL;
    verify_good(v, gos__work_create(v->ctx, v->sys, &w));
    double *zero = calloc((size_t)v->sys->n + 1, sizeof *zero),
           *rest = calloc((size_t)v->sys->n, 8);
    assert_true(zero && rest);
    const gos_point_of at = {.scale = 1,
                             .q = v->state->q,
                             .v = v->state->v,
                             .th = v->state->th,
                             .lam = zero,
                             .lamT = zero};
    const int nq = v->sys->nq, nt = v->sys->nt;
    const gos_residual out = {.q = Q, .th = rest, .c = rest + nt, .h = rest + nt + v->sys->nc};
    memset(Q, 0, (size_t)nq * sizeof *Q);
    verify_good(v, gos__residual(w, &at, &out, sums));
    gos__work_destroy(v->ctx, w);
    free(zero);
    free(rest);
}

/* ---- damping --------------------------------------------------------------------------------- */

/* A shallow arc of curvature k towards y that spins about its chord line x with w is seen by a
   reference fixed in space as k2 = k cos wt, k3 = k sin wt: it dissipates gamma E Iy (k w)^2 L
   (Iy = h b^3/12), 2 % are left for the slope. With the hub as carrier it is a rigid motion. */
static void spinning_does_not_dissipate(void **state) {
    GOS_UNUSED(state);
    static const char *const on[] = {"ground", "hub"};
    const double k = 0.1, w = 3, omega[3] = {w, 0, 0};
    for (int i = 0; i < 2; i++) {
        verify v;
        gos_sums sums;
        open_model(&v, on[i], "", NULL);
        double *Q = calloc((size_t)v.sys->nq, sizeof *Q);
        assert_non_null(Q);
        spin_arc(&v, k, omega);
        evaluate(&v, Q, &sums);
        const double Iy = 0.01 * pow(0.02, 3) / 12, want = 2e-3 * 1e8 * Iy * k * k * w * w;
        if (i == 0) {
            verify_near("damping power, reference fixed in space", sums.dissipated / want, 1, 0.02);
        } else {
            verify_below("damping power, reference carried, of that", sums.dissipated / want,
                         1e-20);
        }
        free(Q);
        verify_close(&v);
    }
}

/* ---- forces ---------------------------------------------------------------------------------- */

/* y = R x */
static void apply(const double R[9], const double x[3], double y[3]) {
    for (int c = 0; c < 3; c++) {
        y[c] = R[3 * c] * x[0] + R[3 * c + 1] * x[1] + R[3 * c + 2] * x[2];
    }
}

/* Rodrigues' formula */
static void rotation(const double vector[3], double R[9]) {
    const double angle = gos__norm3(vector);
    const double u[3] = {vector[0] / angle, vector[1] / angle, vector[2] / angle};
    for (int j = 0; j < 3; j++) {
        const double e[3] = {j == 0, j == 1, j == 2};
        double x[3];
        gos__cross3(u, e, x);
        for (int c = 0; c < 3; c++) {
            R[3 * c + j] = cos(angle) * e[c] + sin(angle) * x[c] + (1 - cos(angle)) * u[c] * u[j];
        }
    }
}

/* moment of the forces about the origin over the largest part of it */
static double moment_of(const verify *v, const double *Q) {
    double largest = 0, moment[3] = {0};
    for (int j = 0; j < v->sys->nv; j++) {
        double m[3];
        gos__cross3(v->state->q + 3 * j, Q + 3 * j, m);
        for (int c = 0; c < 3; c++) {
            moment[c] += m[c];
            largest = fmax(largest, fabs(m[c]));
        }
    }
    return gos__norm3(moment) / largest;
}

/* All coordinates turned by a rotation, that of the hub too: forces turn with them, thermal and
   viscous ones included, and together they have no moment. With a reference fixed in space they do
   not, and have. */
static void forces_turn_with_the_carrier(void **state) {
    GOS_UNUSED(state);
    static const char *const on[] = {"ground", "hub"};
    const double turn[3] = {0.7, -0.4, 0.9}, omega[3] = {0.4, 1, -2};
    for (int i = 0; i < 2; i++) {
        verify v;
        gos_sums sums;
        open_model(&v, on[i], "", NULL);
        const int nv = v.sys->nv;
        double *Q = calloc(6 * (size_t)nv, sizeof *Q), *P = Q + 3 * nv;
        assert_non_null(Q);
        spin_arc(&v, 0.8, omega);
        v.state->v[3 * body_of(&v, "rod")->node_slope[3] + 2] += 1; // and a rate of its own
        set_gradient(&v, 1, 300);
        set_gradient(&v, 2, -200);
        evaluate(&v, Q, &sums);
        const double moment = moment_of(&v, Q);
        double R[9], x[3], off = 0;
        rotation(turn, R);
        for (int j = 0; j < nv; j++) {
            apply(R, v.state->q + 3 * j, x);
            memcpy(v.state->q + 3 * j, x, sizeof x);
            apply(R, v.state->v + 3 * j, x);
            memcpy(v.state->v + 3 * j, x, sizeof x);
        }
        evaluate(&v, P, &sums);
        double scale = 0;
        for (int j = 0; j < nv; j++) {
            apply(R, Q + 3 * j, x);
            off = fmax(off, verify_distance(x, P + 3 * j));
            scale = fmax(scale, gos__norm3(x));
        }
        if (i == 0) {
            verify_within("fixed: moment of the forces, of their largest", moment, 0.01, 10);
            verify_within("fixed: forces off their turned values, relative", off / scale, 0.01, 10);
        } else {
            verify_below("carried: moment of the forces, of their largest", moment, 1e-12);
            /* round-off of EA eps, 2e4 N times 1e-16, over forces of 0.05 N */
            verify_below("carried: forces off their turned values, relative", off / scale, 1e-9);
        }
        free(Q);
        verify_close(&v);
    }
}

/* ---- motion ---------------------------------------------------------------------------------- */

/* A gradient appears in a free, spinning structure: it bends and its hub answers. Nothing acts from
   outside, so the angular momentum stays; with a reference fixed in space thermal forces do not
   know that the section has turned and make a torque: 2.5 % of the momentum after 0.5 s. */
static double momentum_change(const char *on, const char *settings) {
    verify v;
    double p[3], l0[3], l1[3];
    open_model(&v, on, "", settings);
    set_gradient(&v, 1, 300);
    set_gradient(&v, 2, -200);
    verify_start(&v);
    gos_system_momentum(v.sys, v.state, p, l0);
    while (gos_state_time(v.state) < v.opt.end) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
    }
    gos_system_momentum(v.sys, v.state, p, l1);
    verify_close(&v);
    return verify_distance(l0, l1) / gos__norm3(l0);
}

static void angular_momentum(void **state) {
    GOS_UNUSED(state);
    verify_within("change of momentum, reference fixed in space", momentum_change("ground", NULL),
                  0.01, 0.05);
    const double coarse = momentum_change("hub", "h=2e-3"), fine = momentum_change("hub", "h=1e-3");
    verify_below("change of momentum, carried, 1 ms", fine, 1e-4);
    verify_within("its order in the step", verify_order(coarse, fine, 2), 1.7, 3.2);
}

/* generalised-alpha is of second order; a reference that lagged a step behind would make it
   first */
static void second_order(void **state) {
    GOS_UNUSED(state);
    static const char *const steps[] = {"h=2e-3", "h=1e-3", "h=5e-4"};
    double x[3][3];
    for (int i = 0; i < 3; i++) {
        verify v;
        open_model(&v, "hub", "", steps[i]);
        set_gradient(&v, 1, 300);
        set_gradient(&v, 2, -200);
        verify_run(&v);
        verify_probe(&v, NULL, "tip", x[i]);
        verify_close(&v);
    }
    const double a = verify_distance(x[0], x[1]), b = verify_distance(x[1], x[2]);
    verify_below("tip at 0.5 s, from 1 ms to 0.5 ms [m]", b, 1e-3);
    verify_within("order in the step", verify_order(a, b, 2), 1.8, 2.3);
}

/* ---- heat ------------------------------------------------------------------------------------ */

/* A straight rod spins about its axis in the sun (travelling along -y): both flat pairs of faces
   turn with the hub, c2 = cos wt, and T_y' = -l T_y + S cos wt with l = k A/(rho c Iz), S = a q b
   (h/2)/(rho c Iz), T_z likewise with h (b/2) and sin wt (theory guide 2.1, 2.4). A section that
   stood still in space would only warm up. */
static void sun_on_a_turning_section(void **state) {
    GOS_UNUSED(state);
    verify v;
    open_model(&v, "hub",
               "heat: {sun: {type: flux, value: 1000, direction: [0, -1, 0], on: rod}}\n",
               "alpha=0 k=2 h=2e-3 end=1 Ix=0.02 Iz=0.02");
    verify_run(&v);
    const double h = 0.01, b = 0.02, w = 3, t = 1, rc = 1e5, k = 2, aq = 800;
    const double Iz = b * h * h * h / 12, Iy = h * b * b * b / 12, A = b * h;
    const double l2 = k * A / (rc * Iz), S2 = aq * b * h / 2 / (rc * Iz);
    const double l3 = k * A / (rc * Iy), S3 = aq * h * b / 2 / (rc * Iy);
    const double y =
        S2 * (l2 * cos(w * t) + w * sin(w * t) - l2 * exp(-l2 * t)) / (l2 * l2 + w * w);
    const double z = S3 * (l3 * sin(w * t) - w * cos(w * t) + w * exp(-l3 * t)) / (l3 * l3 + w * w);
    double T[GOS_PROBE_MAX];
    verify_probe(&v, NULL, "gradient", T);
    verify_near("T_y after 3 rad [K/m]", T[1], y, 2e-5 * S2 / w);
    verify_near("T_z after 3 rad [K/m]", T[2], -z, 2e-5 * S3 / w);
    verify_close(&v);
}

/* the probe's curvature is that of the section that turns with the hub */
static void probe_knows_the_carrier(void **state) {
    GOS_UNUSED(state);
    verify v;
    double before[GOS_PROBE_MAX], after[GOS_PROBE_MAX];
    const double omega[3] = {0, 0, 0};
    open_model(&v, "hub", "", NULL);
    spin_arc(&v, 0.3, omega);
    verify_probe(&v, NULL, "bend", before);
    verify_near("k2 of an arc of curvature 0.3 1/m", before[0], 0.3, 1e-4);
    for (int i = 0; i < v.sys->nv; i++) { // turned by 90 degrees about x: (x, y, z) -> (x, -z, y)
        double *x = v.state->q + 3 * i;
        const double y = x[1];
        x[1] = -x[2];
        x[2] = y;
    }
    verify_probe(&v, NULL, "bend", after);
    verify_near("k2, everything turned", after[0], before[0], 1e-13);
    verify_near("k3, everything turned", after[1], before[1], 1e-13);
    verify_close(&v);
}

/* ---- factors --------------------------------------------------------------------------------- */

/* All elements of the rod touch one axis of the hub, which three constraints of the rigid body and
   the clamp touch too. With a pivot from that axis' row taken early, factors are full above the
   diagonal and have 17 times the entries of the matrix here. */
static void factors_stay_sparse(void **state) {
    GOS_UNUSED(state);
    static const gos_newton_factors f = {
        .m = 1, .k = 1e-6, .d = 1e-3, .cm = 1, .ck = 1e-3, .lam = 1, .lamT = 1};
    verify v;
    gos_work *w = NULL;
    gos_solver *solver = NULL;
    open_model(&v, "hub", "", "n=120 bodies.hub.rotation_vector=[0,0,0]");
    double *zero = calloc((size_t)v.sys->n + 1, sizeof *zero);
    assert_non_null(zero);
    const gos_point_of at = {
        .scale = 1, .q = v.state->q, .v = v.state->v, .th = v.state->th, .lam = zero, .lamT = zero};
    verify_good(&v, gos__work_create(v.ctx, v.sys, &w));
    gos__jacobian(w, &at, &f);
    verify_good(&v, gos__solver_create(v.ctx, &v.sys->pattern, &solver));
    verify_good(&v, gos__solver_factor(solver, w->values, NULL));
    verify_below("entries of the factors over those of the matrix",
                 (double)gos__solver_entries(solver) / v.sys->pattern.nnz, 2);
    gos__solver_destroy(solver);
    gos__work_destroy(v.ctx, w);
    free(zero);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spinning_does_not_dissipate),
        cmocka_unit_test(forces_turn_with_the_carrier),
        cmocka_unit_test(angular_momentum),
        cmocka_unit_test(second_order),
        cmocka_unit_test(sun_on_a_turning_section),
        cmocka_unit_test(probe_knows_the_carrier),
        cmocka_unit_test(factors_stay_sparse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
