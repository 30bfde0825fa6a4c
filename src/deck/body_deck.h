/* What bodies of meshes take from the deck of their mesh. */
#ifndef GOS_BODY_DECK_H
#define GOS_BODY_DECK_H

#include "floating/mesh_places.h"
#include "deck/fe_parts.h"
#include "deck/fe_ties.h"
#include "parts/parts.h"

/** Materials of a body whose parts are made of those of a deck, as far as heat on surfaces looks at
 * them: isotropic, in x of each part; absorptivity 1, emissivity 0, of which decks know nothing. */
gos_status gos__mesh_deck_materials(gos_builder *b, const gos_deck_parts *parts, gos_body *body);

/** One of them as a material of the model: isotropic elasticity as far as it is that. */
void gos__mesh_deck_material(const gos_fe_material *from, gos_material *to);

/** Its tables over temperature as functions of the temperature over T0, at which the deck begins,
 * of an isotropic material. */
gos_status gos__mesh_deck_tables(gos_builder *b, const gos_deck_material *from, double T0,
                                 const char *object, gos_material *to);

/* body_loads.c */
typedef struct gos_mesh_deck_user {
    const gos_mesh *mesh;
    const char *body;   // its name
    gos_loc loc;        // of its entry, for messages
    const char *object; //
    double (*axis)[3];  // axes of the mesh at t = 0, rows
    bool warm;          // it has temperatures
    bool holds;         // its frame holds on to the supports of the deck
    bool loads;         // it takes the deck's loads
    const char
        *supports; // how it would take supports of the deck, which it does not; NULL: it does
    bool ties;     // it takes what the deck ties together
    bool turning;  // it begins with an angular velocity
    bool small;    // its deformation is small
    bool heated;   // other entries of the model heat it, or a joint conducts heat to it
} gos_mesh_deck_user;
/** Bring what the deck's first step does to the body as entries of the model, BODY_CARD_LINE, which
 * stand at their lines; what bodies do not have is refused there. */
gos_status gos__mesh_deck_loads(gos_builder *b, const gos_mesh_deck_user *user);
/* body_ignored.c */
/* What cards are called, by gos_deck_nodal_kind and gos_deck_load_kind. */
extern const char *const gos__mesh_deck_nodal_card[], *const gos__mesh_deck_load_card[];
/* body_step.c */
/** Warnings, by line, about what the deck's step asks for and a body with user->loads does not
 * apply: NLGEOM, buckling, harmonic loads. */
void gos__mesh_deck_step(gos_builder *b, const gos_mesh_deck_user *user);
/** Whether entries of the model heat a body, or a joint conducts heat to it. */
bool gos__mesh_deck_heated(const gos_builder *b, const char *body);
/* body_entries.c */
/* The text of an entry as it is written. */
typedef struct gos_mesh_deck_text {
    gos_ctx *ctx;
    char *text;
    int n, cap;
} gos_mesh_deck_text;
gos_status gos__mesh_deck_put(gos_mesh_deck_text *t, const char *fmt, ...) GOS_PRINTF(2, 3);
/** A number or, of an amplitude of several points, a table of time: factor times the amplitude
 * (NULL: 1), less shift. */
gos_status gos__mesh_deck_put_amount(gos_mesh_deck_text *t, double factor,
                                     const gos_deck_amplitude *amplitude, double shift);
/** ", KEY: " and factor times an amplitude (NULL: 1), less shift. */
gos_status gos__mesh_deck_put_function(gos_mesh_deck_text *t, const char *key, double factor,
                                       const gos_deck_amplitude *amplitude, double shift);
/** ", KEY: [x, y, z]", factor times a vector times an amplitude. */
gos_status gos__mesh_deck_put_vector(gos_mesh_deck_text *t, const char *key, double factor,
                                     const double vector[3], const gos_deck_amplitude *amplitude);
/* body_forces.c */
/** Bring pressure, gravity and centrifugal loads likewise; places->pattern are the places that they
 * act on. @return GOS_E_INPUT with a record at the deck's line for gravity where the model has its
 * own, and for a body that turns */
gos_status gos__mesh_deck_forces(gos_builder *b, const gos_mesh_deck_user *user,
                                 const gos_fe_body *fe, gos_mesh_places *places);
/* body_ignored.c */
/** Notes that name what the deck says of loads (without user->loads) and supports (user->supports)
 * and nobody takes. */
void gos__mesh_deck_left(gos_builder *b, const gos_mesh_deck_user *user);
/** A warning that names the constraints of the deck, for bodies that take none. */
void gos__mesh_deck_untied(gos_builder *b, const gos_mesh_deck_user *user);
/** A warning that names sections of the deck whose cells are no solids, for bodies that have none
 * but these. */
void gos__mesh_deck_thin(gos_builder *b, const gos_mesh_deck_user *user);
/* body_supports.c */
/** Bring what the deck's *BOUNDARY says of displacements as joints of the body's nodes,
 * BODY_boundary_LINE_NODE_DIRECTION. @return GOS_E_INPUT with a record at the deck's line for
 * motions along directions that no joint can follow */
gos_status gos__mesh_deck_supports(gos_builder *b, const gos_mesh_deck_user *user);
/* body_ties.c */
/* Temperatures of nodes and their gradients in the flex, -1: none (nodes). */
typedef struct gos_mesh_deck_heat {
    int *of_node, *of_across;
} gos_mesh_deck_heat;
/** Tie what the deck ties (gos__deck_ties_make) in a free body of the nodes of the mesh alone,
 * whose amplitudes are the freedoms of `fe`; reference nodes become nodes of the body. Numbers of
 * temperatures are kept up to date. */
gos_status gos__mesh_deck_tie(const gos_mesh_deck_user *user, const gos_fe_body *fe,
                              const gos_mesh_deck_heat *heat, gos_flex *flex);
/* body_reference.c */
/** Leave out the amplitudes that the supports of a deck (*BOUNDARY) hold at 0, as the reference of
 * the frame.
 *  @return GOS_E_INPUT with a record where they leave the body free to move, or hold it elsewhere
 * than at 0 */
gos_status gos__mesh_deck_hold(gos_builder *b, const gos_mesh_deck_user *user,
                               const gos_mesh_interfaces *interfaces, gos_flex *flex);

#endif
