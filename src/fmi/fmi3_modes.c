/* Modes and steps of FMI 3 units. */
#include <math.h>

#include "fmi/fmi3_unit.h"

/* ---- events ---------------------------------------------------------------------------------- */

fmi3Status fmi3EnterEventMode(fmi3Instance c) {
    gos_fmi *f = gos__fmi3_enter(c, "fmi3EnterEventMode", GOS_FMI_STEPS);
    if (f && f->kind == GOS_FMU_CO_SIMULATION && !((fmi3_unit *)c)->event_mode) {
        return gos__fmi3_leave(
            f,
            gos__fmi_wrong(f, "fmi3EnterEventMode: the unit was instantiated without event mode"));
    }
    if (f) {
        f->phase = GOS_FMI_EVENTS;
    }
    return f ? fmi3OK : fmi3Error;
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) {
    return gos__fmi3_enter(c, "fmi3EvaluateDiscreteStates", GOS_FMI_INITIAL | GOS_FMI_EVENTS)
               ? fmi3OK
               : fmi3Error;
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *need_update,
                                    fmi3Boolean *terminate, fmi3Boolean *nominals_changed,
                                    fmi3Boolean *states_changed, fmi3Boolean *next_defined,
                                    fmi3Float64 *next) {
    gos_fmi *f = gos__fmi3_enter(c, "fmi3UpdateDiscreteStates", GOS_FMI_EVENTS);
    if (!f) {
        return fmi3Error;
    }
    if (!need_update || !terminate || !nominals_changed || !states_changed || !next_defined ||
        !next) {
        return gos__fmi3_leave(f,
                               gos__fmi_wrong(f, "fmi3UpdateDiscreteStates: an argument is NULL"));
    }
    const bool exchange = f->kind == GOS_FMU_MODEL_EXCHANGE;
    const gos_status status = exchange ? gos__fmi_new_states(f) : GOS_OK;
    // in co-simulation the integrator ends its steps at these times
    const double at = exchange && status == GOS_OK ? gos__fmi_next_time(f) : HUGE_VAL;
    *need_update = *nominals_changed = *states_changed = false;
    *terminate = f->over;
    *next_defined = isfinite(at);
    *next = isfinite(at) ? at : 0;
    return gos__fmi3_leave(f, status);
}

/* ---- model exchange -------------------------------------------------------------------------- */

static gos_fmi *enter(fmi3Instance c, const char *function, unsigned phases) {
    return gos__fmi3_enter_kind(c, function, phases, GOS_FMU_MODEL_EXCHANGE);
}

/* the array must have the expected length */
static gos_status check(gos_fmi *f, const void *array, size_t n, int expected) {
    return n == (size_t)expected && (array || n == 0)
               ? GOS_OK
               : gos__fmi_wrong(f, "an array of %zu numbers was passed; it must have %d", n,
                                expected);
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) {
    gos_fmi *f = enter(c, "fmi3EnterContinuousTimeMode", GOS_FMI_EVENTS);
    if (f) {
        f->phase = GOS_FMI_STEPS;
    }
    return f ? fmi3OK : fmi3Error;
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean no_set_before,
                                       fmi3Boolean *enter_event_mode, fmi3Boolean *terminate) {
    GOS_UNUSED(no_set_before);
    gos_fmi *f = enter(c, "fmi3CompletedIntegratorStep", GOS_FMI_STEPS);
    if (!f) {
        return fmi3Error;
    }
    if (!enter_event_mode || !terminate) {
        return gos__fmi3_leave(
            f, gos__fmi_wrong(f, "fmi3CompletedIntegratorStep: an argument is NULL"));
    }
    const gos_status status = gos__fmi_completed(f, enter_event_mode);
    *terminate = f->over;
    return gos__fmi3_leave(f, status);
}

fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 t) {
    gos_fmi *f = enter(c, "fmi3SetTime", GOS_FMI_STEPS | GOS_FMI_EVENTS);
    return f ? gos__fmi3_leave(f, gos__fmi_set_time(f, t)) : fmi3Error;
}

fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 y[], size_t n) {
    gos_fmi *f = enter(c, "fmi3SetContinuousStates", GOS_FMI_STEPS);
    gos_status status = f ? check(f, y, n, gos__fmi_states(f)) : GOS_E_USE;
    status = status == GOS_OK ? gos__fmi_set_states(f, y) : status;
    return f ? gos__fmi3_leave(f, status) : fmi3Error;
}

#define RUNS (GOS_FMI_STEPS | GOS_FMI_EVENTS | GOS_FMI_INITIAL | GOS_FMI_ENDED)

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 dy[], size_t n) {
    gos_fmi *f = enter(c, "fmi3GetContinuousStateDerivatives", RUNS);
    gos_status status = f ? gos__fmi_begin(f) : GOS_E_USE;
    status = status == GOS_OK ? check(f, dy, n, gos__fmi_states(f)) : status;
    status = status == GOS_OK ? gos__fmi_derivatives(f, dy) : status;
    return f ? gos__fmi3_leave(f, status) : fmi3Error;
}

fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64 z[], size_t n) {
    gos_fmi *f = enter(c, "fmi3GetEventIndicators", RUNS);
    gos_status status = f ? gos__fmi_begin(f) : GOS_E_USE;
    status = status == GOS_OK ? check(f, z, n, f->sys->ncrossing) : status;
    status = status == GOS_OK ? gos__fmi_indicators(f, z) : status;
    return f ? gos__fmi3_leave(f, status) : fmi3Error;
}

fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 y[], size_t n) {
    gos_fmi *f = enter(c, "fmi3GetContinuousStates", RUNS);
    gos_status status = f ? gos__fmi_begin(f) : GOS_E_USE;
    status = status == GOS_OK ? check(f, y, n, gos__fmi_states(f)) : status;
    if (status == GOS_OK) {
        gos__fmi_get_states(f, y);
    }
    return f ? gos__fmi3_leave(f, status) : fmi3Error;
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64 nominal[], size_t n) {
    gos_fmi *f = enter(c, "fmi3GetNominalsOfContinuousStates", RUNS);
    gos_status status = f ? gos__fmi_begin(f) : GOS_E_USE;
    status = status == GOS_OK ? check(f, nominal, n, gos__fmi_states(f)) : status;
    for (size_t i = 0; i < n && status == GOS_OK; i++) {
        nominal[i] = 1;
    }
    return f ? gos__fmi3_leave(f, status) : fmi3Error;
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *n) {
    gos_fmi *f = enter(c, "fmi3GetNumberOfEventIndicators", ANY & ~GOS_FMI_FAILED);
    if (!f) {
        return fmi3Error;
    }
    if (!n) {
        return gos__fmi3_leave(
            f, gos__fmi_wrong(f, "fmi3GetNumberOfEventIndicators: an argument is NULL"));
    }
    *n = (size_t)gos__fmu_count(&f->list, GOS_FMU_INDICATOR);
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *n) {
    gos_fmi *f = enter(c, "fmi3GetNumberOfContinuousStates", ANY & ~GOS_FMI_FAILED);
    if (!f) {
        return fmi3Error;
    }
    if (!n) {
        return gos__fmi3_leave(
            f, gos__fmi_wrong(f, "fmi3GetNumberOfContinuousStates: an argument is NULL"));
    }
    *n = (size_t)gos__fmu_count(&f->list, GOS_FMU_STATE);
    return fmi3OK;
}

/* ---- co-simulation --------------------------------------------------------------------------- */

fmi3Status fmi3EnterStepMode(fmi3Instance c) {
    gos_fmi *f =
        gos__fmi3_enter_kind(c, "fmi3EnterStepMode", GOS_FMI_EVENTS, GOS_FMU_CO_SIMULATION);
    if (f) {
        f->phase = GOS_FMI_STEPS;
    }
    return f ? fmi3OK : fmi3Error;
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference r[], size_t n,
                                    const fmi3Int32 order[], fmi3Float64 value[], size_t nvalue) {
    gos_fmi *f =
        gos__fmi3_enter_kind(c, "fmi3GetOutputDerivatives",
                             GOS_FMI_STEPS | GOS_FMI_EVENTS | GOS_FMI_ENDED, GOS_FMU_CO_SIMULATION);
    gos_status status =
        !f || (n > 0 && (!r || !order || !value)) || nvalue != n ? GOS_E_USE : GOS_OK;
    for (size_t i = 0; i < n && status == GOS_OK; i++) {
        status = order[i] == 1
                     ? gos__fmi_get_rate(f, r[i], &value[i])
                     : gos__fmi_wrong(f, "outputs have only derivatives of order 1, got %d",
                                      (int)order[i]);
    }
    return f ? gos__fmi3_leave(f, status) : fmi3Error;
}

/* intermediate update; outputs are those of this time */
static bool update_importer(void *user, double time, bool last) {
    const fmi3_unit *u = user;
    fmi3Boolean early_return_requested = false;
    fmi3Float64 when = time;
    if (!u->update) {
        return false;
    }
    u->update(u->environment, time, false, true, true, u->early_return && !last,
              &early_return_requested, &when);
    return early_return_requested && u->early_return && !last; // steps cannot be rolled back
}

fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 from, fmi3Float64 size, fmi3Boolean no_set_before,
                      fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early,
                      fmi3Float64 *last) {
    GOS_UNUSED(no_set_before);
    fmi3_unit *u = c;
    gos_fmi *f = gos__fmi3_enter_kind(c, "fmi3DoStep", GOS_FMI_STEPS, GOS_FMU_CO_SIMULATION);
    if (!f) {
        return fmi3Error;
    }
    if (!event_needed || !terminate || !early || !last) {
        return gos__fmi3_leave(f, gos__fmi_wrong(f, "fmi3DoStep: an argument is NULL"));
    }
    gos_fmi_stepped done;
    const gos_fmi_step_observer step_observer = {
        .stop_at_events = u->event_mode && u->early_return, .update = update_importer, .user = u};
    const gos_status status = gos__fmi_step(f, from, size, &step_observer, &done);
    *event_needed = u->event_mode && done.events;
    *terminate = f->over;
    *early = done.early;
    *last = done.time;
    // failed within the step; otherwise nothing was done
    if (status != GOS_OK && status != GOS_E_USE) {
        f->phase = GOS_FMI_FAILED;
    }
    return gos__fmi3_leave(f, status);
}
