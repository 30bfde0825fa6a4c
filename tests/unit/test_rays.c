/* Rays against triangles: the tree against a search through all of them, moved surfaces, what is
 * left out; places that fill a square. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/random.h"
#include "math/rays.h"
#include "support/suite.h"
#include "support/verify.h"

#define N 200 // triangles

typedef struct soup {
    gos_ctx *ctx;
    gos_arena *arena;
    double x[3 * N][3];
    int corner[N][3], cell[N];
    gos_rays rays;
    double (*box)[6];
} soup;

static double number(int stream, int i) {
    return gos__random_unit(7, (uint64_t)stream, (uint64_t)i);
}

/* small triangles anywhere in the unit cube, every fourth parallel to a side of it, some without
 * area */
static void make(soup *s) {
    s->ctx = gos_ctx_create();
    s->arena = gos__arena_create(s->ctx);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) {
                s->x[3 * i + k][c] =
                    number(c, i) + (i % 4 == c ? 0 : 0.3 * number(3 + 3 * k + c, i));
            }
            s->corner[i][k] = 3 * i + (i % 50 == 0 ? 0 : k);
        }
        s->cell[i] = i;
    }
    assert_int_equal(gos__rays_make(s->ctx, s->arena, N, (const int(*)[3])s->corner, s->cell,
                                    (const double(*)[3])s->x, &s->rays),
                     GOS_OK);
    s->box = calloc((size_t)s->rays.nnode, sizeof *s->box);
    assert_non_null(s->box);
    gos__rays_fit(&s->rays, (const double(*)[3])s->x, s->box);
}

static void drop(soup *s) {
    free(s->box);
    gos__arena_destroy(s->arena);
    gos_ctx_destroy(s->ctx);
}

/* the volume of the tetrahedron a b c d, times 6 */
static double volume(const double a[3], const double b[3], const double c[3], const double d[3]) {
    double e[3][3];
    for (int k = 0; k < 3; k++) {
        e[0][k] = b[k] - a[k];
        e[1][k] = c[k] - a[k];
        e[2][k] = d[k] - a[k];
    }
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
           e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

/* in another way: the segment crosses the plane of the triangle, and passes its three sides on one
 * side */
static bool crosses(const soup *s, int i, const double p[3], const double q[3]) {
    const double *a = s->x[s->corner[i][0]], *b = s->x[s->corner[i][1]], *c = s->x[s->corner[i][2]];
    const double over = volume(a, b, c, p), under = volume(a, b, c, q);
    const double v[3] = {volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)};
    const bool one = v[0] > 0 && v[1] > 0 && v[2] > 0, other = v[0] < 0 && v[1] < 0 && v[2] < 0;
    return over * under < 0 && (one || other);
}

static void check(const soup *s, int seed) {
    int met = 0, wrong = 0;
    for (int i = 0; i < 4000; i++) {
        double p[3], q[3], u[3];
        for (int c = 0; c < 3; c++) {
            p[c] = 1.4 * number(seed + c, i) - 0.2;
            q[c] =
                i % 5 == c ? p[c] : 1.4 * number(seed + 3 + c, i) - 0.2; // along sides of boxes too
            u[c] = q[c] - p[c];
        }
        bool any = false;
        const int but = i % 3 ? -1 : i % N;
        for (int k = 0; k < N; k++) {
            any = any || (k != but && crosses(s, k, p, q));
        }
        const bool tree = gos__rays_meet(&s->rays, (const double(*)[3])s->x,
                                         (const double(*)[6])s->box, p, u, 0, 1, but);
        met += any;
        wrong += any != tree;
    }
    verify_within("segments of 4000 that meet something", met, 400, 3600);
    assert_int_equal(wrong, 0);
}

static void test_tree(void **unused) {
    GOS_UNUSED(unused);
    soup s;
    make(&s);
    check(&s, 20);
    for (int i = 0; i < 3 * N; i++) { // turned, bent: the same tree
        const double y = s.x[i][1];
        s.x[i][1] = y - s.x[i][0] * s.x[i][2];
        s.x[i][0] += 0.3 * y;
    }
    gos__rays_fit(&s.rays, (const double(*)[3])s.x, s.box);
    check(&s, 40);
    drop(&s);
}

/* near and far are in lengths of u; edges belong to a triangle, and so does the diagonal of a
 * square to one at least */
static void test_limits(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    gos_arena *arena = gos__arena_create(ctx);
    const double x[4][3] = {{0, 0, 2}, {1, 0, 2}, {1, 1, 2}, {0, 1, 2}}, u[3] = {0, 0, 4};
    const int corner[2][3] = {{0, 1, 2}, {0, 2, 3}}, cell[2] = {5, 5};
    double box[4][6];
    gos_rays r;
    assert_int_equal(gos__rays_make(ctx, arena, 2, corner, cell, x, &r), GOS_OK);
    gos__rays_fit(&r, x, box);
    const double middle[3] = {0.5, 0.5, 0}, side[3] = {1, 0.3, 0}, out[3] = {1.001, 0.3, 0};
    const double(*b)[6] = (const double(*)[6])box;
    assert_true(gos__rays_meet(&r, x, b, middle, u, 0, HUGE_VAL, -1));
    assert_true(gos__rays_meet(&r, x, b, middle, u, 0.49, 0.51, -1));
    assert_false(gos__rays_meet(&r, x, b, middle, u, 0.51, HUGE_VAL, -1));
    assert_false(gos__rays_meet(&r, x, b, middle, u, 0, 0.49, -1));
    assert_false(gos__rays_meet(&r, x, b, middle, u, 0, HUGE_VAL, 5));
    assert_true(gos__rays_meet(&r, x, b, side, u, 0, HUGE_VAL, -1));
    assert_false(gos__rays_meet(&r, x, b, out, u, 0, HUGE_VAL, -1));
    assert_int_equal(gos__rays_make(ctx, arena, 0, corner, cell, x, &r), GOS_OK); // nothing there
    assert_false(gos__rays_meet(&r, x, b, middle, u, 0, HUGE_VAL, -1));
    gos__arena_destroy(arena);
    gos_ctx_destroy(ctx);
}

/* the part of n places below a line across the square is its area to less than 1.5/n along the
   sides and 3/n^0.75 slantwise, wherever the n begin */
static void test_spread(void **unused) {
    GOS_UNUSED(unused);
    const int n = 144;
    double along = 0, slant = 0;
    for (long first = 0; first < 5000; first += 777) {
        for (double cut = 0.05; cut < 1; cut += 0.09) {
            int below[3] = {0};
            for (long i = first; i < first + n; i++) {
                double s[2];
                gos__rays_spread(i, s);
                assert_true(s[0] >= 0 && s[0] < 1 && s[1] >= 0 && s[1] < 1);
                below[0] += s[0] < cut;
                below[1] += s[1] < cut;
                below[2] += s[0] + s[1] < 2 * cut;
            }
            const double corner = cut < 0.5 ? 2 * cut * cut : 1 - 2 * (1 - cut) * (1 - cut);
            along = fmax(along, fabs((double)below[0] / n - cut));
            along = fmax(along, fabs((double)below[1] / n - cut));
            slant = fmax(slant, fabs((double)below[2] / n - corner));
        }
    }
    verify_below("along the sides", along, 3.0 / n);
    verify_below("slantwise", slant, 3 / pow(n, 0.75));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tree), cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_spread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
