/* Lists of unknowns put in order, each once, in place: against a search through all of them, for
   lists in order, backwards, at random, of one item many times, short ones and ones that are sorted
   as a whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "support/random.h"
#include "support/suite.h"
#include "constraints/sparse_rows.h"

enum { KINDS = 4, MOST = 2000 };

static int item_of(int kind, int k, int n, uint64_t *seed) {
    const int any = random_below(seed, n / 2 + 1);
    const int of[KINDS] = {k, n - k, any, 5};
    return of[kind];
}

/* the items of a list, of numbers 0 .. MOST, that are there */
static void mark(const int *items, int n, bool *there) {
    memset(there, 0, (MOST + 1) * sizeof *there);
    for (int k = 0; k < n; k++) {
        there[items[k]] = true;
    }
}

static void test_unique(void **state) {
    (void)state;
    static const int sizes[] = {0, 1, 2, 7, 0, 40, 511, 512, 513, MOST};
    enum { LISTS = KINDS * (int)(sizeof sizes / sizeof sizes[0]) };
    int start[LISTS + 1], before[LISTS + 1], total = 0;
    uint64_t seed = 1;
    int *items = malloc(KINDS * 6000 * sizeof *items),
        *given = malloc(KINDS * 6000 * sizeof *given);
    for (int i = 0; i < LISTS; i++) {
        const int n = sizes[i / KINDS];
        start[i] = before[i] = total;
        for (int k = 0; k < n; k++) {
            given[total] = items[total] = item_of(i % KINDS, k, n, &seed);
            total++;
        }
    }
    start[LISTS] = before[LISTS] = total;
    assert_true(total <= KINDS * 6000);
    const int left = gos__buckets_unique(LISTS, start, items);
    assert_int_equal(left, start[LISTS]);
    for (int i = 0; i < LISTS; i++) {
        bool want[MOST + 1], got[MOST + 1];
        mark(given + before[i], before[i + 1] - before[i], want);
        mark(items + start[i], start[i + 1] - start[i], got);
        assert_memory_equal(want, got, sizeof want);
        for (int k = start[i] + 1; k < start[i + 1]; k++) {
            assert_true(items[k] > items[k - 1]);
        }
    }
    free(items);
    free(given);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unique)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
