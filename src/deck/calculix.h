/* Matrices that CalculiX stores (*FREQUENCY, SOLVER=MATRIXSTORAGE): JOB.sti, JOB.mas and
   JOB.dof. */
#ifndef GOS_CALCULIX_H
#define GOS_CALCULIX_H

#include "linalg/sparse.h"

/* Degree of freedom of a matrix row: displacement (1 .. 3) or rotation (4 .. 6) of a node. */
typedef struct gos_calculix_dof {
    int64_t node; // node number in the deck
    int direction;
} gos_calculix_dof;

/** Parse a .dof file, lines NODE.DIRECTION: n bytes of text followed by a 0 byte; `file` (interned)
 * is used in messages. Free *dof (count) with gos__free. Fails, with the line, on malformed and
 * duplicate rows. */
gos_status gos__calculix_dofs_parse(gos_ctx *ctx, const char *text, size_t n, const char *file,
                                    int *count, gos_calculix_dof **dof);
/** Parse a .sti or .mas file, lines ROW COLUMN VALUE of one triangle of a symmetric matrix of that
 * order. Both triangles are stored, zeros are dropped. Fails on numbers out of range, non-finite
 * values, duplicates and missing diagonal entries (CalculiX always writes them: the file is
 * truncated). Free with gos__sparse_free. */
gos_status gos__calculix_matrix_parse(gos_ctx *ctx, const char *text, size_t n, const char *file,
                                      int order, gos_sparse *A);

#endif
