/* A run under error control is repeated with another tolerance: the difference is the error of the
   whole run, with all that the motion makes of the errors of single steps. */
#ifndef GOS_ERROR_CHECK_H
#define GOS_ERROR_CHECK_H

#include "system/system.h"

typedef struct gos_error_check gos_error_check;

/** *check: NULL where the options exclude it, or where a run cannot be repeated. state: the one the
 * run starts from. */
gos_status gos__error_check_create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                   const gos_state *state, gos_error_check **check);
/** An accepted state of the run, in order. check may be NULL. */
void gos__error_check_see(gos_error_check *check, const gos_state *state);
/** After the last state and so many steps: repeats the run, and reports. The run is complete
 * whatever becomes of the second one. */
void gos__error_check_end(gos_error_check *check, long steps);
void gos__error_check_destroy(gos_error_check *check); // NULL is allowed

#endif
