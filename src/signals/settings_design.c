#include "signals/settings_design.h"

#include <math.h>

#include "system/settings.h"

#define SECTION "designs"

typedef struct design_def {
    gos_texts inputs, signals, sense;
    int weight, about;
    const char *output, *disturbance;
    gos_numbers signal_weights, input_weights, noise, errors, gain;
    double k_Q, v_max, force, t_force, duration, t_end, intensity, floor, zeta, sample, time;
    double choose_k_Q, corner;
    int residual;
    int design_modes, plant_modes, choose, choose_by;
} design_def;

#define NUMBERS(member, unit_, lo_, flags_, doc_)                                                  \
    {                                                                                              \
        .name = #member, .kind = GOS_K_NUMBERS, .unit = unit_, .lo = lo_, .hi = HUGE_VAL,          \
        .flags = flags_, .offset = offsetof(design_def, member), .doc = doc_                       \
    }
#define NUMBER(...) P_NUMBER(design_def, __VA_ARGS__)

/* common keys: ports and plants for evaluation */
#define PORTS(signals_flag, signals_doc)                                                           \
    {.name = "inputs",                                                                             \
     .kind = GOS_K_NAMES,                                                                          \
     .unit = "",                                                                                   \
     .flags = GOS_P_REQUIRED,                                                                      \
     .offset = offsetof(design_def, inputs),                                                       \
     .doc = "controlled inputs: names of load inputs, or patterns with *; a load with several "    \
            "components means all of them"},                                                       \
    {                                                                                              \
        .name = "signals", .kind = GOS_K_NAMES, .unit = "", .flags = signals_flag,                 \
        .offset = offsetof(design_def, signals), .doc = signals_doc                                \
    }

#define SENSE                                                                                      \
    {                                                                                              \
        .name = "sense", .kind = GOS_K_NAMES, .unit = "", .offset = offsetof(design_def, sense),   \
        .doc =                                                                                     \
            "measured electrodes of `piezo`, by name or pattern as in `inputs`, in addition to "   \
            "`signals` and without probes: their charges (for collocated without corner, their "   \
            "motional currents). If inputs are selected by `choose`, the electrodes at the same "  \
            "locations are used, matched by k or CHANNEL of ENTRY(k) or ENTRY.CHANNEL. Charges "   \
            "of undriven electrodes on the opposite face, at 0 V, contain no capacitance term"     \
    }
#define TRIAL                                                                                      \
    {.name = "output",                                                                             \
     .kind = GOS_K_TEXT,                                                                           \
     .unit = "",                                                                                   \
     .offset = offsetof(design_def, output),                                                       \
     .doc = "displacement or velocity, e.g. tip.y, used by the weight and the H-infinity norm"},   \
        NUMBER(v_max, "", 0, HUGE_VAL, 0, "0",                                                     \
               "limit of every input, also used in the observer; 0: none"),                        \
        {.name = "disturbance",                                                                    \
         .kind = GOS_K_TEXT,                                                                       \
         .unit = "",                                                                               \
         .offset = offsetof(design_def, disturbance),                                              \
         .doc = "disturbance input for the observer, norms and k_Q 0; default: the controlled "    \
                "inputs"},                                                                         \
        NUMBER(force, "", -HUGE_VAL, HUGE_VAL, 0, "1",                                             \
               "amplitude of the disturbance in time histories of reports and for k_Q 0"),         \
        NUMBER(t_force, "s", 0, HUGE_VAL, 0, "0", "start of the disturbance"),                     \
        NUMBER(duration, "s", 0, HUGE_VAL, 0, "0",                                                 \
               "duration of the disturbance; 0: no time histories in reports"),                    \
        NUMBER(t_end, "s", 0, HUGE_VAL, 0, "0",                                                    \
               "end of the time histories and of the search for the largest command"),             \
        {.name = "design_modes",                                                                   \
         .kind = GOS_K_INT,                                                                        \
         .unit = "",                                                                               \
         .lo = 0,                                                                                  \
         .hi = 1000,                                                                               \
         .def = "0",                                                                               \
         .offset = offsetof(design_def, design_modes),                                             \
         .doc = "number of vibration modes in the design model, from the lowest; rigid-body "      \
                "modes are added; 0: all, up to 200"},                                             \
        {.name = "plant_modes",                                                                    \
         .kind = GOS_K_INT,                                                                        \
         .unit = "",                                                                               \
         .lo = 0,                                                                                  \
         .hi = 1000,                                                                               \
         .def = "0",                                                                               \
         .offset = offsetof(design_def, plant_modes),                                              \
         .doc =                                                                                    \
             "number of vibration modes of the plant used for evaluation; 0: four times as many"}, \
        NUMBER(zeta, "-", -1, HUGE_VAL, 0, "-1",                                                   \
               "damping ratio of every mode of both plants; below 0: damping of the model"),       \
        NUMBER(sample, "s", 0, HUGE_VAL, 0, "0",                                                   \
               "period of a sampled controller with held inputs; 0: continuous"),                  \
        NUMBERS(                                                                                   \
            errors, "-", -1, GOS_P_LO_OPEN,                                                        \
            "relative errors of the plant for robustness checks, applied separately to the "       \
            "feed-through (capacitances), the gain and all frequencies; default +-1, 2, 5, 10 %"), \
        {.name = "about",                                                                          \
         .kind = GOS_K_CHOICE,                                                                     \
         .unit = "",                                                                               \
         .def = "initial",                                                                         \
         .offset = offsetof(design_def, about),                                                    \
         .choices = "initial|equilibrium|time",                                                    \
         .doc = "linearisation point: the initial state, the static equilibrium, or the state at " \
                "`time`"},                                                                         \
        NUMBER(time, "s", 0, HUGE_VAL, 0, "0", "time for `about: time`")

/* common keys of regulators */
#define REGULATOR                                                                                  \
    {.name = "weight",                                                                             \
     .kind = GOS_K_CHOICE,                                                                         \
     .unit = "",                                                                                   \
     .def = "signals",                                                                             \
     .offset = offsetof(design_def, weight),                                                       \
     .choices = "signals|acceleration|velocity|displacement",                                      \
     .doc = "penalised quantity: squares of the signals, acceleration of `output`, or squares of " \
            "modal velocities or modal displacements weighted by |phi| omega, where phi is the "   \
            "modal component of `output`"},                                                        \
        NUMBERS(signal_weights, "", 0, 0,                                                          \
                "for weight `signals`: one for all, or one for each of `signals`; default 1"),     \
        NUMBERS(input_weights, "", 0, GOS_P_LO_OPEN,                                               \
                "weights of squared inputs: one for all, or one for each of `inputs`; default 1"), \
        NUMBER(k_Q, "", 0, HUGE_VAL, 0, "1",                                                       \
               "factor of the weight; 0: chosen so that the largest command after the "            \
               "disturbance is v_max"),                                                            \
        {.name = "choose",                                                                         \
         .kind = GOS_K_INT,                                                                        \
         .unit = "",                                                                               \
         .lo = 0,                                                                                  \
         .hi = 100000,                                                                             \
         .def = "0",                                                                               \
         .offset = offsetof(design_def, choose),                                                   \
         .doc =                                                                                    \
             "number of `inputs` to use, in whole groups of symmetry-equivalent inputs; 0: all"},  \
        {.name = "choose_by",                                                                      \
         .kind = GOS_K_CHOICE,                                                                     \
         .unit = "",                                                                               \
         .def = "gain",                                                                            \
         .offset = offsetof(design_def, choose_by),                                                \
         .choices = "gain|gramian|cost|limited",                                                   \
         .doc = "gain: row norms of the gain with all inputs; gramian: acceleration of `output` "  \
                "after an impulse at each input; cost: cost after an impulse of the disturbance, " \
                "group by group; limited: root mean square acceleration in a time history within " \
                "v_max"},                                                                          \
        NUMBER(choose_k_Q, "", 0, HUGE_VAL, 0, "0",                                                \
               "factor of the weight while all inputs are used; 0: from v_max, as for k_Q")

static const gos_param lqr_params[] = {
    PORTS(0, "measured probe components that together determine all states, or patterns; default: "
             "only the gain and the ranking of inputs are computed"),
    REGULATOR,
    TRIAL,
    {0},
};

static const gos_param lqg_params[] = {
    PORTS(0, "measured probe components, or patterns; a probe means all of its components"),
    SENSE,
    REGULATOR,
    TRIAL,
    NUMBERS(
        noise, "", 0, GOS_P_REQUIRED | GOS_P_LO_OPEN,
        "square root of the noise intensity of signals, signal unit times sqrt(s): one for all, or "
        "one for each of `signals`; larger values give a slower but more robust observer"),
    NUMBER(intensity, "", 0, HUGE_VAL, 0, "1",
           "disturbance intensity assumed by the observer, unit squared times s"),
    NUMBER(floor, "", 0, HUGE_VAL, 0, "0",
           "noise intensity on each modal velocity, which keeps modes observable that the "
           "disturbance does not excite"),
    {.name = "residual",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(design_def, residual),
     .doc = "signals include the static response of the modes between design_modes and "
            "plant_modes, in addition to their feed-through of inputs"},
    {0},
};

static const gos_param collocated_params[] = {
    PORTS(0, "one collocated signal per input, such as its motional_current or the charge of an "
             "electrode on the opposite face held at 0 V, in any order; or patterns"),
    SENSE,
    NUMBERS(gain, "V/A", 0, GOS_P_REQUIRED,
            "gain of each input with respect to the rate of its own charge, independent of the "
            "scaling of its signal: one for all, or one for each of `inputs`"),
    NUMBER(corner, "Hz", 0, HUGE_VAL, 0, "0",
           "corner frequency of the differentiation of charges, v = -g a s/(s + a) Q with a = 2 pi "
           "corner; rates are low-pass filtered accordingly; 0: none, for signals that are rates"),
    TRIAL,
    {0},
};

const gos_type gos__design_lqr = {
    .section = SECTION,
    .name = "lqr",
    .doc = "Linear-quadratic regulator of the modal model, for signals that determine all states "
           "(`gossamer design`).",
    .params = lqr_params,
    .size = sizeof(design_def),
    .example = "hold: {type: lqr, inputs: push, signals: [place, speed], signal_weights: [100, 1]}",
};

const gos_type gos__design_lqg = {
    .section = SECTION,
    .name = "lqg",
    .doc = "Linear-quadratic regulator of the modal model with a Kalman filter that estimates its "
           "states from the signals (`gossamer design`).",
    .params = lqg_params,
    .size = sizeof(design_def),
    .example = "calm: {type: lqg, inputs: torque, signals: tip, noise: 1.0e-4, design_modes: 4, "
               "plant_modes: 12}",
};

const gos_type gos__design_collocated = {
    .section = SECTION,
    .name = "collocated",
    .doc = "Collocated feedback of charge rates to electrodes, which extracts energy from every "
           "mode, including unmodelled ones (`gossamer design`).",
    .params = collocated_params,
    .size = sizeof(design_def),
    .example = "calm: {type: collocated, inputs: upper, signals: current, gain: 1.0e+6, "
               "design_modes: 14, plant_modes: 60}",
};

static gos_status check_list(gos_ctx *ctx, const gos_node *entry, const char *object,
                             const char *key, const gos_numbers *list, int names) {
    return list->n <= 1 || list->n == names
               ? GOS_OK
               : gos__fail_at(ctx, GOS_E_INPUT, gos__key_loc(entry, key), object,
                              "%s has %d numbers for %d names: give one for all, or one for each",
                              key, list->n, names);
}

static gos_status check_regulator(gos_model *m, const gos_node *entry, const char *object,
                                  const design_def *d) {
    if (d->weight > GOS_WEIGHT_SIGNALS && !d->output) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, gos__key_loc(entry, "weight"), object,
                            "this weight requires `output`, the displacement to be reduced");
    }
    if (d->weight == GOS_WEIGHT_SIGNALS && d->signals.n + d->sense.n == 0) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, gos__key_loc(entry, "weight"), object,
                            "weight `signals` requires `signals`; give them, or another weight");
    }
    const bool limited =
        d->choose > 0 && (d->choose_k_Q == 0 || d->choose_by == GOS_CHOOSE_LIMITED);
    if ((d->k_Q == 0 || limited) && (!(d->v_max > 0) || !d->disturbance || !(d->duration > 0) ||
                                     !(d->t_end > d->t_force + d->duration))) {
        return gos__fail_at(
            m->ctx, GOS_E_INPUT, gos__key_loc(entry, d->k_Q == 0 ? "k_Q" : "choose"), object,
            "%s: 0 is computed from v_max in a time history with the disturbance: specify v_max, "
            "disturbance, duration, and t_end after t_force + duration; or specify %s itself",
            d->k_Q == 0 ? "k_Q" : "choose_k_Q", d->k_Q == 0 ? "k_Q" : "choose_k_Q");
    }
    return GOS_OK;
}

static gos_status read_entry(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                             const gos_type *const *types, const gos_type **type, design_def *d) {
    GOS_TRY(gos__type_of(m, entry, SECTION, types, object, type));
    GOS_TRY(gos__fill(m, entry, (*type)->params, object, a, d));
    const int signals = d->signals.n + d->sense.n;
    GOS_TRY(check_list(m->ctx, entry, object, "signal_weights", &d->signal_weights, signals));
    GOS_TRY(check_list(m->ctx, entry, object, "input_weights", &d->input_weights, d->inputs.n));
    GOS_TRY(check_list(m->ctx, entry, object, "noise", &d->noise, signals));
    if (signals == 0 && *type != &gos__design_lqr) {
        return gos__fail_at(
            m->ctx, GOS_E_INPUT, entry->key_loc, object,
            "no signals are given: give `sense` (electrodes) or `signals` (probe components)");
    }
    if (d->plant_modes > 0 && d->plant_modes < d->design_modes) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, gos__key_loc(entry, "plant_modes"), object,
                            "plant_modes %d is below design_modes %d: the plant must include all "
                            "modes of the design",
                            d->plant_modes, d->design_modes);
    }
    return *type == &gos__design_collocated
               ? check_list(m->ctx, entry, object, "gain", &d->gain, d->inputs.n)
               : check_regulator(m, entry, object, d);
}
gos_status gos__design_check(gos_builder *b, const gos_node *entry, const char *object) {
    design_def d = {0};
    const gos_type *type;
    return read_entry(b->model, entry, object, b->arena, gos__registry(), &type, &d);
}

static gos_status find_entry(gos_ctx *ctx, const gos_model *m, const char *name,
                             const gos_node **entry) {
    const gos_node *section = gos__node_get(m->root, SECTION);
    if (!section || section->n == 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, m->root->loc, NULL,
                            "the model has no designs; add a section `designs` with an entry of "
                            "type lqr, lqg or collocated (`gossamer help lqg`)");
    }
    *entry = name ? gos__node_get(section, name) : section->n == 1 ? section->child : NULL;
    if (*entry) {
        return GOS_OK;
    }
    return name ? gos__fail_at(ctx, GOS_E_INPUT, section->key_loc, NULL,
                               "there is no design '%.64s'", name)
                : gos__fail_at(ctx, GOS_E_INPUT, section->key_loc, NULL,
                               "there are %d designs; specify one, e.g. '%.64s'", section->n,
                               section->child->key);
}

gos_status gos__design_settings(gos_ctx *ctx, gos_model *m, const char *name, gos_design_options *o,
                                gos_design_point *point, const gos_node **entry) {
    design_def d = {0};
    const gos_type *type;
    GOS_TRY(gos__model_parameters(m));
    GOS_TRY(find_entry(ctx, m, name, entry));
    const char *object = gos__arena_printf(m->arena, "design '%s'", (*entry)->key);
    GOS_TRY(object ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(read_entry(m, *entry, object, m->arena, gos__registry(), &type, &d));
    *point = (gos_design_point){.about = d.about, .time = d.time};
    *o = (gos_design_options){.observer = type == &gos__design_lqg,
                              .collocated = type == &gos__design_collocated,
                              .ngain = d.gain.n,
                              .gain = d.gain.v,
                              .corner = 2 * M_PI * d.corner,
                              .residual = d.residual != 0,
                              .ninput = d.inputs.n,
                              .input = d.inputs.v,
                              .nsignal = d.signals.n,
                              .signal = d.signals.v,
                              .nsense = d.sense.n,
                              .sense = d.sense.v,
                              .weight = (gos_design_weight)d.weight,
                              .output = d.output,
                              .nsignal_weight = d.signal_weights.n,
                              .signal_weight = d.signal_weights.v,
                              .choose = d.choose,
                              .choose_by = (gos_design_choice)d.choose_by,
                              .choose_k_Q = d.choose_k_Q,
                              .ninput_weight = d.input_weights.n,
                              .input_weight = d.input_weights.v,
                              .k_Q = d.k_Q,
                              .limit = d.v_max,
                              .disturbance = d.disturbance,
                              .force = d.force,
                              .t_force = d.t_force,
                              .duration = d.duration,
                              .t_end = d.t_end,
                              .intensity = d.intensity,
                              .floor = d.floor,
                              .nnoise = d.noise.n,
                              .noise = d.noise.v,
                              .design_modes = d.design_modes,
                              .plant_modes = d.plant_modes,
                              .zeta = d.zeta,
                              .period = d.sample,
                              .nerror = d.errors.n,
                              .error = d.errors.v};
    return GOS_OK;
}

gos_status gos_design_settings(gos_ctx *ctx, gos_model *model, const char *name,
                               gos_design_options *options) {
    gos_design_point unused;
    const gos_node *entry;
    return gos__design_settings(ctx, model, name, options, &unused, &entry);
}

const char *gos_design_name(const gos_model *model, int i) {
    const gos_node *section = gos__node_get(model->root, SECTION);
    const gos_node *e = section && i >= 0 ? section->child : NULL;
    for (int k = 0; e && k < i; k++) {
        e = e->next;
    }
    return e ? e->key : NULL;
}
