/* Whole floating bodies of meshes: a bar of hex8 on a hinge at its end face swings 20 steps of 1
   ms, by its number of displacements and for frames that are held and those that follow all of the
   body. Seconds of making the system (mesh to equations), of the first step (ordering, first
   factorisation) and, in ms, of a further one and its parts. CSV on stdout.

   bench_floating_mesh [MOST] (displacements, 50000 by default) */
#include <sys/resource.h>

#include "bench.h"

static const char model[] =
    "gravity: [0, -9.81, 0]\n"
    "materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3}}\n"
    "meshes: {bar: {type: box, size: [1, 0.05, 0.05], cells: [%d, %d, %d]}}\n"
    "bodies: {bar: {type: floating, mesh: bar, material: steel, %srayleigh: [0, 1e-5]}}\n"
    "joints: {axle: {type: revolute, between: [ground, bar.left], axis: [0, 0, 1]}}\n"
    "probes: {tip: {at: bar.corner_7, quantity: displacement}}\n"
    "analysis: {type: dynamic, end: 0.02, step: 1e-3}\n";

static const int cells[][3] = {{20, 3, 3}, {45, 5, 5}, {68, 9, 8}, {80, 13, 13}, {120, 15, 15}};

static double now(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static void measure(const int *n, const char *name, const char *reference) {
    char text[sizeof model + 200];
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    gos_system *s = NULL;
    gos_state *x = NULL;
    gos_integrator *g = NULL;
    gos_options o;
    gos_sizes sizes;
    gos_statistics first, all;
    struct rusage use;
    (void)snprintf(text, sizeof text, model, n[0], n[1], n[2], reference);
    if (gos_model_parse(ctx, text, strlen(text), "bar", NULL, &m)) {
        bench_die(ctx);
    }
    const double begin = now();
    if (gos_system_create(ctx, m, &s)) {
        bench_die(ctx);
    }
    const double made = now();
    gos_model_destroy(m);
    gos_options_get(s, &o);
    gos_system_sizes(s, &sizes);
    if (gos_state_create(ctx, s, &x) || gos_integrator_create(ctx, s, &o, x, &g) ||
        gos_integrator_step(g, o.end)) {
        bench_die(ctx);
    }
    const double begun = now();
    gos_integrator_statistics(g, &first);
    while (gos_state_time(x) < o.end) {
        if (gos_integrator_step(g, o.end)) {
            bench_die(ctx);
        }
    }
    const double end = now();
    gos_integrator_statistics(g, &all);
    (void)getrusage(RUSAGE_SELF, &use);
    const double per = 1e3 / (double)(all.steps - first.steps);
    printf("%s,%d,%.2f,%.2f,%.1f,%.2f,%.2f,%.1f,%.1f,%.1f,%.1f,%.0f\n", name,
           3 * (n[0] + 1) * (n[1] + 1) * (n[2] + 1), made - begin, begun - made,
           per * (end - begun),
           (double)(all.iterations - first.iterations) / (double)(all.steps - first.steps),
           (double)(all.factorisations - first.factorisations) / (double)(all.steps - first.steps),
           per * (all.time_residual - first.time_residual),
           per * (all.time_jacobian - first.time_jacobian),
           per * (all.time_factor - first.time_factor), per * (all.time_solve - first.time_solve),
           (double)use.ru_maxrss / 1024);
    (void)fflush(stdout);
    gos_integrator_destroy(g);
    gos_state_destroy(x);
    gos_system_destroy(s);
    gos_ctx_destroy(ctx);
}

int main(int argc, char **argv) {
    const double most = argc > 1 ? atof(argv[1]) : 50000;

    gos_blas_select(argv);
    printf("reference,displacements,s_making,s_first_step,ms_per_step,iterations,factorisations,"
           "residual,matrix,factorisation,solution,peak_MB\n");
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        if (3.0 * (cells[i][0] + 1) * (cells[i][1] + 1) * (cells[i][2] + 1) <= most) {
            measure(cells[i], "clamped", "reference: clamped, at: left, ");
            measure(cells[i], "mean_axis", "");
        }
    }
    return 0;
}
