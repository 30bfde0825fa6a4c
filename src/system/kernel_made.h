#ifndef GOS_KERNEL_MADE_H
#define GOS_KERNEL_MADE_H

#define GOS_FORM_BLOCK 8 // gradients found side by side

/** g, gd (GOS_FORM_BLOCK) := entries `from` and on of S z and S zd for a symmetric matrix S (order, order), dense. */
void gos__form_gradients(int order, const double *S, int from, const double *z, const double *zd,
                         double *g, double *gd);
/** y := sum over n of m times the vectors that begin at x + at. */
void gos__made_row(int n, const double *m, const int *at, const double *x, double y[3]);

#endif
