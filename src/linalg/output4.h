/* OUTPUT4 files of Nastran: matrices as text or binary. */
#ifndef GOS_OUTPUT4_H
#define GOS_OUTPUT4_H

#include "linalg/sparse.h"

/** Parses n bytes: text or binary of either byte order, single or double precision; dense, sparse
 * and BIGMAT columns. `matrix`: the one to take, NULL: the only one. Zeros are dropped. Rejected
 * with the line or byte: complex matrices, other forms than square, rectangular, symmetric and
 * triangular, columns that do not ascend, entries outside or given twice, values that are not
 * finite, a symmetric matrix of one triangle. Free with gos__sparse_free. */
gos_status gos__output4_parse(gos_ctx *ctx, const char *data, size_t n, const char *file,
                              const char *matrix, gos_sparse *A);
/** Reads a file; loc and object are where the model refers to it. */
gos_status gos__output4_read(gos_ctx *ctx, const char *path, const char *matrix, gos_loc loc,
                             const char *object, gos_sparse *A);
/** Appends a matrix in double precision, BIGMAT: as text with 17 digits, or binary in the byte
 * order of the machine. `name`: up to 8 characters. @return false when writing failed */
bool gos__output4_write(const gos_sparse *A, bool symmetric, const char *name, bool text,
                        FILE *out);

#endif
