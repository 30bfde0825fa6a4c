/* A linear model from what the user names: a file or folder that holds one, or a model to linearise. */
#include <stdlib.h>

#include "cli.h"

/* Bring the state to where the model is to be linearised, with consistent accelerations. */
static gos_status reach(gos_ctx *ctx, const linear_point *where, const gos_system *sys,
                        gos_state *state) {
    gos_options options;
    gos_options_get(sys, &options);
    gos_status status = GOS_OK;
    if (gos_system_linear(sys) && !where->equilibrium && !where->at_given) {
        return GOS_OK;
    }
    if (where->equilibrium || (where->at_given && options.start_equilibrium)) {
        gos_statistics stats;
        options.analysis = GOS_STATIC;
        status = gos_solve_static(ctx, sys, &options, state, &stats);
    }
    if (status != GOS_OK || where->equilibrium) {
        return status;
    }
    options.analysis = GOS_DYNAMIC;
    options.end = where->at_given ? where->at : options.end > 0 ? options.end : 1;
    gos_integrator *integrator = NULL;
    status = gos_integrator_create(ctx, sys, &options, state, &integrator);
    while (status == GOS_OK && where->at_given && gos_state_time(state) < where->at) {
        status = gos_integrator_step(integrator, where->at);
    }
    gos_integrator_destroy(integrator);
    return status;
}

int load_point(gos_ctx *ctx, const char *path, const text_list *settings, const linear_point *where,
               gos_model **model, gos_system **sys, gos_state **state) {
    const int code = load_system(ctx, path, settings, model, sys);
    if (code != EXIT_DONE) {
        return code;
    }
    gos_status status = gos_state_create(ctx, *sys, state);
    status = status == GOS_OK ? reach(ctx, where, *sys, *state) : status;
    return exit_code(status, false);
}

int check_linear_point(const char *command, const linear_point *where) {
    if (where->equilibrium && where->at_given) {
        return complain("%s: --equilibrium and --at exclude each other", command);
    }
    return where->at >= 0 ? -1 : complain("%s: --at needs a time of 0 or later", command);
}

bool is_linear(const char *path) {
    return is_mat(path) || gos_linear_is_there(path);
}

int load_linear(gos_ctx *ctx, const char *path, const text_list *settings,
                const linear_point *where, gos_linear **linear) {
    if (is_linear(path)) {
        if (settings->n > 0 || where->equilibrium || where->at_given) {
            return complain("%s is a linear model: --set, --equilibrium and --at have no meaning",
                            path);
        }
        return is_mat(path) ? read_mat(ctx, path, linear)
                            : exit_code(gos_linear_read(ctx, path, linear), true);
    }
    gos_model *model = NULL;
    gos_system *sys = NULL;
    gos_state *state = NULL;
    int code = load_point(ctx, path, settings, where, &model, &sys, &state);
    if (code == EXIT_DONE) {
        code = exit_code(gos_linearise(ctx, sys, state, linear), false);
    }
    gos_state_destroy(state);
    gos_system_destroy(sys);
    gos_model_destroy(model);
    return code;
}
