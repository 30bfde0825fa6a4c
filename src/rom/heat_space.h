/* Temperature functions of one body on its mesh. */
#ifndef GOS_HEAT_SPACE_H
#define GOS_HEAT_SPACE_H

#include "rom/rom.h"

/* Capacity and conduction of one family of a body, and a combination to factorise. */
typedef struct gos_heat_space {
    const gos_rom *r;
    const gos_rom_body *p;
    int n; // nodes
    gos_pattern pattern;
    double *C, *L, *A; // (nnz)
} gos_heat_space;

typedef struct gos_heat_functions {
    int n, nt, m; // nodes; leading functions of the body; all functions
    int capacity;
    double *q;      // C-orthonormal, those of the body first (most, n)
    double *y, *Cy; // candidate function, and C times it (n)
} gos_heat_functions;

/** Assemble the matrices; h->r, p and n are set. */
gos_status gos__heat_space_make(gos_heat_space *h);
/** y = C x at the nodes. */
void gos__heat_space_weight(const gos_heat_space *h, const double *x, double *y);
/** Store the first k->nt functions of the body, orthonormalised; k has n and nt. */
gos_status gos__heat_functions_begin(const gos_heat_space *h, int spare, gos_heat_functions *k);
/** Orthogonalise k->y and append it if more than the part `least` remains. */
void gos__heat_functions_add(const gos_heat_space *h, gos_heat_functions *k, double min_remainder);
/** Append the new functions to tvalue (nodes, m) and tdual (m, nodes) of the body. */
gos_status gos__heat_functions_store(const gos_heat_space *h, const gos_heat_functions *k,
                                     gos_body_fields *f);

#endif
