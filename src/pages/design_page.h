/* Parts of the page about a design. */
#ifndef GOS_IO_DESIGN_PAGE_H
#define GOS_IO_DESIGN_PAGE_H

#include "control/design.h"
#include "pages/design_view.h"
#include "pages/report.h"

/** Patches on both sides of the bodies as SVG: "map"; omitted without patches. */
gos_status gos__design_page_map(gos_page *p, const gos_design *design);
/** Lowest modes as SVG: "modes"; omitted if there are none to draw. */
gos_status gos__design_page_modes(gos_page *p, gos_arena *arena, const gos_design_view *view);

#endif
