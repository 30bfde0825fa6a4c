/* Flexible bodies in a floating frame: an origin and three body axes, amplitudes of shapes beside
   them, and made vectors (parts/made.h) by which joints, loads and probes act on their points as on
   those of any body. What types of such bodies share; where their flexibility comes from is a
   gos_flex. */
#ifndef GOS_FLOATING_H
#define GOS_FLOATING_H

#include "flex/flex.h"
#include "deck/deck.h"
#include "parts/made.h"

#define GOS_FLOATING_ROWS 12 // most freedoms of nodes that a point depends on

/* A point of the body: its displacement u and rotation by freedoms of nodes, those of node k along
 * c at 3 k + c. */
typedef struct gos_floating_spot {
    double X[3]; // undeformed, body axes [m]
    int n;
    int column[GOS_FLOATING_ROWS]; // 3 node + c ...
    bool turn[GOS_FLOATING_ROWS];  // ... of its rotation, else of its displacement
    double u[GOS_FLOATING_ROWS][3], psi[GOS_FLOATING_ROWS][3];
    int node;        // that it is, or the first one of its element
    const double *S; // of a point between nodes: stress stiffness (n, n) for an axial force 1 less
                     // that of its share of the element, NULL: it is a node ...
    double axis[3];  // ... and the direction along which it is drawn back
} gos_floating_spot;

typedef struct gos_floating_limits gos_floating_limits; // bodies/floating_range.h

/* Materials of a deck that change with temperature. */
typedef struct gos_floating_tables {
    int n;
    const gos_deck_material *const *material; // (n)
    double T0;                                // temperature of the deck at the reference
} gos_floating_tables;

typedef struct gos_floating_body {
    gos_flex *flex;
    gos_made *made;
    int r;               // vector coordinate of the origin; the axes follow it
    double origin[3];    // at t = 0, global [m]
    double axis[3][3];   // body axes at t = 0, global
    bool second;         // displacements of second order: consistent first-order coupling
    bool shared;         // forms are small, and those of elements are shared by all nodes
    int *form;           // scalar of each form of flex, 0: not made (nform)
    int (*node_form)[3]; // not shared: of each node and component, 0: not made, -1: it is 0 (nnode)
    int (*node_turn)[3]; // likewise of its rotation of second order
    int (*turn_form)[6]; // products of rotations of nodes, likewise (nnode)
    const gos_floating_limits *limits;
    gos_floating_tables tables;
} gos_floating_body;

/* How a floating body begins. */
typedef struct gos_floating_start {
    double velocity[3];         // of the origin, global axes [m/s]
    double angular_velocity[3]; // of the frame, global axes [rad/s]
} gos_floating_start;

/* What is drawn of a body: nodes of its flex, and lines or quadrilaterals between them. */
typedef struct gos_floating_picture {
    int nnode;
    const int *node; // (nnode), NULL: the first ones
    int cell_size, ncell;
    const int *cell; // which of these nodes (ncell, cell_size)
} gos_floating_picture;

/** Put the coordinates of f->flex, which must be complete, into the builder with rows, inertia,
 * stiffness, damping and heat; fills the rest of f, and of the body its coordinates and its
 * picture. f lives in the builder's arena, and owns f->flex from here on, also after a failure. */
gos_status gos__floating_add(gos_builder *b, const gos_floating_start *start,
                             const gos_floating_picture *picture, const char *object,
                             gos_floating_body *f, gos_body *body);
/** gos_body_ops.temperature of a body whose flex has temperatures. */
gos_status gos__floating_node_temperature(gos_arena *a, const gos_body *b, const gos_place *p,
                                          gos_tmarker *tm);
/** The scalar of a form S (n, n) of the amplitudes; *s = -1 when it is 0. */
gos_status gos__floating_form(gos_floating_body *f, const gos_sparse *S, int *s);
/** The spot of a node. */
void gos__floating_spot(const gos_floating_body *f, int node, gos_floating_spot *spot);
/** Marker of a spot's position; NULL: of the origin. */
gos_status gos__floating_position(gos_floating_body *f, const gos_floating_spot *spot,
                                  gos_marker *m);
/** Marker of the vector that turns with the body at a spot (NULL: with its frame) and is d (global
 * axes) at t = 0. */
gos_status gos__floating_direction(gos_floating_body *f, const gos_floating_spot *spot,
                                   const double d[3], gos_marker *m);

#endif
