/* Electrode patches on drawn cells. */
#ifndef GOS_DRAWN_PATCHES_H
#define GOS_DRAWN_PATCHES_H

#include "system/system.h"

typedef struct gos_drawn_patch {
    const char *electrode; // "patches(3)"
    int cell;              // of gos_system_mesh
    int side;              // 1: side of the cell normal; -1
} gos_drawn_patch;

/** All drawable patches (*n), by electrode, in the arena. */
gos_status gos__drawn_patches(const gos_system *s, gos_arena *a, gos_drawn_patch **patch, int *n);

#endif
