/* Arrays of fixed length inside joints and items: what is requested beyond them stops the program
   or is refused, and never writes over what follows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "joints/joint.h"
#include "support/suite.h"

static const gos_item_type nothing = {.name = "nothing"};

/* ---- joints ---------------------------------------------------------------------------------- */

typedef void (*fill_fn)(gos_joint *j);

static void markers(gos_joint *j) {
    const gos_marker m = gos__marker_fixed((double[3]){1, 2, 3});
    (void)gos__joint_marker(j, 0, true, &m);
}

static void vectors(gos_joint *j) {
    gos__joint_vector(j, 0, 1, 1, -1);
}

/* a row between markers that are not there */
static void strangers(gos_joint *j) {
    gos__joint_vector(j, 0, 1, GOS_ITEM_MARKERS, -1);
}

static void dots(gos_joint *j) {
    gos__joint_dot(j, 0, 1, -1, 0);
}

static void differences(gos_joint *j) {
    gos__joint_dots(j, 0, 1, 0, 1);
}

static void triples(gos_joint *j) {
    gos__joint_triple(j, 0, 1, 2);
}

static void coordinates(gos_joint *j) {
    const gos_marker m[3] = {gos__marker_fixed((double[3]){0, 0, 1}),
                             gos__marker_fixed((double[3]){1, 0, 0}),
                             gos__marker_fixed((double[3]){1, 0, 0})};
    gos__joint_turn_of(j, "angle", m);
}

/* does calling it so often end in a failed assertion? */
static bool stops(fill_fn fill, int calls) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit no_core = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &no_core);
        (void)signal(SIGABRT, SIG_DFL);
        (void)close(STDERR_FILENO); // of what is meant to happen nothing need be reported
        gos_builder b = {0};
        gos_joint j = {.b = &b, .end = {{.side = 1}, {.side = 2}}};
        j.item.nm = fill == markers ? 0 : 3;
        for (int k = 0; k < calls; k++) {
            fill(&j);
        }
        _exit(0);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) || WIFSIGNALED(how));
    assert_true(WIFEXITED(how) ? WEXITSTATUS(how) == 0 : WTERMSIG(how) == SIGABRT);
    return WIFSIGNALED(how);
}

static void test_joints(void **unused) {
    GOS_UNUSED(unused);
#ifdef NDEBUG
    print_message("skipped: this build has no assertions\n");
    skip();
#endif
    static const struct {
        fill_fn fill;
        int room;
    } slot[] = {{markers, GOS_ITEM_MARKERS},
                {vectors, GOS_ITEM_ROWS / 3},
                {strangers, 0},
                {dots, GOS_JOINT_DOTS},
                {differences, GOS_JOINT_DOTS},
                {triples, GOS_JOINT_TRIPLES},
                {coordinates, GOS_JOINT_COORDINATES}};
    for (int i = 0; i < GOS_COUNT(slot); i++) {
        assert_false(stops(slot[i].fill, slot[i].room));
        assert_true(stops(slot[i].fill, slot[i].room + 1));
    }
}

/* ---- items ----------------------------------------------------------------------------------- */

static void test_items(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    gos_builder b = {.ctx = ctx, .arena = gos__arena_create(ctx)};
    gos_item it = {.type = &nothing, .name = "load 'one'", .entry = "one"};
    it.nfn = GOS_ITEM_FUNCTIONS;
    assert_int_equal(gos__add_item(&b, &it, NULL), GOS_OK);
    const struct {
        int nm, ntm, nc, nh, nfn;
    } more[] = {{.nm = GOS_ITEM_MARKERS + 1},
                {.ntm = GOS_ITEM_TMARKERS + 1},
                {.nc = GOS_ITEM_ROWS + 1},
                {.nh = GOS_ITEM_TMARKERS + 1},
                {.nfn = GOS_ITEM_FUNCTIONS + 1}};
    for (int i = 0; i < GOS_COUNT(more); i++) {
        it = (gos_item){.type = &nothing,
                        .name = "load 'more'",
                        .entry = "more",
                        .nm = more[i].nm,
                        .ntm = more[i].ntm,
                        .nc = more[i].nc,
                        .nh = more[i].nh,
                        .nfn = more[i].nfn};
        assert_int_equal(gos__add_item(&b, &it, NULL), GOS_E_INTERNAL);
        assert_non_null(strstr(gos_ctx_message(ctx), "load 'more'"));
    }
    assert_int_equal(b.nitem, 1);
    gos_arena *a = b.arena;
    gos__builder_release(&b);
    gos__arena_destroy(a);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_joints), cmocka_unit_test(test_items)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
