/* The loop of bench/python.py in C: one input set, one step, three outputs read, through the public
   API. Prints the processor time of the loop [s]. Usage: bench_python_step MODEL.yaml STEPS H */
#include "bench.h"

int main(int argc, char **argv) {
    if (argc < 4) {
        return 2;
    }
    const long steps = strtol(argv[2], NULL, 10);
    const double h = strtod(argv[3], NULL);
    gos_ctx *ctx = gos_ctx_create();
    gos_system *sys = bench_system(ctx, argv[1], NULL);
    gos_state *x = NULL;
    gos_integrator *run = NULL;
    gos_options options;
    gos_options_get(sys, &options);
    if (gos_state_create(ctx, sys, &x) || gos_integrator_create(ctx, sys, &options, x, &run)) {
        bench_die(ctx);
    }
    const int place = gos_system_probe_find(sys, "place");
    const int input = gos_system_input_find(sys, "push.x");
    double value[GOS_PROBE_MAX] = {0}, rate[GOS_PROBE_MAX], sum = 0;
    const clock_t begin = clock();
    for (long k = 0; k < steps; k++) {
        const double force = 1 - value[0];
        if (gos_state_set_input(ctx, x, input, force, gos_state_time(x)) ||
            gos_integrator_step(run, gos_state_time(x) + h) ||
            gos_system_probe(ctx, sys, x, place, value, rate)) {
            bench_die(ctx);
        }
        sum += value[0] + value[1] + value[2];
    }
    printf("%.9g %.17g\n", (double)(clock() - begin) / CLOCKS_PER_SEC, sum);
    gos_integrator_destroy(run);
    gos_state_destroy(x);
    gos_system_destroy(sys);
    gos_ctx_destroy(ctx);
    return 0;
}
