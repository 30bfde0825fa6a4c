/* Patches on a body and their shared electrodes. */
#ifndef GOS_PIEZO_WIRING_H
#define GOS_PIEZO_WIRING_H

#include "bodies/piezo.h"

/* Cells that can carry patches. */
typedef struct gos_piezo_cells {
    const void *of;
    int n;       // cells
    bool layers; // mass and stiffness supported
    bool warm;   // pyroelectric charge supported for all drives
    /* Marks the cells of a location, the part after "BODY." ("": all). */
    gos_status (*choose)(gos_builder *b, const void *of, const gos_piezo *p, const char *location,
                         gos_loc loc, bool *chosen);
    long long (*number)(const void *of, int cell); // for messages
    int *drawn;                                    // (n) drawn cell; or NULL
} gos_piezo_cells;

typedef struct gos_piezo_patch {
    const gos_piezo *entry;
    int cell;
    int face; // 1: upper, -1: lower
    int sign; // of the voltage, 1 or -1
    int electrode;
} gos_piezo_patch;

typedef struct gos_piezo_wiring {
    int n;                  // at most one per face
    gos_piezo_patch *patch; // (n) ordered by electrode
    int nentry;
    gos_piezo **entry; // (nentry)
    int nelectrode;
    const char **name; // (nelectrode)
    bool *charge;      // (nelectrode) driven by charge
} gos_piezo_wiring;

/** Collects the patches and electrodes of all entries on this body. */
gos_status gos__piezo_wire(gos_builder *b, const char *body, const gos_piezo_cells *cells,
                           gos_piezo_wiring *w);

#endif
