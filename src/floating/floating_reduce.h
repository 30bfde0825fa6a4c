/* Entry `reduce` of floating bodies: fewer amplitudes, by a linear reduction method applied to the
   body with fixed frame. */
#ifndef GOS_FLOATING_REDUCE_H
#define GOS_FLOATING_REDUCE_H

#include "floating/floating_loads.h"

/** Replace *flex by the body projected onto the basis of the entry (NULL: method auto). For full
 * bodies (gos_builder.reduce_floating) the entry is only checked. zeta: ratio by which the caller
 * later damps every mode, used for error estimates; 0: none. */
gos_status gos__floating_reduce(gos_builder *b, const gos_node *entry, double zeta, gos_loc loc,
                                const char *object, const gos_floating_names *names,
                                gos_flex **flex);

/** gos__flex_second_order with names->stress; its limit is reported at loc. */
gos_status gos__floating_second_order(gos_builder *b, const gos_floating_names *names, gos_loc loc,
                                      const char *object, const gos_flex *flex,
                                      const gos_flex_space *space, gos_flex *to);

#endif
