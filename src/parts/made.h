/* Derived vectors: products of coordinates that markers use like vector coordinates. */

/* Points of a floating flexible body, x = r + sum_c a_c (X_c + sum_k phi_kc z_k + ...), are
 * nonlinear in its coordinates: origin r, body axes a_1, a_2, a_3 (vector coordinates) and
 * amplitudes z_k (single components of vector coordinates). They are linear in r, a_c and the
 * derived vectors
 *
 *     a_c s,   s one of   z_k   or a form   q_p = 1/2 z^T S_p z,
 *
 * which are not unknowns: system/made.h evaluates them and maps their forces back to r, a_c and z.
 * Joints, loads, probes and pictures need no special cases.
 *
 * Derived vectors have negative numbers -1, -2, ..., final when assigned; coordinates have 0, 1,
 * ... Markers (gos__marker_make) and the scalar mass (gos__add_symmetric to gos_builder.mass)
 * accept both, points (gos_points) only coordinates.
 *
 * A body
 * 1. adds its vector coordinates r (trans 1), a_1 .. a_3 (trans 0), and the amplitudes, three per
 * vector (trans 0), with initial values and rates; locks spare components (gos__hold_component) and
 * keeps the axes orthonormal (bodies/orthonormality.h);
 * 2. calls gos__made_create, gos__made_form for each form, and gos__made_vector for each product
 * a_c s that has mass or is used by a place. Both may be called while the model is built, also in
 * `position` and `direction` of its gos_body_ops: forms of a node are made on first use;
 * 3. adds its mass over r, a_c and derived vectors, M_e = integral of w w^T dm with the weights w
 * of its points, including r with a_c as for a rigid body. Quadratic vectors couple with r and a_c,
 * and may couple with all others;
 * 4. adds stiffness and damping of the amplitudes by gos__add_constant (GOS_CONSTANT_K,
 * GOS_CONSTANT_D), and each amplitude by gos__add_single with `amplitude` set: `weight` is the
 * integral of |phi_k|^2 dm [kg times shape squared], `scale` the magnitude of z_k for tolerances
 * [its unit; 0: the extent of the system, for shapes of size 1 and lengths z_k]; GOS_CONSTANT_M and
 * `rest` stay 0;
 * 5. sets gos_body.made, rigid_item = -1, node_v to r, and further drawn nodes as `mark`. */
#ifndef GOS_MADE_H
#define GOS_MADE_H

#include "parts/parts.h"

/* q = 1/2 sum v[k] z[i[k]] z[j[k]]: both triangles of the symmetric S; duplicate entries are
 * summed. */
typedef struct gos_made_form {
    int nnz;
    const int *i, *j; // amplitudes, from 0 (nnz)
    const double *v;
} gos_made_form;

/* Derived vector `number`: axis c (0, 1, 2) of a body times its scalar s, an amplitude k or the
 * form n + p. */
typedef struct gos_made_pair {
    int number, c, s;
    const gos_made *of;
} gos_made_pair;

typedef int gos_made_numbers[3]; // numbers of a_1 s, a_2 s, a_3 s; 0: not used

/* Derived vectors of one body. */
struct gos_made {
    const char *name; // "body 'arm'", for messages
    gos_loc loc;
    int r;        // vector coordinate of the origin
    int axis;     // vector coordinate of a_1; a_2 and a_3 follow
    int n;        // amplitudes
    const int *z; // (n) coordinate of each amplitude: component c of vector coordinate v at 3 v + c
    int nform, form_cap;      // forms
    gos_made_form *form;      // (nform)
    gos_made_numbers *number; // (n + nform) numbers of the vectors of scalar s
    gos_made_list *all;
};

/* Derived vectors of a model. */
struct gos_made_list {
    gos_arena *arena;
    int n, cap;          // vectors of all bodies, numbered -1 ... -n
    gos_made_pair *pair; // (n)
    int nbody, body_cap;
    gos_made **body; // (nbody)
};

/** Registers a body's amplitudes, without derived vectors yet. r, axis .. axis + 2 and z are
 * coordinates of the builder; name and z (n) must live in its arena, as does *made. @return
 * GOS_E_MEMORY */
gos_status gos__made_create(gos_builder *b, const char *name, gos_loc loc, int r, int axis, int n,
                            const int *z, gos_made **made);
/** Adds a quadratic form of the amplitudes; entries are copied, zeros dropped. *s: number of the
 * scalar, n + p. @return GOS_E_MEMORY */
gos_status gos__made_form(gos_made *made, const gos_made_form *form, int *s);
/** Number of the vector a_c s, created on first use: c 0, 1, 2; s an amplitude 0 .. n-1 or a number
 * from gos__made_form. @return GOS_E_MEMORY */
gos_status gos__made_vector(gos_made *made, int c, int s, int *number);

/** Scalar s of the body for coordinates e (z[k] at e[z[k]]). */
double gos__made_scalar(const gos_made *made, int s, const double *e);
/** Initial value of a coordinate or derived vector, from the builder's current coordinates. */
void gos__vector_initial(const gos_builder *b, int number, double x[3]);

#endif
