/* Compares the processor time of a run with reduced floating bodies, preparation included, with
 * that of a full run, extrapolated from its first part. Only expensive preparations and runs are
 * compared: below a second processor times are not accurate. */
#include <math.h>
#include <time.h>

#include "cli.h"

#define FREE_TIME 0.5    // preparation, or excess over full runs, that is always accepted [s]
#define MAX_COST 1.3     // accepted cost relative to full runs
#define FIRST_PART 0.05  // part of the full run that is measured
#define MAX_MEASURE 10.0 // limit of this measurement while preparing [s]
#define MEASURE_PART 0.1 // ... after a run, relative to its cost

double cpu_seconds(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct measured {
    double last, reached; // simulated times [s]: end of the measurement, reached so far
    double limit;         // processor time at which it is given up [s]
} measured;

static int on_row(void *user, double time, const double *value, const double *rate) {
    measured *m = user;
    (void)value;
    (void)rate;
    m->reached = time;
    return m->reached >= m->last || cpu_seconds() > m->limit;
}

/* Processor time of the full run, extrapolated [s]; HUGE_VAL: its first part takes longer than
 * `limit`, or it fails. */
static double full_run(const run_plan *plan, double limit) {
    const double start = cpu_seconds();
    measured m = {.limit = start + limit};
    gos_ctx *ctx = gos_ctx_create();
    gos_model *model = NULL;
    gos_system *sys = NULL;
    gos_options o;
    double cost = HUGE_VAL;
    if (ctx == NULL) {
        return cost;
    }
    show_progress(ctx, true);
    limit_progress(m.limit);
    if (load_system(ctx, plan->path, plan->settings, &model, &sys) == EXIT_DONE) {
        gos_options_get(sys, &o);
        if (plan->until > 0) {
            gos_options_until(&o, plan->until);
        }
        const bool part = o.analysis == GOS_DYNAMIC;
        m.last = part ? FIRST_PART * o.end : HUGE_VAL;
        const double made = cpu_seconds();
        const gos_status status =
            gos_run_into(ctx, sys, &o, NULL, &(gos_sink){.row = on_row}, &m, NULL);
        const double end = cpu_seconds();
        if (part && m.reached >= m.last) {
            cost = made - start + (end - made) * o.end / m.reached;
        } else if (status == GOS_OK) {
            cost = end - start;
        }
    }
    limit_progress(0);
    gos_system_destroy(sys);
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
    return cost;
}

bool preparation_pays(run_plan *plan) {
    if (plan->full <= 0) {
        plan->full = full_run(plan, MAX_MEASURE);
    }
    plan->limit = MAX_COST * plan->runs * plan->full;
    return plan->limit > FREE_TIME;
}

double first_limit(void) {
    return FREE_TIME;
}

bool run_pays(run_plan *plan, double prepared, double run) {
    const double cost = prepared + plan->runs * run;
    if (cost <= FREE_TIME) {
        return true;
    }
    if (plan->full <= 0) {
        plan->full = full_run(plan, MEASURE_PART * (prepared + run));
    }
    return !(cost > MAX_COST * plan->runs * plan->full &&
             cost > plan->runs * plan->full + FREE_TIME);
}
