/* Gossamer: many runs of one model. SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_SWEEP_H
#define GOSSAMER_SWEEP_H

#include <stdint.h>

#include "gossamer/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A model that is run for all combinations of values of its parameters, or for draws of them, each
 * into a results file. */
typedef struct gos_sweep gos_sweep;
/** A sweep of a model with the settings that it has; the model may be changed or freed afterwards.
 * Free with gos_sweep_destroy. */
GOS_API gos_status gos_sweep_create(gos_ctx *ctx, const gos_model *model, gos_sweep **sweep);
/** Free; NULL is allowed. */
GOS_API void gos_sweep_destroy(gos_sweep *sweep);

/** Let an entry vary; NAME is as for gos_model_set. `text` is one of
 *    NAME=FROM:TO:NUMBER      2 <= NUMBER <= 100000 values at equal distances, both ends included
 *    NAME=FROM:TO:NUMBERlog   the same with equal ratios, FROM and TO > 0
 *    NAME=VALUE,VALUE,...     these, as they would be set; commas in brackets or quotes belong to a
 * value NAME=LAW:NUMBER:NUMBER   at random (gos_sweep_sample): uniform:FROM:TO, loguniform:FROM:TO
 * (of its logarithm), normal:MEAN:DEVIATION, lognormal:MEDIAN:DEVIATION (of its natural logarithm)
 *  @return GOS_E_INPUT, GOS_E_USE: it is none of these, varies already, or cannot be set to its
 * first value */
GOS_API gos_status gos_sweep_vary(gos_ctx *ctx, gos_sweep *sweep, const char *text);

typedef struct gos_sampling {
    int n;            // draws, at least 2
    uint64_t seed;    // the same seed, the same draws, on every machine
    bool independent; // each draw by itself (Monte Carlo); else Latin hypercubes: one draw in each
                      // n-th of every entry
} gos_sampling;
/** How often, and how, the entries that vary at random are drawn, all of them together; at each
 * point of the grid of the other entries the same draws. @return GOS_E_LIMIT: less than 2 or more
 * than 100000 draws */
GOS_API gos_status gos_sweep_sample(gos_ctx *ctx, gos_sweep *sweep, const gos_sampling *sampling);
/** Make the folder of the results (one that is there is taken) and list the runs, draws varying
 * fastest, then the last entry: FOLDER/001_n=8_L=1.2.h5, ... To be called once, when all that
 * varies has been given.
 *  @return GOS_E_FILE: no folder; GOS_E_LIMIT: more than 100000 runs; GOS_E_USE: nothing varies,
 * draws of nothing that is random or the other way round */
GOS_API gos_status gos_sweep_prepare(gos_ctx *ctx, gos_sweep *sweep, const char *folder);

typedef struct gos_sweep_options {
    int jobs;        // runs at a time, at least 1
    bool reduced;    // of reduced models, each chosen by itself (gos_reduce_auto)
    double until;    // [s], in the place of the end of the analysis; 0: not
    const char *rom; // file of gos_rom_save that all runs are reduced by, whose bodies must be
                     // those of it; NULL: none
    bool one_file; // results of all runs in FOLDER/members.h5: probes at output times. Some tens of
                   // runs are then made one after the other by one process and, reduced by `rom`,
                   // share factorised matrices
    bool resume; // of one file: parts that an interrupted sweep, of the same runs, has finished are
                 // not run again
} gos_sweep_options;
/** Do all runs that gos_sweep_prepare has listed. Each is made in a process of its own, a copy of
 * this one: one that fails, crashes or is killed for its memory takes nothing with it, and digits,
 * files and what is known of the runs depend neither on `jobs` nor on the order in which they end.
 * The wish to stop, through the progress function, is passed on; runs then keep what they have. No
 * other thread of the program may be in the library meanwhile.
 *  @return GOS_OK also when runs failed; GOS_E_INTERRUPTED */
GOS_API gos_status gos_sweep_run(gos_ctx *ctx, gos_sweep *sweep, const gos_sweep_options *options);

/** For programs that divide a sweep with results in one file among machines: the numbers, from 0
 * on, of its parts (of all, or with options->resume of those that are not in FOLDER/parts),
 * borrowed. Then each is done by a call of gos_sweep_run_part, in any process with a sweep made
 * alike, and gos_sweep_run with options->resume collects them, and does what is missing. A part is
 * the same whoever does it. @return GOS_E_USE: runs have not been listed */
GOS_API gos_status gos_sweep_parts(gos_ctx *ctx, gos_sweep *sweep, const gos_sweep_options *options,
                                   const int **part, int *n);
/** Do one part in this process. @return GOS_OK also when runs failed; GOS_E_USE: there is no such
 * part; GOS_E_INTERRUPTED, GOS_E_FILE */
GOS_API gos_status gos_sweep_run_part(gos_ctx *ctx, gos_sweep *sweep,
                                      const gos_sweep_options *options, int part);

/** What varies, and how many runs that makes (after gos_sweep_prepare). */
GOS_API int gos_sweep_nparameters(const gos_sweep *sweep);
GOS_API const char *gos_sweep_parameter(const gos_sweep *sweep, int k);
GOS_API int gos_sweep_nruns(const gos_sweep *sweep);

/** One run; all is borrowed from the sweep. */
typedef struct gos_sweep_result {
    const char *const *value; // of what varies, as texts (gos_sweep_nparameters)
    const char *path, *name;  // results file, and its last part (one_file: that of all runs)
    gos_status status;        // that it ended with
    const char *failure;      // why it did not come to its end; NULL: it did
    bool has_results;         // it wrote the file, which can be read
    gos_statistics statistics;
    double wall;            // time of its process [s]
    int nvalues;            // components of all probes
    const char *const *key; // their names, "tip.x" (nvalues)
    const double *probe;    // last, least and largest value of each (nvalues, 3); NAN: none
    long warnings;          // of a run whose results are in the file of all ...
    const char *warning;    // ... and the first of them; NULL: none
} gos_sweep_result;
/** Run i, 0 <= i < nruns. */
GOS_API void gos_sweep_result_get(const gos_sweep *sweep, int i, gos_sweep_result *result);

/** Points of the grid of what is not drawn; 0: nothing is (after gos_sweep_prepare). */
GOS_API int gos_sweep_nspreads(const gos_sweep *sweep);
/** How far the runs at point i of the grid spread, 0 <= i < nspreads (after gos_sweep_run). Arrays
 * stay the sweep's. Runs that failed are left out, which makes quantiles those of the rest: compare
 * nruns and nall.
 *  @return GOS_E_FILE: results cannot be read any more */
GOS_API gos_status gos_sweep_spread(gos_ctx *ctx, gos_sweep *sweep, int i, gos_spread *spread);

#ifdef __cplusplus
}
#endif
#endif
