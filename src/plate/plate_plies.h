/* Plates of orthotropic materials and laminates. */
#ifndef GOS_PLATE_PLIES_H
#define GOS_PLATE_PLIES_H

#include "plate/plate.h"
#include "fe/layup.h"

typedef struct gos_plate_plies_def {
    double thickness;    // [m]; 0: not given
    double direction[3]; // axis 1 at t = 0; 0: x
} gos_plate_plies_def;

struct gos_plate_plies {
    gos_fe_plate plate; // about the middle of the plies
    double offset;      // of that middle over the surface [m]
    double angle;       // axis 1 from x [rad]
    bool warm;          // all conduct and store heat
    bool lopsided;      // plies move with nodal normals
    double moment[2];   // int rho (1, z) z [kg/m, kg]
    gos_plate_plies_par par;
};

/** Sets thickness and, for orthotropic materials and laminates, c->plies. @return GOS_E_INPUT with
 * a message: missing or redundant thickness; direction along the normal. */
gos_status gos__plate_plies(gos_builder *b, const gos_node *entry, const char *object,
                            const gos_material *m, const gos_plate_plies_def *d, gos_plate *c);
/** Sets the law; the temperature families must be set. */
void gos__plate_plies_law_of(const gos_builder *b, gos_plate *c, gos_body *body);
/** Height of the plies' middle over the surface [m]. */
double gos__plate_plies_offset(const gos_plate *c);
gos_status gos__plate_plies_thermal(gos_builder *b, const gos_body *body);
/** 2 x 2 blocks of T and T_z, from products of functions and gradients (xx, yy, xy + yx). */
void gos__plate_plies_heat(const gos_plate_plies *p, double m, const double g[3], double cap[4],
                           double cond[4]);

#endif
