/* Bases that grow vector by vector, one for each field, so that projection keeps the blocks of a
   model apart. */
#ifndef GOS_REDUCE_SPACE_H
#define GOS_REDUCE_SPACE_H

#include "linear_reduction/pencil.h"

typedef struct gos_space {
    gos_ctx *ctx;
    int start[GOS_NFIELDS + 1]; // first unknown of each field in a vector of all
    int count[GOS_NFIELDS], cap[GOS_NFIELDS];
    int most[GOS_NFIELDS];  // vectors there can be: what is added beyond is round-off
    double *v[GOS_NFIELDS]; // columns one after another (unknowns of the field, count)
    int dropped;            // vectors that earlier ones contained
} gos_space;

/** An empty space for vectors of a pencil, at most `most` of each field (NULL: as many as it has
 *  unknowns). */
void gos__space_begin(gos_ctx *ctx, const int start[GOS_NFIELDS + 1], const int *most,
                      gos_space *space);
void gos__space_free(gos_space *s);
static inline int gos__space_rows(const gos_space *s, int field) {
    return s->start[field + 1] - s->start[field];
}
/** Vectors of the field that has most. */
int gos__space_largest(const gos_space *s);
/** Append x of one field as it is. */
gos_status gos__space_put(gos_space *s, int field, const double *x);
/** Orthonormalise x of one field against its basis (twice) and append it; dropped when what remains
 *  is below 1e-10 of `size`, its length before anything was taken from it. x is overwritten. */
gos_status gos__space_add(gos_space *s, int field, double *x, double size);
/** Split a vector of all fields, and its real from its imaginary part, and add what there is. least
 *  (fields, may be NULL): parts count as at least that long, so that round-off is dropped. */
gos_status gos__space_split(gos_space *s, const gos_complex *x, const double *least);

#endif
