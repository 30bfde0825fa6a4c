/* gossamer sweep: the grid, the table, runs that fail, Ctrl-C, and its report in a browser. */
#include "program.h"
#include "support/suite.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

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
    expect(2, "sweep model.yaml --vary n=4,5 --vary n=6", "is given twice");
    expect(2, "sweep model.yaml --vary L=1:2:1000 --vary E=1:2:1000", "runs are too many");
    expect(2, "sweep model.yaml --vary n=4,5 --until 0", "a time > 0 s");
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
    static const char head[] = "run,n,L,status,file,steps,tip.x.last,tip.x.min,tip.x.max,";
    read_text("grid/table.csv", table);
    assert_int_equal(strncmp(table, head, sizeof head - 1), 0);
    static const char *const n[] = {"3", "3", "3", "5", "5", "5"}, *const length[] = {"1", "1.1",
                                                                                      "1.2"};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(atoi(cell(table, i + 1, 0)), i + 1);
        assert_string_equal(cell(table, i + 1, 1), n[i]);
        assert_string_equal(cell(table, i + 1, 2), length[i % 3]);
        assert_string_equal(cell(table, i + 1, 3), "complete");
        assert_true(atoi(cell(table, i + 1, 5)) > 0);
        assert_true(strtod(cell(table, i + 1, 8), NULL) >=
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
    // texts with commas, and a path that is no parameter; files of an earlier sweep are
    // replaced
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
    // two cannot be compiled, the others continue
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

/* Runs one after the other and three at a time: the same table, byte for byte, of runs that fail
   too, the same lines in the same order, and files with the same digits. */
static void test_jobs(void **state) {
    (void)state;
    static char other[OUTPUT_MAX], line[200];
    expect(1, "sweep model.yaml --vary n=4,-1,nonsense,5 --vary L=1,1.3 -o one --jobs 1",
           "4 of 8 runs complete");
    expect(1, "sweep model.yaml --vary n=4,-1,nonsense,5 --vary L=1,1.3 -o three --jobs 3",
           "4 of 8 runs complete");
    read_text("one/table.csv", table);
    read_text("three/table.csv", other);
    assert_string_equal(table, other);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(atoi(cell(table, i + 1, 0)), i + 1);
        const bool good = i < 2 || i > 5;
        assert_int_equal(strcmp(cell(table, i + 1, 3), "complete") == 0, good);
        static const char *const n[] = {"4", "-1", "nonsense", "5"};
        (void)snprintf(line, sizeof line, "%03d_n=%s_L=%s.h5", i + 1, n[i / 2],
                       i % 2 ? "1.3" : "1");
        if (good) {
            assert_string_equal(cell(table, i + 1, 4), line);
            (void)snprintf(line, sizeof line,
                           "compare one/%03d_n=%s_L=%s.h5 three/%03d_n=%s_L=%s.h5 "
                           "--tol 0",
                           i + 1, n[i / 2], i % 2 ? "1.3" : "1", i + 1, n[i / 2],
                           i % 2 ? "1.3" : "1");
            expect(0, line, "ratio");
        }
    }
    read_text("three/times.csv", table);
    assert_int_equal(strncmp(table, "run,solve_time,wall_time\n1,", 27), 0);
    assert_true(strtod(cell(table, 1, 1), NULL) > 0 && strtod(cell(table, 8, 2), NULL) > 0);
    assert_string_equal(cell(table, 3, 1), ""); // did not come to solving
}

/* the program with these arguments in the folder; its process */
static pid_t begin(char *const arguments[]) {
    const pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) != 0 || freopen("/dev/null", "w", stdout) == NULL ||
            freopen("/dev/null", "w", stderr) == NULL) {
            _exit(99);
        }
        (void)execv(GOS_PROGRAM, arguments);
        _exit(99);
    }
    return child;
}

static void pause_a_little(void) {
    const struct timespec t = {0, 20000000};
    (void)nanosleep(&t, NULL);
}

/* Two runs that take long; returns when both have begun to write. The processes of the runs into
 * `run`. */
static pid_t begin_long(char *name, pid_t run[2]) {
    char *const arguments[] = {"gossamer", "sweep",  "model.yaml", "--vary",    "L=1,1.2,1.4",
                               "--set",    "n=60",   "--set",      "t_end=500", "-o",
                               name,       "--jobs", "2",          NULL};
    const pid_t sweep = begin(arguments);
    char path[2][128], children[64];
    (void)snprintf(path[0], sizeof path[0], "%s/%s/001_L=1.h5", folder, name);
    (void)snprintf(path[1], sizeof path[1], "%s/%s/002_L=1.2.h5", folder, name);
    while (access(path[0], F_OK) != 0 || access(path[1], F_OK) != 0) {
        assert_int_equal(waitpid(sweep, NULL, WNOHANG), 0);
        pause_a_little();
    }
    (void)snprintf(children, sizeof children, "/proc/%ld/task/%ld/children", (long)sweep,
                   (long)sweep);
    FILE *f = fopen(children, "r");
    long pid[2];
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%ld %ld", &pid[0], &pid[1]), 2);
    (void)fclose(f);
    run[0] = (pid_t)pid[0];
    run[1] = (pid_t)pid[1];
    return sweep;
}

/* One that is killed, and one that is requested to stop, take nothing with them. */
static void test_killed_run(void **state) {
    (void)state;
    pid_t run[2];
    int how;
    const pid_t sweep = begin_long("killed", run);
    assert_int_equal(kill(run[0], SIGKILL), 0);
    assert_int_equal(kill(run[1], SIGTERM), 0);
    char path[128];
    (void)snprintf(path, sizeof path, "%s/killed/003_L=1.4.h5", folder);
    while (access(path, F_OK) != 0) { // the third one begins
        assert_int_equal(waitpid(sweep, NULL, WNOHANG), 0);
        pause_a_little();
    }
    assert_int_equal(kill(sweep, SIGINT), 0);
    assert_int_equal(waitpid(sweep, &how, 0), sweep);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 3);
    read_text("killed/table.csv", table);
    static char first[64], second[64], third[64];
    (void)strcpy(first, cell(table, 1, 2));
    (void)strcpy(second, cell(table, 2, 2));
    (void)strcpy(third, cell(table, 3, 2));
    const bool in_order = strcmp(first, "killed by signal 9") == 0;
    assert_string_equal(in_order ? first : second, "killed by signal 9");
    assert_string_equal(in_order ? second : first, "interrupted");
    assert_string_equal(third, "interrupted");
}

/* Runs whose sweep is killed end in good order by themselves. */
static void test_killed_sweep(void **state) {
    (void)state;
    pid_t run[2];
    const pid_t sweep = begin_long("orphans", run);
    assert_int_equal(kill(sweep, SIGKILL), 0);
    assert_int_equal(waitpid(sweep, NULL, 0), sweep);
    for (int i = 0; i < 2; i++) {
        while (kill(run[i], 0) == 0) {
            char path[64], line[64] = "";
            (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)run[i]);
            FILE *f = fopen(path, "r"); // no process waits for it here: dead is Z
            if (f == NULL || fgets(line, sizeof line, f) == NULL || strstr(line, ") Z") != NULL) {
                run[i] = -1;
            }
            if (f != NULL) {
                (void)fclose(f);
            }
            if (run[i] < 0) {
                break;
            }
            pause_a_little();
        }
    }
    expect(0, "info orphans/001_L=1.h5", "interrupted");
    expect(0, "info orphans/002_L=1.2.h5", "interrupted");
    assert_int_equal(program("info orphans/003_L=1.4.h5"), 2); // never begun
}

/* Ctrl-C while runs continue: they stop in good order, none remains, and results so far are kept.
 */
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

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_use),          cmocka_unit_test(test_grid),
        cmocka_unit_test(test_values),       cmocka_unit_test(test_failures),
        cmocka_unit_test(test_jobs),         cmocka_unit_test(test_killed_run),
        cmocka_unit_test(test_killed_sweep), cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_browser),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
