/* Reconstruction and projection of states. */
#ifndef GOS_RECONSTRUCTION_H
#define GOS_RECONSTRUCTION_H

#include "rom/rom.h"

typedef struct gos_lift {
    gos_rom rom;   // at mesh coordinates
    double **Mphi; // per group: M times fields (rows, m); plain: NULL
    double **G;    // per group: Cholesky factor (m, m)
    double *c;     // amplitudes (largest m, 3)
    double **H;    // per body: factorised Gram matrix (nt, nt)
} gos_lift;

/** For a reduced system with fields; in the arena. */
gos_status gos__lift_create(gos_ctx *ctx, gos_arena *arena, const gos_system *reduced,
                            gos_lift *lift);
/** y (nv, 3) := fields times x (nv, 3), plus the constant part if `origin`. */
void gos__lift_motion(const gos_lift *lift, bool origin, const double *x, double *y);
/** Full temperatures (nt) or rates. */
void gos__lift_heat(const gos_lift *lift, const double *x, double *y);
/** Nearest x (nv, 3) to y (nv, 3) in the mass norm; origin: less the constant part. */
void gos__lift_nearest_motion(const gos_lift *lift, bool origin, const double *y, double *x);
/** Nearest temperatures, nodal RMS. */
void gos__lift_nearest_heat(const gos_lift *lift, const double *y, double *x);
/** Full multipliers (nc); 0 for eliminated joints. */
void gos__lift_multipliers(const gos_lift *lift, const double *x, double *y);
/** Remove from f (nv, 3) what accelerates the fields. */
void gos__lift_remove(const gos_lift *lift, double *f);

#endif
