/* gossamer reduce: a reduced model into a file, and what to say about one. */
#include <stdio.h>
#include <stdlib.h>

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
    (void)fprintf(stderr, "gossamer: reduced to %d coordinates (%d fields)", s.coordinates,
                  r.number);
    if (r.thermal_fields > 0) {
        (void)fprintf(stderr, ", %d temperatures (%d functions)", s.temperatures, r.thermal_fields);
    }
    show_points(&r);
    if (r.tolerance > 0) {
        (void)fprintf(stderr,
                      "\ngossamer: predicted error %.2g of the extent, tolerance %.2g; from fields "
                      "%.2g, temperature functions %.2g, points %.2g, steps %.2g",
                      r.predicted, r.tolerance, r.error_fields, r.error_thermal, r.error_points,
                      r.error_steps);
    } else {
        (void)fputs("; its error is not known, compare with a full run", stderr);
    }
    if (r.time > 0) {
        (void)fprintf(stderr, "\ngossamer: chosen by %d reduced runs in %s", r.runs,
                      duration(r.time, time));
    }
    (void)fputc('\n', stderr);
}

typedef struct reduce_job {
    gos_ctx *ctx;
    const char *model_path, *output;
    char *chosen; // name made from the model's
    bool quiet;
    text_list settings;
} reduce_job;

static int make(reduce_job *job, const gos_system *sys) {
    gos_system *reduced = NULL;
    const int before = gos_ctx_ndiag(job->ctx);
    watch_progress(job->ctx, job->quiet);
    gos_status status = gos_reduce_auto(job->ctx, sys, &reduced);
    end_progress();
    if (status == GOS_OK) {
        status = gos_rom_save(job->ctx, reduced, job->output);
    }
    show_messages(job->ctx, before);
    if (status == GOS_OK && !job->quiet) {
        show_reduction(reduced);
        (void)printf("done: %s\n", job->output);
    }
    gos_system_destroy(reduced);
    return exit_code(status, false);
}

static int reduce(reduce_job *job) {
    if (job->output == NULL) {
        job->chosen = with_ending(job->model_path, ".rom.h5");
        job->output = job->chosen;
    }
    if (job->output == NULL) {
        return EXIT_FAILED;
    }
    int code = check_output(job->output, HDF5_MAGIC, 8, "a reduced model");
    if (code != EXIT_DONE) {
        return code;
    }
    gos_model *model = NULL;
    gos_system *sys = NULL;
    code = load_system(job->ctx, job->model_path, &job->settings, &model, &sys);
    show_messages(job->ctx, 0);
    if (code == EXIT_DONE) {
        code = make(job, sys);
    }
    gos_system_destroy(sys);
    gos_model_destroy(model);
    return code;
}

int command_reduce(int argc, char **argv) {
    reduce_job job = {0};
    const option options[] = {{"-o", OPTION_TEXT, &job.output, NULL},
                              {"--set", OPTION_LIST, &job.settings, NULL},
                              {"--quiet", OPTION_FLAG, &job.quiet, NULL},
                              {0}};
    text_list rest = {0};
    int code = parse_arguments("reduce", argc, argv, options, &rest, 1, 1);
    if (code < 0) {
        job.ctx = gos_ctx_create();
        job.model_path = rest.v[0];
        code = job.ctx != NULL ? reduce(&job) : EXIT_FAILED;
    }
    gos_ctx_destroy(job.ctx);
    free(job.chosen);
    free_list(&job.settings);
    free_list(&rest);
    return code;
}
