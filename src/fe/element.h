/* What a finite element is to the assembly: a table of functions that make matrices of eight cells
   side by side. One file for a formulation (or a family of them), and a line in elements.c. */
#ifndef GOS_FE_ELEMENT_H
#define GOS_FE_ELEMENT_H

#include "base/kernel.h"
#include "fe/material.h"
#include "mesh/shapes.h"

#define GOS_FE_LANES 8
#define GOS_FE_FREEDOMS 6 // of a node: displacements along x y z, rotations about them
#define GOS_FE_HEATS 2    // temperatures of a node: mean, gradient through the thickness
#define GOS_FE_MOTIONS 16 // most that are looked at together (stress_work)

/* Bits of freedoms. */
enum { GOS_FE_UX = 1, GOS_FE_UY = 2, GOS_FE_UZ = 4, GOS_FE_RX = 8, GOS_FE_RY = 16, GOS_FE_RZ = 32 };

typedef struct gos_fe_element gos_fe_element;
typedef struct gos_fe_profile gos_fe_profile; // profile.h
typedef struct gos_fe_layup gos_fe_layup;     // layup.h

/* Where in the thickness of a shell, or in the section of a beam. */
typedef struct gos_fe_depth {
    double face;     // of shells: -1 ... 1 through the thickness, or through ...
    int ply;         // ... this ply, counted from 1 at the lower face; 0: all of it
    bool own;        // components in the axes of the ply there, else in those of the mesh
    double fibre[2]; // of beams: y, z from the middle of the section [m]
} gos_fe_depth;

/* Cells of one formulation and material. */
typedef struct gos_fe_part {
    const gos_fe_element *element;
    int n;           // cells
    const int *cell; // (n), each once; NULL: all cells of the mesh of the element's dimension
    const gos_fe_material *material;
    double thickness; // of plane stress, plane strain and shells [m]
    double offset; // of shells and layers on them: of their middle along the cells' directors [m]
    bool follows;  // a layer, which takes part in what the shell under it does
    const gos_fe_layup *layup;     // of shells: plies, whose mean is `material`; NULL: that alone
    const gos_fe_profile *profile; // of beams
    /* of the material, unit vectors in rows (9), NULL: those of the mesh; of shells axis 3 is the
       normal, axis 1 the direction of the first row in the surface; of beams NULL, axis 1 is along
       them */
    const double *axes;
    bool axes_by_cell;  // axes are (n, 9)
    gos_loc loc;        // where it stands, for messages
    const char *object; //
} gos_fe_part;

/* Eight cells of a part; at the end of its cells the last one stands in the lanes that are left
 * over. */
typedef struct gos_fe_batch {
    const gos_fe_part *part;
    gos_cell_shape shape;
    int nodes;                  //
    int cell[GOS_FE_LANES];     // in the mesh
    int at[GOS_FE_LANES];       // in the part
    const double *x;            // places (nodes, 3) lanes
    const double *director;     // of shells (nodes, 3) lanes
    const gos_fe_material *own; // in axes of the mesh, of each lane (8); NULL: that of the part
} gos_fe_batch;

/* Matrices of a batch, in lanes; what is NULL is not asked for. With nd = nodes times freedoms of
   the element, nt = nodes times temperatures. Symmetric ones are filled from the diagonal upwards
   (j >= i). */
typedef struct gos_fe_local {
    double *K;       // (nd, nd)
    double *mass;    // scalar: int rho N N (nodes, nodes) [kg]
    double *rotary;  // int rho zeta^2 N N, zeta along the directors (nodes, nodes) [kg m^2]
    double *moment;  // int rho zeta N N of shells (nodes, nodes) [kg m]
    double *C;       // heat capacity (nt, nt) [J/K]
    double *conduct; // (nt, nt) [W/K]
    double *couple;  // force by temperature on the right-hand side (nd, nt) [N/K]
    double *least; // least volume of a point over the largest, not positive where a cell is turned
                   // inside out (1)
    double *G;     // stiffness of the stress (nd, nd), which the assembly fills cell by cell
    double *scratch; // as many as the element asks for
} gos_fe_local;

/* One cell, for what is not done often. */
typedef struct gos_fe_cell {
    const gos_fe_part *part;
    int at; // in the part
    gos_cell_shape shape;
    int nodes;
    double x[GOS_CELL_NODES][3], director[GOS_CELL_NODES][3];
    gos_fe_material material; // in axes of the mesh
    bool axial;               // of a beam's stress its axial force alone is wanted
} gos_fe_cell;

struct gos_fe_element {
    const char *name, *doc;
    const void *how;   // what tells it from others of its family
    int dim;           // of its cells
    unsigned freedoms; // bits
    int comps;         // as many
    int heats;         // temperatures of a node
    bool directors;    // its mass lies off the nodes, along directors
    bool thick;        // has a thickness
    bool ring;         // goes around the axis y
    unsigned shapes;   // bits 1 << gos_cell_shape
    /** Everything that cells of this shape share. */
    gos_status (*prepare)(gos_ctx *ctx, const gos_fe_part *part, gos_cell_shape shape,
                          gos_arena *arena, void **data);
    size_t (*scratch)(const void *data); // doubles
    void (*matrices)(const void *data, const gos_fe_batch *batch, gos_fe_local *local);
    /** Of elements whose particles do not move by the shape functions of their cells, with `mass`
     * 0, else NULL: products int rho f g of the fields 1, X and those of the freedoms, field 4 + 3
     * freedom + component (4 + 3 nd, 4 + 3 nd). */
    void (*gram)(const void *data, const gos_fe_cell *cell, double *G);
    /** Of such elements whose particles turn with sections: second derivatives (nd, nd) of int rho
     * y_d (theta x (theta x y) / 2)_c, along axes c and d of the mesh, over particles at y from the
     * middle of their section; NULL: they do not. */
    void (*turned)(const void *data, const gos_fe_cell *cell, int c, int d, double *S);
    /** Stress, or strain, at n points by displacements (n, 6, nd) and temperatures (n, 6, nt), axes
     * of the mesh.
     *  @param depth  of all of them */
    void (*recover)(const void *data, const gos_fe_cell *cell, bool strain, int n, double (*at)[3],
                    const gos_fe_depth *depth, double *by_u, double *by_t);
    /** What the stress of displacements u (nd) and temperatures t (nt) adds to the stiffness (nd,
     * nd), symmetric. */
    void (*stress_stiffness)(const void *data, const gos_fe_cell *cell, const double *u,
                             const double *t, double *G);
    /** The same between m motions X (m, nd) alone, for any stress: by_u (pairs, nd) and by_t
     * (pairs, nt) += derivatives of x_i^T G x_j, pair i (i + 1) / 2 + j with j <= i, by u and t.
     * Where `second` (pairs, nd) is not NULL, with the work of the stress on these
     * displacements. */
    void (*stress_work)(const void *data, const gos_fe_cell *cell, int m, const double *X,
                        const double *second, double *by_u, double *by_t);
};

/* All of them: X(NAME) is gos__fe_element_NAME, in its file. */
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
    X(beam)
#define X(name) extern const gos_fe_element gos__fe_element_##name;
GOS_FE_ELEMENTS(X)
#undef X

/** By name; NULL: there is none. */
const gos_fe_element *gos__fe_element(const char *name);
/** All of them, and their number. */
const gos_fe_element *const *gos__fe_elements(int *n);

/** Material of cell `at` of a part, or of all of them where they share axes, in the axes of the
 * mesh. */
void gos__fe_part_material(const gos_fe_part *part, int at, gos_fe_material *m);

#endif
