/* Nodes of bodies of matrices: a finite element beam exported from a cable and joined to a rigid
   body, against the cable itself; a point mass with rotations against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "support/suite.h"
#include "support/verify.h"
/* uses it */
#include "support/matrix_files.h"

#define CABLE                                                                                      \
    "materials: {steel: {density: 7800, young: 2e11, poisson: 0.3}}\n"                             \
    "sections: {bar: {type: rectangle, height: 0.01, width: 0.02}}\n"
#define ROD                                                                                        \
    "  rod: {type: ancf_cable, material: steel, section: bar, from: [1, 0, 0], to: [2, 0, 0],\n"   \
    "        elements: 5}\n"
#define HUB                                                                                        \
    "  hub: {type: rigid, mass: 0.5, inertia: [1e-3, 2e-3, 3e-3], position: [2.1, 0, 0],\n"        \
    "        points: {tip: [-0.1, 0, 0]}}\n"
#define ASK                                                                                        \
    "loads: {push: {type: force, on: hub, value: [0, '0.01*sin(40*t)', 0]}}\n"                     \
    "probes:\n"                                                                                    \
    "  y: {at: hub, quantity: displacement, direction: [0, 1, 0]}\n"                               \
    "  a: {at: hub, quantity: angle}\n"                                                            \
    "analysis: {end: 0.1, step: 2e-4}\n"

static const char native[] =
    CABLE "bodies:\n" ROD HUB "joints:\n"
          "  root: {type: clamp, between: [ground, rod.start], rigid: false}\n"
          "  end: {type: clamp, between: [hub.tip, rod.end], rigid: false}\n" ASK;

/* the same beam by its matrices: held at the root by rows of G, rotation about z at the tip is the
   y of the slope there */
static const char foreign[] = "bodies:\n"
                              "  rod: {type: matrices, M: M.mtx, K: K.mtx, G: G.mtx,\n"
                              "        nodes: nodes.csv}\n" HUB
                              "joints: {end: {type: clamp, between: [hub.tip, rod.tip]}}\n" ASK;

/* coordinate of the model by its name, from 1 */
static int number_of(const gos_linear *l, int n, const char *name) {
    for (int i = 0; i < n; i++) {
        char have[100];
        gos_linear_coordinate(l, i, have, sizeof have);
        if (strcmp(have, name) == 0) {
            return i + 1;
        }
    }
    fail_msg("no coordinate %s", name);
    return 0;
}

static void write_block(const gos_linear *l, gos_block block, const char *name) {
    gos_matrix_view A;
    gos_linear_block(l, block, &A);
    double *x = test_calloc((size_t)A.rows * (size_t)A.columns, sizeof *x);
    for (int j = 0; j < A.columns; j++) {
        for (int k = A.start[j]; k < A.start[j + 1]; k++) {
            x[A.row[k] * A.columns + j] = A.value[k];
        }
    }
    matrix_write(name, A.rows, A.columns, x);
    test_free(x);
}

static void write_beam(void) {
    static const char *const held[] = {"position.x", "position.y", "position.z", "slope.y",
                                       "slope.z"};
    enum { N = 36 };
    double G[5 * N] = {0};
    verify v;
    gos_linear *l;
    verify_text(&v, CABLE "bodies:\n" ROD, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    write_block(l, GOS_BLOCK_M, "M");
    write_block(l, GOS_BLOCK_K, "K");
    for (int r = 0; r < 5; r++) {
        char name[100];
        (void)snprintf(name, sizeof name, "rod.node(0).%s", held[r]);
        G[r * N + number_of(l, N, name) - 1] = 1;
    }
    matrix_write("G", 5, N, G);
    FILE *f = matrix_file("nodes.csv");
    (void)fprintf(
        f, "# of the beam\nname, x, y, z, ux, uy, uz, rz\ntip, 2, 0, 0, %d, %d, %d, %d\n",
        number_of(l, N, "rod.node(5).position.x"), number_of(l, N, "rod.node(5).position.y"),
        number_of(l, N, "rod.node(5).position.z"), number_of(l, N, "rod.node(5).slope.y"));
    assert_int_equal(fclose(f), 0);
    gos_linear_destroy(l);
    verify_close(&v);
}

/* H of both outputs at frequencies around the first three bending modes */
enum { POINTS = 6 };
static void respond(verify *v, double H[4 * POINTS]) {
    static const double omega[POINTS] = {1, 30, 60, 300, 900, 2000};
    gos_linear *l;
    verify_good(v, gos_linearise(v->ctx, v->sys, v->state, &l));
    verify_good(v, gos_linear_response(v->ctx, l, POINTS, omega, H));
    gos_linear_destroy(l);
}

static void test_beam(void **state) {
    (void)state;
    double H[2][4 * POINTS], worst = 0;
    verify v[2];
    write_beam();
    verify_text(&v[0], native, NULL);
    matrix_model(&v[1], foreign, NULL);
    for (int i = 0; i < 2; i++) {
        respond(&v[i], H[i]);
        verify_run(&v[i]);
    }
    for (int i = 0; i < 4 * POINTS; i++) {
        // real and imaginary parts over the largest of the output, undamped
        double most = 0;
        for (int k = i / 2 % 2; k < 2 * POINTS; k += 2) {
            most = fmax(most, fabs(H[0][2 * k]));
        }
        worst = fmax(worst, fabs(H[0][i] - H[1][i]) / most);
    }
    verify_below("frequency response after the native beam", worst, 1e-8);
    const double y = verify_value(&v[0], NULL, "y.value"), a = verify_value(&v[0], NULL, "a.value");
    print_message("    moved %g m, turned %g rad\n", y, a);
    // they differ by what is not linear, and by the tolerance of Newton
    verify_near("deflection", verify_value(&v[1], NULL, "y.value"), y, 1e-3 * fabs(y));
    verify_near("rotation", verify_value(&v[1], NULL, "a.value"), a, 1e-3 * fabs(a));
    verify_close(&v[0]);
    verify_close(&v[1]);
}

/* the joint is eliminated where it can be, matrices stay: reduced and full run are the same */
static void test_beam_reduced(void **state) {
    (void)state;
    static const char text[] =
        "bodies:\n"
        "  rod: {type: matrices, M: M.mtx, K: K.mtx, G: G.mtx, nodes: nodes.csv}\n" HUB
        "joints: {end: {type: spherical, between: [hub.tip, rod.tip]}}\n"
        "loads: {push: {type: force, on: hub, value: [0, '0.01*sin(40*t)', 0]}}\n"
        "probes: {y: {at: rod.tip, quantity: displacement, direction: [0, 1, 0]}}\n"
        "analysis: {end: 0.05, step: 2e-4, newton_tolerance: 1e-4}\n";
    verify v;
    gos_system *small;
    gos_state *x;
    gos_integrator *run;
    gos_sizes sizes;
    gos_energy full, reduced;
    double y;
    write_beam();
    matrix_model(&v, text, NULL);
    verify_run(&v);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &small));
    gos_system_sizes(small, &sizes);
    assert_true(sizes.constraints == v.sys->nc - 3); // the spherical joint is gone
    verify_good(&v, gos_state_create(v.ctx, small, &x));
    verify_good(&v, gos_integrator_create(v.ctx, small, &v.opt, x, &run));
    while (gos_state_time(x) < 0.05) {
        verify_good(&v, gos_integrator_step(run, 0.05));
    }
    verify_good(&v, gos_system_probe(v.ctx, small, x, 0, &y, NULL));
    const double want = verify_value(&v, NULL, "y.value");
    verify_near("tip of the reduced model", y, want, 1e-5 * fabs(want));
    gos_system_energy(v.sys, v.state, &full);
    gos_system_energy(small, x, &reduced);
    verify_near("its strain energy", reduced.strain, full.strain, 1e-4 * full.strain);
    gos_integrator_destroy(run);
    gos_state_destroy(x);
    gos_system_destroy(small);
    verify_close(&v);
}

/* ---- Newton matrix --------------------------------------------------------------------------- */

static void residual(gos_work *w, gos_point_of *x, double *r) {
    const gos_system *s = w->sys;
    const gos_residual out = {.q = r, .th = r + s->nq, .c = r + s->nq, .h = r + s->nq + s->nc};
    assert_int_equal(gos__residual(w, x, &out, NULL), GOS_OK);
}

/* Newton matrix m M + k K + d D with the rows of constraints, by differences of the residual at x,
   relative to its largest entry; of the rigid body's curved constraints the square of the step is
   left */
static double newton_error(gos_work *w, gos_point_of *x, double *const q[3], const double f[3],
                           double *r) {
    const gos_system *s = w->sys;
    const size_t n = (size_t)s->n, nq = (size_t)s->nq, rows = nq + (f[0] != 0 ? (size_t)s->nc : 0);
    const double h = 1e-4;
    double worst = 0, most = 0;
    gos__jacobian(w, x,
                  &(gos_newton_factors){.k = f[0], .d = f[1], .m = f[2], .lam = 1, .lamT = 1});
    for (size_t j = 0; j < nq; j++) {
        const double at[3] = {q[0][j], q[1][j], q[2][j]};
        for (int side = 0; side < 2; side++) {
            for (int c = 0; c < 3; c++) {
                q[c][j] = at[c] + f[c] * (side ? -h : h);
            }
            residual(w, x, r + (size_t)side * n);
        }
        for (int c = 0; c < 3; c++) {
            q[c][j] = at[c];
        }
        for (size_t i = 0; i < rows; i++) {
            double have = 0;
            for (int e = s->pattern.p[j]; e < s->pattern.p[j + 1]; e++) {
                have += (size_t)s->pattern.i[e] == i ? w->values[e] : 0;
            }
            worst = fmax(worst, fabs(have - (r[i] - r[n + i]) / (2 * h)));
            most = fmax(most, fabs(have));
        }
    }
    return worst / most;
}

static void test_newton(void **state) {
    (void)state;
    verify v;
    gos_work *w;
    write_beam();
    matrix_write("D", 36, 36, (double[36 * 36]){[1] = 3, [40] = -2, [36 * 20 + 33] = 5});
    matrix_model(&v, foreign, "bodies.rod.D=D.mtx");
    const gos_system *s = v.sys;
    const size_t n = (size_t)s->n;
    verify_good(&v, gos__work_create(v.ctx, s, &w));
    double *q = test_calloc(6 * n, sizeof *q), *u = q + n, *a = u + n, *lam = a + n, *r = lam + n;
    for (int i = 0; i < s->nq; i++) { // nothing special
        q[i] = s->e0[i] + 0.01 * sin(i);
        u[i] = cos(3.0 * i);
        a[i] = sin(5.0 * i);
    }
    for (int i = 0; i < s->nc; i++) {
        lam[i] = 10 * cos(7.0 * i);
    }
    gos_point_of x = {.t = 0.01, .scale = 1, .q = q, .v = u, .a = a, .lam = lam};
    double *const all[3] = {q, u, a};
    static const double one_by_one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const char *const names[] = {"K by differences", "D by differences", "M by differences"};
    // rounding of residuals, 1e-16 of K times positions of 2 m over steps of 1e-4, is left in D and
    // M
    static const double bound[] = {1e-9, 1e-5, 1e-3};
    for (int c = 0; c < 3; c++) {
        verify_below(names[c], newton_error(w, &x, all, one_by_one[c], r), bound[c]);
    }
    test_free(q);
    gos__work_destroy(v.ctx, w);
    verify_close(&v);
}

/* m = 2, I = (0.1, 0.2, 0.4) at (1, 2, 3), in rows 6 .. 1 of the matrices, and a massless-free 7th
 * of its own */
static const char point[] = "bodies: {p: {type: matrices, M: M.mtx, K: K.mtx, nodes: n.csv, q0: "
                            "[0, 0, 0, 0, 0, 0.01, 0]}}\n"
                            "loads:\n"
                            "  f: {type: force, on: p.c, value: [0, 4, 0]}\n"
                            "  m: {type: moment, on: p.c, moment: [1e-3, 2e-3, -4e-3]}\n"
                            "probes:\n"
                            "  u: {at: p.c, quantity: position}\n"
                            "  r: {at: p.c, quantity: rotation_vector}\n"
                            "  w: {at: p.c, quantity: angular_velocity}\n"
                            "analysis: {end: 1, step: 0.01}\n";

static void write_point(void) {
    double M[49] = {0}, K[49] = {0};
    static const double m[] = {0.4, 0.2, 0.1, 2, 2, 2, 1};
    for (int i = 0; i < 7; i++) {
        M[8 * i] = m[i];
    }
    K[48] = 1;
    matrix_write("M", 7, 7, M);
    matrix_write("K", 7, 7, K);
    matrix_text("n.csv", "name,x,y,z,ux,uy,uz,rx,ry,rz\nc,1,2,3,6,5,4,3,2,1\n");
}

static void test_point(void **state) {
    (void)state;
    verify v;
    write_point();
    matrix_model(&v, point, NULL);
    verify_run(&v);
    verify_near("x, with q0", verify_value(&v, NULL, "u.x"), 1.01, 1e-12);
    verify_near("y = 2 + F t^2 / 2 m", verify_value(&v, NULL, "u.y"), 3, 1e-10);
    // theta = M t^2 / 2 I, within the square of itself
    verify_near("rx", verify_value(&v, NULL, "r.x"), 5e-3, 5e-5);
    verify_near("ry", verify_value(&v, NULL, "r.y"), 5e-3, 5e-5);
    verify_near("rz", verify_value(&v, NULL, "r.z"), -5e-3, 5e-5);
    verify_near("its rate", verify_value(&v, NULL, "w.z"), -1e-2, 1e-4);
    verify_close(&v);
}

/* a force that turns with the node: along its x axis, after the node has turned by 0.01 about z */
static void test_follower(void **state) {
    (void)state;
    verify v;
    write_point();
    matrix_model(&v,
                 "bodies:\n"
                 "  p: {type: matrices, M: M.mtx, K: K.mtx, nodes: n.csv,\n"
                 "      q0: [0.01, 0, 0, 0, 0, 0, 0]}\n"
                 "loads: {f: {type: force, on: p.c, value: [4, 0, 0], frame: body}}\n"
                 "probes: {u: {at: p.c, quantity: displacement}}\n"
                 "analysis: {end: 1, step: 0.01}\n",
                 NULL);
    verify_run(&v);
    verify_near("ux", verify_value(&v, NULL, "u.x"), 1, 1e-10);
    verify_near("uy", verify_value(&v, NULL, "u.y"), 0.01, 1e-10);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beam),     cmocka_unit_test(test_beam_reduced),
        cmocka_unit_test(test_newton),   cmocka_unit_test(test_point),
        cmocka_unit_test(test_follower),
    };
    return cmocka_run_group_tests(tests, matrix_folder_make, matrix_folder_remove);
}
SUITE_INTERNAL(suite)
