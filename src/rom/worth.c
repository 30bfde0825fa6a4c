/* What a run of the full model takes, without making one: its first steps are timed, and how many there are is known
   from a run of the reduced model. */
#include <math.h>

#include "rom/auto.h"

#define PART 40        // steps that are timed
#define ORDER (1 / 3.) // step sizes grow with this power of the tolerance

double gos__worth_steps(const gos_options *options, double n, double a, double b) {
    const bool controlled =
        options->analysis == GOS_DYNAMIC && options->step <= 0 && a > 0 && b > 0;
    return controlled ? n * pow(a / b, ORDER) : n;
}

gos_status gos__worth_full(gos_ctx *ctx, const gos_system *full, const gos_options *options,
                           const gos_track *own, double tolerance, double *seconds) {
    gos_track part;
    *seconds = 0;
    if (options->analysis != GOS_DYNAMIC || own->failed) {
        return GOS_OK;
    }
    GOS_TRY(gos__track_create(ctx, full, options, &part));
    part.most = PART;
    const gos_status status = gos__track_run(ctx, full, options, &part, NULL, NULL);
    if (status == GOS_OK && part.steps > 0) {
        const double n =
            gos__worth_steps(options, (double)own->steps, tolerance, options->tolerance);
        *seconds = part.seconds / (double)part.steps * fmax(n, (double)part.steps);
    }
    gos__track_free(ctx, &part);
    return status;
}
