/* Bodies of matrices in a floating frame. */
#ifndef GOS_MATRICES_FLOATING_H
#define GOS_MATRICES_FLOATING_H

#include "floating/floating_def.h"
#include "bodies/matrices_nodes.h"

/* Frame parameters of bodies of matrices. */
typedef struct gos_matrices_frame {
    int floating;         // bool
    const char *at, *far; // nodes of the reference condition
    gos_floating_def def;
} gos_matrices_frame;

/** Reject frame parameters of bodies without a frame. */
gos_status gos__matrices_no_frame(gos_builder *b, const gos_node *entry, const char *object);
/** Add second-order matrices as a body in a floating frame. Every coordinate belongs to a node; the
 * mass is scalar except for inertia of single nodes. */
gos_status gos__matrices_float(gos_builder *b, const gos_node *entry, const char *object,
                               const gos_matrices_frame *frame, const gos_linear *l, int nnode,
                               const gos_matrices_node *node, gos_body *body);

#endif
