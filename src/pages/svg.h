/* A small SVG writer: a frame with ticks and equal axes, colours, text. */
#ifndef GOS_IO_SVG_H
#define GOS_IO_SVG_H

#include <stdbool.h>
#include <stdio.h>

/* A plot area in pixels and the part of the plane shown in it, equal scales on both axes. */
typedef struct gos_plot {
    FILE *out;
    double left, top, width, height; // [px]
    double x0, y0;                   // plane coordinates of the lower left corner
    double scale;                    // pixels per unit
} gos_plot;

/** Fit the box lo..hi of the plane into at most max_width x max_height pixels, with a margin. */
void gos__plot_fit(gos_plot *p, const double lo[2], const double hi[2], double max_width,
                   double max_height);
double gos__plot_x(const gos_plot *p, double x);
double gos__plot_y(const gos_plot *p, double y);
/** Grid, ticks and axis labels. */
void gos__plot_axes(const gos_plot *p, const char *x_label, const char *y_label);

/** Text with what XML would misread escaped. */
void gos__svg_escape(FILE *out, const char *text);
/** Text at a place; anchor "start", "middle" or "end"; what XML would misread is escaped. */
void gos__svg_text(FILE *out, double x, double y, const char *anchor, const char *style,
                   const char *text);
/** The colour of s in [0, 1] as "#rrggbb": dark blue over red to amber, readable on white. */
void gos__svg_colour(double s, char colour[8]);
/** A vertical colour bar from lo to hi with ticks and a label above. */
void gos__svg_bar(FILE *out, double x, double y, double width, double height, double lo, double hi,
                  const char *label);

/** A round step that divides a span into at most n parts. */
double gos__round_step(double span, int n);

/** Is lo .. hi one value but for rounding? What is not a range (lo > hi, NaN) is one value too.
    size: what the values are small against, where it is more than they are; 0 where nothing is
   known. */
bool gos__range_flat(double lo, double hi, double size);

/* Marks on an axis: the multiples first * step ... (first + count - 1) * step. */
typedef struct gos_ticks {
    double first, step;
    int count;
} gos_ticks;

/** The multiples of a step in lo .. hi, also those that miss an end by rounding; none in a range
   that is flat, or where the numbers are too large for neighbouring multiples to differ; never more
   than 64. */
gos_ticks gos__ticks(double lo, double hi, double step);

#endif
