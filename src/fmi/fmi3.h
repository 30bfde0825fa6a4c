/* Types and functions of the Functional Mock-up Interface 3.0. */
#ifndef GOS_FMI3_H
#define GOS_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef void *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef char fmi3Char;
typedef const fmi3Char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum {
    fmi3Independent,
    fmi3Constant,
    fmi3Fixed,
    fmi3Tunable,
    fmi3Discrete,
    fmi3Dependent
} fmi3DependencyKind;
typedef enum {
    fmi3IntervalNotYetKnown,
    fmi3IntervalUnchanged,
    fmi3IntervalChanged
} fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String category,
                                       fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64 time,
                                               fmi3Boolean set_requested, fmi3Boolean get_allowed,
                                               fmi3Boolean step_finished,
                                               fmi3Boolean can_return_early,
                                               fmi3Boolean *return_early, fmi3Float64 *return_time);

/* get and set functions of one type */
#define FMI3_VALUES(X, name)                                                                       \
    X(fmi3Status, fmi3Get##name,                                                                   \
      (fmi3Instance, const fmi3ValueReference[], size_t, fmi3##name[], size_t))                    \
    X(fmi3Status, fmi3Set##name,                                                                   \
      (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3##name[], size_t))

#define FMI3_FUNCTIONS(X)                                                                          \
    X(const char *, fmi3GetVersion, (void))                                                        \
    X(fmi3Status, fmi3SetDebugLogging,                                                             \
      (fmi3Instance, fmi3Boolean on, size_t n, const fmi3String categories[]))                     \
    X(fmi3Instance, fmi3InstantiateModelExchange,                                                  \
      (fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,               \
       fmi3Boolean logging, fmi3InstanceEnvironment, fmi3LogMessageCallback))                      \
    X(fmi3Instance, fmi3InstantiateCoSimulation,                                                   \
      (fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,               \
       fmi3Boolean logging, fmi3Boolean event_mode, fmi3Boolean early_return,                      \
       const fmi3ValueReference intermediate[], size_t, fmi3InstanceEnvironment,                   \
       fmi3LogMessageCallback, fmi3IntermediateUpdateCallback))                                    \
    X(fmi3Instance, fmi3InstantiateScheduledExecution,                                             \
      (fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,               \
       fmi3Boolean logging, fmi3InstanceEnvironment, fmi3LogMessageCallback,                       \
       fmi3ClockUpdateCallback, fmi3LockPreemptionCallback, fmi3UnlockPreemptionCallback))         \
    X(void, fmi3FreeInstance, (fmi3Instance))                                                      \
    X(fmi3Status, fmi3EnterInitializationMode,                                                     \
      (fmi3Instance, fmi3Boolean tolerance_defined, fmi3Float64 tolerance, fmi3Float64 start,      \
       fmi3Boolean stop_defined, fmi3Float64 stop))                                                \
    X(fmi3Status, fmi3ExitInitializationMode, (fmi3Instance))                                      \
    X(fmi3Status, fmi3EnterEventMode, (fmi3Instance))                                              \
    X(fmi3Status, fmi3Terminate, (fmi3Instance))                                                   \
    X(fmi3Status, fmi3Reset, (fmi3Instance))                                                       \
    FMI3_VALUES(X, Float64)                                                                        \
    FMI3_VALUES(X, Float32)                                                                        \
    FMI3_VALUES(X, Int8)                                                                           \
    FMI3_VALUES(X, UInt8)                                                                          \
    FMI3_VALUES(X, Int16)                                                                          \
    FMI3_VALUES(X, UInt16)                                                                         \
    FMI3_VALUES(X, Int32)                                                                          \
    FMI3_VALUES(X, UInt32)                                                                         \
    FMI3_VALUES(X, Int64)                                                                          \
    FMI3_VALUES(X, UInt64)                                                                         \
    FMI3_VALUES(X, Boolean)                                                                        \
    FMI3_VALUES(X, String)                                                                         \
    X(fmi3Status, fmi3GetBinary,                                                                   \
      (fmi3Instance, const fmi3ValueReference[], size_t, size_t[], fmi3Binary[], size_t))          \
    X(fmi3Status, fmi3SetBinary,                                                                   \
      (fmi3Instance, const fmi3ValueReference[], size_t, const size_t[], const fmi3Binary[],       \
       size_t))                                                                                    \
    X(fmi3Status, fmi3GetClock, (fmi3Instance, const fmi3ValueReference[], size_t, fmi3Clock[]))   \
    X(fmi3Status, fmi3SetClock,                                                                    \
      (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Clock[]))                       \
    X(fmi3Status, fmi3GetNumberOfVariableDependencies,                                             \
      (fmi3Instance, fmi3ValueReference, size_t *))                                                \
    X(fmi3Status, fmi3GetVariableDependencies,                                                     \
      (fmi3Instance, fmi3ValueReference, size_t[], fmi3ValueReference[], size_t[],                 \
       fmi3DependencyKind[], size_t))                                                              \
    X(fmi3Status, fmi3GetFMUState, (fmi3Instance, fmi3FMUState *))                                 \
    X(fmi3Status, fmi3SetFMUState, (fmi3Instance, fmi3FMUState))                                   \
    X(fmi3Status, fmi3FreeFMUState, (fmi3Instance, fmi3FMUState *))                                \
    X(fmi3Status, fmi3SerializedFMUStateSize, (fmi3Instance, fmi3FMUState, size_t *))              \
    X(fmi3Status, fmi3SerializeFMUState, (fmi3Instance, fmi3FMUState, fmi3Byte[], size_t))         \
    X(fmi3Status, fmi3DeserializeFMUState,                                                         \
      (fmi3Instance, const fmi3Byte[], size_t, fmi3FMUState *))                                    \
    X(fmi3Status, fmi3GetDirectionalDerivative,                                                    \
      (fmi3Instance, const fmi3ValueReference unknowns[], size_t,                                  \
       const fmi3ValueReference knowns[], size_t, const fmi3Float64 seed[], size_t,                \
       fmi3Float64 sensitivity[], size_t))                                                         \
    X(fmi3Status, fmi3GetAdjointDerivative,                                                        \
      (fmi3Instance, const fmi3ValueReference unknowns[], size_t,                                  \
       const fmi3ValueReference knowns[], size_t, const fmi3Float64 seed[], size_t,                \
       fmi3Float64 sensitivity[], size_t))                                                         \
    X(fmi3Status, fmi3EnterConfigurationMode, (fmi3Instance))                                      \
    X(fmi3Status, fmi3ExitConfigurationMode, (fmi3Instance))                                       \
    X(fmi3Status, fmi3GetIntervalDecimal,                                                          \
      (fmi3Instance, const fmi3ValueReference[], size_t, fmi3Float64[], fmi3IntervalQualifier[]))  \
    X(fmi3Status, fmi3GetIntervalFraction,                                                         \
      (fmi3Instance, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[],               \
       fmi3IntervalQualifier[]))                                                                   \
    X(fmi3Status, fmi3GetShiftDecimal,                                                             \
      (fmi3Instance, const fmi3ValueReference[], size_t, fmi3Float64[]))                           \
    X(fmi3Status, fmi3GetShiftFraction,                                                            \
      (fmi3Instance, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[]))              \
    X(fmi3Status, fmi3SetIntervalDecimal,                                                          \
      (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Float64[]))                     \
    X(fmi3Status, fmi3SetIntervalFraction,                                                         \
      (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3UInt64[], const fmi3UInt64[]))  \
    X(fmi3Status, fmi3SetShiftDecimal,                                                             \
      (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Float64[]))                     \
    X(fmi3Status, fmi3SetShiftFraction,                                                            \
      (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3UInt64[], const fmi3UInt64[]))  \
    X(fmi3Status, fmi3EvaluateDiscreteStates, (fmi3Instance))                                      \
    X(fmi3Status, fmi3UpdateDiscreteStates,                                                        \
      (fmi3Instance, fmi3Boolean * need_update, fmi3Boolean * terminate,                           \
       fmi3Boolean * nominals_changed, fmi3Boolean * states_changed, fmi3Boolean * next_defined,   \
       fmi3Float64 * next))                                                                        \
    /* model exchange */                                                                           \
    X(fmi3Status, fmi3EnterContinuousTimeMode, (fmi3Instance))                                     \
    X(fmi3Status, fmi3CompletedIntegratorStep,                                                     \
      (fmi3Instance, fmi3Boolean no_set_before, fmi3Boolean * enter_event_mode,                    \
       fmi3Boolean * terminate))                                                                   \
    X(fmi3Status, fmi3SetTime, (fmi3Instance, fmi3Float64))                                        \
    X(fmi3Status, fmi3SetContinuousStates, (fmi3Instance, const fmi3Float64[], size_t))            \
    X(fmi3Status, fmi3GetContinuousStateDerivatives, (fmi3Instance, fmi3Float64[], size_t))        \
    X(fmi3Status, fmi3GetEventIndicators, (fmi3Instance, fmi3Float64[], size_t))                   \
    X(fmi3Status, fmi3GetContinuousStates, (fmi3Instance, fmi3Float64[], size_t))                  \
    X(fmi3Status, fmi3GetNominalsOfContinuousStates, (fmi3Instance, fmi3Float64[], size_t))        \
    X(fmi3Status, fmi3GetNumberOfEventIndicators, (fmi3Instance, size_t *))                        \
    X(fmi3Status, fmi3GetNumberOfContinuousStates, (fmi3Instance, size_t *))                       \
    /* co-simulation */                                                                            \
    X(fmi3Status, fmi3EnterStepMode, (fmi3Instance))                                               \
    X(fmi3Status, fmi3GetOutputDerivatives,                                                        \
      (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Int32 order[], fmi3Float64[],   \
       size_t))                                                                                    \
    X(fmi3Status, fmi3DoStep,                                                                      \
      (fmi3Instance, fmi3Float64 from, fmi3Float64 size, fmi3Boolean no_set_before,                \
       fmi3Boolean * event_needed, fmi3Boolean * terminate, fmi3Boolean * early,                   \
       fmi3Float64 * last))                                                                        \
    /* scheduled execution */                                                                      \
    X(fmi3Status, fmi3ActivateModelPartition, (fmi3Instance, fmi3ValueReference, fmi3Float64))

#define X(type, name, arguments) __attribute__((visibility("default"))) type name arguments;
FMI3_FUNCTIONS(X)
#undef X

#endif
