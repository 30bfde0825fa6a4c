/* Linearisation, internal interface. */
#ifndef GOS_LINEARISE_H
#define GOS_LINEARISE_H

#include "gossamer/linearise.h"
#include "gossamer/sim.h"
#include "system/system.h"

#define GOS_BALANCED 1e-6 // relative residual of a balanced state

/** gos_linearise without gravity and declared loads, which remain inputs. */
gos_status gos__linearise_unloaded(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                   gos_linear **linear);
/** gos_linearise with a stiffness that omits the material part of points with a law: bodies have
 * their geometric stiffness, all else is complete. */
gos_status gos__linearise_geometric(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                    gos_linear **linear);

#endif
