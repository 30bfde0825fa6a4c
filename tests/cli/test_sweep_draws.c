/* gossamer sweep --samples: laws, draws that are the same each time, how they spread, and the
 * report of it. */
#include "program.h"
#include "support/suite.h"

#include <math.h>
#include <stdbool.h>

enum { MOST = 200, WIDTH = 7 };

/* Two free bodies: positions are velocities times time, so that the laws of both are those of what
 * is drawn. */
static const char model[] = "name: flying\n"
                            "parameters: {v: 1, w: 1, m: 1}\n"
                            "bodies:\n"
                            "  a: {type: rigid, mass: m, inertia: [1, 1, 1], velocity: [v, 0, 0]}\n"
                            "  b: {type: rigid, mass: m, inertia: [1, 1, 1], velocity: [0, w, 0]}\n"
                            "probes:\n"
                            "  a: {at: a, quantity: position, direction: [1, 0, 0]}\n"
                            "  b: {at: b, quantity: position, direction: [0, 1, 0]}\n"
                            "analysis: {end: 2}\n";

static char table[OUTPUT_MAX], other[OUTPUT_MAX];

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    return 0;
}

static void test_use(void **state) {
    (void)state;
    expect(2, "sweep model.yaml --vary v=normal:1:0.1", "--samples N");
    expect(2, "sweep model.yaml --vary v=1,2 --samples 10", "no parameter is random");
    expect(2, "sweep model.yaml --vary v=normal:1 --samples 10", "MEAN:DEVIATION");
    expect(2, "sweep model.yaml --vary v=normal:1:x --samples 10", "MEAN:DEVIATION");
    expect(2, "sweep model.yaml --vary v=normal:1:0.1:2 --samples 10", "MEAN:DEVIATION");
    expect(2, "sweep model.yaml --vary v=normal:1:0 --samples 10", "greater than 0");
    expect(2, "sweep model.yaml --vary v=uniform:2:1 --samples 10", "FROM < TO");
    expect(2, "sweep model.yaml --vary v=loguniform:0:1 --samples 10", "0 < FROM");
    expect(2, "sweep model.yaml --vary v=lognormal:-1:1 --samples 10", "MEDIAN");
    expect(2, "sweep model.yaml --vary v=gauss:1:1 --samples 10", "must be numbers");
    expect(2, "sweep model.yaml --vary v=uniform:1:2 --samples 1", "from 2 to");
    expect(2, "sweep model.yaml --vary v=uniform:1:2 --samples 200000", "from 2 to");
    expect(2, "sweep model.yaml --vary v=uniform:1:2 --samples 10 --seed -1", "whole number");
    expect(2, "sweep model.yaml --vary v=1,2 --seed 3", "--samples N");
    expect(2, "sweep model.yaml --vary v=1,2 --independent", "--samples N");
    expect(2, "sweep model.yaml --vary x=uniform:1:2 --samples 10", "x");
}

/* column k of the rows of a table, whose first line is its head */
static int column(const char *text, int k, double *v) {
    int n = 0;
    for (const char *line = strchr(text, '\n'); line && line[1] != '\0' && n < MOST;
         line = strchr(line + 1, '\n')) {
        const char *c = line + 1;
        for (int i = 0; i < k; i++) {
            c = strchr(c, ',') + 1;
        }
        v[n++] = strtod(c, NULL);
    }
    return n;
}

/* A hypercube has one draw in each n-th of every law: shares below the values, sorted into n
 * places, fill each once. */
static void each_place_once(const double *share, int n) {
    bool taken[MOST] = {false};
    for (int i = 0; i < n; i++) {
        const int k = (int)(share[i] * n);
        assert_in_range(k, 0, n - 1);
        assert_false(taken[k]);
        taken[k] = true;
    }
}

static void test_hypercube(void **state) {
    (void)state;
    double v[MOST], w[MOST], share[2][MOST];
    expect(0,
           "sweep model.yaml --vary v=uniform:1:3 --vary w=lognormal:2:0.5 --samples 20 -o cube "
           "--jobs 2",
           "20 of 20 runs complete");
    read_text("cube/table.csv", table);
    assert_int_equal(column(table, 1, v), 20);
    assert_int_equal(column(table, 2, w), 20);
    double product = 0;
    for (int i = 0; i < 20; i++) {
        share[0][i] = (v[i] - 1) / 2;
        share[1][i] = 0.5 * erfc(-log(w[i] / 2) / 0.5 / sqrt(2));
        product += (share[0][i] - 0.5) * (share[1][i] - 0.5) * 12 / 20;
    }
    each_place_once(share[0], 20);
    each_place_once(share[1], 20);
    // three standard errors: the entries' draws are not ordered alike
    assert_true(fabs(product) < 3 / sqrt(20));
    // the same seed, the same draws, for any number of processes; another one, others
    assert_int_equal(program("sweep model.yaml --vary v=uniform:1:3 --vary w=lognormal:2:0.5 "
                             "--samples 20 -o again --jobs 1 --seed 1 --quiet"),
                     0);
    read_text("again/table.csv", other);
    assert_string_equal(table, other);
    assert_int_equal(program("sweep model.yaml --vary v=uniform:1:3 --vary w=lognormal:2:0.5 "
                             "--samples 20 -o again --seed 2 --quiet"),
                     0);
    read_text("again/table.csv", other);
    assert_string_not_equal(table, other);
}

/* The quantiles of positions at the end are twice those of velocities: of a hypercube of n draws
   from a law, the k-th sorted one lies between the law's quantiles at k / n and (k + 1) / n; means
   of even laws by as much. */
static void test_quantiles(void **state) {
    (void)state;
    enum { N = 50 };
    static const double share[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    double end[2 * WIDTH + 2];
    expect(0, "sweep model.yaml --vary v=uniform:1:3 --vary w=loguniform:1:100 --samples 50 -o q",
           "a.value last");
    read_text("q/quantiles.csv", table);
    assert_int_equal(strncmp(table, "runs,time,a.value.mean,a.value.deviation,a.value.q05,", 53),
                     0);
    assert_int_equal(column(table, 1, (double[MOST]){0}),
                     MOST); // 201 times, of which MOST are read
    const char *last = table + strlen(table) - 1;
    while (last[-1] != '\n') {
        last--;
    }
    for (int k = 0; k < 2 * WIDTH + 2; k++) {
        end[k] = strtod(last, NULL);
        last += strcspn(last, ",\n") + 1;
    }
    assert_true(end[0] == N && end[1] == 2);
    assert_true(fabs(end[2] - 2 * 2) < 2 * 2.0 / N);            // mean of v
    assert_true(fabs(end[3] - 2 * 2 / sqrt(12)) < 2 * 2.0 / N); // its deviation
    for (int k = 0; k < 5; k++) {
        // at share (N - 1) of the sorted draws, within one place of either side
        const double lo = floor(share[k] * (N - 1)) / N, hi = (ceil(share[k] * (N - 1)) + 1) / N;
        assert_true(end[4 + k] >= 2 * (1 + 2 * lo) && end[4 + k] <= 2 * (1 + 2 * hi));
        const double b = end[2 + WIDTH + 2 + k];
        assert_true(b >= 2 * pow(100, lo) && b <= 2 * pow(100, hi));
    }
}

/* Draws by themselves do not fill places, and differ from those of the hypercube; each point of a
 * grid has the same ones. */
static void test_independent(void **state) {
    (void)state;
    double v[MOST];
    expect(0,
           "sweep model.yaml --vary m=1,2 --vary v=uniform:0:1 --samples 25 --independent -o free",
           "m = 2, 25 of 25 samples complete");
    read_text("free/table.csv", table);
    assert_int_equal(column(table, 2, v), 50);
    bool taken[25] = {false}, twice = false;
    double mean = 0;
    for (int i = 0; i < 25; i++) {
        assert_true(v[i] == v[25 + i]);
        const int k = (int)(v[i] * 25);
        twice = twice || taken[k];
        taken[k] = true;
        mean += v[i] / 25;
    }
    assert_true(twice);
    assert_true(fabs(mean - 0.5) < 3 * sqrt(1 / 12.0 / 25));
}

/* Runs that fail are missing in the quantiles, and that is reported. */
static void test_missing(void **state) {
    (void)state;
    expect(1, "sweep model.yaml --vary m=normal:1:1 --samples 50 -o missing",
           "quantiles are those of the other runs");
    assert_non_null(strstr(error_text, "mass")); // why
    read_text("missing/quantiles.csv", table);
    const int n = atoi(strchr(table, '\n') + 1);
    assert_true(n > 0 && n < 50);
    char line[64];
    (void)snprintf(line, sizeof line, "%d of 50 samples complete", n);
    assert_non_null(strstr(out_text, line));
}

static void test_browser(void **state) {
    (void)state;
    expect(0,
           "sweep model.yaml --vary m=1,2 --vary v=uniform:1:2 --vary w=normal:1:1 --samples 20 -o "
           "page",
           "40 of 40 runs complete");
    char command[512];
    (void)snprintf(
        command, sizeof command,
        "cd %s && python3 '%s/tests/cli/check_page.py' page/report.html --family --fans 4 "
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

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_use),       cmocka_unit_test(test_hypercube),
        cmocka_unit_test(test_quantiles), cmocka_unit_test(test_independent),
        cmocka_unit_test(test_missing),   cmocka_unit_test(test_browser),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
