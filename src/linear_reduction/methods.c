#include "linear_reduction/methods.h"

#include <math.h>

#include "linear_reduction/reduce.h"

#define X(name) &gos__reduction_##name,
static const gos_type *const types[] = {GOS_LINEAR_METHODS(X) NULL};
#undef X

const gos_type *gos__linear_method_type(const char *name) {
    for (int i = 0; types[i]; i++) {
        if (strcmp(types[i]->name, name) == 0) {
            return types[i];
        }
    }
    return NULL;
}

const char *gos_linear_method(int i, const char **doc) {
    const int n = GOS_COUNT(types) - 1;
    const gos_type *t = i >= 0 && i < n ? types[i] : NULL;
    if (doc) {
        *doc = t ? t->doc : NULL;
    }
    return t ? t->name : NULL;
}

/* ---- options from a table -------------------------------------------------------------------- */

static const gos_param *row_of(const gos_type *type, const char *name) {
    const gos_param *p = type->params;
    while (p->name && strcmp(p->name, name) != 0) {
        p++;
    }
    return p->name ? p : NULL;
}

/* option number i of "a|b|c"; NULL: no memory */
static const char *choice(gos_arena *a, const char *choices, int i) {
    for (; i > 0; i--) {
        choices = strchr(choices, '|') + 1;
    }
    const size_t n = strcspn(choices, "|");
    char *name = gos__arena_alloc(a, n + 1, 1);
    if (name) {
        memcpy(name, choices, n);
        name[n] = '\0';
    }
    return name;
}

static gos_status make_points(gos_arena *a, const gos_linear_def *d,
                              gos_linear_reduction_options *o) {
    gos_point *point = GOS_NEW(a, gos_point, d->frequencies.n + d->shifts.n / 2 + 1);
    if (!point) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < d->frequencies.n; i++) {
        point[o->npoints++].im = 2 * M_PI * d->frequencies.v[i];
    }
    for (int i = 0; i < d->shifts.n; i += 2) {
        point[o->npoints++] = (gos_point){d->shifts.v[i], d->shifts.v[i + 1]};
    }
    o->points = point;
    return GOS_OK;
}

gos_status gos__linear_options(gos_arena *a, const gos_type *type, const gos_linear_def *d,
                               bool tolerance_given, gos_linear_reduction_options *options) {
    const gos_param *ranking = row_of(type, "ranking");
    gos_linear_reduction_options o = {.method = type->name,
                                      .order = d->order,
                                      .two_sided = d->two_sided != 0,
                                      .candidates = d->candidates,
                                      .ninterface = d->interface.n,
                                      .interface = d->interface.v,
                                      .band = {2 * M_PI * d->band[0], 2 * M_PI * d->band[1]},
                                      .tolerance = tolerance_given ? d->tolerance : 0,
                                      .snapshots = d->snapshots,
                                      .transient = d->transient != 0,
                                      .correction = d->correction,
                                      .responses = d->responses,
                                      .modes = d->modes,
                                      .quasi_static = d->response == 1};
    if (ranking) {
        o.ranking = choice(a, ranking->choices, d->ranking);
        GOS_TRY(o.ranking ? GOS_OK : GOS_E_MEMORY);
    }
    GOS_TRY(make_points(a, d, &o));
    *options = o;
    return GOS_OK;
}

gos_status gos__linear_options_check(gos_ctx *ctx, const gos_type *type,
                                     const gos_linear_reduction_options *o) {
    const struct {
        const char *row, *option;
        bool given;
    } list[] = {{"frequencies", "points", o->npoints > 0},
                {"two_sided", "two_sided", o->two_sided},
                {"ranking", "ranking", o->ranking != NULL},
                {"candidates", "candidates", o->candidates > 0},
                {"interface", "interface", o->ninterface > 0},
                {"snapshots", "snapshots", o->snapshots > 0},
                {"transient", "transient", o->transient},
                {"responses", "responses", o->responses != 0},
                {"modes", "modes", o->modes > 0},
                {"response", "quasi_static", o->quasi_static}};
    for (int i = 0; i < GOS_COUNT(list); i++) {
        if (list[i].given && !row_of(type, list[i].row)) {
            return gos__fail(ctx, GOS_E_INPUT, "method %s has no option '%s'; remove it",
                             type->name, list[i].option);
        }
    }
    return GOS_OK;
}
