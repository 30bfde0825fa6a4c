/* Thread pool of a context (gos_ctx_set_threads). */
#ifndef GOS_POOL_H
#define GOS_POOL_H

#include "base/base.h"

typedef struct gos_pool gos_pool;
/* One of the tasks of a round, by its number. */
typedef void (*gos_task)(void *arg, int number);

/** Start threads - 1 threads; the caller is the last one. */
gos_status gos__pool_create(gos_ctx *ctx, int threads, gos_pool **pool);
/** End them; NULL is allowed. */
void gos__pool_destroy(gos_pool *pool);
/** Number of threads including the caller; NULL: 1. */
int gos__pool_threads(const gos_pool *pool);
/** Execute task(arg, 0) in the caller and 1 .. n - 1 in other threads; returns when all are done.
 * With pool NULL or more tasks than threads the caller executes all. Tasks must not write shared
 * memory. No allocation. */
void gos__pool_run(gos_pool *pool, int n, gos_task task, void *arg);
/** Threads of a context; NULL: only the caller's. */
gos_pool *gos__ctx_pool(const gos_ctx *ctx);

#endif
