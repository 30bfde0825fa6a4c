/* See global_lock.h. */
#include "base/global_lock.h"

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#define RETRY_NANOSECONDS 200000 // [ns] before locking all is tried again

static pthread_mutex_t lock[GOS_NLIBRARIES] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                               PTHREAD_MUTEX_INITIALIZER};
// libraries locked by this thread (it may fork inside a lock)
static _Thread_local bool held[GOS_NLIBRARIES];
static int generation;

static void unlock(int n) {
    for (int i = 0; i < n; i++) {
        if (!held[i]) {
            (void)pthread_mutex_unlock(&lock[i]);
        }
    }
}

/* Locks all or none, so that threads that nest locks in any order do not block. */
static bool lock_all(void) {
    for (int i = 0; i < GOS_NLIBRARIES; i++) {
        if (!held[i] && pthread_mutex_trylock(&lock[i]) != 0) {
            unlock(i);
            return false;
        }
    }
    return true;
}

static void before(void) {
    while (!lock_all()) {
        const struct timespec t = {0, RETRY_NANOSECONDS};
        (void)nanosleep(&t, NULL);
    }
}

static void in_parent(void) {
    unlock(GOS_NLIBRARIES);
}

static void in_child(void) {
    generation++;
    unlock(GOS_NLIBRARIES);
}

static void register_fork_handlers(void) {
    (void)pthread_atfork(before, in_parent, in_child);
}

static void begin(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, register_fork_handlers);
}

void gos__library_lock(gos_library library) {
    begin();
    (void)pthread_mutex_lock(&lock[library]);
    held[library] = true;
}

void gos__library_unlock(gos_library library) {
    held[library] = false;
    (void)pthread_mutex_unlock(&lock[library]);
}

int gos__generation(void) {
    begin();
    return generation;
}
