/* Context, messages, memory, arena, strings: the base layer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "support/suite.h"

static void test_status_texts(void **state) {
    GOS_UNUSED(state);
    assert_string_equal(gos_status_text(GOS_OK), "done");
    assert_string_equal(gos_status_text(GOS_E_MEMORY), "out of memory");
    assert_string_equal(gos_status_text((gos_status)99), "unknown status");
}

static void test_messages(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    assert_string_equal(gos_ctx_message(ctx), "");
    assert_null(gos_ctx_diag(ctx, 0));
    const gos_loc loc = {gos__intern(ctx, "arm.yaml"), 41, 9};
    gos__warn(ctx, loc, "body 'rod'", "slender by %d", 7);
    assert_int_equal(gos__nerrors(ctx), 0);
    assert_int_equal(gos__fail_at(ctx, GOS_E_INPUT, loc, "joint 'knee'", "axis has length %g", 0.5),
                     GOS_E_INPUT);
    assert_int_equal(gos__fail(ctx, GOS_E_FILE, "second"), GOS_E_FILE);
    assert_string_equal(gos_ctx_message(ctx), "arm.yaml:41:9: joint 'knee': axis has length 0.5");
    assert_int_equal(gos_ctx_ndiag(ctx), 3);
    assert_int_equal(gos__nerrors(ctx), 2);
    char line[200];
    gos_ctx_format(ctx, 0, line, sizeof(line));
    assert_string_equal(line, "arm.yaml:41:9: warning: body 'rod': slender by 7");
    gos_ctx_format(ctx, 2, line, sizeof(line));
    assert_string_equal(line, "second");
    gos_ctx_format(ctx, 3, line, sizeof(line));
    assert_string_equal(line, "");
    gos_ctx_clear(ctx);
    assert_int_equal(gos_ctx_ndiag(ctx), 0);
    assert_string_equal(gos_ctx_message(ctx), "");
    gos_ctx_destroy(ctx);
    gos_ctx_destroy(NULL);
}

static void test_warnings_are_counted(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    gos__warn(ctx, (gos_loc){0}, "a", "value %d", 1);
    const long before = gos_ctx_allocations(ctx);
    for (int i = 2; i <= 10; i++) {
        gos__warn(ctx, (gos_loc){0}, "a", "value %d", i);
    }
    assert_int_equal(gos_ctx_allocations(ctx), before);
    gos__warn(ctx, (gos_loc){0}, "b", "value %d", 1);
    gos__warn(ctx, (gos_loc){0}, NULL, "value %d", 1);
    assert_int_equal(gos_ctx_ndiag(ctx), 3);
    assert_int_equal(gos_ctx_diag(ctx, 0)->count, 10);
    char line[100];
    gos_ctx_format(ctx, 0, line, sizeof(line));
    assert_string_equal(line, "warning: a: value 1 (10 times)");
    gos_ctx_destroy(ctx);
}

static void test_message_limit(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    for (int i = 0; i < 3 * GOS_LIMIT_DIAGS; i++) {
        gos__fail(ctx, GOS_E_INPUT, "error %d", i);
    }
    assert_int_equal(gos_ctx_ndiag(ctx), GOS_LIMIT_DIAGS);
    assert_int_equal(gos__nerrors(ctx), 3 * GOS_LIMIT_DIAGS);
    // errors do not crowd out warnings
    gos__warn(ctx, (gos_loc){0}, NULL, "still recorded");
    assert_int_equal(gos_ctx_ndiag(ctx), GOS_LIMIT_DIAGS + 1);
    gos_ctx_destroy(ctx);
}

static void test_messages_are_safe_to_show(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    gos__fail(ctx, GOS_E_INPUT,
              "a\x1b[31m\nb\xff"
              "c \xc3\xa4 \xc2\x9b \xe2\x82");
    assert_string_equal(gos_ctx_message(ctx), "a [31m b?c \xc3\xa4 ?? ??");
    gos_ctx_destroy(ctx);
}

static void test_retry_is_no_error(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    const long before = gos_ctx_allocations(ctx);
    assert_int_equal(gos__fail(ctx, GOS_RETRY, "residual %g", 1.5), GOS_RETRY);
    assert_int_equal(gos_ctx_allocations(ctx), before);
    assert_int_equal(gos__nerrors(ctx), 0);
    assert_string_equal(gos__retry_reason(ctx), "residual 1.5");
    gos_ctx_destroy(ctx);
}

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct countdown {
    long left, live;
} countdown;

static void *count_alloc(void *user, size_t size) {
    countdown *c = user;
    if (c->left-- <= 0) {
        return NULL;
    }
    void *p = malloc(size);
    c->live += p != NULL;
    return p;
}

static void *count_realloc(void *user, void *p, size_t size) {
    GOS_UNUSED(user);
    return realloc(p, size);
}

static void count_free(void *user, void *p) {
    countdown *c = user;
    c->live -= p != NULL;
    free(p);
}

/* memory that was used before is 0 all the same, of whatever size, from malloc and from an
 * allocator that was given */
static void test_zeroed_again(void **state) {
    GOS_UNUSED(state);
    countdown c = {.left = LONG_MAX};
    const gos_allocator counting = {count_alloc, count_realloc, count_free, &c};
    for (int own = 0; own < 2; own++) {
        gos_ctx *ctx = own ? gos_ctx_create() : gos_ctx_create_with(&counting);
        for (size_t n = 8; n < 4000000; n *= 3) {
            for (int again = 0; again < 2; again++) {
                unsigned char *p = gos__zalloc(ctx, n, 1);
                unsigned any = 0;
                assert_non_null(p);
                for (size_t i = 0; i < n; i++) {
                    any |= p[i];
                }
                assert_int_equal(any, 0);
                memset(p, 0xff, n);
                gos__free(ctx, p);
            }
        }
        gos_ctx_destroy(ctx);
    }
    assert_int_equal(c.live, 0);
}

static void test_memory(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    for (size_t n = 0; n < 300; n += 7) {
        char *p = gos__zalloc(ctx, n, 3);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 64, 0);
        for (size_t i = 0; i < 3 * n; i++) {
            assert_int_equal(p[i], 0);
        }
        gos__free(ctx, p);
    }
    gos__free(ctx, NULL);
    assert_null(gos__zalloc(ctx, SIZE_MAX / 2, 4));
    assert_null(gos__zalloc(ctx, SIZE_MAX - 8, 1));
    gos_ctx_clear(ctx);
    assert_null(gos__alloc(ctx, SIZE_MAX / 2, 4));
    assert_int_equal(gos_ctx_diag(ctx, 0)->status, GOS_E_MEMORY);
    assert_null(gos__alloc(ctx, SIZE_MAX - 8, 1));
    void *array = NULL;
    int cap = 0;
    for (int n = 1; n < 100; n++) {
        assert_int_equal(gos__grow(ctx, &array, &cap, n, sizeof(int)), GOS_OK);
        assert_true(cap >= n);
        assert_int_equal(((int *)array)[n - 1], 0);
        ((int *)array)[n - 1] = n;
    }
    for (int n = 1; n < 100; n++) {
        assert_int_equal(((int *)array)[n - 1], n);
    }
    gos__free(ctx, array);
    gos_ctx_destroy(ctx);
}

static void test_out_of_memory_is_told(void **state) {
    GOS_UNUSED(state);
    countdown count = {3, 0};
    const gos_allocator allocator = {count_alloc, count_realloc, count_free, &count};
    gos_ctx *ctx = gos_ctx_create_with(&allocator);
    assert_non_null(ctx);
    void *p = gos__alloc(ctx, 10, 1);
    void *q = gos__alloc(ctx, 10, 1);
    assert_non_null(q);
    assert_null(gos__alloc(ctx, 77, 1));
    assert_string_equal(gos_ctx_message(ctx), "out of memory: 77 bytes more were needed");
    // other messages survive too, without their text
    gos__fail_at(ctx, GOS_E_INPUT, (gos_loc){0}, "x", "lost");
    assert_string_equal(gos_ctx_diag(ctx, 1)->text, "(text lost, out of memory)");
    assert_null(gos__arena_create(ctx));
    assert_null(gos__intern(ctx, "abc"));
    gos__free(ctx, p);
    gos__free(ctx, q);
    gos_ctx_destroy(ctx);
    assert_int_equal(count.live, 0);
    const gos_allocator half = {count_alloc, NULL, count_free, &count};
    assert_null(gos_ctx_create_with(&half));
}

static void note_order(void *arg) {
    int *order = arg;
    order[0]++;
}

static void test_arena(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    gos_arena *a = gos__arena_create(ctx);
    for (size_t n = 0; n < 5000; n += 13) {
        char *p = gos__arena_alloc(a, n, 1);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % (n >= 256 ? 64 : 16), 0);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(p[i], 0);
        }
        memset(p, 0xff, n);
    }
    double *big = GOS_NEW(a, double, 1000000);
    assert_non_null(big);
    assert_true(big[999999] == 0.0);
    assert_null(gos__arena_alloc(a, SIZE_MAX, 2));
    assert_null(gos__arena_alloc(a, SIZE_MAX - 10, 1));
    assert_string_equal(gos__arena_strdup(a, "text"), "text");
    assert_string_equal(gos__arena_printf(a, "%s %d %g", "x", 3, 0.5), "x 3 0.5");
    int calls = 0;
    assert_int_equal(gos__arena_defer(a, note_order, &calls), GOS_OK);
    gos__arena_destroy(a);
    assert_int_equal(calls, 1);
    gos__arena_destroy(NULL);
    gos_ctx_destroy(ctx);
}

static void test_intern(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    const char *first[500];
    for (int i = 0; i < 500; i++) {
        char name[16];
        snprintf(name, sizeof(name), "name%d", i);
        first[i] = gos__intern(ctx, name);
        assert_string_equal(first[i], name);
    }
    for (int i = 0; i < 500; i++) {
        char name[16];
        snprintf(name, sizeof(name), "name%d", i);
        assert_ptr_equal(gos__intern(ctx, name), first[i]);
    }
    gos_ctx_destroy(ctx);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void test_suggestions(void **state) {
    GOS_UNUSED(state);
    const char *names[] = {"density",       "young", "poisson", "conductivity",
                           "specific_heat", "x",     "y"};
    const int n = GOS_COUNT(names);
    assert_string_equal(gos__suggest("densty", names, n), "density");
    assert_string_equal(gos__suggest("dnesity", names, n), "density");
    assert_string_equal(gos__suggest("Density", names, n), "density");
    assert_string_equal(gos__suggest("specific-heat", names, n), "specific_heat");
    assert_string_equal(gos__suggest("cond", names, n), "conductivity");
    assert_string_equal(gos__suggest("youngs", names, n), "young");
    assert_null(gos__suggest("mass", names, n));
    assert_null(gos__suggest("z", names, n));
    assert_null(gos__suggest("", names, n));
    assert_null(gos__suggest("young", names, 0));
    assert_string_equal(gos__suggest("heat", names, n), "specific_heat"); // one of its words
    const char *bodies[] = {"ancf_cable", "ancf_beam", "floating_beam"};
    assert_string_equal(gos__suggest("cable", bodies, 3), "ancf_cable");
    assert_null(gos__suggest("beam", bodies, 3)); // two have it
    assert_null(gos__suggest("cabl", bodies + 1, 2));
    char longer[200];
    memset(longer, 'a', sizeof(longer));
    longer[199] = '\0';
    assert_null(gos__suggest(longer, names, n));
}

static bool parses(const char *s, double *v) {
    return gos__number_parse(s, strlen(s), v);
}

static void test_numbers(void **state) {
    GOS_UNUSED(state);
    double v;
    assert_true(parses("1.5", &v) && v == 1.5);
    assert_true(parses("-1e-3", &v) && v == -1e-3);
    assert_true(parses("+.5E2", &v) && v == 50.0);
    assert_true(parses("7.", &v) && v == 7.0);
    assert_true(parses("1e999", &v) && isinf(v));
    const char *bad[] = {"", "-", ".", "e5", "1e", "0x10", "inf", "nan", "1 ", " 1", "1,5", "--1"};
    for (int i = 0; i < GOS_COUNT(bad); i++) {
        assert_false(parses(bad[i], &v));
    }
    assert_int_equal(gos__number_length("2e+x"), 1);
    assert_int_equal(gos__number_length("2.5e+7x"), 6);
    // a locale with a decimal comma changes nothing
    if (setlocale(LC_ALL, "de_DE.UTF-8") != NULL) {
        char buf[16];
        assert_true(parses("1.5", &v) && v == 1.5);
        gos__format(buf, sizeof(buf), "%g", 1.5);
        assert_string_equal(buf, "1.5");
        setlocale(LC_ALL, "C");
    }
}

/* ---- progress -------------------------------------------------------------------------------- */

static int stop(void *user, double fraction, double seconds, const char *text) {
    GOS_UNUSED(fraction);
    GOS_UNUSED(seconds);
    GOS_UNUSED(text);
    (*(int *)user)++;
    return 1;
}

static void test_progress(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    assert_int_equal(gos__progress(ctx, 0.5, "no callback"), GOS_OK);
    int calls = 0;
    gos_ctx_set_progress(ctx, stop, &calls);
    gos__progress_start(ctx);
    // not at every call, but when some time has passed, however long it takes
    long asked = 1;
    while (gos__progress(ctx, 0.42, "now") == GOS_OK) {
        assert_int_equal(calls, 0);
        asked++;
    }
    assert_int_equal(calls, 1);
    assert_true(asked > 1);
    assert_string_equal(gos_ctx_message(ctx), "interrupted at 42 %");
    gos_ctx_destroy(ctx);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void test_files(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    gos_arena *a = gos__arena_create(ctx);
    char dir[] = "/tmp/gos_base_XXXXXX";
    assert_non_null(mkdtemp(dir));
    write_file(gos__arena_printf(a, "%s/a.csv", dir), "hello");
    assert_int_equal(symlink("/etc/hostname", gos__arena_printf(a, "%s/out", dir)), 0);
    assert_int_equal(symlink("a.csv", gos__arena_printf(a, "%s/in", dir)), 0);
    assert_int_equal(mkfifo(gos__arena_printf(a, "%s/pipe", dir), 0600), 0);

    const gos_loc loc = {0};
    const char *path;
    char *text;
    size_t n;
    assert_int_equal(gos__path_below(ctx, dir, "a.csv", loc, NULL, a, &path), GOS_OK);
    assert_int_equal(gos__file_read(ctx, path, 100, loc, NULL, &text, &n), GOS_OK);
    assert_int_equal(n, 5);
    assert_string_equal(text, "hello");
    gos__free(ctx, text);
    assert_int_equal(gos__file_read(ctx, path, 4, loc, NULL, &text, &n), GOS_E_LIMIT);
    assert_int_equal(gos__path_below(ctx, dir, "in", loc, NULL, a, &path), GOS_OK);
    assert_int_equal(gos__path_below(ctx, dir, "out", loc, NULL, a, &path), GOS_E_INPUT);
    const char *refused[] = {"/etc/passwd", "../x", "a/../../x", "..", "", "x/.."};
    for (int i = 0; i < GOS_COUNT(refused); i++) {
        assert_int_equal(gos__path_below(ctx, dir, refused[i], loc, NULL, a, &path), GOS_E_INPUT);
    }
    assert_int_equal(gos__path_below(ctx, dir, "none", loc, NULL, a, &path), GOS_E_FILE);
    assert_int_equal(gos__path_below(ctx, NULL, "a.csv", loc, NULL, a, &path), GOS_E_INPUT);
    assert_int_equal(gos__path_below(ctx, dir, "pipe", loc, NULL, a, &path), GOS_OK);
    assert_int_equal(gos__file_read(ctx, path, 100, loc, NULL, &text, &n), GOS_E_FILE);
    assert_int_equal(gos__file_read(ctx, dir, 100, loc, NULL, &text, &n), GOS_E_FILE);

    const char *made[] = {"a.csv", "out", "in", "pipe"};
    for (int i = 0; i < GOS_COUNT(made); i++) {
        unlink(gos__arena_printf(a, "%s/%s", dir, made[i]));
    }
    rmdir(dir);
    gos__arena_destroy(a);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status_texts),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_warnings_are_counted),
        cmocka_unit_test(test_message_limit),
        cmocka_unit_test(test_messages_are_safe_to_show),
        cmocka_unit_test(test_retry_is_no_error),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_zeroed_again),
        cmocka_unit_test(test_out_of_memory_is_told),
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_intern),
        cmocka_unit_test(test_suggestions),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
