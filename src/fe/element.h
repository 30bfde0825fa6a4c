/* Interface of finite elements: matrices of eight cells at once. One file per formulation or
   family, and a line in elements.c. */
#ifndef GOS_FE_ELEMENT_H
#define GOS_FE_ELEMENT_H

#include "base/kernel.h"
#include "fe/material.h"
#include "mesh/shapes.h"

#define GOS_FE_LANES 8
#define GOS_FE_FREEDOMS 6 // per node: displacements along x y z, rotations about them
#define GOS_FE_HEATS 2    // temperatures per node: mean, gradient through the thickness
#define GOS_FE_MOTIONS 16 // largest number of motions in stress_work

/* Bits of freedoms. */
enum { GOS_FE_UX = 1, GOS_FE_UY = 2, GOS_FE_UZ = 4, GOS_FE_RX = 8, GOS_FE_RY = 16, GOS_FE_RZ = 32 };

typedef struct gos_fe_element gos_fe_element;
typedef struct gos_fe_profile gos_fe_profile; // beam_section.h
typedef struct gos_fe_layup gos_fe_layup;     // layup.h

/* Location in the thickness of a shell or the section of a beam. */
typedef struct gos_fe_depth {
    double face;     // shells: -1 ... 1 through the thickness, or ...
    int ply;         // ... of this ply, counted from 1 at the lower face; 0: all plies
    bool own;        // components in ply axes, else in mesh axes
    double fibre[2]; // beams: y, z from the middle of the section [m]
} gos_fe_depth;

typedef struct gos_fe_part {
    const gos_fe_element *element;
    int n;           // number of cells
    const int *cell; // (n), distinct; NULL: all cells of the dimension
    const gos_fe_material *material;
    double thickness;              // of plane stress, plane strain, shells [m]; area of trusses
    double offset;                 // of the middle of shells and layers along the directors [m]
    bool follows;                  // layer, in the shell's freedoms
    const gos_fe_layup *layup;     // shells: plies, with mean `material`; NULL: homogeneous
    const gos_fe_profile *profile; // beams
    /* material axes, unit vectors in rows (9), NULL: mesh axes; shells: axis 3 is the normal, axis
       1 the projected first row; beams: NULL, axis 1 is along them */
    const double *axes;
    bool axes_by_cell; // axes are (n, 9)
    gos_loc loc;       // of the part, for messages
    const char *object;
} gos_fe_part;

/* Eight cells of a part; the last cell fills unused lanes. */
typedef struct gos_fe_batch {
    const gos_fe_part *part;
    gos_cell_shape shape;
    int nodes;
    int cell[GOS_FE_LANES];     // indices in the mesh
    int at[GOS_FE_LANES];       // indices in the part
    const double *x;            // positions (nodes, 3) lanes
    const double *director;     // shells (nodes, 3) lanes
    const gos_fe_material *own; // in mesh axes, per lane (8); NULL: that of the part
} gos_fe_batch;

/* Matrices in lanes; NULL: not requested. nd, nt: nodes times freedoms, temperatures. Symmetric
   ones are filled for j >= i. */
typedef struct gos_fe_local {
    double *K;       // (nd, nd)
    double *mass;    // scalar: int rho N N (nodes, nodes) [kg]
    double *rotary;  // int rho zeta^2 N N, zeta along the directors (nodes, nodes) [kg m^2]
    double *moment;  // int rho zeta N N, shells (nodes, nodes) [kg m]
    double *C;       // heat capacity (nt, nt) [J/K]
    double *conduct; // (nt, nt) [W/K]
    double *couple;  // force per temperature, on the right-hand side (nd, nt) [N/K]
    double *least;   // smallest over largest point volume, not positive if inverted (1)
    double *G;       // stress stiffness (nd, nd), filled cell by cell during assembly
    double *scratch; // of the size requested by the element
} gos_fe_local;

typedef struct gos_fe_cell {
    const gos_fe_part *part;
    int at; // index in the part
    gos_cell_shape shape;
    int nodes;
    double x[GOS_CELL_NODES][3], director[GOS_CELL_NODES][3];
    gos_fe_material material; // in mesh axes
    bool axial;               // for beam stress: axial force only
} gos_fe_cell;

struct gos_fe_element {
    const char *name, *doc;
    const void *how;   // distinguishes elements of a family
    int dim;           // of the cells
    unsigned freedoms; // bits
    int comps;         // number of freedoms
    int heats;         // temperatures per node
    bool directors;    // mass lies off the nodes, along directors
    bool thick;        // has a thickness
    bool ring;         // axisymmetric about y
    bool reduced;      // mass and volume loads by GOS_RULE_REDUCED_MASS
    unsigned shapes;   // bits 1 << gos_cell_shape
    /** Make the data common to cells of this shape. */
    gos_status (*prepare)(gos_ctx *ctx, const gos_fe_part *part, gos_cell_shape shape,
                          gos_arena *arena, void **data);
    size_t (*scratch)(const void *data); // number of doubles
    void (*matrices)(const void *data, const gos_fe_batch *batch, gos_fe_local *local);
    /** NULL, or for particles that do not move by shape functions (`mass` 0): products int rho f g
     * of fields 1, X and 4 + 3 freedom + component (4 + 3 nd, 4 + 3 nd). */
    void (*gram)(const void *data, const gos_fe_cell *cell, double *G);
    /** Likewise for rotating sections: second derivatives (nd, nd) of int rho y_d (theta x (theta x
     * y) / 2)_c, mesh axes, y from the section's middle. */
    void (*turned)(const void *data, const gos_fe_cell *cell, int c, int d, double *S);
    /** Stress, or strain, at n points by displacements (n, 6, nd) and temperatures (n, 6, nt), mesh
     * axes. */
    void (*recover)(const void *data, const gos_fe_cell *cell, bool strain, int n, double (*at)[3],
                    const gos_fe_depth *depth, double *by_u, double *by_t);
    /** (nd, nd), symmetric, for displacements u (nd) and temperatures t (nt). */
    void (*stress_stiffness)(const void *data, const gos_fe_cell *cell, const double *u,
                             const double *t, double *G);
    /** Between m motions X (m, nd): by_u (pairs, nd), by_t (pairs, nt) += derivatives of x_i^T G
     * x_j, pair i (i + 1) / 2 + j, j <= i, plus work of stress on `second` (pairs, nd; may be
     * NULL). */
    void (*stress_work)(const void *data, const gos_fe_cell *cell, int m, const double *X,
                        const double *second, double *by_u, double *by_t);
};

/* All elements: X(NAME) is gos__fe_element_NAME, in its file. */
#define GOS_FE_ELEMENTS(X)                                                                         \
    X(plane_stress)                                                                                \
    X(plane_stress_reduced)                                                                        \
    X(plane_stress_incompatible)                                                                   \
    X(plane_strain)                                                                                \
    X(plane_strain_reduced)                                                                        \
    X(plane_strain_incompatible)                                                                   \
    X(axisymmetric)                                                                                \
    X(axisymmetric_reduced)                                                                        \
    X(solid)                                                                                       \
    X(solid_reduced)                                                                               \
    X(solid_incompatible)                                                                          \
    X(shell)                                                                                       \
    X(truss)                                                                                       \
    X(plane_truss)                                                                                 \
    X(beam)
#define X(name) extern const gos_fe_element gos__fe_element_##name;
GOS_FE_ELEMENTS(X)
#undef X

/** Lookup by name; NULL: none. */
const gos_fe_element *gos__fe_element(const char *name);
/** All elements, and their number. */
const gos_fe_element *const *gos__fe_elements(int *n);

/** Of cell `at` (or all, with common axes), in mesh axes. */
void gos__fe_part_material(const gos_fe_part *part, int at, gos_fe_material *m);

#endif
