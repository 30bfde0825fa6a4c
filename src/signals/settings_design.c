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

/* what all types have: ports, and plants to be tried with */
#define PORTS(signals_flag, signals_doc)                                                           \
    {.name = "inputs",                                                                             \
     .kind = GOS_K_NAMES,                                                                          \
     .unit = "",                                                                                   \
     .flags = GOS_P_REQUIRED,                                                                      \
     .offset = offsetof(design_def, inputs),                                                       \
     .doc = "inputs that drive: names of amounts of loads, or patterns with *; a load of several " \
            "components means all of them"},                                                       \
    {                                                                                              \
        .name = "signals", .kind = GOS_K_NAMES, .unit = "", .flags = signals_flag,                 \
        .offset = offsetof(design_def, signals), .doc = signals_doc                                \
    }

#define SENSE                                                                                      \
    {                                                                                              \
        .name = "sense", .kind = GOS_K_NAMES, .unit = "", .offset = offsetof(design_def, sense),   \
        .doc =                                                                                     \
            "electrodes of `piezo` that are measured, by names or patterns as in `inputs`, "       \
            "beside "                                                                              \
            "`signals` and without probes: their charges (of collocated without corner their "     \
            "motional currents). Where inputs are chosen those of their places are taken, "        \
            "ENTRY(k) or ENTRY.CHANNEL by k or CHANNEL. Electrodes that do not drive, at 0 V on "  \
            "the other face, have charges that no capacitance enters"                              \
    }
#define TRIAL                                                                                      \
    {.name = "output",                                                                             \
     .kind = GOS_K_TEXT,                                                                           \
     .unit = "",                                                                                   \
     .offset = offsetof(design_def, output),                                                       \
     .doc = "displacement or velocity, as tip.y, that the weight and the H-infinity norm "         \
            "speak of"},                                                                           \
        NUMBER(v_max, "", 0, HUGE_VAL, 0, "0",                                                     \
               "limit of every input, which the observer is told; 0: none"),                       \
        {.name = "disturbance",                                                                    \
         .kind = GOS_K_TEXT,                                                                       \
         .unit = "",                                                                               \
         .offset = offsetof(design_def, disturbance),                                              \
         .doc = "input by which the plant is disturbed, of the observer, of norms and of k_Q 0; "  \
                "default: the inputs that drive"},                                                 \
        NUMBER(force, "", -HUGE_VAL, HUGE_VAL, 0, "1",                                             \
               "size of the disturbance, of courses in reports and of k_Q 0"),                     \
        NUMBER(t_force, "s", 0, HUGE_VAL, 0, "0", "when it begins"),                               \
        NUMBER(duration, "s", 0, HUGE_VAL, 0, "0",                                                 \
               "how long it acts; 0: reports have no courses"),                                    \
        NUMBER(t_end, "s", 0, HUGE_VAL, 0, "0",                                                    \
               "end of the courses, until which commands are looked at"),                          \
        {.name = "design_modes",                                                                   \
         .kind = GOS_K_INT,                                                                        \
         .unit = "",                                                                               \
         .lo = 0,                                                                                  \
         .hi = 1000,                                                                               \
         .def = "0",                                                                               \
         .offset = offsetof(design_def, design_modes),                                             \
         .doc = "modes of vibration that the controller knows, the lowest ones; motions without "  \
                "stiffness come on top; 0: all, up to 200"},                                       \
        {.name = "plant_modes",                                                                    \
         .kind = GOS_K_INT,                                                                        \
         .unit = "",                                                                               \
         .lo = 0,                                                                                  \
         .hi = 1000,                                                                               \
         .def = "0",                                                                               \
         .offset = offsetof(design_def, plant_modes),                                              \
         .doc = "modes of vibration of the plant on which it is tried; 0: four times as many"},    \
        NUMBER(zeta, "-", -1, HUGE_VAL, 0, "-1",                                                   \
               "damping ratio of every mode of both plants; below 0: the damping of the model"),   \
        NUMBER(sample, "s", 0, HUGE_VAL, 0, "0",                                                   \
               "period of a sampled controller, whose inputs are held in between; 0: continuous"), \
        NUMBERS(errors, "-", -1, GOS_P_LO_OPEN,                                                    \
                "relative errors of the plant that the loop is tried with, each alone: of the "    \
                "feed-through (capacitances), of the gain, of all frequencies; default +-1, 2, "   \
                "5, 10 %"),                                                                        \
        {.name = "about",                                                                          \
         .kind = GOS_K_CHOICE,                                                                     \
         .unit = "",                                                                               \
         .def = "initial",                                                                         \
         .offset = offsetof(design_def, about),                                                    \
         .choices = "initial|equilibrium|time",                                                    \
         .doc = "where the model is linearised: as it stands, in its static equilibrium, or at "   \
                "`time`"},                                                                         \
        NUMBER(time, "s", 0, HUGE_VAL, 0, "0", "of about: time")

/* what regulators have */
#define REGULATOR                                                                                  \
    {.name = "weight",                                                                             \
     .kind = GOS_K_CHOICE,                                                                         \
     .unit = "",                                                                                   \
     .def = "signals",                                                                             \
     .offset = offsetof(design_def, weight),                                                       \
     .choices = "signals|acceleration|velocity|displacement",                                      \
     .doc = "what is held down: squares of the signals, the acceleration of `output` itself, "     \
            "or squares of modal velocities or modal displacements by |phi| omega, where phi "     \
            "is what `output` sees of a mode"},                                                    \
        NUMBERS(signal_weights, "", 0, 0,                                                          \
                "of weight `signals`: one for all, or one for each of `signals`; default 1"),      \
        NUMBERS(input_weights, "", 0, GOS_P_LO_OPEN,                                               \
                "weights of the squares of inputs: one for all, or one for each of `inputs`; "     \
                "default 1"),                                                                      \
        NUMBER(k_Q, "", 0, HUGE_VAL, 0, "1",                                                       \
               "factor of the weight; 0: such that the largest command after the disturbance is "  \
               "v_max"),                                                                           \
        {.name = "choose",                                                                         \
         .kind = GOS_K_INT,                                                                        \
         .unit = "",                                                                               \
         .lo = 0,                                                                                  \
         .hi = 100000,                                                                             \
         .def = "0",                                                                               \
         .offset = offsetof(design_def, choose),                                                   \
         .doc = "so many of `inputs` are to drive, in whole groups of those that symmetry makes "  \
                "equal; 0: all"},                                                                  \
        {.name = "choose_by",                                                                      \
         .kind = GOS_K_CHOICE,                                                                     \
         .unit = "",                                                                               \
         .def = "gain",                                                                            \
         .offset = offsetof(design_def, choose_by),                                                \
         .choices = "gain|gramian|cost|limited",                                                   \
         .doc = "norms of rows of the gain with all driving; the acceleration of `output` after "  \
                "an impulse of each; the cost after an impulse of the disturbance, group by "      \
                "group; or the acceleration's root mean square in a course within v_max"},         \
        NUMBER(choose_k_Q, "", 0, HUGE_VAL, 0, "0",                                                \
               "factor of the weight while all may drive; 0: from v_max, as k_Q")

static const gos_param lqr_params[] = {
    PORTS(0, "components of probes that are measured and together tell all states, or patterns; "
             "none: only the gain and the importance of inputs are computed"),
    REGULATOR,
    TRIAL,
    {0},
};

static const gos_param lqg_params[] = {
    PORTS(0, "components of probes that are measured, or patterns; a probe means all of its "
             "components"),
    SENSE,
    REGULATOR,
    TRIAL,
    NUMBERS(noise, "", 0, GOS_P_REQUIRED | GOS_P_LO_OPEN,
            "root of the intensity of the noise of signals, their unit times sqrt(s): one for all, "
            "or one for each of `signals`; larger makes a slower observer that bears more"),
    NUMBER(intensity, "", 0, HUGE_VAL, 0, "1",
           "intensity of the disturbance that the observer expects, its unit squared times s"),
    NUMBER(floor, "", 0, HUGE_VAL, 0, "0",
           "intensity of noise on each modal velocity, which keeps modes in sight that the "
           "disturbance does not move"),
    {.name = "residual",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(design_def, residual),
     .doc =
         "signals have what the modes between design_modes and plant_modes answer at once, their "
         "static share, beside what inputs make of them"},
    {0},
};

static const gos_param collocated_params[] = {
    PORTS(0, "for each input one of its own place, as its motional_current or the charge of an "
             "electrode on the other face that is held at 0 V, in any order; or patterns"),
    SENSE,
    NUMBERS(gain, "V/A", 0, GOS_P_REQUIRED,
            "of each input by the rate of its own charge, whatever multiple of it its signal is: "
            "one for all, or one for each of `inputs`"),
    NUMBER(corner, "Hz", 0, HUGE_VAL, 0, "0",
           "up to which charges are differentiated, v = -g a s/(s + a) Q with a = 2 pi corner; "
           "rates are low-passed alike; 0: none, for signals that are rates"),
    TRIAL,
    {0},
};

const gos_type gos__design_lqr = {
    .section = SECTION,
    .name = "lqr",
    .doc = "Linear-quadratic regulator of the model in its modes, for signals that tell all "
           "states (`gossamer design`).",
    .params = lqr_params,
    .size = sizeof(design_def),
    .example = "hold: {type: lqr, inputs: push, signals: [place, speed], signal_weights: [100, 1]}",
};

const gos_type gos__design_lqg = {
    .section = SECTION,
    .name = "lqg",
    .doc = "Linear-quadratic regulator of the model in its modes, whose states a Kalman filter of "
           "the signals estimates (`gossamer design`).",
    .params = lqg_params,
    .size = sizeof(design_def),
    .example = "calm: {type: lqg, inputs: torque, signals: tip, noise: 1.0e-4, design_modes: 4, "
               "plant_modes: 12}",
};

const gos_type gos__design_collocated = {
    .section = SECTION,
    .name = "collocated",
    .doc = "Feedback of the rates of charges to electrodes of the same place, which takes energy "
           "out of every mode, known or not (`gossamer design`).",
    .params = collocated_params,
    .size = sizeof(design_def),
    .example = "calm: {type: collocated, inputs: upper, signals: current, gain: 1.0e+6, "
               "design_modes: 14, plant_modes: 60}",
};

/* ---- entries
   ----------------------------------------------------------------------------------- */

/* a list is one number for all, or one for each of the names */
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
                            "this weight needs `output`: the displacement that is to be held down");
    }
    if (d->weight == GOS_WEIGHT_SIGNALS && d->signals.n + d->sense.n == 0) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, gos__key_loc(entry, "weight"), object,
                            "weight `signals` needs `signals`; give them, or another weight");
    }
    const bool limited =
        d->choose > 0 && (d->choose_k_Q == 0 || d->choose_by == GOS_CHOOSE_LIMITED);
    if ((d->k_Q == 0 || limited) && (!(d->v_max > 0) || !d->disturbance || !(d->duration > 0) ||
                                     !(d->t_end > d->t_force + d->duration))) {
        return gos__fail_at(
            m->ctx, GOS_E_INPUT, gos__key_loc(entry, d->k_Q == 0 ? "k_Q" : "choose"), object,
            "%s 0 is found from v_max in a course under the disturbance: give v_max, "
            "disturbance, duration, and t_end behind t_force + duration; or %s itself",
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
        return gos__fail_at(m->ctx, GOS_E_INPUT, entry->key_loc, object,
                            "nothing is measured: give `sense`, electrodes, or `signals`, "
                            "components of probes");
    }
    if (d->plant_modes > 0 && d->plant_modes < d->design_modes) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, gos__key_loc(entry, "plant_modes"), object,
                            "plant_modes %d is below design_modes %d: the plant has what the "
                            "controller knows, and more",
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

/* the entry of a name, or the only one */
static gos_status find_entry(gos_ctx *ctx, const gos_model *m, const char *name,
                             const gos_node **entry) {
    const gos_node *section = gos__node_get(m->root, SECTION);
    if (!section || section->n == 0) {
        return gos__fail_at(
            ctx, GOS_E_INPUT, m->root->loc, NULL,
            "the model has no designs; give a section `designs` with an entry of type lqr, lqg or "
            "collocated (`gossamer help lqg`)");
    }
    *entry = name ? gos__node_get(section, name) : section->n == 1 ? section->child : NULL;
    if (*entry) {
        return GOS_OK;
    }
    return name ? gos__fail_at(ctx, GOS_E_INPUT, section->key_loc, NULL,
                               "no design is called '%.64s'", name)
                : gos__fail_at(ctx, GOS_E_INPUT, section->key_loc, NULL,
                               "there are %d designs: name one, as '%.64s'", section->n,
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
