/* A library of its own, libgossamer_step_fmu.so: FMI 2 units for co-simulation of linear models of
   fixed step, x(k+1) = A x(k) + B u(k), y(k) = C x(k) + D u(k). It needs the C library only.
   Value references: 0 time, then inputs, then outputs. */
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi/fmi2.h"
#include "fmi/resources.h"
#include "fmu/step_file.h"

#define TINY 1e-200     // smaller states become 0: subnormal numbers would slow steps down
#define MULTIPLE 1e-9   // largest deviation of a communication step from a multiple of the step
#define MOST_STEPS 1e15 // of a run

typedef enum phase { MADE, INITIAL, STEPS, ENDED, FAILED } phase;

/* The part that states contain; followed by x (n), u (nu). */
typedef struct moment {
    char token[48]; // of the unit
    int64_t steps;  // since the start
    double start;   // [s]
} moment;

typedef struct unit {
    gos_step_head head;
    double *A, *B, *C, *D; // column-major
    moment *now;           // with x and u
    double *x, *u, *next;  // next (n)
    phase phase;
    fmi2CallbackFunctions call;
    char *name;
} unit;

/* ---- messages -------------------------------------------------------------------------------- */

static fmi2Status fail(const unit *k, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static fmi2Status fail(const unit *k, const char *format, ...) {
    char text[300];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (k->call.logger) {
        k->call.logger(k->call.componentEnvironment, k->name, fmi2Error, "logStatusError", "%s",
                       text);
    }
    return fmi2Error;
}

/* NULL with a message unless the unit is in one of the phases (bits) */
static unit *enter(fmi2Component c, const char *function, unsigned phases) {
    unit *k = c;
    if (k && (1U << k->phase & phases) == 0) {
        (void)fail(k, "%s is not allowed in this state of the unit", function);
        return NULL;
    }
    return k;
}

enum { ANY = 0x1f, GOOD = 0xf };

/* ---- instances ------------------------------------------------------------------------------- */

static size_t state_size(const unit *k) {
    return sizeof(moment) + ((size_t)k->head.n + (size_t)k->head.nu) * sizeof(double);
}

/* at rest */
static void restart(unit *k) {
    memset(k->now, 0, state_size(k));
    memcpy(k->now->token, k->head.token, sizeof k->now->token);
}

static bool is_own(const unit *k, const moment *state) {
    return memcmp(state->token, k->head.token, sizeof state->token) == 0;
}

static double time_of(const unit *k) {
    return k->now->start + (double)k->now->steps * k->head.step;
}

static bool read_all(unit *k, const char *folder) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, GOS_STEP_FILE) >= (int)sizeof path) {
        return false;
    }
    FILE *in = fopen(path, "rbe");
    bool good = in && fread(&k->head, sizeof k->head, 1, in) == 1 &&
                memcmp(k->head.magic, GOS_STEP_MAGIC, sizeof k->head.magic) == 0 &&
                k->head.step > 0 && k->head.n > 0 && k->head.n <= GOS_STEP_MOST && k->head.nu > 0 &&
                k->head.nu <= GOS_STEP_PORTS && k->head.ny > 0 && k->head.ny <= GOS_STEP_PORTS;
    if (good) {
        const size_t n = (size_t)k->head.n, nu = (size_t)k->head.nu, ny = (size_t)k->head.ny;
        const size_t size = (n + ny) * (n + nu);
        k->A = calloc(size, sizeof *k->A);
        k->now = calloc(1, state_size(k));
        k->next = calloc(n, sizeof *k->next);
        good = k->A && k->now && k->next && fread(k->A, sizeof *k->A, size, in) == size;
        k->B = good ? k->A + n * n : NULL;
        k->C = good ? k->B + n * nu : NULL;
        k->D = good ? k->C + ny * n : NULL;
        k->x = good ? (double *)(k->now + 1) : NULL;
        k->u = good ? k->x + n : NULL;
    }
    if (in) {
        (void)fclose(in);
    }
    return good;
}

static void destroy(unit *k) {
    free(k->A);
    free(k->now);
    free(k->next);
    free(k->name);
    free(k);
}

const char *fmi2GetTypesPlatform(void) {
    return "default";
}

const char *fmi2GetVersion(void) {
    return "2.0";
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *call, fmi2Boolean visible,
                              fmi2Boolean logging) {
    (void)visible;
    (void)logging;
    unit *k = call ? calloc(1, sizeof *k) : NULL;
    if (!k) {
        return NULL;
    }
    k->call = *call;
    k->name = strdup(name ? name : "");
    char *folder = gos__fmi_path(resources);
    const char *why = NULL;
    if (!folder || !k->name || !read_all(k, folder)) {
        why = "the resources of the unit cannot be read";
    } else if (type != fmi2CoSimulation) {
        why = "the unit is for co-simulation only";
    } else if (!guid || strncmp(guid, k->head.token, sizeof k->head.token) != 0) {
        why = "the GUID belongs to another unit";
    }
    free(folder);
    if (why) {
        (void)fail(k, "%s", why);
        destroy(k);
        return NULL;
    }
    restart(k);
    return k;
}

void fmi2FreeInstance(fmi2Component c) {
    if (c) {
        destroy(c);
    }
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n,
                               const fmi2String categories[]) {
    (void)on;
    (void)n;
    (void)categories;
    return enter(c, "fmi2SetDebugLogging", ANY) ? fmi2OK : fmi2Error;
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop) {
    (void)tolerance_defined;
    (void)tolerance;
    (void)stop_defined;
    (void)stop;
    unit *k = enter(c, "fmi2SetupExperiment", 1U << MADE);
    if (!k || !isfinite(start)) {
        return k ? fail(k, "fmi2SetupExperiment: the start time is not finite") : fmi2Error;
    }
    k->now->start = start;
    return fmi2OK;
}

static fmi2Status change(fmi2Component c, const char *function, phase from, phase to) {
    unit *k = enter(c, function, 1U << from);
    if (k) {
        k->phase = to;
    }
    return k ? fmi2OK : fmi2Error;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    return change(c, "fmi2EnterInitializationMode", MADE, INITIAL);
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    return change(c, "fmi2ExitInitializationMode", INITIAL, STEPS);
}

fmi2Status fmi2Terminate(fmi2Component c) {
    return change(c, "fmi2Terminate", STEPS, ENDED);
}

fmi2Status fmi2Reset(fmi2Component c) {
    unit *k = enter(c, "fmi2Reset", ANY);
    if (k) {
        restart(k);
        k->phase = MADE;
    }
    return k ? fmi2OK : fmi2Error;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* sum += M z for M (rows, columns) by columns */
static void add(int rows, int columns, const double *M, const double *z, double *sum) {
    for (int j = 0; j < columns; j++) {
        const double *column = M + (size_t)j * (size_t)rows;
        for (int i = 0; i < rows; i++) {
            sum[i] += column[i] * z[j];
        }
    }
}

static double output(const unit *k, int row) {
    double y = 0;
    for (int j = 0; j < k->head.n; j++) {
        y += k->C[(size_t)j * (size_t)k->head.ny + (size_t)row] * k->x[j];
    }
    for (int j = 0; j < k->head.nu; j++) {
        y += k->D[(size_t)j * (size_t)k->head.ny + (size_t)row] * k->u[j];
    }
    return y;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real value[]) {
    unit *k = enter(c, "fmi2GetReal", GOOD);
    for (size_t i = 0; k && i < n; i++) {
        const fmi2ValueReference inputs = (fmi2ValueReference)k->head.nu;
        if (r[i] > inputs + (fmi2ValueReference)k->head.ny) {
            return fail(k, "fmi2GetReal: there is no variable %u", r[i]);
        }
        value[i] = r[i] == 0        ? time_of(k)
                   : r[i] <= inputs ? k->u[r[i] - 1]
                                    : output(k, (int)(r[i] - 1 - inputs));
    }
    return k ? fmi2OK : fmi2Error;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n,
                       const fmi2Real value[]) {
    unit *k = enter(c, "fmi2SetReal", 1U << MADE | 1U << INITIAL | 1U << STEPS);
    for (size_t i = 0; k && i < n; i++) {
        if (r[i] < 1 || r[i] > (fmi2ValueReference)k->head.nu || !isfinite(value[i])) {
            return fail(k, "fmi2SetReal: variable %u is no input, or its value is not finite",
                        r[i]);
        }
    }
    for (size_t i = 0; k && i < n; i++) {
        k->u[r[i] - 1] = value[i];
    }
    return k ? fmi2OK : fmi2Error;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[],
                                        size_t nunknown, const fmi2ValueReference known[],
                                        size_t nknown, const fmi2Real seed[], fmi2Real change_[]) {
    unit *k = enter(c, "fmi2GetDirectionalDerivative", GOOD);
    const unsigned nu = k ? (unsigned)k->head.nu : 0, ny = k ? (unsigned)k->head.ny : 0;
    for (size_t i = 0; k && i < nunknown; i++) {
        change_[i] = 0;
        for (size_t j = 0; j < nknown; j++) {
            if (unknown[i] <= nu || unknown[i] > nu + ny || known[j] < 1 || known[j] > nu) {
                return fail(k, "fmi2GetDirectionalDerivative: only of outputs by inputs");
            }
            change_[i] += k->D[(size_t)(known[j] - 1) * ny + unknown[i] - 1 - nu] * seed[j];
        }
    }
    return k ? fmi2OK : fmi2Error;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static bool advance(unit *k) {
    double most = 0;
    memset(k->next, 0, (size_t)k->head.n * sizeof *k->next);
    add(k->head.n, k->head.n, k->A, k->x, k->next);
    add(k->head.n, k->head.nu, k->B, k->u, k->next);
    for (int i = 0; i < k->head.n; i++) {
        k->x[i] = fabs(k->next[i]) < TINY ? 0 : k->next[i];
        most += fabs(k->x[i]);
    }
    k->now->steps++;
    return isfinite(most);
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real from, fmi2Real size, fmi2Boolean no_set_before) {
    (void)no_set_before;
    unit *k = enter(c, "fmi2DoStep", 1U << STEPS);
    if (!k) {
        return fmi2Error;
    }
    const double steps = nearbyint(size / k->head.step);
    if (!(fabs(from - time_of(k)) <= 1e-3 * k->head.step + 1e-12 * fabs(from))) {
        return fail(k, "fmi2DoStep: the step starts at %g s, but the unit is at %g s", from,
                    time_of(k));
    }
    if (!(steps >= 1 && steps <= MOST_STEPS) ||
        !(fabs(size - steps * k->head.step) <= MULTIPLE * steps * k->head.step)) {
        return fail(k, "fmi2DoStep: a step of %g s is not a multiple of the unit's step, %g s",
                    size, k->head.step);
    }
    for (double i = 0; i < steps; i++) {
        if (!advance(k)) {
            k->phase = FAILED;
            return fail(k, "fmi2DoStep: the state is not finite at %g s", time_of(k));
        }
    }
    return fmi2OK;
}

/* ---- states ---------------------------------------------------------------------------------- */

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    unit *k = enter(c, "fmi2GetFMUstate", GOOD);
    if (!k || !state) {
        return fmi2Error;
    }
    *state = *state ? *state : malloc(state_size(k));
    if (!*state) {
        return fail(k, "fmi2GetFMUstate: out of memory");
    }
    memcpy(*state, k->now, state_size(k));
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    unit *k = enter(c, "fmi2SetFMUstate", ANY);
    if (!k || !state || !is_own(k, state)) {
        return k ? fail(k, "fmi2SetFMUstate: not a state of this unit") : fmi2Error;
    }
    memcpy(k->now, state, state_size(k));
    k->phase = k->phase == FAILED || k->phase == ENDED ? STEPS : k->phase;
    return fmi2OK;
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
    if (c && state) {
        free(*state);
        *state = NULL;
    }
    return c ? fmi2OK : fmi2Error;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *n) {
    unit *k = enter(c, "fmi2SerializedFMUstateSize", ANY);
    if (k && state && n) {
        *n = state_size(k);
    }
    return k && state && n ? fmi2OK : fmi2Error;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t n) {
    unit *k = enter(c, "fmi2SerializeFMUstate", ANY);
    if (!k || !state || !bytes || n < state_size(k)) {
        return fmi2Error;
    }
    memcpy(bytes, state, state_size(k));
    return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t n,
                                   fmi2FMUstate *state) {
    unit *k = enter(c, "fmi2DeSerializeFMUstate", ANY);
    if (!k || !bytes || !state || n != state_size(k)) {
        return k ? fail(k, "fmi2DeSerializeFMUstate: not a state of this unit") : fmi2Error;
    }
    moment *read = malloc(n);
    if (!read) {
        return fail(k, "fmi2DeSerializeFMUstate: out of memory");
    }
    memcpy(read, bytes, n);
    bool good = is_own(k, read) && read->steps >= 0 && isfinite(read->start);
    for (int i = 0; i < k->head.n + k->head.nu; i++) {
        good = good && isfinite(((const double *)(read + 1))[i]);
    }
    if (!good) {
        free(read);
        return fail(k, "fmi2DeSerializeFMUstate: damaged, or a state of another unit");
    }
    *state = read;
    return fmi2OK;
}

/* ---- status and what the unit does not have -------------------------------------------------- */

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value) {
    unit *k = enter(c, "fmi2GetRealStatus", ANY);
    if (!k || kind != fmi2LastSuccessfulTime || !value) {
        return k ? fmi2Discard : fmi2Error;
    }
    *value = time_of(k);
    return fmi2OK;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value) {
    unit *k = enter(c, "fmi2GetBooleanStatus", ANY);
    if (!k || kind != fmi2Terminated || !value) {
        return k ? fmi2Discard : fmi2Error;
    }
    *value = fmi2False;
    return fmi2OK;
}

/* refused unless nothing is asked for */
#define NONE(name, type)                                                                           \
    fmi2Status name(fmi2Component c, const fmi2ValueReference r[], size_t n, type value[]) {       \
        (void)r;                                                                                   \
        (void)value;                                                                               \
        unit *k = enter(c, #name, ANY);                                                            \
        return !k       ? fmi2Error                                                                \
               : n == 0 ? fmi2OK                                                                   \
                        : fail(k, #name ": all variables are of type Real");                       \
    }
NONE(fmi2GetInteger, fmi2Integer)
NONE(fmi2GetBoolean, fmi2Boolean)
NONE(fmi2GetString, fmi2String)
NONE(fmi2SetInteger, const fmi2Integer)
NONE(fmi2SetBoolean, const fmi2Boolean)
NONE(fmi2SetString, const fmi2String)

static fmi2Status lacks(fmi2Component c, const char *name) {
    unit *k = enter(c, name, ANY);
    return k ? fail(k, "%s is not available in this unit", name) : fmi2Error;
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                       const fmi2Integer order[], const fmi2Real value[]) {
    (void)r;
    (void)order;
    (void)value;
    return n == 0 && c ? fmi2OK : lacks(c, "fmi2SetRealInputDerivatives");
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                        const fmi2Integer order[], fmi2Real value[]) {
    (void)r;
    (void)order;
    (void)value;
    return n == 0 && c ? fmi2OK : lacks(c, "fmi2GetRealOutputDerivatives");
}

fmi2Status fmi2CancelStep(fmi2Component c) {
    return lacks(c, "fmi2CancelStep");
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value) {
    (void)kind;
    (void)value;
    return c ? fmi2Discard : fmi2Error;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value) {
    (void)kind;
    (void)value;
    return c ? fmi2Discard : fmi2Error;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String *value) {
    (void)kind;
    (void)value;
    return c ? fmi2Discard : fmi2Error;
}
