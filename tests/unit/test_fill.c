/* Parameter tables: structs filled, every kind of error reported; types; the reference. */
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

typedef struct damping {
    double normal, shear;
} damping;

typedef struct thing {
    double density, poisson;
    int elements, hollow, shape, level;
    double from[3], axis[3];
    gos_numbers list, points;
    const char *label, *material;
    gos_texts between, beside;
    gos_timefn *force, *vector[2];
    damping damp;
    const gos_node *rest;
} thing;

static const gos_param damping_params[] = {{.name = "normal",
                                            .kind = GOS_K_NUMBER,
                                            .unit = "s",
                                            .lo = 0,
                                            .hi = HUGE_VAL,
                                            .flags = GOS_P_REQUIRED,
                                            .offset = offsetof(damping, normal),
                                            .doc = "time constant in tension"},
                                           {.name = "shear",
                                            .kind = GOS_K_NUMBER,
                                            .unit = "s",
                                            .lo = 0,
                                            .hi = HUGE_VAL,
                                            .def = "0.5",
                                            .offset = offsetof(damping, shear),
                                            .doc = "time constant in shear"},
                                           {.name = NULL}};

static const gos_param params[] = {
    {.name = "density",
     .kind = GOS_K_NUMBER,
     .unit = "kg/m^3",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
     .offset = offsetof(thing, density),
     .doc = "mass per volume"},
    {.name = "poisson",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = -1,
     .hi = 0.5,
     .flags = GOS_P_LO_OPEN | GOS_P_HI_OPEN,
     .def = "0.3",
     .offset = offsetof(thing, poisson),
     .doc = "Poisson's ratio"},
    {.name = "elements",
     .kind = GOS_K_INT,
     .lo = 1,
     .hi = 1000,
     .def = "4",
     .offset = offsetof(thing, elements),
     .doc = "number of elements"},
    {.name = "hollow",
     .kind = GOS_K_BOOL,
     .def = "true",
     .offset = offsetof(thing, hollow),
     .doc = "has a hole"},
    {.name = "shape",
     .kind = GOS_K_CHOICE,
     .choices = "round|square|triangular",
     .def = "square",
     .offset = offsetof(thing, shape),
     .doc = "its form"},
    {.name = "level",
     .kind = GOS_K_CHOICE,
     .choices = "none=0|low=0.5|high=2",
     .def = "high",
     .offset = offsetof(thing, level),
     .doc = "how much of it"},
    {.name = "from",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .def = "[1, 2, 3]",
     .offset = offsetof(thing, from),
     .doc = "where it begins"},
    {.name = "axis",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .flags = GOS_P_UNIT_VECTOR,
     .offset = offsetof(thing, axis),
     .doc = "its direction"},
    {.name = "list",
     .kind = GOS_K_NUMBERS,
     .lo = 0,
     .hi = 9,
     .offset = offsetof(thing, list),
     .doc = "some numbers"},
    {.name = "points",
     .kind = GOS_K_NUMBERS,
     .shape = 2,
     .flags = GOS_P_EMPTY,
     .offset = offsetof(thing, points),
     .doc = "numbers or pairs"},
    {.name = "beside",
     .kind = GOS_K_NAMES,
     .flags = GOS_P_EMPTY,
     .offset = offsetof(thing, beside),
     .doc = "any places, or none"},
    {.name = "label", .kind = GOS_K_TEXT, .offset = offsetof(thing, label), .doc = "any text"},
    {.name = "material",
     .kind = GOS_K_NAME,
     .choices = "materials",
     .offset = offsetof(thing, material),
     .doc = "what it is made of"},
    {.name = "between",
     .kind = GOS_K_NAMES,
     .offset = offsetof(thing, between),
     .doc = "two places"},
    {.name = "force",
     .kind = GOS_K_TIMEFN,
     .unit = "N",
     .lo = 0,
     .hi = 100,
     .def = "0",
     .offset = offsetof(thing, force),
     .doc = "a force"},
    {.name = "vector",
     .kind = GOS_K_TIMEFNS,
     .unit = "N",
     .shape = 2,
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .offset = offsetof(thing, vector),
     .doc = "two forces"},
    {.name = "damping",
     .kind = GOS_K_MAP,
     .sub = damping_params,
     .offset = offsetof(thing, damp),
     .doc = "material damping"},
    {.name = "rest", .kind = GOS_K_NODE, .offset = offsetof(thing, rest), .doc = "anything"},
    {.name = NULL}};

static gos_model *model;
static gos_arena *arena;
static thing got;

static int teardown(void **state) {
    GOS_UNUSED(state);
    gos__arena_destroy(arena);
    gos_model_destroy(model);
    arena = NULL;
    model = NULL;
    gos_ctx_destroy(ctx);
    return 0;
}

/* fill `got` from the entry in line 3, column 6 of a model */
static gos_status fill(const char *entry) {
    char text[2000];
    snprintf(text, sizeof(text),
             "parameters: {L: 2, n: 12, z: 0, half: 0.5, low: 2}\nmaterials: {rubber: {}, steel: "
             "{}}\nheat: {x: %s}\n",
             entry);
    gos__arena_destroy(arena);
    gos_model_destroy(model);
    gos_ctx_clear(ctx);
    model = NULL;
    arena = gos__arena_create(ctx);
    assert_int_equal(gos_model_parse(ctx, text, strlen(text), "m.yaml", NULL, &model), GOS_OK);
    assert_int_equal(gos__model_parameters(model), GOS_OK);
    memset(&got, 0, sizeof(got));
    return gos__fill(model, gos__node_find(model->root, "heat.x"), params, "thing 'x'", arena,
                     &got);
}

static void good(const char *entry) {
    if (fill(entry) != GOS_OK) {
        fprintf(stderr, "%s\n", gos_ctx_message(ctx));
        fail();
    }
}

static void bad(const char *entry, const char *message) {
    assert_int_equal(fill(entry), GOS_E_INPUT);
    assert_string_equal(gos_ctx_message(ctx), message);
}

static void test_defaults(void **state) {
    GOS_UNUSED(state);
    good("{density: 1}");
    assert_true(got.density == 1.0 && got.poisson == 0.3 && got.elements == 4);
    assert_int_equal(got.hollow, 1);
    assert_int_equal(got.shape, 1);
    assert_true(got.from[0] == 1 && got.from[1] == 2 && got.from[2] == 3);
    assert_true(got.axis[0] == 0.0);
    assert_int_equal(got.list.n, 0);
    assert_null(got.label);
    assert_true(gos__timefn_constant(got.force));
    assert_null(got.vector[0]);
    assert_true(got.damp.normal == 0.0 && got.damp.shear == 0.5);
    // what is empty was left out
    good("{density: 1, poisson: , from: ~, damping: null}");
    assert_true(got.poisson == 0.3 && got.from[2] == 3);
}

static void test_values(void **state) {
    GOS_UNUSED(state);
    good("{density: 2*L, poisson: -0.5, elements: n/4, hollow: no, shape: round, "
         "from: [L, -L, 0], axis: [0, 3e50, 4e50], list: [1, L], label: 'a b', material: steel, "
         "between: [ground, x.end], force: 3*t, vector: [1, sin(t)], damping: {normal: 4}, "
         "rest: [x]}");
    assert_true(got.density == 4.0 && got.poisson == -0.5);
    assert_int_equal(got.elements, 3);
    assert_int_equal(got.hollow, 0);
    assert_int_equal(got.shape, 0);
    assert_true(got.from[0] == 2 && got.from[1] == -2 && got.from[2] == 0);
    assert_true(got.axis[0] == 0.0 && fabs(got.axis[1] - 0.6) < 1e-15);
    assert_true(got.list.n == 2 && got.list.v[1] == 2.0);
    assert_string_equal(got.label, "a b");
    assert_string_equal(got.material, "steel");
    assert_int_equal(got.between.n, 2);
    assert_string_equal(got.between.v[1], "x.end");
    assert_int_equal(got.between.loc[1].line, 3);
    assert_true(gos__timefn_eval(got.force, 2.0, NULL, NULL) == 6.0);
    assert_true(gos__timefn_constant(got.vector[0]));
    assert_false(gos__timefn_constant(got.vector[1]));
    assert_true(got.damp.normal == 4.0 && got.damp.shear == 0.5);
    assert_int_equal(got.rest->kind, GOS_LIST);
    good("{density: 1, list: 7, between: ground}");
    assert_true(got.list.n == 1 && got.list.v[0] == 7.0);
    assert_int_equal(got.between.n, 1);
    good("{density: 1, elements: 1.2/0.1}");
    assert_int_equal(got.elements, 12);
}

/* Words that have numbers may be given by them, and so by parameters; words come first. */
static void test_numbered_words(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *text;
        int level;
    } cases[] = {{"none", 0}, {"low", 1}, {"0", 0}, {"0.5", 1},  {"2.0", 2},
                 {"z", 0},    {"L", 2},   {"~", 2}, {"half", 1}, {"'half'", 1}};
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        char entry[60];
        snprintf(entry, sizeof entry, "{density: 1, level: %s}", cases[i].text);
        good(entry);
        assert_int_equal(got.level, cases[i].level);
    }
    good("{density: 1, hollow: z}");
    assert_int_equal(got.hollow, 0);
    bad("{density: 1, level: 1}",
        "m.yaml:3:31: thing 'x': level must be none (0), low (0.5) or high (2), got '1'");
    bad("{density: 1, level: n}",
        "m.yaml:3:31: thing 'x': level must be none (0), low (0.5) or high (2), got 'n', which "
        "is 12");
    bad("{density: 1, level: hihg}",
        "m.yaml:3:31: thing 'x': level must be none (0), low (0.5) or high (2), got 'hihg'; did "
        "you mean 'high'?");
    bad("{density: 1, shape: 1}", "m.yaml:3:31: thing 'x': shape must be round, square or "
                                  "triangular, got '1'");
    bad("{density: 1, shape: z}", "m.yaml:3:31: thing 'x': shape must be round, square or "
                                  "triangular, got 'z'");
    bad("{density: 1, hollow: n}", "m.yaml:3:32: thing 'x': hollow must be true or false, got 'n'");
}

static void test_numbers_refused(void **state) {
    GOS_UNUSED(state);
    bad("{density: -2000}", "m.yaml:3:21: thing 'x': density must be > 0 kg/m^3, got -2000");
    bad("{density: L-2}", "m.yaml:3:21: thing 'x': density must be > 0 kg/m^3, got 0 from 'L-2'");
    bad("{density: 1, poisson: 0.5}",
        "m.yaml:3:33: thing 'x': poisson must be > -1 and < 0.5, got 0.5");
    bad("{density: nan}", "m.yaml:3:21: thing 'x': density: unknown name 'nan'; give a finite "
                          "number, in 'nan'");
    bad("{density: .inf}", "m.yaml:3:21: thing 'x': density: '.inf' is not a finite number; give "
                           "one, in '.inf'");
    bad("{density: 1e999}",
        "m.yaml:3:21: thing 'x': density: the value of '1e999' is not a finite number; give a "
        "smaller one");
    bad("{density: [1]}",
        "m.yaml:3:21: thing 'x': density must be a number or an expression, got a list");
    bad("{density: 1, elements: 2.5}",
        "m.yaml:3:34: thing 'x': elements must be a whole number, got 2.5");
    bad("{density: 1, elements: 0}", "m.yaml:3:34: thing 'x': elements must be >= 1 and <= 1000, "
                                     "got 0");
    bad("{density: 1, hollow: maybe}",
        "m.yaml:3:32: thing 'x': hollow must be true or false, got 'maybe'");
    bad("{density: 1, hollow: [a]}",
        "m.yaml:3:32: thing 'x': hollow must be true or false, got a list");
    bad("{density: 1, from: 3}",
        "m.yaml:3:30: thing 'x': from must be a list of 3 numbers in m, got a single value");
    bad("{density: 1, from: [1, 2]}",
        "m.yaml:3:30: thing 'x': from must be a list of 3 numbers in m, got 2");
    bad("{density: 1, axis: [0, 0, 0]}",
        "m.yaml:3:30: thing 'x': axis has zero length; give a direction");
    bad("{density: 1, list: [1, 10]}",
        "m.yaml:3:34: thing 'x': list must be >= 0 and <= 9, got 10");
    bad("{density: 1, list: {a: 1}}",
        "m.yaml:3:30: thing 'x': list must be a list of numbers, got a map");
    bad("{density: 1, force: 101}",
        "m.yaml:3:31: thing 'x': force must be >= 0 and <= 100 N, got 101");
    bad("{density: 1, vector: [t]}",
        "m.yaml:3:32: thing 'x': vector must be a list of 2 numbers in N, got 1");
}

/* Numbers alone are the first of a pair; where the table allows it an empty list is as none. */
static void test_pairs(void **state) {
    GOS_UNUSED(state);
    good("{density: 1, points: [4, [L, 3*L], [0, 1]], beside: []}");
    static const double want[] = {4, 0, 2, 6, 0, 1};
    assert_int_equal(got.points.n, 6);
    for (int i = 0; i < 6; i++) {
        assert_true(got.points.v[i] == want[i]);
    }
    assert_int_equal(got.beside.n, 0);
    good("{density: 1, points: 7, beside: a}");
    assert_true(got.points.n == 2 && got.points.v[0] == 7 && got.points.v[1] == 0);
    assert_int_equal(got.beside.n, 1);
    good("{density: 1, points: []}");
    assert_int_equal(got.points.n, 0);
    bad("{density: 1, points: [1, [2, 3, 4]]}",
        "m.yaml:3:36: thing 'x': points must be a list of 2 numbers, got 3");
    bad("{density: 1, points: [1, {a: 2}]}",
        "m.yaml:3:36: thing 'x': points must be a number or an expression, got a map");
}

static void test_names_refused(void **state) {
    GOS_UNUSED(state);
    bad("{density: 1, shape: sqare}", "m.yaml:3:31: thing 'x': shape must be round, square or "
                                      "triangular, got 'sqare'; did you mean 'square'?");
    bad("{density: 1, material: steal}", "m.yaml:3:34: thing 'x': material: there is no 'steal' "
                                         "under 'materials:'; did you mean 'steel'?");
    bad("{density: 1, material: xyz}",
        "m.yaml:3:34: thing 'x': material: there is no 'xyz' under 'materials:'; add it there");
    bad("{density: 1, between: []}",
        "m.yaml:3:33: thing 'x': between is an empty list; give at least one name");
    bad("{density: 1, between: {a: 1}}",
        "m.yaml:3:33: thing 'x': between must be a name or a list of names, got a map");
    bad("{density: 1, label: [a]}", "m.yaml:3:31: thing 'x': label must be a text, got a list");
    bad("{density: 1, lable: a}",
        "m.yaml:3:24: thing 'x': unknown key 'lable'; did you mean 'label'?");
    bad("{density: 1, label:a}",
        "m.yaml:3:24: thing 'x': unknown key 'label:a'; write a space after the colon");
    bad("{density: 1, type: a}",
        "m.yaml:3:24: thing 'x': unknown key 'type'; allowed are "
        "density, poisson, elements, hollow, shape, level, from, axis, list, points, beside, "
        "label, material, between, force, vector, damping, rest");
}

static void test_maps_refused(void **state) {
    GOS_UNUSED(state);
    bad("{}", "m.yaml:3:8: thing 'x': density is missing; give mass per volume in kg/m^3");
    bad("~", "m.yaml:3:8: thing 'x': density is missing; give mass per volume in kg/m^3");
    bad("5", "m.yaml:3:11: thing 'x': must be a map, like {density: ...}, got a single value");
    bad("{density: 1, damping: 3}",
        "m.yaml:3:33: thing 'x': damping must be a map, like {normal: ...}, got a single value");
    bad("{density: 1, damping: {shear: 1}}", "m.yaml:3:24: thing 'x': damping.normal is missing; "
                                             "give time constant in tension in s");
    bad("{density: 1, damping: {normal: -1}}",
        "m.yaml:3:42: thing 'x': damping.normal must be >= 0 s, got -1");
    bad("{density: 1, damping: {normal: 1, sheer: 2}}",
        "m.yaml:3:45: thing 'x': unknown key 'damping.sheer'; did you mean "
        "'damping.shear'?");
}

static void test_all_at_once(void **state) {
    GOS_UNUSED(state);
    bad("{density: 0, elements: x, from: [a, b, 1], damping: {normal: -1, shear: -1}, foo: 1}",
        "m.yaml:3:21: thing 'x': density must be > 0 kg/m^3, got 0");
    assert_int_equal(gos__nerrors(ctx), 7);
}

/* ---- out of memory --------------------------------------------------------------------------- */

/* fail from the n-th allocation on, for n = 1, 2, ... until all succeed; nothing may leak */
static void test_every_allocation_may_fail(void **state) {
    GOS_UNUSED(state);
    const char *text =
        "materials: {a: {}}\nheat: {x: {density: 2*3, material: a, axis: [1, 2, 3], "
        "between: [a, b], force: 't < 1 ? 1 : abs(t)', vector: [1, t], list: [1, 2], "
        "damping: {normal: 1}, label: x, shape: round}}\n";
    for (long n = 1;; n++) {
        faults f = {.fail_at = n, .forever = 1};
        const gos_allocator allocator = {faults_alloc, faults_realloc, faults_free, &f};
        gos_ctx *c = gos_ctx_create_with(&allocator);
        gos_model *m = NULL;
        gos_status status = c == NULL ? GOS_E_MEMORY : GOS_OK;
        status = status == GOS_OK ? gos_model_parse(c, text, strlen(text), "m", NULL, &m) : status;
        gos_arena *a = status == GOS_OK ? gos__arena_create(c) : NULL;
        if (a != NULL) {
            memset(&got, 0, sizeof(got));
            status = gos__fill(m, gos__node_find(m->root, "heat.x"), params, "x", a, &got);
        } else {
            status = GOS_E_MEMORY;
        }
        gos__arena_destroy(a);
        gos_model_destroy(m);
        gos_ctx_destroy(c);
        assert_int_equal(f.live, 0);
        if (status == GOS_OK) {
            assert_true(n > 10);
            break;
        }
        assert_int_equal(status, GOS_E_MEMORY);
        assert_true(n < 2000);
    }
}

/* ---- types and reference --------------------------------------------------------------------- */

static const gos_param no_params[] = {{.name = NULL}};
static const gos_type type_thing = {
    "bodies", "thing", "A thing.", params, sizeof(thing), "x: {density: 1}\ny: {density: 2}", NULL};
static const gos_type type_other = {"bodies", "other", "Another one.", no_params, 0, NULL, NULL};
static const gos_type type_single = {"loads", "single", "The only load.", no_params, 0, NULL, NULL};
static const gos_type *const types[] = {&type_thing, &type_other, &type_single, NULL};

static void test_type_of(void **state) {
    GOS_UNUSED(state);
    const char *text =
        "bodies: {a: {type: other}, b: {type: thang}, c: {}, d: 3, e: {type: [1]}}\n";
    assert_int_equal(gos_model_parse(ctx, text, strlen(text), "m.yaml", NULL, &model), GOS_OK);
    const gos_type *type = NULL;
    const gos_node *bodies = gos__node_get(model->root, "bodies");
    const gos_node *a = gos__node_get(bodies, "a"), *c = gos__node_get(bodies, "c");
    assert_int_equal(gos__type_of(model, a, "bodies", types, "body 'a'", &type), GOS_OK);
    assert_ptr_equal(type, &type_other);
    assert_int_equal(gos__type_of(model, c, "loads", types, "load 'c'", &type), GOS_OK);
    assert_ptr_equal(type, &type_single);
    static const char *const messages[] = {
        "m.yaml:1:38: b: unknown type 'thang'; did you mean 'thing'?",
        "m.yaml:1:46: c: type is missing; give one of thing, other",
        "m.yaml:1:56: d: must be a map, like {type: thing, ...}",
        "m.yaml:1:69: e: type must be one of the names thing, other"};
    for (int i = 0; i < 4; i++) {
        const char name[2] = {(char)('b' + i), '\0'};
        gos_ctx_clear(ctx);
        assert_int_equal(
            gos__type_of(model, gos__node_get(bodies, name), "bodies", types, name, &type),
            GOS_E_INPUT);
        assert_string_equal(gos_ctx_message(ctx), messages[i]);
    }
}

static void help(const char *type, bool markdown, gos_status expected, char *buf, size_t size) {
    FILE *f = tmpfile();
    assert_non_null(f);
    assert_int_equal(gos__help(ctx, types, type, markdown, f), expected);
    rewind(f);
    buf[fread(buf, 1, size - 1, f)] = '\0';
    fclose(f);
}

static void test_help(void **state) {
    GOS_UNUSED(state);
    char buf[20000];
    help("thing", false, GOS_OK, buf, sizeof(buf));
    assert_non_null(strstr(buf, "thing (in bodies): A thing."));
    assert_non_null(strstr(buf, "  density                number [kg/m^3], > 0, required\n"
                                "                           mass per volume\n"));
    assert_non_null(strstr(buf, "  damping.shear          number [s], >= 0, default 0.5\n"));
    assert_non_null(strstr(buf, "    y: {density: 2}\n"));
    help("bodies", false, GOS_OK, buf, sizeof(buf));
    assert_non_null(strstr(buf, "Another one."));
    assert_null(strstr(buf, "The only load."));
    help(NULL, true, GOS_OK, buf, sizeof(buf));
    assert_non_null(strstr(buf, "## loads"));
    assert_non_null(
        strstr(buf, "| `shape` | round\\|square\\|triangular |  |  | square | its form |"));
    help("thnig", false, GOS_E_INPUT, buf, sizeof(buf));
    assert_string_equal(gos_ctx_message(ctx), "unknown type 'thnig'; did you mean 'thing'?");
    // words that are no types: a key, a value, a word of texts
    help("shear", false, GOS_OK, buf, sizeof(buf));
    assert_non_null(
        strstr(buf, "shear is a key of thing (in bodies)\n  damping.shear          number"));
    help("triangular", false, GOS_OK, buf, sizeof(buf));
    assert_non_null(strstr(buf, "triangular is a value in thing (in bodies)\n  shape "));
    help("volume", false, GOS_OK, buf, sizeof(buf));
    assert_non_null(strstr(buf, "volume is mentioned in thing (in bodies)\n  density "));
    help("olume", false, GOS_E_INPUT, buf, sizeof(buf));
    help("", false, GOS_E_INPUT, buf, sizeof(buf));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_defaults, context_setup, teardown),
        cmocka_unit_test_setup_teardown(test_values, context_setup, teardown),
        cmocka_unit_test_setup_teardown(test_numbered_words, context_setup, teardown),
        cmocka_unit_test_setup_teardown(test_numbers_refused, context_setup, teardown),
        cmocka_unit_test_setup_teardown(test_pairs, context_setup, teardown),
        cmocka_unit_test_setup_teardown(test_names_refused, context_setup, teardown),
        cmocka_unit_test_setup_teardown(test_maps_refused, context_setup, teardown),
        cmocka_unit_test_setup_teardown(test_all_at_once, context_setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_allocation_may_fail, context_setup, teardown),
        cmocka_unit_test_setup_teardown(test_type_of, context_setup, teardown),
        cmocka_unit_test_setup_teardown(test_help, context_setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
