/* gossamer sweep: runs a grid of parameter values in parallel; writes tables and a report. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep.h"

int sweep_no_memory(void) {
    (void)complain("out of memory");
    return EXIT_FAILED;
}

/* Create the sweep. Check first that the model can be read and the names can be set: otherwise
   every run would fail for the same reason. */
static int make_sweep(sweep_job *job) {
    gos_model *model = NULL;
    int code = load_system(job->ctx, job->model, &job->settings, &model, NULL);
    if (code == EXIT_DONE) {
        code = exit_code(gos_sweep_create(job->ctx, model, &job->sweep), true);
    }
    for (int i = 0; i < job->vary.n && code == EXIT_DONE; i++) {
        code = exit_code(gos_sweep_vary(job->ctx, job->sweep, job->vary.v[i]), true);
    }
    if (job->sampling.n > 0 && code == EXIT_DONE) {
        code = exit_code(gos_sweep_sample(job->ctx, job->sweep, &job->sampling), true);
    }
    gos_model_destroy(model);
    return code;
}

/* Create the folder if necessary; check that only own files would be replaced. */
static int prepare_folder(sweep_job *job) {
    if (job->folder == NULL) {
        job->chosen = with_ending(job->model, ".sweep");
        job->folder = job->chosen;
    }
    if (job->folder == NULL) {
        return sweep_no_memory();
    }
    int code = exit_code(gos_sweep_prepare(job->ctx, job->sweep, job->folder), true);
    if (code != EXIT_DONE) {
        return code;
    }
    static const char *const table[][2] = {
        {"table.csv", "run,"}, {"times.csv", "run,"}, {"quantiles.csv", "runs,"}};
    for (int i = 0; i < 3 && code == EXIT_DONE; i++) {
        char *path = sweep_inside(job, table[i][0]);
        code = path != NULL ? check_output(path, table[i][1], NULL, "a table of runs")
                            : sweep_no_memory();
        free(path);
    }
    char *page = sweep_inside(job, "report.html");
    if (code == EXIT_DONE) {
        code = page != NULL ? check_report(page) : sweep_no_memory();
    }
    free(page);
    return code;
}

/* The error of every reduced model must be known and within its tolerance. */
static bool accept_runs(const sweep_job *job) {
    int runs = 0, first = 0;
    gos_acceptance reason = GOS_ACCEPTED;
    for (int i = 0; i < gos_sweep_nruns(job->sweep); i++) {
        gos_sweep_result r;
        gos_sweep_result_get(job->sweep, i, &r);
        if (r.failure == NULL && r.acceptance != GOS_ACCEPTED) {
            reason = runs == 0 ? r.acceptance : reason;
            first = runs == 0 ? i + 1 : first;
            runs++;
        }
    }
    if (runs > 0) {
        (void)complain("the reduced models of %d runs are not accepted (run %d: %s); use --accept "
                       "to accept them anyway",
                       runs, first, gos_acceptance_text(reason));
    }
    return runs == 0;
}

static int conclude(const sweep_job *job, gos_status status) {
    const int n = gos_sweep_nruns(job->sweep);
    int failed = 0;
    for (int i = 0; i < n; i++) {
        gos_sweep_result r;
        gos_sweep_result_get(job->sweep, i, &r);
        failed += r.failure != NULL;
    }
    if (!job->quiet || failed > 0) {
        (void)fprintf(stderr, "gossamer: %d of %d runs complete; %s/table.csv, %s/report.html\n",
                      n - failed, n, plain(job->folder), plain(job->folder));
    }
    if (status == GOS_E_INTERRUPTED) {
        (void)complain("interrupted; the finished runs are in %s", job->folder);
        return EXIT_STOPPED;
    }
    const bool accepted = job->accept || accept_runs(job);
    return failed > 0 || !accepted ? EXIT_FAILED : EXIT_DONE;
}

/* Report warnings of runs that have no results file of their own. */
static void tell_warnings(const sweep_job *job) {
    int runs = 0, first = 0;
    gos_sweep_result r, worst = {0};
    for (int i = 0; i < gos_sweep_nruns(job->sweep); i++) {
        gos_sweep_result_get(job->sweep, i, &r);
        if (r.warning != NULL) {
            worst = runs == 0 ? r : worst;
            first = runs == 0 ? i + 1 : first;
            runs++;
        }
    }
    if (runs > 0) {
        (void)complain("warning: %d runs have warnings (run %d: %s); all are in %s", runs, first,
                       plain(worst.warning), worst.path);
    }
}

/* Warn that the quantiles do not include all samples; report the first failure. */
static void tell_missing(const sweep_job *job, int left) {
    gos_sweep_result r = {0};
    int first = 0;
    for (; first < gos_sweep_nruns(job->sweep) && r.failure == NULL; first++) {
        gos_sweep_result_get(job->sweep, first, &r);
    }
    (void)complain("warning: %d runs failed: quantiles are those of the other runs and may be "
                   "biased (run %d: %s)",
                   left, first, r.failure != NULL ? plain(r.failure) : "other probes");
}

static int find_spreads(sweep_job *job) {
    const int n = gos_sweep_ndistributions(job->sweep);
    int left = 0;
    job->spread = calloc((size_t)n + 1, sizeof *job->spread);
    int code = job->spread != NULL ? EXIT_DONE : sweep_no_memory();
    for (int i = 0; i < n && code == EXIT_DONE; i++) {
        code = exit_code(gos_sweep_distribution(job->ctx, job->sweep, i, &job->spread[i]), false);
        left += job->spread[i].nall - job->spread[i].nruns;
    }
    job->nspreads = code == EXIT_DONE ? n : 0;
    if (left > 0 && code == EXIT_DONE) {
        tell_missing(job, left);
    }
    return code;
}

/* Print the numbers of the parts, for distribution over machines. */
static int list_parts(sweep_job *job) {
    const int *part;
    int n = 0;
    const int code =
        exit_code(gos_sweep_parts(job->ctx, job->sweep, &job->options, &part, &n), true);
    for (int i = 0; i < n && code == EXIT_DONE; i++) {
        (void)printf("%d\n", part[i] + 1);
    }
    return code;
}

static int run_part(sweep_job *job) {
    watch_progress(job->ctx, job->quiet);
    const gos_status status =
        gos_sweep_run_part(job->ctx, job->sweep, &job->options, job->part - 1);
    end_progress();
    if (status == GOS_OK) {
        gos_ctx_clear(job->ctx); // messages of the last run are stored with it
    }
    return exit_code(status, false);
}

static int run(sweep_job *job) {
    if (job->list || job->part > 0) {
        return job->list ? list_parts(job) : run_part(job);
    }
    watch_progress(job->ctx, job->quiet);
    const gos_status status = gos_sweep_run(job->ctx, job->sweep, &job->options);
    end_progress();
    if (status != GOS_OK && status != GOS_E_INTERRUPTED) {
        return exit_code(status, false);
    }
    gos_ctx_clear(job->ctx);
    int code = find_spreads(job);
    code = code == EXIT_DONE ? sweep_write_tables(job) : code;
    code = code == EXIT_DONE ? sweep_write_spread(job) : code;
    code = code == EXIT_DONE ? sweep_write_report(job) : code;
    if (job->as_json) {
        sweep_print_json(job);
    }
    tell_warnings(job);
    const int concluded = conclude(job, status);
    return code != EXIT_DONE && concluded == EXIT_DONE ? code : concluded;
}

static int sweep(sweep_job *job) {
    if (job->vary.n == 0) {
        return complain("sweep: --vary NAME=FROM:TO:NUMBER is missing");
    }
    if (job->seed_given &&
        !(job->seed >= 0 && job->seed <= 9007199254740992.0 && job->seed == floor(job->seed))) {
        return complain("sweep: --seed needs a whole number of at least 0");
    }
    if (job->sampling.n == 0 && (job->seed_given || job->sampling.independent)) {
        return complain("sweep: %s requires --samples N",
                        job->seed_given ? "--seed" : "--independent");
    }
    job->sampling.seed = job->seed_given ? (uint64_t)job->seed : 1;
    if (job->until_given && !(job->options.until > 0)) {
        return complain("sweep: --until needs a time > 0 s");
    }
    if (job->options.resume && !job->options.one_file) {
        return complain("sweep: --resume requires --one-file");
    }
    if ((job->list || job->part > 0) && job->as_json) {
        return complain("sweep: --json prints the runs; it does not apply to --parts and --part");
    }
    if ((job->list || job->part > 0) && !job->options.one_file) {
        return complain("sweep: --parts and --part require --one-file");
    }
    if (job->options.rom != NULL && gos_linear_exists(job->options.rom)) {
        return complain("%s: this is a linear model, valid near one state; a sweep needs a "
                        "nonlinear reduced model; create one with gossamer reduce --method "
                        "rotation_closed or auto",
                        plain(job->options.rom));
    }
    if (job->options.rom != NULL && !gos_rom_exists(job->options.rom)) {
        return complain("%s: not a reduced model; make one with gossamer reduce",
                        plain(job->options.rom));
    }
    if (job->options.rom != NULL && job->options.reduced) {
        return complain("sweep: --rom uses a stored reduced model, --reduced makes one for "
                        "each run; give only one of them");
    }
    if (job->accept && !job->options.reduced && job->options.rom == NULL) {
        return complain("sweep: --accept applies to --reduced and --rom only");
    }
    int code = make_sweep(job);
    code = code == EXIT_DONE ? prepare_folder(job) : code;
    show_messages(job->ctx, 0);
    gos_ctx_clear(job->ctx);
    code = code == EXIT_DONE ? run(job) : code;
    show_messages(job->ctx, 0);
    return code;
}

int command_sweep(int argc, char **argv) {
    sweep_job job = {0};
    bool jobs_given = false;
    const option options[] = {{"--vary", OPTION_LIST, &job.vary, NULL},
                              {"-o", OPTION_TEXT, &job.folder, NULL},
                              {"--reduced", OPTION_FLAG, &job.options.reduced, NULL},
                              {"--set", OPTION_LIST, &job.settings, NULL},
                              {"--until", OPTION_NUMBER, &job.options.until, &job.until_given},
                              {"--jobs", OPTION_COUNT, &job.options.jobs, &jobs_given},
                              {"--samples", OPTION_COUNT, &job.sampling.n, NULL},
                              {"--seed", OPTION_NUMBER, &job.seed, &job.seed_given},
                              {"--independent", OPTION_FLAG, &job.sampling.independent, NULL},
                              {"--rom", OPTION_TEXT, &job.options.rom, NULL},
                              {"--one-file", OPTION_FLAG, &job.options.one_file, NULL},
                              {"--resume", OPTION_FLAG, &job.options.resume, NULL},
                              {"--parts", OPTION_FLAG, &job.list, NULL},
                              {"--part", OPTION_COUNT, &job.part, NULL},
                              {"--accept", OPTION_FLAG, &job.accept, NULL},
                              {"--quiet", OPTION_FLAG, &job.quiet, NULL},
                              {"--json", OPTION_FLAG, &job.as_json, NULL},
                              {0}};
    text_list rest = {0};
    int code = parse_arguments("sweep", argc, argv, options, &rest, 1, 1);
    if (code < 0) {
        const long cores = sysconf(_SC_NPROCESSORS_ONLN);
        job.options.jobs = jobs_given ? job.options.jobs : cores > 0 ? (int)cores : 1;
        job.model = rest.v[0];
        job.ctx = gos_ctx_create();
        code = job.ctx != NULL ? sweep(&job) : EXIT_FAILED;
    }
    gos_sweep_destroy(job.sweep);
    gos_ctx_destroy(job.ctx);
    free(job.chosen);
    free(job.spread);
    free_list(&job.vary);
    free_list(&job.settings);
    free_list(&rest);
    return code;
}
