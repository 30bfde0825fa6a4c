/* Frequency response of small models. */
#ifndef GOS_HESSENBERG_H
#define GOS_HESSENBERG_H

#include "linear/linear.h"

typedef struct gos_hessenberg gos_hessenberg;

/** Row length of the kernel below: n rounded up. */
#define GOS_HESSENBERG_ROW(n) (((n) + 7) / 8 * 8)

/** Dense model E x' = A x + B u, y = C x, column-major: E, A (n, n), B (n, nu), C (ny, n),
 *  overwritten; E may be singular. balanced: scale unknowns first. */
gos_status gos__hessenberg_create(gos_ctx *ctx, int n, int nu, int ny, bool balanced, double *E,
                                  double *A, double *B, double *C, gos_hessenberg **form);
void gos__hessenberg_destroy(gos_hessenberg *h);
/** H (ny, nu, 2) = C (i omega E - A)^-1 B: about 10 n^2 operations. @return GOS_E_SINGULAR
 *  without a message at a pole. */
gos_status gos__hessenberg_response(gos_hessenberg *h, double omega, double *H);

/** Solve (i omega E - A) X = B in place (kernel_hessenberg.c); E upper triangular, A upper
 *  Hessenberg, rows of `row` doubles padded by zeros; B and X: nu columns of `row` doubles. U:
 *  scratch (n, row). @return ratio of smallest to largest pivot, 0 if singular. */
double gos__hessenberg_solve(int n, int row, int nu, double omega, const double *E, const double *A,
                             double *Ur, double *Ui, double *Xr, double *Xi);

#endif
