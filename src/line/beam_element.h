/* Element of the section-vector beam. */
#ifndef GOS_BEAM_ELEMENT_H
#define GOS_BEAM_ELEMENT_H

#include "line/beam_law.h"
#include "line/line.h"

#define GOS_BEAM_NODE 3 // vector coordinates of a node: r, a, b

typedef struct gos_beam {
    gos_line line;
    gos_taper taper;
    double h;         // element length [m]
    int ne;           // elements
    double (*d)[3];   // offset of the section centroids from the nodes, along local y and z [m]
    double offset[2]; // stiffness against distortion of the section [-]
    double penalty;   // each point has its own section
    bool own;         // for the section at the start
    gos_beam_par par; // of the section at the start
} gos_beam;

/** Weighted sum of vector `which` (0 r, 1 a, 2 b) of an element's nodes at t = 0. */
void gos__beam_initial(const gos_beam *m, int e, int which, const double w[3], double x[3]);
/** Shape functions N at xi of element e, and derivatives by the stress-free length of the centroid
 * axis. @return ratio of that length to the nominal one [-]. */
double gos__beam_shapes(const gos_beam *m, int e, double xi, double N[3], double dN[3]);
/** Element and xi of a place; exact at nodes, so that round-off of s does not couple other
 * nodes. */
int gos__beam_element_at(const gos_beam *m, const gos_place *p, double *xi);

/** Stiffnesses of a section: of the axis, and against distortion. */
void gos__beam_stiffness(const gos_body *b, const gos_section *s, double axis[GOS_BEAM_AXIS],
                         double section[GOS_BEAM_SECTION]);
/** Reference data of the axis (GOS_BEAM_AXIS_OWN) at xi of element e. */
void gos__beam_axis_reference(const gos_body *b, int e, double xi, double *ref);
/** gos_body_ops.reference, gos_body_ops.section. */
void gos__beam_reference(const gos_body *b, const gos_place *p, double *ref);
void gos__beam_section_at(const gos_body *b, double s, gos_section *at);

/** Adds the points of axis and section. */
gos_status gos__beam_add_points(gos_builder *b, const gos_body *body, bool rates);
/** Adds mass, heat capacity and conduction. */
gos_status gos__beam_add_matrices(gos_builder *b, const gos_body *body);

#endif
