/* Linear multifield models. */
#ifndef GOS_LINEAR_INTERNAL_H
#define GOS_LINEAR_INTERNAL_H

#include "gossamer/linear.h"
#include "linalg/saddle.h"

#define GOS_SYMMETRIC 1e-10 // largest relative asymmetry of a symmetric matrix

enum {
    GOS_LINEAR_PARTS = 3,
    GOS_LINEAR_SQUARE = 5
}; // blocks with a stored symmetric part; square blocks of rates and values

/* numbers of coordinates, temperatures, potentials, rows of C and H, inputs, outputs */
typedef struct gos_linear_size {
    int nq, nt, nphi, nc, nh, nu, ny;
} gos_linear_size;

struct gos_linear {
    gos_ctx *ctx;
    gos_arena *arena; // names
    int nq, nt, nphi, nc, nh, nu, ny;
    gos_sparse block[GOS_NBLOCKS];
    gos_sparse M, K, K_T;          // symmetric parts; symmetric blocks themselves
    bool shared[GOS_LINEAR_PARTS]; // M, K, K_T are the blocks
    bool symmetric, symmetric_K;   // all square blocks are symmetric; K is
    bool gyroscopic;               // D is not symmetric
    gos_sparse whirl; // skew, about a steady rotation: direction of whirls (whirl.c); else empty
    double spin;      // its rate [rad/s]
    double *rigid;    // unit translations and rotations (6, nq): gos_linear_rigid
    int ncomp;        // coordinates per name: 3 (x, y, z) or 1
    const char **coordinate;  // names (nq / ncomp)
    const char **temperature; // names (nt)
    gos_port *input, *output; // (nu), (ny)
    const char *units;        // of all values, as gos_model_units
};

/** Reject sizes that are impossible for model files of `bytes` in total: each coordinate, row,
 *  input and output occupies some. Small sizes pass. `path`: for the message. */
gos_status gos__linear_check_size(gos_ctx *ctx, const char *path, const gos_linear_size *size,
                                  size_t bytes);
/** Create a model with empty blocks; fill them, then call gos__linear_close. */
gos_status gos__linear_create(gos_ctx *ctx, const gos_linear_size *size, gos_linear **linear);
/** Check symmetry and sizes of filled blocks. */
gos_status gos__linear_close(gos_linear *linear);

/** Replace a block by a copy of A; GOS_E_INPUT with a message if sizes differ. */
gos_status gos__linear_put(gos_linear *linear, gos_block block, const gos_sparse *A);
/** Name input or output i (copied). */
gos_status gos__linear_name_input(gos_linear *linear, int i, const char *name, const char *unit);
gos_status gos__linear_name_output(gos_linear *linear, int i, const char *name, const char *unit);
gos_status gos__linear_set_units(gos_linear *linear, const char *units);
/** Copy units, and the names of inputs and outputs of a model with equal numbers. */
gos_status gos__linear_name_ports(const gos_linear *from, gos_linear *to);
/** Copy all names and rigid motions of a model with equal sizes. */
gos_status gos__linear_copy_names(const gos_linear *from, gos_linear *to);
/** Deep copy. */
gos_status gos__linear_copy(gos_ctx *ctx, const gos_linear *from, gos_linear **linear);

/** Set rigid-body motions from a matrix (nq, 6); GOS_E_INPUT for other sizes. (rigid_modes.c) */
gos_status gos__linear_put_rigid(gos_linear *linear, const gos_sparse *A);
/** Classify (kind, axis) the complete set of r zero-frequency modes X (nq, r), orthonormal in M,
 *  and rotate them into rigid-body motions and mechanisms. */
gos_status gos__rigid_name(gos_ctx *ctx, const gos_linear *linear, int r, double *X,
                           gos_mode *modes);

/** Lowest undamped modes, of which only the frequencies are used: no warning if one more has the
 *  last frequency. */
gos_status gos__linear_frequencies(gos_ctx *ctx, const gos_linear *linear, int n, gos_mode *modes,
                                   int *found);
/** gos_linear_shapes for all modes (modes (nq), shapes (nq, nq)), with an arbitrary basis for
 *  equal frequencies. */
gos_status gos__linear_shapes_all(gos_ctx *ctx, const gos_linear *linear, gos_mode *modes,
                                  double *shapes, int *found);
/** gos_linear_shapes for symmetric models of displacements only with positive eigenvalues, with
 *  the caller's factorisation of K at 0, which is not counted. */
gos_status gos__linear_shapes_about(gos_ctx *ctx, const gos_linear *linear, gos_saddle *saddle,
                                    int n, gos_mode *modes, double *shapes, int *found);
/** eps times the largest Rayleigh quotient of a coordinate (modes.c) */
double gos__linear_drift(const gos_linear *l);
/** Largest of the lowest `count` eigenvalues that is round-off of 0; 0: none. */
double gos__linear_rounding(double drift, int count, const double *lambda);
/** Set eigenvalues up to `level` to 0. */
void gos__linear_zeros(double level, int count, double *lambda);

/** Reject user-supplied matrices with invalid structure or entries. */
gos_status gos__linear_check_view(gos_ctx *ctx, const char *name, const gos_matrix_view *v);

/** The n lowest modes of the quadratic problem, `damped` or without the symmetric part of D
 *  (damped.c). */
gos_status gos__linear_damped(gos_ctx *ctx, const gos_linear *linear, int n, bool damped,
                              gos_mode *modes, int *found);

/* request, with options for tests on small models */
typedef struct gos_damped_def {
    int n, nthermal;   // modes, thermal roots
    bool damped, heat; // include the symmetric part of D; include temperatures
    int whole;         // most first-order unknowns for solution by LAPACK
    int omitted; // undamped mode and thermal field omitted from the initial basis, from 1; 0: none
} gos_damped_def;

gos_status gos__linear_damped_part(gos_ctx *ctx, const gos_linear *linear,
                                   const gos_damped_def *def, gos_mode *modes, int *found,
                                   gos_root *roots, int *nroots);

/** The same with temperatures (at least one), and the slowest thermal roots. */
gos_status gos__linear_damped_heat(gos_ctx *ctx, const gos_linear *linear, int n, gos_mode *modes,
                                   int *found, int nthermal, gos_root *roots, int *nroots);

/** gos_linear_transient with outputs at every `every`-th time; *used: scheme. */
gos_status gos__linear_transient(gos_ctx *ctx, const gos_linear *linear, gos_transient scheme,
                                 double h, int n, int every, const double *u, double *y,
                                 gos_transient *used);

#endif
