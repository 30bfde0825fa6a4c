/* gossamer reduce: makes and stores a reduced model, either of a system (for runs) or a linear one
   (for modes and responses). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static void show_points(const gos_reduction *r) {
    if (r->all_points > r->points) {
        (void)fprintf(stderr, ", %d of %d points", r->points, r->all_points);
    } else {
        (void)fprintf(stderr, ", %d points", r->points);
    }
}

void show_reduction(const gos_system *reduced) {
    gos_reduction r;
    gos_sizes s;
    char time[32];
    gos_reduction_get(reduced, &r);
    gos_system_sizes(reduced, &s);
    if (r.number == 0) {
        return;
    }
    (void)fprintf(stderr, "gossamer: reduced to %d coordinates (%d fields", s.coordinates,
                  r.number);
    if (r.expansions > 0) {
        (void)fprintf(stderr, " and %d of local expansion", r.expansions);
    }
    (void)fputc(')', stderr);
    if (r.thermal_fields > 0) {
        (void)fprintf(stderr, ", %d temperatures (%d functions)", s.temperatures, r.thermal_fields);
    }
    show_points(&r);
    if (r.tolerance > 0 && !(r.predicted <= 1)) {
        (void)fputs("\ngossamer: predicted error unknown (above the extent)", stderr);
    } else if (r.tolerance > 0) {
        (void)fprintf(stderr,
                      "\ngossamer: predicted error %.2g of the extent, tolerance %.2g; from fields "
                      "%.2g, temperature functions %.2g, points and others %.2g",
                      r.predicted, r.tolerance, r.error_fields, r.error_thermal, r.error_points);
        if (r.error_steps > 0) {
            (void)fprintf(stderr, ", steps %.2g", r.error_steps);
        }
    }
    if (r.time > 0) {
        (void)fprintf(stderr, "\ngossamer: chosen by %d runs in %s", r.runs,
                      duration(r.time, time));
        if (r.work > 0) {
            (void)fprintf(stderr, ", at the cost of %.2g full-model runs", r.work);
        }
        if (r.time_run > 0 && r.time_full > r.time_run) {
            (void)fprintf(stderr, "; worthwhile for %.0f or more runs",
                          ceil(r.time / (r.time_full - r.time_run)));
        }
    }
    (void)fputc('\n', stderr);
}

typedef struct reduce_job {
    gos_ctx *ctx;
    const char *path, *output;
    char *chosen; // default output name
    bool quiet, as_json;
    text_list settings;
    linear_point where;
    const char *method, *band;
    int order;
    double tolerance, runs; // runs: to be served, 0: unknown
    bool tolerance_given, accept, each, uncompared, runs_given;
    char method_setting[128], made[3][128];
} reduce_job;

/* ---- reduced systems ------------------------------------------------------------------------- */

bool accept_error(gos_acceptance found, bool anyway) {
    if (found != GOS_ACCEPTED && !anyway) {
        (void)complain("the reduced model is not accepted: %s; use --accept to accept it anyway",
                       gos_acceptance_text(found));
    }
    return found == GOS_ACCEPTED || anyway;
}

bool accept_reduction(const gos_system *reduced, double runs, bool anyway) {
    gos_reduction r;
    gos_reduction_get(reduced, &r);
    const gos_acceptance found = gos_reduction_accept(&r, runs);
    const double won = 1 - r.work_run, even = won > 0 ? ceil(r.work / won) : 0;
    const bool faster = r.time_run < r.time_full; // else it never breaks even
    if (!anyway && found == GOS_NOT_CHEAPER && runs > 0 && even > runs && faster) {
        (void)complain("the reduced model is not accepted: for %g runs %s. It breaks even at %.0f "
                       "runs; use --accept to accept it anyway",
                       runs, gos_acceptance_text(found), even);
        return false;
    }
    return accept_error(found, anyway);
}

static void json_system(const reduce_job *job, const gos_system *reduced) {
    json j = {.out = stdout};
    gos_sizes sizes;
    gos_system_sizes(reduced, &sizes);
    json_open(&j, NULL, '{');
    json_text(&j, "kind", "reduced model");
    json_text(&j, "file", job->output);
    json_sizes(&j, &sizes, gos_system_units(reduced));
    json_reduction(&j, reduced);
    json_messages(&j, job->ctx);
    json_close(&j, '}');
}

/* Print the stored model; with --json the messages are part of it. */
static void tell_system(const reduce_job *job, int before, gos_status status,
                        const gos_system *reduced) {
    if (status != GOS_OK || !job->as_json) {
        show_messages(job->ctx, before);
    }
    if (status == GOS_OK && job->as_json) {
        json_system(job, reduced);
    } else if (status == GOS_OK && !job->quiet) {
        show_reduction(reduced);
        print_notes(job->ctx);
        (void)printf("done: %s\n", plain(job->output));
    }
}

static int reduce_system(const reduce_job *job, const gos_system *sys) {
    gos_system *reduced = NULL;
    const int before = gos_ctx_ndiag(job->ctx);
    if (job->where.equilibrium || job->where.at_given || job->where.spin_given) {
        return complain(
            "reduce: --equilibrium, --spin and --at require a method for linear models; choose "
            "one with --method");
    }
    watch_progress(job->ctx, job->quiet);
    gos_status status = gos_reduce_for(job->ctx, sys, job->runs, !job->uncompared, &reduced);
    end_progress();
    if (status == GOS_OK) {
        status = gos_rom_save(job->ctx, reduced, job->output);
    }
    tell_system(job, before, status, reduced);
    const bool good = status != GOS_OK || accept_reduction(reduced, job->runs, job->accept);
    gos_system_destroy(reduced);
    return good ? exit_code(status, false) : EXIT_FAILED;
}

/* ---- reduced linear models ------------------------------------------------------------------- */

static void show_unknowns(const char *before, int coordinates, int temperatures, int potentials) {
    const struct {
        int n;
        const char *name;
    } list[] = {{coordinates, "coordinates"},
                {temperatures, "temperatures or states"},
                {potentials, "potentials"}};
    for (int i = 0; i < 3; i++) {
        if (list[i].n > 0) {
            (void)fprintf(stderr, "%s%d %s", before, list[i].n, list[i].name);
            before = ", ";
        }
    }
}

static void show_linear(const gos_linear *linear, const gos_linear_reduction *reduction,
                        const gos_linear_reduction_options *o) {
    gos_linear_info n;
    gos_linear_reduction_report r;
    char time[32];
    gos_linear_info_get(linear, &n);
    gos_linear_reduction_get(reduction, &r);
    show_unknowns("gossamer: reduced from ", n.coordinates, n.temperatures, n.potentials);
    show_unknowns(" to ", r.coordinates, r.temperatures, r.potentials);
    (void)fprintf(stderr, " (%s) in %s\n", o->method,
                  duration(r.time_basis + r.time_project + r.time_check, time));
    if (r.condensed > 0) {
        (void)fprintf(stderr,
                      "gossamer: %d potentials were condensed before the reduction; the outputs "
                      "include their "
                      "contribution\n",
                      r.condensed);
    }
    if (r.corrections > 0) {
        (void)fprintf(stderr,
                      "gossamer: %d of them are truncated modes, which follow the load and the "
                      "reduced motion\n",
                      r.corrections);
    }
    if (r.stability == 0) {
        (void)fputs(
            "gossamer: stability is unknown: neither an energy nor the eigenvalues prove it\n",
            stderr);
    }
    const double low = o->band[0] / (2 * M_PI), high = o->band[1] / (2 * M_PI);
    if (r.predicted > 1) {
        (void)fputs("gossamer: its error is unknown: its estimate is above the largest response\n",
                    stderr);
    } else if (r.predicted > 0) {
        (void)fprintf(stderr,
                      "gossamer: predicted error %.2g of the largest response%s, %g to %g Hz\n",
                      r.predicted, r.each ? " of each channel" : "", low, high);
        if (r.band_bound > 0) {
            (void)fprintf(stderr, "gossamer: bound from residuals: %.2g\n", r.band_bound);
        }
    } else if (r.bound <= 0 && o->band[1] <= 0) {
        (void)fputs("gossamer: its error is unknown; specify --band FROM:TO\n", stderr);
    }
    if (r.bound > 0) {
        (void)fprintf(stderr, "gossamer: no response differs by more than %.3g%s\n", r.bound,
                      r.each ? " of its channel's largest" : "");
    }
}

/* An error is known from a band, or from a bound for all inputs. */
static bool accept_linear(const gos_linear_reduction *reduction,
                          const gos_linear_reduction_options *o, bool anyway) {
    gos_linear_reduction_report r;
    gos_linear_reduction_get(reduction, &r);
    if (r.predicted > 0 || r.bound > 0 || o->band[1] > 0 || anyway) {
        return true;
    }
    (void)complain("the reduced model is not accepted: its error is unknown; specify --band "
                   "FROM:TO, or use --accept to accept it anyway");
    return false;
}

static void json_linear(const reduce_job *job, const gos_linear_reduction *reduction,
                        const gos_linear_reduction_options *o) {
    json j = {.out = stdout};
    gos_linear_reduction_report r;
    gos_linear_reduction_get(reduction, &r);
    json_open(&j, NULL, '{');
    json_text(&j, "kind", "linear");
    json_text(&j, "file", job->output);
    json_text(&j, "method", o->method);
    const double band[] = {o->band[0] / (2 * M_PI), o->band[1] / (2 * M_PI)};
    json_numbers(&j, "band", band, 2, 1);
    json_open(&j, "reduction", '{');
#define X(type, name, doc) json_number(&j, #name, (double)r.name);
    GOS_LINEAR_REDUCTION_FIELDS(X)
#undef X
    json_close(&j, '}');
    json_messages(&j, job->ctx);
    json_close(&j, '}');
}

/* Without a band and an order, use the band of the lowest modes. If it cannot be found, the method
 * reports the missing option. */
static void choose_band(const reduce_job *job, const gos_linear *linear,
                        gos_linear_reduction_options *o) {
    double band[2];
    if (o->band[1] > 0 || o->order > 0 ||
        find_band(job->ctx, "reduce", linear, band) != EXIT_DONE) {
        return;
    }
    o->band[0] = 2 * M_PI * band[0];
    o->band[1] = 2 * M_PI * band[1];
}

static int reduce_linear(const reduce_job *job, const gos_linear *linear,
                         gos_linear_reduction_options *o) {
    gos_linear_reduction *reduction = NULL;
    const int before = gos_ctx_ndiag(job->ctx);
    watch_progress(job->ctx, job->quiet);
    choose_band(job, linear, o);
    o->accept = job->accept;
    o->each = job->each;
    gos_status status = gos_linear_reduce(job->ctx, linear, o, &reduction);
    end_progress();
    if (status == GOS_OK) {
        status = gos_linear_reduction_save(job->ctx, reduction, o->method, job->output);
    }
    if (status != GOS_OK || !job->as_json) {
        show_messages(job->ctx, before);
    }
    if (status == GOS_OK && job->as_json) {
        json_linear(job, reduction, o);
    } else if (status == GOS_OK && !job->quiet) {
        show_linear(linear, reduction, o);
        (void)printf("done: %s\n", plain(job->output));
    }
    const bool good = status != GOS_OK || accept_linear(reduction, o, job->accept);
    gos_linear_reduction_destroy(reduction);
    return good ? exit_code(status, false) : EXIT_FAILED;
}

/* Messages of a loaded model are part of the output with --json. */
static void show_loading(const reduce_job *job, int code, int before) {
    if (code != EXIT_DONE || !job->as_json) {
        show_messages(job->ctx, before);
    }
}

/* Reduce a linear model from a file. The model contains only the entry `reduction:`, made from
 * settings. */
static int reduce_stored(const reduce_job *job) {
    const text_list none = {0};
    gos_model *model = NULL;
    gos_linear *linear = NULL;
    gos_linear_reduction_options options;
    bool only;
    gos_status status = gos_model_create(job->ctx, &model);
    int code = exit_code(status, true);
    for (int i = 0; i < job->settings.n && code == EXIT_DONE; i++) {
        code =
            strncmp(job->settings.v[i], "reduction.", 10) == 0
                ? apply_setting(job->ctx, model, job->settings.v[i])
                : complain("%s is a linear model: only reduction.NAME=VALUE can be set", job->path);
    }
    if (code == EXIT_DONE) {
        status = gos_linear_reduction_settings(job->ctx, model, &options, &only);
        code = exit_code(status, true);
    }
    if (code == EXIT_DONE) {
        code = load_linear(job->ctx, job->path, &none, &job->where, &linear);
    }
    show_loading(job, code, 0);
    if (code == EXIT_DONE) {
        code = reduce_linear(job, linear, &options);
    }
    gos_linear_destroy(linear);
    gos_model_destroy(model);
    return code;
}

static int linearise(const reduce_job *job, const gos_system *sys,
                     gos_linear_reduction_options *options) {
    gos_state *state = NULL;
    gos_linear *linear = NULL;
    const int before = gos_ctx_ndiag(job->ctx);
    int code = make_state(job->ctx, sys, &job->where, &state);
    if (code == EXIT_DONE) {
        code = make_linear(job->ctx, sys, &job->where, state, &linear);
    }
    show_loading(job, code, before);
    if (code == EXIT_DONE) {
        code = reduce_linear(job, linear, options);
    }
    gos_linear_destroy(linear);
    gos_state_destroy(state);
    return code;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int reduce_model(const reduce_job *job) {
    gos_model *model = NULL;
    gos_system *sys = NULL;
    gos_linear_reduction_options options;
    bool only = false;
    show_progress(job->ctx, job->quiet);
    int code = load_system(job->ctx, job->path, &job->settings, &model, &sys);
    if (code == EXIT_DONE) {
        code = exit_code(gos_linear_reduction_settings(job->ctx, model, &options, &only), true);
    }
    show_loading(job, code, 0);
    if (code == EXIT_DONE) {
        code = only || gos_system_linear(sys) ? linearise(job, sys, &options)
                                              : reduce_system(job, sys);
    }
    gos_system_destroy(sys);
    gos_model_destroy(model);
    return code;
}

/* Convert --method to a setting. If the entry of the model is for a different method, its
   parameters are replaced by the defaults of the given one. */
static void choose_method(reduce_job *job, char *setting, size_t size) {
    gos_ctx *ctx = gos_ctx_create();
    gos_model *model = NULL;
    (void)snprintf(setting, size, "reduction.method=%.64s", job->method);
    // an unreadable file is reported when it is loaded
    if (ctx != NULL && !is_linear(job->path) && gos_model_read(ctx, job->path, &model) == GOS_OK &&
        gos_model_get(model, "reduction") != NULL) {
        const char *own = gos_model_get(model, "reduction.method");
        own = own != NULL && own[0] != '\0' ? own : "auto";
        if (strcmp(own, job->method) != 0) {
            (void)snprintf(setting, size, "reduction={method: %.64s}", job->method);
            if (!job->quiet) {
                (void)fprintf(stderr,
                              "gossamer: the entry 'reduction' of the model is for %s; --method %s "
                              "uses its own defaults\n",
                              plain(own), job->method);
            }
        }
    }
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
}

/* Convert --method, --order, --tolerance and --band to settings of the entry `reduction:`. */
static int settings_of_options(reduce_job *job) {
    double band[2];
    int n = 0;
    if (job->method != NULL) { // --set is applied after it
        text_list given = job->settings;
        job->settings = (text_list){0};
        choose_method(job, job->method_setting, sizeof job->method_setting);
        add_text(&job->settings, job->method_setting);
        for (int i = 0; i < given.n; i++) {
            add_text(&job->settings, given.v[i]);
        }
        free_list(&given);
    }
    if (job->order > 0) {
        (void)snprintf(job->made[n++], sizeof job->made[0], "reduction.order=%d", job->order);
    }
    if (job->tolerance_given) {
        (void)snprintf(job->made[n++], sizeof job->made[0], "reduction.tolerance=%.17g",
                       job->tolerance);
    }
    if (job->band != NULL) {
        if (parse_band("reduce", job->band, band) != EXIT_DONE) {
            return EXIT_USE;
        }
        (void)snprintf(job->made[n++], sizeof job->made[0], "reduction.band=[%.17g, %.17g]",
                       band[0], band[1]);
    }
    for (int i = 0; i < n; i++) {
        add_text(&job->settings, job->made[i]);
    }
    return EXIT_DONE;
}

static int reduce(reduce_job *job) {
    if (job->output == NULL) {
        job->chosen = name_output(job->path, ".rom.h5");
        job->output = job->chosen;
    }
    if (job->output == NULL) {
        return EXIT_FAILED;
    }
    int code = check_input(job->output, job->path);
    if (code == EXIT_DONE) {
        code = check_file(job->ctx, job->output, GOS_OUTPUT_REDUCED);
    }
    if (code == EXIT_DONE) {
        code = settings_of_options(job);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    return (is_linear(job->path) ? reduce_stored : reduce_model)(job);
}

int command_reduce(int argc, char **argv) {
    reduce_job job = {0};
    const option options[] = {{"-o", OPTION_TEXT, &job.output, NULL},
                              {"--method", OPTION_TEXT, &job.method, NULL},
                              {"--order", OPTION_COUNT, &job.order, NULL},
                              {"--tolerance", OPTION_NUMBER, &job.tolerance, &job.tolerance_given},
                              {"--accept", OPTION_FLAG, &job.accept, NULL},
                              {"--no-compare", OPTION_FLAG, &job.uncompared, NULL},
                              {"--for", OPTION_NUMBER, &job.runs, &job.runs_given},
                              {"--each", OPTION_FLAG, &job.each, NULL},
                              {"--band", OPTION_TEXT, &job.band, NULL},
                              {"--equilibrium", OPTION_FLAG, &job.where.equilibrium, NULL},
                              {"--spin", OPTION_TEXT, &job.where.spin, &job.where.spin_given},
                              {"--at", OPTION_NUMBER, &job.where.at, &job.where.at_given},
                              {"--set", OPTION_LIST, &job.settings, NULL},
                              {"--quiet", OPTION_FLAG, &job.quiet, NULL},
                              {"--json", OPTION_FLAG, &job.as_json, NULL},
                              {"--threads", OPTION_COUNT, &threads_wanted, NULL},
                              {"--solver", OPTION_TEXT, &solver_wanted, NULL},
                              {"--ranks", OPTION_COUNT, &ranks_wanted, NULL},
                              {0}};
    text_list rest = {0};
    int code = parse_arguments("reduce", argc, argv, options, &rest, 1, 1);
    if (code < 0) {
        code = check_linear_point("reduce", &job.where);
    }
    if (code < 0 && job.runs_given && !(job.runs >= 1)) {
        code = complain("reduce: --for requires a number of runs of at least 1");
    }
    if (code < 0) {
        job.ctx = gos_ctx_create();
        job.path = rest.v[0];
        code = job.ctx != NULL ? reduce(&job) : EXIT_FAILED;
    }
    gos_ctx_destroy(job.ctx);
    free(job.chosen);
    free_list(&job.settings);
    free_list(&rest);
    return code;
}
