/* Stability of a model by its energy, if it has one, else by its roots. */
#ifndef GOS_REDUCE_STABILITY_H
#define GOS_REDUCE_STABILITY_H

#include "linear/linear.h"

typedef enum gos_stability {
    GOS_STABILITY_UNKNOWN,
    GOS_STABLE_BY_ENERGY, // non-increasing energy
    GOS_STABLE_BY_ROOTS,  // no unstable root beyond round-off
    GOS_UNSTABLE
} gos_stability;

typedef struct gos_growth {
    gos_stability what;
    double re, im; // most unstable root, 0 if not computed [1/s]
    bool singular; // the rate matrix is singular within round-off
} gos_growth;

#define GOS_GROWTH_STATES 1200 // largest number of states of full models for root computation

/* energy preserved by Galerkin projection with field bases */
typedef enum gos_energy_form {
    GOS_ENERGY_NONE,
    GOS_ENERGY_NEARLY, // increased only by heat due to displacements (flux on tilting surfaces)
    GOS_ENERGY_KEPT
} gos_energy_form;

/** Classify the energy q'^T M q' / 2 + q^T K q / 2 + theta^T C_T theta / (2 T0). Requires
 *  symmetric M, K, C_T, K_T, one-way coupling or H_v = -T0 G^T with one T0 > 0, no potentials; a
 *  skew part of D does no work. */
gos_status gos__energy_form(gos_ctx *ctx, const gos_linear *l, gos_energy_form *form);
/** Stability by energy: numbers of negative stiffness, damping and conduction. UNKNOWN without
 *  an energy, or with negative damping. re = im = 0. */
gos_status gos__growth_by_energy(gos_ctx *ctx, const gos_linear *l, gos_growth *growth);
/** Stability by energy, else by roots for up to `most` states. Roots within round-off of zero
 *  are zero. */
gos_status gos__growth(gos_ctx *ctx, const gos_linear *l, int max, gos_growth *growth);

/** *stable false if a root of the reduced model is unstable; see growth. */
gos_status gos__reduced_stable(gos_ctx *ctx, const gos_linear *full, const gos_linear *reduced,
                               bool *stable, gos_growth *growth);
/** Reject a reduced model that is unstable while the full one is stable or unknown. @return
 *  GOS_E_DIVERGED with a message. */
gos_status gos__check_stability(gos_ctx *ctx, const gos_linear *full, const gos_linear *reduced,
                                gos_growth *growth);
/** Reject a known unstable full model, for methods that require stability. @return GOS_E_INPUT */
gos_status gos__refuse_unstable(gos_ctx *ctx, const gos_linear *full, const char *method);

#endif
