/* gossamer response --base: frequency responses to an acceleration of the base as CSV, and root
   mean squares under a spectral density. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_drive.h"
#include "response.h"

#define G 9.80665 // standard acceleration of gravity [m/s^2]

typedef struct base_job {
    gos_ctx *ctx;
    const base_wish *wish;
    gos_base *base;
    char input[16]; // "base.z"
    double g;       // standard acceleration of gravity, in units of the model
    int *out, nout; // outputs to print
} base_job;

static bool is_acceleration(const gos_port *port) {
    double one = 1;
    return gos_unit_convert(port->unit, "m/s^2", &one);
}

/* BODY:AXIS; body[] has room for the text */
static int parse_base(const char *text, char *body, int *axis) {
    const char *colon = strrchr(text, ':');
    static const char letters[] = "xyz";
    const char *at = colon != NULL && strlen(colon) == 2 ? strchr(letters, colon[1]) : NULL;
    if (at == NULL || colon == text) {
        return complain("response: --base needs BODY:AXIS or ground:AXIS with the axis x, y or z, "
                        "for example ground:z, not '%s'",
                        text);
    }
    memcpy(body, text, (size_t)(colon - text));
    body[colon - text] = '\0';
    *axis = (int)(at - letters);
    return EXIT_DONE;
}

static bool matches(const char *port, const char *wanted) {
    const size_t n = strlen(wanted);
    return strncmp(port, wanted, n) == 0 && (port[n] == '\0' || port[n] == '.');
}

static int choose_outputs(base_job *job) {
    const int n = gos_base_noutputs(job->base);
    const text_list *to = job->wish->to;
    const char **names = calloc((size_t)n + 1, sizeof *names);
    job->out = calloc((size_t)n + 1, sizeof *job->out);
    int code = names != NULL && job->out != NULL ? EXIT_DONE : EXIT_FAILED;
    for (int i = 0; i < n && code == EXIT_DONE; i++) {
        names[i] = gos_base_output(job->base, i).name;
    }
    for (int k = 0; k < to->n && code == EXIT_DONE; k++) {
        bool any = false;
        for (int i = 0; i < n; i++) {
            any = any || matches(names[i], to->v[k]);
        }
        if (!any) {
            const char *hint = suggest(to->v[k], names, n);
            code = hint != NULL
                       ? complain("there is no output '%s'; did you mean '%s'?", to->v[k], hint)
                       : complain("there is no output '%s'; the last one is '%s'", to->v[k],
                                  names[n - 1]);
        }
    }
    for (int i = 0; i < n && code == EXIT_DONE; i++) {
        bool wanted = to->n == 0;
        for (int k = 0; k < to->n; k++) {
            wanted = wanted || matches(names[i], to->v[k]);
        }
        if (wanted) {
            job->out[job->nout++] = i;
        }
    }
    free(names);
    return code;
}

/* ---- frequency response ---------------------------------------------------------------------- */

static void print_rows(const base_job *job, int n, const double *omega, const double *H) {
    (void)fputs("frequency", stdout);
    for (int i = 0; i < job->nout; i++) {
        const gos_port port = gos_base_output(job->base, job->out[i]);
        char name[1024];
        for (int part = 0; part < 2; part++) {
            (void)snprintf(name, sizeof name, "%s/%s.%s", port.name, job->input,
                           part == 0 ? "magnitude" : "phase");
            (void)fputc(',', stdout);
            print_cell(stdout, name);
        }
    }
    (void)fputc('\n', stdout);
    for (int k = 0; k < n; k++) {
        (void)printf("%.17g", omega[k] / (2 * M_PI));
        for (int i = 0; i < job->nout; i++) {
            const double *h = H + 2 * ((size_t)k * gos_base_noutputs(job->base) + job->out[i]);
            (void)printf(",%.17g,%.17g", hypot(h[0], h[1]), atan2(h[1], h[0]) * 180 / M_PI);
        }
        (void)fputc('\n', stdout);
    }
}

static gos_status respond(const void *of, int n, const double *omega, double *H) {
    const base_job *job = of;
    return gos_base_response(job->ctx, job->base, n, omega, H);
}

static int sweep(const base_job *job) {
    static const int input;
    double band[2];
    const int n = job->wish->points;
    const gos_linear *driven = gos_base_linear(job->base);
    int code = job->wish->band != NULL ? parse_band("response", job->wish->band, band)
                                       : find_band(job->ctx, "response", driven, band);
    const grid_source source = {&input,  job->out, 1, job->nout, 1, gos_base_noutputs(job->base),
                                respond, job};
    response_grid g = {.n = n, .omega = calloc((size_t)n + 1, sizeof *g.omega)};
    g.H = calloc(2 * (size_t)n * source.outputs + 1, sizeof *g.H);
    if (code == EXIT_DONE && (g.omega == NULL || g.H == NULL)) {
        code = EXIT_FAILED;
    }
    for (int k = 0; k < n && code == EXIT_DONE; k++) {
        g.omega[k] = 2 * M_PI * band[0] * pow(band[1] / band[0], n > 1 ? (double)k / (n - 1) : 0);
    }
    if (code == EXIT_DONE) {
        code = exit_code(respond(job, n, g.omega, g.H), false);
    }
    if (code == EXIT_DONE && job->wish->refined) {
        code = exit_code(refine_grid(&source, &g), false);
    }
    if (code == EXIT_DONE) {
        end_progress();
        print_rows(job, g.n, g.omega, g.H);
    }
    free_grid(&g);
    return code;
}

/* ---- random ---------------------------------------------------------------------------------- */

/* densities in g^2/Hz become those in units of the model */
static int take_density(const number_table *t, double g, double *frequency, double *density) {
    for (int k = 0; k < t->n; k++) {
        frequency[k] = t->value[(size_t)k * t->columns];
        density[k] = t->value[(size_t)k * t->columns + 1] * g * g;
        if (!(frequency[k] > 0)) {
            return complain("%s:%d: the frequency %g Hz is not positive; begin above 0", t->path,
                            t->line[k], frequency[k]);
        }
        if (!(density[k] > 0)) {
            return complain("%s:%d: the density %g g^2/Hz is not positive; log-log interpolation "
                            "needs values above 0: end the table there instead",
                            t->path, t->line[k], density[k] / (g * g));
        }
    }
    return t->columns == 2 ? EXIT_DONE
                           : complain("%s:%d: a spectral density has two columns, frequency [Hz] "
                                      "and density [g^2/Hz]; this file has %d",
                                      t->path, t->line[0], t->columns);
}

static void print_random(const base_job *job, const gos_random *r, const gos_psd *psd) {
    (void)printf("input %s: %.6g g RMS, %.6g to %.6g Hz\n", job->input,
                 sqrt(gos_psd_mean_square(psd)) / job->g, psd->frequency[0],
                 psd->frequency[psd->n - 1]);
    (void)puts("output                          RMS       3 sigma  unit      crossings [Hz]");
    for (int i = 0; i < job->nout; i++) {
        const gos_port port = gos_base_output(job->base, job->out[i]);
        const bool g = is_acceleration(&port);
        const double rms = r->rms[job->out[i]] / (g ? job->g : 1);
        (void)printf("%-24s  %12.6g  %12.6g  %-8s  %14.6g\n", plain(port.name), rms, 3 * rms,
                     g ? "g" : plain(port.unit), r->crossings[job->out[i]]);
    }
}

static void json_random(const base_job *job, const gos_random *r, const gos_psd *psd) {
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_text(&j, "input", job->input);
    json_number(&j, "input_rms_g", sqrt(gos_psd_mean_square(psd)) / job->g);
    json_open(&j, "outputs", '[');
    for (int i = 0; i < job->nout; i++) {
        const gos_port port = gos_base_output(job->base, job->out[i]);
        const bool g = is_acceleration(&port);
        const double rms = r->rms[job->out[i]] / (g ? job->g : 1);
        json_open(&j, NULL, '{');
        json_text(&j, "name", port.name);
        json_text(&j, "unit", g ? "g" : port.unit);
        json_number(&j, "rms", rms);
        json_number(&j, "three_sigma", 3 * rms);
        json_number(&j, "crossings", r->crossings[job->out[i]]);
        json_number(&j, "error", r->error[job->out[i]]);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_messages(&j, job->ctx);
    json_close(&j, '}');
}

/* spectral densities and cumulative root mean squares */
static int write_curves(const base_job *job, const gos_random *r) {
    FILE *f = fopen(job->wish->output, "w");
    if (f == NULL) {
        return complain("cannot write '%s'; check the folder and its permissions",
                        job->wish->output);
    }
    (void)fputs("frequency", f);
    for (int i = 0; i < job->nout; i++) {
        const gos_port port = gos_base_output(job->base, job->out[i]);
        char name[1024];
        for (int part = 0; part < 2; part++) {
            (void)snprintf(name, sizeof name, "%s.%s", port.name,
                           part == 0 ? "density" : "cumulative_rms");
            (void)fputc(',', f);
            print_cell(f, name);
        }
    }
    (void)fputc('\n', f);
    for (int k = 0; k < r->n; k++) {
        (void)fprintf(f, "%.17g", r->frequency[k]);
        for (int i = 0; i < job->nout; i++) {
            const gos_port port = gos_base_output(job->base, job->out[i]);
            const double unit = is_acceleration(&port) ? job->g : 1;
            const size_t at = (size_t)k * r->outputs + job->out[i];
            (void)fprintf(f, ",%.17g,%.17g", r->density[at] / (unit * unit),
                          r->cumulative[at] / unit);
        }
        (void)fputc('\n', f);
    }
    return fclose(f) == 0 ? EXIT_DONE : complain("cannot write '%s'", job->wish->output);
}

static int randomly(const base_job *job) {
    number_table table;
    gos_random r = {0};
    double *frequency = NULL, *density = NULL;
    int code = read_table(job->wish->psd, "spectral density", 2, &table);
    if (code == EXIT_DONE) {
        frequency = calloc((size_t)table.n, sizeof *frequency);
        density = calloc((size_t)table.n, sizeof *density);
        code = frequency != NULL && density != NULL
                   ? take_density(&table, job->g, frequency, density)
                   : EXIT_FAILED;
    }
    const gos_psd psd = {.n = table.n, .frequency = frequency, .density = density};
    if (code == EXIT_DONE) {
        code = exit_code(gos_base_random(job->ctx, job->base, &psd, &r), false);
        end_progress();
    }
    if (code == EXIT_DONE && job->wish->output != NULL) {
        code = write_curves(job, &r);
    }
    if (code == EXIT_DONE) {
        (job->wish->as_json ? json_random : print_random)(job, &r, &psd);
    }
    gos_random_free(&r);
    free_table(&table);
    free(frequency);
    free(density);
    return code;
}

int respond_to_base(gos_ctx *ctx, const gos_linear *linear, const base_wish *wish) {
    base_job job = {.ctx = ctx, .wish = wish, .g = G};
    char acceleration[UNIT_NAME];
    gos_unit_name(gos_linear_units(linear), "m/s^2", acceleration, sizeof acceleration);
    (void)gos_unit_convert("m/s^2", acceleration, &job.g);
    int axis = 0;
    char *body = calloc(strlen(wish->base) + 1, 1);
    int code = body != NULL ? parse_base(wish->base, body, &axis) : EXIT_FAILED;
    if (code == EXIT_DONE) {
        (void)snprintf(job.input, sizeof job.input, "base.%c", "xyz"[axis]);
        code = exit_code(gos_base_create(ctx, linear, body, axis, &job.base), true);
    }
    if (code == EXIT_DONE) {
        code = choose_outputs(&job);
    }
    if (code == EXIT_DONE) {
        code = wish->psd != NULL ? randomly(&job) : sweep(&job);
    }
    gos_base_destroy(job.base);
    free(job.out);
    free(body);
    return code;
}
