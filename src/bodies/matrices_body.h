/* What the files of a body of matrices share. */
#ifndef GOS_MATRICES_BODY_H
#define GOS_MATRICES_BODY_H

#include "bodies/matrices_nodes.h"
#include "linear/linear.h"
#include "parts/parts.h"

typedef struct gos_matrices_body {
    const gos_linear *linear;
    bool first;           // of first order: its states are temperature coordinates
    int n;                // coordinates of the matrices
    const int *at;        // where coordinate i is: of vector coordinate v component c, 3 v + c; a
                          // temperature coordinate (n)
    double *rest;         // values where the matrices make no force (n)
    const char **port[2]; // names of inputs and outputs
    int nnode;
    gos_matrices_node *node;
    const char **node_name; // (nnode)
} gos_matrices_body;

/* Initial values, NULL where not given (n). */
typedef struct gos_matrices_start {
    const double *q, *v; // displacements or states, velocities
    double scale;        // 0: that of the system
} gos_matrices_start;

/** Put the coordinates of m->linear into the builder, with the matrices and constraints between
 * them: fills the rest of m and the ranges of coordinates of the body. */
gos_status gos__matrices_place(gos_builder *b, const gos_matrices_start *start, gos_body *body,
                               gos_matrices_body *m);
/** sum of w_k q_k over coordinates k of the matrices as a signal: markers, or temperature
 * marker. */
gos_status gos__matrices_signal(gos_arena *a, const gos_matrices_body *m, int n, const int *k,
                                const double *w, gos_marker to[3], gos_tmarker *heat);

/* matrices_points.c */
/** The vector coordinates of the nodes. */
gos_status gos__matrices_nodes_add(gos_builder *b, gos_body *body, gos_matrices_body *m);
/** Where coordinate k (ux .. rz) of a node is. */
int gos__matrices_node_at(const gos_matrices_node *node, int k);
/** Hold what has no coordinate, and let the axes turn. */
gos_status gos__matrices_nodes_tie(gos_builder *b, const gos_body *body, gos_matrices_body *m,
                                   const char *name);
/** gos_body_ops */
gos_status gos__matrices_locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                                const char *object, gos_place *place);
gos_status gos__matrices_position(gos_arena *a, const gos_body *b, const gos_place *p,
                                  gos_marker *to);
gos_status gos__matrices_direction(gos_arena *a, const gos_body *b, const gos_place *p,
                                   const double d[3], gos_marker *to);
/** gos_body_ops.port */
gos_status gos__matrices_port(gos_ctx *ctx, gos_arena *a, const gos_body *b, bool output,
                              const char *name, gos_loc loc, const char *object, int *number,
                              gos_signal *s);

#endif
