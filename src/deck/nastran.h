/* Nastran bulk data as a deck: the same plain data as of CalculiX decks. */
#ifndef GOS_NASTRAN_H
#define GOS_NASTRAN_H

#include "deck/deck.h"
#include "linalg/sparse.h"

/** Parse size bytes at data, followed by a 0 byte; `name` is for messages. Includes are read below
 * `folder` (NULL: refused). subcase 0: the first. Reports every error. Free with
 * gos__deck_destroy. */
gos_status gos__nastran_parse(gos_ctx *ctx, const char *name, const char *data, size_t size,
                              const char *folder, int64_t subcase, gos_deck **deck);
/** Read a file into an empty mesh, as gos__deck_read. */
gos_status gos__nastran_read(gos_mesh *mesh, const char *path, gos_loc loc, const char *object,
                             int64_t subcase, gos_deck **deck);
/** Square matrix of DMIG cards; other cards are ignored. Rows ascend by grid point, then component,
 * of all square matrices of the file. matrix NULL: the only one. Free with gos__sparse_free. */
gos_status gos__nastran_matrix_parse(gos_ctx *ctx, const char *name, const char *data, size_t size,
                                     const char *matrix, gos_sparse *A);
gos_status gos__nastran_matrix_read(gos_ctx *ctx, const char *path, const char *matrix, gos_loc loc,
                                    const char *object, gos_sparse *A);
/** Formulation of an element card ("CQUAD4": "shell"); NULL: none. */
const char *gos__nastran_element(const char *type, gos_cell_shape shape);

#endif
