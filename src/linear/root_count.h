/* How many roots a region has beyond those that the projection found (root_count.c). */
#ifndef GOS_ROOT_COUNT_H
#define GOS_ROOT_COUNT_H

#include "linear/complex_shifts.h"

#define GOS_CONTOUR_NODES 256 // at most; a power of two

/* A circle about s = 0, or an ellipse in the plane of log s about log(centre i): oscillations of
   some range of frequencies and damping. */
typedef struct gos_contour {
    double centre; // [1/s]; 0: a circle
    double a, b;   // half axes: along log |s| and across [rad]; radius a of the circle [1/s]
    gos_complex *determinant; // logarithms at the nodes (GOS_CONTOUR_NODES), NAN: not known
} gos_contour;

typedef struct gos_root_count {
    bool decided;    // the number is right
    int missing;     // roots inside less those of the projection inside
    int nplace;      // estimates of missing roots, im >= 0
    gos_root *place; // (2)
} gos_root_count;

/** Ellipse that holds frequencies from low to high [rad/s] */
gos_status gos__contour_ellipse(gos_ctx *ctx, double low, double high, gos_contour *c);
gos_status gos__contour_circle(gos_ctx *ctx, double radius, gos_contour *c);
void gos__contour_free(gos_ctx *ctx, gos_contour *c);
/** Count with at most *budget factorisations, which are taken from it. Determinants of earlier
 * counts are used again. */
gos_status gos__root_count(gos_quadratic *q, gos_contour *c, int *budget, gos_root_count *count);

#endif
