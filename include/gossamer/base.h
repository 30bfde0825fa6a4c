/* Gossamer: status codes, context, messages, progress. SPDX-License-Identifier: Apache-2.0 */
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

/** Every function that can fail returns one of these: 0 is good, a positive value may be retried
 *  (with a smaller step), a negative one is final. X(name, value, sentence). */
#define GOS_STATUS_LIST(X)                                                                         \
    X(GOS_OK, 0, "done")                                                                           \
    X(GOS_RETRY, 1, "the step did not converge, a smaller one may")                                \
    X(GOS_E_MEMORY, -1, "out of memory")                                                           \
    X(GOS_E_INPUT, -2, "invalid input")                                                            \
    X(GOS_E_USE, -3, "wrong use of a function")                                                    \
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

/** The sentence of a status. Never NULL. */
GOS_API const char *gos_status_text(gos_status status);

/** Allocator, messages, limits and the progress callback of one caller thread. */
typedef struct gos_ctx gos_ctx;

/** One message: an error or a warning, with its place. Strings live as long as the context or until
 *  gos_ctx_clear. */
typedef struct gos_diag {
    gos_status status;  // GOS_OK for a warning
    const char *file;   // input file, or NULL
    int line;           // 1-based, 0 when unknown
    int col;            // 1-based, 0 when unknown
    const char *object; // e.g. "body 'rod'", or NULL
    const char *text;   // what is wrong and what to do
    int count; // times this warning came (errors: 1); 0: a note, what is told at the end of a run
} gos_diag;

/** Create a context. @return NULL when out of memory. Free with gos_ctx_destroy. */
GOS_API gos_ctx *gos_ctx_create(void);
/** Free a context; NULL is allowed. Objects made with it must have been freed before. */
GOS_API void gos_ctx_destroy(gos_ctx *ctx);

/** Number of messages since the last clear, errors and warnings, in order of appearance. */
GOS_API int gos_ctx_ndiag(const gos_ctx *ctx);
/** Message i, 0 <= i < gos_ctx_ndiag; NULL outside. Borrowed. */
GOS_API const gos_diag *gos_ctx_diag(const gos_ctx *ctx, int i);
/** The first error as one line "file:line:col: object: text"; "" when there is none. Borrowed. */
GOS_API const char *gos_ctx_message(const gos_ctx *ctx);
/** Format message i as one line into buf (always terminated). */
GOS_API void gos_ctx_format(const gos_ctx *ctx, int i, char *buf, size_t size);
/** Forget all messages. */
GOS_API void gos_ctx_clear(gos_ctx *ctx);

/** Progress: called at most a few times a second with the part done [0..1], seconds since the start
 * and a short text; nonzero interrupts (GOS_E_INTERRUPTED, results kept). Text NULL: asked in a
 * process of gos_sweep_run or gos_linear_response_divided, where only the answer counts. Seconds <
 * 0: told before work that cannot tell how far it is, minus the time it will take. */
typedef int (*gos_progress_fn)(void *user, double fraction, double seconds, const char *text);
GOS_API void gos_ctx_set_progress(gos_ctx *ctx, gos_progress_fn fn, void *user);

/** Replace the allocator (all three or none NULL); call before anything else is made. */
typedef struct gos_allocator {
    void *(*alloc)(void *user, size_t size);
    void *(*realloc)(void *user, void *p, size_t size);
    void (*free)(void *user, void *p);
    void *user;
} gos_allocator;
GOS_API gos_ctx *gos_ctx_create_with(const gos_allocator *allocator);

/** Most unknowns (displacements and temperatures) that a model may have, all bodies together, so
 * that a slip in a number of elements does not take all memory: gos_system_create then fails with
 * GOS_E_LIMIT, told at the body that goes over it, before memory is asked for. 12 million without;
 * 0 for that. */
GOS_API void gos_ctx_set_limit(gos_ctx *ctx, double unknowns);

/** Threads that work for this context, with the one that calls: forces and their derivatives of
 * large meshes are shared among them, in whatever is made after this call (an integrator, a
 * linearisation). 1 without; results are the same to the last bit for any number. Without work they
 * wait and use no processor. Threads of OpenBLAS, which factorisations use, are another matter:
 * OPENBLAS_NUM_THREADS.
 *  @return GOS_E_USE when it is not 1 to 256, GOS_E_LIMIT when the system starts no more; then
 * nothing has changed */
GOS_API gos_status gos_ctx_set_threads(gos_ctx *ctx, int threads);

/** Who factorises symmetric matrices of more than 200 unknowns (modes, static modes of interfaces,
 * responses that rest on modes) and finds modes: "own", this process (without this call), or
 * "petsc": MUMPS and SLEPc on `ranks` ranks of an MPI job, each with its part of the rows. For
 * "petsc" the program gossamer-petsc is started with mpirun (GOSSAMER_MPIRUN: another command, with
 * options), and ended with what it works for; it is built only where PETSc and SLEPc are. Files
 * between them lie in TMPDIR, which all ranks must see. Results are the same but for rounding.
 *  @return GOS_E_USE: no such solver, number of ranks, or program; then nothing has changed */
GOS_API gos_status gos_ctx_set_solver(gos_ctx *ctx, const char *solver, int ranks);

/** Allocator calls so far through this context (to test that a step makes none). */
GOS_API long gos_ctx_allocations(const gos_ctx *ctx);

/** Open a regular file for reading: anything else (a pipe, a device, a folder) is refused at once,
 *  without waiting for somebody to write to it. Close with fclose.
 *  @return NULL when that fails; *why (may be NULL) then says in a few words what is wrong. */
GOS_API FILE *gos_file_open(const char *path, const char **why);

/** Write a JSON string with its quotes, "null" for NULL: valid UTF-8 whatever the text is (U+FFFD
 * for what is none), without '<', '>' and '&', so that it may stand inside HTML. */
GOS_API void gos_json_text(FILE *out, const char *text);
/** Write a JSON number, exact to the last bit in any locale; "null" when it is not finite. */
GOS_API void gos_json_number(FILE *out, double value);

/** A file that is being written under another name beside its own, which it gets when it is whole
 * and on the disk: what was there stays until then, and nobody ever sees half a file. */
typedef struct gos_output gos_output;
/** Begin to write `path`, a new file or a regular one that nobody else is writing. Until the end it
 * is `path`.gossamer.part, locked; one that a killed process has left is removed.
 *  @return GOS_E_USE for a link, a device, a pipe or a file that another process writes; GOS_E_FILE
 * when it cannot be created */
GOS_API gos_status gos_output_begin(gos_ctx *ctx, const char *path, gos_output **output);
/** Check that `path` may be written: nothing or an empty file is there, or a file that begins with
 * `magic` and has `mark` (NULL: no mark) in its first 8 kB. kind: what such a file is, for the
 * message.
 *  @return GOS_E_USE for anything else, links, devices and pipes included */
GOS_API gos_status gos_output_replaces(gos_ctx *ctx, const char *path, const char *magic,
                                       const char *mark, const char *kind);
/** Where to write; errors may be left to gos_output_finish. NULL after that. */
GOS_API FILE *gos_output_stream(const gos_output *output);
/** All is written: bring it to the disk, still under the other name. @return GOS_E_FILE when any of
 * it could not be written */
GOS_API gos_status gos_output_finish(gos_output *output);
/** Give the file its name (`keep`, which finishes it where that has not been done) or remove it,
 * and free the output; NULL is allowed. @return GOS_E_FILE: nothing has changed; GOS_OK when
 * nothing was to be kept */
GOS_API gos_status gos_output_end(gos_output *output, bool keep);

#ifdef __cplusplus
}
#endif
#endif
