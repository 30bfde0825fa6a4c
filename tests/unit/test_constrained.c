/* Mass and capacity with the constraints solved by the parts of Newton's matrix: equal to KLU's
   solution, also where the factorisation is of another matrix, the matrix is not symmetric, or heat
   is steady; singular ones end in the same words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solve/consistent.h"
#include "solve/newton_solver.h"
#include "support/newton_matrix.h"
#include "support/suite.h"

/* cables, a rigid body, a drive, prescribed temperatures */
static const char rich[] =
    "materials: {a: {density: 2000, young: 1.0e6, poisson: 0.3, conductivity: 1, specific_heat: "
    "200,\n"
    "  expansion: 1.0e-3}}\n"
    "sections: {s: {type: rectangle, height: 0.03, width: 0.02}}\n"
    "bodies:\n"
    "  p: {type: ancf_cable, material: a, section: s, from: [0, 0, 0], to: [1, 0, 0], elements: "
    "5}\n"
    "  q: {type: ancf_cable, material: a, section: s, from: [1, 0, 0], to: [1, 1, 0], elements: "
    "3}\n"
    "  b: {type: rigid, mass: 0.3, inertia: [0.01, 0.02, 0.025], position: [0, 0, 0]}\n"
    "joints:\n"
    "  j: {type: spherical, between: [p.end, q.start], temperature: true}\n"
    "  r: {type: revolute, between: [b, p.start], at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  d: {type: driven, between: [ground, q.end], displacement: [0, 0.1*sin(t), 0]}\n"
    "%s"
    "gravity: [0, -9.81, 1]\n"
    "analysis: {end: 1}\n";

typedef struct solving {
    verify v;
    gos_work *w, *plain; // with and without parts
    unsigned char *heat;
    gos_newton_solver *parts;
    gos_constrained a, b;
} solving;

static void open(solving *f, const char *more) {
    char text[3000];
    *f = (solving){0};
    (void)snprintf(text, sizeof text, rich, more);
    verify_text(&f->v, text, NULL);
    const gos_system *s = f->v.sys;
    assert_true(s->nt > 0 && s->nc > 0 && !s->pattern.dense);
    f->heat = calloc((size_t)s->n, 1);
    assert_non_null(f->heat);
    memset(f->heat + s->at.th, 1, (size_t)s->nt);
    memset(f->heat + s->at.lamT, 1, (size_t)s->nh);
    verify_good(&f->v, gos__work_create(f->v.ctx, s, &f->w));
    verify_good(&f->v, gos__work_create(f->v.ctx, s, &f->plain));
    verify_good(&f->v, gos__newton_solver_create(f->v.ctx, &s->pattern, f->heat, &f->parts));
    f->w->parts = f->parts;
}

static void make(solving *f) {
    const gos_point_of x = gos__state_point(f->v.state, 0.3);
    verify_good(&f->v, gos__constrained_make(f->v.ctx, f->w, &x, &f->a));
    verify_good(&f->v, gos__constrained_make(f->v.ctx, f->plain, &x, &f->b));
}

static void forget(solving *f) {
    gos__constrained_free(f->v.ctx, &f->a);
    gos__constrained_free(f->v.ctx, &f->b);
    f->a = f->b = (gos_constrained){0};
}

static void leave(solving *f) {
    forget(f);
    gos__newton_solver_destroy(f->parts);
    gos__work_destroy(f->v.ctx, f->w);
    gos__work_destroy(f->v.ctx, f->plain);
    free(f->heat);
    verify_close(&f->v);
}

/* two right-hand sides, the same for both. @return largest difference, relative to the largest of
 * each kind of unknown */
static double differ(solving *f) {
    const gos_system *s = f->v.sys;
    const int n = s->n, at[] = {0, s->at.th, s->at.lam, n};
    uint64_t seed = 5;
    double *x = calloc(4 * (size_t)n, sizeof *x), *y = x + 2 * n, worst = 0;
    assert_non_null(x);
    random_fill(&seed, 2 * n, 1, x);
    memcpy(y, x, 2 * (size_t)n * sizeof *x);
    verify_good(&f->v, gos__constrained_solve(f->v.ctx, &f->a, 2, x));
    verify_good(&f->v, gos__constrained_solve(f->v.ctx, &f->b, 2, y));
    for (int k = 0; k < 6; k++) {
        double most = 0, off = 0;
        for (int i = at[k % 3] + k / 3 * n; i < at[k % 3 + 1] + k / 3 * n; i++) {
            most = fmax(most, fabs(y[i]));
            off = fmax(off, fabs(x[i] - y[i]));
        }
        worst = fmax(worst, off / most);
    }
    free(x);
    return worst;
}

/* 1e-10: rounding of both, of matrices whose condition is about 1e5 in each part */
#define SAME 1e-10

static void test_parts(void **state) {
    (void)state;
    solving f;
    open(&f, "heat: {t: {type: temperature, value: 20, on: p.start}}\n");
    assert_true(f.v.sys->nh > 0);
    make(&f);
    verify_below("mass and capacity with their rows", differ(&f), SAME);
    assert_true(!f.a.tried && !f.a.solver && gos__newton_solver_in_parts(f.parts));
    forget(&f);
    // a moment later: corrections by the same factorisation
    gos_state *x = f.v.state;
    for (int i = 0; i < f.v.sys->nq; i++) {
        x->q[i] += 1e-4 * sin(i);
    }
    make(&f);
    verify_below("a moment later", differ(&f), SAME);
    assert_true(!f.a.tried && !f.a.solver);
    leave(&f);
}

/* what another factorisation cannot correct is factorised: Newton's matrix of a step, as at
 * restarts */
static void test_other_factors(void **state) {
    (void)state;
    solving f;
    open(&f, "");
    const gos_point_of x = gos__state_point(f.v.state, 0);
    const gos_newton_factors stiff = {.m = 1, .k = 1, .cm = 1, .ck = 1, .lam = 1, .lamT = 1};
    gos__jacobian(f.w, &x, &stiff);
    verify_good(&f.v, gos__newton_solver_factor(f.parts, f.w->values, false));
    make(&f);
    verify_below("after Newton's matrix", differ(&f), SAME);
    assert_true(!f.a.tried && !f.a.solver);
    leave(&f);
}

/* mass that is not symmetric: corrections find out, KLU takes what they do not bear */
static void test_skew(void **state) {
    (void)state;
    for (int much = 0; much < 2; much++) {
        solving f;
        open(&f, "");
        make(&f);
        const gos_pattern *a = &f.v.sys->pattern;
        int changed = 0;
        for (int k = a->p[0]; k < a->p[3]; k++) {
            if (a->i[k] > 2 && a->i[k] < f.v.sys->at.th && f.w->values[k] != 0) {
                f.w->values[k] *= much ? -30 : 1 + 1e-6;
                f.plain->values[k] = f.w->values[k];
                changed++;
            }
        }
        assert_true(changed > 0);
        verify_below(much ? "far from symmetric" : "nearly symmetric", differ(&f), SAME);
        assert_true(f.a.tried == (much != 0) && (f.a.solver != NULL) == (much != 0));
        leave(&f);
    }
}

/* conduction in the place of the capacity */
static void test_steady(void **state) {
    (void)state;
    solving f;
    open(&f, "heat: {t: {type: temperature, value: 20, on: p.start}, air: {type: convection, "
             "coefficient: 20, on: q}}\n");
    ((gos_system *)(uintptr_t)f.v.sys)->steady_heat = true;
    make(&f);
    verify_below("steady heat", differ(&f), SAME);
    leave(&f);
}

/* zero: all that touches unknowns i to i + 2 */
static void clear(solving *f, int i) {
    const gos_pattern *a = &f->v.sys->pattern;
    for (int j = 0; j < a->n; j++) {
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            if ((j >= i && j < i + 3) || (a->i[k] >= i && a->i[k] < i + 3)) {
                f->w->values[k] = f->plain->values[k] = 0;
            }
        }
    }
}

static double *value_at(const solving *f, double *values, int i, int j) {
    const gos_pattern *a = &f->v.sys->pattern;
    for (int k = a->p[j]; k < a->p[j + 1]; k++) {
        if (a->i[k] == i) {
            return values + k;
        }
    }
    return NULL;
}

/* do rows i and i + 1 touch the same? */
static bool alike(const solving *f, int i) {
    for (int j = 0; j < f->v.sys->nq; j++) {
        if ((value_at(f, f->w->values, i, j) == NULL) !=
            (value_at(f, f->w->values, i + 1, j) == NULL)) {
            return false;
        }
    }
    return true;
}

/* the axis is held twice across the same direction */
static void repeat(solving *f) {
    const gos_system *s = f->v.sys;
    int i = s->at.lam, rows = 0;
    while (!alike(f, i)) {
        assert_true(++i < s->at.lam + s->nc - 1);
    }
    for (int j = 0; j < s->nq; j++) {
        for (int k = 0; k < 4; k++) {
            double *values = k % 2 == 0 ? f->w->values : f->plain->values;
            double *from = k < 2 ? value_at(f, values, i, j) : value_at(f, values, j, i);
            double *to = k < 2 ? value_at(f, values, i + 1, j) : value_at(f, values, j, i + 1);
            if (to) {
                *to = *from;
                rows += *to != 0;
            }
        }
    }
    assert_true(rows > 0);
}

/* a row that holds nothing, one that says what another does, and a node without mass: words of KLU,
 * with and without parts */
static void test_singular(void **state) {
    (void)state;
    for (int at = 0; at < 3; at++) {
        char words[2][400];
        solving f;
        open(&f, "");
        make(&f);
        if (at == 2) {
            repeat(&f);
        } else {
            clear(&f, at == 0 ? f.v.sys->at.lam : 0);
        }
        double *x = calloc((size_t)f.v.sys->n, sizeof *x);
        assert_non_null(x);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(gos__constrained_solve(f.v.ctx, k == 0 ? &f.a : &f.b, 1, x),
                             GOS_E_SINGULAR);
            (void)snprintf(words[k], sizeof words[k], "%s", gos_ctx_message(f.v.ctx));
        }
        print_message("  %s\n", words[0]);
        assert_true(f.a.tried);
        assert_non_null(strstr(words[0], "the accelerations are not unique"));
        assert_string_equal(words[0], words[1]);
        free(x);
        leave(&f);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),    cmocka_unit_test(test_other_factors),
        cmocka_unit_test(test_skew),     cmocka_unit_test(test_steady),
        cmocka_unit_test(test_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
