/* Bodies of matrices in a floating frame: masses joined by springs, thrown and turning, against the
 * same as points in space. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fe/beam_frame.h"
#include "gossamer/linearise.h"
#include "support/suite.h"
#include "support/verify.h"

#include "support/matrix_files.h"

#define N 12
static const double place[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1.2, 0}, {0.2, 0.1, 0.9}};
static const double mass[4] = {1, 2, 1.5, 0.5};
#define STIFF 1e4

/* M and K of the free body, and the table of nodes; `wrong`: what must be refused */
static void write_body(int wrong) {
    double M[N * N] = {0}, K[N * N] = {0};
    for (int p = 0; p < 4; p++) {
        for (int c = 0; c < 3; c++) {
            M[(3 * p + c) * (N + 1)] = mass[p];
        }
        for (int q = 0; q < p; q++) {
            double d[3], l = 0;
            for (int c = 0; c < 3; c++) {
                d[c] = place[p][c] - place[q][c];
                l += d[c] * d[c];
            }
            for (int i = 0; i < 9; i++) {
                const double k = STIFF * d[i / 3] * d[i % 3] / l;
                const int a = 3 * p + i / 3, b = 3 * p + i % 3, c = 3 * q + i / 3,
                          e = 3 * q + i % 3;
                K[N * a + b] += k;
                K[N * c + e] += k;
                K[N * a + e] -= k;
                K[N * c + b] -= k;
            }
        }
    }
    M[0] *= wrong == 1 ? 2 : 1;
    K[0] += wrong == 2 ? STIFF : 0;
    matrix_write("M", N, N, M);
    matrix_write("K", N, N, K);
    FILE *f = matrix_file("nodes.csv");
    (void)fprintf(f, "name,x,y,z,ux,uy,uz\n");
    for (int p = 0; p < 4; p++) {
        (void)fprintf(f, "n%d,%g,%g,%g,%d,%d,", p, place[p][0], place[p][1], place[p][2], 3 * p + 1,
                      3 * p + 2);
        (void)(wrong == 3 && p == 1 ? fprintf(f, "\n") : fprintf(f, "%d\n", 3 * p + 3));
    }
    assert_int_equal(fclose(f), 0);
}

#define REST                                                                                       \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "initial: {all: {angular_velocity: [0.5, 0.8, 1.5], velocity: [1, 0, 4], about: [0, 0, 0]}}\n" \
    "analysis: {type: dynamic, end: 1, step: 2.5e-4}\n"

static const char floating[] =
    "bodies:\n"
    "  b: {type: matrices, M: M.mtx, K: K.mtx, nodes: nodes.csv, frame: floating%s}\n"
    "loads: {push: {type: force, on: b.n3, value: [0, '5*sin(pi*t)', 0]}}\n"
    "probes: {p0: {at: b.n0, quantity: position}, p1: {at: b.n1, quantity: position}, p2: {at: "
    "b.n2, "
    "quantity: position}, p3: {at: b.n3, quantity: position}}\n" REST;

/* all springs as loads between bodies that are points but for an inertia that nothing turns */
static void points_model(char *text, size_t size) {
    int n = snprintf(text, size, "bodies:\n");
    for (int p = 0; p < 4; p++) {
        n +=
            snprintf(text + n, size - (size_t)n,
                     "  b%d: {type: rigid, mass: %g, inertia: [1, 1, 1], position: [%g, %g, %g]}\n",
                     p, mass[p], place[p][0], place[p][1], place[p][2]);
    }
    n += snprintf(text + n, size - (size_t)n,
                  "loads:\n  push: {type: force, on: b3.node, value: [0, '5*sin(pi*t)', 0]}\n");
    for (int p = 0; p < 4; p++) {
        for (int q = 0; q < p; q++) {
            n += snprintf(text + n, size - (size_t)n,
                          "  s%d%d: {type: spring, between: [b%d, b%d], stiffness: %g}\n", p, q, p,
                          q, STIFF);
        }
    }
    (void)snprintf(text + n, size - (size_t)n,
                   "probes: {p0: {at: b0.node, quantity: position}, p1: {at: b1.node, quantity: "
                   "position}, p2: {at: b2.node, quantity: position}, p3: {at: b3.node, quantity: "
                   "position}}\n" REST);
}

static void run(const char *text, double at[12]) {
    static const char *const what[] = {"p0.x", "p0.y", "p0.z", "p1.x", "p1.y", "p1.z",
                                       "p2.x", "p2.y", "p2.z", "p3.x", "p3.y", "p3.z"};
    verify v;
    matrix_model(&v, text, NULL);
    verify_start(&v);
    const gos_state *x = verify_at(&v, 1);
    for (int i = 0; i < 12; i++) {
        at[i] = verify_value(&v, x, what[i]);
    }
    verify_close(&v);
}

/* The shapes are complete: what is left is the stiffness that the linear body does not know, of the
   springs' forces (7 N of 10^4 N/m), and squares of their stretch, below 1e-3. */
static void test_points(void **state) {
    (void)state;
    char text[4000];
    double want[12], got[12];
    write_body(0);
    points_model(text, sizeof text);
    run(text, want);
    for (int reduced = 0; reduced < 2; reduced++) {
        double off = 0;
        (void)snprintf(text, sizeof text, "%s", reduced ? "floating_bodies: reduced\n" : "");
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), floating,
                       ", reduce: {method: modes, order: 6, inputs: n3.y}");
        run(text, got);
        for (int k = 0; k < 12; k++) {
            off = fmax(off, fabs(got[k] - want[k]));
        }
        verify_below("places after a second [m]", off, 2e-5);
    }
}

/* Two discs on a shaft, with inertia about skew axes: frequencies of the free body are those of its
   matrices, for any frame follows. They hold what all integrals over the mass have with each
   other. */
static void test_discs(void **state) {
    (void)state;
    static const gos_fe_beam shaft = {
        .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .EA = 1e5, .EI = {40, 90}, .GJ = 25};
    static const double J[2][9] = {{0.3, 0.02, 0.01, 0.02, 0.2, -0.03, 0.01, -0.03, 0.25},
                                   {0.15, -0.01, 0.02, -0.01, 0.3, 0.04, 0.02, 0.04, 0.35}};
    static const char *const references[] = {"mean_axis", "clamped", "chord"};
    double K[144], D[144], M[144] = {0}, want[6];
    gos__fe_beam_stiffness(&shaft, 0.8, K, D);
    for (int p = 0; p < 2; p++) {
        for (int c = 0; c < 9; c++) {
            M[12 * (6 * p + 3 + c / 3) + 6 * p + 3 + c % 3] = J[p][c];
            M[13 * (6 * p + c % 3)] = p ? 2 : 3;
        }
    }
    matrix_write("M", 12, 12, M);
    matrix_write("K", 12, 12, K);
    matrix_text("nodes.csv", "name,x,y,z,ux,uy,uz,rx,ry,rz\na,0.1,0.2,0.3,1,2,3,4,5,6\n"
                             "b,0.9,0.2,0.3,7,8,9,10,11,12\n");
    for (int i = 0; i < 4; i++) {
        char text[400];
        verify v;
        gos_linear *l;
        gos_mode mode[12];
        int found;
        (void)snprintf(text, sizeof text,
                       "bodies: {b: {type: matrices, M: M.mtx, K: K.mtx%s%s}}\n"
                       "analysis: {type: dynamic, end: 1}\n",
                       i ? ", nodes: nodes.csv, frame: floating, reference: " : "",
                       i ? references[i - 1] : "");
        matrix_model(&v, text, NULL);
        verify_start(&v);
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
        verify_good(&v, gos_linear_modes(v.ctx, l, 12, false, mode, &found));
        assert_int_equal(found, 12);
        for (int k = 0; k < 6; k++) {
            if (i == 0) {
                want[k] = mode[6 + k].omega;
                assert_true(want[k] > 1);
            } else {
                verify_near("frequency", mode[6 + k].omega, want[k], 1e-7 * want[k]);
            }
        }
        gos_linear_destroy(l);
        verify_close(&v);
    }
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        int wrong;
        const char *keys, *message;
    } bad[] = {{1, "", "scalar"},
               {2, "", "fixed to the ground"},
               {3, "", "ux, uy, uz of every node"},
               {0, ", reference: clamped", "contain a rigid-body motion"},
               {0, ", reference: chord", "contain a rigid-body motion"},
               {0, ", at: q", "no such node"}};
    for (int i = 0; i < GOS_COUNT(bad) + 1; i++) {
        char text[3000], path[200];
        gos_system *s = NULL;
        gos_model *m = NULL;
        gos_ctx *ctx = gos_ctx_create();
        const bool bare = i == GOS_COUNT(bad);
        write_body(bare ? 0 : bad[i].wrong);
        (void)snprintf(text, sizeof text, floating, bare ? ", X" : bad[i].keys);
        if (bare) { // keys of a frame that is not there
            char *at = strstr(text, "frame: floating, X");
            memcpy(at, "reference: chord  ", strlen("reference: chord  "));
        }
        matrix_text("model.yaml", text);
        (void)snprintf(path, sizeof path, "%s/model.yaml", matrix_folder);
        assert_int_equal(gos_model_read(ctx, path, &m), GOS_OK);
        assert_int_equal(gos_system_create(ctx, m, &s), GOS_E_INPUT);
        if (!strstr(gos_ctx_message(ctx), bare ? "frame: floating" : bad[i].message)) {
            print_error("%s\n", gos_ctx_message(ctx));
            fail();
        }
        gos_model_destroy(m);
        gos_ctx_destroy(ctx);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_points), cmocka_unit_test(test_discs),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, matrix_folder_make, matrix_folder_remove);
}
SUITE_INTERNAL(suite)
