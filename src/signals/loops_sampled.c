/* Sampled controllers; see loops.h. Memory of each:

     numbers of samples taken and outputs applied, time of the last output change, started flag,
     states (n), outputs: current and previous (nu), current and previous command (nu),
     delayed outputs, limited and command: (depth)(2)(nu)

   Times are k T and k T + delay, always computed in this form, so that step ends match exactly. */
#include <math.h>

#include "signals/loops.h"
#include "system/derived.h"

#define TIME_TOLERANCE 1e-12 // time tolerance, as part of a period

enum { TAKEN, APPLIED, CHANGED, BEGUN, NUMBERS };

typedef struct memory {
    double *number;                       // (NUMBERS)
    double *x;                            // (n)
    double *now, *before;                 // (nu)
    double *commanded, *commanded_before; // (nu)
    double *waiting;                      // (depth, 2, nu)
} memory;

static memory memory_of(const gos_control_loop *l, double *mem) {
    const size_t n = (size_t)l->law->n, nu = (size_t)l->law->nu;
    double *at = mem + NUMBERS + n;
    return (memory){.number = mem,
                    .x = mem + NUMBERS,
                    .now = at,
                    .before = at + nu,
                    .commanded = at + 2 * nu,
                    .commanded_before = at + 3 * nu,
                    .waiting = at + 4 * nu};
}

size_t gos__loop_memory_size(const gos_control_loop *l) {
    const size_t n = (size_t)l->law->n, nu = (size_t)l->law->nu;
    return l->law->period > 0 ? NUMBERS + n + 4 * nu + 2 * (size_t)l->depth * nu : 0;
}

void gos__loop_memory_start(const gos_control_loop *l, double *mem) {
    const gos_controller *c = l->law;
    if (!(c->period > 0)) {
        return;
    }
    const memory m = memory_of(l, mem);
    for (int i = 0; i < c->n; i++) {
        m.x[i] = c->start ? c->start[i] : 0;
    }
    for (int i = 0; i < c->nu; i++) { // operating point until the first output
        const double u = c->u0 ? c->u0[i] : 0;
        m.now[i] = m.before[i] = m.commanded[i] = m.commanded_before[i] = u;
    }
}

const double *gos__loop_held(const gos_control_loop *l, const double *mem, double t) {
    const memory m = memory_of(l, (double *)mem);
    return t < m.number[CHANGED] ? m.before : m.now;
}

const double *gos__loop_commanded(const gos_control_loop *l, const double *mem, double t) {
    const memory m = memory_of(l, (double *)mem);
    return t < m.number[CHANGED] ? m.commanded_before : m.commanded;
}

const double *gos__loop_states(const gos_state *x, int loop) {
    return x->mem + x->sys->loops->loop[loop].m0 + NUMBERS;
}

static double sample_time(const gos_controller *c, double k) {
    return k * c->period;
}

/* first time k T + late after t */
static double next_after(const gos_controller *c, double late, double t) {
    const double slack = TIME_TOLERANCE * c->period;
    double k = fmax(0, floor((t - late) / c->period));
    while (sample_time(c, k) + late <= t + slack) {
        k++;
    }
    return sample_time(c, k) + late;
}

double gos__loops_next(const gos_system *s, double t) {
    double next = HUGE_VAL;
    for (int i = 0; s->loops && i < s->loops->n; i++) {
        const gos_controller *c = s->loops->loop[i].law;
        if (c->period > 0) {
            next = fmin(next, next_after(c, 0, t));
            next = c->delay > 0 ? fmin(next, next_after(c, c->delay, t)) : next;
        }
    }
    return next;
}

/* takes one sample: queues the output, advances the states */
static void take(gos_work *w, const gos_point_of *x, int i, const memory *m) {
    const gos_control_loop *l = &w->sys->loops->loop[i];
    const size_t nu = (size_t)l->law->nu;
    double *v = m->waiting + 2 * nu * ((size_t)m->number[TAKEN] % (size_t)l->depth);
    if (m->number[BEGUN] == 0) {
        gos__loop_rest(w, x, i, m->x);
        m->number[BEGUN] = 1;
    }
    gos__loop_sample(w, x, i, m->x, v + nu, v);
    m->number[TAKEN]++;
}

/* @return true if an output has jumped */
static bool apply(const gos_control_loop *l, const memory *m, double t) {
    const size_t nu = (size_t)l->law->nu, size = nu * sizeof(double);
    const double *v = m->waiting + 2 * nu * ((size_t)m->number[APPLIED] % (size_t)l->depth);
    memcpy(m->before, m->now, size);
    memcpy(m->commanded_before, m->commanded, size);
    memcpy(m->now, v, size);
    memcpy(m->commanded, v + nu, size);
    m->number[APPLIED]++;
    m->number[CHANGED] = t;
    return memcmp(m->now, m->before, size) != 0;
}

/* applies due outputs; *jump: an output has jumped */
static void apply_due(const gos_control_loop *l, const memory *m, double t, bool *jump) {
    const gos_controller *c = l->law;
    const double now = t + TIME_TOLERANCE * c->period;
    while (m->number[APPLIED] < m->number[TAKEN] &&
           sample_time(c, m->number[APPLIED]) + c->delay <= now) {
        *jump |= apply(l, m, t);
    }
}

bool gos__loops_sample(gos_work *w, gos_state *x) {
    const gos_system *s = w->sys;
    const gos_point_of given = {
        .t = x->t, .scale = 1, .q = x->q, .v = x->v, .a = x->a, .th = x->th, .mem = x->mem};
    bool jump = false;
    for (int i = 0; s->loops && i < s->loops->n; i++) {
        const gos_control_loop *l = &s->loops->loop[i];
        if (!(l->law->period > 0)) {
            continue;
        }
        const memory m = memory_of(l, x->mem + l->m0);
        const double due = floor(x->t / l->law->period + TIME_TOLERANCE);
        if (m.number[TAKEN] < due) { // late start: no earlier samples
            m.number[TAKEN] = m.number[APPLIED] = due;
        }
        if (m.number[TAKEN] == due &&
            fabs(x->t - sample_time(l->law, due)) <= TIME_TOLERANCE * l->law->period) {
            const gos_point_of at = gos__derived_enter(w, &given);
            if (l->direct) {
                gos__work_time(w, x->t);
            }
            take(w, &at, i, &m);
        }
        apply_due(l, &m, x->t, &jump);
    }
    return jump;
}
