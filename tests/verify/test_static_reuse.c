/* Statics of solids so large that factors are reused: equilibria do not depend on the load steps,
   hence not on the matrices of the iteration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

/* A cantilever of hex20 bent by half of its length, between a clamp, whose rows are Lagrange
   multipliers, and a rigid body, on which a force along its axes acts. */
static void solve(verify *v, int load_steps, double follower) {
    char text[1500];
    snprintf(text, sizeof text,
             "materials: {m: {density: 1000, young: 1.0e7, poisson: 0.3}}\n"
             "meshes: {m: {type: box, size: [1, 0.1, 0.1], cells: [20, 3, 3], order: quadratic}}\n"
             "bodies:\n"
             "  b: {type: solid, mesh: m, material: m}\n"
             "  end: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
             "joints:\n"
             "  root: {type: clamp, between: [ground, b.left]}\n"
             "  weld: {type: clamp, between: [b.right, end]}\n"
             "loads:\n"
             "  tip: {type: force, on: b.right, value: [0, 0, 200]}\n"
             "  turning: {type: force, on: end, frame: body, value: [%.17g, 0, 0]}\n"
             "analysis: {type: static, load_steps: %d}\n",
             follower, load_steps);
    *v = (verify){.ctx = gos_ctx_create()};
    verify_good(v, gos_model_parse(v->ctx, text, strlen(text), "test", NULL, &v->model));
    verify_compile(v);
    verify_good(v, gos_solve_static(v->ctx, v->sys, &v->opt, v->state, &v->stats));
}

/* largest difference of coordinates, and of the forces of the clamps over the largest one */
static void compare(double follower) {
    verify few, many;
    double apart = 0, bend = 0, force = 0, largest = 0;
    solve(&few, 3, follower);
    solve(&many, 10, follower);
    const gos_system *s = few.sys;
    for (int i = 0; i < s->nq; i++) {
        bend = fmax(bend, fabs(few.state->q[i] - s->e0[i]));
        apart = fmax(apart, fabs(few.state->q[i] - many.state->q[i]));
    }
    for (int i = 0; i < s->nc; i++) {
        force = fmax(force, fabs(few.state->lam[i] - many.state->lam[i]));
        largest = fmax(largest, fabs(many.state->lam[i]));
    }
    verify_within("deflection", bend, 0.5, 0.9);
    verify_below("three load steps against ten", apart, 1e-11);
    verify_below("... forces of the clamps", force / largest, 1e-8);
    assert_true(s->nc > 0 && few.stats.factorisations < few.stats.iterations / 3);
    verify_close(&few);
    verify_close(&many);
}

/* a dead force: symmetric */
static void dead_force(void **state) {
    GOS_UNUSED(state);
    compare(0);
}

/* a force that follows: unsymmetric, LU, and the same reuse */
static void follower(void **state) {
    GOS_UNUSED(state);
    compare(-30);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(dead_force), cmocka_unit_test(follower)};
    return cmocka_run_group_tests_name("static reuse", tests, NULL, NULL);
}
SUITE(suite)
