/* A state of a reduced model as one of the full model. */
#ifndef GOS_RECONSTRUCTION_H
#define GOS_RECONSTRUCTION_H

#include "rom/rom.h"

typedef struct gos_lift {
    gos_rom rom;   // fields of all groups at the coordinates of the mesh
    double **Mphi; // of each group mass times fields (rows of the system's coordinates that it has,
                   // m); plain: NULL
    double **G;    // ... fields times that, factorised by Cholesky (m, m)
    double *c;     // amplitudes (largest m, 3)
    double **H;    // of each body its temperature functions times themselves, factorised (nt, nt)
} gos_lift;

/** What it takes to lift states of a reduced system with fields; it lives in the arena. */
gos_status gos__lift_create(gos_ctx *ctx, gos_arena *arena, const gos_system *reduced,
                            gos_lift *lift);
/** y (nv, 3) of the full model := fields times x (nv, 3) of the reduced one; origin: with the
 * constant part. */
void gos__lift_motion(const gos_lift *lift, bool origin, const double *x, double *y);
/** Temperatures (or their rates) of the full model (nt) from those of the reduced one. */
void gos__lift_heat(const gos_lift *lift, const double *x, double *y);
/** The other way: x (nv, 3) of the reduced model nearest to y (nv, 3) of the full one, in the norm
 * of its mass; origin: without the constant part. */
void gos__lift_nearest_motion(const gos_lift *lift, bool origin, const double *y, double *x);
/** ... temperatures, in the RMS over nodes. */
void gos__lift_nearest_heat(const gos_lift *lift, const double *y, double *x);
/** Multipliers of the full model (nc) from those of the reduced one; 0 for joints that were
 * eliminated. */
void gos__lift_multipliers(const gos_lift *lift, const double *x, double *y);
/** Take from forces f (nv, 3) on the full model what accelerates along the fields: nothing of it is
 * left that the reduced model has an equation for. */
void gos__lift_remove(const gos_lift *lift, double *f);

#endif
