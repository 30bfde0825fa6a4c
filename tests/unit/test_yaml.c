/* Model text to tree: what is read, what is refused and where, and changes by path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "model/model.h"
#include "support/context.h"
#include "support/faults.h"
#include "support/suite.h"

static gos_model *parse(const char *text) {
    gos_model *m = NULL;
    const gos_status status = gos_model_parse(ctx, text, strlen(text), "m.yaml", NULL, &m);
    if (status != GOS_OK) {
        fprintf(stderr, "%s\n", gos_ctx_message(ctx));
    }
    assert_int_equal(status, GOS_OK);
    return m;
}

static void refuse(const char *text, const char *message) {
    gos_model *m = NULL;
    gos_ctx_clear(ctx);
    assert_true(gos_model_parse(ctx, text, strlen(text), "m.yaml", NULL, &m) < 0);
    assert_null(m);
    if (strncmp(gos_ctx_message(ctx), message, strlen(message)) != 0) {
        fprintf(stderr, "expected: %s\n", message);
        assert_string_equal(gos_ctx_message(ctx), message);
    }
}

static void test_tree(void **state) {
    GOS_UNUSED(state);
    gos_model *m = parse("name: swing\n"
                         "parameters: {L: 1.2}\n"
                         "bodies:\n"
                         "  rod: {type: cable, from: [0, 0, 'L']}\n"
                         "joints:\n");
    assert_string_equal(gos_model_name(m), "swing");
    const gos_node *from = gos__node_find(m->root, "bodies.rod.from");
    assert_non_null(from);
    assert_int_equal(from->kind, GOS_LIST);
    assert_int_equal(from->n, 3);
    assert_int_equal(from->loc.line, 4);
    assert_int_equal(from->loc.col, 28);
    assert_int_equal(from->key_loc.col, 22);
    assert_string_equal(from->loc.file, "m.yaml");
    const gos_node *last = from->child->next->next;
    assert_true(last->quoted);
    assert_string_equal(last->text, "L");
    assert_int_equal(last->loc.col, 36);
    assert_null(gos__node_find(m->root, "bodies.rod.to"));
    assert_null(gos__node_find(m->root, "bodies.rod.from.x"));
    assert_int_equal(gos__node_find(m->root, "joints")->kind, GOS_MAP);
    assert_int_equal(gos__key_loc(gos__node_find(m->root, "bodies.rod"), "type").col, 9);
    assert_int_equal(gos__key_loc(gos__node_find(m->root, "bodies.rod"), "none").col, 3);
    gos_model_destroy(m);
    gos_model_destroy(NULL);
}

static void test_byte_order_mark(void **state) {
    GOS_UNUSED(state);
    gos_model *m = parse("\xef\xbb\xbfname: x\n");
    assert_string_equal(gos_model_name(m), "x");
    gos_model_destroy(m);
}

static void test_many_entries(void **state) {
    GOS_UNUSED(state);
    const int n = 50000;
    char *text = malloc((size_t)n * 24 + 20);
    char *p = text + sprintf(text, "parameters:\n");
    for (int i = 0; i < n; i++) {
        p += sprintf(p, "  p%d: %d\n", i, i);
    }
    gos_model *m = parse(text);
    assert_string_equal(gos__node_find(m->root, "parameters.p49999")->text, "49999");
    assert_int_equal(gos__model_parameters(m), GOS_OK);
    assert_true(m->par[777].value == 777.0);
    gos_model_destroy(m);
    free(text);
}

static void test_refused_yaml(void **state) {
    GOS_UNUSED(state);
    refuse("", "m.yaml:1:1: the model is empty");
    refuse("# nothing\n", "m.yaml:1:1: the model is empty");
    refuse("[1, 2]", "m.yaml:1:1: a model is a map of keys like 'bodies:', not a list");
    refuse("name: &a x\n", "m.yaml:1:7: anchors (&name) are not allowed");
    refuse("name: *a\n", "m.yaml:1:7: aliases (*name) are not allowed");
    refuse("materials:\n  <<: {a: 1}\n", "m.yaml:2:3: merge keys (<<) are not allowed");
    refuse("name: !!str x\n", "m.yaml:1:7: tags (!name) are not allowed");
    refuse("name: !x y\n", "m.yaml:1:7: tags (!name) are not allowed");
    refuse("%TAG ! tag:x,2000:\n---\nname: x\n", "m.yaml:1:1: %TAG directives are not allowed");
    refuse("name: a\n---\nname: b\n", "m.yaml:2:1: a model is one document");
    refuse("name: a\nname: b\n", "m.yaml:2:1: key 'name' is given twice, first in line 1");
    refuse("? [a]\n: b\n", "m.yaml:1:3: a key must be a text");
    refuse("name: \"a\\0b\"\n", "m.yaml:1:7: a text must not contain \\0");
    refuse("name: x\ndescription: \"abc\n", "m.yaml:2:14: these quotes are never closed; add");
    refuse("gravity: [1, 2\n", "m.yaml:2:1: ',' or ']' is missing in a list; add it, the list "
                               "begins in line 1");
    refuse("bodies:\n\trod: 1\n", "m.yaml:2:1: this character cannot begin a value");
    refuse("name: a: b\n", "m.yaml:1:8: a ':' is not expected here");
    refuse("name: a\nbad\n", "m.yaml:3:1: ':' is missing after a key");
    refuse("name: a\n\xff\n", "m.yaml:2:1: the text is not UTF-8 here; save the file");
    refuse("name: \xc3\xa9\xff\n", "m.yaml:1:8: the text is not UTF-8 here");
    refuse("%FOO\n---\nname: a\n", "m.yaml:1:1: directives (%) are not needed");
    refuse("name: a\x01\n", "m.yaml:1:8: a control character");
}

static void test_refused_layout(void **state) {
    GOS_UNUSED(state);
    refuse("boddies: {}\n", "m.yaml:1:1: unknown key 'boddies'; did you mean 'bodies'?");
    refuse("xyz: {}\n", "m.yaml:1:1: unknown key 'xyz'; a model has name,");
    refuse("bodies: [a]\n", "m.yaml:1:9: bodies: must be a map of named entries");
    refuse("bodies: {a-b: 1}\n", "m.yaml:1:10: bodies: 'a-b' is not a valid name");
    refuse("bodies: {1a: 1}\n", "m.yaml:1:10: bodies: '1a' is not a valid name");
    char text[120] = "bodies: {";
    memset(text + 9, 'a', 65);
    strcpy(text + 74, ": 1}");
    refuse(text, "m.yaml:1:10: bodies: 'aaaa");
    refuse("name: [a]\n", "m.yaml:1:7: name: must be a text, not a list");
    refuse("description: {a: b}\n", "m.yaml:1:14: description: must be a text, not a map");
    refuse("parameters: [1, 2]\n", "m.yaml:1:13: parameters: must be a map of named entries");
    // all of them at once
    refuse("bodies: {1a: 1, b c: 2}\nx1: 1\nx2: 2\n", "m.yaml:1:10");
    assert_int_equal(gos__nerrors(ctx), 4);
}

static void test_depth(void **state) {
    GOS_UNUSED(state);
    char text[200] = "gravity: ";
    memset(text + 9, '[', 63);
    memset(text + 72, ']', 63);
    text[135] = '\0';
    gos_model_destroy(parse(text));
    memset(text + 9, '[', 64);
    memset(text + 73, ']', 64);
    text[137] = '\0';
    refuse(text, "m.yaml:1:73: more than 64 nested levels");
}

static void test_too_large(void **state) {
    GOS_UNUSED(state);
    const size_t n = GOS_LIMIT_MODEL_BYTES + 1;
    char *text = malloc(n + 1);
    memset(text, ' ', n);
    text[n] = '\0';
    refuse(text, "m.yaml: a model text has at most");
    free(text);
    const int count = GOS_LIMIT_NODES;
    text = malloc((size_t)count * 2 + 20);
    char *p = text + sprintf(text, "gravity: [");
    for (int i = 0; i < count; i++) {
        *p++ = '1';
        *p++ = ',';
    }
    strcpy(p, "]");
    refuse(text, "m.yaml:1:2000007: a model has at most 1000000 entries");
    free(text);
}

/* ---- changes --------------------------------------------------------------------------------- */

static void test_set(void **state) {
    GOS_UNUSED(state);
    gos_model *m = parse("parameters: {L: 1.2, n: 3}\nanalysis: {type: dynamic}\njoints:\n");
    assert_int_equal(gos_model_set(ctx, m, "L", "2*n"), GOS_OK);
    assert_int_equal(gos_model_set(ctx, m, "analysis.step", "1e-4"), GOS_OK);
    assert_int_equal(gos_model_set(ctx, m, "bodies.rod", "{type: cable,\n to: [L, 0, 0]}"), GOS_OK);
    assert_int_equal(gos_model_set(ctx, m, "joints.pin.between", "[ground, rod.start]"), GOS_OK);
    assert_int_equal(gos_model_set(ctx, m, "analysis.type", "static"), GOS_OK);
    assert_int_equal(gos_model_set_number(ctx, m, "n", 0.1), GOS_OK);
    assert_string_equal(gos__node_find(m->root, "parameters.L")->text, "2*n");
    assert_string_equal(gos__node_find(m->root, "parameters.n")->text, "0.10000000000000001");
    assert_string_equal(gos__node_find(m->root, "analysis.step")->text, "1e-4");
    assert_string_equal(gos__node_find(m->root, "analysis.type")->text, "static");
    assert_int_equal(gos__node_find(m->root, "analysis")->n, 2);
    assert_int_equal(gos__node_find(m->root, "bodies.rod.to")->n, 3);
    assert_int_equal(gos__node_find(m->root, "joints.pin.between")->n, 2);
    assert_int_equal(gos__model_parameters(m), GOS_OK);
    assert_true(fabs(m->par[0].value - 0.2) < 1e-15);
    assert_string_equal(gos_model_text(m),
                        "parameters: {L: 1.2, n: 3}\nanalysis: {type: dynamic}\njoints:\n"
                        "# set parameters.L: 2*n\n"
                        "# set analysis.step: 1e-4\n"
                        "# set bodies.rod: {type: cable,  to: [L, 0, 0]}\n"
                        "# set joints.pin.between: [ground, rod.start]\n"
                        "# set analysis.type: static\n"
                        "# set parameters.n: 0.10000000000000001\n");
    gos_model_destroy(m);
}

static void refuse_set(gos_model *m, const char *path, const char *yaml, const char *message) {
    gos_ctx_clear(ctx);
    const int n = m->root->n;
    assert_true(gos_model_set(ctx, m, path, yaml) < 0);
    assert_string_equal(gos_ctx_message(ctx), message);
    assert_int_equal(m->root->n, n);
    assert_string_equal(gos_model_text(m), "parameters: {length: 1}\ngravity: [0, 0, 1]\n");
}

static void test_set_refused(void **state) {
    GOS_UNUSED(state);
    gos_model *m = parse("parameters: {length: 1}\ngravity: [0, 0, 1]\n");
    refuse_set(m, "lenght", "2",
               "cannot set 'lenght': it is neither a parameter nor an entry of "
               "the model; did you mean 'length'?");
    refuse_set(m, "analisis.step", "2",
               "cannot set 'analisis.step': it is neither a parameter nor an entry of the model; "
               "did you mean 'analysis'?");
    refuse_set(m, "q.r", "2",
               "cannot set 'q.r': it is neither a parameter nor an entry of the "
               "model");
    refuse_set(m, "gravity.x", "2",
               "(set gravity.x):1:1: 'gravity' is not a map, so entries below it cannot be set");
    refuse_set(m, "bodies.a b", "{}",
               "(set bodies.a b):1:1: bodies: 'a b' is not a valid name; use letters, digits and "
               "_, not beginning with a digit, at most 64 characters");
    refuse_set(m, "bodies", "3",
               "(set bodies):1:1: bodies: must be a map of named entries, like  name: {...}");
    refuse_set(m, "length", "", "(set parameters.length):1:1: a value is missing");
    refuse_set(m, "length", "[1",
               "(set parameters.length):2:1: ',' or ']' is missing in a list; "
               "add it, the list begins in line 1");
    refuse_set(m, "bodies..x", "1",
               "(set bodies..x):1:1: a name is missing in the path; write it "
               "like bodies.rod.mass");
    gos_ctx_clear(ctx);
    assert_int_equal(gos_model_set_number(ctx, m, "length", HUGE_VAL), GOS_E_INPUT);
    gos_model_destroy(m);
}

static void test_built_by_calls(void **state) {
    GOS_UNUSED(state);
    gos_model *m;
    assert_int_equal(gos_model_create(ctx, &m), GOS_OK);
    assert_string_equal(gos_model_name(m), "model");
    assert_int_equal(gos_model_set(ctx, m, "name", "arm"), GOS_OK);
    assert_int_equal(gos_model_set(ctx, m, "parameters.a", "1"), GOS_OK);
    assert_int_equal(gos_model_set(ctx, m, "a", "2"), GOS_OK);
    assert_string_equal(gos_model_name(m), "arm");
    assert_string_equal(gos__node_find(m->root, "parameters.a")->text, "2");
    gos_model_destroy(m);
}

/* the entry as JSON */
static void check_json(gos_model *m, const char *path, const char *expected) {
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    assert_non_null(out);
    assert_int_equal(gos_model_write_json(ctx, m, path, out), GOS_OK);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void test_json(void **state) {
    GOS_UNUSED(state);
    gos_model *m = parse(
        "name: '12'\n"
        "bodies:\n"
        "  b: {x: [1, 2.50, 1e3, -0.1], on: true, off: 'false', y: 2*L, z: ~, n: {}, l: []}\n");
    check_json(m, NULL,
               "{\"name\": \"12\", \"bodies\": {\"b\": {\"x\": [1, 2.5, 1000, "
               "-0.10000000000000001], \"on\": true, \"off\": \"false\", \"y\": \"2*L\", \"z\": "
               "null, \"n\": {}, \"l\": []}}}");
    check_json(m, "bodies.b.y", "\"2*L\"");
    assert_int_equal(gos_model_write_json(ctx, m, "bodies.c", stdout), GOS_E_INPUT);
    gos_model_destroy(m);
}

static void test_remove(void **state) {
    GOS_UNUSED(state);
    gos_model *m = parse("parameters: {a: 1}\nbodies: {x: {m: 1}, y: {m: 2}, z: {m: 3}}\n");
    assert_int_equal(gos_model_remove(ctx, m, "bodies.y"), GOS_OK);
    check_json(m, "bodies", "{\"x\": {\"m\": 1}, \"z\": {\"m\": 3}}");
    assert_int_equal(gos_model_remove(ctx, m, "bodies.y"), GOS_E_INPUT);
    assert_string_equal(gos_ctx_message(ctx),
                        "cannot remove 'bodies.y': the model has no such entry; "
                        "write the path like bodies.rod");
    assert_int_equal(gos_model_remove(ctx, m, ""), GOS_E_INPUT);
    // an entry that was set can be removed and set again
    assert_int_equal(gos_model_set(ctx, m, "bodies.y", "{m: 4}"), GOS_OK);
    assert_int_equal(gos_model_remove(ctx, m, "bodies.y.m"), GOS_OK);
    assert_int_equal(gos_model_remove(ctx, m, "parameters"), GOS_OK);
    check_json(m, NULL, "{\"bodies\": {\"x\": {\"m\": 1}, \"z\": {\"m\": 3}, \"y\": {}}}");
    assert_null(gos_model_get(m, "parameters.a"));
    assert_string_equal(gos_model_text(m),
                        "parameters: {a: 1}\nbodies: {x: {m: 1}, y: {m: 2}, z: {m: 3}}\n"
                        "# remove bodies.y\n# set bodies.y: {m: 4}\n# remove bodies.y.m\n"
                        "# remove parameters\n");
    gos_model_destroy(m);
}

static void test_copy(void **state) {
    GOS_UNUSED(state);
    gos_model *m = parse("parameters: {a: 1}\nbodies:\n  x: {m: [1, a]}\n"), *copy = NULL;
    assert_int_equal(gos_model_set(ctx, m, "a", "2"), GOS_OK);
    gos_ctx *other = gos_ctx_create();
    assert_non_null(other);
    assert_int_equal(gos_model_copy(other, m, &copy), GOS_OK);
    assert_int_equal(gos_model_set(ctx, m, "a", "3"), GOS_OK);
    assert_string_equal(gos_model_text(copy), "parameters: {a: 1}\nbodies:\n  x: {m: [1, a]}\n"
                                              "# set parameters.a: 2\n");
    const gos_loc loc = gos__node_find(copy->root, "bodies.x.m")->loc;
    gos_model_destroy(m); // nothing is shared
    check_json(copy, NULL,
               "{\"parameters\": {\"a\": 2}, \"bodies\": {\"x\": {\"m\": [1, \"a\"]}}}");
    assert_string_equal(gos_model_name(copy), "m");
    assert_string_equal(loc.file, "m.yaml");
    assert_int_equal(loc.line, 3);
    gos_model_destroy(copy);
    gos_ctx_destroy(other);
}

static void test_read_file(void **state) {
    GOS_UNUSED(state);
    char dir[] = "/tmp/gos_yaml_XXXXXX", path[64];
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof(path), "%s/arm.v2.yaml", dir);
    FILE *f = fopen(path, "w");
    fputs("bodies: {}\n", f);
    fclose(f);
    gos_model *m;
    assert_int_equal(gos_model_read(ctx, path, &m), GOS_OK);
    assert_string_equal(gos_model_name(m), "arm.v2");
    assert_string_equal(m->folder, dir);
    gos_model_destroy(m);
    remove(path);
    remove(dir);
    assert_int_equal(gos_model_read(ctx, path, &m), GOS_E_FILE);
}

/* ---- out of memory --------------------------------------------------------------------------- */

/* fail from the n-th allocation on, for n = 1, 2, ... until all succeed; nothing may leak */
static void test_every_allocation_may_fail(void **state) {
    GOS_UNUSED(state);
    const char *text = "parameters: {a: 1, b: 2*a, c: 'b<1 ? 2 : abs(b)'}\nbodies: {x: {y: [1]}}\n";
    for (long n = 1;; n++) {
        faults f = {.fail_at = n, .forever = 1};
        const gos_allocator allocator = {faults_alloc, faults_realloc, faults_free, &f};
        gos_ctx *c = gos_ctx_create_with(&allocator);
        gos_model *m = NULL;
        gos_status status = c == NULL ? GOS_E_MEMORY : GOS_OK;
        status = status == GOS_OK ? gos_model_parse(c, text, strlen(text), "m", NULL, &m) : status;
        status = status == GOS_OK ? gos__model_parameters(m) : status;
        status = status == GOS_OK ? gos_model_set(c, m, "a", "{x: 1}") : status;
        gos_model *copy = NULL;
        status = status == GOS_OK ? gos_model_copy(c, m, &copy) : status;
        status = status == GOS_OK ? gos_model_remove(c, copy, "bodies.x") : status;
        gos_model_destroy(copy);
        gos_model_destroy(m);
        gos_ctx_destroy(c);
        assert_int_equal(f.live, 0);
        if (status == GOS_OK) {
            assert_true(n > 10);
            break;
        }
        assert_true(n < 1000);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_tree, context_setup, context_teardown),
        cmocka_unit_test_setup_teardown(test_byte_order_mark, context_setup, context_teardown),
        cmocka_unit_test_setup_teardown(test_many_entries, context_setup, context_teardown),
        cmocka_unit_test_setup_teardown(test_refused_yaml, context_setup, context_teardown),
        cmocka_unit_test_setup_teardown(test_refused_layout, context_setup, context_teardown),
        cmocka_unit_test_setup_teardown(test_depth, context_setup, context_teardown),
        cmocka_unit_test_setup_teardown(test_too_large, context_setup, context_teardown),
        cmocka_unit_test_setup_teardown(test_set, context_setup, context_teardown),
        cmocka_unit_test_setup_teardown(test_set_refused, context_setup, context_teardown),
        cmocka_unit_test_setup_teardown(test_built_by_calls, context_setup, context_teardown),
        cmocka_unit_test_setup_teardown(test_json, context_setup, context_teardown),
        cmocka_unit_test_setup_teardown(test_remove, context_setup, context_teardown),
        cmocka_unit_test_setup_teardown(test_copy, context_setup, context_teardown),
        cmocka_unit_test_setup_teardown(test_read_file, context_setup, context_teardown),
        cmocka_unit_test_setup_teardown(test_every_allocation_may_fail, context_setup,
                                        context_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
