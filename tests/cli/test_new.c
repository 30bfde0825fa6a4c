/* gossamer new and check --watch: models to begin with are valid, run, and do what they say. */
#include "program.h"
#include "support/suite.h"

#include <math.h>

static void test_kinds(void **state) {
    (void)state;
    static const char *const kinds[] = {"pendulum",  "cantilever", "hub_beam",
                                        "satellite", "plate",      "solid"};
    for (int i = 0; i < 6; i++) {
        char line[128];
        (void)snprintf(line, sizeof line, "new %s", kinds[i]);
        expect(0, line, "valid model written; next: gossamer run");
        (void)snprintf(line, sizeof line, "check %s.yaml", kinds[i]);
        expect(0, line, "no errors");
        (void)snprintf(line, sizeof line, "run %s.yaml --quiet --until 0.02 -o %s.h5", kinds[i],
                       kinds[i]);
        expect(0, line, "");
        expect(2, "new pendulum", "pendulum.yaml: already exists");
    }
}

/* of the last row that `probe` printed, the value in a column */
static double last_value(int column) {
    const char *row = out_text, *next;
    while ((next = strchr(row, '\n')) != NULL && next[1] != '\0') {
        row = next + 1;
    }
    for (; column > 0; column--) {
        row = strchr(row, ',') + 1;
    }
    return strtod(row, NULL);
}

/* A bar of 0.3 x 0.03 x 0.02 m, E 2.1e11, 50 N at its end: F L^3/(3 E I) + 1.2 F L/(G A) = 1.079e-4
 * m of a thin beam; its clamped end, which holds Poisson's strain, takes 2 % away. A half space
 * under a flux is 2 q sqrt(t/(pi k rho c)) warmer: 19.8 K at 20 s. */
static void test_numbers(void **state) {
    (void)state;
    expect(0, "run solid.yaml --quiet -o solid.h5", "");
    expect(0, "probe solid.h5 --at 20", "end.z");
    assert_true(fabs(last_value(3) / 1.079e-4 - 1) < 0.03);
    assert_true(fabs(last_value(4) / 19.8 - 1) < 0.03);
}

/* Panels are held by the directions of their edges alone: principal fields of a run keep such
 * clamps to rounding, whose rows are rounding in them then, and no step of a model of these fields
 * can be solved. `auto` takes others, and keeps its tolerance. */
static void test_reduced(void **state) {
    (void)state;
    expect(0, "run satellite.yaml --quiet --set t_end=3 -o full.h5", "");
    expect(0, "run satellite.yaml --reduced --accept --quiet --set t_end=3 -o reduced.h5", "");
    expect(0, "compare full.h5 reduced.h5 --tol 1.0e-3", "position [m]");
}

static void test_choices(void **state) {
    (void)state;
    for (int n = 1; n <= 5; n++) {
        char line[128];
        (void)snprintf(line, sizeof line, "new satellite --panels %d --elements 3 -o s%d.yaml", n,
                       n);
        expect(0, line, "valid model written");
        (void)snprintf(line, sizeof line, "bodies %d, joints %d", n + 1, n);
        assert_non_null(strstr(out_text, line));
    }
    expect(2, "new sattelite", "did you mean 'satellite'?");
    expect(2, "new zzz", "hub_beam");
    expect(2, "new plate --panels 3 -o p.yaml", "is for the kind satellite");
    expect(2, "new satellite --panels 1000 -o p.yaml", "at most 24 panels");
    expect(2, "new satellite --panels 0 -o p.yaml", "whole number");
    expect(2, "new plate -o nowhere/p.yaml", "nowhere/p.yaml");
    expect(2, "new </dev/null", "the kind is missing");
    expect(2, "new a b", "too many");
}

/* Without a terminal nothing asks; with one (script of util-linux makes it) questions lead to the
 * same file. */
static void test_questions(void **state) {
    (void)state;
    if (system("command -v script >/dev/null") != 0) {
        print_message("skipped: script (util-linux) is not installed\n");
        skip();
    }
    char command[512];
    (void)snprintf(command, sizeof command,
                   "cd %s && { sleep 0.2; printf 'satellite\\n'; sleep 0.2; printf '3\\n'; sleep "
                   "0.2; } | script -qec \"'%s' new -o "
                   "asked.yaml\" /dev/null >out.txt 2>&1",
                   folder, GOS_PROGRAM);
    assert_int_equal(system(command), 0);
    expect(0, "new satellite --panels 3 -o told.yaml", "valid");
    (void)snprintf(command, sizeof command, "cd %s && cmp asked.yaml told.yaml", folder);
    assert_int_equal(system(command), 0);
}

/* The program looks again when the file is saved; a change is seen within seconds, and no change is
 * not. */
static void test_watch(void **state) {
    (void)state;
    char command[1024];
    expect(2, "check --watch nothing.yaml", "nothing.yaml");
    expect(2, "check --watch --json nothing.yaml", "cannot be combined");
    (void)snprintf(
        command, sizeof command,
        "cd %s && '%s' new cantilever -o w.yaml >/dev/null && { '%s' check --watch w.yaml >out.txt "
        "2>error.txt & p=$!; i=0; "
        "until grep -q 'no errors' out.txt || [ $i -ge 300 ]; do sleep 0.1; i=$((i+1)); done; "
        "sed -i s/ancf_cable/ancf_cabel/ w.yaml; "
        "until grep -q 'did you mean' error.txt || [ $i -ge 600 ]; do sleep 0.1; i=$((i+1)); done; "
        "kill $p; wait $p; }; grep -c -- ---- out.txt >count.txt; true",
        folder, GOS_PROGRAM, GOS_PROGRAM);
    assert_int_equal(system(command), 0);
    read_text("error.txt", error_text);
    assert_non_null(strstr(error_text, "did you mean 'ancf_cable'?"));
    read_text("count.txt", out_text);
    assert_string_equal(out_text, "2\n");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),     cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_reduced),   cmocka_unit_test(test_choices),
        cmocka_unit_test(test_questions), cmocka_unit_test(test_watch),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
SUITE(suite)
