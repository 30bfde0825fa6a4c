/* Heat of cells whose conductivity or specific heat depends on the temperature. */
#ifndef GOS_CELL_HEAT_H
#define GOS_CELL_HEAT_H

#include "mesh/mesh.h"
#include "mesh/shapes.h"
#include "parts/builder.h"

typedef struct gos_cell_points gos_cell_points;

/* Cells of one material. */
typedef struct gos_cell_heat {
    const gos_material *material;
    double T0;          // temperature of the matrices, above the reference [K]
    const char *object; // for messages
    gos_loc loc;
    // of the last cell, which translated copies share; initially 0
    gos_cell_shape shape;
    double x[GOS_CELL_NODES][3];
    const gos_cell_points *points;
    const void *par;
} gos_cell_heat;

/** Whether conductivity or specific heat depends on the temperature. */
bool gos__cell_heat_varies(const gos_material *m);
/** Adds the deviation of a solid cell's conduction and capacity from its matrices. temperature:
 * coordinates of its nodes. */
gos_status gos__cell_heat_add(gos_builder *b, gos_cell_heat *k, gos_cell_shape shape,
                              double (*x)[3], const int *temperature);

#endif
