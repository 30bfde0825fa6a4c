/* Fields of one group of bodies under construction (modes.c, snapshot_fields.c). */
#ifndef GOS_FIELD_BASIS_H
#define GOS_FIELD_BASIS_H

#include "linalg/sparse.h"
#include "rom/rom.h"

/* Orthonormal in the metric S. */
typedef struct gos_field_basis {
    gos_rom_group *g;
    int m, cap, base; // fields, capacity, number of rigid fields
    int elastic;      // fields from modes
    bool sections;    // has section vectors, whose bending locks without their fields
    double *q, *Sq;   // (cap, n)
    double *x;        // components (three vectors, n)
    double *y, *Sy;   // one component (n)
} gos_field_basis;

/* modes.c */
/** Orthogonalise x (n) against fields from .. to - 1. @return its length; S x in b->Sy */
double gos__field_basis_remove(const gos_rom *r, gos_field_basis *b, double *x, int from, int to);
/** Append x of length `size`, with S x in b->Sy. */
void gos__field_basis_append(gos_field_basis *b, const double *x, double size);

/* snapshot_fields.c */
/** Append principal fields of r->snapshots. K: tangent at the initial configuration (nq, nq). */
gos_status gos__snapshot_fields(const gos_rom *r, const gos_sparse *K, gos_field_basis *b);

#endif
