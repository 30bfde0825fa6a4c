/* Probes of controllers: NAME, added to the inputs; NAME_command, before limits and converters;
   NAME_state. Further components: NAME_25, NAME_49, ... */
#include "signals/loops.h"

static void numbers_of(const gos_state *x, const gos_probe *p, bool commanded, double *y) {
    double u[GOS_LIMIT_CONTROLLER], v[GOS_LIMIT_CONTROLLER];
    gos__loop_observe(x->sys, x, p->loop, u, v);
    memcpy(y, (commanded ? u : v) + p->first, (size_t)p->ncomp * sizeof *y);
}

static void value_control(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    GOS_UNUSED(s);
    numbers_of(x, p, false, y);
}

static void value_command(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    GOS_UNUSED(s);
    numbers_of(x, p, true, y);
}

static void value_states(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    GOS_UNUSED(s);
    for (int k = 0; k < p->ntm; k++) {
        y[k] = gos__tmarker_value(&p->tm[k], x->th);
    }
}

static void value_sampled(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    GOS_UNUSED(s);
    const double *states = gos__loop_states(x, p->loop);
    memcpy(y, states + p->first, (size_t)p->ncomp * sizeof *y);
}

static const gos_quantity control = {.name = "control",
                                     .unit = "",
                                     .doc = "output of a controller, added to its inputs",
                                     .needs = GOS_NEEDS_NOTHING,
                                     .value = value_control};
static const gos_quantity command = {.name = "control_command",
                                     .unit = "",
                                     .doc = "output of a controller before limits",
                                     .needs = GOS_NEEDS_NOTHING,
                                     .value = value_command};
static const gos_quantity continuous_state = {.name = "control_state",
                                              .unit = "",
                                              .doc = "states of a continuous controller",
                                              .value = value_states,
                                              .output = GOS_OUTPUT_TEMPERATURE};
static const gos_quantity sampled_state = {.name = "control_state",
                                           .unit = "",
                                           .doc = "states of a sampled controller",
                                           .needs = GOS_NEEDS_NOTHING,
                                           .value = value_sampled};

static const char *component_name(gos_builder *b, const gos_controller *c, const gos_quantity *q,
                                  int k) {
    if (q == &continuous_state || q == &sampled_state) {
        return gos__arena_printf(b->arena, "x%d", k + 1);
    }
    char *name = gos__arena_strdup(b->arena, c->input[k].text);
    for (char *at = name; at && *at; at++) {
        *at = strchr(".(,", *at) ? '_' : *at; // torque.z, patches(3)
        *at = *at == ')' ? '\0' : *at;
    }
    return name;
}

static gos_status check_name(gos_builder *b, const gos_system *s, const gos_controller *c,
                             const char *name) {
    for (int i = 0; i < s->nprobe; i++) {
        if (strcmp(s->probe[i]->name, name) == 0) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, c->loc, c->object,
                                "its output is recorded as probe '%s', which already exists in the "
                                "model; rename one of them",
                                name);
        }
    }
    return GOS_OK;
}

static gos_status add(gos_builder *b, gos_system *s, int loop, const char *suffix,
                      const gos_quantity *q, int first, int n) {
    const gos_controller *c = &b->controller[loop];
    gos_probe *p = GOS_NEW(b->arena, gos_probe, 1);
    const char **names = GOS_NEW(b->arena, const char *, n + 1);
    if (!p || !names) {
        return GOS_E_MEMORY;
    }
    *p = (gos_probe){.quantity = q,
                     .unit = q->unit,
                     .ncomp = n,
                     .components = names,
                     .loop = loop,
                     .first = first};
    p->name = first > 0 ? gos__arena_printf(b->arena, "%s%s_%d", c->name, suffix, first + 1)
                        : gos__arena_printf(b->arena, "%s%s", c->name, suffix);
    GOS_TRY(p->name ? check_name(b, s, c, p->name) : GOS_E_MEMORY);
    for (int k = 0; k < n; k++) {
        names[k] = component_name(b, c, q, first + k);
        GOS_TRY(names[k] ? GOS_OK : GOS_E_MEMORY);
    }
    if (q == &continuous_state) {
        const double one = 1;
        p->tm = GOS_NEW(b->arena, gos_tmarker, n);
        GOS_TRY(p->tm ? GOS_OK : GOS_E_MEMORY);
        p->ntm = n;
        for (int k = 0; k < n; k++) {
            const int at = gos__loops_first_state(b, c) + first + k;
            GOS_TRY(gos__tmarker_make(b->arena, 1, &at, &one, &p->tm[k]));
        }
    }
    gos_probe **list = GOS_NEW(b->arena, gos_probe *, s->nprobe + 2);
    GOS_TRY(list ? GOS_OK : GOS_E_MEMORY);
    memcpy(list, s->probe, (size_t)s->nprobe * sizeof *list);
    list[s->nprobe++] = p;
    s->probe = list;
    return GOS_OK;
}

static gos_status add_all(gos_builder *b, gos_system *s, int loop, const char *suffix,
                          const gos_quantity *q, int n) {
    for (int first = 0; first < n; first += GOS_PROBE_MAX) {
        const int left = n - first;
        GOS_TRY(add(b, s, loop, suffix, q, first, left < GOS_PROBE_MAX ? left : GOS_PROBE_MAX));
    }
    return GOS_OK;
}

gos_status gos__loops_probes(gos_builder *b, gos_system *s) {
    for (int i = 0; i < b->ncontroller; i++) {
        const gos_controller *c = &b->controller[i];
        const gos_quantity *states = c->period > 0 ? &sampled_state : &continuous_state;
        GOS_TRY(add_all(b, s, i, "", &control, c->nu));
        GOS_TRY(c->upper || c->input_step ? add_all(b, s, i, "_command", &command, c->nu) : GOS_OK);
        GOS_TRY(add_all(b, s, i, "_state", states, c->n));
    }
    return GOS_OK;
}
