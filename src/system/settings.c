/* Model settings: one parameter table each. */
#include "system/integrators.h"
#include "system/settings.h"

#include <math.h>
#include <unistd.h>

#include "parts/derived.h"
#include "math/vec3.h"

typedef struct root_def {
    double gravity[3], reference_temperature, stefan_boltzmann;
    int redundant;         // 1: drop
    int floating;          // 1: reduced
    const gos_node *units; // see model/quantity.c
} root_def;

static const gos_param root_params[] = {
    {.name = "gravity",
     .kind = GOS_K_VECTOR,
     .unit = "m/s^2",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(root_def, gravity),
     .doc = "uniform gravitational acceleration"},
    P_NUMBER(root_def, reference_temperature, "K", 0, HUGE_VAL, GOS_P_LO_OPEN | GOS_P_ABSOLUTE,
             GOS_REFERENCE_TEMPERATURE,
             "absolute stress-free temperature; all model temperatures are relative to it, "
             "radiation and thermoelastic heat use the sum"),
    P_NUMBER(root_def, stefan_boltzmann, "W/(m^2 K^4)", 0, HUGE_VAL, GOS_P_LO_OPEN,
             "5.670374419e-8", "Stefan-Boltzmann constant for radiation entries, follows `units`"),
    {.name = "units",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(root_def, units),
     .doc = "units of all numbers without a unit, and of all results: SI, mm-t-s, mm-kg-s, "
            "in-lbf-s, ft-lbf-s, or base units as {length: mm, mass: t, time: s, current: mA}; "
            "default: SI. `gossamer help units` lists the units"},
    {.name = "redundant",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "refuse",
     .choices = "refuse|drop",
     .offset = offsetof(root_def, redundant),
     .doc = "redundant constraints of joints: refuse them, or drop the dependent equations of the "
            "later joint, with a note. Dropping leaves the distribution of reactions between these "
            "joints undetermined; motion and all other reactions are unaffected"},
    {.name = "floating_bodies",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "whole",
     .choices = "whole|reduced",
     .offset = offsetof(root_def, floating),
     .doc = "bodies in floating frames with their full meshes, or each reduced by its `reduce` "
            "entry, as set by `gossamer run --reduced`"},
    {0},
};

const gos_type gos__settings_model = {
    .section = "model",
    .name = "model",
    .doc = "Top-level settings of a model file.",
    .params = root_params,
    .size = sizeof(root_def),
    .example = "gravity: [0, -9.81, 0]",
};

/* Copies the values into a map, since the top level has other keys too. */
gos_status gos__settings_root(gos_builder *b) {
    root_def d = {.reference_temperature = 293.15};
    const char *const keys[] = {
        "units",     "gravity",        "reference_temperature", "stefan_boltzmann",
        "redundant", "floating_bodies"};
    gos_node map = {.kind = GOS_MAP, .loc = b->model->root->loc};
    gos_node copy[GOS_COUNT(keys)];
    gos_node **tail = &map.child;
    for (int i = 0; i < GOS_COUNT(keys); i++) {
        const gos_node *n = gos__node_get(b->model->root, keys[i]);
        if (n) {
            copy[i] = *n;
            copy[i].next = NULL;
            *tail = &copy[i];
            tail = &copy[i].next;
            map.n++;
        }
    }
    GOS_TRY(gos__fill(b->model, &map, root_params, "model", b->arena, &d));
    memcpy(b->gravity, d.gravity, sizeof b->gravity);
    b->T_ref = d.reference_temperature;
    b->drop_redundant = d.redundant == 1;
    b->reduce_floating = d.floating == 1;
    return GOS_OK;
}

static bool has_entry(const char *type, const char *key) {
    for (const gos_type *const *t = gos__registry(); *t; t++) {
        for (const gos_param *p = (*t)->params; p->name && strcmp((*t)->section, "bodies") == 0;
             p++) {
            if (strcmp((*t)->name, type) == 0 && strcmp(p->name, key) == 0) {
                return true;
            }
        }
    }
    return false;
}

gos_status gos_model_reduce_bodies(gos_ctx *ctx, gos_model *model, int *n) {
    const gos_node *bodies = gos__node_get(model->root, "bodies");
    const char *now = gos_model_get(model, "floating_bodies");
    *n = 0;
    for (const gos_node *c = bodies ? bodies->child : NULL; c; c = c->next) {
        const gos_node *type = gos__node_get(c, "type");
        *n += type && type->text && has_entry(type->text, "reduce");
    }
    return *n > 0 && !(now && strcmp(now, "reduced") == 0)
               ? gos_model_set(ctx, model, "floating_bodies", "reduced")
               : GOS_OK;
}

enum { OBJECT = GOS_LIMIT_NAME + 16 }; // for entry names in messages

typedef struct initial_def {
    double velocity[3], angular_velocity[3], about[3], temperature, gradient[2];
} initial_def;

static const gos_param initial_params[] = {
    {.name = "velocity",
     .kind = GOS_K_VECTOR,
     .unit = "m/s",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(initial_def, velocity),
     .doc = "velocity of the point `about`"},
    {.name = "angular_velocity",
     .kind = GOS_K_VECTOR,
     .unit = "rad/s",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(initial_def, angular_velocity),
     .doc = "rigid rotation, global axes"},
    {.name = "about",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .offset = offsetof(initial_def, about),
     .doc = "point that moves with `velocity`; default: centre of mass of the listed bodies"},
    P_NUMBER(initial_def, temperature, "K", -HUGE_VAL, HUGE_VAL, GOS_P_OVER_REFERENCE, "0",
             "mean temperature, relative to the reference temperature"),
    {0},
};

const gos_type gos__settings_initial = {
    .section = "initial",
    .name = "initial",
    .doc = "Initial motion and temperature of a body (given by the entry's key) or of `all`.",
    .params = initial_params,
    .size = sizeof(initial_def),
    .example = "initial: {all: {angular_velocity: [0, 0, 1]}}",
};

/* Mass and first moments of each body, at [nbody] of all together: (nbody + 1, 4); body: of each
 * vector (nv), nbody: none. */
static void add_moments(const gos_builder *b, const int *body, double (*sum)[4]) {
    for (int k = 0; k < b->mass.n; k++) {
        const int i = b->mass.i[k], j = b->mass.j[k]; // derived vectors (< 0) do not translate
        if (i < 0) {
            continue;
        }
        double e[3], m = j < 0 ? 0 : b->mass.v[k] * b->trans[i] * b->trans[j];
        const bool own = body[i] < b->nbody && (j < 0 || body[j] == body[i]);
        gos__vector_initial(b, j, e);
        for (int part = own ? 0 : 1; part < 2; part++) {
            double *to = sum[part == 0 ? body[i] : b->nbody];
            to[3] += m;
            for (int c = 0; c < 3; c++) {
                to[c] += b->mass.v[k] * b->trans[i] * e[c];
            }
        }
    }
}

/* Centres of mass of each body, at [nbody] of all together; [3] is a mass. */
static gos_status find_centres(gos_builder *b, double (**centre)[4]) {
    double(*x)[4] = (double(*)[4])gos__arena_alloc(b->arena, b->nbody + 1L, sizeof *x);
    int *body = GOS_NEW(b->arena, int, b->nv + 1L);
    if (!x || !body) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < b->nv; i++) {
        body[i] = b->nbody;
    }
    for (int k = 0; k < b->nbody; k++) {
        for (int i = 0; i < b->body[k]->nv; i++) {
            body[b->body[k]->v0 + i] = k;
        }
    }
    add_moments(b, body, x);
    for (int i = 0; i <= b->nbody; i++) {
        for (int c = 0; c < 3; c++) {
            x[i][c] = x[i][3] > 0 ? x[i][c] / x[i][3] : 0;
        }
    }
    *centre = x;
    return GOS_OK;
}

static bool moves_along(const gos_body *body, int i) {
    const gos_derived *m = body->derived;
    return !m || i == m->r || (i >= m->axis && i < m->axis + 3);
}

static void set_motion(gos_builder *b, const gos_body *body, const initial_def *d,
                       const double about[3]) {
    for (int i = body->v0; i < body->v0 + body->nv; i++) {
        if (!moves_along(body, i)) {
            continue;
        }
        double r[3], w[3];
        for (int c = 0; c < 3; c++) {
            r[c] = b->e0[i][c] - b->trans[i] * about[c];
        }
        gos__cross3(d->angular_velocity, r, w);
        for (int c = 0; c < 3; c++) {
            b->v0[i][c] = w[c] + b->trans[i] * d->velocity[c];
        }
    }
}

static gos_status check_temperature(gos_builder *b, const gos_node *entry, const char *object,
                                    const initial_def *d, int nt) {
    const gos_node *given = gos__node_given(entry, "temperature");
    if (given && nt == 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, given->key_loc, object,
                            "the bodies have no temperature; remove it, or give the material "
                            "conductivity and specific_heat");
    }
    if (given && d->temperature < -b->T_ref) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, given->loc, object,
                            "temperature is below absolute zero; temperatures are relative to "
                            "reference_temperature, %g K: give at least %g",
                            b->T_ref, -b->T_ref);
    }
    return GOS_OK;
}

static gos_status unknown_body(gos_builder *b, const gos_node *entry, const char *object) {
    const char **names = GOS_NEW(b->arena, const char *, b->nbody + 1);
    if (!names) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < b->nbody; i++) {
        names[i] = b->body[i]->name;
    }
    names[b->nbody] = "all";
    const char *near = gos__suggest(entry->key, names, b->nbody + 1);
    if (near) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                            "there is no body of this name; did you mean '%s'?", near);
    }
    return gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                        "there is no body of this name; use a body's name or `all`");
}

static gos_status refuse_matrices(gos_builder *b, const gos_node *entry, const char *object,
                                  const gos_body *body) {
    return !body->ops->port ? GOS_OK
                            : gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                                           "body '%s' is a matrix body, whose initial values are "
                                           "q0 and v0; remove the entry",
                                           body->name);
}

static gos_status reject_fixed_body(gos_builder *b, const gos_node *entry, const char *object,
                                    const gos_body *body, const initial_def *d) {
    return !body->still || !(gos__norm3(d->velocity) + gos__norm3(d->angular_velocity) > 0)
               ? GOS_OK
               : gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                              "body '%s' has no motion (`motion`); remove its velocity",
                              body->name);
}

static gos_status read_initial(gos_builder *b, const gos_node *entry, char object[OBJECT],
                               initial_def *d) {
    snprintf(object, OBJECT, "initial '%s'", entry->key);
    return gos__fill(b->model, entry, initial_params, object, b->arena, d);
}

gos_status gos__settings_check_initial(gos_builder *b) {
    const gos_node *section = gos__node_get(b->model->root, "initial");
    gos_status status = GOS_OK;
    for (const gos_node *e = section ? section->child : NULL; e; e = e->next) {
        char object[OBJECT];
        initial_def d = {0};
        const gos_status s = read_initial(b, e, object, &d);
        status = s != GOS_OK ? s : status;
    }
    return status;
}

static gos_status apply_initial(gos_builder *b, const gos_node *entry, double (*centre)[4]) {
    initial_def d = {0};
    char object[OBJECT];
    GOS_TRY(read_initial(b, entry, object, &d));
    int first = 0, last = b->nbody, nt = 0;
    const double *about = centre[b->nbody];
    if (strcmp(entry->key, "all") != 0) {
        const gos_body *body = gos__find_body(b, entry->key);
        if (!body) {
            return unknown_body(b, entry, object);
        }
        GOS_TRY(refuse_matrices(b, entry, object, body));
        GOS_TRY(reject_fixed_body(b, entry, object, body, &d));
        first = body->index, last = first + 1, about = centre[first];
    }
    for (int i = first; i < last; i++) {
        nt += b->body[i]->ops->port ? 0 : b->body[i]->nt;
    }
    GOS_TRY(check_temperature(b, entry, object, &d, nt));
    about = gos__node_given(entry, "about") ? d.about : about;
    const bool moves =
        gos__node_given(entry, "velocity") || gos__node_given(entry, "angular_velocity");
    const bool heated = gos__node_given(entry, "temperature") != NULL;
    for (int k = first; k < last; k++) {
        const gos_body *body = b->body[k];
        if (body->ops->port) {
            continue;
        }
        if (moves) {
            set_motion(b, body, &d, about);
        }
        for (int i = body->t0; i < body->t0 + body->nt && heated; i++) {
            b->th0[i] = d.temperature * b->tmean[i];
        }
    }
    return GOS_OK;
}

gos_status gos__settings_apply_initial(gos_builder *b) {
    const gos_node *section = gos__node_get(b->model->root, "initial");
    gos_status status = GOS_OK;
    double(*centre)[4] = NULL;
    GOS_TRY(section && section->child ? find_centres(b, &centre) : GOS_OK);
    for (int pass = 0; pass < 2; pass++) { // `all` first, so that single bodies override it
        for (const gos_node *e = section ? section->child : NULL; e; e = e->next) {
            if ((strcmp(e->key, "all") == 0) == (pass == 0)) {
                const gos_status s = apply_initial(b, e, centre);
                status = s != GOS_OK ? s : status;
            }
        }
    }
    return status;
}

typedef struct spin_def {
    double axis[3], rate, through[3];
} spin_def;

static const gos_param spin_params[] = {
    {.name = "axis",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_UNIT_VECTOR,
     .offset = offsetof(spin_def, axis),
     .doc = "axis of rotation, global axes"},
    P_NUMBER(spin_def, rate, "rad/s", -HUGE_VAL, HUGE_VAL, GOS_P_REQUIRED, NULL,
             "angular velocity about the axis"),
    {.name = "through",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .def = "[0, 0, 0]",
     .offset = offsetof(spin_def, through),
     .doc = "a point on the axis"},
    {0},
};

typedef struct analysis_def {
    spin_def spin;
    int type, motion, heat, start, branch, arc_length, thermoelastic_heat, viscous_heating;
    double end, step, tolerance, probe_tolerance, temperature_range, initial_step, max_step,
        min_step, rho_infinity, newton_tolerance, max_steps, memory_limit;
    int integrator, error_check, max_order, max_iterations, solver, load_steps;
} analysis_def;

#define WORD(name, doc) "|" #name
#define TEXT(name, doc) "; " #name ": " doc
#define CHOSEN                                                                                     \
    "; auto: radau for tolerances up to 1e-4, except for large meshes of plates and solids, else " \
    "generalised_alpha; a key of one integrator selects that one"
static const gos_param analysis_params[] = {
    {.name = "type",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "dynamic",
     .offset = offsetof(analysis_def, type),
     .choices = "dynamic|static",
     .doc = "dynamic: in time; static: equilibrium with steady temperatures"},
    {.name = "integrator",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "generalised_alpha",
     .offset = offsetof(analysis_def, integrator),
     .choices = &(GOS_INTEGRATORS(WORD) "|auto")[1],
     .doc = "time integrator" GOS_INTEGRATORS(TEXT) CHOSEN},
    {.name = "motion",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "dynamic",
     .offset = offsetof(analysis_def, motion),
     .choices = "dynamic|quasi_static",
     .doc = "dynamic: with inertia; quasi_static: without inertia forces, so displacements are in "
            "equilibrium at all times while temperatures change (requires a dynamic analysis of a "
            "fully supported model; integrated by radau)"},
    {.name = "heat",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "dynamic",
     .offset = offsetof(analysis_def, heat),
     .choices = "dynamic|steady",
     .doc = "dynamic: transient temperatures; steady: temperatures in equilibrium with loads and "
            "motion at all times, without heat storage (requires a dynamic analysis of an "
            "unreduced model)"},
    P_NUMBER(
        analysis_def, end, "s", 0, HUGE_VAL, GOS_P_LO_OPEN, "1",
        "end time; a static analysis with this key follows its time functions from 0 to this time"),
    P_NUMBER(analysis_def, step, "s", 0, HUGE_VAL, 0, "0",
             "fixed time step, never reduced on failure (subdivided only at starts and restarts of "
             "the motion); 0: error control"),
    P_NUMBER(analysis_def, tolerance, "-", 0, 0.1, GOS_P_LO_OPEN, "1e-4",
             "error control: target error of the whole run, relative to the largest extent of the "
             "model and to the range of temperatures"),
    P_NUMBER(analysis_def, probe_tolerance, "-", 0, 1, 0, "0",
             "step-size control: also limits the error of each probe to this fraction of its "
             "range; 0: only reported"),
    {.name = "error_check",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "auto",
     .offset = offsetof(analysis_def, error_check),
     .choices = "never|auto|always",
     .doc =
         "error control: repeat the run with another tolerance to estimate the error of the whole "
         "run, including the propagation of step errors, and warn if it exceeds 3 tolerances; "
         "costs about twice the time of the run; auto: if steps times unknowns are at most 4e6, "
         "otherwise a note; not for members of a sweep"},
    P_NUMBER(
        analysis_def, temperature_range, "K", 0, HUGE_VAL, 0, "0",
        "reference range of temperature errors from the start; 0: 1 K until a larger range occurs"),
    P_NUMBER(analysis_def, initial_step, "s", 0, HUGE_VAL, 0, "0", "first step; 0: automatic"),
    P_NUMBER(analysis_def, max_step, "s", 0, HUGE_VAL, 0, "0",
             "largest step; 0: a tenth of the run (output times do not limit it, except on static "
             "paths)"),
    P_NUMBER(analysis_def, min_step, "s", 0, HUGE_VAL, 0, "0",
             "smallest step before the run fails; 0: 1e-14 of the run, radau: 1e-12"),
    P_NUMBER(analysis_def, rho_infinity, "-", 0, 1, 0, "0.6",
             "spectral radius of generalised-alpha at infinite frequency: 1 no numerical damping, "
             "0 maximum"),
    P_NUMBER(analysis_def, newton_tolerance, "-", 0, 1, GOS_P_LO_OPEN, "1e-2",
             "Newton error relative to the permitted step error (fixed step: relative to 1e-7 of "
             "the extent, over the whole run)"),
    {.name = "max_iterations",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 1,
     .hi = 1000,
     .def = "12",
     .offset = offsetof(analysis_def, max_iterations),
     .doc = "maximum Newton iterations per step"},
    {.name = "solver",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "auto",
     .choices = "unsymmetric|auto",
     .offset = offsetof(analysis_def, solver),
     .doc = "generalised_alpha: Newton matrix. unsymmetric: the full matrix; auto: the symmetric "
            "part of the motion block, factorised in blocks, and the heat block separately, as "
            "long as the iteration converges fast enough"},
    {.name = "max_order",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 1,
     .hi = 5,
     .def = "5",
     .offset = offsetof(analysis_def, max_order),
     .doc = "bdf: highest order; with orders of 3 and above undamped fast vibration is unstable, "
            "which requires short steps"},
    {.name = "load_steps",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 1,
     .hi = 100000,
     .def = "4",
     .offset = offsetof(analysis_def, load_steps),
     .doc = "static: initial number of load steps; adapted automatically"},
    P_NUMBER(analysis_def, max_steps, "-", 1, 1e15, 0, "1e8",
             "maximum number of steps: the run stops if more are predicted from its last 1000 "
             "steps, after at least 10000; results so far are kept"),
    P_NUMBER(
        analysis_def, memory_limit, "", 0, HUGE_VAL, 0, "0",
        "largest memory of a run in bytes, by an estimate from the numbers of elements: larger "
        "models are refused; 0: half of the machine's memory"),
    {.name = "branch",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "stable",
     .offset = offsetof(analysis_def, branch),
     .choices = "stable|any",
     .doc = "static: stable: continue from an unstable equilibrium to the stable one favoured by "
            "the loads; any: accept it with a warning"},
    {.name = "arc_length",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(analysis_def, arc_length),
     .doc = "static: follow the load path by arc length through limit points, and store all of it: "
            "path length replaces time (probe the load_factor)"},
    {.name = "start",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "initial",
     .offset = offsetof(analysis_def, start),
     .choices = "initial|equilibrium",
     .doc = "dynamic: start from the initial configuration or from static equilibrium"},
    {.name = "spin",
     .kind = GOS_K_MAP,
     .unit = "",
     .sub = spin_params,
     .offset = offsetof(analysis_def, spin),
     .doc = "equilibria in steady rotation: `start: equilibrium`, `type: static` and the "
            "equilibrium of linear models balance the centrifugal forces"},
    {.name = "thermoelastic_heat",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(analysis_def, thermoelastic_heat),
     .doc = "strain rates cool and heat the material (Gough-Joule effect)"},
    {.name = "viscous_heating",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(analysis_def, viscous_heating),
     .doc = "damping losses heat the material"},
    {0},
};

const gos_type gos__settings_analysis = {
    .section = "analysis",
    .name = "analysis",
    .doc = "Solution settings.",
    .params = analysis_params,
    .size = sizeof(analysis_def),
    .example = "analysis: {type: dynamic, end: 2.0, tolerance: 1.0e-4}",
};

typedef struct output_def {
    double every, checkpoint, limit;
    int stress, strain;
} output_def;

static const gos_param output_params[] = {
    P_NUMBER(output_def, every, "s", 0, HUGE_VAL, 0, "0",
             "output interval of fields, energies and heat; 0: a hundredth of the run. Probes are "
             "stored at every step"),
    P_NUMBER(output_def, checkpoint, "s", 0, HUGE_VAL, 0, "0",
             "wall time between checkpoints for resuming interrupted runs; 0: the first after 1 s, "
             "then after 2, 4, 8 and each further 10 s"),
    P_NUMBER(output_def, limit, "", 0, HUGE_VAL, 0, "0",
             "largest size of the results in bytes: a run that would exceed it is refused or "
             "stopped; 0: 2e9"),
    {.name = "stress",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(output_def, stress),
     .doc = "store stress fields at the drawn nodes of solids and floating mesh bodies: components "
            "in body axes, von Mises stress and principal stresses; for shells on either face"},
    {.name = "strain",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(output_def, strain),
     .doc = "store strain fields likewise, with principal strains"},
    {0},
};

const gos_type gos__settings_output = {
    .section = "output",
    .name = "output",
    .doc = "Stored output.",
    .params = output_params,
    .size = sizeof(output_def),
    .example = "output: {every: 0.02}",
};

static gos_status fill_section(gos_builder *b, const gos_type *type, void *out) {
    const gos_node *n = gos__node_get(b->model->root, type->section);
    const gos_node none = {.kind = GOS_MAP, .loc = b->model->root->loc};
    return gos__fill(b->model, n ? n : &none, type->params, type->section, b->arena, out);
}

static gos_loc loc_in(const gos_builder *b, const char *section, const char *key) {
    const gos_node *n = gos__node_get(gos__node_get(b->model->root, section), key);
    return n ? n->loc : b->model->root->loc;
}

static gos_status check_heat(const gos_builder *b, const analysis_def *d) {
    const gos_node *section = gos__node_get(b->model->root, "initial");
    if (d->thermoelastic_heat) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc_in(b, "analysis", "thermoelastic_heat"),
                            "analysis",
                            "thermoelastic_heat requires heat storage, which `heat: steady` "
                            "excludes; remove one of them");
    }
    for (const gos_node *e = section ? section->child : NULL; e; e = e->next) {
        const gos_node *given = gos__node_given(e, "temperature");
        if (given) {
            return gos__fail_at(
                b->ctx, GOS_E_INPUT, given->key_loc, "initial",
                "with `heat: steady` initial temperatures follow from equilibrium; remove them");
        }
    }
    if (gos__method(d->integrator)->heat_rates) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc_in(b, "analysis", "integrator"), "analysis",
                            "integrator %s requires temperature rates, which `heat: steady` "
                            "excludes; remove one of them",
                            gos__integrator_name(d->integrator));
    }
    if (gos__node_get(b->model->root, "reduction")) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc_in(b, "analysis", "heat"), "analysis",
                            "`heat: steady` does not support reduced models; remove the reduction");
    }
    return GOS_OK;
}

/* rejects settings excluded by quasi-static motion */
static gos_status check_motion(const gos_builder *b, const analysis_def *d) {
    if (d->type == 1 || d->heat == 1) {
        const char *key = d->type == 1 ? "type" : "heat";
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc_in(b, "analysis", key), "analysis",
                            "`motion: quasi_static` requires transient temperatures; for steady "
                            "temperatures use `type: static` with `end`, without `motion`");
    }
    const gos_node *section = gos__node_get(b->model->root, "analysis");
    const gos_node *given = gos__node_given(section, "integrator");
    if (given && d->integrator != GOS_INTEGRATOR_AUTO &&
        !gos__method(d->integrator)->quasi_static) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, given->key_loc, "analysis",
                            "integrator %s requires inertia; `motion: quasi_static` is integrated "
                            "by %s: remove `integrator`",
                            gos__integrator_name(d->integrator),
                            gos__integrator_name(gos__integrator_quasi_static()));
    }
    return GOS_OK;
}

static gos_status read_analysis(gos_builder *b, gos_options *o, bool *steady_heat) {
    analysis_def d = {0};
    b->memory = 0.5 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    GOS_TRY(fill_section(b, &gos__settings_analysis, &d));
    const gos_node *section = gos__node_get(b->model->root, "analysis");
    if (d.type == 1 && !(section && gos__node_given(section, "end"))) {
        d.end = 0; // equilibrium at a single time
    }
    *steady_heat = d.heat == 1 && d.type == 0;
    const bool quasi_static = d.motion == GOS_MOTION_QUASI_STATIC;
    GOS_TRY(quasi_static ? check_motion(b, &d) : GOS_OK);
    GOS_TRY(*steady_heat ? check_heat(b, &d) : GOS_OK);
    b->memory = d.memory_limit > 0 ? d.memory_limit : b->memory;
    b->gough_joule = d.thermoelastic_heat != 0;
    b->viscous_heating = d.viscous_heating != 0;
    b->statics = d.type == 1 && d.spin.rate == 0;
    *o = (gos_options){.analysis = d.type == 1 ? GOS_STATIC : GOS_DYNAMIC,
                       .integrator = quasi_static ? gos__integrator_quasi_static() : d.integrator,
                       .motion = d.motion,
                       .end = d.end,
                       .step = d.step,
                       .tolerance = d.tolerance,
                       .probe_tolerance = d.probe_tolerance,
                       .error_check = d.error_check,
                       .temperature_range = d.temperature_range,
                       .initial_step = d.initial_step,
                       .max_step = d.max_step,
                       .min_step = d.min_step,
                       .rho_infinity = d.rho_infinity,
                       .newton_tolerance = d.newton_tolerance,
                       .max_iterations = d.max_iterations,
                       .solver = d.solver == 1 ? GOS_SOLVER_AUTO : GOS_SOLVER_UNSYMMETRIC,
                       .max_order = d.max_order,
                       .load_steps = d.load_steps,
                       .max_steps = d.max_steps,
                       .branch = d.branch == 1 ? GOS_BRANCH_ANY : GOS_BRANCH_STABLE,
                       .arc_length = d.arc_length != 0,
                       .start_equilibrium = d.start == 1,
                       .spin_x = d.spin.rate * d.spin.axis[0],
                       .spin_y = d.spin.rate * d.spin.axis[1],
                       .spin_z = d.spin.rate * d.spin.axis[2],
                       .pivot_x = d.spin.through[0],
                       .pivot_y = d.spin.through[1],
                       .pivot_z = d.spin.through[2]};
    return GOS_OK;
}

/* a key of other integrators: zero where it has no effect */
static bool has_effect(const gos_options *o, const char *key) {
    return strcmp(key, "step") == 0              ? o->step > 0
           : strcmp(key, "probe_tolerance") == 0 ? o->probe_tolerance > 0
           : strcmp(key, "solver") == 0          ? o->solver != GOS_SOLVER_AUTO
                                                 : true;
}

static gos_status refuse_key(gos_builder *b, const gos_options *o, const char *key, gos_loc loc) {
    const char *other = gos__integrator_name(gos__integrator_with(key));
    const bool steps = gos__method_has(gos__method(gos__integrator_with(key)), "step");
    if (steps && !gos__method_has(gos__method(o->integrator), "step")) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, "analysis",
                            "%s: integrator %s %s and does not support this key; remove it%s%s",
                            key, gos__integrator_name(o->integrator),
                            strcmp(key, "solver") == 0 ? "has its own matrices"
                                                       : "selects its own steps",
                            o->motion == GOS_MOTION_QUASI_STATIC ? "" : ", or use ",
                            o->motion == GOS_MOTION_QUASI_STATIC ? "" : other);
    }
    return gos__fail_at(b->ctx, GOS_E_INPUT, loc, "analysis",
                        "%s: requires integrator %s; remove it, or select %s", key, other, other);
}

/* `integrator: auto` with a key that only this integrator supports */
static void choose_by_key(gos_builder *b, gos_options *o, const char *key) {
    char text[200];
    o->integrator = gos__integrator_with(key);
    (void)gos__format(text, sizeof text, "`auto` selects %s, which `%s` requires",
                      gos__integrator_name(o->integrator), key);
    gos__note(b->ctx, "integrator", text);
}

/* rejects settings of other integrators */
static gos_status check_integrator(gos_builder *b, gos_options *o) {
    const gos_node *section = gos__node_get(b->model->root, "analysis");
    if (o->analysis != GOS_DYNAMIC || !section) {
        return GOS_OK;
    }
    for (const gos_param *p = analysis_params; p->name; p++) {
        const gos_node *given = gos__node_given(section, p->name);
        if (!given || gos__integrator_with(p->name) < 0 || !has_effect(o, p->name)) {
            continue;
        }
        if (o->integrator == GOS_INTEGRATOR_AUTO) {
            choose_by_key(b, o, p->name);
        }
        if (!gos__method_has(gos__method(o->integrator), p->name)) {
            return refuse_key(b, o, p->name, given->key_loc);
        }
    }
    return GOS_OK;
}

/* rejects runs that cannot finish */
static gos_status check_steps(gos_builder *b, const gos_options *o) {
    const double steps = o->step > 0 ? o->end / o->step : 0;
    if (steps > o->max_steps * (1 + 1e-6)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc_in(b, "analysis", "step"), "analysis",
                            "step: %g steps would be needed, but at most %g are permitted "
                            "(max_steps); use a larger step, or error control (step: 0)",
                            steps, o->max_steps);
    }
    if (o->max_step > 0 && o->min_step > o->max_step) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc_in(b, "analysis", "min_step"), "analysis",
                            "min_step must be at most max_step, %g s, got %g", o->max_step,
                            o->min_step);
    }
    if (o->end / o->output_every > GOS_LIMIT_OUTPUTS) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc_in(b, "output", "every"), "output",
                            "every: %g outputs would be stored, but at most %d are permitted; use "
                            "a larger interval",
                            o->end / o->output_every, GOS_LIMIT_OUTPUTS);
    }
    return GOS_OK;
}

gos_status gos__settings_run(gos_builder *b, gos_options *o, bool *steady_heat,
                             gos_reduction_choice *reduction, gos_output_limit *limit) {
    output_def out = {0};
    gos_status a = read_analysis(b, o, steady_heat);
    gos_status c = fill_section(b, &gos__settings_output, &out);
    const gos_status r = gos__settings_reduction(b->ctx, b->model, b->arena, reduction);
    o->output_every = out.every > 0 ? out.every : o->end / 100;
    if (a == GOS_OK && c == GOS_OK) {
        a = check_integrator(b, o);
        a = a == GOS_OK ? check_steps(b, o) : a;
    }
    o->checkpoint_every = out.checkpoint;
    *limit = (gos_output_limit){.bytes = out.limit, .loc = loc_in(b, "output", "every")};
    b->stress = out.stress != 0;
    b->strain = out.strain != 0;
    return a != GOS_OK ? a : (c != GOS_OK ? c : r);
}
