/* Tables of systems with polynomial equations: forces, constraint rates and Newton matrix of steps
   of fixed size against those of the system in states far from the start, and against differences;
   fits of polynomials, and functions that are none. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/reduce.h"
#include "models/polynomial_fit.h"
#include "models/polynomial_model.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/verify.h"

/* ---- fits ------------------------------------------------------------------------------------ */

/* two rows over four variables with each kind of term */
static void polynomial(void *user, const double *x, double *y) {
    const double extra = *(const double *)user;
    y[0] = 3 - 2 * x[0] + 0.5 * x[1] * x[1] - x[2] * x[2] * x[2] + 7 * x[0] * x[3] +
           extra * fabs(x[0]);
    y[1] = 0.25 * x[0] * x[0] * x[1] - 4 * x[1] * x[2] * x[3] + x[3] + extra * x[1] / 2;
}

static double coefficient(const gos_polynomials *p, int row, int a, int b, int c) {
    double sum = 0;
    int found = 0;
    for (int t = 0; t < p->n; t++) {
        const gos_monomial *m = &p->term[t];
        int left[3] = {a, b, c};
        bool same = m->row == row;
        for (int i = 0; i < 3 && same; i++) {
            same = false;
            for (int j = 0; j < 3 && !same; j++) {
                if (left[j] == m->at[i]) {
                    left[j] = -1;
                    same = true;
                }
            }
        }
        sum += same ? m->value : 0;
        found += same;
    }
    assert_int_equal(found, 1);
    return sum;
}

static void fits(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    gos_polynomials p;
    double extra = 0;
    const double x0[4] = {0.3, -0.2, 1, 5};
    const gos_sampled_function f = {4, 2, polynomial, &extra};
    assert_int_equal(gos__polynomials_fit(ctx, &f, x0, &p), GOS_OK);
    assert_true(p.exact);
    assert_int_equal(p.n, 8);
    static const struct {
        int row, at[3];
        double value;
    } terms[] = {{0, {0, 0, 0}, 3}, {0, {1, 0, 0}, -2},   {0, {2, 2, 0}, 0.5}, {0, {3, 3, 3}, -1},
                 {0, {1, 4, 0}, 7}, {1, {1, 1, 2}, 0.25}, {1, {2, 3, 4}, -4},  {1, {4, 0, 0}, 1}};
    for (int i = 0; i < GOS_COUNT(terms); i++) {
        const int *at = terms[i].at;
        verify_near("coefficient", coefficient(&p, terms[i].row, at[0], at[1], at[2]),
                    terms[i].value, 1e-13);
    }
    gos__polynomials_free(ctx, &p);
    extra = 1e-6; // |x|
    assert_int_equal(gos__polynomials_fit(ctx, &f, x0, &p), GOS_OK);
    assert_false(p.exact);
    gos__polynomials_free(ctx, &p);
    gos_ctx_destroy(ctx);
}

/* ---- systems --------------------------------------------------------------------------------- */

/* a hub on a hinge, a reduced arm clamped to it, a rigid body on a ball at its tip; loads in global
   and rotating axes */
static const char model[] =
    "materials: {m: {density: 8, young: 20, poisson: 0.3, damping: {normal: 0.4, shear: 0.3}}}\n"
    "meshes: {box: {type: box, size: [2, 0.5, 0.5], cells: [4, 1, 1], order: quadratic}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 5, inertia: [0.5, 0.6, 0.7, 0.1, 0, 0], centre_of_mass: [0.1, 0, "
    "0],"
    " position: [0, 0.25, 0.25]}\n"
    "  arm: {type: solid, material: m, mesh: box, temperature: off}\n"
    "  end: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.2], position: [3, 0, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, hub], axis: [0, 0.6, 0.8]}\n"
    "  root: {type: clamp, between: [hub, arm.left]}\n"
    "  ball: {type: spherical, between: [arm.right, end], at: [2, 0.25, 0.25]}\n"
    "loads:\n"
    "  motor: {type: moment, on: hub, moment: [1, 2, 3]}\n"
    "  jet: {type: force, on: end, value: [4, 5, 6], frame: body}\n"
    "  push: {type: force, on: arm.right, value: [-3, 1, 2]}\n"
    "gravity: [1, -2, 3]\n"
    "probes:\n"
    "  tip: {at: arm.right, quantity: displacement}\n"
    "  rate: {at: hub, quantity: angular_velocity}\n"
    "  seen: {at: end, quantity: velocity, frame: hub}\n"
    "  turned: {at: hub, quantity: rotation_vector}\n"
    "analysis: {end: 1}\n"
    "reduction: {method: rotation_closed, fields: modes, number: 5, statics: false}\n";

typedef struct fixture {
    verify v;
    gos_system *small;
    gos_state *state;
    gos_arena *a;
    gos_polynomial_model m;
    double *q, *vel, *acc, *lam, *u, *x, *work;
    int n;
} fixture;

static void fill(int n, double size, uint64_t *seed, const double *around, double *to) {
    for (int i = 0; i < n; i++) {
        to[i] = (around ? around[i] : 0) + size * random_uniform(seed);
    }
}

static void open_model(fixture *f) {
    static const double load[] = {1, 2, 3, 4, 5, 6, -3, 1, 2};
    uint64_t seed = 5;
    verify_text(&f->v, model, NULL);
    verify_good(&f->v, gos_reduce(f->v.ctx, f->v.sys, &f->small));
    const gos_system *s = f->small;
    verify_good(&f->v, gos_state_create(f->v.ctx, s, &f->state));
    f->a = gos__arena_create(f->v.ctx);
    verify_good(&f->v, gos__polynomial_model_make(f->v.ctx, f->a, s, f->state, 0.01, &f->m));
    const gos_step_tables *t = &f->m.tables;
    assert_int_equal(t->nu, 9);
    assert_int_equal(t->ny, 9); // without the rotation vector
    assert_int_equal(t->nproducts, 1);
    assert_true(t->nc > 15);
    f->n = s->nq + s->nc;
    const int nx = 1 + 6 * t->nm + t->nu;
    f->q = calloc((size_t)(3 * s->nq + s->nc + 9 + nx) + (size_t)gos_step_work(t), sizeof(double));
    f->vel = f->q + s->nq;
    f->acc = f->vel + s->nq;
    f->lam = f->acc + s->nq;
    f->u = f->lam + s->nc;
    f->x = f->u + 9;
    f->work = f->x + nx;
    fill(s->nq, 0.3, &seed, f->state->q, f->q);
    fill(s->nq, 1, &seed, NULL, f->vel);
    fill(s->nq, 1, &seed, NULL, f->acc);
    fill(s->nc, 1, &seed, NULL, f->lam);
    memcpy(f->u, load, sizeof load);
}

static void close_model(fixture *f) {
    free(f->q);
    gos__arena_destroy(f->a);
    gos_state_destroy(f->state);
    gos_system_destroy(f->small);
    verify_close(&f->v);
}

/* r (n) at coordinates q and rates vel; constraint rates without the error of positions */
static void residual(fixture *f, const double *q, const double *vel, double *r) {
    static double zero[GOS_POLYNOMIAL_MODEL_MOST];
    gos_step_variables(&f->m.tables, q, vel, f->u, f->x);
    gos_step_residual(&f->m.tables, q, vel, f->acc, f->lam, f->x, zero, r, f->work);
}

static double worst(int n, const double *a, const double *b) {
    double off = 0, size = 0;
    for (int i = 0; i < n; i++) {
        off = fmax(off, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    assert_true(size > 0.1);
    return off / size;
}

static void against_system(void **state) {
    GOS_UNUSED(state);
    fixture f = {0};
    gos_equations *e;
    gos_work *w;
    open_model(&f);
    const gos_system *s = f.small;
    double *r = calloc(2 * (size_t)s->n, sizeof *r), *want = r + s->n, value[GOS_PROBE_MAX];
    residual(&f, f.q, f.vel, r);
    verify_good(&f.v, gos_equations_create(f.v.ctx, s, &e));
    gos_equations_point at = gos_equations_at(f.state);
    at.q = f.q;
    at.v = f.vel;
    at.a = f.acc;
    at.lam = f.lam;
    verify_good(&f.v, gos_equations_residual(e, &at, want));
    verify_below("forces", worst(s->nq, r, want), 1e-12);
    double *c = calloc((size_t)s->nc, sizeof *c);
    gos_step_sum(&f.m.tables.row, f.x, 1, c);
    verify_below("constraints", worst(s->nc, c, want + s->at.lam), 1e-12);
    verify_good(&f.v, gos__work_create(f.v.ctx, s, &w));
    const gos_point_of point = {.scale = 1, .q = f.q, .v = f.vel};
    gos__constraint_apply(w, &point, f.vel, want);
    verify_below("constraint rates", worst(s->nc, r + s->nq, want), 1e-12);
    memcpy(f.state->q, f.q, (size_t)s->nq * sizeof *f.q);
    memcpy(f.state->v, f.vel, (size_t)s->nq * sizeof *f.q);
    gos_step_outputs(&f.m.tables, f.q, f.vel, f.u, f.x, r);
    for (int p = 0; p < 3; p++) {
        verify_good(&f.v, gos_system_probe(f.v.ctx, s, f.state, p, value, NULL));
        verify_below("outputs", worst(3, r + 3 * p, value), 1e-12);
    }
    gos__work_destroy(f.v.ctx, w);
    gos_equations_destroy(e);
    free(c);
    free(r);
    close_model(&f);
}

/* along a direction of accelerations, q and v follow as in a stage */
static void against_differences(void **state) {
    GOS_UNUSED(state);
    fixture f = {0};
    open_model(&f);
    const gos_step_tables *t = &f.m.tables;
    const int nq = 3 * t->nv, n = f.n;
    const double hg = GOS_STEP_GAMMA * t->step, eps = 1e-4;
    double *A = calloc((size_t)n * (size_t)n + 5 * (size_t)n, sizeof *A), *r[2], off = 0, size = 0;
    double *q = A + n * n, *vel = q + n, *acc = f.acc, *moved = vel + n;
    r[0] = moved + n;
    r[1] = r[0] + n;
    gos_step_variables(t, f.q, f.vel, f.u, f.x);
    gos_step_matrix(t, f.q, f.vel, f.x, f.lam, A, f.work);
    for (int j = 0; j < nq; j++) {
        for (int k = 0; k < 2; k++) {
            const double by = k == 0 ? -eps : eps;
            memcpy(q, f.q, (size_t)nq * sizeof *q);
            memcpy(vel, f.vel, (size_t)nq * sizeof *q);
            memcpy(moved, acc, (size_t)nq * sizeof *q);
            moved[j] += by / (hg * hg);
            vel[j] += by / hg;
            q[j] += by;
            f.acc = moved;
            residual(&f, q, vel, r[k]);
            f.acc = acc;
        }
        for (int i = 0; i < n; i++) {
            const double d = (r[1][i] - r[0][i]) / (2 * eps) * hg * hg / (i < nq ? 1 : hg);
            off = fmax(off, fabs(A[i * n + j] - d));
            size = fmax(size, fabs(d));
        }
    }
    verify_below("matrix by accelerations", off / size, 1e-6);
    for (int j = nq; j < n; j++) { // forces are linear in multipliers
        residual(&f, f.q, f.vel, r[0]);
        f.lam[j - nq] += 1;
        residual(&f, f.q, f.vel, r[1]);
        f.lam[j - nq] -= 1;
        for (int i = 0; i < n; i++) {
            const double d = t->scale * (r[1][i] - r[0][i]);
            const double rounding =
                8 * DBL_EPSILON * fmax(fabs(r[0][i]), fabs(r[1][i])); // of the difference
            assert_true(fabs(A[i * n + j] - d) < (1e-10 + rounding) * t->scale);
        }
    }
    free(A);
    close_model(&f);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fits), cmocka_unit_test(against_system),
                                       cmocka_unit_test(against_differences)};
    return cmocka_run_group_tests_name("polynomial_step", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
