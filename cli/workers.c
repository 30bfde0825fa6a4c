/* Frequencies of a response divided among processes: each factorises on its own (the direct solver keeps
   state, so that threads of one process would wait for each other), results meet in shared memory. */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct division {
    gos_ctx *ctx;
    const gos_linear *linear;
    int workers, n;
    const double *omega;
    size_t each; // numbers for a frequency
    double *H;   // shared
} division;

/* part k, in this process */
static gos_status work(const division *d, int k) {
    const int from = (int)((long)d->n * k / d->workers);
    const int to = (int)((long)d->n * (k + 1) / d->workers);
    return gos_linear_response(d->ctx, d->linear, to - from, d->omega + from,
                               d->H + (size_t)from * d->each);
}

/* a process for part k; 0 when there is none to be had */
static pid_t start(const division *d, int k) {
    (void)fflush(NULL); // what waits in buffers would be written twice
    const pid_t pid = fork();
    if (pid == 0) {
        watch_progress(d->ctx, true); // one line is enough
        _exit(work(d, k) == GOS_OK ? EXIT_DONE : EXIT_FAILED);
    }
    return pid > 0 ? pid : 0;
}

static gos_status work_all(const division *d) {
    pid_t *child = calloc((size_t)d->workers, sizeof *child);
    if (child == NULL) {
        return GOS_E_MEMORY;
    }
    for (int k = 1; k < d->workers; k++) {
        child[k] = start(d, k);
    }
    gos_status status = work(d, 0);
    for (int k = 1; k < d->workers; k++) {
        int how = -1;
        const bool done = child[k] > 0 && waitpid(child[k], &how, 0) == child[k] &&
                          WIFEXITED(how) && WEXITSTATUS(how) == EXIT_DONE;
        // what failed there is done here, for its message; so is what found no process
        status = status == GOS_OK && !done ? work(d, k) : status;
    }
    free(child);
    return status;
}

gos_status respond_divided(gos_ctx *ctx, const gos_linear *linear, int workers, int n,
                           const double *omega, double *H) {
    gos_linear_info info;
    gos_linear_info_get(linear, &info);
    division d = {.ctx = ctx, .linear = linear, .n = n, .omega = omega};
    d.workers = workers < n ? workers : n;
    d.each = 2 * (size_t)info.inputs * (size_t)info.outputs;
    const size_t bytes = d.each * (size_t)n * sizeof *H;
    void *shared =
        d.workers > 1 ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
                      : MAP_FAILED;
    if (shared == MAP_FAILED) {
        return gos_linear_response(ctx, linear, n, omega, H);
    }
    d.H = shared;
    const gos_status status = work_all(&d);
    memcpy(H, shared, bytes);
    (void)munmap(shared, bytes);
    return status;
}
