/* Variables of a unit, in one order for description and run time; their index is the value
   reference. */
#ifndef GOS_FMU_VARIABLES_H
#define GOS_FMU_VARIABLES_H

#include "gossamer/fmu.h"
#include "system/system.h"

typedef enum gos_fmu_role {
    GOS_FMU_TIME,
    GOS_FMU_PARAMETER,  // entry of `parameters:` with a plain number
    GOS_FMU_INPUT,      // settable input of the system
    GOS_FMU_OUTPUT,     // a component of a probe
    GOS_FMU_STATE,      // model exchange: q, v, T consecutively
    GOS_FMU_DERIVATIVE, // their rates
    GOS_FMU_INDICATOR,  // distances of signals from the limits of `events:`
    GOS_FMU_ROLES
} gos_fmu_role;

typedef struct gos_fmu_variable {
    gos_fmu_role role;
    const char *name, *unit;
    const char *doc; // description, or NULL
    // parameter: in this list; input: of the system; output: among all probe components; else:
    // state
    int index;
    double start; // of parameters and inputs
    bool tunable; // a parameter that may change during a run
} gos_fmu_variable;

typedef struct gos_fmu_variables {
    int n;
    gos_fmu_variable *v;          // (n)
    int first[GOS_FMU_ROLES + 1]; // first of each role; the last is n
} gos_fmu_variables;

/** Strings live in the arena. @return GOS_E_INPUT: duplicate names */
gos_status gos__fmu_variables(gos_ctx *ctx, const gos_model *model, const gos_system *sys,
                              gos_fmu_kind kind, gos_arena *a, gos_fmu_variables *list);
/** Make a parameter, "parameters.NAME" or "NAME", tunable. @return GOS_E_USE: no such parameter */
gos_status gos__fmu_tunable(gos_ctx *ctx, gos_fmu_variables *list, const char *name);
static inline int gos__fmu_count(const gos_fmu_variables *list, gos_fmu_role role) {
    return list->first[role + 1] - list->first[role];
}

/** Exponents of the SI base units kg, m, s, A, K, mol, cd, rad, and factor. @return false if not
 *  understood */
enum { GOS_FMU_BASES = 8 };
bool gos__fmu_unit(const char *unit, int exponent[GOS_FMU_BASES], double *factor);
extern const char *const gos__fmu_base[GOS_FMU_BASES];

/** May the system be a unit of this kind? @return GOS_E_INPUT with the reason */
gos_status gos__fmu_check(gos_ctx *ctx, const gos_system *sys, gos_fmu_kind kind);

#endif
