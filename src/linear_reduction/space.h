/* Growing orthonormal bases per field, so that projection keeps blocks separate. */
#ifndef GOS_REDUCE_SPACE_H
#define GOS_REDUCE_SPACE_H

#include "linear_reduction/pencil.h"

typedef struct gos_space {
    gos_ctx *ctx;
    int start[GOS_NFIELDS + 1]; // first unknown of each field
    int count[GOS_NFIELDS], cap[GOS_NFIELDS];
    int max[GOS_NFIELDS];   // largest number of independent vectors
    double *v[GOS_NFIELDS]; // contiguous columns (unknowns of the field, count)
    int dropped;            // dependent vectors that were dropped
} gos_space;

/** Initialise an empty space; most: limits per field (NULL: number of unknowns). */
void gos__space_init(gos_ctx *ctx, const int start[GOS_NFIELDS + 1], const int *max,
                     gos_space *space);
void gos__space_free(gos_space *s);
static inline int gos__space_rows(const gos_space *s, int field) {
    return s->start[field + 1] - s->start[field];
}
/** Largest number of vectors of a field. */
int gos__space_largest(const gos_space *s);
/** Append x of one field unchanged. */
gos_status gos__space_put(gos_space *s, int field, const double *x);
/** Orthonormalise x of one field (twice) and append it; dropped if less than 1e-10 of `size`,
 *  its original norm, remains. Overwrites x. */
gos_status gos__space_add(gos_space *s, int field, double *x, double size);
/** Add real and imaginary parts of a full vector field by field. least (fields, may be NULL):
 *  lower limits of norms. */
gos_status gos__space_split(gos_space *s, const gos_complex *x, const double *min_size);

#endif
