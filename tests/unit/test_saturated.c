/* Loops with limited commands against closed forms, finer steps and another method of integration;
 * plants of modes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "control/lqr.h"
#include "control/saturated.h"
#include "support/context.h"
#include "support/near.h"
#include "support/random.h"
#include "support/suite.h"

static uint64_t seed = 2;

/* a plant of order n with nu limited inputs and a disturbance; its states are measured, its last
 * output is z */
static gos_plant plant(int n, int nu) {
    gos_plant p;
    need(gos__plant_create(ctx, n, nu + 1, n + 1, &p));
    for (int i = 0; i < n; i++) {
        p.C[i * (n + 1) + i] = 1;
    }
    return p;
}

static gos_saturated_options usual(void) {
    return (gos_saturated_options){.t_end = 1,
                                   .step = 0.01,
                                   .limit = 1,
                                   .tolerance = 1e-6,
                                   .w = 10,
                                   .w_from = 0.1,
                                   .w_to = 0.2,
                                   .t_start = 0.2,
                                   .settled = {0.5, 0.05}};
}

/* x' = clip(-5 x) + w: up by 10 until 5 x = 1, then by 9; down by 1 until x = 0.2 and then as e^(-5
 * t) */
static void test_first_order(void **state) {
    GOS_UNUSED(state);
    gos_plant p = plant(1, 1);
    p.B[0] = p.B[1] = 1;
    p.C[1] = 1;
    gos_loop l;
    need(gos__loop_state(ctx, &p, 1, (double[]){5}, &l));
    gos_saturated_response c;
    gos_saturated_options o = usual();
    o.t_end = 2;
    need(gos__saturated_run(ctx, &l, &o, &c));
    // x = 2 (1 - e^(-5 t)) reaches 0.2 at t1; then 9 per second up to 0.1 s
    const double t1 = -log(1 - 0.1) / 5, top = 0.2 + 9 * (0.1 - t1), down = top - 0.2;
    const double rest = 1.8 - down;
    const double integral = (pow(top, 3) - pow(0.2, 3)) / 3 + 0.04 * (1 - exp(-10 * rest)) / 10;
    near_abs(c.peak, top, 1e-7);
    near_abs(c.command, 5 * top, 1e-6);
    near_abs(c.rms, sqrt(integral / 1.8), 3e-6); // trapezia of eighths of a step
    near_abs(c.settling[0], 0.2 + top - 0.5, 0.01 / 8);
    near_abs(c.settling[1], 0.2 + down + log(4) / 5, 0.01 / 8);
    near_abs(c.clipped, down / 1.8, 0.01 / 8 / 1.8);
    assert_true(c.halved > 0);
    gos__loop_free(ctx, &l);
    gos__plant_free(ctx, &p);
}

/* the end of a record, for comparisons */
typedef struct record {
    double t, z[8], command[8];
    int nz, nu;
} record;

static void keep(void *user, double t, const double *z, const double *command) {
    record *r = user;
    r->t = t;
    memcpy(r->z, z, r->nz * sizeof *z);
    memcpy(r->command, command, r->nu * sizeof *command);
}

/* 2 x + 3 w while w = 10 lasts and not afterwards; x = 10 (t - 0.1) without feedback */
static void look_at_direct(void *user, double t, const double *z, const double *command) {
    GOS_UNUSED(command);
    int *seen = user;
    const double x = 10 * (fmin(fmax(t, 0.1), 0.2) - 0.1);
    const bool after = seen[0] > 0 && t >= 0.2 - 1e-9 && fabs(z[0] - 2 * x) < 1e-6;
    if (t > 0.1 + 1e-9 && t < 0.2 + 1e-9 && !after) {
        near_abs(z[0], 2 * x + 30, 1e-9);
        seen[0]++;
    } else if (t > 0.2 - 1e-9) {
        near_abs(z[0], 2 * x, 1e-9);
        seen[1]++;
    }
}

static void test_direct_share(void **state) {
    GOS_UNUSED(state);
    gos_plant p = plant(1, 1);
    p.B[0] = p.B[1] = 1;
    p.C[1] = 2;
    p.D[3] = 3;
    gos_loop l;
    gos_saturated_response c;
    int seen[2] = {0};
    gos_saturated_options o = usual();
    o.sample = look_at_direct;
    o.user = seen;
    need(gos__loop_state(ctx, &p, 1, (double[]){0}, &l));
    need(gos__saturated_run(ctx, &l, &o, &c));
    assert_int_equal(seen[0],
                     9 * 10 - 1); // nine looks at each of ten steps, the first one at 0.1 s
    assert_int_equal(seen[1], 80 * 9);
    near_abs(c.rms, 2, 1e-9);
    gos__loop_free(ctx, &l);
    gos__plant_free(ctx, &p);
}

/* a stable random system with two inputs and one more state for each in a controller: steps of
   Runge and Kutta of fourth order, so short that corners do not matter, find the same state;
   unclipped, they agree to rounding */
static void against_runge_kutta(const gos_loop *l, double limit, double tolerance) {
    record r = {.nz = l->nz, .nu = l->nu};
    gos_saturated_options o = usual();
    o.limit = limit;
    o.sample = keep;
    o.user = &r;
    gos_saturated_response c;
    need(gos__saturated_run(ctx, l, &o, &c));
    assert_true(isinf(limit) ? c.clipped == 0 : c.clipped > 0.05);
    const int steps = 100000, n = l->n;
    const double h = o.t_end / steps;
    double x[16] = {0}, k[4][16], v[4], at[16], z = 0;
    for (int s = 0; s < steps; s++) {
        const double t = (s + 0.5) * h, w = t > o.w_from && t < o.w_to ? o.w : 0;
        for (int stage = 0; stage < 4; stage++) {
            static const double part[4] = {0, 0.5, 0.5, 1};
            for (int i = 0; i < n; i++) {
                at[i] = x[i] + (stage > 0 ? part[stage] * h * k[stage - 1][i] : 0);
            }
            for (int u = 0; u < l->nu; u++) {
                v[u] = 0;
                for (int i = 0; i < n; i++) {
                    v[u] += l->F[i * l->nu + u] * at[i];
                }
                v[u] = fmin(fmax(v[u], -limit), limit);
            }
            for (int i = 0; i < n; i++) {
                k[stage][i] = l->E[i] * w;
                for (int j = 0; j < n; j++) {
                    k[stage][i] += l->A[j * n + i] * at[j];
                }
                for (int u = 0; u < l->nu; u++) {
                    k[stage][i] += l->B[u * n + i] * v[u];
                }
            }
        }
        for (int i = 0; i < n; i++) {
            x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
        }
    }
    for (int u = 0; u < l->nu; u++) {
        v[u] = 0;
        for (int i = 0; i < n; i++) {
            v[u] += l->F[i * l->nu + u] * x[i];
        }
        near_abs(r.command[u], v[u], tolerance);
        v[u] = fmin(fmax(v[u], -limit), limit);
    }
    for (int i = 0; i < n; i++) {
        z += l->C[i * l->nz] * x[i];
    }
    for (int u = 0; u < l->nu; u++) {
        z += l->D[u * l->nz] * v[u];
    }
    near_abs(r.t, o.t_end, 1e-12);
    near_abs(r.z[0], z, tolerance);
}

static void test_random_loops(void **state) {
    GOS_UNUSED(state);
    for (int round = 0; round < 4; round++) {
        const int n = 3 + 2 * round, nu = 2;
        gos_plant p = plant(n, nu), c;
        for (int k = 0; k < n * n; k++) {
            p.A[k] = 3 * random_uniform(&seed);
        }
        for (int i = 0; i < n; i++) {
            p.A[i * n + i] -= 6;
            p.C[i * (n + 1) + n] = random_uniform(&seed);
        }
        for (int k = 0; k < n * (nu + 1); k++) {
            p.B[k] = random_uniform(&seed);
        }
        for (int k = 0; k <= nu; k++) {
            p.D[k * (n + 1) + n] = random_uniform(&seed);
        }
        need(gos__plant_create(ctx, nu, n + nu, nu, &c)); // lags of linear combinations
        for (int i = 0; i < nu; i++) {
            c.A[i * nu + i] = -30;
            c.C[i * nu + i] = 60;
            for (int k = 0; k < n + nu; k++) {
                c.B[k * nu + i] = (k < n ? 2 : 0.3) * random_uniform(&seed);
            }
        }
        gos_loop l;
        need(gos__loop_close(ctx, &p, n, &c, &l));
        assert_int_equal(l.n, n + nu);
        against_runge_kutta(&l, HUGE_VAL, 1e-8);
        against_runge_kutta(&l, 0.05, 2e-6);
        gos__loop_free(ctx, &l);
        gos__plant_free(ctx, &c);
        gos__plant_free(ctx, &p);
    }
}

/* linear-quadratic control from estimates: states of plant and filter are those of
   gos__closed_loop, for which commands are not limited */
static void test_loop_is_closed_loop(void **state) {
    GOS_UNUSED(state);
    enum { n = 4, nu = 2, ny = 3 };
    gos_plant p, model, lqg, limited, closed;
    need(gos__plant_create(ctx, n, nu + 1, ny + 1, &p));
    for (int k = 0; k < n * n; k++) {
        p.A[k] = random_uniform(&seed);
    }
    for (int k = 0; k < n * (nu + 1); k++) {
        p.B[k] = random_uniform(&seed);
    }
    for (int k = 0; k < n * (ny + 1); k++) {
        p.C[k] = random_uniform(&seed);
    }
    for (int k = 0; k < (nu + 1) * (ny + 1); k++) {
        p.D[k] = random_uniform(&seed);
    }
    need(gos__plant_part(ctx, &p, nu, NULL, ny, (int[]){0, 1, 2}, &model));
    double K[nu * n], L[n * ny], A[4 * n * n];
    for (int k = 0; k < nu * n; k++) {
        K[k] = random_uniform(&seed);
    }
    for (int k = 0; k < n * ny; k++) {
        L[k] = random_uniform(&seed);
    }
    need(gos__lqg(ctx, &model, K, L, &lqg));
    need(gos__limited_lqg(ctx, &model, K, L, &limited));
    need(gos__closed_loop(ctx, &model, &lqg, &closed));
    gos_loop l;
    need(gos__loop_close(ctx, &p, ny, &limited, &l));
    gos__loop_matrix(&l, A);
    for (int k = 0; k < 4 * n * n; k++) {
        near_abs(A[k], closed.A[k], 1e-13);
    }
    // the disturbance reaches the filter through what is measured of it, and z is the plant's last
    // output
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < ny; k++) {
            sum += L[k * n + i] * p.D[nu * (ny + 1) + k];
        }
        near_abs(l.E[n + i], sum, 1e-14);
        near_abs(l.E[i], p.B[nu * n + i], 0);
        near_abs(l.C[i], p.C[i * (ny + 1) + ny], 0);
        near_abs(l.C[n + i], 0, 0);
    }
    near_abs(l.G[0], p.D[nu * (ny + 1) + ny], 0);
    near_abs(l.D[1], p.D[(ny + 1) + ny], 0);
    gos__loop_free(ctx, &l);
    // the same controller without knowledge of limits: commands of its own
    assert_int_equal(gos__loop_close(ctx, &p, ny - 1, &lqg, &l), GOS_E_USE);
    gos_ctx_clear(ctx);
    lqg.D[0] = 1;
    assert_int_equal(gos__loop_close(ctx, &p, ny, &lqg, &l), GOS_E_USE);
    assert_non_null(strstr(gos_ctx_message(ctx), "without delay"));
    gos_plant *all[] = {&p, &model, &lqg, &limited, &closed};
    for (int k = 0; k < 5; k++) {
        gos__plant_free(ctx, all[k]);
    }
}

/* halving the tolerance of the clipping halves what it costs: compared with a much finer one */
static void test_tolerance(void **state) {
    GOS_UNUSED(state);
    gos_plant p = plant(2, 1); // an oscillator, its speed fed back strongly
    p.A[2] = 1;
    p.A[1] = -400;
    p.B[1] = p.B[3] = 1;
    p.C[2] = 1;
    gos_loop l;
    need(gos__loop_state(ctx, &p, 2, (double[]){0, 200}, &l));
    record r = {.nz = 1, .nu = 1};
    gos_saturated_options o = usual();
    o.sample = keep;
    o.user = &r;
    gos_saturated_response c;
    double z[3];
    static const double tolerance[3] = {1e-8, 1e-4, 1e-2};
    for (int k = 0; k < 3; k++) {
        o.tolerance = tolerance[k];
        need(gos__saturated_run(ctx, &l, &o, &c));
        z[k] = r.z[0];
    }
    near_abs(z[1], z[0], 1e-4);
    near_abs(z[2], z[0], 1e-2);
    gos__loop_free(ctx, &l);
    gos__plant_free(ctx, &p);
}

static void test_refusals(void **state) {
    GOS_UNUSED(state);
    gos_plant p = plant(1, 1);
    gos_loop l;
    gos_saturated_response c;
    p.A[0] = 400;
    p.B[0] = p.B[1] = p.C[1] = 1;
    need(gos__loop_state(ctx, &p, 1, (double[]){0}, &l));
    gos_saturated_options o = usual();
    assert_int_equal(gos__saturated_run(ctx, &l, &o, &c), GOS_E_NONFINITE);
    assert_non_null(strstr(gos_ctx_message(ctx), "unstable"));
    gos_ctx_clear(ctx);
    o.t_start = 2;
    assert_int_equal(gos__saturated_run(ctx, &l, &o, &c), GOS_E_INPUT);
    gos_ctx_clear(ctx);
    o = usual();
    l.A[0] = -1e9;
    assert_int_equal(gos__saturated_run(ctx, &l, &o, &c), GOS_E_LIMIT);
    assert_non_null(strstr(gos_ctx_message(ctx), "too fast"));
    gos__loop_free(ctx, &l);
    assert_int_equal(gos__loop_state(ctx, &p, 3, (double[]){0}, &l), GOS_E_USE);
    gos__plant_free(ctx, &p);
}

/* an impulse on a mass, x'' = clip(-k x - d x'): d = 2 sqrt k c; commands are sqrt k times the
 * speed of the impulse */
static gos_status make(void *user, gos_ctx *mine, double weight, gos_loop *l) {
    const gos_plant *p = user;
    const double K[2] = {weight, 2 * sqrt(weight)};
    return gos__loop_state(mine, p, 2, K, l);
}

/* critically damped from speed s at once: the command is 2 s sqrt k at first and then less, so k =
   (limit / (2 s))^2; a pulse of 1e-5 s takes off its share */
static void test_weight(void **state) {
    GOS_UNUSED(state);
    gos_plant p = plant(2, 1);
    p.A[2] = 1;
    p.B[1] = p.B[3] = 1;
    p.C[2] = 1;
    gos_saturated_options o = usual();
    o.w = 3e5; // speed 3
    o.w_to = o.w_from + 1e-5;
    o.t_start = o.w_to;
    static const double start[3] = {1e-3, 30, 1e7};
    for (int k = 0; k < 3; k++) {
        double weight;
        need(gos__saturated_weight(ctx, make, &p, &o, 60, start[k], &weight));
        near_abs(weight, 100, 0.05);
    }
    gos_saturated_response c;
    gos_loop l;
    double weight;
    need(gos__saturated_weight(ctx, make, &p, &o, 60, 1, &weight));
    need(make(&p, ctx, weight, &l));
    o.limit = HUGE_VAL;
    need(gos__saturated_run(ctx, &l, &o, &c));
    near_abs(c.command, 60, 60e-7);
    assert_int_equal(gos__saturated_weight(ctx, make, &p, &o, 60, 0, &weight), GOS_E_INPUT);
    gos_ctx_clear(ctx);
    o.w = 0; // no command at all
    assert_int_equal(gos__saturated_weight(ctx, make, &p, &o, 60, 1, &weight), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "without commands"));
    gos__loop_free(ctx, &l);
    gos__plant_free(ctx, &p);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_first_order, context_clear),
        cmocka_unit_test_teardown(test_direct_share, context_clear),
        cmocka_unit_test_teardown(test_random_loops, context_clear),
        cmocka_unit_test_teardown(test_loop_is_closed_loop, context_clear),
        cmocka_unit_test_teardown(test_tolerance, context_clear),
        cmocka_unit_test_teardown(test_refusals, context_clear),
        cmocka_unit_test_teardown(test_weight, context_clear),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
SUITE_INTERNAL(suite)
