/* The entry `reduce` of floating bodies: fewer amplitudes, by a method of linear models on the body
   whose frame stands still. */
#ifndef GOS_FLOATING_REDUCE_H
#define GOS_FLOATING_REDUCE_H

#include "floating/floating_loads.h"

/** Replace *flex by the body on the basis that the entry asks for (NULL: the method auto). Where
 * bodies stay whole (gos_builder.reduce_floating) the entry is only checked. zeta: the ratio by
 * which the caller damps every mode of it afterwards, 0: it does not; errors are estimated with
 * it. */
gos_status gos__floating_reduce(gos_builder *b, const gos_node *entry, double zeta, gos_loc loc,
                                const char *object, const gos_floating_names *names,
                                gos_flex **flex);

/** gos__flex_second_order by names->stress, its limit told at loc. */
gos_status gos__floating_second_order(gos_builder *b, const gos_floating_names *names, gos_loc loc,
                                      const char *object, const gos_flex *flex,
                                      const gos_flex_space *space, gos_flex *to);

#endif
