/* Threads that wait for work, kept by a context (gos_ctx_set_threads). */
#ifndef GOS_POOL_H
#define GOS_POOL_H

#include "base/base.h"

typedef struct gos_pool gos_pool;
/* One of the tasks of a round, by its number. */
typedef void (*gos_task)(void *arg, int number);

/** Start threads - 1 threads; the one that calls is the other. */
gos_status gos__pool_create(gos_ctx *ctx, int threads, gos_pool **pool);
/** End them; NULL is allowed. */
void gos__pool_destroy(gos_pool *pool);
/** How many threads work, with the one that calls; NULL: 1. */
int gos__pool_threads(const gos_pool *pool);
/** task(arg, 0) by the caller while others do 1 .. n - 1; back when all are done. With pool NULL,
 * or more tasks than threads, the caller does all of them in turn. Tasks share no memory that one
 * of them writes. Allocates nothing. */
void gos__pool_run(gos_pool *pool, int n, gos_task task, void *arg);
/** Threads of a context; NULL: the caller's alone. */
gos_pool *gos__ctx_pool(const gos_ctx *ctx);

#endif
