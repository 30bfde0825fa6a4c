/* Where joints and loads act, for pictures: of the initial configuration. */
#ifndef GOS_SYMBOLS_H
#define GOS_SYMBOLS_H

#include "system/system.h"

#define GOS_MARK_PLACES 2 // shown of an entry: one, or the two ends of what acts between places

typedef struct gos_mark {
    const char *name; // "joint 'pin'", lives as long as the system
    bool joint;       // else a load
    bool ground;      // one side of the joint is fixed in space
    int node[2]; // of the joint's sides: the node of the mesh where the body has only one, else -1
    int nplace;
    double place[GOS_MARK_PLACES][3]; // [m]
    double force[3];                  // on the first place at t = 0 [N]
} gos_mark;

/** Marks of a system, in the order of its joints and loads, in the arena. What acts on directions
 * alone, as a moment does, is at the node that they belong to; in reduced systems, where nodes have
 * no coordinates, it is left out, as are loads without a place of their own (gravity). *n: how
 * many. */
gos_status gos__marks_find(gos_ctx *ctx, const gos_system *s, gos_arena *arena, gos_mark **marks,
                           int *n);

/** Does the marker move with a translation? It is a position then, else a direction, or fixed in
 * space. */
bool gos__marker_is_place(const gos_system *s, const gos_marker *m);

#endif
