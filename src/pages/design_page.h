/* Parts of the page about a design. */
#ifndef GOS_IO_DESIGN_PAGE_H
#define GOS_IO_DESIGN_PAGE_H

#include "pages/design_view.h"

/** Lowest mode shapes, if any. */
gos_status gos__design_page_modes(FILE *out, gos_arena *a, const gos_design_view *view);
/** Map of the inputs, if any can be drawn; driven ones have a border. */
gos_status gos__design_page_map(FILE *out, gos_arena *a, const gos_design *design);

#endif
