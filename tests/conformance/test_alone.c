/* Every registered type in a model with nothing but itself and the bodies that it names, with each
   of its options in turn, through every analysis: it runs, or it is refused in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"

#include "support/examples.h"
#include "support/suite.h"
#include "support/turn_model.h"

#define MODES 4

static int ran, refused; // models so far

/* ---- analyses -------------------------------------------------------------------------------- */

typedef struct analysis {
    const char *name, *settings;
    bool modes, damped;
    enum { ALL, BASIC, OF_HEAT } where; // BASIC: for numbers, choices and bodies' options, too
} analysis;

/* materials that conduct no heat, as steady temperatures are unique in few of these models */
#define COLD "materials.rubber.conductivity=~ materials.rubber.specific_heat=~ "

static const analysis analyses[] = {
    {"fixed step", NULL, false, false, BASIC},
    {"generalised_alpha", "analysis.step=0", false, false, ALL},
    {"bdf", "analysis.integrator=bdf analysis.step=0", false, false, ALL},
    {"radau", "analysis.integrator=radau analysis.step=0", false, false, ALL},
    {"steady heat", "analysis.heat=steady", false, false, ALL},
    {"static", "analysis.type=static", false, false, OF_HEAT},
    {"static, cold", COLD "analysis.type=static", false, false, BASIC},
    {"arc length", COLD "analysis.type=static analysis.arc_length=true analysis.end=~", false,
     false, ALL},
    {"modes", NULL, true, false, ALL},
    {"damped modes", NULL, true, true, BASIC},
};

static bool suits(const analysis *a, const gos_type *t, bool basic) {
    return a->where == BASIC || (!basic && (a->where == ALL || strcmp(t->section, "heat") == 0));
}

static int begin(void *user, const gos_run_info *run) {
    *(int *)user = run->nvalues;
    return 0;
}

/* Values are numbers. */
static int take_row(void *user, double time, const double *value, const double *rate) {
    assert_true(isfinite(time));
    for (int i = 0; i < *(int *)user; i++) {
        assert_true(isfinite(value[i]) && isfinite(rate[i]));
    }
    return 0;
}

static gos_status solve_modes(verify *v, bool damped) {
    gos_linear *linear = NULL;
    gos_mode mode[MODES];
    gos_root root[MODES];
    int found = 0, nroot = 0;
    const gos_operating_point at = {.kind = GOS_OPERATING_INITIAL};
    gos_status status = gos_linearise_at(v->ctx, v->sys, &v->opt, &at, v->state, &linear);
    if (status == GOS_OK) {
        gos_linear_info info;
        gos_linear_info_get(linear, &info);
        status =
            damped || info.coordinates == 0
                ? gos_linear_coupled_modes(v->ctx, linear, MODES, mode, &found, MODES, root, &nroot)
                : gos_linear_modes(v->ctx, linear, MODES, false, mode, &found);
    }
    gos_linear_destroy(linear);
    return status;
}

static gos_status solve(verify *v, const analysis *a) {
    GOS_TRY(gos_system_create(v->ctx, v->model, &v->sys));
    GOS_TRY(gos_state_create(v->ctx, v->sys, &v->state));
    gos_options_get(v->sys, &v->opt);
    if (a->modes) {
        return solve_modes(v, a->damped);
    }
    int nvalues = 0;
    const gos_sink sink = {.begin = begin, .row = take_row};
    return gos_run_into(v->ctx, v->sys, &v->opt, NULL, &sink, &nvalues, NULL);
}

static char last[300]; // the model that is being solved

/* The model of an entry of a type with `key` of it set to `value` (NULL: as it is). Is it a model
 * at all? */
static bool check(const gos_type *t, const char *text, const char *key, const char *value,
                  const analysis *a) {
    verify v;
    char path[300];
    gos_node *entry = entry_model(t, text, &v);
    (void)snprintf(last, sizeof last, "%.200s with %s = %s, %s", text, key ? key : "-",
                   value ? value : "-", a->name);
    (void)snprintf(path, sizeof path, "%s.%s.%s", t->section, entry->key, key ? key : "");
    verify_set(&v, a->settings);
    gos_status status = key ? gos_model_set(v.ctx, v.model, path, value) : GOS_OK;
    status = status == GOS_OK ? solve(&v, a) : status;
    if (status != GOS_OK && strlen(gos_ctx_message(v.ctx)) < 10) {
        print_error("%s: status %d without words\n", last, (int)status);
        fail();
    }
    *(status == GOS_OK ? &ran : &refused) += 1;
    const bool compiled = v.sys;
    verify_close(&v);
    return compiled;
}

static int tell_last(void **unused) {
    GOS_UNUSED(unused);
    print_message("    last: %s\n", last);
    return 0;
}

static void each_analysis(const gos_type *t, const char *text, const char *key, const char *value,
                          bool basic) {
    bool compiled = true; // the first analysis suits all models
    for (int i = 0; i < GOS_COUNT(analyses) && compiled; i++) {
        const analysis *a = &analyses[i];
        if (suits(a, t, basic)) {
            compiled = check(t, text, key, value, a) || i > 0;
        }
    }
}

/* ---- options --------------------------------------------------------------------------------- */

static void each_choice(const gos_type *t, const char *text, const gos_param *p) {
    char choices[300];
    (void)snprintf(choices, sizeof choices, "%s", p->choices);
    for (char *rest = choices, *word; (word = strtok_r(rest, "|", &rest));) {
        word[strcspn(word, "=")] = '\0';
        each_analysis(t, text, p->name, word, true);
    }
}

/* pair: of places in a model that has been through all analyses with others */
static void each_option(const gos_type *t, const char *text, bool numbers, bool pair) {
    each_analysis(t, text, NULL, NULL, pair);
    for (const gos_param *p = t->params; p->name; p++) {
        const bool ranged = p->lo != 0 || p->hi != 0;
        char number[40];
        (void)snprintf(number, sizeof number, "%.17g", ranged ? fmin(fmax(1, p->lo), p->hi) : 1);
        if (p->kind == GOS_K_BOOL) {
            each_analysis(t, text, p->name, "true", strcmp(t->section, "bodies") == 0);
        } else if (p->kind == GOS_K_CHOICE) {
            each_choice(t, text, p);
        } else if (numbers && (p->kind == GOS_K_NUMBER || p->kind == GOS_K_INT)) {
            each_analysis(t, text, p->name, number, true);
        } else if (numbers && p->kind == GOS_K_TIMEFN) {
            each_analysis(t, text, p->name, "sin(3*t)", true);
        }
    }
}

/* what joins places joins those of flexible and of rigid bodies, too */
static void each_pair(const gos_type *t) {
    static const char *const pairs[] = {"[left.end, right.start]", "[hub, box]",
                                        "[panel.corner(1), lid.corner(1)]", "[hub, rod.start]"};
    const char *list = strstr(t->example, "between: ["), *rest = list ? strchr(list, ']') : NULL;
    for (int i = 0; rest && i < GOS_COUNT(pairs); i++) {
        char text[1000];
        (void)snprintf(text, sizeof text, "%.*sbetween: %s%s", (int)(list - t->example), t->example,
                       pairs[i], rest + 1);
        each_option(t, text, false, true);
    }
}

static bool is_entry(const gos_type *t) {
    return is_part(t) || strcmp(t->section, "events") == 0;
}

static void alone(void **unused) {
    GOS_UNUSED(unused);
    int n = 0;
    for (const gos_type *const *t = gos__registry(); *t; t++) {
        if (is_entry(*t)) {
            each_option(*t, (*t)->example, strcmp((*t)->section, "bodies") != 0, false);
            each_pair(*t);
            n++;
        }
    }
    print_message("    %d types: %d models ran, %d were refused in words\n", n, ran, refused);
    assert_true(n > 50);
}

/* ---- a joint that conducts heat, and nothing else -------------------------------------------- */

static const char rods[] =
    "materials: {a: {density: 2700, young: 7.0e10, conductivity: 200, specific_heat: 900}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies:\n"
    "  r: {type: ancf_cable, material: a, section: s, from: [0, 0, 0], to: [0.05, 0, 0],\n"
    "      elements: 1}\n"
    "  q: {type: ancf_cable, material: a, section: s, from: [0.05, 0, 0], to: [0.1, 0, 0],\n"
    "      elements: 1}\n"
    "joints: {j: {type: clamp, between: [r.end, q.start], temperature: true}}\n"
    "probes: {T: {at: q.end, quantity: temperature}}\n"
    "initial: {r: {temperature: 100}}\n"
    "analysis: {end: 200}\n";
static const char third[] =
    "materials: {a: {density: 2700, young: 7.0e10, conductivity: 200, specific_heat: 900}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies:\n"
    "  r: {type: ancf_cable, material: a, section: s, from: [0, 0, 0], to: [0.05, 0, 0],\n"
    "      elements: 1}\n"
    "  q: {type: ancf_cable, material: a, section: s, from: [0.05, 0, 0], to: [0.1, 0, 0],\n"
    "      elements: 1}\n"
    "  p: {type: ancf_cable, material: a, section: s, from: [0.1, 0, 0], to: [0.1, 0.05, 0],\n"
    "      elements: 2}\n"
    "joints:\n"
    "  j: {type: clamp, between: [r.end, q.start], temperature: true}\n"
    "  k: {type: spherical, between: [q.end, p.start], temperature: true}\n"
    "probes: {T: {at: p.end, quantity: temperature}}\n"
    "initial: {r: {temperature: 100}}\n"
    "analysis: {end: 600, tolerance: 1.0e-5}\n";

static int keep_row(void *user, double time, const double *value, const double *rate) {
    GOS_UNUSED(time);
    GOS_UNUSED(rate);
    *(double *)user = value[0];
    return 0;
}

/* The rods take their mean temperature, whatever their axes and units. */
static void check_mean(const char *text, double want, bool turn) {
    verify v = {.ctx = gos_ctx_create()};
    double T = -1;
    const gos_sink sink = {.row = keep_row};
    assert_non_null(v.ctx);
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
    if (turn) { // mm, tonne, s
        turn_model(&v, (const double[3]){0.7, -1.1, 0.4}, 1000, 1e-3);
    }
    verify_compile(&v);
    verify_good(&v, gos_run_into(v.ctx, v.sys, &v.opt, NULL, &sink, &T, NULL));
    verify_near(turn ? "temperature, turned, mm-t-s [K]" : "temperature [K]", T, want, 5e-3);
    verify_close(&v);
}

static void warm_rods(void **unused) {
    GOS_UNUSED(unused);
    for (int turn = 0; turn < 2; turn++) {
        check_mean(rods, 50, turn);
        check_mean(third, 100.0 / 3, turn);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(alone, tell_last),
                                       cmocka_unit_test(warm_rods)};
    return cmocka_run_group_tests(tests, example_files, matrix_folder_remove);
}
SUITE_INTERNAL(suite)
