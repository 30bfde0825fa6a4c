/* Plates of orthotropic materials and laminates. */
#ifndef GOS_PLATE_PLIES_H
#define GOS_PLATE_PLIES_H

#include "plate/plate.h"
#include "fe/layup.h"

/* What the entry says of them. */
typedef struct gos_plate_plies_def {
    double thickness;    // [m]; 0: not given
    double direction[3]; // axis 1 at t = 0, made to lie in the plate; 0: its x
} gos_plate_plies_def;

struct gos_plate_plies {
    gos_fe_plate plate; // resultants of the plies about their middle, in the axes of the plate
    double offset;      // of their middle over the plate's surface [m]
    double angle;       // axis 1 from x of the plate [rad]
    bool warm;          // all of them conduct and store heat
    bool lopsided;      // moment[0] is not 0: nodes have normals, with which the plies move
    double moment[2];   // int rho (1, z) z about the surface [kg/m, kg]
    gos_plate_plies_par par;
};

/** Thickness of a plate and, where its material is orthotropic or a laminate, c->plies. GOS_E_INPUT
 * with a record: no thickness, or one beside that of plies; a direction along the normal. */
gos_status gos__plate_plies(gos_builder *b, const gos_node *entry, const char *object,
                            const gos_material *m, const gos_plate_plies_def *d, gos_plate *c);
/** Its law, once it is known whether the body has temperatures. */
void gos__plate_plies_law_of(const gos_builder *b, gos_plate *c, gos_body *body);
/** Height of the middle of a plate over its surface [m]. */
double gos__plate_plies_offset(const gos_plate *c);
/** Add capacity and conduction of the plies. */
gos_status gos__plate_plies_thermal(gos_builder *b, const gos_body *body);
/** The same of functions whose products and products of gradients (xx, yy, xy + yx) are known: 2 x
 * 2 blocks of T and T_z. */
void gos__plate_plies_heat(const gos_plate_plies *p, double m, const double g[3], double cap[4],
                           double cond[4]);

#endif
