/* Points and laws of the cable's elements. */
#ifndef GOS_CABLE_POINTS_H
#define GOS_CABLE_POINTS_H

#include "line/cable_law.h"
#include "line/line.h"

/* data shared by the body and its points */
typedef struct gos_cable {
    gos_line line; // nodes are the element ends
    gos_taper taper;
    double h; // element length [m]
    int ne;
    gos_cable_par par;            // of the whole section
    gos_cable_par axial, bending; // of the two blocks of reduced quadrature
    bool reduced;
    bool transported;       // transported section frames
    bool own;               // each point has its own section
    const char *carried_by; // place with which the reference vector rotates
    gos_loc carried_loc;
    gos_marker carrier; // the vector there
} gos_cable;

#define GOS_CABLE_REF 11 // maximum number of reference data of a law

/** Element at s, and xi in it. */
int gos__cable_element(const gos_cable *c, double s, double *xi);
/** Shape functions of r at xi of element e, and first and second derivatives by the stress-free
 * length. @return ratio of that length to the nominal one [-]. */
double gos__cable_shapes(const gos_cable *c, int e, double xi, double w[3][4]);
/** Weighted sum of nodal values at t = 0. */
void gos__cable_initial(const gos_cable *c, int e, const double w[4], double x[3]);
/** gos_body_ops.section. */
void gos__cable_section(const gos_body *b, double s, gos_section *at);
/** gos_body_ops.reference. */
void gos__cable_reference(const gos_body *b, const gos_place *p, double *ref);
/** gos_body_ops.finish: carrier of the reference vector, then the points. */
gos_status gos__cable_finish(gos_builder *b, gos_body *body);

#endif
