/* Internals shared by all layers: error reporting, checked allocation, arenas, strings. */
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

#define GOS_TRY(expr)                                                                              \
    do {                                                                                           \
        gos_status gos_try_status_ = (expr);                                                       \
        if (gos_try_status_ != GOS_OK) {                                                           \
            return gos_try_status_;                                                                \
        }                                                                                          \
    } while (0)

/* Location in an input file; all zero for data from the API. */
typedef struct gos_loc {
    const char *file; // interned in the context, or NULL
    int line, col;    // 1-based, 0 when unknown
} gos_loc;

/** Record an error and return its status. `object` (may be NULL) e.g. "body 'rod'". The text gives
 * error and remedy. Errors beyond GOS_LIMIT_DIAGS are only counted. */
gos_status gos__fail(gos_ctx *ctx, gos_status status, const char *fmt, ...) GOS_PRINTF(3, 4);
gos_status gos__fail_at(gos_ctx *ctx, gos_status status, gos_loc loc, const char *object,
                        const char *fmt, ...) GOS_PRINTF(5, 6);
/** Record a warning; repetitions of the same format for the same object are counted. */
void gos__warn(gos_ctx *ctx, gos_loc loc, const char *object, const char *fmt, ...)
    GOS_PRINTF(4, 5);
/** The same; repetitions are not counted. */
void gos__warn_once(gos_ctx *ctx, gos_loc loc, const char *object, const char *fmt, ...)
    GOS_PRINTF(4, 5);
/** Reason of the last GOS_RETRY, set by gos__fail with a positive status, which neither allocates
 * nor counts; "" if none. */
const char *gos__retry_reason(const gos_ctx *ctx);
/** Number of errors (not warnings). */
int gos__nerrors(const gos_ctx *ctx);
/** Largest number of unknowns of a model (gos_ctx_set_limit). */
double gos__ctx_limit(const gos_ctx *ctx);
/** Ranks of the program that solves large symmetric systems (gos_ctx_set_solver), 0: none; and its
 * path. */
int gos__ctx_ranks(const gos_ctx *ctx);
const char *gos__ctx_partner(const gos_ctx *ctx);
/** Separate context with the same allocator, whose messages are discarded; NULL (error recorded in
 * ctx) when out of memory. */
gos_ctx *gos__ctx_quiet(gos_ctx *ctx);
/** Report progress; returns GOS_E_INTERRUPTED if the callback requests it. Cheap: the callback is
 * rate-limited. */
gos_status gos__progress(gos_ctx *ctx, double fraction, const char *text);
/** Reset the progress clock at the start of a long computation. */
void gos__progress_start(gos_ctx *ctx);
/** Monotonic wall clock [s]. */
double gos__now(void);
/** Processor time of this thread [s], independent of other load. */
double gos__cpu_time(void);

/* Memory from the context's allocator, 64-byte aligned, sizes checked; NULL on failure with the
 * error recorded. gos__zalloc zeroes. */
void *gos__alloc(gos_ctx *ctx, size_t n, size_t size);
void *gos__zalloc(gos_ctx *ctx, size_t n, size_t size);
void gos__free(gos_ctx *ctx, void *p);
/** Grow *array (capacity *cap, element size) to at least n; keeps contents, zeroes the rest. */
gos_status gos__grow(gos_ctx *ctx, void **array, int *cap, int n, size_t size);

/* Arena: many small allocations freed together. Zeroed; 64-byte aligned from 64 bytes on. */
typedef struct gos_arena gos_arena;
gos_arena *gos__arena_create(gos_ctx *ctx);
void gos__arena_destroy(gos_arena *a);
/** n elements of `size` bytes, zeroed; NULL (error recorded) when out of memory or on overflow. */
void *gos__arena_alloc(gos_arena *a, size_t n, size_t size);
char *gos__arena_strdup(gos_arena *a, const char *s);
char *gos__arena_printf(gos_arena *a, const char *fmt, ...) GOS_PRINTF(2, 3);
/** Call fn(arg) when the arena is destroyed, latest first, to release external resources. */
gos_status gos__arena_defer(gos_arena *a, void (*fn)(void *), void *arg);
#define GOS_NEW(arena, type, n) ((type *)gos__arena_alloc((arena), (n), sizeof(type)))

/** Write text with the special characters of XML escaped; `control` replaces control characters, 0
 * omits those that XML forbids. */
void gos__xml_text(FILE *out, const char *text, char control);
/** Intern a string for the life of the context. */
const char *gos__intern(gos_ctx *ctx, const char *s);

/** Best match of `word` among names[0..n) for a "did you mean"; NULL: none is close. */
const char *gos__suggest(const char *word, const char *const *names, int n);

/** snprintf and vsnprintf with a decimal point in any locale; use for all numbers. */
int gos__format(char *buf, size_t size, const char *fmt, ...) GOS_PRINTF(3, 4);
int gos__vformat(char *buf, size_t size, const char *fmt, va_list args) GOS_PRINTF(3, 0);
/** Length of the decimal number (digits, point, exponent; no sign) at the start of s, or 0. */
size_t gos__number_length(const char *s);
/** Parse s[0..n), an optional sign and a decimal number, in any locale. False for anything else.
 * Too large numbers yield infinity. s[n] must be readable. */
bool gos__number_parse(const char *s, size_t n, double *value);

/** Length of the UTF-8 character at the start of s, 0 if invalid. */
size_t gos__utf8_length(const char *s);

/** CRC-32 (IEEE 802.3) of n bytes, continued from checksum `crc`; start with 0. */
uint32_t gos__crc32(uint32_t crc, const void *data, size_t n);
#define GOS_HASH_BEGIN 1469598103934665603u // FNV-1a, 64 bits
/** Hash of n bytes, continued from hash `h`; not cryptographic. */
uint64_t gos__hash(uint64_t h, const void *data, size_t n);

/** Path of file `name` relative to `folder`, for messages and opening, allocated in arena `a`;
 * rejected (error recorded at loc) if absolute, with "..", missing, or outside the folder after
 * resolving links. */
gos_status gos__path_below(gos_ctx *ctx, const char *folder, const char *name, gos_loc loc,
                           const char *object, gos_arena *a, const char **path);
/** Open a regular file, with `writing` also for writing in place: returns the descriptor, *size:
 * its length. Never blocks: -1 for a pipe, device or folder and on failure; *why: short reason. */
int gos__file_open(const char *path, bool writing, off_t *size, const char **why);
/** Length of a regular file [byte], 0 if it does not exist. */
size_t gos__file_size(const char *path);
/** Read a whole regular file of at most `limit` bytes, 0-terminated. Free with gos__free. loc and
 * object (may be empty and NULL): where the file is referenced. */
gos_status gos__file_read(gos_ctx *ctx, const char *path, size_t limit, gos_loc loc,
                          const char *object, char **text, size_t *n);

/** Record a note: a message with status GOS_OK and count 0. */
void gos__note(gos_ctx *ctx, const char *object, const char *text);

/** Let a context that works for `ctx` (gos__ctx_quiet) report progress and be interrupted as
 * `ctx`. */
void gos__progress_follow(gos_ctx *quiet, const gos_ctx *ctx);
/** Would gos__progress call back now? Check before formatting its text in a loop. */
bool gos__progress_due(const gos_ctx *ctx);

#endif
