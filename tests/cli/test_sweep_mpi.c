/* gossamer-mpi: a sweep over the ranks of an MPI job gives what one process gives, for 2, 3 and 4
   ranks, when a rank is killed, and when the job ended early and continues. Skipped where it is not
   built, or there is no mpirun. */
#include "program.h"
#include "support/suite.h"

#include <signal.h>
#include <stdbool.h>
#include <time.h>

/* A pendulum that is solved in some hundredths of a second, with a reduced model. */
static const char model[] =
    "name: swinging\n"
    "parameters: {g: 9.81, t_end: 1}\n"
    "materials:\n"
    "  rubber: {density: 1000, young: 1.0e6, damping: {normal: 4.0e-3}}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.02, width: 0.02}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 6}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, rod.start]}\n"
    "gravity: [0, -g, 0]\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "analysis: {type: dynamic, end: t_end, tolerance: 1.0e-4}\n"
    "output: {every: 0.05}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 4}\n";

#define SWEEP "model.yaml --rom rom.h5 --accept --vary g=normal:9.81:0.3 --samples 16 --quiet"
#define MPIRUN                                                                                     \
    "OMPI_MCA_rmaps_base_oversubscribe=1 GOSSAMER_MPI_SILENT=8 mpirun --allow-run-as-root "        \
    "--oversubscribe"

static char table[OUTPUT_MAX], other[OUTPUT_MAX];

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    return program("reduce model.yaml --accept -o rom.h5 --quiet") == 0
               ? program("sweep " SWEEP " --one-file -o one")
               : -1;
}

/* skips the test where there is nothing to be tested */
static void need_mpi(void) {
    if (access(GOS_PROGRAM "-mpi", X_OK) != 0) {
        print_message("skipped: gossamer-mpi is not built (no MPI)\n");
        skip();
    }
    if (system("mpirun --version >/dev/null 2>&1") != 0) {
        print_message("skipped: there is no mpirun\n");
        skip();
    }
}

static int shell(const char *form, const char *a, const char *b) {
    char command[1024], text[900];
    (void)snprintf(text, sizeof text, form, a, b);
    (void)snprintf(command, sizeof command, "cd %s && { %s; } >out.txt 2>error.txt", folder, text);
    const int how = system(command);
    read_text("out.txt", out_text);
    read_text("error.txt", error_text);
    return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

static void same_table(const char *name) {
    char path[64];
    static const char *const file[] = {"table.csv", "quantiles.csv"};
    for (int i = 0; i < 2; i++) {
        (void)snprintf(path, sizeof path, "one/%s", file[i]);
        read_text(path, table);
        (void)snprintf(path, sizeof path, "%s/%s", name, file[i]);
        read_text(path, other);
        assert_string_equal(table, other);
    }
}

static void test_ranks(void **state) {
    (void)state;
    need_mpi();
    static const char *const ranks[] = {"2", "4", "3"}; // three are in test_lost_rank as well
    for (int i = 0; i < (suite_long() ? 3 : 2); i++) {
        const int code =
            shell(MPIRUN " -n %s '" GOS_PROGRAM "-mpi' " SWEEP " -o n%s", ranks[i], ranks[i]);
        if (code != 0) {
            fail_msg("%d: %s%s", code, out_text, error_text);
        }
        char name[8];
        (void)snprintf(name, sizeof name, "n%s", ranks[i]);
        same_table(name);
    }
    // what is wrong with the sweep is reported once, and ends the job
    assert_int_not_equal(shell(MPIRUN " -n 2 '" GOS_PROGRAM "-mpi' model.yaml --vary %s -o bad%s",
                               "nothing=1,2", ""),
                         0);
    assert_non_null(strstr(error_text, "nothing"));
}

/* the process of a rank, a child of mpirun */
static pid_t process_of(pid_t mpirun, int rank) {
    char path[64], wanted[64];
    static char text[65536];
    (void)snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)mpirun, (long)mpirun);
    (void)snprintf(wanted, sizeof wanted, "OMPI_COMM_WORLD_RANK=%d", rank);
    FILE *list = fopen(path, "r");
    long pid = -1, found = -1;
    while (list && found < 0 && fscanf(list, "%ld", &pid) == 1) {
        (void)snprintf(path, sizeof path, "/proc/%ld/environ", pid);
        FILE *f = fopen(path, "r");
        const size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
        text[n] = '\0';
        for (size_t at = 0; at < n; at += strlen(text + at) + 1) {
            found = strcmp(text + at, wanted) == 0 ? pid : found;
        }
        if (f) {
            (void)fclose(f);
        }
    }
    if (list) {
        (void)fclose(list);
    }
    return (pid_t)found;
}

/* A job of three ranks, the last of which is killed when it has begun: the exit code of the job. */
static int run_and_kill(const char *name, bool recovers) {
    const pid_t mpirun = fork();
    if (mpirun == 0) {
        char command[1024];
        (void)snprintf(
            command, sizeof command,
            "cd %s && exec env OMPI_MCA_rmaps_base_oversubscribe=1 GOSSAMER_MPI_SILENT=8 mpirun "
            "--allow-run-as-root --oversubscribe %s -n 3 '" GOS_PROGRAM "-mpi' " SWEEP
            " -o %s >out.txt 2>error.txt",
            folder, recovers ? "--enable-recovery" : "", name);
        (void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(99);
    }
    char path[128];
    const struct timespec little = {0, 2000000};
    (void)snprintf(path, sizeof path, "%s/%s/parts/000002.open", folder, name);
    while (access(path, F_OK) != 0 && waitpid(mpirun, NULL, WNOHANG) == 0) {
        (void)nanosleep(&little, NULL);
    }
    const pid_t rank = process_of(mpirun, 2);
    if (rank > 0) { // else all was over before
        (void)kill(rank, SIGKILL);
    }
    int how = 0;
    (void)waitpid(mpirun, &how, 0);
    return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

/* Where MPI lets the others live they do what the lost one has left. */
static void test_lost_rank(void **state) {
    (void)state;
    need_mpi();
    if (shell("mpirun --allow-run-as-root --help all 2>&1 | grep -q '%s%s'", "enable-recovery",
              "") != 0) {
        print_message("skipped: this mpirun has no --enable-recovery\n");
        skip();
    }
    const int code = run_and_kill("lost", true);
    if (code != 0) {
        read_text("error.txt", error_text);
        fail_msg("%d: %s", code, error_text);
    }
    same_table("lost");
}

/* Else the job ends, and continues with --resume. */
static void test_ended_job(void **state) {
    (void)state;
    need_mpi();
    (void)run_and_kill("ended", false);
    assert_int_equal(
        shell(MPIRUN " -n 2 '" GOS_PROGRAM "-mpi' " SWEEP " --resume -o %s%s", "ended", ""), 0);
    same_table("ended");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_lost_rank),
        cmocka_unit_test(test_ended_job),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
