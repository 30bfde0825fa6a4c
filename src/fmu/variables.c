/* Order, names, units and start values of variables. */
#include "fmu/variables.h"

#include "base/names.h"
#include "base/units.h"
#include "gossamer/system.h"
#include "model/model.h"
#include "signals/ports.h"

typedef struct maker {
    gos_arena *a;
    const gos_model *model;
    const gos_system *sys;
    const gos_state *start; // NULL while counting
    gos_fmu_variables *list;
    int n; // so far
    gos_status status;
} maker;

/* without a start: only counts */
static void add(maker *k, gos_fmu_variable v, const char *name) {
    if (k->start) {
        v.name = name;
        k->list->v[k->n] = v;
        k->status = name && k->status == GOS_OK ? GOS_OK : GOS_E_MEMORY;
    }
    k->n++;
}

static void add_parameters(maker *k) {
    const gos_node *map = gos__node_get(k->model->root, "parameters");
    int index = 0;
    for (const gos_node *c = map && map->kind == GOS_MAP ? map->child : NULL; c; c = c->next) {
        double value;
        if (c->kind == GOS_SCALAR && gos__number_parse(c->text, strlen(c->text), &value)) {
            add(k,
                (gos_fmu_variable){
                    .role = GOS_FMU_PARAMETER, .unit = "", .index = index++, .start = value},
                gos__arena_printf(k->a, "parameters.%s", c->key));
        }
    }
}

static void add_inputs(maker *k) {
    const gos_system *s = k->sys;
    const char *const *variable;
    for (int i = 0; i < s->ninput; i++) {
        const gos_input *in = &s->input[i];
        const bool moves = in->kind == GOS_INPUT_MOTION || in->kind == GOS_INPUT_TEMPERATURE;
        // inputs that depend on probes, or move modal parts, cannot be set
        if (gos__timefn_variables(s->fn[in->fn], &variable) == 0 && !(s->stepper && moves)) {
            add(k,
                (gos_fmu_variable){.role = GOS_FMU_INPUT,
                                   .unit = in->unit,
                                   .index = i,
                                   .start = k->start ? gos_state_input(k->start, i) : 0},
                gos__arena_strdup(k->a, in->name));
        }
    }
}

static void add_outputs(maker *k) {
    int at = 0;
    for (int i = 0; i < gos_system_nprobes(k->sys); i++) {
        gos_probe_info p;
        gos_system_probe_info(k->sys, i, &p);
        for (int c = 0; c < p.ncomp; c++, at++) {
            if ((p.undetermined >> c & 1U) == 0) { // otherwise undefined
                char one[GOS_UNIT_MAX];
                const char *unit = gos__arena_strdup(k->a, gos__unit_at(p.unit, c, one));
                add(k,
                    (gos_fmu_variable){.role = GOS_FMU_OUTPUT,
                                       .unit = unit ? unit : "",
                                       .doc = p.quantity,
                                       .index = at},
                    gos__arena_printf(k->a, "%s.%s", p.name, p.components[c]));
            }
        }
    }
}

/* states: all coordinates, rates of moving ones, temperatures */
static const char *const component[] = {".x", ".y", ".z"};

/* a value or rate, or its derivative */
static const char *state_name(gos_arena *a, const char *name, const char *end, bool rate,
                              bool derivative) {
    const char *state = gos__arena_printf(a, rate ? "rate(%s%s)" : "%s%s", name, end);
    return state && derivative ? gos__arena_printf(a, "der(%s)", state) : state;
}

static void add_states(maker *k, gos_fmu_role role) {
    int index = 0;
    for (int part = 0; part < 3; part++) { // q, v, T
        for (int i = 0; i < gos_system_ncoordinates(k->sys); i++) {
            gos_coordinate_info c;
            gos_system_coordinate_info(k->sys, i, &c);
            for (int j = 0; c.temperature == (part == 2) && j < c.ncomp; j++) {
                const char *end = c.ncomp == 1 ? "" : component[j];
                add(k, (gos_fmu_variable){.role = role, .unit = "", .index = index++},
                    k->start ? state_name(k->a, c.name, end, part == 1, role == GOS_FMU_DERIVATIVE)
                             : NULL);
            }
        }
    }
}

static void add_indicators(maker *k) {
    for (int i = 0; i < gos_system_nevents(k->sys); i++) {
        gos_event_info e;
        gos_system_event_info(k->sys, i, &e);
        add(k, (gos_fmu_variable){.role = GOS_FMU_INDICATOR, .unit = "", .index = i},
            gos__arena_printf(k->a, "event(%s)", e.name));
    }
}

static void add_all(maker *k, gos_fmu_kind kind) {
    int *first = k->list->first;
    k->n = 0;
    first[GOS_FMU_TIME] = k->n;
    add(k, (gos_fmu_variable){.role = GOS_FMU_TIME, .unit = "s"}, "time");
    first[GOS_FMU_PARAMETER] = k->n;
    add_parameters(k);
    first[GOS_FMU_INPUT] = k->n;
    add_inputs(k);
    first[GOS_FMU_OUTPUT] = k->n;
    add_outputs(k);
    first[GOS_FMU_STATE] = k->n;
    if (kind == GOS_FMU_MODEL_EXCHANGE) {
        add_states(k, GOS_FMU_STATE);
    }
    first[GOS_FMU_DERIVATIVE] = k->n;
    if (kind == GOS_FMU_MODEL_EXCHANGE) {
        add_states(k, GOS_FMU_DERIVATIVE);
    }
    first[GOS_FMU_INDICATOR] = k->n;
    if (kind == GOS_FMU_MODEL_EXCHANGE) {
        add_indicators(k);
    }
    first[GOS_FMU_ROLES] = k->list->n = k->n;
}

/* variables are identified by names */
static gos_status check_names(gos_ctx *ctx, gos_arena *a, const gos_fmu_variables *list) {
    gos_names names = {0};
    for (int i = 0; i < list->n; i++) {
        const char *name = list->v[i].name;
        if (gos__names_find(&names, name, strlen(name))) {
            return gos__fail(ctx, GOS_E_INPUT,
                             "two variables of the unit have the name '%.160s' (input, component "
                             "of a probe, or parameter); rename one of them",
                             name);
        }
        GOS_TRY(gos__names_add(a, &names, name, &list->v[i]));
    }
    return GOS_OK;
}

gos_status gos__fmu_variables(gos_ctx *ctx, const gos_model *model, const gos_system *sys,
                              gos_fmu_kind kind, gos_arena *a, gos_fmu_variables *list) {
    maker k = {.a = a, .model = model, .sys = sys, .list = list};
    gos_state *start = NULL;
    add_all(&k, kind);
    list->v = GOS_NEW(a, gos_fmu_variable, k.n);
    GOS_TRY(list->v ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos_state_create(ctx, sys, &start));
    k.start = start;
    add_all(&k, kind);
    gos_state_destroy(start);
    return k.status == GOS_OK ? check_names(ctx, a, list) : k.status;
}

gos_status gos__fmu_tunable(gos_ctx *ctx, gos_fmu_variables *list, const char *name) {
    const size_t section = strlen("parameters.");
    for (int i = list->first[GOS_FMU_PARAMETER]; i < list->first[GOS_FMU_PARAMETER + 1]; i++) {
        if (strcmp(list->v[i].name, name) == 0 || strcmp(list->v[i].name + section, name) == 0) {
            list->v[i].tunable = true;
            return GOS_OK;
        }
    }
    return gos__fail(
        ctx, GOS_E_USE,
        "'%s' cannot be tunable: the model has no parameter of this name with a plain number",
        name);
}
