/* Detection of zero eigenvalues. */
#include <float.h>
#include <math.h>

#include "linear/linear.h"

#define GAP 1e10  // smallest ratio of significant to round-off eigenvalues
#define MORE 1000 // factor on the round-off of one operation

static double diagonal(const gos_sparse *A, int j) {
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
        if (A->i[k] == j) {
            return A->x[k];
        }
    }
    return 0;
}

double gos__linear_drift(const gos_linear *l) {
    double most = 0;
    for (int j = 0; j < l->nq; j++) {
        const double m = fabs(diagonal(&l->M, j));
        most = m > 0 ? fmax(most, fabs(diagonal(&l->K, j)) / m) : most;
    }
    return DBL_EPSILON * most;
}

/* Vectors contain about eps lambda_max / lambda_j of other modes, which changes a zero
   eigenvalue by (eps lambda_max)^2 / lambda_j. Smaller values with a gap of GAP are zero;
   coordinates of floating frames have no stiffness that would reveal it. */
double gos__linear_rounding(double drift, int count, const double *lambda) {
    double level = 0;
    for (int k = 0; k + 1 < count; k++) {
        const double size = fabs(lambda[k]), next = lambda[k + 1];
        const bool gap = next > 0 && size * GAP < next && size * next < MORE * drift * drift;
        level = gap ? fmax(level, size) : level;
    }
    return level;
}

void gos__linear_zeros(double level, int count, double *lambda) {
    for (int k = 0; k < count; k++) {
        lambda[k] = fabs(lambda[k]) <= level ? 0 : lambda[k];
    }
}
