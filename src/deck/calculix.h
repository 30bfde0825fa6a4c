/* Matrices that CalculiX stores (*FREQUENCY, SOLVER=MATRIXSTORAGE): JOB.sti, JOB.mas and
   JOB.dof. */
#ifndef GOS_CALCULIX_H
#define GOS_CALCULIX_H

#include "linalg/sparse.h"

/* What a row of the matrices is: a displacement (1 .. 3) or rotation (4 .. 6) of a node. */
typedef struct gos_calculix_dof {
    int64_t node; // its number in the deck
    int direction;
} gos_calculix_dof;

/** Parse a .dof file, lines NODE.DIRECTION: n bytes of text, which a 0 byte follows; `file`
 * (interned) stands for it in messages. *dof (count) is freed by gos__free. Refused with its line:
 * what is no such number, and rows given twice. */
gos_status gos__calculix_dofs_parse(gos_ctx *ctx, const char *text, size_t n, const char *file,
                                    int *count, gos_calculix_dof **dof);
/** Parse a .sti or .mas file, lines ROW COLUMN VALUE of one triangle of a symmetric matrix of that
 * order: both are stored, zeros are left out. Refused: numbers out of range, values that are not
 * finite, entries given twice, and a row without its entry on the diagonal, which CalculiX always
 * writes: the file is cut off. Free with gos__sparse_free. */
gos_status gos__calculix_matrix_parse(gos_ctx *ctx, const char *text, size_t n, const char *file,
                                      int order, gos_sparse *A);

#endif
