/* FMI 2 functions for model exchange. */
#include <math.h>

#include "fmi/fmi2_unit.h"

static gos_fmi *enter(fmi2Component c, const char *function, unsigned phases) {
    gos_fmi *f = gos__fmi2_enter(c, function, phases);
    if (f && f->kind != GOS_FMU_MODEL_EXCHANGE) {
        (void)gos__fmi2_leave(f, gos__fmi_wrong(f, "%s is for model exchange", function));
        return NULL;
    }
    return f;
}

/* the array must have the expected length */
static gos_status check(gos_fmi *f, const void *array, size_t n, int expected) {
    return n == (size_t)expected && (array || n == 0)
               ? GOS_OK
               : gos__fmi_wrong(f, "an array of %zu numbers was passed; it must have %d", n,
                                expected);
}

fmi2Status fmi2EnterEventMode(fmi2Component c) {
    gos_fmi *f = enter(c, "fmi2EnterEventMode", GOS_FMI_STEPS);
    if (f) {
        f->phase = GOS_FMI_EVENTS;
    }
    return f ? fmi2OK : fmi2Error;
}

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info) {
    gos_fmi *f = enter(c, "fmi2NewDiscreteStates", GOS_FMI_EVENTS);
    if (!f) {
        return fmi2Error;
    }
    if (!info) {
        return gos__fmi2_leave(f, gos__fmi_wrong(f, "fmi2NewDiscreteStates: an argument is NULL"));
    }
    const gos_status status = gos__fmi_new_states(f);
    const double next = status == GOS_OK ? gos__fmi_next_time(f) : HUGE_VAL;
    *info = (fmi2EventInfo){.terminateSimulation = f->over,
                            .nextEventTimeDefined = isfinite(next),
                            .nextEventTime = isfinite(next) ? next : 0};
    return gos__fmi2_leave(f, status);
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
    gos_fmi *f = enter(c, "fmi2EnterContinuousTimeMode", GOS_FMI_EVENTS);
    if (f) {
        f->phase = GOS_FMI_STEPS;
    }
    return f ? fmi2OK : fmi2Error;
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_set_before,
                                       fmi2Boolean *enter_event_mode, fmi2Boolean *terminate) {
    GOS_UNUSED(no_set_before);
    gos_fmi *f = enter(c, "fmi2CompletedIntegratorStep", GOS_FMI_STEPS);
    if (!f) {
        return fmi2Error;
    }
    if (!enter_event_mode || !terminate) {
        return gos__fmi2_leave(
            f, gos__fmi_wrong(f, "fmi2CompletedIntegratorStep: an argument is NULL"));
    }
    bool events;
    const gos_status status = gos__fmi_completed(f, &events);
    *enter_event_mode = events;
    *terminate = f->over;
    return gos__fmi2_leave(f, status);
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t) {
    gos_fmi *f = enter(c, "fmi2SetTime", GOS_FMI_STEPS | GOS_FMI_EVENTS);
    return f ? gos__fmi2_leave(f, gos__fmi_set_time(f, t)) : fmi2Error;
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real y[], size_t n) {
    gos_fmi *f = enter(c, "fmi2SetContinuousStates", GOS_FMI_STEPS);
    gos_status status = f ? check(f, y, n, gos__fmi_states(f)) : GOS_E_USE;
    status = status == GOS_OK ? gos__fmi_set_states(f, y) : status;
    return f ? gos__fmi2_leave(f, status) : fmi2Error;
}

#define RUNS (GOS_FMI_STEPS | GOS_FMI_EVENTS | GOS_FMI_INITIAL | GOS_FMI_ENDED)

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real dy[], size_t n) {
    gos_fmi *f = enter(c, "fmi2GetDerivatives", RUNS);
    gos_status status = f ? gos__fmi_begin(f) : GOS_E_USE;
    status = status == GOS_OK ? check(f, dy, n, gos__fmi_states(f)) : status;
    status = status == GOS_OK ? gos__fmi_derivatives(f, dy) : status;
    return f ? gos__fmi2_leave(f, status) : fmi2Error;
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n) {
    gos_fmi *f = enter(c, "fmi2GetEventIndicators", RUNS);
    gos_status status = f ? gos__fmi_begin(f) : GOS_E_USE;
    status = status == GOS_OK ? check(f, z, n, f->sys->ncrossing) : status;
    status = status == GOS_OK ? gos__fmi_indicators(f, z) : status;
    return f ? gos__fmi2_leave(f, status) : fmi2Error;
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real y[], size_t n) {
    gos_fmi *f = enter(c, "fmi2GetContinuousStates", RUNS);
    gos_status status = f ? gos__fmi_begin(f) : GOS_E_USE;
    status = status == GOS_OK ? check(f, y, n, gos__fmi_states(f)) : status;
    if (status == GOS_OK) {
        gos__fmi_get_states(f, y);
    }
    return f ? gos__fmi2_leave(f, status) : fmi2Error;
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real nominal[], size_t n) {
    gos_fmi *f = enter(c, "fmi2GetNominalsOfContinuousStates", RUNS);
    gos_status status = f ? gos__fmi_begin(f) : GOS_E_USE;
    status = status == GOS_OK ? check(f, nominal, n, gos__fmi_states(f)) : status;
    for (size_t i = 0; i < n && status == GOS_OK; i++) {
        nominal[i] = 1;
    }
    return f ? gos__fmi2_leave(f, status) : fmi2Error;
}
