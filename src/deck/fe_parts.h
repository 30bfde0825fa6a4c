/* Parts of a mesh body from its deck: materials, thicknesses, orientations, formulations. */
#ifndef GOS_FE_PARTS_H
#define GOS_FE_PARTS_H

#include "fe/element.h"
#include "deck/deck.h"

/* Model values, which override the deck. */
typedef struct gos_deck_given {
    const gos_fe_material *material; // NULL: from sections
    const gos_fe_element *element;   // NULL: from element types
    double thickness;                // 0: from sections [m]
    double temperature;              // rise over the initial temperature, for materials
    gos_loc loc;                     // for messages
    const char *object;
    // temperatures are prescribed: no conductivity and specific heat needed
    bool prescribed;
    bool still;   // no deformation: no elastic constants needed
    bool current; // properties follow the temperature: no note
    // properties that the analysis does not need: arbitrary where not given
    bool no_density, no_heat, no_elastic;
} gos_deck_given;

typedef struct gos_deck_parts {
    int n;
    gos_fe_part *part;               // (n); shared per material
    double temperature;              // initial
    int ntable;                      // temperature-dependent materials ...
    const gos_deck_material **table; // ... (ntable)
    double damping[2];               // mass [1/s], stiffness [s] factors of all materials
    // first material without density or specific heat, and its card; NULL: none
    const gos_deck_material *lacks;
    const char *lacks_card;
} gos_deck_parts;

/** Group the cells by formulation, material and section; allocated in the arena. Materials are at
 * given->temperature; expansion is the mean from the initial temperature (if equal, the
 * derivative). @return GOS_E_INPUT with a record for unsupported elements, missing sections,
 * elasticity or density, offsets of shells and beams */
gos_status gos__deck_parts(gos_ctx *ctx, gos_arena *arena, const gos_deck *deck,
                           const gos_deck_given *given, gos_deck_parts *parts);
/** Local axes at x, in rows. Rectangular: a on axis 1, b in the plane of axes 1 and 2; cylindrical:
 * radial, tangential, axial from a to b. @return false on the cylinder axis, and for degenerate
 * points */
bool gos__deck_axes(bool cylindrical, const double a[3], const double b[3], const double x[3],
                    double axes[3][3]);
/** Axes of an orientation at x, in rows. @return false on a cylinder axis */
bool gos__deck_oriented(const gos_deck_orientation *o, const double x[3], double axes[3][3]);
/** Reference orientation of ply angles; -1: none (fe_layup.c). */
int gos__deck_layup_base(const gos_deck *deck, const gos_deck_section *s);
/** Layup, thickness, offset and mean material of a part with known cells. GOS_E_INPUT with a record
 * if axis 3 is not the normal, or angles vary. */
gos_status gos__deck_layup(gos_ctx *ctx, gos_arena *arena, const gos_deck *deck,
                           const gos_deck_section *s, const gos_fe_material *const *material,
                           gos_fe_part *p);
/** Cross-section from *BEAM SECTION; z is direction 1, not checked to be transverse. GOS_E_INPUT
 * with a record for other sections, boxes, ellipses, offsets. */
gos_status gos__deck_profile(gos_ctx *ctx, const gos_deck_section *s, const gos_fe_material *m,
                             const char *object, gos_fe_profile *profile);
/** Formulation of an element type ("C3D20R": solid_reduced); NULL: none. The shape matters for
 * Nastran cards only. */
const gos_fe_element *gos__deck_element(const char *type, gos_cell_shape shape);
/** Initial temperature, in the deck's scale: mean over nodes, 0 where not given. @param other may
 * be NULL; first line that makes nodes differ, line 0: none */
double gos__deck_temperature(const gos_deck *deck, gos_loc *other);
/** Material at temperature T, from initial T0. GOS_E_INPUT with a record if elasticity or density
 * is missing, or the energy is not positive. */
gos_status gos__deck_material(gos_ctx *ctx, const gos_deck_material *from, double T0,
                              double temperature, bool still, const char *object,
                              gos_fe_material *to);
bool gos__deck_material_varies(const gos_deck_material *m);
/* Property with the largest deviation from the value in use. */
typedef struct gos_deck_change {
    double change;
    double T, value, taken; // of the deck; property there
    const char *what, *material;
    gos_loc loc; // of its card
} gos_deck_change;
/** Replace *c if a property between T[0] and T[1] deviates from that at `taken` by more than
 * c->change. */
void gos__deck_material_change(const gos_deck_material *m, double T0, double taken,
                               const double T[2], gos_deck_change *c);
bool gos__deck_isotropic(const gos_deck_material *from);

#endif
