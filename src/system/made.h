/* Floating bodies in a system: their made vectors (parts/made.h) e = (r, a_c, a_c s) are made of
   the coordinates y = (r, a_c, z), and what acts on them is given back.

       e' = E y',   e'' = E y'' + kappa,   residual E^T f,   f = M_e e'' + forces + C_e^T lambda
   with E = de/dy

   Arrays over vectors have made vectors in front: vector -1 - k is 3 (1 + k) doubles before the
   first coordinate. So markers read them like coordinates. States keep room for them beside q, v
   and a, filled by gos__made_refresh; an evaluation works on copies (gos__made_enter). */
#ifndef GOS_SYSTEM_MADE_H
#define GOS_SYSTEM_MADE_H

#include "parts/made.h"
#include "system/assemble.h"

/* One body. Local vectors: r, a_1, a_2, a_3, then its made vectors. */
typedef struct gos_floating {
    const char *name;
    gos_loc loc;
    int r, axis, n, t0;    // t0: first temperature coordinate of the body
    const int *z;          // (n), see gos_made
    int nform;             // quadratic forms
    gos_rows_matrix *form; // (nform) of order n
    bool *dense;           // forms without zeros, of amplitudes one after the other (nform)
    int nvec;              // made vectors
    int nact; // the first of them have mass or are weighed by items; the others only show places
    const gos_made_pair **vec; // (nvec)
    int *sup_p,
        *sup_k; // amplitudes that each depends on: those of vector t are sup_k[sup_p[t]] ...
                // sup_k[sup_p[t + 1] - 1]
    gos_rows_matrix
        mass; // over local vectors, without what the system's mass has: entries between r and a_c
    /* Newton matrix: blocks of (r, a_c), of these and z, and of z, see made_jacobian.c */
    gos_rows_matrix zz; // places of entries between amplitudes; v NULL
    int *mass_zz;       // of each pair of amplitudes that an entry of mass couples, in their order
    int **form_zz;      // of each entry of the forms (nform)
    int *at;          // of each entry of mass: where its column's vector is in arrays over vectors
    size_t first_sup; // its scratch in gos_made_work
} gos_floating;

/* A marker of an item that weighs made vectors. */
struct gos_pulled {
    gos_columns at; // without values: w, wd, g, gd are NULL
    int *slot;      // of each of its vectors: the column of it, of a made one that of a_c (n)
    int *zslot; // of each made one's amplitudes: their columns, in the order of gos_floating.sup_k
    size_t first; // its values in gos_made_work.column
};

struct gos_made_table {
    int n; // made vectors
    int nbody;
    gos_floating *body;           // (nbody)
    int *body_of, *vec_of;        // of vector -1 - k: whose it is, and which (n)
    size_t nsup, ncolumn, nlocal; // sizes of scratch
    int npos, *pos;               // entries of all bodies in the Newton matrix
    bool
        *single; // vector coordinates whose components are amplitudes, which turn with no axes (nv)
};

/* Scratch of an evaluation. Arrays over vectors have made ones in front. */
struct gos_made_work {
    double *q, *v, *a, *f, *u;
    double *s, *sd, *sdd; // scalar of vector -1 - k, and rates (n)
    double *g, *gd; // its gradient by the amplitudes of gos_floating.sup_k, and its rate (nsup)
    double *column; // values of markers' columns (ncolumn)
    double *local;  // blocks of one body (nlocal)
    double *block;
    bool known, moves, gains; // is it filled; with rates, with accelerations, which are else zero
};

/** Take the made vectors over from a builder; without any sys->made stays NULL. Entries of the mass
 * that a made vector has go from the builder to its body. */
gos_status gos__made_make(gos_builder *b, gos_system *sys);
/** The same bodies in a system whose vector coordinates of theirs are others: to[v] for v of
 * `from`, amplitudes of a body in the same order; temperature t is heat_to[t] there. sys has its
 * coordinates, without markers. @return GOS_E_MEMORY */
gos_status gos__made_renumber(const gos_made_table *from, const int *to, const int *heat_to,
                              gos_system *sys);
/** Then the columns of the items' markers (made_columns.c). */
gos_status gos__made_pull(gos_ctx *ctx, gos_system *sys);
gos_status gos__made_work_create(gos_ctx *ctx, const gos_system *s, gos_made_work **work);
void gos__made_work_destroy(gos_ctx *ctx, gos_made_work *m);
/** Doubles in front of an array over vectors that has room for made ones. */
static inline size_t gos__made_room(const gos_system *s) {
    return s->made ? 3 * (size_t)s->made->n : 0;
}

/** Are the components of a vector coordinate amplitudes, which do not turn as vectors do? */
static inline bool gos__made_single(const gos_system *s, int vector) {
    return s->made && s->made->single[vector];
}
/** Values and rates of the made vectors in front of q, v, a and j (jerk) from those of the
 * coordinates; of the rates the last ones may be NULL. */
void gos__made_fill(const gos_system *s, double *q, double *v, double *a, double *j);
/** The same of a state: before its markers are read, as coordinates may have been written. */
void gos__made_refresh(const gos_state *x);
/** The same as outputs see it: with the coordinates that items show in the place of those that the
 * equations have (gos_item_type.shows). */
void gos__made_observe(const gos_state *x);
/** Put those coordinates into the state, and (back) those of the equations again. */
void gos__made_show(const gos_state *x, bool back);
/** Scratch at a point: q, v, a and all that the functions below need; v and a may be NULL. m NULL:
 * nothing is done, and little where it is at this point already. Whoever writes to it otherwise
 * says so: known = false. */
void gos__made_put(const gos_system *s, gos_made_work *m, const double *q, const double *v,
                   const double *a);
/** A point whose q, v and a are those of the made vectors' scratch, with made vectors in front; x
 * itself when it is one, or when there are none. Where x->a is NULL, kappa is in front of
 * w->made->a. */
gos_point_of gos__made_enter(gos_work *w, const gos_point_of *x);

/* What follows is at the point that was entered; m NULL: nothing is done. */

/** In front of u: E u; it must have room there. */
void gos__made_map(const gos_system *s, const gos_made_work *m, double *u);
/** Forces on made vectors are none; they are then gathered in front of m->f. */
void gos__made_clear(const gos_system *s, gos_made_work *m);
/** Add the force f at a marker: of coordinates to q (NULL: not wanted), of made vectors in front of
 * `front`. */
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
/** r (nq) += E^T f, f (in front of it) forces on made vectors. */
void gos__made_fold(const gos_system *s, const gos_made_work *m, const double *f, double *r);
/** The same with d/dt E. */
void gos__made_fold_rate(const gos_system *s, const gos_made_work *m, const double *f, double *r);
/** The columns of an item's markers (nm). */
void gos__columns_at(const gos_system *s, const gos_made_work *m, const gos_item *it,
                     gos_columns *at);
/** The same without values, as gos__item_entries lists them. */
void gos__columns_list(const gos_item *it, gos_columns *at);
/** Give the derivatives of a number by all coordinates to k, as entries of a row, when those by the
 * nm markers are cx (3 nm); with `rates` the part that the columns' rates make of them. */
void gos__columns_row(const gos_columns *at, int nm, const double *cx, bool rates, int row,
                      gos_entry_sink *k);
/** Their part of the Newton matrix, with forces of inertia or without: f, in front of it, are all
 * forces on made vectors (of residuals), with those of the field `tide` (NULL: none). */
void gos__made_jacobian(const gos_system *s, const gos_made_work *m, const gos_newton_factors *k,
                        bool inertia, const double *f, const double *tide, double *values);
/** *rate := d/dt M (nq, nq) = E'^T M_e E + E^T M_e E' of floating bodies at x. w->values are
 * lost. */
gos_status gos__made_mass_rate(gos_ctx *ctx, gos_work *w, const gos_point_of *x, gos_sparse *rate);
/** A body whose mass matrix at q is not positive, its frame being free; NULL: there is none, or it
 * is not known (made_definite.c). */
const gos_floating *gos__made_indefinite(gos_ctx *ctx, gos_work *w, const double *q);
/** List the coordinates that a made vector is made of to k, as columns. */
void gos__made_parts(const gos_system *s, int number, gos_entry_sink *k);
/** Doubles of scratch that it needs for a body. */
size_t gos__made_local(const gos_floating *b);
/** List all entries of floating bodies to k, always in the same order. */
void gos__made_entries(const gos_system *s, gos_entry_sink *k);

/* Of the mass that made vectors have; arrays with made vectors in front. */

/** M_e x, x with made vectors: of coordinates to q (NULL: not wanted), of made vectors in front of
 * `front`. */
void gos__made_mass(const gos_system *s, const double *x, double *q, double *front);
/** Weight (gravity times scale) and, with `inertia`, forces of inertia at the point that was
 * entered, to q and in front of m->f. */
void gos__made_inertia(const gos_system *s, gos_made_work *m, bool inertia, double scale,
                       double *q);
/** Forces of the field G (row-major, NULL: none) on the masses likewise: E^T M_e G e. */
void gos__made_tide(const gos_system *s, gos_made_work *m, const double *G, double *q);
/** Their power at positions q and rates v. */
double gos__made_tide_power(const gos_system *s, const double *G, const double *q, const double *v);
double gos__made_kinetic(const gos_system *s, const double *v);
/** p and l += momentum, and its moment about the origin, at positions q and rates v. */
void gos__made_momentum(const gos_system *s, const double *q, const double *v, double p[3],
                        double l[3]);

#endif
