/* Points and laws of the cable's elements. */
#ifndef GOS_CABLE_POINTS_H
#define GOS_CABLE_POINTS_H

#include "line/cable_law.h"
#include "line/line.h"

/* what the body and its points share */
typedef struct gos_cable {
    gos_line line; // nodes are the ends of elements
    gos_taper taper;
    double h; // element length [m]
    int ne;
    gos_cable_par par;            // of the whole section
    gos_cable_par axial, bending; // of the two blocks of reduced quadrature
    bool reduced;                 // quadrature
    bool transported;             // section frames are carried along
    bool own;                     // the points have sections of their own
    const char *carried_by;       // place that the reference vector turns with
    gos_loc carried_loc;
    gos_marker carrier; // ... and the vector there
} gos_cable;

#define GOS_CABLE_REF 11 // most reference data of a law

/** Element of the cable at s, and where in it. */
int gos__cable_element(const gos_cable *c, double s, double *xi);
/** Shape functions of r, and of its first and second derivatives by the length in which the cable
 * is free of stress, at xi of element e. @return how much of that length there is to the nominal
 * one [-]. */
double gos__cable_shapes(const gos_cable *c, int e, double xi, double w[3][4]);
/** Sum of these functions at t = 0. */
void gos__cable_initial(const gos_cable *c, int e, const double w[4], double x[3]);
/** gos_body_ops.section. */
void gos__cable_section(const gos_body *b, double s, gos_section *at);
/** gos_body_ops.reference. */
void gos__cable_reference(const gos_body *b, const gos_place *p, double *ref);
/** gos_body_ops.finish: the reference vector's carrier, then the points. */
gos_status gos__cable_finish(gos_builder *b, gos_body *body);

#endif
