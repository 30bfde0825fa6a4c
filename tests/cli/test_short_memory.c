/* Short of memory: the program ends with a message; its demand is proportional to the available
 * memory. */
#include "program.h"

#include <hdf5.h>

#include "support/sanitized.h"
#include "support/suite.h"

static const char model[] =
    "name: small pendulum\n"
    "materials:\n"
    "  rubber: {density: 1000, young: 1.0e6, poisson: 0.3, conductivity: 1.0, specific_heat: 200,\n"
    "           expansion: 1.0e-4, damping: {normal: 4.0e-3}, absorptivity: 1}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.02, width: 0.02}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
    "        elements: 4}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, rod.start]}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads: {push: {type: force, on: rod.end, value: [0, 0, 0]}}\n"
    "heat:\n"
    "  sun: {type: flux, value: 1.0e4, direction: [0, -1, 0], on: rod}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "analysis: {end: 0.02}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 4}\n";

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    return program("run model.yaml -o run.h5 --quiet") == 0 &&
                   program("export model.yaml --to h5 -o linear.h5") == 0 &&
                   program("export model.yaml --to mat -o linear.mat") == 0
               ? 0
               : -1;
}

/* ---- limits of the address space ------------------------------------------------------------- */

static const char *const commands[] = {"run model.yaml --reduced --accept -o small.h5 --quiet",
                                       "run model.yaml -o full.h5 --quiet",
                                       "info run.h5",
                                       "modes model.yaml",
                                       "check model.yaml",
                                       "help"};

/* It ends by itself, and says why when it cannot continue. 127 is the loader of programs, which
 * says so too. */
static void test_address_space(void **state) {
    (void)state;
    if (SANITIZED) {
        print_message("not under sanitizers, which need terabytes of address space\n");
        skip();
    }
    int refused = 0, good = 0;
    // the program itself has 42 MB, most of it OpenBLAS: what has no room for it is ended by the
    // kernel before it begins
    for (int megabytes = 48; megabytes <= 440; megabytes += 8) {
        for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
            char before[64];
            // all of them where it changes from too little to enough
            if (i != 0 && megabytes % 40 != 0 && (megabytes < 240 || megabytes > 330)) {
                continue;
            }
            (void)snprintf(before, sizeof before, "ulimit -v %d; timeout 60", megabytes * 1024);
            const int code = program_with(before, commands[i]);
            if (code != 0 && !(code == 1 && strstr(error_text, "memory") != NULL) && code != 127) {
                fail_msg("ulimit -v %d MB: gossamer %s: exit code %d (124: it did not end)\n%s",
                         megabytes, commands[i], code, error_text);
            }
            refused += code == 1;
            good += code == 0;
        }
    }
    assert_true(refused > 10 && good > 10);
    assert_int_equal(program_with("ulimit -v 131072; timeout 60", commands[0]), 1);
    assert_non_null(strstr(error_text, "the address space is limited to 128 MB (ulimit -v)"));
}

/* ---- sizes that files do not bear out -------------------------------------------------------- */

/* refused in words by a program that may take 600 MB of addresses; under sanitizers without that
 * bound */
static void refused_soon(const char *arguments, const char *text) {
    const int code =
        program_with(SANITIZED ? "timeout 60" : "ulimit -v 600000; timeout 60", arguments);
    if (code != 2 || strstr(error_text, text) == NULL) {
        fail_msg("gossamer %s: exit code %d\n%s", arguments, code, error_text);
    }
}

static void set_number(hid_t object, const char *name, double value) {
    const hid_t attr = H5Aopen(object, name, H5P_DEFAULT);
    assert_true(attr >= 0 && H5Awrite(attr, H5T_NATIVE_DOUBLE, &value) >= 0);
    (void)H5Aclose(attr);
}

static void test_linear_file(void **state) {
    (void)state;
    static const char *const sizes[] = {"nq", "nt", "nc", "nu", "ny"};
    char path[128];
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char command[256];
        (void)snprintf(command, sizeof command, "cd %s && cp linear.h5 huge.h5", folder);
        assert_int_equal(system(command), 0);
        (void)snprintf(path, sizeof path, "%s/huge.h5", folder);
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(file >= 0);
        set_number(file, sizes[i], 2e7);
        assert_true(H5Fclose(file) >= 0);
        refused_soon("modes huge.h5", "20000000 unknowns, inputs or outputs are declared");
    }
}

static void test_folders(void **state) {
    (void)state;
    char command[256];
    static const char head[] = "%%MatrixMarket matrix coordinate real general\n";
    char text[128];
    (void)snprintf(command, sizeof command, "mkdir %s/huge %s/wide %s/own", folder, folder, folder);
    assert_int_equal(system(command), 0);
    (void)snprintf(text, sizeof text, "%s20000000 20000000 0\n", head);
    write_text("huge/M.mtx", text);
    write_text("huge/K.mtx", text);
    refused_soon("modes huge", "20000000 rows or columns are declared");
    (void)snprintf(text, sizeof text, "%s2 2 2\n1 1 1\n2 2 1\n", head);
    write_text("wide/M.mtx", text);
    write_text("wide/K.mtx", text);
    (void)snprintf(text, sizeof text, "%s2 20000000 0\n", head);
    write_text("wide/B.mtx", text);
    refused_soon("modes wide", "wide/B.mtx:2:1: 20000000 rows or columns are declared");
    write_text("body.yaml", "bodies: {m: {type: matrices, M: huge/M.mtx, K: huge/K.mtx}}\n");
    refused_soon("check body.yaml", "20000000 rows or columns are declared");
    // what is small is free, also without entries
    (void)snprintf(text, sizeof text, "%s2 1000 0\n", head);
    write_text("wide/B.mtx", text);
    expect(0, "info wide", "1000");
    assert_int_equal(program("export model.yaml --to mtx -o own"), 0);
    (void)snprintf(command, sizeof command,
                   "cd %s && sed -i 's/^sizes,[0-9]*/sizes,20000000/' own/model.csv", folder);
    assert_int_equal(system(command), 0);
    refused_soon("modes own", "20000000 unknowns, inputs or outputs are declared");
}

static void put_words(FILE *f, int n, const uint32_t *words) {
    assert_int_equal(fwrite(words, sizeof *words, (size_t)n, f), n);
}

/* a MAT-file that holds nothing but the head of a variable */
static void write_head(const char *name, uint32_t class, uint32_t rows, uint32_t columns) {
    char path[128], head[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    memset(head, ' ', sizeof head);
    memcpy(head, "MATLAB 5.0 MAT-file", 19);
    memset(head + 116, 0, 8);
    memcpy(head + 124, "\0\1IM", 4);
    assert_int_equal(fwrite(head, 1, sizeof head, f), sizeof head);
    // a matrix: class and room for entries, sizes, the name "A", then rows, starts, values or only
    // values
    put_words(f, 2, (uint32_t[]){14, class == 5 ? 72 : 56});
    put_words(f, 4, (uint32_t[]){6, 8, class, 1});
    put_words(f, 4, (uint32_t[]){5, 8, rows, columns});
    put_words(f, 2, (uint32_t[]){1 | 1u << 16, 'A'});
    for (int i = 0; i < (class == 5 ? 2 : 0); i++) {
        put_words(f, 2, (uint32_t[]){5, 0});
    }
    put_words(f, 2, (uint32_t[]){9, 0});
    assert_int_equal(fclose(f), 0);
}

static void test_mat_files(void **state) {
    (void)state;
    write_head("sparse.mat", 5, 20000000, 20000000);
    refused_soon("modes sparse.mat", "variable A is declared larger than the file");
    write_head("dense.mat", 6, 20000, 20000);
    refused_soon("modes dense.mat", "variable A is declared larger than the file");
    // our own format: the sizes of the model
    static char bytes[1 << 20];
    char path[128];
    (void)snprintf(path, sizeof path, "%s/linear.mat", folder);
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    const size_t n = fread(bytes, 1, sizeof bytes, f);
    size_t at = 0;
    while (at + 80 < n && memcmp(bytes + at, "sizes\0\0\0", 8) != 0) {
        at++;
    }
    assert_true(at + 80 < n);
    const double huge = 2e7;
    (void)fseek(f, (long)at + 16, SEEK_SET);
    assert_int_equal(fwrite(&huge, sizeof huge, 1, f), 1);
    assert_int_equal(fclose(f), 0);
    refused_soon("modes linear.mat", "variable sizes is out of range for a file of this size");
}

/* ---- models ---------------------------------------------------------------------------------- */

static const char parts[] =
    "materials: {m: {density: 1000, young: 1.0e6, conductivity: 1, specific_heat: 1}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies:\n";

static void write_bodies(const char *name, int n, const char *elements) {
    static char text[1 << 16];
    size_t at = (size_t)snprintf(text, sizeof text, "%s", parts);
    for (int i = 0; i < n; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "  b%d: {type: ancf_cable, material: m, section: s,\n"
                               "    from: [0, %d, 0], to: [1, %d, 0], elements: %s}\n",
                               i, i, i, elements);
    }
    write_text(name, text);
}

/* One limit for all bodies, told at the one that goes over it, and before memory is requested. */
static void test_limit(void **state) {
    (void)state;
    write_bodies("four.yaml", 4, "1000"); // 1001 nodes of 6 coordinates and 3 temperatures each
    expect(0, "check four.yaml", "no errors");
    expect(0, "check four.yaml --limit 36036", "no errors");
    expect(2, "check four.yaml --limit 36035",
           "four.yaml:11:37: body 'b3': the model would have 36036 unknowns, at most 36035 are "
           "allowed");
    expect(2, "run four.yaml --limit=1e4 -o x.h5", "four.yaml:7:37: body 'b1'");
    expect(2, "info four.yaml --limit 1e4", "four.yaml:7:37: body 'b1'");
    expect(2, "modes four.yaml --limit 1e4", "body 'b1'");
    expect(2, "check four.yaml --limit -1", "--limit needs");
    // bodies that would take 100 GB, refused one by one
    write_bodies("many.yaml", 400, "1000000");
    const int code = program_with(SANITIZED ? "timeout 100" : "ulimit -v 3000000; timeout 100",
                                  "check many.yaml --set analysis.memory_limit=1e12");
    assert_int_equal(code, 2);
    assert_non_null(strstr(error_text, "many.yaml:7:37: body 'b1': the model would have 18000018"));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_address_space), cmocka_unit_test(test_linear_file),
        cmocka_unit_test(test_folders), cmocka_unit_test(test_mat_files),
        cmocka_unit_test(test_limit)};
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
