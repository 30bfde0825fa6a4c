/* One truth about how a run is solved: defaults in the tables that help is made of, what
   gos_options_get gives, what the header says of 0, and what a run does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/io.h"
#include "support/folder.h"
#include "support/suite.h"
#include "support/verify.h"
#include "system/settings.h"

/* a body that flies straight on: steps grow to the largest one */
#define FLIGHT "bodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}\n"

typedef struct option {
    const char *name, *doc;
    double value;
} option;

/* numbers of the options */
static int list_options(const gos_options *o, option *all) {
    int n = 0;
#define X(type, field, text) all[n++] = (option){#field, text, (double)o->field};
    GOS_OPTIONS_FIELDS(X)
#undef X
    return n;
}

static const gos_param *key_of(const gos_type *type, const char *name) {
    for (const gos_param *p = type->params; p->name; p++) {
        if (strcmp(p->name, name) == 0) {
            return p;
        }
    }
    return NULL;
}

/* "0: ..." up to the next mark, or NULL */
static const char *zero_of(const char *doc, char *text, size_t size) {
    const char *at = strstr(doc, "0: ");
    if (!at || (at != doc && at[-1] != ' ')) {
        return NULL;
    }
    snprintf(text, size, "%.*s", (int)strcspn(at, ";("), at);
    for (size_t n = strlen(text); n > 0 && text[n - 1] == ' ';) {
        text[--n] = '\0';
    }
    return text;
}

static void test_defaults(void **state) {
    (void)state;
    verify v;
    option all[64];
    gos_options o;
    int compared = 0, zeros = 0;
    verify_text(&v, FLIGHT, NULL);
    gos_options_get(v.sys, &o);
    const int n = list_options(&o, all);
    for (int i = 0; i < n; i++) {
        const gos_param *p = key_of(&gos__settings_analysis, all[i].name);
        if (!p) {
            continue;
        }
        char *end, help[200], header[200];
        const double def = p->def ? strtod(p->def, &end) : 0;
        if (p->def && *end == '\0') {
            if (!(all[i].value == def)) {
                fail_msg("%s: help says %s, a model has %g", p->name, p->def, all[i].value);
            }
            compared++;
        }
        const char *a = p->doc ? zero_of(p->doc, help, sizeof help) : NULL;
        const char *b = zero_of(all[i].doc, header, sizeof header);
        if (a && (!b || strcmp(a, b) != 0)) {
            fail_msg("%s: help says '%s', the header '%s'", p->name, a, b ? b : "nothing");
        }
        zeros += a != NULL;
    }
    print_message("    %d defaults, %d meanings of 0\n", compared, zeros);
    assert_true(compared >= 12);
    assert_true(zeros >= 6);
    // both say the error of the whole run
    assert_non_null(strstr(key_of(&gos__settings_analysis, "tolerance")->doc, "of the whole run"));
    for (int i = 0; i < n; i++) {
        if (strcmp(all[i].name, "tolerance") == 0) {
            assert_non_null(strstr(all[i].doc, "of the whole run"));
        }
    }
    verify_close(&v);
}

/* the longest step of a run of 3 s, and how many frames it stores */
static void follow(const char *more, double every, double *longest, long *frames) {
    verify v;
    char text[1000];
    gos_results *r = NULL;
    gos_results_info info;
    const char *path = folder_path("run.h5");
    snprintf(text, sizeof text, FLIGHT "%s\n", more);
    verify_text(&v, text, NULL);
    v.opt.output_every = every >= 0 ? every : v.opt.output_every;
    verify_good(&v, gos_run(v.ctx, v.sys, &v.opt, path, NULL));
    verify_good(&v, gos_results_open(v.ctx, path, &r));
    gos_results_info_get(r, &info);
    const double *time = gos_results_time(r);
    *longest = 0;
    for (long i = 1; i < info.nrows; i++) {
        *longest = fmax(*longest, time[i] - time[i - 1]);
    }
    *frames = info.nframes;
    if (!(every > 0 || every < 0)) {
        assert_int_equal(info.nframes, info.nrows);
    }
    gos_results_close(r);
    verify_close(&v);
}

static void test_zero(void **state) {
    (void)state;
    double longest;
    long frames;
    // max_step 0: a tenth of the run, whatever is stored; steps are rounded to few digits
    follow("analysis: {end: 3}", -1, &longest, &frames);
    verify_near("longest step [s]", longest, 0.3, 0.03);
    assert_int_equal(frames, 101); // every: 0: a hundredth of the run, and its start
    follow("analysis: {end: 3, max_step: 0.05}", -1, &longest, &frames);
    verify_near("longest step with max_step [s]", longest, 0.05, 0.005);
    follow("analysis: {end: 3}\noutput: {every: 0.5}", -1, &longest, &frames);
    assert_int_equal(frames, 7);
    // output_every 0 in the options: a frame each step
    follow("analysis: {end: 3}", 0, &longest, &frames);
    // a static path stores as often, and so has steps of a hundredth at most
    follow("gravity: [0, 0, 0]\njoints: {j: {type: clamp, between: [ground, b]}}\nanalysis: {type: "
           "static, end: 3}",
           -1, &longest, &frames);
    verify_near("longest step of a path [s]", longest, 0.03, 1e-9);
    assert_int_equal(frames, 101);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_defaults),
                                       cmocka_unit_test(test_zero)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE_INTERNAL(suite)
