/* Parallel projection of pictures. */
#ifndef GOS_IO_PICTURE_VIEW_H
#define GOS_IO_PICTURE_VIEW_H

#include "pages/svg.h"

/* unit vectors */
typedef struct gos_view {
    double right[3], up[3], eye[3];
    int axis[2]; // global axes to the right and upwards; -1: oblique view
} gos_view;

/* extents of the scene */
typedef struct gos_seen {
    double lo[3], hi[3]; // bounding box
    double moved[3];     // largest displacement along each axis
    double area[3];      // of surfaces projected along each axis, summed over times [m^2]
    bool surfaces;
} gos_seen;

/** The plane of the two global axes with the largest extent and motion, y or z upwards; oblique for
 *  deep surfaces, surfaces seen edge-on, or motion mostly out of this plane. */
void gos__view_choose(const gos_seen *seen, gos_view *view);
/** Fit the scene into a plot. */
void gos__view_fit(const gos_view *view, const gos_seen *seen, double width, double height,
                   gos_plot *plot);
double gos__view_x(const gos_plot *plot, const gos_view *view, const double x[3]);
double gos__view_y(const gos_plot *plot, const gos_view *view, const double x[3]);
/** Grid and ticks of a plane, or axes and a scale bar. `length`: unit, "" if unknown. */
void gos__view_axes(const gos_plot *plot, const gos_view *view, const char *length);

#endif
