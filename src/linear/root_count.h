/* Number of roots in a region missing from the projection. */
#ifndef GOS_ROOT_COUNT_H
#define GOS_ROOT_COUNT_H

#include "linear/complex_shifts.h"

#define GOS_CONTOUR_NODES 256 // power of two

/* Circle about s = 0, or ellipse in the log s plane about log(centre i). */
typedef struct gos_contour {
    double centre;            // [1/s]; 0: a circle
    double a, b;              // half axes along log |s| and across [rad]; circle: radius a [1/s]
    gos_complex *determinant; // logarithms at the nodes (GOS_CONTOUR_NODES); NAN: unknown
} gos_contour;

typedef struct gos_root_count {
    bool decided;    // the count is reliable
    int missing;     // missing roots inside
    int nplace;      // estimates of missing roots, im >= 0
    gos_root *place; // (2)
} gos_root_count;

/** Ellipse around frequencies from low to high [rad/s] */
gos_status gos__contour_ellipse(gos_ctx *ctx, double low, double high, gos_contour *c);
gos_status gos__contour_circle(gos_ctx *ctx, double radius, gos_contour *c);
void gos__contour_free(gos_ctx *ctx, gos_contour *c);
/** Use at most *budget factorisations, which is reduced. Known determinants are reused. */
gos_status gos__root_count(gos_quadratic *q, gos_contour *c, int *budget, gos_root_count *count);

#endif
