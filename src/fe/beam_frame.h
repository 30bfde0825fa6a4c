/* Frames of rigidly joined straight beams. Axial displacement and torsion are linear along an
   element; bending has the static shapes under end forces: Hermite, or Timoshenko's with shear. */
#ifndef GOS_BEAM_FRAME_H
#define GOS_BEAM_FRAME_H

#include "flex/flex.h"

#define GOS_BEAM_FREEDOMS 6 // per node: displacements along, rotations about body axes

typedef struct gos_fe_beam {
    int node[2];
    double axis[3][3]; // along the element, local y, local z: unit vectors, body axes
    double line_mass;  // [kg/m]
    double inertia[2]; // rho int y^2, rho int z^2 of the section [kg m]
    double EA;         // axial stiffness [N]
    double EI[2];      // for displacements along y and z [N m^2]
    double GJ;         // [N m^2]
    // of shear by forces along y and z, including the shear factor; 0: shear-rigid [N]
    double GA[2];
    double gamma[2];  // Kelvin-Voigt factors of normal and shear strains [s]
    double offset[3]; // of the centre line from the nodes, body axes [m]
} gos_fe_beam;

/* Rigid mass, centred at a node. */
typedef struct gos_fe_mass {
    int node;
    double mass;       // [kg]
    double inertia[3]; // about the body axes, which must be principal [kg m^2]
} gos_fe_mass;

typedef struct gos_fe_frame {
    int nnode, nbeam, nmass;
    double (*x)[3];          // (nnode) [m]
    const gos_fe_beam *beam; // (nbeam)
    const gos_fe_mass *mass; // (nmass)
    bool rotary;             // rotary inertia of sections in bending; else only about the axis
    double damping[2];       // Rayleigh: mass [1/s], stiffness [s]
} gos_fe_frame;

/** Free body: amplitude 6 node + c, c = 0..2 displacements, 3..5 rotations. After its nodes:
 * gos__fe_mean, the mean over the length, where uniform loads act. */
gos_status gos__fe_frame_make(gos_ctx *ctx, const gos_fe_frame *frame, gos_flex **flex);
/** Add second-order effects of section forces (six forms per element) and of inertia to a body with
 * reference conditions and all amplitudes. @param whole all products of the shortening */
gos_status gos__fe_frame_stiffen(const gos_fe_frame *frame, gos_flex_condition condition,
                                 bool whole, gos_flex *flex);

static inline int gos__fe_mean(const gos_fe_frame *frame) {
    return frame->nnode;
}

#define GOS_BEAM_ROWS (2 * GOS_BEAM_FREEDOMS)   // freedoms of an element
#define GOS_BEAM_FIELDS (4 + 3 * GOS_BEAM_ROWS) // particle fields: 1, X, components of the freedoms

/* By the 12 freedoms of the element, body axes. */
typedef struct gos_fe_section {
    double u[12][3];     // displacement
    double turn[12][3];  // rotation
    double slope[12][3]; // of the transverse displacement along the element
    /* components in element axes */
    double strain[12][3]; // axial strain of the centre line, shear along y and z [1/m, 1]
    double curve[12][3];  // twist, -(strain at y, at z) / y, z by bending
} gos_fe_section;
/** Evaluate at xi in [0, 1] of an element of length h. */
void gos__fe_beam_section(const gos_fe_beam *beam, double h, double xi, gos_fe_section *s);
/** Stiffness and damping of normal and shear strains, (12, 12), symmetric, for length h. */
void gos__fe_beam_stiffness(const gos_fe_beam *beam, double h, double K[144], double D[144]);
/** int N u'_k . u'_l dx of transverse displacements up to xi = part, N = n[0] + n[1] xi + n[2] xi^2
 * (12, 12). */
void gos__fe_beam_stress(const gos_fe_beam *beam, double h, const double n[3], double part,
                         double S[144]);
/* In element axes, without loads between the ends: axial force, torque, M_y at x = 0 and h, M_z
   likewise. */
enum { GOS_BEAM_N, GOS_BEAM_T, GOS_BEAM_MY, GOS_BEAM_MZ = 4, GOS_BEAM_FORCES = 6 };
/** Section forces by freedoms. */
void gos__fe_beam_forces(const gos_fe_beam *beam, double h, double F[GOS_BEAM_FORCES][12]);
/** Stress stiffness (12, 12) of a unit section force; moments with their shear force. */
void gos__fe_beam_force_stress(const gos_fe_beam *beam, double h, int which, double S[144]);
/** S (12, 12) of int rho y_d (theta x (theta x y) / 2)_c, body axes, y from the centre line. @param
 * rotary as in gos_fe_frame */
void gos__fe_beam_turned(const gos_fe_beam *beam, double h, bool rotary, int c, int d,
                         double S[144]);
/** Products int rho f g of the fields 1, X and 4 + 3 freedom + component (GOS_BEAM_FIELDS,
 * GOS_BEAM_FIELDS) of an element from `from` to `to`. @param rotary as in gos_fe_frame */
void gos__fe_beam_gram(const gos_fe_beam *beam, const double from[3], const double to[3],
                       bool rotary, double *G);
double gos__fe_beam_length(const gos_fe_frame *frame, const gos_fe_beam *beam);

#endif
