/* Floating bodies: derived vectors (parts/derived.h) e = (r, a_c, a_c s) are functions of the
   coordinates y = (r, a_c, z). With E = de/dy,
     e' = E y',   e'' = E y'' + kappa,   residual E^T f,   f = M_e e'' + forces + C_e^T lambda.

   Vector arrays hold derived vectors in front: vector -1 - k is 3 (1 + k) doubles before the first
   coordinate, so markers read both alike. gos__derived_refresh fills those of states; evaluations
   use copies (gos__derived_enter). */
#ifndef GOS_SYSTEM_DERIVED_H
#define GOS_SYSTEM_DERIVED_H

#include "parts/derived.h"
#include "system/assemble.h"

/* A body. Local vectors: r, a_1, a_2, a_3, derived vectors. */
typedef struct gos_floating {
    const char *name;
    gos_loc loc;
    int r, axis, n, t0;    // t0: first temperature coordinate
    const int *z;          // (n), see gos_derived
    int nform;             // quadratic forms
    gos_rows_matrix *form; // (nform) of order n
    bool *dense;           // dense forms with consecutive amplitudes (nform)
    int nvec;              // derived vectors
    int nact;              // first nact have mass or are used by items; others are for display
    const gos_derived_pair **vec; // (nvec)
    // amplitudes of vector t: sup_k[sup_p[t]] ... sup_k[sup_p[t + 1] - 1]
    int *sup_p, *sup_k;
    // over local vectors, without the system's mass of r and a_c
    gos_rows_matrix mass;
    /* Newton matrix: blocks of (r, a_c), coupling with z, and z; see derived_jacobian.c */
    gos_rows_matrix zz; // positions of amplitude pairs; v NULL
    int *mass_zz;       // of amplitude pairs per mass entry, in order
    int **form_zz;      // of form entries (nform)
    int *at;            // per mass entry: offset of its column vector
    size_t first_sup;   // its scratch in gos_derived_work
} gos_floating;

/* An item's marker with derived vectors. */
struct gos_pulled {
    gos_columns at; // without values: w, wd, g, gd are NULL
    int *slot;      // per vector: its column, or that of a_c (n)
    int *zslot;     // columns of amplitudes per derived vector, ordered as gos_floating.sup_k
    size_t first;   // values in gos_derived_work.column
};

struct gos_derived_table {
    int n; // number of derived vectors
    int nbody;
    gos_floating *body;           // (nbody)
    int *body_of, *vec_of;        // body and index of vector -1 - k (n)
    size_t nsup, ncolumn, nlocal; // scratch sizes
    int npos, *pos;               // Newton matrix entries of all bodies
    // vector coordinates with amplitude components, which do not rotate (nv)
    bool *single;
};

/* Evaluation scratch. Vector arrays have derived vectors in front. */
struct gos_derived_work {
    double *q, *v, *a, *f, *u;
    double *s, *sd, *sdd; // scalar of vector -1 - k, and rates (n)
    double *g, *gd;       // gradient by amplitudes of gos_floating.sup_k, and its rate (nsup)
    double *column;       // marker columns (ncolumn)
    double *local;        // blocks of a body (nlocal)
    double *block;
    bool known, moves, gains; // filled; with rates; with accelerations (else zero)
};

/** Take derived vectors and their mass entries from a builder; without any sys->made stays NULL. */
gos_status gos__derived_make(gos_builder *b, gos_system *sys);
/** Copy to a system with other numbering: vector v becomes to[v], temperature t heat_to[t],
 * amplitude order kept. sys has coordinates but no markers. @return GOS_E_MEMORY */
gos_status gos__derived_renumber(const gos_derived_table *from, const int *to, const int *heat_to,
                                 gos_system *sys);
/** Make marker columns (derived_columns.c). */
gos_status gos__derived_pull(gos_ctx *ctx, gos_system *sys);
gos_status gos__derived_work_create(gos_ctx *ctx, const gos_system *s, gos_derived_work **work);
void gos__derived_work_destroy(gos_ctx *ctx, gos_derived_work *m);
/** Doubles reserved for derived vectors in front of an array. */
static inline size_t gos__derived_room(const gos_system *s) {
    return s->derived ? 3 * (size_t)s->derived->n : 0;
}

/** True for amplitudes, which do not rotate. */
static inline bool gos__derived_single(const gos_system *s, int vector) {
    return s->derived && s->derived->single[vector];
}
/** Fill derived vectors in front of q, v, a and j (jerk); trailing rates may be NULL. */
void gos__derived_fill(const gos_system *s, double *q, double *v, double *a, double *j);
/** Update a state's derived vectors. */
void gos__derived_refresh(const gos_state *x);
/** As gos__derived_refresh for vectors -1 - k with wanted[k] (made->n), leaving others undefined.
 */
void gos__derived_refresh_some(const gos_state *x, const bool *required);
/** As gos__derived_refresh with output coordinates (gos_item_type.shows). */
void gos__derived_observe(const gos_state *x);
/** Switch a state to output coordinates, or back to those of the equations. */
void gos__derived_show(const gos_state *x, bool back);
/** Set scratch to a point: q, v, a and dependent data; v and a may be NULL. No-op for m NULL, cheap
 * at an unchanged point. Other writers must set known = false. */
void gos__derived_put(const gos_system *s, gos_derived_work *m, const double *q, const double *v,
                      const double *a);
/** Point with q, v and a in scratch, derived vectors in front; x itself if already there, or
 * without any. Without x->a, kappa is in front of w->made->a. */
gos_point_of gos__derived_enter(gos_work *w, const gos_point_of *x);

/* The following use the entered point; no-op for m NULL. */

/** E u in front of u, which must have room. */
void gos__derived_map(const gos_system *s, const gos_derived_work *m, double *u);
/** Zero forces on derived vectors, which are gathered in front of m->f. */
void gos__derived_clear(const gos_system *s, gos_derived_work *m);
/** Add force f at a marker: coordinates to q (may be NULL), derived vectors in front of `front`. */
static inline void gos__marker_give(const gos_marker *m, const double f[3], double *q,
                                    double *front) {
    for (int j = 0; j < m->n; j++) {
        double *of = m->idx[j] < 0 ? front : q;
        if (!of) {
            continue;
        }
        double *to = of + 3 * (ptrdiff_t)m->idx[j];
        to[0] += m->w[j] * f[0];
        to[1] += m->w[j] * f[1];
        to[2] += m->w[j] * f[2];
    }
}
/** r (nq) += E^T f; f in front. */
void gos__derived_fold(const gos_system *s, const gos_derived_work *m, const double *f, double *r);
/** As gos__derived_fold with d/dt E. */
void gos__derived_fold_rate(const gos_system *s, const gos_derived_work *m, const double *f,
                            double *r);
/** Columns of an item's markers (nm). */
void gos__columns_at(const gos_system *s, const gos_derived_work *m, const gos_item *it,
                     gos_columns *at);
/** Columns without values, for gos__item_entries. */
void gos__columns_list(const gos_item *it, gos_columns *at);
/** Add derivatives of a number by all coordinates as a row, from marker derivatives cx (3 nm);
 * `rates`: the part of column rates. */
void gos__columns_row(const gos_columns *at, int nm, const double *cx, bool rates, int row,
                      gos_entry_sink *k);
/** Their Newton matrix part, optionally with inertia: f in front are total residual forces on
 * derived vectors, including the field `tide` (NULL: none). */
void gos__derived_jacobian(const gos_system *s, const gos_derived_work *m,
                           const gos_newton_factors *k, bool inertia, const double *f,
                           const double *gravity_gradient, double *values);
/** *rate := d/dt M (nq, nq) = E'^T M_e E + E^T M_e E' at x. Overwrites w->values. */
gos_status gos__derived_mass_rate(gos_ctx *ctx, gos_work *w, const gos_point_of *x,
                                  gos_sparse *rate);
/** A body with free frame and indefinite mass matrix at q; NULL: none, or unknown
 * (derived_columns.c). */
const gos_floating *gos__derived_indefinite(gos_ctx *ctx, gos_work *w, const double *q);
/** List the coordinates of a derived vector as columns. */
void gos__derived_parts(const gos_system *s, int number, gos_entry_sink *k);
size_t gos__derived_local(const gos_floating *b);
void gos__derived_entries(const gos_system *s, gos_entry_sink *k);

/* Mass of derived vectors; arrays with derived vectors in front. */

/** M_e x: coordinates to q (may be NULL), derived vectors in front of `front`. */
void gos__derived_mass(const gos_system *s, const double *x, double *q, double *front);
/** Gravity times scale and, with `inertia`, inertia forces at the entered point, to q and in front
 * of m->f. */
void gos__derived_inertia(const gos_system *s, gos_derived_work *m, bool inertia, double scale,
                          double *q);
/** Likewise the forces of field G (row-major, NULL: none): E^T M_e G e. */
void gos__derived_gravity_gradient(const gos_system *s, gos_derived_work *m, const double *G,
                                   double *q);
/** Power of these forces at q and v. */
double gos__derived_gravity_gradient_power(const gos_system *s, const double *G, const double *q,
                                           const double *v);
double gos__derived_kinetic(const gos_system *s, const double *v);
/** p and l += momentum and its moment about the origin. */
void gos__derived_momentum(const gos_system *s, const double *q, const double *v, double p[3],
                           double l[3]);

#endif
