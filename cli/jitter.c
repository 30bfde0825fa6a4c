/* gossamer jitter: root mean squares of outputs under the harmonics of a rotor over its speed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_drive.h"
#include "response.h"

typedef struct jitter_job {
    gos_ctx *ctx;
    const char *path, *harmonics, *speed, *sight, *output;
    double window;
    int points;
    bool harmonics_given, speed_given, sight_given, as_json;
    text_list to, settings;
    linear_point where;
    gos_linear *linear;
    gos_linear_info info;
    response_ports ports;
    gos_jitter_options options;
    gos_harmonic *list;
    double *coefficient; // of sights (sights, outputs)
    gos_jitter found;
} jitter_job;

static const char *const part_name[3] = {"rms", "mean", "jitter"};

/* parts printed: all motion alone, without a window */
static int parts(const jitter_job *job) {
    return job->window > 0 ? 3 : 1;
}

/* ---- input ----------------------------------------------------------------------------------- */

/* number of the input or output of a column, -1: none, messages printed */
static int find_port(const jitter_job *job, const number_table *t, int column, bool input) {
    const int n = input ? job->info.inputs : job->info.outputs;
    const char **names = calloc((size_t)n + 1, sizeof *names);
    int at = -1;
    for (int i = 0; i < n && names != NULL; i++) {
        names[i] =
            (input ? gos_linear_input(job->linear, i) : gos_linear_output(job->linear, i)).name;
        at = strcmp(names[i], t->name[column]) == 0 ? i : at;
    }
    if (at < 0 && names != NULL) {
        const char *near = suggest(t->name[column], names, n);
        (void)complain("%s: there is no %s '%s' (column %d)%s%s%s", t->path,
                       input ? "input" : "output", plain(t->name[column]), column + 1,
                       near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                       near != NULL ? "'?" : "; use names as in gossamer response");
    }
    free(names);
    return at;
}

static int read_harmonics(jitter_job *job) {
    number_table t;
    int code = read_table(job->harmonics, "table of harmonics", 1, &t);
    job->list = code == EXIT_DONE ? calloc((size_t)t.n * t.columns, sizeof *job->list) : NULL;
    code = code == EXIT_DONE && job->list == NULL ? EXIT_FAILED : code;
    for (int j = 1; code == EXIT_DONE && j < t.columns; j++) {
        const int input = find_port(job, &t, j, true);
        code = input < 0 ? EXIT_USE : code;
        for (int i = 0; i < t.n && code == EXIT_DONE; i++) {
            const double *row = t.value + (size_t)i * t.columns;
            if (!(row[0] > 0)) {
                code = complain("%s:%d: order %g is not positive", t.path, t.line[i], row[0]);
            } else if (row[j] != 0) {
                job->list[job->options.harmonics++] = (gos_harmonic){input, row[0], row[j]};
            }
        }
    }
    if (code == EXIT_DONE && job->options.harmonics == 0) {
        code = complain("%s: all coefficients are 0", t.path);
    }
    job->options.harmonic = job->list;
    free_table(&t);
    return code;
}

static int read_sights(jitter_job *job) {
    number_table t;
    int code = read_table(job->sight, "table of sights", 1, &t);
    const size_t outputs = (size_t)job->info.outputs;
    job->coefficient = code == EXIT_DONE ? calloc((size_t)t.n * outputs + 1, sizeof(double)) : NULL;
    code = code == EXIT_DONE && job->coefficient == NULL ? EXIT_FAILED : code;
    for (int j = 1; code == EXIT_DONE && j < t.columns; j++) {
        const int output = find_port(job, &t, j, false);
        code = output < 0 ? EXIT_USE : code;
        for (int i = 0; i < t.n && code == EXIT_DONE; i++) {
            job->coefficient[i * outputs + output] += t.value[(size_t)i * t.columns + j];
        }
    }
    job->options.sights = t.n;
    job->options.sight = job->coefficient;
    free_table(&t);
    return code;
}

static int read_speeds(jitter_job *job) {
    const char *colon = strchr(job->speed, ':');
    char from[64] = "";
    if (colon != NULL && (size_t)(colon - job->speed) < sizeof from) {
        memcpy(from, job->speed, (size_t)(colon - job->speed));
    }
    return colon != NULL && parse_number(from, &job->options.from) &&
                   parse_number(colon + 1, &job->options.to) && job->options.from > 0 &&
                   job->options.to > job->options.from
               ? EXIT_DONE
               : complain("jitter: --speed needs FROM:TO in rad/s with 0 < FROM < TO, for example "
                          "50:600, not '%s'",
                          job->speed);
}

/* ---- output ---------------------------------------------------------------------------------- */

/* name and unit of output i */
static void name_of(const jitter_job *job, int i, char name[256], const char **unit) {
    if (job->sight_given) {
        (void)snprintf(name, 256, "sight%d", i + 1);
        *unit = "";
    } else {
        const gos_port port = gos_linear_output(job->linear, job->ports.out[i]);
        (void)snprintf(name, 256, "%s", port.name);
        *unit = port.unit;
    }
}

static int count(const jitter_job *job) {
    return job->sight_given ? job->options.sights : job->ports.nout;
}

static size_t index_of(const jitter_job *job, int k, int i) {
    return (size_t)k * job->found.sights + (job->sight_given ? i : job->ports.out[i]);
}

/* speed of the largest root mean square of output i */
static int worst_of(const jitter_job *job, int i) {
    int worst = 0;
    for (int k = 1; k < job->found.n; k++) {
        if (job->found.rms[3 * index_of(job, k, i)] > job->found.rms[3 * index_of(job, worst, i)]) {
            worst = k;
        }
    }
    return worst;
}

static void print_worst(const jitter_job *job) {
    (void)printf(
        "output                    worst speed [rad/s]       [rpm]           RMS%s  unit   "
        "  order\n",
        job->window > 0 ? "          mean        jitter" : "");
    for (int i = 0; i < count(job); i++) {
        char name[256];
        const char *unit;
        const int k = worst_of(job, i);
        const size_t at = index_of(job, k, i);
        const double speed = job->found.speed[k];
        name_of(job, i, name, &unit);
        (void)printf("%-24s  %19.6g  %10.5g", plain(name), speed, speed * 30 / M_PI);
        for (int p = 0; p < parts(job); p++) {
            (void)printf("  %12.6g", job->found.rms[3 * at + p]);
        }
        (void)printf("  %-7s  %5g\n", plain(unit), job->list[job->found.dominant[at]].order);
    }
}

static void json_worst(const jitter_job *job) {
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_open(&j, "outputs", '[');
    for (int i = 0; i < count(job); i++) {
        char name[256];
        const char *unit;
        const int k = worst_of(job, i);
        const size_t at = index_of(job, k, i);
        name_of(job, i, name, &unit);
        json_open(&j, NULL, '{');
        json_text(&j, "name", name);
        json_text(&j, "unit", unit);
        json_number(&j, "speed", job->found.speed[k]);
        for (int p = 0; p < parts(job); p++) {
            json_number(&j, part_name[p], job->found.rms[3 * at + p]);
        }
        json_number(&j, "order", job->list[job->found.dominant[at]].order);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_number(&j, "speeds", job->found.n);
    json_messages(&j, job->ctx);
    json_close(&j, '}');
}

static int write_curves(const jitter_job *job) {
    FILE *f = fopen(job->output, "w");
    if (f == NULL) {
        return complain("cannot write '%s'; check the folder and its permissions", job->output);
    }
    (void)fputs("speed", f);
    for (int i = 0; i < count(job); i++) {
        char name[256], cell[300];
        const char *unit;
        name_of(job, i, name, &unit);
        for (int p = 0; p < parts(job); p++) {
            (void)snprintf(cell, sizeof cell, "%s.%s", name, part_name[p]);
            (void)fputc(',', f);
            print_cell(f, cell);
        }
    }
    (void)fputc('\n', f);
    for (int k = 0; k < job->found.n; k++) {
        (void)fprintf(f, "%.17g", job->found.speed[k]);
        for (int i = 0; i < count(job); i++) {
            for (int p = 0; p < parts(job); p++) {
                (void)fprintf(f, ",%.17g", job->found.rms[3 * index_of(job, k, i) + p]);
            }
        }
        (void)fputc('\n', f);
    }
    return fclose(f) == 0 ? EXIT_DONE : complain("cannot write '%s'", job->output);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int compute(jitter_job *job) {
    watch_progress(job->ctx, false);
    int code = load_linear(job->ctx, job->path, &job->settings, &job->where, &job->linear);
    if (code == EXIT_DONE) {
        gos_linear_info_get(job->linear, &job->info);
        const text_list all = {0};
        code = choose_ports(job->linear, &all, &job->to, &job->ports);
    }
    code = code == EXIT_DONE ? read_harmonics(job) : code;
    code = code == EXIT_DONE && job->sight_given ? read_sights(job) : code;
    if (code == EXIT_DONE) {
        job->options.window = job->window;
        job->options.points = job->points;
        code = exit_code(gos_jitter_response(job->ctx, job->linear, &job->options, &job->found),
                         false);
    }
    end_progress();
    code = code == EXIT_DONE && job->output != NULL ? write_curves(job) : code;
    if (!job->as_json || code != EXIT_DONE) {
        show_messages(job->ctx, 0);
    }
    if (code == EXIT_DONE) {
        (job->as_json ? json_worst : print_worst)(job);
    }
    return code;
}

/* @return -1 to continue, or the exit code to end with */
static int check(jitter_job *job) {
    if (!job->harmonics_given || !job->speed_given) {
        return complain("jitter: --harmonics FILE.csv and --speed FROM:TO are required");
    }
    if (job->sight_given && job->to.n > 0) {
        return complain("jitter: --sight selects the outputs; remove --to");
    }
    if (!(job->window >= 0)) {
        return complain("jitter: --window must not be negative");
    }
    int code = read_speeds(job);
    if (code == EXIT_DONE && job->output != NULL) {
        code = check_input(job->output, job->path);
        code = code == EXIT_DONE
                   ? check_output(job->output, "speed", NULL, "table of jitter over speed")
                   : code;
    }
    return code == EXIT_DONE ? -1 : code;
}

int command_jitter(int argc, char **argv) {
    jitter_job job = {.points = 200};
    text_list rest = {0};
    const option options[] = {{"--harmonics", OPTION_TEXT, &job.harmonics, &job.harmonics_given},
                              {"--speed", OPTION_TEXT, &job.speed, &job.speed_given},
                              {"--points", OPTION_COUNT, &job.points, NULL},
                              {"--to", OPTION_LIST, &job.to, NULL},
                              {"--sight", OPTION_TEXT, &job.sight, &job.sight_given},
                              {"--window", OPTION_NUMBER, &job.window, NULL},
                              {"-o", OPTION_TEXT, &job.output, NULL},
                              {"--equilibrium", OPTION_FLAG, &job.where.equilibrium, NULL},
                              {"--spin", OPTION_TEXT, &job.where.spin, &job.where.spin_given},
                              {"--at", OPTION_NUMBER, &job.where.at, &job.where.at_given},
                              {"--set", OPTION_LIST, &job.settings, NULL},
                              {"--json", OPTION_FLAG, &job.as_json, NULL},
                              {"--threads", OPTION_COUNT, &threads_wanted, NULL},
                              {0}};
    int code = parse_arguments("jitter", argc, argv, options, &rest, 1, 1);
    if (code < 0) {
        code = check_linear_point("jitter", &job.where);
    }
    if (code < 0) {
        code = check(&job);
    }
    if (code < 0) {
        job.ctx = gos_ctx_create();
        job.path = rest.v[0];
        code = job.ctx == NULL ? EXIT_FAILED : compute(&job);
    }
    gos_jitter_free(&job.found);
    free(job.list);
    free(job.coefficient);
    free_ports(&job.ports);
    gos_linear_destroy(job.linear);
    gos_ctx_destroy(job.ctx);
    free_list(&job.to);
    free_list(&job.settings);
    free_list(&rest);
    return code;
}
