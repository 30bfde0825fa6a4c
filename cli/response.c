/* gossamer response: frequency responses as CSV. Time responses: response_time.c. */
#include <math.h>
#include <stdlib.h>

#include "base_drive.h"
#include "response.h"

typedef struct response_job {
    gos_ctx *ctx;
    const char *path, *output, *band;
    text_list from, to, settings;
    linear_point where;
    int points, workers;
    bool points_given, workers_given, as_json;
    double band_of[2]; // [Hz]
    base_wish base;
    shock_wish shock;
    bool srs, q_given;
    time_response time;
    gos_linear *linear;
    response_ports ports; // to print
    response_grid grid;
} response_job;

/* ---- output ---------------------------------------------------------------------------------- */

static void print_response(const response_job *job) {
    const response_ports *p = &job->ports;
    (void)fputs("frequency", stdout);
    for (int i = 0; i < p->nout; i++) {
        for (int j = 0; j < p->nin; j++) {
            static const char *const what[] = {"magnitude", "phase"};
            char pair[900], name[1024];
            pair_name(p, p->out[i], p->in[j], pair, sizeof pair);
            for (int k = 0; k < 2; k++) {
                (void)snprintf(name, sizeof name, "%s.%s", pair, what[k]);
                (void)fputc(',', stdout);
                print_cell(stdout, name);
            }
        }
    }
    (void)fputc('\n', stdout);
    for (long k = 0; k < job->grid.n; k++) {
        (void)printf("%.17g", job->grid.omega[k] / (2 * M_PI));
        for (int i = 0; i < p->nout; i++) {
            for (int j = 0; j < p->nin; j++) {
                const size_t row = k * p->info.outputs + p->out[i];
                const double *h = job->grid.H + 2 * (row * p->info.inputs + p->in[j]);
                (void)printf(",%.17g,%.17g", hypot(h[0], h[1]), atan2(h[1], h[0]) * 180 / M_PI);
            }
        }
        (void)fputc('\n', stdout);
    }
}

/* columns of the table, or of the file with -o */
static void json_response(const response_job *job) {
    const response_ports *p = &job->ports;
    const long n = job->output != NULL ? 0 : job->grid.n;
    const size_t pairs = (size_t)p->info.outputs * p->info.inputs;
    double *x = calloc(2 * (size_t)job->grid.n + 1, sizeof *x);
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_text(&j, "file", job->output);
    for (long k = 0; k < job->grid.n && x != NULL; k++) {
        x[k] = job->grid.omega[k] / (2 * M_PI);
    }
    json_numbers(&j, "frequency", x, x != NULL ? job->grid.n : 0, 1);
    json_open(&j, "responses", '[');
    for (int i = 0; i < p->nout && x != NULL; i++) {
        for (int in = 0; in < p->nin; in++) {
            const size_t pair = (size_t)p->out[i] * p->info.inputs + p->in[in];
            for (long k = 0; k < n; k++) {
                const double *h = job->grid.H + 2 * (k * pairs + pair);
                x[2 * k] = hypot(h[0], h[1]);
                x[2 * k + 1] = atan2(h[1], h[0]) * 180 / M_PI;
            }
            json_pair(&j, p, p->out[i], p->in[in]);
            if (n > 0) {
                json_numbers(&j, "magnitude", x, n, 2);
                json_numbers(&j, "phase", x + 1, n, 2);
            }
            json_close(&j, '}');
        }
    }
    json_close(&j, ']');
    json_messages(&j, job->ctx);
    json_close(&j, '}');
    free(x);
}

static gos_status respond_at(const void *of, int n, const double *omega, double *H) {
    const response_job *job = of;
    return gos_linear_response_divided(job->ctx, job->linear, job->workers, n, omega, H);
}

static int solve(response_job *job) {
    const double low = job->band_of[0], high = job->band_of[1];
    const size_t pairs = (size_t)job->ports.info.inputs * job->ports.info.outputs;
    response_grid *g = &job->grid;
    g->n = job->points;
    g->omega = calloc(g->n, sizeof *g->omega);
    g->H = calloc(2 * pairs * g->n + 1, sizeof *g->H);
    if (g->omega == NULL || g->H == NULL) {
        return EXIT_FAILED;
    }
    for (int k = 0; k < g->n; k++) {
        const double part = g->n > 1 ? (double)k / (g->n - 1) : 0;
        g->omega[k] = 2 * M_PI * low * pow(high / low, part);
    }
    gos_status status = respond_at(job, g->n, g->omega, g->H);
    if (status == GOS_OK && !job->points_given) {
        const response_ports *p = &job->ports;
        const grid_source source = {p->in,          p->out,          p->nin,     p->nout,
                                    p->info.inputs, p->info.outputs, respond_at, job};
        status = refine_grid(&source, g);
    }
    if (status == GOS_OK && job->output != NULL) {
        status = gos_response_save(job->ctx, job->linear, g->n, g->omega, g->H, job->output);
    }
    return exit_code(status, false);
}

static void tell_file(const response_job *job) {
    const response_grid *g = &job->grid;
    (void)printf("%s: %d frequencies, %.4g to %.4g Hz", plain(job->output), g->n,
                 g->omega[0] / (2 * M_PI), g->omega[g->n - 1] / (2 * M_PI));
    if (g->n > job->points) {
        (void)printf(", %d of them around peaks", g->n - job->points);
    }
    (void)printf("; %d input%s, %d output%s\n", job->ports.info.inputs,
                 job->ports.info.inputs == 1 ? "" : "s", job->ports.info.outputs,
                 job->ports.info.outputs == 1 ? "" : "s");
}

static bool over_time(const response_job *job) {
    return job->time.over_given || job->time.inputs != NULL;
}

static int respond(response_job *job) {
    if (job->srs) {
        return respond_to_shock(job->ctx, &job->shock);
    }
    int code = load_linear(job->ctx, job->path, &job->settings, &job->where, &job->linear);
    if (code == EXIT_DONE && job->base.base != NULL) {
        return respond_to_base(job->ctx, job->linear, &job->base);
    }
    if (code == EXIT_DONE) {
        code = choose_ports(job->linear, &job->from, &job->to, &job->ports);
    }
    if (code == EXIT_DONE && over_time(job)) {
        return respond_over_time(job->ctx, &job->ports, &job->time);
    }
    if (code == EXIT_DONE) {
        code = job->band != NULL ? parse_band("response", job->band, job->band_of)
                                 : find_band(job->ctx, "response", job->linear, job->band_of);
    }
    if (code == EXIT_DONE) {
        code = solve(job);
    }
    if (code == EXIT_DONE) {
        end_progress();
        if (job->as_json) {
            json_response(job);
        } else if (job->output != NULL) {
            tell_file(job);
        } else {
            print_response(job);
        }
    }
    return code;
}

/* Options of the base drive and of shock. @return -1 to continue, or the exit code to end with */
static int check_base(response_job *job) {
    const bool base = job->base.base != NULL;
    if (job->srs && (base || over_time(job) || job->to.n > 0 || job->from.n > 0)) {
        return complain(
            "response: --srs takes a CSV file of accelerations and only --q, --band and "
            "--points");
    }
    if (job->q_given && !job->srs) {
        return complain("response: --q needs --srs");
    }
    if (!base && job->base.psd != NULL) {
        return complain("response: --psd needs --base BODY:AXIS");
    }
    if (job->srs && job->as_json) {
        return complain("response: --srs prints a table; remove --json");
    }
    if (base && job->base.psd == NULL && (job->as_json || job->output != NULL)) {
        return complain("response: with --base, --json and -o need --psd FILE.csv");
    }
    if (base && (over_time(job) || job->from.n > 0 || job->workers_given)) {
        return complain("response: --base cannot be combined with --from, --over, --inputs or "
                        "--workers");
    }
    if (job->base.psd != NULL && (job->band != NULL || job->points_given)) {
        return complain("response: --psd integrates over the band of its table; remove --band and "
                        "--points");
    }
    job->base.band = job->shock.band = job->band;
    job->base.to = &job->to;
    job->base.output = job->output;
    job->base.as_json = job->as_json;
    job->base.points = job->points;
    job->shock.path = job->path;
    job->base.refined = !job->points_given;
    job->shock.points = job->points_given ? job->points : 0;
    return -1;
}

/* Check that the options are compatible. @return -1 to continue, or the exit code to end with. */
static int check_options(response_job *job, bool timed) {
    if (!over_time(job)) {
        return timed ? complain("response: --scheme and --rise apply to time responses; add "
                                "--over T or --inputs FILE.csv")
                     : -1;
    }
    if (job->band != NULL || job->workers_given || job->output != NULL) {
        return complain("response: --band, --workers and -o are for frequency responses and cannot "
                        "be combined with --over or --inputs");
    }
    if (job->time.inputs != NULL && job->from.n > 0) {
        return complain(
            "response: --from selects inputs for steps and cannot be combined with --inputs");
    }
    job->time.as_json = job->as_json;
    job->time.points = job->points;
    job->time.points_given = job->points_given;
    return check_time_response(&job->time);
}

/* @return -1 to continue, or the exit code to end with */
static int check_response_output(const response_job *job) {
    if (job->ctx == NULL || job->output == NULL) {
        return -1;
    }
    int code = check_input(job->output, job->path);
    if (code == EXIT_DONE && job->base.base != NULL) {
        code = check_output(job->output, "frequency", NULL, "table of a random response");
    } else if (code == EXIT_DONE) {
        code = check_file(job->ctx, job->output, GOS_OUTPUT_RESPONSE);
    }
    return code == EXIT_DONE ? -1 : code;
}

int command_response(int argc, char **argv) {
    response_job job = {
        .points = 200, .workers = 1, .time = {.scheme = "auto"}, .shock = {.q = 10}};
    bool scheme_given = false, rise_given = false;
    text_list rest = {0};
    const option options[] = {{"--from", OPTION_LIST, &job.from, NULL},
                              {"--to", OPTION_LIST, &job.to, NULL},
                              {"--band", OPTION_TEXT, &job.band, NULL},
                              {"--points", OPTION_COUNT, &job.points, &job.points_given},
                              {"--workers", OPTION_COUNT, &job.workers, &job.workers_given},
                              {"--over", OPTION_NUMBER, &job.time.over, &job.time.over_given},
                              {"--inputs", OPTION_TEXT, &job.time.inputs, NULL},
                              {"--rise", OPTION_NUMBER, &job.time.rise, &rise_given},
                              {"--scheme", OPTION_TEXT, &job.time.scheme, &scheme_given},
                              {"--base", OPTION_TEXT, &job.base.base, NULL},
                              {"--psd", OPTION_TEXT, &job.base.psd, NULL},
                              {"--srs", OPTION_FLAG, &job.srs, NULL},
                              {"--q", OPTION_NUMBER, &job.shock.q, &job.q_given},
                              {"-o", OPTION_TEXT, &job.output, NULL},
                              {"--json", OPTION_FLAG, &job.as_json, NULL},
                              {"--equilibrium", OPTION_FLAG, &job.where.equilibrium, NULL},
                              {"--spin", OPTION_TEXT, &job.where.spin, &job.where.spin_given},
                              {"--at", OPTION_NUMBER, &job.where.at, &job.where.at_given},
                              {"--set", OPTION_LIST, &job.settings, NULL},
                              {"--threads", OPTION_COUNT, &threads_wanted, NULL},
                              {0}};
    int code = parse_arguments("response", argc, argv, options, &rest, 1, 1);
    if (code < 0) {
        code = check_linear_point("response", &job.where);
    }
    if (code < 0) {
        code = check_options(&job, scheme_given || rise_given);
    }
    if (code < 0) {
        job.ctx = gos_ctx_create();
        job.path = rest.v[0];
        code = check_base(&job);
    }
    if (code < 0) {
        code = check_response_output(&job);
    }
    if (code < 0) {
        watch_progress(job.ctx, false);
        code = job.ctx != NULL ? respond(&job) : EXIT_FAILED;
        end_progress();
        if (!job.as_json || code != EXIT_DONE) {
            show_messages(job.ctx, 0);
        }
    }
    free_ports(&job.ports);
    free_grid(&job.grid);
    gos_linear_destroy(job.linear);
    gos_ctx_destroy(job.ctx);
    free_list(&job.from);
    free_list(&job.to);
    free_list(&job.settings);
    free_list(&rest);
    return code;
}
