/* Parts of a mesh body as defined by its deck: materials, thicknesses, orientations, and
   formulations by element type. */
#ifndef GOS_FE_PARTS_H
#define GOS_FE_PARTS_H

#include "fe/element.h"
#include "deck/deck.h"

/* Values of the model that override the deck. */
typedef struct gos_deck_given {
    const gos_fe_material *material; // NULL: from the sections of the deck
    const gos_fe_element *element;   // NULL: from its element types
    double thickness;                // 0: from the sections [m]
    double temperature; // at which materials are evaluated, over the deck's initial temperature
    gos_loc loc;        // of the entry, for messages
    const char *object;
    // all temperatures are prescribed: conductivity and specific heat are not needed
    bool prescribed;
    bool current; // properties follow the current temperature: no note about it
} gos_deck_given;

typedef struct gos_deck_parts {
    int n;
    gos_fe_part *part;               // (n); parts of one material share it
    double temperature;              // initial temperature of the deck
    int ntable;                      // temperature-dependent materials ...
    const gos_deck_material **table; // ... (ntable)
    double damping[2];               // mass [1/s] and stiffness [s] factors common to all materials
} gos_deck_parts;

/** Group the cells of a deck by formulation, material and thickness or section; every cell is in
 * one part. Allocated in the arena. Materials are evaluated at given->temperature over the deck's
 * initial temperature; expansion is the mean between both (at equal temperatures the derivative of
 * the thermal strain). @return GOS_E_INPUT, with a record at the deck's line, for unsupported
 * elements, cells without section, materials without elasticity or density, offsets of shells and
 * beams */
gos_status gos__deck_parts(gos_ctx *ctx, gos_arena *arena, const gos_deck *deck,
                           const gos_deck_given *given, gos_deck_parts *parts);
/** Local axes at x, in rows (fe_axes.c). Rectangular: a on axis 1, b in the plane of axes 1 and 2;
 * cylindrical: radial, tangential, axial from a to b. @return false on the cylinder axis, and for
 * degenerate points */
bool gos__deck_axes(bool cylindrical, const double a[3], const double b[3], const double x[3],
                    double axes[3][3]);
/** Axes of an orientation at x, in rows (fe_parts.c). @return false on the axis of a cylindrical
 * one */
bool gos__deck_oriented(const gos_deck_orientation *o, const double x[3], double axes[3][3]);
/** Reference orientation for the ply angles of a layered part; -1: none (fe_layup.c). */
int gos__deck_layup_base(const gos_deck *deck, const gos_deck_section *s);
/** Layup, thickness, offset and mean material of a part with known cells, from the materials of its
 * layers. GOS_E_INPUT with a record at the deck's line if axis 3 is not the normal, or the angles
 * vary between cells. */
gos_status gos__deck_layup(gos_ctx *ctx, gos_arena *arena, const gos_deck *deck,
                           const gos_deck_section *s, const gos_fe_material *const *material,
                           gos_fe_part *p);
/** Cross-section of beams from their *BEAM SECTION (fe_beams.c). z is its direction 1; whether it
 * is transverse to the cells is not tested. GOS_E_INPUT with a record at the card for other
 * sections, boxes, ellipses and offsets. */
gos_status gos__deck_profile(gos_ctx *ctx, const gos_deck_section *s, const gos_fe_material *m,
                             const char *object, gos_fe_profile *profile);
/** Formulation of an element type of decks ("C3D20R": solid_reduced); NULL: none. */
const gos_fe_element *gos__deck_element(const char *type);
/** Initial temperature of a deck, in its own scale: the mean over its nodes, 0 at nodes without
 * one. @param other may be NULL; first line that makes a node differ from the others, line 0: none
 */
double gos__deck_temperature(const gos_deck *deck, gos_loc *other);
/** Evaluate a material at a deck temperature T, with initial temperature T0 (fe_material.c).
 * GOS_E_INPUT with a record if elasticity or density is missing, or the strain energy is not
 * positive. */
gos_status gos__deck_material(gos_ctx *ctx, const gos_deck_material *from, double T0,
                              double temperature, const char *object, gos_fe_material *to);
/** Whether any property depends on temperature. */
bool gos__deck_material_varies(const gos_deck_material *m);
/* Property with the largest deviation from the value in use. */
typedef struct gos_deck_change {
    double change;          // relative to the value in use
    double T, value, taken; // deck temperature, and the property there
    const char *what, *material;
    gos_loc loc; // of its card
} gos_deck_change;
/** Replace *c if a property of the material, between deck temperatures T[0] and T[1] with initial
 * temperature T0, deviates from its value at `taken` by more than c->change. */
void gos__deck_material_change(const gos_deck_material *m, double T0, double taken,
                               const double T[2], gos_deck_change *c);
/** Whether a material is isotropic. */
bool gos__deck_isotropic(const gos_deck_material *from);

#endif
