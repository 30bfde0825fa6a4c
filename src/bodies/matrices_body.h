/* What the files of a body of matrices share. */
#ifndef GOS_MATRICES_BODY_H
#define GOS_MATRICES_BODY_H

#include "linear/linear.h"
#include "parts/parts.h"

typedef struct gos_matrices_body {
    const gos_linear *linear;
    bool first;           // of first order: its states are temperature coordinates
    int n;                // coordinates of the matrices
    const int *at;        // where coordinate i is: of vector coordinate v component c, 3 v + c; a
                          // temperature coordinate (n)
    const double *rest;   // values where the matrices make no force (n)
    const char **port[2]; // names of inputs and outputs
} gos_matrices_body;

/* Initial values, NULL where not given (n). */
typedef struct gos_matrices_start {
    const double *q, *v; // displacements or states, velocities
    double scale;        // 0: that of the system
} gos_matrices_start;

/** Put the coordinates of m->linear into the builder, with the matrices and constraints between them: fills
 *  the rest of m and the ranges of coordinates of the body. */
gos_status gos__matrices_place(gos_builder *b, const gos_matrices_start *start, gos_body *body,
                               gos_matrices_body *m);
/** sum of w_k q_k over coordinates k of the matrices as a signal: markers, or temperature marker. */
gos_status gos__matrices_signal(gos_arena *a, const gos_matrices_body *m, int n, const int *k,
                                const double *w, gos_marker to[3], gos_tmarker *heat);
/** gos_body_ops.port */
gos_status gos__matrices_port(gos_ctx *ctx, gos_arena *a, const gos_body *b, bool output,
                              const char *name, gos_loc loc, const char *object, int *number,
                              gos_signal *s);

#endif
