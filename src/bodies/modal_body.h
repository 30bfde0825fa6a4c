/* Bodies by vibration modes: amplitudes are the coordinates. */
#ifndef GOS_MODAL_BODY_H
#define GOS_MODAL_BODY_H

#include "bodies/matrices_body.h"
#include "bodies/piezo.h"

/* A point that moves with the modes; it becomes a node of matrices. */
typedef struct gos_modal_location {
    const char *name;
    double x[3]; // at rest [m]
    // (6, n) displacements [m], rotations [rad] per unit amplitude
    const double *shape;
} gos_modal_location;

typedef struct gos_modal_data {
    int n;               // modes, of unit modal mass
    const double *omega; // (n) [rad/s]
    const double *zeta;  // (n) damping ratios
    int nlocation;
    const gos_modal_location *location; // (nlocation)
    int nentry;                         // `piezo` entries on the body ...
    gos_piezo **entry;                  // (nentry)
    int nelectrode;                     // ... and their electrodes
    const double *row;                  // (n, nelectrode) [N/V]
    const double *capacitance;          // (nelectrode) clamped capacitance [F]
} gos_modal_data;

/** Lists the `piezo` entries on body `name` of type given (`given`) or patch. */
gos_status gos__modal_entries(gos_builder *b, const char *name, bool given, gos_piezo ***entry,
                              int *n);
/** Adds the modal body; charge-driven electrodes stiffen it. */
gos_status gos__modal_add(gos_builder *b, const gos_type *type, const gos_node *entry,
                          const char *name, const char *object, const gos_modal_data *data);

#endif
