/* Direct feed-through of a controller's own output to its signals, e.g. capacitance times voltage
   in the charge of a driven electrode. See loops.h. */
#include "signals/loop_signal.h"
#include "signals/loops.h"

typedef struct folding {
    gos_builder *b;
    const gos_loops *all;
    gos_control_loop *l;
    gos_controller *law; // with its own E and y0
    double *E, *y0;      // (n, nu), (ny)
} folding;

static gos_status refuse(const folding *f, int k, const char *why) {
    const gos_controller *c = f->l->law;
    return gos__fail_at(f->b->ctx, GOS_E_INPUT, c->signal[k].loc, c->object,
                        "its signal '%s' has direct feedthrough from its output '%s', %s; measure "
                        "a motional_charge, or electrodes that it does not drive",
                        c->signal[k].text, c->input[0].text, why);
}

static double *copy(const folding *f, const double *from, int m, int n) {
    const size_t size = (size_t)m * (size_t)n;
    double *to = GOS_NEW(f->b->arena, double, size + 1);
    if (to && from) {
        memcpy(to, from, size * sizeof *to);
    }
    return to;
}

/* copies the law before changing it */
static gos_status own_law(folding *f) {
    const gos_controller *c = f->l->law;
    if (f->law) {
        return GOS_OK;
    }
    f->law = GOS_NEW(f->b->arena, gos_controller, 1);
    f->E = copy(f, c->E, c->n, c->nu);
    f->y0 = copy(f, c->y0, c->ny, 1);
    GOS_TRY(f->law && f->E && f->y0 ? GOS_OK : GOS_E_MEMORY);
    *f->law = *c;
    f->law->E = f->E;
    f->law->y0 = f->y0;
    return GOS_OK;
}

/* signal k includes `factor` times output i: B (y + factor v - y0) + E (v - u0) = B (y - (y0 -
   factor u0)) + (E + B factor) (v - u0) */
static gos_status fold(folding *f, int k, int i, double factor) {
    const gos_controller *c = f->l->law;
    const size_t n = (size_t)c->n, at = (size_t)k * (size_t)c->nu;
    for (int j = 0; c->D && j < c->nu; j++) {
        if (c->D[at + (size_t)j] != 0) {
            return refuse(f, k, "and a feedthrough D, which closes an algebraic loop");
        }
    }
    if (c->delay > 0 || (c->signal_step && c->signal_step[k] > 0)) {
        return refuse(f, k,
                      c->delay > 0 ? "and its samples are delayed, so the observer would use "
                                     "voltages that are not yet applied"
                                   : "and a converter rounds the sum");
    }
    GOS_TRY(own_law(f));
    for (size_t r = 0; r < n && c->B; r++) {
        f->E[(size_t)i * n + r] += c->B[(size_t)k * n + r] * factor;
    }
    f->y0[k] -= c->u0 ? factor * c->u0[i] : 0;
    return GOS_OK;
}

static gos_status look(folding *f, int number, int k, int fn, double factor) {
    const int governor = f->all->governor[fn];
    const gos_control_loop *l = f->l;
    if (governor >= 0 && governor != number) {
        return gos__fail_at(f->b->ctx, GOS_E_INPUT, l->law->signal[k].loc, l->law->object,
                            "its signal '%s' has direct feedthrough from %s; combine both in one "
                            "controller, or measure a motional_charge",
                            l->law->signal[k].text, f->all->loop[governor].law->object);
    }
    for (int i = 0; i < l->law->nu && governor >= 0; i++) {
        GOS_TRY(l->fn[i] == fn ? fold(f, k, i, factor) : GOS_OK);
    }
    return GOS_OK;
}

gos_status gos__loop_fold_direct(gos_builder *b, const gos_loops *all, int number) {
    gos_control_loop *l = &all->loop[number];
    folding f = {.b = b, .all = all, .l = l};
    for (int k = 0; k < l->law->ny; k++) {
        const gos_signal_direct *d = gos__signal_direct(l->signal[k]);
        for (int j = 0; j < d->n; j++) {
            GOS_TRY(look(&f, number, k, d->fn[j], d->factor[j]));
        }
        l->direct = l->direct || d->n > 0;
    }
    l->law = f.law ? f.law : l->law;
    return GOS_OK;
}
