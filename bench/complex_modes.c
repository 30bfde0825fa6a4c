/* Thermal pendulum by local linearisation with complex modes, as published and made right, and
   the variants that fail, against the full run with the same fixed step: errors (max over t of
   e(t), RMS over time of the tip), intervals, energy at updates, and where the time of an
   interval goes. CSV on stdout. Arguments: model, end time [s], only rows whose name contains a
   text. */
#include "bench.h"

#include "gossamer/reduce.h"

#define TIMES 101

typedef struct row {
    const char *name, *settings;
} row;

#define LEVEL(n)                                                                                   \
    "reduction={} reduction.method=complex_modes reduction.displacement_modes=" #n                 \
    " reduction.thermal_modes=25 "
#define FIXED "analysis.step=1e-4 "

static const row rows[] = {
    {"published 35", FIXED LEVEL(35)},
    {"published 30", FIXED LEVEL(30)},
    {"published 25", FIXED LEVEL(25)},
    {"truncate velocity + ignore dropped 35",
     FIXED LEVEL(35) "reduction.velocity=truncate reduction.dropped=ignore"},
    {"truncate velocity + ignore dropped 25",
     FIXED LEVEL(25) "reduction.velocity=truncate reduction.dropped=ignore"},
    {"truncate velocity 25", FIXED LEVEL(25) "reduction.velocity=truncate"},
    {"scale velocity 25", FIXED LEVEL(25) "reduction.velocity=scale"},
    {"scale velocity + ignore dropped 25",
     FIXED LEVEL(25) "reduction.velocity=scale reduction.dropped=ignore"},
    {"ignore dropped 25", FIXED LEVEL(25) "reduction.dropped=ignore"},
    {"no G 25", FIXED LEVEL(25) "reduction.coupling=false"},
    {"real modes 25", FIXED LEVEL(25) "reduction.modes=real"},
    {"real modes + diagonal damping 25", FIXED LEVEL(25) "reduction.modes=real_diagonal"},
    {"one set of modes for 20 intervals 25", FIXED LEVEL(25) "reduction.refresh=20"},
    {"exact steps 25", LEVEL(25)},
    {"turning frame 25", FIXED LEVEL(25) "reduction.corotated=true"},
    {"error control 1e-3 + exact 25",
     LEVEL(25) "reduction.intervals=error reduction.tolerance=1e-3"},
    {"error control 1e-3 + exact + turning frame 25",
     LEVEL(25) "reduction.intervals=error reduction.tolerance=1e-3 reduction.corotated=true"},
    {"error control 1e-3 + exact + one set for 20 intervals 25",
     LEVEL(25) "reduction.intervals=error reduction.tolerance=1e-3 reduction.refresh=20"},
};

/* the settings "NAME=VALUE NAME=VALUE" as a list; `text` is cut up */
static void split(char *text, const char **set) {
    int n = 0;
    for (char *word = strtok(text, " "); word && n < 30; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        if (value) {
            *value = '\0';
            set[n++] = word;
            set[n++] = value + 1;
        }
    }
    set[n] = NULL;
}

typedef struct result {
    bench_run run;
    gos_local_report report;
    bool diverged;
} result;

static result local(gos_ctx *ctx, const gos_system *s, const gos_options *o) {
    result b = {.run = {.ntimes = TIMES}};
    gos_state *x = NULL;
    gos_local *g = NULL;
    gos_system_sizes(s, &b.run.sizes);
    b.run.nnodes = b.run.sizes.nodes;
    b.run.r = calloc((size_t)(TIMES * b.run.nnodes) * 3 + 1, sizeof *b.run.r);
    b.run.T = calloc((size_t)(TIMES * b.run.nnodes) + 1, sizeof *b.run.T);
    if (!b.run.r || !b.run.T || gos_state_create(ctx, s, &x) ||
        gos_local_create(ctx, s, o, x, &g)) {
        bench_die(ctx);
    }
    gos_system_nodes(s, x, b.run.r, NULL, b.run.T, NULL);
    for (int k = 1; k < TIMES && !b.diverged; k++) {
        const double t = o->end * k / (TIMES - 1);
        while (gos_state_time(x) < t * (1 - 1e-13) && !b.diverged) {
            b.diverged = gos_local_step(g, o->end) != GOS_OK;
        }
        gos_system_nodes(s, gos_local_at(g, t), b.run.r + (size_t)(k * b.run.nnodes) * 3, NULL,
                         b.run.T + (size_t)(k * b.run.nnodes), NULL);
    }
    gos_local_statistics(g, &b.run.stats);
    gos_local_get_report(g, &b.report);
    gos_local_destroy(g);
    gos_state_destroy(x);
    return b;
}

/* RMS over the times of the last node's distance [m] */
static double tip_error(const bench_run *a, const bench_run *b) {
    double sum = 0;
    for (int k = 0; k < a->ntimes; k++) {
        const size_t at = 3 * ((size_t)(k + 1) * (size_t)a->nnodes - 1);
        for (int c = 0; c < 3; c++) {
            sum += (a->r[at + c] - b->r[at + c]) * (a->r[at + c] - b->r[at + c]) / a->ntimes;
        }
    }
    return sqrt(sum);
}

static void print(const row *w, const bench_run *full, const result *b) {
    const gos_local_report *p = &b->report;
    const double per = 1e3 / (double)(p->intervals > 0 ? p->intervals : 1);
    printf("%s%s,%d,%d,%ld,%ld,%.3g,%.3g,%.2g,%.2g,%.0f,%.1f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f\n",
           w->name, b->diverged ? " (diverged)" : "", p->modes, p->columns, p->intervals,
           b->run.stats.steps, bench_error(full, &b->run) * full->sizes.extent,
           tip_error(full, &b->run), p->energy_jump / p->peak_kinetic,
           p->energy_drift / p->peak_kinetic, 1e3 * b->run.stats.time_total,
           b->run.stats.time_total / full->stats.time_total, per * p->time_assembly,
           per * p->time_nullspace, per * p->time_eigen, per * p->time_projection,
           per * p->time_step, per * p->time_force);
    fflush(stdout);
}

int main(int argc, char **argv) {
    gos_blas_select(argv);
    const char *path = argc > 1 ? argv[1] : "examples/thermal-pendulum/model.yaml";
    const char *end = argc > 2 ? argv[2] : "2";
    const char *only = argc > 3 ? argv[3] : "";
    const int all = (int)(sizeof rows / sizeof *rows);
    gos_ctx *ctx = gos_ctx_create();
    const char *plain[] = {"t_end", end, NULL};
    gos_system *s = bench_system(ctx, path, plain);
    gos_options o;
    gos_options_get(s, &o);
    o.step = 1e-4;
    bench_run full = bench_integrate(ctx, s, &o, TIMES);
    printf("run,modes,columns,intervals,steps,max_e_m,tip_rms_m,energy_jump,energy_drift,solve_ms,"
           "times_full,assembly_ms,nullspace_ms,eigen_ms,projection_ms,steps_ms,forces_ms\n");
    printf("full h=1e-4,,,,%ld,,,,,%.0f,1,,,,,,\n", full.stats.steps, 1e3 * full.stats.time_total);
    for (int k = 0; k < all; k++) {
        char text[500];
        if (!strstr(rows[k].name, only)) {
            continue;
        }
        const char *set[40];
        snprintf(text, sizeof text, "t_end=%s %s", end, rows[k].settings);
        split(text, set);
        gos_system *m = bench_system(ctx, path, set);
        gos_options_get(m, &o);
        result b = local(ctx, m, &o);
        print(&rows[k], &full, &b);
        bench_free(&b.run);
        gos_system_destroy(m);
    }
    bench_free(&full);
    gos_system_destroy(s);
    gos_ctx_destroy(ctx);
    return 0;
}
