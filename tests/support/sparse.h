/* Numbers of matrices. */
#ifndef GOS_TEST_SPARSE_H
#define GOS_TEST_SPARSE_H

#include "linalg/sparse.h"
#include "support/random.h"

/* entry (i, j); 0 where there is none */
static inline double at(const gos_sparse *A, int i, int j) {
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
        if (A->i[k] == i) {
            return A->x[k];
        }
    }
    return 0;
}

#endif
