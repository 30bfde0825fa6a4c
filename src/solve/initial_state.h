/* The beginning of a run in time, whatever steps it. */
#ifndef GOS_INITIAL_STATE_H
#define GOS_INITIAL_STATE_H

#include "system/system.h"

/** Bring the initial temperatures, positions and velocities of x to where prescribed ones and
 * joints hold, by the least changes, and warn of what that has changed. */
gos_status gos__begin(gos_ctx *ctx, gos_work *w, gos_state *x);
/** The positions alone, by the least change in the mass; what is rounding stays as it is. The
 * warning names the joint that was off most, the body that was moved most, and how far. @return
 * GOS_E_INPUT, recorded: there are none that fit */
gos_status gos__begin_position(gos_ctx *ctx, gos_work *w, gos_state *x);
/** The velocities alone; the warning names the joint that was off most, and the body that was
 * changed most. */
gos_status gos__begin_velocity(gos_ctx *ctx, gos_work *w, gos_state *x);
/** The motion starts anew where functions of time are those of t, with positions and velocities
 * that fit the joints; prescribed temperatures that jump take their heat at once. scratch (nt). */
gos_status gos__begin_anew(gos_ctx *ctx, gos_work *w, gos_state *x, double t, double *scratch);
/** Let the balance of energy count from x, whose energies belong to it. */
void gos__begin_energy(gos_state *x);

#endif
