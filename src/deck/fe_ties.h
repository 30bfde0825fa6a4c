/* Deck constraints: *EQUATION, *COUPLING, *RIGID BODY and *TIE as linear conditions between the
   freedoms of a body and of reference nodes (nodes without cells); supports (*BOUNDARY); nodal axes
   (*TRANSFORM). */
#ifndef GOS_FE_TIES_H
#define GOS_FE_TIES_H

#include "fe/mesh_body.h"
#include "linalg/ties.h"
#include "deck/deck.h"

/* A node that leads or follows a coupling. */
typedef struct gos_deck_reference {
    int node;
    int unknown[GOS_FE_FREEDOMS]; // -1: not coupled
} gos_deck_reference;

typedef struct gos_deck_ties {
    gos_ctx *ctx;
    const gos_deck *deck;
    const gos_fe_body *body;
    const char *object; // for messages
    int n;              // unknowns: freedoms of the body, then of reference nodes
    int nreference;
    gos_deck_reference *reference; // (nreference)
    int *of_node;                  // 1 + reference index of a node, 0: none (nodes)
    int *for_node;         // 1 + node whose rotation is this node's displacement, 0: none (nodes)
    bool *follower;        // nodes with dependent unknowns (nodes)
    gos_conditions move;   // between unknowns
    gos_conditions warmth; // between the body's temperatures
} gos_deck_ties;

/** Conditions of all constraints of the deck. Coupled nodes outside the body are ignored, as are
 * constraints without any node of the body. Free with gos__deck_ties_free also after a failure.
 * @return GOS_E_INPUT with a record at the deck's line: an equation with a degree of freedom that
 * its node lacks, nodes that do not determine the rotation of the reference node, tied faces of
 * shells */
gos_status gos__deck_ties_make(gos_deck_ties *ties, const gos_deck *deck, const gos_fe_body *body,
                               const char *object);
void gos__deck_ties_free(gos_deck_ties *ties);
/** Unknown of degree of freedom dof = 0..5 of a node, -1: none. */
int gos__deck_ties_number(const gos_deck_ties *ties, int node, int dof);
/** Whether the displacements of a node are the rotation of another. */
static inline bool gos__deck_ties_turns(const gos_deck_ties *ties, int node) {
    return ties->for_node && ties->for_node[node] > 0;
}
/** T (free, ties->n): all unknowns in terms of the independent ones, under the conditions `c`. */
gos_status gos__deck_ties_solve(const gos_deck_ties *ties, const gos_conditions *c, gos_sparse *T);

/** Direction of degree of freedom dof = 0..2 (3..5: the axis) of a node: x, y, z, or those of its
 * *TRANSFORM. @return whether it has local axes; *loc: their card */
bool gos__deck_direction(const gos_deck *deck, int node, int dof, double e[3], gos_loc *loc);
/** Reference node of the rigid body whose rotation is this node's displacement (ROT NODE), -1:
 * none. */
int gos__deck_turned_by(const gos_deck *deck, int node);
/** Whether a deck has constraints. */
static inline bool gos__deck_is_tied(const gos_deck *d) {
    return d->nequation + d->ncoupling + d->ntie > 0;
}

/* fe_tie.c */
/* Nodes that a dependent node follows, and their weights. */
typedef struct gos_deck_follow {
    int n, node[GOS_CELL_NODES];
    double weight[GOS_CELL_NODES];
    double gap; // distance from the face relative to its size
} gos_deck_follow;
/** follow->n = 0: no face of the other surface within the tolerance. */
void gos__deck_follow(const gos_deck *deck, const gos_deck_tie *tie, int node,
                      gos_deck_follow *follow);
/** Area shares of nodes of a surface (n of `node`, ascending), of sum 1; equal shares for a surface
 * of nodes. */
void gos__deck_shares(const gos_deck *deck, int surface, int n, const int *node, double *share);

#endif
