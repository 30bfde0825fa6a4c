/* Variables of FMI 3 units. All are of type Float64. */
#include "fmi/fmi3_unit.h"

fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n,
                          fmi3Float64 value[], size_t nvalue) {
    gos_fmi *f = gos__fmi3_enter(c, "fmi3GetFloat64", ANY & ~GOS_FMI_FAILED);
    if (!f) {
        return fmi3Error;
    }
    gos_status status =
        (n > 0 && (!r || !value)) || nvalue != n
            ? gos__fmi_wrong(f, "fmi3GetFloat64: %zu variables, but room for %zu numbers", n,
                             nvalue)
            : GOS_OK;
    for (size_t i = 0; i < n && status == GOS_OK; i++) {
        status = gos__fmi_get(f, r[i], &value[i]);
    }
    return gos__fmi3_leave(f, status);
}

fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n,
                          const fmi3Float64 value[], size_t nvalue) {
    gos_fmi *f = gos__fmi3_enter(c, "fmi3SetFloat64",
                                 GOS_FMI_MADE | GOS_FMI_INITIAL | GOS_FMI_STEPS | GOS_FMI_EVENTS);
    if (!f) {
        return fmi3Error;
    }
    gos_status status =
        (n > 0 && (!r || !value)) || nvalue != n
            ? gos__fmi_wrong(f, "fmi3SetFloat64: %zu numbers, but %zu variables", nvalue, n)
            : GOS_OK;
    for (size_t i = 0; i < n && status == GOS_OK; i++) {
        status = gos__fmi_set(f, r[i], value[i]);
    }
    return gos__fmi3_leave(f, status);
}

/* types without variables: only zero variables are valid */
static fmi3Status none_of(fmi3Instance c, const char *function, size_t n) {
    gos_fmi *f = gos__fmi3_enter(c, function, ANY & ~GOS_FMI_FAILED);
    if (!f) {
        return fmi3Error;
    }
    return gos__fmi3_leave(
        f, n == 0
               ? GOS_OK
               : gos__fmi_wrong(f, "%s: all variables of the unit are of type Float64", function));
}

#define NONE(type)                                                                                 \
    fmi3Status fmi3Get##type(fmi3Instance c, const fmi3ValueReference r[], size_t n,               \
                             fmi3##type value[], size_t nvalue) {                                  \
        GOS_UNUSED(r);                                                                             \
        GOS_UNUSED(value);                                                                         \
        GOS_UNUSED(nvalue);                                                                        \
        return none_of(c, "fmi3Get" #type, n);                                                     \
    }                                                                                              \
    fmi3Status fmi3Set##type(fmi3Instance c, const fmi3ValueReference r[], size_t n,               \
                             const fmi3##type value[], size_t nvalue) {                            \
        GOS_UNUSED(r);                                                                             \
        GOS_UNUSED(value);                                                                         \
        GOS_UNUSED(nvalue);                                                                        \
        return none_of(c, "fmi3Set" #type, n);                                                     \
    }
NONE(Float32)
NONE(Int8)
NONE(UInt8)
NONE(Int16)
NONE(UInt16)
NONE(Int32)
NONE(UInt32)
NONE(Int64)
NONE(UInt64)
NONE(Boolean)
NONE(String)

fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference r[], size_t n, size_t size[],
                         fmi3Binary value[], size_t nvalue) {
    GOS_UNUSED(r);
    GOS_UNUSED(size);
    GOS_UNUSED(value);
    GOS_UNUSED(nvalue);
    return none_of(c, "fmi3GetBinary", n);
}

fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference r[], size_t n,
                         const size_t size[], const fmi3Binary value[], size_t nvalue) {
    GOS_UNUSED(r);
    GOS_UNUSED(size);
    GOS_UNUSED(value);
    GOS_UNUSED(nvalue);
    return none_of(c, "fmi3SetBinary", n);
}

/* ---- clocks ---------------------------------------------------------------------------------- */

#define CLOCKS(name, ...)                                                                          \
    fmi3Status name(fmi3Instance c, const fmi3ValueReference r[], size_t n, __VA_ARGS__) {         \
        GOS_UNUSED(r);                                                                             \
        GOS_UNUSED(a);                                                                             \
        GOS_UNUSED_LAST;                                                                           \
        return none_of(c, #name, n);                                                               \
    }
#define GOS_UNUSED_LAST (void)0
CLOCKS(fmi3GetClock, fmi3Clock a[])
CLOCKS(fmi3SetClock, const fmi3Clock a[])
CLOCKS(fmi3GetShiftDecimal, fmi3Float64 a[])
CLOCKS(fmi3SetIntervalDecimal, const fmi3Float64 a[])
CLOCKS(fmi3SetShiftDecimal, const fmi3Float64 a[])
#undef GOS_UNUSED_LAST
#define GOS_UNUSED_LAST GOS_UNUSED(b)
CLOCKS(fmi3GetIntervalDecimal, fmi3Float64 a[], fmi3IntervalQualifier b[])
CLOCKS(fmi3GetShiftFraction, fmi3UInt64 a[], fmi3UInt64 b[])
CLOCKS(fmi3SetIntervalFraction, const fmi3UInt64 a[], const fmi3UInt64 b[])
CLOCKS(fmi3SetShiftFraction, const fmi3UInt64 a[], const fmi3UInt64 b[])

fmi3Status fmi3GetIntervalFraction(fmi3Instance c, const fmi3ValueReference r[], size_t n,
                                   fmi3UInt64 a[], fmi3UInt64 b[],
                                   fmi3IntervalQualifier qualifier[]) {
    GOS_UNUSED(r);
    GOS_UNUSED(a);
    GOS_UNUSED(b);
    GOS_UNUSED(qualifier);
    return none_of(c, "fmi3GetIntervalFraction", n);
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time) {
    GOS_UNUSED(clock);
    GOS_UNUSED(time);
    return gos__fmi3_refuse(c, "fmi3ActivateModelPartition",
                            "the unit does not support scheduled execution");
}

/* ---- dependencies ---------------------------------------------------------------------------- */

/* as described: on all inputs and states */
static fmi3Status dependencies(fmi3Instance c, const char *function) {
    return gos__fmi3_refuse(c, function,
                            "the model description lists no dependencies, so each output depends "
                            "on all inputs and states");
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference r, size_t *n) {
    GOS_UNUSED(r);
    GOS_UNUSED(n);
    return dependencies(c, "fmi3GetNumberOfVariableDependencies");
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference r, size_t element[],
                                       fmi3ValueReference independent[], size_t of[],
                                       fmi3DependencyKind kind[], size_t n) {
    GOS_UNUSED(r);
    GOS_UNUSED(element);
    GOS_UNUSED(independent);
    GOS_UNUSED(of);
    GOS_UNUSED(kind);
    GOS_UNUSED(n);
    return dependencies(c, "fmi3GetVariableDependencies");
}

/* ---- configuration --------------------------------------------------------------------------- */

/* no structural parameters */
fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) {
    return gos__fmi3_refuse(c, "fmi3EnterConfigurationMode",
                            "the unit has no structural parameters");
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) {
    return gos__fmi3_refuse(c, "fmi3ExitConfigurationMode",
                            "the unit has no structural parameters");
}
