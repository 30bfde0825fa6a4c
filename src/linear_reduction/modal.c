/* Bases of modes: candidates are scored and the best kept in order of frequency. */
#include "linear_reduction/modal.h"

#include <cblas.h>
#include <math.h>

#include "base/base.h"
#include "linalg/dense.h"
#include "linalg/petsc.h"
#include "linear_reduction/ranking.h"

#define EQUAL_RATES 1e-6     // relative difference of equal rates
#define ASSUMED_DAMPING 1e-3 // damping ratio assumed for undamped modes in the ranking

/* Phi^T B, Y Phi, damping ratios */
static void modal_view(const gos_linear *l, const double *shapes, int n, gos_mode *modes,
                       double *zeta, double *b, double *yq, double *yv, double *work) {
    const gos_sparse *B = &l->block[GOS_BLOCK_B];
    for (long j = 0; j < n; j++) {
        const double *x = shapes + j * l->nq;
        gos__sparse_apply(&l->block[GOS_BLOCK_D], 1, x, work);
        const double d = gos__dense_dot(l->nq, x, work);
        zeta[j] = modes[j].omega > 0 && d > 0 ? d / (2 * modes[j].omega) : ASSUMED_DAMPING;
        for (long u = 0; u < l->nu; u++) {
            double sum = 0;
            for (int k = B->p[u]; k < B->p[u + 1]; k++) {
                sum += B->x[k] * x[B->i[k]];
            }
            b[u * n + j] = sum;
        }
    }
    gos__sparse_apply(&l->block[GOS_BLOCK_Y_q], n, shapes, yq);
    gos__sparse_apply(&l->block[GOS_BLOCK_Y_v], n, shapes, yv);
}

static void choose(int n, const double *score, int count, bool *chosen) {
    for (int k = 0; k < count; k++) {
        int best = -1;
        for (int j = 0; j < n; j++) {
            best = !chosen[j] && (best < 0 || score[j] > score[best]) ? j : best;
        }
        chosen[best] = true;
    }
}

typedef struct candidates {
    int n;
    gos_mode *modes;
    double *shapes, *scratch;
    bool *chosen;
} candidates;

static gos_status rank(const gos_reduce_task *t, candidates *c, int count) {
    const gos_linear *l = t->full;
    const size_t n = c->n, nu = l->nu, ny = l->ny;
    double *score = gos__zalloc(t->ctx, n * (2 + nu + 2 * ny) + l->nq + 1, sizeof *score);
    if (!score) {
        return GOS_E_MEMORY;
    }
    double *zeta = score + n, *b = zeta + n, *yq = b + n * nu, *yv = yq + n * ny;
    modal_view(l, c->shapes, c->n, c->modes, zeta, b, yq, yv, yv + n * ny);
    const gos_modal modal = {.n = c->n,
                             .nu = l->nu,
                             .ny = l->ny,
                             .mode = c->modes,
                             .zeta = zeta,
                             .b = b,
                             .yq = yq,
                             .yv = yv};
    const gos_status status = gos__rank_modes(t->ctx, &modal, t->opt->ranking, score);
    if (status == GOS_OK) {
        choose(c->n, score, count, c->chosen);
    }
    gos__free(t->ctx, score);
    return status;
}

/* Lowest modes, reusing the factorisation of a static response without lower modes. */
static gos_status find_modes(const gos_reduce_task *t, int max, candidates *c) {
    const gos_linear *l = t->full;
    const gos_reduce_pencil *p = t->pencil;
    const bool positive = p && p->factored && p->real && p->at == 0 && p->negative == 0;
    return positive && l->nt + l->nphi == 0 && !gos__petsc_chosen(t->ctx, l->nq)
               ? gos__linear_shapes_about(t->ctx, l, p->saddle, max, c->modes, c->shapes, &c->n)
               : gos_linear_shapes(t->ctx, l, max, c->modes, c->shapes, &c->n);
}

gos_status gos__add_displacement_modes(gos_reduce_task *t, int count) {
    const gos_linear *l = t->full;
    const char *ranking = t->opt->ranking;
    const bool plain = !ranking || strcmp(ranking, "frequency") == 0;
    int max = plain ? count : t->opt->candidates > 0 ? t->opt->candidates : 3 * count + 10;
    max = max < count ? count : max;
    max = max < l->nq ? max : l->nq;
    candidates c = {.modes = gos__zalloc(t->ctx, max, sizeof *c.modes),
                    .shapes = gos__alloc(t->ctx, (size_t)max * l->nq, sizeof *c.shapes),
                    .chosen = gos__zalloc(t->ctx, max, sizeof *c.chosen)};
    gos_status status = c.modes && c.shapes && c.chosen ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? find_modes(t, max, &c) : status;
    count = count < c.n ? count : c.n;
    status = status == GOS_OK ? rank(t, &c, count) : status;
    for (long j = 0; j < c.n && status == GOS_OK; j++) {
        double *x = c.shapes + j * l->nq;
        if (c.chosen[j]) {
            status = gos__space_add(&t->out->V, GOS_FIELD_Q, x, cblas_dnrm2(l->nq, x, 1));
        }
    }
    gos__free(t->ctx, c.modes);
    gos__free(t->ctx, c.shapes);
    gos__free(t->ctx, c.chosen);
    return status;
}

/* Symmetric structures have pairs of equal fields, which should not be split. */
static void report_pair(gos_ctx *ctx, int count, const double *rates) {
    char text[200];
    if (fabs(rates[count] - rates[count - 1]) <= EQUAL_RATES * rates[count]) {
        gos__format(
            text, sizeof text,
            "temperature fields %d and %d have the same rate, %.4g 1/s, because of symmetry, and "
            "the order includes only one of them; increase or decrease the order by one",
            count, count + 1, rates[count]);
        gos__note(ctx, NULL, text);
    }
}

gos_status gos__add_temperature_modes(gos_reduce_task *t, int count) {
    const gos_linear *l = t->full;
    count = count < l->nt ? count : l->nt;
    const int max = count < l->nt ? count + 1 : l->nt; // one more, to detect a split pair
    double *rates = gos__alloc(t->ctx, max + 1L, sizeof *rates);
    double *shapes = gos__alloc(t->ctx, (size_t)max * l->nt, sizeof *shapes);
    int found = 0;
    gos_status status = rates && shapes ? GOS_OK : GOS_E_MEMORY;
    status =
        status == GOS_OK ? gos_linear_thermal_modes(t->ctx, l, max, rates, shapes, &found) : status;
    if (status == GOS_OK && found > count) {
        report_pair(t->ctx, count, rates);
    }
    for (long j = 0; j < found && j < count && status == GOS_OK; j++) {
        double *x = shapes + j * l->nt;
        status = gos__space_add(&t->out->V, GOS_FIELD_T, x, cblas_dnrm2(l->nt, x, 1));
    }
    gos__free(t->ctx, rates);
    gos__free(t->ctx, shapes);
    return status;
}

gos_status gos__add_modes(gos_reduce_task *t, int count) {
    if (t->full->nq > 0) {
        GOS_TRY(gos__add_displacement_modes(t, count));
    }
    return t->full->nt > 0 ? gos__add_temperature_modes(t, count) : GOS_OK;
}
