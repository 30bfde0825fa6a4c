/* Plates of orthotropic materials and laminates. */
#ifndef GOS_PLATE_PLIES_H
#define GOS_PLATE_PLIES_H

#include "plate/plate.h"
#include "fe/layup.h"

/* Parameters of the entry. */
typedef struct gos_plate_plies_def {
    double thickness;    // [m]; 0: not given
    double direction[3]; // axis 1 at t = 0, projected into the plate; 0: its x
} gos_plate_plies_def;

struct gos_plate_plies {
    gos_fe_plate plate; // resultants about the middle of the plies, plate axes
    double offset;      // height of that middle over the plate's surface [m]
    double angle;       // angle of axis 1 from the plate's x [rad]
    bool warm;          // all plies conduct and store heat
    bool lopsided;      // moment[0] is not 0: plies move with normals at the nodes
    double moment[2];   // int rho (1, z) z about the surface [kg/m, kg]
    gos_plate_plies_par par;
};

/** Sets the thickness and, for orthotropic materials and laminates, c->plies. @return GOS_E_INPUT
 * with a message: thickness missing, or redundant to plies; direction along the normal. */
gos_status gos__plate_plies(gos_builder *b, const gos_node *entry, const char *object,
                            const gos_material *m, const gos_plate_plies_def *d, gos_plate *c);
/** Sets the law, once the body's temperature families are known. */
void gos__plate_plies_law_of(const gos_builder *b, gos_plate *c, gos_body *body);
/** Height of the plies' middle over the plate's surface [m]. */
double gos__plate_plies_offset(const gos_plate *c);
/** Add capacity and conduction of the plies. */
gos_status gos__plate_plies_thermal(gos_builder *b, const gos_body *body);
/** Capacity and conduction, 2 x 2 blocks of T and T_z, from products of functions and of gradients
 * (xx, yy, xy + yx). */
void gos__plate_plies_heat(const gos_plate_plies *p, double m, const double g[3], double cap[4],
                           double cond[4]);

#endif
