/* SVG writer. */
#ifndef GOS_IO_SVG_H
#define GOS_IO_SVG_H

#include <stdbool.h>
#include <stdio.h>

/* Plot area, and the displayed part of the plane, with equal scales. */
typedef struct gos_plot {
    FILE *out;
    double left, top, width, height; // [px]
    double x0, y0;                   // plane coordinates of the lower left corner
    double scale;                    // pixels per unit
} gos_plot;

/** Fit lo..hi into max_width x max_height pixels, with a margin. */
void gos__plot_fit(gos_plot *p, const double lo[2], const double hi[2], double max_width,
                   double max_height);
double gos__plot_x(const gos_plot *p, double x);
double gos__plot_y(const gos_plot *p, double y);
void gos__plot_axes(const gos_plot *p, const char *x_label, const char *y_label);

/** anchor "start", "middle" or "end"; escapes XML. */
void gos__svg_text(FILE *out, double x, double y, const char *anchor, const char *style,
                   const char *text);
#define GOS_SVG_GREY "#c3c9d1" // without value
/** s in [0, 1] as "#rrggbb": dark blue over red to amber. */
void gos__svg_colour(double s, char colour[8]);
/** Vertical colour bar with ticks, label above. */
void gos__svg_bar(FILE *out, double x, double y, double width, double height, double lo, double hi,
                  const char *label);

/** Round step that divides a span into at most n parts. */
double gos__round_step(double span, int n);

/** One value except for rounding, lo > hi, or NaN? size: scale of the values if larger; 0:
 *  unknown. */
bool gos__range_flat(double lo, double hi, double size);

/* Multiples first * step ... (first + count - 1) * step. */
typedef struct gos_ticks {
    double first, step;
    int count;
} gos_ticks;

/** Multiples of a step in lo .. hi, ends included within rounding; at most 64, none in a flat range
 *  or where neighbours are not distinct. */
gos_ticks gos__ticks(double lo, double hi, double step);

#endif
