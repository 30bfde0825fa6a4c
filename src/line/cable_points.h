/* Points and laws of the cable's elements. */
#ifndef GOS_CABLE_POINTS_H
#define GOS_CABLE_POINTS_H

#include "line/cable_law.h"
#include "line/line.h"

/* shared by the body and its points */
typedef struct gos_cable {
    gos_line line; // nodes are the element ends
    gos_taper taper;
    double h; // element length [m]
    int ne;
    gos_cable_par par;            // of the whole section
    gos_cable_par axial, bending; // two blocks of reduced quadrature
    bool reduced;
    bool transported;
    bool own;               // points have their own sections
    const char *carried_by; // where the reference vector rotates
    gos_loc carried_loc;
    gos_marker carrier;
} gos_cable;

#define GOS_CABLE_REF 11 // maximum of a law

int gos__cable_element(const gos_cable *c, double s, double *xi);
/** Shape functions of r at xi of element e, first and second derivatives by the stress-free length.
 * @return that length over the nominal one [-]. */
double gos__cable_shapes(const gos_cable *c, int e, double xi, double w[3][4]);
/** Weighted sum of nodal values at t = 0. */
void gos__cable_initial(const gos_cable *c, int e, const double w[4], double x[3]);
/** gos_body_ops.section. */
void gos__cable_section(const gos_body *b, double s, gos_section *at);
/** gos_body_ops.reference. */
void gos__cable_reference(const gos_body *b, const gos_location *p, double *ref);
/** gos_body_ops.finish: carrier of the reference vector, then points. */
gos_status gos__cable_finish(gos_builder *b, gos_body *body);

#endif
