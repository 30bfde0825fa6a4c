/* What a mesh body uses from the deck of its mesh: materials, loads, supports, constraints. */
#ifndef GOS_BODY_DECK_H
#define GOS_BODY_DECK_H

#include "floating/mesh_places.h"
#include "deck/fe_parts.h"
#include "deck/fe_ties.h"
#include "parts/parts.h"

/** Materials for surface heat of a body made of deck parts: isotropic, along x of each part;
 * absorptivity 1, emissivity 0 (decks do not contain them). */
gos_status gos__mesh_deck_materials(gos_builder *b, const gos_deck_parts *parts, gos_body *body);

/** Convert to a model material; elasticity only where isotropic. */
void gos__mesh_deck_material(const gos_fe_material *from, gos_material *to);

/** Tables of an isotropic material as functions of the temperature rise over T0, the deck's initial
 * temperature. */
gos_status gos__mesh_deck_tables(gos_builder *b, const gos_deck_material *from, double T0,
                                 const char *object, gos_material *to);

/* body_loads.c */
typedef struct gos_mesh_deck_user {
    const gos_mesh *mesh;
    const char *body;
    gos_loc loc; // for messages
    const char *object;
    double (*axis)[3]; // axes of the mesh at t = 0, rows
    bool warm;         // it has temperatures
    bool holds;        // the frame is fixed to the deck's supports
    bool loads;        // applies the deck's loads
    // remedy named in the note that supports are ignored; NULL: they are applied
    const char *supports;
    bool ties;    // applies the deck's constraints
    bool turning; // has an initial angular velocity
    bool small;   // deformation is small
    bool heated;  // heated by other entries of the model or by a conducting joint
} gos_mesh_deck_user;
/** Add the loads of the deck's first step as model entries BODY_CARD_LINE, located at their deck
 * lines. Fails on loads that bodies do not support. */
gos_status gos__mesh_deck_loads(gos_builder *b, const gos_mesh_deck_user *user);
/* body_ignored.c */
/* Card names, indexed by gos_deck_nodal_kind and gos_deck_load_kind. */
extern const char *const gos__mesh_deck_nodal_card[], *const gos__mesh_deck_load_card[];
/* body_step.c */
/** Warn, by line, of step options that a body with user->loads ignores: NLGEOM, buckling, harmonic
 * loads. */
void gos__mesh_deck_step(gos_builder *b, const gos_mesh_deck_user *user);
/** Whether model entries or a conducting joint heat the body. */
bool gos__mesh_deck_heated(const gos_builder *b, const char *body);
/* body_entries.c */
/* Text of an entry under construction. */
typedef struct gos_mesh_deck_text {
    gos_ctx *ctx;
    char *text;
    int n, cap;
} gos_mesh_deck_text;
gos_status gos__mesh_deck_put(gos_mesh_deck_text *t, const char *fmt, ...) GOS_PRINTF(2, 3);
/** Append factor times the amplitude (NULL: 1) minus shift: a number, or a table over time if the
 * amplitude has several points. */
gos_status gos__mesh_deck_put_amount(gos_mesh_deck_text *t, double factor,
                                     const gos_deck_amplitude *amplitude, double shift);
/** Append ", KEY: " and factor times the amplitude (NULL: 1) minus shift. */
gos_status gos__mesh_deck_put_function(gos_mesh_deck_text *t, const char *key, double factor,
                                       const gos_deck_amplitude *amplitude, double shift);
/** Append ", KEY: [x, y, z]": factor times a vector times an amplitude. */
gos_status gos__mesh_deck_put_vector(gos_mesh_deck_text *t, const char *key, double factor,
                                     const double vector[3], const gos_deck_amplitude *amplitude);
/* body_forces.c */
/** Add pressure, gravity and centrifugal loads as entries; places->pattern are their weighted
 * locations. @return GOS_E_INPUT with a record at the deck's line for gravity where the model has
 * its own, and for a rotating body */
gos_status gos__mesh_deck_forces(gos_builder *b, const gos_mesh_deck_user *user,
                                 const gos_fe_body *fe, gos_mesh_places *places);
/* body_ignored.c */
/** Notes that list the deck's loads (without user->loads) and supports (user->supports) that are
 * ignored. */
void gos__mesh_deck_left(gos_builder *b, const gos_mesh_deck_user *user);
/** Warn that the deck's constraints are ignored. */
void gos__mesh_deck_untied(gos_builder *b, const gos_mesh_deck_user *user);
/** Warn of deck sections without solid cells, for bodies that support solids only. */
void gos__mesh_deck_thin(gos_builder *b, const gos_mesh_deck_user *user);
/* body_supports.c */
/** Add the supports of *BOUNDARY as joints at nodes, BODY_boundary_LINE_NODE_DIRECTION. @return
 * GOS_E_INPUT with a record at the deck's line for motions along directions that no joint supports
 */
gos_status gos__mesh_deck_supports(gos_builder *b, const gos_mesh_deck_user *user);
/* body_ties.c */
/* Indices of nodal temperatures and their gradients in the flex; -1: none (nodes). */
typedef struct gos_mesh_deck_heat {
    int *of_node, *of_across;
} gos_mesh_deck_heat;
/** Apply the deck's constraints (gos__deck_ties_make) to a free body that has mesh nodes only and
 * amplitudes equal to the freedoms of `fe`. Adds reference nodes as body nodes; updates
 * temperature indices. */
gos_status gos__mesh_deck_tie(const gos_mesh_deck_user *user, const gos_fe_body *fe,
                              const gos_mesh_deck_heat *heat, gos_flex *flex);
/* body_reference.c */
/** Remove the amplitudes fixed by the deck's supports (*BOUNDARY); this defines the frame. @return
 * GOS_E_INPUT with a record if the supports leave rigid motions free or prescribe nonzero values */
gos_status gos__mesh_deck_hold(gos_builder *b, const gos_mesh_deck_user *user,
                               const gos_mesh_interfaces *interfaces, gos_flex *flex);

#endif
