/* A linear multifield model: matrices with a meaning, whoever made them. */
#ifndef GOS_LINEAR_INTERNAL_H
#define GOS_LINEAR_INTERNAL_H

#include "gossamer/linear.h"
#include "linalg/saddle.h"

#define GOS_SYMMETRIC 1e-10 // largest asymmetry of a symmetric matrix, relative

enum {
    GOS_LINEAR_PARTS = 3,
    GOS_LINEAR_SQUARE = 5
}; // with a symmetric part; square blocks of rates and values

/* numbers of coordinates, temperatures, potentials, rows of C, rows of H, inputs, outputs */
typedef struct gos_linear_size {
    int nq, nt, nphi, nc, nh, nu, ny;
} gos_linear_size;

struct gos_linear {
    gos_ctx *ctx;
    gos_arena *arena; // names
    int nq, nt, nphi, nc, nh, nu, ny;
    gos_sparse block[GOS_NBLOCKS];
    gos_sparse M, K, K_T;          // symmetric parts; of blocks that are symmetric these themselves
    bool shared[GOS_LINEAR_PARTS]; // M, K, K_T are the blocks
    bool symmetric, symmetric_K;   // checked: all square blocks; K
    bool gyroscopic;               // D is not symmetric
    double *rigid;                 // unit translations, then rotations (6, nq): gos_linear_rigid
    int ncomp;                     // coordinates that share a name: 3 (x, y, z) or 1
    const char **coordinate;       // names (nq / ncomp)
    const char **temperature;      // names (nt)
    gos_port *input, *output;      // (nu), (ny)
};

/** Refuse sizes that the files of a model, `bytes` in all, do not bear out: each coordinate, row,
 * input and output takes a few of them. Small ones are free. `path` is named in the message. */
gos_status gos__linear_check_size(gos_ctx *ctx, const char *path, const gos_linear_size *size,
                                  size_t bytes);
/** A model with empty blocks of the right sizes, to be filled and then closed. */
gos_status gos__linear_create(gos_ctx *ctx, const gos_linear_size *size, gos_linear **linear);
/** Check symmetry and sizes once the blocks are there. */
gos_status gos__linear_close(gos_linear *linear);

/** Replace a block by a copy of A; where sizes differ GOS_E_INPUT with a record. */
gos_status gos__linear_put(gos_linear *linear, gos_block block, const gos_sparse *A);
/** Name input or output i (names are copied). */
gos_status gos__linear_name_input(gos_linear *linear, int i, const char *name, const char *unit);
gos_status gos__linear_name_output(gos_linear *linear, int i, const char *name, const char *unit);
/** Name inputs and outputs as those of another model with as many. */
gos_status gos__linear_name_ports(const gos_linear *from, gos_linear *to);
/** Names of coordinates, temperatures, inputs and outputs, and rigid motions as those of another
 * model with as many. */
gos_status gos__linear_copy_names(const gos_linear *from, gos_linear *to);
/** A model of its own with the same contents. */
gos_status gos__linear_copy(gos_ctx *ctx, const gos_linear *from, gos_linear **linear);

/** Take the motions of the model as a rigid body from a matrix (nq, 6) (rigid.c); GOS_E_INPUT when
 * it has another size. */
gos_status gos__linear_put_rigid(gos_linear *linear, const gos_sparse *A);
/** Give the names of what they are (kind, axis) to r modes without restoring force, X (nq, r)
 * orthonormal in M, all that there are; they are turned into rigid-body motions and mechanisms
 * (rigid.c). */
gos_status gos__rigid_name(gos_ctx *ctx, const gos_linear *linear, int r, double *X,
                           gos_mode *modes);

/** As gos_linear_shapes, all there are (modes (nq), shapes (nq, nq)); those of equal frequency are
 * any basis of what they span. */
gos_status gos__linear_shapes_all(gos_ctx *ctx, const gos_linear *linear, gos_mode *modes,
                                  double *shapes, int *found);
/** As gos_linear_shapes, of a model of displacements alone, symmetric, all of whose eigenvalues are
 * above 0: about 0, where the caller has factorised K with its constraints, and not counted
 * (gos__eigen_about). */
gos_status gos__linear_shapes_about(gos_ctx *ctx, const gos_linear *linear, gos_saddle *saddle,
                                    int n, gos_mode *modes, double *shapes, int *found);
/** eps times the largest Rayleigh quotient of a single coordinate, the size of the largest
 * eigenvalue (zeros.c) */
double gos__linear_drift(const gos_linear *l);
/** The largest of the lowest `count` computed eigenvalues that are rounding of 0 by what the
 * vectors contain of each other; 0: none is. */
double gos__linear_rounding(double drift, int count, const double *lambda);
/** Eigenvalues of at most that size := 0 */
void gos__linear_zeros(double level, int count, double *lambda);

/** Refuse a matrix that came from outside and is not one, or has entries that are not finite. */
gos_status gos__linear_check_view(gos_ctx *ctx, const char *name, const gos_matrix_view *v);

/** gos_linear_response at frequencies first <= k < behind of the n alone, with the digits that all
 * of them together have there; H is that of all (response.c). */
gos_status gos__linear_response_part(gos_ctx *ctx, const gos_linear *linear, int n,
                                     const double *omega, int first, int behind, double *H);

/** Damped modes of the quadratic problem, or those without the symmetric part of D: the n lowest
 *  (damped.c). */
gos_status gos__linear_damped(gos_ctx *ctx, const gos_linear *linear, int n, bool damped,
                              gos_mode *modes, int *found);

/* what is asked for, and what tests need to come to the iteration with small models */
typedef struct gos_damped_def {
    int n, nthermal;   // modes, thermal roots
    bool damped, heat; // with the symmetric part of D; with temperatures
    int whole;         // unknowns of first order up to which LAPACK finds all roots
    int omitted; // undamped mode and thermal field that are left out of the first basis, from 1; 0:
                 // none
} gos_damped_def;

gos_status gos__linear_damped_part(gos_ctx *ctx, const gos_linear *linear,
                                   const gos_damped_def *def, gos_mode *modes, int *found,
                                   gos_root *roots, int *nroots);

/** The same with temperatures (there must be some), and the slowest thermal roots. */
gos_status gos__linear_damped_heat(gos_ctx *ctx, const gos_linear *linear, int n, gos_mode *modes,
                                   int *found, int nthermal, gos_root *roots, int *nroots);

/** gos_linear_transient with outputs at every `every`-th point of time only; *used: the scheme that
 * it took (transient.c). */
gos_status gos__linear_transient(gos_ctx *ctx, const gos_linear *linear, gos_transient scheme,
                                 double h, int n, int every, const double *u, double *y,
                                 gos_transient *used);

#endif
