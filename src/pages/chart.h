/* Plots of numbers in pages without a script: a frame with ticks, and what lies in it, as SVG in
   the C locale. Classes `grid`, `frame`, `tick`, `label` belong to the style of the page. */
#ifndef GOS_IO_CHART_H
#define GOS_IO_CHART_H

#include <stdbool.h>
#include <stdio.h>

typedef enum gos_chart_scale {
    GOS_CHART_LINEAR,
    GOS_CHART_LOG,    // lo > 0
    GOS_CHART_SYMLOG, // linear below `small`, logarithmic above it, on both sides of 0
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

/** Room around lo .. hi, or around a single value; of linear axes. */
void gos__chart_room(gos_chart_axis *axis);
double gos__chart_x(const gos_chart *c, double x);
double gos__chart_y(const gos_chart *c, double y);
/** Grid, ticks, frame and labels. */
void gos__chart_frame(const gos_chart *c);
/** A line across the frame at y, where it lies in it. */
void gos__chart_level(const gos_chart *c, double y, const char *attributes);
/** What n spans that end at x show of a curve: from the least to the largest value of each. What
 * lies outside of the frame is cut off at it. attributes: of the path. */
void gos__chart_spans(const gos_chart *c, int n, const double *x, const double *low,
                      const double *high, const char *attributes);
/** A curve through n points. */
void gos__chart_curve(const gos_chart *c, int n, const double *x, const double *y,
                      const char *attributes);

#endif
