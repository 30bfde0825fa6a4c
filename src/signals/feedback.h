/* Loads and heat that depend on probes. */
#ifndef GOS_FEEDBACK_H
#define GOS_FEEDBACK_H

#include "probes/probe.h"

/** Wrap items whose functions name probes, adding markers and derivatives. Unsuitable probes are
 * errors. */
gos_status gos__feedback_make(gos_builder *b, gos_probe *const *probe, int nprobe);
/** True if inputs of this item depend on probes. */
bool gos__item_feeds_back(const gos_item *it);
/** First such item of a system; NULL if there is none. */
const gos_item *gos__feedback_item(const gos_system *s);

#endif
