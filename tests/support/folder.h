/* A folder of its own for the files of a test program: a setup, a teardown, and paths in it. */
#ifndef SUPPORT_FOLDER_H
#define SUPPORT_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[64];

static inline int folder_make(void **state) {
    (void)state;
    (void)strcpy(folder, "/tmp/gos_test_XXXXXX"); // the last six become unique letters
    return mkdtemp(folder) ? 0 : -1;
}

static inline int folder_remove(void **state) {
    (void)state;
    char command[100];
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/** Path of a file in it; valid until the next call. */
static inline const char *folder_path(const char *name) {
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

#endif
