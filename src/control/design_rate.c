/* Collocated rate feedback: each input opposes the rate of a signal at its location. It dissipates
   energy of every mode, modelled or not, if the signal observes each mode as the input drives it;
   also when saturated. */
#include <math.h>

#include "control/design_plants.h"
#include "linear/linear.h"

#define COLLOCATED 1e-6 // misfit of the modal rows of signal and input

typedef struct pairing {
    gos_ctx *ctx;
    const gos_linear *l;
    const gos_design_plants *p;
    const gos_design_options *o;
    bool *rate; // signal is a current
} pairing;

/* entry of signal s, or of its rate, for mode i */
static double row_entry(const pairing *c, int s, int i) {
    const gos_modal_form *f = &c->p->form;
    const double *Y = c->rate[s] ? f->Yv : f->Yq;
    return Y[(long)i * f->ny + c->p->signal_index[s]];
}

static gos_status pair_signals(const pairing *c) {
    const gos_modal_form *f = &c->p->form;
    for (int s = 0; s < c->p->own.ny; s++) {
        const int at = c->p->signal_index[s];
        const char *name = c->l->output[at].name;
        bool feeds = false;
        for (long i = 0; i < f->n; i++) {
            feeds = feeds || f->Yq[i * f->ny + at] != 0;
            c->rate[s] = c->rate[s] || f->Yv[i * f->ny + at] != 0;
        }
        for (int k = 0; k < c->p->own.nu; k++) {
            if (f->Yu[(long)c->p->input_index[k] * f->ny + at] != 0) {
                return gos__fail(
                    c->ctx, GOS_E_INPUT,
                    "signal '%s' has direct feedthrough from '%s': measure a motional_current or "
                    "motional_charge, or use electrodes that are not driven",
                    name, c->l->input[c->p->input_index[k]].name);
            }
        }
        if (feeds && (c->rate[s] || !(c->o->corner > 0))) {
            return gos__fail(c->ctx, GOS_E_INPUT,
                             "signal '%s' is not a rate: measure a motional_current, or give "
                             "`corner`, the frequency up to which charges are differentiated",
                             name);
        }
    }
    return GOS_OK;
}

/* ratio of their rows */
static gos_status find_partner(const pairing *c, int k, int *partner, double *ratio) {
    const gos_modal_form *f = &c->p->form;
    const double *b = f->B + (long)c->p->input_index[k] * f->n;
    double min = HUGE_VAL, bb = 0;
    for (int i = 0; i < f->n; i++) {
        bb += b[i] * b[i];
    }
    for (int s = 0; s < c->p->own.ny; s++) {
        double by = 0, yy = 0, rest = 0;
        for (int i = 0; i < f->n; i++) {
            by += b[i] * row_entry(c, s, i);
            yy += row_entry(c, s, i) * row_entry(c, s, i);
        }
        for (int i = 0; i < f->n && bb > 0; i++) {
            const double off = row_entry(c, s, i) - by / bb * b[i];
            rest += off * off;
        }
        if (yy > 0 && bb > 0 && sqrt(rest / yy) < min) {
            min = sqrt(rest / yy);
            *partner = s;
            *ratio = by / bb;
        }
    }
    return min < COLLOCATED
               ? GOS_OK
               : gos__fail(c->ctx, GOS_E_INPUT,
                           "no signal is collocated with '%s' (relative misfit of the nearest one: "
                           "%.2g): rate feedback dissipates energy of all modes only between "
                           "electrodes at the same location, the same one or on the opposite face",
                           c->l->input[c->p->input_index[k]].name, fmin(min, 1));
}

static gos_status fill(const pairing *c, gos_plant *to) {
    const double a = c->o->corner;
    for (int k = 0; k < to->ny; k++) {
        const int pattern = c->p->input_pattern[k];
        double ratio = 0, gain = c->o->ngain > 0 ? c->o->gain[c->o->ngain > 1 ? pattern : 0] : 0;
        int s = 0;
        if (!(gain >= 0)) {
            return gos__fail(
                c->ctx, GOS_E_INPUT,
                "a gain of %g would drive the motion instead of damping it; use positive gains",
                gain);
        }
        GOS_TRY(find_partner(c, k, &s, &ratio));
        gain /= ratio;
        if (to->n == 0) {
            to->D[(long)s * to->ny + k] = -gain;
            continue;
        }
        // x' = a (y - x): below the corner a y - a x is the rate of a charge y, x that of a current
        to->A[(long)k * (to->n + 1)] = -a;
        to->B[(long)s * to->n + k] = a;
        to->C[(long)k * (to->ny + 1)] = c->rate[s] ? -gain : gain * a;
        to->D[(long)s * to->ny + k] = c->rate[s] ? 0 : -gain * a;
    }
    return GOS_OK;
}

gos_status gos__design_rate(gos_ctx *ctx, const gos_linear *l, const gos_design_plants *p,
                            const gos_design_options *o, gos_plant *controller) {
    pairing c = {.ctx = ctx, .l = l, .p = p, .o = o};
    *controller = (gos_plant){0};
    if (p->of_states || p->form.n == 0) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "rate feedback needs a structure with vibration modes, and signals "
                         "collocated with its inputs");
    }
    c.rate = gos__zalloc(ctx, (size_t)p->own.ny + 1, sizeof *c.rate);
    gos_status status = c.rate ? pair_signals(&c) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        status =
            gos__plant_create(ctx, o->corner > 0 ? p->own.nu : 0, p->own.ny, p->own.nu, controller);
    }
    status = status == GOS_OK ? fill(&c, controller) : status;
    gos__free(ctx, c.rate);
    return status;
}
