/* What reduction methods share: the task they are given, the result they fill, their table. A method
   fills bases; checks, projection, normal form, moments and errors are done here for all of them. */
#ifndef GOS_REDUCE_INTERNAL_H
#define GOS_REDUCE_INTERNAL_H

#include "gossamer/reduce_linear.h"
#include "reduce/space.h"

struct gos_linear_reduction {
    gos_ctx *ctx;
    gos_linear *model;
    gos_space V, W;   // W is empty when one-sided
    bool physical;    // reduced coordinates have a meaning: no normal form
    int kept;         // the first of them are coordinates of the full model ...
    int *kept_index;  // ... these (kept)
    int npoints;      // expansion points ...
    gos_point *point; // ... (npoints)
    int moments;      // coefficients that agree at each
    double *hankel;   // (nhankel)
    int nhankel;
    gos_linear_reduction_report report;
};

typedef struct gos_reduce_task {
    gos_ctx *ctx;
    const gos_linear *full;
    gos_reduce_pencil *pencil; // of the full model
    const gos_linear_reduction_options *opt;
    int order; // > 0
    gos_linear_reduction *out;
} gos_reduce_task;

typedef struct gos_reduce_method {
    const char *name, *doc;
    bool first_order; // works on the model as one system of first order
    bool own_order;   // chooses the order by itself when none is given
    gos_status (*reduce)(gos_reduce_task *task);
} gos_reduce_method;

/** All methods, ended by one without a name (registry.c). */
extern const gos_reduce_method *const gos__reduce_methods[];

/** Refuse a model that no method can take, with what is wrong with it (check.c). */
gos_status gos__reduce_check_model(gos_ctx *ctx, const gos_linear *l);
/** Refuse impossible options. */
gos_status gos__reduce_check_options(gos_ctx *ctx, const gos_linear *l,
                                     const gos_linear_reduction_options *opt);
/** The model of W^T P V; out's bases are brought to normal form first (project.c). */
gos_status gos__reduce_project(gos_ctx *ctx, const gos_linear *full, gos_linear_reduction *out);
/** Dense A (m, n), column-major, as a sparse matrix without its zeros. */
gos_status gos__reduce_sparse(gos_ctx *ctx, int m, int n, const double *A, gos_sparse *S);
/** Remember points at which `moments` coefficients must agree. */
gos_status gos__reduce_points(gos_linear_reduction *out, int n, const gos_point *points,
                              int moments);
/** Compare moments of both models at the points (moments.c). */
gos_status gos__reduce_check_moments(gos_ctx *ctx, gos_reduce_pencil *full,
                                     gos_linear_reduction *out);
/** Outputs are the inputs' work conjugates: Y0 = c B^T, or Y1 = c B^T, and the other is zero. */
bool gos__reduce_collocated(const gos_reduce_pencil *p);

/** Second-order Krylov vectors at a point, `count` of them, added to a space; from the outputs when
 *  transposed. *blocks is the number of complete blocks (krylov.c). */
gos_status gos__krylov_vectors(gos_reduce_pencil *p, gos_complex s0, bool transposed, int count,
                               gos_space *space, int *blocks);

#endif
