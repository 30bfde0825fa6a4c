/* Linear models about a state in motion (src/solve/moving_basis.c): closed forms, and differences
   of the nonlinear accelerations, velocities and outputs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solve/consistent.h"
#include "support/modes.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/verify.h"

/* ---- closed forms ---------------------------------------------------------------------------- */

static const char pendulum[] =
    "parameters: {angle: 0.5, rate: 4, g: 9.81}\n"
    "gravity: [0, 0, -g]\n"
    "bodies:\n"
    "  bob: {type: rigid, mass: 2, inertia: [0.3, 0.4, 0.2], centre_of_mass: [0, 0, -0.5],\n"
    "        rotation_vector: [0, angle, 0], angular_velocity: [0, rate, 0]}\n"
    "joints: {pin: {type: revolute, between: [ground, bob.node], axis: [0, 1, 0]}}\n";

/* phi'' = -(m g c/I) sin(phi): small motions grow and swing with m g c cos(phi)/I for any
   rate. The force in the joint has the centrifugal part m c phi'^2, whose stiffness X^T M X takes
   away. */
static void test_pendulum(void **unused) {
    GOS_UNUSED(unused);
    const double angle[] = {0, 0.5, 1.2}, rate[] = {0, 4, 40};
    for (int i = 0; i < 9; i++) {
        gos_mode mode[1];
        fixture f =
            linear_model(pendulum, NAMES("angle", "rate"), VALUES(angle[i / 3], rate[i % 3]));
        get_modes(&f, 1, false, mode);
        const double want = 2 * 9.81 * 0.5 * cos(angle[i / 3]) / (0.4 + 2 * 0.25);
        verify_near("stiffness over inertia", mode[0].omega * mode[0].omega, want,
                    1e-12 * (want + rate[i % 3] * rate[i % 3]));
        assert_int_equal(gos_ctx_ndiag(f.ctx), 0); // no warning
        done(&f);
    }
}

static const char blade[] =
    "parameters: {off: 0.2, axis: 1}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1], points: {hinge: [off, 0, 0]},\n"
    "        angular_velocity: [0, 0, 6]}\n"
    "  blade: {type: rigid, mass: 3, inertia: [0.01, 0.02, 0.03], centre_of_mass: [0.4, 0, 0],\n"
    "          position: [off, 0, 0], velocity: [0, 6*off, 0], angular_velocity: [0, 0, 6]}\n"
    "joints:\n"
    "  bearing: {type: revolute, between: [ground, hub.node], axis: [0, 0, 1]}\n"
    "  motor: {type: driven_rotation, between: [ground, hub], axis: [0, 0, 1], angle: \"6*t\"}\n"
    "  hinge: {type: revolute, between: [hub.hinge, blade.node], axis: [0, axis, 1 - axis]}\n";

/* flap and lag of a turning blade, of which neither needs turning axes: test_turning */
static void test_blade(void **unused) {
    GOS_UNUSED(unused);
    const double B = 0.02 + 3 * 0.16, C = 0.03 + 3 * 0.16, mec = 3 * 0.2 * 0.4;
    const double want[] = {6 * sqrt(mec / C), 6 * sqrt((C - 0.01 + mec) / B)};
    for (int i = 0; i < 2; i++) {
        gos_mode mode[1];
        fixture f = linear_model(blade, NAMES("axis"), VALUES(i));
        get_modes(&f, 1, false, mode);
        verify_near(i ? "flap" : "lag", mode[0].omega, want[i], 1e-10);
        done(&f);
    }
}

/* ---- differences ----------------------------------------------------------------------------- */

/* bodies in a chain that turn in space, a damped rod on the last, damped springs */
static const char chain[] =
    "gravity: [0, 0, -9.81]\n"
    "materials: {m: {density: 1500, young: 2.0e5, poisson: 0.3, damping: {normal: 0.02}}}\n"
    "sections: {s: {type: rectangle, height: 0.05, width: 0.05}}\n"
    "bodies:\n"
    "  one: {type: rigid, mass: 2, inertia: [0.3, 0.5, 0.4], centre_of_mass: [0.1, 0, -0.2],\n"
    "        points: {end: [0.5, 0, 0]}, rotation_vector: [0, 0, 0.3]}\n"
    "  two: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.25, 0.01, 0.02, -0.01],\n"
    "        position: [0.4776682445628029, 0.14776010333066979, 0], points: {tip: [0, 0.5, 0]}}\n"
    "  rod: {type: ancf_cable, material: m, section: s, elements: 2,\n"
    "        from: [0.4776682445628029, 0.6477601033306698, 0],\n"
    "        to: [0.4776682445628029, 1.6477601033306698, 0]}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, one.node]}\n"
    "  hinge: {type: revolute, between: [one.end, two.node], axis: [0, 0.6, 0.8]}\n"
    "  grip: {type: clamp, between: [two.tip, rod.start], rigid: false}\n"
    "loads:\n"
    "  stay: {type: spring, between: [ground, two.tip], at: [1, -1, 1], stiffness: 40,\n"
    "         damping: 3}\n"
    "  brake: {type: torsion_spring, between: [one, two], axis: [0, 0.6, 0.8], stiffness: 2,\n"
    "          damping: 0.7}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: velocity}\n"
    "  spin: {at: two, quantity: angular_velocity}\n"
    "  place: {at: two.tip, quantity: displacement, frame: one}\n"
    "initial:\n"
    "  all: {angular_velocity: [1.3, -2.1, 1.7], about: [0, 0, 0]}\n";

static uint64_t seed;

/* velocities that the constraints allow at x */
static void random_direction(const verify *v, gos_work *w, const gos_state *x, double *z) {
    gos_state *y;
    double unused;
    verify_good(v, gos_state_create(v->ctx, v->sys, &y));
    gos_state_copy(y, x);
    for (int i = 0; i < v->sys->nq; i++) {
        y->v[i] = random_uniform(&seed);
    }
    verify_good(v, gos__consistent_velocity(v->ctx, w, y, y->t, &unused));
    memcpy(z, y->v, (size_t)v->sys->nq * sizeof *z);
    gos_state_destroy(y);
}

/* the state moved by eps (z, w), back on the constraints, with its accelerations */
static void moved(const verify *v, gos_work *w, double eps, const double *z, const double *rate,
                  gos_state *y) {
    double unused;
    gos_state_copy(y, v->state);
    for (int i = 0; i < v->sys->nq; i++) {
        y->q[i] += eps * z[i];
        y->v[i] += eps * rate[i];
    }
    verify_good(v, gos__consistent_position(v->ctx, w, y, y->t));
    verify_good(v, gos__consistent_velocity(v->ctx, w, y, y->t, &unused));
    verify_good(v, gos__consistent(v->ctx, w, y, y->t));
}

/* central differences of velocities, accelerations and probes; NULL: not wanted */
static void differences(const verify *v, gos_work *w, const double *z, const double *rate,
                        double *dv, double *da, double *dy) {
    const double eps = 1e-5;
    gos_state *a, *b;
    verify_good(v, gos_state_create(v->ctx, v->sys, &a));
    verify_good(v, gos_state_create(v->ctx, v->sys, &b));
    moved(v, w, eps, z, rate, a);
    moved(v, w, -eps, z, rate, b);
    for (int i = 0; i < v->sys->nq; i++) {
        dv[i] = (a->v[i] - b->v[i]) / (2 * eps);
        da[i] = (a->a[i] - b->a[i]) / (2 * eps);
    }
    for (int p = 0; p < 3 && dy; p++) {
        double ya[GOS_PROBE_MAX], yb[GOS_PROBE_MAX];
        verify_good(v, gos_system_probe(v->ctx, v->sys, a, p, ya, NULL));
        verify_good(v, gos_system_probe(v->ctx, v->sys, b, p, yb, NULL));
        for (int c = 0; c < 3; c++) {
            dy[3 * p + c] = (ya[c] - yb[c]) / (2 * eps);
        }
    }
    gos_state_destroy(a);
    gos_state_destroy(b);
}

static double form(const gos_linear *l, gos_block block, const double *x, const double *y) {
    const gos_sparse *A = &l->block[block];
    double sum = 0;
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            sum += x[A->i[k]] * A->x[k] * y[j];
        }
    }
    return sum;
}

/* For free directions z, x and velocities w in the free directions, with X z what the velocities
   gain where the free directions have turned:   x^T (M da + D w + K z) + (X x)^T M (X z) = 0, where
   da are the true differences of accelerations; and Y_q z + Y_v w is that of outputs. */
static void test_chain(void **unused) {
    GOS_UNUSED(unused);
    enum { TRIES = 4 };
    verify v;
    gos_work *w;
    gos_linear *l;
    double change;
    verify_text(&v, chain, NULL);
    verify_good(&v, gos__work_create(v.ctx, v.sys, &w));
    verify_good(&v, gos__consistent_velocity(v.ctx, w, v.state, 0, &change));
    verify_good(&v, gos__consistent(v.ctx, w, v.state, 0));
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    const size_t nq = (size_t)v.sys->nq;
    double *room = calloc(9 * nq, sizeof *room);
    double *z = room, *rate = z + nq, *x = rate + nq, *dv = x + nq, *da = dv + nq, *Xx = da + nq;
    double *zero = Xx + nq, *scratch = zero + nq, *Xz = scratch + nq;
    seed = 7;
    for (int t = 0; t < TRIES; t++) {
        double dy[9];
        random_direction(&v, w, v.state, z);
        random_direction(&v, w, v.state, rate);
        random_direction(&v, w, v.state, x);
        differences(&v, w, x, zero, Xx, scratch, NULL);
        differences(&v, w, z, rate, dv, da, dy);
        for (size_t i = 0; i < nq; i++) {
            Xz[i] = dv[i] - rate[i];
        }
        const double M = form(l, GOS_BLOCK_M, x, da), D = form(l, GOS_BLOCK_D, x, rate);
        const double K = form(l, GOS_BLOCK_K, x, z), turned = form(l, GOS_BLOCK_M, Xx, Xz);
        const double size = fabs(M) + fabs(D) + fabs(K);
        print_message("    M %g, D %g, K %g, turning %g\n", M, D, K, turned);
        assert_true(fabs(turned) > 1e-4 * size); // it can be missed
        verify_below("equation of motion", (M + D + K + turned) / size, 1e-8);
        for (int o = 0; o < 9; o++) {
            double sum = 0, most = 0;
            const gos_sparse *Y[] = {&l->block[GOS_BLOCK_Y_q], &l->block[GOS_BLOCK_Y_v]};
            const double *of[] = {z, rate};
            for (int b = 0; b < 2; b++) {
                for (int j = 0; j < Y[b]->n; j++) {
                    for (int k = Y[b]->p[j]; k < Y[b]->p[j + 1]; k++) {
                        if (Y[b]->i[k] == o) {
                            sum += Y[b]->x[k] * of[b][j];
                            most += fabs(Y[b]->x[k] * of[b][j]);
                        }
                    }
                }
            }
            if (!(fabs(sum - dy[o]) <= 1e-7 * most)) {
                print_error("output %d: %.12g is not %.12g\n", o, sum, dy[o]);
                fail();
            }
        }
    }
    free(room);
    gos_linear_destroy(l);
    gos__work_destroy(v.ctx, w);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pendulum),
                                       cmocka_unit_test(test_blade), cmocka_unit_test(test_chain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
