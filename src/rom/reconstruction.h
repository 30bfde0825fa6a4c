#ifndef GOS_RECONSTRUCTION_H
#define GOS_RECONSTRUCTION_H

#include "rom/rom.h"

typedef struct gos_reconstruction {
    gos_rom rom;   // fields of all groups at the mesh coordinates
    double **Mphi; // per group: mass times fields (rows of its coordinates, m); plain: NULL
    double **G;    // per group: Cholesky factor of the fields' mass (m, m)
    double *c;     // amplitudes (largest m, 3)
    double **H;    // per body: factorised Gram matrix of its temperature functions (nt, nt)
} gos_reconstruction;

/** Prepare the reconstruction for a reduced system with fields; stored in the arena. */
gos_status gos__reconstruction_create(gos_ctx *ctx, gos_arena *arena, const gos_system *reduced,
                                      gos_reconstruction *reconstruction);
/** y (nv, 3) of the full model := fields times x (nv, 3), plus the constant part if `origin`. */
void gos__reconstruct_motion(const gos_reconstruction *reconstruction, bool origin, const double *x,
                             double *y);
/** Temperatures (or rates) of the full model (nt). */
void gos__reconstruct_heat(const gos_reconstruction *reconstruction, const double *x, double *y);
/** x (nv, 3) nearest to y (nv, 3) in the mass norm; the constant part is subtracted if `origin`. */
void gos__project_motion(const gos_reconstruction *reconstruction, bool origin, const double *y,
                         double *x);
/** Temperatures nearest in the RMS over nodes. */
void gos__project_heat(const gos_reconstruction *reconstruction, const double *y, double *x);
/** Multipliers of the full model (nc); 0 for eliminated joints. */
void gos__reconstruct_multipliers(const gos_reconstruction *reconstruction, const double *x,
                                  double *y);
/** g (nv, 3) of the reduced model += generalised forces of full forces f (nv, 3). */
void gos__reconstruction_add_forces(const gos_reconstruction *reconstruction, const double *f,
                                    double *g);
/** Remove from full forces f (nv, 3) the part that accelerates the fields. */
void gos__reconstruction_remove(const gos_reconstruction *reconstruction, double *f);

#endif
