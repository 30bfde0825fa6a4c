/* Electrodes of piezoelectric patches, by name. */
#ifndef GOS_ELECTRODE_H
#define GOS_ELECTRODE_H

#include "parts/builder.h"

typedef enum gos_electrode_signal {
    GOS_ELECTRODE_CHARGE,   // total charge [C]
    GOS_ELECTRODE_VOLTAGE,  // [V]
    GOS_ELECTRODE_MOTIONAL, // charge at 0 V [C]
    GOS_ELECTRODE_CURRENT,  // its rate [A]
    GOS_ELECTRODE_SIGNALS
} gos_electrode_signal;

typedef struct gos_electrode_patch {
    int cell; // index among drawn cells
    int side; // 1: side of the cell's normal (corners counter-clockwise), or -1
} gos_electrode_patch;

/* Its inputs are time functions of the builder. */
typedef struct gos_electrode {
    const char *name; // "patches(3)"
    const gos_body *body;
    gos_signal signal[GOS_ELECTRODE_SIGNALS];
    int npatch;
    const gos_electrode_patch *patch; // (npatch) drawn ones
    struct gos_electrode *next;
} gos_electrode;

/** Registers a copy; name and patches are borrowed. */
gos_status gos__add_electrode(gos_builder *b, const gos_electrode *e);
const gos_electrode *gos__find_electrode(const gos_builder *b, const char *name);

#endif
