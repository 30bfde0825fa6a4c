/* What the program ends with when no reader is connected, when the disk is full, and when its
 * terminal goes. */
#include "program.h"
#include "support/suite.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

static const char model[] =
    "parameters: {f: 10}\n"
    "materials: {rubber: {density: 1000, young: 1.0e6}}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
    "        elements: 4}\n"
    "joints: {pin: {type: clamp, between: [ground, rod.start]}}\n"
    "loads: {push: {type: force, on: rod.end, value: [0, f, 0]}}\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "analysis: {type: dynamic, end: 0.02, step: 1.0e-4}\n";

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    return program("run model.yaml -o run.h5 --quiet") == 0 &&
                   program("response model.yaml --band 1:2 --points 5 -o response.h5") == 0
               ? 0
               : -1;
}

/* The program with a line of the shell around it: its exit code. */
static int shell(const char *format, const char *arguments) {
    char line[1024], command[2048];
    (void)snprintf(line, sizeof line, "'%s' %s", GOS_PROGRAM, arguments);
    (void)snprintf(command, sizeof command, "cd %s && { ", folder);
    (void)snprintf(command + strlen(command), sizeof command - strlen(command), format, line);
    (void)strcat(command, "; }");
    const int how = system(command);
    return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

static void expect_code(int code, const char *format, const char *arguments) {
    const int got = shell(format, arguments);
    if (got != code) {
        fail_msg("%s with %s: exit code %d, not %d", arguments, format, got, code);
    }
}

/* What was to be printed and cannot be is a failure; what is done is done all the same. */
static void test_standard_output(void **state) {
    (void)state;
    static const char *const commands[] = {"help all",
                                           "help run",
                                           "--version",
                                           "check model.yaml",
                                           "info run.h5",
                                           "info run.h5 --json",
                                           "probe run.h5",
                                           "modes model.yaml",
                                           "info model.yaml",
                                           "info response.h5",
                                           "help",
                                           "compare run.h5 run.h5",
                                           "help ancf_cable",
                                           "check model.yaml --json",
                                           "response model.yaml --band 1:2 --points 2"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        expect_code(1, "%s >/dev/full 2>/dev/null", commands[i]);
        expect_code(1, "%s >&- 2>/dev/null", commands[i]);
    }
    expect_code(1, "%s >/dev/full 2>/dev/null", "run model.yaml -o a.h5");
    expect(0, "info a.h5", "status       complete");
}

/* A stream that is closed is not replaced by the next file that is opened. */
static void test_closed(void **state) {
    (void)state;
    expect_code(1, "%s >&- 2>&- <&-", "run model.yaml -o b.h5");
    expect(0, "info b.h5", "status       complete");
    expect(0, "compare run.h5 b.h5 --tol 0", "tip");
    expect_code(0, "%s >&- 2>&- <&-", "run model.yaml --quiet -o c.h5"); // nothing to print
    expect(0, "compare run.h5 c.h5 --tol 0", "tip");
    expect_code(2, "%s 2>&-", "run nothing.yaml");
}

/* Files that cannot be written: 1, and nothing is left; wrong use: 2. */
static void test_full_disk(void **state) {
    (void)state;
    static const char *const commands[] = {"export run.h5 --to vtu -o full.out",
                                           "export run.h5 --to mat -o full.out",
                                           "export model.yaml --to mat -o full.out",
                                           "export model.yaml --to vtu -o full.out",
                                           "export model.yaml --to h5 -o full.out",
                                           "export model.yaml --to mtx -o full.mtx",
                                           "export model.yaml --to ss -o full.ss",
                                           "response model.yaml --band 1:2 -o full.out",
                                           "run model.yaml -o full.out",
                                           "picture run.h5 -o full.out",
                                           "report run.h5 -o full.out",
                                           "report response.h5 -o full.out"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        expect_code(1, "ulimit -f 1; trap '' XFSZ; %s >/dev/null 2>&1", commands[i]);
        expect_code(0, "test ! -e full.out", "");
        expect_code(0, "test -z \"$(ls | grep part)\"", "");
    }
    expect(2, "export model.yaml --to mtx -o .", "something other");
    expect(2, "export model.yaml --to ss -o .", "something other");
}

/* ---- signals --------------------------------------------------------------------------------- */

static void path_of(const char *name, char path[128]) {
    (void)snprintf(path, 128, "%s/%s", folder, name);
}

/* A run without end, with nothing said about checkpoints unless `every` is given. */
static pid_t start(const char *name, char *every, bool ignore) {
    const pid_t child = fork();
    if (child == 0) {
        char output[64], set[64];
        (void)snprintf(output, sizeof output, "%s", name);
        (void)snprintf(set, sizeof set, "output.checkpoint=%s", every);
        char *arguments[] = {"gossamer",          "run", "model.yaml", "--until", "1000", "--set",
                             "output.limit=1e15", "-o",  output,       "--set",   set,    NULL};
        (void)signal(SIGHUP, ignore ? SIG_IGN : SIG_DFL);
        if (chdir(folder) != 0 || freopen("/dev/null", "w", stdout) == NULL ||
            freopen("/dev/null", "w", stderr) == NULL) {
            _exit(99);
        }
        (void)execv(GOS_PROGRAM, arguments);
        _exit(99);
    }
    return child;
}

/* Wait until the run has written so many checkpoints from now on; false: it has ended. */
static bool wait_for_checkpoints(pid_t child, const char *name, int n) {
    char path[128];
    struct stat last = {0}, now;
    path_of(name, path);
    (void)stat(path, &last);
    while (n > 0) {
        const struct timespec t = {0, 5000000};
        (void)nanosleep(&t, NULL);
        if (waitpid(child, NULL, WNOHANG) != 0) {
            return false;
        }
        if (stat(path, &now) == 0 &&
            (now.st_ino != last.st_ino || now.st_mtim.tv_sec != last.st_mtim.tv_sec ||
             now.st_mtim.tv_nsec != last.st_mtim.tv_nsec)) {
            last = now;
            n--;
        }
    }
    return true;
}

static int end_of(pid_t child) {
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

/* A run that nothing was reported about has a checkpoint to be killed on. A terminal that goes says
   so more than once; the run ends in good order. */
static void test_hangup(void **state) {
    (void)state;
    const pid_t child = start("hangup.h5", "0", false);
    assert_true(wait_for_checkpoints(child, "hangup.h5.checkpoint", 1));
    assert_int_equal(kill(child, SIGHUP), 0);
    (void)kill(child, SIGHUP);
    assert_int_equal(end_of(child), 3);
    expect(0, "info hangup.h5", "status       interrupted");
    char path[128];
    path_of("hangup.h5.checkpoint", path);
    assert_int_equal(access(path, F_OK), 0);
    // the limit of processor time is such a wish too
    const pid_t other = start("limit.h5", "0.02", false);
    assert_true(wait_for_checkpoints(other, "limit.h5.checkpoint", 1));
    assert_int_equal(kill(other, SIGXCPU), 0);
    assert_int_equal(end_of(other), 3);
    expect(0, "info limit.h5", "status       interrupted");
}

/* Under nohup it continues. */
static void test_nohup(void **state) {
    (void)state;
    const pid_t child = start("nohup.h5", "0.02", true);
    assert_true(wait_for_checkpoints(child, "nohup.h5.checkpoint", 1));
    assert_int_equal(kill(child, SIGHUP), 0);
    // one that stops would write a last one
    assert_true(wait_for_checkpoints(child, "nohup.h5.checkpoint", 3));
    assert_int_equal(kill(child, SIGTERM), 0);
    assert_int_equal(end_of(child), 3);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_standard_output),
                                       cmocka_unit_test(test_closed),
                                       cmocka_unit_test(test_full_disk),
                                       cmocka_unit_test(test_hangup), cmocka_unit_test(test_nohup)};
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
