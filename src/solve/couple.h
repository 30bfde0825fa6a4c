/* What heat does to motion in a Newton matrix, by vectors of motion (newton_solver.c). */
#ifndef GOS_COUPLE_H
#define GOS_COUPLE_H

/* Blocks of rows, three of each of the first `nvector`, one of each of the others; in each some
 * columns of heat. */
typedef struct gos_couple {
    int n, nvector; // blocks
    int *row;       // their first rows (n)
    int *first;     // first columns (n + 1)
    int *of;        // which columns (first[n])
    double *value;  // (first[n], 3), and one more
} gos_couple;

/** x -= K y */
void gos__kernel_couple(const gos_couple *k, const double *y, double *x);

#endif
