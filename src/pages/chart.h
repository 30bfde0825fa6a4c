/* Static SVG plots, in the C locale. Classes `grid`, `frame`, `tick`, `label` belong to the page's
   style. */
#ifndef GOS_IO_CHART_H
#define GOS_IO_CHART_H

#include <stdbool.h>
#include <stdio.h>

typedef enum gos_chart_scale {
    GOS_CHART_LINEAR,
    GOS_CHART_LOG,    // lo > 0
    GOS_CHART_SYMLOG, // linear below `small`, logarithmic above, on both sides of 0
} gos_chart_scale;

typedef struct gos_chart_axis {
    gos_chart_scale scale;
    double lo, hi, small;
    const char *label;
} gos_chart_axis;

typedef struct gos_chart {
    FILE *out;
    double left, top, width, height; // of the frame [px]
    gos_chart_axis x, y;
} gos_chart;

/** Margin around lo .. hi of a linear axis, or around a single value. */
void gos__chart_room(gos_chart_axis *axis);
double gos__chart_x(const gos_chart *c, double x);
double gos__chart_y(const gos_chart *c, double y);
void gos__chart_frame(const gos_chart *c);
void gos__chart_level(const gos_chart *c, double y, const char *attributes);
/** Band between minimum and maximum of a curve in n intervals that end at x, clipped to the frame.
 *  attributes: of the path. */
void gos__chart_spans(const gos_chart *c, int n, const double *x, const double *low,
                      const double *high, const char *attributes);
void gos__chart_curve(const gos_chart *c, int n, const double *x, const double *y,
                      const char *attributes);

#endif
