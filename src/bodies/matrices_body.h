/* Shared by the files of body type matrices. */
#ifndef GOS_MATRICES_BODY_H
#define GOS_MATRICES_BODY_H

#include "bodies/matrices_nodes.h"
#include "linear/linear.h"

typedef struct gos_matrices_body {
    const gos_linear *linear;
    bool first; // states are temperature coordinates
    int n;      // coordinates of the matrices
    // (n) coordinate i: 3 v + c, or temperature
    const int *at;
    double *rest; // (n) at zero matrix force
    const char **port[2];
    int nnode;
    gos_matrices_node *node;
    const char **node_name; // (nnode)
} gos_matrices_body;

/* Initial values (n), NULL if not given. */
typedef struct gos_matrices_start {
    const double *q, *v; // displacements or states; velocities
    double scale;        // 0: of the system
} gos_matrices_start;

/** Adds coordinates, matrices and constraints of m->linear; sets the rest of m and the body's
 * ranges. */
gos_status gos__matrices_location(gos_builder *b, const gos_matrices_start *start, gos_body *body,
                                  gos_matrices_body *m);
/** Makes the signal sum w_k q_k: markers, or a temperature marker for first order. */
gos_status gos__matrices_signal(gos_arena *a, const gos_matrices_body *m, int n, const int *k,
                                const double *w, gos_marker to[3], gos_tmarker *heat);

/** gos_body_ops */
gos_status gos__matrices_locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                                const char *object, gos_location *location);
gos_status gos__matrices_position(gos_arena *a, const gos_body *b, const gos_location *p,
                                  gos_marker *to);
gos_status gos__matrices_direction(gos_arena *a, const gos_body *b, const gos_location *p,
                                   const double d[3], gos_marker *to);

#endif
