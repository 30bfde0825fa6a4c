/* Nothing of others is overwritten: files that this program did not make for the same purpose,
   inputs, what links lead to, results that another run is writing, earlier results when there are
   no new ones. What dead processes left is removed. */
#include "program.h"
#include "support/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

static const char model[] =
    "name: small\n"
    "parameters: {shift: 1}\n"
    "materials: {m: {density: 1000, young: 1.0e6, poisson: 0.3, damping: {normal: 2.0e-3}}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 2}}\n"
    "joints: {pin: {type: clamp, between: [ground, rod.start]}}\n"
    "loads: {tip: {type: force, on: rod.end, value: [0, 1.0e-3, 0]},\n"
    "  log: {type: force, on: rod.end, value: [0, 0, '1.0e-3*log(t + shift)']}}\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "analysis: {end: 0.02, step: 5.0e-3}\n"
    "output: {every: 0.01, checkpoint: 1.0e-9}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 4}\n";

static char *at(const char *name) {
    static char path[4][160];
    static int i;
    i = (i + 1) % 4;
    (void)snprintf(path[i], sizeof path[i], "%s/%s", folder, name);
    return path[i];
}

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    const hid_t file = H5Fcreate(at("mine.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t group = H5Gcreate2(file, "measured", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    (void)H5Gclose(group);
    return H5Fclose(file) >= 0 ? 0 : -1;
}

/* ---- bytes that stay ------------------------------------------------------------------------- */

typedef struct copy {
    char *bytes;
    size_t n;
    struct stat st;
} copy;

static copy keep(const char *name) {
    copy c = {0};
    FILE *f = fopen(at(name), "rb");
    assert_non_null(f);
    assert_int_equal(fstat(fileno(f), &c.st), 0);
    c.bytes = malloc((size_t)c.st.st_size + 1);
    c.n = fread(c.bytes, 1, (size_t)c.st.st_size, f);
    (void)fclose(f);
    return c;
}

static void is_as_it_was(const char *name, copy c) {
    copy now = keep(name);
    assert_int_equal(now.n, c.n);
    assert_int_equal(now.st.st_ino, c.st.st_ino);
    assert_memory_equal(now.bytes, c.bytes, c.n);
    free(now.bytes);
    free(c.bytes);
}

static bool is_there(const char *name) {
    struct stat st;
    return lstat(at(name), &st) == 0;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_foreign(void **state) {
    (void)state;
    static const char *const commands[] = {
        "run model.yaml -o mine.h5", "reduce model.yaml -o mine.h5",
        "export model.yaml --to h5 -o mine.h5", "response model.yaml -o mine.h5",
        "export model.yaml --to mat -o mine.h5"};
    for (int i = 0; i < 5; i++) {
        const copy mine = keep("mine.h5");
        expect(2, commands[i], "mine.h5: exists and is not a");
        is_as_it_was("mine.h5", mine);
    }
    // files of this program, but made for something else
    expect(0, "run model.yaml -o run.h5", "done");
    expect(0, "reduce model.yaml --accept -o rom.h5", "rom.h5");
    expect(0, "export model.yaml --to h5 -o linear.h5", "done");
    expect(0, "response model.yaml -o response.h5", "");
    static const char *const files[] = {"run.h5", "rom.h5", "linear.h5", "response.h5"};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            char command[200];
            (void)snprintf(command, sizeof command, "%.*s%s", (int)(strlen(commands[i]) - 7),
                           commands[i], files[k]);
            if (i == k || (i == 1 && k == 2)) { // reduce makes linear models too
                continue;
            }
            const copy other = keep(files[k]);
            expect(2, command, "exists and is not a");
            is_as_it_was(files[k], other);
        }
    }
    expect(0, "run model.yaml -o run.h5", "done");
    expect(0, "reduce model.yaml --accept -o rom.h5", "rom.h5");
}

/* Pages, pictures, grids and MAT-files of others look like ours, but for the mark. */
static void test_foreign_text(void **state) {
    (void)state;
    static const char *const files[][3] = {
        {"page.html", "<!DOCTYPE html>\n<title>mine</title>\n", "report run.h5 -o page.html"},
        {"p.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n", "picture run.h5 -o p.svg"},
        {"g.vtu", "<?xml version=\"1.0\"?>\n<VTKFile/>\n", "export run.h5 --to vtu -o g.vtu"},
        {"m.mat", "MATLAB 5.0 MAT-file, by hand", "export run.h5 --to mat -o m.mat"}};
    for (int i = 0; i < 4; i++) {
        write_text(files[i][0], files[i][1]);
        const copy mine = keep(files[i][0]);
        expect(2, files[i][2], "of this program; choose another name");
        is_as_it_was(files[i][0], mine);
        assert_int_equal(unlink(at(files[i][0])), 0);
        expect(0, files[i][2], "");
        expect(0, files[i][2], ""); // ours may be replaced
    }
}

static void test_inputs(void **state) {
    (void)state;
    static const char *const commands[][2] = {
        {"run model.yaml --rom rom.h5 -o rom.h5", "rom.h5"},
        {"run model.yaml --rom rom.h5 -o same.h5", "rom.h5"},
        {"export linear.h5 --to h5 -o linear.h5", "linear.h5"},
        {"reduce linear.h5 -o linear.h5 --method modes --order 2", "linear.h5"},
        {"report run.h5 -o run.h5", "run.h5"}};
    assert_int_equal(link(at("rom.h5"), at("same.h5")), 0);
    for (int i = 0; i < 5; i++) {
        const copy input = keep(commands[i][1]);
        expect(2, commands[i][0], "is also an input");
        is_as_it_was(commands[i][1], input);
    }
}

/* No step, no results: what was there stays, and the checkpoints that belong to it. */
static void test_nothing_new(void **state) {
    (void)state;
    expect(0, "run model.yaml -o good.h5", "done");
    const copy good = keep("good.h5");
    expect(1, "run model.yaml -o good.h5 --set shift=0", "good.h5 is unchanged");
    is_as_it_was("good.h5", good);
    assert_false(is_there("good.h5.gossamer.part"));
    // where nothing was, the file says what happened
    expect(1, "run model.yaml -o none.h5 --set shift=0", "");
    expect(0, "info none.h5", "failed");
}

static void test_links(void **state) {
    (void)state;
    write_text("precious.txt", "precious\n");
    const copy precious = keep("precious.txt");
    assert_int_equal(symlink("precious.txt", at("a.h5.gossamer.part")), 0);
    expect(2, "run model.yaml -o a.h5", "a.h5.gossamer.part: exists (");
    assert_false(is_there("a.h5"));
    // as /dev/stdout is one
    assert_int_equal(symlink("/proc/self/fd/1", at("out")), 0);
    expect(2, "run model.yaml -o out", "a link");
    struct stat st;
    assert_int_equal(lstat(at("out"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(mkfifo(at("pipe"), 0600), 0);
    expect(2, "run model.yaml -o pipe", "not a regular file");
    // every other command that writes refuses the same
    static const char *const commands[] = {"export model.yaml --to fmu -o",
                                           "export good.h5 --to vtu -o", "report good.h5 -o",
                                           "view good.h5 -o", "picture good.h5 -o"};
    expect(0, "run model.yaml -o good.h5", "done");
    for (int i = 0; i < (int)(sizeof commands / sizeof *commands); i++) {
        char command[200];
        (void)snprintf(command, sizeof command, "%s out", commands[i]);
        expect(2, command, "a link");
        (void)snprintf(command, sizeof command, "%s pipe", commands[i]);
        expect(2, command, "not a regular file");
        (void)snprintf(command, sizeof command, "%s precious.txt", commands[i]);
        expect(2, command, "choose another name");
    }
    assert_true(lstat(at("out"), &st) == 0 && S_ISLNK(st.st_mode));
    is_as_it_was("precious.txt", precious);
}

static void test_left_over(void **state) {
    (void)state;
    write_text("b.h5.gossamer.part", "of a process that is dead");
    write_text("b.h5.checkpoint.part", "");
    expect(0, "run model.yaml -o b.h5", "done");
    assert_false(is_there("b.h5.gossamer.part"));
    assert_false(is_there("b.h5.checkpoint.part"));
    assert_false(is_there("b.h5.checkpoint"));
    write_text("b.html.gossamer.part", "of a process that is dead");
    expect(0, "report b.h5 -o b.html", "");
    assert_false(is_there("b.html.gossamer.part"));
    // a folder of matrices that a killed export has left continues
    assert_int_equal(mkdir(at("matrices"), 0777), 0);
    write_text("matrices/model.csv.gossamer.part", "of a process that is dead");
    write_text("matrices/M.mtx", "half");
    expect(0, "export model.yaml --to mtx -o matrices", "done");
    assert_false(is_there("matrices/model.csv.gossamer.part"));
    assert_true(is_there("matrices/model.csv"));
    // that one belongs to another user
    write_text("c.h5.checkpoint", "a list of checkpoints on the border\n");
    const copy list = keep("c.h5.checkpoint");
    expect(0, "run model.yaml -o c.h5", "cannot be written: File exists");
    is_as_it_was("c.h5.checkpoint", list);
}

/* ---- two at once ----------------------------------------------------------------------------- */

static pid_t start(const char *output) {
    const pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) != 0 || freopen("/dev/null", "w", stdout) == NULL) {
            _exit(1);
        }
        (void)execl(GOS_PROGRAM, "gossamer", "run", "model.yaml", "-o", output, "--set",
                    "analysis.step=1e-5", "--set", "output.checkpoint=1000", "--set",
                    "output.limit=1e15", "--until", "900", "--quiet", (char *)NULL);
        _exit(1);
    }
    return child;
}

static void wait_for(const char *name, const char *or_else) {
    const struct timespec t = {0, 2000000};
    while (!is_there(name) && !is_there(or_else)) {
        (void)nanosleep(&t, NULL);
    }
}

static void stop(pid_t child) {
    int how;
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
}

static void test_two(void **state) {
    (void)state;
    // where nothing was
    pid_t child = start("live.h5");
    wait_for("live.h5", "live.h5");
    expect(2, "run model.yaml -o live.h5", "a run is still writing it");
    expect(2, "run --resume live.h5", "still going on");
    stop(child);
    // over earlier results: before the new ones take their place, and after
    expect(0, "run model.yaml -o live.h5", "done");
    child = start("live.h5");
    wait_for("live.h5.gossamer.part", "live.h5.checkpoint");
    expect(2, "run model.yaml -o live.h5", "writing it");
    wait_for("live.h5.checkpoint", "live.h5.checkpoint");
    expect(2, "run model.yaml -o live.h5", "writing it");
    stop(child);
    // and nothing of them is left when one comes to its end
    expect(0, "run model.yaml -o live.h5", "done");
    assert_false(is_there("live.h5.gossamer.part"));
    assert_false(is_there("live.h5.checkpoint"));
    assert_false(is_there("live.h5.checkpoint.old"));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_foreign), cmocka_unit_test(test_foreign_text),
        cmocka_unit_test(test_inputs),  cmocka_unit_test(test_nothing_new),
        cmocka_unit_test(test_links),   cmocka_unit_test(test_left_over),
        cmocka_unit_test(test_two)};
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
