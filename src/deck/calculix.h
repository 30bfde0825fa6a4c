/* Matrices that CalculiX stores (*FREQUENCY, SOLVER=MATRIXSTORAGE): JOB.sti, JOB.mas and
   JOB.dof. */
#ifndef GOS_CALCULIX_H
#define GOS_CALCULIX_H

#include "linalg/sparse.h"

/* Displacement (1 .. 3) or rotation (4 .. 6) of a node. */
typedef struct gos_calculix_dof {
    int64_t node; // deck number
    int direction;
} gos_calculix_dof;

/** Parse a .dof file, lines NODE.DIRECTION: n bytes followed by a 0 byte; `file` (interned) is for
 * messages. Free *dof (count) with gos__free. Fails on malformed and duplicate rows. */
gos_status gos__calculix_dofs_parse(gos_ctx *ctx, const char *text, size_t n, const char *file,
                                    int *count, gos_calculix_dof **dof);
/** Parse a .sti or .mas file, lines ROW COLUMN VALUE of one triangle; both triangles are stored,
 * zeros dropped. Fails on numbers out of range, non-finite values, duplicates and missing diagonal
 * entries (the file is truncated). Free with gos__sparse_free. */
gos_status gos__calculix_matrix_parse(gos_ctx *ctx, const char *text, size_t n, const char *file,
                                      int order, gos_sparse *A);

#endif
