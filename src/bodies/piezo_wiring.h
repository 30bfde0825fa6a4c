/* Patches on a body and the electrodes that they share, from all `piezo` entries on it. */
#ifndef GOS_PIEZO_WIRING_H
#define GOS_PIEZO_WIRING_H

#include "bodies/piezo.h"

/* Cells of a body that can carry patches. */
typedef struct gos_piezo_cells {
    const void *of;
    int n;       // cells
    bool layers; // patches on them may have mass and stiffness
    bool warm;   // pyroelectric charge supported for other drives than voltage
    /* Marks the cells of a location, the part after "BODY." ("": all cells that can carry
     * patches). */
    gos_status (*choose)(gos_builder *b, const void *of, const gos_piezo *p, const char *place,
                         gos_loc loc, bool *chosen);
    long long (*number)(const void *of, int cell); // cell number in messages
    int *drawn; // (n) index of each cell among the body's drawn cells; NULL: none drawn
} gos_piezo_cells;

typedef struct gos_piezo_patch {
    const gos_piezo *entry;
    int cell;
    int face; // 1: upper, -1: lower
    int sign; // sign of the electrode's voltage, 1 or -1
    int electrode;
} gos_piezo_patch;

typedef struct gos_piezo_wiring {
    int n;                  // patches, at most one per face of a cell
    gos_piezo_patch *patch; // (n) ordered by electrode
    int nentry;
    gos_piezo **entry; // (nentry)
    int nelectrode;
    const char **name; // (nelectrode)
    bool *charge;      // (nelectrode) driven by charge
} gos_piezo_wiring;

/** Collects all entries on the body of this name. */
gos_status gos__piezo_wire(gos_builder *b, const char *body, const gos_piezo_cells *cells,
                           gos_piezo_wiring *w);

#endif
