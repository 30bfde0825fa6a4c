/* Counts that entries of a model determine before anything is made from them. */
#ifndef GOS_ENTRY_COUNTS_H
#define GOS_ENTRY_COUNTS_H

#include "parts/builder.h"

/** Entry `name` of a section, or NULL. */
const gos_node *gos__entry_of(const gos_builder *b, const char *section, const char *name);
/** Product of the numbers under `key`, 0 if it is missing, not numeric or out of range; *n: how
 * many. Records no error: reading the entry does. */
double gos__entry_product(const gos_builder *b, const gos_node *entry, const char *key, int *n);
/** Lower bound of the nodes of the mesh that an entry names under `mesh`, from its numbers of
 * cells; 0: unknown, as of files. *dim: 2 for surfaces, 3 for solids. */
double gos__entry_mesh_nodes(const gos_builder *b, const gos_node *entry, int *dim);

#endif
