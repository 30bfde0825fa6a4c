/* Bodies, their locations and sides of joints on them. */
#ifndef GOS_PARTS_BODY_H
#define GOS_PARTS_BODY_H

#include "parts/item.h"
#include "parts/law.h"

/* Override of what rotates at a location. */
typedef enum gos_location_rotates {
    GOS_LOCATION_AS_BODY,
    GOS_LOCATION_TURNS,
    GOS_LOCATION_STAYS
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
    gos_location location[2];
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
#define GOS_BALANCE_VECTORS 36
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
    const double *z, *ref; // of the law at the location
    const double *mem;     // of the law, or NULL
} gos_balance_state;

/* Indicators of limits of validity. */
typedef struct gos_body_range {
    double stiffening;   // neglected relative change of a mode's stiffness
    double left;         // ... by moments of weight and rotation, neglected at any order
    double twist;        // estimated relative error of the response to a torque that twists it
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

#define GOS_PATCH_POINTS 64

typedef struct gos_body_ops {
    /* "start", "end", "node(i)", "at(s)", face names...; `ref` is the part after "BODY." */
    gos_status (*locate)(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                         const char *object, gos_location *location);
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
     * their number. NULL: the location itself */
    int (*section_points)(const gos_body *b, const gos_location *p, gos_location *at,
                          double *weight);
    /* Points of the elements around a location at which strains converge fastest, and their
     * positions x relative to it at t = 0 [m]; *n at most GOS_PATCH_POINTS, *degree that of the
     * polynomial that recovers the strain of the location (Zienkiewicz and Zhu 1992). NULL: none */
    gos_status (*patch)(gos_builder *b, const gos_body *body, const gos_location *p,
                        gos_location *at, double (*x)[3], int *degree, int *n);
    /* Section force by equilibrium, if more accurate than the law; may be NULL */
    gos_status (*balance)(gos_builder *b, const gos_body *body, const gos_location *p,
                          gos_balance *to);
    /* Applies it to strains and forces (nstrain). @return estimated error of forces, 0: none */
    double (*balanced)(const gos_body *b, const void *data, const gos_balance_state *s,
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
    bool finite;                          // linear, although its deck has NLGEOM: stricter limits
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
    int rigid_item;             // orthonormality constraints, or -1
    const gos_derived *derived; // derived vectors (parts/derived.h), or NULL
    // (nv, 2) vector coordinates that represent the local rotation, -1: none; for rotating a
    // factorisation with the motion. May be NULL
    const int *turn;
};

/** `materials` or its only one; *n may be 0. */
const gos_material *const *gos__body_materials(const gos_body *b, int *n);
bool gos__body_expands(const gos_body *b);

#endif
