/* User-supplied control laws, registered in the model by name and copied. */
#include <math.h>

#include "gossamer/controller.h"
#include "model/private.h"

struct gos_named_law {
    const char *name;
    gos_control_law law;
    struct gos_named_law *next;
};

static bool all_finite(const double *x, size_t n) {
    for (size_t i = 0; x && i < n; i++) {
        if (!isfinite(x[i])) {
            return false;
        }
    }
    return true;
}

static bool whole_names(const char *const *names, int n) {
    for (int i = 0; i < n; i++) {
        if (!names || !names[i] || !*names[i]) {
            return false;
        }
    }
    return true;
}

static gos_status check(gos_ctx *ctx, const char *name, const gos_control_law *l) {
    if (!gos__name_valid(name)) {
        return gos__fail(ctx, GOS_E_USE, "a controller needs a name (letters, digits and _)");
    }
    if (l->n < 0 || l->ny < 0 || l->nu < 1 || l->n > GOS_LIMIT_CONTROLLER ||
        l->ny > GOS_LIMIT_CONTROLLER || l->nu > GOS_LIMIT_CONTROLLER) {
        return gos__fail(ctx, GOS_E_USE,
                         "controller '%s' has %d states, %d signals and %d inputs; it needs at "
                         "least 1 input and at most %d of each",
                         name, l->n, l->ny, l->nu, GOS_LIMIT_CONTROLLER);
    }
    if ((l->n > 0 && (!l->A || !l->C || (l->ny > 0 && !l->B))) || !whole_names(l->signal, l->ny) ||
        !whole_names(l->input, l->nu)) {
        return gos__fail(ctx, GOS_E_USE, "controller '%s' lacks a matrix or a signal or input name",
                         name);
    }
    if (!(l->period >= 0) || !(l->delay >= 0) || (l->period == 0 && l->delay > 0) ||
        !isfinite(l->period) || !isfinite(l->delay)) {
        return gos__fail(ctx, GOS_E_USE,
                         "controller '%s' has the period %g s and the delay %g s; the period must "
                         "be > 0, or 0 without delay for a continuous law",
                         name, l->period, l->delay);
    }
    const size_t n = (size_t)l->n, ny = (size_t)l->ny, nu = (size_t)l->nu;
    if (!all_finite(l->A, n * n) || !all_finite(l->B, n * ny) || !all_finite(l->E, n * nu) ||
        !all_finite(l->C, nu * n) || !all_finite(l->D, nu * ny) || !all_finite(l->y0, ny) ||
        !all_finite(l->u0, nu)) {
        return gos__fail(ctx, GOS_E_INPUT, "controller '%s' has an entry that is not finite", name);
    }
    for (int k = 0; l->limit && k < l->nu; k++) {
        if (!(l->limit[k] > 0)) {
            return gos__fail(ctx, GOS_E_INPUT,
                             "controller '%s': the limit of '%s' must be > 0, got %g", name,
                             l->input[k], l->limit[k]);
        }
    }
    return GOS_OK;
}

/* *to = copy in the arena, NULL if `from` is; false without memory */
static bool keep(gos_arena *a, const double *from, size_t n, const double **to) {
    *to = NULL;
    if (!from || n == 0) {
        return true;
    }
    double *x = GOS_NEW(a, double, n);
    if (x) {
        memcpy(x, from, n * sizeof *x);
    }
    *to = x;
    return x != NULL;
}

static bool keep_names(gos_arena *a, const char *const *from, int n, const char *const **to) {
    const char **names = GOS_NEW(a, const char *, n + 1);
    for (int i = 0; names && i < n; i++) {
        names[i] = gos__arena_strdup(a, from[i]);
        if (!names[i]) {
            return false;
        }
    }
    *to = names;
    return names != NULL;
}

gos_status gos_model_control_law(gos_ctx *ctx, gos_model *model, const char *name,
                                 const gos_control_law *law) {
    GOS_TRY(check(ctx, name, law));
    gos_arena *a = model->arena;
    struct gos_named_law *own = GOS_NEW(a, struct gos_named_law, 1);
    if (!own) {
        return GOS_E_MEMORY;
    }
    *own = (struct gos_named_law){gos__arena_strdup(a, name), *law, model->laws};
    gos_control_law *l = &own->law;
    const size_t n = (size_t)law->n, ny = (size_t)law->ny, nu = (size_t)law->nu;
    if (!own->name || !keep(a, law->A, n * n, &l->A) || !keep(a, law->B, n * ny, &l->B) ||
        !keep(a, law->E, n * nu, &l->E) || !keep(a, law->C, nu * n, &l->C) ||
        !keep(a, law->D, nu * ny, &l->D) || !keep(a, law->y0, ny, &l->y0) ||
        !keep(a, law->u0, nu, &l->u0) || !keep(a, law->limit, nu, &l->limit) ||
        !keep_names(a, law->signal, law->ny, &l->signal) ||
        !keep_names(a, law->input, law->nu, &l->input)) {
        return GOS_E_MEMORY;
    }
    model->laws = own;
    return GOS_OK;
}

/* the list has the latest first */
static gos_status copy_from(gos_model *to, const struct gos_named_law *l) {
    if (l == NULL) {
        return GOS_OK;
    }
    GOS_TRY(copy_from(to, l->next));
    return gos_model_control_law(to->ctx, to, l->name, &l->law);
}

gos_status gos__laws_copy(gos_model *to, const gos_model *from) {
    return copy_from(to, from->laws);
}

const gos_control_law *gos_model_control_law_get(const gos_model *model, const char *name) {
    for (const struct gos_named_law *l = model->laws; l; l = l->next) {
        if (strcmp(l->name, name) == 0) {
            return &l->law;
        }
    }
    return NULL;
}

void gos_model_open_loops(gos_model *model) {
    model->open_loops = true;
}
