/* Construction of a reduced model (theory 8): e = E0 + Phi c with scalar fields and vector
   amplitudes. Bodies connected by eliminated joints form a *group* with common fields. Fields
   are combinations T of a group's *raw* coordinates d: amplitudes of smooth fields
   (gos_body_ops.fields) or vector coordinates. Eliminated joints: A d + b = 0, hence d = D0 + T
   c with A T = 0. */
#ifndef GOS_ROM_H
#define GOS_ROM_H

#include "gossamer/reduce.h"
#include "rom/cubature.h"
#include "rom/training_range.h"
#include "system/reduction.h"

/* Options of rotation_closed, also selected by auto; 0: default. */
enum { GOS_FIELDS_POLYNOMIALS, GOS_FIELDS_MODES }; // in the order of the options of `fields`
typedef struct gos_reduction_def {
    int fields;         // GOS_FIELDS_...
    int number;         // fields per body, or number from modes
    int thermal_fields; // functions per temperature family and body
    int points;         // points per body (polynomials)
    int statics;        // modes: also static responses
    double tolerance;   // rotation_closed: error above which a run warns; auto: required
    int on_mesh;        // polynomials: interpolated on the mesh, with its matrices and points
    double cubature;    // force error of the cubature; 0: all points
} gos_reduction_def;

typedef struct gos_rom_body {
    const gos_body *body;
    gos_body_fields f; // f.n = 0: raw coordinates are its vector coordinates
    int group;         // ngroup (a group without coordinates) for first-order states
    int number;        // index among bodies other than first-order states; -1: first-order states
    int raw, nraw;     // raw coordinates within the group
    // First temperature coordinate. Function i of family k: t0 + i nfam + k; state i of matrices:
    // t0 + i.
    int t0;
    double *phi;    // the group's fields at its vector coordinates (nv, m)
    double *origin; // constant part E0 (nv, 3)
    // Temperature functions of local sources (nsource_fn, nnode), and the families they heat.
    int nsource_fn, nnode;
    const double *source_fn;
    bool fed[GOS_FAMILIES];
    int expansions; // functions of f for their thermal expansion
    int nheat;      // trailing temperature functions of f from a run (nheat, nodes)
    const double *heat;
} gos_rom_body;

typedef struct gos_rom_group {
    int n;           // raw coordinates
    int first, m;    // reduced coordinates first .. first + m - 1
    int neq;         // eliminated vector equations
    double *A, *b;   // (neq, n), (neq, 3)
    double *mass;    // scalar mass of raw coordinates (n, n); NULL: use the system's
    double *metric;  // added to the diagonal where the mass is singular (n)
    double *e0, *v0; // initial values and rates (n, 3)
    double *trans;   // unit translation (n)
    bool plain;      // raw coordinates are kept unchanged
    double *T, *D0;  // (n, m), (n, 3)
} gos_rom_group;

/* States of the full model from which fields are derived. */
typedef struct gos_snapshots {
    const gos_training *run;
    double least;         // threshold of principal fields, RMS over mass and states [m]; 0: none
    double least_vectors; // threshold of section vectors, relative to their change; 0: none
    // threshold of principal temperatures over their range, RMS over capacity and states; 0: none
    double least_heat;
} gos_snapshots;

typedef struct gos_rom {
    gos_ctx *ctx;
    gos_arena *arena; // scratch, freed after construction
    const gos_system *full;
    gos_system *sys;                   // under construction
    gos_reduction_def def;             // with defaults
    const struct gos_rom_info *stored; // previously chosen fields and points, or NULL
    // fields to use: `stored`, or computed with other functions; NULL: none
    const struct gos_rom_info *found;
    const gos_snapshots *snapshots; // or NULL
    int expansions;                 // number of fields due to local heat
    bool short_of;                  // some were omitted at the limit
    double mu;                      // mass of every field [kg], so that amplitudes are lengths
    int nbody, ngroup;
    gos_rom_body *body;   // per body
    gos_rom_group *group; // (ngroup + 1)
    int *body_of;         // body of each vector coordinate
    int *tbody_of;        // body of each temperature coordinate
    bool *eliminated;     // per item
    int nv, nt;           // reduced coordinates
    double *row;          // scratch: projected marker (nv + nt), derived vectors in front
    int *index;           // its indices
} gos_rom;

/* Result of a reduction, sufficient to rebuild the system. */
typedef struct gos_rom_info {
    gos_reduction_def def;    // with all choices
    int ngroup, nblock;       // groups of bodies; point blocks
    int nbody;                // bodies other than first-order states
    int *n, *m;               // raw coordinates and fields of each group (ngroup)
    double **T, **D0;         // (n, m), (n, 3) of each group
    int *nheat;               // temperature functions from a run per body (nbody); NULL: none
    double **heat;            // (nheat, nodes)
    gos_selection *selection; // selected points per block; n = 0: all (nblock)
    gos_range *range;         // training range; NULL: untrained
    // hash of the sources whose expansion is represented, see gos__rom_relieved
    uint64_t sources;
    gos_reduction chosen;
    double model_tolerance; // analysis.tolerance of the reduced model; 0: unknown
    // joints with forces, which fields do not fulfil: names, each with a comma after it; NULL:
    // those with probes (older files)
    char *force_joints;
    const struct gos_rom_pictures *pictures; // stored images (results/mode_shapes.h); NULL: none
} gos_rom_info;

/** Field options of the system's method, or defaults. */
gos_reduction_def gos__rom_def(const gos_system *sys);

/** @return GOS_E_USE: shadows or view factors, which a reduced model cannot compute */
gos_status gos__rom_check_shadows(gos_ctx *ctx, const gos_system *sys);
/** Reduce by `def`. Fields and points of `stored` (may be NULL) are used if they fit, see
 *  gos__rom_fits; `snapshots` (may be NULL) add fields to modes. */
gos_status gos__rom_make(gos_ctx *ctx, const gos_system *sys, const gos_reduction_def *def,
                         const gos_rom_info *stored, const gos_snapshots *snapshots,
                         gos_system **reduced);

/** Determine bodies, groups and fields at mesh coordinates. */
gos_status gos__rom_fields(gos_rom *r);

/* methods, see gos_system_method */
gos_status gos__auto_choose(gos_ctx *ctx, const gos_system *sys, double runs, gos_system **reduced);
gos_status gos__rom_reduce(gos_ctx *ctx, const gos_system *sys, gos_system **reduced);
/** Train a cubature for given fields. */
gos_status gos__rom_train(gos_ctx *ctx, gos_system *sys);
/** Restore stored points and training ranges. */
gos_status gos__rom_take_points(gos_ctx *ctx, gos_system *sys, const gos_rom_info *stored);

/* groups.c */
/** k->force_joints of the reduction. */
gos_status gos__rom_keep_joints(const gos_rom *r, gos_arena *a, gos_rom_info *k);
/** Bodies, groups, raw coordinates, eliminated equations, initial values. */
gos_status gos__rom_space(gos_rom *r);
/** y = mass times x, (n, k) row-major; includes g->metric if `metric`. */
void gos__rom_mass(const gos_rom *r, const gos_rom_group *g, bool metric, int k, const double *x,
                   double *y);
/** Scalar mass of a vector coordinate of a body given by matrices. */
double gos__rom_port_mass(const gos_system *s, int v);
/** Raw index of a vector coordinate; only for bodies without fields. */
int gos__rom_raw(const gos_rom *r, int v);

/* heat_sources.c */
bool gos__rom_has_sources(const gos_system *s);
/** Hash of the local sources on expanding bodies; GOS_HASH_BEGIN: none. */
uint64_t gos__rom_local_heat(const gos_system *s);
/** Temperature functions of local sources; nodal temperatures if thermal_fields reaches the
 *  number of nodes. p->source_fn: orthonormal functions of the mean and the sources. */
gos_status gos__rom_sources(gos_rom *r, gos_rom_body *p);

/* principal_heat.c */
/** Temperature functions of the body from the states of a run, or stored ones. */
gos_status gos__rom_principal_heat(gos_rom *r, gos_rom_body *p);
/** Largest number of temperature functions of a body, for reports. */
int gos__rom_heat_functions(const gos_system *reduced);
gos_status gos__rom_keep_heat(const gos_rom *r, gos_arena *a, gos_rom_info *k);

/* basis.c */
/** x0 with D0 = trans x0, as far as possible; rest (neq, 3): remainder of b. @return true if the
 *  remainder is zero. */
bool gos__rom_translation(const gos_rom_group *g, double *rest);
/** Fields of a group that keeps all raw coordinates except eliminated ones. */
gos_status gos__rom_basis(gos_rom *r, gos_rom_group *g);

/* modes.c */
/** Fields of all groups from modes and static responses. */
gos_status gos__rom_modes(gos_rom *r);

/* points.c */
/** Dense point blocks of the reduced system. */
gos_status gos__rom_points(gos_rom *r);

/* gram.c */
/** Quadratic form in place of points, if the law and number of fields permit. Requires s->e0. */
gos_status gos__rom_gram(gos_rom *r, gos_points *p);

/* floating.c */
/** True if temperatures, or states of a body given by matrices, are kept unchanged. */
bool gos__rom_keeps_heat(const gos_body *b);
bool gos__rom_on_floating(const gos_rom *r, const gos_item *it);
/** GOS_E_USE if a body's reference vector rotates with a floating body. */
gos_status gos__rom_refuse_carried(const gos_rom *r);
/** Copy floating bodies unchanged; vectors of the reduced system are allocated. */
gos_status gos__rom_floating(gos_rom *r);
/** Rotations and norm weights of their axes; requires the sums of the reduced system. */
gos_status gos__rom_floating_axes(gos_rom *r);

/* constants.c */
/** True if there are bodies given by matrices, which error estimates do not cover. */
bool gos__rom_has_matrices(const gos_system *s);
/** Constant matrices in reduced coordinates; requires s->e0. */
gos_status gos__rom_constants(gos_rom *r, gos_builder *b);

/* parts.c */
/** Items, probes and nodes with markers in reduced coordinates. */
gos_status gos__rom_parts(gos_rom *r);

#endif
