/* Patches with mass and stiffness as layers of plates. */
#ifndef GOS_PLATE_LAYERS_H
#define GOS_PLATE_LAYERS_H

#include "bodies/piezo_wiring.h"
#include "plate/plate.h"

typedef struct gos_plate_layer {
    const gos_piezo *entry;
    const gos_material *material;
    double thickness; // [m]
    double offset;    // height of its middle [m]
    gos_plate_par par;
    int n, *cell; // elements (n)
} gos_plate_layer;

typedef struct gos_plate_layers {
    int n;
    gos_plate_layer *layer; // (n)
    int nnormal;            // nodes under layers
    int *normal;            // (nnode) index of the normal, or -1
} gos_plate_layers;

/** Makes the layers from patches; mesh, section and families must be set. */
gos_status gos__plate_layers(gos_builder *b, const gos_body *plate, const gos_piezo_wiring *w,
                             gos_plate_layers *layers);
/** Adds matrices, points and rows; the plate has its coordinates, normals last. */
gos_status gos__plate_layers_add(gos_builder *b, const gos_body *plate,
                                 const gos_plate_layers *layers);

#endif
