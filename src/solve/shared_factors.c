/* See shared_factors.h. */
#include "solve/shared_factors.h"

#include <math.h>

#define MAX_FACTORS 96
#define MOST_BYTES (1 << 27)
#define STEP 0.47       // |log| of the ratio of two steps at distance 1: factor 1.6
#define TIME_DISTANCE 4 // distance of a factorisation at the other end of the run

struct gos_shared_factors {
    gos_ctx *ctx;
    gos_pattern pattern; // of the first run (group owned)
    unsigned char *group;
    int nq;
    gos_shared_factor *of; // (room)
    int n, room;
    gos_pattern whole; // of the full model (arrays owned)
    gos_solver *solver;
    struct {
        gos_pattern pattern; // (group owned)
        unsigned char *group;
        double *values; // NULL: not requested yet
        gos_solver *solver;
    } first; // matrix at the start of a run
};

gos_status gos__shared_factors_create(gos_ctx *ctx, gos_shared_factors **shared) {
    gos_shared_factors *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    s->ctx = ctx;
    *shared = s;
    return GOS_OK;
}

void gos__shared_factors_destroy(gos_shared_factors *s) {
    if (!s) {
        return;
    }
    for (int i = 0; i < s->room; i++) {
        gos__newton_solver_destroy(s->of[i].solver);
        gos__free(s->ctx, s->of[i].q);
    }
    gos__solver_destroy(s->solver);
    gos__solver_destroy(s->first.solver);
    gos__free(s->ctx, s->first.group);
    gos__free(s->ctx, s->first.values);
    gos__free(s->ctx, s->whole.p);
    gos__free(s->ctx, s->whole.i);
    gos__free(s->ctx, s->of);
    gos__free(s->ctx, s->group);
    gos__free(s->ctx, s);
}

static gos_status copy_pattern(gos_ctx *ctx, const gos_pattern *from, gos_pattern *to,
                               unsigned char **group) {
    *to = *from;
    to->group = NULL;
    if (from->group) {
        *group = gos__alloc(ctx, from->n, sizeof **group);
        GOS_TRY(*group ? GOS_OK : GOS_E_MEMORY);
        memcpy(*group, from->group, from->n);
        to->group = *group;
    }
    return GOS_OK;
}

static bool same_pattern(const gos_pattern *a, const gos_pattern *b) {
    const bool grouped = a->group != NULL;
    return a->n == b->n && grouped == (b->group != NULL) &&
           (!grouped || memcmp(a->group, b->group, a->n) == 0);
}

static gos_status prepare(gos_shared_factors *s, const gos_system *sys,
                          const gos_pattern *pattern) {
    const double bytes = (double)pattern->n * pattern->n * sizeof(double);
    const int room = bytes * MAX_FACTORS > MOST_BYTES ? (int)(MOST_BYTES / bytes) : MAX_FACTORS;
    s->nq = sys->nq;
    GOS_TRY(copy_pattern(s->ctx, pattern, &s->pattern, &s->group));
    s->of = gos__zalloc(s->ctx, room + 1L, sizeof *s->of);
    GOS_TRY(s->of ? GOS_OK : GOS_E_MEMORY);
    for (; s->room < room; s->room++) {
        gos_shared_factor *f = &s->of[s->room];
        f->q = gos__alloc(s->ctx, s->nq + 1L, sizeof *f->q);
        const gos_status status =
            f->q ? gos__newton_solver_create(s->ctx, &s->pattern, NULL, &f->solver) : GOS_E_MEMORY;
        if (status != GOS_OK) {
            gos__free(s->ctx, f->q);
            return status;
        }
    }
    return GOS_OK;
}

gos_status gos__shared_factors_join(gos_shared_factors *s, const gos_system *sys,
                                    const gos_pattern *pattern, bool *suits) {
    *suits = pattern->dense && !sys->stepper;
    if (!*suits) {
        return GOS_OK;
    }
    if (!s->of) {
        GOS_TRY(prepare(s, sys, pattern));
    }
    *suits = s->nq == sys->nq && same_pattern(&s->pattern, pattern);
    return GOS_OK;
}

const gos_pattern *gos__shared_factors_pattern(const gos_shared_factors *s) {
    return &s->pattern;
}

double gos__shared_factor_distance(double t, double h, double t_made, double h_made, double span) {
    return fabs(log(h / h_made)) / STEP + TIME_DISTANCE * fabs(t - t_made) / span;
}

const gos_shared_factor *gos__shared_factors_find(const gos_shared_factors *s, double t, double h,
                                                  double span, double least) {
    const gos_shared_factor *best = NULL;
    for (int i = 0; i < s->n; i++) {
        const gos_shared_factor *f = &s->of[i];
        const double distance = gos__shared_factor_distance(t, h, f->t, f->h, span);
        if (distance < least) {
            best = f;
            least = distance;
        }
    }
    return best;
}

const gos_shared_factor *gos__shared_factors_keep(gos_shared_factors *s, gos_newton_solver **solver,
                                                  double t, double h, const double *q) {
    if (s->n == s->room) {
        return NULL;
    }
    gos_shared_factor *f = &s->of[s->n++];
    gos_newton_solver *other = f->solver;
    f->solver = *solver;
    gos__newton_solver_invert(f->solver);
    f->t = t;
    f->h = h;
    memcpy(f->q, q, s->nq * sizeof *q);
    *solver = other;
    return f;
}

/* Stores the first matrix, with or without factors. */
static gos_status take_first(gos_shared_factors *s, const gos_pattern *pattern,
                             const double *values) {
    const size_t all = (size_t)pattern->n * (size_t)pattern->n;
    s->first.values = gos__alloc(s->ctx, all + 1, sizeof *values);
    GOS_TRY(s->first.values ? GOS_OK : GOS_E_MEMORY);
    memcpy(s->first.values, values, all * sizeof *values);
    GOS_TRY(copy_pattern(s->ctx, pattern, &s->first.pattern, &s->first.group));
    GOS_TRY(gos__solver_create(s->ctx, &s->first.pattern, &s->first.solver));
    const gos_status status = gos__solver_factor(s->first.solver, values, NULL);
    if (status != GOS_OK) {
        gos__solver_destroy(s->first.solver);
        s->first.solver = NULL;
    }
    return status == GOS_E_SINGULAR ? GOS_OK : status;
}

gos_status gos__shared_factors_begin(gos_shared_factors *s, const gos_pattern *pattern,
                                     const double *values, gos_solver **solver) {
    *solver = NULL;
    if (!pattern->dense) {
        return GOS_OK;
    }
    if (!s->first.values) {
        GOS_TRY(take_first(s, pattern, values));
    }
    const size_t bytes = (size_t)pattern->n * (size_t)pattern->n * sizeof *values;
    const bool same =
        same_pattern(&s->first.pattern, pattern) && memcmp(s->first.values, values, bytes) == 0;
    *solver = same ? s->first.solver : NULL;
    return GOS_OK;
}

static gos_status take_whole(gos_shared_factors *s, const gos_pattern *pattern) {
    const size_t n = (size_t)pattern->n, nnz = (size_t)pattern->nnz;
    s->whole = *pattern;
    s->whole.group = NULL;
    s->whole.p = gos__alloc(s->ctx, n + 1, sizeof *s->whole.p);
    s->whole.i = gos__alloc(s->ctx, nnz + 1, sizeof *s->whole.i);
    if (!s->whole.p || !s->whole.i) {
        return GOS_E_MEMORY;
    }
    memcpy(s->whole.p, pattern->p, (n + 1) * sizeof *pattern->p);
    memcpy(s->whole.i, pattern->i, nnz * sizeof *pattern->i);
    return gos__solver_create(s->ctx, &s->whole, &s->solver);
}

gos_status gos__shared_factors_whole(gos_shared_factors *s, const gos_pattern *pattern,
                                     gos_solver **solver) {
    *solver = NULL;
    if (pattern->dense || pattern->n == 0) {
        return GOS_OK;
    }
    if (!s->whole.p) {
        GOS_TRY(take_whole(s, pattern));
    }
    const bool same = s->solver && s->whole.n == pattern->n && s->whole.nnz == pattern->nnz &&
                      s->whole.vectors == pattern->vectors &&
                      memcmp(s->whole.p, pattern->p, (pattern->n + 1L) * sizeof *pattern->p) == 0 &&
                      memcmp(s->whole.i, pattern->i, pattern->nnz * sizeof *pattern->i) == 0;
    *solver = same ? s->solver : NULL;
    return GOS_OK;
}
