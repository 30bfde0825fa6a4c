/* Gossamer: parameter sweeps. SPDX-License-Identifier: Apache-2.0
 *
 * Runs a model for combinations or random samples of parameters, in parallel processes, and
 * evaluates statistics of the results. */
#ifndef GOSSAMER_SWEEP_H
#define GOSSAMER_SWEEP_H

#include <stdint.h>

#include "gossamer/io.h"
#include "gossamer/reduce.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A model with parameters to vary on a grid or at random, each run with its own results. */
typedef struct gos_sweep gos_sweep;
/** Create a sweep of a model with its current settings; the model may be changed or freed
 * afterwards. Free with gos_sweep_destroy. */
GOS_API gos_status gos_sweep_create(gos_ctx *ctx, const gos_model *model, gos_sweep **sweep);
/** Free; NULL is allowed. */
GOS_API void gos_sweep_destroy(gos_sweep *sweep);

/** Vary an entry; NAME is as in gos_model_set. `text` is one of
 *     NAME=FROM:TO:NUMBER      2 <= NUMBER <= 100000 equidistant values, both ends included
 *     NAME=FROM:TO:NUMBERlog   the same with equal ratios, FROM and TO > 0
 *     NAME=VALUE,VALUE,...     a list; commas in brackets or quotes belong to a value
 *     NAME=LAW:NUMBER:NUMBER   random (gos_sweep_sample): uniform:FROM:TO, loguniform:FROM:TO (of
 *                              its logarithm), normal:MEAN:DEVIATION, lognormal:MEDIAN:DEVIATION
 *                              (of its natural logarithm)
 * @return GOS_E_INPUT, GOS_E_USE: invalid text, entry already varied, or its first value cannot be
 * set */
GOS_API gos_status gos_sweep_vary(gos_ctx *ctx, gos_sweep *sweep, const char *text);

typedef struct gos_sampling {
    int n;         // samples, at least 2
    uint64_t seed; // the same seed yields the same samples on every machine
    // independent samples (Monte Carlo); else Latin hypercube: for every random entry one sample in
    // each of n intervals of equal probability
    bool independent;
} gos_sampling;
/** Set the number and method of samples for all random entries together. Each point of the grid of
 * the other entries uses the same samples. @return GOS_E_LIMIT: fewer than 2 or more than 100000
 * samples */
GOS_API gos_status gos_sweep_sample(gos_ctx *ctx, gos_sweep *sweep, const gos_sampling *sampling);
/** Create the folder of the results (an existing one is used) and list the runs, samples varying
 * fastest, then the last entry: FOLDER/001_n=8_L=1.2.h5, ... Call once, after all entries.
 * @return GOS_E_FILE: no folder; GOS_E_LIMIT: more than 100000 runs; GOS_E_USE: no entry varies,
 * samples without random entries or random entries without samples */
GOS_API gos_status gos_sweep_prepare(gos_ctx *ctx, gos_sweep *sweep, const char *folder);

typedef struct gos_sweep_options {
    int jobs;     // concurrent runs, at least 1
    bool reduced; // run reduced models, each selected separately (gos_reduce_auto)
    double until; // end time instead of that of the analysis [s]; 0: none
    // file of gos_rom_save used to reduce all runs, whose bodies must match; NULL: none
    const char *rom;
    // store probes of all runs at output times in FOLDER/members.h5. A few dozen runs are then
    // performed consecutively by one process and, if reduced by `rom`, share factorised matrices
    bool one_file;
    // one_file: skip parts that an interrupted sweep of the same runs has finished
    bool resume;
} gos_sweep_options;
/** Run everything that gos_sweep_prepare has listed, each run in its own process forked from this
 * one. A run that fails, crashes or is killed for lack of memory does not affect others. Files and
 * results depend neither on `jobs` nor on the order of completion. Interruption by the progress
 * callback is passed on to the runs, which then keep their results so far. No other thread of the
 * program may use the library meanwhile.
 * @return GOS_OK even if runs failed; GOS_E_INTERRUPTED */
GOS_API gos_status gos_sweep_run(gos_ctx *ctx, gos_sweep *sweep, const gos_sweep_options *options);

/** For sweeps with results in one file that are distributed over machines: the indices, from 0, of
 * its parts (with options->resume only those missing in FOLDER/parts), borrowed. Each part is
 * computed by gos_sweep_run_part, in any process with an identically created sweep; gos_sweep_run
 * with options->resume then collects them and computes missing ones. A part is the same wherever
 * it is computed. @return GOS_E_USE: runs have not been listed */
GOS_API gos_status gos_sweep_parts(gos_ctx *ctx, gos_sweep *sweep, const gos_sweep_options *options,
                                   const int **part, int *n);
/** Compute one part in this process. @return GOS_OK even if runs failed; GOS_E_USE: no such part;
 * GOS_E_INTERRUPTED, GOS_E_FILE */
GOS_API gos_status gos_sweep_run_part(gos_ctx *ctx, gos_sweep *sweep,
                                      const gos_sweep_options *options, int part);

/** The varied entries and the number of runs (after gos_sweep_prepare). */
GOS_API int gos_sweep_nparameters(const gos_sweep *sweep);
GOS_API const char *gos_sweep_parameter(const gos_sweep *sweep, int k);
GOS_API int gos_sweep_nruns(const gos_sweep *sweep);

/** One run; all data are borrowed from the sweep. */
typedef struct gos_sweep_result {
    const char *const *value; // of the varied entries, as text (gos_sweep_nparameters)
    const char *path, *name;  // results file and its base name (one_file: the common file)
    gos_status status;        // final status
    const char *failure;      // why the run failed; NULL: complete
    bool has_results;         // the file exists and can be read
    gos_statistics statistics;
    double wall;            // wall time of its process [s]
    int nvalues;            // components of all probes
    const char *const *key; // their names, "tip.x" (nvalues)
    const double *probe;    // last, smallest and largest value of each (nvalues, 3); NAN: none
    long warnings;          // one_file: number of warnings of the run ...
    const char *warning;    // ... and the first one; NULL: none
    // of its reduced model, by the error alone; GOS_ACCEPTED for full models
    gos_acceptance acceptance;
} gos_sweep_result;
/** Run i, 0 <= i < nruns. */
GOS_API void gos_sweep_result_get(const gos_sweep *sweep, int i, gos_sweep_result *result);

/** Number of grid points of the entries that are not random; 0: no random entries (after
 * gos_sweep_prepare). */
GOS_API int gos_sweep_ndistributions(const gos_sweep *sweep);
/** Distribution of the results at grid point i, 0 <= i < nspreads (after gos_sweep_run). Arrays
 * belong to the sweep. Failed runs are omitted, so that quantiles refer to the completed ones:
 * compare nruns and nall.
 * @return GOS_E_FILE: results can no longer be read */
GOS_API gos_status gos_sweep_distribution(gos_ctx *ctx, gos_sweep *sweep, int i,
                                          gos_spread *spread);

#ifdef __cplusplus
}
#endif
#endif
