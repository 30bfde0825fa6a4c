/* Joints and loads in pictures. */
#ifndef GOS_IO_PICTURE_MARKS_H
#define GOS_IO_PICTURE_MARKS_H

#include "pages/picture_view.h"
#include "system/marks.h"

/** Draw n marks at the initial configuration. Joints: rings, with a support if on the ground, or a
 *  line with two rings. Loads: arrows along the value at t = 0 (dot: towards the viewer, rhombus:
 *  zero), or dashes between two locations. Each is a group of class `joint` or `load`, titled with
 *  its name. */
void gos__picture_marks(const gos_plot *plot, const gos_view *view, int n, const gos_mark *mark);
/** Kinds in use, below (x, y). @return y of the next line */
double gos__picture_marks_legend(FILE *out, double x, double y, int n, const gos_mark *mark);

#endif
