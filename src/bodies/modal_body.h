/* Bodies that are known by their vibration modes alone, whoever computed them: amplitudes of the
   modes are their coordinates, and places that move with these. What the types that read modes
   share. */
#ifndef GOS_MODAL_BODY_H
#define GOS_MODAL_BODY_H

#include "bodies/matrices_body.h"
#include "bodies/piezo.h"

/* A place that moves with the modes; it becomes a node of matrices. */
typedef struct gos_modal_place {
    const char *name;
    double x[3];         // at rest [m]
    const double *shape; // displacements [m], then rotations [rad] of a unit amplitude (6, n),
                         // those of a direction together
} gos_modal_place;

typedef struct gos_modal_data {
    int n;                        // modes, of unit mass
    const double *omega;          // (n) [rad/s]
    const double *zeta;           // (n) damping ratios
    int nplace;                   //
    const gos_modal_place *place; // (nplace)
    int nentry;                   // entries of the section `piezo` that lie on it ...
    gos_piezo **entry;            // (nentry)
    int nelectrode;               // ... and their electrodes
    const double *row;            // modal forces by voltages (n, nelectrode) [N/V]
    const double *capacitance;    // while nothing moves (nelectrode) [F]
} gos_modal_data;

/** The entries of the section `piezo` that lie on the body `name` and are of tables (`given`) or
 * patches: *entry (*n). */
gos_status gos__modal_entries(gos_builder *b, const char *name, bool given, gos_piezo ***entry,
                              int *n);
/** The body of these data: coordinates, places, electrodes. Electrodes whose charge is given
 * stiffen it. */
gos_status gos__modal_add(gos_builder *b, const gos_type *type, const gos_node *entry,
                          const char *name, const char *object, const gos_modal_data *data);

#endif
