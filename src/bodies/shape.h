/* Shapes of rigid bodies. */
#ifndef GOS_SHAPE_H
#define GOS_SHAPE_H

#include "parts/builder.h"

/* The given key selects the kind. */
typedef struct gos_shape_def {
    double box[3];         // edges along the body axes [m]
    double cylinder[2];    // radius, length [m]
    double sphere;         // radius [m]
    double axis[3];        // of the cylinder, body axes
    double centre[3];      // from the node in body axes [m]
    const gos_node *lines; // lists of points joined by lines
} gos_shape_def;

typedef struct gos_shape {
    bool solid;         // has a volume
    double volume;      // [m^3]
    double area;        // surface [m^2]
    double gyration[9]; // inertia over mass, body axes [m^2]
    double centre[3];   // from the node, body axes [m]
    /* picture */
    int npoint, ncell, cell_size;
    double (*point)[3]; // body axes (npoint)
    int *cell;          // (ncell, cell_size)
} gos_shape;

/** Ended by name == NULL. */
extern const gos_param gos__shape_params[];
/** @return GOS_E_INPUT if none or several are given, or a size is not > 0. */
gos_status gos__shape_make(gos_builder *b, const gos_node *node, const gos_shape_def *def,
                           const char *object, gos_shape *shape);

/** Surface of a solid shape: flat faces, tube or sphere (shape.c). Vector coordinates v0
 * (origin) to v0 + 3 (axes). */
gos_status gos__shape_spread(gos_builder *b, int v0, const gos_shape_def *def,
                             const gos_spread_to *to);

#endif
