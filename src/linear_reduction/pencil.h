/* A linear model as one matrix polynomial,
       P(s) x = (A0 + s A1 + s^2 A2) x = B u,   C x = 0,   y = (Y0 + s Y1) x + Yu u,
   for x = (q, theta, phi): what methods that work with solves P(s0)^-1 see. First-order,
   second-order and coupled models are all alike here; only projection knows the fields apart. */
#ifndef GOS_REDUCE_PENCIL_H
#define GOS_REDUCE_PENCIL_H

#include "linalg/complex_solver.h"
#include "linalg/saddle.h"
#include "linear/linear.h"

#define GOS_PENCIL_BLOCK 16 // right-hand sides solved together

enum { GOS_FIELD_Q, GOS_FIELD_T, GOS_FIELD_PHI, GOS_NFIELDS };

typedef struct gos_reduce_pencil {
    gos_ctx *ctx;
    int n, nc, nu, ny;          // unknowns, constraints, inputs, outputs
    int start[GOS_NFIELDS + 1]; // first unknown of each field
    int most[GOS_NFIELDS];      // unknowns of each field that its constraints leave free
    gos_sparse A[3];            // (n, n)
    gos_sparse C;               // (nc, n)
    double *B;                  // (n, nu)
    bool symmetric;             // A0, A1 and A2 are
    bool one_sided;      // so, or the model has an energy that bases of each field keep: left
                         // vectors of their own would only take its stability away
    double *Y[2];        // Y0^T, Y1^T (n, ny)
    double *Yu;          // (ny, nu)
    gos_pattern pattern; // of [P C^T; C 0]
    double scale;        // of constraints, to the size of A0
    double *value[3];    // of A0 with C, A1, A2 (pattern.nnz)
    int ncomp;           // unknowns that stand side by side and belong together
    bool real;           // the last factorisation was the real symmetric one,
    int negative;        // with so many negative eigenvalues
    bool factored;       // there is one ...
    gos_complex at;      // ... at this point
    gos_complex *sum;    // (pattern.nnz), of complex ones
    gos_complex *rhs;    // scratch (pattern.n, GOS_PENCIL_BLOCK)
    gos_complex_solver *solver; // made when first needed, and so is the real one:
    gos_saddle *saddle;
    double *real_rhs;    // scratch (pattern.n, 2 GOS_PENCIL_BLOCK)
    gos_symmetric *gram; // of C C^T, made when first needed (constrain.c)
    gos_sparse CCT;
    gos_pattern gram_pattern; // its own, borrowed by gram
    int factorisations;
    double time_factor; // [s]
} gos_reduce_pencil;

/** First unknown of each field, and unknowns that its constraints leave free. */
void gos__reduce_fields(const gos_linear *l, int start[GOS_NFIELDS + 1], int most[GOS_NFIELDS]);
/** The model is needed only during the call, and so are more constraints E q = 0 (rows, nq), which
 *  follow those of the model; NULL for none. */
gos_status gos__reduce_pencil_create(gos_ctx *ctx, const gos_linear *l, const gos_sparse *more,
                                     gos_reduce_pencil **pencil);
void gos__reduce_pencil_destroy(gos_reduce_pencil *p);
/** The solvers and their scratch (pencil_solve.c). */
void gos__pencil_solvers_free(gos_reduce_pencil *p);
void gos__pencil_gram_free(gos_reduce_pencil *p);
/** X (n, ncol) := the nearest vectors with C X = 0 (constrain.c). C must have full rank, which it
 *  has when [P C^T; C 0] has been factorised. */
gos_status gos__reduce_pencil_constrain(gos_reduce_pencil *p, int ncol, double *X);
/** Factorise [P(s) C^T; C 0], unless that was the last one; large symmetric models at real s,
 * undamped ones at imaginary s too, by the real symmetric solver. @return GOS_E_SINGULAR with a
 * record when s is a pole. */
gos_status gos__reduce_pencil_factor(gos_reduce_pencil *p, gos_complex s);
/** The same without a record when s is a pole. */
gos_status gos__reduce_pencil_try(gos_reduce_pencil *p, gos_complex s);
/** *heavy: is a complex factorisation so much work that hundreds of them are to be avoided? (By its
 * pattern: the same on every machine.) */
gos_status gos__reduce_pencil_heavy(gos_reduce_pencil *p, bool *heavy);
/** X (n, ncol) := x of P x + C^T mu = b, C x = 0 (transposed: P^T); P of the last factorisation.
 *  Columns are cheaper together. */
gos_status gos__reduce_pencil_solve(gos_reduce_pencil *p, bool transposed, int ncol,
                                    gos_complex *X);
/** The same with the multipliers mu behind each x, X (pattern.n, count), count up to
 * GOS_PENCIL_BLOCK (pencil_solve.c). */
gos_status gos__pencil_solve_augmented(gos_reduce_pencil *p, bool transposed, int count,
                                       gos_complex *X);
/** X (n, ncol) := P^-1 X to working precision where the model is symmetric: one step of refinement
 *  (refine.c). Others: the plain solve. */
gos_status gos__reduce_pencil_solve_refined(gos_reduce_pencil *p, int ncol, gos_complex *X);
/** Y (n, ncol) += factor A_power X of a symmetric model, in sums of 24 digits (refine.c). */
gos_status gos__reduce_pencil_add_exact(const gos_reduce_pencil *p, int power, int ncol,
                                        gos_complex factor, const gos_complex *X, gos_complex *Y);
/** The plain solve for real X after a real factorisation. */
gos_status gos__reduce_pencil_solve_real(gos_reduce_pencil *p, int ncol, double *X);
/** The first with C x = c: X (n, ncol) in and out, right-hand sides c (nc, ncol). */
gos_status gos__reduce_pencil_solve_at(gos_reduce_pencil *p, int ncol, gos_complex *X,
                                       const double *c);
/** y (n) += a A_power x, or A_power^T x. */
void gos__reduce_pencil_add(const gos_reduce_pencil *p, int power, bool transposed, gos_complex a,
                            const gos_complex *x, gos_complex *y);
/** Right-hand side number `power` of inputs, B and 0, or (transposed) of outputs about s,
 *  (Y0 + s Y1)^T and Y1^T: X (n, nu or ny). */
void gos__reduce_pencil_rhs(const gos_reduce_pencil *p, bool transposed, gos_complex s, int power,
                            gos_complex *X);
/** H (ny, nu) at s. @return GOS_E_SINGULAR at a pole, with a record; without one: quiet. */
gos_status gos__reduce_pencil_response(gos_reduce_pencil *p, gos_complex s, gos_complex *H);
gos_status gos__reduce_pencil_quiet(gos_reduce_pencil *p, gos_complex s, gos_complex *H);
/** The first k coefficients m (ny, nu, k) of H(s0 + d) as a power series of d (theory 3.2); of
 * symmetric models to working precision, whatever the condition of P. */
gos_status gos__reduce_pencil_moments(gos_reduce_pencil *p, gos_complex s0, int k, gos_complex *m);

#endif
