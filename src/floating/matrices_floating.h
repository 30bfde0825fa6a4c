#ifndef GOS_MATRICES_FLOATING_H
#define GOS_MATRICES_FLOATING_H

#include "floating/floating_def.h"
#include "bodies/matrices_nodes.h"

typedef struct gos_matrices_frame {
    int floating;         // bool
    const char *at, *far; // reference condition
    gos_floating_def def;
} gos_matrices_frame;

/** Fail if frame parameters are given. */
gos_status gos__matrices_no_frame(gos_builder *b, const gos_node *entry, const char *object);
/** Second-order matrices; every coordinate belongs to a node; mass is scalar except for nodal
 * inertia. */
gos_status gos__matrices_float(gos_builder *b, const gos_node *entry, const char *object,
                               const gos_matrices_frame *frame, const gos_linear *l, int nnode,
                               const gos_matrices_node *node, gos_body *body);

#endif
