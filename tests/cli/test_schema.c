/* What editors and shells take from the program: the JSON schema of models, completion, and man
 * pages. */
#include "program.h"
#include "support/suite.h"

/* every model of the examples and of the tests is what the schema says */
static void test_examples(void **state) {
    (void)state;
    if (system("/usr/bin/python3 -c 'import jsonschema, yaml' 2>/dev/null") != 0) {
        print_message("skipped: jsonschema or yaml is not installed for /usr/bin/python3\n");
        skip();
    }
    expect(0, "help --schema", "\"Gossamer model\"");
    char command[512];
    (void)snprintf(command, sizeof command,
                   "cd %s && cp out.txt schema.json && /usr/bin/python3 "
                   "'%s/tests/cli/check_schema.py' schema.json $(find "
                   "'%s/examples' '%s/tests/verify/models' -name '*.yaml')",
                   folder, GOS_SOURCE_DIR, GOS_SOURCE_DIR, GOS_SOURCE_DIR);
    assert_int_equal(system(command), 0);
    // and what is none is refused: a key, a word, a kind of value, a range, a missing key, a name,
    // a type, a method
    static const char *const wrong[] = {
        "gravty: [0, 0, 0]\n",
        "analysis: {integrator: euler}\n",
        "gravity: 9.81\n",
        "materials: {a: {density: -1, young: 1}}\n",
        "materials: {a: {density: 1}}\n",
        "materials: {1a: {density: 1, young: 1}}\n",
        "bodies: {a: {type: ridig, mass: 1}}\n",
        "bodies: {a: {mass: 1}}\n",
        "reduction: {method: krylof}\n",
        "meshes: {a: {type: mesh_set, of: nodes}}\n",
        "probes: {a: {at: b, quantity: speed}}\n",
    };
    (void)snprintf(
        command, sizeof command,
        "cd %s && /usr/bin/python3 '%s/tests/cli/check_schema.py' --wrong schema.json w*.yaml",
        folder, GOS_SOURCE_DIR);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "w%d.yaml", (int)i);
        write_text(name, wrong[i]);
    }
    assert_int_equal(system(command), 0);
}

/* what a shell would offer behind "gossamer WORDS", the last of them unfinished */
static void complete(const char *words, int n, const char *expected) {
    char command[512];
    (void)snprintf(command, sizeof command,
                   "cd %s && bash -c 'eval \"$(%s help --completion)\"; COMP_WORDS=(gossamer %s); "
                   "COMP_CWORD=%d; "
                   "_gossamer; echo \"${COMPREPLY[*]}\"' >out.txt",
                   folder, GOS_PROGRAM, words, n);
    assert_int_equal(system(command), 0);
    read_text("out.txt", out_text);
    out_text[strcspn(out_text, "\n")] = '\0';
    assert_string_equal(out_text, expected);
}

static void test_completion(void **state) {
    (void)state;
    complete("re", 1, "reduce response report");
    complete("run model.yaml --r", 3, "--reduced --rom --resume");
    complete("check --w", 2, "--watch");
    complete("modes x.yaml --sp", 3, "--spin");
    complete("help ancf_", 2, "ancf_cable ancf_beam ancf_plate");
    complete("help motional", 2, "motional_charge motional_current"); // quantities of probes
    complete("run mod", 2, "");                                       // files are the shell's own
    complete("sweep --one", 2, "--one-file");                         // with the dash inside
    complete("export x.yaml --kind ", 4, "cs me");                    // choices
    expect(2, "help --completion fisch", "did you mean 'fish'");
    expect(2, "help --man runn", "did you mean 'run'");
    // pages and completions against the help, and against what options the program takes
    char command[512];
    (void)snprintf(command, sizeof command,
                   "cd %s && python3 '%s/tests/cli/check_manual.py' '%s' >manual.txt 2>&1 || { cat "
                   "manual.txt; exit 1; }",
                   folder, GOS_SOURCE_DIR, GOS_PROGRAM);
    assert_int_equal(system(command), 0);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_completion),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
SUITE(suite)
