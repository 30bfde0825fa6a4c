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
    int indicators;         // event indicators, of model exchange
    bool fixed_step;        // communication steps are multiples of step_size
    double stop;            // of the default experiment [s]; 0: none
    double tolerance;       // 0: none
    double step_size;       // [s]; 0: none
    const gos_fmu_variables *list;
} gos_fmu_description;

void gos__fmu_describe(FILE *out, const gos_fmu_description *d);

#endif
