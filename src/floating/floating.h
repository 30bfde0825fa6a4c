/* Floating bodies: origin, three body axes, amplitudes of shapes, and derived vectors
   (parts/derived.h) for points. A gos_flex supplies the flexibility. */
#ifndef GOS_FLOATING_H
#define GOS_FLOATING_H

#include "flex/flex.h"
#include "deck/deck.h"
#include "parts/derived.h"

#define GOS_FLOATING_ROWS 12 // largest number of nodal freedoms per point

/* A point: displacement and rotation by nodal freedoms; component c of node k is 3 k + c. */
typedef struct gos_floating_spot {
    double X[3]; // undeformed, body axes [m]
    int n;
    int column[GOS_FLOATING_ROWS]; // 3 node + c ...
    bool turn[GOS_FLOATING_ROWS];  // ... rotation, else displacement
    double u[GOS_FLOATING_ROWS][3], psi[GOS_FLOATING_ROWS][3];
    int node; // its node, or the first of its element
    // between nodes: stress stiffness (n, n) for unit axial force minus its share of the element;
    // NULL: a node ...
    const double *S;
    double axis[3]; // ... direction of shortening
} gos_floating_spot;

typedef struct gos_floating_limits gos_floating_limits; // floating/floating_range.h

/* Temperature-dependent deck materials. */
typedef struct gos_floating_tables {
    int n;
    const gos_deck_material *const *material; // (n)
    double T0;                                // deck temperature at the reference
} gos_floating_tables;

typedef struct gos_floating_body {
    gos_flex *flex;
    bool still;           // keeps its position: temperatures only, no vector coordinates
    gos_derived *derived; // NULL: still
    int r;                // vector coordinate of the origin, followed by the axes
    double origin[3];     // at t = 0, global [m]
    double axis[3][3];    // body axes at t = 0, global
    bool second;          // with second-order displacements
    bool shared;          // forms are small and per element, shared by nodes
    int *form;            // scalar of each form of flex, 0: not yet made (nform)
    int (*node_form)[3];  // not shared: per node and component, 0: not yet made, -1: zero (nnode)
    int (*node_turn)[3];  // likewise for second-order rotation (nnode)
    int (*turn_form)[6];  // likewise for products of rotations (nnode)
    const gos_floating_limits *limits;
    gos_floating_tables tables;
} gos_floating_body;

/* Initial velocities. */
typedef struct gos_floating_start {
    double velocity[3];         // of the origin, global axes [m/s]
    double angular_velocity[3]; // of the frame, global axes [rad/s]
} gos_floating_start;

/* Drawn lines or quadrilaterals between nodes. */
typedef struct gos_floating_picture {
    int nnode;
    const int *node; // (nnode), NULL: the first nodes
    int cell_size, ncell;
    const int *cell; // indices into `node` (ncell, cell_size)
} gos_floating_picture;

/** Add f->flex, which must be complete, to the builder: coordinates, rows, inertia, stiffness,
 * damping and heat; fills f, and the body's coordinates and picture. f is in the builder's arena
 * and owns f->flex, also after a failure. */
gos_status gos__floating_add(gos_builder *b, const gos_floating_start *start,
                             const gos_floating_picture *picture, const char *object,
                             gos_floating_body *f, gos_body *body);
/** gos_body_ops.temperature. */
gos_status gos__floating_node_temperature(gos_arena *a, const gos_body *b, const gos_location *p,
                                          gos_tmarker *tm);
/** Scalar of a form S (n, n); *s = -1: zero. */
gos_status gos__floating_form(gos_floating_body *f, const gos_sparse *S, int *s);
void gos__floating_spot(const gos_floating_body *f, int node, gos_floating_spot *spot);
/** Fixed marker of a node of a still body; -1: of the origin. */
gos_marker gos__floating_still_position(const gos_floating_body *f, int node);
/** Marker of the position of a spot; NULL: of the origin. */
gos_status gos__floating_position(gos_floating_body *f, const gos_floating_spot *spot,
                                  gos_marker *m);
/** Marker of a vector that rotates with a spot (NULL: the frame) and is d (global axes) at t = 0.
 */
gos_status gos__floating_direction(gos_floating_body *f, const gos_floating_spot *spot,
                                   const double d[3], gos_marker *m);

#endif
