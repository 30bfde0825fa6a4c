/* Values of variables: parameters, inputs, outputs, states. */
#include "fmi/instance.h"

#include <math.h>

#include "solve/consistent.h"
#include "signals/ports.h"

static const gos_fmu_variable *find(gos_fmi *f, unsigned reference) {
    if (reference >= (unsigned)f->list.n) {
        (void)gos__fmi_wrong(f, "variable %u does not exist; the unit has %d", reference,
                             f->list.n);
        return NULL;
    }
    return &f->list.v[reference];
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* integrators may step back: the last value is valid at any time */
static void hold(gos_state *x, int fn, double value) {
    x->held[fn].now = (gos_input_ramp){1, -HUGE_VAL, value, -HUGE_VAL, value};
    x->sets++;
}

static gos_status give(gos_fmi *f, gos_state *x, const gos_fmi_input *in, int i, double until) {
    const double t = gos_state_time(x);
    if (f->kind == GOS_FMU_MODEL_EXCHANGE) {
        hold(x, f->sys->input[i].fn, in->value);
        return GOS_OK;
    }
    if (!(in->held > 0 && gos_state_input(x, i) == in->value)) {
        GOS_TRY(gos_state_set_input(f->ctx, x, i, in->value, t));
    }
    return in->rate != 0 && until > t
               ? gos_state_set_input(f->ctx, x, i, in->value + in->rate * (until - t), until)
               : GOS_OK;
}

gos_status gos__fmi_give_inputs(gos_fmi *f, gos_state *x, double until) {
    const double t = gos_state_time(x);
    for (int k = 0; k < gos__fmu_count(&f->list, GOS_FMU_INPUT); k++) {
        gos_fmi_input *in = &f->input[k];
        if (!(in->fresh > 0)) {
            continue;
        }
        GOS_TRY(give(f, x, in, f->list.v[f->list.first[GOS_FMU_INPUT] + k].index, until));
        if (x == f->x) {
            in->held = 1;
            if (until > t) {
                in->value += in->rate * (until - t);
                in->rate = 0;
            }
            in->fresh = in->rate != 0;
        }
    }
    return GOS_OK;
}

static bool any_fresh(const gos_fmi *f) {
    for (int k = 0; k < gos__fmu_count(&f->list, GOS_FMU_INPUT); k++) {
        if (f->input[k].fresh > 0) {
            return true;
        }
    }
    return false;
}

/* ---- outputs --------------------------------------------------------------------------------- */

static void follow(const gos_fmi *f, const double *previous, double *value, double *rate) {
    int at = 0;
    for (int i = 0; i < f->sys->nprobe; i++) {
        gos__probe_follow(f->sys->probe[i], previous + at, value + at, rate + at);
        at += f->sys->probe[i]->ncomp;
    }
}

void gos__fmi_sample(gos_fmi *f, bool first) {
    gos__sampler_read(f->sampler, f->x, f->next, f->rate);
    if (!first) {
        follow(f, f->value, f->next, f->rate);
    }
    double *last = f->value;
    f->value = f->next;
    f->next = last;
    f->up_to_date = false;
}

/* fresh inputs change accelerations and reactions immediately */
gos_status gos__fmi_outputs(gos_fmi *f) {
    GOS_TRY(gos__fmi_begin(f));
    if (f->up_to_date) {
        return GOS_OK;
    }
    const size_t size = (size_t)f->nvalue * sizeof(double);
    if (f->kind == GOS_FMU_MODEL_EXCHANGE) {
        GOS_TRY(gos__fmi_evaluate(f));
        gos__sampler_read(f->sampler, f->x, f->shown, f->shown_rate);
        follow(f, f->value, f->shown, f->shown_rate);
    } else if (any_fresh(f) && !f->sys->stepper) {
        GOS_TRY(gos_state_copy(f->moved, f->x));
        GOS_TRY(gos__fmi_give_inputs(f, f->moved, 0));
        f->work->sets = -1;
        gos__work_hold(f->work, f->moved);
        GOS_TRY(gos__consistent(f->ctx, f->work, f->moved, gos_state_time(f->x)));
        gos__sampler_read(f->sampler, f->moved, f->shown, f->shown_rate);
        follow(f, f->value, f->shown, f->shown_rate);
    } else if (f->nvalue > 0) {
        memcpy(f->shown, f->value, size);
        memcpy(f->shown_rate, f->rate, size);
    }
    f->up_to_date = true;
    return GOS_OK;
}

/* ---- interface ------------------------------------------------------------------------------- */

static gos_status get_state(gos_fmi *f, const gos_fmu_variable *v, double *value) {
    const gos_system *s = f->sys;
    const int nq = s->nq, i = v->index;
    const gos_state *x = f->x;
    if (v->role == GOS_FMU_DERIVATIVE) {
        GOS_TRY(gos__fmi_evaluate(f));
        *value = i < nq ? x->v[i] : i < 2 * nq ? x->a[i - nq] : x->thd[i - 2 * nq];
    } else {
        *value = i < nq ? x->q[i] : i < 2 * nq ? x->v[i - nq] : x->th[i - 2 * nq];
    }
    return GOS_OK;
}

static gos_status get_indicator(gos_fmi *f, int i, double *value) {
    double *z = gos__zalloc(f->ctx, f->sys->ncrossing + 1L, sizeof *z);
    gos_status status = z ? gos__fmi_indicators(f, z) : GOS_E_MEMORY;
    *value = status == GOS_OK ? z[i] : 0;
    gos__free(f->ctx, z);
    return status;
}

gos_status gos__fmi_get(gos_fmi *f, unsigned reference, double *value) {
    const gos_fmu_variable *v = find(f, reference);
    GOS_TRY(v ? GOS_OK : GOS_E_USE);
    switch (v->role) {
    case GOS_FMU_TIME:
        *value = f->x ? gos_state_time(f->x) : 0;
        return GOS_OK;
    case GOS_FMU_PARAMETER:
        *value = f->parameter[v->index];
        return GOS_OK;
    case GOS_FMU_INPUT: {
        const gos_fmi_input *in = &f->input[reference - (unsigned)f->list.first[GOS_FMU_INPUT]];
        *value = in->given > 0 || !f->x ? in->value : gos_state_input(f->x, v->index);
        return GOS_OK;
    }
    case GOS_FMU_OUTPUT:
        GOS_TRY(gos__fmi_outputs(f));
        *value = f->shown[v->index];
        return GOS_OK;
    default:
        GOS_TRY(gos__fmi_begin(f));
        return v->role == GOS_FMU_INDICATOR ? get_indicator(f, v->index, value)
                                            : get_state(f, v, value);
    }
}

static gos_status set_parameter(gos_fmi *f, const gos_fmu_variable *v, double value) {
    const bool early = f->phase == GOS_FMI_MADE || f->phase == GOS_FMI_INITIAL;
    if (!early && !v->tunable) {
        return gos__fmi_wrong(
            f, "'%s' is a fixed parameter: it can be set until initialization ends", v->name);
    }
    if (f->phase == GOS_FMI_STEPS && f->kind == GOS_FMU_MODEL_EXCHANGE) {
        return gos__fmi_wrong(f, "'%s' can be set only in event mode", v->name);
    }
    if (value != f->parameter[v->index]) {
        f->parameter[v->index] = value;
        if (early) {
            gos__fmi_reset_run(f);
        }
        f->stale = true;
        f->up_to_date = false;
    }
    return GOS_OK;
}

gos_status gos__fmi_set(gos_fmi *f, unsigned reference, double value) {
    const gos_fmu_variable *v = find(f, reference);
    GOS_TRY(v ? GOS_OK : GOS_E_USE);
    if (!isfinite(value)) {
        return gos__fmi_wrong(f, "'%s' cannot be set to %g", v->name, value);
    }
    if (v->role == GOS_FMU_PARAMETER) {
        return set_parameter(f, v, value);
    }
    if (v->role != GOS_FMU_INPUT) {
        return gos__fmi_wrong(f, "'%s' cannot be set: it is neither an input nor a parameter",
                              v->name);
    }
    gos_fmi_input *in = &f->input[reference - (unsigned)f->list.first[GOS_FMU_INPUT]];
    if (in->given > 0 && in->value == value && in->rate == 0) {
        return GOS_OK;
    }
    if (f->phase == GOS_FMI_MADE || f->phase == GOS_FMI_INITIAL) { // the run begins with it
        gos__fmi_reset_run(f);
    }
    *in = (gos_fmi_input){.value = value, .given = 1, .fresh = 1, .held = in->held};
    f->up_to_date = false;
    return GOS_OK;
}

gos_status gos__fmi_set_rate(gos_fmi *f, unsigned reference, double rate) {
    const gos_fmu_variable *v = find(f, reference);
    GOS_TRY(v ? GOS_OK : GOS_E_USE);
    if (v->role != GOS_FMU_INPUT || !isfinite(rate)) {
        return gos__fmi_wrong(f, "'%s' cannot be given the rate %g: %s", v->name, rate,
                              v->role == GOS_FMU_INPUT ? "it is not finite" : "it is not an input");
    }
    gos_fmi_input *in = &f->input[reference - (unsigned)f->list.first[GOS_FMU_INPUT]];
    if (!(in->given > 0)) {
        return gos__fmi_wrong(f, "'%s' needs a value before its rate", v->name);
    }
    in->rate = rate;
    in->fresh = in->fresh > 0 || rate != 0;
    return GOS_OK;
}

gos_status gos__fmi_get_rate(gos_fmi *f, unsigned reference, double *rate) {
    const gos_fmu_variable *v = find(f, reference);
    GOS_TRY(v ? GOS_OK : GOS_E_USE);
    if (v->role != GOS_FMU_OUTPUT) {
        return gos__fmi_wrong(f, "'%s' is not an output", v->name);
    }
    GOS_TRY(gos__fmi_outputs(f));
    *rate = f->shown_rate[v->index];
    return GOS_OK;
}
