/* Internals shared by all layers: failing with context, checked allocation, arenas, strings. */
#ifndef GOS_BASE_INTERNAL_H
#define GOS_BASE_INTERNAL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "gossamer/base.h"
#include "base/limits.h"

#define GOS_UNUSED(x) ((void)(x))
#define GOS_COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

/* return from the calling function when an expression fails */
#define GOS_TRY(expr)                                                                              \
    do {                                                                                           \
        gos_status gos_try_status_ = (expr);                                                       \
        if (gos_try_status_ != GOS_OK) {                                                           \
            return gos_try_status_;                                                                \
        }                                                                                          \
    } while (0)

/* Place of something in an input file; all zero when it came through the API. */
typedef struct gos_loc {
    const char *file; // interned in the context, or NULL
    int line, col;    // 1-based, 0 when unknown
} gos_loc;

/** Record an error and return its status. `object` (may be NULL) e.g. "body 'rod'". The text says
 *  what is wrong and what to do. Errors beyond GOS_LIMIT_DIAGS are counted, not kept. */
gos_status gos__fail(gos_ctx *ctx, gos_status status, const char *fmt, ...) GOS_PRINTF(3, 4);
gos_status gos__fail_at(gos_ctx *ctx, gos_status status, gos_loc loc, const char *object,
                        const char *fmt, ...) GOS_PRINTF(5, 6);
/** Record a warning; the same text (before formatting) from the same object is counted, not
 *  repeated. */
void gos__warn(gos_ctx *ctx, gos_loc loc, const char *object, const char *fmt, ...)
    GOS_PRINTF(4, 5);
/** Why GOS_RETRY was last returned: gos__fail with a positive status keeps its text here, allocates
 *  nothing and counts no error. "" when it never was. */
const char *gos__retry_reason(const gos_ctx *ctx);
/** Number of errors (not warnings) recorded. */
int gos__nerrors(const gos_ctx *ctx);
/** Most unknowns of a model: gos_ctx_set_limit. */
double gos__ctx_limit(const gos_ctx *ctx);
/** Ranks of another program that solves large symmetric systems (gos_ctx_set_solver), 0: they are
 * solved here; and its path. */
int gos__ctx_ranks(const gos_ctx *ctx);
const char *gos__ctx_partner(const gos_ctx *ctx);
/** A context of its own with the same allocator, for trials whose messages nobody should see; NULL
 * (error recorded in ctx) when out of memory. */
gos_ctx *gos__ctx_quiet(gos_ctx *ctx);
/** Report progress; returns GOS_E_INTERRUPTED when the callback asks for it. Cheap to call often:
 *  the callback is rate-limited. */
gos_status gos__progress(gos_ctx *ctx, double fraction, const char *text);
/** Reset the progress clock at the start of a long computation. */
void gos__progress_start(gos_ctx *ctx);
/** Monotonic wall clock [s]. */
double gos__now(void);
/** Processor time of this thread [s], which others on the machine do not lengthen. */
double gos__cpu_time(void);

/* Memory through the context's allocator; 64-byte aligned, sizes checked; NULL on failure with the
   error recorded. gos__zalloc zeroes. */
void *gos__alloc(gos_ctx *ctx, size_t n, size_t size);
void *gos__zalloc(gos_ctx *ctx, size_t n, size_t size);
void gos__free(gos_ctx *ctx, void *p);
/** Grow *array (count used *cap, element size) to hold at least n; keeps contents, zeroes
 *  the rest. */
gos_status gos__grow(gos_ctx *ctx, void **array, int *cap, int n, size_t size);

/* An arena: many small allocations freed together. Zeroed; 64-byte aligned from 64 bytes. */
typedef struct gos_arena gos_arena;
gos_arena *gos__arena_create(gos_ctx *ctx);
void gos__arena_destroy(gos_arena *a);
/** n elements of `size` bytes, zeroed; NULL (error recorded) when out of memory or overflowing. */
void *gos__arena_alloc(gos_arena *a, size_t n, size_t size);
char *gos__arena_strdup(gos_arena *a, const char *s);
char *gos__arena_printf(gos_arena *a, const char *fmt, ...) GOS_PRINTF(2, 3);
/** Call fn(arg) when the arena is destroyed, latest first: for what owns something outside. */
gos_status gos__arena_defer(gos_arena *a, void (*fn)(void *), void *arg);
#define GOS_NEW(arena, type, n) ((type *)gos__arena_alloc((arena), (n), sizeof(type)))

/** Intern a string for the life of the context. */
const char *gos__intern(gos_ctx *ctx, const char *s);

/** The best match of `word` among names[0..n) for a "did you mean", or NULL when none is near. */
const char *gos__suggest(const char *word, const char *const *names, int n);

/** snprintf and vsnprintf with a decimal point in any locale: for every number that is written. */
int gos__format(char *buf, size_t size, const char *fmt, ...) GOS_PRINTF(3, 4);
int gos__vformat(char *buf, size_t size, const char *fmt, va_list args) GOS_PRINTF(3, 0);
/** Length of the decimal number (digits, point, exponent; no sign) that s starts with, or 0. */
size_t gos__number_length(const char *s);
/** Read s[0..n), an optional sign and a decimal number, in any locale. False when it is something
 *  else. Too large numbers give infinity. s[n] must be readable. */
bool gos__number_parse(const char *s, size_t n, double *value);

/** Length of the UTF-8 character that s begins with, 0 when it is none. */
size_t gos__utf8_length(const char *s);

/* Recognising bytes. */
/** CRC-32 (IEEE 802.3) of n bytes that follow bytes of checksum `crc`; begin with 0. */
uint32_t gos__crc32(uint32_t crc, const void *data, size_t n);
#define GOS_HASH_BEGIN 1469598103934665603u // FNV-1a, 64 bits
/** Hash of n bytes that follow bytes of hash `h`; not against intent. */
uint64_t gos__hash(uint64_t h, const void *data, size_t n);

/* Files named by a model. */
/** The path of file `name`, given relative to `folder`, for messages and opening; refused (error
 *  recorded at loc) when absolute, with "..", missing, or outside the folder after following links.
 *  Lives in arena `a`. */
gos_status gos__path_below(gos_ctx *ctx, const char *folder, const char *name, gos_loc loc,
                           const char *object, gos_arena *a, const char **path);
/** Open a regular file, for writing in place too when `writing`: the descriptor, *size its length.
 * Never waits: -1 for a pipe, a device or a folder, as when it cannot be opened; *why says it in a
 * few words. */
int gos__file_open(const char *path, bool writing, off_t *size, const char **why);
/** Length of a regular file [byte], 0 when there is none. */
size_t gos__file_size(const char *path);
/** Read a whole regular file of at most `limit` bytes; the text is followed by a 0 byte. Free it
 *  with gos__free. loc and object (may be empty and NULL) are where the file was named. */
gos_status gos__file_read(gos_ctx *ctx, const char *path, size_t limit, gos_loc loc,
                          const char *object, char **text, size_t *n);

#endif
