/* Patches with mass and stiffness, as layers on the faces of plates. */
#ifndef GOS_PLATE_LAYERS_H
#define GOS_PLATE_LAYERS_H

#include "bodies/piezo_wiring.h"
#include "plate/plate.h"

/* All patches of an entry on one face. */
typedef struct gos_plate_layer {
    const gos_piezo *entry;
    const gos_material *material;
    double thickness; // [m]
    double offset;    // of its middle from that of the plate [m]
    gos_plate_par par;
    int n, *cell; // elements (n)
} gos_plate_layer;

typedef struct gos_plate_layers {
    int n;
    gos_plate_layer *layer; // (n)
    int nnormal;            // nodes under layers, whose normals are coordinates
    int *normal;            // of each node: which of these, -1: none (nnode)
} gos_plate_layers;

/** Layers of a plate, whose mesh, section and families are known, from its patches. */
gos_status gos__plate_layers(gos_builder *b, const gos_body *plate, const gos_piezo_wiring *w,
                             gos_plate_layers *layers);
/** Add their matrices, points and rows; the plate has its coordinates, and normals behind those of
 * its nodes. */
gos_status gos__plate_layers_add(gos_builder *b, const gos_body *plate,
                                 const gos_plate_layers *layers);

#endif
