/* Gossamer: files. SPDX-License-Identifier: Apache-2.0
 *
 * Runs recorded in HDF5 results files and their continuation; stored reduced models, linear
 * models, frequency responses and controllers; reading and comparing results; export as VTK and
 * SID_FEM; pictures (SVG) and reports (HTML). */
#ifndef GOSSAMER_IO_H
#define GOSSAMER_IO_H

#include "gossamer/control.h"
#include "gossamer/linear.h"
#include "gossamer/reduce_linear.h"
#include "gossamer/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- outputs */

/** Purpose of a file. HDF5 files are written beside the one they replace, as PATH.gossamer.part,
 * and renamed when they are on the disk. */
typedef enum gos_output_kind {
    GOS_OUTPUT_RESULTS,    // gos_run
    GOS_OUTPUT_REDUCED,    // gos_rom_save, gos_linear_reduction_save
    GOS_OUTPUT_LINEAR,     // gos_linear_save
    GOS_OUTPUT_RESPONSE,   // gos_response_save
    GOS_OUTPUT_CONTROLLER, // gos_controller_save
    GOS_OUTPUT_MEMBERS     // gos_sweep_run, one_file
} gos_output_kind;

/** Check whether `path` may be written for this purpose: allowed if it does not exist, is empty, or
 * is a file that this program wrote for the same purpose and that no process is writing. The
 * writing functions call this themselves.
 * @return GOS_E_USE: no, with the reason; GOS_E_FILE: it cannot be inspected */
GOS_API gos_status gos_output_check(gos_ctx *ctx, const char *path, gos_output_kind kind);

/* ---- running */

/** Run the model's analysis from its initial state and record it in the HDF5 file `path` (NULL: no
 * file). The file is always readable up to its last flush. Interruption by the progress callback
 * returns GOS_E_INTERRUPTED; the file is then complete up to that time. `stats` may be NULL. */
GOS_API gos_status gos_run(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                           const char *path, gos_statistics *stats);

/** Continue the interrupted run in the results file `path` from the checkpoint `path`.checkpoint,
 * which is written as options.checkpoint_every specifies and when a run in time is interrupted or
 * fails. The final state and probes are bitwise identical to those of an uninterrupted run. Results
 * after the checkpoint are discarded first; the file is unchanged until the run continues. `sys`
 * must be compiled and reduced as for that run: see gos_resume_model.
 * @return GOS_E_USE: the run is complete or still active; GOS_E_INPUT: no matching checkpoint */
GOS_API gos_status gos_resume(gos_ctx *ctx, const gos_system *sys, const char *path,
                              gos_statistics *stats);
/** Model of an interrupted run with its settings, from its results and checkpoint. *reduced: the
 * run used the reduced model. Free with gos_model_destroy. */
GOS_API gos_status gos_resume_model(gos_ctx *ctx, const char *path, gos_model **model,
                                    bool *reduced);

/** Store the reduction of a system (method rotation_closed or auto), so that gos_rom_load recreates
 * the reduced model without selection and training. An existing file is replaced. */
GOS_API gos_status gos_rom_save(gos_ctx *ctx, const gos_system *reduced, const char *path);
/** Reduce `sys` as stored. Bodies, materials, sections and joints must equal those of the system
 * that was reduced; loads, heat, temperatures, initial values, probes and the analysis may differ.
 * `sys` must outlive the reduced model.
 * @return GOS_E_FILE: no such file, or damaged; GOS_E_INPUT: made from another model, with the
 * difference */
GOS_API gos_status gos_rom_load(gos_ctx *ctx, const gos_system *sys, const char *path,
                                gos_system **reduced);

/** True if the first bytes and the format are those of gos_rom_save. */
GOS_API bool gos_rom_exists(const char *path);
/** The model from which such a file was made, with its settings; tables are read from their
 * original paths. Free with gos_model_destroy. @return GOS_E_FILE: no such file, or damaged */
GOS_API gos_status gos_rom_model(gos_ctx *ctx, const char *path, gos_model **model);

/* ---- linear models in files */

/** Store a linear model with its names in an HDF5 file, to the last bit. An existing file is
 * replaced. */
GOS_API gos_status gos_linear_save(gos_ctx *ctx, const gos_linear *linear, const char *path);
/** As gos_linear_save, for a reduced linear model, with the method's name and the report as
 * attributes of /reduction. */
GOS_API gos_status gos_linear_reduction_save(gos_ctx *ctx, const gos_linear_reduction *reduction,
                                             const char *method, const char *path);
/** Read that report and name; false if the file or the report does not exist. */
GOS_API bool gos_linear_reduction_report_read(const char *path, gos_linear_reduction_report *report,
                                              char method[64]);
/** Write a linear model as a folder of Matrix Market files, one for each block (M.mtx, K.mtx,
 * Y_q.mtx, ...) with 17 digits, and model.csv with sizes, names and units. The folder is created;
 * an existing one must be empty or such a folder. */
GOS_API gos_status gos_linear_write_folder(gos_ctx *ctx, const gos_linear *linear,
                                           const char *path);
/** Write a linear model as a file of OUTPUT4 (Nastran) with the nonempty blocks M, D, K, C, B, YQ
 * ..., double precision, BIGMAT: binary, or text with 17 digits. Names, units and rigid motions are
 * not in it. An existing file is replaced. */
GOS_API gos_status gos_linear_write_output4(gos_ctx *ctx, const gos_linear *linear, bool text,
                                            const char *path);
/** Write M, D and K as DMIG cards of scalar points, 11 digits. @return GOS_E_USE for models with
 * constraints or without displacements */
GOS_API gos_status gos_linear_write_dmig(gos_ctx *ctx, const gos_linear *linear, const char *path);
/** Write a linear model as first-order equations (gos_linear_first_order): a folder with E.mtx,
 * A.mtx, B.mtx, C.mtx, D.mtx (if nonzero) and names.csv with names and units of inputs and
 * outputs, 17 digits. The folder is created; an existing one must be empty or such a folder. */
GOS_API gos_status gos_linear_write_state_space(gos_ctx *ctx, const gos_linear *linear,
                                                const char *path);

/* Models of fixed step, for real time. */
typedef struct gos_step_options {
    double step;        // [s]
    bool linear_inputs; // linear during a step; else held
    const char *name;   // of the model, letters, digits and _; NULL: the name of the folder
    const char *note;   // lines for the comment of the header, e.g. the operating point; NULL: none
    bool compare;       // gos_system_write_c: run the system and fill run_error
} gos_step_options;
typedef struct gos_step_report {
    int states, inputs, outputs;
    long products; // multiplications of a step with its outputs
    long bytes;    // of constants
    // step responses (linear inputs: responses to ramps) over 100 steps against half the step,
    // relative to the largest component of the same probe: rounding, since both are exact [-]
    double rounding;
    double one_percent; // frequency up to which sinusoidal inputs are reproduced within 1 % [Hz]
    // gos_system_write_c with `compare`: largest difference of an output from a run, relative to
    // the largest change of a component of the same probe [-]; its index, or -1, and name
    double run_error;
    int run_output;
    char run_output_name[128];
} gos_step_report;
/** GOS_OK if the equations of a system are linear, so that its linear model holds for any motion:
 * bodies of matrices with their inputs. @return GOS_E_INPUT, naming the first body, joint, load,
 * heat entry or controller that may be nonlinear */
GOS_API gos_status gos_system_check_linear(gos_ctx *ctx, const gos_system *sys);
/** Write a linear model as C99 source: FOLDER/NAME.h and FOLDER/NAME.c with the functions
 * NAME_start, NAME_output and NAME_step. No library is needed and no memory is allocated. Inputs
 * and outputs are differences from the operating point. The discretisation is exact for held, or
 * linear, inputs. The folder is created; existing files of these names are replaced only if
 * they were made by this function.
 * @return GOS_E_USE: invalid step or name, or other files are in the way; GOS_E_INPUT: no inputs,
 * outputs or states; GOS_E_LIMIT: more than 500 states; GOS_E_SINGULAR: singular mass or capacity
 * matrix */
GOS_API gos_status gos_linear_write_c(gos_ctx *ctx, const gos_linear *linear,
                                      const gos_step_options *options, const char *folder,
                                      gos_step_report *report);
/** Write a nonlinear system as such source, from a state. Its equations must be polynomials of at
 * most third degree: rigid bodies, joints, forces and moments, reduced bodies of type solid without
 * temperatures. Steps are linearly implicit, of second order, with held inputs. Inputs and outputs
 * are whole values. Probes that are no polynomials are left out with a warning.
 * @return as gos_linear_write_c; GOS_E_INPUT names the first part that is not a polynomial;
 * GOS_E_LIMIT: more than 300 coordinates and constraints */
GOS_API gos_status gos_system_write_c(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                      const gos_step_options *options, const char *folder,
                                      gos_step_report *report);
/** Read a linear model: an HDF5 file of gos_linear_save, a folder of gos_linear_write_folder, or a
 * folder of user-supplied Matrix Market files M, D, K, G, B, C, C_v, F or E, A, B, C, F
 * (gos_matrices; D.mtx beside A.mtx is used as F; names of inputs and outputs from names.csv if
 * present). */
GOS_API gos_status gos_linear_read(gos_ctx *ctx, const char *path, gos_linear **linear);
/** Store a frequency response (gos_linear_response) in an HDF5 file: /frequency [Hz] (n) and
 * /response (n, outputs, inputs, 2) with names and units. */
GOS_API gos_status gos_response_save(gos_ctx *ctx, const gos_linear *linear, int n,
                                     const double *omega, const double *H, const char *path);
/** True if the file was written by gos_response_save. */
GOS_API bool gos_response_exists(const char *path);

/** A frequency response read from such a file. */
typedef struct gos_response gos_response;
/** Sizes and range of a frequency response. */
typedef struct gos_response_info {
    int frequencies, inputs, outputs;
    double low, high; // lowest and highest frequency [Hz]
    double largest;   // largest magnitude, in units of its output per input
    // indices of its frequency, input and output
    int largest_at, largest_input, largest_output;
} gos_response_info;
/** Read the file of gos_response_save at `path`; free with gos_response_destroy.
 * @return GOS_E_FILE if it is another kind of file or damaged */
GOS_API gos_status gos_response_read(gos_ctx *ctx, const char *path, gos_response **response);
GOS_API void gos_response_info_get(const gos_response *response, gos_response_info *info);
/** Name and unit of an input or output; borrowed. */
GOS_API gos_port gos_response_input(const gos_response *response, int i);
GOS_API gos_port gos_response_output(const gos_response *response, int i);
/** Frequencies [Hz] (frequencies) and values (frequencies, outputs, inputs, 2), real and imaginary;
 * borrowed. */
GOS_API const double *gos_response_frequency(const gos_response *response);
GOS_API const double *gos_response_values(const gos_response *response);
/** Free; NULL is allowed. */
GOS_API void gos_response_destroy(gos_response *response);

/** True if `path` looks like a linear model, by the first bytes of the file or the names in the
 * folder. */
GOS_API bool gos_linear_exists(const char *path);

/* ---- reading a results file */

/** A results file opened for reading; it may still be written to by a run. */
typedef struct gos_results gos_results;
/** Open `path`. Only data stored before this call are visible. Free with gos_results_close.
 * @return GOS_E_FILE if it cannot be opened or is not a results file of this program */
GOS_API gos_status gos_results_open(gos_ctx *ctx, const char *path, gos_results **results);
/** Close and free borrowed arrays; NULL is allowed. */
GOS_API void gos_results_close(gos_results *results);

/** Contents of a results file; strings are borrowed from the results. */
typedef struct gos_results_info {
    const char *name;      // of the model
    const char *text;      // of the model, with settings
    const char *options;   // solver options, "key: value" lines
    const char *status;    // "complete", "interrupted", "failed: REASON", "running"
    const char *warnings;  // one per line
    const char *program;   // program and version
    const char *libraries; // versions of libraries
    bool complete;         // the run was completed
    bool marked;           // the file was not closed by its writer: killed or still running
    bool running;          // a process is still writing it
    long warning_count;
    gos_sizes sizes;
    gos_statistics statistics;
    int nprobes;
    long nrows;        // times at which probes are stored
    long nframes;      // times at which fields and balances are stored
    bool thermal;      // temperatures of nodes are stored
    long nevents;      // crossings of signal limits
    int nfields;       // nodal fields besides motion and temperature
    const char *units; // of all values, as gos_model_units
} gos_results_info;
GOS_API void gos_results_info_get(const gos_results *results, gos_results_info *info);

/** Probe i, 0 <= i < nprobes. Strings are borrowed from the results. */
GOS_API void gos_results_probe_info(const gos_results *results, int i, gos_probe_info *info);
/** Index of a probe with this name, or -1. */
GOS_API int gos_results_probe_find(const gos_results *results, const char *name);
/** Times of the probes (nrows); borrowed. */
GOS_API const double *gos_results_time(const gos_results *results);
/** Values and rates of probe i, each (nrows, ncomp); borrowed. `rate` may be NULL. */
GOS_API gos_status gos_results_probe(gos_results *results, int i, const double **value,
                                     const double **rate);
/* Probe values at the rows of a run, as received by a sink, with interpolation between them. Rows
 * with known rates, and rows next to them, use a polynomial through values and rates, of degree 7
 * inside. Without rates (reactions, energies, accelerations, temperatures) it has degree 5 and
 * uses the values of six rows. The location of a maximum is that of the nearest row. No polynomial
 * crosses a row at which something switches (gos_sink.start): the following step begins with its
 * own values. */
typedef struct gos_time_history {
    long n;                     // rows, >= 1
    const double *time;         // increasing (n) [s]
    int width, stride;          // values per row; distance between rows
    const double *value, *rate; // (n, stride); rate NULL: not stored
    bool known;                 // rates are derivatives of the values
    int nearest;                // values from this one on are those of the nearest row; 0: none
    long nstart;                // rows at which a step begins with its own values
    const long *start;          // their indices, increasing (nstart)
    int start_stride;
    // values at the start of the following step (nstart, start_stride)
    const double *start_value, *start_rate;
} gos_time_history;

/** Values y (width) at t. Outside the rows: those of the nearest end; at a stored time: the stored
 * ones. */
GOS_API void gos_time_history_at(const gos_time_history *c, double t, double *y);
/** Probe i at time t (ncomp), interpolated as in gos_time_history_at.
 * @return GOS_E_USE if t is outside the run */
GOS_API gos_status gos_results_probe_at(gos_results *results, int i, double t, double *value);

/** Crossing i of a signal limit, 0 <= i < nevents, and the name of its event; borrowed. */
GOS_API const char *gos_results_event(const gos_results *results, long i, gos_event *event);

/** Nodes and cells; borrowed. */
GOS_API void gos_results_mesh(const gos_results *results, gos_mesh_info *mesh);
/** Times of the fields (nframes); borrowed. */
GOS_API const double *gos_results_frame_times(const gos_results *results);
/** Fields at output time k: displacement, position [m], velocity [m/s] (nnodes, 3), temperature [K
 * above reference] and its rate [K/s] (nnodes); each may be NULL. Without temperatures in the run
 * they are 0. */
typedef struct gos_node_fields {
    double *position, *displacement, *velocity;
    double *temperature, *temperature_rate;
} gos_node_fields;
GOS_API gos_status gos_results_frame(gos_results *results, long k, const gos_node_fields *fields);
/** Nodal field i, 0 <= i < nfields: stresses, strains. Strings are borrowed from the results. */
GOS_API void gos_results_field_info(const gos_results *results, int i, gos_field_info *info);
/** Its values at output time k (nnodes, ncomp); NaN where a body has none. */
GOS_API gos_status gos_results_field(gos_results *results, int i, long k, double *value);
/** Energy and heat balance at output time k. */
GOS_API gos_status gos_results_balance(gos_results *results, long k, gos_energy *energy,
                                       gos_heat *heat);

/** Clear the open flag in the file of a killed run, so that other programs can read it. *repaired:
 * true if the flag was set. Rejected (GOS_E_USE) while a process is writing the file. */
GOS_API gos_status gos_results_repair(gos_ctx *ctx, const char *path, bool *repaired);

/** Write nodes, cells and fields of a run at time t, interpolated by cubic Hermite polynomials
 * between output times, as a VTK XML unstructured grid (.vtu, text): point data displacement,
 * velocity, temperature and its rate, stresses and strains if stored (linear between output
 * times), cell data body. An existing file is replaced. @return GOS_E_USE if t is outside the
 * run */
GOS_API gos_status gos_results_write_vtu(gos_ctx *ctx, gos_results *results, double t,
                                         const char *path);
/** As gos_results_write_vtu, for a system at a state. With its linear model at that state (NULL:
 * none), adds its n lowest undamped modes as point vectors "mode 1: 8.3 Hz", ..., with X^T M X =
 * 1, and its n slowest temperature fields, "temperature field 1: 0.02 1/s", X^T C_T X = 1, each
 * with its static deformation, "deformation by temperature field 1", unless there are rigid modes.
 * @return as gos_linear_shapes and gos_linear_thermal_modes */
GOS_API gos_status gos_system_write_vtu(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                        const gos_linear *linear, int n, const char *path);

#define GOS_SID_MADE "made by gossamer" // first line of files of gos_system_write_sid
/** Write a flexible body in a floating frame as standard input data (SID_FEM, docs/sid.md): a text
 * format for multibody programs and for the body type `sid`. The modal amplitudes refer to modes
 * with X^T M X = 1. Warnings list what the format cannot represent: temperatures, electrodes.
 * @param body     its name; NULL: the only floating body
 * @param nmodes   number of lowest modes; 0: all, which keeps the complete motion
 * @param locations   (nlocations) attachment points, "end", "node(3)", which become nodes 1, 2, ...
 * of the file; NULL: all nodes of the body
 * @return GOS_E_USE for bodies that do not float, points that are not nodes, more than 500 modes;
 * GOS_E_FILE */
GOS_API gos_status gos_system_write_sid(gos_ctx *ctx, const gos_system *sys, const char *body,
                                        int nmodes, int nlocations, const char *const *locations,
                                        const char *path);

/* ---- comparing two runs */

/** Difference of one field between a run and the reference, at times of the reference covered by
 * both. */
typedef struct gos_field_error {
    double max;      // largest e(t), e: RMS over nodes of the distance
    double max_time; // time of it [s]
    double rms;      // RMS over time of e
    double worst;    // largest distance at any node and time
    int worst_node;
    double worst_time; // [s]
    double scale;      // divisor for relative errors: extent or temperature range
} gos_field_error;

/** Difference of one probe component from the reference; component -1: length of the vector
 * difference. */
typedef struct gos_probe_error {
    const char *name, *component; // component NULL for a whole vector; borrowed from A
    char unit[32];                // SI, of the component
    double max, max_time, rms;
    double scale; // extent for positions and displacements, else range of the reference
    // (ntimes) time history: largest difference since the previous output time
    const double *history;
} gos_probe_error;

typedef struct gos_comparison {
    bool same_mesh; // if not, only probes are compared
    bool thermal;   // temperatures are compared
    gos_field_error position, temperature;
    int nprobes;             // entries of probe (one per vector, else one per component)
    gos_probe_error *probe;  // owned by the comparison
    double from, to;         // times compared [s]
    double time_a, time_b;   // wall time of the two solutions without setup and output [s]
    double setup_a, setup_b; // wall time of setup [s]
    // output times of A covered by both runs; owned, as are the following arrays
    int ntimes;
    double *times;               // (ntimes) [s]
    double *position_history;    // (ntimes) e(t) [m], if the meshes are the same; else NULL
    double *temperature_history; // (ntimes) e(t) [K], if temperatures are compared; else NULL
} gos_comparison;

/** Compare run `b` with the reference `a` at the times stored in `a`; `b` is interpolated by cubic
 * Hermite polynomials. Probes are matched by name. Free with gos_comparison_free. */
GOS_API gos_status gos_compare(gos_ctx *ctx, gos_results *a, gos_results *b,
                               gos_comparison *comparison);
GOS_API void gos_comparison_free(gos_ctx *ctx, gos_comparison *comparison);
/** Largest relative error: of fields for the same mesh, else of probes. NaN counts as infinite. */
GOS_API double gos_comparison_worst(const gos_comparison *comparison);
/** Plot relative differences of positions, temperatures and probes over time as SVG, on a
 * logarithmic axis of six decades; at most eight probes, those with the largest differences.
 * @return GOS_E_USE: no output time in both runs, or no quantity has a scale */
GOS_API gos_status gos_comparison_picture(gos_ctx *ctx, const gos_comparison *comparison,
                                          FILE *out);

/* ---- pictures */

/** Draw a run as SVG: paths of position probes and deformed shapes at several times, coloured by
 * temperature if present. `other` (may be NULL), a run of the same model, is superimposed. */
GOS_API gos_status gos_picture(gos_ctx *ctx, gos_results *results, gos_results *other, FILE *out);

/** Draw the patches of a design, from a file of gos_controller_save, as SVG: upper and lower faces
 * coloured by the norms of their rows of the gain; active ones have a border. @return GOS_E_USE:
 * the design has no patches; GOS_E_FILE */
GOS_API gos_status gos_controller_picture(gos_ctx *ctx, const char *path, FILE *out);

/* ---- controllers */

/** As gos_design_model, with additional data for reports: time histories after the disturbance
 * (gos_design_histories), the lowest modes, and the patches of its inputs. @return as
 * gos_design_model */
GOS_API gos_status gos_design_show(gos_ctx *ctx, gos_model *model, const char *name,
                                   gos_design **design);
/** Store a design: its law and all results. An existing controller file is replaced. */
GOS_API gos_status gos_controller_save(gos_ctx *ctx, const gos_design *design, const char *path);
/** Read a design stored by gos_controller_save; free with gos_design_destroy.
 * @return GOS_E_FILE: no such file, of another version, or damaged */
GOS_API gos_status gos_controller_read(gos_ctx *ctx, const char *path, gos_design **design);
/** Set the laws of controllers of type `designed`, as gos_model_control_law does: from their `file`
 * (path relative to the model's folder) or their `design`, which is computed now. Controllers with
 * a law keep it. Call before gos_system_create; the program does so for every model.
 * @return GOS_E_INPUT: missing file, or a design without signals; as gos_controller_read and
 * gos_design_model */
GOS_API gos_status gos_model_read_controllers(gos_ctx *ctx, gos_model *model);
/** Let the only controller of type `designed` use this file instead of its own entry. Call before
 * gos_model_read_controllers. @return GOS_E_INPUT: no such controller, or several; as
 * gos_controller_read */
GOS_API gos_status gos_model_use_controller(gos_ctx *ctx, gos_model *model, const char *path);
/** True if the file has the format of gos_controller_save. */
GOS_API bool gos_controller_exists(const char *path);

/* ---- reports */

/** A run in a report; strings must remain valid during the call. */
typedef struct gos_report_run {
    const char *path;         // results file; NULL: no results
    const char *const *value; // of each parameter, as text (nparameters)
    const char *failure;      // why the run failed; NULL: complete
    double wall;              // wall time of the whole process [s]; NAN: unknown
} gos_report_run;

/* Statistics of a set of values in gos_spread. Quantiles are interpolated linearly between sorted
 * values: of n values the k-th, from 0, is the quantile k / (n - 1). */
enum {
    GOS_SPREAD_MEAN,
    GOS_SPREAD_DEVIATION, // standard deviation (divisor n - 1)
    GOS_SPREAD_Q05,
    GOS_SPREAD_Q25,
    GOS_SPREAD_Q50,
    GOS_SPREAD_Q75,
    GOS_SPREAD_Q95,
    GOS_SPREAD_COLUMNS
};

typedef struct gos_spread_curve {
    const char *probe, *component, *quantity, *unit;
} gos_spread_curve;

/** Distribution of the results of completed runs with random parameters; borrowed from their
 * sweep. */
typedef struct gos_spread {
    const char *const *value; // of each parameter (nparameters), NULL if random
    int nruns;                // number of completed runs out of nall
    int nall;
    int ntimes, ncurves;           // number of components of all probes
    const double *time;            // equally spaced over the common time of all runs (ntimes) [s]
    const gos_spread_curve *curve; // (ncurves)
    const double *v;               // over time (ncurves, ntimes, GOS_SPREAD_COLUMNS)
    // of the last, least and largest value of each run (ncurves, 3, GOS_SPREAD_COLUMNS)
    const double *extreme;
} gos_spread;

typedef struct gos_report_content {
    // (nruns); without parameters the first one is the reference
    const gos_report_run *run;
    int nruns;
    // names of the parameters (nparameters); the runs then form one family
    const char *const *parameter;
    int nparameters;
    const gos_spread *spread; // for runs with random parameters (nspreads)
    int nspreads;
    const char *title; // NULL: the name of the model
} gos_report_content;

/** Write one self-contained HTML page about runs of one model: numbers, plots of probes and
 * balances, errors and times relative to the first run, shapes and an animation. With parameters:
 * families of curves and results as functions of the parameters; with spreads: bands of quantiles
 * over time. The size of the page is bounded for any size of the runs.
 * @return GOS_E_FILE if a results file cannot be read or `out` cannot be written */
GOS_API gos_status gos_report(gos_ctx *ctx, const gos_report_content *content, FILE *out);

/** Write one self-contained HTML page with a full-screen animation of the run in the results file
 * `path`: all nodes (at most 150 000), up to 400 output times, at most 5 10^6 node positions.
 * `against` (may be NULL) is another run of the same mesh: the first can then be coloured by the
 * distance of each node, up to the largest value of gos_compare.
 * @return GOS_E_FILE: not a results file, or `out` cannot be written; GOS_E_USE: nothing to draw,
 * or the meshes differ */
GOS_API gos_status gos_view_page(gos_ctx *ctx, const char *path, const char *against, FILE *out);

/** As gos_view_page, for a system at a state: animations of its n lowest undamped modes and n
 * slowest temperature fields, computed by its linear model at that state.
 * @return as gos_system_write_vtu; GOS_E_USE: no nodes or no modes */
GOS_API gos_status gos_view_modes(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                  const gos_linear *linear, int n, FILE *out);

/** Write one self-contained HTML page about n >= 1 frequency responses in files of
 * gos_response_save: magnitude and phase for each pair of output and input; curves of the other
 * files are matched to those of the first by names. @return GOS_E_FILE as gos_report */
GOS_API gos_status gos_response_report(gos_ctx *ctx, const char *const *path, int n, FILE *out);

/** Write one self-contained HTML page about the design in a file of gos_controller_save: margins,
 * poles, inputs, plant errors and, for designs of gos_design_show, time histories, modes and a map
 * of patches. @return GOS_E_FILE as gos_report */
GOS_API gos_status gos_controller_report(gos_ctx *ctx, const char *path, FILE *out);

/** Write one self-contained HTML page about a stored model: a file of gos_rom_save (sizes,
 * reduction and its error, frequencies, pictures of modes) or a linear model accepted by
 * gos_linear_read (the same without pictures; inputs and outputs).
 * @return as gos_rom_load, gos_linear_read, gos_report */
GOS_API gos_status gos_model_report(gos_ctx *ctx, const char *path, FILE *out);

/** Print the versions of the program and of the libraries in use, one per line. */
GOS_API void gos_versions(FILE *out);

#ifdef __cplusplus
}
#endif
#endif
