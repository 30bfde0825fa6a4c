/* Work divided among processes: every piece is done once, whatever their number at a time; what
   fails or dies is reported and takes nothing with it; the wish to stop reaches those at work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"
#include "support/context.h"
#include "support/suite.h"

enum { PIECES = 12 };

typedef struct work {
    double *shared; // (PIECES)
    int began[PIECES], ended[PIECES], running, most;
    gos_piece_end end[PIECES];
    pid_t parent;
} work;

static void begin(void *user, int i) {
    work *w = user;
    w->began[i]++;
    w->running++;
    w->most = w->running > w->most ? w->running : w->most;
}

static void end(void *user, int i, const gos_piece_end *end) {
    work *w = user;
    w->ended[i]++;
    w->running--;
    w->end[i] = *end;
    assert_int_equal(getpid(), w->parent);
}

static work new_work(void) {
    work w = {.shared = gos__shared_alloc(PIECES, sizeof(double)), .parent = getpid()};
    assert_non_null(w.shared);
    return w;
}

static gos_status divide(work *w, int n, int jobs,
                         gos_status (*piece)(void *user, gos_ctx *ctx, int i)) {
    const gos_division d = {.n = n,
                            .jobs = jobs,
                            .text = "pieces",
                            .work = piece,
                            .begin = begin,
                            .end = end,
                            .user = w};
    return gos__divide(ctx, &d);
}

static void no_child_is_left(void) {
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static gos_status square(void *user, gos_ctx *own, int i) {
    work *w = user;
    GOS_UNUSED(own);
    w->began[i] = 99; // of this process alone
    w->shared[i] += getpid() == w->parent ? -1 : (i + 1) * (i + 1);
    return GOS_OK;
}

static void test_all(void **state) {
    GOS_UNUSED(state);
    const int jobs[] = {1, 3, PIECES, 50};
    for (int k = 0; k < GOS_COUNT(jobs); k++) {
        work w = new_work();
        assert_int_equal(divide(&w, PIECES, jobs[k], square), GOS_OK);
        for (int i = 0; i < PIECES; i++) {
            assert_true(w.shared[i] == (i + 1) * (i + 1));
            assert_int_equal(w.began[i], 1);
            assert_int_equal(w.ended[i], 1);
            assert_true(w.end[i].started && w.end[i].wall > 0);
            assert_int_equal(w.end[i].status, GOS_OK);
            assert_string_equal(w.end[i].message, "");
        }
        assert_int_equal(w.running, 0);
        assert_true(w.most <= jobs[k]);
        no_child_is_left();
        gos__shared_free(w.shared, PIECES, sizeof(double));
    }
    work w = new_work();
    assert_int_equal(divide(&w, 0, 2, square), GOS_OK);
    gos__shared_free(w.shared, PIECES, sizeof(double));
    assert_null(gos__shared_alloc(SIZE_MAX / 4, 8));
}

static gos_status fail_or_die(void *user, gos_ctx *own, int i) {
    work *w = user;
    w->shared[i] = 1;
    switch (i) {
    case 1:
        return gos__fail(own, GOS_E_INPUT, "piece %d is bad", i);
    case 2:
        (void)raise(SIGKILL);
        return GOS_OK;
    case 3:
        _exit(0); // without a word
    case 4:
        gos__warn(own, (gos_loc){0}, NULL, "nothing to worry about");
        return GOS_OK;
    default:
        return GOS_OK;
    }
}

static void test_failures(void **state) {
    GOS_UNUSED(state);
    (void)gos__fail(ctx, GOS_E_FILE, "of another time"); // no piece's
    for (int jobs = 1; jobs <= 4; jobs += 3) {
        work w = new_work();
        assert_int_equal(divide(&w, 6, jobs, fail_or_die), GOS_OK);
        const gos_status status[] = {GOS_OK,         GOS_E_INPUT, GOS_E_INTERNAL,
                                     GOS_E_INTERNAL, GOS_OK,      GOS_OK};
        const char *const message[] = {
            "", "piece 1 is bad", "killed by signal 9", "ended without a result", "", ""};
        for (int i = 0; i < 6; i++) {
            assert_true(w.shared[i] == 1);
            assert_int_equal(w.end[i].status, status[i]);
            assert_non_null(strstr(w.end[i].message, message[i]));
        }
        assert_string_equal(w.end[0].message, "");
        no_child_is_left();
        gos__shared_free(w.shared, PIECES, sizeof(double));
    }
    assert_int_equal(gos__nerrors(ctx), 1); // ours
}

/* a long piece that asks now and then */
static gos_status wait_for_stop(void *user, gos_ctx *own, int i) {
    work *w = user;
    const struct timespec little = {0, 5000000};
    gos_status status = GOS_OK;
    for (int k = 0; k < 4000 && status == GOS_OK; k++) {
        (void)nanosleep(&little, NULL);
        status = gos__progress(own, k / 4000.0, "waiting");
    }
    w->shared[i] = 1;
    return status;
}

/* the caller wants to stop when it is requested the second time; with a NULL text it is a piece
 * that asks */
static int stop_soon(void *user, double fraction, double seconds, const char *text) {
    int *asked = user;
    GOS_UNUSED(seconds);
    assert_true(fraction >= 0 && fraction <= 1);
    return text ? ++*asked >= 2 : 0;
}

static int stop_piece(void *user, double fraction, double seconds, const char *text) {
    GOS_UNUSED(user);
    GOS_UNUSED(fraction);
    GOS_UNUSED(seconds);
    return text == NULL;
}

static void test_stop(void **state) {
    GOS_UNUSED(state);
    int asked = 0;
    work w = new_work();
    gos_ctx_set_progress(ctx, stop_soon, &asked);
    assert_int_equal(divide(&w, 5, 2, wait_for_stop), GOS_E_INTERRUPTED);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(w.ended[i], i < 2);
        assert_true(w.shared[i] == (i < 2));
        assert_int_equal(w.end[i].status, i < 2 ? GOS_E_INTERRUPTED : GOS_OK);
    }
    no_child_is_left();
    gos__shared_free(w.shared, PIECES, sizeof(double));
    // pieces that are requested to stop end on their own, and the others continue
    gos_ctx_clear(ctx);
    w = new_work();
    gos_ctx_set_progress(ctx, stop_piece, NULL);
    assert_int_equal(divide(&w, 3, 2, wait_for_stop), GOS_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(w.end[i].status, GOS_E_INTERRUPTED);
    }
    gos__shared_free(w.shared, PIECES, sizeof(double));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all, context_setup, context_teardown),
        cmocka_unit_test_setup_teardown(test_failures, context_setup, context_teardown),
        cmocka_unit_test_setup_teardown(test_stop, context_setup, context_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
