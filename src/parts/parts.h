/* Parts of a system and the builder that collects them. Mechanics acts on markers, 3-vectors linear
 * in the vector coordinates (positions, slopes, body axes) with scalar weights times I3: bodies
 * contribute points with a constitutive law, joints and loads are items on a few markers. A reduced
 * model (e = E0 + Phi c) has the same parts with other weights. */
#ifndef GOS_PARTS_H
#define GOS_PARTS_H

#include "base/names.h"
#include "gossamer/linear.h"
#include "model/model.h"

#define GOS_LANES 8 // one AVX-512 register of doubles

/* ---- markers --------------------------------------------------------------------------------- */

/* x = off + sum w[j] e[idx[j]]. n = 0: fixed in space. Indices < 0: derived vectors
 * (parts/made.h). */
typedef struct gos_marker {
    int n;
    const int *idx;  // (n)
    const double *w; // weights (n)
    double off[3];   // [m] or [-]
} gos_marker;

/* T = sum w[j] theta[idx[j]] of temperature coordinates. */
typedef struct gos_tmarker {
    int n;
    const int *idx;
    const double *w;
} gos_tmarker;

typedef struct gos_body gos_body;
typedef struct gos_mesh gos_mesh; // mesh/mesh.h
typedef struct gos_made gos_made; // parts/made.h
typedef struct gos_made_list gos_made_list;
typedef struct gos_pulled gos_pulled;           // system/made.h
typedef struct gos_cast_shadow gos_cast_shadow; // parts/shadow.h
typedef struct gos_spread_to gos_spread_to;

/* A scalar: y = sum over c of (component c of m[c]) + (component c of the rate of md[c]) + tm + sum
 * factor u. */
typedef struct gos_signal {
    gos_marker m[3], md[3];
    gos_tmarker tm;
    const char *unit;
    int n;
    const int *input;     // (n) direct feedthrough from inputs
    const double *factor; // (n)
} gos_signal;

typedef enum gos_input_kind {
    GOS_AMOUNT_FORCE,       // forces
    GOS_AMOUNT_HEAT,        // heat
    GOS_AMOUNT_MOTION,      // prescribed coordinates
    GOS_AMOUNT_TEMPERATURE, // prescribed temperatures
} gos_input_kind;

/* A system input: a time function of the entry that an external value may replace. Directions,
 * coefficients and shades are not inputs. */
typedef struct gos_input_def {
    int fn;                // index of the function
    const char *component; // suffix after the entry's name and a dot; NULL: none
    const char *unit;
    gos_input_kind kind;
    const gos_body *body; // matrices body that it drives, or NULL
    int port;             // ... its input, from 0
} gos_input_def;

typedef struct gos_shown {
    const char *name, *unit;
} gos_shown;

/* ---- materials and sections ------------------------------------------------------------------ */

/* Properties that may depend on temperature. */
#define GOS_MATERIAL_TABLES 16
typedef struct gos_material_table {
    const char *name; // "young"
    const char *own;  // orthotropic: "E1"
    size_t offset;
} gos_material_table;
extern const gos_material_table gos__material_table[GOS_MATERIAL_TABLES];

typedef enum gos_material_kind {
    GOS_MATERIAL_ISOTROPIC,
    GOS_MATERIAL_ORTHOTROPIC, // axes 1, 2 in the surface
    GOS_MATERIAL_LAMINATE     // plies; values are means
} gos_material_kind;

typedef struct gos_material gos_material;
typedef struct gos_laminate_ply {
    const char *name;
    const gos_material *material;
    double thickness, angle; // [m], [rad]
} gos_laminate_ply;
typedef struct gos_laminate {
    int n;
    gos_laminate_ply *ply;    // (n)
    double thickness, offset; // total; middle above the mesh surface along its normal [m]
} gos_laminate;

struct gos_material {
    const char *name;
    gos_material_kind kind;
    const gos_laminate *laminate; // laminates only, else NULL
    // functions of T above the reference, NULL: constant; values at the reference follow
    const gos_timefn *over[GOS_MATERIAL_TABLES];
    double density;        // [kg/m^3]
    double young;          // [Pa], orthotropic: E1
    double poisson;        // [-], nu12
    double conductivity;   // [W/(m K)], along axis 1
    double specific_heat;  // [J/(kg K)]
    double expansion;      // [1/K], along axis 1
    double gamma_n;        // Kelvin-Voigt factor of normal strains [s]
    double gamma_s;        // Kelvin-Voigt factor of shear strains [s]
    double absorptivity;   // [-]
    double emissivity;     // [-]
    double expansion_from; // temperature above the reference from which `expansion` counts [K]
    // orthotropic only
    double E2, E3, nu13, nu23, G12, G13, G23;
    double conductivity2, conductivity3, expansion2, expansion3;
};

// maximum of a section
#define GOS_FAMILIES (GOS_LIMIT_DEPTH_MODES + 2)

/* A point of an outline or face: flux q adds q * dl * phi[k] to family k. */
typedef struct gos_section_point {
    double dl; // outline: length [m]; end face: area [m^2]
    // 1, y, z, P_2(2y/h) ... or 1, R cos, R sin, cos 2 phi, sin 2 phi ... (R: mean radius)
    double phi[GOS_FAMILIES];
} gos_section_point;

typedef struct gos_section_face {
    const char *name; // "top" (+y), "bottom" (-y), "right" (+z), "left" (-z)
    int dir;     // normal is sign * director: 0 = d2 (local y) or a plate's n, 1 = d3 (local z)
    double sign; // +1 or -1
    double moment[GOS_FAMILIES]; // integral of phi_k [m, m^2, ...]
    int first, count;            // its points in `outline`
} gos_section_face;

/* Cross-section and its temperature families (theory 2.1, 2.8). Plates per unit area: A [m],
 * families T, T_z, faces top and bottom. */
typedef struct gos_section {
    double A, Iy, Iz, J;                      // [m^2], [m^4] Iy = int z^2, Iz = int y^2
    double shear[2];                          // for forces along y and z [-]; 0: gos__shear_factors
    bool own_torsion;                         // J was given
    double height, width;                     // rectangle: along y and z [m]
    double outer, inner;                      // circle, annulus: radii [m]
    int modes;                                // thin annulus: Fourier order; else 0
    bool round;                               // circular outline of radius `outer`
    bool has_outline;                         // false: surface heat only by perimeter
    int nfam;                                 // temperature families
    const char *family[GOS_FAMILIES];         // "T", "T_y", "T_z", "P2" ...
    double cap[GOS_FAMILIES];                 // capacity rho c cap[k]: int phi_k^2 dA
    double cond[GOS_FAMILIES * GOS_FAMILIES]; // conduction k cond[i][j]: int grad.grad
    int nface;
    gos_section_face face[4];
    int noutline;
    const gos_section_point *outline; // quadrature of the outline
    int nend;
    const gos_section_point *end; // quadrature of the area (end faces, internal heat)
} gos_section;

/* ---- points with a law ----------------------------------------------------------------------- */

/* One batch of points, [component][lane]. Outputs may be NULL except sigma, Kz. */
typedef struct gos_batch {
    const double *z;   // gradients (3 nz), e.g. r', r''
    const double *zd;  // their rates
    const double *th;  // (nfam) temperatures, may be NULL
    const double *ref; // (law->nref) reference data
    const double *mem; // (law->nmem) memory, NULL: initial
    const double *lit; // (1) lit fraction, NULL: unshadowed
    /* outputs of `resultants`, per reference length or area */
    double *sigma;  // conjugate to z: (3 nz)
    double *heat;   // heat into each family (nfam), added
    double *energy; // stored energy
    double *power;  // dissipated power
    double *dwdth;  // d(energy)/d(family 0..2): thermal work (theory 5.4)
    /* outputs of `tangent` */
    double ck, cd; // factors of d/dz and d/dzd in Kz; either may be 0
    double hk, hd; // ... in Hz
    double *Kz;    // ck dsigma/dz + cd dsigma/dzd, (3 nz)(3 nz) row-major
    double *G;     // dsigma/dth (3 nz)(nfam)
    double *Hz;    // hk dheat/dz + hd dheat/dzd (nfam)(3 nz), added
    double *Ht;    // dheat/dth (nfam)(nfam), added
} gos_batch;

/* parts/gram.h */
typedef struct gos_gram gos_gram;
typedef struct gos_green gos_green;

typedef struct gos_law {
    const char *name;
    int nz;   // 3-vectors per point
    int ndir; // directors (beam 2: d2, d3; plate 1: n)
    int nref; // reference doubles per point
    void (*resultants)(const void *par, int nfam, const gos_batch *b);
    void (*tangent)(const void *par, int nfam, const gos_batch *b);
    /* c_i = -u . d_i of the directors, and dc_i/dz (ndir)(3 nz); u is [3] */
    void (*cosines)(const void *par, const gos_batch *b, const double *u, double *c, double *dc);
    /* strains and resultants for output (nstrain) */
    int nstrain, nforce;            // first nforce: forces, others moments
    const char *const *strain_name; // (nstrain)
    const char *const *force_name;  // (nstrain)
    const char *force_unit, *moment_unit;
    void (*strains)(const void *par, int nfam, const gos_batch *b, double *strain, double *force);
    /* Memory: nmem doubles per point, initially the first nmem reference doubles. `accept` writes
     * it after an accepted step; b->mem: the memory used, may be the same array. */
    int nmem;
    void (*accept)(const void *par, int nfam, const gos_batch *b, double *mem);
    /* Quadratic form in Green strains (parts/gram.h); false or NULL: none. */
    bool (*green)(const void *par, gos_green *g);
} gos_law;

/* Heat along a body's surface or volume. */
typedef struct gos_surface_type {
    const char *name;
    /* adds to b->heat; fn: the source's functions; scale: load factor [0..1] */
    void (*eval)(const void *par, const gos_law *law, const void *law_par, int nfam,
                 const double *fn, double scale, const gos_batch *b);
    /* adds to b->Hz (times hk) and b->Ht */
    void (*tangent)(const void *par, const gos_law *law, const void *law_par, int nfam,
                    const double *fn, double scale, const gos_batch *b);
    /* adds the derivative by input k to b->heat */
    void (*by_amount)(const void *par, const gos_law *law, const void *law_par, int nfam,
                      const double *fn, double scale, const gos_input_def *k, const gos_batch *b);
} gos_surface_type;

typedef struct gos_surface {
    const gos_surface_type *type;
    const void *par;
    const char *name; // heat entry
    int fn0, nfn;
    int namount;
    const gos_input_def *amount; // (namount)
    gos_cast_shadow *shadow;     // NULL: none
    size_t lit;                  // memory index of lit fractions (parts/shadow.h)
} gos_surface;

/* Positions of a block's points in the picture. */
typedef struct gos_drawn {
    const int *cell; // (ne) drawn cell of each element; NULL: in order
    // (ng, 2) points in their cell: unit square of the bilinear map; triangles: weights of corners
    // 2, 3; lines: 0 to 1
    const double *at;
} gos_drawn;

/* Points of one body and law, GOS_LANES elements per batch, lane as last index. The last batch is
 * padded with its first element at weight 0. */
typedef struct gos_points {
    const gos_law *law;
    const void *par;
    int body;
    int ne, nb; // elements, batches
    int ng;     // points per element
    int nv;     // vector coordinates per element
    int nt;     // temperature nodes per element
    int nfam;   // families
    bool rates; // law or heat needs rates
    int *v;     // vector coordinates (nb, nv, LANES)
    int *th;    // temperature coordinates (nb, nt, nfam, LANES)
    int ntab;
    int *tab;    // table of each batch (nb)
    double *b;   // z = sum b e: (ntab, ng, nz, nv, LANES)
    double *N;   // th = sum N theta: (ntab, ng, nt, LANES)
    double *w;   // weight [m] or [m^2] (ntab, ng, LANES)
    double *ref; // reference data (ntab, ng, nref, LANES)
    double *z0;  // z at zero coordinates (ntab, ng, 3 nz, LANES), or NULL
    size_t m0;   // first memory slot, in (nb, ng, nmem, LANES)
    int nsurf;
    gos_surface *surf; // set after the bodies are built
    // reduced: one point per element, all with coordinates v[0] .. v[0]+nv-1; one table per batch
    bool dense;
    bool surface;           // heated (one block per body)
    const gos_drawn *drawn; // NULL: no shadows
    // dense: all points in one form (parts/gram.h); NULL: by points
    const gos_gram *gram;
} gos_points;

/* ---- items: joints, loads, heat at ends ------------------------------------------------------ */

#define GOS_ITEM_MARKERS 24
#define GOS_ITEM_TMARKERS (2 * GOS_FAMILIES)
#define GOS_ITEM_ROWS 12
#define GOS_ITEM_OBSERVED 3
#define GOS_ITEM_EVENTS 3

/* Inputs and outputs of an item; outputs are zeroed by the caller, NULL if not requested. */
typedef struct gos_item_io {
    double t; // [s]
    const double *fn, *fnd, *fndd;
    double scale;      // load factor of a static solution, else 1
    const double *x;   // marker values (nm, 3)
    const double *xd;  // their rates
    const double *th;  // temperature marker values (ntm)
    const double *thd; // for items that store heat; NULL: at rest
    const double *lam; // multipliers (nc)
    const double *mem; // (nmem) rows may only use revolution counts
    double *f;         // force on each marker (nm, 3): virtual work sum f . dx
    double *fx, *fv;   // df/dx, df/dxd (3 nm)(3 nm) row-major
    double *heat;      // heat on each temperature marker (ntm)
    double *heat_x;    // (ntm)(3 nm)
    double *heat_th;   // (ntm)(ntm)
    double *heat_thd;  // (ntm)(ntm), items that store heat
    double *f_th;      // (3 nm)(ntm), `mixed` items
    double *heat_v;    // (ntm)(3 nm), `mixed` items
    double *energy;    // stored [J]
    double *power;     // dissipated [W]
    double *work;      // of other forces (loads) [W]
    double *c;         // constraint values (nc)
    double *cx;        // dc/dx (nc)(3 nm)
    double *H;         // sum_r lam_r d2c_r/dx2 (3 nm)(3 nm)
    double *ct, *ctt;  // partial time derivatives of c (nc)
    double *h;         // temperature constraint values (nh)
    double *hth;       // dh/dth (nh)(ntm)
} gos_item_io;

typedef struct gos_item gos_item;
typedef struct gos_sides gos_sides;

/* Sparsity of an item's matrix at any state, as bits of markers. */
typedef struct gos_structure {
    const unsigned short *row;  // (nc) markers that each row depends on
    const unsigned short *pair; // (nm) markers that each marker's force depends on
    bool alike;                 // multiplier forces by multiples of I3
} gos_structure;

typedef struct gos_item_type {
    const char *name;
    void (*eval)(const gos_item *it, const gos_item_io *io);
    /* Accepted step: inputs at its end (io->mem: the memory used), outputs NULL; writes the memory
     * of the next step. @return whether forces or derivatives jump, as at a switching time. NULL:
     * no memory */
    bool (*accept)(const gos_item *it, const gos_item_io *io, double *mem);
    /* Start, or continuation after a jump: inputs there, with multipliers of the accelerations;
     * writes the next step's memory. May be NULL */
    void (*begin)(const gos_item *it, const gos_item_io *io, double *mem);
    /* Coordinates (q, v, a) with output values different from the equations': swaps them in at time
     * t; `back` restores. May be NULL */
    void (*shows)(const gos_item *it, double t, double *mem, bool back, double *q, double *v,
                  double *a);
    /* Signed distances (nevent) to switching points; error-controlled steps end at sign changes.
     * Inputs as for accept, at any state. May be NULL */
    void (*events)(const gos_item *it, const gos_item_io *io, double distance[GOS_ITEM_EVENTS]);
    int nevent;
    /* Derivatives of f, heat, c and h by a declared input. May be NULL */
    void (*by_amount)(const gos_item *it, const gos_item_io *io, const gos_input_def *k);
    /* Heat content [J] at marker temperatures th, beyond capacities, if it stores heat. */
    double (*holds)(const gos_item *it, const double *th);
    /* Values for probes (nshown). May be NULL */
    void (*observe)(const gos_item *it, const gos_item_io *io, double y[GOS_ITEM_OBSERVED]);
    int nshown;
    const gos_shown *shown; // (nshown)
} gos_item_type;

struct gos_item {
    const gos_item_type *type;
    const void *par;
    const char *name;  // "joint 'pin'"
    const char *entry; // "pin"
    gos_loc loc;
    int nm, ntm, nc, nh;
    gos_marker m[GOS_ITEM_MARKERS];
    gos_tmarker *tm; // (ntm)
    int fn0, nfn;    // time functions
    int namount;
    const gos_input_def *amount; // (namount)
    int c0, h0;                  // first row of constraints, temperature constraints
    bool linear;                 // rows linear with constant coefficients
    // linear, rows in triples that act alike on x, y, z (sum_m weight_m x_m = 0); may be eliminated
    // in a rotation-invariant subspace
    bool isotropic;
    const double *iso_w;            // isotropic: (nc/3)(nm) scalar weights
    int nvec;                       // number of such leading triples
    const gos_structure *structure; // NULL: dense
    bool watches;                   // memory only
    bool mixed;                     // forces by temperatures, or heat by rates
    bool stores_heat;               // heat by temperature rates
    bool stores;                    // reports energy, power and work
    bool dead;                      // forces and heat are independent of the state
    int nmem;                       // doubles of memory
    const double *memory;           // initial (nmem)
    size_t m0;                      // first memory slot
    // dependent coordinates: locked in the equations, output as sums of temperatures ...
    int nslaved;
    const int *slaved; // (nslaved) ... coordinates 3 v + c
    // (nslaved) ... the sums, with three doubles of memory each
    const gos_tmarker *slave_to;
    const gos_item *more;     // next item of the entry
    const gos_pulled *pulled; // (nm) columns of its markers; NULL: no derived vectors
    const gos_sides *sides;   // of joints
};

/* ---- bodies and places ----------------------------------------------------------------------- */

typedef struct gos_builder gos_builder;

/* Override of what rotates at a place. */
typedef enum gos_location_rotates {
    GOS_PLACE_AS_BODY,
    GOS_PLACE_TURNS,
    GOS_PLACE_STAYS
} gos_location_rotates;

/* A location on a body; body NULL: ground. */
typedef struct gos_location {
    const gos_body *body;
    double s;    // along a line body [0, length]
    double u[2]; // x and y on a plate [m]
    int node;    // or -1
    int face;
    int edge;    // 1 + edge of a plate, or 0
    int surface; // 1 + named mesh surface, or 0
    int side;    // shells: face 1 upper, -1 lower, or 0
    // several mesh nodes (their mean): 1 + index if the body has set_node, or 0
    int set;
    bool each;   // ... separately
    bool is_end; // start or end face
    bool whole;
    gos_location_rotates turns;
    double x[3];  // at t = 0 [m]
    double xb[3]; // rigid: body coordinates [m]
} gos_location;

/* A joint coordinate relative to t = 0: length w . (x_B - x_A) with markers w, x_B, x_A [m], or
 * angle from f to g about e with markers e, f, g (parts/hinge.h) [rad]. */
#define GOS_JOINT_COORDINATES 3
typedef struct gos_joint_coordinate {
    const char *name;
    bool angle;
    double zero; // value at t = 0
    gos_marker m[3];
} gos_joint_coordinate;

/* Sides of a joint. The load on a side is the sum over its markers: forces at positions, moments at
 * positions and vectors. */
struct gos_sides {
    unsigned char of[GOS_ITEM_MARKERS]; // 1, 2: side; 0: fixed in space
    // position, else vector. Marker 0 is the joint's point if a position
    bool point[GOS_ITEM_MARKERS];
    gos_location place[2];
    double axis[3]; // axis, line or normal at t = 0, or zero
    bool corner;    // end of an edge, where another edge's rows may be redundant
    // single row, an angle; the moment is minus its multiplier
    bool couple;
    int ncoord;                        // for probes
    const gos_joint_coordinate *coord; // (ncoord)
};

/* Smooth fields of a body for reduced models (theory 8): x = sum_k phi_k a_k with vector
 * amplitudes; nt functions per temperature family. Row-major; integrals and points use the fields,
 * not the mesh. */
typedef struct gos_body_fields {
    int n, nt;
    double *value;                 // (nv, n) fields at vector coordinates
    double *dual;                  // (n, nv) amplitudes from coordinates
    double *mass;                  // (n, n) scalar mass
    double *tvalue;                // (nt_body / nfam, nt) functions at temperature nodes
    double *tdual;                 // (nt, nt_body / nfam) amplitudes from nodal temperatures
    double *capacity, *conduction; // (nt nfam, nt nfam), nfam fastest
    const gos_law *law;
    const void *par;
    bool rates;
    int npoints;
    double *b;   // z = sum b a (npoints, nz, n); 0 for the carrier
    double *N;   // temperature functions (npoints, nt)
    double *w;   // weights [m], [m^2] (npoints)
    double *ref; // reference data of the law (npoints, nref)
} gos_body_fields;

#define GOS_SECTION_POINTS 2

/* Section force from element equilibrium. */
#define GOS_BALANCE_VECTORS 8
typedef struct gos_balance {
    int nm, ntm; // markers; temperature markers
    gos_marker m[GOS_BALANCE_VECTORS];
    gos_tmarker *tm; // (ntm)
    const void *data;
} gos_balance;

/* State for `balanced`. */
typedef struct gos_balance_state {
    const double *x, *v;   // vectors of its markers, rates (nm, 3)
    const double *th;      // (ntm)
    const double *z, *ref; // of the law at the place
    const double *mem;     // of the law, or NULL
} gos_balance_state;

/* Indicators of limits of validity. */
typedef struct gos_body_range {
    double stiffening;   // neglected relative change of a mode's stiffness
    double left;         // ... by moments of weight and rotation, neglected at any order
    double rate;         // frame rate over lowest frequency, if neglected
    double rotation;     // largest rotation by deformation [rad]
    double softening;    // relative stiffness loss by thermal stress; 1: buckling
    double change;       // relative change of a material property from the value used ...
    double T;            // ... at this temperature above the reference [K]
    double value, taken; // property at that temperature, value used
    const char *what;
    const char *material;
    gos_loc loc; // line 0: entry of the model
} gos_body_range;

/* Geometric stiffness between n motions. */
typedef struct gos_stress_work {
    int n;
    double *stiffness; // (n, n) without stress
    double *by_e;      // (3 nv, pairs) pair i (i + 1) / 2 + j, j <= i
    double *by_th;     // (nt, pairs) ... by temperatures
} gos_stress_work;

/* Stress or strain, xx, yy, zz, xy, yz, zx in body axes: sums over coordinates 3 v + c and
 * temperatures. */
typedef struct gos_recovered {
    const char *material; // material of the averaged cells
    double x[3];          // at t = 0 [m]
    gos_tmarker q[6], th[6];
} gos_recovered;

typedef struct gos_recovery {
    bool strain;          // else stress
    bool each;            // per node and material
    const char *material; // only this material; NULL: any
    double face;          // shells: 1 side of the normals, -1, 0 middle
    int ply;              // laminates: from 1 at the lower face, in ply axes; 0: none
    double fibre[2];      // beams: y, z [m]
    gos_loc loc;          // for messages
    const char *object;
} gos_recovery;

typedef struct gos_body_ops {
    /* "start", "end", "node(i)", "at(s)", face names...; `ref` is the part after "BODY." */
    gos_status (*locate)(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                         const char *object, gos_location *place);
    gos_status (*position)(gos_arena *a, const gos_body *b, const gos_location *p, gos_marker *m);
    /* Marker of a vector rotating with the body, equal to d (global axes) at t = 0, length
     * included. GOS_E_INPUT without a message if none (cable: only along the tangent, the slope,
     * which stretches; beam: only perpendicular to the axis). */
    gos_status (*direction)(gos_arena *a, const gos_body *b, const gos_location *p,
                            const double d[3], gos_marker *m);
    /* Vectors besides the position that a clamp constrains: cable slope, plate slopes, section
     * vectors. NULL: every direction */
    gos_status (*vectors)(gos_arena *a, const gos_body *b, const gos_location *p, int *n,
                          gos_marker m[2]);
    /* Markers of the law's z (law->nz), for strains and section forces; may be NULL */
    gos_status (*gradients)(gos_arena *a, const gos_body *b, const gos_location *p, gos_marker *z);
    /* Law parameters; returns NULL if ambiguous. NULL: gos_body.law_par */
    const void *(*law_par)(const gos_body *b, const gos_location *p);
    /* Stress or strain, *n values (more than one only with `each`). NULL: from gradients, or
     * none */
    gos_status (*recover)(gos_builder *b, const gos_body *body, const gos_location *p,
                          const gos_recovery *what, int *n, gos_recovered **r);
    /* Likewise at point x (t = 0, global axes) between nodes; GOS_E_INPUT with a message if
     * outside. */
    gos_status (*recover_at)(gos_builder *b, const gos_body *body, const double x[3],
                             const gos_recovery *what, gos_recovered **r);
    /* Likewise at each drawn node (nnode + nmark), of its own material; material NULL: no strain.
     * Shells: on `face`. NULL: from gradients, or none */
    gos_status (*recover_drawn)(gos_builder *b, const gos_body *body, bool strain, double face,
                                gos_recovered **r);
    /* Reference data of the law (law->nref); may be NULL */
    void (*reference)(const gos_body *b, const gos_location *p, double *ref);
    /* Points of the element with accurate strains, at most GOS_SECTION_POINTS, and weights. @return
     * their number. NULL: the place itself */
    int (*section_points)(const gos_body *b, const gos_location *p, gos_location *at,
                          double *weight);
    /* Section force by equilibrium, if more accurate than the law; may be NULL */
    gos_status (*balance)(gos_builder *b, const gos_body *body, const gos_location *p,
                          gos_balance *to);
    /* Applies it to strains and forces (nstrain). */
    void (*balanced)(const gos_body *b, const void *data, const gos_balance_state *s,
                     double *strain, double *force);
    /* Point at fraction f of an edge, unit vectors along and across it in the body's plane at t =
     * 0. @return elements along the edge. NULL: no edges */
    int (*edge)(const gos_body *b, int edge, double f, gos_location *p, double along[3],
                double across[3]);
    /* Node k of a set. @return its number of nodes. NULL: no sets */
    int (*set_node)(const gos_body *b, int set, int k, gos_location *p);
    /* Section at arc length s [m] of a tapered body. */
    void (*section)(const gos_body *b, double s, gos_section *at);
    /* Markers of the nfam temperature families; NULL: no temperature */
    gos_status (*temperature)(gos_arena *a, const gos_body *b, const gos_location *p,
                              gos_tmarker *tm);
    /* Point blocks (n from *first) for heat on a mesh surface, the whole skin, or (inside) the
     * volume; created on request. NULL: one block */
    gos_status (*surface)(gos_builder *b, const gos_body *body, const gos_location *p, bool inside,
                          int *first, int *n);
    /* Passes surface points to `to` (parts/spread.h), exact to the order of the body's functions.
     * GOS_E_INPUT with a message if there is no surface. May be NULL */
    gos_status (*spread)(gos_builder *b, const gos_body *body, const gos_location *p,
                         const gos_spread_to *to);
    /* area fraction whose outward normals hit the body again; NULL: none */
    gos_status (*sees_itself)(gos_ctx *ctx, const gos_body *body, const gos_location *p,
                              double *part);
    /* Smooth fields including constant and linear ones: n per kind of vector coordinate, nt
     * temperature functions, about npoints points (0: none). NULL: unsupported */
    gos_status (*fields)(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt, int npoints,
                         gos_body_fields *f);
    /* Input or output by name: index and signal. Input u applies force u on component c of m[c] and
     * heat u on tm. May be NULL */
    gos_status (*port)(gos_ctx *ctx, gos_arena *a, const gos_body *b, bool output, const char *name,
                       gos_loc loc, const char *object, int *number, gos_signal *s);
    /* names of a node's vector coordinates, position first, NULL-terminated; NULL: numbered */
    const char *const *coordinates;
    /* Validity at coordinates e, rates v (nv, 3), temperatures th (nt; may be NULL). NULL: always
     * valid */
    void (*range)(const gos_body *b, const double *e, const double *v, const double *th,
                  gos_body_range *r);
    /* For an `unstiffened` body at coordinates e: geometric stiffness between m motions X (3 nv, m)
     * with stiffness diag(square), and others. The caller frees the arrays */
    gos_status (*stress_work)(gos_ctx *ctx, const gos_body *b, const double *e, int m,
                              const double *square, const double *X, gos_stress_work *work);
    /* resolves references to other bodies; may be NULL */
    gos_status (*finish)(gos_builder *b, gos_body *body);
} gos_body_ops;

struct gos_body {
    const char *name;
    const char *type;
    gos_loc loc;
    int index;
    const gos_body_ops *ops;
    const void *par;
    const gos_material *material; // uniform, or of the first part; NULL: none
    int nmaterial;
    const gos_material *const *materials; // (nmaterial)
    bool stated;                          // properties at a given temperature ...
    double stated_T;                      // ... above the reference [K]
    bool current;                         // properties at current temperatures
    bool plies;                           // supports orthotropic materials and laminates
    double axis;                          // plates: material axis 1 from x [rad]
    bool still;                           // floating type without motion
    bool unstiffened;                     // neglects geometric stiffness (gos_body_ops.stress_work)
    const gos_section *section;           // at the start
    bool tapered;                         // see ops->section
    int v0, nv;                           // vector coordinates
    int t0, nt;                           // temperature coordinates
    int nfam;
    int nnode;
    const int *node_v;         // (nnode) coordinate of the position
    const int *node_slope;     // (nnode) coordinate of the slope, or NULL
    const int *node_t;         // (nnode) first temperature, or NULL
    int cell_size, ncell;      // 2 = lines, 4 = quadrilaterals
    const int *cell;           // node indices (ncell, cell_size)
    int nmark;                 // further drawn nodes
    const gos_marker *mark;    // (nmark) their positions
    bool arms;                 // ... excluded from the extent
    const gos_tmarker *mark_t; // (nmark) NULL: that of the body
    bool faces;                // shells, with separate stresses on both faces
    double length;             // line body [m]
    double v_ref[3];           // local z at t = 0
    // ... rotating with another body, the last row of z; or NULL
    const gos_marker *carrier;
    // (nv, 3) motion without energy, to be locked by a joint; or NULL
    const double *idle;
    const gos_law *law; // or NULL
    const void *law_par;
    int rigid_item;       // orthonormality constraints, or -1
    const gos_made *made; // derived vectors (parts/made.h), or NULL
    // (nv, 2) vector coordinates that represent the local rotation, -1: none; for rotating a
    // factorisation with the motion. May be NULL
    const int *turn;
};

/** `materials` or its only one; *n may be 0. */
const gos_material *const *gos__body_materials(const gos_body *b, int *n);
bool gos__body_expands(const gos_body *b);

/* ---- the builder ----------------------------------------------------------------------------- */

/* Triplets of a symmetric matrix. */
typedef struct gos_triplets {
    int n, cap;
    int *i, *j;
    double *v;
} gos_triplets;

/* Constant matrices between single coordinates, generally unsymmetric: forces M a + D v + K (q -
 * rest) + G T, heat E T' + S T + H v. */
typedef enum gos_constant {
    GOS_CONSTANT_M,
    GOS_CONSTANT_D,
    GOS_CONSTANT_K,
    GOS_CONSTANT_E, // from here on temperatures
    GOS_CONSTANT_S,
    GOS_CONSTANT_G, // forces by temperatures
    GOS_CONSTANT_H, // heat by rates
    GOS_NCONSTANT
} gos_constant;

typedef struct gos_constant_coordinate {
    bool heat;
    int i;         // 3 v + c, or temperature
    double rest;   // at zero force of K
    double scale;  // magnitude for tolerances [its unit], 0: extent (temperatures: 1)
    double weight; // in norms
    // of a floating body (parts/made.h), without mass of the system
    bool amplitude;
    bool relative; // weight relative to the total capacity
} gos_constant_coordinate;

/* Thermal stress stiffness: forces sum over k of v[k] T_t[k] q_j[k] on i[k]; arrays in the
 * builder's arena. */
typedef struct gos_heated {
    int n;      // entries
    int *i, *j; // (n) both triangles
    int *t;     // temperature coordinates (n)
    double *v;  // [N/(m K)] (n)
    int *at;    // (n, 2) (i, j) and (i, t) in the Newton matrix
    struct gos_heated *next;
} gos_heated;

/* A property that a body does not have, and that an analysis without inertia or rates of
   temperatures does not need. Its matrices have an arbitrary value instead. */
typedef struct gos_lacking {
    const char *object, *material, *card; // "*DENSITY"
    gos_loc loc;                          // of the material
} gos_lacking;

struct gos_builder {
    gos_ctx *ctx;
    gos_model *model;
    gos_arena *arena;        // the system's arena
    double memory;           // limit of the estimated memory [bytes]; 0: none
    double planned;          // estimated memory of the bodies so far [bytes]
    int nv, vcap;            // vector coordinates
    double (*e0)[3];         // initial values (nv, 3)
    double (*v0)[3];         // initial rates (nv, 3)
    double *trans;           // (nv) 1: position, 0: vector
    int nt, tcap;            // temperature coordinates
    double *th0;             // initial values (nt)
    double *tmean;           // (nt) 1: mean temperature
    gos_made_list *made;     // parts/made.h, or NULL
    gos_triplets mass;       // [kg ...] times I3, with derived vectors
    gos_triplets capacity;   // [J/K ...]
    gos_triplets conduction; // [W/K ...]
    gos_triplets constant[GOS_NCONSTANT];
    int nsingle, scap;
    gos_constant_coordinate *single; // of the constant matrices
    gos_heated *heated;              // or NULL
    int nbody, bcap;
    gos_body **body;
    gos_points **surface; // (nbody) heated points, or NULL
    gos_names bodies;     // by name
    int npoints, pcap;
    gos_points **points;
    int nitem, icap;
    gos_item **item;
    gos_names items; // first of each entry
    int nc, nh;
    int nfn, fcap;
    gos_timefn **fn; // time functions
    gos_names materials, sections;
    gos_names meshes; // gos_mesh *
    gos_names piezo;
    gos_names electrodes;                             // gos_electrode *
    struct gos_electrode *electrode, *last_electrode; // ... in order
    gos_node *brought;                                // entries generated by bodies, by section
    double extent;                                    // see gos__extent
    int extent_nv;
    double gravity[3];                 // [m/s^2]
    const struct gos_orbit *orbit;     // math/orbit.h, NULL: none
    double T_ref;                      // reference temperature [K]
    bool drop_redundant;               // drop redundant joint rows
    bool reduce_floating;              // reduce floating bodies by `reduce`
    bool gough_joule, viscous_heating; // theory 2.6
    bool statics;                      // no inertia, no rates of temperatures
    gos_lacking *lacks;                // NULL: nothing
    gos_linear *linear;                // of the last matrices body, or NULL
    bool stress, strain;               // at drawn nodes
    gos_cast_shadow *shadow;           // last one, or NULL
    struct gos_controller *controller; // (ncontroller) parts/controller.h
    int ncontroller;
};

/** Whether the orbit was rejected; entries that need it then fail without a further message. */
bool gos__orbit_failed(const gos_builder *b);
/** Whether gravity acts, uniform or as gradient along an orbit. */
bool gos__falls(const gos_builder *b);
/** Checks the limit of unknowns before allocating nv vector coordinates, nt temperatures. @return
 * GOS_E_LIMIT, reported at loc */
gos_status gos__check_room(const gos_builder *b, double nv, double nt, gos_loc loc,
                           const char *object);
/** Least memory [bytes] of a run with bodies of dimension dim (1 lines, 2 surfaces, 3 solids) and
 * so many unknowns: points, matrices, state and one factorisation. */
double gos__least_memory(int dim, double unknowns);
/** Checks the limit of memory before allocating for a body. @return GOS_E_LIMIT, reported at loc */
gos_status gos__check_memory(const gos_builder *b, double bytes, gos_loc loc, const char *object);
/** gos__check_room and gos__check_memory for a body that is then made. */
gos_status gos__take_room(gos_builder *b, int dim, double nv, double nt, gos_loc loc,
                          const char *object);
/** Adds n vector coordinates with initial values e0 (n, 3; NULL: zero); trans: 1 positions, 0
 * vectors. */
gos_status gos__add_vectors(gos_builder *b, int n, const double *e0, double trans, int *first);
gos_status gos__add_temperatures(gos_builder *b, int n, int *first);
/** Adds v at (i, j) and (j, i). */
gos_status gos__add_symmetric(gos_builder *b, gos_triplets *t, int i, int j, double v);
gos_status gos__add_constant(gos_builder *b, gos_constant which, int i, int j, double v);
/** Adds n entries for the caller to fill. @return GOS_E_MEMORY */
gos_status gos__add_heated(gos_builder *b, int n, gos_heated **heated);
gos_status gos__add_single(gos_builder *b, const gos_constant_coordinate *c);
gos_status gos__add_body(gos_builder *b, const gos_body *body, gos_body **out);
/** Arrays of p live in the arena. */
gos_status gos__add_points(gos_builder *b, const gos_points *p);
/** Sets p->drawn from copies of cell (ne) or NULL, at (ng, 2). @return GOS_E_MEMORY */
gos_status gos__points_draw(gos_arena *a, gos_points *p, const int *cell, const double *at);
/** Adds an item "KIND 'NAME'" and numbers its rows. *out may be NULL. */
gos_status gos__add_item(gos_builder *b, const gos_item *item, gos_item **out);
/** Registers n functions, owned by the builder. */
gos_status gos__add_timefns(gos_builder *b, int n, gos_timefn *const *fn, int *first);
/** Adds a heat source to the surface points of a place's body (gos_points.surface,
 * gos_body_ops.surface), or inside. */
gos_status gos__add_surface(gos_builder *b, const gos_location *p, bool inside,
                            const gos_surface *s);

/** Adds entries from a YAML map, located at loc; they live as long as the builder. Existing names
 * are rejected. */
gos_status gos__bring_entries(gos_builder *b, const char *section, const char *text, gos_loc loc);
/** Next entry after `before` (NULL: first), generated ones last; NULL at the end. */
const gos_node *gos__next_entry(const gos_builder *b, const char *section, const gos_node *before);

gos_body *gos__find_body(const gos_builder *b, const char *name);
/** First item of "joint 'pin'", continued by item->more; or NULL. */
const gos_item *gos__find_item(const gos_builder *b, const char *name);
/** By name; NULL if unknown (names are checked when read). */
const gos_material *gos__find_material(const gos_builder *b, const char *name);
const gos_section *gos__find_section(const gos_builder *b, const char *name);
/** Whether it has temperature-dependent properties (material.c). */
bool gos__material_varies(const gos_material *m);
/** Sets table k; NULL: unchanged. */
void gos__material_take(gos_material *m, int k, const gos_timefn *fn);
/** Value of table k at T above the reference. */
double gos__material_value(const gos_material *m, int k, double T);
/** Copy with values at that temperature. */
gos_material gos__material_at(const gos_material *m, double T);
/** Lives as long as the system. */
const gos_mesh *gos__find_mesh(const gos_builder *b, const char *name);
/** Resolves "ground", "BODY", "BODY.start", ... with suggestions in messages. */
gos_status gos__locate(gos_builder *b, const char *text, gos_loc loc, const char *object,
                       gos_location *place);
/** Marker of the position; ground: fixed at place->x. */
gos_status gos__position(gos_builder *b, const gos_location *p, gos_marker *m);
/** Marker fixed to the body, equal to d at t = 0. */
gos_status gos__direction(gos_builder *b, const gos_location *p, const double d[3], gos_loc loc,
                          const char *object, gos_marker *m);

/* maximum per item */
#define GOS_ITEM_FUNCTIONS 16
/** gos_item_type.by_amount if linear in inputs: evaluates with this input 1, other functions 0. */
void gos__by_unit_input(const gos_item *it, const gos_item_io *io, const gos_input_def *k);

/* marker values */
void gos__marker_value(const gos_marker *m, const double *e, double x[3]);
void gos__marker_rate(const gos_marker *m, const double *v, double x[3]); // without the offset
double gos__tmarker_value(const gos_tmarker *m, const double *th);

typedef gos_status (*gos_build_fn)(gos_builder *b, const gos_type *type, const gos_node *entry,
                                   const char *name, const char *object);
typedef struct gos_build_ops {
    gos_build_fn build;
    /* Refuses an entry that exceeds a limit by counts of the model's entries alone, before meshes
       and bodies are made; NULL: nothing to count. */
    gos_status (*count)(gos_builder *b, const gos_node *entry, const char *object);
} gos_build_ops;

/* ---- evaluating points (hot) ----------------------------------------------------------------- */

/* Inputs and outputs of point sums for the whole system. */
typedef struct gos_points_sum {
    const double *e, *v, *th; // (nv,3), (nv,3), (nt)
    const double *mem;        // of the whole system
    const double *fn;         // values of all time functions
    double t, scale;
    double *Q;              // internal force (nv, 3), added; NULL: energy only
    double *R;              // heat (nt), added; may be NULL
    double *energy, *power; // added; may be NULL
    double *dwdth;          // (nt), added; may be NULL
} gos_points_sum;

/* Factors of derivatives: force rows k dQ/de + d dQ/dv and k dQ/dth, heat rows -(hk dR/de + hd
 * dR/dv) and -hk dR/dth. */
typedef struct gos_points_factors {
    double k, d, hk, hd;
    bool triangular; // dense: heat rows without dR/de and dR/dv
    bool symmetric;  // dense: symmetric part of k dQ/de + d dQ/dv
} gos_points_factors;

/* Batch with coordinates shared between threads: contributions are kept and added in serial
 * order. */
typedef struct gos_points_held {
    const unsigned char *mask; // (n) lanes (bits) to keep; or NULL
    double *kept;              // forces and heat, or tangent entries (system/thread_shares.h)
} gos_points_held;

typedef struct gos_points_part {
    int from, to;                // batches
    const gos_points_held *held; // (nb) or NULL
    double *energy, *power;      // (nb) overwritten; NULL: added to the sum
} gos_points_part;

/** Adds forces and heat of all points. No allocation; `work`: gos__points_work(p) doubles, 64-byte
 * aligned. */
void gos__points_residual(const gos_points *p, const gos_points_sum *s, double *work);
/** Not for dense blocks. */
void gos__points_residual_part(const gos_points *p, const gos_points_part *part,
                               const gos_points_sum *s, double *work);
/** Adds kept contributions. */
void gos__points_add_kept(const gos_points *p, int ib, const gos_points_held *held,
                          const gos_points_sum *s);
/** Element tangents A[(row)(col)][lane], n = 3 nv + nt nfam unknowns: vector coordinates, then
 * temperatures node-major. */
void gos__points_tangent(const gos_points *p, int ib, const gos_points_sum *s,
                         const gos_points_factors *f, double *A, double *work);
size_t gos__points_work(const gos_points *p);
/** Updates `mem` after an accepted step, for laws with memory. */
void gos__points_accept(const gos_points *p, const gos_points_sum *s, double *mem, double *work);
/** Adds tangents of dense blocks with the same fields to a dense column-major matrix of order n;
 * temperatures begin at nq. `work`: maximum of gos__points_dense_work, 64-byte aligned. */
void gos__points_tangent_dense(const gos_points *const *list, int nlist, const gos_points_sum *s,
                               const gos_points_factors *f, int n, int nq, double *values,
                               double *work);
size_t gos__points_dense_work(const gos_points *p);
/** Same fields, and both with points (no gram). */
bool gos__points_together(const gos_points *a, const gos_points *b);

#endif
