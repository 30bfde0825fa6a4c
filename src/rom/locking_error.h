/* Error of a space by its stiffness (locking_error.c). */
#ifndef GOS_LOCKING_ERROR_H
#define GOS_LOCKING_ERROR_H

#include "rom/auto_choice.h"
#include "rom/reconstruction.h"

typedef struct gos_locking gos_locking;

/** For c->space.sys; the structure is stored in the arena. */
gos_status gos__locking_create(gos_choice *c, gos_arena *a, gos_locking **locking);
void gos__locking_destroy(const gos_choice *c, gos_locking *locking);
/** Widen c->space.locked by kept state `i`, whose projection is x. Motion of x is overwritten.
 *  *strain: strain energy of the projection in the full model, with the full temperatures. */
gos_status gos__locking_error(gos_choice *c, gos_locking *locking, const gos_reconstruction *r,
                              int i, gos_state *x, double *strain);

#endif
