/* What is looked at where bodies of a model could not be made. */
#ifndef GOS_UNFINISHED_H
#define GOS_UNFINISHED_H

#include "system/system.h"

/** name in messages: "body 'rod'"; NULL without memory */
const char *gos__object_name(gos_arena *a, const char *section, const char *key);
/** What the entry says by itself, without what it refers to. */
gos_status gos__entry_check(gos_builder *b, const char *section, const gos_node *entry,
                            const char *object);
/** What the entry says, made for good. */
gos_status gos__entry_make(gos_builder *b, const char *section, const gos_node *entry,
                           const char *object);

/** Report the mistakes of all entries behind bodies that have failed. What names one of these, or
 * an entry that does, is checked as far as it stands by itself; the rest is made, for what it
 * refers to is there. s->probe has room for all. finished: bodies were made, and failed when they
 * were finished, which is not done again; nothing is made behind them.
 *  @return the first failure */
gos_status gos__check_behind(gos_builder *b, gos_system *s, bool finished);

#endif
