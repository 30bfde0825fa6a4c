/* A host program may have set a locale with decimal commas: everything that the library writes is
   the same as in the C locale, byte by byte, and everything is read as before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gossamer/gossamer.h"
#include "support/suite.h"

static const char model_text[] =
    "name: half\n"
    "parameters: {E: 2.5e6, half: 0.5, push: \"half * 1.5\"}\n"
    "materials:\n"
    "  rubber: {density: 1100.5, young: E, conductivity: 1.5, specific_heat: 200.25,\n"
    "           expansion: 1.0e-4, damping: {normal: 4.5e-3}}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.025}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [1.5, 0, 0],\n"
    "        elements: 4}\n"
    "joints: {pin: {type: clamp, between: [ground, rod.start]}}\n"
    "loads: {push: {type: force, on: rod.end, value: [0, \"push * sin(20.5*t)\", 0]}}\n"
    "heat: {warm: {type: heat_flow, value: 2.5, on: rod.end}}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "  warm_end: {at: rod.end, quantity: temperature}\n"
    "analysis: {type: dynamic, end: 0.25, tolerance: 1.0e-5}\n"
    "output: {every: 0.05}\n";

static char folder[64];

/* ---- the locale ------------------------------------------------------------------------------ */

static bool has_commas(void) {
    char text[16];
    (void)snprintf(text, sizeof text, "%.1f", 0.5);
    return strcmp(text, "0,5") == 0;
}

/* A locale with commas; where none is installed, one is made in the folder. */
static bool take_commas(void) {
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8"};
    for (int i = 0; i < 3; i++) {
        if (setlocale(LC_ALL, names[i]) && has_commas()) {
            return true;
        }
    }
    char command[256];
    (void)snprintf(command, sizeof command,
                   "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
    return system(command) >= 0 && setenv("LOCPATH", folder, 1) == 0 &&
           setlocale(LC_ALL, "de_DE.UTF-8") && has_commas();
}

static int setup(void **state) {
    (void)state;
    (void)strcpy(folder, "/tmp/gos_locale_XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    char command[100];
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* ---- everything that is written -------------------------------------------------------------- */

typedef struct writing {
    gos_ctx *ctx;
    const char *where; // a folder in the folder
    char path[200];
    char progress[4096]; // all texts of it
} writing;

static const char *in(writing *w, const char *name) {
    (void)snprintf(w->path, sizeof w->path, "%s/%s/%s", folder, w->where, name);
    return w->path;
}

static void need(const writing *w, gos_status status) {
    if (status != GOS_OK) {
        fail_msg("%s", gos_ctx_message(w->ctx));
    }
}

static void put_text(writing *w, const char *name, const char *text) {
    FILE *f = fopen(in(w, name), "w");
    assert_true(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static int hear(void *user, double fraction, double seconds, const char *text) {
    writing *w = user;
    (void)fraction;
    (void)seconds;
    if (strlen(w->progress) + strlen(text) + 1 < sizeof w->progress) {
        (void)strcat(w->progress, text);
    }
    return 0;
}

static void write_page(writing *w, const char *name, gos_results *run, const char *results,
                       const char *response) {
    FILE *out = fopen(in(w, name), "w");
    const gos_report_run one = {.path = results, .wall = 1.5};
    const gos_report_content content = {.run = &one, .nruns = 1};
    assert_non_null(out);
    need(w, response  ? gos_response_report(w->ctx, &response, 1, out)
            : results ? gos_report(w->ctx, &content, out)
            : run     ? gos_picture(w->ctx, run, NULL, out)
                      : gos_help(w->ctx, NULL, out));
    assert_int_equal(fclose(out), 0);
}

/* what is written of the results in one file, the same both times */
static void write_results(writing *w, const char *results) {
    gos_results *run = NULL;
    gos_results_info info;
    need(w, gos_results_open(w->ctx, results, &run));
    need(w, gos_results_write_vtu(w->ctx, run, 0.125, in(w, "run.vtu")));
    write_page(w, "run.svg", run, NULL, NULL);
    write_page(w, "run.html", NULL, results, NULL);
    write_page(w, "help.txt", NULL, NULL, NULL);
    gos_results_info_get(run, &info);
    put_text(w, "options.txt", info.options);
    put_text(w, "text.txt", info.text);
    gos_results_close(run);
}

static void write_linear(writing *w, const gos_system *sys, const gos_state *state) {
    gos_linear *linear = NULL;
    gos_linear_info n;
    need(w, gos_linearise(w->ctx, sys, state, &linear));
    gos_linear_info_get(linear, &n);
    double *H = calloc((size_t)(2 * 2 * n.inputs * n.outputs), sizeof *H);
    const double omega[2] = {1.5, 2.5};
    assert_non_null(H);
    need(w, gos_system_write_vtu(w->ctx, sys, state, linear, 2, in(w, "modes.vtu")));
    need(w, gos_linear_write_folder(w->ctx, linear, in(w, "mtx")));
    need(w, gos_linear_write_state_space(w->ctx, linear, in(w, "ss")));
    need(w, gos_linear_response(w->ctx, linear, 2, omega, H));
    need(w, gos_response_save(w->ctx, linear, 2, omega, H, in(w, "response.h5")));
    // its path stands in the page, and shall be the same both times
    (void)snprintf(w->path, sizeof w->path, "%s/%s", folder, w->where);
    assert_int_equal(chdir(w->path), 0);
    write_page(w, "response.html", NULL, NULL, "response.h5");
    gos_linear_destroy(linear);
    // and read again
    need(w, gos_linear_read(w->ctx, in(w, "mtx"), &linear));
    need(w, gos_linear_write_folder(w->ctx, linear, in(w, "again")));
    gos_linear_destroy(linear);
    free(H);
}

static void write_messages(writing *w) {
    gos_model *model = NULL;
    static const char wrong[] = "materials: {rubber: {density: -1.5, young: 1.5e9}}\n";
    gos_ctx_clear(w->ctx);
    need(w, gos_model_parse(w->ctx, wrong, strlen(wrong), "wrong.yaml", NULL, &model));
    gos_system *sys = NULL;
    assert_true(gos_system_create(w->ctx, model, &sys) < 0);
    put_text(w, "message.txt", gos_ctx_message(w->ctx));
    gos_model_destroy(model);
    gos_ctx_clear(w->ctx);
}

/* Everything into folder/where; the first time the results for all are made. */
static void write_all(const char *where, const char *results) {
    writing w = {.ctx = gos_ctx_create(), .where = where};
    gos_model *model = NULL;
    gos_system *sys = NULL;
    gos_state *state = NULL;
    gos_options options;
    (void)snprintf(w.path, sizeof w.path, "%s/%s", folder, where);
    assert_int_equal(mkdir(w.path, 0700), 0);
    gos_ctx_set_progress(w.ctx, hear, &w);
    need(&w, gos_model_parse(w.ctx, model_text, strlen(model_text), "half.yaml", NULL, &model));
    need(&w, gos_model_set(w.ctx, model, "half", "0.75"));
    need(&w, gos_model_set_number(w.ctx, model, "E", 2.75e6));
    need(&w, gos_system_create(w.ctx, model, &sys));
    need(&w, gos_state_create(w.ctx, sys, &state));
    gos_options_get(sys, &options);
    need(&w, gos_run(w.ctx, sys, &options, in(&w, "run.h5"), NULL));
    char own[200], other[200];
    (void)strcpy(own, w.path);
    (void)snprintf(other, sizeof other, "%s/%s", folder, results);
    gos_results *run = NULL;
    gos_results_info info;
    need(&w, gos_results_open(w.ctx, own, &run));
    gos_results_info_get(run, &info);
    put_text(&w, "own.txt", info.options);
    gos_results_close(run);
    write_results(&w, other);
    write_linear(&w, sys, state);
    write_messages(&w);
    put_text(&w, "progress.txt", w.progress);
    gos_state_destroy(state);
    gos_system_destroy(sys);
    gos_model_destroy(model);
    gos_ctx_destroy(w.ctx);
}

static void test_same(void **state) {
    (void)state;
    write_all("points", "points/run.h5");
    if (!take_commas()) {
        print_message(
            "no locale with decimal commas is installed, and localedef cannot make one\n");
        skip();
    }
    write_all("commas", "points/run.h5");
    assert_true(has_commas()); // it is still the host program's
    (void)setlocale(LC_ALL, "C");
    char command[512];
    (void)snprintf(
        command, sizeof command,
        "cd %s && diff -r -x '*.h5' points commas >&2 && test $(ls points | wc -l) -ge 12", folder);
    assert_int_equal(system(command), 0);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
SUITE(suite)
