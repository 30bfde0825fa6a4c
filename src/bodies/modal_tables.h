/* Modes of a shell from another program: nodes with normals, quadrilaterals, displacements and
 * rotations. */
#ifndef GOS_MODAL_TABLES_H
#define GOS_MODAL_TABLES_H

#include "parts/parts.h"

typedef enum gos_quad_order {
    GOS_QUAD_AROUND, // counter-clockwise about the normal
    GOS_QUAD_ROWWISE // (-, -), (+, -), (-, +), (+, +) in natural coordinates
} gos_quad_order;

typedef struct gos_modal_files {
    const char *frequencies, *nodes, *quads, *shapes; // below the model's folder
    int order;                                        // gos_quad_order
} gos_modal_files;

typedef struct gos_modal_tables {
    int n, nnode, nquad;
    double *omega;          // (n) [rad/s]
    const char *nodes_file; // interned
    long long *node, *quad; // numbers (nnode), (nquad)
    double (*x)[3];         // (nnode) [m]
    double (*normal)[3];    // (nnode) unit normals
    int (*corner)[4];       // (nquad) nodes, around
    double (*shape)[6];     // (n nnode) of node i in mode m at m nnode + i
} gos_modal_tables;

/** Arrays live in the builder's arena. @return GOS_E_INPUT with file and line: unknown or repeated
 * nodes, shapes without a node, quadrilaterals that cross themselves or face away from their
 * normals. */
gos_status gos__modal_tables_read(gos_builder *b, const gos_node *entry, const char *object,
                                  const gos_modal_files *files, gos_modal_tables *tables);
/** Index of the node with this number; -1 if unknown. */
int gos__modal_tables_find(const gos_modal_tables *tables, double number);

#endif
