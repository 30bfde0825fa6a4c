/* Whether the motions of a model grow: from its energy where it has one, else from its roots. */
#ifndef GOS_REDUCE_STABILITY_H
#define GOS_REDUCE_STABILITY_H

#include "linear/linear.h"

typedef enum gos_stability {
    GOS_STABILITY_UNKNOWN,
    GOS_STABLE_BY_ENERGY, // an energy that cannot grow
    GOS_STABLE_BY_ROOTS,  // none of which grows by more than rounding
    GOS_UNSTABLE
} gos_stability;

typedef struct gos_growth {
    gos_stability what;
    double re, im; // the root that grows fastest, 0 where roots were not computed [1/s]
    bool singular; // the matrix that multiplies rates is, to rounding
} gos_growth;

#define GOS_GROWTH_STATES 1200 // of full models, up to which roots are computed

/* what bases of displacements and of temperatures keep that are their own test vectors */
typedef enum gos_energy_form {
    GOS_ENERGY_NONE,
    GOS_ENERGY_NEARLY, // an energy that only heat by displacement (flux on what tilts) can feed
    GOS_ENERGY_KEPT
} gos_energy_form;

/** Is there an energy, q'^T M q' / 2 + q^T K q / 2 + theta^T C_T theta / (2 T0)? M, K, C_T and K_T
 * are symmetric, heat goes one way only or by H_v = -T0 G^T with one T0 > 0 for the whole model,
 * and there are no potentials; D may have a skew part, whose power is zero. */
gos_status gos__energy_form(gos_ctx *ctx, const gos_linear *l, gos_energy_form *form);
/** What the energy says: counts of negative stiffness, damping and conduction. UNKNOWN when there
 * is no such form, or damping that feeds. re and im are 0. */
gos_status gos__growth_by_energy(gos_ctx *ctx, const gos_linear *l, gos_growth *growth);
/** What the energy says, and where that is nothing the roots of models of up to `most` states.
 * Roots are taken for zero where rounding of the matrices would explain them (rigid motions are
 * double roots). */
gos_status gos__growth(gos_ctx *ctx, const gos_linear *l, int most, gos_growth *growth);

/** Whether a reduced model may pass: *stable false, with growth, when one of its roots grows. */
gos_status gos__reduced_stable(gos_ctx *ctx, const gos_linear *full, const gos_linear *reduced,
                               bool *stable, gos_growth *growth);
/** Refuse a reduced model that grows where the full one does not, or is not known to; what is known
 * goes to *growth. @return GOS_E_DIVERGED with a record. */
gos_status gos__check_stability(gos_ctx *ctx, const gos_linear *full, const gos_linear *reduced,
                                gos_growth *growth);
/** Refuse a full model that is known to be unstable, for a method that needs decay. @return
 * GOS_E_INPUT */
gos_status gos__refuse_unstable(gos_ctx *ctx, const gos_linear *full, const char *method);

#endif
