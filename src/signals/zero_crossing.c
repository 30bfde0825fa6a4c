/* Section `events` of a model. */
#include "signals/zero_crossing.h"

#include <math.h>

#include "model/timefn.h"

typedef struct event_def {
    gos_timefn *signal;
    double limit;
    int direction, action;
} event_def;

static const gos_param event_params[] = {
    {.name = "signal",
     .kind = GOS_K_TIMEFN,
     .unit = "",
     .flags = GOS_P_REQUIRED | GOS_P_PROBES,
     .offset = offsetof(event_def, signal),
     .doc = "monitored signal: a probe, PROBE or PROBE.COMPONENT, or an expression of probes and "
            "the time t"},
    {.name = "limit",
     .kind = GOS_K_NUMBER,
     .unit = "",
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(event_def, limit),
     .doc = "threshold of the signal, in its unit"},
    {.name = "direction",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "both",
     .offset = offsetof(event_def, direction),
     .choices = "both|rising|falling",
     .doc = "crossing direction: from below, from above, or both"},
    {.name = "action",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "record",
     .offset = offsetof(event_def, action),
     .choices = "record|end",
     .doc = "record: stores and prints the time; end: also ends the run"},
    {0},
};

const gos_type gos__event_type = {
    .section = "events",
    .name = "event",
    .doc = "Threshold of a signal: crossing times are located inside the time steps and recorded, "
           "or end the run.",
    .params = event_params,
    .size = sizeof(event_def),
    .example = "down: {signal: tip.y, limit: -0.5, direction: falling, action: end}",
};

gos_status gos__crossing_check(gos_builder *b, const gos_node *entry, const char *object) {
    event_def d = {0};
    return gos__fill(b->model, entry, event_params, object, b->arena, &d);
}

static gos_status find_probe(gos_builder *b, const gos_system *s, const gos_crossing *c,
                             const char *name, int *probe, int *component) {
    const size_t n = strcspn(name, ".");
    const char *object;
    const gos_loc loc = gos__timefn_location(c->signal, &object);
    for (int i = 0; i < s->nprobe; i++) {
        const gos_probe *p = s->probe[i];
        if (strncmp(p->name, name, n) == 0 && p->name[n] == '\0') {
            *probe = i;
            return gos__probe_component(b->ctx, p, name[n] ? name + n + 1 : NULL, loc, object,
                                        component);
        }
    }
    return GOS_E_INPUT; // the probe's error has been reported
}

static gos_status make(gos_builder *b, const gos_system *s, const gos_node *entry,
                       const char *object, gos_crossing *c) {
    event_def d = {0};
    const char *const *name;
    GOS_TRY(gos__fill(b->model, entry, event_params, object, b->arena, &d));
    *c = (gos_crossing){.name = gos__arena_strdup(b->arena, entry->key),
                        .loc = entry->key_loc,
                        .signal = d.signal,
                        .limit = d.limit,
                        .rising = d.direction != 2,
                        .falling = d.direction != 1,
                        .ends = d.action == 1,
                        .smooth = true};
    const double *times;
    int first;
    c->n = gos__timefn_variables(d.signal, &name);
    if (!c->name) {
        return GOS_E_MEMORY;
    }
    if (gos__timefn_points(d.signal, &times) >= 0) { // its switching times become step ends
        GOS_TRY(gos__add_timefns(b, 1, &d.signal, &first));
    }
    if (c->n == 0) {
        const gos_loc loc = gos__timefn_location(d.signal, &object);
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "it contains no probe, so its crossings are known before the run; give "
                            "PROBE, PROBE.COMPONENT, or an expression of them");
    }
    for (int k = 0; k < c->n; k++) {
        GOS_TRY(find_probe(b, s, c, name[k], &c->probe[k], &c->component[k]));
        c->smooth = c->smooth && gos__probe_of_state(s->probe[c->probe[k]]);
    }
    return GOS_OK;
}

gos_status gos__crossings_make(gos_builder *b, gos_system *s) {
    const gos_node *section = gos__node_get(b->model->root, "events");
    gos_status status = GOS_OK;
    if (!section || section->n == 0) {
        return GOS_OK;
    }
    if (s->options.analysis == GOS_STATIC) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, section->key_loc, NULL,
                            "events require a run in time, but this analysis is static; remove "
                            "them, or give `type: dynamic`");
    }
    s->crossing = GOS_NEW(b->arena, gos_crossing, section->n);
    if (!s->crossing) {
        return GOS_E_MEMORY;
    }
    for (const gos_node *e = section->child; e; e = e->next) {
        const char *object = gos__arena_printf(b->arena, "event '%s'", e->key);
        const gos_status made =
            object ? make(b, s, e, object, &s->crossing[s->ncrossing]) : GOS_E_MEMORY;
        s->ncrossing += made == GOS_OK;
        status = status == GOS_OK ? made : status;
    }
    return status;
}

void gos__crossing_sample(const gos_crossing *c, const gos_crossing_point *at, double *now,
                          double *value, double *rate) {
    double y[GOS_LIMIT_VARIABLES], dy[GOS_LIMIT_VARIABLES], v[GOS_LIMIT_VARIABLES];
    gos_state x = *at->x;
    x.t = at->t; // the side of a switching time
    for (int k = 0; k < c->n; k++) {
        const gos_probe *p = x.sys->probe[c->probe[k]];
        double r[GOS_PROBE_MAX] = {0}, *all = now + k * GOS_PROBE_MAX;
        gos__probe_sample(x.sys, &x, p, at->moved, all, r);
        if (at->near) {
            gos__probe_follow(p, at->near + k * GOS_PROBE_MAX, all, r);
        }
        y[k] = all[c->component[k]];
        v[k] = r[c->component[k]];
    }
    const double f0 = gos__timefn_at(c->signal, at->t, y, dy);
    const double f1 = gos__timefn_at(c->signal, at->t + at->dt, y, NULL);
    const double f2 = gos__timefn_at(c->signal, at->t + 2 * at->dt, y, NULL);
    *value = f0 - c->limit;
    *rate = (4 * f1 - f2 - 3 * f0) / (2 * at->dt);
    for (int k = 0; k < c->n; k++) {
        *rate += dy[k] * v[k];
    }
}

int gos_system_nevents(const gos_system *sys) {
    return sys->ncrossing;
}

void gos_system_event_info(const gos_system *sys, int i, gos_event_info *info) {
    const gos_crossing *c = &sys->crossing[i];
    *info = (gos_event_info){.name = c->name, .limit = c->limit, .ends = c->ends};
}
