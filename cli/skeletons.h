/* Model templates for gossamer new. */
#ifndef GOS_CLI_SKELETONS_H
#define GOS_CLI_SKELETONS_H

#include <stdio.h>

/* Choices; ignored by kinds to which they do not apply. */
typedef struct skeleton_choice {
    int panels;   // of a satellite, at least 1
    int elements; // along a flexible body
} skeleton_choice;

typedef struct skeleton {
    const char *name;    // of the kind
    const char *summary; // one line
    void (*write)(FILE *out, const skeleton_choice *choice);
} skeleton;

/** Kind i from 0; NULL beyond the last. */
const skeleton *skeleton_at(int i);

#endif
