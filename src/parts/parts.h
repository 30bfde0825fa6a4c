/* The parts that a system is made of, and the builder that collects them.

   Everything mechanical is a function of 3-vectors x = off + sum_j w_j e_j that depend linearly on
   the vector coordinates e_j (nodal positions, slopes, body axes): *markers*. Bodies contribute
   points with a constitutive law (`gos_points`), joints and loads are *items* on a few markers.
   Nobody but the system knows where a coordinate lives, so a reduced model (e = E0 + Phi c) is the
   same parts with other weights: every law, joint, load, heat source and probe serves it unchanged.
   Scalar weights times I3: the map of a marker acts alike on x, y and z. */
#ifndef GOS_PARTS_H
#define GOS_PARTS_H

#include "base/names.h"
#include "gossamer/linear.h"
#include "model/model.h"

#define GOS_LANES 8 // points or elements computed side by side: one AVX-512 register of doubles

/* ---- markers
   ------------------------------------------------------------------------------------ */

/* x = off + sum w[j] e[idx[j]], a 3-vector linear in the vector coordinates. n = 0: fixed in space.
   Numbers below 0 are made vectors (parts/made.h), which lie in front of the coordinates. */
typedef struct gos_marker {
    int n;
    const int *idx;  // vector coordinates, made vectors (n)
    const double *w; // weights (n)
    double off[3];   // [m] or [-]
} gos_marker;

/* T = sum w[j] theta[idx[j]], a scalar linear in the temperature coordinates. */
typedef struct gos_tmarker {
    int n;
    const int *idx;
    const double *w;
} gos_tmarker;

typedef struct gos_body gos_body;
typedef struct gos_mesh gos_mesh;               // mesh/mesh.h
typedef struct gos_made gos_made;               // parts/made.h
typedef struct gos_made_list gos_made_list;     // those of all bodies
typedef struct gos_pulled gos_pulled;           // system/made.h
typedef struct gos_cast_shadow gos_cast_shadow; // parts/shadow.h
typedef struct gos_spread_to gos_spread_to;     // parts/spread.h

/* A number linear in the coordinates and in inputs: what an input drives, what an output shows.
   y = sum over c of (component c of m[c]) + (component c of the rate of md[c]) + tm + sum factor
   u. */
typedef struct gos_signal {
    gos_marker m[3], md[3];
    gos_tmarker tm;
    const char *unit;
    int n;                // inputs that act on it directly
    const int *input;     // which of the body's (n)
    const double *factor; // (n)
} gos_signal;

/* What an amount sets. */
typedef enum gos_amount_kind {
    GOS_AMOUNT_FORCE,       // forces follow it
    GOS_AMOUNT_HEAT,        // heat follows it
    GOS_AMOUNT_MOTION,      // rows of constraints: coordinates follow it
    GOS_AMOUNT_TEMPERATURE, // rows of temperature constraints: temperatures follow it
} gos_amount_kind;

/* An amount of an entry, an input of the system: one of the entry's functions of time, in whose
   place something else could say how much. Directions, coefficients and shades are no amounts. */
typedef struct gos_amount {
    int fn;                // which of the functions, from 0
    const char *component; // its name after that of the entry and a dot; NULL: the entry's alone
    const char *unit;
    gos_amount_kind kind;
    const gos_body *body; // body of matrices whose input it drives, or NULL
    int port;             // ... and which of its inputs, from 0
} gos_amount;

/* A value that an item shows, an output of the system. */
typedef struct gos_shown {
    const char *name, *unit;
} gos_shown;

/* ---- materials and sections
 * ---------------------------------------------------------------------- */

/* Properties that may depend on the temperature. */
#define GOS_MATERIAL_TABLES 16
typedef struct gos_material_table {
    const char *name; // "young"
    const char *own;  // of orthotropic ones: "E1"
    size_t offset;    // of its value in the material
} gos_material_table;
extern const gos_material_table gos__material_table[GOS_MATERIAL_TABLES];

typedef enum gos_material_kind {
    GOS_MATERIAL_ISOTROPIC,
    GOS_MATERIAL_ORTHOTROPIC, // plane layers of it, axes 1 and 2 in their surface
    GOS_MATERIAL_LAMINATE     // plies of the others; values are means
} gos_material_kind;

typedef struct gos_material gos_material;
/* Plies from the lower face to the upper. */
typedef struct gos_laminate_ply {
    const char *name; // of its material
    const gos_material *material;
    double thickness, angle; // [m], [rad]
} gos_laminate_ply;
typedef struct gos_laminate {
    int n;
    gos_laminate_ply *ply; // (n)
    double thickness,
        offset; // of all; of their middle off the surface of the mesh along its normal [m]
} gos_laminate;

struct gos_material {
    const char *name;
    gos_material_kind kind;
    const gos_laminate *laminate;                // of laminates, else NULL
    const gos_timefn *over[GOS_MATERIAL_TABLES]; // of the temperature over the reference, NULL:
                                                 // none. What follows are values at the reference
    double density;                              // [kg/m^3]
    double young;                                // [Pa], of orthotropic ones E1
    double poisson;                              // [-], nu12
    double conductivity;                         // [W/(m K)], along axis 1
    double specific_heat;                        // [J/(kg K)]
    double expansion;                            // [1/K], along axis 1
    double gamma_n;                              // Kelvin-Voigt factor of normal strains [s]
    double gamma_s;                              // ... of shear strains [s]
    double absorptivity;                         // [-]
    double emissivity;                           // [-]
    double expansion_from; // temperature over the reference from which `expansion` counts [K]
    // of orthotropic ones alone
    double E2, E3, nu13, nu23, G12, G13, G23;
    double conductivity2, conductivity3, expansion2, expansion3;
};

#define GOS_FAMILIES (GOS_LIMIT_DEPTH_MODES + 2) // most temperature families of a section

/* A point of the section's outline or face: q there puts q * dl * phi[k] into family k. */
typedef struct gos_section_point {
    double dl;                // outline: length [m]; end face: area [m^2]
    double phi[GOS_FAMILIES]; // section temperature functions: 1, y, z, P_2(2y/h) ... or
                              // 1, R cos, R sin, cos 2 phi, sin 2 phi ... (R: mean radius)
} gos_section_point;

/* A flat face of the outline, with outward normal sign * d_dir. */
typedef struct gos_section_face {
    const char *name;            // "top" (+y), "bottom" (-y), "right" (+z), "left" (-z)
    int dir;                     // director: 0 = d2 (local y) or a plate's n, 1 = d3 (local z)
    double sign;                 // +1 or -1
    double moment[GOS_FAMILIES]; // integral of phi_k over the face [m, m^2, ...]
    int first, count;            // its points in `outline`
} gos_section_face;

/* Cross-section: geometry and temperature families (T, T_y, T_z, P_2 ... or a_2 ...),
   theory 2.1, 2.8. Of a plate all is per area of it: A [m], families T, T_z, faces top and bottom
   at one point each. */
typedef struct gos_section {
    double A, Iy, Iz, J;  // [m^2], [m^4] Iy = int z^2, Iz = int y^2
    double shear[2];      // shear factors for forces along y and z [-]; 0: gos__shear_factors
    bool own_torsion;     // J was given, instead of that of the shape
    double height, width; // rectangle: along y and z [m]
    double outer, inner;  // circle, annulus: radii [m]
    int modes;            // thin annulus: its temperatures are Fourier, up to this order; else 0
    bool round;           // outline is a circle of radius `outer`
    bool has_outline;     // false: general section, no surface heat but as given by perimeter
    int nfam;             // temperature families
    const char *family[GOS_FAMILIES]; // their names in results: "T", "T_y", "T_z", "P2" ...
    double cap[GOS_FAMILIES];         // capacity of family k is rho c cap[k]: int phi_k^2 dA
    double
        cond[GOS_FAMILIES * GOS_FAMILIES]; // in-section conduction is k cond[i][j]: int grad.grad
    int nface;
    gos_section_face face[4];
    int noutline;
    const gos_section_point *outline; // quadrature of the outline (radiation, convection)
    int nend;
    const gos_section_point *end; // quadrature of the whole section (end faces, internal heat)
} gos_section;

/* ---- points with a law
   ------------------------------------------------------------------------- */

/* One batch of GOS_LANES points. Arrays are [component][lane]. */
typedef struct gos_batch {
    const double *z;   // generalised gradients (3 nz), e.g. r', r'' of a cable
    const double *zd;  // their rates
    const double *th;  // temperature families at the point (nfam), NULL without temperatures
    const double *ref; // reference data of the points (law->nref), e.g. section reference vectors
    const double *mem; // memory of the points (law->nmem), NULL: as at the start
    const double *lit; // of a surface in a shadow: part of the light that arrives (1), else NULL
    /* outputs of `resultants`, per reference length or area */
    double *sigma;  // conjugate to z: (3 nz)
    double *heat;   // heat into each family (nfam), added to what is there; NULL when not wanted
    double *energy; // stored energy, NULL when not wanted
    double *power;  // dissipated (viscous) power, NULL when not wanted
    double *dwdth;  // d(energy)/d(family 0..2), NULL when not wanted: thermal work (theory 5.4)
    /* outputs of `tangent` */
    double ck, cd; // factors of d/dz and d/dzd in Kz; either may be 0
    double hk, hd; // ... in Hz
    double *Kz;    // ck dsigma/dz + cd dsigma/dzd, (3 nz)(3 nz) row-major
    double *G;     // dsigma/dth (3 nz)(nfam), NULL when not wanted
    double *Hz;    // hk dheat/dz + hd dheat/dzd (nfam)(3 nz), added; NULL when not wanted
    double *Ht;    // dheat/dth (nfam)(nfam), added; NULL when not wanted
} gos_batch;

/* parts/gram.h */
typedef struct gos_gram gos_gram;
typedef struct gos_green gos_green;

typedef struct gos_law {
    const char *name;
    int nz;   // 3-vectors per point
    int ndir; // section directors (beam 2: d2, d3; plate 1: n)
    int nref; // reference doubles per point (cable: the reference vector v, 3)
    void (*resultants)(const void *par, int nfam, const gos_batch *b);
    void (*tangent)(const void *par, int nfam, const gos_batch *b);
    /* c_i = -u . d_i of the directors, and dc_i/dz (ndir)(3 nz); u is [3] */
    void (*cosines)(const void *par, const gos_batch *b, const double *u, double *c, double *dc);
    /* strains for output: (nstrain) and resultants (nstrain): see the law */
    int nstrain, nforce;            // the first nforce strains are conjugate to forces, not moments
    const char *const *strain_name; // (nstrain)
    const char *const *force_name;  // (nstrain)
    const char *force_unit, *moment_unit;
    void (*strains)(const void *par, int nfam, const gos_batch *b, double *strain, double *force);
    /* what the points remember from one step to the next: nmem doubles each, which begin as the
       first nmem reference doubles. `accept` sees a step that is done (b->mem: the memory it was
       made with) and writes the memory of the next one; it may read and write the same place */
    int nmem;
    void (*accept)(const void *par, int nfam, const gos_batch *b, double *mem);
    /* the law as a quadratic form of Green's strains of its three vectors (parts/gram.h); false, or
     * NULL: it is none */
    bool (*green)(const void *par, gos_green *g);
} gos_law;

/* Heat exchanged along a body's surface or volume, evaluated at its points. */
typedef struct gos_surface_type {
    const char *name;
    /* adds to b->heat; fn: values of the source's time functions; scale: load factor [0..1] */
    void (*eval)(const void *par, const gos_law *law, const void *law_par, int nfam,
                 const double *fn, double scale, const gos_batch *b);
    /* adds to b->Hz (times hk) and b->Ht */
    void (*tangent)(const void *par, const gos_law *law, const void *law_par, int nfam,
                    const double *fn, double scale, const gos_batch *b);
    /* adds to b->heat its derivative by amount k of the surface */
    void (*by_amount)(const void *par, const gos_law *law, const void *law_par, int nfam,
                      const double *fn, double scale, const gos_amount *k, const gos_batch *b);
} gos_surface_type;

typedef struct gos_surface {
    const gos_surface_type *type;
    const void *par;
    const char *name;         // the heat entry, for balances, inputs and messages
    int fn0, nfn;             // time functions fn0 .. fn0+nfn-1 of the builder
    int namount;              // inputs that it declares
    const gos_amount *amount; // (namount)
    gos_cast_shadow *shadow;  // that falls on it, NULL: none
    size_t lit;               // ... and what its points remember of that (parts/shadow.h)
} gos_surface;

/* Where the points of a block lie in the picture of their body. */
typedef struct gos_drawn {
    const int *cell;  // on which drawn cell each element lies (ne); NULL: cells in their order
    const double *at; // each point of an element in its cell: by the bilinear map of the unit
                      // square to the four corners, in a triangle the weights of its second and
                      // third corner, along a line from 0 to 1 (ng, 2)
} gos_drawn;

/* Points of one body and one law, in elements of equal layout, GOS_LANES elements to a batch;
   arrays of a batch have the lane as last index. The last batch is filled up with copies of its
   first element at weight 0. */
typedef struct gos_points {
    const gos_law *law;
    const void *par;
    int body;    // index of the body
    int ne, nb;  // elements, batches = ceil(ne / GOS_LANES)
    int ng;      // points per element
    int nv;      // vector coordinates per element
    int nt;      // temperature nodes per element (0: no temperature)
    int nfam;    // families
    bool rates;  // the law or its heat needs rates (damping, thermoelastic heat)
    int *v;      // vector coordinates (nb, nv, LANES)
    int *th;     // temperature coordinates (nb, nt, nfam, LANES)
    int ntab;    // distinct tables
    int *tab;    // table of each batch (nb)
    double *b;   // z = sum b e: (ntab, ng, nz, nv, LANES)
    double *N;   // th = sum N theta: (ntab, ng, nt, LANES)
    double *w;   // weight [m] or [m^2] (ntab, ng, LANES)
    double *ref; // reference data (ntab, ng, nref, LANES)
    double *z0;  // dense: z where the coordinates are 0 (ntab, ng, 3 nz, LANES); NULL: 0
    size_t m0;   // first memory slot, in (nb, ng, nmem, LANES); the system numbers them
    int nsurf;
    gos_surface *surf; // heat sources, filled after the bodies are built
    bool dense;   // reduced: one point to an element, each touches coordinates v[0] .. v[0]+nv-1
                  // in this order; every batch has its own table
    bool surface; // heat sources act on this block (one block of a body has them)
    const gos_drawn *drawn; // NULL: not known, and no shadows fall there
    const gos_gram *gram;   // dense: forces, heat and energy of all points together (parts/gram.h);
                            // NULL: by points
} gos_points;

/* ---- items: joints, loads, heat at ends
 * ---------------------------------------------------------- */

#define GOS_ITEM_MARKERS 24
#define GOS_ITEM_TMARKERS (2 * GOS_FAMILIES)
#define GOS_ITEM_ROWS 12
#define GOS_ITEM_OBSERVED 3
#define GOS_ITEM_EVENTS 3

/* What an item reads and writes. Outputs are zeroed by the caller; NULL when not wanted. */
typedef struct gos_item_io {
    double t;                      // [s]
    const double *fn, *fnd, *fndd; // values and time derivatives of its time functions
    double scale;                  // load factor in [0,1] of a static solution, else 1
    const double *x;               // marker values (nm, 3)
    const double *xd;              // their rates
    const double *th;              // temperature marker values (ntm)
    const double *thd; // their rates, of items that store heat; NULL: temperatures are at rest
    const double *lam; // multipliers of its rows (nc)
    const double *mem; // its memory (nmem); rows read no more than turns of angles
    double *f;         // applied generalised force on each marker (nm, 3): virtual work sum f . dx
    double *fx, *fv;   // df/dx, df/dxd (3 nm)(3 nm) row-major
    double *heat;      // applied heat on each temperature marker (ntm)
    double *heat_x;    // (ntm)(3 nm)
    double *heat_th;   // (ntm)(ntm)
    double *heat_thd;  // dheat/dthd (ntm)(ntm), of items that store heat
    double *f_th;      // (3 nm)(ntm), of items that are `mixed`
    double *heat_v;    // (ntm)(3 nm), likewise
    double *energy;    // energy that its forces have stored [J]
    double *power;     // power that they dissipate [W]
    double *work;      // power of what is neither, a load's [W]
    double *c;         // constraint values (nc)
    double *cx;        // dc/dx (nc)(3 nm)
    double *H;         // sum_r lam_r d2c_r/dx2 (3 nm)(3 nm)
    double *ct, *ctt;  // partial time derivatives of c (nc)
    double *h;         // temperature constraint values (nh)
    double *hth;       // dh/dth (nh)(ntm)
} gos_item_io;

typedef struct gos_item gos_item;
typedef struct gos_sides gos_sides;

/* What may be in the matrix of an item wherever it is; bits are markers. What is left out here is
   not stored, so that matrices and their factors stay small. */
typedef struct gos_structure {
    const unsigned short *row;  // markers that each row has a gradient by (nc)
    const unsigned short *pair; // markers that the force on each marker depends on (nm)
    bool alike;                 // forces of its rows' multipliers: by multiples of I3
} gos_structure;

typedef struct gos_item_type {
    const char *name;
    void (*eval)(const gos_item *it, const gos_item_io *io);
    /* an accepted step: inputs at its end (io->mem: the memory it was made with), outputs all NULL;
       writes the memory of the next step. Returns whether forces or their derivatives jump by that:
       the next step then starts as at a switching time. NULL: has no memory */
    bool (*accept)(const gos_item *it, const gos_item_io *io, double *mem);
    /* where a run begins, or goes on after forces have jumped: inputs there, with the
       accelerations' multipliers; writes the memory of the step that comes. NULL: jumps are nothing
       to it */
    void (*begin)(const gos_item *it, const gos_item_io *io, double *mem);
    /* coordinates (q, rates v, accelerations a of the system) that outputs see otherwise than the
       equations do: put those of the time t in the place of the state's own, and the second time
       bring these back. NULL: there are none */
    void (*shows)(const gos_item *it, double t, double *mem, bool back, double *q, double *v,
                  double *a);
    /* signed distances to where its law changes (nevent): steps by error control end where one
       changes its sign. Inputs as for accept, at any place; NULL: there are none */
    void (*events)(const gos_item *it, const gos_item_io *io, double distance[GOS_ITEM_EVENTS]);
    int nevent;
    /* derivatives of f, heat, c and h by an amount that the item declares, written to these
       outputs; NULL: declares none */
    void (*by_amount)(const gos_item *it, const gos_item_io *io, const gos_amount *k);
    /* heat that it holds at the temperatures th of its markers, beyond capacities [J], of items
     * that store heat */
    double (*holds)(const gos_item *it, const double *th);
    /* what a probe can show of it (nshown); NULL: nothing */
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
    gos_tmarker *tm;          // (ntm)
    int fn0, nfn;             // time functions
    int namount;              // inputs that it declares
    const gos_amount *amount; // (namount)
    int c0, h0;               // first row among constraints, temperature constraints
    bool linear;              // all rows linear in x with constant coefficients
    bool isotropic; // linear, and rows come in triples that act alike on x, y, z (a vector equation
                    // sum_m weight_m x_m = 0): may be eliminated in a rotation-closed space
    const double *iso_w; // isotropic: (nc/3)(nm) scalar weights
    int nvec;            // its first rows are so many such triples, whatever follows them
    const gos_structure *structure; // what of its matrix is not 0; NULL: all may be
    bool watches;                   // remembers only: makes no force, heat or row
    bool mixed;                     // its forces depend on temperatures, or its heat on rates
    bool stores_heat;               // its heat depends on rates of temperatures
    bool stores;          // tells energy, power and work of its forces; else all of it is work
    bool dead;            // its forces and heat depend on no coordinate and no rate
    int nmem;             // doubles that it remembers from one step to the next
    const double *memory; // their values at the start (nmem)
    size_t m0;            // first memory slot; the system numbers them
    int nslaved; // coordinates that the equations hold, and outputs see as sums of temperatures ...
    const int *slaved;           // ... component c of vector v at 3 v + c (nslaved) ...
    const gos_tmarker *slave_to; // ... which (nslaved); the item remembers three doubles of each,
                                 // for outputs alone
    const gos_item *more;        // the entry's next item, or NULL
    const gos_pulled
        *pulled; // its markers' columns (nm), set by the system; NULL: they weigh no made vectors
    const gos_sides *sides; // of a joint: whose its markers are; NULL: no joint
};

/* ---- bodies, places
 * ------------------------------------------------------------------------------ */

typedef struct gos_builder gos_builder;

/* What turns at a place, where the type of its body does not say: every direction, or none. */
typedef enum gos_place_turns {
    GOS_PLACE_AS_BODY,
    GOS_PLACE_TURNS,
    GOS_PLACE_STAYS
} gos_place_turns;

/* A place on a body (or the ground: body == NULL). */
typedef struct gos_place {
    const gos_body *body;
    double s;    // parameter along a line body [0, length]
    double u[2]; // coordinates on a plate, x and y [m]
    int node;    // node there, or -1
    int face;    // face index of the section, or -1
    int edge;    // 1 + index of an edge of a plate, or 0
    int surface; // 1 + number of a named surface of a mesh, or 0
    int side;    // of a shell: 1 on its upper, -1 on its lower face, which has a temperature; or 0
    int set; // several nodes of a mesh: their mean; 1 + its number where the body has set_node. 0:
             // none
    bool each;   // ... every one of them by itself
    bool is_end; // start or end face
    bool whole;  // the whole body was named
    gos_place_turns turns;
    double x[3];  // position at t = 0 [m]
    double xb[3]; // rigid: body coordinates [m]
} gos_place;

/* A coordinate of a joint, 0 at t = 0: the length w . (x_B - x_A) with markers w, x_B, x_A [m], or
   the angle from f to g about e with markers e, f, g (parts/hinge.h) [rad]. */
#define GOS_JOINT_COORDINATES 3
typedef struct gos_joint_coordinate {
    const char *name;
    bool angle;
    double zero; // what it would be at t = 0
    gos_marker m[3];
} gos_joint_coordinate;

/* The two sides of a joint, in the order in which it names them. What its multipliers do to a side
   is the sum of what they do to the markers there: a force at positions, a moment at positions and
   at vectors. */
struct gos_sides {
    unsigned char of[GOS_ITEM_MARKERS]; // 1, 2: first, second side; 0: of neither (fixed in space)
    bool point[GOS_ITEM_MARKERS]; // a position; else a vector. Marker 0 is the joint's point if it
                                  // is one
    gos_place place[2];
    double axis[3]; // its axis, line or normal at t = 0; zero: it has none
    bool corner;    // at the end of an edge, where the joint of another edge may say the same
    bool couple; // its one row is an angle about the axis: minus its multiplier is the moment about
                 // it
    int ncoord;  // what the joint leaves free, for probes
    const gos_joint_coordinate *coord; // (ncoord)
};

/* Smooth scalar fields of a body, what a reduced model needs of it in place of its mesh (theory 8):
   x = sum_k phi_k a_k with vector amplitudes a_k, and every temperature family a sum of nt
   functions with scalar amplitudes. Matrices are row-major; integrals and points are those of the
   fields themselves and not of what the mesh interpolates. */
typedef struct gos_body_fields {
    int n, nt;      // fields; functions of each temperature family (0: no temperature)
    double *value;  // fields at the body's vector coordinates (nv, n)
    double *dual;   // amplitudes of what the mesh interpolates: dual x coordinates (n, nv)
    double *mass;   // scalar mass of the amplitudes (n, n)
    double *tvalue; // functions at its temperature nodes (nt_body / nfam, nt)
    double *tdual;  // amplitudes of what the mesh interpolates (nt, nt_body / nfam)
    double *capacity, *conduction; // of the amplitudes, nfam fastest (nt nfam, nt nfam)
    const gos_law *law;            // at the points
    const void *par;
    bool rates;
    int npoints;
    double *b;   // z = sum b a (npoints, nz, n); 0 in the row of the body's carrier
    double *N;   // temperature functions (npoints, nt)
    double *w;   // weights [m], [m^2] (npoints)
    double *ref; // reference data of the law (npoints, nref)
} gos_body_fields;

#define GOS_SECTION_POINTS 2

/* What the force in a section follows from that its element passes on: markers of vectors and
 * temperatures of nodes. */
#define GOS_BALANCE_VECTORS 8
typedef struct gos_balance {
    int nm, ntm; // markers, and temperature markers behind those of the place
    gos_marker m[GOS_BALANCE_VECTORS];
    gos_tmarker *tm;  // (ntm)
    const void *data; // of the body
} gos_balance;

/* The state at a place of a body with balance. */
typedef struct gos_balance_state {
    const double *x, *v;   // vectors of its markers and their rates (nm, 3)
    const double *th;      // temperatures of its markers (ntm)
    const double *z, *ref; // rows of z and reference data of the law at the place
    const double *mem;     // memory of the law there, NULL: it has none
} gos_balance_state;

/* How far a state is from what the equations of a body hold for. */
typedef struct gos_body_range {
    double stiffening; // change of the stiffness of a mode that they leave out, relative
    double left;       // ... by moments of its weight and rotation, which are left out at any order
    double rate; // rate of its frame over its lowest frequency, where they leave out what that does
    double rotation; // largest one by deformation [rad]
    double
        softening; // share of its stiffness that its own thermal stress takes: 1 where it buckles
    double
        change; // of a property of its material by the temperature, relative to what was taken ...
    double T;   // ... where it is that temperature over the reference [K]
    double value, taken;  // the property there, and as it was taken
    const char *what;     // its name ...
    const char *material; // ... and that of the material
    gos_loc loc;          // where it is given; line 0: by an entry of the model
} gos_body_range;

/* What the stress of a body does to its stiffness, between n motions of it. */
typedef struct gos_stress_work {
    int n;
    double *stiffness; // of these motions as they are without stress (n, n)
    double *by_e;      // pair i (i + 1) / 2 + j, j <= i, by its coordinates (3 nv, pairs)
    double *by_th;     // ... and temperatures (nt, pairs)
} gos_stress_work;

/* Stress or strain at a place of a body, xx, yy, zz, xy, yz, zx in its axes: sums over single
   coordinates (component c of vector coordinate v is 3 v + c) and over temperatures. */
typedef struct gos_recovered {
    const char *material; // of the cells that it is the mean of
    double x[3];          // position at t = 0 [m]
    gos_tmarker q[6], th[6];
} gos_recovered;

/* What is asked for. */
typedef struct gos_recovery {
    bool strain; // else stress
    bool each;   // at each node of the place with each material there, else one for the place
    const char *material; // this one alone; NULL: any
    double face;     // of shells: 1 on the side of their normals, -1 on the other, 0 in the middle
    int ply;         // of laminates: in this ply, from 1 at the lower face on, in its axes; 0: none
    double fibre[2]; // of beams in meshes: y, z in their section [m]
    gos_loc loc;     // of the place, for messages
    const char *object;
} gos_recovery;

typedef struct gos_body_ops {
    /* "start", "end", "node(i)", "at(s)", face names...; `ref` is what follows "BODY." */
    gos_status (*locate)(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                         const char *object, gos_place *place);
    /* marker of the position there */
    gos_status (*position)(gos_arena *a, const gos_body *b, const gos_place *p, gos_marker *m);
    /* marker of a vector that turns with the body there and equals d (global axes) at t = 0, length
       included; GOS_E_INPUT without a record when the body has no such vector (cable: only d along
       its tangent, and then the slope, whose length stretches; beam: only d across its axis) */
    gos_status (*direction)(gos_arena *a, const gos_body *b, const gos_place *p, const double d[3],
                            gos_marker *m);
    /* vectors besides the position that a clamp ties: one slope of a cable, both of a plate, the
       section vectors of a beam; their number in *n. NULL: none, but every direction (rigid
       bodies) */
    gos_status (*vectors)(gos_arena *a, const gos_body *b, const gos_place *p, int *n,
                          gos_marker m[2]);
    /* z of the law there (law->nz markers), for strains and section forces; NULL: none */
    gos_status (*gradients)(gos_arena *a, const gos_body *b, const gos_place *p, gos_marker *z);
    /* the law's parameters there, NULL: there are several; NULL: gos_body.law_par everywhere */
    const void *(*law_par)(const gos_body *b, const gos_place *p);
    /* stress or strain there, *n of them in *r (more than one only of each node); NULL: gradients
     * tell, or nothing does */
    gos_status (*recover)(gos_builder *b, const gos_body *body, const gos_place *p,
                          const gos_recovery *what, int *n, gos_recovered **r);
    /* the same at the point x (t = 0, global axes), between its nodes; GOS_E_INPUT with a record
       when that is outside. NULL: gradients tell, or nothing does */
    gos_status (*recover_at)(gos_builder *b, const gos_body *body, const double x[3],
                             const gos_recovery *what, gos_recovered **r);
    /* the same at each drawn node (nnode + nmark), of its own material; material NULL: nothing is
       strained there. Of shells on the side `face`. NULL: `gradients` tell at places that are drawn
       nodes, or nothing does */
    gos_status (*recover_drawn)(gos_builder *b, const gos_body *body, bool strain, double face,
                                gos_recovered **r);
    /* reference data of the law there (law->nref); NULL: the law has none */
    void (*reference)(const gos_body *b, const gos_place *p, double *ref);
    /* points of its element at which strains and section forces are accurate, at most
       GOS_SECTION_POINTS, and weights by which those at the place follow from them; returns how
       many. NULL: the place itself is as good as any */
    int (*section_points)(const gos_body *b, const gos_place *p, gos_place *at, double *weight);
    /* force in a section by the balance of its element and its neighbours, where that is more
       accurate than the law at the place; NULL: it is not */
    gos_status (*balance)(gos_builder *b, const gos_body *body, const gos_place *p,
                          gos_balance *to);
    /* put it into strains and forces of the law at the place (nstrain) */
    void (*balanced)(const gos_body *b, const void *data, const gos_balance_state *s,
                     double *strain, double *force);
    /* the point at the fraction f of an edge (gos_place.edge), with the unit vectors along and
       across the edge in the body's plane at t = 0; returns the elements along the edge, so that
       its nodes are at multiples of 1/elements. NULL: no edges */
    int (*edge)(const gos_body *b, int edge, double f, gos_place *p, double along[3],
                double across[3]);
    /* node k of a set (gos_place.set); returns the nodes that it has. NULL: no sets */
    int (*set_node)(const gos_body *b, int set, int k, gos_place *p);
    /* the section at the arc length s [m] of a body that is tapered */
    void (*section)(const gos_body *b, double s, gos_section *at);
    /* markers of the temperature families there (nfam of them); NULL: no temperature */
    gos_status (*temperature)(gos_arena *a, const gos_body *b, const gos_place *p, gos_tmarker *tm);
    /* the blocks of points, from *first of the builder's on, by which heat acts on a surface of its
       mesh, on the whole skin, or (inside) in its volume; made when they are first asked for. NULL:
       there is one, made with the body */
    gos_status (*surface)(gos_builder *b, const gos_body *body, const gos_place *p, bool inside,
                          int *first, int *n);
    /* hand points over the surface that a place names, by which integrals over it are exact to the
       order of the body's functions, to `to` (parts/spread.h); GOS_E_INPUT with a record where that
       has none. NULL: no body of this type has */
    gos_status (*spread)(gos_builder *b, const gos_body *body, const gos_place *p,
                         const gos_spread_to *to);
    /* the part of the area of such a surface whose outward normals meet the body again; NULL: none
     * does */
    gos_status (*sees_itself)(gos_ctx *ctx, const gos_body *body, const gos_place *p, double *part);
    /* smooth fields with constant and linear ones among them: n of them for each kind of vector
       coordinate (position; later section vectors), nt temperature functions, about npoints points
       (0: none); NULL: only its own coordinates will do (rigid bodies) */
    gos_status (*fields)(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt, int npoints,
                         gos_body_fields *f);
    /* its input or output of this name: number (from 0) and what it drives or shows. An amount u of
       an input makes the force u on component c of m[c] and the heat u on tm. NULL: has none */
    gos_status (*port)(gos_ctx *ctx, gos_arena *a, const gos_body *b, bool output, const char *name,
                       gos_loc loc, const char *object, int *number, gos_signal *s);
    /* names of the vector coordinates of each node, the position first, NULL last, for programs;
     * NULL: they are numbered */
    const char *const *coordinates;
    /* its range at its coordinates e and rates v (nv, 3) and temperatures th (nt), NULL: not known;
       NULL: its equations hold for any state */
    void (*range)(const gos_body *b, const double *e, const double *v, const double *th,
                  gos_body_range *r);
    /* of a body whose `unstiffened` says that its equations leave it out, at coordinates e: between
       m motions X (3 nv, m) of them whose stiffness is diag(square), and others that the body adds.
       Arrays are the caller's to free */
    gos_status (*stress_work)(gos_ctx *ctx, const gos_body *b, const double *e, int m,
                              const double *square, const double *X, gos_stress_work *work);
    /* what refers to other bodies, when all of them are there; NULL: nothing does */
    gos_status (*finish)(gos_builder *b, gos_body *body);
} gos_body_ops;

struct gos_body {
    const char *name;
    const char *type;
    gos_loc loc;
    int index;
    const gos_body_ops *ops;
    const void *par;              // the type's own data
    const gos_material *material; // of all of it, or that of its first part; NULL: it has none
    int nmaterial;                // where its parts have materials of their own, these
    const gos_material *const *materials; // (nmaterial)
    bool stated;      // takes its materials at a temperature that its entry states ...
    double stated_T;  // ... over the reference [K]
    bool current;     // takes its materials at the temperatures that its points have
    bool plies;       // takes orthotropic materials and laminates, or has refused them itself
    double axis;      // of a plate: axis 1 of these from its x [rad]
    bool unstiffened; // its equations leave out what its stress does to its stiffness
                      // (gos_body_ops.stress_work)
    const gos_section *section; // at the start, where it varies along a line body
    bool tapered;               // it does, and ops->section knows how
    int v0, nv;                 // its vector coordinates
    int t0, nt;                 // its temperature coordinates
    int nfam;                   // temperature families (0: none)
    int nnode;                  // nodes for output
    const int *node_v;          // vector coordinate of each node's position (nnode)
    const int *node_slope;      // vector coordinate of each node's slope, or NULL (nnode)
    const int *node_t;          // first temperature coordinate of each node, or NULL (nnode)
    int cell_size, ncell;       // drawing: 2 = lines, 4 = quadrilaterals
    const int *cell;            // node indices (ncell, cell_size)
    int nmark;                  // more nodes for the picture alone, behind the others
    const gos_marker *mark;     // where they are (nmark)
    bool arms;                  // ... points of a rigid body, which its extent does not count
    const gos_tmarker
        *mark_t;     // ... and their temperatures (nmark); NULL: that of the body, if it has one
    bool faces;      // it has shells, whose two faces have stresses of their own
    double length;   // of a line body [m]
    double v_ref[3]; // reference vector: local z at t = 0 [-]
    const gos_marker *carrier; // ... that turns with another body: the last row of z of its points;
                               // NULL: fixed in space
    const double *idle; // a motion that quadrature leaves without energy (nv, 3), so that a joint
                        // must hold it; NULL: none
    const gos_law *law; // for strains and section forces; NULL: none
    const void *law_par;
    int rigid_item;       // rigid: index of its rigidity constraints, else -1
    const gos_made *made; // floating: its made vectors (parts/made.h); NULL: has none
    const int *turn;      // (nv, 2): one or two vector coordinates whose directions show how the
                          // surroundings of each coordinate turn, -1: none. NULL: none at all.
                          // Used to turn a factorisation along with the motion
};

/** Its materials, at least one: `materials`, or its only one; *n: how many, 0 where it has none. */
const gos_material *const *gos__body_materials(const gos_body *b, int *n);
/** Has any of them thermal expansion? */
bool gos__body_expands(const gos_body *b);

/* ---- the builder
 * --------------------------------------------------------------------------------- */

/* Scalar triplets of a symmetric matrix (both triangles are entered by the helper). */
typedef struct gos_triplets {
    int n, cap;
    int *i, *j;
    double *v;
} gos_triplets;

/* Constant matrices between single coordinates, not symmetric in general: forces M a + D v + K (q -
   rest) + G T on components of vector coordinates, heat E T' + S T + H v on temperature
   coordinates. */
typedef enum gos_constant {
    GOS_CONSTANT_M,
    GOS_CONSTANT_D,
    GOS_CONSTANT_K,
    GOS_CONSTANT_E, // from here on of temperature coordinates
    GOS_CONSTANT_S,
    GOS_CONSTANT_G, // forces by temperatures
    GOS_CONSTANT_H, // heat by rates
    GOS_NCONSTANT
} gos_constant;

/* A single coordinate that they act on. */
typedef struct gos_constant_coordinate {
    bool heat;   // a temperature coordinate
    int i;       // its index; of vector coordinate v component c: 3 v + c
    double rest; // its value where K makes no force
    double
        scale; // what tolerances refer to [its unit], 0: the extent of the system (temperatures: 1)
    double weight;  // in norms, of the kind of a mass or capacity
    bool amplitude; // of a floating body (parts/made.h): it adds nothing to the mass of the system
    bool relative; // weight is a part of the capacity of all that has one: of states of controllers
} gos_constant_coordinate;

/* Stiffness that temperatures make by the stress in a body: forces sum over k of v[k] T_t[k] q_j[k]
   on i[k]. All in the builder's arena; positions are the system's. */
typedef struct gos_heated {
    int n;      // entries
    int *i, *j; // single coordinates; both triangles of a symmetric matrix (n)
    int *t;     // temperature coordinates (n)
    double *v;  // [N/(m K)] (n)
    int *at;    // in the Newton matrix: (i, j), then (i, t), of each (n, 2)
    struct gos_heated *next;
} gos_heated;

struct gos_builder {
    gos_ctx *ctx;
    gos_model *model;
    gos_arena *arena;        // becomes the system's
    int nv, vcap;            // vector coordinates
    double (*e0)[3];         // initial values (nv, 3)
    double (*v0)[3];         // initial rates (nv, 3)
    double *trans;           // 1 where the coordinate is a position, 0 where a vector (nv)
    int nt, tcap;            // temperature coordinates
    double *th0;             // initial values (nt)
    double *tmean;           // 1 where the coordinate is a mean temperature, else 0 (nt)
    gos_made_list *made;     // made vectors of floating bodies (parts/made.h), NULL: none
    gos_triplets mass;       // scalar mass [kg ...], (.) x I3, of coordinates and made vectors
    gos_triplets capacity;   // [J/K ...]
    gos_triplets conduction; // [W/K ...]
    gos_triplets constant[GOS_NCONSTANT];
    int nsingle, scap;
    gos_constant_coordinate *single; // coordinates of the constant matrices
    gos_heated *heated;              // of bodies whose thermal stress stiffens them, NULL: none
    int nbody, bcap;
    gos_body **body;
    gos_points **surface; // points of each body on which heat surfaces act, NULL: none (nbody)
    gos_names bodies;     // by name
    int npoints, pcap;
    gos_points **points;
    int nitem, icap;
    gos_item **item;
    gos_names items; // the first of each entry by its name
    int nc, nh;      // rows so far
    int nfn, fcap;
    gos_timefn **fn;               // time functions
    gos_names materials, sections; // made before the bodies
    gos_names meshes;              // likewise: gos_mesh *
    gos_names piezo;               // entries of `piezo`, made before the bodies (bodies/piezo.h)
    gos_names electrodes;          // theirs by name: gos_electrode *
    struct gos_electrode *electrode, *last_electrode; // ... and in their order
    gos_node *brought;             // entries of `loads` and `heat` that bodies bring, by section
    double extent;                 // see gos__extent
    int extent_nv;                 // coordinates that it was computed of
    double gravity[3];             // [m/s^2]
    const struct gos_orbit *orbit; // math/orbit.h, NULL: none
    double T_ref;                  // reference temperature [K]
    bool drop_redundant;           // dependent rows of joints are dropped
    bool reduce_floating;          // floating bodies on the bases of their entries `reduce`
    bool gough_joule, viscous_heating; // options of the heat equation (theory 2.6)
    gos_linear *linear;                // of the last body of matrices, NULL: there is none
    bool stress, strain;               // fields of these at drawn nodes are asked for
    gos_cast_shadow *shadow;           // the last of the shadows, NULL: none
    struct gos_controller *controller; // parts/controller.h (ncontroller)
    int ncontroller;
};

/** Has the model an orbit that could not be read? What needs it then fails too, and says nothing
 * more. */
bool gos__orbit_failed(const gos_builder *b);
/** Does gravity act on masses, uniform or as the gradient along an orbit? */
bool gos__falls(const gos_builder *b);
/** Before memory for so many is asked for: may the model have nv vector coordinates and nt
 * temperatures more? GOS_E_LIMIT, told at loc, when not. */
gos_status gos__check_room(const gos_builder *b, double nv, double nt, gos_loc loc,
                           const char *object);
/** n new vector coordinates with initial values e0 (n, 3; NULL: zero); *first is the first index.
 *  trans: 1 for positions, 0 for vectors, one for all. */
gos_status gos__add_vectors(gos_builder *b, int n, const double *e0, double trans, int *first);
gos_status gos__add_temperatures(gos_builder *b, int n, int *first);
/** Add v at (i, j) and, off the diagonal, at (j, i). */
gos_status gos__add_symmetric(gos_builder *b, gos_triplets *t, int i, int j, double v);
/** Add v at (i, j) of a constant matrix. */
gos_status gos__add_constant(gos_builder *b, gos_constant which, int i, int j, double v);
/** A stiffness by temperatures with room for n entries, to be filled by the caller.
 *  @return GOS_E_MEMORY */
gos_status gos__add_heated(gos_builder *b, int n, gos_heated **heated);
/** A coordinate of the constant matrices. */
gos_status gos__add_single(gos_builder *b, const gos_constant_coordinate *c);
gos_status gos__add_body(gos_builder *b, const gos_body *body, gos_body **out);
/** Take over a points block whose arrays live in the arena. */
gos_status gos__add_points(gos_builder *b, const gos_points *p);
/** The places of a block's points in the picture, copied (gos_drawn: cell (ne) or NULL, at (ng,
 * 2)), to p->drawn.
 *  @return GOS_E_MEMORY */
gos_status gos__points_draw(gos_arena *a, gos_points *p, const int *cell, const double *at);
/** Add an item; its name is "KIND 'NAME'"; rows are numbered here. *out may be NULL. */
gos_status gos__add_item(gos_builder *b, const gos_item *item, gos_item **out);
/** Register n time functions; *first is the index of the first. Functions are owned by the
 * builder. */
gos_status gos__add_timefns(gos_builder *b, int n, gos_timefn *const *fn, int *first);
/** Add a heat source to the points of a place's body on which surfaces act (gos_points.surface, or
 * gos_body_ops.surface), or to those inside it. */
gos_status gos__add_surface(gos_builder *b, const gos_place *p, bool inside, const gos_surface *s);

/** Entries of a section as if the model had them behind its own: what a body brings, from the text
 * of a YAML map of them. All are said to stand at loc. Kept as long as the builder; a name that is
 * there already is refused. */
gos_status gos__bring_entries(gos_builder *b, const char *section, const char *text, gos_loc loc);
/** The entry of a section that follows another one, those that bodies brought last; NULL: the
 * first, or no more. */
const gos_node *gos__next_entry(const gos_builder *b, const char *section, const gos_node *before);

gos_body *gos__find_body(const gos_builder *b, const char *name);
/** First item of an entry ("joint 'pin'"), the others follow as item->more; NULL when there is
 * none. */
const gos_item *gos__find_item(const gos_builder *b, const char *name);
/** Material or section by name; NULL when there is none (names were checked when read). */
const gos_material *gos__find_material(const gos_builder *b, const char *name);
const gos_section *gos__find_section(const gos_builder *b, const char *name);
/** Has a material tables over the temperature? (material.c) */
bool gos__material_varies(const gos_material *m);
/** Take a function of the temperature, or a constant, for the value of table k; NULL: leave the
 * value. */
void gos__material_take(gos_material *m, int k, const gos_timefn *fn);
/** The value of table k at a temperature over the reference. */
double gos__material_value(const gos_material *m, int k, double T);
/** The material with its values at that temperature. */
gos_material gos__material_at(const gos_material *m, double T);
/** Mesh by name, which lives as long as the system. */
const gos_mesh *gos__find_mesh(const gos_builder *b, const char *name);
/** Resolve "ground", "BODY", "BODY.start", ... Errors name the place with a suggestion. */
gos_status gos__locate(gos_builder *b, const char *text, gos_loc loc, const char *object,
                       gos_place *place);
/** Marker of a place's position; ground: fixed at place->x. */
gos_status gos__position(gos_builder *b, const gos_place *p, gos_marker *m);
/** Marker of a vector fixed to the body at the place which equals d at t = 0; ground: constant. */
gos_status gos__direction(gos_builder *b, const gos_place *p, const double d[3], gos_loc loc,
                          const char *object, gos_marker *m);

/* most functions of time of an item */
#define GOS_ITEM_FUNCTIONS 16
/** gos_item_type.by_amount of items whose forces and heat are sums of amounts times what does not
 * depend on them: their values where this amount is 1 and all other functions are 0. */
void gos__by_unit_amount(const gos_item *it, const gos_item_io *io, const gos_amount *k);

/* marker values */
void gos__marker_value(const gos_marker *m, const double *e, double x[3]);
void gos__marker_rate(const gos_marker *m, const double *v, double x[3]); // without the offset
double gos__tmarker_value(const gos_tmarker *m, const double *th);

/* Entry types of the sections of a model: how each adds itself to the builder. */
typedef gos_status (*gos_build_fn)(gos_builder *b, const gos_type *type, const gos_node *entry,
                                   const char *name, const char *object);
typedef struct gos_build_ops {
    gos_build_fn build;
} gos_build_ops;

/* ---- evaluating points (hot)
 * --------------------------------------------------------------------- */

/* Where point contributions go: plain arrays of the whole system. */
typedef struct gos_points_sum {
    const double *e, *v, *th; // coordinates (nv,3), rates, temperatures
    const double *mem;        // memory of the whole system
    const double *fn;         // values of all time functions
    double t, scale;
    double *Q;              // internal force (nv, 3), added; NULL: the energy alone is asked for
    double *R;              // heat (nt), added; NULL without
    double *energy, *power; // sums, added; may be NULL
    double *dwdth;          // dW/dtheta (nt), added; may be NULL
} gos_points_sum;

/* Weights of the derivatives in a tangent: rows of forces k dQ/de + d dQ/dv and k dQ/dth, rows of
   heat
   -(hk dR/de + hd dR/dv) and -hk dR/dth. Each may be 0. */
typedef struct gos_points_factors {
    double k, d, hk, hd;
    bool triangular; // dense: rows of heat without dR/de and dR/dv
    bool symmetric;  // dense: the symmetric part of k dQ/de + d dQ/dv
} gos_points_factors;

/* A batch some of whose coordinates are touched by other parts of the mesh too, where several
   threads work. What it gives to them is kept, and added later in the order of one thread. */
typedef struct gos_points_held {
    const unsigned char
        *mask;    // lanes (bits) to keep, of each of its n unknowns; NULL: keeps nothing
    double *kept; // forces and heat, or entries of the tangent (system/shares.h)
} gos_points_held;

/* Part of a block. */
typedef struct gos_points_part {
    int from, to;                // batches
    const gos_points_held *held; // (nb), NULL: nothing is kept
    double *energy, *power;      // of each batch (nb), written instead of summed; NULL: summed
} gos_points_part;

/** Add the internal forces and heat of all points of p. No allocation; `work` has
 *  gos__points_work(p) doubles, 64-byte aligned. */
void gos__points_residual(const gos_points *p, const gos_points_sum *s, double *work);
/** The same of a part; not of dense blocks. */
void gos__points_residual_part(const gos_points *p, const gos_points_part *part,
                               const gos_points_sum *s, double *work);
/** Add what batch ib has kept. */
void gos__points_add_kept(const gos_points *p, int ib, const gos_points_held *held,
                          const gos_points_sum *s);
/** The element tangent of batch ib, for its lanes: A[(row)(col)][lane] with n = 3 nv + nt nfam
 *  unknowns per element (vector coordinates first, then temperatures node-major). */
void gos__points_tangent(const gos_points *p, int ib, const gos_points_sum *s,
                         const gos_points_factors *f, double *A, double *work);
size_t gos__points_work(const gos_points *p);
/** Let the points remember an accepted step: their part of the system's memory `mem` is written
 * anew. Only for laws that have a memory; `work` as for the residual. */
void gos__points_accept(const gos_points *p, const gos_points_sum *s, double *mem, double *work);
/** The same tangents of dense (reduced) blocks that share their fields, added to a dense
 * column-major matrix of order n whose temperature unknowns begin at nq. `work` has the most
 * gos__points_dense_work of them, 64-byte aligned. */
void gos__points_tangent_dense(const gos_points *const *list, int nlist, const gos_points_sum *s,
                               const gos_points_factors *f, int n, int nq, double *values,
                               double *work);
size_t gos__points_dense_work(const gos_points *p);
/** Do they share their fields? Neither is without points (gram). */
bool gos__points_together(const gos_points *a, const gos_points *b);

#endif
