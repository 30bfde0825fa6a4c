/* Parts of a system and the builder that collects them. Mechanics acts on markers: 3-vectors x =
 * off + sum_j w_j e_j linear in the vector coordinates e_j (positions, slopes, body axes), with
 * scalar weights times I3. Bodies contribute points with a constitutive law (`gos_points`), joints
 * and loads are items on a few markers. A reduced model (e = E0 + Phi c) has the same parts with
 * other weights, so every law, joint, load, heat source and probe serves it unchanged. */
#ifndef GOS_PARTS_H
#define GOS_PARTS_H

#include "base/names.h"
#include "gossamer/linear.h"
#include "model/model.h"

#define GOS_LANES 8 // points or elements per batch: one AVX-512 register of doubles

/* ---- markers
   ------------------------------------------------------------------------------------ */

/* x = off + sum w[j] e[idx[j]], a 3-vector linear in the vector coordinates. n = 0: fixed in space.
 * Negative indices are derived vectors (parts/made.h). */
typedef struct gos_marker {
    int n;
    const int *idx;  // (n) vector coordinates, derived vectors
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
typedef struct gos_mesh gos_mesh; // mesh/mesh.h
typedef struct gos_made gos_made; // parts/made.h
typedef struct gos_made_list gos_made_list;
typedef struct gos_pulled gos_pulled;           // system/made.h
typedef struct gos_cast_shadow gos_cast_shadow; // parts/shadow.h
typedef struct gos_spread_to gos_spread_to;     // parts/spread.h

/* A scalar linear in coordinates and inputs, driven by an input or shown by an output: y = sum over
 * c of (component c of m[c]) + (component c of the rate of md[c]) + tm + sum factor u. */
typedef struct gos_signal {
    gos_marker m[3], md[3];
    gos_tmarker tm;
    const char *unit;
    int n;                // inputs with direct feedthrough
    const int *input;     // (n) indices of the body's inputs
    const double *factor; // (n)
} gos_signal;

/* What an input acts on. */
typedef enum gos_amount_kind {
    GOS_AMOUNT_FORCE,       // forces
    GOS_AMOUNT_HEAT,        // heat
    GOS_AMOUNT_MOTION,      // constraint rows: prescribed coordinates
    GOS_AMOUNT_TEMPERATURE, // temperature constraint rows: prescribed temperatures
} gos_amount_kind;

/* A system input: one of the entry's time functions, which an external value may replace.
 * Directions, coefficients and shades are not inputs. */
typedef struct gos_amount {
    int fn;                // index of the function, from 0
    const char *component; // suffix of its name after the entry and a dot; NULL: the entry's name
    const char *unit;
    gos_amount_kind kind;
    const gos_body *body; // matrices body whose input it drives, or NULL
    int port;             // ... index of that input, from 0
} gos_amount;

/* A value available to probes, an output of the system. */
typedef struct gos_shown {
    const char *name, *unit;
} gos_shown;

/* ---- materials and sections
 * ---------------------------------------------------------------------- */

/* Properties that may depend on the temperature. */
#define GOS_MATERIAL_TABLES 16
typedef struct gos_material_table {
    const char *name; // "young"
    const char *own;  // name for orthotropic materials: "E1"
    size_t offset;    // offset of its value in gos_material
} gos_material_table;
extern const gos_material_table gos__material_table[GOS_MATERIAL_TABLES];

typedef enum gos_material_kind {
    GOS_MATERIAL_ISOTROPIC,
    GOS_MATERIAL_ORTHOTROPIC, // axes 1 and 2 in the surface
    GOS_MATERIAL_LAMINATE     // plies; values are means
} gos_material_kind;

typedef struct gos_material gos_material;
/* Plies from the lower face to the upper. */
typedef struct gos_laminate_ply {
    const char *name; // name of the material
    const gos_material *material;
    double thickness, angle; // [m], [rad]
} gos_laminate_ply;
typedef struct gos_laminate {
    int n;
    gos_laminate_ply *ply; // (n)
    double thickness,
        offset; // total thickness; offset of the middle from the mesh surface along its normal [m]
} gos_laminate;

struct gos_material {
    const char *name;
    gos_material_kind kind;
    const gos_laminate *laminate; // laminates only, else NULL
    // functions of the temperature relative to the reference, NULL: constant. The fields below are
    // values at the reference
    const gos_timefn *over[GOS_MATERIAL_TABLES];
    double density;       // [kg/m^3]
    double young;         // [Pa], orthotropic: E1
    double poisson;       // [-], nu12
    double conductivity;  // [W/(m K)], along axis 1
    double specific_heat; // [J/(kg K)]
    double expansion;     // [1/K], along axis 1
    double gamma_n;       // Kelvin-Voigt factor of normal strains [s]
    double gamma_s;       // ... of shear strains [s]
    double absorptivity;  // [-]
    double emissivity;    // [-]
    // temperature relative to the reference from which `expansion` counts [K]
    double expansion_from;
    // orthotropic only
    double E2, E3, nu13, nu23, G12, G13, G23;
    double conductivity2, conductivity3, expansion2, expansion3;
};

// maximum number of temperature families of a section
#define GOS_FAMILIES (GOS_LIMIT_DEPTH_MODES + 2)

/* A point of the section's outline or face: a flux q adds q * dl * phi[k] to family k. */
typedef struct gos_section_point {
    double dl; // outline: length [m]; end face: area [m^2]
    // section temperature functions: 1, y, z, P_2(2y/h) ... or 1, R cos, R sin, cos 2 phi, sin 2
    // phi ... (R: mean radius)
    double phi[GOS_FAMILIES];
} gos_section_point;

/* A flat face of the outline, with outward normal sign * d_dir. */
typedef struct gos_section_face {
    const char *name;            // "top" (+y), "bottom" (-y), "right" (+z), "left" (-z)
    int dir;                     // director: 0 = d2 (local y) or a plate's n, 1 = d3 (local z)
    double sign;                 // +1 or -1
    double moment[GOS_FAMILIES]; // integral of phi_k over the face [m, m^2, ...]
    int first, count;            // its points in `outline`
} gos_section_face;

/* Cross-section: geometry and temperature families (T, T_y, T_z, P_2 ... or a_2 ...), theory 2.1,
 * 2.8. For plates per unit area: A [m], families T, T_z, faces top and bottom with one point
 * each. */
typedef struct gos_section {
    double A, Iy, Iz, J;  // [m^2], [m^4] Iy = int z^2, Iz = int y^2
    double shear[2];      // shear factors for forces along y and z [-]; 0: gos__shear_factors
    bool own_torsion;     // J was given
    double height, width; // rectangle: along y and z [m]
    double outer, inner;  // circle, annulus: radii [m]
    int modes;            // thin annulus: Fourier order of its temperatures; else 0
    bool round;           // outline is a circle of radius `outer`
    bool has_outline;     // false: general section, surface heat only by perimeter
    int nfam;             // temperature families
    const char *family[GOS_FAMILIES]; // names in results: "T", "T_y", "T_z", "P2" ...
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

/* One batch of GOS_LANES points. Arrays are [component][lane]; outputs may be NULL except sigma,
 * Kz. */
typedef struct gos_batch {
    const double *z;   // generalised gradients (3 nz), e.g. r', r'' of a cable
    const double *zd;  // their rates
    const double *th;  // (nfam) temperature families at the point, NULL without temperatures
    const double *ref; // (law->nref) reference data, e.g. section reference vectors
    const double *mem; // (law->nmem) memory of the points, NULL: initial
    const double *lit; // (1) lit fraction of a shadowed surface, else NULL
    /* outputs of `resultants`, per reference length or area */
    double *sigma;  // conjugate to z: (3 nz)
    double *heat;   // heat into each family (nfam), added
    double *energy; // stored energy
    double *power;  // dissipated (viscous) power
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
    int ndir; // section directors (beam 2: d2, d3; plate 1: n)
    int nref; // reference doubles per point (cable: reference vector v, 3)
    void (*resultants)(const void *par, int nfam, const gos_batch *b);
    void (*tangent)(const void *par, int nfam, const gos_batch *b);
    /* c_i = -u . d_i of the directors, and dc_i/dz (ndir)(3 nz); u is [3] */
    void (*cosines)(const void *par, const gos_batch *b, const double *u, double *c, double *dc);
    /* strains and resultants for output (nstrain), as defined by the law */
    int nstrain, nforce;            // the first nforce strains are conjugate to forces, not moments
    const char *const *strain_name; // (nstrain)
    const char *const *force_name;  // (nstrain)
    const char *force_unit, *moment_unit;
    void (*strains)(const void *par, int nfam, const gos_batch *b, double *strain, double *force);
    /* Memory from step to step: nmem doubles per point, initially the first nmem reference doubles.
     * `accept` receives an accepted step (b->mem: the memory used for it) and writes the memory for
     * the next one; both may be the same array. */
    int nmem;
    void (*accept)(const void *par, int nfam, const gos_batch *b, double *mem);
    /* The law as a quadratic form of the Green strains of its three vectors (parts/gram.h); false
     * or NULL if it is not one. */
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
    /* adds to b->heat its derivative by input k of the surface */
    void (*by_amount)(const void *par, const gos_law *law, const void *law_par, int nfam,
                      const double *fn, double scale, const gos_amount *k, const gos_batch *b);
} gos_surface_type;

typedef struct gos_surface {
    const gos_surface_type *type;
    const void *par;
    const char *name; // heat entry, for balances, inputs and messages
    int fn0, nfn;     // time functions fn0 .. fn0+nfn-1 of the builder
    int namount;
    const gos_amount *amount; // (namount)
    gos_cast_shadow *shadow;  // shadow on it, NULL: none
    size_t lit;               // memory index of its points' lit fractions (parts/shadow.h)
} gos_surface;

/* Positions of the points of a block in the picture of their body. */
typedef struct gos_drawn {
    const int *cell; // (ne) drawn cell of each element; NULL: in order
    // (ng, 2) position of each point in its cell: unit square coordinates of the bilinear map to
    // the four corners; triangles: weights of the second and third corner; lines: 0 to 1
    const double *at;
} gos_drawn;

/* Points of one body and one law, in elements of equal layout, GOS_LANES elements per batch; arrays
 * of a batch have the lane as last index. The last batch is padded with copies of its first element
 * at weight 0. */
typedef struct gos_points {
    const gos_law *law;
    const void *par;
    int body;    // index of the body
    int ne, nb;  // elements, batches = ceil(ne / GOS_LANES)
    int ng;      // points per element
    int nv;      // vector coordinates per element
    int nt;      // temperature nodes per element (0: no temperature)
    int nfam;    // families
    bool rates;  // law or heat depends on rates (damping, thermoelastic heat)
    int *v;      // vector coordinates (nb, nv, LANES)
    int *th;     // temperature coordinates (nb, nt, nfam, LANES)
    int ntab;    // distinct tables
    int *tab;    // table of each batch (nb)
    double *b;   // z = sum b e: (ntab, ng, nz, nv, LANES)
    double *N;   // th = sum N theta: (ntab, ng, nt, LANES)
    double *w;   // weight [m] or [m^2] (ntab, ng, LANES)
    double *ref; // reference data (ntab, ng, nref, LANES)
    double *z0;  // dense: z at zero coordinates (ntab, ng, 3 nz, LANES); NULL: 0
    size_t m0;   // first memory slot, in (nb, ng, nmem, LANES); assigned by the system
    int nsurf;
    gos_surface *surf; // heat sources, set after the bodies are built
    // reduced: one point per element, all with coordinates v[0] .. v[0]+nv-1 in this order; one
    // table per batch
    bool dense;
    bool surface;           // heat sources act on this block (one block per body)
    const gos_drawn *drawn; // NULL: unknown, no shadows
    // dense: forces, heat and energy of all points in one form (parts/gram.h); NULL: by points
    const gos_gram *gram;
} gos_points;

/* ---- items: joints, loads, heat at ends
 * ---------------------------------------------------------- */

#define GOS_ITEM_MARKERS 24
#define GOS_ITEM_TMARKERS (2 * GOS_FAMILIES)
#define GOS_ITEM_ROWS 12
#define GOS_ITEM_OBSERVED 3
#define GOS_ITEM_EVENTS 3

/* Inputs and outputs of an item. Outputs are zeroed by the caller, NULL if not requested. */
typedef struct gos_item_io {
    double t;                      // [s]
    const double *fn, *fnd, *fndd; // values and time derivatives of its time functions
    double scale;                  // load factor of a static solution in [0,1], else 1
    const double *x;               // marker values (nm, 3)
    const double *xd;              // their rates
    const double *th;              // temperature marker values (ntm)
    const double *thd; // their rates, for items that store heat; NULL: temperatures at rest
    const double *lam; // multipliers of its rows (nc)
    const double *mem; // its memory (nmem); rows may only use revolution counts of angles
    double *f;         // applied generalised force on each marker (nm, 3): virtual work sum f . dx
    double *fx, *fv;   // df/dx, df/dxd (3 nm)(3 nm) row-major
    double *heat;      // applied heat on each temperature marker (ntm)
    double *heat_x;    // (ntm)(3 nm)
    double *heat_th;   // (ntm)(ntm)
    double *heat_thd;  // dheat/dthd (ntm)(ntm), items that store heat
    double *f_th;      // (3 nm)(ntm), `mixed` items
    double *heat_v;    // (ntm)(3 nm), `mixed` items
    double *energy;    // stored energy [J]
    double *power;     // dissipated power [W]
    double *work;      // power of other forces (loads) [W]
    double *c;         // constraint values (nc)
    double *cx;        // dc/dx (nc)(3 nm)
    double *H;         // sum_r lam_r d2c_r/dx2 (3 nm)(3 nm)
    double *ct, *ctt;  // partial time derivatives of c (nc)
    double *h;         // temperature constraint values (nh)
    double *hth;       // dh/dth (nh)(ntm)
} gos_item_io;

typedef struct gos_item gos_item;
typedef struct gos_sides gos_sides;

/* Sparsity of an item's matrix at any state; bits are markers. Other entries are not stored. */
typedef struct gos_structure {
    const unsigned short *row;  // (nc) markers on which each row depends
    const unsigned short *pair; // (nm) markers on which the force on each marker depends
    bool alike;                 // multiplier forces act through multiples of I3
} gos_structure;

typedef struct gos_item_type {
    const char *name;
    void (*eval)(const gos_item *it, const gos_item_io *io);
    /* Accepted step: inputs at its end (io->mem: the memory used for it), outputs NULL; writes the
     * memory of the next step. @return whether forces or their derivatives jump, so that the next
     * step starts as after a switching time. NULL: no memory */
    bool (*accept)(const gos_item *it, const gos_item_io *io, double *mem);
    /* Start of a run or continuation after a jump of forces: inputs there, with the multipliers of
     * the accelerations; writes the memory of the next step. NULL: not needed */
    void (*begin)(const gos_item *it, const gos_item_io *io, double *mem);
    /* Coordinates (q, rates v, accelerations a of the system) whose output values differ from those
     * in the equations: swaps in those at time t; `back` restores. NULL: none */
    void (*shows)(const gos_item *it, double t, double *mem, bool back, double *q, double *v,
                  double *a);
    /* Signed distances (nevent) to switching points of its law; error-controlled steps end at sign
     * changes. Inputs as for accept, at any state; NULL: none */
    void (*events)(const gos_item *it, const gos_item_io *io, double distance[GOS_ITEM_EVENTS]);
    int nevent;
    /* Derivatives of f, heat, c and h by an input that the item declares, written to these outputs;
     * NULL: no inputs */
    void (*by_amount)(const gos_item *it, const gos_item_io *io, const gos_amount *k);
    /* Heat content [J] at marker temperatures th, beyond capacities, of items that store heat. */
    double (*holds)(const gos_item *it, const double *th);
    /* Values available to probes (nshown); NULL: none */
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
    const gos_amount *amount; // (namount)
    int c0, h0;               // first row among constraints and temperature constraints
    bool linear;              // all rows linear in x with constant coefficients
    // linear, and rows form triples that act alike on x, y, z (vector equation sum_m weight_m x_m =
    // 0); may be eliminated in a rotation-invariant subspace
    bool isotropic;
    const double *iso_w;            // isotropic: (nc/3)(nm) scalar weights
    int nvec;                       // number of such leading triples, whatever follows
    const gos_structure *structure; // NULL: dense
    bool watches;                   // memory only: no forces, heat or rows
    bool mixed;                     // forces depend on temperatures, or heat on rates
    bool stores_heat;               // heat depends on temperature rates
    bool stores;          // reports energy, power and work of its forces; else all is work
    bool dead;            // forces and heat depend on no coordinate or rate
    int nmem;             // doubles of memory
    const double *memory; // (nmem) initial memory
    size_t m0;            // first memory slot; assigned by the system
    // dependent coordinates: locked in the equations, output as sums of temperatures ...
    int nslaved;
    const int *slaved; // (nslaved) ... component c of vector v at 3 v + c
    // (nslaved) ... the sums; the item stores three doubles of each, for outputs only
    const gos_tmarker *slave_to;
    const gos_item *more; // next item of the entry, or NULL
    const gos_pulled
        *pulled; // (nm) columns of its markers, set by the system; NULL: no derived vectors
    const gos_sides *sides; // joints: side of each marker; else NULL
};

/* ---- bodies and places ----------------------------------------------------------------------- */

typedef struct gos_builder gos_builder;

/* Override of what rotates at a place: every direction, or none. */
typedef enum gos_place_turns {
    GOS_PLACE_AS_BODY,
    GOS_PLACE_TURNS,
    GOS_PLACE_STAYS
} gos_place_turns;

/* A location on a body (or the ground: body == NULL). */
typedef struct gos_place {
    const gos_body *body;
    double s;    // parameter along a line body [0, length]
    double u[2]; // coordinates on a plate, x and y [m]
    int node;    // node at the location, or -1
    int face;    // face index of the section, or -1
    int edge;    // 1 + index of an edge of a plate, or 0
    int surface; // 1 + index of a named mesh surface, or 0
    int side;    // shells: 1 upper, -1 lower face, with its temperature; or 0
    // several mesh nodes, represented by their mean: 1 + index if the body has set_node. 0: none
    int set;
    bool each;   // ... each node separately
    bool is_end; // start or end face
    bool whole;  // the whole body
    gos_place_turns turns;
    double x[3];  // position at t = 0 [m]
    double xb[3]; // rigid: body coordinates [m]
} gos_place;

/* A joint coordinate, relative to t = 0: the length w . (x_B - x_A) with markers w, x_B, x_A [m],
 * or the angle from f to g about e with markers e, f, g (parts/hinge.h) [rad]. */
#define GOS_JOINT_COORDINATES 3
typedef struct gos_joint_coordinate {
    const char *name;
    bool angle;
    double zero; // value at t = 0
    gos_marker m[3];
} gos_joint_coordinate;

/* Sides of a joint, in the order given. The load of the multipliers on a side is the sum over its
 * markers: forces at positions, moments at positions and vectors. */
struct gos_sides {
    unsigned char of[GOS_ITEM_MARKERS]; // 1, 2: side; 0: fixed in space
    // position, else vector. Marker 0 is the joint's point if it is a position
    bool point[GOS_ITEM_MARKERS];
    gos_place place[2];
    double axis[3]; // axis, line or normal at t = 0; zero: none
    bool corner;    // end of an edge, where rows of another edge's joint may be redundant
    // its single row is an angle about the axis; minus the multiplier is the moment about it
    bool couple;
    int ncoord;                        // free coordinates of the joint, for probes
    const gos_joint_coordinate *coord; // (ncoord)
};

/* Smooth scalar fields of a body that replace its mesh in reduced models (theory 8): x = sum_k
 * phi_k a_k with vector amplitudes a_k; each temperature family is a sum of nt functions with
 * scalar amplitudes. Matrices are row-major; integrals and points use the fields, not their mesh
 * interpolation. */
typedef struct gos_body_fields {
    int n, nt;      // fields; functions of each temperature family (0: no temperature)
    double *value;  // (nv, n) fields at the body's vector coordinates
    double *dual;   // (n, nv) amplitudes from coordinates of the mesh
    double *mass;   // (n, n) scalar mass of the amplitudes
    double *tvalue; // (nt_body / nfam, nt) functions at temperature nodes
    double *tdual;  // (nt, nt_body / nfam) amplitudes from nodal temperatures
    double *capacity, *conduction; // of the amplitudes, nfam fastest (nt nfam, nt nfam)
    const gos_law *law;
    const void *par;
    bool rates;
    int npoints;
    double *b;   // z = sum b a (npoints, nz, n); zero row for the carrier vector
    double *N;   // temperature functions (npoints, nt)
    double *w;   // weights [m], [m^2] (npoints)
    double *ref; // reference data of the law (npoints, nref)
} gos_body_fields;

#define GOS_SECTION_POINTS 2

/* Data for the section force from the equilibrium of an element: markers of vectors and
 * temperatures of nodes. */
#define GOS_BALANCE_VECTORS 8
typedef struct gos_balance {
    int nm, ntm; // markers; temperature markers after those of the place
    gos_marker m[GOS_BALANCE_VECTORS];
    gos_tmarker *tm;  // (ntm)
    const void *data; // data of the body
} gos_balance;

/* State at a place of a body with `balance`. */
typedef struct gos_balance_state {
    const double *x, *v;   // vectors of its markers and their rates (nm, 3)
    const double *th;      // temperatures of its markers (ntm)
    const double *z, *ref; // rows of z and reference data of the law at the place
    const double *mem;     // memory of the law, NULL: none
} gos_balance_state;

/* Indicators of leaving the limits of validity of a body's equations. */
typedef struct gos_body_range {
    double stiffening; // neglected relative change of a mode's stiffness
    double left;       // ... by moments of weight and rotation, neglected at any order
    double rate; // rate of the frame over the lowest frequency, if the equations neglect its effect
    double rotation;  // largest rotation by deformation [rad]
    double softening; // relative loss of stiffness by the body's own thermal stress; 1: buckling
    double change; // relative change of a material property from the value used, by temperature ...
    double T;      // ... at this temperature relative to the reference [K]
    double value, taken;  // property at that temperature, value used
    const char *what;     // name of the property
    const char *material; // name of the material
    gos_loc loc;          // location of the material; line 0: entry of the model
} gos_body_range;

/* Geometric stiffness of a body's stress between n motions. */
typedef struct gos_stress_work {
    int n;
    double *stiffness; // (n, n) stiffness of the motions without stress
    double *by_e;      // (3 nv, pairs) pair i (i + 1) / 2 + j, j <= i, by coordinates
    double *by_th;     // (nt, pairs) ... by temperatures
} gos_stress_work;

/* Stress or strain at a place, xx, yy, zz, xy, yz, zx in body axes: sums over single coordinates
 * (component c of vector coordinate v at 3 v + c) and temperatures. */
typedef struct gos_recovered {
    const char *material; // material of the averaged cells
    double x[3];          // position at t = 0 [m]
    gos_tmarker q[6], th[6];
} gos_recovered;

/* Requested stress or strain. */
typedef struct gos_recovery {
    bool strain;          // else stress
    bool each;            // per node and material, else one for the place
    const char *material; // only this material; NULL: any
    double face;          // shells: 1 side of the normals, -1 other side, 0 middle
    int ply;              // laminates: ply from 1 at the lower face, in its axes; 0: none
    double fibre[2];      // beams in meshes: y, z in the section [m]
    gos_loc loc;          // for messages
    const char *object;
} gos_recovery;

typedef struct gos_body_ops {
    /* "start", "end", "node(i)", "at(s)", face names...; `ref` is the part after "BODY." */
    gos_status (*locate)(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                         const char *object, gos_place *place);
    gos_status (*position)(gos_arena *a, const gos_body *b, const gos_place *p, gos_marker *m);
    /* Marker of a vector that rotates with the body and equals d (global axes) at t = 0, length
     * included. GOS_E_INPUT without a message if the body has none (cable: only d along the
     * tangent, and then the slope, whose length stretches; beam: only d perpendicular to the
     * axis). */
    gos_status (*direction)(gos_arena *a, const gos_body *b, const gos_place *p, const double d[3],
                            gos_marker *m);
    /* Vectors besides the position that a clamp constrains: one slope of a cable, both of a plate,
     * section vectors of a beam; *n: their number. NULL: every direction (rigid bodies) */
    gos_status (*vectors)(gos_arena *a, const gos_body *b, const gos_place *p, int *n,
                          gos_marker m[2]);
    /* z of the law (law->nz markers), for strains and section forces; NULL: none */
    gos_status (*gradients)(gos_arena *a, const gos_body *b, const gos_place *p, gos_marker *z);
    /* Parameters of the law at the place; returns NULL if ambiguous. NULL: gos_body.law_par
     * everywhere */
    const void *(*law_par)(const gos_body *b, const gos_place *p);
    /* Stress or strain at a place, *n values in *r (more than one only with `each`); NULL: from
     * gradients, or not available */
    gos_status (*recover)(gos_builder *b, const gos_body *body, const gos_place *p,
                          const gos_recovery *what, int *n, gos_recovered **r);
    /* The same at point x (t = 0, global axes) between nodes; GOS_E_INPUT with a message if
     * outside. */
    gos_status (*recover_at)(gos_builder *b, const gos_body *body, const double x[3],
                             const gos_recovery *what, gos_recovered **r);
    /* The same at each drawn node (nnode + nmark), of its own material; material NULL: no strain
     * there. Shells: on the side `face`. NULL: from `gradients` at drawn nodes, or not available */
    gos_status (*recover_drawn)(gos_builder *b, const gos_body *body, bool strain, double face,
                                gos_recovered **r);
    /* reference data of the law (law->nref); NULL: none */
    void (*reference)(const gos_body *b, const gos_place *p, double *ref);
    /* Points of the element where strains and section forces are accurate, at most
     * GOS_SECTION_POINTS, with weights for the place. @return their number. NULL: use the place
     * itself */
    int (*section_points)(const gos_body *b, const gos_place *p, gos_place *at, double *weight);
    /* Section force by equilibrium of the element and its neighbours, if more accurate than the
     * law; NULL: not used */
    gos_status (*balance)(gos_builder *b, const gos_body *body, const gos_place *p,
                          gos_balance *to);
    /* Applies it to strains and forces of the law (nstrain). */
    void (*balanced)(const gos_body *b, const void *data, const gos_balance_state *s,
                     double *strain, double *force);
    /* Point at fraction f of an edge (gos_place.edge), and unit vectors along and across it in the
     * body's plane at t = 0. @return elements along the edge; its nodes are at multiples of
     * 1/elements. NULL: no edges */
    int (*edge)(const gos_body *b, int edge, double f, gos_place *p, double along[3],
                double across[3]);
    /* Node k of a set (gos_place.set). @return its number of nodes. NULL: no sets */
    int (*set_node)(const gos_body *b, int set, int k, gos_place *p);
    /* section at arc length s [m] of a tapered body */
    void (*section)(const gos_body *b, double s, gos_section *at);
    /* markers of the nfam temperature families; NULL: no temperature */
    gos_status (*temperature)(gos_arena *a, const gos_body *b, const gos_place *p, gos_tmarker *tm);
    /* Point blocks, n from *first of the builder's, for heat on a mesh surface, the whole skin, or
     * (inside) in the volume; created on first request. NULL: one block, created with the body */
    gos_status (*surface)(gos_builder *b, const gos_body *body, const gos_place *p, bool inside,
                          int *first, int *n);
    /* Passes surface points of a place to `to` (parts/spread.h); they integrate exactly to the
     * order of the body's functions. GOS_E_INPUT with a message if it has no surface. NULL: not
     * supported */
    gos_status (*spread)(gos_builder *b, const gos_body *body, const gos_place *p,
                         const gos_spread_to *to);
    /* fraction of the area of such a surface whose outward normals hit the body again
     * (self-shadowing); NULL: none */
    gos_status (*sees_itself)(gos_ctx *ctx, const gos_body *body, const gos_place *p, double *part);
    /* Smooth fields including constant and linear ones: n for each kind of vector coordinate
     * (position; later section vectors), nt temperature functions, about npoints points (0: none).
     * NULL: only own coordinates (rigid bodies) */
    gos_status (*fields)(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt, int npoints,
                         gos_body_fields *f);
    /* Input or output of this name: its index (from 0) and signal. An input u applies the force u
     * on component c of m[c] and the heat u on tm. NULL: none */
    gos_status (*port)(gos_ctx *ctx, gos_arena *a, const gos_body *b, bool output, const char *name,
                       gos_loc loc, const char *object, int *number, gos_signal *s);
    /* names of the vector coordinates of each node, position first, NULL-terminated, for other
     * programs; NULL: numbered */
    const char *const *coordinates;
    /* Validity indicators at coordinates e, rates v (nv, 3), temperatures th (nt; NULL: unknown).
     * NULL: equations are valid for any state */
    void (*range)(const gos_body *b, const double *e, const double *v, const double *th,
                  gos_body_range *r);
    /* For an `unstiffened` body at coordinates e: geometric stiffness between m motions X (3 nv, m)
     * with stiffness diag(square), and others that the body adds. The caller frees the arrays */
    gos_status (*stress_work)(gos_ctx *ctx, const gos_body *b, const double *e, int m,
                              const double *square, const double *X, gos_stress_work *work);
    /* resolves references to other bodies once all exist; NULL: none */
    gos_status (*finish)(gos_builder *b, gos_body *body);
} gos_body_ops;

struct gos_body {
    const char *name;
    const char *type;
    gos_loc loc;
    int index;
    const gos_body_ops *ops;
    const void *par;                      // data of the type
    const gos_material *material;         // uniform material, or that of the first part; NULL: none
    int nmaterial;                        // number of part materials
    const gos_material *const *materials; // (nmaterial)
    bool stated;      // material properties at a temperature given by the entry ...
    double stated_T;  // ... relative to the reference [K]
    bool current;     // material properties at the current temperatures of its points
    bool plies;       // supports orthotropic materials and laminates, or rejects them itself
    double axis;      // plates: angle of material axis 1 from x [rad]
    bool unstiffened; // equations neglect geometric stiffness (gos_body_ops.stress_work)
    const gos_section *section; // section at the start for tapered bodies
    bool tapered;               // section varies; see ops->section
    int v0, nv;                 // vector coordinates
    int t0, nt;                 // temperature coordinates
    int nfam;                   // temperature families (0: none)
    int nnode;                  // nodes for output
    const int *node_v;          // vector coordinate of each node's position (nnode)
    const int *node_slope;      // vector coordinate of each node's slope, or NULL (nnode)
    const int *node_t;          // first temperature coordinate of each node, or NULL (nnode)
    int cell_size, ncell;       // drawing: 2 = lines, 4 = quadrilaterals
    const int *cell;            // node indices (ncell, cell_size)
    int nmark;                  // additional nodes for pictures, after the others
    const gos_marker *mark;     // (nmark) their positions
    bool arms;                  // ... points of a rigid body, excluded from the extent
    const gos_tmarker *mark_t;  // (nmark) their temperatures; NULL: that of the body, if any
    bool faces;                 // has shells, with separate stresses on both faces
    double length;              // line body [m]
    double v_ref[3];            // reference vector: local z at t = 0 [-]
    // ... rotating with another body: last row of z of its points; NULL: fixed in space
    const gos_marker *carrier;
    // motion (nv, 3) without energy under the quadrature, to be locked by a joint; NULL: none
    const double *idle;
    const gos_law *law; // for strains and section forces; NULL: none
    const void *law_par;
    int rigid_item;       // rigid: item of the orthonormality constraints, else -1
    const gos_made *made; // floating: derived vectors (parts/made.h); else NULL
    // (nv, 2) one or two vector coordinates whose directions represent the local rotation at each
    // coordinate, -1: none. Used to rotate a factorisation with the motion. NULL: none
    const int *turn;
};

/** Materials of a body, `materials` or its only one; *n: number, 0 without material. */
const gos_material *const *gos__body_materials(const gos_body *b, int *n);
/** Whether any material has thermal expansion. */
bool gos__body_expands(const gos_body *b);

/* ---- the builder
 * --------------------------------------------------------------------------------- */

/* Triplets of a symmetric matrix; gos__add_symmetric enters both triangles. */
typedef struct gos_triplets {
    int n, cap;
    int *i, *j;
    double *v;
} gos_triplets;

/* Constant matrices between single coordinates, generally unsymmetric: forces M a + D v + K (q -
 * rest) + G T on components of vector coordinates, heat E T' + S T + H v on temperature
 * coordinates. */
typedef enum gos_constant {
    GOS_CONSTANT_M,
    GOS_CONSTANT_D,
    GOS_CONSTANT_K,
    GOS_CONSTANT_E, // from here on: temperature coordinates
    GOS_CONSTANT_S,
    GOS_CONSTANT_G, // forces by temperatures
    GOS_CONSTANT_H, // heat by rates
    GOS_NCONSTANT
} gos_constant;

/* A single coordinate of the constant matrices. */
typedef struct gos_constant_coordinate {
    bool heat;     // a temperature coordinate
    int i;         // index; component c of vector coordinate v: 3 v + c
    double rest;   // value at zero force of K
    double scale;  // magnitude for tolerances [its unit], 0: extent of the system (temperatures: 1)
    double weight; // weight in norms, a mass or capacity
    // amplitude of a floating body (parts/made.h): no contribution to the system's mass
    bool amplitude;
    bool relative; // weight is relative to the total capacity: controller states
} gos_constant_coordinate;

/* Thermal stress stiffness: forces sum over k of v[k] T_t[k] q_j[k] on i[k]. Arrays live in the
 * builder's arena; matrix positions are set by the system. */
typedef struct gos_heated {
    int n;      // entries
    int *i, *j; // (n) single coordinates; both triangles of a symmetric matrix
    int *t;     // temperature coordinates (n)
    double *v;  // [N/(m K)] (n)
    int *at;    // (n, 2) positions of (i, j) and (i, t) in the Newton matrix
    struct gos_heated *next;
} gos_heated;

struct gos_builder {
    gos_ctx *ctx;
    gos_model *model;
    gos_arena *arena;        // becomes the system's arena
    int nv, vcap;            // vector coordinates
    double (*e0)[3];         // initial values (nv, 3)
    double (*v0)[3];         // initial rates (nv, 3)
    double *trans;           // (nv) 1 for positions, 0 for vectors
    int nt, tcap;            // temperature coordinates
    double *th0;             // initial values (nt)
    double *tmean;           // (nt) 1 for mean temperatures, else 0
    gos_made_list *made;     // derived vectors of floating bodies (parts/made.h), NULL: none
    gos_triplets mass;       // scalar mass [kg ...] times I3, of coordinates and derived vectors
    gos_triplets capacity;   // [J/K ...]
    gos_triplets conduction; // [W/K ...]
    gos_triplets constant[GOS_NCONSTANT];
    int nsingle, scap;
    gos_constant_coordinate *single; // coordinates of the constant matrices
    gos_heated *heated;              // thermal stress stiffness of bodies, NULL: none
    int nbody, bcap;
    gos_body **body;
    gos_points **surface; // (nbody) points of each body with heat surfaces, NULL: none
    gos_names bodies;     // by name
    int npoints, pcap;
    gos_points **points;
    int nitem, icap;
    gos_item **item;
    gos_names items; // first item of each entry
    int nc, nh;      // rows so far
    int nfn, fcap;
    gos_timefn **fn;               // time functions
    gos_names materials, sections; // made before the bodies
    gos_names meshes;              // gos_mesh *, made before the bodies
    gos_names piezo;               // entries of `piezo`, made before the bodies (bodies/piezo.h)
    gos_names electrodes;          // gos_electrode * by name
    struct gos_electrode *electrode, *last_electrode; // ... in order of registration
    gos_node *brought;                 // `loads` and `heat` entries generated by bodies, by section
    double extent;                     // see gos__extent
    int extent_nv;                     // number of coordinates in it
    double gravity[3];                 // [m/s^2]
    const struct gos_orbit *orbit;     // math/orbit.h, NULL: none
    double T_ref;                      // reference temperature [K]
    bool drop_redundant;               // redundant joint rows are dropped
    bool reduce_floating;              // floating bodies are reduced by their `reduce` entries
    bool gough_joule, viscous_heating; // options of the heat equation (theory 2.6)
    gos_linear *linear;                // the last matrices body, NULL: none
    bool stress, strain;               // fields at drawn nodes are requested
    gos_cast_shadow *shadow;           // last of the shadows, NULL: none
    struct gos_controller *controller; // parts/controller.h (ncontroller)
    int ncontroller;
};

/** Whether the model's orbit was rejected; entries that need it then fail without a further
 * message. */
bool gos__orbit_failed(const gos_builder *b);
/** Whether gravity acts on masses, uniform or as the gradient along an orbit. */
bool gos__falls(const gos_builder *b);
/** Checks before allocation whether nv more vector coordinates and nt more temperatures are
 * allowed. @return GOS_E_LIMIT, reported at loc */
gos_status gos__check_room(const gos_builder *b, double nv, double nt, gos_loc loc,
                           const char *object);
/** Adds n vector coordinates with initial values e0 (n, 3; NULL: zero); *first: index of the first.
 * trans: 1 for positions, 0 for vectors. */
gos_status gos__add_vectors(gos_builder *b, int n, const double *e0, double trans, int *first);
gos_status gos__add_temperatures(gos_builder *b, int n, int *first);
/** Adds v at (i, j) and, off the diagonal, at (j, i). */
gos_status gos__add_symmetric(gos_builder *b, gos_triplets *t, int i, int j, double v);
/** Adds v at (i, j) of a constant matrix. */
gos_status gos__add_constant(gos_builder *b, gos_constant which, int i, int j, double v);
/** Adds a thermal stress stiffness of n entries, to be filled by the caller. @return
 * GOS_E_MEMORY */
gos_status gos__add_heated(gos_builder *b, int n, gos_heated **heated);
/** Adds a coordinate of the constant matrices. */
gos_status gos__add_single(gos_builder *b, const gos_constant_coordinate *c);
gos_status gos__add_body(gos_builder *b, const gos_body *body, gos_body **out);
/** Adds a points block whose arrays live in the arena. */
gos_status gos__add_points(gos_builder *b, const gos_points *p);
/** Sets p->drawn from a copy of the points' positions in the picture (gos_drawn: cell (ne) or NULL,
 * at (ng, 2)). @return GOS_E_MEMORY */
gos_status gos__points_draw(gos_arena *a, gos_points *p, const int *cell, const double *at);
/** Adds an item named "KIND 'NAME'" and numbers its rows. *out may be NULL. */
gos_status gos__add_item(gos_builder *b, const gos_item *item, gos_item **out);
/** Registers n time functions, owned by the builder; *first: index of the first. */
gos_status gos__add_timefns(gos_builder *b, int n, gos_timefn *const *fn, int *first);
/** Adds a heat source to the points of a place's body on which surfaces act (gos_points.surface, or
 * gos_body_ops.surface), or to those inside. */
gos_status gos__add_surface(gos_builder *b, const gos_place *p, bool inside, const gos_surface *s);

/** Adds entries generated by a body to a section, from the text of a YAML map; loc is their
 * location. They live as long as the builder. Existing names are rejected. */
gos_status gos__bring_entries(gos_builder *b, const char *section, const char *text, gos_loc loc);
/** Entry of a section after `before` (NULL: the first), generated ones last; NULL at the end. */
const gos_node *gos__next_entry(const gos_builder *b, const char *section, const gos_node *before);

gos_body *gos__find_body(const gos_builder *b, const char *name);
/** First item of an entry ("joint 'pin'"), continued by item->more; NULL if there is none. */
const gos_item *gos__find_item(const gos_builder *b, const char *name);
/** Material or section by name; NULL if unknown (names were checked when read). */
const gos_material *gos__find_material(const gos_builder *b, const char *name);
const gos_section *gos__find_section(const gos_builder *b, const char *name);
/** Whether a material has temperature-dependent properties (material.c). */
bool gos__material_varies(const gos_material *m);
/** Sets table k to a function of the temperature or a constant; NULL: unchanged. */
void gos__material_take(gos_material *m, int k, const gos_timefn *fn);
/** Value of table k at a temperature relative to the reference. */
double gos__material_value(const gos_material *m, int k, double T);
/** Material with its values at that temperature. */
gos_material gos__material_at(const gos_material *m, double T);
/** Mesh by name; lives as long as the system. */
const gos_mesh *gos__find_mesh(const gos_builder *b, const char *name);
/** Resolves "ground", "BODY", "BODY.start", ... Error messages contain a suggestion. */
gos_status gos__locate(gos_builder *b, const char *text, gos_loc loc, const char *object,
                       gos_place *place);
/** Marker of a place's position; ground: fixed at place->x. */
gos_status gos__position(gos_builder *b, const gos_place *p, gos_marker *m);
/** Marker of a vector fixed to the body at the place and equal to d at t = 0; ground: constant. */
gos_status gos__direction(gos_builder *b, const gos_place *p, const double d[3], gos_loc loc,
                          const char *object, gos_marker *m);

/* maximum number of time functions of an item */
#define GOS_ITEM_FUNCTIONS 16
/** gos_item_type.by_amount for items linear in their inputs: evaluates with this input 1 and all
 * other functions 0. */
void gos__by_unit_amount(const gos_item *it, const gos_item_io *io, const gos_amount *k);

/* marker values */
void gos__marker_value(const gos_marker *m, const double *e, double x[3]);
void gos__marker_rate(const gos_marker *m, const double *v, double x[3]); // without the offset
double gos__tmarker_value(const gos_tmarker *m, const double *th);

/* Builds entries of a section. */
typedef gos_status (*gos_build_fn)(gos_builder *b, const gos_type *type, const gos_node *entry,
                                   const char *name, const char *object);
typedef struct gos_build_ops {
    gos_build_fn build;
} gos_build_ops;

/* ---- evaluating points (hot)
 * --------------------------------------------------------------------- */

/* Inputs and outputs of point sums: plain arrays of the whole system. */
typedef struct gos_points_sum {
    const double *e, *v, *th; // coordinates (nv,3), rates, temperatures
    const double *mem;        // memory of the whole system
    const double *fn;         // internal force (nv, 3), added; NULL: energy only
    double t, scale;
    double *Q;              // heat (nt), added; may be NULL
    double *R;              // heat (nt), added; NULL without
    double *energy, *power; // sums, added; may be NULL
    double *dwdth;          // dW/dtheta (nt), added; may be NULL
} gos_points_sum;

/* Factors of the derivatives in a tangent: force rows k dQ/de + d dQ/dv and k dQ/dth, heat rows
 * -(hk dR/de + hd dR/dv) and -hk dR/dth. Each may be 0. */
typedef struct gos_points_factors {
    double k, d, hk, hd;
    bool triangular; // dense: heat rows without dR/de and dR/dv
    bool symmetric;  // dense: symmetric part of k dQ/de + d dQ/dv
} gos_points_factors;

/* Batch with coordinates shared between threads. Its contributions to them are kept and added later
 * in serial order. */
typedef struct gos_points_held {
    const unsigned char *mask; // lanes (bits) to keep for each of the n unknowns; NULL: none
    double *kept;              // kept forces and heat, or tangent entries (system/thread_shares.h)
} gos_points_held;

/* Range of batches of a block. */
typedef struct gos_points_part {
    int from, to;                // batches
    const gos_points_held *held; // (nb), NULL: nothing kept
    double *energy, *power;      // (nb) per batch, overwritten; NULL: added to the sum
} gos_points_part;

/** Adds internal forces and heat of all points of p. No allocation; `work` has gos__points_work(p)
 * doubles, 64-byte aligned. */
void gos__points_residual(const gos_points *p, const gos_points_sum *s, double *work);
/** Likewise for a part; not for dense blocks. */
void gos__points_residual_part(const gos_points *p, const gos_points_part *part,
                               const gos_points_sum *s, double *work);
/** Adds the kept contributions of batch ib. */
void gos__points_add_kept(const gos_points *p, int ib, const gos_points_held *held,
                          const gos_points_sum *s);
/** Element tangents of batch ib: A[(row)(col)][lane] with n = 3 nv + nt nfam unknowns per element
 * (vector coordinates first, then temperatures node-major). */
void gos__points_tangent(const gos_points *p, int ib, const gos_points_sum *s,
                         const gos_points_factors *f, double *A, double *work);
size_t gos__points_work(const gos_points *p);
/** Updates the memory of the points in `mem` after an accepted step. Only for laws with memory;
 * `work` as for the residual. */
void gos__points_accept(const gos_points *p, const gos_points_sum *s, double *mem, double *work);
/** Tangents of dense (reduced) blocks with the same fields, added to a dense column-major matrix of
 * order n; temperature unknowns begin at nq. `work` has the maximum of gos__points_dense_work over
 * the blocks, 64-byte aligned. */
void gos__points_tangent_dense(const gos_points *const *list, int nlist, const gos_points_sum *s,
                               const gos_points_factors *f, int n, int nq, double *values,
                               double *work);
size_t gos__points_dense_work(const gos_points *p);
/** Whether two blocks have the same fields and both have points (no gram). */
bool gos__points_together(const gos_points *a, const gos_points *b);

#endif
