/* Subtracts the coupling of heat columns from motion rows, three rows of a vector at a time. */
#include "base/kernel.h"
#include "solve/couple.h"

/* four doubles, unaligned */
typedef double v4 __attribute__((vector_size(32), aligned(8), may_alias));

GOS_KERNEL void gos__kernel_couple(const gos_couple *k, const double *y, double *x) {
    for (int b = 0; b < k->n; b++) {
        v4 sum = {0}; // the fourth is unused, as are the second and third of single rows
        for (int e = k->first[b]; e < k->first[b + 1]; e++) {
            sum += *(const v4 *)(k->value + 3 * (long)e) * y[k->of[e]];
        }
        double *to = x + k->row[b];
        to[0] -= sum[0];
        if (b < k->nvector) {
            to[1] -= sum[1];
            to[2] -= sum[2];
        }
    }
}
