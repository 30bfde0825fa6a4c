/* User callbacks of time and probes, registered in the model by name. */
#include <math.h>

#include "base/subnormal.h"
#include "gossamer/binding.h"
#include "model/private.h"

#define STEP 1e-6     // relative difference step; its error only slows Newton
#define SMALLEST 1e-9 // difference step near 0

struct gos_named_callback {
    const char *name;
    gos_callback callback;
    int n; // number of probes, 0: any
    struct gos_named_callback *next;
};

struct gos_call {
    gos_callback by;
    int n;
    const char **name; // (n)
};

static gos_status give(gos_ctx *ctx, gos_model *model, const char *name, int n,
                       const gos_callback *callback) {
    if (!gos__name_valid(name) || !callback->value) {
        return gos__fail(ctx, GOS_E_USE,
                         "a callback needs a name (letters, digits and _) and a value function");
    }
    struct gos_named_callback *c = GOS_NEW(model->arena, struct gos_named_callback, 1);
    const char *own = gos__arena_strdup(model->arena, name);
    if (!c || !own) {
        return GOS_E_MEMORY;
    }
    *c = (struct gos_named_callback){own, *callback, n, model->callbacks};
    model->callbacks = c;
    return GOS_OK;
}

gos_status gos_model_callback(gos_ctx *ctx, gos_model *model, const char *name,
                              const gos_callback *callback) {
    return give(ctx, model, name, 0, callback);
}

gos_status gos_model_callback_of(gos_ctx *ctx, gos_model *model, const char *name, int n,
                                 const gos_callback *callback) {
    return n < 1 ? gos__fail(ctx, GOS_E_USE, "a callback takes at least one probe")
                 : give(ctx, model, name, n, callback);
}

/* the list has the latest first */
static gos_status copy_from(gos_model *to, const struct gos_named_callback *c) {
    if (c == NULL) {
        return GOS_OK;
    }
    GOS_TRY(copy_from(to, c->next));
    return give(to->ctx, to, c->name, c->n, &c->callback);
}

gos_status gos__callbacks_copy(gos_model *to, const gos_model *from) {
    return copy_from(to, from->callbacks);
}

static bool is_probe(const gos_model *m, const char *name) {
    const gos_node *probes = gos__node_get(m->root, "probes");
    const size_t n = strcspn(name, ".");
    for (const gos_node *p = probes ? probes->child : NULL; p; p = p->next) {
        if (p->key && strncmp(p->key, name, n) == 0 && p->key[n] == '\0') {
            return true;
        }
    }
    return false;
}

gos_status gos__call_make(gos_model *m, const gos_node *name, const gos_texts *of,
                          const gos_scope *scope, const char *object, gos_arena *a,
                          gos_call **call) {
    const struct gos_named_callback *c = m->callbacks;
    while (c && strcmp(c->name, name->text) != 0) {
        c = c->next;
    }
    if (!scope->probes || of->n == 0 || of->n > GOS_LIMIT_VARIABLES) {
        return gos__fail_at(
            m->ctx, GOS_E_INPUT, name->loc, object,
            !scope->probes
                ? "'call' is not allowed here; only inputs that may depend on probes accept it"
            : of->n == 0 ? "'call' needs the probes passed to the function: 'of: [NAME, ...]'"
                         : "'of' lists too many probes; it may list at most as many as an "
                           "expression may use");
    }
    if (!c) {
        return gos__fail_at(
            m->ctx, GOS_E_INPUT, name->loc, object,
            "function '%s' is not registered; call gos_model_callback before gos_system_create",
            name->text);
    }
    if (c->n > 0 && c->n != of->n) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, name->loc, object,
                            "'of' lists %d probes, but the function '%s' requires %d", of->n,
                            name->text, c->n);
    }
    gos_call *k = GOS_NEW(a, gos_call, 1);
    const char **names = GOS_NEW(a, const char *, of->n);
    if (!k || !names) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < of->n; i++) {
        names[i] = of->v[i];
        if (!is_probe(m, of->v[i])) {
            return gos__fail_at(m->ctx, GOS_E_INPUT, of->loc[i], object, "there is no probe '%s'",
                                of->v[i]);
        }
    }
    *k = (gos_call){c->callback, of->n, names};
    *call = k;
    return GOS_OK;
}

int gos__call_variables(const gos_call *call, const char *const **name) {
    *name = call->name;
    return call->n;
}

static double value_at(const gos_call *call, double t, const double *y, double *dy) {
    const gos_callback *by = &call->by;
    if (dy && by->derivative) {
        by->derivative(by->user, t, y, dy);
    } else if (dy) {
        double z[GOS_LIMIT_VARIABLES];
        memcpy(z, y, call->n * sizeof *z);
        for (int i = 0; i < call->n; i++) {
            const double h = STEP * fabs(y[i]) + SMALLEST;
            z[i] = y[i] + h;
            const double after = by->value(by->user, t, z);
            z[i] = y[i] - h;
            dy[i] = (after - by->value(by->user, t, z)) / (2 * h);
            z[i] = y[i];
        }
    }
    return by->value(by->user, t, y);
}

/* Functions of the calling program have subnormal numbers also inside a step. */
double gos__call_at(const gos_call *call, double t, const double *y, double *dy) {
    const unsigned mode = gos__subnormal_mode();
    gos__subnormal_set(GOS_SUBNORMAL_KEPT);
    const double value = value_at(call, t, y, dy);
    gos__subnormal_set(mode);
    return value;
}
