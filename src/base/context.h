/* The context's fields, for the files of this folder only. */
#ifndef GOS_BASE_CONTEXT_H
#define GOS_BASE_CONTEXT_H

#include "base/source_files.h"
#include "base/pool.h"

#define GOS_PROGRAM_PATH 1024 // bytes of the path of a program
#define GOS_MESSAGE_MAX 2048  // bytes of one message line; longer ones are cut

/* A kept message with what is needed to recognise a repeated warning. */
typedef struct gos_message {
    gos_diag diag;
    const char *fmt;            // text before formatting, compared by content
    char *file, *object, *text; // owned copies, NULL where diag has none or a fixed text
} gos_message;

struct gos_ctx {
    gos_allocator allocator;
    bool own_allocator; // malloc and its kin, nothing given
    long allocations;   // calls of alloc and realloc so far

    double unknowns; // most of a model that is compiled
    int ranks; // of gossamer-petsc, which solves large symmetric systems; 0: none, they are solved
               // here
    char partner[GOS_PROGRAM_PATH]; // its path
    gos_pool *pool;                 // threads that work for it, NULL: the caller's alone
    bool borrowed;                  // they are another context's

    /* messages: errors and warnings have their own limits, so neither crowds out the other */
    gos_message message[2 * GOS_LIMIT_DIAGS]; // in order of appearance
    int nmessage;
    int nkept_errors;
    int nerrors;                 // all errors, kept or not
    char first[GOS_MESSAGE_MAX]; // the first error as one line
    char memory_text[96];        // text of an out-of-memory error, which must not allocate
    char retry[256];             // why the last GOS_RETRY was raised

    /* progress */
    gos_progress_fn progress;
    void *progress_user;
    double progress_start, progress_last; // [s] on the monotonic clock

    void (*found)(void *user,
                  const char *path); // whoever wants to know which files are read, or NULL
    void *found_user;

    /* interned strings: open hash over an arena */
    gos_arena *strings;
    const char **slot; // (nslot), nslot a power of two
    int nslot, nstring;
};

/** Allocate through the context without recording a failure. */
void *gos__raw_alloc(gos_ctx *ctx, size_t size);

/** Replace control characters and bytes that are not UTF-8, so that messages are safe to show. */
void gos__clean_text(char *s);

#endif
