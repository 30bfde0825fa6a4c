/* FMI 3 functions common to both kinds of units. */
#include "fmi/fmi3_unit.h"

#include <stdlib.h>
#include <string.h>

#include "fmi/resources.h"

/* ---- entering and leaving -------------------------------------------------------------------- */

gos_fmi *gos__fmi3_enter(fmi3Instance c, const char *function, unsigned phases) {
    fmi3_unit *u = c;
    if (!u || !u->f) {
        return NULL;
    }
    if ((u->f->phase & phases) == 0) {
        (void)gos__fmi_wrong(u->f, "%s is not allowed %s", function,
                             u->f->phase == GOS_FMI_FAILED
                                 ? "after an error; reset the unit, set a state, or free it"
                                 : "in this state of the unit");
        gos__fmi_report(u->f);
        return NULL;
    }
    return u->f;
}

gos_fmi *gos__fmi3_enter_kind(fmi3Instance c, const char *function, unsigned phases,
                              gos_fmu_kind kind) {
    gos_fmi *f = gos__fmi3_enter(c, function, phases);
    if (f && f->kind != kind) {
        (void)gos__fmi3_leave(
            f, gos__fmi_wrong(f, "%s is for %s", function,
                              kind == GOS_FMU_CO_SIMULATION ? "co-simulation" : "model exchange"));
        return NULL;
    }
    return f;
}

fmi3Status gos__fmi3_leave(gos_fmi *f, gos_status status) {
    gos__fmi_report(f);
    return status == GOS_OK ? fmi3OK : fmi3Error;
}

fmi3Status gos__fmi3_refuse(fmi3Instance c, const char *function, const char *why) {
    gos_fmi *f = gos__fmi3_enter(c, function, ANY);
    return f ? gos__fmi3_leave(f, gos__fmi_wrong(f, "%s: %s", function, why)) : fmi3Error;
}

static void log_to(void *user, gos_fmi_level level, const char *text) {
    static const fmi3Status status[] = {fmi3OK, fmi3Warning, fmi3Error};
    static const char *const category[] = {"logAll", "logStatusWarning", "logStatusError"};
    const fmi3_unit *u = user;
    if (u->log && (level != GOS_FMI_NOTE || u->logging)) {
        u->log(u->environment, status[level], category[level], text);
    }
}

/* ---- instances ------------------------------------------------------------------------------- */

const char *fmi3GetVersion(void) {
    return "3.0";
}

static fmi3Instance make(const fmi3_unit *functions, gos_fmu_kind kind, const char *token,
                         const char *resources) {
    fmi3_unit *u = calloc(1, sizeof *u);
    if (!u) {
        return NULL;
    }
    *u = *functions;
    char *folder = gos__fmi_path(resources);
    if (!folder) {
        log_to(u, GOS_FMI_ERROR, "the resources of the unit need an absolute path");
    } else {
        u->f = gos__fmi_create(&(gos_fmi_made){
            .folder = folder, .token = token, .kind = kind, .log = log_to, .log_user = u});
    }
    free(folder);
    if (!u->f) {
        free(u);
        return NULL;
    }
    return u;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log) {
    GOS_UNUSED(name);
    GOS_UNUSED(visible);
    const fmi3_unit u = {.environment = environment, .log = log, .logging = logging};
    return make(&u, GOS_FMU_MODEL_EXCHANGE, token, resources);
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference intermediate[], size_t n,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update) {
    GOS_UNUSED(name);
    GOS_UNUSED(visible);
    GOS_UNUSED(intermediate); // all outputs can be read at any time
    GOS_UNUSED(n);
    const fmi3_unit u = {.environment = environment,
                         .log = log,
                         .update = update,
                         .logging = logging,
                         .event_mode = event_mode,
                         .early_return = early_return};
    return make(&u, GOS_FMU_CO_SIMULATION, token, resources);
}

fmi3Instance
fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                  fmi3Boolean visible, fmi3Boolean logging,
                                  fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                  fmi3ClockUpdateCallback clock, fmi3LockPreemptionCallback lock,
                                  fmi3UnlockPreemptionCallback unlock) {
    GOS_UNUSED(name);
    GOS_UNUSED(token);
    GOS_UNUSED(resources);
    GOS_UNUSED(visible);
    GOS_UNUSED(clock);
    GOS_UNUSED(lock);
    GOS_UNUSED(unlock);
    const fmi3_unit u = {.environment = environment, .log = log, .logging = logging};
    log_to((void *)(uintptr_t)&u, GOS_FMI_ERROR,
           "the unit supports co-simulation or model exchange, not scheduled execution");
    return NULL;
}

void fmi3FreeInstance(fmi3Instance c) {
    fmi3_unit *u = c;
    if (u) {
        gos__fmi_destroy(u->f);
        free(u);
    }
}

fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t n,
                               const fmi3String categories[]) {
    GOS_UNUSED(n);
    GOS_UNUSED(categories);
    gos_fmi *f = gos__fmi3_enter(c, "fmi3SetDebugLogging", ANY);
    if (f) {
        ((fmi3_unit *)c)->logging = on;
    }
    return f ? fmi3OK : fmi3Error;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean tolerance_defined,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean stop_defined, fmi3Float64 stop) {
    gos_fmi *f = gos__fmi3_enter(c, "fmi3EnterInitializationMode", GOS_FMI_MADE);
    if (!f) {
        return fmi3Error;
    }
    const gos_status status = gos__fmi_setup(f, tolerance_defined ? &tolerance : NULL, start,
                                             stop_defined ? &stop : NULL);
    f->phase = status == GOS_OK ? GOS_FMI_INITIAL : f->phase;
    return gos__fmi3_leave(f, status);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
    gos_fmi *f = gos__fmi3_enter(c, "fmi3ExitInitializationMode", GOS_FMI_INITIAL);
    if (!f) {
        return fmi3Error;
    }
    const bool events = f->kind == GOS_FMU_MODEL_EXCHANGE || ((fmi3_unit *)c)->event_mode;
    const gos_status status = gos__fmi_begin(f);
    f->phase = status != GOS_OK ? GOS_FMI_FAILED : events ? GOS_FMI_EVENTS : GOS_FMI_STEPS;
    return gos__fmi3_leave(f, status);
}

fmi3Status fmi3Terminate(fmi3Instance c) {
    gos_fmi *f = gos__fmi3_enter(c, "fmi3Terminate", GOS_FMI_STEPS | GOS_FMI_EVENTS);
    return f ? gos__fmi3_leave(f, gos__fmi_end(f)) : fmi3Error;
}

fmi3Status fmi3Reset(fmi3Instance c) {
    gos_fmi *f = gos__fmi3_enter(c, "fmi3Reset", ANY);
    if (f) {
        gos__fmi_reset(f);
    }
    return f ? fmi3OK : fmi3Error;
}

/* ---- states ---------------------------------------------------------------------------------- */

fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState *state) {
    gos_fmi *f = gos__fmi3_enter(c, "fmi3GetFMUState", ANY & ~GOS_FMI_FAILED);
    return !f       ? fmi3Error
           : !state ? gos__fmi3_leave(
                          f, gos__fmi_wrong(f, "fmi3GetFMUState: the state pointer is missing"))
                    : gos__fmi3_leave(f, gos__fmi_state_get(f, state));
}

fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
    gos_fmi *f = gos__fmi3_enter(c, "fmi3SetFMUState", ANY);
    return f ? gos__fmi3_leave(f, gos__fmi_state_set(f, state)) : fmi3Error;
}

fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *state) {
    gos_fmi *f = gos__fmi3_enter(c, "fmi3FreeFMUState", ANY);
    return !f ? fmi3Error : gos__fmi3_leave(f, state ? gos__fmi_state_free(f, state) : GOS_OK);
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t *n) {
    gos_fmi *f = gos__fmi3_enter(c, "fmi3SerializedFMUStateSize", ANY);
    return f ? gos__fmi3_leave(f, gos__fmi_state_size(f, state, n)) : fmi3Error;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t n) {
    gos_fmi *f = gos__fmi3_enter(c, "fmi3SerializeFMUState", ANY);
    return f ? gos__fmi3_leave(f, gos__fmi_state_write(f, state, bytes, n)) : fmi3Error;
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t n,
                                   fmi3FMUState *state) {
    gos_fmi *f = gos__fmi3_enter(c, "fmi3DeserializeFMUState", ANY);
    return f ? gos__fmi3_leave(f, gos__fmi_state_read(f, bytes, n, state)) : fmi3Error;
}

/* ---- derivatives ----------------------------------------------------------------------------- */

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference unknowns[],
                                        size_t nu, const fmi3ValueReference knowns[], size_t nk,
                                        const fmi3Float64 seed[], size_t nseed,
                                        fmi3Float64 sensitivity[], size_t nsensitivity) {
    gos_fmi *f = gos__fmi3_enter(c, "fmi3GetDirectionalDerivative",
                                 GOS_FMI_INITIAL | GOS_FMI_STEPS | GOS_FMI_EVENTS | GOS_FMI_ENDED);
    if (!f) {
        return fmi3Error;
    }
    const bool good = (nu == 0 || (unknowns && sensitivity)) && (nk == 0 || (knowns && seed)) &&
                      nseed == nk && nsensitivity == nu;
    return gos__fmi3_leave(
        f, good ? gos__fmi_directional(f, unknowns, nu, knowns, nk, seed, sensitivity)
                : gos__fmi_wrong(f, "fmi3GetDirectionalDerivative: an array is missing, or its "
                                    "length differs from the number of variables"));
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference unknowns[], size_t nu,
                                    const fmi3ValueReference knowns[], size_t nk,
                                    const fmi3Float64 seed[], size_t nseed,
                                    fmi3Float64 sensitivity[], size_t nsensitivity) {
    GOS_UNUSED(unknowns);
    GOS_UNUSED(nu);
    GOS_UNUSED(knowns);
    GOS_UNUSED(nk);
    GOS_UNUSED(seed);
    GOS_UNUSED(nseed);
    GOS_UNUSED(sensitivity);
    GOS_UNUSED(nsensitivity);
    return gos__fmi3_refuse(c, "fmi3GetAdjointDerivative",
                            "only directional derivatives are available");
}
