/* gossamer modes: the lowest modes of a model linearised about a state. */
#include <math.h>
#include <stdlib.h>

#include "cli.h"

typedef struct modes_job {
    gos_ctx *ctx;
    int n;
    bool damped, equilibrium, at_given, as_json;
    double at;
} modes_job;

/* Bring the state to where the model is to be linearised, with consistent accelerations. */
static gos_status reach(const modes_job *job, const gos_system *sys, gos_state *state) {
    gos_options options;
    gos_options_get(sys, &options);
    gos_status status = GOS_OK;
    if (job->equilibrium || (job->at_given && options.start_equilibrium)) {
        gos_statistics stats;
        options.analysis = GOS_STATIC;
        status = gos_solve_static(job->ctx, sys, &options, state, &stats);
    }
    if (status != GOS_OK || job->equilibrium) {
        return status;
    }
    options.analysis = GOS_DYNAMIC;
    options.end = job->at_given ? job->at : options.end > 0 ? options.end : 1;
    gos_integrator *integrator = NULL;
    status = gos_integrator_create(job->ctx, sys, &options, state, &integrator);
    while (status == GOS_OK && job->at_given && gos_state_time(state) < job->at) {
        status = gos_integrator_step(integrator, job->at);
    }
    gos_integrator_destroy(integrator);
    return status;
}

static void print_modes(const modes_job *job, const gos_mode *mode, int n) {
    if (job->damped) {
        (void)printf("mode  frequency [Hz]  damping ratio    real [1/s]  imaginary [1/s]\n");
        for (int i = 0; i < n; i++) {
            (void)printf("%4d  %14.7g  %13.6g  %12.5g  %15.7g%s\n", i + 1, mode[i].frequency,
                         mode[i].damping, mode[i].re, mode[i].im, mode[i].rigid ? "  rigid" : "");
        }
        return;
    }
    (void)printf("mode  frequency [Hz]  omega [rad/s]  effective mass x, y, z [kg]\n");
    for (int i = 0; i < n; i++) {
        (void)printf("%4d  %14.7g  %13.7g  %10.4g %10.4g %10.4g%s\n", i + 1, mode[i].frequency,
                     mode[i].omega, mode[i].mass[0], mode[i].mass[1], mode[i].mass[2],
                     mode[i].rigid ? "  rigid" : "");
    }
}

static void json_modes(const modes_job *job, const gos_mode *mode, int n) {
    static const char *const axis[] = {"x", "y", "z"};
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_bool(&j, "damped", job->damped);
    json_open(&j, "modes", '[');
    for (int i = 0; i < n; i++) {
        json_open(&j, NULL, '{');
        json_number(&j, "frequency", mode[i].frequency);
        json_number(&j, "omega", mode[i].omega);
        json_bool(&j, "rigid", mode[i].rigid);
        if (job->damped) {
            json_number(&j, "damping", mode[i].damping);
            json_number(&j, "re", mode[i].re);
            json_number(&j, "im", mode[i].im);
        } else {
            json_open(&j, "effective_mass", '{');
            for (int c = 0; c < 3; c++) {
                json_number(&j, axis[c], mode[i].mass[c]);
            }
            json_close(&j, '}');
        }
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_messages(&j, job->ctx);
    json_close(&j, '}');
}

static gos_status solve(const modes_job *job, const gos_system *sys, gos_mode *mode, int *found) {
    gos_state *state = NULL;
    gos_linear *linear = NULL;
    gos_status status = gos_state_create(job->ctx, sys, &state);
    if (status == GOS_OK) {
        status = reach(job, sys, state);
    }
    if (status == GOS_OK) {
        status = gos_linearise(job->ctx, sys, state, &linear);
    }
    if (status == GOS_OK) {
        status = gos_linear_modes(job->ctx, linear, job->n, job->damped, mode, found);
    }
    gos_linear_destroy(linear);
    gos_state_destroy(state);
    return status;
}

static int modes(const modes_job *job, const char *path, const text_list *settings) {
    gos_model *model = NULL;
    gos_system *sys = NULL;
    int found = 0;
    gos_mode *mode = calloc((size_t)job->n, sizeof *mode);
    int code = mode == NULL ? EXIT_FAILED : load_system(job->ctx, path, settings, &model, &sys);
    if (code == EXIT_DONE) {
        watch_progress(job->ctx, false);
        code = exit_code(solve(job, sys, mode, &found), false);
        end_progress();
    }
    if (!job->as_json || code != EXIT_DONE) {
        show_messages(job->ctx, 0);
    }
    if (code == EXIT_DONE) {
        (job->as_json ? json_modes : print_modes)(job, mode, found);
    }
    free(mode);
    gos_system_destroy(sys);
    gos_model_destroy(model);
    return code;
}

int command_modes(int argc, char **argv) {
    modes_job job = {.n = 10};
    text_list rest = {0}, settings = {0};
    const option options[] = {{"-n", OPTION_COUNT, &job.n, NULL},
                              {"--damped", OPTION_FLAG, &job.damped, NULL},
                              {"--equilibrium", OPTION_FLAG, &job.equilibrium, NULL},
                              {"--at", OPTION_NUMBER, &job.at, &job.at_given},
                              {"--set", OPTION_LIST, &settings, NULL},
                              {"--json", OPTION_FLAG, &job.as_json, NULL},
                              {0}};
    int code = parse_arguments("modes", argc, argv, options, &rest, 1, 1);
    if (code < 0 && job.equilibrium && job.at_given) {
        code = complain("modes: --equilibrium and --at exclude each other");
    }
    if (code < 0 && !(job.at >= 0)) {
        code = complain("modes: --at needs a time of 0 or later");
    }
    if (code < 0) {
        job.ctx = gos_ctx_create();
        code = job.ctx != NULL ? modes(&job, rest.v[0], &settings) : EXIT_FAILED;
    }
    gos_ctx_destroy(job.ctx);
    free_list(&settings);
    free_list(&rest);
    return code;
}
