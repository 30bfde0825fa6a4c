/* Things found by their names, in a time that does not grow with their number. */
#ifndef GOS_NAMES_H
#define GOS_NAMES_H

#include "base/base.h"

/* A hash table in an arena; zero it to begin. Nothing is ever listed in its order. */
typedef struct gos_names {
    int n, nslot; // nslot: 0 or a power of two
    struct gos_name *slot;
} gos_names;

/** Add a thing under a name (both borrowed) that is not there yet. */
gos_status gos__names_add(gos_arena *a, gos_names *names, const char *name, void *thing);
/** The thing whose name is name[0..n), or NULL. */
void *gos__names_find(const gos_names *names, const char *name, size_t n);

#endif
