/* The linear model of a system: its blocks against differences of the residual, its names, flags,
 * shapes and errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "linalg/dense.h"
#include "solve/consistent.h"
#include "solve/moving_basis.h"
#include "support/modes.h"
#include "support/sparse.h"
#include "support/suite.h"

/* everything at once: two cables, a rigid body, joints, spring and damper, heat of several kinds */
static const char rich[] =
    "materials:\n"
    "  a: {density: 2000, young: 1.0e6, poisson: 0.3, conductivity: 1, specific_heat: 200, "
    "expansion: 1.0e-3, absorptivity: 0.8, emissivity: 0.6, damping: {normal: 0.02, shear: 0}}\n"
    "sections: {s: {type: rectangle, height: 0.03, width: 0.02}}\n"
    "bodies:\n"
    "  p: {type: ancf_cable, material: a, section: s, from: [0, 0, 0], to: [1, 0, 0], elements: "
    "3}\n"
    "  q: {type: ancf_cable, material: a, section: s, from: [1, 0, 0], to: [1, 1, 0], elements: "
    "2}\n"
    "  b: {type: rigid, mass: 0.3, inertia: [0.01, 0.02, 0.025], position: [0, 0, 0]}\n"
    "joints:\n"
    "  j: {type: spherical, between: [p.end, q.start], temperature: true}\n"
    "  r: {type: revolute, between: [b, p.start], at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "loads:\n"
    "  k: {type: spring, between: [p.start, q.end], stiffness: 30, damping: 2, free_length: 1.2}\n"
    "  m: {type: moment, on: q.end, moment: [0, 0.2, 0.3]}\n"
    "heat:\n"
    "  sun: {type: flux, value: 2.0e4, direction: [0.3, -1, 0.2], on: p}\n"
    "  air: {type: convection, coefficient: 20, on: q}\n"
    "gravity: [0, -9.81, 1]\n";

/* a state off balance: everything moves */
static void stir(fixture *f) {
    uint64_t seed = 42;
    gos_state *x = f->state;
    for (int i = 0; i < f->sys->nq; i++) {
        x->q[i] += 0.03 * random_uniform(&seed);
        x->v[i] = 0.5 * random_uniform(&seed);
    }
    for (int i = 0; i < f->sys->nt; i++) {
        x->th[i] = 20 * random_uniform(&seed);
    }
    for (int i = 0; i < f->sys->nc; i++) {
        x->lam[i] = 2 * random_uniform(&seed);
    }
}

/* d(residual of `row`) of a step in one unknown, by central differences */
static void difference(const fixture *f, gos_work *w, double *unknown, double step, double *forces,
                       double *heat) {
    const gos_system *s = f->sys;
    const gos_state *x = f->state;
    const size_t n = (size_t)s->n + 1;
    double *r = test_calloc(2 * n, sizeof *r);
    const double keep = *unknown;
    for (int side = 0; side < 2; side++) {
        double *q = r + (size_t)side * n, *th = q + s->nq, *c = th + s->nt, *h = c + s->nc;
        const gos_point_of point = {.t = x->t,
                                    .scale = 1,
                                    .q = x->q,
                                    .v = x->v,
                                    .th = x->th,
                                    .lam = x->lam,
                                    .lamT = x->lamT};
        const gos_residual to = {.q = q, .th = th, .c = c, .h = h};
        *unknown = keep + (side ? step : -step);
        need(f->ctx, gos__residual(w, &point, &to, NULL));
    }
    *unknown = keep;
    for (int i = 0; i < s->nq; i++) {
        forces[i] = (r[n + (size_t)i] - r[i]) / (2 * step);
    }
    for (int i = 0; i < s->nt; i++) {
        heat[i] = (r[n + (size_t)(s->nq + i)] - r[s->nq + i]) / (2 * step);
    }
    test_free(r);
}

/* compare columns j of two blocks with differences in unknown[j] */
static void check_columns(const fixture *f, gos_work *w, double *unknown, int n, double step,
                          const gos_sparse *force_block, const gos_sparse *heat_block) {
    const gos_system *s = f->sys;
    double *forces = test_calloc((size_t)s->nq, sizeof *forces);
    double *heat = test_calloc((size_t)s->nt + 1, sizeof *heat);
    const double scale[] = {gos__sparse_largest(force_block), gos__sparse_largest(heat_block)};
    assert_true(scale[0] > 0 && scale[1] > 0);
    for (int j = 0; j < n; j++) {
        difference(f, w, &unknown[j], step, forces, heat);
        for (int i = 0; i < s->nq; i++) {
            near_abs_named("force", at(force_block, i, j), forces[i], 1e-7 * scale[0]);
        }
        for (int i = 0; i < s->nt; i++) {
            near_abs_named("heat", at(heat_block, i, j), heat[i], 1e-7 * scale[1]);
        }
    }
    test_free(forces);
    test_free(heat);
}

/* K without what the turning of free directions adds to it, D X - X^T M X
 * (verify/test_linear_motion) */
static void plain_stiffness(const fixture *f, gos_work *w, gos_sparse *K) {
    const gos_sparse *b = f->linear->block;
    const gos_point_of at = gos__state_point(f->state, 0);
    gos_moving_basis *basis;
    gos_sparse DX, S, less;
    need(f->ctx, gos__moving_basis_create(f->ctx, w, &at, &basis));
    assert_non_null(basis);
    need(f->ctx, gos__moving_basis_times(basis, &b[GOS_BLOCK_D], &DX));
    need(f->ctx, gos__moving_basis_square(basis, &S));
    need(f->ctx, gos__sparse_sum(f->ctx, 1, &b[GOS_BLOCK_K], -1, &DX, &less));
    need(f->ctx, gos__sparse_sum(f->ctx, 1, &less, 1, &S, K));
    gos__sparse_free(f->ctx, &DX);
    gos__sparse_free(f->ctx, &S);
    gos__sparse_free(f->ctx, &less);
    gos__moving_basis_destroy(basis);
}

/* blocks as gos_linearise takes them, at the multipliers of the state: they must balance it, so the
   accelerations are made for them */
static void test_blocks(void **unused) {
    GOS_UNUSED(unused);
    fixture f = read_model(rich, NULL, NULL);
    stir(&f);
    gos_work *w;
    need(f.ctx, gos__work_create(f.ctx, f.sys, &w));
    need(f.ctx, gos__consistent(f.ctx, w, f.state, 0));
    linearise(&f);
    const gos_sparse *b = f.linear->block;
    const gos_system *s = f.sys;
    gos_sparse K;
    plain_stiffness(&f, w, &K);
    check_columns(&f, w, f.state->q, s->nq, 1e-6, &K, &b[GOS_BLOCK_H_q]);
    gos__sparse_free(f.ctx, &K);
    check_columns(&f, w, f.state->th, s->nt, 1e-3, &b[GOS_BLOCK_G], &b[GOS_BLOCK_K_T]);
    // damping has no heat here: viscous heating is off, and so H_v is empty
    double *forces = test_calloc((size_t)s->nq, sizeof *forces);
    double *heat = test_calloc((size_t)s->nt, sizeof *heat);
    for (int j = 0; j < s->nq; j++) {
        difference(&f, w, &f.state->v[j], 1e-4, forces, heat);
        for (int i = 0; i < s->nq; i++) {
            near_abs_named("damping", at(&b[GOS_BLOCK_D], i, j), forces[i],
                           1e-7 * gos__sparse_largest(&b[GOS_BLOCK_D]));
        }
    }
    assert_int_equal(b[GOS_BLOCK_H_v].nnz, 0);
    test_free(forces);
    test_free(heat);
    // the constant ones
    for (int i = 0; i < s->nv; i++) {
        for (int k = s->mass.p[i]; k < s->mass.p[i + 1]; k++) {
            for (int c = 0; c < 3; c++) {
                assert_true(at(&b[GOS_BLOCK_M], 3 * i + c, 3 * s->mass.j[k] + c) == s->mass.v[k]);
            }
        }
    }
    double *c = test_calloc((size_t)s->nc, sizeof *c), *Cv = test_calloc((size_t)s->nc, sizeof *Cv);
    const gos_point_of point = {.t = 0, .scale = 1, .q = f.state->q, .th = f.state->th};
    gos__constraint_apply(w, &point, f.state->v, c);
    gos__sparse_apply(&b[GOS_BLOCK_C], 1, f.state->v, Cv);
    for (int r = 0; r < s->nc; r++) {
        near_abs_named("C v", Cv[r], c[r], 1e-13);
    }
    test_free(c);
    test_free(Cv);
    gos__work_destroy(f.ctx, w);
    done(&f);
}

/* thermoelastic and viscous heat couple the velocity in */
static void test_heat_of_motion(void **unused) {
    GOS_UNUSED(unused);
    char text[4096];
    snprintf(text, sizeof text, "%sanalysis: {thermoelastic_heat: true, viscous_heating: true}\n",
             rich);
    fixture f = read_model(text, NULL, NULL);
    stir(&f);
    gos_work *w;
    need(f.ctx, gos__work_create(f.ctx, f.sys, &w));
    need(f.ctx, gos__consistent(f.ctx, w, f.state, 0));
    linearise(&f);
    check_columns(&f, w, f.state->v, f.sys->nq, 1e-4, &f.linear->block[GOS_BLOCK_D],
                  &f.linear->block[GOS_BLOCK_H_v]);
    gos__work_destroy(f.ctx, w);
    done(&f);
}

/* without damping D is exactly empty, not small */
static void test_no_damping(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        "parameters: {g: 0}\n"
        "materials: {m: {density: 7800, young: 2.0e11, poisson: 0.3, damping: {normal: g, shear: "
        "0}}}\n"
        "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
        "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
        "elements: 4}}\n";
    fixture f = linear_model(text, NULL, NULL);
    assert_int_equal(f.linear->block[GOS_BLOCK_D].nnz, 0);
    done(&f);
    // and a faint one is not lost beside the stiffness: D = g K at rest
    f = linear_model(text, NAMES("g"), VALUES(1e-12));
    const gos_sparse *D = &f.linear->block[GOS_BLOCK_D], *K = &f.linear->block[GOS_BLOCK_K];
    for (int j = 0; j < D->n; j++) {
        for (int k = D->p[j]; k < D->p[j + 1]; k++) {
            near_abs_named("damping", D->x[k], 1e-12 * at(K, D->i[k], j),
                           1e-25 * gos__sparse_largest(K));
        }
    }
    assert_true(D->nnz > 0);
    done(&f);
}

static void test_names(void **unused) {
    GOS_UNUSED(unused);
    fixture f = linear_model(rich, NULL, NULL);
    gos_linear_info info;
    gos_matrix_view view;
    char name[64];
    gos_linear_info_get(f.linear, &info);
    assert_int_equal(info.coordinates, 6 * 4 + 6 * 3 + 12);
    assert_int_equal(info.temperatures, 3 * 7);
    assert_int_equal(info.constraints, f.sys->nc);
    assert_int_equal(info.temperature_constraints, 1);
    near_rel_named("mass", info.mass, 2000 * 6e-4 * 2 + 0.3, 1e-14);
    const struct {
        int i;
        const char *name;
    } names[] = {{0, "p.node(0).position.x"},
                 {5, "p.node(0).slope.z"},
                 {24, "q.node(0).position.x"},
                 {42, "b.position.x"},
                 {46, "b.a1.y"},
                 {53, "b.a3.z"},
                 {54, ""},
                 {-1, ""}};
    for (int i = 0; i < GOS_COUNT(names); i++) {
        gos_linear_coordinate(f.linear, names[i].i, name, sizeof name);
        assert_string_equal(name, names[i].name);
    }
    gos_linear_temperature(f.linear, 4, name, sizeof name);
    assert_string_equal(name, "p.node(1).T_y");
    gos_linear_temperature(f.linear, 21, name, sizeof name);
    assert_string_equal(name, "");
    gos_linear_block(f.linear, GOS_BLOCK_G, &view);
    assert_true(view.rows == info.coordinates && view.columns == info.temperatures);
    assert_true(view.entries > 0 && view.start[view.columns] == view.entries);
    // the part of the moment along the cable has no potential
    assert_false(info.symmetric);
    done(&f);
}

/* M-orthonormal, on the constraints, with the frequencies that belong to them; on both ways */
static void test_shapes(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        "parameters: {n: 8}\n"
        "materials: {m: {density: 2000, young: 1.0e8, poisson: 0.3}}\n"
        "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
        "bodies:\n"
        "  p: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
        "elements: n}\n"
        "  b: {type: rigid, mass: 0.3, inertia: [0.01, 0.02, 0.025], position: [1, 0, 0]}\n"
        "joints:\n"
        "  j: {type: revolute, between: [b, p.end], at: [1, 0, 0], axis: [0, 0, 1]}\n"
        "  g: {type: spherical, between: [ground, p.start]}\n"
        "gravity: [0, -9.81, 0]\n";
    const double size[] = {8, 80};
    for (int run = 0; run < 2; run++) {
        enum { N = 12 };
        fixture f = linear_model(text, NAMES("n"), VALUES(size[run]));
        const size_t n = (size_t)f.linear->nq;
        double *X = test_malloc(n * N * sizeof *X), *MX = test_malloc(n * N * sizeof *X);
        gos_mode mode[N];
        int found;
        need(f.ctx, gos_linear_shapes(f.ctx, f.linear, N, mode, X, &found));
        assert_int_equal(found, N);
        gos__sparse_apply(&f.linear->M, N, X, MX);
        for (int a = 0; a < N; a++) {
            for (int b = 0; b < N; b++) {
                double dot = 0;
                for (size_t i = 0; i < n; i++) {
                    dot += X[(size_t)a * n + i] * MX[(size_t)b * n + i];
                }
                near_abs_named("x M x", dot, a == b, 1e-9);
            }
            double c[32];
            gos__sparse_apply(&f.linear->block[GOS_BLOCK_C], 1, X + (size_t)a * n, c);
            for (int r = 0; r < f.linear->nc; r++) {
                near_abs_named("C x", c[r], 0, 1e-10);
            }
            double Kx = 0, *y = test_malloc(n * sizeof *y);
            gos__sparse_apply(&f.linear->K, 1, X + (size_t)a * n, y);
            for (size_t i = 0; i < n; i++) {
                Kx += X[(size_t)a * n + i] * y[i];
            }
            // rounding of K: eps 1e7, of the axial stiffness over the mass
            near_abs_named("x K x", Kx, mode[a].omega * mode[a].omega, 1e-7 + 1e-9 * Kx);
            test_free(y);
        }
        // the modes alone are the same
        gos_mode again[N];
        get_modes(&f, N, false, again);
        assert_memory_equal(mode, again, sizeof mode);
        test_free(X);
        test_free(MX);
        done(&f);
    }
}

/* damped modes of the projection against the whole first-order problem by LAPACK */
static void test_damped_whole(void **unused) {
    GOS_UNUSED(unused);
    enum { N = 24, M2 = 2 * N };
    static const char text[] =
        "materials:\n"
        "  m: {density: 2000, young: 1.0e6, poisson: 0.3, damping: {normal: 0.01, shear: 0}}\n"
        "sections: {s: {type: rectangle, height: 0.02, width: 0.03}}\n"
        "bodies: {p: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
        "elements: 3}}\n"
        "loads:\n"
        "  k: {type: spring, between: [ground, p.end], at: [1, 0.5, 0], stiffness: 20, damping: "
        "1}\n"
        "  l: {type: spring, between: [ground, p.start], at: [0, 0, 0.5], stiffness: 20}\n"
        "gravity: [0, -9.81, 0]\n";
    fixture f = linear_model(text, NULL, NULL);
    assert_int_equal(f.linear->nq, N);
    // z' = A z with z = (q, q'), M = L L^T not needed: solve with M by LAPACK's pencil of (M, 1)
    double *Mi = test_calloc(N * N, sizeof *Mi), *A = test_calloc(M2 * M2, sizeof *A);
    double *V = test_calloc(M2 * M2, sizeof *V), w[N], re[M2], im[M2];
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            Mi[j * N + i] = at(&f.linear->block[GOS_BLOCK_M], i, j);
        }
    }
    need(f.ctx, gos__dense_symmetric(f.ctx, N, Mi, w));
    for (int j = 0; j < N; j++) {
        A[(N + j) * M2 + j] = 1;
        for (int e = 0; e < N; e++) {
            double k = 0, d = 0;
            for (int i = 0; i < N; i++) {
                k += Mi[e * N + i] * at(&f.linear->block[GOS_BLOCK_K], i, j) / w[e];
                d += Mi[e * N + i] * at(&f.linear->block[GOS_BLOCK_D], i, j) / w[e];
            }
            for (int i = 0; i < N; i++) {
                A[j * M2 + N + i] -= Mi[e * N + i] * k;
                A[(N + j) * M2 + N + i] -= Mi[e * N + i] * d;
            }
        }
    }
    need(f.ctx, gos__dense_general(f.ctx, M2, A, re, im, V));
    gos_mode mode[M2];
    int found;
    need(f.ctx, gos_linear_modes(f.ctx, f.linear, M2, true, mode, &found));
    int roots = 0;
    for (int k = 0; k < found; k++) {
        double nearest = HUGE_VAL;
        for (int i = 0; i < M2; i++) {
            nearest = fmin(nearest, hypot(re[i] - mode[k].re, im[i] - mode[k].im));
        }
        // a double zero is defective: LAPACK's has the root of the rounding
        const double size = hypot(mode[k].re, mode[k].im);
        near_abs_named("root", nearest, 0, mode[k].rigid ? 1e-4 : 1e-8 * (1 + size));
        roots += mode[k].im > 0 || mode[k].rigid ? 2 : 1;
        assert_true(k == 0 || mode[k].omega >= mode[k - 1].omega);
    }
    assert_int_equal(roots, M2); // each once
    test_free(Mi);
    test_free(A);
    test_free(V);
    done(&f);
}

/* two free bodies joined by a damper alone: one direction of motion is slowed down, eleven are
   not */
static void test_slowed_rigid_mode(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        "bodies:\n"
        "  a: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.25], position: [0, 0, 0]}\n"
        "  b: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.25], position: [1, 0, 0]}\n"
        "loads: {s: {type: spring, between: [a, b], stiffness: 0, damping: 4}}\n";
    fixture f = linear_model(text, NULL, NULL);
    gos_mode mode[13];
    get_modes(&f, 13, true, mode);
    for (int k = 0; k < 13; k++) {
        assert_true(mode[k].rigid && mode[k].omega == 0 && mode[k].im == 0 && mode[k].damping == 0);
        near_abs_named("root", mode[k].re, k < 12 ? 0 : -4, 1e-12);
    }
    done(&f);
}

/* the initial state has no multipliers yet: they are made */
static void test_balance(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        "bodies: {b: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.25], position: [0, -0.5, 0], "
        "angular_velocity: [0, 0, 1]}}\n"
        "joints: {j: {type: revolute, between: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
        "gravity: [0, -9.81, 0]\n";
    fixture f = linear_model(text, NULL, NULL);
    assert_int_equal(gos_ctx_ndiag(f.ctx), 0);
    for (int i = 0; i < f.sys->nc; i++) {
        assert_true(f.state->lam[i] == 0); // the caller's state is left alone
    }
    assert_true(f.linear->K.nnz > 0);
    gos_state *other;
    gos_system *sys;
    gos_linear *linear;
    need(f.ctx, gos_system_create(f.ctx, f.model, &sys));
    need(f.ctx, gos_state_create(f.ctx, sys, &other));
    assert_int_equal(gos_linearise(f.ctx, f.sys, other, &linear), GOS_E_USE);
    gos_mode mode;
    int found = 7;
    assert_int_equal(gos_linear_modes(f.ctx, f.linear, 0, false, &mode, &found), GOS_E_USE);
    assert_int_equal(found, 0);
    gos_state_destroy(other);
    gos_system_destroy(sys);
    done(&f);
}

/* insulated rod: kappa (i pi / L)^2 along it, 12 kappa / h^2 of the linear families; one end
   held at a temperature: kappa ((i - 1/2) pi / L)^2. Linear elements: too large by (k h)^2 /
   12. */
static void test_thermal_modes(void **unused) {
    GOS_UNUSED(unused);
    static const char free_rod[] =
        "materials: {m: {density: 2000, young: 1.0e8, poisson: 0.3, conductivity: 30, "
        "specific_heat: 150}}\n"
        "sections: {s: {type: rectangle, height: 0.1, width: 0.1}}\n"
        "bodies: {p: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
        "elements: 160}}\n";
    char held[2048];
    snprintf(held, sizeof held, "%sheat: {t: {type: temperature, on: p.start, value: 0}}\n",
             free_rod);
    const double kappa = 30.0 / (2000 * 150), h = 1.0 / 160;
    for (int run = 0; run < 2; run++) {
        enum { N = 5 };
        fixture f = linear_model(run ? held : free_rod, NULL, NULL);
        const size_t n = (size_t)f.linear->nt;
        double rate[N], *X = test_malloc(n * N * sizeof *X), *CX = test_malloc(n * sizeof *X);
        int found;
        need(f.ctx, gos_linear_thermal_modes(f.ctx, f.linear, N, rate, X, &found));
        assert_int_equal(found, N);
        for (int i = 0; i < N; i++) {
            const double k = (run ? i + 0.5 : i) * M_PI;
            near_rel_named("rate", rate[i], kappa * k * k, k * k * h * h / 10 + 1e-9);
            assert_true(run || (rate[i] == 0) == (i == 0));
            double dot = 0;
            gos__sparse_apply(&f.linear->block[GOS_BLOCK_C_T], 1, X + (size_t)i * n, CX);
            for (size_t j = 0; j < n; j++) {
                dot += X[(size_t)i * n + j] * CX[j];
            }
            near_rel_named("x C x", dot, 1, 1e-10);
        }
        test_free(X);
        test_free(CX);
        done(&f);
    }
    // a model without temperatures has none
    fixture f =
        linear_model("bodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\n", NULL, NULL);
    double rate;
    int found = 3;
    need(f.ctx, gos_linear_thermal_modes(f.ctx, f.linear, 1, &rate, NULL, &found));
    assert_int_equal(found, 0);
    done(&f);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_heat_of_motion),
        cmocka_unit_test(test_no_damping),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_damped_whole),
        cmocka_unit_test(test_slowed_rigid_mode),
        cmocka_unit_test(test_balance),
        cmocka_unit_test(test_thermal_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
