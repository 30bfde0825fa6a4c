/* Temperatures of one body as functions of its mesh. */
#ifndef GOS_HEAT_SPACE_H
#define GOS_HEAT_SPACE_H

#include "rom/rom.h"

/* Scalar capacity and conduction of one family of a body, and their sum to be solved with. */
typedef struct gos_heat_space {
    const gos_rom *r;
    const gos_rom_body *p;
    int n; // nodes
    gos_pattern pattern;
    double *C, *L, *A; // (nnz)
} gos_heat_space;

/* Functions at its nodes. */
typedef struct gos_heat_functions {
    int n, nt, m;   // nodes, functions of the body that come first, all of them
    int most;       // room
    double *q;      // orthonormal in C, those of the body first (most, n)
    double *y, *Cy; // one that is looked at, and C times it (n)
} gos_heat_functions;

/** Matrices, where h has r, p and n. */
gos_status gos__heat_space_make(gos_heat_space *h);
/** y = C x, of nodes. */
void gos__heat_space_weigh(const gos_heat_space *h, const double *x, double *y);
/** The first k->nt functions of the body, orthonormal, with room for others; k has n and nt. */
gos_status gos__heat_functions_begin(const gos_heat_space *h, int room, gos_heat_functions *k);
/** k->y becomes a function without what is there when that leaves more than this part of it. */
void gos__heat_functions_take(const gos_heat_space *h, gos_heat_functions *k, double least);
/** The functions after the first k->nt join those of the body. */
gos_status gos__heat_functions_store(const gos_heat_space *h, const gos_heat_functions *k,
                                     gos_body_fields *f);

#endif
