/* Ray-triangle intersection with a bounding volume hierarchy. The tree is built once; node
 * positions and boxes are the caller's, so one tree serves a deforming surface and any number of
 * threads. Results do not depend on the search order. */
#ifndef GOS_MATH_RAYS_H
#define GOS_MATH_RAYS_H

#include <stdbool.h>

#include "base/base.h"

/* A box of the tree, stored before its descendants. */
typedef struct gos_rays_node {
    int skip; // next node if the box is missed
    // triangles of a leaf; count 0: inner node, whose children are the next node and that one's
    // `skip`
    int first, count;
} gos_rays_node;

typedef struct gos_rays {
    int n, nnode;
    int (*corner)[3];    // nodes of each triangle, by boxes (n)
    int *cell;           // cell of each triangle, for `but` below (n)
    gos_rays_node *node; // (nnode)
} gos_rays;

/** Tree of n triangles with nodes at x, allocated in the arena; cell (n): caller's numbers.
 * @return GOS_E_MEMORY */
gos_status gos__rays_make(gos_ctx *ctx, gos_arena *a, int n, const int (*corner)[3],
                          const int *cell, const double (*x)[3], gos_rays *rays);
/** Compute its boxes (nnode) for nodes at x. */
void gos__rays_fit(const gos_rays *rays, const double (*x)[3], double (*box)[6]);
/** Does the ray from `from` along u (any length) hit a triangle with near < t < far, t in lengths
 * of u? Ignores the cell `but` (-1: none); edges belong to triangles. */
bool gos__rays_meet(const gos_rays *rays, const double (*x)[3], const double (*box)[6],
                    const double from[3], const double u[3], double near, double far, int but);

/** First triangle hit beyond near, -1: none. *back: hit from the side opposite to its normal (a, b,
 * c counter-clockwise). */
int gos__rays_first(const gos_rays *rays, const double (*x)[3], const double (*box)[6],
                    const double from[3], const double u[3], double near, int but, bool *back);

/** Point i of a low-discrepancy sequence in the unit square (additive recurrence by the roots of
 * z^3 = z + 1, Roberts); any part is evenly distributed, also along either side. */
void gos__rays_spread(long i, double s[2]);
/** The same in four dimensions (Sobol), 0 <= i < 2^32; best for powers of 2. */
void gos__rays_spread4(long i, double s[4]);

#endif
