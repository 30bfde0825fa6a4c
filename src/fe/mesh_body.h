/* Bodies of meshes: from a mesh and what its cells are made of to matrices of the free body. The
   mechanical ones become a gos_flex; the thermal ones, which a floating frame does not need, are a
   gos_fe_heat of their own. */
#ifndef GOS_MESH_BODY_H
#define GOS_MESH_BODY_H

#include "fe/element.h"
#include "flex/flex.h"

/* What the nodes of a body have of one kind: freedoms or temperatures. */
typedef struct gos_fe_layout {
    int n;               // in all
    unsigned char *mask; // which of them each node has, bits (nodes)
    int *first;          // number of its first one; those of a node follow one another (nodes + 1)
    int each;            // of every node that has any; 0: they differ
    int *offset;         // where they differ: rows before those of a neighbour (graph)
} gos_fe_layout;

typedef struct gos_fe_body {
    gos_ctx *ctx;
    const gos_mesh *mesh;     // borrowed
    int npart;                //
    const gos_fe_part *part;  // borrowed (npart)
    int nlayer;               // further parts, of shells, on cells that belong to `part`
    const gos_fe_part *layer; // borrowed (nlayer)
    int *part_of, *at_of;     // of each cell: its part, -1: none, and its number there (cells)
    gos_fe_layout freedom, temperature, node; // node: one of each node that belongs to a cell
    int *start, *near;     // nodes that share a cell with a node, itself too, ascending (nodes + 1)
    double (*director)[3]; // mean normals of shells at nodes (nodes), NULL: there are no shells
    gos_sparse K;          // (freedoms, freedoms), both triangles
    gos_sparse mass;       // int rho N N, of `node`s, without that of beams: their own and ... [kg]
    gos_sparse
        rotary; // int rho zeta^2 N N, zeta along the directors [kg m^2]; empty without shells
    gos_sparse moment; // int rho zeta N N [kg m]; empty where nothing lies off the middle
    double across;     // int rho z^2 of sheets through their thickness [kg m^2]
} gos_fe_body;

/* Thermal matrices: C theta' + K theta = heat; forces of temperatures on the right-hand side of M
 * u'' + K u = couple theta. */
typedef struct gos_fe_heat {
    gos_sparse C, K;   // (temperatures, temperatures), both triangles [J/K], [W/K]
    gos_sparse couple; // (freedoms, temperatures) [N/K]
} gos_fe_heat;

/** Freedoms, temperatures, neighbours; no matrices yet. Every cell belongs to at most one part,
 * others carry nothing. Parts and mesh are borrowed for the body's life.
 *  @return GOS_E_INPUT with a record that names the cell: of a shape that the element does not
 * take, in two parts, out of the plane of a sheet */
gos_status gos__fe_body_create(gos_ctx *ctx, const gos_mesh *mesh, int npart,
                               const gos_fe_part *part, gos_fe_body **body);
void gos__fe_body_destroy(gos_fe_body *body);
/** Layers that follow the shells under them, before any matrix is made: borrowed. */
void gos__fe_body_layers(gos_fe_body *body, int n, const gos_fe_part *layer);
/** K, mass and rotary. GOS_E_INPUT with a record at the cell that is turned inside out. */
gos_status gos__fe_body_mechanics(gos_fe_body *body);
/** Thermal matrices; free with gos__fe_heat_free also after a failure. */
gos_status gos__fe_body_heat(const gos_fe_body *body, gos_fe_heat *heat);
void gos__fe_heat_free(gos_ctx *ctx, gos_fe_heat *heat);
/** What the stress of displacements u (freedoms) and temperatures t (temperatures; NULL: 0) adds to
 * the stiffness (freedoms, freedoms), both triangles: linear in u and t. Tension stiffens. */
gos_status gos__fe_body_stress_stiffness(const gos_fe_body *body, const double *u, const double *t,
                                         gos_sparse *G);
/* What turns as one piece: its nodes move along circles about a point, and directors of shells
 * there, too. */
typedef struct gos_fe_turning {
    const int *owner;      // of nodes: 1 + the number of the piece that has it, 0: none (nodes)
    const double (*at)[3]; // its point (pieces)
    const double *theta;   // its rotation in each motion (motions, pieces, 3)
    int n;                 // pieces
} gos_fe_turning;

/** What the stress of any displacements u and temperatures t does between m motions X (freedoms,
 * m), x_i^T G x_j, by these: for pair i (i + 1) / 2 + j, j <= i, the column of by_u (freedoms,
 * pairs) and of by_t (temperatures, pairs; NULL: the body has none). With the work of the stress on
 * displacements of second order of what turns as one piece (NULL: nothing does). Needs no matrices.
 * (stress_work.c) */
gos_status gos__fe_body_stress_work(const gos_fe_body *body, int m, const double *X,
                                    const gos_fe_turning *turning, double *by_u, double *by_t);
/** The mass matrix of the freedoms, both triangles. */
gos_status gos__fe_body_mass(const gos_fe_body *body, gos_sparse *M);
/** int rho f N_k and int rho f zeta N_k of a node, f being a field of the rigid body: 1, X_1, X_2,
 * X_3 for d = 0 .. 3. */
void gos__fe_body_moment(const gos_fe_body *body, int node, int d, double *on, double *off);
/** The free body for a floating frame, amplitudes are the freedoms: nodes, move, turn (columns of
 * nodes without rotations are empty), gram, K, and D = 0. Refuses rings, whose particles are not
 * those of a section. */
gos_status gos__fe_body_flex(const gos_fe_body *body, gos_flex **flex);

/** Whether a part has its centre of mass off the surface of the mesh, or layers have. */
bool gos__fe_eccentric(const gos_fe_body *body);
/** Whether a part has elements with products of particles of their own (beams). */
bool gos__fe_beams(const gos_fe_body *body);

/** Number of freedom c = 0..5 of a node, or of its temperature c = 0 (mean), 1 (gradient); -1: it
 * has none. */
static inline int gos__fe_number(const gos_fe_layout *l, int node, int c) {
    const unsigned mask = l->mask[node], bit = 1u << c;
    return mask & bit ? l->first[node] + __builtin_popcount(mask & (bit - 1)) : -1;
}

/* directors.c */
/** Directors of shells, where there are any. */
gos_status gos__fe_directors(gos_fe_body *body);
/** Those of a cell with these nodes, at them: its own normals where it meets others in a fold. */
void gos__fe_cell_directors(const gos_fe_body *body, const int *node, double (*director)[3]);

/* mesh_flex_beams.c */
/** Call `add` with each entry int rho f g of beams: fields as in gos_flex.gram, i, j of one cell,
 * both triangles. */
gos_status gos__fe_beams_gram(const gos_fe_body *body,
                              void (*add)(void *to, int i, int j, double x), void *to);
/** What sections of beams are displaced by to second order because they turn: second derivatives
 * (freedoms, freedoms) of int rho y_d u2_c, both triangles. */
gos_status gos__fe_beams_turned(const gos_fe_body *body, int c, int d, gos_sparse *S);
/** Mass matrix of beams (freedoms, freedoms), both triangles. */
gos_status gos__fe_beams_mass(const gos_fe_body *body, gos_sparse *M);

/* assembly.c */
/** The neighbours of nodes. */
gos_status gos__fe_graph(gos_fe_body *body);
/** A layout from its masks: numbers, and offsets where they are needed. */
gos_status gos__fe_layout_close(const gos_fe_body *body, gos_fe_layout *l);
/* Matrices to be summed over all cells; what is NULL is left out. */
typedef struct gos_fe_sums {
    gos_sparse *K, *mass, *rotary, *moment, *C, *conduct, *couple;
    double *across;
    gos_sparse *G; // of the stress of ...
    const double *u, *t;
    bool axial; // in beams, of their axial force alone
} gos_fe_sums;
/** Make them, with the pattern of the graph, and sum. */
gos_status gos__fe_assemble(const gos_fe_body *body, const gos_fe_sums *sums);
/** A cell, number `at` of a part, in the middle of it, with its material. */
void gos__fe_cell_make(const gos_fe_body *body, const gos_fe_part *part, int at, int cell,
                       gos_fe_cell *made);
/** Of all unknowns (NULL: 0) those of a cell's nodes with this mask, in their order. */
void gos__fe_gather(const gos_fe_layout *l, unsigned mask, int nodes, const int *node,
                    const double *all, double *own);
/** Where a cell stands in its source, or else its part. */
gos_loc gos__fe_cell_loc(const gos_fe_body *body, const gos_fe_part *part, int cell);

#endif
