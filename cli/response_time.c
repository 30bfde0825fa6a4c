/* gossamer response --over, --inputs: time responses from rest as CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "response.h"

#define POINTS 1000         // default number of steps
#define REPORTED_ERROR 0.01 // sampling error that is reported, relative to the largest input value
#define UNEQUAL 1e-6        // tolerance of equal steps in a file, relative to the step
#define MAX_STEPS 1000000.0 // maximum number of steps

static const struct {
    const char *name;
    gos_transient scheme;
} schemes[] = {{"auto", GOS_TRANSIENT_AUTO},
               {"exact", GOS_TRANSIENT_EXACT},
               {"trapezoidal", GOS_TRANSIENT_IMPLICIT}};
enum { NSCHEMES = sizeof schemes / sizeof schemes[0] };

typedef struct time_job {
    gos_ctx *ctx;
    const response_ports *ports;
    gos_transient scheme;
    double over, h;
    int n;         // number of times
    bool sudden;   // steps without rise time
    int responses; // one for each input, or one for all inputs of a file
    double *u;     // (n, inputs)
    double *y;     // (responses, n, outputs)
} time_job;

static int find_scheme(const char *name) {
    int i = 0;
    while (i < NSCHEMES && strcmp(schemes[i].name, name) != 0) {
        i++;
    }
    return i;
}

int check_time_response(const time_response *how) {
    if (how->over_given && !(how->over > 0)) {
        return complain("response: --over needs a time > 0 s");
    }
    if (find_scheme(how->scheme) == NSCHEMES) {
        return complain("response: --scheme needs auto, exact or trapezoidal, not '%s'",
                        how->scheme);
    }
    if (!(how->rise >= 0)) {
        return complain("response: --rise needs a time of at least 0");
    }
    return how->rise > 0 && how->inputs != NULL
               ? complain("response: --rise is for steps and cannot be combined with --inputs")
               : -1;
}

/* ---- times ----------------------------------------------------------------------------------- */

/* Number of steps of the file within the duration if they are equal and begin at 0, else 0. */
static int steps_of_file(const input_table *t, double over) {
    const double h = t->time[1] - t->time[0], n = over / h;
    bool equal = fabs(n - round(n)) <= UNEQUAL * n && n < MAX_STEPS + 0.5 && n > 0.5;
    for (int k = 0; k < t->n && equal; k++) {
        equal = fabs(t->time[k] / h - k) <= UNEQUAL;
    }
    return equal ? (int)round(n) : 0;
}

static int choose_times(time_job *job, const time_response *how, const input_table *t) {
    job->over = how->over_given ? how->over : t->time[t->n - 1];
    if (!(job->over > 0)) {
        return complain("%s ends at %g s; the inputs must extend beyond 0 s", t->path, job->over);
    }
    int steps = how->points_given ? how->points : 0;
    if (steps == 0 && t != NULL) {
        steps = steps_of_file(t, job->over);
    }
    steps = steps > 0 ? steps : POINTS;
    job->n = steps + 1;
    job->h = job->over / steps;
    return EXIT_DONE;
}

/* ---- solving --------------------------------------------------------------------------------- */

static void step_input(const time_job *job, int input, double rise) {
    const long nu = job->ports->info.inputs;
    memset(job->u, 0, job->n * nu * sizeof *job->u);
    for (int k = 0; k < job->n; k++) {
        job->u[k * nu + input] = rise > 0 ? fmin(1, job->h * k / rise) : 1;
    }
}

static int check_finite(const time_job *job, const double *y) {
    const size_t ny = job->ports->info.outputs;
    for (size_t k = 0; k < job->n * ny; k++) {
        if (!isfinite(y[k])) {
            (void)complain("the response overflows at %g s: the model is unstable; use a shorter "
                           "--over",
                           job->h * (double)(k / ny));
            return EXIT_FAILED;
        }
    }
    return EXIT_DONE;
}

static int solve(const time_job *job, long response) {
    double *y = job->y + response * job->n * job->ports->info.outputs;
    const gos_status status =
        gos_linear_transient(job->ctx, job->ports->linear, job->scheme, job->h, job->n, job->u, y);
    if (status == GOS_E_SINGULAR && job->sudden) {
        (void)complain("the model has no response to an ideal step; use --rise %g, which lets the "
                       "input rise within one time step",
                       job->h);
    }
    return status == GOS_OK ? check_finite(job, y) : exit_code(status, false);
}

/* Between two steps the input is a straight line, which cuts the end of a ramp off. */
static void check_rise(const time_job *job, double rise) {
    const double steps = rise / job->h, part = steps - floor(steps);
    const double lost = rise > 0 ? part * (1 - part) / steps : 0;
    if (lost > REPORTED_ERROR) {
        (void)complain("warning: the ramp of %g s ends between time steps of %g s, which lowers "
                       "the input there by %.2g of its final value; use more --points, preferably "
                       "so that it ends at a step",
                       rise, job->h, lost);
    }
}

static int solve_steps(const time_job *job, double rise) {
    int code = EXIT_DONE;
    check_rise(job, rise);
    for (int i = 0; i < job->responses && code == EXIT_DONE; i++) {
        step_input(job, job->ports->in[i], rise);
        code = solve(job, i);
    }
    return code;
}

static int solve_inputs(const time_job *job, const input_table *t) {
    const int nu = job->ports->info.inputs;
    int row = 0;
    sample_inputs(t, nu, job->h, job->n, job->u);
    const double lost = sampling_error(t, nu, job->h, job->n, job->u, &row);
    if (lost > REPORTED_ERROR) {
        (void)complain("warning: %s: the time steps resolve the inputs at %g s only to %.2g of "
                       "the largest value; use more --points, preferably so that the times of the "
                       "file coincide with steps",
                       t->path, t->time[row], lost);
    }
    return solve(job, 0);
}

/* ---- output ---------------------------------------------------------------------------------- */

static void print_times(const time_job *job, bool steps) {
    const response_ports *p = job->ports;
    const size_t ny = p->info.outputs;
    (void)fputs("time", stdout);
    for (int i = 0; i < p->nout; i++) {
        for (int r = 0; r < job->responses; r++) {
            char name[1024];
            if (steps) {
                pair_name(p, p->out[i], p->in[r], name, sizeof name);
            } else {
                (void)snprintf(name, sizeof name, "%s",
                               gos_linear_output(p->linear, p->out[i]).name);
            }
            (void)fputc(',', stdout);
            print_cell(stdout, name);
        }
    }
    (void)fputc('\n', stdout);
    for (int k = 0; k < job->n; k++) {
        (void)printf("%.17g", k + 1 < job->n ? job->h * k : job->over);
        for (int i = 0; i < p->nout; i++) {
            for (long r = 0; r < job->responses; r++) {
                const size_t row = r * job->n + k;
                (void)printf(",%.17g", job->y[row * ny + p->out[i]]);
            }
        }
        (void)fputc('\n', stdout);
    }
}

static void json_times(const time_job *job, bool steps) {
    const response_ports *p = job->ports;
    const long n = job->n, ny = p->info.outputs;
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    for (long k = 0; k < n; k++) { // the inputs are no longer needed
        job->u[k] = k + 1 < n ? job->h * (double)k : job->over;
    }
    json_numbers(&j, "time", job->u, n, 1);
    json_open(&j, "responses", '[');
    for (int i = 0; i < p->nout; i++) {
        for (long r = 0; r < job->responses; r++) {
            json_pair(&j, p, p->out[i], steps ? p->in[r] : -1);
            json_numbers(&j, "values", job->y + r * n * ny + p->out[i], n, ny);
            json_close(&j, '}');
        }
    }
    json_close(&j, ']');
    json_messages(&j, job->ctx);
    json_close(&j, '}');
}

static int respond(time_job *job, const time_response *how, const input_table *t) {
    int code = choose_times(job, how, t);
    if (code != EXIT_DONE) {
        return code;
    }
    const size_t n = job->n, ny = job->ports->info.outputs;
    job->responses = t != NULL ? 1 : job->ports->nin;
    job->u = calloc(n * job->ports->info.inputs + 1, sizeof *job->u);
    job->y = calloc(n * ny * job->responses + 1, sizeof *job->y);
    if (job->u == NULL || job->y == NULL) {
        (void)complain("out of memory");
        return EXIT_FAILED;
    }
    job->sudden = t == NULL && !(how->rise > 0) && job->scheme != GOS_TRANSIENT_EXACT;
    code = t != NULL ? solve_inputs(job, t) : solve_steps(job, how->rise);
    if (code == EXIT_DONE) {
        end_progress();
        (how->as_json ? json_times : print_times)(job, t == NULL);
    }
    return code;
}

int respond_over_time(gos_ctx *ctx, const response_ports *ports, const time_response *how) {
    time_job job = {.ctx = ctx, .ports = ports, .scheme = schemes[find_scheme(how->scheme)].scheme};
    input_table table = {0};
    int code = how->inputs != NULL ? read_inputs(how->inputs, ports->linear, &table) : EXIT_DONE;
    if (code == EXIT_DONE) {
        code = respond(&job, how, how->inputs != NULL ? &table : NULL);
    }
    free(job.u);
    free(job.y);
    free_inputs(&table);
    return code;
}
