/* gossamer sweep: the grid, the table, runs that fail, Ctrl-C, and its report in a browser. */
#include "program.h"

/* A pendulum solved in milliseconds. */
static const char model[] =
    "name: swinging\n"
    "parameters: {n: 4, L: 1.0, E: 1.0e6, t_end: 0.2}\n"
    "materials:\n"
    "  rubber: {density: 1000, young: E, damping: {normal: 4.0e-3}}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.02, width: 0.02}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [L, 0, 0], "
    "elements: n}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, rod.start]}\n"
    "gravity: [0, -9.81, 0]\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "analysis: {type: dynamic, end: t_end}\n"
    "output: {every: 0.05}\n";

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    write_text("broken.yaml", "name: broken\nbodies: 1\n");
    return 0;
}

static void test_use(void **state) {
    (void)state;
    expect(2, "sweep model.yaml", "--vary");
    expect(2, "sweep --vary n=1,2", "a file is missing");
    expect(2, "sweep model.yaml --vary n", "NAME=FROM:TO:NUMBER");
    expect(2, "sweep model.yaml --vary n=", "NAME=FROM:TO:NUMBER");
    expect(2, "sweep model.yaml --vary =1,2", "NAME=FROM:TO:NUMBER");
    expect(2, "sweep model.yaml --vary L=1:2", "NAME=FROM:TO:NUMBER");
    expect(2, "sweep model.yaml --vary L=1:2:3:4", "NAME=FROM:TO:NUMBER");
    expect(2, "sweep model.yaml --vary L=1:2:x", "must be numbers");
    expect(2, "sweep model.yaml --vary L=1:2:1", "from 2 to");
    expect(2, "sweep model.yaml --vary L=1:2:2.5", "from 2 to");
    expect(2, "sweep model.yaml --vary L=1:2:1e9", "from 2 to");
    expect(2, "sweep model.yaml --vary L=-1:2:3log", "greater than 0");
    expect(2, "sweep model.yaml --vary n=4,,5", "a value is missing");
    expect(2, "sweep model.yaml --vary n=4,5,", "a value is missing");
    expect(2, "sweep model.yaml --vary n=4,5 --vary n=6", "varies twice");
    expect(2, "sweep model.yaml --vary L=1:2:1000 --vary E=1:2:1000", "runs are more than");
    expect(2, "sweep model.yaml --vary n=4,5 --until 0", "after 0");
    expect(2, "sweep model.yaml --vary n=4,5 --jobs 0", "whole number");
    expect(2, "sweep model.yaml --vary l=1:2:3", "l");
    expect(2, "sweep nothing.yaml --vary n=1,2", "nothing.yaml");
    expect(2, "sweep broken.yaml --vary n=1,2", "broken");
    expect(2, "sweep model.yaml --vary n=4,5 -o model.yaml/x", "folder");
}

/* Cell k of line i of a table; its end is cut off in the text. */
static const char *cell(char *text, int i, int k) {
    for (; i > 0; i--) {
        text = strchr(text, '\n') + 1;
    }
    for (; k > 0; k--) {
        text = strchr(text, ',') + 1;
    }
    static char out[256];
    (void)snprintf(out, sizeof out, "%.*s", (int)strcspn(text, ",\n"), text);
    return out;
}

static char table[OUTPUT_MAX];

static void test_grid(void **state) {
    (void)state;
    expect(0, "sweep model.yaml --vary n=3,5 --vary L=1:1.2:3 -o grid --jobs 2",
           "6 of 6 runs complete");
    assert_non_null(strstr(out_text, "tip.x last"));
    read_text("grid/table.csv", table);
    assert_int_equal(
        strncmp(table, "run,n,L,status,file,steps,solve_time,wall_time,tip.x.last,tip.x.min,", 68),
        0);
    static const char *const n[] = {"3", "3", "3", "5", "5", "5"}, *const length[] = {"1", "1.1",
                                                                                      "1.2"};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(atoi(cell(table, i + 1, 0)), i + 1);
        assert_string_equal(cell(table, i + 1, 1), n[i]);
        assert_string_equal(cell(table, i + 1, 2), length[i % 3]);
        assert_string_equal(cell(table, i + 1, 3), "complete");
        assert_true(atoi(cell(table, i + 1, 5)) > 0);
        assert_true(strtod(cell(table, i + 1, 10), NULL) >=
                    strtod(length[i % 3], NULL)); // largest x
    }
    // each run is what a run alone gives
    assert_int_equal(program("run model.yaml --quiet --set n=5 --set L=1.1 -o alone.h5"), 0);
    expect(0, "compare alone.h5 grid/005_n=5_L=1.1.h5 --tol 0", "ratio");
    expect(0, "info grid/006_n=5_L=1.2.h5", "complete");
}

static void test_values(void **state) {
    (void)state;
    expect(0, "sweep model.yaml --vary E=1e6:1e8:3log --until 0.05", "3 of 3 runs complete");
    read_text("model.sweep/table.csv", table);
    assert_string_equal(cell(table, 1, 1), "1e+06");
    assert_string_equal(cell(table, 2, 1), "1e+07");
    assert_string_equal(cell(table, 3, 1), "1e+08");
    // texts with commas, and a path that is no parameter; what is there of an earlier sweep is replaced
    expect(0,
           "sweep model.yaml --vary 'gravity=[0, -9.81, 0],[0, 0, -1.6]' --set t_end=0.05 --quiet",
           "complete");
    assert_string_equal(error_text, "");
    read_text("model.sweep/table.csv", table);
    assert_non_null(strstr(table, "\n1,\"[0, -9.81, 0]\",complete,"));
    assert_non_null(strstr(table, "\n2,\"[0, 0, -1.6]\",complete,"));
}

static void test_failures(void **state) {
    (void)state;
    // two cannot be compiled, the others go on
    expect(1, "sweep model.yaml --vary n=4,-1,nonsense,5 -o failing", "2 of 4 runs complete");
    read_text("failing/table.csv", table);
    assert_string_equal(cell(table, 1, 2), "complete");
    assert_null(strstr(cell(table, 2, 2), "complete"));
    assert_non_null(strstr(table, "nonsense"));
    assert_non_null(strstr(table, "\n4,5,complete,"));
    // results of an earlier sweep are not taken for those of a run that failed
    assert_int_equal(program("run model.yaml --quiet -o 'failing/002_n=-1.h5'"), 0);
    expect(1, "sweep model.yaml --vary n=4,-1,nonsense,5 -o failing", "2 of 4 runs complete");
    // what is not ours is not replaced
    write_text("failing/table.csv", "my notes\n");
    expect(2, "sweep model.yaml --vary n=4,5 -o failing", "not a table of runs");
}

/* Ctrl-C while runs go on: they stop in good order, no one is left, and what is there is kept. */
static void test_interrupt(void **state) {
    (void)state;
    char command[512];
    (void)snprintf(command, sizeof command,
                   "cd %s && { '%s' sweep model.yaml --vary L=1:2:6 --set n=60 --set t_end=500 -o "
                   "stopped --jobs 2 "
                   ">out.txt 2>error.txt & pid=$!; "
                   "until [ -s stopped/001_L=1.h5 ] && [ -s stopped/002_L=1.2.h5 ] || "
                   "! kill -0 $pid; do sleep 0.02; done; kill -INT $pid; wait $pid; }",
                   folder, GOS_PROGRAM);
    const int how = system(command);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 3);
    read_text("stopped/table.csv", table);
    assert_string_equal(cell(table, 1, 2), "interrupted");
    assert_string_equal(cell(table, 6, 2), "not started");
    expect(0, "info stopped/001_L=1.h5", "interrupted");
    expect(0, "info stopped/002_L=1.2.h5", "interrupted");
}

static void test_browser(void **state) {
    (void)state;
    expect(1, "sweep model.yaml --vary n=3,4,x --vary E=1e6,2e6 -o page", "4 of 6 runs complete");
    char command[512];
    (void)snprintf(command, sizeof command,
                   "cd %s && python3 '%s/tests/cli/check_page.py' page/report.html --family "
                   ">out.txt 2>error.txt",
                   folder, GOS_SOURCE_DIR);
    const int how = system(command);
    read_text("out.txt", out_text);
    read_text("error.txt", error_text);
    if (WIFEXITED(how) && WEXITSTATUS(how) == 77) {
        print_message("skipped: no chromium is installed\n");
        skip();
    }
    if (how != 0) {
        fail_msg("%s%s", out_text, error_text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_use),       cmocka_unit_test(test_grid),
        cmocka_unit_test(test_values),    cmocka_unit_test(test_failures),
        cmocka_unit_test(test_interrupt), cmocka_unit_test(test_browser),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
