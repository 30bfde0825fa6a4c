/* What the deck of a mesh says that a body of it is made of: materials, thicknesses, orientations,
   and formulations by the types of its elements. */
#ifndef GOS_FE_PARTS_H
#define GOS_FE_PARTS_H

#include "fe/element.h"
#include "deck/deck.h"

/* What the model says itself, which goes before the deck. */
typedef struct gos_deck_given {
    const gos_fe_material *material; // NULL: by the sections of the deck
    const gos_fe_element *element;   // NULL: by the types of its elements
    double thickness;                // 0: by the sections [m]
    double temperature; // over that at which the deck begins, at which materials are looked up
    gos_loc loc;        // of the entry, for messages
    const char *object; //
    bool prescribed; // all temperatures are prescribed: materials need no conductivity and specific
                     // heat for them
    bool current; // what depends on the temperature is taken at the current one: nothing is told of
                  // it
} gos_deck_given;

typedef struct gos_deck_parts {
    int n;
    gos_fe_part *part;               // (n); those of one material share it
    double temperature;              // at which the deck begins
    int ntable;                      // materials that change with temperature ...
    const gos_deck_material **table; // ... (ntable)
    double damping[2]; // factors of mass [1/s] and stiffness [s] that all its materials have
} gos_deck_parts;

/** The cells of a deck by formulation, material and thickness or section, every cell in one part;
 * all in the arena. Materials are those at given->temperature over that at which the deck begins,
 * their expansion is the mean one between both (the derivative of the thermal strain where they are
 * the same).
 *  @return GOS_E_INPUT, with a record at the deck's line, for what bodies cannot be made of:
 * elements of other kinds, cells without section, materials without elasticity or density, offsets
 * of shells and beams */
gos_status gos__deck_parts(gos_ctx *ctx, gos_arena *arena, const gos_deck *deck,
                           const gos_deck_given *given, gos_deck_parts *parts);
/** Local axes at x, in rows (fe_axes.c). Rectangular: a on axis 1, b in its plane with axis 2;
 * cylindrical: radial, around, along the axis from a to b. @return false on that axis, where
 * nothing is radial, and for points that tell no axes */
bool gos__deck_axes(bool cylindrical, const double a[3], const double b[3], const double x[3],
                    double axes[3][3]);
/** The axes of an orientation at x, in rows (fe_parts.c). @return false on the axis of a
 * cylindrical one */
bool gos__deck_oriented(const gos_deck_orientation *o, const double x[3], double axes[3][3]);
/** The orientation that a part with layers has, from which their angles count; -1: none
 * (fe_layup.c). */
int gos__deck_layup_base(const gos_deck *deck, const gos_deck_section *s);
/** Layup, thickness, offset and mean material of a part whose cells are known, by the materials of
 * its layers. GOS_E_INPUT with a record at the deck's line: axes whose third is no normal, or that
 * turn from cell to cell. */
gos_status gos__deck_layup(gos_ctx *ctx, gos_arena *arena, const gos_deck *deck,
                           const gos_deck_section *s, const gos_fe_material *const *material,
                           gos_fe_part *p);
/** Cross-section of beams of a material by their *BEAM SECTION (fe_beams.c): z is its direction 1,
 * which is not tested for lying across the cells. GOS_E_INPUT with a record at the card for what is
 * no beam's section, boxes, ellipses and offsets. */
gos_status gos__deck_profile(gos_ctx *ctx, const gos_deck_section *s, const gos_fe_material *m,
                             const char *object, gos_fe_profile *profile);
/** The formulation of an element type of decks ("C3D20R": solid_reduced); NULL: there is none. */
const gos_fe_element *gos__deck_element(const char *type);
/** The temperature at which a deck begins, in its own scale: the mean over its nodes, those without
 * are at 0.
 *  @param other  may be NULL; the first line that makes a node differ from the others, its line is
 * 0 when none does */
double gos__deck_temperature(const gos_deck *deck, gos_loc *other);
/** A material of a deck that begins at T0 at a temperature of the deck (deck_material.c).
 * GOS_E_INPUT with a record where it has no elasticity or density, or its energy is not
 * positive. */
gos_status gos__deck_material(gos_ctx *ctx, const gos_deck_material *from, double T0,
                              double temperature, const char *object, gos_fe_material *to);
/** Whether any property changes with temperature. */
bool gos__deck_material_varies(const gos_deck_material *m);
/* The property that is farthest from what was taken. */
typedef struct gos_deck_change {
    double change;          // relative to what was taken
    double T, value, taken; // temperature of the deck, and the property there
    const char *what, *material;
    gos_loc loc; // of its card
} gos_deck_change;
/** Replace *c where a property of the material, between temperatures T[0] and T[1] of a deck that
 * begins at T0, is farther from what was taken at `taken` than c->change. */
void gos__deck_material_change(const gos_deck_material *m, double T0, double taken,
                               const double T[2], gos_deck_change *c);
/** Whether a material is the same in all directions. */
bool gos__deck_isotropic(const gos_deck_material *from);

#endif
