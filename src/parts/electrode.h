/* Electrodes of piezoelectric patches, whatever body carries them, by their names. */
#ifndef GOS_ELECTRODE_H
#define GOS_ELECTRODE_H

#include "parts/parts.h"

/* What a probe can show of it. */
typedef enum gos_electrode_signal {
    GOS_ELECTRODE_CHARGE,   // all of it [C]
    GOS_ELECTRODE_VOLTAGE,  // [V]
    GOS_ELECTRODE_MOTIONAL, // the charge that it would have at 0 V [C]
    GOS_ELECTRODE_CURRENT,  // how fast strains change that [A]
    GOS_ELECTRODE_SIGNALS
} gos_electrode_signal;

/* Where a patch lies in pictures: on a face of a cell that is drawn of its body. */
typedef struct gos_electrode_patch {
    int cell; // among the drawn ones of the body
    int side; // 1: out of which the cell's normal points (corners counter-clockwise), -1
} gos_electrode_patch;

/* The inputs of its signals are functions of time of the builder. */
typedef struct gos_electrode {
    const char *name; // "patches(3)"
    const gos_body *body;
    gos_signal signal[GOS_ELECTRODE_SIGNALS];
    int npatch;
    const gos_electrode_patch *patch; // those that are drawn (npatch)
    struct gos_electrode *next;       // in the order in which they were added
} gos_electrode;

/** Known from here on; copied, its name and patches are borrowed. */
gos_status gos__add_electrode(gos_builder *b, const gos_electrode *e);
/** By name; NULL: there is none. */
const gos_electrode *gos__find_electrode(const gos_builder *b, const char *name);

#endif
