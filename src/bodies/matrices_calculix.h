/* Reads matrices stored by CalculiX. */
#ifndef GOS_MATRICES_CALCULIX_H
#define GOS_MATRICES_CALCULIX_H

#include "bodies/matrices_nodes.h"
#include "linalg/sparse.h"

/** Reads stiffness JOB.sti, mass JOB.mas and row list JOB.dof below the model's folder. Unless
 * `count` is NULL, also reads the nodes of the deck JOB.inp, named "n" plus their number. @return
 * GOS_E_INPUT for malformed files, nodes missing in the deck, nodal axes (*TRANSFORM), and
 * directions that have no row but are not fixed at 0. *node lives in the builder's arena; free K
 * and M by gos__sparse_free. */
gos_status gos__matrices_calculix_read(gos_builder *b, const char *job, gos_loc loc,
                                       const char *object, gos_sparse *K, gos_sparse *M, int *count,
                                       gos_matrices_node **node);

#endif
