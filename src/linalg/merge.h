/* Merged reading of the columns of K + d D + m M. */
#ifndef GOS_MERGE_H
#define GOS_MERGE_H

#include "linalg/saddle.h"

/* Terms, position of each in a column, and values at the last row. */
typedef struct gos_merge {
    const gos_sparse *A[3]; // K, M, D
    int terms, next[3];
    double value[3];
} gos_merge;

static inline gos_merge gos__merge_column(const gos_pencil *p, int j) {
    return (gos_merge){.A = {p->K, p->M, p->D},
                       .terms = p->D ? 3 : 2,
                       .next = {p->K->p[j], p->M->p[j], p->D ? p->D->p[j] : 0}};
}

/** Next row of column j in any term; INT32_MAX: none. */
static inline int gos__merge_next(gos_merge *m, int j) {
    int row = INT32_MAX;
    for (int t = 0; t < m->terms; t++) {
        const bool left = m->next[t] < m->A[t]->p[j + 1];
        row = left && m->A[t]->i[m->next[t]] < row ? m->A[t]->i[m->next[t]] : row;
    }
    for (int t = 0; t < m->terms && row < INT32_MAX; t++) {
        const bool there = m->next[t] < m->A[t]->p[j + 1] && m->A[t]->i[m->next[t]] == row;
        m->value[t] = there ? m->A[t]->x[m->next[t]++] : 0;
    }
    return row;
}

#endif
