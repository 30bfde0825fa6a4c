/* Models to begin with: text of each kind, for gossamer new. */
#ifndef GOS_CLI_SKELETONS_H
#define GOS_CLI_SKELETONS_H

#include <stdio.h>

/* What is asked for; what a kind does not have is left aside. */
typedef struct skeleton_choice {
    int panels;   // of a satellite, at least 1
    int elements; // along a flexible body
} skeleton_choice;

typedef struct skeleton {
    const char *name;    // of the kind
    const char *summary; // what it is and what its first run shows
    void (*write)(FILE *out, const skeleton_choice *choice);
} skeleton;

/** Kind i from 0; NULL beyond the last. */
const skeleton *skeleton_at(int i);

#endif
