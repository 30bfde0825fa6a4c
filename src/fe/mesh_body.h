/* Mesh bodies: from a mesh and its materials to matrices of the free body. Mechanical ones become a
   gos_flex; thermal ones, not needed for a floating frame, a gos_fe_heat. */
#ifndef GOS_MESH_BODY_H
#define GOS_MESH_BODY_H

#include "fe/element.h"
#include "flex/flex.h"

/* Nodal layout of freedoms or temperatures. */
typedef struct gos_fe_layout {
    int n;               // total number
    unsigned char *mask; // bits of those that each node has (nodes)
    int *first;  // index of the first of each node; those of a node are consecutive (nodes + 1)
    int each;    // number per node; 0: varies
    int *offset; // if it varies: rows before those of a neighbour (graph)
} gos_fe_layout;

typedef struct gos_fe_body {
    gos_ctx *ctx;
    const gos_mesh *mesh; // borrowed
    int npart;
    const gos_fe_part *part;  // borrowed (npart)
    int nlayer;               // additional shell parts on cells of `part`
    const gos_fe_part *layer; // borrowed (nlayer)
    int *part_of, *at_of;     // part of each cell, -1: none, and index in it (cells)
    gos_fe_layout freedom, temperature, node; // node: one per node with a cell
    int *start, *near; // nodes sharing a cell with a node, including itself, ascending (nodes + 1)
    double (*director)[3]; // mean normals of shells at nodes (nodes), NULL: no shells
    gos_sparse K;          // (freedoms, freedoms), both triangles
    gos_sparse mass; // int rho N N, per `node`, excluding beams, which have their own and ... [kg]
    // int rho zeta^2 N N, zeta along the directors [kg m^2]; empty without shells
    gos_sparse rotary;
    gos_sparse moment; // int rho zeta N N [kg m]; empty without offsets
    double across;     // int rho z^2 of sheets over their thickness [kg m^2]
} gos_fe_body;

/* Thermal matrices: C theta' + K theta = heat; thermal forces on the right-hand side: M u'' + K u =
   couple theta. */
typedef struct gos_fe_heat {
    gos_sparse C, K;   // (temperatures, temperatures), both triangles [J/K], [W/K]
    gos_sparse couple; // (freedoms, temperatures) [N/K]
} gos_fe_heat;

/** Set up freedoms, temperatures and neighbours, without matrices. Every cell belongs to at most
 * one part; others carry no load. Parts and mesh are borrowed for the body's life. @return
 * GOS_E_INPUT with a record that gives the cell: unsupported shape, in two parts, outside the
 * plane of a sheet */
gos_status gos__fe_body_create(gos_ctx *ctx, const gos_mesh *mesh, int npart,
                               const gos_fe_part *part, gos_fe_body **body);
void gos__fe_body_destroy(gos_fe_body *body);
/** Add layers on shells, before any matrix is made: borrowed. */
void gos__fe_body_layers(gos_fe_body *body, int n, const gos_fe_part *layer);
/** Compute K, mass and rotary. GOS_E_INPUT with a record for an inverted cell. */
gos_status gos__fe_body_mechanics(gos_fe_body *body);
/** Compute thermal matrices; free with gos__fe_heat_free also after a failure. */
gos_status gos__fe_body_heat(const gos_fe_body *body, gos_fe_heat *heat);
void gos__fe_heat_free(gos_ctx *ctx, gos_fe_heat *heat);
/** Stress stiffness (freedoms, freedoms), both triangles, linear in displacements u (freedoms) and
 * temperatures t (temperatures; NULL: 0). Tension stiffens. */
gos_status gos__fe_body_stress_stiffness(const gos_fe_body *body, const double *u, const double *t,
                                         gos_sparse *G);
/* Rigidly rotating pieces: their nodes, and shell directors there, move on circles about a point.
 */
typedef struct gos_fe_turning {
    const int *owner;      // 1 + index of the piece of each node, 0: none (nodes)
    const double (*at)[3]; // centre points (pieces)
    const double *theta;   // rotation of each piece in each motion (motions, pieces, 3)
    int n;                 // number of pieces
} gos_fe_turning;

/** Stress stiffness between m motions X (freedoms, m), x_i^T G x_j, as a function of arbitrary
 * displacements u and temperatures t: for pair i (i + 1) / 2 + j, j <= i, the column of by_u
 * (freedoms, pairs) and of by_t (temperatures, pairs; NULL: no temperatures). Includes the work on
 * second-order displacements of rotating pieces (NULL: none). Needs no matrices. (stress_work.c) */
gos_status gos__fe_body_stress_work(const gos_fe_body *body, int m, const double *X,
                                    const gos_fe_turning *turning, double *by_u, double *by_t);
/** The mass matrix of the freedoms, both triangles. */
gos_status gos__fe_body_mass(const gos_fe_body *body, gos_sparse *M);
/** int rho f N_k and int rho f zeta N_k of a node for a rigid-body field f: 1, X_1, X_2, X_3 for d
 * = 0 .. 3. */
void gos__fe_body_moment(const gos_fe_body *body, int node, int d, double *on, double *off);
/** Make the free body for a floating frame, with the freedoms as amplitudes: nodes, move, turn
 * (columns of nodes without rotations are empty), gram, K, and D = 0. Fails for axisymmetric
 * cells, which do not represent a moving body. */
gos_status gos__fe_body_flex(const gos_fe_body *body, gos_flex **flex);

/** Whether the centre of mass of a part or its layers is off the surface of the mesh. */
bool gos__fe_eccentric(const gos_fe_body *body);
/** Whether a part has elements with their own particle products (beams). */
bool gos__fe_beams(const gos_fe_body *body);

/** Index of freedom c = 0..5 of a node, or of its temperature c = 0 (mean), 1 (gradient); -1: none.
 */
static inline int gos__fe_number(const gos_fe_layout *l, int node, int c) {
    const unsigned mask = l->mask[node], bit = 1u << c;
    return mask & bit ? l->first[node] + __builtin_popcount(mask & (bit - 1)) : -1;
}

/* directors.c */
/** Compute the directors of shells, if any. */
gos_status gos__fe_directors(gos_fe_body *body);
/** Directors at the nodes of a cell: its own normals at folds. */
void gos__fe_cell_directors(const gos_fe_body *body, const int *node, double (*director)[3]);

/* mesh_flex_beams.c */
/** Call `add` with each entry int rho f g of beams: fields as in gos_flex.gram, i, j of one cell,
 * both triangles. */
gos_status gos__fe_beams_gram(const gos_fe_body *body,
                              void (*add)(void *to, int i, int j, double x), void *to);
/** Second-order displacement of beam sections by rotation: second derivatives (freedoms, freedoms)
 * of int rho y_d u2_c, both triangles. */
gos_status gos__fe_beams_turned(const gos_fe_body *body, int c, int d, gos_sparse *S);
/** Mass matrix of beams (freedoms, freedoms), both triangles. */
gos_status gos__fe_beams_mass(const gos_fe_body *body, gos_sparse *M);

/* assembly.c */
/** Compute the neighbours of nodes. */
gos_status gos__fe_graph(gos_fe_body *body);
/** Complete a layout from its masks: indices, and offsets if needed. */
gos_status gos__fe_layout_close(const gos_fe_body *body, gos_fe_layout *l);
/* Matrices to be assembled; NULL: omitted. */
typedef struct gos_fe_sums {
    gos_sparse *K, *mass, *rotary, *moment, *C, *conduct, *couple;
    double *across;
    gos_sparse *G; // stress stiffness under ...
    const double *u, *t;
    bool axial; // beams: axial force only
} gos_fe_sums;
/** Create them with the graph's pattern, and assemble. */
gos_status gos__fe_assemble(const gos_fe_body *body, const gos_fe_sums *sums);
/** Cell number `at` of a part, at its middle, with its material. */
void gos__fe_cell_make(const gos_fe_body *body, const gos_fe_part *part, int at, int cell,
                       gos_fe_cell *made);
/** Gather from all unknowns (NULL: 0) those of a cell's nodes with this mask, in their order. */
void gos__fe_gather(const gos_fe_layout *l, unsigned mask, int nodes, const int *node,
                    const double *all, double *own);
/** Location of a cell in its source, or else of its part. */
gos_loc gos__fe_cell_loc(const gos_fe_body *body, const gos_fe_part *part, int cell);

#endif
