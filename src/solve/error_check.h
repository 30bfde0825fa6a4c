/* Error of a whole run under error control, including the amplification of step errors by the
 * motion, from a second run with another tolerance. */
#ifndef GOS_ERROR_CHECK_H
#define GOS_ERROR_CHECK_H

#include "solve/walk.h"

typedef struct gos_error_check gos_error_check;

/** *check: NULL if excluded by the options or if the run cannot be repeated. state: start of the
 * run. */
gos_status gos__error_check_create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                   const gos_state *state, gos_error_check **check);
/** Record an accepted state, in order. *check may be NULL and becomes NULL if the run, after these
 * steps, is too expensive to be repeated. */
void gos__error_check_see(gos_error_check **check, const gos_state *state, long steps);
/** Pass the samples. *check: reading: becomes NULL if the stored run had none. */
void gos__error_check_walk(gos_error_check **check, gos_walk *past);
/** After the last state: repeat the run and report. Failures of the second run have no effect.
 * steps: of the first run. */
void gos__error_check_end(gos_error_check *check, long steps);
void gos__error_check_destroy(gos_error_check *check); // NULL is allowed

#endif
