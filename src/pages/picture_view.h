/* From where a picture shows bodies: parallel projection. */
#ifndef GOS_IO_PICTURE_VIEW_H
#define GOS_IO_PICTURE_VIEW_H

#include "pages/svg.h"

/* Unit vectors to the right, upwards and towards the eye. */
typedef struct gos_view {
    double right[3], up[3], eye[3];
    int axis[2]; // global axes to the right and upwards; -1: it looks obliquely
} gos_view;

/* What there is to be seen. */
typedef struct gos_seen {
    double lo[3], hi[3]; // box of everything
    double moved[3];     // largest displacement along each axis
    bool surfaces;       // not lines alone
} gos_seen;

/** The plane of the two global axes along which most happens, y or z upwards. Surfaces that have
 * depth, or that move across that plane more than in it, are seen obliquely. */
void gos__view_choose(const gos_seen *seen, gos_view *view);
/** Fit what is seen into a plot. */
void gos__view_fit(const gos_view *view, const gos_seen *seen, double width, double height,
                   gos_plot *plot);
double gos__view_x(const gos_plot *plot, const gos_view *view, const double x[3]);
double gos__view_y(const gos_plot *plot, const gos_view *view, const double x[3]);
/** Grid and ticks of a plane; else the directions of the axes, and how long something is. */
void gos__view_axes(const gos_plot *plot, const gos_view *view);

#endif
