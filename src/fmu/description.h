/* modelDescription.xml of a functional mock-up unit. */
#ifndef GOS_FMU_DESCRIPTION_H
#define GOS_FMU_DESCRIPTION_H

#include <stdio.h>

#include "fmu/variables.h"

/* Contents of the description. */
typedef struct gos_fmu_description {
    int version;
    gos_fmu_kind kind;
    const char *name;       // of the model
    const char *identifier; // C identifier, name of the library
    const char *token;      // GUID, instantiation token
    const gos_system *sys;
    const gos_fmu_variables *list;
} gos_fmu_description;

void gos__fmu_describe(FILE *out, const gos_fmu_description *d);

#endif
