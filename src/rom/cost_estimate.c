/* Cost estimates. Time of a full run: its first steps times the number of steps of a reduced
   run. */
#include <math.h>

#include "parts/gram.h"
#include "rom/auto.h"

#define PART 40   // timed steps
#define ORDER 0.4 // work ~ tolerance^-ORDER (measured: 0.32 to 0.42)

/* Work coefficients, about ns, fitted to 1100 runs of 60 models within 20 %. */
#define EACH 2000.0     // per iteration
#define OF_POINT 25.0   // per iteration and point of a reduced model
#define OF_FIELD 0.35   // per iteration and product of gradients and fields
#define OF_SPARSE 75.0  // per iteration and mesh point
#define OF_ENTRY 0.43   // per iteration and matrix entry
#define OF_GRAM 0.6     // per iteration, row and pair, without points
#define OF_TANGENT 0.15 // per Jacobian and product at points of a reduced model
#define OF_ELEMENT 1.0  // per Jacobian and product at points of a mesh
#define OF_MAKING 60.0  // building a space: per field and node
#define OF_MODES 27.0   // modes: per pair of coordinates
#define EIGEN 1.2e6     // modes: constant part
#define OF_STATE 2.0    // projection: per state, field and node
#define OF_FACTOR 0.2   // factorisation: per product

double gos__cost_run(const gos_system *sys, const gos_statistics *stats) {
    const double n = sys->n, nnz = sys->pattern.nnz;
    double iteration = EACH + OF_ENTRY * nnz, matrix = 0;
    for (int i = 0; i < sys->npoints; i++) {
        const gos_points *p = sys->points[i];
        const double points = (double)p->ne * p->ng, unknowns = 3.0 * p->nv + p->nt * p->nfam;
        const double products = points * unknowns * (3.0 * p->law->nz + unknowns);
        if (p->gram) {
            const double rows = p->gram->rank + p->gram->vrank, m = 3.0 * p->nv;
            iteration += OF_GRAM * rows * p->gram->pairs;
            matrix += OF_GRAM * rows * m * (m + p->gram->all);
            continue;
        }
        iteration += points * (p->dense ? OF_POINT + OF_FIELD * p->law->nz * p->nv : OF_SPARSE);
        matrix += products * (p->dense ? OF_TANGENT : OF_ELEMENT);
    }
    matrix += OF_FACTOR * (sys->pattern.dense ? n * n * n / 3 : n > 0 ? nnz * nnz / n : 0);
    return (double)stats->iterations * iteration + (double)stats->jacobians * matrix;
}

double gos__cost_space(const gos_system *reduced, bool modes, int states) {
    const gos_system *full = reduced->full;
    const double fields = reduced->nv, places = full->nv;
    return OF_MAKING * fields * places + (modes ? EIGEN + OF_MODES * 9 * places * places : 0) +
           OF_STATE * states * (fields * places + 50.0 * full->nnodes);
}

double gos__cost_steps(const gos_options *options, double n, double a, double b) {
    const bool controlled =
        options->analysis == GOS_DYNAMIC && options->step <= 0 && a > 0 && b > 0;
    return controlled ? n * pow(a / b, ORDER) : n;
}

gos_status gos__cost_full(gos_ctx *ctx, const gos_system *full, const gos_options *options,
                          const gos_trial_runs *own, double tolerance, double *work,
                          double *seconds) {
    gos_trial_runs part;
    *seconds = 0;
    if (options->analysis != GOS_DYNAMIC || own->failed) {
        return GOS_OK;
    }
    GOS_TRY(gos__trial_runs_create(ctx, full, options, &part));
    part.most = PART;
    const gos_status status = gos__trial_runs_run(ctx, full, options, &part, NULL, NULL);
    *work += part.work;
    if (status == GOS_OK && part.steps > 0) {
        const double n =
            gos__cost_steps(options, (double)own->steps, tolerance, options->tolerance);
        *seconds = part.seconds / (double)part.steps * fmax(n, (double)part.steps);
    }
    gos__trial_runs_free(ctx, &part);
    return status;
}
