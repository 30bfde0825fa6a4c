/* Any bytes as a model: the reader, its parameters, and every text in it as a number and as a
 * function of time. Nothing may crash, hang or leak, and every refusal must have a message. */
#include "model/model.h"

#include <math.h>

#define TEXTS_MAX 200 // of one input, so that a single one stays fast

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct visitor {
    gos_ctx *ctx;
    gos_model *m;
    gos_arena *arena;
    int left;
} visitor;

static void require(bool ok) {
    if (!ok) {
        abort();
    }
}

/* slow, so only for one short text of an input */
static void try_breaks(gos_ctx *ctx, const gos_timefn *fn) {
    double times[100];
    int n = 0;
    if (gos__timefn_breaks(ctx, fn, -0.5, 3.0, times, &n, 100) == GOS_OK) {
        for (int i = 0; i < n; i++) {
            require(times[i] > -0.5 && times[i] < 3.0);
            require(i == 0 || times[i] > times[i - 1]);
        }
    }
}

static void try_text(visitor *v, const gos_node *node) {
    gos_ctx_clear(v->ctx);
    double value = 0.0, d1, d2;
    if (gos__expr(v->m, node->text, node->loc, "fuzz", &value) == GOS_OK) {
        require(isfinite(value));
        require(gos__nerrors(v->ctx) == 0);
    }
    gos_timefn *fn;
    if (gos__timefn_make(v->m, node, "fuzz", &(gos_scope){.time = true}, v->arena, &fn) == GOS_OK) {
        const double f = gos__timefn_eval(fn, 0.7, &d1, &d2);
        const double again = gos__timefn_eval(fn, 0.7, NULL, NULL);
        require(f == again || (isnan(f) && isnan(again)));
        if (strlen(node->text) < 24 && v->left == TEXTS_MAX - 1) {
            try_breaks(v->ctx, fn);
        }
        gos__timefn_free(fn);
    }
    // the syntax check leaves nothing to be refused by the evaluator
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        require(gos_ctx_diag(v->ctx, i)->status != GOS_E_INTERNAL);
    }
}

/* the depth of a tree is limited, so recursion is safe */
static void visit(visitor *v, const gos_node *node) {
    for (; node != NULL && v->left > 0; node = node->next) {
        if (node->kind == GOS_SCALAR) {
            v->left--;
            try_text(v, node);
        }
        visit(v, node->child);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    const gos_status status = gos_model_parse(ctx, (const char *)data, size, "fuzz", NULL, &m);
    if (status == GOS_OK) {
        gos__model_parameters(m);
        visitor v = {ctx, m, gos__arena_create(ctx), TEXTS_MAX};
        visit(&v, m->root);
        // settings by path, with a value and a path from the input
        gos_model_set(ctx, m, "parameters.added", gos_model_name(m));
        gos_model_set(ctx, m, gos_model_name(m), "{a: 1}");
        gos__arena_destroy(v.arena);
    } else {
        require(gos__nerrors(ctx) > 0);
    }
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
    return 0;
}
