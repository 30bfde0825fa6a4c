/* Nastran bulk data as a deck: the same plain data as of CalculiX decks. */
#ifndef GOS_NASTRAN_H
#define GOS_NASTRAN_H

#include "deck/deck.h"

/** Parse size bytes at data, followed by a 0 byte; `name` is for messages. Includes are read below
 * `folder` (NULL: refused). subcase 0: the first. Reports every error. Free with
 * gos__deck_destroy. */
gos_status gos__nastran_parse(gos_ctx *ctx, const char *name, const char *data, size_t size,
                              const char *folder, int64_t subcase, gos_deck **deck);
/** Read a file into an empty mesh, as gos__deck_read. */
gos_status gos__nastran_read(gos_mesh *mesh, const char *path, gos_loc loc, const char *object,
                             int64_t subcase, gos_deck **deck);
/** Formulation of an element card ("CQUAD4": "shell"); NULL: none. */
const char *gos__nastran_element(const char *type, gos_cell_shape shape);

#endif
