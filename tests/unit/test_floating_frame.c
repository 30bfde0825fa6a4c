/* Floating frames in the builder: against a floating beam, closed forms of a corner, what is
 * refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "floating/floating.h"
#include "support/items.h"
#include "support/suite.h"

#define BEAMS                                                                                      \
    "materials: {m: {density: 7800, young: 2.0e11, poisson: 0.3}}\n"                               \
    "sections: {bar: {type: general, area: 2.0e-4, Iy: 3.0e-9, Iz: 1.0e-9, J: 2.0e-9}}\n"

/* the first member of the data of all floating bodies */
static const gos_flex *flex_of(const fixture *f, int body) {
    return ((const gos_floating_body *)f->b.body[body]->par)->flex;
}

static void open_ok(fixture *f, const char *bodies) {
    char model[3000];
    snprintf(model, sizeof model, BEAMS "bodies:\n%s", bodies);
    const gos_status status = make_with(f, NULL, false, model);
    if (status != GOS_OK) {
        print_error("%s\n", gos_ctx_message(f->ctx));
    }
    assert_int_equal(status, GOS_OK);
}

static int node_of(fixture *f, const char *place) {
    gos_location p;
    assert_int_equal(gos__locate(&f->b, place, (gos_loc){0}, "", &p), GOS_OK);
    return p.node;
}

/* displacement along q of a node by a unit force along c at one */
static double response(const gos_flex *f, int from, int c, int to, int q) {
    gos_linear *l;
    const gos_flex_input in[2] = {{GOS_FLEX_FORCE, c, 0, from}, {GOS_FLEX_FORCE, q, 0, to}};
    gos_flex_port port[2];
    double *load = calloc((size_t)(2 * f->n), sizeof *load), H[2], zero = 0;
    for (int i = 0; i < 2; i++) {
        port[i] = (gos_flex_port){"a", "", load + i * f->n, NULL};
        gos__flex_load(f, &in[i], 1, load + i * f->n);
    }
    assert_int_equal(gos__flex_linear(f, 1, port, 1, port + 1, &l), GOS_OK);
    assert_int_equal(gos_linear_response(f->ctx, l, 1, &zero, H), GOS_OK);
    gos_linear_destroy(l);
    free(load);
    return H[0];
}

static void frequencies(const gos_flex *f, int n, double *omega) {
    gos_linear *l;
    gos_mode mode[16];
    int found;
    assert_int_equal(gos__flex_linear(f, 0, NULL, 0, NULL, &l), GOS_OK);
    assert_int_equal(gos_linear_modes(f->ctx, l, n, false, mode, &found), GOS_OK);
    assert_int_equal(found, n);
    for (int i = 0; i < n; i++) {
        omega[i] = mode[i].omega;
    }
    gos_linear_destroy(l);
}

/* sum of the weights of a marker on the vector coordinate or made vector `number` */
static double weight_on(const gos_marker *m, int number) {
    double sum = 0;
    for (int j = 0; j < m->n; j++) {
        sum += m->idx[j] == number ? m->w[j] : 0;
    }
    return sum;
}

/* Two beams in line, one of them from its end to its start, are one beam: every reference,
 * frequencies, mass, statics. */
static void test_straight(void **state) {
    (void)state;
    static const char *const references[] = {"clamped", "chord", "mean_axis"};
    for (int i = 0; i < 3; i++) {
        fixture f;
        char bodies[1500];
        double want[8], got[8];
        snprintf(
            bodies, sizeof bodies,
            "  one: {type: floating_beam, material: m, section: bar, from: [1, 2, 3], to: [1, "
            "2, 4.5], elements: 6, normal: [0, 1, 0], reference: %s}\n"
            "  two: {type: floating_frame, material: m, section: bar, reference: %s, elements: "
            "2, points: {a: [1, 2, 3], b: [1, 2, 4], c: [1, 2, 4.5]}, beams: [{from: a, to: "
            "b, elements: 4, normal: [0, 1, 0]}, {from: c, to: b, normal: [0, 1, 0]}]}\n",
            references[i], references[i]);
        open_ok(&f, bodies);
        const gos_flex *one = flex_of(&f, 0), *two = flex_of(&f, 1);
        assert_int_equal(two->nnode, 8); // and the mean point
        assert_int_equal(two->n, one->n);
        assert_true(fabs(two->gram.x[0] - 7800 * 2e-4 * 1.5) <= 1e-12);
        frequencies(one, 8, want);
        frequencies(two, 8, got);
        for (int k = 0; k < 8; k++) {
            assert_true(fabs(got[k] - want[k]) <= 1e-7 * want[k]);
        }
        // global axes are those of the frame: x is -y of the beam's, whose y is z x axis
        const int tip = node_of(&f, "two.c"), end = node_of(&f, "one.end");
        if (i == 0) {
            assert_true(fabs(response(two, tip, 0, tip, 0) - response(one, end, 1, end, 1)) <=
                        1e-9);
            assert_true(fabs(response(two, tip, 1, tip, 1) - response(one, end, 2, end, 2)) <=
                        1e-9);
            assert_true(fabs(response(two, tip, 0, tip, 0) - 1.125 / 200) <= 1e-9);
        }
        drop(&f);
    }
}

/* A column of 1.5 m along z and an arm of 0.5 m along x, clamped at the foot: tip displacements by
   unit forces from the theory of beams, EI_y = 600 and EI_z = 200 N m^2 about local y and z, GJ =
   153.8, EA = 4e7. The column's local z is e2 by the rule for upright beams, the arm's is e3. */
static void test_corner(void **state) {
    (void)state;
    const double a = 1.5, b = 0.5, Ey = 600, Ez = 200, EA = 4e7, GJ = 2e11 / 2.6 * 2e-9;
    fixture f;
    open_ok(&f,
            "  k: {type: floating_frame, material: m, section: bar, reference: clamped, points: "
            "{foot: [0, 0, 0], corner: [0, 0, 1.5], tip: [0.5, 0, 1.5]}, beams: [{from: foot, "
            "to: corner}, {from: corner, to: tip}]}\n");
    const gos_flex *flex = flex_of(&f, 0);
    const int tip = node_of(&f, "k.tip");
    // forces along x bend the column about y (its local z), those along y about x
    const double want[3] = {a * a * a / (3 * Ez) + b / EA,
                            a * a * a / (3 * Ey) + b * b * b / (3 * Ez) + b * b * a / GJ,
                            b * b * b / (3 * Ey) + b * b * a / Ez + a / EA};
    for (int c = 0; c < 3; c++) {
        assert_true(fabs(response(flex, tip, c, tip, c) - want[c]) <= 1e-9 * want[c]);
    }
    // markers: the undeformed place; by first order the tip's own displacements; the arm draws back
    // along x, the column along z, and twist and bending of both move it along y
    gos_location p;
    gos_marker x;
    assert_int_equal(gos__locate(&f.b, "k.tip", (gos_loc){0}, "", &p), GOS_OK);
    assert_int_equal(gos__position(&f.b, &p, &x), GOS_OK);
    const gos_derived *derived = f.b.body[0]->derived;
    assert_true(fabs(weight_on(&x, derived->axis) - 0.5) <= 1e-15);
    assert_true(fabs(weight_on(&x, derived->axis + 2) - 1.5) <= 1e-15);
    double along[3] = {0};
    for (int j = 0; j < x.n; j++) {
        for (int c = 0; c < 3 && x.idx[j] < 0; c++) {
            for (int s = derived->n; s < derived->n + derived->nform; s++) {
                along[c] += derived->number[s][c] == x.idx[j] ? fabs(x.w[j]) : 0;
            }
        }
    }
    assert_true(along[0] > 0 && along[2] > 0 && along[1] > 0);
    drop(&f);
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *keys, *message;
    } bad[] = {
        {"points: {a: [0, 0, 0], b: [0, 0, 1]}, beams: []", "beams must be a list"},
        {"points: {a: [0, 0, 0]}, beams: [{from: a, to: a}]", "at least two"},
        {"points: {a: [0, 0, 0], b: [0, 0, 1]}, beams: [{from: a, to: c}]", "no point 'c'"},
        {"points: {a: [0, 0, 0], b: [0, 0, 1]}, beams: [{from: a}]", "to is missing"},
        {"points: {a: [0, 0, 0], b: [0, 0, 0]}, beams: [{from: a, to: b}]", "length"},
        {"points: {a: [0, 0, 0], frame: [0, 0, 1]}, beams: [{from: a, to: frame}]", "cannot name"},
        {"points: {a: [0, 0, 0], b: [0, 0, 1], c: [1, 0, 0]}, beams: [{from: a, to: b}]",
         "no beams connect point 'a' to point 'c'"},
        {"points: {a: [0, 0, 0], b: [0, 1]}, beams: [{from: a, to: b}]", "three coordinates"},
        {"points: {a: [0, 0, 0], b: [0, 0, 1]}, beams: [{from: a, to: b}], at: q", "no point 'q'"},
        {"points: {a: [0, 0, 0], b: [0, 0, 1]}, beams: [{from: a, to: b}], reference: chord, at: b",
         "chord starts and ends"},
    };
    for (int i = 0; i < GOS_COUNT(bad) + 1; i++) {
        const bool bare = i == GOS_COUNT(bad);
        char model[1500];
        fixture f;
        snprintf(model, sizeof model, BEAMS "bodies:\n  k: {type: floating_frame, %s%s}\n",
                 bare ? "points: {a: [0, 0, 0], b: [0, 0, 1]}, beams: [{from: a, to: b}], "
                      : bad[i].keys,
                 bare ? "section: bar" : ", material: m, section: bar");
        const gos_status status = make_with(&f, NULL, false, model);
        if (status != GOS_E_INPUT ||
            !strstr(gos_ctx_message(f.ctx), bare ? "has no material" : bad[i].message)) {
            print_error("%d: %s\n", i, gos_ctx_message(f.ctx));
            fail();
        }
        drop(&f);
    }
}

/* lowest frequencies of a beam along `along`, pulled at its end, its origin accelerated along it,
 * turning about `about` */
static void loaded_frequencies(const double along[3], const double about[3], gos_mode mode[4]) {
    fixture f;
    char bodies[400];
    gos_linear *l;
    gos_sparse K;
    int found;
    snprintf(bodies, sizeof bodies,
             "  a: {type: floating_frame, material: m, section: bar, reference: clamped,\n"
             "      points: {o: [0, 0, 0], e: [%.17g, %.17g, %.17g]},\n"
             "      beams: [{from: o, to: e, normal: [%.17g, %.17g, %.17g]}]}\n",
             along[0], along[1], along[2], about[0], about[1], about[2]);
    open_ok(&f, bodies);
    gos_flex loaded = *flex_of(&f, 0);
    const int end = node_of(&f, "a.e");
    assert_int_equal(gos__sparse_copy(f.ctx, &loaded.K, &K), GOS_OK);
    for (int i = 0; i < 3; i++) {
        const gos_flex_input pull = {GOS_FLEX_FORCE, i, 0, end},
                             push = {GOS_FLEX_ACCELERATION, i, 0, 0};
        assert_int_equal(gos__flex_stiffen(&loaded, &pull, 500 * along[i], &K), GOS_OK);
        assert_int_equal(gos__flex_stiffen(&loaded, &push, -900 * along[i], &K), GOS_OK);
        for (int j = i; j < 3; j++) {
            const gos_flex_input turn = {GOS_FLEX_CENTRIFUGAL, i, j, 0};
            assert_int_equal(gos__flex_stiffen(&loaded, &turn, 2500 * about[i] * about[j], &K),
                             GOS_OK);
        }
    }
    loaded.K = K;
    assert_int_equal(gos__flex_linear(&loaded, 0, NULL, 0, NULL, &l), GOS_OK);
    assert_int_equal(gos_linear_modes(f.ctx, l, 4, false, mode, &found), GOS_OK);
    gos_linear_destroy(l);
    gos__sparse_free(f.ctx, &K);
    drop(&f);
}

/* What loads change in the stiffness does not depend on the directions of the axes: products of
   different rates, and the places and deflections that they go with, are there in a beam across all
   of them only. */
static void test_loaded(void **state) {
    (void)state;
    static const double x[3] = {1, 0, 0}, z[3] = {0, 0, 1};
    static const double tilted[3] = {2. / 3, 1. / 3, 2. / 3}, about[3] = {1. / 3, 2. / 3, -2. / 3};
    gos_mode straight[4], across[4];
    loaded_frequencies(x, z, straight);
    loaded_frequencies(tilted, about, across);
    for (int k = 0; k < 4; k++) {
        print_message("%.10g %.10g\n", straight[k].omega, across[k].omega);
        assert_true(fabs(straight[k].omega - across[k].omega) <= 1e-9 * straight[k].omega);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight), cmocka_unit_test(test_corner),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_loaded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
