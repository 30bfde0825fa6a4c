/* Patches of electrodes on the cells that are drawn of a system. */
#ifndef GOS_DRAWN_PATCHES_H
#define GOS_DRAWN_PATCHES_H

#include "system/system.h"

typedef struct gos_drawn_patch {
    const char *electrode; // "patches(3)"
    int cell;              // of gos_system_mesh
    int side;              // 1: out of which the cell's normal points, -1
} gos_drawn_patch;

/** All that can be drawn, by electrodes (*n), in the arena. */
gos_status gos__drawn_patches(const gos_system *s, gos_arena *a, gos_drawn_patch **patch, int *n);

#endif
