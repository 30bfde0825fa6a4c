/* Motions of a system whose bodies move as rigid ones (mechanisms.c). */
#ifndef GOS_MECHANISMS_H
#define GOS_MECHANISMS_H

#include "rom/rom.h"

typedef struct gos_mechanisms {
    int n;
    double *x, *Mx; // motions, orthonormal in the mass, and mass times them (n, nq)
    const gos_system *s;
    int parts, columns; // separate bodies; motions of these, at least n
    int *of;            // part of each vector (nv); -1: none
    double *origin;     // a point of each part (parts, 3)
    double *scale;      // of each column to unit mass norm, 0: no motion (columns)
    double *B, *G;      // constraint rows times columns (nc, columns); B^T B
    double *w, *work;   // eigenvalues of G (columns); scratch
} gos_mechanisms;

/** Workspace for motions that all joints allow: those of a free system and turns of hinges. None
 *  with bodies in floating frames. Freed with the arena. */
gos_status gos__mechanisms_create(gos_arena *a, const gos_system *s, gos_mechanisms *m);
/** Find them. q: coordinates (nq); values: Newton matrix with rows of constraints. No memory is
 *  allocated. */
gos_status gos__mechanisms_find(gos_mechanisms *m, const double *q, const double *values);
/** Orthogonalise x (nq) against the motions. */
void gos__mechanisms_remove(const gos_mechanisms *m, int nq, double *x);

#endif
