/* Importance of modes for given inputs and outputs (theory 3.1). */
#ifndef GOS_REDUCE_RANKING_H
#define GOS_REDUCE_RANKING_H

#include "linear/linear.h"

/** Undamped modes with their input and output participation. */
typedef struct gos_modal {
    int n, nu, ny;
    const gos_mode *mode;  // (n)
    const double *zeta;    // damping ratios, > 0 (n)
    const double *b;       // Phi^T B (n, nu)
    const double *yq, *yv; // Y_q Phi, Y_v Phi (ny, n)
} gos_modal;

/** Score each mode (n), larger is more important; rigid modes first. `name` as in
 *  gos_linear_reduction_options, NULL: by frequency. @return GOS_E_INPUT if unknown. */
gos_status gos__rank_modes(gos_ctx *ctx, const gos_modal *modal, const char *name, double *score);

#endif
