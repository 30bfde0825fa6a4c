/* The builder, markers and places, rigid bodies, joints and loads: what they add for what is asked,
   and how wrong entries are refused. Derivatives are the matter of the conformance test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "loads/load.h"
#include "support/items.h"
#include "support/suite.h"

static void near3(const double a[3], double x, double y, double z, double tol) {
    const double b[3] = {x, y, z};
    for (int k = 0; k < 3; ++k) {
        if (!(fabs(a[k] - b[k]) <= tol)) {
            print_error("component %d is %.17g, not %.17g\n", k, a[k], b[k]);
            fail();
        }
    }
}

/* ---- markers and lists ----------------------------------------------------------------------- */

static void test_markers(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    gos_arena *a = gos__arena_create(ctx);
    const double e[9] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0};
    const int idx[4] = {2, 0, 2, 1};
    const double w[4] = {1.0, 2.0, 0.5, 0.0}, off[3] = {0.1, 0.2, 0.3};
    gos_marker m, part[2];
    double x[3];
    assert_int_equal(gos__marker_make(a, 4, idx, w, off, &m), GOS_OK);
    assert_int_equal(m.n, 2); // merged, and the zero weight dropped
    gos__marker_value(&m, e, x);
    near3(x, 0.1 + 2.0 + 10.5, 0.2 + 4.0 + 12.0, 0.3 + 6.0 + 13.5, 1e-14);
    gos__marker_rate(&m, e, x);
    near3(x, 12.5, 16.0, 19.5, 1e-14);
    // a difference of equal markers is nothing
    part[0] = part[1] = m;
    const double factor[2] = {1.0, -1.0};
    assert_int_equal(gos__marker_sum(a, 2, part, factor, &part[0]), GOS_OK);
    assert_int_equal(part[0].n, 0);
    gos__marker_value(&part[0], e, x);
    near3(x, 0.0, 0.0, 0.0, 0.0);
    m = gos__marker_fixed(off);
    gos__marker_value(&m, NULL, x);
    near3(x, 0.1, 0.2, 0.3, 0.0);

    gos_tmarker t;
    const double th[3] = {1.0, 10.0, 100.0};
    assert_int_equal(gos__tmarker_make(a, 4, idx, w, &t), GOS_OK);
    assert_true(fabs(gos__tmarker_value(&t, th) - 152.0) < 1e-12);
    gos__arena_destroy(a);
    gos_ctx_destroy(ctx);
}

/* Of many vectors, one after the other from any place on or with gaps: the sums written out, to the
 * rounding of n of them. */
static void test_long_markers(void **unused) {
    GOS_UNUSED(unused);
    enum { MOST = 61, FIRST = 3 };
    double e[3 * (2 * MOST + FIRST)], w[MOST];
    int row[MOST], gaps[MOST];
    for (int i = 0; i < GOS_COUNT(e); i++) {
        e[i] = sin(1.0 + i);
    }
    for (int j = 0; j < MOST; j++) {
        w[j] = cos(2.0 * j);
        row[j] = FIRST + j;
        gaps[j] = j < MOST / 2 ? j : 2 * j;
    }
    for (int n = 1; n <= MOST; n++) {
        for (int way = 0; way < 2; way++) {
            const gos_marker m = {.n = n, .idx = way == 0 ? row : gaps, .w = w};
            double x[3], y[3] = {0}, kept[3] = {7, 7, 7};
            for (int j = 0; j < n; j++) {
                for (int c = 0; c < 3; c++) {
                    y[c] += w[j] * e[3 * m.idx[j] + c];
                }
            }
            gos__marker_rate(&m, e, x);
            near3(x, y[0], y[1], y[2], 2.3e-16 * n * n);
            const bool together = way == 0 || n <= MOST / 2;
            assert_int_equal(gos__kernel_marker(&m, e, kept), together);
            near3(kept, together ? y[0] : 7, together ? y[1] : 7, together ? y[2] : 7,
                  2.3e-16 * n * n);
        }
    }
}

static void test_lists(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    gos_builder b = {.ctx = ctx, .arena = gos__arena_create(ctx)};
    int first;
    for (int i = 0; i < 1000; ++i) {
        const double e[6] = {i, 0.0, 0.0, i, 1.0, 0.0};
        assert_int_equal(gos__add_vectors(&b, 2, e, 1.0, &first), GOS_OK);
        assert_int_equal(first, 2 * i);
        assert_int_equal(gos__add_temperatures(&b, 1, &first), GOS_OK);
        assert_int_equal(first, i);
        assert_int_equal(gos__add_symmetric(&b, &b.mass, i, i / 2, 1.0 + i), GOS_OK);
    }
    near3(b.e0[1999], 999.0, 1.0, 0.0, 0.0);
    near3(b.v0[1999], 0.0, 0.0, 0.0, 0.0);
    assert_true(b.trans[1999] == 1.0 && b.th0[999] == 0.0);
    assert_int_equal(b.mass.n, 1999); // (0, 0) is entered once
    assert_int_equal(b.mass.i[3], 2);
    assert_int_equal(b.mass.j[3], 1);
    // nonsense counts are refused and change nothing
    assert_int_equal(gos__add_vectors(&b, -1, NULL, 1.0, &first), GOS_E_LIMIT);
    assert_int_equal(gos__add_vectors(&b, INT32_MAX, NULL, 1.0, &first), GOS_E_LIMIT);
    assert_int_equal(b.nv, 2000);
    gos_arena *a = b.arena;
    gos__builder_release(&b);
    assert_int_equal(b.nv, 0);
    gos__arena_destroy(a);
    gos_ctx_destroy(ctx);
}

static void test_surface_needs_temperature(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, "bodies:\n"
                "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0],\n"
                "        to: [1, 0, 0], quadrature: reduced}\n"
                "  cold: {type: ancf_cable, material: steel, section: bar, from: [0, 0, 0],\n"
                "         to: [1, 0, 0]}\n");
    for (int i = 0; i < 2; ++i) { // points are made when all bodies are there
        assert_int_equal(f.b.body[i]->ops->finish(&f.b, f.b.body[i]), GOS_OK);
    }
    gos_surface s = {.name = "heat 'sun'"};
    assert_int_equal(gos__add_surface(&f.b, &(gos_location){.body = f.b.body[0]}, false, &s),
                     GOS_OK);
    assert_int_equal(gos__add_surface(&f.b, &(gos_location){.body = f.b.body[0]}, false, &s),
                     GOS_OK);
    int n = 0;
    for (int i = 0; i < f.b.npoints; ++i) { // two blocks, one has the surface
        n += f.b.points[i]->nsurf;
    }
    assert_int_equal(n, 2);
    assert_int_equal(gos__add_surface(&f.b, &(gos_location){.body = f.b.body[1]}, false, &s),
                     GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(f.ctx), "cold"));
    drop(&f);
}

/* ---- rigid bodies ---------------------------------------------------------------------------- */

#define RIGID                                                                                      \
    "  hub: {type: rigid, mass: 2, inertia: [0.2, 0.3, 0.4, 0.01, -0.02, 0.03],\n"                 \
    "        centre_of_mass: [0.1, -0.2, 0.3], position: [1, 2, 3],\n"                             \
    "        rotation_vector: [0.3, -0.5, 0.7], points: {tip: [0.1, 0.2, \"1/2\"]},\n"             \
    "        velocity: [0.5, 0.6, -0.7], angular_velocity: [1, -2, 3]}\n"

/* 1/2 v^T M v of the scalar mass triplets */
static double kinetic(const gos_builder *b) {
    double T = 0.0;
    for (int k = 0; k < b->mass.n; ++k) {
        T += 0.5 * b->mass.v[k] * gos__dot3(b->v0[b->mass.i[k]], b->v0[b->mass.j[k]]);
    }
    return T;
}

/* The mass matrix gives the kinetic energy of a body in rigid motion, 1/2 m v_c^2 + 1/2 w . I w. */
static void test_rigid_mass(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, "bodies:\n" RIGID);
    const gos_builder *b = &f.b;
    assert_int_equal(b->nv, 4);
    assert_true(b->trans[0] == 1.0 && b->trans[1] == 0.0);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            assert_true(fabs(gos__dot3(b->e0[1 + i], b->e0[1 + j]) - (i == j)) < 1e-15);
        }
    }
    double n[3];
    gos__cross3(b->e0[1], b->e0[2], n); // right-handed
    near3(n, b->e0[3][0], b->e0[3][1], b->e0[3][2], 1e-15);

    const double w[3] = {1.0, -2.0, 3.0}, c[3] = {0.1, -0.2, 0.3};
    const double I[9] = {0.2, 0.01, -0.02, 0.01, 0.3, 0.03, -0.02, 0.03, 0.4};
    double wb[3], wc[3], vc[3] = {0.5, 0.6, -0.7}, r[3] = {0.0, 0.0, 0.0}, T = 0.0;
    for (int j = 0; j < 3; ++j) {
        wb[j] = gos__dot3(w, b->e0[1 + j]);
        for (int k = 0; k < 3; ++k) {
            r[k] += c[j] * b->e0[1 + j][k];
        }
    }
    gos__cross3(w, r, wc);
    for (int k = 0; k < 3; ++k) {
        vc[k] += wc[k];
    }
    T = gos__dot3(vc, vc);
    for (int i = 0; i < 3; ++i) {
        T += 0.5 * wb[i] * gos__dot3(I + 3 * i, wb);
    }
    assert_true(fabs(kinetic(b) - T) < 1e-13 * T);
    assert_true(fabs(b->mass.v[0] - 2.0) < 1e-15);
    assert_int_equal(b->body[0]->rigid_item, 0);
    assert_int_equal(b->item[0]->nc, 6);
    drop(&f);
}

/* rotation about e3 by 90 degrees: a1 = e2, a2 = -e1 */
static void test_rigid_places(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, "bodies:\n"
                "  hub: {type: rigid, mass: 2, inertia: [1, 1, 2], position: [1, 2, 3],\n"
                "        rotation_vector: [0, 0, \"pi/2\"], centre_of_mass: [1, 0, 0],\n"
                "        points: {tip: [1, 2, 3]}}\n");
    gos_location p;
    gos_loc loc = {0};
    gos_marker m;
    double x[3];
    assert_int_equal(gos__locate(&f.b, "hub.tip", loc, "", &p), GOS_OK);
    near3(p.x, -1.0, 3.0, 6.0, 1e-15);
    assert_int_equal(gos__locate(&f.b, "hub", loc, "", &p), GOS_OK);
    assert_true(p.whole);
    near3(p.x, 1.0, 2.0, 3.0, 0.0);
    assert_int_equal(gos__locate(&f.b, "hub.centre", loc, "", &p), GOS_OK);
    near3(p.x, 1.0, 3.0, 3.0, 1e-15);
    assert_int_equal(gos__position(&f.b, &p, &m), GOS_OK);
    gos__marker_initial(&f.b, &m, x);
    near3(x, 1.0, 3.0, 3.0, 1e-15);
    const double d[3] = {0.0, 0.0, 2.0}, y[3] = {3.0, -4.0, 5.0};
    assert_int_equal(gos__direction(&f.b, &p, d, loc, "", &m), GOS_OK);
    assert_int_equal(m.n, 1); // a3 alone, no round-off of the others
    assert_int_equal(gos__direction(&f.b, &p, y, loc, "", &m), GOS_OK);
    gos__marker_initial(&f.b, &m, x);
    near3(x, 3.0, -4.0, 5.0, 1e-14);
    // a point that is carried along
    assert_int_equal(gos__carried_point(&f.b, &p, y, loc, "", &m), GOS_OK);
    gos__marker_initial(&f.b, &m, x);
    near3(x, 3.0, -4.0, 5.0, 1e-14);
    assert_int_equal(gos__locate(&f.b, "ground", loc, "", &p), GOS_OK);
    assert_null(p.body);
    assert_int_equal(gos__direction(&f.b, &p, y, loc, "", &m), GOS_OK);
    assert_int_equal(m.n, 0);
    drop(&f);
}

/* ---- joints ---------------------------------------------------------------------------------- */

#define BODIES                                                                                     \
    "bodies:\n" RIGID "  box: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [2, 0, 0],\n"   \
    "        points: {a: [0, 1, 0]}}\n"                                                            \
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [2, 0, 0],\n"  \
    "        elements: 4}\n"                                                                       \
    "  arm: {type: ancf_cable, material: rubber, section: bar, from: [4, 0, 0], to: [2, 0, 0],\n"  \
    "        elements: 2}\n"                                                                       \
    "  up: {type: ancf_cable, material: steel, section: pipe, from: [2, 0, 0], to: [2, 3, 0],\n"   \
    "       elements: 2}\n"

typedef struct joint_case {
    const char *text;
    int nc, nh;
} joint_case;

static const joint_case joint_cases[] = {
    {"{type: spherical, between: [ground, rod.start]}", 3, 0},
    {"{type: spherical, between: [rod.end, box]}", 3, 0},
    {"{type: spherical, between: [hub, box], at: [5, 6, 7]}", 3, 0},
    {"{type: spherical, between: [hub, ground]}", 3, 0},
    {"{type: spherical, between: [rod.end, arm.end], temperature: true}", 3, 1},
    {"{type: revolute, between: [ground, rod.start], axis: [0, 0, 1]}", 4, 0},
    {"{type: revolute, between: [\"rod.at(0.7)\", box], axis: [0, 1, 1]}", 4, 0},
    {"{type: revolute, between: [hub, box], at: [5, 6, 7], axis: [1, 1, 1]}", 5, 0},
    {"{type: revolute, between: [box, ground], axis: [1, 1, 1]}", 5, 0},
    {"{type: revolute, between: [\"up.at(1.3)\", ground], axis: [1, 0, 1]}", 4, 0},
    {"{type: clamp, between: [ground, rod.start]}", 5, 0},
    {"{type: clamp, between: [ground, rod.start], rigid: true}", 6, 0},
    {"{type: clamp, between: [\"up.at(2.9999)\", box], rigid: false}", 5, 0},
    {"{type: clamp, between: [box, \"rod.at(0.7)\"]}", 5, 0},
    {"{type: clamp, between: [box, \"rod.at(0.7)\"], rigid: true}", 6, 0},
    {"{type: clamp, between: [hub, rod.start], rigid: false}", 5, 0},
    {"{type: clamp, between: [hub.tip, box]}", 6, 0},
    {"{type: clamp, between: [rod.end, arm.end], temperature: true, gradients: true}", 6, 3},
    {"{type: tie, between: [rod.end, up.start]}", 3, 0},
    {"{type: tie, between: [rod.end, arm.end], smooth: true}", 6, 0},
    {"{type: point_on_line, between: [rod.end, ground], direction: [1, 2, 3]}", 2, 0},
    {"{type: point_on_line, between: [rod.end, box], direction: [0, 1, 0], point: [2, 9, 0]}", 2,
     0},
    {"{type: point_on_plane, between: [ground, hub], normal: [1, 2, 3]}", 1, 0},
    {"{type: roller, between: [hub.tip, box], normal: [1, 2, 3]}", 1, 0},
    {"{type: universal, between: [hub, box], at: [5, 6, 7], axis: [1, 2, 2], second_axis: [2, 1, "
     "-2]}",
     4, 0},
    {"{type: cylindrical, between: [hub, box.a], axis: [1, 2, 2]}", 4, 0},
    {"{type: prismatic, between: [hub, box.a], axis: [1, 2, 2]}", 5, 0},
    {"{type: prismatic, between: [box, ground], axis: [1, 2, 2]}", 5, 0},
    {"{type: planar, between: [hub, box.a], normal: [1, 2, 2]}", 3, 0},
    {"{type: screw, between: [hub, box.a], axis: [1, 2, 2], pitch: 0.3}", 5, 0},
    {"{type: gear, between: [hub, box], axis: [1, 2, 2], ratio: -2.5}", 1, 0},
    {"{type: gear, between: [ground, box], axis: [1, 2, 2], ratio: 2, carrier: hub}", 1, 0},
    {"{type: bushing, between: [hub, box.a], stiffness: [1, 1, 1, 1, 1, 1]}", 0, 0},
    {"{type: motor, between: [hub, box], axis: [1, 2, 2], moment: 3}", 0, 0},
    {"{type: driven, between: [hub, box.a], displacement: [0, t, 0]}", 3, 0},
    {"{type: driven, between: [ground, rod.end], displacement: [0, t, 0]}", 3, 0},
    {"{type: driven, between: [ground, rod.end], displacement: [0, 0, t], components: yz}", 2, 0},
};

/* an item at the initial state: c, and its temperature rows at temperatures of a common field */
static void initial(const fixture *f, const gos_item *it, double *c, double *h) {
    double x[3 * GOS_ITEM_MARKERS], th[GOS_ITEM_TMARKERS], fn[3] = {0.0, 0.0, 0.0};
    for (int m = 0; m < it->nm; ++m) {
        gos__marker_initial(&f->b, &it->m[m], x + 3 * m);
    }
    for (int m = 0; m < it->ntm; ++m) {
        th[m] = 7.0;
    }
    const gos_item_io io = {
        .x = x, .th = th, .fn = fn, .fnd = fn, .fndd = fn, .scale = 1.0, .c = c, .h = h};
    memset(c, 0, GOS_ITEM_ROWS * sizeof *c);
    memset(h, 0, GOS_ITEM_ROWS * sizeof *h);
    it->type->eval(it, &io);
}

/* Rows of an item on all coordinates at the initial state, added below row n of J (., 3 nv). */
static int jacobian(const fixture *f, const gos_item *it, double *J, int n) {
    double x[3 * GOS_ITEM_MARKERS], th[GOS_ITEM_TMARKERS] = {0.0}, fn[3] = {0.0};
    double cx[3 * GOS_ITEM_MARKERS * GOS_ITEM_ROWS] = {0.0};
    for (int m = 0; m < it->nm; ++m) {
        gos__marker_initial(&f->b, &it->m[m], x + 3 * m);
    }
    const gos_item_io io = {.x = x, .th = th, .fn = fn, .fnd = fn, .fndd = fn, .cx = cx};
    it->type->eval(it, &io);
    for (int r = 0; r < it->nc; ++r) {
        double *row = J + (size_t)(n + r) * 3 * (size_t)f->b.nv;
        for (int m = 0; m < it->nm; ++m) {
            for (int j = 0; j < it->m[m].n; ++j) {
                for (int k = 0; k < 3; ++k) {
                    row[3 * it->m[m].idx[j] + k] += it->m[m].w[j] * cx[(r * it->nm + m) * 3 + k];
                }
            }
        }
    }
    return n + it->nc;
}

/* Smallest part of a row that its predecessors do not span, relative to the row (Gram-Schmidt). */
static double independence(double *J, int rows, int cols) {
    double least = 1.0;
    for (int i = 0; i < rows; ++i) {
        double *a = J + (size_t)i * (size_t)cols, before = 0.0, after = 0.0;
        for (int k = 0; k < cols; ++k) {
            before += a[k] * a[k];
        }
        for (int j = 0; j < i; ++j) {
            const double *q = J + (size_t)j * (size_t)cols;
            double d = 0.0;
            for (int k = 0; k < cols; ++k) {
                d += q[k] * a[k];
            }
            for (int k = 0; k < cols; ++k) {
                a[k] -= d * q[k];
            }
        }
        for (int k = 0; k < cols; ++k) {
            after += a[k] * a[k];
        }
        least = fmin(least, sqrt(after / before));
        for (int k = 0; k < cols; ++k) {
            a[k] /= sqrt(after);
        }
    }
    return least;
}

/* no joint repeats an equation of its own or of the rigidity of its bodies */
static void check_independent(const fixture *f) {
    int rows = 0, cols = 3 * f->b.nv;
    double *J = calloc((size_t)f->b.nc * (size_t)cols, sizeof *J);
    assert_non_null(J);
    for (int i = 0; i < f->b.nitem; ++i) {
        rows = jacobian(f, f->b.item[i], J, rows);
    }
    double least = independence(J, rows, cols);
    assert_true(least > 1e-2);
    free(J);
}

/* every combination gives its number of rows, and they hold at t = 0 */
static void test_joints(void **unused) {
    GOS_UNUSED(unused);
    for (int i = 0; i < GOS_COUNT(joint_cases); ++i) {
        fixture f;
        char text[4096];
        snprintf(text, sizeof text, "%sjoints:\n  j: %s\n", BODIES, joint_cases[i].text);
        make_ok(&f, text);
        double c[GOS_ITEM_ROWS], h[GOS_ITEM_ROWS];
        const gos_item *it = gos__find_item(&f.b, "joint 'j'");
        assert_non_null(it);
        assert_int_equal(it->c0, 12); // after the rigidity of two bodies
        assert_int_equal(it->nh, joint_cases[i].nh);
        assert_int_equal(f.b.nc, 12 + joint_cases[i].nc); // directions may be an item of their own
        if (it->more) {
            initial(&f, it->more, c, h);
            for (int r = 0; r < it->more->nc; ++r) {
                assert_true(fabs(c[r]) < 1e-13);
            }
        }
        initial(&f, it, c, h);
        for (int r = 0; r < it->nc; ++r) {
            assert_true(fabs(c[r]) < 1e-14);
        }
        for (int r = 0; r < it->nh; ++r) {
            assert_true(fabs(h[r]) < 1e-14);
        }
        check_independent(&f);
        drop(&f);
    }
}

/* A turn at angular velocity w about the joint's place lets its rows be, or not. */
static void check_freedom(const char *joint, const double w[3], bool allowed) {
    fixture f;
    char text[4096];
    snprintf(text, sizeof text, "%sjoints:\n  j: %s\n", BODIES, joint);
    make_ok(&f, text);
    const gos_builder *b = &f.b;
    const gos_item *it = b->item[b->nitem - 1];
    const gos_body *box = gos__find_body(b, "box");
    double *J = calloc((size_t)(it->nc * 3 * b->nv), sizeof *J), most = 0.0;
    assert_non_null(J);
    jacobian(&f, it, J, 0);
    for (int r = 0; r < it->nc; ++r) {
        double rate = 0.0;
        for (int v = box->v0; v < box->v0 + 4; ++v) {
            double arm[3], d[3];
            memcpy(arm, b->e0[v], sizeof arm);
            arm[1] -= b->trans[v] * 1.0; // box.a is at (2, 1, 0)
            arm[0] -= b->trans[v] * 2.0;
            gos__cross3(w, arm, d);
            rate += gos__dot3(J + (size_t)(r * 3 * b->nv + 3 * v), d);
        }
        most = fmax(most, fabs(rate));
    }
    assert_true(allowed ? most < 1e-14 : most > 0.1);
    free(J);
    drop(&f);
}

static void test_freedom(void **unused) {
    GOS_UNUSED(unused);
    const double axis[3] = {1.0, 2.0, 2.0}, other[3] = {2.0, -1.0, 0.0}, n[3] = {0.0, 1.0, -1.0};
    check_freedom("{type: spherical, between: [ground, box.a]}", axis, true);
    const char *hinge = "{type: revolute, between: [ground, box.a], axis: [1, 2, 2]}";
    const char *turned = "{type: revolute, between: [box.a, hub], axis: [1, 2, 2]}";
    check_freedom(hinge, axis, true);
    check_freedom(hinge, other, false);
    check_freedom(hinge, n, false);
    check_freedom(turned, axis, true);
    check_freedom(turned, other, false);
    check_freedom(turned, n, false);
    const char *clamp = "{type: clamp, between: [hub, box.a]}";
    check_freedom(clamp, axis, false);
    check_freedom(clamp, other, false);
    const char *cross = "{type: universal, between: [ground, box.a], axis: [1, 2, 2], second_axis: "
                        "[2, -1, 0]}";
    check_freedom(cross, axis, true);
    check_freedom(cross, other, true);
    const double normal[3] = {2.0, 4.0, -5.0};
    check_freedom(cross, normal, false);
    const char *sleeve = "{type: cylindrical, between: [hub, box.a], axis: [1, 2, 2]}";
    const char *rail = "{type: prismatic, between: [box.a, hub], axis: [1, 2, 2]}";
    const char *table = "{type: planar, between: [ground, box.a], normal: [1, 2, 2]}";
    check_freedom(sleeve, axis, true);
    check_freedom(sleeve, other, false);
    check_freedom(rail, axis, false);
    check_freedom(rail, other, false);
    check_freedom(table, axis, true);
    check_freedom(table, n, false);
    check_freedom("{type: roller, between: [box.a, ground], normal: [1, 2, 2]}", other, true);
}

/* the driven place starts at its displacement, and static solutions drive it gradually */
static void test_driven(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f,
            BODIES "joints:\n"
                   "  p: {type: driven, between: [rod.end, ground], position: [3, 4, 5]}\n"
                   "  d: {type: driven, between: [ground, rod.end], displacement: [1, 4, 5]}\n");
    const double fn[2][3] = {{3.0, 4.0, 5.0}, {1.0, 4.0, 5.0}}, x[3] = {2.0, 0.0, 0.0};
    for (int i = 0; i < 2; ++i) {
        const gos_item *it = f.b.item[f.b.nitem - 2 + i];
        double c[GOS_ITEM_ROWS];
        gos_item_io io = {.x = x, .fn = fn[i], .fnd = fn[i], .fndd = fn[i], .scale = 0.5, .c = c};
        it->type->eval(it, &io);
        const double sign = i == 0 ? 1.0 : -1.0; // rows are first place minus second
        near3(c, -0.5 * sign, -2.0 * sign, -2.5 * sign, 1e-15);
        assert_int_equal(it->nfn, 3);
    }
    assert_int_equal(f.b.nfn, 6);
    drop(&f);
}

/* ---- loads ----------------------------------------------------------------------------------- */

static void test_section_frame(void **unused) {
    GOS_UNUSED(unused);
    const double p[3] = {2.0, 0.0, 0.0}, v[3] = {0.0, 0.0, 1.0}, along[3] = {0.0, 0.0, -3.0};
    const double zero[3] = {0.0, 0.0, 0.0}, bad[3] = {(double)NAN, 0.0, 0.0};
    double d[3][3], D[3][9];
    assert_true(gos__section_frame(p, v, d, D));
    near3(d[0], 1.0, 0.0, 0.0, 0.0);
    near3(d[1], 0.0, 1.0, 0.0, 0.0);
    near3(d[2], 0.0, 0.0, 1.0, 0.0);
    assert_false(gos__section_frame(along, v, d, D));
    assert_false(gos__section_frame(zero, v, d, D));
    assert_false(gos__section_frame(bad, v, d, D));
    assert_true(D[2][8] == 0.0);
}

/* a follower force on a cable: local axes, at t = 0 those of the section */
static void test_loads(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, BODIES
            "loads:\n"
            "  push: {type: force, on: up.end, value: [1, 2, 3], frame: body}\n"
            "  turn: {type: moment, on: up.end, moment: [0, 0, 3]}\n"
            "  many: {type: force, on: [rod.start, rod.end, hub.tip], value: [1, 2, t]}\n"
            "  stay: {type: spring, between: [ground, rod.end], at: [2, 3, 0], stiffness: 10,\n"
            "         free_length: 1}\n");
    assert_int_equal(f.b.nitem, 2 + 6);
    assert_int_equal(f.b.nfn, 9);
    double x[12], F[12] = {0.0};
    const double fn[3] = {1.0, 2.0, 3.0}, moment[3] = {0.0, 0.0, 3.0};
    gos_item_io io = {.x = x, .f = F, .fn = fn, .scale = 1.0};
    // the cable runs along e2, its local z is e3, so its local y is -e1
    const gos_item *push = f.b.item[2];
    for (int m = 0; m < push->nm; ++m) {
        gos__marker_initial(&f.b, &push->m[m], x + 3 * m);
    }
    push->type->eval(push, &io);
    near3(F, -2.0, 1.0, 3.0, 1e-15);
    // delta W = M delta theta: f on the slope e2 is M e3 x e2 = -M e1
    const gos_item *turn = f.b.item[3];
    gos__marker_initial(&f.b, &turn->m[0], x);
    memset(F, 0, sizeof F);
    io.fn = moment;
    turn->type->eval(turn, &io);
    near3(F, -3.0, 0.0, 0.0, 1e-15);
    // the spring is 3 m long, 1 m without force, and comes on with the load factor
    const gos_item *stay = f.b.item[7];
    gos__marker_initial(&f.b, &stay->m[0], x);
    gos__marker_initial(&f.b, &stay->m[1], x + 3);
    memset(F, 0, sizeof F);
    stay->type->eval(stay, &io);
    near3(F + 3, 0.0, 20.0, 0.0, 1e-13);
    io.scale = 0.0;
    memset(F, 0, sizeof F);
    stay->type->eval(stay, &io);
    near3(F, 0.0, 0.0, 0.0, 1e-13);
    drop(&f);
}

/* ---- refusals -------------------------------------------------------------------------------- */

typedef struct refusal {
    const char *text; // an entry, on line 3 of the text that follows the common parts
    const char *message;
} refusal;

static const refusal bad_bodies[] = {
    {"hub: {type: rigid, mass: 0, inertia: [1, 1, 1]}", "mass"},
    {"hub: {type: rigid, mass: 1}", "inertia"},
    {"hub: {type: rigid, mass: 1, inertia: [1, 1]}", "inertia has 2 values"},
    {"hub: {type: rigid, mass: 1, inertia: [1, -1, 1]}", "not positive definite"},
    {"hub: {type: rigid, mass: 1, inertia: [1, 1, 1, 2, 0, 0]}", "not positive definite"},
    {"hub: {type: rigid, mass: 1, inertia: [1, 2, 3.1]}", "exceeds the sum of the others"},
    {"hub: {type: rigid, mass: 1, inertia: [1, 1, 1], points: [1, 2]}", "points is not a map"},
    {"hub: {type: rigid, mass: 1, inertia: [1, 1, 1], points: {a: [1, 2]}}", "three coordinates"},
    {"hub: {type: rigid, mass: 1, inertia: [1, 1, 1], points: {a: [1, 2, [3]]}}", "not a number"},
    {"hub: {type: rigid, mass: 1, inertia: [1, 1, 1], points: {node: [1, 2, 3]}}",
     "choose another name"},
    {"hub: {type: rigid, mass: 1, inertia: [1, 1, 1], points: {a: [1, 2, x]}}", "x"},
};

static const refusal bad_joints[] = {
    {"j: {type: spherical, between: [ground, rud.start]}", "did you mean 'rod'"},
    {"j: {type: spherical, between: [ground, zzzzzzz.start]}", "no body 'zzzzzzz'"},
    {"j: {type: spherical, between: [ground, rod.stort]}", "stort"},
    {"j: {type: spherical, between: [ground, hub.tap]}", "did you mean 'tip'"},
    {"j: {type: spherical, between: [ground, hub.qqqqqq]}", "add it to the body's `points`"},
    {"j: {type: spherical, between: [ground.a, rod.start]}", "the ground has no named points"},
    {"j: {type: spherical, between: [ground]}", "between lists 1 attachment points"},
    {"j: {type: spherical, between: [ground, ground]}", "joined to itself"},
    {"j: {type: spherical, between: [hub, hub.tip]}", "joined to itself"},
    {"j: {type: spherical, between: [ground, rod]}", "give a point of it"},
    {"j: {type: spherical, between: [ground, rod.top]}", "is a face"},
    {"j: {type: spherical, between: [hub, box]}", "'hub' and 'box' do not define a common point"},
    {"j: {type: spherical, between: [rod.start, arm.start]}", "4 m away"},
    {"j: {type: spherical, between: [ground, rod.start], at: [0, 1, 0]}", "1 m away"},
    {"j: {type: spherical, between: [ground, rod.start], temperature: true}",
     "'ground' has no temperature"},
    {"j: {type: spherical, between: [rod.end, up.start], temperature: true}",
     "'up.start' has no temperature"},
    {"j: {type: spherical, between: [rod.end, arm.end], gradients: true}", "temperature: true"},
    {"j: {type: revolute, between: [ground, rod.start]}", "axis"},
    {"j: {type: revolute, between: [ground, rod.start], axis: [0, 0, 0]}", "axis"},
    {"j: {type: revolute, between: [ground, rod.start], axis: [1, 1, 0]}", "axis is not normal"},
    {"j: {type: revolute, between: [rod.end, up.start], axis: [0, 0, 1]}", "insert a rigid body"},
    {"j: {type: clamp, between: [rod.end, up.start]}", "meet at an angle"},
    {"j: {type: clamp, between: [rod.end, arm.end], rigid: false}", "`rigid: false` requires"},
    {"j: {type: tie, between: [ground, rod.start]}", "a tie joins points of two bodies"},
    {"j: {type: tie, between: [rod.end, up.start], smooth: true}", "meet at an angle"},
    {"j: {type: tie, between: [rod.end, box.a], smooth: true}", "away"},
    {"j: {type: point_on_line, between: [ground, rod.end], direction: [1, 0, 0], point: [0, 1, "
     "0]}",
     "1 m away from the guide"},
    {"j: {type: point_on_line, between: [hub, rod.end], direction: [1, 0, 0]}",
     "no axes to carry a guide"},
    {"j: {type: roller, between: [rod.end, ground], normal: [0, 1, 0], point: [0, 2, 0]}",
     "2 m away from the guide"},
    {"j: {type: driven, between: [ground, rod.end]}", "no motion is given"},
    {"j: {type: driven, between: [ground, rod.end], displacement: [0, 0, 0], position: [0, 0, 0]}",
     "both given"},
    {"j: {type: driven, between: [rod.end, hub], displacement: [0, 0, 0]}",
     "has no axes relative to which 'hub' can be driven"},
};

static const refusal bad_loads[] = {
    {"l: {type: force, on: rod, value: [0, 0, 0]}", "give a point of it"},
    {"l: {type: force, on: ground, value: [0, 0, 0]}", "a load cannot act on the ground"},
    {"l: {type: force, on: rod.end}", "value"},
    {"l: {type: force, on: rod.end, value: [0, 0]}", "value"},
    {"l: {type: force, on: rod.end, value: [0, 0, 0], frame: bady}", "bady"},
    {"l: {type: moment, on: rod.top, moment: [0, 0, 0]}", "is a face"},
    {"l: {type: spring, between: [rod.end], stiffness: 1}", "between lists 1 attachment points"},
    {"l: {type: spring, between: [ground, rod.end], stiffness: 1}", "location on the ground"},
    {"l: {type: spring, between: [hub, rod.end], stiffness: 1, at: [0, 0, 0]}",
     "no end is `ground`"},
    {"l: {type: spring, between: [ground, ground], stiffness: 1, at: [0, 0, 0]}",
     "both ends are on the ground"},
    {"l: {type: spring, between: [hub, rod.end]}", "neither stiffness nor damping"},
    {"l: {type: spring, between: [hub, rod.end], stiffness: -1}", "stiffness"},
    {"l: {type: spring, between: [rod.end, arm.end], stiffness: 1, free_length: 1}",
     "no direction"},
    {"l: {type: spring, between: [rod.end, arm.end], damping: 1}", "no direction"},
};

static void check_refusals(const char *before, const char *section, const refusal *r, int n) {
    int line = 1;
    char text[4096], place[40];
    for (const char *c = common_parts; *c; ++c) {
        line += *c == '\n';
    }
    for (const char *c = before; *c; ++c) {
        line += *c == '\n';
    }
    snprintf(place, sizeof place, "test.yaml:%d:", line + 1);
    for (int i = 0; i < n; ++i) {
        fixture f;
        snprintf(text, sizeof text, "%s%s:\n  %s\n", before, section, r[i].text);
        gos_status s = make(&f, text);
        const char *m = gos_ctx_message(f.ctx);
        if (s != GOS_E_INPUT || !strstr(m, r[i].message) || !strstr(m, place)) {
            print_error("%s\n gave status %d: %s\n not %s ... %s\n", r[i].text, (int)s, m, place,
                        r[i].message);
            fail();
        }
        drop(&f);
    }
}

static void test_refusals(void **unused) {
    GOS_UNUSED(unused);
    check_refusals("", "bodies", bad_bodies, GOS_COUNT(bad_bodies));
    check_refusals(BODIES, "joints", bad_joints, GOS_COUNT(bad_joints));
    check_refusals(BODIES, "loads", bad_loads, GOS_COUNT(bad_loads));
}

/* the limit case of a flat body is allowed */
static void test_flat_body(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, "bodies:\n  disc: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.3]}\n");
    drop(&f);
}

/* ---- out of memory --------------------------------------------------------------------------- */

typedef struct countdown {
    long left; // allocations until failure, negative: never
    long live; // blocks not freed yet
} countdown;

static void *count_alloc(void *user, size_t size) {
    countdown *c = user;
    if (c->left == 0) {
        return NULL;
    }
    c->left -= c->left > 0;
    void *p = malloc(size);
    c->live += p != NULL;
    return p;
}

static void *count_realloc(void *user, void *p, size_t size) {
    countdown *c = user;
    if (c->left == 0) {
        return NULL;
    }
    c->left -= c->left > 0;
    void *q = realloc(p, size);
    c->live += !p && q;
    return q;
}

static void count_free(void *user, void *p) {
    countdown *c = user;
    c->live -= p != NULL;
    free(p);
}

/* Whichever allocation fails, building says so and leaks nothing. */
static void test_out_of_memory(void **unused) {
    GOS_UNUSED(unused);
    const char *text =
        "bodies:\n"
        "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1], points: {a: [0, 1, 0]}}\n"
        "  box: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
        "joints:\n"
        "  c: {type: clamp, between: [hub, box], at: [1, 2, 3]}\n"
        "  d: {type: driven, between: [ground, hub.a], displacement: [0, t, 0]}\n"
        "  r: {type: driven_rotation, between: [hub, ground], axis: [1, 0, 0], angle: t}\n"
        "loads:\n"
        "  t: {type: torsion_spring, between: [hub, box], axis: [1, 0, 0], damping: 1}\n"
        "  f: {type: force, on: [hub, box], value: [1, 2, t]}\n"
        "  s: {type: spring, between: [hub.a, box], stiffness: 1}\n";
    gos_status s = GOS_E_MEMORY;
    for (long n = 0; n < 5000 && s != GOS_OK; ++n) {
        countdown c = {.left = -1};
        const gos_allocator al = {count_alloc, count_realloc, count_free, &c};
        gos_ctx *ctx = gos_ctx_create_with(&al);
        assert_non_null(ctx);
        c.left = n;
        fixture f;
        s = make_with(&f, ctx, false, text);
        assert_true(s == GOS_OK || s == GOS_E_MEMORY);
        c.left = -1;
        drop(&f);
        assert_int_equal(c.live, 0);
    }
    assert_int_equal(s, GOS_OK);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markers),    cmocka_unit_test(test_long_markers),
        cmocka_unit_test(test_lists),      cmocka_unit_test(test_surface_needs_temperature),
        cmocka_unit_test(test_rigid_mass), cmocka_unit_test(test_rigid_places),
        cmocka_unit_test(test_joints),     cmocka_unit_test(test_driven),
        cmocka_unit_test(test_freedom),    cmocka_unit_test(test_section_frame),
        cmocka_unit_test(test_loads),      cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_flat_body),  cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
