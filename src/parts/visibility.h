/* Surfaces that look at themselves: walls of tubes, insides of boxes. */
#ifndef GOS_VISIBILITY_H
#define GOS_VISIBILITY_H

/* A flat side by its corners, which go around its outward normal. */
typedef struct gos_facet {
    int n;          // corners, 3 or 4
    double x[4][3]; // [m]
} gos_facet;

/** The part of the area of n facets whose outward normals, from their middles, meet one of the m
 * facets of `all`. Of many facets some, evenly through the list, stand for all. */
double gos__facets_blocked(int n, const gos_facet *facet, int m, const gos_facet *all);

#endif
