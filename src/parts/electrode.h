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

/* The inputs of its signals are functions of time of the builder. */
typedef struct gos_electrode {
    const char *name; // "patches(3)"
    const gos_body *body;
    gos_signal signal[GOS_ELECTRODE_SIGNALS];
} gos_electrode;

/** Known from here on; copied, its name is borrowed. */
gos_status gos__add_electrode(gos_builder *b, const gos_electrode *e);
/** By name; NULL: there is none. */
const gos_electrode *gos__find_electrode(const gos_builder *b, const char *name);

#endif
