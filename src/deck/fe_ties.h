/* What a deck ties together: *EQUATION, *COUPLING, *RIGID BODY and *TIE as linear conditions
   between the freedoms of a body of it, and of nodes that belong to no cell but stand for what
   follows them (reference nodes); supports (*BOUNDARY); axes of nodes (*TRANSFORM). */
#ifndef GOS_FE_TIES_H
#define GOS_FE_TIES_H

#include "fe/mesh_body.h"
#include "linalg/ties.h"
#include "deck/deck.h"

/* A node whose motion follows from a coupling or leads one. */
typedef struct gos_deck_reference {
    int node;
    int unknown[GOS_FE_FREEDOMS]; // -1: nothing follows it there
} gos_deck_reference;

typedef struct gos_deck_ties {
    gos_ctx *ctx;
    const gos_deck *deck;
    const gos_fe_body *body;
    const char *object; // for messages
    int n;              // unknowns: the freedoms of the body, then those of reference nodes
    int nreference;
    gos_deck_reference *reference; // (nreference)
    int *of_node;          // 1 + the number of the reference that a node is, 0: none (nodes)
    int *for_node;         // 1 + the node whose rotation a node's displacement is, 0: none (nodes)
    bool *follower;        // nodes of which something follows from others (nodes)
    gos_conditions move;   // between unknowns
    gos_conditions warmth; // between the body's temperatures
} gos_deck_ties;

/** Conditions of all that the deck ties together. Nodes of couplings that the body does not have
 * are left out; what has none of the body's is left out altogether. Free with gos__deck_ties_free
 * also after a failure.
 *  @return GOS_E_INPUT with a record at the deck's line: for an equation with a degree of freedom
 * that its node does not have, for nodes that do not say how the reference node turns, for tied
 * faces of shells */
gos_status gos__deck_ties_make(gos_deck_ties *ties, const gos_deck *deck, const gos_fe_body *body,
                               const char *object);
void gos__deck_ties_free(gos_deck_ties *ties);
/** Unknown of degree of freedom dof = 0..5 of a node, -1: it has none. */
int gos__deck_ties_number(const gos_deck_ties *ties, int node, int dof);
/** Whether the displacements of a node are the rotation of another one. */
static inline bool gos__deck_ties_turns(const gos_deck_ties *ties, int node) {
    return ties->for_node && ties->for_node[node] > 0;
}
/** T (free, ties->n): unknowns by those that are left, with the conditions `c`. */
gos_status gos__deck_ties_solve(const gos_deck_ties *ties, const gos_conditions *c, gos_sparse *T);

/** The direction of degree of freedom dof = 0..2 (3..5: the axis) of a node: along x, y, z, or
 * those of its *TRANSFORM.
 *  @return whether it has axes of its own; *loc: the card that says so */
bool gos__deck_direction(const gos_deck *deck, int node, int dof, double e[3], gos_loc *loc);
/** The reference node of the rigid body whose rotation the displacements of a node are (ROT NODE),
 * -1: they are its own. */
int gos__deck_turned_by(const gos_deck *deck, int node);
/** Whether a deck ties anything. */
static inline bool gos__deck_is_tied(const gos_deck *d) {
    return d->nequation + d->ncoupling + d->ntie > 0;
}

/* fe_tie.c */
/* The nodes that a node of a dependent surface follows, and their weights. */
typedef struct gos_deck_follow {
    int n, node[GOS_CELL_NODES];
    double weight[GOS_CELL_NODES];
    double gap; // distance from the face over its size
} gos_deck_follow;
/** follow->n = 0: no face of the other surface is near enough. */
void gos__deck_follow(const gos_deck *deck, const gos_deck_tie *tie, int node,
                      gos_deck_follow *follow);
/** Shares of nodes in the area of a surface (n of `node`, ascending), whose sum is 1; of a surface
 * of nodes equal ones. */
void gos__deck_shares(const gos_deck *deck, int surface, int n, const int *node, double *share);

#endif
