/* See whirl_form.h. */
#include <math.h>

#include "math/vec3.h"
#include "statics/whirl_form.h"

static double diagonal(const gos_sparse *M, int j) {
    for (int k = M->p[j]; k < M->p[j + 1]; k++) {
        if (M->i[k] == j) {
            return M->x[k];
        }
    }
    return 0;
}

static bool is_direction(const gos_system *s, int v) {
    return s->trans[v] == 0;
}

/* weights of directions, by vectors (nv) */
static void weigh(const gos_system *s, const gos_sparse *M, double *weight) {
    for (int b = 0; b < s->nbody && !s->reduced; b++) {
        const gos_body *body = s->body[b];
        double most = 0;
        for (int v = body->v0; v < body->v0 + body->nv; v++) {
            for (int c = 0; c < 3 && is_direction(s, v); c++) {
                most = fmax(most, diagonal(M, 3 * v + c));
            }
        }
        for (int v = body->v0; v < body->v0 + body->nv; v++) {
            weight[v] = is_direction(s, v) ? most : 0;
        }
    }
}

static gos_status add_weights(const gos_rotating *t, const gos_sparse *M, gos_sparse *sum) {
    const gos_system *s = t->sys;
    double *weight = gos__zalloc(t->ctx, (size_t)s->nv + 1, sizeof *weight);
    gos_sparse E = {0};
    gos_status status = weight ? gos__sparse_alloc(t->ctx, s->nq, s->nq, s->nq, &E) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        weigh(s, M, weight);
        for (int i = 0; i < s->nq; i++) {
            E.p[i] = E.i[i] = i;
            E.x[i] = weight[i / 3];
        }
        E.p[s->nq] = s->nq;
        status = gos__sparse_sum(t->ctx, 1, M, 1, &E, sum);
    }
    gos__sparse_free(t->ctx, &E);
    gos__free(t->ctx, weight);
    return status;
}

gos_status gos__whirl_form(const gos_rotating *t, const gos_sparse *M, gos_sparse *form) {
    double W[9];
    gos_sparse sum = {0}, F = {0}, S = {0};
    gos__skew3(t->spin, W);
    gos_status status = add_weights(t, M, &sum);
    status = status == GOS_OK ? gos__rotating_times(t, &sum, W, &F) : status;
    status = status == GOS_OK ? gos__sparse_symmetric_part(t->ctx, &F, &S, NULL) : status;
    status = status == GOS_OK ? gos__sparse_sum(t->ctx, 1, &F, -1, &S, form) : status;
    gos__sparse_free(t->ctx, &sum);
    gos__sparse_free(t->ctx, &F);
    gos__sparse_free(t->ctx, &S);
    return status;
}
