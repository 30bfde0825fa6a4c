/* A closed loop on the satellite's attitude: a PD law, sampled twice a second, drives the torques
   on both heavy bodies until the spin about X has stopped and the attitude is that of the
   beginning. Run as
   ./control ../dumbbell-satellite/model.yaml [END], with the end of the run in s. */
#include <stdio.h>

#include <gossamer/gossamer.h>

#define SAMPLE 0.5      // [s]
#define STIFFNESS 4.0e4 // torque on each body by angle [N m/rad]
#define DAMPING 2.5e5   // and by rate [N m s/rad]; 1.7e6 kg m^2 turn about X

static gos_status control(gos_ctx *ctx, const gos_system *sys, gos_state *state,
                          gos_integrator *run, double end) {
    const int cone = gos_system_input_find(sys, "wheel_a.x");
    const int cube = gos_system_input_find(sys, "wheel_b.x");
    const int attitude = gos_system_probe_find(sys, "b_rotation");
    gos_status status = GOS_OK;
    for (int k = 1; status == GOS_OK && gos_state_time(state) < end; k++) {
        const double t = gos_state_time(state);
        double angle[GOS_PROBE_MAX], rate[GOS_PROBE_MAX];
        status = gos_system_probe(ctx, sys, state, attitude, angle, rate);
        const double torque = -STIFFNESS * angle[0] - DAMPING * rate[0];
        if (k % 8 == 1) {
            printf("t %4.1f s: angle %8.5f rad, rate %8.5f rad/s, torques %7.1f N m\n", t, angle[0],
                   rate[0], torque);
        }
        status = status == GOS_OK ? gos_state_set_input(ctx, state, cone, torque, t) : status;
        status = status == GOS_OK ? gos_state_set_input(ctx, state, cube, torque, t) : status;
        while (status == GOS_OK && gos_state_time(state) < k * SAMPLE) {
            status = gos_integrator_step(run, k * SAMPLE);
        }
    }
    return status;
}

int main(int argc, char **argv) {
    gos_model *model = NULL;
    gos_system *sys = NULL;
    gos_state *state = NULL;
    gos_integrator *run = NULL;
    gos_options options;
    gos_ctx *ctx = gos_ctx_create();
    gos_status status =
        ctx ? gos_model_read(ctx, argc > 1 ? argv[1] : "model.yaml", &model) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos_model_set(ctx, model, "parameters.spin", "0.01") : status;
    status = status == GOS_OK
                 ? gos_model_set(ctx, model, "parameters.t_end", argc > 2 ? argv[2] : "25")
                 : status;
    status = status == GOS_OK ? gos_system_create(ctx, model, &sys) : status;
    status = status == GOS_OK ? gos_state_create(ctx, sys, &state) : status;
    if (status == GOS_OK) {
        gos_options_get(sys, &options);
        status = gos_integrator_create(ctx, sys, &options, state, &run);
    }
    status = status == GOS_OK ? control(ctx, sys, state, run, options.end) : status;
    if (status != GOS_OK) {
        fprintf(stderr, "%s: %s\n", gos_status_text(status), ctx ? gos_ctx_message(ctx) : "");
    }
    gos_integrator_destroy(run);
    gos_state_destroy(state);
    gos_system_destroy(sys);
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
    return status == GOS_OK ? 0 : 1;
}
