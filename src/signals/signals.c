/* Externally set inputs: a time history in the state replaces a time function. */
#include <math.h>

#include "signals/loops.h"
#include "signals/ports.h"

/* equal to the evaluation of a two-point table to the last bit; at its end the rate is kept */
static double follow(const gos_input_ramp *c, double t, double *d) {
    if (t > c->t1) {
        *d = 0;
        return c->y1;
    }
    const double h = c->t1 - c->t0;
    if (!(h > 0)) {
        *d = 0;
        return c->y1;
    }
    const double b = (t - c->t0) / h, a = (c->t1 - t) / h;
    *d = (c->y1 - c->y0) / h;
    return a * c->y0 + b * c->y1;
}

void gos__held_apply(const gos_held *held, double t, double *y, double *d, double *dd) {
    const gos_input_ramp *c = t >= held->now.t0 ? &held->now : &held->before;
    if (held->now.given > 0 && c->given > 0) {
        *y = follow(c, t, d);
        *dd = 0;
    }
}

bool gos__held_before(const gos_state *x, int fn, double *y) {
    const gos_held *held = &x->held[fn];
    double unused;
    if (!(held->now.given > 0 && held->now.t0 == x->t)) {
        return false;
    }
    *y = held->before.given > 0 ? follow(&held->before, x->t, &unused)
                                : gos__timefn_eval(x->sys->fn[fn], x->t, NULL, NULL);
    return true;
}

/* without controller outputs */
static double declared(const gos_state *x, int fn, double t, double *d, double *dd) {
    double y = gos__timefn_eval(x->sys->fn[fn], t, d, dd);
    double rate, second;
    if (x->sets > 0) {
        gos__held_apply(&x->held[fn], t, &y, d ? d : &rate, dd ? dd : &second);
    }
    return y;
}

double gos__state_function(const gos_state *x, int fn, double t, double *d, double *dd) {
    return declared(x, fn, t, d, dd) + gos__loops_added(x, fn);
}

int gos_system_ninputs(const gos_system *sys) {
    return sys->ninput;
}

void gos_system_input_info(const gos_system *sys, int i, gos_input_info *info) {
    const gos_input *in = &sys->input[i];
    *info = (gos_input_info){.name = in->name, .unit = in->unit};
}

int gos_system_input_find(const gos_system *sys, const char *name) {
    for (int i = 0; i < sys->ninput; i++) {
        if (strcmp(sys->input[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

double gos_state_input(const gos_state *state, int i) {
    return declared(state, state->sys->input[i].fn, state->t, NULL, NULL);
}

static gos_status check(gos_ctx *ctx, const gos_state *x, int i, double value, double until) {
    const gos_system *s = x->sys;
    const char *const *variable;
    if (i < 0 || i >= s->ninput) {
        return gos__fail(ctx, GOS_E_USE, "there is no input %d: the system has %d", i, s->ninput);
    }
    const gos_input *in = &s->input[i];
    if (!isfinite(value) || !(until >= x->t)) {
        return gos__fail(
            ctx, GOS_E_USE,
            "input '%s' cannot be set to %g at t = %g s: not finite, or before the current time "
            "%g s",
            in->name, value, until, x->t);
    }
    if (gos__timefn_variables(s->fn[in->fn], &variable) > 0) {
        return gos__fail(ctx, GOS_E_USE,
                         "input '%s' depends on probes in the model and cannot be set", in->name);
    }
    if (s->stepper && (in->kind == GOS_INPUT_MOTION || in->kind == GOS_INPUT_TEMPERATURE)) {
        return gos__fail(
            ctx, GOS_E_USE,
            "%s does not support setting '%s', which prescribes a motion or a temperature",
            s->reduction.type->name, in->name);
    }
    return GOS_OK;
}

gos_status gos_state_set_input(gos_ctx *ctx, gos_state *state, int i, double value, double until) {
    GOS_TRY(check(ctx, state, i, value, until));
    gos_held *held = &state->held[state->sys->input[i].fn];
    const double from = until > state->t ? gos_state_input(state, i) : value;
    const gos_input_ramp ramp = {1, state->t, from, until, value};
    if (held->now.given > 0 && held->now.t0 < state->t) { // else it was already set at this time
        held->before = held->now;
    }
    held->now = ramp;
    state->sets++;
    return GOS_OK;
}
