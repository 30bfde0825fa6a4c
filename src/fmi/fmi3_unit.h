/* Shared by the functions of FMI 3. */
#ifndef GOS_FMI3_UNIT_H
#define GOS_FMI3_UNIT_H

#include "fmi/fmi3.h"
#include "fmi/instance.h"

/* An FMI 3 instance. */
typedef struct fmi3_unit {
    gos_fmi *f;
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
    fmi3IntermediateUpdateCallback update;
    bool logging; // including notes
    bool event_mode, early_return;
} fmi3_unit;

enum {
    ANY = GOS_FMI_MADE | GOS_FMI_INITIAL | GOS_FMI_STEPS | GOS_FMI_EVENTS | GOS_FMI_ENDED |
          GOS_FMI_FAILED
};

/** NULL with a message if the function is not allowed in this phase. */
gos_fmi *gos__fmi3_enter(fmi3Instance c, const char *function, unsigned phases);
/** The same for functions of one kind of units. */
gos_fmi *gos__fmi3_enter_kind(fmi3Instance c, const char *function, unsigned phases,
                              gos_fmu_kind kind);
/** Log the recorded messages. @return the FMI status */
fmi3Status gos__fmi3_leave(gos_fmi *f, gos_status status);
/** Reject a call with a reason. */
fmi3Status gos__fmi3_refuse(fmi3Instance c, const char *function, const char *why);

#endif
