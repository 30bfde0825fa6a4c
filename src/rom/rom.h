/* A reduced model while it is made (theory 8): e = E0 + Phi c with scalar fields and vector
   amplitudes.

   Bodies that eliminated joints hold together form a *group*; fields live on a group, so that
   groups linked by other joints (hinges, drives) keep the freedom to turn against each other.
   Inside a group the fields are combinations T of *raw* coordinates d: the amplitudes of a
   body's own smooth fields (gos_body_ops.fields), or its vector coordinates themselves.
   Eliminated joints say A d + b = 0, hence d = D0 + T c with A T = 0. */
#ifndef GOS_ROM_H
#define GOS_ROM_H

#include "gossamer/reduce.h"
#include "rom/cubature.h"
#include "rom/training_range.h"
#include "system/reduction.h"

/* What rotation_closed is told, and auto finds; 0 where rom chooses. */
enum { GOS_FIELDS_POLYNOMIALS, GOS_FIELDS_MODES }; // in the order of the choices of `fields`
typedef struct gos_reduction_def {
    int fields;         // GOS_FIELDS_...
    int number;         // fields per body, or from modes
    int thermal_fields; // functions per temperature family and body
    int points;         // points per body (polynomials)
    int statics;        // modes: static responses too
    double tolerance;   // error that is told of; of auto: wanted
    int on_mesh;        // polynomials: interpolated on the mesh, its matrices and points
    double cubature;    // error of forces at fewer points, 0: all points
} gos_reduction_def;

typedef struct gos_rom_body {
    const gos_body *body;
    gos_body_fields f; // f.n = 0: its vector coordinates are the raw ones
    int group;         // ngroup, which has no coordinates, for first-order states
    int number;        // among the bodies that are no first-order states; -1: it is such states
    int raw, nraw;     // its raw coordinates within the group
    int t0;      // its first temperature coordinate; function i of family k is t0 + i nfam + k; of
                 // matrices state i is t0 + i
    double *phi; // the group's fields at its vector coordinates (nv, m)
    double *origin; // their constant part E0 (nv, 3)
    // temperature functions of local sources (nsource_fn, nnode), and which families these reach
    // (heat_sources.c)
    int nsource_fn, nnode;
    const double *source_fn;
    bool fed[GOS_FAMILIES];
    int expansions; // functions of f that are the body's expansion by them
    int nheat; // the last temperature functions of f are principal ones of a run (nheat, nodes)
    const double *heat;
} gos_rom_body;

typedef struct gos_rom_group {
    int n;           // raw coordinates
    int first, m;    // its fields are the reduced coordinates first .. first + m - 1
    int neq;         // eliminated vector equations
    double *A, *b;   // (neq, n), (neq, 3)
    double *mass;    // scalar mass of the raw coordinates (n, n); NULL: use the system's
    double *metric;  // added to its diagonal where the mass alone is singular (n)
    double *e0, *v0; // initial values and rates (n, 3)
    double *trans;   // unit translation (n)
    bool plain;      // the raw coordinates are kept as they are
    double *T, *D0;  // (n, m), (n, 3)
} gos_rom_group;

/* States of the full model that fields are made of. */
typedef struct gos_snapshots {
    const gos_training *run;
    double least; // what is smaller (RMS over mass and states) makes no field [m]; 0: none are made
    double
        least_heat; // ... over capacity and states, of the range, no temperature function; 0: none
} gos_snapshots;

typedef struct gos_rom {
    gos_ctx *ctx;
    gos_arena *arena; // scratch, freed when the reduced system is made
    const gos_system *full;
    gos_system *sys;                   // being made
    gos_reduction_def def;             // with defaults filled in
    const struct gos_rom_info *stored; // fields and points chosen before, or NULL
    const struct gos_rom_info
        *found; // fields that are taken, or NULL: stored, or found on other functions
    const gos_snapshots *snapshots; // or NULL
    int expansions;                 // fields that local heat brought
    bool short_of;                  // ... it would have brought more
    double mu;                      // mass of every field [kg]: amplitudes are lengths
    int nbody, ngroup;
    gos_rom_body *body;   // one for each of the system's
    gos_rom_group *group; // (ngroup + 1)
    int *body_of;         // body of each vector coordinate of the full system
    int *tbody_of;        // ... of each temperature coordinate
    bool *eliminated;     // of each item
    int nv, nt;           // reduced coordinates
    double *row;          // scratch of a projected marker (nv + nt), made vectors in front
    int *index;           // its indices (those in front, nv + nt)
} gos_rom;

/* How a system was reduced: what auto and cubature chose, and what makes it again without
   choosing. */
typedef struct gos_rom_info {
    gos_reduction_def def;    // with all choices made
    int ngroup, nblock;       // groups of bodies; point blocks
    int nbody;                // bodies that are no first-order states
    int *n, *m;               // raw coordinates and fields of each group (ngroup)
    double **T, **D0;         // (n, m), (n, 3) of each group
    int *nheat;               // principal temperature functions of each body (nbody); NULL: none
    double **heat;            // (nheat, nodes) of each
    gos_selection *selection; // of each block; n = 0: all points (nblock)
    gos_range *range;         // what was met in training, of each block; NULL: not trained
    uint64_t
        sources; // which local sources have displacements of their own: hash, see gos__rom_relieved
    gos_reduction chosen;
    const struct gos_rom_pictures
        *pictures; // of its modes, as they were stored (io/shapes.h); NULL: none
} gos_rom_info;

/** Settings of the fields of a system (rotation_closed_type.c): of its method, or the defaults
 * where that has none. */
gos_reduction_def gos__rom_def(const gos_system *sys);

/** Reduce with a definition in place of the model's. stored (may be NULL): fields and points as
 *  they were chosen before; they must fit, see gos__rom_fits. snapshots (may be NULL): with fields
 *  from modes, more fields. */
gos_status gos__rom_make(gos_ctx *ctx, const gos_system *sys, const gos_reduction_def *def,
                         const gos_rom_info *stored, const gos_snapshots *snapshots,
                         gos_system **reduced);

/** What lies between the two systems: bodies, groups and their fields at the coordinates of the
 * mesh. */
gos_status gos__rom_fields(gos_rom *r);

/* auto.c, rotation_closed_type.c: what methods do, see gos_system_method */
gos_status gos__auto_choose(gos_ctx *ctx, const gos_system *sys, gos_system **reduced);
gos_status gos__rom_reduce(gos_ctx *ctx, const gos_system *sys, gos_system **reduced);
/** Few points of a model whose fields are given, by a run that trains them. */
gos_status gos__rom_train(gos_ctx *ctx, gos_system *sys);
/** Points and training ranges as they were chosen before. */
gos_status gos__rom_take_points(gos_ctx *ctx, gos_system *sys, const gos_rom_info *stored);

/* groups.c */
/** Bodies, groups, raw coordinates, equations of eliminated joints, initial values. */
gos_status gos__rom_space(gos_rom *r);
/** y = mass x for k columns, (n, k) row-major; with the metric's additions when wanted. */
void gos__rom_mass(const gos_rom *r, const gos_rom_group *g, bool metric, int k, const double *x,
                   double *y);
/** Scalar mass by which a vector coordinate of a body of matrices counts, whose own is no
 * scalar. */
double gos__rom_port_mass(const gos_system *s, int v);
/** Raw coordinate of a vector coordinate of the full system; only where the body has no fields. */
int gos__rom_raw(const gos_rom *r, int v);

/* heat_sources.c */
/** Is there heat at a place of a body that smooth functions cannot hold? */
bool gos__rom_has_sources(const gos_system *s);
/** Where such sources reach what expands, as a hash; GOS_HASH_BEGIN: nowhere. */
uint64_t gos__rom_local_heat(const gos_system *s);
/** Temperature functions for such sources, with points of the mesh; all nodes when thermal_fields
 * says so. p->source_fn: the mean and theirs alone, orthonormal, whatever smooth functions there
 * are. */
gos_status gos__rom_sources(gos_rom *r, gos_rom_body *p);

/* principal_heat.c */
/** Temperature functions of the body from the states of a run, or those that were found before. */
gos_status gos__rom_principal_heat(gos_rom *r, gos_rom_body *p);
/** Temperature functions of the body that has most, as they are told of. */
int gos__rom_heat_functions(const gos_system *reduced);
/** Copies of those of all bodies. */
gos_status gos__rom_keep_heat(const gos_rom *r, gos_arena *a, gos_rom_info *k);

/* basis.c */
/** D0 and x0 of a translation part: D0 = trans x0 as far as the equations can be met so; rest
 *  (neq, 3) is what is left of b. @return true when nothing is left. */
bool gos__rom_translation(const gos_rom_group *g, double *rest);
/** Fields of a group that keeps all its raw coordinates but the eliminated ones. */
gos_status gos__rom_basis(gos_rom *r, gos_rom_group *g);

/* modes.c */
/** Fields of all groups from modes and static responses of the full system. */
gos_status gos__rom_modes(gos_rom *r);

/* points.c */
/** Dense point blocks of the reduced system. */
gos_status gos__rom_points(gos_rom *r);

/* gram.c */
/** Forces of a dense block without its points, where its law and the number of its fields allow it;
 * initial values of s->e0 are there. */
gos_status gos__rom_gram(gos_rom *r, gos_points *p);

/* floating.c */
/** Are its temperatures (states of a body of matrices) kept as they are, instead of functions along
 * it? */
bool gos__rom_keeps_heat(const gos_body *b);
/** Does an item act on a floating body? */
bool gos__rom_on_floating(const gos_rom *r, const gos_item *it);
/** GOS_E_USE for a body whose reference vector turns with a floating one. */
gos_status gos__rom_refuse_carried(const gos_rom *r);
/** Floating bodies as they are, in the coordinates of the reduced system, which has its vectors. */
gos_status gos__rom_floating(gos_rom *r);
/** ... and how their axes turn and weigh in norms of motion, when the reduced system has its
 * sums. */
gos_status gos__rom_floating_axes(gos_rom *r);

/* constants.c */
/** Are there bodies of matrices? What is known of a reduced model's error does not hold for
 * these. */
bool gos__rom_has_matrices(const gos_system *s);
/** The constant matrices in reduced coordinates; initial values of s->e0 are there. */
gos_status gos__rom_constants(gos_rom *r, gos_builder *b);

/* parts.c */
/** Items, probes, nodes: markers in reduced coordinates. */
gos_status gos__rom_parts(gos_rom *r);

#endif
