/* The program as users meet it: exit codes, messages, and the numbers that come out. */
#include "program.h"
#include "support/sanitized.h"
#include "support/suite.h"

#include <math.h>

/* A hot pendulum of few elements, solved in milliseconds. */
static const char model[] =
    "name: small pendulum\n"
    "parameters: {n: 4, L: 1.0, E: 1.0e6, t_end: 0.3}\n"
    "materials:\n"
    "  rubber: {density: 1000, young: E, poisson: 0.3, conductivity: 1.0, specific_heat: 200,\n"
    "           expansion: 1.0e-4, damping: {normal: 4.0e-3}, absorptivity: 1}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.02, width: 0.02}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [L, 0, 0], "
    "elements: n}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, rod.start]}\n"
    "gravity: [0, -9.81, 0]\n"
    "heat:\n"
    "  sun: {type: flux, value: 1.0e4, direction: [0, -1, 0], on: rod}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "  tip_temperature: {at: rod.end, quantity: temperature}\n"
    "analysis: {type: dynamic, end: t_end}\n"
    "output: {every: 0.1}\n";

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    write_text("broken.yaml", "name: broken\nbodies:\n  rod: {type: ancf_cabel}\n");
    return program("run model.yaml -o run.h5 --quiet") == 0 ? 0 : -1;
}

static void test_wrong_use(void **state) {
    (void)state;
    expect(2, "", "gossamer run");
    expect(2, "rum model.yaml", "did you mean 'run'");
    expect(2, "rnu", "did you mean 'run'"); // swapped letters
    expect(2, "xyz", "see gossamer help");  // near none
    expect(2, "sweep model.yaml", "--vary");
    expect(2, "run", "a model is missing");
    expect(2, "run model.yaml --fulll", "did you mean '--full'");
    expect(2, "run model.yaml --full --reduced", "cannot be combined");
    expect(2, "run nothing.yaml", "nothing.yaml");
    expect(2, "run model.yaml -o /nowhere/at/all.h5", "cannot write there");
    expect(2, "run model.yaml -o model.yaml", "is also an input");
    expect(2, "run --resume run.h5", "nothing to resume");
    expect(2, "run model.yaml --rom rom.h5", "rom.h5: cannot open");
    expect(2, "run model.yaml --set L", "NAME=VALUE");
    expect(2, "run model.yaml --until -1", "a time > 0 s");
    expect(2, "run model.yaml --until soon", "needs a number");
    expect(2, "run model.yaml --until nan", "needs a number");
    expect(2, "run model.yaml --threads 0", "whole number");
    expect(2, "run model.yaml --quiet=yes", "takes no value");
    expect(2, "run model.yaml other.yaml", "too many");
    expect(2, "run broken.yaml", "broken.yaml:3:");
    expect(2, "check broken.yaml", "broken.yaml:3:");
    expect(2, "compare run.h5", "another file");
    expect(2, "compare run.h5 model.yaml", "not a results file");
    expect(2, "compare run.h5 run.h5 --tol -1", "--tol");
    expect(2, "probe run.h5 tap", "did you mean 'tip'");
    expect(2, "probe run.h5 --at 0.1,,0.2", "separated by commas");
    expect(2, "probe run.h5 --at 0.1,0.31", "outside the run");
    expect(2, "probe run.h5 --at -0.1", "outside the run");
    expect(2, "modes model.yaml --equilibrium --at 1", "cannot be combined");
    expect(2, "help no_such_entry", "no_such_entry");
    expect(2, "picture run.h5 -o model.yaml", "not an SVG");
    expect(2, "info nothing.h5", "nothing.h5");
    // nothing was written by any of these
    char path[128];
    (void)snprintf(path, sizeof path, "%s/broken.full.h5", folder);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void test_help(void **state) {
    (void)state;
    static const char *const commands[] = {"run",   "check", "modes",   "compare",
                                           "probe", "info",  "picture", "help"};
    expect(0, "help", "gossamer run");
    expect(0, "--help", "gossamer run");
    expect(0, "--version", "HDF5 1.");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char arguments[64];
        (void)snprintf(arguments, sizeof arguments, "%s --help", commands[i]);
        expect(0, arguments, "gossamer ");
        (void)snprintf(arguments, sizeof arguments, "help %s", commands[i]);
        expect(0, arguments, "gossamer ");
    }
    expect(0, "help ancf_cable", "elements");
    expect(0, "help all", "spherical");
    expect(0, "help reduction", "craig_bampton (in reduction)");
    expect(0, "help modes", "gossamer modes"); // a command and a type
    expect(0, "help modes", "modes (in reduction)");
}

/* which kernels of OpenBLAS and why; those that the processor cannot run are refused in words */
static void test_kernels(void **state) {
    (void)state;
#ifdef __x86_64__
    assert_int_equal(program_with("OPENBLAS_CORETYPE=Prescott", "--version"), 0);
    assert_non_null(strstr(out_text, ", kernels Prescott (by OPENBLAS_CORETYPE)\n"));
    assert_int_equal(program_with("OPENBLAS_CORETYPE=nonsense", "--version"), 0);
    assert_non_null(strstr(out_text, "(nonsense, set by OPENBLAS_CORETYPE, is not available)\n"));
    // no processor has the instructions of both
    static const char *const kernels[] = {"OPENBLAS_CORETYPE=SkylakeX",
                                          "OPENBLAS_CORETYPE=Excavator"};
    int refused = 0;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(program_with(kernels[i], "--version"), 0);
        if (strstr(out_text, ", which this processor cannot run\n")) {
            assert_int_equal(program_with(kernels[i], "check model.yaml"), 2);
            assert_non_null(strstr(error_text, "unset OPENBLAS_CORETYPE or set it to others"));
            // also with limited memory, of which the program then reserves a part for OpenBLAS
            char limited[64];
            (void)snprintf(limited, sizeof limited, "%s%s", SANITIZED ? "" : "ulimit -v 8000000; ",
                           kernels[i]);
            assert_int_equal(program_with(limited, "check model.yaml"), 2);
            refused++;
        }
    }
    assert_true(refused > 0);
#endif
}

static void test_run_and_info(void **state) {
    (void)state;
    expect(0, "run model.yaml --until 0.2 --set n=3 --threads 2", "done: ");
    expect(0, "info model.full.h5", "complete");
    assert_non_null(strstr(out_text, "small pendulum"));
    assert_non_null(strstr(out_text, "to 0.2 s, 3 output times"));
    expect(0, "info model.full.h5 --json", "\"status\": \"complete\"");
    expect(0, "info model.yaml", "small pendulum");
    expect(0, "check model.yaml", "no errors");
    expect(0, "check model.yaml --json", "\"valid\": true");
    expect(2, "check broken.yaml --json", "\"valid\": false");
    assert_int_equal(program("run model.yaml -o quiet.h5 --quiet"), 0);
    assert_string_equal(out_text, "");
    assert_string_equal(error_text, "");
}

/* Numbers of a CSV line, at most n. */
static int numbers(const char *line, double *v, int n) {
    int count = 0;
    while (count < n) {
        char *end;
        v[count++] = strtod(line, &end);
        if (*end != ',') {
            break;
        }
        line = end + 1;
    }
    return count;
}

static void test_probe(void **state) {
    (void)state;
    static const char header[] = "time,tip.x,tip.y,tip.z,tip_temperature.T";
    double first[16], last[16], between[16], next[16];
    assert_int_equal(program("probe run.h5"), 0);
    assert_int_equal(strncmp(out_text, header, strlen(header)), 0);
    char *line = strchr(out_text, '\n') + 1;
    const int n = numbers(line, first, 16);
    assert_true(n >= 5);
    assert_true(first[0] == 0 && first[1] == 1 && first[2] == 0);
    // the second step's line, and the last
    line = strchr(line, '\n') + 1;
    (void)numbers(line, next, 16);
    char command[128];
    out_text[strlen(out_text) - 1] = '\0';
    (void)numbers(strrchr(out_text, '\n') + 1, last, 16);
    assert_true(last[0] == 0.3);
    assert_true(last[2] < -0.2 && last[2] > -0.6); // about g t^2 / 2, and the end is whipped down

    // a stored time gives the stored numbers back to the last digit
    (void)snprintf(command, sizeof command, "probe run.h5 --at %.17g,%.17g,%.17g", next[0], last[0],
                   next[0] / 2);
    assert_int_equal(program(command), 0);
    line = strchr(out_text, '\n') + 1;
    assert_int_equal(numbers(line, between, 16), n);
    assert_memory_equal(between, next, (size_t)n * sizeof(double));
    line = strchr(line, '\n') + 1;
    (void)numbers(line, between, 16);
    assert_memory_equal(between, last, (size_t)n * sizeof(double));
    line = strchr(line, '\n') + 1;
    (void)numbers(line, between, 16);
    assert_true(fabs(between[2] - (first[2] + next[2]) / 2) <= fabs(next[2] - first[2]));

    assert_int_equal(program("probe run.h5 tip_temperature --at 0"), 0);
    assert_int_equal(strncmp(out_text, "time,tip_temperature.T", 22), 0);
    assert_non_null(strstr(out_text, "\n0,0"));
    // written to a full disk
    assert_int_equal(program("probe run.h5 >/dev/full"), 1);
}

static void test_compare(void **state) {
    (void)state;
    expect(0, "compare run.h5 run.h5 --tol 0", "position [m]");
    expect(0, "run model.yaml -o softer.h5 --set E=9.9e5 --quiet", "");
    expect(0, "compare run.h5 softer.h5", "temperature [K]");
    expect(4, "compare run.h5 softer.h5 --tol 1e-9", "exceeds the tolerance");
    expect(0, "compare run.h5 softer.h5 --tol 0.1", "ratio");
    expect(0, "compare run.h5 softer.h5 --json", "\"same_mesh\": true");
    expect(0, "run model.yaml -o finer.h5 --set n=6 --quiet", "");
    expect(0, "compare run.h5 finer.h5", "the meshes differ: only probes are compared");
    expect(0, "compare run.h5 finer.h5 --json", "\"same_mesh\": false");
    expect(0, "run model.yaml -o shorter.h5 --until 0.15 --quiet", "");
    expect(0, "compare run.h5 shorter.h5", "only the common part");
}

/* largest value of a column of a table with two lines above */
static double column_max(const char *text, int column) {
    const char *row = strchr(strchr(text, '\n') + 1, '\n');
    double most = 0;
    for (; row != NULL && row[1] != '\0'; row = strchr(row + 1, '\n')) {
        const char *at = row + 1;
        for (int i = 0; i < column; i++) {
            at = strchr(at, ',') + 1;
        }
        most = fmax(most, strtod(at, NULL));
    }
    return most;
}

/* differences over time: their largest values are those of the table of errors; what is in the way
 * stays */
static void test_compare_over_time(void **state) {
    (void)state;
    static char text[OUTPUT_MAX];
    expect(0, "run model.yaml -o stiffer.h5 --set E=1.1e6 --quiet", "");
    expect(0, "compare run.h5 stiffer.h5 -o course.csv --json", "\"same_mesh\": true");
    read_text("course.csv", text);
    assert_non_null(strstr(text, "time [s],position [m],temperature [K],tip [m]"));
    const char *position = strstr(strstr(out_text, "\"position\""), "\"max\": ");
    const char *tip = strstr(strstr(out_text, "\"tip\""), "\"max\": ");
    const double want[] = {strtod(position + 7, NULL), strtod(tip + 7, NULL)};
    assert_true(want[0] > 0 && want[1] > 0);
    assert_true(fabs(column_max(text, 1) / want[0] - 1) < 1e-6);
    assert_true(fabs(column_max(text, 3) / want[1] - 1) < 1e-6);
    expect(0, "compare run.h5 stiffer.h5 -o course.svg", "position [m]");
    expect(0, "compare run.h5 stiffer.h5 -o course.svg", "position [m]"); // may be replaced
    read_text("course.svg", text);
    assert_int_equal(strncmp(text, "<svg", 4), 0);
    assert_non_null(strstr(text, ">tip<"));
    assert_non_null(strstr(text, ">relative difference<"));
    expect(4, "compare run.h5 stiffer.h5 -o course.csv --tol 1e-9", "exceeds the tolerance");
    expect(2, "compare run.h5 stiffer.h5 -o course.txt", "ends with .svg (drawn) or .csv");
    write_text("own.csv", "time,mine\n");
    expect(2, "compare run.h5 stiffer.h5 -o own.csv", "choose another name");
    expect(2, "compare model.yaml model.yaml -o course.csv", "-o is for runs");
}

static void test_picture(void **state) {
    (void)state;
    static char text[OUTPUT_MAX];
    expect(0, "picture run.h5", "");
    expect(0, "picture run.h5 -o picture.svg", ""); // may be replaced
    expect(0, "picture run.h5 run.h5 -o picture.svg", "");
    read_text("picture.svg", text);
    assert_int_equal(strncmp(text, "<svg", 4), 0);
    assert_non_null(strstr(text, "small pendulum"));
    assert_non_null(strstr(text, "temperature increment [K]"));
    assert_non_null(strstr(text, "path of tip"));
    assert_non_null(strstr(text, "</svg>"));
    assert_null(strstr(text, "nan"));
}

static void test_modes(void **state) {
    (void)state;
    expect(0, "modes model.yaml -n 4", "frequency [Hz]");
    expect(0, "modes model.yaml -n 4 --damped", "damping ratio");
    expect(0, "modes model.yaml -n 4 --at 0.05 --json", "\"modes\"");
    // above 1500 unknowns of first order: notes stand below the list
    write_text("overdamped.yaml",
               "materials: {m: {density: 2700, young: 7e10, poisson: 0.3, damping: {normal: "
               "0.02}}}\n"
               "sections: {q: {type: rectangle, height: 0.01, width: 0.02}}\n"
               "bodies: {b: {type: ancf_beam, material: m, section: q, from: [0, 0, 0], to: [1, 0, "
               "0], elements: 100}}\n"
               "joints: {c: {type: clamp, between: [ground, b.start]}}\n");
    expect(0, "modes overdamped.yaml -n 6 --damped",
           "damped modes: the undamped mode of 16.45 Hz is overdamped: eigenvalues");
}

/* A computation that fails says why, also in the file. */
static void test_failure(void **state) {
    (void)state;
    // the pendulum is free to swing: it has no equilibrium that Newton finds from here
    expect(1, "run model.yaml -o failed.h5 --set analysis.type=static", "failed.h5");
    expect(0, "info failed.h5", "failed: ");
    expect(2, "probe failed.h5 --at 0", "outside the run");
}

/* A limit on the size of files stops the run with a reason, and what came before stays. */
static void test_file_size_limit(void **state) {
    (void)state;
    const char *run =
        "run model.yaml -o limited.h5 --until 100 --set analysis.step=1e-4 --set output.limit=1e15";
    assert_int_equal(program_with("ulimit -f 1200;", run), 1);
    assert_non_null(strstr(error_text, "File too large"));
    expect(0, "info limited.h5", "failed: cannot write results: File too large");
    expect(0, "probe limited.h5 tip --at 0.01", "time,tip.x");
    // not even room to begin: no file
    assert_int_equal(program_with("ulimit -f 8;", "run model.yaml -o tiny.h5"), 1);
    assert_non_null(strstr(error_text, "File too large"));
    expect(2, "info tiny.h5", "tiny.h5");
}

/* Ctrl-C keeps the results and says so. */
static void test_interrupt(void **state) {
    (void)state;
    // when the results are there, and with them the receiver of the signal
    assert_int_equal(
        program_with(
            "{ until [ -s stopped.h5 ] || ! kill -0 $$; do sleep 0.02; done; kill -INT $$; } & "
            "exec",
            "run model.yaml -o stopped.h5 --until 1e4 "
            "--set analysis.step=1e-4 --set output.limit=1e15"),
        3);
    assert_non_null(strstr(error_text, "interrupted; the results so far are in stopped.h5"));
    expect(0, "info stopped.h5", "interrupted");
}

/* The layout that ParaView reads, looked at from outside. */
static void test_layout(void **state) {
    (void)state;
    if (system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0) {
        print_message("skipped: h5py is not installed for /usr/bin/python3\n");
        skip();
    }
    char command[512];
    (void)snprintf(command, sizeof command,
                   "/usr/bin/python3 %s/tests/cli/check_layout.py %s/run.h5", GOS_SOURCE_DIR,
                   folder);
    assert_int_equal(system(command), 0);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wrong_use),
                                       cmocka_unit_test(test_help),
                                       cmocka_unit_test(test_kernels),
                                       cmocka_unit_test(test_run_and_info),
                                       cmocka_unit_test(test_probe),
                                       cmocka_unit_test(test_compare),
                                       cmocka_unit_test(test_compare_over_time),
                                       cmocka_unit_test(test_picture),
                                       cmocka_unit_test(test_modes),
                                       cmocka_unit_test(test_failure),
                                       cmocka_unit_test(test_file_size_limit),
                                       cmocka_unit_test(test_interrupt),
                                       cmocka_unit_test(test_layout)};
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
