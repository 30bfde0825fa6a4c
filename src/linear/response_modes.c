/* Response modes (Heckmann, Arnold, Vaculin, Multibody System Dynamics 13 (2005), 3.1.2): what a temperature field does to a
   structure at rest. */
#include "linear/response_modes.h"

#include "linalg/saddle.h"

gos_status gos__linear_response_modes(gos_ctx *ctx, const gos_linear *l, int n,
                                      const double *fields, double *u) {
    const gos_pencil pencil = {
        .K = &l->K, .M = &l->M, .C = &l->block[GOS_BLOCK_C], .ncomp = l->ncomp > 0 ? l->ncomp : 1};
    gos_saddle *saddle = NULL;
    gos__sparse_apply(&l->block[GOS_BLOCK_G], n, fields, u);
    GOS_TRY(gos__saddle_create(ctx, &pencil, &saddle));
    gos_status status = gos__saddle_factor(saddle, 0, 0);
    status = status == GOS_OK ? gos__saddle_solve(saddle, n, u, u) : status;
    gos__saddle_destroy(saddle);
    for (size_t i = 0; i < (size_t)n * (size_t)l->nq && status == GOS_OK; i++) {
        u[i] = -u[i];
    }
    return status == GOS_E_SINGULAR
               ? gos__fail(ctx, status,
                           "response modes need a structure that is held: it moves freely without "
                           "deforming")
               : status;
}
