/* Deck constraints as linear conditions between freedoms of a body and of reference nodes (without
   cells); supports; nodal axes. */
#ifndef GOS_FE_TIES_H
#define GOS_FE_TIES_H

#include "fe/mesh_body.h"
#include "linalg/ties.h"
#include "deck/deck.h"

typedef struct gos_deck_reference {
    int node;
    int unknown[GOS_FE_FREEDOMS]; // -1: not coupled
} gos_deck_reference;

typedef struct gos_deck_ties {
    gos_ctx *ctx;
    const gos_deck *deck;
    const gos_fe_body *body;
    const char *object; // for messages
    int n;              // freedoms, then those of reference nodes
    int nreference;
    gos_deck_reference *reference; // (nreference)
    int *of_node;                  // 1 + reference index, 0: none (nodes)
    int *for_node;                 // 1 + node whose rotation this displacement is, 0: none (nodes)
    bool *follower;                // with dependent unknowns (nodes)
    gos_conditions move;           // between unknowns
    gos_conditions warmth;         // temperatures
} gos_deck_ties;

/** Make all conditions; those of expanded shells without `constraints`. Nodes outside the body are
 * ignored. Free with gos__deck_ties_free also
 * after a failure. @return GOS_E_INPUT with a record for an equation with a missing freedom, nodes
 * that determine no rotation, tied faces of shells */
gos_status gos__deck_ties_make(gos_deck_ties *ties, const gos_deck *deck, const gos_fe_body *body,
                               bool constraints, const char *object);
void gos__deck_ties_free(gos_deck_ties *ties);
/** Unknown of freedom dof = 0..5, -1: none. */
int gos__deck_ties_number(const gos_deck_ties *ties, int node, int dof);
/** Whether the displacements of a node are the rotation of another. */
static inline bool gos__deck_ties_turns(const gos_deck_ties *ties, int node) {
    return ties->for_node && ties->for_node[node] > 0;
}
/** Reference of a node, new ones without unknowns; there is room for those of the deck. */
gos_deck_reference *gos__deck_ties_reference(gos_deck_ties *ties, int node);
/** T (free, ties->n): unknowns by independent ones, under `c`. */
gos_status gos__deck_ties_solve(const gos_deck_ties *ties, const gos_conditions *c, gos_sparse *T);

/** Direction of freedom dof = 0..2 (3..5: axis): x, y, z, or *TRANSFORM. @return whether local;
 * *loc: the card */
bool gos__deck_direction(const gos_deck *deck, int node, int dof, double e[3], gos_loc *loc);
/** Reference node whose rotation is this node's displacement (ROT NODE), -1: none. */
int gos__deck_turned_by(const gos_deck *deck, int node);
static inline bool gos__deck_is_tied(const gos_deck *d) {
    return d->nequation + d->ncoupling + d->ntie > 0;
}

/* fe_fibres.c */
/** Fibres of a node, and the first one. */
int gos__deck_fibres_at(const gos_deck *deck, int node, int *first);
/* Nodes whose mean displacement is supported. */
typedef struct gos_deck_held {
    int n, node[2];
} gos_deck_held;
/** Conditions of a support along `axis`; rotations of shells are projected onto the surface.
 * Returns their number. */
int gos__deck_held(const gos_deck *deck, int node, int dof, double axis[3], gos_deck_held row[2]);
/** Number the freedoms of nodes of expanded shells; then add their conditions. */
void gos__deck_fibres_number(gos_deck_ties *ties);
gos_status gos__deck_fibres_add(gos_deck_ties *ties);

/* fe_tie.c */
/* Nodes that a dependent node follows, and weights. */
typedef struct gos_deck_follow {
    int n, node[GOS_CELL_NODES];
    double weight[GOS_CELL_NODES];
    double gap; // relative to the face's size
} gos_deck_follow;
/** follow->n = 0: no face within the tolerance. */
void gos__deck_follow(const gos_deck *deck, const gos_deck_tie *tie, int node,
                      gos_deck_follow *follow);
/** Area shares of n nodes (ascending), of sum 1; equal for a surface of nodes. */
void gos__deck_shares(const gos_deck *deck, int surface, int n, const int *node, double *share);

#endif
