/* Errors of reduced models in the first moments after a load sets in, which the response on a band of frequencies averages
   over. */
#include <math.h>

#include "linear/linear.h"
#include "linear_reduction/reduce.h"

#define POINTS 7   // of time, of each length of step
#define GROWTH 4.0 // of lengths: less than there are steps of each, so that they overlap

/* of one input: largest error over displacements and largest displacement, each kept when larger */
static gos_status one_input(gos_ctx *ctx, const gos_linear *full, const gos_linear *reduced,
                            int input, double h, double *u, gos_time_error *e, double *worst,
                            double *largest) {
    memset(u, 0, POINTS * (size_t)full->nu * sizeof *u);
    for (int k = 0; k < POINTS; k++) {
        u[k * full->nu + input] = 1;
    }
    GOS_TRY(gos_linear_time_error(ctx, full, reduced, GOS_TRANSIENT_IMPLICIT, h, POINTS, u, e));
    const gos_sparse *T = &full->block[GOS_BLOCK_Y_T];
    for (int i = 0; i < full->ny; i++) {
        bool warm = false;
        for (int k = 0; k < (T->p ? T->nnz : 0) && !warm; k++) {
            warm = T->i[k] == i;
        }
        if (!warm) {
            *worst = fmax(*worst, e[i].max);
            *largest = fmax(*largest, e[i].largest);
        }
    }
    return GOS_OK;
}

gos_status gos__reduce_step_error(gos_ctx *ctx, const gos_linear *full, const gos_linear *reduced,
                                  double first, double end, double *error) {
    const double last = end / (POINTS - 1);
    double *u = gos__alloc(ctx, POINTS * ((size_t)full->nu + 1), sizeof *u);
    gos_time_error *e = gos__alloc(ctx, (size_t)full->ny + 1, sizeof *e);
    gos_status status = u && e ? GOS_OK : GOS_E_MEMORY;
    *error = 0;
    for (int j = 0; j < full->nu && status == GOS_OK; j++) {
        double worst = 0, largest = 0;
        for (double h = first; h < last && status == GOS_OK; h *= GROWTH) {
            status = one_input(ctx, full, reduced, j, h, u, e, &worst, &largest);
        }
        status = status == GOS_OK ? one_input(ctx, full, reduced, j, last, u, e, &worst, &largest)
                                  : status;
        *error += largest > 0 ? worst / largest : 0;
    }
    gos__free(ctx, u);
    gos__free(ctx, e);
    return status;
}
