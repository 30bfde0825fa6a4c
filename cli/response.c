/* gossamer response: frequency response as CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct response_job {
    gos_ctx *ctx;
    const char *path, *output, *band;
    text_list from, to, settings;
    linear_point where;
    int points, workers;
    double band_of[2]; // [Hz]
    gos_linear *linear;
    gos_linear_info info;
    int *in, *out; // ports to print
    int nin, nout;
    double *omega, *H;
} response_job;

/* ---- ports ------------------------------------------------------------------------------------------- */

/* "push" is every component of push */
static bool matches(const char *port, const char *wanted) {
    const size_t n = strlen(wanted);
    return strncmp(port, wanted, n) == 0 && (port[n] == '\0' || port[n] == '.');
}

typedef gos_port (*port_fn)(const gos_linear *linear, int i);

static int no_port(const response_job *job, const char *wanted, port_fn port, int count,
                   const char *kind) {
    const char **names = calloc((size_t)count + 1, sizeof *names);
    for (int i = 0; names != NULL && i < count; i++) {
        names[i] = port(job->linear, i).name;
    }
    const char *hint = names != NULL ? suggest(wanted, names, count) : NULL;
    const int code = hint != NULL
                         ? complain("there is no %s '%s'; did you mean '%s'?", kind, wanted, hint)
                         : complain("there is no %s '%s'", kind, wanted);
    for (int i = 0; names != NULL && hint == NULL && i < count; i++) {
        (void)fprintf(stderr, "%s%s%s", i == 0 ? "there are: " : ", ", names[i],
                      i == count - 1 ? "\n" : "");
    }
    free(names);
    return code;
}

/* The ports of a list of names, or all. */
static int choose(const response_job *job, const text_list *names, port_fn port, int count,
                  const char *kind, int **chosen, int *n) {
    *chosen = calloc((size_t)count + 1, sizeof **chosen);
    if (*chosen == NULL) {
        return EXIT_FAILED;
    }
    for (int k = 0; k < names->n; k++) {
        bool found = false;
        for (int i = 0; i < count; i++) {
            found = found || matches(port(job->linear, i).name, names->v[k]);
        }
        if (!found) {
            return no_port(job, names->v[k], port, count, kind);
        }
    }
    for (int i = 0; i < count; i++) {
        bool wanted = names->n == 0;
        for (int k = 0; k < names->n; k++) {
            wanted = wanted || matches(port(job->linear, i).name, names->v[k]);
        }
        if (wanted) {
            (*chosen)[(*n)++] = i;
        }
    }
    return *n > 0 ? EXIT_DONE
                  : complain("the model has no %ss; a frequency response needs loads or heat, and "
                             "probes",
                             kind);
}

/* ---- output -------------------------------------------------------------------------------------------- */

static void print_response(const response_job *job) {
    (void)fputs("frequency", stdout);
    for (int i = 0; i < job->nout; i++) {
        for (int j = 0; j < job->nin; j++) {
            const char *to = gos_linear_output(job->linear, job->out[i]).name;
            const char *from = gos_linear_input(job->linear, job->in[j]).name;
            (void)printf(",%s/%s.magnitude,%s/%s.phase", to, from, to, from);
        }
    }
    (void)fputc('\n', stdout);
    for (int k = 0; k < job->points; k++) {
        (void)printf("%.17g", job->omega[k] / (2 * M_PI));
        for (int i = 0; i < job->nout; i++) {
            for (int j = 0; j < job->nin; j++) {
                const size_t row = (size_t)k * (size_t)job->info.outputs + (size_t)job->out[i];
                const double *h =
                    job->H + 2 * (row * (size_t)job->info.inputs + (size_t)job->in[j]);
                (void)printf(",%.17g,%.17g", hypot(h[0], h[1]), atan2(h[1], h[0]) * 180 / M_PI);
            }
        }
        (void)fputc('\n', stdout);
    }
}

static int solve(response_job *job) {
    const double low = job->band_of[0], high = job->band_of[1];
    const size_t pairs = (size_t)job->info.inputs * (size_t)job->info.outputs;
    job->omega = calloc((size_t)job->points, sizeof *job->omega);
    job->H = calloc(2 * pairs * (size_t)job->points + 1, sizeof *job->H);
    if (job->omega == NULL || job->H == NULL) {
        return EXIT_FAILED;
    }
    for (int k = 0; k < job->points; k++) {
        const double part = job->points > 1 ? (double)k / (job->points - 1) : 0;
        job->omega[k] = 2 * M_PI * low * pow(high / low, part);
    }
    gos_status status =
        respond_divided(job->ctx, job->linear, job->workers, job->points, job->omega, job->H);
    if (status == GOS_OK && job->output != NULL) {
        status =
            gos_response_save(job->ctx, job->linear, job->points, job->omega, job->H, job->output);
    }
    return exit_code(status, false);
}

static int respond(response_job *job) {
    int code = load_linear(job->ctx, job->path, &job->settings, &job->where, &job->linear);
    if (code == EXIT_DONE) {
        gos_linear_info_get(job->linear, &job->info);
        code = choose(job, &job->from, gos_linear_input, job->info.inputs, "input", &job->in,
                      &job->nin);
    }
    if (code == EXIT_DONE) {
        code = choose(job, &job->to, gos_linear_output, job->info.outputs, "output", &job->out,
                      &job->nout);
    }
    if (code == EXIT_DONE) {
        code = job->band != NULL ? parse_band("response", job->band, job->band_of)
                                 : find_band(job->ctx, "response", job->linear, job->band_of);
    }
    return code == EXIT_DONE ? solve(job) : code;
}

int command_response(int argc, char **argv) {
    response_job job = {.points = 200, .workers = 1};
    text_list rest = {0};
    const option options[] = {{"--from", OPTION_LIST, &job.from, NULL},
                              {"--to", OPTION_LIST, &job.to, NULL},
                              {"--band", OPTION_TEXT, &job.band, NULL},
                              {"--points", OPTION_COUNT, &job.points, NULL},
                              {"--workers", OPTION_COUNT, &job.workers, NULL},
                              {"-o", OPTION_TEXT, &job.output, NULL},
                              {"--equilibrium", OPTION_FLAG, &job.where.equilibrium, NULL},
                              {"--spin", OPTION_TEXT, &job.where.spin, &job.where.spin_given},
                              {"--at", OPTION_NUMBER, &job.where.at, &job.where.at_given},
                              {"--set", OPTION_LIST, &job.settings, NULL},
                              {0}};
    int code = parse_arguments("response", argc, argv, options, &rest, 1, 1);
    if (code < 0) {
        code = check_linear_point("response", &job.where);
    }
    if (code < 0 && job.output != NULL) {
        code = check_output(job.output, HDF5_MAGIC, 8, "a response");
        code = code == EXIT_DONE ? -1 : code;
    }
    if (code < 0) {
        job.ctx = gos_ctx_create();
        job.path = rest.v[0];
        watch_progress(job.ctx, false);
        code = job.ctx != NULL ? respond(&job) : EXIT_FAILED;
        end_progress();
        show_messages(job.ctx, 0);
        if (code == EXIT_DONE) {
            print_response(&job);
        }
    }
    free(job.in);
    free(job.out);
    free(job.omega);
    free(job.H);
    gos_linear_destroy(job.linear);
    gos_ctx_destroy(job.ctx);
    free_list(&job.from);
    free_list(&job.to);
    free_list(&job.settings);
    free_list(&rest);
    return code;
}
