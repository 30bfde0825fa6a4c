/* Orders of elimination: constraints stand after what they hold. (What that is good for is seen in
   verify/test_carried.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include <stdlib.h>

#include "gossamer/base.h"
#include "linalg/order.h"
#include "support/suite.h"

enum { CHAIN = 1000, AXES = 3, ROWS = 2, N = CHAIN + AXES + ROWS };

/* a chain of CHAIN unknowns with their neighbours, AXES that touch all of it, ROWS constraints that
   touch nothing but axes, as those of a rigid body */
static bool touches(int i, int j) {
    if (i > j) {
        return touches(j, i);
    }
    if (j < CHAIN) {
        return j - i < 2;
    }
    return j < CHAIN + AXES ? i < CHAIN || i == j : i >= CHAIN && i < CHAIN + AXES;
}

static void make(gos_pattern *a) {
    *a = (gos_pattern){.n = N, .p = calloc(N + 1, sizeof(int))};
    assert_non_null(a->p);
    for (int pass = 0; pass < 2; pass++) {
        int at = 0;
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < N; i++) {
                if (touches(i, j) && pass) {
                    a->i[at] = i;
                }
                at += touches(i, j);
            }
            a->p[j + 1] = at;
        }
        if (!pass) {
            a->nnz = at;
            a->i = calloc((size_t)at, sizeof(int));
            assert_non_null(a->i);
        }
    }
}

static void constraints_come_after_what_they_hold(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    gos_pattern a;
    static bool late[N];
    static int order[N], place[N];
    make(&a);
    for (int i = 0; i < N; i++) {
        late[i] = i >= CHAIN + AXES;
        place[i] = -1;
    }
    assert_int_equal(gos__order_constraints(ctx, &a, late, order, NULL), GOS_OK);
    for (int k = 0; k < N; k++) {
        assert_in_range(order[k], 0, N - 1);
        assert_int_equal(place[order[k]], -1);
        place[order[k]] = k;
    }
    for (int c = CHAIN + AXES; c < N; c++) {
        for (int k = a.p[c]; k < a.p[c + 1]; k++) {
            assert_true(place[c] > place[a.i[k]]);
        }
    }
    free(a.p);
    free(a.i);
    gos_ctx_destroy(ctx);
}

/* Two vectors, of which only components meet, and a row on one component of each: each vector stays
   together, and the row comes after both. */
static void vectors_stay_together(void **state) {
    (void)state;
    enum { N2 = 7 };
    gos_ctx *ctx = gos_ctx_create();
    int p[N2 + 1], i[40], at = 0, order[N2], place[N2];
    bool late[N2] = {[6] = true};
    for (int c = 0; c < 6; c++) {
        p[c] = at;
        i[at++] = c % 3;
        i[at++] = c % 3 + 3;
        if (c == 1 || c == 5) {
            i[at++] = 6;
        }
    }
    p[6] = at;
    i[at++] = 1;
    i[at++] = 5;
    p[7] = at;
    const gos_pattern a = {.n = N2, .nnz = at, .p = p, .i = i, .vectors = 2};
    assert_int_equal(gos__order_constraints(ctx, &a, late, order, NULL), GOS_OK);
    for (int k = 0, unknowns = 0; k < N2; k++) {
        place[order[k]] = late[order[k]] ? k : unknowns++;
    }
    for (int v = 0; v < 6; v += 3) {
        const int least = place[v] < place[v + 1] ? place[v] : place[v + 1];
        const int first = least < place[v + 2] ? least : place[v + 2];
        for (int c = 0; c < 3; c++) {
            assert_in_range(place[v + c] - first, 0, 2);
        }
    }
    assert_true(place[6] > place[1] && place[6] > place[5]);
    gos_ctx_destroy(ctx);
}

/* A grid of nodes with three unknowns each, and a row on one of the first node: told or found,
   nodes stay together, and the row comes after. */
static void nodes_are_found(void **state) {
    (void)state;
    enum { SIDE = 12, NODES = SIDE * SIDE, ALL = 3 * NODES + 1 };
    static int p[ALL + 1], i[30 * ALL], order[ALL], place[ALL];
    gos_ctx *ctx = gos_ctx_create();
    int at = 0;
    for (int j = 0; j < 3 * NODES; j++) {
        const int v = j / 3;
        p[j] = at;
        for (int w = 0; w < NODES; w++) {
            const bool near = abs(v / SIDE - w / SIDE) <= 1 && abs(v % SIDE - w % SIDE) <= 1;
            for (int c = 0; c < 3 && near; c++) {
                i[at++] = 3 * w + c;
            }
        }
        if (j == 0) {
            i[at++] = ALL - 1;
        }
    }
    p[ALL - 1] = at;
    i[at++] = 0;
    p[ALL] = at;
    const gos_pattern a = {.n = ALL, .nnz = at, .p = p, .i = i};
    for (int ncomp = 0; ncomp < 4; ncomp += 3) {
        int apart = 0;
        assert_int_equal(gos__dissect(ctx, &a, ncomp, 1, order), GOS_OK);
        for (int k = 0; k < ALL; k++) {
            place[k] = -1;
        }
        for (int k = 0; k < ALL; k++) {
            assert_int_equal(place[order[k]], -1);
            place[order[k]] = k;
        }
        for (int v = 1; v < NODES; v++) { // the first node has the row between
            apart += place[3 * v + 1] != place[3 * v] + 1 || place[3 * v + 2] != place[3 * v] + 2;
        }
        assert_int_equal(apart, 0);
        assert_true(place[ALL - 1] > place[0]);
    }
    gos_ctx_destroy(ctx);
}

/* Rows on one component of every node, as the conditions of a floating frame: nodes are found as
   without them, and the rows come last. */
static void wide_rows_hide_no_nodes(void **state) {
    (void)state;
    enum { SIDE = 12, NODES = SIDE * SIDE, CONDITIONS = 3, ALL = 3 * NODES + CONDITIONS };
    static int p[ALL + 1], i[32 * ALL], order[ALL], place[ALL];
    gos_ctx *ctx = gos_ctx_create();
    int at = 0, apart = 0;
    for (int j = 0; j < 3 * NODES; j++) {
        const int v = j / 3;
        p[j] = at;
        for (int w = 0; w < NODES; w++) {
            const bool near = abs(v / SIDE - w / SIDE) <= 1 && abs(v % SIDE - w % SIDE) <= 1;
            for (int c = 0; c < 3 && near; c++) {
                i[at++] = 3 * w + c;
            }
        }
        i[at++] = 3 * NODES + j % 3;
    }
    for (int c = 0; c < CONDITIONS; c++) {
        p[3 * NODES + c] = at;
        for (int v = 0; v < NODES; v++) {
            i[at++] = 3 * v + c;
        }
    }
    p[ALL] = at;
    const gos_pattern a = {.n = ALL, .nnz = at, .p = p, .i = i};
    assert_int_equal(gos__dissect(ctx, &a, 0, CONDITIONS, order), GOS_OK);
    for (int k = 0; k < ALL; k++) {
        place[k] = -1;
    }
    for (int k = 0; k < ALL; k++) {
        assert_int_equal(place[order[k]], -1);
        place[order[k]] = k;
    }
    // the rows follow their last unknowns, which belong to the node eliminated last
    for (int v = 0; v < NODES; v++) {
        apart += place[3 * v + 2] - place[3 * v] > 2 && place[3 * v + 2] < ALL - 2 * CONDITIONS;
    }
    assert_int_equal(apart, 0);
    for (int c = 0; c < CONDITIONS; c++) {
        assert_true(place[3 * NODES + c] >= ALL - 2 * CONDITIONS);
    }
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constraints_come_after_what_they_hold),
        cmocka_unit_test(vectors_stay_together),
        cmocka_unit_test(nodes_are_found),
        cmocka_unit_test(wide_rows_hide_no_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
