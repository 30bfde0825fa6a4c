/* Bodies of matrices that CalculiX has stored. */
#ifndef GOS_MATRICES_CALCULIX_H
#define GOS_MATRICES_CALCULIX_H

#include "bodies/matrices_nodes.h"
#include "linalg/sparse.h"

/** Read stiffness JOB.sti, mass JOB.mas and rows JOB.dof, below the model's folder, and the nodes
 * of the deck JOB.inp, named n and their number; where `count` is NULL the deck is not read.
 * Refused besides what is broken: nodes that the deck does not have, axes of nodes (*TRANSFORM),
 * and directions without a row that the deck does not hold at 0. *node lives in the builder's
 * arena; K and M are freed by gos__sparse_free. */
gos_status gos__matrices_calculix_read(gos_builder *b, const char *job, gos_loc loc,
                                       const char *object, gos_sparse *K, gos_sparse *M, int *count,
                                       gos_matrices_node **node);

#endif
