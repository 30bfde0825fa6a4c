#ifndef GOS_FE_SPRINGS_H
#define GOS_FE_SPRINGS_H

#include "deck/fe_ties.h"

/* Matrices to add to; NULL: omitted. */
typedef struct gos_deck_discrete {
    int n, nmass;          // orders of K and D, of M
    gos_sparse *K, *D, *M; // D without entries if D->p is NULL
} gos_deck_discrete;

/** Add springs, dashpots and masses of the body's deck. With `ties` M is that of all freedoms, else
 * the scalar one per node (body->mass). @param holds the frame is fixed to the supports of the
 * deck.
 * @return GOS_E_INPUT with a record for nodes without freedoms, missing sections */
gos_status gos__deck_springs(const gos_fe_body *body, const gos_deck_ties *ties, const char *object,
                             bool holds, const gos_deck_discrete *to);

#endif
