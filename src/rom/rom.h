/* Construction of a reduced model (theory 8): e = E0 + Phi c, scalar fields, vector amplitudes.
   A *group*: bodies connected by eliminated joints, with common fields; other joints (hinges,
   drives) connect groups. Fields are combinations T of *raw* coordinates d: amplitudes of smooth
   fields (gos_body_ops.fields) or vector coordinates. Eliminated joints: A d + b = 0, d = D0 + T
   c, A T = 0. */
#ifndef GOS_ROM_H
#define GOS_ROM_H

#include "gossamer/reduce.h"
#include "rom/cubature.h"
#include "rom/training_range.h"
#include "system/reduction.h"

/* Options of rotation_closed; 0: default. */
enum { GOS_FIELDS_POLYNOMIALS, GOS_FIELDS_MODES }; // order of `fields`
typedef struct gos_reduction_def {
    int fields;         // GOS_FIELDS_...
    int number;         // per body, or from modes
    int thermal_fields; // per family and body
    int points;         // per body (polynomials)
    int statics;        // static responses
    double tolerance;   // warning limit; auto: required
    int on_mesh;        // polynomials interpolated on the mesh
    double cubature;    // force error; 0: all points
} gos_reduction_def;

typedef struct gos_rom_body {
    const gos_body *body;
    gos_body_fields f; // f.n = 0: vector coordinates are raw
    int group;         // ngroup (empty): first-order states
    int number;        // without first-order states; -1: such states
    int raw, nraw;     // in the group
    // First temperature coordinate; function i of family k: t0 + i nfam + k; state i: t0 + i.
    int t0;
    double *phi;    // fields at its vector coordinates (nv, m)
    double *origin; // E0 (nv, 3)
    // Functions of local sources (nsource_fn, nnode) and heated families.
    int nsource_fn, nnode;
    const double *source_fn;
    bool fed[GOS_FAMILIES];
    int expansions; // functions of their thermal expansion
    int nheat;      // trailing functions from a run (nheat, nodes)
    const double *heat;
} gos_rom_body;

typedef struct gos_rom_group {
    int n;           // raw
    int first, m;    // reduced first .. first + m - 1
    int neq;         // eliminated
    double *A, *b;   // (neq, n), (neq, 3)
    double *mass;    // scalar mass of raw coordinates (n, n); NULL: system's
    double *metric;  // on singular diagonals (n)
    double *e0, *v0; // initial (n, 3)
    double *trans;   // unit translation (n)
    bool plain;      // raw coordinates unchanged
    double *T, *D0;  // (n, m), (n, 3)
} gos_rom_group;

/* Full states for fields. */
typedef struct gos_snapshots {
    const gos_training *run;
    double least; // smallest principal field, RMS over mass and states [m]; 0: none
    // smallest principal temperature over its range, RMS over capacity; 0: none
    double least_heat;
} gos_snapshots;

typedef struct gos_rom {
    gos_ctx *ctx;
    gos_arena *arena; // scratch
    const gos_system *full;
    gos_system *sys;                   // result
    gos_reduction_def def;             // with defaults
    const struct gos_rom_info *stored; // chosen before, or NULL
    // fields to use, or NULL: compute
    const struct gos_rom_info *found;
    const gos_snapshots *snapshots; // or NULL
    int expansions;                 // due to local heat
    bool short_of;                  // limited
    double mu;                      // mass of a field [kg]
    int nbody, ngroup;
    gos_rom_body *body;   // per body
    gos_rom_group *group; // (ngroup + 1)
    int *body_of;         // of vector coordinates
    int *tbody_of;        // of temperatures
    bool *eliminated;     // per item
    int nv, nt;           // reduced coordinates
    double *row;          // projected marker (nv + nt), derived vectors in front
    int *index;           // indices likewise
} gos_rom;

/* Result: all choices, to rebuild the system. */
typedef struct gos_rom_info {
    gos_reduction_def def;    // complete
    int ngroup, nblock;       // groups of bodies; point blocks
    int nbody;                // without first-order states
    int *n, *m;               // raw coordinates and fields of each group (ngroup)
    double **T, **D0;         // (n, m), (n, 3) of each group
    int *nheat;               // principal functions per body (nbody); NULL: none
    double **heat;            // (nheat, nodes)
    gos_selection *selection; // per block; n = 0: all (nblock)
    gos_range *range;         // training range; NULL: untrained
    // hash of sources with displacements, see gos__rom_relieved
    uint64_t sources;
    gos_reduction chosen;
    const struct gos_rom_pictures *pictures; // stored images (io/shapes.h); NULL: none
} gos_rom_info;

/** Field options, or defaults. */
gos_reduction_def gos__rom_def(const gos_system *sys);

/** Reduce by `def`. stored (may be NULL): fitting fields and points, see gos__rom_fits;
 *  snapshots (may be NULL): more fields, from modes. */
gos_status gos__rom_make(gos_ctx *ctx, const gos_system *sys, const gos_reduction_def *def,
                         const gos_rom_info *stored, const gos_snapshots *snapshots,
                         gos_system **reduced);

/** Bodies, groups and fields at mesh coordinates. */
gos_status gos__rom_fields(gos_rom *r);

/* see gos_system_method */
gos_status gos__auto_choose(gos_ctx *ctx, const gos_system *sys, gos_system **reduced);
gos_status gos__rom_reduce(gos_ctx *ctx, const gos_system *sys, gos_system **reduced);
/** Cubature for given fields. */
gos_status gos__rom_train(gos_ctx *ctx, gos_system *sys);
/** Restore points and ranges. */
gos_status gos__rom_take_points(gos_ctx *ctx, gos_system *sys, const gos_rom_info *stored);

/* groups.c */
/** Bodies, groups, raw coordinates, equations, initial values. */
gos_status gos__rom_space(gos_rom *r);
/** y = mass x, (n, k) row-major; with the metric if set. */
void gos__rom_mass(const gos_rom *r, const gos_rom_group *g, bool metric, int k, const double *x,
                   double *y);
/** Scalar mass of a vector coordinate of a body of matrices. */
double gos__rom_port_mass(const gos_system *s, int v);
/** Raw index; bodies without fields only. */
int gos__rom_raw(const gos_rom *r, int v);

/* heat_sources.c */
/** True if a body has local heat sources. */
bool gos__rom_has_sources(const gos_system *s);
/** Hash of sources on expanding bodies; GOS_HASH_BEGIN: none. */
uint64_t gos__rom_local_heat(const gos_system *s);
/** Functions for such sources on mesh points; nodal temperatures if thermal_fields permits.
 *  p->source_fn: orthonormal mean and source functions. */
gos_status gos__rom_sources(gos_rom *r, gos_rom_body *p);

/* principal_heat.c */
/** Functions from a run, or stored. */
gos_status gos__rom_principal_heat(gos_rom *r, gos_rom_body *p);
/** Largest number of functions, for reports. */
int gos__rom_heat_functions(const gos_system *reduced);
/** Copies for all bodies. */
gos_status gos__rom_keep_heat(const gos_rom *r, gos_arena *a, gos_rom_info *k);

/* basis.c */
/** x0 with D0 = trans x0; rest (neq, 3) of b. @return true if zero. */
bool gos__rom_translation(const gos_rom_group *g, double *rest);
/** Fields of all raw coordinates less eliminated ones. */
gos_status gos__rom_basis(gos_rom *r, gos_rom_group *g);

/* modes.c */
/** Fields of all groups. */
gos_status gos__rom_modes(gos_rom *r);

/* points.c */
/** Dense point blocks. */
gos_status gos__rom_points(gos_rom *r);

/* gram.c */
/** Quadratic form instead of points, if possible; requires s->e0. */
gos_status gos__rom_gram(gos_rom *r, gos_points *p);

/* floating.c */
/** True if temperatures or states are kept. */
bool gos__rom_keeps_heat(const gos_body *b);
/** True if it acts on a floating body. */
bool gos__rom_on_floating(const gos_rom *r, const gos_item *it);
/** GOS_E_USE if a reference vector rotates with a floating body. */
gos_status gos__rom_refuse_carried(const gos_rom *r);
/** Floating bodies, unchanged; vectors are allocated. */
gos_status gos__rom_floating(gos_rom *r);
/** Their axes; requires the system's sums. */
gos_status gos__rom_floating_axes(gos_rom *r);

/* constants.c */
/** True if bodies of matrices exist; error estimates exclude them. */
bool gos__rom_has_matrices(const gos_system *s);
/** Reduced constant matrices; requires s->e0. */
gos_status gos__rom_constants(gos_rom *r, gos_builder *b);

/* parts.c */
/** Items, probes, nodes. */
gos_status gos__rom_parts(gos_rom *r);

#endif
