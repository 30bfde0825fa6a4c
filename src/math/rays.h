/* Rays against triangles: a tree of boxes around them (bounding volume hierarchy). Its shape is
   made once; places of the corners and boxes are the caller's and may move, so that one tree serves
   a surface that moves and bends, and any number of threads. What is asked is whether anything is
   met: the answer does not depend on the order of the search. */
#ifndef GOS_MATH_RAYS_H
#define GOS_MATH_RAYS_H

#include <stdbool.h>

#include "base/base.h"

/* A box of the tree: in front of its descendants. */
typedef struct gos_rays_node {
    int skip; // where the search goes on when the box is missed
    int first,
        count; // triangles of a leaf; count 0: an inner one, whose children are the next one and
               // that one's `skip`
} gos_rays_node;

typedef struct gos_rays {
    int n, nnode;
    int (*corner)[3];    // nodes of each triangle, by boxes (n)
    int *cell;           // what each is a part of, for `but` below (n)
    gos_rays_node *node; // (nnode)
} gos_rays;

/** A tree of n triangles between nodes at x; cell (n): numbers that the caller knows. All lives in
 * the arena.
 *  @return GOS_E_MEMORY */
gos_status gos__rays_make(gos_ctx *ctx, gos_arena *a, int n, const int (*corner)[3],
                          const int *cell, const double (*x)[3], gos_rays *rays);
/** Its boxes (nnode) around the triangles with nodes at x. */
void gos__rays_fit(const gos_rays *rays, const double (*x)[3], double (*box)[6]);
/** Is a triangle met from `from` along u (any length) between near < t < far, t in lengths of u?
 * Triangles of the cell `but` do not count (-1: all do); edges belong to a triangle. */
bool gos__rays_meet(const gos_rays *rays, const double (*x)[3], const double (*box)[6],
                    const double from[3], const double u[3], double near, double far, int but);

/** Which triangle is met first beyond near, -1: none. *back: it is met from the side that its
 * normal (a, b, c counter-clockwise) does not point to. */
int gos__rays_first(const gos_rays *rays, const double (*x)[3], const double (*box)[6],
                    const double from[3], const double u[3], double near, int but, bool *back);

/** Place i of a sequence that fills the unit square evenly, whatever part of it is taken (the
 * additive recurrence by the roots of z^3 = z + 1, as Roberts describes it); along either side,
 * too. */
void gos__rays_spread(long i, double s[2]);
/** The same in the unit cube of four dimensions, 0 <= i < 2^32: best for numbers that are powers
 * of 2. */
void gos__rays_spread4(long i, double s[4]);

#endif
