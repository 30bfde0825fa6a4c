/* The constant part of a system: matrices between single coordinates, as bodies of matrices bring
   them. Forces M a + D v + K (q - rest) + G T + force, heat E T' + S T + H v; and, bilinear, the
   stiffness that temperatures make by the stress in floating bodies (thermal_stiffness.c). */
#ifndef GOS_CONSTANTS_H
#define GOS_CONSTANTS_H

#include "system/assemble.h"

struct gos_constants {
    gos_rows_matrix A[GOS_NCONSTANT]; // M, D, K (nq, nq), E, S (nt, nt), G (nq, nt), H (nt, nq)
    int *pos[GOS_NCONSTANT];          // their entries in the Newton matrix
    gos_heated *heated;               // NULL: none
    double *rest;                     // (nq)
    double *force;                    // forces at rest (nq), NULL: none
    double *even;                     // those of them that the symmetric part of K makes (nq)
    double energy;                    // strain energy at rest [J]
    bool skew;                        // M or K is not symmetric
    double *scale;   // what tolerances of coordinates refer to; 0: not theirs (nq), (nt)
    double *weight;  // in norms of motion and heat (nq), (nt)
    double total[2]; // their sums as one mass and one capacity
};

/** Take them over from a builder; without matrices sys->constants stays NULL. */
gos_status gos__constants_make(gos_builder *b, gos_system *sys);
/** Scales and weights of their coordinates, when the extent of the system is known. */
void gos__constants_norms(const gos_builder *b, gos_system *sys);
/** List all their entries to k, in the order of their positions. */
void gos__constants_entries(const gos_system *s, gos_entry_sink *k);
/** Add them to residuals and sums. */
void gos__constants_residual(const gos_system *s, const gos_point_of *x, const gos_residual *r,
                             gos_sums *sums);
/** Add them to the Newton matrix. */
void gos__constants_jacobian(const gos_system *s, const gos_point_of *x,
                             const gos_newton_factors *f, double *values);

/* thermal_stiffness.c: stiffness by temperatures */
void gos__heated_entries(const gos_system *s, gos_entry_sink *k);
/** Positions of its entries, by their number in the order of their list. */
void gos__heated_place(gos_constants *c, int k, int position);
/** Forces; their power is work of the temperatures, as that of G T is. */
void gos__heated_residual(const gos_constants *c, const gos_point_of *x, double *r, gos_sums *sums);
void gos__heated_jacobian(const gos_constants *c, const gos_point_of *x, double factor,
                          double *values);
/** Kinetic energy at rates v (nq). */
double gos__constants_kinetic(const gos_system *s, const double *v);

#endif
