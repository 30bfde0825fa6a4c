/* A linear model as a matrix polynomial, P(s) x = (A0 + s A1 + s^2 A2) x = B u, C x = 0, y = (Y0
   + s Y1) x + Yu u, x = (q, theta, phi), for methods based on solves with P(s0); only projection
   distinguishes the fields. */
#ifndef GOS_REDUCE_PENCIL_H
#define GOS_REDUCE_PENCIL_H

#include "linalg/complex_solver.h"
#include "linalg/saddle.h"
#include "linear/linear.h"

#define GOS_PENCIL_BLOCK 16 // right-hand sides per block

enum { GOS_FIELD_Q, GOS_FIELD_T, GOS_FIELD_PHI, GOS_NFIELDS };

typedef struct gos_reduce_pencil {
    gos_ctx *ctx;
    int n, nc, nu, ny;          // unknowns, constraints, inputs, outputs
    int start[GOS_NFIELDS + 1]; // first unknown of each field
    int max[GOS_NFIELDS];       // unconstrained unknowns of each field
    gos_sparse A[3];            // (n, n)
    gos_sparse C;               // (nc, n)
    double *B;                  // (n, nu)
    bool symmetric;             // A0, A1 and A2 are
    // symmetric, or with an energy form that field bases preserve: left vectors would only lose
    // stability
    bool one_sided;
    double *Y[2];               // Y0^T, Y1^T (n, ny)
    double *Yu;                 // (ny, nu)
    gos_pattern pattern;        // of [P C^T; C 0]
    double scale;               // scale of constraints relative to A0
    double *value[3];           // of A0 with C, A1, A2 (pattern.nnz)
    int ncomp;                  // components per node
    bool real;                  // the last factorisation was real symmetric,
    int negative;               // with this many negative eigenvalues
    bool factored;              // a factorisation exists,
    gos_complex at;             // ... at this point
    gos_complex *sum;           // (pattern.nnz) of the complex matrix
    gos_complex *rhs;           // scratch (pattern.n, GOS_PENCIL_BLOCK)
    gos_complex_solver *solver; // created on demand, like the real one:
    gos_saddle *saddle;
    double *real_rhs;    // scratch (pattern.n, 2 GOS_PENCIL_BLOCK)
    gos_symmetric *gram; // of C C^T, created on demand (constrain.c)
    gos_sparse CCT;
    gos_pattern gram_pattern; // borrowed by gram
    int factorisations;
    double time_factor; // [s]
} gos_reduce_pencil;

/** First unknown and number of unconstrained unknowns of each field. */
void gos__reduce_fields(const gos_linear *l, int start[GOS_NFIELDS + 1], int max[GOS_NFIELDS]);
/** The model and additional constraints E q = 0 (rows, nq; more NULL: none) are only used during
 *  the call. */
gos_status gos__reduce_pencil_create(gos_ctx *ctx, const gos_linear *l, const gos_sparse *more,
                                     gos_reduce_pencil **pencil);
void gos__reduce_pencil_destroy(gos_reduce_pencil *p);
/** Free solvers and scratch (pencil_solve.c). */
void gos__pencil_solvers_free(gos_reduce_pencil *p);
void gos__pencil_gram_free(gos_reduce_pencil *p);
/** X (n, ncol) := nearest vectors with C X = 0. Requires C of full rank, as ensured by a
 *  factorisation of [P C^T; C 0]. */
gos_status gos__reduce_pencil_constrain(gos_reduce_pencil *p, int ncol, double *X);
/** Factorise [P(s) C^T; C 0] unless done. Large symmetric models at real s, and undamped ones at
 *  imaginary s, use the real solver. @return GOS_E_SINGULAR with a message at a pole. */
gos_status gos__reduce_pencil_factor(gos_reduce_pencil *p, gos_complex s);
/** The same without a message. */
gos_status gos__reduce_pencil_try(gos_reduce_pencil *p, gos_complex s);
/** *heavy: complex factorisations are too expensive for hundreds. Depends on the pattern only,
 *  hence reproducible. */
gos_status gos__reduce_pencil_heavy(gos_reduce_pencil *p, bool *heavy);
/** X (n, ncol) := x of P x + C^T mu = b, C x = 0 (transposed: P^T), with the last factorisation. */
gos_status gos__reduce_pencil_solve(gos_reduce_pencil *p, bool transposed, int ncol,
                                    gos_complex *X);
/** The same with the multipliers mu below each x, X (pattern.n, count), count <=
 *  GOS_PENCIL_BLOCK (pencil_solve.c). */
gos_status gos__pencil_solve_augmented(gos_reduce_pencil *p, bool transposed, int count,
                                       gos_complex *X);
/** X (n, ncol) := P^-1 X; symmetric models: one step of refinement (refine.c). */
gos_status gos__reduce_pencil_solve_refined(gos_reduce_pencil *p, int ncol, gos_complex *X);
/** Y (n, ncol) += factor A_power X of a symmetric model, with sums of 24 digits (refine.c). */
gos_status gos__reduce_pencil_add_exact(const gos_reduce_pencil *p, int power, int ncol,
                                        gos_complex factor, const gos_complex *X, gos_complex *Y);
/** Solve for real X after a real factorisation. */
gos_status gos__reduce_pencil_solve_real(gos_reduce_pencil *p, int ncol, double *X);
/** Solve with C x = c: X (n, ncol) in and out, c (nc, ncol). */
gos_status gos__reduce_pencil_solve_at(gos_reduce_pencil *p, int ncol, gos_complex *X,
                                       const double *c);
/** y (n) += a A_power x, or A_power^T x. */
void gos__reduce_pencil_add(const gos_reduce_pencil *p, int power, bool transposed, gos_complex a,
                            const gos_complex *x, gos_complex *y);
/** Term `power` of the right-hand side: inputs B, 0; outputs (transposed) (Y0 + s Y1)^T, Y1^T. X
 *  (n, nu or ny). */
void gos__reduce_pencil_rhs(const gos_reduce_pencil *p, bool transposed, gos_complex s, int power,
                            gos_complex *X);
/** H (ny, nu) at s. @return GOS_E_SINGULAR at a pole, with a message, except `quiet`. */
gos_status gos__reduce_pencil_response(gos_reduce_pencil *p, gos_complex s, gos_complex *H);
gos_status gos__reduce_pencil_quiet(gos_reduce_pencil *p, gos_complex s, gos_complex *H);
/** First k Taylor coefficients m (ny, nu, k) of H about s0 (theory 3.2). */
gos_status gos__reduce_pencil_moments(gos_reduce_pencil *p, gos_complex s0, int k, gos_complex *m);

#endif
