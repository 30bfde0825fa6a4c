/* Coupling of heat to motion in a Newton matrix (newton_solver.c). */
#ifndef GOS_COUPLE_H
#define GOS_COUPLE_H

/* Blocks of rows, three for each of the first `nvector`, one for each other; each has some heat
 * columns. */
typedef struct gos_couple {
    int n, nvector;
    int *row;      // their first rows (n)
    int *first;    // index of their first column (n + 1)
    int *of;       // column numbers (first[n])
    double *value; // (first[n], 3), plus one
} gos_couple;

/** x -= K y */
void gos__kernel_couple(const gos_couple *k, const double *y, double *x);

#endif
