/* Modes of a shell as another finite element program gives them: nodes with their normals,
   quadrilaterals, and what each mode moves and turns at each node. */
#ifndef GOS_MODAL_TABLES_H
#define GOS_MODAL_TABLES_H

#include "parts/parts.h"

/* How the nodes of a quadrilateral follow each other. */
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
    long long *node, *quad; // their numbers (nnode), (nquad)
    double (*x)[3];         // (nnode) [m]
    double (*normal)[3];    // of length 1 (nnode)
    int (*corner)[4];       // around, indices of nodes (nquad)
    double (*shape)[6];     // displacements, rotations of node i in mode m: at m nnode + i
} gos_modal_tables;

/** Read them; arrays lie in the builder's arena.
 *  @return GOS_E_INPUT with file and line: nodes that there are not or twice, shapes that miss a
 * node, and quadrilaterals that cross themselves or show their back, with the order that would
 * fit */
gos_status gos__modal_tables_read(gos_builder *b, const gos_node *entry, const char *object,
                                  const gos_modal_files *files, gos_modal_tables *tables);
/** Index of the node of a number; -1: there is none. */
int gos__modal_tables_find(const gos_modal_tables *tables, double number);

#endif
