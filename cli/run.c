/* gossamer run: simulates a model and writes a results file. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

#define EVENTS_SHOWN 20

typedef struct run_job {
    gos_ctx *ctx;
    const char *model_path, *output;
    char *chosen;           // default output name
    const char *controller; // file of a design; NULL: as the model defines
    const char *rom;        // stored reduced model, if rom_given
    const char *resume;     // results of an interrupted run, NULL: a new one
    bool full, reduced, quiet, until_given, rom_given, accept, uncompared, runs_given;
    bool as_json;
    double until, runs; // runs: that the reduced model will serve
    text_list settings;
    run_plan plan;   // of --reduced
    double prepared; // processor time of compilation with its bases of floating bodies [s]
    bool unpaid;     // they would cost more than they save: the full model runs instead
} run_job;

static int check_resume(run_job *job) {
    if (job->model_path[0] != '\0' || job->output != NULL || job->full || job->reduced ||
        job->until_given || job->settings.n > 0) {
        return complain(
            "run: --resume continues a run unchanged; only --quiet, --threads and the original "
            "--rom, --controller, --for, --accept and --no-compare may be given with it");
    }
    job->output = job->resume;
    return EXIT_DONE;
}

static int check_use(run_job *job) {
    if (job->resume != NULL) {
        return check_resume(job);
    }
    if (job->rom_given && job->full) {
        return complain("run: --full and --rom cannot be combined");
    }
    job->reduced |= job->rom_given;
    if (job->full && job->reduced) {
        return complain("run: --full and --reduced cannot be combined");
    }
    if ((job->uncompared || job->runs_given) && (!job->reduced || job->rom_given)) {
        return complain("run: --no-compare and --for apply to --reduced only");
    }
    if (job->accept && !job->reduced) {
        return complain("run: --accept applies to --reduced and --rom only");
    }
    if (job->runs_given && !(job->runs >= 1)) {
        return complain("run: --for requires a number of runs of at least 1");
    }
    if (job->until_given && !(job->until > 0)) {
        return complain("run: --until needs a time > 0 s");
    }
    if (job->output == NULL) {
        job->chosen = with_ending(job->model_path, job->reduced ? ".reduced.h5" : ".full.h5");
        job->output = job->chosen;
    }
    if (job->output == NULL) {
        return EXIT_FAILED;
    }
    const int code = check_input(job->output, job->model_path);
    int rom = code == EXIT_DONE ? check_input(job->output, job->rom) : code;
    rom = rom == EXIT_DONE ? check_input(job->output, job->controller) : rom;
    return rom == EXIT_DONE ? check_file(job->ctx, job->output, GOS_OUTPUT_RESULTS) : rom;
}

static const char *state_of(gos_status status) {
    return status == GOS_OK ? "done" : status == GOS_E_INTERRUPTED ? "interrupted" : "failed";
}

static void summary(const run_job *job, gos_status status, const gos_statistics *s, double setup) {
    int warnings = 0;
    for (int i = 0; i < gos_ctx_ndiag(job->ctx); i++) {
        const gos_diag *d = gos_ctx_diag(job->ctx, i);
        warnings += d->status == GOS_OK ? d->count : 0;
    }
    char solve[32], prepare[32], output[32];
    (void)printf("%s: %ld steps (%ld rejected, %ld iterations, %ld factorisations) in %s; "
                 "preparation %s, output %s; %d warning%s; %s\n",
                 state_of(status), s->steps, s->rejected, s->iterations, s->factorisations,
                 duration(s->time_total, solve), duration(s->time_setup + setup, prepare),
                 duration(s->time_output, output), warnings, warnings == 1 ? "" : "s",
                 plain(job->output));
    print_notes(job->ctx);
}

static void show_events(run_job *job) {
    gos_results *run;
    gos_results_info info;
    if (gos_results_open(job->ctx, job->output, &run) == GOS_OK) {
        gos_results_info_get(run, &info);
        print_events(run, info.nevents < EVENTS_SHOWN ? info.nevents : EVENTS_SHOWN);
        if (info.nevents > EVENTS_SHOWN) {
            (void)printf("  and %ld more: gossamer info %s\n", info.nevents - EVENTS_SHOWN,
                         plain(job->output));
        }
        gos_results_close(run);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_events(json *j, run_job *job) {
    gos_results *run = NULL;
    gos_results_info info = {0};
    json_open(j, "events", '[');
    if (gos_results_open(job->ctx, job->output, &run) == GOS_OK) {
        gos_results_info_get(run, &info);
    }
    for (long i = 0; i < info.nevents; i++) {
        gos_event e;
        const char *name = gos_results_event(run, i, &e);
        json_open(j, NULL, '{');
        json_text(j, "name", name);
        json_number(j, "time", e.time);
        json_text(j, "direction", e.rising ? "rising" : "falling");
        json_close(j, '}');
    }
    json_close(j, ']');
    gos_results_close(run);
}

/* made: the results file was written */
static void json_run(run_job *job, const gos_system *sys, gos_status status,
                     const gos_statistics *stats, bool made) {
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_text(&j, "status", state_of(status));
    json_text(&j, "model", gos_system_name(sys));
    json_text(&j, "results", made ? job->output : NULL);
    json_reduction(&j, sys);
    json_statistics(&j, stats);
    if (made) {
        json_events(&j, job);
    } else {
        json_open(&j, "events", '[');
        json_close(&j, ']');
    }
    json_messages(&j, job->ctx);
    json_close(&j, '}');
}

/* With --json messages are part of it. */
static void show(const run_job *job, int before) {
    if (!job->as_json) {
        show_messages(job->ctx, before);
    }
}

/* ---- running --------------------------------------------------------------------------------- */

static bool can_go_on(const run_job *job) {
    static const char ending[] = ".checkpoint";
    char *path = malloc(strlen(job->output) + sizeof ending);
    bool there = false;
    if (path != NULL) {
        (void)strcat(strcpy(path, job->output), ending);
        there = access(path, F_OK) == 0;
    }
    free(path);
    return there;
}

static int solve(run_job *job, const gos_system *sys) {
    gos_options options;
    gos_options_get(sys, &options);
    if (job->until_given) {
        gos_options_until(&options, job->until);
    }
    gos_statistics stats = {0};
    struct stat old = {0}, new = {0};
    const bool there = stat(job->output, &old) == 0;
    const int before = gos_ctx_ndiag(job->ctx);
    watch_progress(job->ctx, job->quiet);
    const gos_status status = job->resume != NULL
                                  ? gos_resume(job->ctx, sys, job->resume, &stats)
                                  : gos_run(job->ctx, sys, &options, job->output, &stats);
    end_progress();
    show(job, before);
    const int code = exit_code(status, false);
    const bool made = stat(job->output, &new) == 0 &&
                      (!there || old.st_dev != new.st_dev || old.st_ino != new.st_ino);
    if ((code == EXIT_STOPPED || code == EXIT_FAILED) && !made) {
        (void)complain("%s before any results were stored; %s%s",
                       code == EXIT_STOPPED ? "interrupted" : "failed", job->output,
                       there ? " is unchanged" : " was not written");
    } else if (code == EXIT_STOPPED && can_go_on(job)) {
        char runs[32] = "";
        if (job->runs_given) {
            (void)snprintf(runs, sizeof runs, " --for %g", job->runs);
        }
        (void)complain("interrupted; the results so far are in %s; to continue: gossamer run "
                       "--resume %s%s%s%s%s%s",
                       job->output, job->output, job->rom_given ? " --rom " : "",
                       job->rom_given ? job->rom : "", runs, job->accept ? " --accept" : "",
                       job->uncompared ? " --no-compare" : "");
    } else if (code == EXIT_STOPPED) {
        (void)complain("interrupted; the results so far are in %s", job->output);
    } else if (code == EXIT_FAILED) {
        (void)complain("failed; the results so far are in %s", job->output);
    }
    if (job->as_json) {
        json_run(job, sys, status, &stats, made || (job->resume != NULL && code == EXIT_DONE));
    } else if (!job->quiet && code != EXIT_USE) {
        summary(job, status, &stats, 0);
        if (gos_system_nevents(sys) > 0 && (made || job->resume != NULL)) {
            show_events(job);
        }
    }
    return code;
}

/* For one run, a reduction that needs a full run costs more than it saves. */
static int solve_full_instead(run_job *job, const gos_system *sys) {
    const int code = solve(job, sys);
    if (!job->quiet && code == EXIT_DONE) {
        (void)fputs("gossamer: --reduced was not applied: these are the results of the full model. "
                    "Selecting a reduced model needs one full run, so it saves nothing for a "
                    "single run. Give the number of runs (--for N), or store the reduced model "
                    "(gossamer reduce)\n",
                    stderr);
    }
    return code;
}

/* ... and so do bases of floating bodies whose preparation was stopped. */
static int solve_unreduced(run_job *job, const gos_system *sys) {
    char time[32];
    const int code = solve(job, sys);
    if (!job->quiet && code == EXIT_DONE) {
        (void)fprintf(
            stderr,
            "gossamer: --reduced was not applied: these are the results of the full "
            "model. A full run takes about %s; preparing the bases of the floating bodies "
            "takes longer. Set `order` in their `reduce` entries, give the number of runs "
            "(--for N), or use --accept to prepare them anyway\n",
            duration(job->plan.full, time));
    }
    return code;
}

/* Only floating bodies, which are reduced. */
static int solve_floating(run_job *job, const gos_system *sys) {
    const double start = cpu_seconds();
    const int code = solve(job, sys);
    if (code != EXIT_DONE || job->accept || job->resume != NULL ||
        run_pays(&job->plan, job->prepared, cpu_seconds() - start)) {
        return code;
    }
    (void)accept_error(GOS_NOT_CHEAPER, false);
    return EXIT_FAILED;
}

/* A stored model has been made already: only its error counts. */
static bool accept_run(const run_job *job, const gos_system *reduced, double runs) {
    gos_reduction r;
    gos_reduction_get(reduced, &r);
    return job->rom_given ? accept_error(gos_reduction_accept_error(&r), job->accept)
                          : accept_reduction(reduced, job->runs_given ? runs : 0, job->accept);
}

static int reduce_and_solve(run_job *job, const gos_system *sys) {
    gos_system *reduced = NULL;
    gos_sizes sizes;
    gos_system_sizes(sys, &sizes);
    if (sizes.reduced && sizes.points == 0) {
        return solve_floating(job, sys);
    }
    const double runs = job->runs_given ? job->runs : job->accept ? 0 : 1;
    if (!job->rom_given && job->resume == NULL && runs == 1 &&
        gos_reduce_runs_full(job->ctx, sys)) {
        return solve_full_instead(job, sys);
    }
    const int before = gos_ctx_ndiag(job->ctx);
    watch_progress(job->ctx, job->quiet);
    const gos_status status = job->rom_given
                                  ? gos_rom_load(job->ctx, sys, job->rom, &reduced)
                                  : gos_reduce_for(job->ctx, sys, runs, !job->uncompared, &reduced);
    end_progress();
    if (status != GOS_OK) {
        show_messages(job->ctx, before);
        return exit_code(status, job->rom_given);
    }
    show(job, before);
    if (!job->quiet && !job->as_json) {
        show_reduction(reduced);
    }
    int code = solve(job, reduced);
    if (code == EXIT_DONE && !accept_run(job, reduced, runs)) {
        code = EXIT_FAILED;
    }
    gos_system_destroy(reduced);
    return code;
}

static gos_status prepare_controllers(const run_job *job, gos_model *model) {
    const gos_status status = job->controller != NULL
                                  ? gos_model_use_controller(job->ctx, model, job->controller)
                                  : GOS_OK;
    return status == GOS_OK ? gos_model_read_controllers(job->ctx, model) : status;
}

static int load_resumed(run_job *job, gos_model **model, gos_system **sys) {
    gos_status status = use_options(job->ctx);
    status =
        status == GOS_OK ? gos_resume_model(job->ctx, job->resume, model, &job->reduced) : status;
    status = status == GOS_OK ? prepare_controllers(job, *model) : status;
    status = status == GOS_OK ? gos_system_create(job->ctx, *model, sys) : status;
    end_progress();
    return exit_code(status, true);
}

static int load_new(run_job *job, bool reduce, gos_model **model, gos_system **sys) {
    int n;
    const int code = load_system(job->ctx, job->model_path, &job->settings, model, NULL);
    gos_status status = GOS_OK;
    if (code == EXIT_DONE && reduce) {
        status = gos_model_reduce_bodies(job->ctx, *model, &n);
    }
    if (code == EXIT_DONE && status == GOS_OK) {
        status = prepare_controllers(job, *model);
        status = status == GOS_OK ? gos_system_create(job->ctx, *model, sys) : status;
    }
    end_progress();
    return code == EXIT_DONE ? exit_code(status, true) : code;
}

/* Load the system with reduced floating bodies within a processor time. *late: not reached. */
static int load_within(run_job *job, double limit, gos_model **model, gos_system **sys,
                       bool *late) {
    limit_progress(limit < HUGE_VAL ? limit : 0);
    const int code = load_new(job, true, model, sys);
    *late = code != EXIT_DONE && limit < HUGE_VAL && progress_limited();
    limit_progress(0);
    if (*late) {
        gos_model_destroy(*model);
        *model = NULL;
        gos_ctx_clear(job->ctx);
    }
    return code;
}

/* Load the system of a new run with --reduced. If its floating bodies take long, the full run is
 * measured, which limits them or runs instead. */
static int load_reduced(run_job *job, gos_model **model, gos_system **sys) {
    const double start = cpu_seconds();
    bool late = false;
    job->plan = (run_plan){.path = job->model_path,
                           .settings = &job->settings,
                           .until = job->until_given ? job->until : 0,
                           .runs = job->runs_given ? job->runs : 1};
    int code = load_within(job, job->accept ? HUGE_VAL : start + first_limit(), model, sys, &late);
    if (late && preparation_pays(&job->plan)) {
        show_progress(job->ctx, job->quiet);
        code = load_within(job, start + job->plan.limit, model, sys, &late);
    }
    if (late) {
        job->unpaid = true;
        show_progress(job->ctx, job->quiet);
        code = load_new(job, false, model, sys);
    }
    job->prepared = cpu_seconds() - start;
    return code;
}

static int load_job(run_job *job, gos_model **model, gos_system **sys) {
    return job->resume != NULL               ? load_resumed(job, model, sys)
           : job->reduced && !job->rom_given ? load_reduced(job, model, sys)
                                             : load_new(job, false, model, sys);
}

static int run(run_job *job) {
    int code = check_use(job);
    if (code != EXIT_DONE) {
        return code;
    }
    gos_model *model = NULL;
    gos_system *sys = NULL;
    show_progress(job->ctx, job->quiet);
    code = load_job(job, &model, &sys);
    if (code == EXIT_DONE) {
        show(job, 0);
    } else {
        show_messages(job->ctx, 0);
    }
    if (code == EXIT_DONE) {
        code = job->unpaid    ? solve_unreduced(job, sys)
               : job->reduced ? reduce_and_solve(job, sys)
                              : solve(job, sys);
    }
    gos_system_destroy(sys);
    gos_model_destroy(model);
    return code;
}

int command_run(int argc, char **argv) {
    run_job job = {0};
    const option options[] = {{"-o", OPTION_TEXT, &job.output, NULL},
                              {"--full", OPTION_FLAG, &job.full, NULL},
                              {"--reduced", OPTION_FLAG, &job.reduced, NULL},
                              {"--set", OPTION_LIST, &job.settings, NULL},
                              {"--until", OPTION_NUMBER, &job.until, &job.until_given},
                              {"--quiet", OPTION_FLAG, &job.quiet, NULL},
                              {"--json", OPTION_FLAG, &job.as_json, NULL},
                              {"--accept", OPTION_FLAG, &job.accept, NULL},
                              {"--no-compare", OPTION_FLAG, &job.uncompared, NULL},
                              {"--for", OPTION_NUMBER, &job.runs, &job.runs_given},
                              {"--threads", OPTION_COUNT, &threads_wanted, NULL},
                              {"--resume", OPTION_TEXT, &job.resume, NULL},
                              {"--controller", OPTION_TEXT, &job.controller, NULL},
                              {"--rom", OPTION_TEXT, &job.rom, &job.rom_given},
                              {0}};
    text_list rest = {0};
    int code = parse_arguments("run", argc, argv, options, &rest, 0, 1);
    if (code < 0 && rest.n == 0 && job.resume == NULL) {
        code = complain("run: a model is missing; see gossamer run --help");
    }
    if (code < 0) {
        (void)signal(SIGPIPE, SIG_IGN); // continue if the reader of the messages exits
        job.ctx = gos_ctx_create();
        job.model_path = rest.n > 0 ? rest.v[0] : "";
        code = job.ctx != NULL ? run(&job) : EXIT_FAILED;
    }
    gos_ctx_destroy(job.ctx);
    free(job.chosen);
    free_list(&job.settings);
    free_list(&rest);
    return code;
}
