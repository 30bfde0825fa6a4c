/* Constant matrices between single coordinates (matrix bodies): forces M a + D v + K (q - rest) + G
   T + force, heat E T' + S T + H v; plus bilinear thermal stress stiffness of floating bodies
   (constants.c). */
#ifndef GOS_CONSTANTS_H
#define GOS_CONSTANTS_H

#include "system/assemble.h"

struct gos_constants {
    gos_rows_matrix A[GOS_NCONSTANT]; // M, D, K (nq, nq), E, S (nt, nt), G (nq, nt), H (nt, nq)
    int *pos[GOS_NCONSTANT];          // entry positions in the Newton matrix
    gos_heated *heated;               // NULL: none
    double *rest;                     // (nq)
    double *force;                    // forces at rest (nq), NULL: none
    double *even;                     // part of force from the symmetric part of K (nq)
    double energy;                    // strain energy at rest [J]
    bool skew;                        // M or K unsymmetric
    double *scale;                    // tolerance scale of coordinates; 0: default (nq), (nt)
    double *weight;                   // weights in norms of motion and heat (nq), (nt)
    double total[2];                  // sums of mass and capacity weights
};

/** Take matrices from a builder; without any sys->constants stays NULL. */
gos_status gos__constants_make(gos_builder *b, gos_system *sys);
/** Set scales and weights; requires the extent. */
void gos__constants_norms(const gos_builder *b, gos_system *sys);
/** List entries in order of position. */
void gos__constants_entries(const gos_system *s, gos_entry_sink *k);
void gos__constants_residual(const gos_system *s, const gos_point_of *x, const gos_residual *r,
                             gos_sums *sums);
void gos__constants_jacobian(const gos_system *s, const gos_point_of *x,
                             const gos_newton_factors *f, double *values);

/** Set position of list entry k. */
void gos__heated_location(gos_constants *c, int k, int position);
/** Kinetic energy at rates v (nq). */
double gos__constants_kinetic(const gos_system *s, const double *v);

#endif
