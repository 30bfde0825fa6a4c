/* Element of the section-vector beam. */
#ifndef GOS_BEAM_ELEMENT_H
#define GOS_BEAM_ELEMENT_H

#include "line/beam_law.h"
#include "line/line.h"

#define GOS_BEAM_NODE 3 // r, a, b

typedef struct gos_beam {
    gos_line line;
    gos_taper taper;
    double h;         // element length [m]
    int ne;           // elements
    double (*d)[3];   // local y of the nodes at t = 0; local z is the line's v
    double offset[2]; // of the section centroids from the nodes, local y and z [m]
    double penalty;   // against distortion of the section [-]
    bool own;         // points have their own sections
    gos_beam_par par; // of the section at the start
} gos_beam;

/** Vector `which` (0 r, 1 a, 2 b), weighted over an element's nodes, at t = 0. */
void gos__beam_initial(const gos_beam *m, int e, int which, const double w[3], double x[3]);
/** Shape functions N at xi of element e, and derivatives by the stress-free length of the centroid
 * axis. @return that length over the nominal one [-]. */
double gos__beam_shapes(const gos_beam *m, int e, double xi, double N[3], double dN[3]);
/** Exact at nodes, so that round-off of s does not couple other nodes. */
int gos__beam_element_at(const gos_beam *m, const gos_location *p, double *xi);

void gos__beam_stiffness(const gos_body *b, const gos_section *s, double axis[GOS_BEAM_AXIS],
                         double section[GOS_BEAM_SECTION]);
/** gos_body_ops.reference, gos_body_ops.section. */
void gos__beam_reference(const gos_body *b, const gos_location *p, double *ref);
void gos__beam_section_at(const gos_body *b, double s, gos_section *at);

gos_status gos__beam_add_points(gos_builder *b, const gos_body *body, bool rates);
gos_status gos__beam_add_matrices(gos_builder *b, const gos_body *body);

#endif
