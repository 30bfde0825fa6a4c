/* Shared by the functions of FMI 2. */
#ifndef GOS_FMI2_UNIT_H
#define GOS_FMI2_UNIT_H

#include "fmi/fmi2.h"
#include "fmi/instance.h"

/* An FMI 2 component. */
typedef struct fmi2_unit {
    gos_fmi *f;
    fmi2CallbackFunctions call;
    char *name;
    bool logging; // including notes
} fmi2_unit;

enum {
    ANY = GOS_FMI_MADE | GOS_FMI_INITIAL | GOS_FMI_STEPS | GOS_FMI_EVENTS | GOS_FMI_ENDED |
          GOS_FMI_FAILED
};

/** NULL with a message if the function is not allowed in this phase. */
gos_fmi *gos__fmi2_enter(fmi2Component c, const char *function, unsigned phases);
/** Log the recorded messages. @return the FMI status */
fmi2Status gos__fmi2_leave(gos_fmi *f, gos_status status);

#endif
