/* Names and texts of files that were made to deceive: on the terminal they are plain text on one
   line, in CSV one cell that no spreadsheet computes. */
#include "program.h"
#include "support/suite.h"

static const char model[] =
    "name: \"nice\\e[31m\\nstatus complete\\u009b2J\\x7f\"\n"
    "parameters: {f: 1}\n"
    "materials: {rubber: {density: 1000, young: 1.0e6}}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0],\n"
    "        to: [1, 0, 0], elements: 2}\n"
    "joints: {pin: {type: clamp, between: [ground, rod.start]}}\n"
    "loads: {push: {type: force, on: rod.end, value: [0, f, 0]}}\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "analysis: {type: dynamic, end: 0.02}\n";

static void python(const char *text) {
    char command[256];
    write_text("make.py", text);
    (void)snprintf(command, sizeof command, "cd %s && /usr/bin/python3 make.py", folder);
    assert_int_equal(system(command), 0);
}

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    return program("run model.yaml -o run.h5 --quiet") == 0 &&
                   program("export model.yaml --to mtx -o linear") == 0
               ? 0
               : -1;
}

/* no character that a terminal obeys, in either output */
static void expect_plain(const char *arguments, int code) {
    const int got = program(arguments);
    const char *const texts[] = {out_text, error_text};
    for (int i = 0; i < 2; i++) {
        for (const char *c = texts[i]; *c != '\0'; c++) {
            const unsigned char first = (unsigned char)c[0], second = (unsigned char)c[1];
            if ((first < 0x20 && first != '\n') || first == 0x7f ||
                (first == 0xc2 && second >= 0x80 && second < 0xa0)) {
                fail_msg("gossamer %s: byte 0x%02x in\n%s", arguments, first, texts[i]);
            }
        }
    }
    if (got != code) {
        fail_msg("gossamer %s: exit code %d, not %d\n%s", arguments, got, code, error_text);
    }
}

static int lines(const char *text) {
    int n = 0;
    for (; *text != '\0'; text++) {
        n += *text == '\n';
    }
    return n;
}

/* what is no UTF-8 at all, in the file's name */
#define STRANGE "\"$(printf 'a\\033[2Jb\\nc\\200')\""

static void test_terminal(void **state) {
    (void)state;
    expect_plain("check model.yaml", 0);
    assert_non_null(strstr(out_text, "nice?[31m?status complete?2J?: no errors\n"));
    assert_int_equal(lines(out_text), 6);
    expect_plain("check model.yaml --json", 0);
    expect_plain("info model.yaml", 0);
    expect_plain("info run.h5", 0);
    expect_plain("info run.h5 --json", 0);
    expect_plain("compare run.h5 run.h5", 0);
    expect_plain("check " STRANGE, 2);
    expect_plain("info " STRANGE, 2);
    expect_plain("probe run.h5 " STRANGE, 2);
    expect_plain("run model.yaml --quiet -o " STRANGE, 0);
    expect_plain("run model.yaml -o " STRANGE, 0);
    expect_plain("compare run.h5 " STRANGE, 0);
    expect_plain("export run.h5 --to vtu -o " STRANGE "2", 0);
    expect_plain("check model.yaml --set " STRANGE "=1", 2);
    assert_int_equal(lines(error_text), 1);
}

/* a results file with modified texts */
static void test_results(void **state) {
    (void)state;
    python("import h5py, shutil, numpy as np\n"
           "shutil.copy('run.h5', 'bad.h5')\n"
           "f = h5py.File('bad.h5', 'r+')\n"
           "for name in ('model/name', 'model/options', 'statistics/status', "
           "'statistics/warnings'):\n"
           "    del f[name]\n"
           "    f.create_dataset(name, data=b'a\\x1b[31m\\nb', dtype='S64')\n"
           "for where in ('probes', 'probes/rates'):\n"
           "    f.move(where + '/tip', where + '/=t\\x1b,i\\np')\n"
           "f['probes'].attrs['order'] = np.array([b'=t\\x1b,i\\np'])\n"
           "f.close()\n");
    expect_plain("info bad.h5", 0);
    assert_non_null(strstr(out_text, "results of   a?[31m?b"));
    assert_non_null(strstr(out_text, "status       a?[31m?b\n"));
    expect_plain("info bad.h5 --json", 0);
    expect_plain("probe bad.h5", 0);
    const char *const header = "time,\"'=t?,i?p.x\",\"'=t?,i?p.y\",\"'=t?,i?p.z\"\n";
    assert_int_equal(strncmp(out_text, header, strlen(header)), 0);
    expect_plain("compare bad.h5 bad.h5", 0);
    expect_plain("probe bad.h5 top", 2);
}

/* ports have the names given in model.csv */
static void test_ports(void **state) {
    (void)state;
    python("text = open('linear/model.csv').read()\n"
           "text = text.replace('push.y', '\"=1+2,\\n\\x1b\"\"\"').replace('tip.y', '-cmd')\n"
           "open('linear/model.csv', 'w').write(text)\n");
    expect_plain("info linear", 0);
    assert_non_null(strstr(out_text, "input        =1+2,??\" [N]\n"));
    expect_plain("response linear --band 1:2 --points 2", 0);
    // the input's name ends that of the column: no formula, but commas and quotes
    assert_non_null(
        strstr(out_text, ",\"'-cmd/=1+2,??\"\".magnitude\",\"'-cmd/=1+2,??\"\".phase\""));
    assert_int_equal(lines(out_text), 3);
    expect_plain("response linear --over 0.1 --points 3 --from nothing", 2);
    expect_plain("response linear --over 0.1 --points 3", 0);
    assert_non_null(strstr(out_text, ",\"'-cmd/=1+2,??\"\"\""));
    expect_plain("compare linear linear --over 0.1", 0);
    // its name as a cell, in a table of inputs
    python("text = open('linear/model.csv').read()\n"
           "open('linear/model.csv', 'w').write(text.replace('\\n\\x1b\"\"', ''))\n");
    write_text("inputs.csv", "time,\"'=1+2,\"\n0,0\n0.1,1\n");
    expect_plain("response linear --inputs inputs.csv --points 3", 0);
    write_text("inputs.csv", "\"time\" , \"=1+2,\" \n0,0\n0.1,\"1\"\n");
    expect_plain("response linear --inputs inputs.csv --points 3", 0);
    write_text("inputs.csv", "time,\"=1+2,\n0,0\n0.1,1\n");
    expect_plain("response linear --inputs inputs.csv --points 3", 0);
}

/* values of sweeps that are numbers stay numbers */
static void test_sweep(void **state) {
    (void)state;
    expect(0, "sweep model.yaml --vary f=-1,-2.5e-1 -o s --quiet", "");
    char path[128], text[4096] = "";
    (void)snprintf(path, sizeof path, "%s/s/table.csv", folder);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    (void)fclose(f);
    assert_non_null(strstr(text, "\n1,-1,complete"));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_terminal),
                                       cmocka_unit_test(test_results), cmocka_unit_test(test_ports),
                                       cmocka_unit_test(test_sweep)};
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
