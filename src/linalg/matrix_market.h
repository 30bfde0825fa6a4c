/* Matrix Market files, a widely supported text format for matrices. */
#ifndef GOS_MATRIX_MARKET_H
#define GOS_MATRIX_MARKET_H

#include "linalg/sparse.h"

/** Parses n bytes of 0-terminated text; `file` (interned) appears in messages. Accepts coordinate
 * and array; real, integer and pattern (entries 1); general, symmetric and skew-symmetric (both
 * triangles are stored). Comments and blank lines may follow the first line anywhere. Zeros are
 * dropped. Rejected with file:line:col: values that are not finite, indices out of range,
 * duplicate entries, entries above the diagonal of a symmetric matrix, a wrong number of entries,
 * complex matrices. Memory is proportional to the length of the text, whatever it declares: rows
 * and columns beyond GOS_LIMIT_FREE_ORDER must not exceed its bytes. Free with
 * gos__sparse_free. */
gos_status gos__matrix_market_parse(gos_ctx *ctx, const char *text, size_t n, const char *file,
                                    gos_sparse *A);
/** Reads a file; loc and object (may be empty and NULL) are where the model refers to it. `beside`:
 * bytes of the other matrix files of the model, which may be much longer; 0: none. */
gos_status gos__matrix_market_read(gos_ctx *ctx, const char *path, size_t beside, gos_loc loc,
                                   const char *object, gos_sparse *A);
/* Entries that a list of entries has off the diagonal. */
typedef enum gos_triangle {
    GOS_TRIANGLE_NONE, // not a list: a Matrix Market file
    GOS_TRIANGLE_BOTH, // or only diagonal ones
    GOS_TRIANGLE_LOWER,
    GOS_TRIANGLE_UPPER
} gos_triangle;

/** Parses a Matrix Market text, or a list of the entries of a square matrix without banner and
 * sizes (lines ROW COLUMN VALUE, as *MATRIX OUTPUT of Abaqus writes with FORMAT=COORDINATE). Its
 * order is the largest index. With entries in one triangle alone it is symmetric. */
gos_status gos__matrix_list_parse(gos_ctx *ctx, const char *text, size_t n, size_t room,
                                  const char *file, gos_triangle *triangle, gos_sparse *A);
/** gos__matrix_market_read, with lists unless triangle is NULL. */
gos_status gos__matrix_list_read(gos_ctx *ctx, const char *path, size_t beside, gos_loc loc,
                                 const char *object, gos_triangle *triangle, gos_sparse *A);
/** Writes with 17 digits, which preserves every bit; `symmetric`: only the lower triangle of a
 * symmetric matrix. `comment` (may be NULL) is one line. @return false when writing failed. */
bool gos__matrix_market_write(const gos_sparse *A, bool symmetric, const char *comment, FILE *out);

#endif
