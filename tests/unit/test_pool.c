/* Threads that wait for work: every task once a round, by as many threads as were requested; what
   cannot be is refused; a child made by fork works alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/pool.h"
#include "support/suite.h"

enum { THREADS = 5, ROUNDS = 2000 };

typedef struct tally {
    int done[THREADS];
    pthread_t who[THREADS];
} tally;

static void count(void *arg, int number) {
    tally *t = arg;
    t->done[number]++;
    t->who[number] = pthread_self();
}

static void every_task_once(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    assert_int_equal(gos__pool_threads(gos__ctx_pool(ctx)), 1);
    assert_int_equal(gos_ctx_set_threads(ctx, THREADS), GOS_OK);
    gos_pool *pool = gos__ctx_pool(ctx);
    assert_int_equal(gos__pool_threads(pool), THREADS);
    const long before = gos_ctx_allocations(ctx);
    for (int n = 1; n <= THREADS; n++) {
        tally t = {0};
        for (int i = 0; i < ROUNDS; i++) {
            gos__pool_run(pool, n, count, &t);
        }
        for (int i = 0; i < THREADS; i++) {
            assert_int_equal(t.done[i], i < n ? ROUNDS : 0);
            for (int j = 0; j < i && i < n; j++) {
                assert_false(pthread_equal(t.who[i], t.who[j]));
            }
        }
        assert_true(pthread_equal(t.who[0], pthread_self()));
    }
    assert_int_equal(gos_ctx_allocations(ctx), before);
    gos_ctx_destroy(ctx);
}

/* with fewer threads than tasks the caller does all, and a quiet context has the threads of its own
 * one */
static void number_changes(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    assert_int_equal(gos_ctx_set_threads(ctx, 3), GOS_OK);
    gos_ctx *quiet = gos__ctx_quiet(ctx);
    assert_int_equal(gos__pool_threads(gos__ctx_pool(quiet)), 3);
    gos_ctx_destroy(quiet);
    assert_int_equal(gos_ctx_set_threads(ctx, 2), GOS_OK);
    tally t = {0};
    gos__pool_run(gos__ctx_pool(ctx), 3, count, &t);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(t.done[i], 1);
        assert_true(pthread_equal(t.who[i], pthread_self()));
    }
    assert_int_equal(gos_ctx_set_threads(ctx, 1), GOS_OK);
    assert_null(gos__ctx_pool(ctx));
    gos_ctx_destroy(ctx);
}

static void refused(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    assert_int_equal(gos_ctx_set_threads(ctx, 2), GOS_OK);
    assert_int_equal(gos_ctx_set_threads(ctx, 0), GOS_E_USE);
    assert_int_equal(gos_ctx_set_threads(ctx, 257), GOS_E_USE);
    assert_non_null(strstr(gos_ctx_message(ctx), "0 threads: choose 1 to 256"));
    assert_int_equal(gos__pool_threads(gos__ctx_pool(ctx)), 2);
    gos_ctx_destroy(ctx);
}

static void child_works_alone(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    assert_int_equal(gos_ctx_set_threads(ctx, 2), GOS_OK);
    const pid_t child = fork();
    if (child == 0) {
        tally t = {0};
        gos__pool_run(gos__ctx_pool(ctx), 2, count, &t);
        gos_ctx_destroy(ctx);
        _exit(t.done[0] == 1 && t.done[1] == 1 ? 0 : 1);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_once),
        cmocka_unit_test(number_changes),
        cmocka_unit_test(refused),
        cmocka_unit_test(child_works_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
