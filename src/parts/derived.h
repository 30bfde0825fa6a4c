/* Derived vectors: products of coordinates that markers use like vector coordinates. */

/* Points of a floating body, x = r + sum_c a_c (X_c + sum_k phi_kc z_k + ...), with origin r, axes
 * a_1, a_2, a_3 (vector coordinates) and amplitudes z_k (single components of vector coordinates),
 * are linear in r, a_c and the derived vectors
 *
 *     a_c s,   s one of   z_k   or a form   q_p = 1/2 z^T S_p z.
 *
 * These are not unknowns: system/derived.h evaluates them and maps their forces back. Their numbers
 * are -1, -2, ... Markers (gos__marker_make) and the scalar mass (gos__add_symmetric to
 * gos_builder.mass) accept them, points (gos_points) do not.
 *
 * A body
 * 1. adds its vector coordinates r (trans 1), a_1 .. a_3 (trans 0) and amplitudes, three per vector
 * (trans 0), locks spare components (gos__hold_component) and keeps the axes orthonormal
 * (bodies/body.h);
 * 2. calls gos__derived_create, gos__derived_form for each form, and gos__derived_vector for each
 * a_c s with mass or used by a location; also later, in `position` and `direction`, while the model
 * is built;
 * 3. adds its mass M_e = integral of w w^T dm over r, a_c and derived vectors, including r with
 * a_c. Quadratic vectors couple with r and a_c, and may couple with all others;
 * 4. adds stiffness and damping of the amplitudes by gos__add_constant, and each amplitude by
 * gos__add_single with `amplitude` set: `weight` = integral of |phi_k|^2 dm [kg times shape
 * squared], `scale` = magnitude of z_k for tolerances [its unit; 0: extent of the system, for
 * shapes of size 1 and lengths z_k]; GOS_CONSTANT_M and `rest` stay 0;
 * 5. sets gos_body.made, rigid_item = -1, node_v to r, and further drawn nodes as `mark`. */
#ifndef GOS_DERIVED_H
#define GOS_DERIVED_H

#include "parts/builder.h"

/* q = 1/2 sum v[k] z[i[k]] z[j[k]], both triangles; duplicates are summed. */
typedef struct gos_derived_form {
    int nnz;
    const int *i, *j; // amplitudes, from 0 (nnz)
    const double *v;
} gos_derived_form;

/* The derived vector a_c s; s: amplitude k or form n + p. */
typedef struct gos_derived_pair {
    int number, c, s;
    const gos_derived *of;
} gos_derived_pair;

typedef int gos_derived_numbers[3]; // of a_1 s, a_2 s, a_3 s; 0: unused

struct gos_derived {
    const char *name; // "body 'arm'", for messages
    gos_loc loc;
    int r;                       // coordinate of the origin
    int axis;                    // coordinate of a_1, then a_2, a_3
    int n;                       // amplitudes
    const int *z;                // (n) coordinate of each amplitude, 3 v + c
    int nform, form_cap;         // forms
    gos_derived_form *form;      // (nform)
    gos_derived_numbers *number; // (n + nform)
    gos_derived_list *all;
};

struct gos_derived_list {
    gos_arena *arena;
    int n, cap;             // vectors of all bodies, -1 ... -n
    gos_derived_pair *pair; // (n)
    int nbody, body_cap;
    gos_derived **body; // (nbody)
};

/** Registers a body's amplitudes. r, axis .. axis + 2 and z are the builder's coordinates; name, z
 * (n) and *made live in its arena. @return GOS_E_MEMORY */
gos_status gos__derived_create(gos_builder *b, const char *name, gos_loc loc, int r, int axis,
                               int n, const int *z, gos_derived **derived);
/** Adds a copied quadratic form without zeros. *s: its number, n + p. @return GOS_E_MEMORY */
gos_status gos__derived_form(gos_derived *derived, const gos_derived_form *form, int *s);
/** Number of a_c s, created on first use; s: an amplitude, or a number from gos__derived_form.
 * @return GOS_E_MEMORY */
gos_status gos__derived_vector(gos_derived *derived, int c, int s, int *number);

/** Value of scalar s for coordinates e (z[k] at e[z[k]]). */
double gos__derived_scalar(const gos_derived *derived, int s, const double *e);
/** Initial value of a coordinate or derived vector. */
void gos__vector_initial(const gos_builder *b, int number, double x[3]);

#endif
