/* The context of a calling thread: creation, clock and progress, interned strings. Messages are in
 * diag.c, memory in memory.c. */
#include "base/context.h"
#include "base/duration.h"
#include "base/base.h"
#include "base/subprocess.h"

#include <time.h>

#define PROGRESS_PERIOD 0.2      // [s] between calls of the progress function
#define MIN_REPORTED_SECONDS 3.0 // [s] shortest estimated duration that is reported

static void *default_alloc(void *user, size_t size) {
    GOS_UNUSED(user);
    return malloc(size);
}

static void *default_realloc(void *user, void *p, size_t size) {
    GOS_UNUSED(user);
    return realloc(p, size);
}

static void default_free(void *user, void *p) {
    GOS_UNUSED(user);
    free(p);
}

gos_ctx *gos_ctx_create(void) {
    return gos_ctx_create_with(NULL);
}

gos_ctx *gos_ctx_create_with(const gos_allocator *allocator) {
    gos_allocator use = {default_alloc, default_realloc, default_free, NULL};
    if (allocator != NULL && allocator->alloc != NULL) {
        if (allocator->realloc == NULL || allocator->free == NULL) {
            return NULL;
        }
        use = *allocator;
    }
    gos_ctx *ctx = use.alloc(use.user, sizeof(*ctx));
    if (ctx == NULL) {
        return NULL;
    }
    memset(ctx, 0, sizeof(*ctx));
    ctx->allocator = use;
    ctx->own_allocator = use.alloc == default_alloc;
    ctx->allocations = 1;
    ctx->unknowns = GOS_LIMIT_UNKNOWNS;
    gos__progress_start(ctx);
    return ctx;
}

gos_ctx *gos__ctx_quiet(gos_ctx *ctx) {
    gos_ctx *quiet = gos_ctx_create_with(&ctx->allocator);
    if (quiet == NULL) {
        (void)gos__fail(ctx, GOS_E_MEMORY, "out of memory");
    } else {
        quiet->unknowns = ctx->unknowns;
        quiet->pool = ctx->pool;
        quiet->ranks = ctx->ranks;
        memcpy(quiet->partner, ctx->partner, sizeof quiet->partner);
        quiet->borrowed = true;
    }
    return quiet;
}

void gos_ctx_destroy(gos_ctx *ctx) {
    if (ctx == NULL) {
        return;
    }
    gos_ctx_clear(ctx);
    if (!ctx->borrowed) {
        gos__pool_destroy(ctx->pool);
    }
    gos__arena_destroy(ctx->strings);
    gos__free(ctx, ctx->slot);
    ctx->allocator.free(ctx->allocator.user, ctx);
}

long gos_ctx_allocations(const gos_ctx *ctx) {
    return ctx->allocations;
}

void gos_ctx_set_limit(gos_ctx *ctx, double unknowns) {
    ctx->unknowns = unknowns >= 1 ? unknowns : GOS_LIMIT_UNKNOWNS;
}

double gos__ctx_limit(const gos_ctx *ctx) {
    return ctx->unknowns;
}

gos_status gos_ctx_set_threads(gos_ctx *ctx, int threads) {
    gos_pool *pool = NULL;
    if (threads < 1 || threads > GOS_LIMIT_THREADS) {
        return gos__fail(ctx, GOS_E_USE, "%d threads: choose 1 to %d", threads, GOS_LIMIT_THREADS);
    }
    if (threads == gos__pool_threads(ctx->pool)) {
        return GOS_OK;
    }
    if (threads > 1) {
        GOS_TRY(gos__pool_create(ctx, threads, &pool));
    }
    gos__pool_destroy(ctx->pool);
    ctx->pool = pool;
    return GOS_OK;
}

gos_status gos_ctx_set_solver(gos_ctx *ctx, const char *solver, int ranks) {
    char path[GOS_PROGRAM_PATH];
    if (strcmp(solver, "own") == 0) {
        ctx->ranks = 0;
        return GOS_OK;
    }
    if (strcmp(solver, "petsc") != 0) {
        return gos__fail(ctx, GOS_E_USE, "there is no solver '%s': choose own or petsc", solver);
    }
    if (ranks < 1 || ranks > GOS_LIMIT_RANKS) {
        return gos__fail(ctx, GOS_E_USE, "%d ranks: choose 1 to %d", ranks, GOS_LIMIT_RANKS);
    }
    if (getenv("OMPI_COMM_WORLD_RANK")) { // nested MPI jobs are impossible
        return gos__fail(ctx, GOS_E_USE,
                         "this program was started as a rank of an MPI job; start it without "
                         "mpirun: solver petsc starts its own ranks");
    }
    if (!gos__partner_find("GOSSAMER_PETSC", "gossamer-petsc", sizeof path, path)) {
        return gos__fail(ctx, GOS_E_USE,
                         "solver petsc is not available: the program gossamer-petsc is neither "
                         "beside this one nor in PATH (GOSSAMER_PETSC can set another path). It "
                         "is built if PETSc and SLEPc are installed (Debian: petsc-dev, "
                         "slepc-dev); configure CMake with -DGOS_PETSC=ON to see what is missing");
    }
    memcpy(ctx->partner, path, sizeof path);
    ctx->ranks = ranks;
    return GOS_OK;
}

int gos__ctx_ranks(const gos_ctx *ctx) {
    return ctx->ranks;
}

const char *gos__ctx_partner(const gos_ctx *ctx) {
    return ctx->partner;
}

gos_pool *gos__ctx_pool(const gos_ctx *ctx) {
    return ctx->pool;
}

double gos__now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

double gos__cpu_time(void) {
    struct timespec ts;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

void gos_ctx_set_progress(gos_ctx *ctx, gos_progress_fn fn, void *user) {
    ctx->progress = fn;
    ctx->progress_user = user;
}

void gos__progress_start(gos_ctx *ctx) {
    ctx->progress_start = gos__now();
    ctx->progress_last = ctx->progress_start;
}

void gos__progress_follow(gos_ctx *quiet, const gos_ctx *ctx) {
    quiet->progress = ctx->progress;
    quiet->progress_user = ctx->progress_user;
    quiet->progress_start = ctx->progress_start;
    quiet->progress_last = ctx->progress_last;
}

bool gos__progress_due(const gos_ctx *ctx) {
    return ctx->progress != NULL && gos__now() - ctx->progress_last >= PROGRESS_PERIOD;
}

gos_status gos__progress(gos_ctx *ctx, double fraction, const char *text) {
    if (!gos__progress_due(ctx)) {
        return GOS_OK;
    }
    const double now = gos__now();
    ctx->progress_last = now;
    if (ctx->progress(ctx->progress_user, fraction, now - ctx->progress_start, text) == 0) {
        return GOS_OK;
    }
    return gos__fail(ctx, GOS_E_INTERRUPTED, "interrupted at %.0f %%", 100.0 * fraction);
}

gos_status gos__announce_duration(gos_ctx *ctx, double seconds, const char *text) {
    if (ctx->progress == NULL || !(seconds >= MIN_REPORTED_SECONDS) ||
        ctx->progress(ctx->progress_user, 0, -seconds, text) == 0) {
        return GOS_OK;
    }
    return gos__fail(ctx, GOS_E_INTERRUPTED, "interrupted before %s", text);
}

static int find_slot(const char *const *slot, int nslot, const char *s) {
    int i = (int)(gos__hash(GOS_HASH_BEGIN, s, strlen(s)) & (uint64_t)(nslot - 1));
    while (slot[i] != NULL && strcmp(slot[i], s) != 0) {
        i = (i + 1) & (nslot - 1);
    }
    return i;
}

static gos_status grow_slots(gos_ctx *ctx) {
    const int nslot = ctx->nslot == 0 ? 64 : 2 * ctx->nslot;
    const char **slot = gos__zalloc(ctx, nslot, sizeof(*slot));
    if (slot == NULL) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < ctx->nslot; i++) {
        if (ctx->slot[i] != NULL) {
            slot[find_slot(slot, nslot, ctx->slot[i])] = ctx->slot[i];
        }
    }
    gos__free(ctx, ctx->slot);
    ctx->slot = slot;
    ctx->nslot = nslot;
    return GOS_OK;
}

const char *gos__intern(gos_ctx *ctx, const char *s) {
    if (ctx->strings == NULL) {
        ctx->strings = gos__arena_create(ctx);
        if (ctx->strings == NULL) {
            return NULL;
        }
    }
    if (2 * (ctx->nstring + 1) > ctx->nslot && grow_slots(ctx) != GOS_OK) {
        return NULL;
    }
    const int i = find_slot(ctx->slot, ctx->nslot, s);
    if (ctx->slot[i] == NULL) {
        ctx->slot[i] = gos__arena_strdup(ctx->strings, s);
        ctx->nstring += ctx->slot[i] != NULL;
    }
    return ctx->slot[i];
}
