/* Reduction of floating bodies by linear methods, with fixed frame. */
#ifndef GOS_FLOATING_REDUCE_H
#define GOS_FLOATING_REDUCE_H

#include "floating/floating_loads.h"

/** Replace *flex by its projection onto the basis of the entry (NULL: auto); only checks the entry
 * for full bodies (gos_builder.reduce_floating). zeta: later damping of every mode, for error
 * estimates; 0: none. */
gos_status gos__floating_reduce(gos_builder *b, const gos_node *entry, double zeta, gos_loc loc,
                                const char *object, const gos_floating_names *names,
                                gos_flex **flex);

/** With names->stress; its limit is reported at loc. */
gos_status gos__floating_second_order(gos_builder *b, const gos_floating_names *names, gos_loc loc,
                                      const char *object, const gos_flex *flex,
                                      const gos_flex_space *space, gos_flex *to);

#endif
