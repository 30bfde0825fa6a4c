/* Memory that is used after it was freed, or before it was written, does not go unnoticed: the
   allocator is configured to overwrite what is freed, and valgrind watches a run, its resumption, a
   comparison and a report of a small model. */
#include "program.h"

#include <dlfcn.h>
#include <hdf5.h>

#include "gossamer/io.h"
#include "support/sanitized.h"
#include "support/suite.h"

static const char model[] =
    "name: small\n"
    "materials: {m: {density: 1000, young: 1.0e6, poisson: 0.3, conductivity: 1, specific_heat: "
    "200,\n"
    "  expansion: 1.0e-4, damping: {normal: 2.0e-3}, absorptivity: 1}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 2}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "heat: {sun: {type: flux, value: 1.0e3, direction: [0, -1, 0], on: rod}}\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "analysis: {end: 0.2, step: 5.0e-3}\n"
    "output: {every: 0.01, checkpoint: 0.02}\n";

static int prepare(void **state) {
    const int made = make_folder(state);
    if (made == 0) {
        write_text("model.yaml", model);
    }
    return made;
}

/* Closing a file goes through nothing that has been freed. */
static void test_overwritten(void **state) {
    (void)state;
    expect(0, "run model.yaml -o a.h5", "done");
    assert_int_equal(program_with("export MALLOC_PERTURB_=165 "
                                  "GLIBC_TUNABLES=glibc.malloc.tcache_count=0;",
                                  "info a.h5"),
                     0);
    assert_non_null(strstr(out_text, "complete"));
}

/* HDF5 outlives this library, and is begun again under it. */
static void test_unloaded(void **state) {
    (void)state;
    char path[256];
    (void)snprintf(path, sizeof path, "%s", GOS_PROGRAM);
    (void)strcpy(strrchr(path, '/'), "/libgossamer.so");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fail_msg("%s", dlerror());
    }
    bool (*is_response)(const char *);
    *(void **)(&is_response) = dlsym(library, "gos_response_exists");
    assert_non_null(is_response);
    (void)snprintf(path, sizeof path, "%s/a.h5", folder);
    for (int i = 0; i < 3; i++) {
        assert_false(is_response(path));
        assert_true(gos_linear_exists(path) == false); // our own copy of the library
        assert_true(H5close() >= 0);
    }
    assert_false(is_response(path));
    assert_int_equal(dlclose(library), 0);
    assert_true(H5close() >= 0);
    assert_false(gos_linear_exists(path));
}

static void watched(int code, const char *limit, const char *arguments) {
    char before[256];
    // valgrind's processor has fewer instructions than a machine whose kernels were requested
    (void)snprintf(before, sizeof before,
                   "%s unset OPENBLAS_CORETYPE; valgrind --quiet --error-exitcode=99 "
                   "--num-callers=30 --leak-check=full "
                   "--errors-for-leak-kinds=definite",
                   limit);
    const int got = program_with(before, arguments);
    if (got != code) {
        fail_msg("gossamer %s\nexit code %d, expected %d\n%s", arguments, got, code, error_text);
    }
}

static void test_watched(void **state) {
    (void)state;
    if (SANITIZED || system("valgrind --version >/dev/null 2>&1") != 0) {
        print_message("skipped: %s\n", SANITIZED ? "the sanitizers watch this program"
                                                 : "valgrind is not installed");
        skip();
    }
    if (suite_long()) { // code that the others go through as well
        watched(0, "", "run model.yaml -o b.h5 --until 0.05");
    }
    // a disk that is full after a while, here 150 kB: the run can be resumed
    watched(1, "ulimit -f 300;", "run model.yaml -o c.h5 --set analysis.step=1e-4");
    watched(0, "", "run --resume c.h5");
    if (suite_long()) { // the report of two runs compares them
        watched(0, "", "compare a.h5 c.h5");
    }
    watched(0, "", "report a.h5 c.h5 -o page.html");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_overwritten),
                                       cmocka_unit_test(test_unloaded),
                                       cmocka_unit_test(test_watched)};
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
