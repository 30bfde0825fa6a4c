/* Points and laws of the cable's elements. */
#ifndef GOS_CABLE_POINTS_H
#define GOS_CABLE_POINTS_H

#include "bodies/cable_law.h"
#include "bodies/line.h"

/* what the body and its points share */
typedef struct gos_cable {
    gos_line line; // nodes are the ends of elements
    double h;      // element length [m]
    int ne;
    gos_cable_par par;            // of the whole section
    gos_cable_par axial, bending; // of the two blocks of reduced quadrature
    bool reduced;                 // quadrature
    bool transported;             // section frames are carried along
    double ref[6];                // reference data of the points
    const char *carried_by;       // place that the reference vector turns with
    gos_loc carried_loc;
    gos_marker carrier; // ... and the vector there
} gos_cable;

/** gos_body_ops.finish: the reference vector's carrier, then the points. */
gos_status gos__cable_finish(gos_builder *b, gos_body *body);

#endif
