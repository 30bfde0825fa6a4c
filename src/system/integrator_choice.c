/* See integrator_choice.h. The rules follow from measurements (theory.md, choice of the
 * integrator): at tolerances up to COARSE Radau IIA takes less processor time in the mean, and at
 * most 3.5 times that of generalised-alpha. */
#include "system/integrator_choice.h"

#include "base/base.h"
#include "system/integrators.h"
#include "system/system.h"

#define COARSE 1e-4 // largest tolerance for which Radau IIA is chosen
// from these sizes on its factorisations dominate: meshes of plates and solids. Measured on the
// examples bracket-hinge and curling-strip
#define LARGE 500 // unknowns
#define WIDE 60   // entries of Newton's matrix for each unknown

typedef struct rule {
    int integrator; // gos_integration
    const char *why;
    bool (*applies)(const gos_system *s, const gos_options *o);
} rule;

static bool has_own_keys(const gos_system *s, const gos_options *o) {
    GOS_UNUSED(s);
    return o->step > 0 || o->probe_tolerance > 0 || o->solver != GOS_SOLVER_AUTO;
}

static bool is_steady(const gos_system *s, const gos_options *o) {
    GOS_UNUSED(o);
    return s->steady_heat;
}

static bool is_coarse(const gos_system *s, const gos_options *o) {
    GOS_UNUSED(s);
    return o->tolerance > COARSE;
}

static bool is_wide(const gos_system *s, const gos_options *o) {
    GOS_UNUSED(o);
    return s->n > LARGE && s->pattern.nnz > (double)WIDE * s->n;
}

static bool is_any(const gos_system *s, const gos_options *o) {
    GOS_UNUSED(s);
    GOS_UNUSED(o);
    return true;
}

/* The first that applies decides. */
static const rule rules[] = {
    {GOS_GENERALISED_ALPHA, "`step`, `probe_tolerance` or `solver` is given", has_own_keys},
    {GOS_GENERALISED_ALPHA, "temperatures are steady", is_steady},
    {GOS_GENERALISED_ALPHA, "the tolerance is above 1e-4", is_coarse},
    {GOS_GENERALISED_ALPHA, "the mesh of plates or solids is large", is_wide},
    {GOS_RADAU, "the tolerance is at most 1e-4", is_any},
};

int gos__integrator_of(const gos_system *s, const gos_options *o, const char **why) {
    const rule *r = rules;
    if (why) {
        *why = NULL;
    }
    if (o->integrator != GOS_INTEGRATOR_AUTO) {
        return o->integrator;
    }
    if (s->stepper) {
        return GOS_GENERALISED_ALPHA;
    }
    if (o->motion == GOS_MOTION_QUASI_STATIC) {
        return gos__integrator_quasi_static();
    }
    while (!r->applies(s, o)) {
        r++;
    }
    if (why) {
        *why = r->why;
    }
    return r->integrator;
}

gos_options gos__options_chosen(const gos_system *s, const gos_options *o) {
    gos_options chosen = *o;
    chosen.integrator = gos__integrator_of(s, o, NULL);
    return chosen;
}
