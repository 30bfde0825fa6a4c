/* Parts of the page about a design. */
#ifndef GOS_IO_DESIGN_PAGE_H
#define GOS_IO_DESIGN_PAGE_H

#include "pages/design_view.h"

/** Pictures of the lowest modes; nothing without them. */
gos_status gos__design_page_modes(FILE *out, gos_arena *a, const gos_design_view *view);
/** Where inputs lie on the bodies, coloured by their importance, those that drive with a border;
 * nothing where none can be drawn. */
gos_status gos__design_page_map(FILE *out, gos_arena *a, const gos_design *design);
/** Poles with and without control. */
void gos__design_page_poles(FILE *out, const gos_design *design);
/** Courses under the disturbance. */
void gos__design_page_courses(FILE *out, const gos_design *design);
/** What errors of the plant do. */
void gos__design_page_errors(FILE *out, const gos_design *design);

#endif
