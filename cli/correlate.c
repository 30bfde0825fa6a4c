/* gossamer correlate: correlation of modes with those of a test, and placement of sensors. */
#include <math.h>
#include <stdlib.h>

#include "cli.h"

#define MODES 10    // of the model, by default
#define WIDEST 16   // columns of a printed MAC matrix
#define LOWEST 8    // printed sensors of low COMAC
#define NOTABLE 0.9 // COMAC below which a sensor is printed

typedef struct correlate_job {
    gos_ctx *ctx;
    const char *path, *test;
    int n, place;
    bool n_given, test_given, place_given, as_json;
    text_list settings;
    linear_point where;
} correlate_job;

/* ---- text ------------------------------------------------------------------------------------ */

static void print_pairs(const gos_shapes *analysis, const gos_shapes *test,
                        const gos_correlation *c) {
    (void)puts("test  frequency [Hz]   damping  mode  frequency [Hz]  difference [%]     MAC");
    for (int j = 0; j < c->test; j++) {
        const gos_mode_pair *p = &c->pair[j];
        (void)printf("%4d  %14.7g", j + 1, test->frequency[j]);
        if (isfinite(test->damping[j])) {
            (void)printf("  %8.4g", test->damping[j]);
        } else {
            (void)printf("  %8s", "-");
        }
        if (p->analysis >= 0) {
            (void)printf("  %4d  %14.7g  %14.3f  %6.4f\n", p->analysis + 1,
                         analysis->frequency[p->analysis], 100 * p->difference, p->mac);
        } else {
            (void)printf("  %4s  %14s  %14s  %6.4f  no counterpart\n", "-", "-", "-", p->mac);
        }
    }
}

static void print_matrix(const gos_correlation *c) {
    const int columns = c->analysis < WIDEST ? c->analysis : WIDEST;
    (void)printf("MAC of test modes (rows) and modes of the model (columns)\n    ");
    for (int i = 0; i < columns; i++) {
        (void)printf(" %5d", i + 1);
    }
    (void)puts(columns < c->analysis ? " ..." : "");
    for (int j = 0; j < c->test; j++) {
        (void)printf("%4d", j + 1);
        for (int i = 0; i < columns; i++) {
            (void)printf(" %5.3f", c->mac[(size_t)j * c->analysis + i]);
        }
        (void)puts("");
    }
}

static void print_comacs(const gos_correlation *c) {
    bool *printed = calloc((size_t)c->sensors + 1, sizeof *printed);
    int n = 0, defined = 0;
    for (int s = 0; s < c->sensors; s++) {
        defined += isfinite(c->comac[s]);
    }
    for (; n < LOWEST && printed != NULL; n++) {
        int least = -1;
        for (int s = 0; s < c->sensors; s++) {
            if (!printed[s] && c->comac[s] < NOTABLE &&
                (least < 0 || c->comac[s] < c->comac[least])) {
                least = s;
            }
        }
        if (least < 0) {
            break;
        }
        (void)printf("%s%s %.3f", n == 0 ? "lowest COMAC: " : ", ", plain(c->sensor[least]),
                     c->comac[least]);
        printed[least] = true;
    }
    if (n > 0) {
        (void)puts("");
    } else if (defined > 0) {
        (void)printf("COMAC of all sensors that move: at least %.1f\n", NOTABLE);
    } else {
        (void)puts("COMAC: not defined; no modes are paired");
    }
    free(printed);
}

/* diagonal and largest other value of the paired modes */
static void print_orthogonality(const gos_correlation *c) {
    double least = 1, most = 0;
    int pairs = 0;
    for (int j = 0; j < c->test && c->orthogonality != NULL; j++) {
        for (int i = 0; i < c->analysis && c->pair[j].analysis >= 0; i++) {
            const double x = c->orthogonality[(size_t)j * c->analysis + i];
            least = i == c->pair[j].analysis ? fmin(least, x) : least;
            most = i == c->pair[j].analysis ? most : fmax(most, x);
        }
        pairs += c->pair[j].analysis >= 0;
    }
    if (c->orthogonality == NULL || pairs == 0) {
        (void)puts("cross-orthogonality: not computed; no pairs, or too few sensors to distinguish "
                   "the paired modes");
    } else {
        (void)printf(
            "cross-orthogonality (SEREP): diagonal at least %.4f, off-diagonal at most %.4f\n",
            least, most);
    }
}

static void print_correlation(const gos_shapes *analysis, const gos_shapes *test,
                              const gos_correlation *c) {
    print_pairs(analysis, test, c);
    print_matrix(c);
    print_comacs(c);
    print_orthogonality(c);
    if (c->ignored > 0) {
        (void)printf("%d measured degrees of freedom have no probe in the model and were ignored\n",
                     c->ignored);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_matrix(json *j, const char *key, const double *x, int rows, int columns) {
    json_open(j, key, '[');
    for (int i = 0; i < rows && x != NULL; i++) {
        json_numbers(j, NULL, x + (size_t)i * columns, columns, 1);
    }
    json_close(j, ']');
}

static void json_pairs(json *j, const gos_shapes *analysis, const gos_shapes *test,
                       const gos_correlation *c) {
    json_open(j, "modes", '[');
    for (int k = 0; k < c->test; k++) {
        const gos_mode_pair *p = &c->pair[k];
        const bool paired = p->analysis >= 0;
        json_open(j, NULL, '{');
        json_number(j, "test_frequency", test->frequency[k]);
        json_number(j, "test_damping", test->damping[k]);
        json_number(j, "mode", paired ? p->analysis + 1 : (double)NAN);
        json_number(j, "frequency", paired ? analysis->frequency[p->analysis] : (double)NAN);
        json_number(j, "difference", p->difference);
        json_number(j, "mac", p->mac);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void json_correlation(const correlate_job *job, const gos_shapes *analysis,
                             const gos_shapes *test, const gos_correlation *c) {
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_pairs(&j, analysis, test, c);
    json_numbers(&j, "frequencies", analysis->frequency, analysis->modes, 1);
    json_matrix(&j, "mac", c->mac, c->test, c->analysis);
    json_matrix(&j, "cross_orthogonality", c->orthogonality, c->test, c->analysis);
    json_open(&j, "sensors", '[');
    for (int s = 0; s < c->sensors; s++) {
        json_open(&j, NULL, '{');
        json_text(&j, "name", c->sensor[s]);
        json_number(&j, "comac", c->comac[s]);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_number(&j, "ignored", c->ignored);
    json_messages(&j, job->ctx);
    json_close(&j, '}');
}

/* ---- the command ----------------------------------------------------------------------------- */

static int correlate(const correlate_job *job, const gos_linear *linear, const gos_shapes *test) {
    gos_shapes analysis = {0};
    gos_correlation c = {0};
    const int n = job->n_given || 2 * test->modes < job->n ? job->n : 2 * test->modes;
    int code = exit_code(gos_shapes_of_linear(job->ctx, linear, n, &analysis), true);
    code = code == EXIT_DONE ? exit_code(gos_correlate(job->ctx, &analysis, test, &c), true) : code;
    if (code == EXIT_DONE) {
        if (job->as_json) {
            json_correlation(job, &analysis, test, &c);
        } else {
            print_correlation(&analysis, test, &c);
        }
    }
    gos_correlation_free(&c);
    gos_shapes_free(&analysis);
    return code;
}

static void print_sensors(const correlate_job *job, const gos_shapes *s, const int *chosen,
                          double log_determinant) {
    json j = {.out = stdout};
    if (!job->as_json) {
        for (int i = 0; i < job->place; i++) {
            (void)puts(plain(s->sensor[chosen[i]]));
        }
        (void)printf("%d of %d sensors for %d modes; the determinant of the Fisher information is "
                     "10^%.3f times that with all sensors\n",
                     job->place, s->sensors, s->modes, log_determinant);
        return;
    }
    json_open(&j, NULL, '{');
    json_open(&j, "sensors", '[');
    for (int i = 0; i < job->place; i++) {
        json_text(&j, NULL, s->sensor[chosen[i]]);
    }
    json_close(&j, ']');
    json_number(&j, "candidates", s->sensors);
    json_number(&j, "modes", s->modes);
    json_number(&j, "log10_determinant", log_determinant);
    json_messages(&j, job->ctx);
    json_close(&j, '}');
}

static int place(const correlate_job *job, const gos_linear *linear) {
    gos_shapes s = {0};
    double log_determinant;
    int *chosen = calloc((size_t)job->place + 1, sizeof *chosen);
    int code = chosen == NULL ? EXIT_FAILED
                              : exit_code(gos_shapes_of_linear(job->ctx, linear, job->n, &s), true);
    if (code == EXIT_DONE) {
        code =
            exit_code(gos_sensors_place(job->ctx, &s, job->place, chosen, &log_determinant), true);
    }
    if (code == EXIT_DONE) {
        print_sensors(job, &s, chosen, log_determinant);
    }
    gos_shapes_free(&s);
    free(chosen);
    return code;
}

static int perform(const correlate_job *job) {
    gos_shapes test = {0};
    gos_linear *linear = NULL;
    watch_progress(job->ctx, false);
    int code =
        job->test_given ? exit_code(gos_shapes_read(job->ctx, job->test, &test), true) : EXIT_DONE;
    code = code == EXIT_DONE
               ? load_linear(job->ctx, job->path, &job->settings, &job->where, &linear)
               : code;
    if (code == EXIT_DONE) {
        code = job->test_given ? correlate(job, linear, &test) : place(job, linear);
    }
    end_progress();
    if (!job->as_json || code != EXIT_DONE) {
        show_messages(job->ctx, 0);
    }
    gos_linear_destroy(linear);
    gos_shapes_free(&test);
    return code;
}

int command_correlate(int argc, char **argv) {
    correlate_job job = {.n = MODES};
    text_list rest = {0};
    const option options[] = {{"--test", OPTION_TEXT, &job.test, &job.test_given},
                              {"--place", OPTION_COUNT, &job.place, &job.place_given},
                              {"-n", OPTION_COUNT, &job.n, &job.n_given},
                              {"--equilibrium", OPTION_FLAG, &job.where.equilibrium, NULL},
                              {"--at", OPTION_NUMBER, &job.where.at, &job.where.at_given},
                              {"--set", OPTION_LIST, &job.settings, NULL},
                              {"--json", OPTION_FLAG, &job.as_json, NULL},
                              {"--threads", OPTION_COUNT, &threads_wanted, NULL},
                              {0}};
    int code = parse_arguments("correlate", argc, argv, options, &rest, 1, 1);
    if (code < 0) {
        code = check_linear_point("correlate", &job.where);
    }
    if (code < 0 && job.test_given == job.place_given) {
        code = complain("correlate: give either --test FILE or --place COUNT");
    }
    if (code < 0) {
        job.ctx = gos_ctx_create();
        job.path = rest.v[0];
        job.where.open_loops = true;
        code = job.ctx == NULL ? EXIT_FAILED : perform(&job);
    }
    gos_ctx_destroy(job.ctx);
    free_list(&job.settings);
    free_list(&rest);
    return code;
}
