/* Self-shadowing surfaces: walls of tubes, insides of boxes. */
#ifndef GOS_VISIBILITY_H
#define GOS_VISIBILITY_H

/* A flat facet with corners counter-clockwise about its outward normal. */
typedef struct gos_facet {
    int n;          // corners, 3 or 4
    double x[4][3]; // [m]
} gos_facet;

/** Fraction of the area of n facets whose outward normals, from their centres, hit one of the m
 * facets of `all`. Large lists are sampled evenly. */
double gos__facets_blocked(int n, const gos_facet *facet, int m, const gos_facet *all);

#endif
