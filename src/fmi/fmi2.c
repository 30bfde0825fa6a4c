/* FMI 2 functions common to both kinds of units; others: fmi2_steps.c, fmi2_exchange.c. */
#include "fmi/fmi2_unit.h"

#include <stdlib.h>
#include <string.h>

#include "fmi/resources.h"

/* ---- entering and leaving -------------------------------------------------------------------- */

gos_fmi *gos__fmi2_enter(fmi2Component c, const char *function, unsigned phases) {
    fmi2_unit *u = c;
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

fmi2Status gos__fmi2_leave(gos_fmi *f, gos_status status) {
    gos__fmi_report(f);
    return status == GOS_OK ? fmi2OK : fmi2Error;
}

/* the logger expects a format */
static void log_to(void *user, gos_fmi_level level, const char *text) {
    static const fmi2Status status[] = {fmi2OK, fmi2Warning, fmi2Error};
    static const char *const category[] = {"logAll", "logStatusWarning", "logStatusError"};
    fmi2_unit *u = user;
    char line[4800];
    size_t n = 0;
    if (!u->call.logger || (level == GOS_FMI_NOTE && !u->logging)) {
        return;
    }
    for (const char *s = text; *s && n + 3 < sizeof line; s++) {
        line[n++] = *s;
        if (*s == '%') {
            line[n++] = '%';
        }
    }
    line[n] = '\0';
    u->call.logger(u->call.componentEnvironment, u->name, status[level], category[level], line);
}

/* ---- instances ------------------------------------------------------------------------------- */

const char *fmi2GetTypesPlatform(void) {
    return "default";
}

const char *fmi2GetVersion(void) {
    return "2.0";
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *call, fmi2Boolean visible,
                              fmi2Boolean logging) {
    GOS_UNUSED(visible);
    fmi2_unit *u = call ? calloc(1, sizeof *u) : NULL;
    if (!u) {
        return NULL;
    }
    u->call = *call;
    u->logging = logging != fmi2False;
    u->name = strdup(name ? name : "");
    char *folder = gos__fmi_path(resources);
    if (!u->name || !folder) {
        log_to(u, GOS_FMI_ERROR, "the resources of the unit need a location file:///...");
    } else {
        u->f = gos__fmi_create(&(gos_fmi_made){
            .folder = folder,
            .token = guid,
            .kind = type == fmi2CoSimulation ? GOS_FMU_CO_SIMULATION : GOS_FMU_MODEL_EXCHANGE,
            .log = log_to,
            .log_user = u});
    }
    free(folder);
    if (!u->f) {
        free(u->name);
        free(u);
        return NULL;
    }
    return u;
}

void fmi2FreeInstance(fmi2Component c) {
    fmi2_unit *u = c;
    if (u) {
        gos__fmi_destroy(u->f);
        free(u->name);
        free(u);
    }
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n,
                               const fmi2String categories[]) {
    GOS_UNUSED(n);
    GOS_UNUSED(categories);
    gos_fmi *f = gos__fmi2_enter(c, "fmi2SetDebugLogging", ANY);
    if (f) {
        ((fmi2_unit *)c)->logging = on != fmi2False;
    }
    return f ? fmi2OK : fmi2Error;
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop) {
    gos_fmi *f = gos__fmi2_enter(c, "fmi2SetupExperiment", GOS_FMI_MADE);
    return f ? gos__fmi2_leave(f, gos__fmi_setup(f, tolerance_defined ? &tolerance : NULL, start,
                                                 stop_defined ? &stop : NULL))
             : fmi2Error;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    gos_fmi *f = gos__fmi2_enter(c, "fmi2EnterInitializationMode", GOS_FMI_MADE);
    if (f) {
        f->phase = GOS_FMI_INITIAL;
    }
    return f ? fmi2OK : fmi2Error;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    gos_fmi *f = gos__fmi2_enter(c, "fmi2ExitInitializationMode", GOS_FMI_INITIAL);
    if (!f) {
        return fmi2Error;
    }
    const gos_status status = gos__fmi_begin(f);
    f->phase = status != GOS_OK                    ? GOS_FMI_FAILED
               : f->kind == GOS_FMU_MODEL_EXCHANGE ? GOS_FMI_EVENTS
                                                   : GOS_FMI_STEPS;
    return gos__fmi2_leave(f, status);
}

fmi2Status fmi2Terminate(fmi2Component c) {
    gos_fmi *f = gos__fmi2_enter(c, "fmi2Terminate", GOS_FMI_STEPS | GOS_FMI_EVENTS);
    return f ? gos__fmi2_leave(f, gos__fmi_end(f)) : fmi2Error;
}

fmi2Status fmi2Reset(fmi2Component c) {
    gos_fmi *f = gos__fmi2_enter(c, "fmi2Reset", ANY);
    if (f) {
        gos__fmi_reset(f);
    }
    return f ? fmi2OK : fmi2Error;
}

/* ---- values ---------------------------------------------------------------------------------- */

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real value[]) {
    gos_fmi *f = gos__fmi2_enter(c, "fmi2GetReal", ANY & ~GOS_FMI_FAILED);
    gos_status status = !f || (n > 0 && (!r || !value)) ? GOS_E_USE : GOS_OK;
    for (size_t i = 0; i < n && status == GOS_OK; i++) {
        status = gos__fmi_get(f, r[i], &value[i]);
    }
    return f ? gos__fmi2_leave(f, status) : fmi2Error;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n,
                       const fmi2Real value[]) {
    gos_fmi *f = gos__fmi2_enter(c, "fmi2SetReal",
                                 GOS_FMI_MADE | GOS_FMI_INITIAL | GOS_FMI_STEPS | GOS_FMI_EVENTS);
    gos_status status = !f || (n > 0 && (!r || !value)) ? GOS_E_USE : GOS_OK;
    for (size_t i = 0; i < n && status == GOS_OK; i++) {
        status = gos__fmi_set(f, r[i], value[i]);
    }
    return f ? gos__fmi2_leave(f, status) : fmi2Error;
}

/* all variables are of type Real */
static fmi2Status none_of(fmi2Component c, const char *function, size_t n) {
    gos_fmi *f = gos__fmi2_enter(c, function, ANY & ~GOS_FMI_FAILED);
    if (!f) {
        return fmi2Error;
    }
    return gos__fmi2_leave(
        f, n == 0 ? GOS_OK
                  : gos__fmi_wrong(f, "%s: all variables of the unit are of type Real", function));
}

#define NONE(type, get, set)                                                                       \
    fmi2Status get(fmi2Component c, const fmi2ValueReference r[], size_t n, type value[]) {        \
        GOS_UNUSED(r);                                                                             \
        GOS_UNUSED(value);                                                                         \
        return none_of(c, #get, n);                                                                \
    }                                                                                              \
    fmi2Status set(fmi2Component c, const fmi2ValueReference r[], size_t n, const type value[]) {  \
        GOS_UNUSED(r);                                                                             \
        GOS_UNUSED(value);                                                                         \
        return none_of(c, #set, n);                                                                \
    }
NONE(fmi2Integer, fmi2GetInteger, fmi2SetInteger)
NONE(fmi2Boolean, fmi2GetBoolean, fmi2SetBoolean)
NONE(fmi2String, fmi2GetString, fmi2SetString)

/* ---- states ---------------------------------------------------------------------------------- */

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    gos_fmi *f = gos__fmi2_enter(c, "fmi2GetFMUstate", ANY & ~GOS_FMI_FAILED);
    return !f       ? fmi2Error
           : !state ? gos__fmi2_leave(
                          f, gos__fmi_wrong(f, "fmi2GetFMUstate: the state pointer is missing"))
                    : gos__fmi2_leave(f, gos__fmi_state_get(f, state));
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    gos_fmi *f = gos__fmi2_enter(c, "fmi2SetFMUstate", ANY);
    return f ? gos__fmi2_leave(f, gos__fmi_state_set(f, state)) : fmi2Error;
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
    gos_fmi *f = gos__fmi2_enter(c, "fmi2FreeFMUstate", ANY);
    return !f ? fmi2Error : gos__fmi2_leave(f, state ? gos__fmi_state_free(f, state) : GOS_OK);
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *n) {
    gos_fmi *f = gos__fmi2_enter(c, "fmi2SerializedFMUstateSize", ANY);
    return f ? gos__fmi2_leave(f, gos__fmi_state_size(f, state, n)) : fmi2Error;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t n) {
    gos_fmi *f = gos__fmi2_enter(c, "fmi2SerializeFMUstate", ANY);
    return f ? gos__fmi2_leave(f, gos__fmi_state_write(f, state, bytes, n)) : fmi2Error;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t n,
                                   fmi2FMUstate *state) {
    gos_fmi *f = gos__fmi2_enter(c, "fmi2DeSerializeFMUstate", ANY);
    return f ? gos__fmi2_leave(f, gos__fmi_state_read(f, bytes, n, state)) : fmi2Error;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[],
                                        size_t nu, const fmi2ValueReference known[], size_t nk,
                                        const fmi2Real seed[], fmi2Real change[]) {
    gos_fmi *f = gos__fmi2_enter(c, "fmi2GetDirectionalDerivative",
                                 GOS_FMI_INITIAL | GOS_FMI_STEPS | GOS_FMI_EVENTS | GOS_FMI_ENDED);
    if (!f) {
        return fmi2Error;
    }
    const bool good = (nu == 0 || (unknown && change)) && (nk == 0 || (known && seed));
    return gos__fmi2_leave(
        f, good ? gos__fmi_directional(f, unknown, nu, known, nk, seed, change)
                : gos__fmi_wrong(f, "fmi2GetDirectionalDerivative: an array pointer is NULL"));
}
