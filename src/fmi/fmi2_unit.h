/* What the functions of FMI 2 share. */
#ifndef GOS_FMI2_UNIT_H
#define GOS_FMI2_UNIT_H

#include "fmi/fmi2.h"
#include "fmi/instance.h"

/* What a master holds as a component. */
typedef struct fmi2_unit {
    gos_fmi *f;
    fmi2CallbackFunctions call;
    char *name;
    bool logging; // notes, too
} fmi2_unit;

enum {
    ANY = GOS_FMI_MADE | GOS_FMI_INITIAL | GOS_FMI_STEPS | GOS_FMI_EVENTS | GOS_FMI_ENDED |
          GOS_FMI_FAILED
};

/** The instance where a function may be called in its phase, else NULL with a message. */
gos_fmi *gos__fmi2_enter(fmi2Component c, const char *function, unsigned phases);
/** Tell what was recorded. @return the status for the master */
fmi2Status gos__fmi2_leave(gos_fmi *f, gos_status status);

#endif
