/* Gossamer: export as functional mock-up units (FMI 2 and 3). SPDX-License-Identifier: Apache-2.0
 *
 * Writes a model as an FMU for co-simulation or model exchange. docs/fmu.md describes the
 * behaviour of imported units. */
#ifndef GOSSAMER_FMU_H
#define GOSSAMER_FMU_H

#include "gossamer/io.h"
#include "gossamer/reduce.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Integration by the unit between communication points (co-simulation), or by the importing
 * program (model exchange). */
typedef enum gos_fmu_kind { GOS_FMU_CO_SIMULATION, GOS_FMU_MODEL_EXCHANGE } gos_fmu_kind;

typedef struct gos_fmu_options {
    int version; // of FMI: 2 (2.0.4) or 3 (3.0)
    gos_fmu_kind kind;
    bool reduced;    // export the reduced model; without `rom` gos_reduce_auto creates it
    bool compare;    // reduced without `rom`: compare methods of given order, as gos_reduce_for
    const char *rom; // file of gos_rom_save to use for the reduced model; NULL: none
    /** Folder of libgossamer_fmu.so as built or installed by CMake; NULL: search beside this
     * library and beside the program. */
    const char *library;
    /** Entries of `parameters` that may also be set during a run (ntunable). Only parameters that
     * do not change the initial state, such as stiffnesses, gains and loads. */
    const char *const *tunable;
    int ntunable;
    /** Receives the acceptance of the reduced model by its error (gos_reduction_accept_error), or
     * GOS_ACCEPTED; NULL: not needed. */
    gos_acceptance *acceptance;
} gos_fmu_options;

/** Write a model as a functional mock-up unit: a zip file with the description of its variables,
 * the model and its files, the library with its dependencies, and their licences. Variables are
 * the inputs of the model, the components of its probes (outputs) and the `parameters` that are
 * plain numbers; for model exchange also coordinates and rates. The model must be unchanged since
 * it was read, with control laws from files or designs (gos_model_read_controllers need not be
 * called). An existing file is replaced.
 * @return GOS_E_USE for an invalid option; GOS_E_INPUT with the reason if the model cannot be
 * exported (functions or control laws of the calling program; static analyses; for model exchange:
 * constraints, history variables, a singular mass matrix); GOS_E_FILE: libgossamer_fmu.so or a file
 * it needs is missing, or `path` cannot be written */
GOS_API gos_status gos_export_fmu(gos_ctx *ctx, gos_model *model, const gos_fmu_options *options,
                                  const char *path);
/** Write a linear model of fixed step as a unit of FMI 2 for co-simulation, of some tens of
 * kilobytes: matrices and a library that needs the C library only. Inputs and outputs are
 * differences from the operating point, inputs are held between communication points, which are
 * multiples of the step. library: as in gos_fmu_options. The other arguments and statuses are those
 * of gos_linear_write_c. */
GOS_API gos_status gos_linear_export_fmu(gos_ctx *ctx, const gos_linear *linear,
                                         const gos_step_options *options, const char *library,
                                         const char *path, gos_step_report *report);
/** True if the file was written by one of these functions. */
GOS_API bool gos_fmu_exists(const char *path);

#ifdef __cplusplus
}
#endif
#endif
