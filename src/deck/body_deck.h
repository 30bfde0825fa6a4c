/* Materials, loads, supports and constraints that a mesh body uses from its deck. */
#ifndef GOS_BODY_DECK_H
#define GOS_BODY_DECK_H

#include "floating/mesh_locations.h"
#include "deck/fe_parts.h"
#include "deck/fe_ties.h"

/** Materials for surface heat: isotropic, along x of each part; absorptivity 1, emissivity 0. */
gos_status gos__mesh_deck_materials(gos_builder *b, const gos_deck_parts *parts, gos_body *body);

/** Convert to a model material; elasticity only if isotropic. */
void gos__mesh_deck_material(const gos_fe_material *from, gos_material *to);

/** Isotropic tables as functions of the temperature rise over T0. */
gos_status gos__mesh_deck_tables(gos_builder *b, const gos_deck_material *from, double T0,
                                 const char *object, gos_material *to);

/* body_loads.c */
typedef struct gos_mesh_deck_user {
    const gos_mesh *mesh;
    const char *body;
    gos_loc loc; // for messages
    const char *object;
    double (*axis)[3]; // axes of the mesh at t = 0, rows
    bool warm;
    bool holds;      // frame fixed to the deck's supports
    bool undeformed; // rigid, or without motion: prescribed displacements have no effect
    bool loads;
    bool masses; // those of the deck at nodes belong to the body
    // remedy for the note about ignored supports; NULL: they are applied
    const char *supports;
    bool ties;
    bool turning;
    bool small;
    bool heated; // by the model or a conducting joint
} gos_mesh_deck_user;
/** Add the loads of the first step as entries BODY_CARD_LINE. Fails on unsupported loads. */
gos_status gos__mesh_deck_loads(gos_builder *b, const gos_mesh_deck_user *user);
/* body_ignored.c */
/* Card names, indexed by gos_deck_nodal_kind and gos_deck_load_kind. */
extern const char *const gos__mesh_deck_nodal_card[], *const gos__mesh_deck_load_card[];
/* body_step.c */
/** Warn of step options ignored with user->loads: NLGEOM, buckling, harmonic loads. */
void gos__mesh_deck_step(gos_builder *b, const gos_mesh_deck_user *user);
/** Whether model entries or a conducting joint heat the body. */
bool gos__mesh_deck_heated(const gos_builder *b, const char *body);
/* body_needs.c */
/** Set what the analysis of a body does not need (given->no_...). @param loads those of the deck
 * are applied; @param moves the frame follows the mass, or the body has velocities */
void gos__mesh_deck_needs(const gos_builder *b, const gos_deck *deck, const char *body, bool loads,
                          bool moves, gos_deck_given *given);
/** Whether the deck describes heat alone: no material is elastic, in a step of heat transfer. */
bool gos__mesh_deck_rigid(const gos_deck *deck);
/** Record missing material properties; analyses that need them are rejected later. */
gos_status gos__mesh_deck_lacks(gos_builder *b, const gos_deck_parts *parts, const char *object);
/* body_entries.c */
typedef struct gos_mesh_deck_text {
    gos_ctx *ctx;
    char *text;
    int n, cap;
} gos_mesh_deck_text;
gos_status gos__mesh_deck_put(gos_mesh_deck_text *t, const char *fmt, ...) GOS_PRINTF(2, 3);
/** Append factor times amplitude (NULL: 1) minus shift, as a number or table over time. */
gos_status gos__mesh_deck_put_magnitude(gos_mesh_deck_text *t, double factor,
                                        const gos_deck_amplitude *amplitude, double shift);
/** Append ", KEY: " and factor times amplitude (NULL: 1) minus shift. */
gos_status gos__mesh_deck_put_function(gos_mesh_deck_text *t, const char *key, double factor,
                                       const gos_deck_amplitude *amplitude, double shift);
/** Append ", KEY: [x, y, z]", factor times vector times amplitude. */
gos_status gos__mesh_deck_put_vector(gos_mesh_deck_text *t, const char *key, double factor,
                                     const double vector[3], const gos_deck_amplitude *amplitude);
/* body_forces.c */
/** Add pressure, gravity and centrifugal loads; locations->pattern are their locations. @return
 * GOS_E_INPUT with a record for gravity where the model has its own, and for a rotating body */
gos_status gos__mesh_deck_forces(gos_builder *b, const gos_mesh_deck_user *user,
                                 const gos_fe_body *fe, gos_mesh_locations *locations);
/* body_ignored.c */
/** Notes that list ignored loads (without user->loads) and supports (user->supports). */
void gos__mesh_deck_left(gos_builder *b, const gos_mesh_deck_user *user);
/** Warn of ignored constraints. */
void gos__mesh_deck_untied(gos_builder *b, const gos_mesh_deck_user *user);
/** Warn of springs, dashpots and masses, which `parts` leaves out. */
void gos__mesh_deck_discrete_left(gos_builder *b, const gos_mesh_deck_user *user);
/** Warn of sections without solid cells, for bodies of solids only. */
void gos__mesh_deck_thin(gos_builder *b, const gos_mesh_deck_user *user);
/* body_moved.c */
/** Add prescribed displacements as joints BODY_boundary_LINE_NODE_DIRECTION to the frame. Fails on
 * rotations, and without user->loads. */
gos_status gos__mesh_deck_moved(gos_builder *b, const gos_mesh_deck_user *user);
/** Last *BOUNDARY line of each freedom (nodes, 6), NULL: none; free with gos__free. */
const gos_deck_nodal **gos__mesh_deck_last(gos_ctx *ctx, const gos_mesh *mesh);
/* body_supports.c */
/** Add *BOUNDARY as joints BODY_boundary_LINE_NODE_DIRECTION. @return GOS_E_INPUT with a record for
 * directions that no joint supports */
gos_status gos__mesh_deck_supports(gos_builder *b, const gos_mesh_deck_user *user);
/* body_ties.c */
/* Indices of temperatures and gradients in the flex; -1: none (nodes). */
typedef struct gos_mesh_deck_heat {
    int *of_node, *of_across;
} gos_mesh_deck_heat;
/** Apply the constraints (gos__deck_ties_make) to a free body with mesh nodes only, whose
 * amplitudes are the freedoms of `fe`. Adds reference nodes; updates temperature indices. */
gos_status gos__mesh_deck_tie(const gos_mesh_deck_user *user, const gos_fe_body *fe,
                              const gos_mesh_deck_heat *heat, gos_flex *flex);
/* body_reference.c */
/** Remove the amplitudes that *BOUNDARY fixes at 0; this defines the frame. @return GOS_E_INPUT
 * with a record if rigid motions stay free */
gos_status gos__mesh_deck_hold(gos_builder *b, const gos_mesh_deck_user *user,
                               const gos_mesh_interfaces *interfaces, gos_flex *flex);

#endif
