/* gossamer view: writes an HTML file that shows the motion of a run, or the modes of a model,
 * full-screen in a browser. */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli.h"

extern char **environ;

enum { USUAL = 10 }; // default number of modes, as in gossamer modes

/* a run, optionally compared with a second one, or the modes of a model at an operating point */
typedef struct view_job {
    gos_ctx *ctx;
    const char *file, *against;
    text_list settings;
    linear_point where;
    int n; // number of modes; 0: default
} view_job;

/* Write the page of a run (linear == NULL) or of modes. */
static int write_view(const view_job *job, const point *at, const gos_linear *linear,
                      const char *path) {
    gos_output *output = NULL;
    if (gos_output_begin(job->ctx, path, &output) != GOS_OK) {
        return EXIT_FAILED;
    }
    FILE *out = gos_output_stream(output);
    const gos_status status =
        linear == NULL ? gos_view_page(job->ctx, job->file, job->against, out)
                       : gos_view_modes(job->ctx, at->sys, at->state, linear, job->n, out);
    const int code = exit_code(status, ferror(out) == 0);
    const gos_status written = gos_output_end(output, code == EXIT_DONE);
    return code == EXIT_DONE ? exit_code(written, false) : code;
}

static int view_run(const view_job *job, const char *path) {
    if (job->settings.n > 0 || job->where.equilibrium || job->where.at_given ||
        job->where.spin_given || job->n > 0) {
        return complain("%s is not a model: --set, --equilibrium, --spin, --at and -n do not apply",
                        job->file);
    }
    return write_view(job, NULL, NULL, path);
}

static int view_modes(view_job *job, const char *path) {
    gos_linear *linear = NULL;
    point p;
    if (job->against != NULL) {
        return complain("--against compares two runs, but %s is a model; remove --against to show "
                        "its modes",
                        job->file);
    }
    int code = load_point(job->ctx, job->file, &job->settings, &job->where, &p);
    if (code == EXIT_DONE && gos_system_linear(p.sys)) {
        code = complain("%s: a model of matrices has no geometry to draw", job->file);
    }
    if (code == EXIT_DONE) {
        code = make_linear(job->ctx, p.sys, &job->where, p.state, &linear);
    }
    if (code == EXIT_DONE) {
        job->n = job->n > 0 ? job->n : USUAL;
        code = write_view(job, &p, linear, path);
    }
    gos_linear_destroy(linear);
    free_point(&p);
    return code;
}

static int show(const char *path) {
    char *argv[] = {"xdg-open", (char *)path, NULL};
    pid_t child;
    int ended = 0;
    const int failed = posix_spawnp(&child, argv[0], NULL, NULL, argv, environ);
    const bool good = failed == 0 && waitpid(child, &ended, 0) == child && ended == 0;
    if (!good) {
        (void)fprintf(
            stderr,
            "gossamer view: the page was written, but xdg-open did not open it (%s); open %s "
            "in a browser\n",
            failed != 0 ? strerror(failed) : "it failed", plain(path));
    }
    return good ? EXIT_DONE : EXIT_FAILED;
}

static bool is_model(const char *path) {
    const char *end = strrchr(path, '.');
    return gos_rom_exists(path) ||
           (end != NULL && (strcmp(end, ".yaml") == 0 || strcmp(end, ".yml") == 0));
}

static int view(view_job *job, const char *path) {
    int code = check_input(path, job->file);
    if (code == EXIT_DONE && job->against != NULL) {
        code = check_input(path, job->against);
    }
    if (code == EXIT_DONE) {
        code = check_report(path);
    }
    if (code == EXIT_DONE) {
        watch_progress(job->ctx, false);
        code = is_model(job->file) ? view_modes(job, path) : view_run(job, path);
        end_progress();
        show_messages(job->ctx, 0);
    }
    if (code == EXIT_DONE) {
        (void)printf("%s\n", plain(path));
        (void)fflush(stdout);
    }
    return code;
}

int command_view(int argc, char **argv) {
    view_job job = {0};
    const char *output = NULL;
    bool open = false;
    text_list rest = {0};
    const option options[] = {{"-o", OPTION_TEXT, &output, NULL},
                              {"--against", OPTION_TEXT, &job.against, NULL},
                              {"--open", OPTION_FLAG, &open, NULL},
                              {"-n", OPTION_COUNT, &job.n, NULL},
                              {"--equilibrium", OPTION_FLAG, &job.where.equilibrium, NULL},
                              {"--spin", OPTION_TEXT, &job.where.spin, &job.where.spin_given},
                              {"--at", OPTION_NUMBER, &job.where.at, &job.where.at_given},
                              {"--set", OPTION_LIST, &job.settings, NULL},
                              {0}};
    int code = parse_arguments("view", argc, argv, options, &rest, 1, 1);
    if (code < 0) {
        code = check_linear_point("view", &job.where);
    }
    if (code < 0) {
        job.ctx = gos_ctx_create();
        job.file = rest.v[0];
        char *chosen = output == NULL ? with_ending(job.file, ".view.html") : NULL;
        const char *path = output != NULL ? output : chosen;
        code = job.ctx != NULL && path != NULL ? view(&job, path) : EXIT_FAILED;
        if (code == EXIT_DONE && open) {
            code = show(path);
        }
        free(chosen);
        gos_ctx_destroy(job.ctx);
    }
    free_list(&job.settings);
    free_list(&rest);
    return code;
}
