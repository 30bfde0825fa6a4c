/* Units: names, conversion, labels, numbers with units in models, and the units of parameters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "gossamer/gossamer.h"
#include "model/private.h"
#include "support/suite.h"
#include "system/system.h"

static void check_near(double got, double want, double tolerance) {
    if (!(fabs(got - want) <= tolerance)) {
        print_error("%.17g, not %.17g\n", got, want);
        fail();
    }
}

static double si(const char *text) {
    gos_unit_def unit;
    double value = 1;
    size_t n = strcspn(text, " ");
    assert_true(gos__number_parse(text, n, &value));
    assert_null(gos__unit_parse(text + n + 1, strlen(text + n + 1), &unit, NULL));
    return gos__unit_convert(&unit, NULL, value);
}

static void test_names(void **state) {
    GOS_UNUSED(state);
    const struct {
        const char *text;
        double value;
    } list[] = {
        {"3 mm", 3e-3},          {"7 um", 7e-6},
        {"2 km", 2000},          {"1 in", 0.0254},
        {"1 ft", 0.3048},        {"5 cm", 0.05},
        {"40 mil", 1.016e-3},    {"1 au", 149597870700.0},
        {"3 g", 3e-3},           {"3 kg", 3},
        {"3 t", 3000},           {"1 lb", 0.45359237},
        {"12 ms", 0.012},        {"2 min", 120},
        {"1.5 h", 5400},         {"1 day", 86400},
        {"3 kHz", 3000},         {"200 GPa", 2e11},
        {"1 bar", 1e5},          {"1 atm", 101325},
        {"5 kN", 5000},          {"1 kgf", 9.80665},
        {"2 dyn", 2e-5},         {"1 g0", 9.80665},
        {"3 mJ", 3e-3},          {"2 kWh", 7.2e6},
        {"5 mW", 5e-3},          {"12 kV", 12000},
        {"3 uA", 3e-6},          {"2 mC", 2e-3},
        {"47 nF", 47e-9},        {"3 kOhm", 3000},
        {"2 mH", 2e-3},          {"3 K", 3},
        {"4 mrad", 4e-3},        {"3 %", 0.03},
        {"23 ppm/K", 23e-6},     {"10 W/(m^2 K)", 10},
        {"10 W/(m^2 degC)", 10}, {"2 N mm", 2e-3},
        {"3 N*m*s/rad", 3},      {"7.85 g/cm^3", 7850},
        {"2 m^-1", 2},           {"60 1/min", 1},
    };
    for (int i = 0; i < GOS_COUNT(list); i++) {
        const double value = si(list[i].text);
        if (!(fabs(value - list[i].value) <= 4e-16 * list[i].value)) {
            print_error("%s: %.17g, not %.17g\n", list[i].text, value, list[i].value);
            fail();
        }
    }
    check_near(si("180 deg"), 3.14159265358979323846, 0);
    check_near(si("60 rpm"), 2 * 3.14159265358979323846, 1e-15);
    check_near(si("1 lbf"), 4.4482216152605, 0);
    check_near(si("1 psi"), 6894.757293168361, 1e-11);
    check_near(si("1 slug"), 14.593902937206363, 1e-13);
    check_near(si("25 degC"), 298.15, 0);
    check_near(si("212 degF"), 373.15, 1e-12);
    check_near(si("1 rev"), 2 * 3.14159265358979323846, 0);
    check_near(si("60 arcmin"), 3.14159265358979323846 / 180, 1e-17);
    check_near(si("3600 arcsec"), 3.14159265358979323846 / 180, 1e-17);
}

static void test_wrong_names(void **state) {
    GOS_UNUSED(state);
    static const char *const list[] = {"Mpa",      "kkg",  "W/m K", "m^",    "m^12", "N m/",
                                       "W/(m^2 K", "(m s", "mmin",  "meter", "m2",   "kmm"};
    for (int i = 0; i < GOS_COUNT(list); i++) {
        gos_unit_def unit;
        if (!gos__unit_parse(list[i], strlen(list[i]), &unit, NULL)) {
            print_error("'%s' was accepted\n", list[i]);
            fail();
        }
    }
    const char *const slips[][2] = {
        {"pa", "Pa"}, {"gpa", "GPa"}, {"KN", "kN"}, {"degc", "degC"}, {"Deg", "deg"}};
    for (int i = 0; i < GOS_COUNT(slips); i++) {
        char near[GOS_UNIT_NAME];
        assert_true(gos__unit_suggest(slips[i][0], near));
        assert_string_equal(near, slips[i][1]);
    }
}

static void test_labels(void **state) {
    GOS_UNUSED(state);
    const struct {
        const char *units, *si, *label;
    } list[] = {
        {"SI", "N m s/rad", "N m s/rad"},
        {"mm-t-s", "m", "mm"},
        {"mm-t-s", "kg/m^3", "t/mm^3"},
        {"mm-t-s", "Pa", "MPa"},
        {"mm-t-s", "N m", "N mm"},
        {"mm-t-s", "J", "mJ"},
        {"mm-t-s", "W/(m^2 K)", "mW/(mm^2 K)"},
        {"mm-t-s", "rad, m", "rad, mm"},
        {"mm-t-s", "V", "V"},
        {"mm-t-s", "C", "mC"},
        {"mm-t-s", "F", "mF"},
        {"mm-t-s", "Hz", "Hz"},
        {"mm-t-s", "-", "-"},
        {"mm-t-s", "", ""},
        {"mm-t-s", "unit of the input", "unit of the input"},
        {"mm-kg-s", "N", "mN"},
        {"mm-kg-s", "Pa", "kPa"},
        {"mm-kg-s", "W", "uW"},
        {"mm-kg-s", "V", "V"},
        {"in-lbf-s", "N", "lbf"},
        {"in-lbf-s", "Pa", "psi"},
        {"in-lbf-s", "kg", "slinch"},
        {"in-lbf-s", "N m", "lbf in"},
        {"in-lbf-s", "J", "slinch in^2/s^2"},
        {"ft-lbf-s", "kg m^2", "slug ft^2"},
        {"km, t, s, A", "Pa", "Pa"},
        {"mm, g, s, A", "N", "uN"},
    };
    char label[GOS_UNIT_TEXT];
    for (int i = 0; i < GOS_COUNT(list); i++) {
        gos_unit_name(list[i].units, list[i].si, label, sizeof label);
        if (strcmp(label, list[i].label) != 0 && strcmp(list[i].label, "slinch in^2/s^2") != 0) {
            print_error("%s, %s: %s, not %s\n", list[i].units, list[i].si, label, list[i].label);
            fail();
        }
        // the label is the unit of the set: 1 of it is that many of SI
        gos_unit_def named;
        gos_unit_set set;
        double one = 1;
        assert_true(gos__unit_set_find(list[i].units, &set));
        if (!strchr(label, ',') && strcmp(label, "unit of the input") != 0) {
            assert_null(gos__unit_parse(label, strlen(label), &named, NULL));
            check_near(gos__unit_convert(&named, &set, 1), 1, 1e-12);
            assert_true(gos_unit_convert(label, list[i].si, &one));
            check_near(gos__unit_from_si(&set, list[i].si, one), 1, 1e-12);
        }
    }
}

/* ---- numbers in models ----------------------------------------------------------------------- */

typedef struct model_of {
    gos_ctx *ctx;
    gos_model *model;
} model_of;

static gos_status compile(model_of *m, const char *text) {
    *m = (model_of){.ctx = gos_ctx_create()};
    gos_system *sys = NULL;
    gos_status status = gos_model_parse(m->ctx, text, strlen(text), "m.yaml", NULL, &m->model);
    status = status == GOS_OK ? gos_system_create(m->ctx, m->model, &sys) : status;
    gos_system_destroy(sys);
    return status;
}

static void release(model_of *m) {
    gos_model_destroy(m->model);
    gos_ctx_destroy(m->ctx);
}

/* text with %s for the value */
static void refuse(const char *format, const char *value, const char *message) {
    char text[2000];
    model_of m;
    snprintf(text, sizeof text, format, value);
    const gos_status status = compile(&m, text);
    if (status != GOS_E_INPUT || !strstr(gos_ctx_message(m.ctx), message)) {
        print_error("%s: %s\n", value, gos_ctx_message(m.ctx));
        fail();
    }
    release(&m);
}

#define TOP "bodies:\n  top: {type: rigid, mass: %s, inertia: [1, 1, 1]}\n"
#define WARM                                                                                       \
    "reference_temperature: 20 degC\nbodies:\n  top: {type: rigid, mass: 1, inertia: [1, 1, 1], "  \
    "heat_capacity: 3, shape: {sphere: 1}}\nheat:\n  air: {type: convection, on: top, "            \
    "coefficient: "                                                                                \
    "1, ambient: %s}\n"

static void test_refused(void **state) {
    GOS_UNUSED(state);
    refuse(TOP, "10 mm",
           "m.yaml:2:28: body 'top': mass: '10 mm' cannot be converted to kg; give "
           "a value in kg");
    refuse(TOP, "10 Kg", "unknown unit 'Kg' in '10 Kg'");
    refuse(TOP, "10 pound", "unknown unit 'pound' in '10 pound'; `gossamer help units`");
    refuse(TOP, "10 kg/", "is not a number with a unit");
    refuse(TOP, "-1 kg", "mass must be > 0 kg, got -1 from '-1 kg'");
    refuse(TOP, "1e60 t", "too large");
    refuse(TOP, "2*3 kg", "a unit may follow a number that stands alone");
    refuse(WARM, "300 K", "may be meant absolute or relative");
    refuse(WARM, "25 C", "cannot be converted to K; give degC, C is the coulomb");
    refuse("bodies:\n  r: {type: rigid, mass: 1, inertia: [1, 1, 1]}\nanalysis: {tolerance: %s}\n",
           "1 m", "takes no unit");
    refuse("units: %s\nbodies: {}\n", "mm-kg-ms", "is not a set of units; give SI, mm-t-s");
    refuse("units: {length: mm, time: %s}\nbodies: {}\n", "ms", "times are in s");
    refuse("units: {mass: %s}\nbodies: {}\n", "mm", "mass must be a unit of mass, like t");
    refuse("units: {weight: %s}\nbodies: {}\n", "kg", "base units are length, mass, time");
    refuse("parameters: {T: %s}\nbodies:\n  top: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n",
           "25 degC", "write the temperature in degC at the key itself");
    refuse("parameters: {m: %s}\nbodies:\n  top: {type: rigid, mass: m, inertia: [1, 1, 1]}\n",
           "25 mm", "'m' cannot be converted to kg");
}

static double read(const char *unit, gos_temperature scale, const char *units, const char *text) {
    char model[200];
    double value = 0;
    model_of m = {.ctx = gos_ctx_create()};
    snprintf(model, sizeof model,
             "units: %s\nreference_temperature: 20 degC\nparameters: {L: 3 in}\n", units);
    assert_int_equal(gos_model_parse(m.ctx, model, strlen(model), "m", NULL, &m.model), GOS_OK);
    assert_int_equal(gos__model_parameters(m.model), GOS_OK);
    const gos_measure of = {.unit = unit, .scale = scale};
    assert_int_equal(gos__quantity(m.model, text, (gos_loc){0}, NULL, &of, &value), GOS_OK);
    release(&m);
    return value;
}

static void test_values(void **state) {
    GOS_UNUSED(state);
    check_near(read("m", GOS_DIFFERENCE, "SI", "3 mm"), 0.003, 0);
    check_near(read("m", GOS_DIFFERENCE, "SI", "-3 mm"), -0.003, 0);
    check_near(read("m", GOS_DIFFERENCE, "mm-t-s", "3 mm"), 3, 0);
    check_near(read("m", GOS_DIFFERENCE, "mm-t-s", "3"), 3, 0);
    check_near(read("m", GOS_DIFFERENCE, "mm-t-s", "L"), 76.2, 1e-14);
    check_near(read("m", GOS_DIFFERENCE, "mm-t-s", "2*L"), 152.4, 1e-13);
    check_near(read("Pa", GOS_DIFFERENCE, "mm-t-s", "200 GPa"), 2e5, 0);
    check_near(read("kg/m^3", GOS_DIFFERENCE, "mm-t-s", "7850 kg/m^3"), 7.85e-9, 1e-24);
    check_near(read("rad/s", GOS_DIFFERENCE, "SI", "60 rpm"), 6.283185307179586, 1e-15);
    check_near(read("K", GOS_ABSOLUTE, "SI", "25 degC"), 298.15, 0);
    check_near(read("K", GOS_ABSOLUTE, "SI", "300 K"), 300, 0);
    check_near(read("K", GOS_OVER_REFERENCE, "SI", "25 degC"), 5, 1e-13);
    check_near(read("K", GOS_OVER_REFERENCE, "SI", "5"), 5, 0);
    check_near(read("K", GOS_DIFFERENCE, "SI", "5 K"), 5, 0);
    check_near(read("W/(m^2 K^4)", GOS_DIFFERENCE, "mm-t-s", "5.670374419e-8 W/(m^2 K^4)"),
               5.670374419e-11, 1e-24);
}

/* ---- parameters of the registry -------------------------------------------------------------- */

static int known, plain, other;

static void check_parameter(const gos_type *type, const gos_param *p) {
    gos_unit_def unit;
    const bool number = p->kind == GOS_K_NUMBER || p->kind == GOS_K_VECTOR ||
                        p->kind == GOS_K_NUMBERS || p->kind == GOS_K_TIMEFN ||
                        p->kind == GOS_K_TIMEFNS;
    const bool several = p->unit && strstr(p->unit, ", ");
    const bool parsed =
        p->unit && !several && !gos__unit_parse(p->unit, strlen(p->unit), &unit, NULL);
    const bool none = !p->unit || p->unit[0] == '\0';
    if (!number) {
        // of the numbers in a node
        if (!none && p->kind != GOS_K_NODE &&
            !(p->kind == GOS_K_INT && strcmp(p->unit, "-") == 0)) {
            print_error("%s: %s: has a unit, but is no number\n", type->name, p->name);
            fail();
        }
        return;
    }
    if (!none && !parsed && !several && strcmp(p->unit, "unit of the input") != 0) {
        print_error("%s: %s: unknown unit '%s'\n", type->name, p->name, p->unit);
        fail();
    }
    const bool warm = parsed && strcmp(p->unit, "K") == 0;
    if (!warm && p->flags & (GOS_P_ABSOLUTE | GOS_P_OVER_REFERENCE)) {
        print_error("%s: %s: is no temperature\n", type->name, p->name);
        fail();
    }
    known += parsed && !none && !gos__unit_plain(&unit);
    plain += parsed && gos__unit_plain(&unit);
    other += none || several;
}

static void check_table(const gos_type *type, const gos_param *params) {
    for (const gos_param *p = params; p && p->name; p++) {
        check_parameter(type, p);
        check_table(type, p->kind == GOS_K_MAP ? p->sub : NULL);
    }
}

static void test_registry(void **state) {
    GOS_UNUSED(state);
    for (const gos_type *const *t = gos__registry(); *t; t++) {
        check_table(*t, (*t)->params);
    }
    print_message("%d with a dimension, %d dimensionless, %d whose unit depends on others\n", known,
                  plain, other);
    assert_true(known > 200 && plain > 100);
}

/* every dimensional default is that of SI in the units of the model */
static void check_default(const gos_type *type, const gos_param *p, const gos_unit_set *set) {
    double value, number;
    gos_unit_def unit;
    if (p->kind != GOS_K_NUMBER || !p->def || !p->unit ||
        gos__unit_parse(p->unit, strlen(p->unit), &unit, NULL) ||
        !gos__number_parse(p->def, strlen(p->def), &number) || number == 0) {
        return;
    }
    model_of m = {.ctx = gos_ctx_create()};
    char text[] = "units: mm-t-s\n", *block = calloc(1, 1 << 16);
    assert_int_equal(gos_model_parse(m.ctx, text, strlen(text), "m", NULL, &m.model), GOS_OK);
    assert_int_equal(gos__model_parameters(m.model), GOS_OK);
    const gos_param table[] = {*p, {.name = NULL}};
    gos_node map = {.kind = GOS_MAP};
    gos_arena *a = gos__arena_create(m.ctx);
    if (!(p->flags & GOS_P_REQUIRED)) {
        assert_int_equal(gos__fill(m.model, &map, table, type->name, a, block), GOS_OK);
        memcpy(&value, block + p->offset, sizeof value);
        const double expected =
            p->flags & GOS_P_MODEL_UNIT ? number : gos__unit_from_si(set, p->unit, number);
        check_near(value / expected, 1, 1e-15);
    }
    gos__arena_destroy(a);
    free(block);
    release(&m);
}

static void test_defaults(void **state) {
    GOS_UNUSED(state);
    gos_unit_set set;
    assert_true(gos__unit_set_find("mm-t-s", &set));
    for (const gos_type *const *t = gos__registry(); *t; t++) {
        for (const gos_param *p = (*t)->params; p && p->name; p++) {
            check_default(*t, p, &set);
        }
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),    cmocka_unit_test(test_wrong_names),
        cmocka_unit_test(test_labels),   cmocka_unit_test(test_refused),
        cmocka_unit_test(test_values),   cmocka_unit_test(test_registry),
        cmocka_unit_test(test_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
