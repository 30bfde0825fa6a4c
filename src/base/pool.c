/* Thread pool. Thread i executes task i of each round, so the same thread always handles the same
 * part. */
#include "base/pool.h"

#include "base/subnormal.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

typedef struct worker {
    gos_pool *pool;
    pthread_t thread;
    int number; // from 1
} worker;

struct gos_pool {
    gos_ctx *ctx;
    pid_t process; // a forked child has none of the threads
    int n;         // workers
    worker *worker;
    pthread_mutex_t lock; // protects the following fields
    pthread_cond_t begin, done;
    unsigned long round;
    int tasks;
    int left; // unfinished tasks without the caller's
    bool quit;
    gos_task task;
    void *arg;
    unsigned subnormal; // mode of the caller (base/subnormal.h)
};

static void *work(void *arg) {
    const worker *self = arg;
    gos_pool *p = self->pool;
    unsigned long last_round = 0;
    (void)pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!p->quit && p->round == last_round) {
            (void)pthread_cond_wait(&p->begin, &p->lock);
        }
        if (p->quit) {
            break;
        }
        last_round = p->round;
        if (self->number < p->tasks) {
            const gos_task task = p->task;
            void *with = p->arg;
            gos__subnormal_set(p->subnormal);
            (void)pthread_mutex_unlock(&p->lock);
            task(with, self->number);
            (void)pthread_mutex_lock(&p->lock);
            if (--p->left == 0) {
                (void)pthread_cond_signal(&p->done);
            }
        }
    }
    (void)pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* signals go to the threads of the program */
static gos_status start(gos_pool *p, int threads) {
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = 0;
    for (int i = 0; i < threads - 1 && failed == 0; i++) {
        p->worker[i] = (worker){.pool = p, .number = i + 1};
        failed = pthread_create(&p->worker[i].thread, NULL, work, &p->worker[i]);
        p->n += failed == 0;
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed == 0 ? GOS_OK
                       : gos__fail(p->ctx, GOS_E_LIMIT,
                                   "the system started only %d of %d threads (%s); request fewer",
                                   p->n + 1, threads, strerror(failed));
}

gos_status gos__pool_create(gos_ctx *ctx, int threads, gos_pool **pool) {
    gos_pool *p = gos__zalloc(ctx, 1, sizeof *p);
    if (!p) {
        return GOS_E_MEMORY;
    }
    p->ctx = ctx;
    p->process = getpid();
    p->worker = gos__zalloc(ctx, threads, sizeof *p->worker);
    (void)pthread_mutex_init(&p->lock, NULL);
    (void)pthread_cond_init(&p->begin, NULL);
    (void)pthread_cond_init(&p->done, NULL);
    const gos_status status = p->worker ? start(p, threads) : GOS_E_MEMORY;
    if (status != GOS_OK) {
        gos__pool_destroy(p);
        return status;
    }
    *pool = p;
    return GOS_OK;
}

void gos__pool_destroy(gos_pool *p) {
    if (!p) {
        return;
    }
    if (p->process == getpid()) {
        (void)pthread_mutex_lock(&p->lock);
        p->quit = true;
        (void)pthread_cond_broadcast(&p->begin);
        (void)pthread_mutex_unlock(&p->lock);
        for (int i = 0; i < p->n; i++) {
            (void)pthread_join(p->worker[i].thread, NULL);
        }
        (void)pthread_cond_destroy(&p->begin);
        (void)pthread_cond_destroy(&p->done);
        (void)pthread_mutex_destroy(&p->lock);
    }
    gos__free(p->ctx, p->worker);
    gos__free(p->ctx, p);
}

int gos__pool_threads(const gos_pool *p) {
    return p ? p->n + 1 : 1;
}

void gos__pool_run(gos_pool *p, int n, gos_task task, void *arg) {
    if (n == 1 || n > gos__pool_threads(p) || p->process != getpid()) {
        for (int i = 0; i < n; i++) {
            task(arg, i);
        }
        return;
    }
    (void)pthread_mutex_lock(&p->lock);
    p->task = task;
    p->arg = arg;
    p->tasks = n;
    p->left = n - 1;
    p->subnormal = gos__subnormal_mode();
    p->round++;
    (void)pthread_cond_broadcast(&p->begin);
    (void)pthread_mutex_unlock(&p->lock);
    task(arg, 0);
    (void)pthread_mutex_lock(&p->lock);
    while (p->left > 0) {
        (void)pthread_cond_wait(&p->done, &p->lock);
    }
    (void)pthread_mutex_unlock(&p->lock);
}
