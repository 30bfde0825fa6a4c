/* Which patches there are on a body, and which of them share an electrode: what the entries of the
   section `piezo` that lie on it say of its cells, whatever these are. */
#ifndef GOS_PIEZO_WIRING_H
#define GOS_PIEZO_WIRING_H

#include "bodies/piezo.h"

/* What of a body can carry patches. */
typedef struct gos_piezo_cells {
    const void *of;
    int n;       // cells
    bool layers; // whether patches on them may have mass and stiffness,
    bool warm;   // and a charge by temperature where no voltage is given
    /* mark the cells of a place, what follows "BODY." ("": all that carry patches) */
    gos_status (*choose)(gos_builder *b, const void *of, const gos_piezo *p, const char *place,
                         gos_loc loc, bool *chosen);
    long long (*number)(const void *of, int cell); // as messages name it
    int *drawn; // the cell among the drawn ones of the body that each is (n); NULL: none are drawn
} gos_piezo_cells;

typedef struct gos_piezo_patch {
    const gos_piezo *entry;
    int cell;
    int face; // 1: upper, -1: lower
    int sign; // of the electrode's voltage there, 1 or -1
    int electrode;
} gos_piezo_patch;

typedef struct gos_piezo_wiring {
    int n;                  // patches, at most one on each face of a cell,
    gos_piezo_patch *patch; // in the order of their electrodes (n)
    int nentry;
    gos_piezo **entry; // (nentry)
    int nelectrode;
    const char **name; // (nelectrode)
    bool *charge;      // whether their charge is given (nelectrode)
} gos_piezo_wiring;

/** Take all entries that lie on the body of this name. */
gos_status gos__piezo_wire(gos_builder *b, const char *body, const gos_piezo_cells *cells,
                           gos_piezo_wiring *w);

#endif
