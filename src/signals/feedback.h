/* Amounts of loads and heat that depend on probes. */
#ifndef GOS_FEEDBACK_H
#define GOS_FEEDBACK_H

#include "probes/probe.h"

/** Let every item whose functions name probes read them: it gets their markers, and its forces and
 * heat the derivatives by them. Probes that cannot serve are refused by name. */
gos_status gos__feedback_make(gos_builder *b, gos_probe *const *probe, int nprobe);
/** Do amounts of this item depend on probes? */
bool gos__item_feeds_back(const gos_item *it);
/** First item of a system whose amounts depend on probes, NULL: there is none. */
const gos_item *gos__feedback_item(const gos_system *s);

#endif
