/* Gossamer: status codes, the context, messages, progress. SPDX-License-Identifier: Apache-2.0
 *
 * Every function of the library works in a context (gos_ctx), which owns the allocator, the
 * recorded messages, the limits and the progress callback. Functions that can fail return a
 * gos_status; the reason is recorded in the context. Strings are UTF-8, numbers are in SI units,
 * matrices are column-major unless stated otherwise. "Borrowed" means: do not free or modify. */
#ifndef GOSSAMER_BASE_H
#define GOSSAMER_BASE_H

#include <stddef.h>
#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define GOS_API __attribute__((visibility("default")))
#define GOS_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define GOS_API
#define GOS_PRINTF(fmt, args)
#endif

#define GOS_VERSION "0.6.0"

/** Result of every function that can fail. 0: success; positive: may be retried with a smaller
 * step; negative: final. X(name, value, sentence). */
#define GOS_STATUS_LIST(X)                                                                         \
    X(GOS_OK, 0, "done")                                                                           \
    X(GOS_RETRY, 1, "the step did not converge; a smaller step may")                               \
    X(GOS_E_MEMORY, -1, "out of memory")                                                           \
    X(GOS_E_INPUT, -2, "invalid input")                                                            \
    X(GOS_E_USE, -3, "incorrect use of a function")                                                \
    X(GOS_E_FILE, -4, "a file could not be read or written")                                       \
    X(GOS_E_LIMIT, -5, "a limit was exceeded")                                                     \
    X(GOS_E_SINGULAR, -6, "a matrix is singular")                                                  \
    X(GOS_E_DIVERGED, -7, "an iteration did not converge")                                         \
    X(GOS_E_NONFINITE, -8, "a value is not finite")                                                \
    X(GOS_E_INTERRUPTED, -9, "interrupted")                                                        \
    X(GOS_E_TOLERANCE, -10, "a comparison exceeded its tolerance")                                 \
    X(GOS_E_INTERNAL, -11, "internal error, please report it")

typedef enum gos_status {
#define X(name, value, text) name = value,
    GOS_STATUS_LIST(X)
#undef X
} gos_status;

/** Sentence that describes a status. Never NULL. */
GOS_API const char *gos_status_text(gos_status status);

/** Allocator, messages, limits and progress callback of one calling thread. */
typedef struct gos_ctx gos_ctx;

/** One message: an error, a warning or a note, with its location. Strings live until gos_ctx_clear
 * or the end of the context. */
typedef struct gos_diag {
    gos_status status;  // GOS_OK for a warning
    const char *file;   // input file, or NULL
    int line;           // 1-based, 0 when unknown
    int col;            // 1-based, 0 when unknown
    const char *object; // e.g. "body 'rod'", or NULL
    const char *text;   // what is wrong and what to do
    // how often this warning was issued (errors: 1); 0: a note for the end of a run
    int count;
} gos_diag;

/** Create a context. @return NULL when out of memory. Free with gos_ctx_destroy. */
GOS_API gos_ctx *gos_ctx_create(void);
/** Free a context; NULL is allowed. Objects made with it must have been freed before. */
GOS_API void gos_ctx_destroy(gos_ctx *ctx);

/** Number of messages since the last clear, errors and warnings, in order of appearance. */
GOS_API int gos_ctx_ndiag(const gos_ctx *ctx);
/** Message i, 0 <= i < gos_ctx_ndiag; NULL outside this range. Borrowed. */
GOS_API const gos_diag *gos_ctx_diag(const gos_ctx *ctx, int i);
/** The first error as one line "file:line:col: object: text"; "" when there is none. Borrowed. */
GOS_API const char *gos_ctx_message(const gos_ctx *ctx);
/** Format message i as one line into buf (always zero-terminated). */
GOS_API void gos_ctx_format(const gos_ctx *ctx, int i, char *buf, size_t size);
/** Delete all messages. */
GOS_API void gos_ctx_clear(gos_ctx *ctx);

/** Progress callback, called at most a few times a second with the fraction done [0..1], the
 * seconds since the start and a short text. A nonzero return value interrupts the work
 * (GOS_E_INTERRUPTED, results kept). Text NULL: called in a worker process of gos_sweep_run or
 * gos_linear_response_divided; only the return value is used. Negative seconds: the work cannot
 * report progress; -seconds is its estimated duration. */
typedef int (*gos_progress_fn)(void *user, double fraction, double seconds, const char *text);
GOS_API void gos_ctx_set_progress(gos_ctx *ctx, gos_progress_fn fn, void *user);

/** User-supplied allocator (all three functions or none NULL). */
typedef struct gos_allocator {
    void *(*alloc)(void *user, size_t size);
    void *(*realloc)(void *user, void *p, size_t size);
    void (*free)(void *user, void *p);
    void *user;
} gos_allocator;
GOS_API gos_ctx *gos_ctx_create_with(const gos_allocator *allocator);

/** Largest number of unknowns (displacements and temperatures of all bodies) of a model. It
 * protects against exhausting the memory after a typing error in a number of elements:
 * gos_system_create fails with GOS_E_LIMIT, reported at the body that exceeds the limit, before
 * memory is allocated. 0 restores the default of 12 million. */
GOS_API void gos_ctx_set_limit(gos_ctx *ctx, double unknowns);

/** Number of threads for this context, including the calling one. Objects created after this call
 * (integrators, linearisations) distribute forces and tangents of large meshes over them. Default
 * 1. Results are bitwise identical for any number. Idle threads use no processor time.
 * Threads of OpenBLAS (factorisations) are set separately: OPENBLAS_NUM_THREADS.
 * @return GOS_E_USE if not 1 to 256, GOS_E_LIMIT if the system cannot start more threads; the
 * setting is then unchanged */
GOS_API gos_status gos_ctx_set_threads(gos_ctx *ctx, int threads);

/** Solver for symmetric matrices of more than 200 unknowns (modes, static interface modes,
 * responses based on modes) and for eigenvalues: "own" (default), this process, or "petsc": MUMPS
 * and SLEPc on `ranks` MPI ranks with rows distributed over them. "petsc" starts the program
 * gossamer-petsc with mpirun (or the command with options in GOSSAMER_MPIRUN) and ends it with the
 * computation; it is only built if PETSc and SLEPc are installed. Files are exchanged in TMPDIR,
 * which all ranks must be able to access. Results agree up to rounding.
 * @return GOS_E_USE: unknown solver, invalid number of ranks or missing program; the setting is
 * then unchanged */
GOS_API gos_status gos_ctx_set_solver(gos_ctx *ctx, const char *solver, int ranks);

/** Number of allocator calls through this context, used to test that steps do not allocate. */
GOS_API long gos_ctx_allocations(const gos_ctx *ctx);

/** Open a regular file for reading. Pipes, devices and folders are rejected at once, without
 * waiting for a writer. Close with fclose.
 * @return NULL on failure; *why (may be NULL) then contains a short reason */
GOS_API FILE *gos_file_open(const char *path, const char **why);

/** Write a JSON string with its quotes; "null" for NULL. The output is valid UTF-8 (invalid bytes
 * become U+FFFD) without '<', '>' and '&', so it may be embedded in HTML. */
GOS_API void gos_json_text(FILE *out, const char *text);
/** Write a JSON number, exact to the last bit in any locale; "null" if not finite. */
GOS_API void gos_json_number(FILE *out, double value);

/** A file being written. It is written under a temporary name beside its final one and renamed when
 * it is complete and on the disk: the old file stays valid until then. */
typedef struct gos_output gos_output;
/** Begin to write `path`, a new or an existing regular file. Until the end it is named
 * `path`.gossamer.part and locked; a file left by a killed process is removed.
 * @return GOS_E_USE for a link, a device, a pipe or a file that another process is writing;
 * GOS_E_FILE if it cannot be created */
GOS_API gos_status gos_output_begin(gos_ctx *ctx, const char *path, gos_output **output);
/** Check that `path` may be written: it does not exist, is empty, or begins with `magic` and
 * contains `mark` (NULL: none) in its first 8 kB. kind: description of such a file for the message.
 * @return GOS_E_USE for anything else, including links, devices and pipes */
GOS_API gos_status gos_output_replaces(gos_ctx *ctx, const char *path, const char *magic,
                                       const char *mark, const char *kind);
/** Stream to write to. Write errors need not be checked here; gos_output_finish reports them. NULL
 * after that call. */
GOS_API FILE *gos_output_stream(const gos_output *output);
/** Flush the complete file to the disk, still under the temporary name. @return GOS_E_FILE if
 * anything could not be written */
GOS_API gos_status gos_output_finish(gos_output *output);
/** Rename the file to its final name (`keep`; finishes it if needed) or remove it, and free the
 * output. NULL is allowed. @return GOS_E_FILE: the old file is unchanged; GOS_OK also if `keep` is
 * false */
GOS_API gos_status gos_output_end(gos_output *output, bool keep);

#ifdef __cplusplus
}
#endif
#endif
