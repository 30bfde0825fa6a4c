/* Small linear models at many frequencies: first order, once brought to Hessenberg form. */
#ifndef GOS_HESSENBERG_H
#define GOS_HESSENBERG_H

#include "linear/linear.h"

typedef struct gos_hessenberg gos_hessenberg;

/** Doubles of a row in the kernel below: n rounded up. */
#define GOS_HESSENBERG_ROW(n) (((n) + 7) / 8 * 8)

/** A dense model E x' = A x + B u, y = C x, column-major: E, A (n, n), B (n, nu), C (ny, n); all
 * are used up. E may be singular. balanced: rows and columns are scaled first, for unknowns of
 * unlike measures. */
gos_status gos__hessenberg_create(gos_ctx *ctx, int n, int nu, int ny, bool balanced, double *E,
                                  double *A, double *B, double *C, gos_hessenberg **form);
void gos__hessenberg_destroy(gos_hessenberg *h);
/** H (ny, nu, 2) = C (i omega E - A)^-1 B: about 10 n^2 operations. @return GOS_E_SINGULAR without
 * a record at a pole. */
gos_status gos__hessenberg_response(gos_hessenberg *h, double omega, double *H);

/** Solve (i omega E - A) X = B in place (kernel_hessenberg.c). E is upper triangular, A upper
 * Hessenberg, by rows of `row` doubles, zero behind n; B and X have nu columns of `row` doubles. U,
 * scratch (n, row): the triangle. @return smallest pivot over the largest, 0 when one vanished. */
double gos__hessenberg_solve(int n, int row, int nu, double omega, const double *E, const double *A,
                             double *Ur, double *Ui, double *Xr, double *Xi);

#endif
