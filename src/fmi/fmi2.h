/* Types and functions of the Functional Mock-up Interface 2.0.4. */
#ifndef GOS_FMI2_H
#define GOS_FMI2_H

#include <stddef.h>

typedef void *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef void *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char *fmi2String;
typedef char fmi2Byte;

enum { fmi2False, fmi2True };

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum {
    fmi2DoStepStatus,
    fmi2PendingStatus,
    fmi2LastSuccessfulTime,
    fmi2Terminated
} fmi2StatusKind;

typedef struct {
    void (*logger)(fmi2ComponentEnvironment, fmi2String instance, fmi2Status, fmi2String category,
                   fmi2String message, ...);
    void *(*allocateMemory)(size_t n, size_t size);
    void (*freeMemory)(void *);
    void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
    fmi2Boolean newDiscreteStatesNeeded;
    fmi2Boolean terminateSimulation;
    fmi2Boolean nominalsOfContinuousStatesChanged;
    fmi2Boolean valuesOfContinuousStatesChanged;
    fmi2Boolean nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

#define FMI2_FUNCTIONS(X)                                                                          \
    X(const char *, fmi2GetTypesPlatform, (void))                                                  \
    X(const char *, fmi2GetVersion, (void))                                                        \
    X(fmi2Status, fmi2SetDebugLogging,                                                             \
      (fmi2Component, fmi2Boolean on, size_t n, const fmi2String categories[]))                    \
    X(fmi2Component, fmi2Instantiate,                                                              \
      (fmi2String name, fmi2Type, fmi2String guid, fmi2String resources,                           \
       const fmi2CallbackFunctions *, fmi2Boolean visible, fmi2Boolean logging))                   \
    X(void, fmi2FreeInstance, (fmi2Component))                                                     \
    X(fmi2Status, fmi2SetupExperiment,                                                             \
      (fmi2Component, fmi2Boolean tolerance_defined, fmi2Real tolerance, fmi2Real start,           \
       fmi2Boolean stop_defined, fmi2Real stop))                                                   \
    X(fmi2Status, fmi2EnterInitializationMode, (fmi2Component))                                    \
    X(fmi2Status, fmi2ExitInitializationMode, (fmi2Component))                                     \
    X(fmi2Status, fmi2Terminate, (fmi2Component))                                                  \
    X(fmi2Status, fmi2Reset, (fmi2Component))                                                      \
    X(fmi2Status, fmi2GetReal, (fmi2Component, const fmi2ValueReference[], size_t, fmi2Real[]))    \
    X(fmi2Status, fmi2GetInteger,                                                                  \
      (fmi2Component, const fmi2ValueReference[], size_t, fmi2Integer[]))                          \
    X(fmi2Status, fmi2GetBoolean,                                                                  \
      (fmi2Component, const fmi2ValueReference[], size_t, fmi2Boolean[]))                          \
    X(fmi2Status, fmi2GetString,                                                                   \
      (fmi2Component, const fmi2ValueReference[], size_t, fmi2String[]))                           \
    X(fmi2Status, fmi2SetReal,                                                                     \
      (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Real[]))                       \
    X(fmi2Status, fmi2SetInteger,                                                                  \
      (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer[]))                    \
    X(fmi2Status, fmi2SetBoolean,                                                                  \
      (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Boolean[]))                    \
    X(fmi2Status, fmi2SetString,                                                                   \
      (fmi2Component, const fmi2ValueReference[], size_t, const fmi2String[]))                     \
    X(fmi2Status, fmi2GetFMUstate, (fmi2Component, fmi2FMUstate *))                                \
    X(fmi2Status, fmi2SetFMUstate, (fmi2Component, fmi2FMUstate))                                  \
    X(fmi2Status, fmi2FreeFMUstate, (fmi2Component, fmi2FMUstate *))                               \
    X(fmi2Status, fmi2SerializedFMUstateSize, (fmi2Component, fmi2FMUstate, size_t *))             \
    X(fmi2Status, fmi2SerializeFMUstate, (fmi2Component, fmi2FMUstate, fmi2Byte[], size_t))        \
    X(fmi2Status, fmi2DeSerializeFMUstate,                                                         \
      (fmi2Component, const fmi2Byte[], size_t, fmi2FMUstate *))                                   \
    X(fmi2Status, fmi2GetDirectionalDerivative,                                                    \
      (fmi2Component, const fmi2ValueReference unknown[], size_t,                                  \
       const fmi2ValueReference known[], size_t, const fmi2Real seed[], fmi2Real change[]))        \
    /* model exchange */                                                                           \
    X(fmi2Status, fmi2EnterEventMode, (fmi2Component))                                             \
    X(fmi2Status, fmi2NewDiscreteStates, (fmi2Component, fmi2EventInfo *))                         \
    X(fmi2Status, fmi2EnterContinuousTimeMode, (fmi2Component))                                    \
    X(fmi2Status, fmi2CompletedIntegratorStep,                                                     \
      (fmi2Component, fmi2Boolean no_set_before, fmi2Boolean * enter_event_mode,                   \
       fmi2Boolean * terminate))                                                                   \
    X(fmi2Status, fmi2SetTime, (fmi2Component, fmi2Real))                                          \
    X(fmi2Status, fmi2SetContinuousStates, (fmi2Component, const fmi2Real[], size_t))              \
    X(fmi2Status, fmi2GetDerivatives, (fmi2Component, fmi2Real[], size_t))                         \
    X(fmi2Status, fmi2GetEventIndicators, (fmi2Component, fmi2Real[], size_t))                     \
    X(fmi2Status, fmi2GetContinuousStates, (fmi2Component, fmi2Real[], size_t))                    \
    X(fmi2Status, fmi2GetNominalsOfContinuousStates, (fmi2Component, fmi2Real[], size_t))          \
    /* co-simulation */                                                                            \
    X(fmi2Status, fmi2SetRealInputDerivatives,                                                     \
      (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer order[],               \
       const fmi2Real[]))                                                                          \
    X(fmi2Status, fmi2GetRealOutputDerivatives,                                                    \
      (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer order[], fmi2Real[]))  \
    X(fmi2Status, fmi2DoStep,                                                                      \
      (fmi2Component, fmi2Real from, fmi2Real size, fmi2Boolean no_set_before))                    \
    X(fmi2Status, fmi2CancelStep, (fmi2Component))                                                 \
    X(fmi2Status, fmi2GetStatus, (fmi2Component, const fmi2StatusKind, fmi2Status *))              \
    X(fmi2Status, fmi2GetRealStatus, (fmi2Component, const fmi2StatusKind, fmi2Real *))            \
    X(fmi2Status, fmi2GetIntegerStatus, (fmi2Component, const fmi2StatusKind, fmi2Integer *))      \
    X(fmi2Status, fmi2GetBooleanStatus, (fmi2Component, const fmi2StatusKind, fmi2Boolean *))      \
    X(fmi2Status, fmi2GetStringStatus, (fmi2Component, const fmi2StatusKind, fmi2String *))

#define X(type, name, arguments) __attribute__((visibility("default"))) type name arguments;
FMI2_FUNCTIONS(X)
#undef X

#endif
