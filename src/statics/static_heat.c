/* Steady temperatures are unique if every conducting part has a prescribed temperature or exchanges
   heat. Rounding hides the singularity, so this checks directly whether a part can be 1 K warmer
   without change of heat. */
#include "statics/static_heat.h"

#include <math.h>

#define ROUNDING 1e-13 // negligible change, relative to its terms

/* Temperatures and their constraints, numbered 0..nt+nh-1, grouped by matrix entries. */
typedef struct parts {
    const gos_system *s;
    int *up; // towards the root
    double *sum,
        *size;  // change of heat (or constraint) per 1 K; absolute terms
    bool *held; // root: a change exists
} parts;

static int root_of(parts *p, int i) {
    while (p->up[i] != i) {
        p->up[i] = p->up[p->up[i]];
        i = p->up[i];
    }
    return i;
}

/* index among temperatures and their constraints; -1: none */
static int thermal(const gos_system *s, int i) {
    const int theta = i - s->at.th, h = i - s->at.lamT;
    return theta >= 0 && theta < s->nt ? theta : h >= 0 ? s->nt + h : -1;
}

static void add(parts *p, int row, int col, double value) {
    const int i = thermal(p->s, row), j = thermal(p->s, col);
    if (i < 0 || j < 0 || value == 0) {
        return;
    }
    p->up[root_of(p, i)] = root_of(p, j);
    const double change = j < p->s->nt ? value * p->s->tmean[j] : 0;
    p->sum[i] += change;
    p->size[i] += fabs(change);
}

static void add_all(parts *p, const gos_work *w) {
    const gos_pattern *a = &p->s->pattern;
    for (int j = p->s->at.th; j < a->n; j++) {
        if (a->dense) {
            for (int i = p->s->at.th; i < a->n; i++) {
                add(p, i, j, w->values[(size_t)j * a->n + i]);
            }
            continue;
        }
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            add(p, a->i[k], j, w->values[k]);
        }
    }
}

static gos_status refuse(gos_ctx *ctx, const gos_system *s, int i) {
    static const char what[] =
        "conducts heat, but no boundary condition fixes its temperature level: steady "
        "temperatures are not unique; give it `temperature`, `convection` or `radiation` under "
        "heat, disable its temperatures (temperature: off), or run it dynamically";
    for (int b = 0; b < s->nbody && !s->reduced; b++) {
        const gos_body *body = s->body[b];
        if (i >= body->t0 && i < body->t0 + body->nt) {
            char object[GOS_LIMIT_NAME + 16];
            (void)snprintf(object, sizeof object, "body '%s'", body->name);
            return gos__fail_at(ctx, GOS_E_SINGULAR, body->loc, object, "%s", what);
        }
    }
    return gos__fail(ctx, GOS_E_SINGULAR, "the reduced model %s", what);
}

/* error for the first free part */
static gos_status find_free(gos_ctx *ctx, parts *p) {
    const gos_system *s = p->s;
    for (int i = 0; i < s->nt + s->nh; i++) {
        const bool changes = fabs(p->sum[i]) > ROUNDING * p->size[i];
        p->held[root_of(p, i)] |= changes;
    }
    for (int i = 0; i < s->nt; i++) {
        if (s->tmean[i] != 0 && !p->held[root_of(p, i)]) {
            return refuse(ctx, s, i);
        }
    }
    return GOS_OK;
}

gos_status gos__static_heat(gos_ctx *ctx, const gos_work *w) {
    const gos_system *s = w->sys;
    const size_t n = (size_t)s->nt + s->nh;
    if (s->nt == 0) {
        return GOS_OK;
    }
    parts p = {.s = s,
               .up = gos__alloc(ctx, n, sizeof *p.up),
               .sum = gos__zalloc(ctx, n, sizeof *p.sum),
               .size = gos__zalloc(ctx, n, sizeof *p.size),
               .held = gos__zalloc(ctx, n, sizeof *p.held)};
    gos_status status = p.up && p.sum && p.size && p.held ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        for (size_t i = 0; i < n; i++) {
            p.up[i] = (int)i;
        }
        add_all(&p, w);
        status = find_free(ctx, &p);
    }
    gos__free(ctx, p.up);
    gos__free(ctx, p.sum);
    gos__free(ctx, p.size);
    gos__free(ctx, p.held);
    return status;
}
