/* gossamer design: designs a controller and evaluates it on plants with more modes and with
 * parameter errors. */
#include <math.h>
#include <stdlib.h>

#include "cli.h"

enum { SHOWN = 24 }; // most important inputs

/* ---- as text --------------------------------------------------------------------------------- */

static void print_poles(const char *title, int n, const gos_root *root) {
    (void)printf("%s\n     real [1/s]  imaginary [1/s]  frequency [Hz]  damping ratio\n", title);
    for (int i = 0; i < n; i++) {
        const double size = hypot(root[i].re, root[i].im);
        (void)printf("%15.7g  %15.7g  %14.6g  %13.5g%s\n", root[i].re, root[i].im,
                     root[i].im / (2 * M_PI), size > 0 ? -root[i].re / size : 0,
                     root[i].re < 0 ? "" : "  unstable");
    }
}

static int by_importance(const void *a, const void *b) {
    const gos_design_input *p = *(const gos_design_input *const *)a,
                           *q = *(const gos_design_input *const *)b;
    if (p->importance != q->importance) {
        return p->importance > q->importance ? -1 : 1;
    }
    return p < q ? -1 : p > q;
}

static void print_inputs(int n, const gos_design_input *input) {
    const gos_design_input **sorted = malloc((n + 1L) * sizeof *sorted);
    if (sorted == NULL) {
        return;
    }
    for (int i = 0; i < n; i++) {
        sorted[i] = &input[i];
    }
    qsort(sorted, n, sizeof *sorted, by_importance);
    (void)puts("inputs, sorted by the norm of their row of the gain matrix");
    for (int i = 0; i < n && i < SHOWN; i++) {
        (void)printf("  %-24s %12.6g%s\n", plain(sorted[i]->name), sorted[i]->importance,
                     sorted[i]->chosen ? "  actuated" : "");
    }
    if (n > SHOWN) {
        (void)printf("  and %d more\n", n - SHOWN);
    }
    free(sorted);
}

/* damping of each mode of the plant; the first `known` modes are in the design model */
static void print_modes(int n, const gos_design_mode *mode, int known) {
    (void)puts(
        "modes of the plant: damping ratio without control; with control, of the pole with the "
        "largest participation of the mode");
    (void)puts("  mode  frequency [Hz]     without        with  share");
    for (int i = 0; i < n; i++) {
        const gos_root p = mode[i].pole;
        const double size = hypot(p.re, p.im);
        (void)printf("%6d  %14.6g  %10.4g  %10.4g  %5.2f%s%s\n", i + 1, mode[i].omega / (2 * M_PI),
                     mode[i].damping, size > 0 ? -p.re / size : 0, mode[i].share,
                     i < known ? "" : "  not in the design model",
                     p.re < 0 ? "" : ", destabilised");
    }
}

static void print_errors(int n, const gos_design_error *error) {
    (void)puts("errors of the plant     largest real part [1/s]: design plant   more modes");
    for (int i = 0; i < n; i++) {
        (void)printf("  %-14s %+7.3g %%  %26.5g  %12.5g%s\n", gos_design_error_name(error[i].kind),
                     100 * error[i].error, error[i].abscissa, error[i].plant_abscissa,
                     error[i].abscissa < 0 && error[i].plant_abscissa < 0 ? "" : "  unstable");
    }
}

static void print_report(const gos_design_report *r, const gos_control_law *law) {
    (void)printf("modes        %d, of which %d rigid; %d states\n", r->modes, r->rigid, r->states);
    if (law != NULL) {
        (void)printf("controller   %d states, %d signals, %d inputs, %s\n", law->n, law->ny,
                     law->nu, law->period > 0 ? "sampled" : "continuous");
    } else {
        (void)puts("controller   state gain only, states not measured: cannot be run");
    }
    if (r->period > 0) {
        (void)printf("period       %.6g s\n", r->period);
    }
    (void)printf("k_Q          %.8g\n", r->k_Q);
    if (r->choose_k_Q > 0) {
        (void)printf("selected     %d of %d inputs; with all inputs k_Q is %.8g\n", r->inputs,
                     r->candidates, r->choose_k_Q);
    }
    (void)printf("residuals    %.1e of the regulator, %.1e of the observer\n", r->residual,
                 r->observer_residual);
    (void)printf("norm         H-infinity %.6g at %.6g Hz", r->norm, r->norm_omega / (2 * M_PI));
    (void)printf(r->norm_open > 0 ? ", without control %.6g\n" : ", without control unstable\n",
                 r->norm_open);
    (void)printf(
        "margins      disk %.4g: factors %.4g to %.4g, phase %.4g degrees; sensitivity %.4g\n",
        r->disk, 1 / r->gain_margin, r->gain_margin, r->phase_margin * 180 / M_PI, r->sensitivity);
}

static void print_design(const gos_design *design) {
    gos_design_report r;
    int n;
    gos_design_get(design, &r);
    print_report(&r, gos_design_law(design));
    const gos_design_input *input = gos_design_inputs(design, &n);
    print_inputs(n, input);
    const gos_root *root = gos_design_poles(design, false, &n);
    print_poles("closed loop, design plant", n, root);
    char title[120];
    (void)snprintf(title, sizeof title, "closed loop, plant of %d modes (%d states)", r.plant_modes,
                   r.plant_states);
    root = gos_design_poles(design, true, &n);
    print_poles(title, n, root);
    const gos_design_mode *mode = gos_design_modes(design, &n);
    if (n > 0) {
        print_modes(n, mode, r.modes - r.rigid);
    }
    const gos_design_error *error = gos_design_errors(design, &n);
    print_errors(n, error);
    (void)printf(
        "largest real part %.6g 1/s on the design model, %.6g on the plant with more modes: %s\n",
        r.abscissa, r.plant_abscissa,
        r.plant_abscissa < 0 && r.abscissa < 0 ? "stable" : "NOT STABLE");
}

/* ---- as JSON --------------------------------------------------------------------------------- */

static void json_poles(json *j, const char *key, int n, const gos_root *root) {
    json_open(j, key, '[');
    for (int i = 0; i < n; i++) {
        json_open(j, NULL, '{');
        json_number(j, "re", root[i].re);
        json_number(j, "im", root[i].im);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void json_names(json *j, const char *key, int n, const char *const *name) {
    json_open(j, key, '[');
    for (int i = 0; i < n; i++) {
        json_text(j, NULL, name[i]);
    }
    json_close(j, ']');
}

static void json_design(const gos_ctx *ctx, const gos_design *design) {
    gos_design_report r;
    json j = {.out = stdout};
    int n;
    const gos_control_law *law = gos_design_law(design);
    gos_design_get(design, &r);
    json_open(&j, NULL, '{');
    json_text(&j, "kind", "controller");
#define X(type, name, doc) json_number(&j, #name, (double)r.name);
    GOS_DESIGN_FIELDS(X)
#undef X
    json_bool(&j, "stable", r.abscissa < 0 && r.plant_abscissa < 0);
    if (law != NULL) {
        json_number(&j, "controller_states", law->n);
        json_names(&j, "signals", law->ny, law->signal);
        json_names(&j, "input_names", law->nu, law->input);
    }
    const gos_design_input *input = gos_design_inputs(design, &n);
    json_open(&j, "candidates_by_name", '[');
    for (int i = 0; i < n; i++) {
        json_open(&j, NULL, '{');
        json_text(&j, "name", input[i].name);
        json_number(&j, "importance", input[i].importance);
        json_bool(&j, "chosen", input[i].chosen);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    const gos_root *root = gos_design_poles(design, false, &n);
    json_poles(&j, "poles", n, root);
    root = gos_design_poles(design, true, &n);
    json_poles(&j, "plant_poles", n, root);
    const gos_design_mode *mode = gos_design_modes(design, &n);
    json_open(&j, "plant_modes_by_frequency", '[');
    for (int i = 0; i < n; i++) {
        json_open(&j, NULL, '{');
        json_number(&j, "omega", mode[i].omega);
        json_number(&j, "damping", mode[i].damping);
        json_number(&j, "real", mode[i].pole.re);
        json_number(&j, "imaginary", mode[i].pole.im);
        json_number(&j, "share", mode[i].share);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    const gos_design_error *error = gos_design_errors(design, &n);
    json_open(&j, "errors", '[');
    for (int i = 0; i < n; i++) {
        json_open(&j, NULL, '{');
        json_text(&j, "of", gos_design_error_name(error[i].kind));
        json_number(&j, "error", error[i].error);
        json_number(&j, "abscissa", error[i].abscissa);
        json_number(&j, "plant_abscissa", error[i].plant_abscissa);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_messages(&j, ctx);
    json_close(&j, '}');
}

void show_design(gos_ctx *ctx, const gos_design *design, bool as_json) {
    if (as_json) {
        json_design(ctx, design);
    } else {
        print_design(design);
    }
}

/* ---- the command ----------------------------------------------------------------------------- */

typedef struct design_job {
    gos_ctx *ctx;
    const char *path, *name, *output;
    text_list settings;
    bool as_json;
} design_job;

static int design(design_job *job) {
    gos_model *model = NULL;
    gos_design *made = NULL;
    int code = load_system(job->ctx, job->path, &job->settings, &model, NULL);
    if (code == EXIT_DONE && job->output != NULL) {
        code = check_input(job->output, job->path);
        code = code == EXIT_DONE ? check_file(job->ctx, job->output, GOS_OUTPUT_CONTROLLER) : code;
    }
    if (code == EXIT_DONE) {
        watch_progress(job->ctx, false);
        const gos_status status = gos_design_show(job->ctx, model, job->name, &made);
        end_progress();
        code = exit_code(status, status == GOS_E_INPUT || status == GOS_E_USE);
    }
    if (code == EXIT_DONE && job->output != NULL) {
        code = exit_code(gos_controller_save(job->ctx, made, job->output), false);
    }
    if (!job->as_json || code != EXIT_DONE) {
        show_messages(job->ctx, 0);
    }
    if (code == EXIT_DONE) {
        show_design(job->ctx, made, job->as_json);
    }
    gos_design_destroy(made);
    gos_model_destroy(model);
    return code;
}

int command_design(int argc, char **argv) {
    design_job job = {0};
    const option options[] = {{"-o", OPTION_TEXT, &job.output, NULL},
                              {"--set", OPTION_LIST, &job.settings, NULL},
                              {"--json", OPTION_FLAG, &job.as_json, NULL},
                              {"--threads", OPTION_COUNT, &threads_wanted, NULL},
                              {0}};
    text_list rest = {0};
    int code = parse_arguments("design", argc, argv, options, &rest, 1, 2);
    if (code < 0) {
        job.ctx = gos_ctx_create();
        job.path = rest.v[0];
        job.name = rest.n > 1 ? rest.v[1] : NULL;
        code = job.ctx != NULL ? design(&job) : EXIT_FAILED;
    }
    gos_ctx_destroy(job.ctx);
    free_list(&job.settings);
    free_list(&rest);
    return code;
}
