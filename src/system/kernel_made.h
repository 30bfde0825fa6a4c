#ifndef GOS_KERNEL_MADE_H
#define GOS_KERNEL_MADE_H

#define GOS_FORM_BLOCK 8 // gradients found side by side

/** g, gd (GOS_FORM_BLOCK) := entries `from` and on of S z and S zd for a symmetric matrix S (order,
 * order), dense. */
void gos__form_gradients(int order, const double *S, int from, const double *z, const double *zd,
                         double *g, double *gd);
/** y (n, 3) := rows first .. first + n - 1 of a matrix of numbers (p, m) times the vectors that
 * begin at x + at. Of each it reads the number behind it, too, and leaves it out. */
void gos__made_rows(int first, int n, const int *p, const double *m, const int *at, const double *x,
                    double *y);

#endif
