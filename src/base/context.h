/* Fields of the context, for this folder only. */
#ifndef GOS_BASE_CONTEXT_H
#define GOS_BASE_CONTEXT_H

#include "base/pool.h"
#include "base/base.h"

/** From now on call `found` (NULL: none) for each file or folder located by gos__path_below, with
 * its absolute path without links, borrowed during the call. */
void gos__ctx_found(gos_ctx *ctx, void (*found)(void *user, const char *path), void *user);

#define GOS_PROGRAM_PATH 1024 // bytes of a program path
#define GOS_MESSAGE_MAX 2048  // bytes of one message line; longer ones are truncated

/* A stored message, with the data to recognise repeated warnings. */
typedef struct gos_message {
    gos_diag diag;
    const char *fmt;            // format, compared by content
    char *file, *object, *text; // owned copies, NULL if diag has none or a fixed text
} gos_message;

struct gos_ctx {
    gos_allocator allocator;
    bool own_allocator;
    long allocations; // calls of alloc and realloc so far

    double unknowns;
    // of gossamer-petsc, which solves large symmetric systems; 0: none
    int ranks;
    char partner[GOS_PROGRAM_PATH];
    gos_pool *pool; // threads of the context, NULL: only the caller's
    bool borrowed;  // the pool belongs to another context

    /* errors and warnings have separate limits */
    gos_message message[2 * GOS_LIMIT_DIAGS];
    int nmessage;
    int nkept_errors;
    int nerrors;                 // all errors, stored or not
    char first[GOS_MESSAGE_MAX]; // the first error as one line
    char memory_text[96];        // text of an out-of-memory error, which must not allocate
    char retry[256];

    gos_progress_fn progress;
    void *progress_user;
    double progress_start, progress_last; // [s] on the monotonic clock

    void (*found)(void *user,
                  // called for each file that is read, or NULL
                  const char *path);
    void *found_user;

    /* interned strings: hash table with open addressing */
    gos_arena *strings;
    const char **slot; // (nslot), nslot a power of two
    int nslot, nstring;
};

/** Allocate through the context without recording a failure. */
void *gos__raw_alloc(gos_ctx *ctx, size_t size);

/** Record a warning (count > 0) or note of an earlier process. A warning of the same format and
 * object, or an equal note, is replaced. fmt: not freed before the context. */
void gos__message_restore(gos_ctx *ctx, gos_loc loc, const char *object, const char *fmt,
                          const char *text, int count);

#endif
