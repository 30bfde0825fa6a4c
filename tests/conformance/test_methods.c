/* Every reduction method of the registry: its example reduces a beam, in each way that it works,
   and each parameter of any other method is refused by its name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "support/suite.h"
#include "support/verify.h"
#include "system/reduction.h"

static bool is_method(const gos_type *t) {
    return strcmp(t->section, "reduction") == 0;
}

static void each(void (*check)(const gos_type *)) {
    int n = 0;
    for (const gos_type *const *t = gos__registry(); *t; t++) {
        if (is_method(*t)) {
            check(*t);
            n++;
        }
    }
    print_message("    %d methods\n", n);
    assert_true(n > 10);
}

/* a cantilever with a load and a probe; methods of linear models see it linearised */
static const char beam[] =
    "materials: {m: {density: 1000, young: 1.0e9, damping: {normal: 1.0e-4}%s}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.03}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "  elements: 16}}\n"
    "joints: {clamp: {type: clamp, between: [ground, rod.start]}}\n"
    "loads: {push: {type: force, on: rod.node(1), value: [0, 1, 0]}}\n"
    "probes: {mid: {at: rod.node(2), quantity: position}}\n"
    "analysis: {end: 0.01, tolerance: 1.0e-3}\n";

static void beam_model(verify *v, const char *reduction) {
    char text[4000];
    const bool warm = strstr(reduction, "response_modes") != NULL; // has nothing to do without
    char model[2000];
    (void)snprintf(model, sizeof model, beam,
                   warm ? ", conductivity: 40, specific_heat: 400, expansion: 1.0e-5" : "");
    (void)snprintf(text, sizeof text, "%s%s\n", model, reduction);
    *v = (verify){.ctx = gos_ctx_create()};
    verify_good(v, gos_model_parse(v->ctx, text, strlen(text), "test", NULL, &v->model));
}

/* what the method makes of its example is smaller than the model, in each way that it works */
static void check_method(const gos_type *t) {
    verify v;
    const gos_reduction_ops *ops = t->ops;
    beam_model(&v, t->example);
    verify_compile(&v);
    assert_ptr_equal(v.sys->reduction.type, t);
    assert_true(ops->linear || ops->nonlinear);
    if (ops->nonlinear) {
        gos_system *made;
        verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &made));
        assert_true(made->nq < v.sys->nq || made->stepper); // complex_modes reduces its steps
        gos_system_destroy(made);
    }
    if (ops->linear) {
        gos_linear *linear;
        gos_linear_reduction *made;
        gos_linear_reduction_options o;
        bool only;
        verify_good(&v, gos_linear_reduction_settings(v.ctx, v.model, &o, &only));
        assert_int_equal(only, !ops->nonlinear);
        assert_string_equal(o.method, t->name);
        verify_good(&v, gos_linearise_structure(v.ctx, v.sys, v.state, &linear));
        o.band[0] = o.band[1] > 0 ? o.band[0] : 2 * M_PI;
        o.band[1] = o.band[1] > 0 ? o.band[1] : 200 * M_PI;
        o.order = o.order > 0 || strcmp(t->name, "static_vectors") == 0 ? o.order : 6;
        o.accept = true;
        verify_good(&v, gos_linear_reduce(v.ctx, linear, &o, &made));
        gos_linear_info all, few;
        gos_linear_info_get(linear, &all);
        gos_linear_info_get(gos_linear_reduction_model(made), &few);
        assert_true(few.coordinates + few.temperatures < all.coordinates);
        gos_linear_reduction_destroy(made);
        gos_linear_destroy(linear);
    }
    verify_close(&v);
}

static void methods(void **unused) {
    GOS_UNUSED(unused);
    each(check_method);
}

static bool has(const gos_type *t, const char *key) {
    for (const gos_param *p = t->params; p->name; p++) {
        if (strcmp(p->name, key) == 0) {
            return true;
        }
    }
    return false;
}

static void refused_key(const gos_type *t, const gos_param *p, const char *word) {
    static const char *const value[] = {
        [GOS_K_NUMBER] = "0.5",    [GOS_K_INT] = "3",       [GOS_K_BOOL] = "true",
        [GOS_K_VECTOR] = "[1, 2]", [GOS_K_NUMBERS] = "[1]", [GOS_K_NAMES] = "[rod]",
        [GOS_K_MAP] = "{}"};
    char entry[200], choice[50], said[200];
    verify v;
    (void)snprintf(choice, sizeof choice, "%.*s", p->choices ? (int)strcspn(p->choices, "|") : 0,
                   p->choices ? p->choices : "");
    (void)snprintf(entry, sizeof entry, "reduction: {method: %s, %s: %s}", t->name, p->name,
                   p->kind == GOS_K_CHOICE ? choice : value[p->kind]);
    beam_model(&v, entry);
    const gos_status s = gos_system_create(v.ctx, v.model, &v.sys);
    (void)snprintf(said, sizeof said, word, p->name);
    if (s != GOS_E_INPUT || gos_ctx_ndiag(v.ctx) != 1 || !strstr(gos_ctx_message(v.ctx), said) ||
        !strstr(gos_ctx_message(v.ctx), t->name)) {
        print_error("%s: status %d, '%s'\n", entry, (int)s, gos_ctx_message(v.ctx));
        fail();
    }
    verify_close(&v);
}

/* each parameter of any other method is refused by name, and those that a method has for linear
 * models only */
static void check_keys(const gos_type *t) {
    for (const gos_type *const *other = gos__registry(); *other; other++) {
        for (const gos_param *p = (*other)->params; p->name && is_method(*other); p++) {
            if (!has(t, p->name)) {
                refused_key(t, p, "'%s' is a parameter of ");
            }
        }
    }
    for (const gos_param *p = t->params; p->name; p++) {
        if (p->flags & GOS_P_LINEAR) {
            refused_key(t, p, "supports '%s' for linear models only");
        }
    }
}

static void keys(void **unused) {
    GOS_UNUSED(unused);
    each(check_keys);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(methods), cmocka_unit_test(keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
