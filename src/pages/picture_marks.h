/* Joints and loads in pictures. */
#ifndef GOS_IO_PICTURE_MARKS_H
#define GOS_IO_PICTURE_MARKS_H

#include "pages/picture_view.h"
#include "system/symbols.h"

/** Draw n marks where bodies begin: joints as rings, on the ground with a support, or as a line
 * with a ring at each end; loads as arrows along what they do at t = 0 (a dot towards the eye, a
 * rhomb when that is nothing), or as dashes between two places. Each is a group of class `joint` or
 * `load` with its name for a title. */
void gos__picture_marks(const gos_plot *plot, const gos_view *view, int n, const gos_mark *mark);
/** One of each kind that is there, with its word, below each other from (x, y) on. @return y of the
 * next line */
double gos__picture_marks_legend(FILE *out, double x, double y, int n, const gos_mark *mark);

#endif
