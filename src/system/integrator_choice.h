/* Choice of the integrator by `integrator: auto`. It depends on the compiled system and the options
 * only, so a continued run has the same integrator. */
#ifndef GOS_INTEGRATOR_CHOICE_H
#define GOS_INTEGRATOR_CHOICE_H

#include "gossamer/sim.h"

/** The gos_integration of these options for this system. *why: the reason of a choice; NULL: the
 * integrator was given, or the system has its own. why may be NULL. */
int gos__integrator_of(const gos_system *sys, const gos_options *options, const char **why);
/** Replaces GOS_INTEGRATOR_AUTO by the choice. */
gos_options gos__options_chosen(const gos_system *sys, const gos_options *options);

#endif
