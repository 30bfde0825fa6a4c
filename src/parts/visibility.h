/* Self-shadowing surfaces. */
#ifndef GOS_VISIBILITY_H
#define GOS_VISIBILITY_H

/* A flat facet, corners counter-clockwise about the outward normal. */
typedef struct gos_facet {
    int n;          // corners, 3 or 4
    double x[4][3]; // [m]
} gos_facet;

/** Fraction of the area of n facets whose normals hit one of the m facets of `all`. Large lists are
 * sampled evenly. */
double gos__facets_blocked(int n, const gos_facet *facet, int m, const gos_facet *all);

#endif
