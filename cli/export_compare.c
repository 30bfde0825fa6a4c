/* Error of a linearised model: a run of the system from the operating point, with its own loads as
   functions of time, against the linear model under the same inputs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { INTERVALS = 1000 }; // of the time to the end of the analysis

typedef struct comparison {
    gos_ctx *ctx;
    const gos_system *sys;
    const gos_linear *linear;
    int nu, ny;
    int *input; // of the system, or -1 (nu)
    int *probe; // (ny), or -1
    int *component;
    double start, step;
    double *u, *y,
        *own; // (INTERVALS + 1, nu or ny): inputs, outputs of the run, of the linear model
} comparison;

/* the probe and the component of an output "tip.y" */
static void find_output(comparison *k, int i) {
    const char *name = gos_linear_output(k->linear, i).name;
    k->probe[i] = -1;
    for (int p = 0; p < gos_system_nprobes(k->sys); p++) {
        gos_probe_info info;
        gos_system_probe_info(k->sys, p, &info);
        const size_t n = strlen(info.name);
        for (int c = 0; c < info.ncomp && strncmp(name, info.name, n) == 0; c++) {
            if (name[n] == '.' && strcmp(name + n + 1, info.components[c]) == 0) {
                k->probe[i] = p;
                k->component[i] = c;
            }
        }
    }
}

static gos_status take_row(const comparison *k, const gos_state *state, int row) {
    double value[GOS_PROBE_MAX];
    gos_status status = GOS_OK;
    for (int i = 0; i < k->nu; i++) {
        const double u = k->input[i] >= 0 ? gos_state_input(state, k->input[i]) : 0;
        k->u[(size_t)row * k->nu + i] = u - (row > 0 ? k->u[i] : 0);
    }
    for (int i = 0, last = -1; i < k->ny && status == GOS_OK; i++) {
        if (k->probe[i] < 0) {
            continue;
        }
        if (k->probe[i] != last) {
            status = gos_system_probe(k->ctx, k->sys, state, k->probe[i], value, NULL);
            last = k->probe[i];
        }
        k->y[(size_t)row * k->ny + i] = value[k->component[i]] - (row > 0 ? k->y[i] : 0);
    }
    return status;
}

/* rows as differences from the first one, which becomes 0 */
static gos_status run_system(const comparison *k, const gos_options *options, gos_state *state) {
    gos_integrator *integrator = NULL;
    gos_status status = take_row(k, state, 0);
    status = status == GOS_OK ? gos_integrator_create(k->ctx, k->sys, options, state, &integrator)
                              : status;
    const double end = k->start + INTERVALS * k->step;
    for (int row = 1; row <= INTERVALS && status == GOS_OK;) {
        status = gos_integrator_step(integrator, end);
        for (; row <= INTERVALS && status == GOS_OK; row++) {
            const double t = row < INTERVALS ? k->start + row * k->step : end;
            if (t > gos_state_time(state)) {
                break;
            }
            status = take_row(k, gos_integrator_at(integrator, t), row);
        }
    }
    gos_integrator_destroy(integrator);
    memset(k->u, 0, (size_t)k->nu * sizeof *k->u);
    memset(k->y, 0, (size_t)k->ny * sizeof *k->y);
    return status;
}

/* Largest difference, relative to the largest change of any component of the same probe. */
static double worst_of(const comparison *k, int *worst) {
    double most = 0;
    *worst = -1;
    for (int i = 0; i < k->ny; i++) {
        double range = 0, off = 0;
        for (int row = 0; row <= INTERVALS && k->probe[i] >= 0; row++) {
            const double *y = k->y + (size_t)row * k->ny;
            off = fmax(off, fabs(k->own[(size_t)row * k->ny + i] - y[i]));
            for (int j = 0; j < k->ny; j++) {
                range = k->probe[j] == k->probe[i] ? fmax(range, fabs(y[j])) : range;
            }
        }
        if (range > 0 && off / range > most) {
            most = off / range;
            *worst = i;
        }
    }
    return most;
}

static gos_status compare(comparison *k, const gos_options *options, gos_state *state) {
    const size_t nu = (size_t)k->nu, ny = (size_t)k->ny, rows = INTERVALS + 1;
    k->input = calloc(nu + 2 * ny + 1, sizeof *k->input);
    k->u = calloc(rows * (nu + 2 * ny) + 1, sizeof *k->u);
    if (k->input == NULL || k->u == NULL) {
        return GOS_E_MEMORY;
    }
    k->probe = k->input + nu;
    k->component = k->probe + ny;
    k->y = k->u + rows * nu;
    k->own = k->y + rows * ny;
    for (int i = 0; i < k->nu; i++) {
        k->input[i] = gos_system_input_find(k->sys, gos_linear_input(k->linear, i).name);
    }
    for (int i = 0; i < k->ny; i++) {
        find_output(k, i);
    }
    const gos_status status = run_system(k, options, state);
    return status == GOS_OK ? gos_linear_transient(k->ctx, k->linear, GOS_TRANSIENT_AUTO, k->step,
                                                   INTERVALS + 1, k->u, k->own)
                            : status;
}

int compare_with_run(gos_ctx *ctx, const point *p, const gos_linear *linear) {
    gos_linear_info info;
    gos_options options;
    int worst;
    gos_linear_info_get(linear, &info);
    gos_options_get(p->sys, &options);
    comparison k = {.ctx = ctx,
                    .sys = p->sys,
                    .linear = linear,
                    .nu = info.inputs,
                    .ny = info.outputs,
                    .start = gos_state_time(p->state)};
    k.step = (options.end - k.start) / INTERVALS;
    if (options.analysis != GOS_DYNAMIC || !(k.step > 0)) {
        return complain("export: --compare requires a dynamic analysis that ends after the state");
    }
    const gos_status status = compare(&k, &options, p->state);
    end_progress();
    if (status == GOS_OK) {
        const double most = worst_of(&k, &worst);
        (void)fprintf(stderr,
                      "gossamer: linearisation: a run of the model from this state with its own "
                      "loads, to %g s, differs by at most %.2g of the largest change%s%s\n",
                      options.end, most, worst >= 0 ? ": " : "",
                      worst >= 0 ? plain(gos_linear_output(linear, worst).name) : "");
    }
    free(k.input);
    free(k.u);
    return exit_code(status, false);
}
