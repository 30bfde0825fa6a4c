/* The thermal pendulum through the C API: build the model by calls, compile it, run it into a
   results file, read a probe back. The same model as ../thermal-pendulum/model.yaml. */
#include <stdio.h>

#include <gossamer/gossamer.h>

/* entries of the model: a path and a value in YAML's flow style */
static const char *const entries[][2] = {
    {"name", "pendulum through the C API"},
    {"parameters", "{n: 16, L: 1.2, flux: 2.0e4}"},
    {"gravity", "[0, -9.81, 0]"},
    {"materials.rubber", "{density: 2000, young: 1.0e8, conductivity: 1, specific_heat: 200, "
                         "expansion: 1.0e-4, damping: {normal: 4.5e-3}, absorptivity: 1}"},
    {"sections.bar", "{type: rectangle, height: 0.01, width: 0.02}"},
    {"bodies.rod", "{type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], "
                   "to: [L, 0, 0], elements: n}"},
    {"joints.pin", "{type: spherical, between: [ground, rod.start]}"},
    {"heat.sun", "{type: flux, value: flux, direction: [0, -1, 0], on: rod}"},
    {"probes.tip", "{at: rod.end, quantity: position}"},
    {"probes.tip_temperature", "{at: rod.end, quantity: temperature}"},
    {"analysis", "{type: dynamic, end: 2, tolerance: 1.0e-4}"},
};

static gos_status build(gos_ctx *ctx, gos_model **model, gos_system **sys) {
    gos_status status = gos_model_create(ctx, model);
    for (size_t i = 0; status == GOS_OK && i < sizeof entries / sizeof entries[0]; i++) {
        status = gos_model_set(ctx, *model, entries[i][0], entries[i][1]);
    }
    return status == GOS_OK ? gos_system_create(ctx, *model, sys) : status;
}

static gos_status run(gos_ctx *ctx, const gos_system *sys, const char *path) {
    gos_options options;
    gos_statistics stats;
    gos_options_get(sys, &options);
    gos_status status = gos_run(ctx, sys, &options, path, &stats);
    if (status == GOS_OK) {
        printf("%ld steps in %.1f ms\n", stats.steps, 1e3 * stats.time_total);
    }
    return status;
}

static gos_status show(gos_ctx *ctx, const char *path) {
    gos_results *results = NULL;
    gos_status status = gos_results_open(ctx, path, &results);
    for (int k = 0; status == GOS_OK && k <= 4; k++) {
        double x[GOS_PROBE_MAX], T[GOS_PROBE_MAX];
        const double t = 0.5 * k;
        status = gos_results_probe_at(results, gos_results_probe_find(results, "tip"), t, x);
        if (status == GOS_OK) {
            status = gos_results_probe_at(results,
                                          gos_results_probe_find(results, "tip_temperature"), t, T);
        }
        if (status == GOS_OK) {
            printf("t %.1f s: tip at (%.4f, %.4f) m, %.3f K warmer\n", t, x[0], x[1], T[0]);
        }
    }
    gos_results_close(results);
    return status;
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "pendulum.h5";
    gos_model *model = NULL;
    gos_system *sys = NULL;
    gos_ctx *ctx = gos_ctx_create();
    gos_status status = ctx ? build(ctx, &model, &sys) : GOS_E_MEMORY;
    status = status == GOS_OK ? run(ctx, sys, path) : status;
    status = status == GOS_OK ? show(ctx, path) : status;
    if (status != GOS_OK) {
        fprintf(stderr, "%s: %s\n", gos_status_text(status), ctx ? gos_ctx_message(ctx) : "");
    }
    gos_system_destroy(sys);
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
    return status == GOS_OK ? 0 : 1;
}
