/* Matrices in Matrix Market files, the text format that every tool reads and writes. */
#ifndef GOS_MATRIX_MARKET_H
#define GOS_MATRIX_MARKET_H

#include "linalg/sparse.h"

/** Parse n bytes of text, which a 0 byte follows; `file` (interned) stands for it in messages.
 *  Coordinate and array, real, integer and pattern (each entry 1), general, symmetric and
 *  skew-symmetric (both triangles are stored). Comments and blank lines may stand anywhere after
 *  the first line. Zeros are left out. Refused with file:line:col: values that are not finite,
 *  indices out of range, entries given twice (whether to sum or to replace them nobody can tell),
 *  entries above the diagonal of a symmetric matrix, a wrong number of entries, complex
 *  matrices. What a hostile text claims to hold never costs more memory than in proportion to its
 *  length: rows and columns beyond GOS_LIMIT_FREE_ORDER must not be more than its bytes. Free with
 *  gos__sparse_free. */
gos_status gos__matrix_market_parse(gos_ctx *ctx, const char *text, size_t n, const char *file,
                                    gos_sparse *A);
/** Read a file; loc and object (may be empty and NULL) are where it was named. `beside`: bytes of
 * the files of the same model, which may be much longer than this one (all zero, a single column);
 * 0: it is alone. */
gos_status gos__matrix_market_read(gos_ctx *ctx, const char *path, size_t beside, gos_loc loc,
                                   const char *object, gos_sparse *A);
/** Write with 17 digits, so that it is read back to the last bit; `symmetric`: the lower triangle
 *  of a matrix that equals its transpose. `comment` (may be NULL) is one line. @return false when
 *  the stream failed. */
bool gos__matrix_market_write(const gos_sparse *A, bool symmetric, const char *comment, FILE *out);

#endif
