/* Locks of libraries with global state. While a process forks, the forking thread holds all of
 * them, so that the child finds this state consistent and the locks free. */
#ifndef GOS_GLOBAL_LOCK_H
#define GOS_GLOBAL_LOCK_H

typedef enum gos_library {
    GOS_LIBRARY_MUPARSER,
    GOS_LIBRARY_MUMPS, // and METIS: both use the C library's random numbers
    GOS_LIBRARY_HDF5,
    GOS_NLIBRARIES
} gos_library;

void gos__library_lock(gos_library library);
void gos__library_unlock(gos_library library);
/** Number of forks between the first process that used the library and this one: data with another
 * number belong to an ancestor. */
int gos__generation(void);

#endif
