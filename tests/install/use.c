/* A pendulum by calls of the installed library: half a second of it, and the height of its end. */
#include <gossamer/sim.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "bodies:\n"
    "  rod: {type: rigid, mass: 1, inertia: [1, 1, 1], points: {pin: [-1, 0, 0]}}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, rod.pin], axis: [0, 0, 1]}\n"
    "gravity: [0, -9.81, 0]\n"
    "probes:\n"
    "  centre: {at: rod, quantity: position}\n"
    "analysis: {end: 0.5, step: 1.0e-3}\n";

int main(void) {
    gos_ctx *ctx = gos_ctx_create();
    gos_model *model = NULL;
    gos_system *sys = NULL;
    gos_state *state = NULL;
    gos_options options;
    gos_integrator *run = NULL;
    double y[GOS_PROBE_MAX] = {0};
    int ok = gos_model_parse(ctx, text, strlen(text), "use", NULL, &model) == GOS_OK &&
             gos_system_create(ctx, model, &sys) == GOS_OK &&
             gos_state_create(ctx, sys, &state) == GOS_OK;
    if (ok) {
        gos_options_get(sys, &options);
        ok = gos_integrator_create(ctx, sys, &options, state, &run) == GOS_OK;
    }
    while (ok && gos_state_time(state) < options.end) {
        ok = gos_integrator_step(run, options.end) == GOS_OK;
    }
    ok = ok && gos_system_probe(ctx, sys, state, 0, y, NULL) == GOS_OK;
    printf("gossamer %s: %.6f m %s\n", GOS_VERSION, y[1], ok ? "" : gos_ctx_message(ctx));
    gos_integrator_destroy(run);
    gos_state_destroy(state);
    gos_system_destroy(sys);
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
    return ok && y[1] < -0.4 && y[1] > -0.7 ? 0 : 1;
}
