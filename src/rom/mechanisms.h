/* Motions of a system whose bodies move as rigid ones (mechanisms.c). */
#ifndef GOS_MECHANISMS_H
#define GOS_MECHANISMS_H

#include "rom/rom.h"

typedef struct gos_mechanisms {
    int n;
    double *x, *Mx; // motions, orthonormal in the mass, and mass times them (n, nq)
} gos_mechanisms;

/** Motions that all joints allow: those of a free system and turns of hinges. None with bodies in
 *  floating frames. q: coordinates (nq); values: Newton matrix with rows of constraints. Call
 *  gos__mechanisms_free even after a failure. */
gos_status gos__mechanisms_create(gos_ctx *ctx, const gos_system *s, const double *q,
                                  const double *values, gos_mechanisms *mechanisms);
void gos__mechanisms_free(gos_ctx *ctx, gos_mechanisms *mechanisms);
/** Orthogonalise x (nq) against the motions. */
void gos__mechanisms_remove(const gos_mechanisms *mechanisms, int nq, double *x);

#endif
