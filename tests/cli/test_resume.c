/* Runs that are interrupted or killed at random moments and resumed end with the same bits as one
   that was left alone; what cannot be resumed is refused with a reason. */
#include "program.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include "gossamer/io.h"
#include "support/random.h"
#include "support/sanitized.h"
#include "support/suite.h"

// followed by resuming, of each kind of model
static int stops_wanted(void) {
    return suite_long() && !SANITIZED ? 10 : 3;
}

/* A hot pendulum pushed now and then: error control, restarts at switching times, heat, section
   frames that have a history. */
static const char model[] =
    "name: pushed pendulum\n"
    "parameters: {n: 8, L: 1.0, push: 1.0}\n"
    "materials:\n"
    "  rubber: {density: 1000, young: 1.0e7, poisson: 0.3, conductivity: 1.0, specific_heat: 200,\n"
    "           expansion: 1.0e-4, damping: {normal: 2.0e-3}, absorptivity: 1}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.02, width: 0.02}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [L, 0, 0], "
    "elements: n, frame: transported}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, rod.start]}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads:\n"
    "  push: {type: force, on: rod.end, value: [0, 0, 'push*mod(floor(40*t), 2)']}\n"
    "heat:\n"
    "  sun: {type: flux, value: {table: sun.csv}, direction: [0, -1, 0], on: rod}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "  bend: {at: rod.at(0.4), quantity: curvature}\n"
    "  pin_force: {joint: pin, quantity: joint_force}\n"
    "  tip_temperature: {at: rod.end, quantity: temperature}\n"
    "analysis: {type: dynamic, end: 0.4, tolerance: 1.0e-6}\n"
    "output: {every: 0.007, checkpoint: 0.01}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 8}\n";

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    write_text("sun.csv", "0 2e4\n0.1 2e4\n0.11 0\n1 0\n");
    return 0;
}

static void path_of(const char *name, char path[128]) {
    (void)snprintf(path, 128, "%s/%s", folder, name);
}

/* ---- comparing bit by bit -------------------------------------------------------------------- */

static void same_bits(const double *a, const double *b, size_t n, const char *what) {
    if (memcmp(a, b, n * sizeof *a) != 0) {
        fail_msg("%s differs", what);
    }
}

static void same_probes(gos_results *a, gos_results *b, const gos_results_info *info) {
    const double *v[2], *d[2];
    same_bits(gos_results_time(a), gos_results_time(b), (size_t)info->nrows, "a time");
    for (int i = 0; i < info->nprobes; i++) {
        gos_probe_info p;
        gos_results_probe_info(a, i, &p);
        assert_int_equal(gos_results_probe(a, i, &v[0], &d[0]), GOS_OK);
        assert_int_equal(gos_results_probe(b, i, &v[1], &d[1]), GOS_OK);
        same_bits(v[0], v[1], (size_t)info->nrows * (size_t)p.ncomp, p.name);
        same_bits(d[0], d[1], (size_t)info->nrows * (size_t)p.ncomp, p.name);
    }
}

static void same_frames(gos_results *a, gos_results *b, const gos_results_info *info) {
    static double v[2][5][3 * 1000];
    same_bits(gos_results_frame_times(a), gos_results_frame_times(b), (size_t)info->nframes,
              "an output time");
    const size_t n = (size_t)info->sizes.nodes;
    assert_true(n <= 1000);
    for (long k = 0; k < info->nframes; k++) {
        gos_results *run[2] = {a, b};
        gos_energy energy[2];
        gos_heat heat[2];
        for (int i = 0; i < 2; i++) {
            const gos_node_fields f = {v[i][0], v[i][1], v[i][2], v[i][3], v[i][4]};
            assert_int_equal(gos_results_frame(run[i], k, &f), GOS_OK);
            assert_int_equal(gos_results_balance(run[i], k, &energy[i], &heat[i]), GOS_OK);
        }
        for (int f = 0; f < 5; f++) {
            same_bits(v[0][f], v[1][f], f < 3 ? 3 * n : n, "a field");
        }
        assert_memory_equal(&energy[0], &energy[1], sizeof energy[0]);
        assert_memory_equal(&heat[0], &heat[1], sizeof heat[0]);
    }
}

/* Removes lines with advice that depends on measured times, and if `estimates`, those with the
   estimated error of the run; returns the number of removed warnings. */
static int without_advice(const char *text, bool estimates, char *left, size_t size) {
    int n = 0;
    size_t used = 0;
    left[0] = '\0';
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
        char one[2000];
        (void)snprintf(one, sizeof one, "%.*s", (int)length, line);
        if (strstr(one, "not worth reducing")) {
            n++;
        } else if (!estimates || !strstr(one, "of the whole run")) {
            used += (size_t)snprintf(left + used, size - used, "%s", one);
            assert_true(used < size);
        }
        line += length;
    }
    return n;
}

/* A signal during the second run, which estimates errors, ends that one alone. */
static void same_warnings(const gos_results_info *a, const gos_results_info *b) {
    static char text[2][20000];
    const bool estimates = strstr(b->warnings, "the second run was interrupted") != NULL;
    const int na = without_advice(a->warnings, estimates, text[0], sizeof text[0]);
    const int nb = without_advice(b->warnings, estimates, text[1], sizeof text[1]);
    assert_string_equal(text[0], text[1]);
    assert_int_equal(a->warning_count - na, b->warning_count - nb);
}

static void same_runs(const char *first, const char *second) {
    char path[2][128];
    gos_results *r[2];
    gos_results_info info[2];
    gos_ctx *ctx = gos_ctx_create();
    path_of(first, path[0]);
    path_of(second, path[1]);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(gos_results_open(ctx, path[i], &r[i]), GOS_OK);
        gos_results_info_get(r[i], &info[i]);
        assert_string_equal(info[i].status, "complete");
    }
    assert_int_equal(info[0].nrows, info[1].nrows);
    assert_int_equal(info[0].nframes, info[1].nframes);
    assert_int_equal(info[0].statistics.steps, info[1].statistics.steps);
    assert_int_equal(info[0].statistics.iterations, info[1].statistics.iterations);
    assert_int_equal(info[0].statistics.restarts, info[1].statistics.restarts);
    assert_string_equal(info[0].text, info[1].text);
    same_warnings(&info[0], &info[1]);
    assert_true(info[0].statistics.restarts > 5);
    same_probes(r[0], r[1], &info[0]);
    same_frames(r[0], r[1], &info[0]);
    gos_results_close(r[0]);
    gos_results_close(r[1]);
    gos_ctx_destroy(ctx);
}

/* ---- stopping -------------------------------------------------------------------------------- */

/* The program with these arguments, in a process of its own. */
static pid_t start(char *const arguments[]) {
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

static bool is_there(const char *name) {
    char path[128];
    path_of(name, path);
    return access(path, F_OK) == 0;
}

static void pause_for(long microseconds) {
    const struct timespec t = {microseconds / 1000000, microseconds % 1000000 * 1000};
    (void)nanosleep(&t, NULL);
}

/* Wait until a file has been replaced (or made) so often, however long that takes, or the child has
 * ended. */
static void wait_for(pid_t child, const char *name, int times) {
    char path[128];
    struct stat first = {0}, now;
    path_of(name, path);
    (void)stat(path, &first);
    while (times > 0) {
        siginfo_t ended = {0};
        assert_int_equal(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT), 0);
        if (ended.si_pid != 0) {
            return;
        }
        if (stat(path, &now) == 0 &&
            (now.st_ino != first.st_ino || now.st_ctim.tv_sec != first.st_ctim.tv_sec ||
             now.st_ctim.tv_nsec != first.st_ctim.tv_nsec)) {
            first = now;
            times--;
        }
        pause_for(500);
    }
}

/* Its exit code when it has got a signal; -1: killed. */
static int stop(pid_t child, int signal_number) {
    int how;
    (void)kill(child, signal_number);
    assert_int_equal(waitpid(child, &how, 0), child);
    return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

static void shell(const char *command) {
    char all[512];
    (void)snprintf(all, sizeof all, "cd %s && %s", folder, command);
    assert_int_equal(system(all), 0);
}

/* Stop runs again and again, by force or by Ctrl-C, at random moments after one of their next
   checkpoints, until they have been resumed that often, and compare each with one that was left
   alone. */
static void stop_and_resume(char *file, char *mode, char *tolerance, int signal_number,
                            int wanted) {
    char command[256];
    uint64_t random = 2024;
    int stops = 0, resumes = 0;
    char *accept = strcmp(mode, "--full") == 0 ? NULL : "--accept"; // as costly as the full model
    (void)snprintf(command, sizeof command, "run %s %s %s --quiet -o whole.h5 --set %s", file, mode,
                   accept ? accept : "", tolerance);
    assert_int_equal(program(command), 0);
    assert_false(is_there("whole.h5.checkpoint"));
    for (int turn = 0; resumes < wanted; turn++) {
        assert_true(turn < 100 * wanted); // runs end before their first checkpoint
        int left = 1 + wanted / 2;        // stops of this run; then it may end
        char *threads = turn % 2 ? "2" : "1";
        char *fresh[] = {"gossamer", "run",     file,        mode,    "-o",   "parts.h5", "--quiet",
                         "--set",    tolerance, "--threads", threads, accept, NULL};
        char *again[] = {"gossamer",  "run",   "--resume", "parts.h5",
                         "--threads", threads, accept,     NULL};
        int code = 3;
        for (bool resume = false; code != 0;) {
            const pid_t child = start(resume ? again : fresh);
            wait_for(child, "parts.h5.checkpoint",
                     left > 0 ? 1 + random_below(&random, 3) : INT_MAX);
            pause_for(random_below(&random, 8000));
            code = stop(child, signal_number);
            left--;
            stops += code != 0;
            assert_true(code == 0 || code == 3 || code == -1);
            // killed just when it had come to its end: checkpoints may be left
            const bool complete = code == -1 && is_there("parts.h5") &&
                                  program("info parts.h5") == 0 &&
                                  strstr(out_text, "status       complete") != NULL;
            resume = !complete &&
                     (is_there("parts.h5.checkpoint") || is_there("parts.h5.checkpoint.old"));
            resumes += resume && code != 0;
            code = complete ? 0 : code;
        }
        same_runs("whole.h5", "parts.h5");
        shell("rm parts.h5*");
    }
    print_message("%s: %d stops, %d times resumed\n", mode, stops, resumes);
}

static void test_full(void **state) {
    (void)state;
    stop_and_resume("model.yaml", "--full", "analysis.tolerance=1e-6", SIGKILL, stops_wanted());
}

static void test_reduced(void **state) {
    (void)state;
    stop_and_resume("model.yaml", "--reduced", "analysis.tolerance=1e-6", SIGKILL, stops_wanted());
}

static void test_local(void **state) {
    (void)state;
    shell("sed '/^reduction/d' model.yaml >local.yaml; "
          "echo 'reduction: {method: complex_modes, displacement_modes: 8}' >>local.yaml");
    stop_and_resume("local.yaml", "--reduced", "n=4", SIGKILL,
                    suite_long() ? stops_wanted() / 2 : 2);
}

static void test_probes(void **state) {
    (void)state;
    stop_and_resume("model.yaml", "--full", "analysis.probe_tolerance=0.1", SIGKILL,
                    suite_long() ? stops_wanted() / 2 : 2);
}

/* Long enough for the program to look whether it shall stop. */
static void test_by_hand(void **state) {
    (void)state;
    stop_and_resume("model.yaml", "--full", "analysis.tolerance=4e-8", SIGINT,
                    suite_long() && !SANITIZED ? 4 : 2);
}

/* ---- what cannot be resumed ------------------------------------------------------------------ */

/* An interrupted run with two checkpoints. */
static void interrupt(char *model_file, char *until, char *output) {
    char old[64];
    char *argv[] = {"gossamer", "run",   model_file,          "-o", output, "--until",
                    until,      "--set", "output.limit=1e15", NULL};
    (void)snprintf(old, sizeof old, "%s.checkpoint.old", output);
    const pid_t child = start(argv);
    wait_for(child, old, 1);
    assert_int_equal(stop(child, SIGINT), 3);
    assert_true(is_there(old));
}

static void test_refused(void **state) {
    (void)state;
    expect(2, "run --resume nothing.h5", "nothing.h5");
    expect(2, "run --resume model.yaml", "not a results file");
    expect(0, "run model.yaml -o done.h5 --quiet", "");
    expect(2, "run --resume done.h5", "complete, there is nothing to resume");
    interrupt("model.yaml", "100", "stopped.h5");
    expect(2, "run --resume stopped.h5 --set push=2", "--resume continues");
    expect(2, "run --resume stopped.h5 model.yaml", "--resume continues");
    expect(2, "run --resume stopped.h5 --until 3", "--resume continues");
    expect(2, "run --resume stopped.h5 -o other.h5", "--resume continues");
    // no checkpoint
    shell("cp stopped.h5 bare.h5");
    expect(2, "run --resume bare.h5", "there is no bare.h5.checkpoint");
    // checkpoints of another run of the same model, and of another model
    interrupt("model.yaml", "50", "other.h5");
    shell("cp stopped.h5 mixed.h5; cp other.h5.checkpoint mixed.h5.checkpoint");
    expect(2, "run --resume mixed.h5", "the results belong to another run");
    shell("sed 's/n: 8/n: 9/' model.yaml >nine.yaml");
    interrupt("nine.yaml", "100", "nine.h5");
    shell("cp nine.h5.checkpoint mixed.h5.checkpoint");
    expect(2, "run --resume mixed.h5", "it belongs to another model");
    // a table that has changed since, or is gone
    shell("cp sun.csv kept.csv; echo 2 0 >>sun.csv");
    expect(2, "run --resume stopped.h5", "a table");
    shell("rm sun.csv");
    expect(2, "run --resume stopped.h5", "sun.csv");
    shell("mv kept.csv sun.csv");
    // damaged, cut short, empty, of another version
    shell("cp stopped.h5.checkpoint good; cp stopped.h5.checkpoint.old good.old; cp stopped.h5 "
          "good.h5");
    shell("printf X | dd of=stopped.h5.checkpoint bs=1 seek=5000 conv=notrunc 2>/dev/null");
    shell("truncate -s 3000 stopped.h5.checkpoint.old");
    expect(2, "run --resume stopped.h5", "newest checkpoint: it is damaged");
    assert_non_null(strstr(error_text, "previous one: it is not complete"));
    shell("printf '\\377' | dd of=stopped.h5.checkpoint bs=1 seek=8 conv=notrunc 2>/dev/null");
    shell("truncate -s 0 stopped.h5.checkpoint.old");
    expect(2, "run --resume stopped.h5", "another version");
    assert_non_null(strstr(error_text, "previous one: it is not a checkpoint"));
    // whatever was refused, the results are as they were
    shell("cmp stopped.h5 good.h5 && rm good.h5");
    // the one before serves when the newest is damaged or missing
    shell("cp good.old stopped.h5.checkpoint.old; cp stopped.h5 twice.h5; "
          "cp good.old twice.h5.checkpoint.old");
    char *damaged[] = {"gossamer", "run", "--resume", "stopped.h5", NULL};
    pid_t child = start(damaged);
    wait_for(child, "stopped.h5.checkpoint", 1);
    assert_int_equal(stop(child, SIGINT), 3);
    char *missing[] = {"gossamer", "run", "--resume", "twice.h5", NULL};
    child = start(missing);
    wait_for(child, "twice.h5.checkpoint", 1);
    assert_int_equal(stop(child, SIGINT), 3);
    expect(0, "info twice.h5", "the newest checkpoint cannot be used: it is missing");
}

/* Static runs have no checkpoints; a run that continues is left alone. */
static void test_running(void **state) {
    (void)state;
    char *argv[] = {"gossamer", "run",   "model.yaml",        "-o", "going.h5", "--until",
                    "100",      "--set", "output.limit=1e15", NULL};
    const pid_t child = start(argv);
    wait_for(child, "going.h5.checkpoint", 1);
    expect(2, "run --resume going.h5", "still going on");
    (void)stop(child, SIGKILL);
    expect(0, "info going.h5", "interrupted");
}

/* Results that are replaced take their checkpoints with them. */
static void test_replaced(void **state) {
    (void)state;
    interrupt("model.yaml", "100", "again.h5");
    expect(0, "run model.yaml -o again.h5 --quiet --until 0.01", "");
    assert_false(is_there("again.h5.checkpoint") || is_there("again.h5.checkpoint.old"));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full),    cmocka_unit_test(test_reduced),
        cmocka_unit_test(test_by_hand), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_running), cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_local),   cmocka_unit_test(test_probes)};
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
