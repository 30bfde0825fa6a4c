/* Gossamer: models as functional mock-up units. SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_FMU_H
#define GOSSAMER_FMU_H

#include "gossamer/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Who integrates: the unit itself between communication points, or the program that has imported
 * it. */
typedef enum gos_fmu_kind { GOS_FMU_CO_SIMULATION, GOS_FMU_MODEL_EXCHANGE } gos_fmu_kind;

typedef struct gos_fmu_options {
    int version; // of the interface, FMI: 2 (2.0.4) or 3 (3.0)
    gos_fmu_kind kind;
    bool reduced;    // of the reduced model; gos_reduce_auto makes it when no `rom` is given
    const char *rom; // a file of gos_rom_save that it is taken from instead; NULL: none
    /** The folder that CMake has built or installed with libgossamer_fmu.so in it; NULL: it is
     * looked for beside this library and beside the program. */
    const char *library;
    /** Names of entries of `parameters` that a master may set during a run, too (ntunable): those
     * that do not move where the model starts, like stiffnesses, gains and loads. */
    const char *const *tunable;
    int ntunable;
} gos_fmu_options;

/** Write a model as a functional mock-up unit: a zip file that holds the description of its
 * variables, the model with the files that it names, the library that runs it with all others that
 * it needs, and their licences. Variables are the inputs of the model, the components of its probes
 * as outputs, and those of its `parameters` that are plain numbers; those of model exchange also
 * the coordinates and rates. docs/fmu.md tells what an imported unit does with them. The model must
 * be as it was read, with controllers that have their laws from files or designs (no call of
 *  gos_model_read_controllers is needed). A file that is there is replaced.
 *  @return GOS_E_USE for an option that makes no sense; GOS_E_INPUT: the model cannot become such a
 * unit, saying why (functions or laws of the calling program; statics; for model exchange:
 * constraints, memory, a matrix of inertia that is singular); GOS_E_FILE: libgossamer_fmu.so or
 * what goes with it is missing, or `path` cannot be written */
GOS_API gos_status gos_export_fmu(gos_ctx *ctx, gos_model *model, const gos_fmu_options *options,
                                  const char *path);
/** Is this a file that gos_export_fmu has written? */
GOS_API bool gos_fmu_is_there(const char *path);

#ifdef __cplusplus
}
#endif
#endif
