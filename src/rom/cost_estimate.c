/* Cost estimates. Time of a full run: its first steps times the number of steps of a reduced
   run. */
#include <math.h>

#include "parts/gram.h"
#include "rom/auto.h"

#define TIMED_STEPS 40 // timed steps
#define STEP_ORDER 0.4 // work ~ tolerance^-STEP_ORDER (measured: 0.32 to 0.42)

/* Work coefficients, about ns, fitted to 1100 runs of 60 models within 20 %. */
#define PER_ITERATION 2000.0    // per iteration
#define PER_POINT 25.0          // per iteration and point of a reduced model
#define PER_FIELD 0.35          // per iteration and product of gradients and fields
#define PER_MESH_POINT 75.0     // per iteration and mesh point
#define PER_ENTRY 0.43          // per iteration and matrix entry
#define PER_GRAM_PAIR 0.6       // per iteration, row and pair, without points
#define PER_POINT_TANGENT 0.15  // per Jacobian and product at points of a reduced model
#define PER_ELEMENT_TANGENT 1.0 // per Jacobian and product at points of a mesh
#define PER_SPACE_FIELD 60.0    // building a space: per field and node
#define PER_MODE_PAIR 27.0      // modes: per pair of coordinates
#define PER_MODE_SOLID                                                                             \
    6300.0 // ... of many: nodes to the power 3/2 (measured: hex20, 2e3 to 4e4 nodes)
#define MODES_CONSTANT 1.2e6    // modes: constant part
#define PER_PROJECTED_STATE 2.0 // projection: per state, field and node
#define PER_FACTOR_PRODUCT 0.2  // factorisation: per product

double gos__cost_run(const gos_system *sys, const gos_statistics *stats) {
    const double n = sys->n, nnz = sys->pattern.nnz;
    double iteration = PER_ITERATION + PER_ENTRY * nnz, matrix = 0;
    for (int i = 0; i < sys->npoints; i++) {
        const gos_points *p = sys->points[i];
        const double points = (double)p->ne * p->ng, unknowns = 3.0 * p->nv + p->nt * p->nfam;
        const double products = points * unknowns * (3.0 * p->law->nz + unknowns);
        if (p->gram) {
            const double rows = p->gram->rank + p->gram->vrank, m = 3.0 * p->nv;
            iteration += PER_GRAM_PAIR * rows * p->gram->pairs;
            matrix += PER_GRAM_PAIR * rows * m * (m + p->gram->all);
            continue;
        }
        iteration +=
            points * (p->dense ? PER_POINT + PER_FIELD * p->law->nz * p->nv : PER_MESH_POINT);
        matrix += products * (p->dense ? PER_POINT_TANGENT : PER_ELEMENT_TANGENT);
    }
    matrix += PER_FACTOR_PRODUCT * (sys->pattern.dense ? n * n * n / 3 : n > 0 ? nnz * nnz / n : 0);
    return (double)stats->iterations * iteration + (double)stats->jacobians * matrix;
}

double gos__cost_space(const gos_system *reduced, bool modes, int states) {
    const gos_system *full = reduced->full;
    const double fields = reduced->nv, vectors = full->nv;
    return PER_SPACE_FIELD * fields * vectors +
           (modes ? MODES_CONSTANT + fmin(PER_MODE_PAIR * 9 * vectors * vectors,
                                          PER_MODE_SOLID * vectors * sqrt(vectors))
                  : 0) +
           PER_PROJECTED_STATE * states * (fields * vectors + 50.0 * full->nnodes);
}

double gos__cost_steps(const gos_options *options, double n, double a, double b) {
    const bool controlled =
        options->analysis == GOS_DYNAMIC && options->step <= 0 && a > 0 && b > 0;
    return controlled ? n * pow(a / b, STEP_ORDER) : n;
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
    part.max_steps = TIMED_STEPS;
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
