/* Made vectors: products of coordinates that markers weigh like any vector coordinate.

   The points of a flexible body that floats, x = r + sum_c a_c (X_c + sum_k phi_kc z_k + ...), are
   not linear in its coordinates: origin r, body axes a_1, a_2, a_3 (vector coordinates) and
   amplitudes z_k (single components of vector coordinates). They are linear in r, a_c and the *made
   vectors*

       a_c s,   s one of   z_k   or a form   q_p = 1/2 z^T S_p z,

   which are no unknowns: whoever evaluates a system makes them (system/made.h) and gives their
   forces back to r, a_c and z. So joints, loads, probes and pictures know nothing of them.

   Numbers. A made vector has a NEGATIVE number, which is final at once: the first of a model is -1,
   the next -2 ... Coordinates keep 0, 1, ..., whatever bodies come later. Markers
   (gos__marker_make) and the scalar mass (gos__add_symmetric to gos_builder.mass) take numbers of
   both kinds. Points (gos_points) take coordinates only.

   A body
   1. adds its vector coordinates: r (trans 1), a_1 .. a_3 (trans 0), then the amplitudes three to a
   vector (trans 0) with their initial values and rates; spare components are held by linear rows
   (gos__hold_component); axes keep orthonormal by rows (bodies/rigidity.h);
   2. calls gos__made_create, then gos__made_form for each form that it knows, and gos__made_vector
   for each product a_c s that has mass or that a place needs. Both may be called as long as the
   model is built, also in `position` and `direction` of its gos_body_ops: forms of a node are made
   when the node is first asked for;
   3. adds its mass over r, a_c and made vectors, M_e = integral of w w^T dm with the weights w of
   its points: between r and a_c too, as a rigid body does. Quadratic vectors have it with r and a_c
      (made-coordinates.md, 2), and may have it with all others;
   4. gives stiffness and damping of the amplitudes by gos__add_constant (GOS_CONSTANT_K,
   GOS_CONSTANT_D) and lists each amplitude by gos__add_single with `amplitude` set: `weight` is the
   integral of |phi_k|^2 dm [kg times the square of the shape], `scale` what tolerances of z_k refer
   to [its unit; 0: the extent of the system, right for shapes of the size 1 and lengths z_k];
   GOS_CONSTANT_M and `rest` stay 0;
   5. sets gos_body.made, rigid_item = -1, node_v to r, more nodes of its picture as `mark`. */
#ifndef GOS_MADE_H
#define GOS_MADE_H

#include "parts/parts.h"

/* q = 1/2 sum v[k] z[i[k]] z[j[k]]: entries of both triangles of the symmetric S, equal places are
 * summed. */
typedef struct gos_made_form {
    int nnz;
    const int *i, *j; // amplitudes, from 0 (nnz)
    const double *v;
} gos_made_form;

/* The made vector of this number: axis c (0, 1, 2) of a body times its scalar s, an amplitude k or
 * the form n + p. */
typedef struct gos_made_pair {
    int number, c, s;
    const gos_made *of;
} gos_made_pair;

typedef int gos_made_numbers[3]; // of a_1 s, a_2 s, a_3 s; 0: nobody has asked for it

/* All made vectors of one body. */
struct gos_made {
    const char *name; // "body 'arm'", in messages
    gos_loc loc;
    int r;                    // vector coordinate of the origin
    int axis;                 // that of a_1; a_2 and a_3 follow it
    int n;                    // amplitudes
    const int *z;             // coordinate of each: of vector coordinate v component c, 3 v + c (n)
    int nform, form_cap;      // forms
    gos_made_form *form;      // (nform)
    gos_made_numbers *number; // of the vectors of scalar s (n + nform)
    gos_made_list *all;       // those of all bodies
};

/* Made vectors of a model. */
struct gos_made_list {
    gos_arena *arena;
    int n, cap;          // vectors of all bodies: numbers -1 ... -n are taken
    gos_made_pair *pair; // (n)
    int nbody, body_cap;
    gos_made **body; // (nbody)
};

/** A body's amplitudes, still without made vectors. r, axis, axis + 1, axis + 2 and z are
 * coordinates that the builder has; name and z (n) must live in its arena. *made lives there too
 * and may grow as long as the model is built.
 *  @return GOS_E_MEMORY */
gos_status gos__made_create(gos_builder *b, const char *name, gos_loc loc, int r, int axis, int n,
                            const int *z, gos_made **made);
/** A quadratic form of the amplitudes: entries are copied, zeros left out. *s: the scalar's number,
 * n + p.
 *  @return GOS_E_MEMORY */
gos_status gos__made_form(gos_made *made, const gos_made_form *form, int *s);
/** The number of the vector a_c s, the same whenever asked for: c 0, 1, 2; s an amplitude 0 .. n-1
 * or what gos__made_form gave. @return GOS_E_MEMORY */
gos_status gos__made_vector(gos_made *made, int c, int s, int *number);

/** Scalar s of the body at amplitudes in e (a coordinate z[k] is e[z[k]]). */
double gos__made_scalar(const gos_made *made, int s, const double *e);
/** Initial value of a vector of either kind in the builder's coordinates, as they are now. */
void gos__vector_initial(const gos_builder *b, int number, double x[3]);

#endif
