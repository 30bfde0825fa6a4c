/* Interface coordinates of component modes (craig_bampton) of floating bodies. */
#ifndef GOS_INTERFACE_COORDINATES_H
#define GOS_INTERFACE_COORDINATES_H

#include "floating/floating_loads.h"
#include "linear_reduction/reduce.h"

/** Coordinates of the locations in options->interface; default: the declared interfaces, else the
 * locations of joints and loads. In the builder's arena; no effect for methods without interface.
 * @return GOS_E_INPUT with a record: unknown or averaging locations, too low an order */
gos_status gos__floating_interface(gos_builder *b, const gos_node *entry, const char *object,
                                   const gos_type *method, const gos_flex *flex,
                                   const gos_floating_names *names,
                                   gos_linear_reduction_options *options);
/** The same before any matrix: the order in `reduce` against the least number of coordinates that
 * its interfaces have. */
gos_status gos__floating_interface_early(gos_builder *b, const gos_node *reduce, const char *object,
                                         int count);

#endif
