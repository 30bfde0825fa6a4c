/* View factors by rays against closed forms, with something in between, reciprocity and sums; what
 * grey patches exchange. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/view_factors.h"
#include "support/suite.h"
#include "support/verify.h"

#define MOST 20

typedef struct scene {
    int n, npatch;
    double x[4 * MOST][3];
    int corner[2 * MOST][3], cell[2 * MOST], patch[MOST][2];
    gos_view_piece piece[2 * MOST];
} scene;

/* a parallelogram at o with sides a, b; patch: of the side to which a x b points, -1: none */
static void add(scene *s, const double o[3], const double a[3], const double b[3], int patch) {
    const int i = s->n++;
    for (int k = 0; k < 4; k++) {
        for (int c = 0; c < 3; c++) {
            s->x[4 * i + k][c] = o[c] + (k == 1 || k == 2 ? a[c] : 0) + (k >= 2 ? b[c] : 0);
        }
    }
    for (int t = 0; t < 2; t++) {
        const int corner[3] = {4 * i, 4 * i + 1 + t, 4 * i + 2 + t};
        memcpy(s->corner[2 * i + t], corner, sizeof corner);
        s->cell[2 * i + t] = i;
    }
    s->patch[i][0] = patch;
    s->patch[i][1] = -1;
    s->npatch += patch >= 0;
}

static void factors(const scene *s, long each, double *area, double *S) {
    gos_ctx *ctx = gos_ctx_create();
    gos_arena *arena = gos__arena_create(ctx);
    gos_view_piece piece[2 * MOST];
    gos_rays rays;
    int n = 0;
    assert_int_equal(gos__rays_make(ctx, arena, 2 * s->n, s->corner, s->cell, s->x, &rays), GOS_OK);
    for (int p = 0; p < s->npatch; p++) {
        for (int i = 0; i < 2 * s->n; i++) {
            if (s->patch[i / 2][0] == p) {
                piece[n] = (gos_view_piece){.cell = i / 2, .patch = p};
                memcpy(piece[n++].corner, s->corner[i], sizeof s->corner[i]);
            }
        }
    }
    const gos_view v = {.rays = &rays,
                        .x = s->x,
                        .n = s->npatch,
                        .npiece = n,
                        .piece = piece,
                        .patch = s->patch,
                        .each = each};
    assert_int_equal(gos__view_factors(ctx, &v, area, S), GOS_OK);
    gos__arena_destroy(arena);
    gos_ctx_destroy(ctx);
}

/* of two parallel rectangles x by y over each other, 1 apart (Howell, C-11) */
static double parallel(double x, double y) {
    const double p = sqrt(1 + x * x), q = sqrt(1 + y * y);
    return 2 / (M_PI * x * y) *
           (log(p * q / sqrt(1 + x * x + y * y)) + x * q * atan(x / q) + y * p * atan(y / p) -
            x * atan(x) - y * atan(y));
}

/* from a rectangle w deep to one h high, at right angles along a common edge of 1 (Howell, C-14) */
static double corner(double h, double w) {
    const double H = h * h, W = w * w, s = 1 + H + W;
    return (w * atan(1 / w) + h * atan(1 / h) - sqrt(H + W) * atan(1 / sqrt(H + W)) +
            0.25 * (log((1 + W) * (1 + H) / s) + W * log(W * s / ((1 + W) * (W + H))) +
                    H * log(H * s / ((1 + H) * (H + W))))) /
           (M_PI * w);
}

static const double e1[3] = {1, 0, 0}, e2[3] = {0, 1, 0}, e3[3] = {0, 0, 1}, o[3] = {0, 0, 0};

static void test_two(void **unused) {
    GOS_UNUSED(unused);
    double area[2], S[4];
    verify_near("published: parallel squares", parallel(1, 1), 0.199825, 1e-6);
    verify_near("published: squares along an edge", corner(1, 1), 0.200044, 1e-6);
    for (int i = 0; i < 3; i++) { // 1 x 1, 1 x 3, 0.4 x 0.4
        const double a = i == 2 ? 0.4 : 1, b = i == 1 ? 3 : a;
        const double x[3] = {a, 0, 0}, y[3] = {0, b, 0};
        scene s = {0};
        add(&s, o, x, y, 0);
        add(&s, e3, y, x, 1);
        factors(&s, 131072, area, S);
        verify_near("parallel", S[1] / area[0], parallel(a, b), 2e-3 * parallel(a, b));
        assert_true(S[0] == 0 && S[3] == 0 && S[1] == S[2]);
    }
    for (int i = 0; i < 3; i++) {
        const double w = i == 1 ? 2 : 1, h = i == 2 ? 0.3 : 1;
        const double x[3] = {w, 0, 0}, z[3] = {0, 0, h};
        scene s = {0};
        add(&s, o, x, e2, 0);
        add(&s, o, e2, z, 1);
        factors(&s, 131072, area, S);
        verify_near("along an edge", S[1] / area[0], corner(h, w), 2e-3 * corner(h, w));
        verify_near("reciprocity", S[2], S[1], 0);
    }
}

/* the error of one patch's rays goes down faster than 1 / sqrt(n) */
static void test_rays(void **unused) {
    GOS_UNUSED(unused);
    double area[2], S[4], off[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 8; i++) {
            const double a = 0.5 + 0.2 * i, x[3] = {a, 0, 0};
            scene s = {0};
            add(&s, o, x, e2, 0);
            add(&s, e3, e2, x, 1);
            factors(&s, k ? 65536 : 1024, area, S);
            off[k] += fabs(S[1] / area[0] / parallel(a, 1) - 1) / 8;
        }
    }
    verify_below("1024 rays, mean relative error", off[0], 0.03);
    verify_below("65536 rays", off[1], 3e-3);
    verify_below("64 times as many, over 1/8", off[1] / off[0] * 8, 1);
}

/* In the middle between two squares a plate that reaches over half of them: of lines between these
   points as many pass below it as above its counterpart, so half of all do. A plate over all of
   them leaves nothing; the faces that it turns to them count as surroundings. */
static void test_between(void **unused) {
    GOS_UNUSED(unused);
    double area[2], S[4];
    for (int i = 0; i < 2; i++) {
        const double at[3] = {-1, -1, 0.5}, x[3] = {i ? 4 : 1.5, 0, 0}, y[3] = {0, 3, 0};
        scene s = {0};
        add(&s, o, e1, e2, 0);
        add(&s, e3, e2, e1, 1);
        add(&s, at, x, y, -1);
        factors(&s, 131072, area, S);
        verify_near("half hidden, hidden", S[1], i ? 0 : 0.5 * parallel(1, 1), 5e-4);
    }
}

/* the inside of a box of 1 x 2 x 1.5: every factor, sums */
static void test_box(void **unused) {
    GOS_UNUSED(unused);
    const double l[3] = {1, 2, 1.5};
    double area[6], S[36];
    scene s = {0};
    for (int c = 0; c < 3; c++) {
        double a[3] = {0}, b[3] = {0}, far[3] = {0};
        a[(c + 1) % 3] = l[(c + 1) % 3];
        b[(c + 2) % 3] = l[(c + 2) % 3];
        far[c] = l[c];
        add(&s, o, a, b, 2 * c);
        add(&s, far, b, a, 2 * c + 1);
    }
    factors(&s, 131072, area, S);
    double worst = 0, off = 0;
    for (int i = 0; i < 6; i++) {
        double sum = 0;
        for (int j = 0; j < 6; j++) {
            const int c = i / 2, d = j / 2, k = 3 - c - d; // k: the common edge
            const double want = i == j   ? 0
                                : c == d ? parallel(l[(c + 1) % 3] / l[c], l[(c + 2) % 3] / l[c])
                                         : corner(l[c] / l[k], l[d] / l[k]);
            worst = fmax(worst, want > 0 ? fabs(S[6 * i + j] / area[i] / want - 1) : S[6 * i + j]);
            off = fmax(off, fabs(S[6 * i + j] - S[6 * j + i]));
            sum += S[6 * i + j] / area[i];
        }
        verify_near("sum of the factors of a side", sum, 1, 1e-12);
    }
    verify_below("worst factor, relative", worst, 3e-3);
    assert_true(off == 0);
}

/* Two patches: an inner, convex one in a closed outer one, and parallel ones; all reflections of a
 * box by repeated reflection. */
static void test_exchange(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    const double area[2] = {1, 4}, inside[4] = {0, 1, 1, 3}, e[2] = {0.3, 0.6};
    double B[4], out[2];
    assert_int_equal(gos__view_exchange(ctx, 2, area, inside, e, B, out), GOS_OK);
    verify_near("concentric", B[1], 1 / (1 / 0.3 + 0.25 * (1 / 0.6 - 1)), 1e-14);
    verify_near("nothing outside", out[0] + out[1], 0, 1e-14);
    const double even[2] = {2, 2}, all[4] = {0, 2, 2, 0};
    assert_int_equal(gos__view_exchange(ctx, 2, even, all, e, B, out), GOS_OK);
    verify_near("parallel", B[1], 2 / (1 / 0.3 + 1 / 0.6 - 1), 1e-14);
    // three patches that lose something: by following what each emits
    enum { N = 3 };
    const double A[N] = {1, 2, 0.5}, f[N] = {0.2, 0.7, 1};
    const double S[N * N] = {0, 0.5, 0.1, 0.5, 0.6, 0.3, 0.1, 0.3, 0};
    double C[N * N], O[N];
    assert_int_equal(gos__view_exchange(ctx, N, A, S, f, C, O), GOS_OK);
    for (int i = 0; i < N; i++) {
        double on[N] = {0}, got[N] = {0}, lost = 0;
        on[i] = f[i] * A[i]; // leaves i
        for (int round = 0; round < 500; round++) {
            double next[N] = {0};
            for (int a = 0; a < N; a++) {
                double sum = 0;
                for (int b = 0; b < N; b++) {
                    const double arrives = on[a] * S[N * a + b] / A[a];
                    got[b] += f[b] * arrives;
                    next[b] += (1 - f[b]) * arrives;
                    sum += arrives;
                }
                lost += on[a] - sum;
            }
            memcpy(on, next, sizeof on);
        }
        for (int j = 0; j < N; j++) {
            verify_near("absorbed", C[N * i + j], got[j], 1e-13);
        }
        verify_near("lost", O[i], lost, 1e-13);
    }
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two), cmocka_unit_test(test_rays),
                                       cmocka_unit_test(test_between), cmocka_unit_test(test_box),
                                       cmocka_unit_test(test_exchange)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
