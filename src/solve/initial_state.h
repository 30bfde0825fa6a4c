/* Start of a run in time, for all integrators. */
#ifndef GOS_INITIAL_STATE_H
#define GOS_INITIAL_STATE_H

#include "system/system.h"

/** Project initial temperatures, positions and velocities of x onto prescribed temperatures and
 * joints with least changes; warns of changes. t: time of prescribed velocities, whose rates may
 * jump at x->t. */
gos_status gos__initial_state(gos_ctx *ctx, gos_work *w, gos_state *x, double t);
/** Project the positions with least change in the mass norm, ignoring rounding. The warning reports
 * the most violated joint and the body moved most.
 * @return GOS_E_INPUT, recorded: not possible */
gos_status gos__initial_position(gos_ctx *ctx, gos_work *w, gos_state *x);
/** Project the velocities at time t; the warning reports the most violated joint and the body
 * changed most. */
gos_status gos__initial_velocity(gos_ctx *ctx, gos_work *w, gos_state *x, double t);
/** Restart at time t with consistent positions and velocities; prescribed temperatures that jump
 * exchange their heat instantly. scratch (nt). */
gos_status gos__initial_state_restart(gos_ctx *ctx, gos_work *w, gos_state *x, double t,
                                      double *scratch);
/** Start the energy balance at x, whose energies must be up to date. */
void gos__initial_energy(gos_state *x);

#endif
