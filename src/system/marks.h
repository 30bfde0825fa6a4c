/* Symbols of joints and loads in drawings of the initial configuration. */
#ifndef GOS_MARKS_H
#define GOS_MARKS_H

#include "system/system.h"

#define GOS_MARK_LOCATIONS 2 // maximum per entry: one point, or two ends

typedef struct gos_mark {
    const char *name; // "joint 'pin'"; lives as long as the system
    bool joint;       // else a load
    bool ground;      // one side is fixed in space
    int node[2];      // per side: the node of single-node bodies, else -1
    int nlocation;
    double location[GOS_MARK_LOCATIONS][3]; // [m]
    double force[3];                        // on the first point at t = 0 [N]
} gos_mark;

/** Marks in the arena, in order of joints and loads; *n: number. Moments are at their node.
 * Omitted: those in reduced systems, which have no nodes, and loads without location (gravity). */
gos_status gos__marks_find(gos_ctx *ctx, const gos_system *s, gos_arena *arena, gos_mark **marks,
                           int *n);

/** True for position markers, which translate; false for directions and fixed markers. */
bool gos__marker_is_location(const gos_system *s, const gos_marker *m);

#endif
