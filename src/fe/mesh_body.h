/* Mesh bodies: matrices of the free body. Mechanical ones become a gos_flex; thermal ones a
   gos_fe_heat. */
#ifndef GOS_MESH_BODY_H
#define GOS_MESH_BODY_H

#include "fe/element.h"
#include "flex/flex.h"

/* Nodal layout of freedoms or temperatures. */
typedef struct gos_fe_layout {
    int n;               // total number
    unsigned char *mask; // bits of those that each node has (nodes)
    int *first;          // first index; consecutive per node (nodes + 1)
    int each;            // number per node; 0: varies
    int *offset;         // if varying: rows before those of a neighbour (graph)
} gos_fe_layout;

typedef struct gos_fe_body {
    gos_ctx *ctx;
    const gos_mesh *mesh; // borrowed
    int npart;
    const gos_fe_part *part;                  // borrowed (npart)
    int nlayer;                               // further shell parts on the same cells
    const gos_fe_part *layer;                 // borrowed (nlayer)
    int *part_of, *at_of;                     // part of each cell, -1: none; index in it (cells)
    gos_fe_layout freedom, temperature, node; // node: one per node with a cell
    int *start, *near;     // neighbours of a node, including itself, ascending (nodes + 1)
    double (*director)[3]; // mean normals of shells at nodes (nodes), NULL: no shells
    gos_sparse K;          // (freedoms, freedoms), both triangles
    gos_sparse mass;       // int rho N N, per `node`, without beams [kg]
    // int rho zeta^2 N N, zeta along the directors [kg m^2]; empty without shells
    gos_sparse rotary;
    gos_sparse moment; // int rho zeta N N [kg m]; empty without offsets
    double across;     // int rho z^2 of sheets over their thickness [kg m^2]
} gos_fe_body;

/* C theta' + K theta = heat; M u'' + K u = couple theta. */
typedef struct gos_fe_heat {
    gos_sparse C, K;   // (temperatures, temperatures), both triangles [J/K], [W/K]
    gos_sparse couple; // (freedoms, temperatures) [N/K]
} gos_fe_heat;

/** Freedoms, temperatures, neighbours; no matrices. Each cell is in at most one part; parts and
 * mesh are borrowed. @return GOS_E_INPUT with a record: unsupported shape, in two parts, outside
 * the plane */
gos_status gos__fe_body_create(gos_ctx *ctx, const gos_mesh *mesh, int npart,
                               const gos_fe_part *part, gos_fe_body **body);
void gos__fe_body_destroy(gos_fe_body *body);
/** Add layers on shells before any matrix is made; borrowed. */
void gos__fe_body_layers(gos_fe_body *body, int n, const gos_fe_part *layer);
/** Compute K, mass and rotary. GOS_E_INPUT with a record for an inverted cell. */
gos_status gos__fe_body_mechanics(gos_fe_body *body);
/** Compute thermal matrices; free with gos__fe_heat_free also after a failure. */
gos_status gos__fe_body_heat(const gos_fe_body *body, gos_fe_heat *heat);
/** The same without `couple`. */
gos_status gos__fe_body_conduction(const gos_fe_body *body, gos_fe_heat *heat);
void gos__fe_heat_free(gos_ctx *ctx, gos_fe_heat *heat);
/** (freedoms, freedoms), both triangles, linear in u (freedoms) and t (temperatures; NULL: 0).
 * Tension stiffens. */
gos_status gos__fe_body_stress_stiffness(const gos_fe_body *body, const double *u, const double *t,
                                         gos_sparse *G);
/* Pieces whose nodes and directors move on circles about a point. */
typedef struct gos_fe_rotating {
    const int *owner;      // 1 + piece, 0: none (nodes)
    const double (*at)[3]; // centre points (pieces)
    const double *theta;   // of each piece in each motion (motions, pieces, 3)
    int n;                 // number of pieces
} gos_fe_rotating;

/** Stress stiffness x_i^T G x_j between m motions X (freedoms, m), linear in u and t: by_u
 * (freedoms, pairs), by_t (temperatures, pairs; may be NULL), pair i (i + 1) / 2 + j, j <= i. With
 * work on second-order displacements of rotating pieces (NULL: none). Needs no matrices.
 * (stress_work.c) */
gos_status gos__fe_body_stress_work(const gos_fe_body *body, int m, const double *X,
                                    const gos_fe_rotating *turning, double *by_u, double *by_t);
/** Mass matrix of the freedoms, both triangles. */
gos_status gos__fe_body_mass(const gos_fe_body *body, gos_sparse *M);
/** int rho f N_k and int rho f zeta N_k, f = 1, X_1, X_2, X_3 for d = 0 .. 3. */
void gos__fe_body_moment(const gos_fe_body *body, int node, int d, double *on, double *off);
/** Free body with freedoms as amplitudes: nodes, move, turn (empty columns without rotations),
 * gram, K, D = 0. Fails for axisymmetric cells. */
gos_status gos__fe_body_flex(const gos_fe_body *body, gos_flex **flex);
/** Body without amplitudes, mass and stiffness: nodes only, and empty heat.G. Needs no matrices. */
gos_status gos__fe_body_still(const gos_fe_body *body, gos_flex **flex);

/** Whether the centre of mass of a part or layer is off the mesh surface. */
bool gos__fe_eccentric(const gos_fe_body *body);
/** Whether elements have their own particle products (beams). */
bool gos__fe_beams(const gos_fe_body *body);

/** Index of freedom c = 0..5, or of temperature c = 0 (mean), 1 (gradient); -1: none. */
static inline int gos__fe_number(const gos_fe_layout *l, int node, int c) {
    const unsigned mask = l->mask[node], bit = 1u << c;
    return mask & bit ? l->first[node] + __builtin_popcount(mask & (bit - 1)) : -1;
}

/* directors.c */
/** Compute the directors of shells, if any. */
gos_status gos__fe_directors(gos_fe_body *body);
/** Directors at the nodes of a cell: its own normals at folds. */
void gos__fe_cell_directors(const gos_fe_body *body, int corners, const int *node,
                            double (*director)[3]);

/* mesh_flex_beams.c */
/** Call `add` with entries int rho f g of beams: fields of gos_flex.gram, i, j of one cell, both
 * triangles. */
gos_status gos__fe_beams_gram(const gos_fe_body *body,
                              void (*add)(void *to, int i, int j, double x), void *to);
/** Second derivatives (freedoms, freedoms) of int rho y_d u2_c by section rotation, both triangles.
 */
gos_status gos__fe_beams_turned(const gos_fe_body *body, int c, int d, gos_sparse *S);
/** Mass matrix of beams (freedoms, freedoms), both triangles. */
gos_status gos__fe_beams_mass(const gos_fe_body *body, gos_sparse *M);

/* assembly.c */
gos_status gos__fe_graph(gos_fe_body *body);
/** Complete a layout from its masks: indices, and offsets if needed. */
gos_status gos__fe_layout_close(const gos_fe_body *body, gos_fe_layout *l);
/* Matrices to assemble; NULL: omitted. */
typedef struct gos_fe_sums {
    gos_sparse *K, *mass, *rotary, *moment, *C, *conduct, *couple;
    double *across;
    gos_sparse *G; // stress stiffness under ...
    const double *u, *t;
    bool axial; // beams: axial force only
} gos_fe_sums;
/** Create the matrices with the graph's pattern, and assemble. */
gos_status gos__fe_assemble(const gos_fe_body *body, const gos_fe_sums *sums);

/* mesh_body.c */
/** Describe cell `at` of a part, at its middle, with its material. */
void gos__fe_cell_make(const gos_fe_body *body, const gos_fe_part *part, int at, int cell,
                       gos_fe_cell *made);
/** Copy the unknowns (NULL: 0) of a cell's nodes with this mask, in order. */
void gos__fe_gather(const gos_fe_layout *l, unsigned mask, int nodes, const int *node,
                    const double *all, double *own);
/** Location of a cell in its source, or else of its part. */
gos_loc gos__fe_cell_loc(const gos_fe_body *body, const gos_fe_part *part, int cell);

#endif
