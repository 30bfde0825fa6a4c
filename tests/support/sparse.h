/* Numbers of matrices. */
#ifndef GOS_TEST_SPARSE_H
#define GOS_TEST_SPARSE_H

#include "linalg/sparse.h"

/* a stream of numbers in (-1, 1), the same in every run */
static inline double number(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

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
