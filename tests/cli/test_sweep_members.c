/* gossamer sweep --one-file: use, the table, runs whose process is killed, a sweep that is
   interrupted and continues, and the file of all read by h5py. */
#include "program.h"
#include "support/suite.h"

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>

/* A pendulum solved in milliseconds, with a reduced model. */
static const char model[] =
    "name: swinging\n"
    "parameters: {L: 1.0, E: 1.0e6, g: 9.81, t_end: 0.2}\n"
    "materials:\n"
    "  rubber: {density: 1000, young: E, damping: {normal: 4.0e-3}}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.02, width: 0.02}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [L, 0, 0], "
    "elements: 6}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, rod.start]}\n"
    "gravity: [0, -g, 0]\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "analysis: {type: dynamic, end: t_end, tolerance: 1.0e-4}\n"
    "output: {every: 0.05}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 4}\n";

static char table[OUTPUT_MAX], other[OUTPUT_MAX];

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    return program("reduce model.yaml --accept -o rom.h5 --quiet");
}

/* Cell k of line i of a table. */
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

static void test_use(void **state) {
    (void)state;
    expect(2, "sweep model.yaml --vary g=9,10 --resume", "requires --one-file");
    expect(2, "sweep model.yaml --vary g=9,10 --rom nothing.h5", "not a reduced model");
    expect(2, "sweep model.yaml --vary g=9,10 --rom model.yaml --one-file", "not a reduced model");
    expect(2, "sweep model.yaml --vary g=9,10 --rom rom.h5 --reduced", "only one of them");
    // what is not ours is not replaced
    assert_int_equal(program("sweep model.yaml --vary g=9,10 --one-file -o mine --quiet"), 0);
    write_text("mine/members.h5", "my notes\n");
    expect(2, "sweep model.yaml --vary g=9,10 --one-file -o mine", "is not the results of a sweep");
}

/* The same bytes for any number of processes, and the values that a file for each run gives. */
static void test_table(void **state) {
    (void)state;
    static const char *const way[] = {"--one-file -o one --jobs 1", "--one-file -o three --jobs 3",
                                      "-o each --jobs 2"};
    char line[256];
    for (int i = 0; i < 3; i++) {
        (void)snprintf(line, sizeof line,
                       "sweep model.yaml --rom rom.h5 --accept --vary g=normal:9.81:0.3 "
                       "--samples 8 %s",
                       way[i]);
        expect(0, line, "8 of 8 runs complete");
    }
    read_text("one/table.csv", table);
    read_text("three/table.csv", other);
    assert_string_equal(table, other);
    read_text("each/table.csv", other);
    for (int i = 1; i <= 8; i++) { // each errs by 1e-4 of its extent at most
        char value[64];
        (void)strcpy(value, cell(table, i, 6));
        assert_true(fabs(strtod(value, NULL) - strtod(cell(other, i, 6), NULL)) < 2e-4);
    }
    read_text("one/quantiles.csv", table);
    read_text("three/quantiles.csv", other);
    assert_string_equal(table, other);
}

static void pause_a_little(void) {
    const struct timespec t = {0, 20000000};
    (void)nanosleep(&t, NULL);
}

/* The program with these arguments in the folder, until two files are there; its process, and its
 * children's (-1: none). */
static pid_t begin(char *const arguments[], const char *const wait_for[2], pid_t run[2]) {
    const pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) != 0 || freopen("/dev/null", "w", stdout) == NULL ||
            freopen("/dev/null", "w", stderr) == NULL) {
            _exit(99);
        }
        (void)execv(GOS_PROGRAM, arguments);
        _exit(99);
    }
    char path[128];
    for (int i = 0; i < 2; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, wait_for[i]);
        while (access(path, F_OK) != 0) {
            assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
            pause_a_little();
        }
    }
    (void)snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)child, (long)child);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    run[0] = run[1] = -1;
    for (int i = 0; i < 2; i++) {
        long pid;
        run[i] = fscanf(f, "%ld", &pid) == 1 ? (pid_t)pid : -1;
    }
    (void)fclose(f);
    return child;
}

/* Two parts of two members each, the first of which takes long: a process that is killed takes its
 * member with it, and nothing else. */
static void test_killed_member(void **state) {
    (void)state;
    char *const arguments[] = {
        "gossamer",   "sweep", "model.yaml", "--vary", "L=1,1.2", "--vary", "t_end=500,0.2",
        "--one-file", "-o",    "killed",     "--jobs", "2",       NULL};
    static const char *const wait_for[] = {"killed/parts/000001.open", "killed/parts/000002.open"};
    pid_t run[2];
    int how;
    const pid_t sweep = begin(arguments, wait_for, run);
    assert_true(run[0] > 0 && run[1] > 0);
    assert_int_equal(kill(run[0], SIGKILL), 0);
    assert_int_equal(kill(run[1], SIGKILL), 0);
    assert_int_equal(waitpid(sweep, &how, 0), sweep);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 1);
    read_text("killed/table.csv", table);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(cell(table, i + 1, 3), i % 2 ? "complete" : "killed by signal 9");
    }
    assert_true(strtod(cell(table, 4, 8), NULL) >= 1.2); // largest x of a rod of 1.2 m
}

/* Killed in the middle, a sweep continues with the parts that are missing, and gives what it gives
 * without that. */
static void test_resumed(void **state) {
    (void)state;
    static const char vary[] = "sweep model.yaml --rom rom.h5 --vary g=normal:9.81:0.3 --samples 9 "
                               "--one-file --set t_end=10 --jobs 2 --accept";
    char *const arguments[] = {
        "gossamer",  "sweep",   "model.yaml", "--rom", "rom.h5",   "--vary", "g=normal:9.81:0.3",
        "--samples", "9",       "--one-file", "--set", "t_end=10", "--jobs", "2",
        "-o",        "resumed", NULL};
    static const char *const wait_for[] = {"resumed/parts/000001.part",
                                           "resumed/parts/000001.part"};
    char line[512];
    pid_t run[2];
    (void)snprintf(line, sizeof line, "%s -o whole", vary);
    expect(0, line, "9 of 9 runs complete");
    const pid_t sweep = begin(arguments, wait_for, run);
    assert_int_equal(kill(sweep, SIGKILL), 0);
    assert_int_equal(waitpid(sweep, NULL, 0), sweep);
    for (int i = 0; i < 2; i++) {
        (void)(run[i] > 0 && kill(run[i], SIGKILL));
    }
    (void)snprintf(line, sizeof line, "%s -o resumed --resume", vary);
    expect(0, line, "9 of 9 runs complete");
    read_text("whole/table.csv", table);
    read_text("resumed/table.csv", other);
    assert_string_equal(table, other);
}

static void test_h5py(void **state) {
    (void)state;
    static const char script[] =
        "import sys\n"
        "try:\n"
        "    import h5py, numpy\n"
        "except ImportError:\n"
        "    sys.exit(77)\n"
        "f = h5py.File('file/members.h5', 'r')\n"
        "assert f.attrs['format'] == b'gossamer-members' or f.attrs['format'] == "
        "'gossamer-members'\n"
        "v, t = f['probes/tip'], f['time'][:]\n"
        "assert v.shape == (4, 5, 3) and abs(t - 0.05 * numpy.arange(5)).max() < 1e-15\n"
        "assert f['extremes/tip'].shape == (4, 3, 3)\n"
        "assert (f['members/complete'][:] == [1, 1, 0, 1]).all() and f['members/steps'][0] > 0\n"
        "assert (f['parameters'][:, 0] == [1e6, 1.1e6, -1, 1.2e6]).all()\n"
        "assert numpy.isnan(v[2]).all() and numpy.isfinite(v[3]).all()\n"
        "assert (v[:, -1] == f['extremes/tip'][:, :, 0])[[0, 1, 3]].all()\n"
        "assert bytes(f['failures'][()]).startswith(b'2: ')\n";
    write_text("check.py", script);
    expect(1, "sweep model.yaml --vary E=1e6,1.1e6,-1,1.2e6 --one-file -o file",
           "3 of 4 runs complete");
    char command[256];
    (void)snprintf(command, sizeof command,
                   "cd %s && /usr/bin/python3 check.py >out.txt 2>error.txt", folder);
    const int how = system(command);
    read_text("error.txt", error_text);
    if (WIFEXITED(how) && WEXITSTATUS(how) == 77) {
        print_message("skipped: no h5py is installed\n");
        skip();
    }
    if (how != 0) {
        fail_msg("%s", error_text);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_use),           cmocka_unit_test(test_table),
        cmocka_unit_test(test_killed_member), cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_h5py),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
