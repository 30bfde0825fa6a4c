/* FMI 2 functions for co-simulation. */
#include "fmi/fmi2_unit.h"

static gos_fmi *enter(fmi2Component c, const char *function, unsigned phases) {
    gos_fmi *f = gos__fmi2_enter(c, function, phases);
    if (f && f->kind != GOS_FMU_CO_SIMULATION) {
        (void)gos__fmi2_leave(f, gos__fmi_wrong(f, "%s is for co-simulation", function));
        return NULL;
    }
    return f;
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                       const fmi2Integer order[], const fmi2Real value[]) {
    gos_fmi *f = enter(c, "fmi2SetRealInputDerivatives", GOS_FMI_INITIAL | GOS_FMI_STEPS);
    gos_status status = !f || (n > 0 && (!r || !order || !value)) ? GOS_E_USE : GOS_OK;
    for (size_t i = 0; i < n && status == GOS_OK; i++) {
        status =
            order[i] == 1
                ? gos__fmi_set_rate(f, r[i], value[i])
                : gos__fmi_wrong(f, "inputs have only derivatives of order 1, got %d", order[i]);
    }
    return f ? gos__fmi2_leave(f, status) : fmi2Error;
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                        const fmi2Integer order[], fmi2Real value[]) {
    gos_fmi *f = enter(c, "fmi2GetRealOutputDerivatives", GOS_FMI_STEPS | GOS_FMI_ENDED);
    gos_status status = !f || (n > 0 && (!r || !order || !value)) ? GOS_E_USE : GOS_OK;
    for (size_t i = 0; i < n && status == GOS_OK; i++) {
        status =
            order[i] == 1
                ? gos__fmi_get_rate(f, r[i], &value[i])
                : gos__fmi_wrong(f, "outputs have only derivatives of order 1, got %d", order[i]);
    }
    return f ? gos__fmi2_leave(f, status) : fmi2Error;
}

/* after an event that ends the run */
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real from, fmi2Real size, fmi2Boolean no_set_before) {
    GOS_UNUSED(no_set_before);
    gos_fmi *f = enter(c, "fmi2DoStep", GOS_FMI_STEPS);
    if (!f) {
        return fmi2Error;
    }
    gos_fmi_stepped done;
    const gos_status status = gos__fmi_step(f, from, size, &(gos_fmi_step_observer){0}, &done);
    // failed within the step; otherwise nothing was done
    if (status != GOS_OK && status != GOS_E_USE) {
        f->phase = GOS_FMI_FAILED;
    }
    const fmi2Status answer = gos__fmi2_leave(f, status);
    return answer == fmi2OK && done.early ? fmi2Discard : answer;
}

fmi2Status fmi2CancelStep(fmi2Component c) {
    gos_fmi *f = enter(c, "fmi2CancelStep", ANY);
    return f ? gos__fmi2_leave(f, gos__fmi_wrong(f, "fmi2CancelStep: no step is in progress"))
             : fmi2Error;
}

/* steps are synchronous */
static fmi2Status no_status(fmi2Component c, const char *function) {
    gos_fmi *f = enter(c, function, ANY);
    return f ? gos__fmi2_leave(f, gos__fmi_wrong(f, "%s: this status is not available", function))
             : fmi2Error;
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value) {
    GOS_UNUSED(kind);
    GOS_UNUSED(value);
    return no_status(c, "fmi2GetStatus");
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value) {
    gos_fmi *f =
        kind == fmi2LastSuccessfulTime && value ? enter(c, "fmi2GetRealStatus", ANY) : NULL;
    if (!f) {
        return no_status(c, "fmi2GetRealStatus");
    }
    *value = f->x ? gos_state_time(f->x) : 0;
    return fmi2OK;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value) {
    GOS_UNUSED(kind);
    GOS_UNUSED(value);
    return no_status(c, "fmi2GetIntegerStatus");
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value) {
    gos_fmi *f = kind == fmi2Terminated && value ? enter(c, "fmi2GetBooleanStatus", ANY) : NULL;
    if (!f) {
        return no_status(c, "fmi2GetBooleanStatus");
    }
    *value = f->over ? fmi2True : fmi2False;
    return fmi2OK;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String *value) {
    GOS_UNUSED(kind);
    GOS_UNUSED(value);
    return no_status(c, "fmi2GetStringStatus");
}
