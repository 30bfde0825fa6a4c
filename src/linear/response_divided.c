/* Frequency response distributed over processes (the direct solver is not thread-safe); results
   in shared memory. */
#include "base/process.h"
#include "linear/linear.h"

typedef struct task {
    gos_ctx *ctx;
    const gos_linear *linear;
    int n, parts;
    const double *omega;
    double *H;         // shared
    bool *left;        // parts not started (parts)
    int failed;        // first failed part, or `parts`
    gos_piece_end why; // its result
} task;

static gos_status respond(void *user, gos_ctx *ctx, int i) {
    const task *t = user;
    const int first = (int)((long)t->n * i / t->parts);
    const int behind = (int)((long)t->n * (i + 1) / t->parts);
    return gos__linear_response_part(ctx, t->linear, t->n, t->omega, first, behind, t->H);
}

static void end(void *user, int i, const gos_piece_end *how) {
    task *t = user;
    t->left[i] = !how->started;
    if (how->started && how->status != GOS_OK && i < t->failed) {
        t->failed = i;
        t->why = *how;
    }
}

static gos_status divide(task *t) {
    const gos_division d = {.n = t->parts,
                            .jobs = t->parts,
                            .text = "frequency response",
                            .work = respond,
                            .end = end,
                            .user = t};
    GOS_TRY(gos__divide(t->ctx, &d));
    if (t->failed < t->parts) {
        return gos__fail(t->ctx, t->why.status, "%s", t->why.message);
    }
    for (int i = 0; i < t->parts; i++) {
        if (t->left[i]) {
            GOS_TRY(respond(t, t->ctx, i));
        }
    }
    return GOS_OK;
}

gos_status gos_linear_response_divided(gos_ctx *ctx, const gos_linear *linear, int workers, int n,
                                       const double *omega, double *H) {
    const size_t each = 2L * linear->nu * linear->ny * (n > 0 ? n : 0);
    task t = {.ctx = ctx, .linear = linear, .n = n, .omega = omega};
    t.parts = t.failed = workers < n ? workers : n;
    t.H = t.parts > 1 ? gos__shared_alloc(each, sizeof *H) : NULL;
    if (!t.H) {
        return gos_linear_response(ctx, linear, n, omega, H);
    }
    t.left = gos__zalloc(ctx, t.parts, sizeof *t.left);
    const gos_status status = t.left ? divide(&t) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        memcpy(H, t.H, each * sizeof *H);
    }
    gos__free(ctx, t.left);
    gos__shared_free(t.H, each, sizeof *H);
    return status;
}
