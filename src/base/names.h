/* Lookup of objects by name in constant time. */
#ifndef GOS_NAMES_H
#define GOS_NAMES_H

#include "base/base.h"

/* A hash table in an arena; zero-initialise. Its order is never used. */
typedef struct gos_names {
    int n, nslot; // nslot: 0 or a power of two
    struct gos_name *slot;
} gos_names;

/** Add an object under a new name (both borrowed). */
gos_status gos__names_add(gos_arena *a, gos_names *names, const char *name, void *thing);
/** The object with the name name[0..n), or NULL. */
void *gos__names_find(const gos_names *names, const char *name, size_t n);

#endif
