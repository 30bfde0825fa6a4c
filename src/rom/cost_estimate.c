/* What a run of the full model takes, without making one: its first steps are timed, and how many
   there are is known from a run of the reduced model. */
#include <math.h>

#include "parts/gram.h"
#include "rom/auto.h"

#define PART 40   // steps that are timed
#define ORDER 0.4 // work falls with this power of the tolerance (measured: 0.32 to 0.42)

/* Work, in about nanoseconds: what 1100 runs of 60 models took, fitted to 20 % of each */
#define EACH 2000.0     // of an iteration
#define OF_POINT 25.0   // ... and of each point of a reduced model
#define OF_FIELD 0.35   // ... each of its gradients and fields
#define OF_SPARSE 75.0  // ... each point of a mesh
#define OF_ENTRY 0.43   // ... each entry of the matrix
#define OF_GRAM 0.6     // ... each row and pair of a body without points
#define OF_TANGENT 0.15 // of a matrix, for each product at the points of a reduced model
#define OF_ELEMENT 1.0  // ... of a mesh
#define OF_MAKING 60.0  // of a space that is made, lifted and projected on, each field and place
#define OF_MODES 27.0   // ... with modes, each pair of coordinates
#define EIGEN 1.2e6     // ... and at least
#define OF_STATE 2.0    // ... for each state
#define OF_FACTOR 0.2   // ... each product of the factorisation

double gos__worth_run(const gos_system *sys, const gos_statistics *stats) {
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

double gos__worth_space(const gos_system *reduced, bool modes, int states) {
    const gos_system *full = reduced->full;
    const double fields = reduced->nv, places = full->nv;
    return OF_MAKING * fields * places + (modes ? EIGEN + OF_MODES * 9 * places * places : 0) +
           OF_STATE * states * (fields * places + 50.0 * full->nnodes);
}

double gos__worth_steps(const gos_options *options, double n, double a, double b) {
    const bool controlled =
        options->analysis == GOS_DYNAMIC && options->step <= 0 && a > 0 && b > 0;
    return controlled ? n * pow(a / b, ORDER) : n;
}

gos_status gos__worth_full(gos_ctx *ctx, const gos_system *full, const gos_options *options,
                           const gos_track *own, double tolerance, double *work, double *seconds) {
    gos_track part;
    *seconds = 0;
    if (options->analysis != GOS_DYNAMIC || own->failed) {
        return GOS_OK;
    }
    GOS_TRY(gos__track_create(ctx, full, options, &part));
    part.most = PART;
    const gos_status status = gos__track_run(ctx, full, options, &part, NULL, NULL);
    *work += part.work;
    if (status == GOS_OK && part.steps > 0) {
        const double n =
            gos__worth_steps(options, (double)own->steps, tolerance, options->tolerance);
        *seconds = part.seconds / (double)part.steps * fmax(n, (double)part.steps);
    }
    gos__track_free(ctx, &part);
    return status;
}
