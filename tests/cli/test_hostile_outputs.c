/* Every command that writes meets the same list of hostile outputs: links, also dangling ones and
   to folders, pipes, devices, files and folders of others. Each is refused with its name, and the
   folder stays as it was. */
#include "program.h"
#include "support/suite.h"

#include <signal.h>
#include <stdbool.h>
#include <time.h>

static const char model[] =
    "parameters: {shift: 1}\n"
    "materials: {m: {density: 1000, young: 1.0e6, poisson: 0.3, damping: {normal: 2.0e-3}}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "meshes: {sheet: {type: rectangle, size: [1, 1], cells: [2, 2]}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 2}}\n"
    "joints: {pin: {type: clamp, between: [ground, rod.start]}}\n"
    "loads: {push: {type: force, on: rod.end, value: [0, 0, 1.0e-3]}}\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "analysis: {end: 0.02, step: 5.0e-3}\n"
    "output: {every: 0.01}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 4}\n";

static const char beam[] =
    "materials: {m: {density: 2767, young: 6.9e10, poisson: 0.3}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.025}}\n"
    "bodies: {arm: {type: floating_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 3}}\n"
    "joints: {pin: {type: clamp, between: [ground, arm.frame]}}\n"
    "loads: {push: {type: force, on: arm.end, value: [0, 1, 0]}}\n"
    "probes: {tip: {at: arm.end, quantity: position}}\n"
    "designs: {hold: {type: lqr, inputs: push.y, weight: displacement, output: tip.y, zeta: "
    "0.01, design_modes: 2}}\n"
    "analysis: {end: 1}\n";

/* each without its output */
static const char *const commands[] = {
    "run model.yaml --quiet",
    "reduce model.yaml --accept --quiet",
    "export model.yaml --to h5",
    "export model.yaml --to mtx",
    "export model.yaml --to ss",
    "export model.yaml --to op4",
    "export model.yaml --to op4_text",
    "export reduced.h5 --to dmig",
    "export model.yaml --to mat",
    "export model.yaml --to vtu",
    "export model.yaml --to fmu",
    "export model.yaml --to fmu --step 1e-3 --at 0",
    "export model.yaml --to c --step 1e-3 --at 0",
    "export beam.yaml --to sid",
    "export run.h5 --to vtu",
    "export run.h5 --to mat",
    "response model.yaml --band 1:2 --points 3",
    "report run.h5",
    "report response.h5",
    "view run.h5",
    "view model.yaml",
    "picture run.h5",
    "mesh model.yaml sheet",
    "new cantilever",
    "design beam.yaml",
    "compare run.h5 run.h5",
    "sweep model.yaml --vary shift=1:2:2 --quiet",
};

enum { LINK, DANGLING, TO_FOLDER, PIPE, DEVICE, FILE_OF_OTHERS, FOLDER_OF_OTHERS, HOSTILE };

static const char *const made[HOSTILE] = {
    [LINK] = "ln -s precious $O",
    [DANGLING] = "ln -s missing $O",
    [TO_FOLDER] = "mkdir theirs; ln -s theirs $O",
    [PIPE] = "mkfifo $O",
    [DEVICE] = "true",
    [FILE_OF_OTHERS] = "cp precious $O",
    [FOLDER_OF_OTHERS] = "mkdir $O; cp precious $O/letter",
};

/* some commands need an ending */
static const char *output_of(const char *command) {
    return strncmp(command, "compare", 7) == 0 ? "out.svg" : "out";
}

static void shell(const char *line) {
    char all[512];
    (void)snprintf(all, sizeof all, "cd %s && { %s; }", folder, line);
    assert_int_equal(system(all), 0);
}

/* names, kinds, inodes, times and targets of all that is in the folder, and the device */
static void look(char text[4096]) {
    char line[400];
    (void)snprintf(
        line, sizeof line,
        "cd %s && { find . ! -name '*.txt' ! -path . -printf '%%p %%y %%i %%T@ %%l\\n' | "
        "sort; stat -c '%%F %%t %%T %%i' /dev/full; }",
        folder);
    FILE *in = popen(line, "r");
    assert_non_null(in);
    text[fread(text, 1, 4095, in)] = '\0';
    assert_int_equal(pclose(in), 0);
}

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    write_text("beam.yaml", beam);
    write_text("precious", "precious\n");
    return program("run model.yaml -o run.h5 --quiet") +
           program("response model.yaml --band 1:2 --points 3 -o response.h5") +
           program("export model.yaml --to h5 -o linear.h5") +
           program("reduce linear.h5 --method modes --order 2 --accept --quiet -o reduced.h5");
}

static void refuse(const char *text, int kind) {
    static char before[4096], after[4096];
    char line[400];
    const char *const output = kind == DEVICE ? "/dev/full" : output_of(text);
    (void)snprintf(line, sizeof line, "O=%s; %s", output_of(text), made[kind]);
    shell(line);
    look(before);
    (void)snprintf(line, sizeof line, "%s -o %s", text, output);
    const int code = program_with("timeout 60", line);
    if (code != 2 || strstr(error_text, output) == NULL) {
        fail_msg("gossamer %s, %s: exit code %d\n%s", line, made[kind], code, error_text);
    }
    look(after);
    if (strcmp(before, after) != 0) {
        fail_msg("gossamer %s, %s: before\n%safter\n%s", line, made[kind], before, after);
    }
    shell("rm -rf out* theirs");
}

static void test_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        for (int kind = 0; kind < HOSTILE; kind++) {
            // files are added to folders of others, and none is replaced (test_others.c)
            const bool adds =
                strncmp(commands[i], "sweep", 5) == 0 || strstr(commands[i], "--to c ") != NULL;
            if (kind != FOLDER_OF_OTHERS || !adds) {
                refuse(commands[i], kind);
            }
        }
    }
}

/* Files of others in a folder that a command fills stay. */
static void test_folders(void **state) {
    (void)state;
    static const char *const files[][2] = {
        {"sweep model.yaml --vary shift=1:2:2 --quiet", "table.csv"},
        {"sweep model.yaml --vary shift=1:2:2 --quiet", "report.html"},
        {"sweep model.yaml --vary shift=1:2:2 --quiet", "001_shift=1.h5"},
        {"export model.yaml --to mtx", "M.mtx"},
        {"export model.yaml --to c --step 1e-3 --at 0", "out.c"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char line[400];
        (void)snprintf(line, sizeof line, "mkdir out; cp precious 'out/%s'", files[i][1]);
        shell(line);
        (void)snprintf(line, sizeof line, "%s -o out", files[i][0]);
        if (program(line) == 0 || error_text[0] == '\0') {
            fail_msg("gossamer %s, %s of others", line, files[i][1]);
        }
        (void)snprintf(line, sizeof line,
                       "cmp precious 'out/%s'; test -z \"$(find . -name '*.part')\"", files[i][1]);
        shell(line);
        shell("rm -rf out");
    }
}

/* Kill the program after a time, if it has not ended. */
static void kill_after(const char *arguments, long milliseconds) {
    char line[600];
    int how;
    (void)snprintf(line, sizeof line, "cd %s && exec '%s' %s >/dev/null 2>&1", folder, GOS_PROGRAM,
                   arguments);
    const pid_t child = fork();
    if (child == 0) {
        (void)execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(99);
    }
    const struct timespec t = {0, milliseconds * 1000000};
    (void)nanosleep(&t, NULL);
    (void)kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &how, 0), child);
}

/* A command that was killed can be repeated, and nothing of it is left. */
static void test_killed(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[400];
        (void)snprintf(line, sizeof line, "%s -o %s", commands[i], output_of(commands[i]));
        for (int milliseconds = 10; milliseconds < 90; milliseconds += 20) {
            kill_after(line, milliseconds);
        }
        // formats without room for a mark are never replaced: it may have been complete
        if (strstr(line, "op4") || strstr(line, "dmig") || strstr(line, "new ")) {
            shell("rm -f out");
        }
        if (program(line) != 0) {
            fail_msg("gossamer %s, after a kill\n%s", line, error_text);
        }
        shell("test -z \"$(find . -name '*.part')\"");
        shell("rm -rf out*");
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_folders),
                                       cmocka_unit_test(test_killed)};
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
