#ifndef GOS_KERNEL_DERIVED_H
#define GOS_KERNEL_DERIVED_H

#define GOS_FORM_BLOCK 8 // gradients per block

/** g, gd (GOS_FORM_BLOCK) := entries from `from` of S z and S zd; S symmetric, dense (order,
 * order). */
void gos__form_gradients(int order, const double *S, int from, const double *z, const double *zd,
                         double *g, double *gd);
/** y (n, 3) := rows first .. first + n - 1 of matrix (p, m) times vectors at x + at. Reads one
 * unused number after each vector. */
void gos__derived_rows(int first, int n, const int *p, const double *m, const int *at,
                       const double *x, double *y);

#endif
