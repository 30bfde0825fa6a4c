/* Reads CalculiX matrices. */
#ifndef GOS_MATRICES_CALCULIX_H
#define GOS_MATRICES_CALCULIX_H

#include "bodies/matrices_nodes.h"
#include "linalg/sparse.h"

/** Reads stiffness JOB.sti, mass JOB.mas, rows JOB.dof and, unless `count` is NULL, nodes of the
 * deck JOB.inp, named "n" plus number. @return GOS_E_INPUT also for nodes missing in the deck,
 * *TRANSFORM, and directions without row that are not fixed. *node lives in the builder's arena;
 * free K and M by gos__sparse_free. */
gos_status gos__matrices_calculix_read(gos_builder *b, const char *job, gos_loc loc,
                                       const char *object, gos_sparse *K, gos_sparse *M, int *count,
                                       gos_matrices_node **node);

#endif
