/* Checks of remaining entries after failed bodies. */
#ifndef GOS_UNFINISHED_H
#define GOS_UNFINISHED_H

#include "system/system.h"

/** name in messages: "body 'rod'"; NULL without memory */
const char *gos__object_name(gos_arena *a, const char *section, const char *key);
/** Check an entry without its references. */
gos_status gos__entry_check(gos_builder *b, const char *section, const gos_node *entry,
                            const char *object);
/** Make an entry. */
gos_status gos__entry_make(gos_builder *b, const char *section, const gos_node *entry,
                           const char *object);

/** Report errors after body failures. Entries depending on failed ones are checked alone; others
 * are made. s->probe has room for all. finished: bodies failed on finishing, which is not
 * repeated; nothing is made. @return the first failure */
gos_status gos__check_unfinished(gos_builder *b, gos_system *s, bool finished);

#endif
