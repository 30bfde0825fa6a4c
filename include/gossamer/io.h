/* Gossamer: runs into results files, reading and comparing them. SPDX-License-Identifier:
 * Apache-2.0 */
#ifndef GOSSAMER_IO_H
#define GOSSAMER_IO_H

#include "gossamer/control.h"
#include "gossamer/linear.h"
#include "gossamer/reduce_linear.h"
#include "gossamer/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- outputs
 * -------------------------------------------------------------------------------------- */

/** What a file is made for. All HDF5 files are made beside the one that they replace, under the
 * name PATH.gossamer.part, and take its place when they are on the disk. */
typedef enum gos_output_kind {
    GOS_OUTPUT_RESULTS,    // gos_run
    GOS_OUTPUT_REDUCED,    // gos_rom_save, gos_linear_reduction_save
    GOS_OUTPUT_LINEAR,     // gos_linear_save
    GOS_OUTPUT_RESPONSE,   // gos_response_save
    GOS_OUTPUT_CONTROLLER, // gos_controller_save
    GOS_OUTPUT_MEMBERS     // gos_sweep_run, one_file
} gos_output_kind;

/** May `path` become such a file: is nothing there, an empty file, or one that this program has
 * made for the same and nobody is writing? The functions that write ask this themselves.
 *  @return GOS_E_USE: no, saying why; GOS_E_FILE: it cannot be looked at */
GOS_API gos_status gos_output_check(gos_ctx *ctx, const char *path, gos_output_kind kind);

/* ---- running
 * -------------------------------------------------------------------------------------- */

/** Run the model's analysis from its initial state and record it into the HDF5 file `path` (NULL:
 * no file). Output stays readable up to its last flush whatever happens. An interruption through
 * the progress callback gives GOS_E_INTERRUPTED with the file complete up to there. `stats` may be
 * NULL. */
GOS_API gos_status gos_run(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                           const char *path, gos_statistics *stats);

/** Continue the run in the results file `path`, which was interrupted, from the checkpoint beside
 * it
 *  (`path`.checkpoint; it is written as options.checkpoint_every says, and when a run in time is
 *  interrupted or fails). State and probes end with the same bits as without the interruption. What
 * the file holds beyond the checkpoint is dropped first; until the run goes on the file stays as it
 * was. `sys` must be compiled and, where it was, reduced as for that run: see gos_resume_model.
 *  @return GOS_E_USE: the run is complete, or going on; GOS_E_INPUT: no checkpoint that fits */
GOS_API gos_status gos_resume(gos_ctx *ctx, const gos_system *sys, const char *path,
                              gos_statistics *stats);
/** The model of an interrupted run with its settings, from its results and checkpoint. *reduced:
 * the run was one of the reduced model. Free with gos_model_destroy. */
GOS_API gos_status gos_resume_model(gos_ctx *ctx, const char *path, gos_model **model,
                                    bool *reduced);

/** Store how a system was reduced (method rotation_closed or auto), so that gos_rom_load makes the
 * same reduced model without choosing and training. A file that is there is replaced. */
GOS_API gos_status gos_rom_save(gos_ctx *ctx, const gos_system *reduced, const char *path);
/** Reduce `sys` as it was stored. Bodies, materials, sections and joints must be those of the
 * system that was reduced; loads, heat, temperatures, initial values, probes and the analysis may
 * be others. `sys` must outlive the reduced model.
 *  @return GOS_E_FILE: not such a file, or damaged; GOS_E_INPUT: of another model, saying in
 * what */
GOS_API gos_status gos_rom_load(gos_ctx *ctx, const gos_system *sys, const char *path,
                                gos_system **reduced);

/** Is this a file of gos_rom_save, by its first bytes and format? */
GOS_API bool gos_rom_is_there(const char *path);
/** The model that such a file was made of, with its settings; tables are looked for where they
 * were. Free with gos_model_destroy. @return GOS_E_FILE: not such a file, or damaged */
GOS_API gos_status gos_rom_model(gos_ctx *ctx, const char *path, gos_model **model);

/* ---- linear models in files
 * ------------------------------------------------------------------------- */

/** Store a linear model with its names in an HDF5 file, to the last bit. What is there is
 * replaced. */
GOS_API gos_status gos_linear_save(gos_ctx *ctx, const gos_linear *linear, const char *path);
/** The same of a reduced linear model, with the method's name and the report as attributes of
 * /reduction. */
GOS_API gos_status gos_linear_reduction_save(gos_ctx *ctx, const gos_linear_reduction *reduction,
                                             const char *method, const char *path);
/** That report and name; false when there is no such file, or no report in it. */
GOS_API bool gos_linear_reduction_report_read(const char *path, gos_linear_reduction_report *report,
                                              char method[64]);
/** Write a linear model as a folder of Matrix Market files, one a block (M.mtx, K.mtx, Y_q.mtx,
 * ...) with 17 digits, and model.csv with sizes, names and units. The folder is made; one that is
 * there must be empty or such a folder. */
GOS_API gos_status gos_linear_write_folder(gos_ctx *ctx, const gos_linear *linear,
                                           const char *path);
/** Write a linear model as equations of first order (gos_linear_first_order): a folder with E.mtx,
 * A.mtx, B.mtx, C.mtx, D.mtx (when not zero) and names.csv with names and units of inputs and
 * outputs, 17 digits. The folder is made; one that is there must be empty or such a folder. */
GOS_API gos_status gos_linear_write_state_space(gos_ctx *ctx, const gos_linear *linear,
                                                const char *path);
/** Read a linear model: an HDF5 file of gos_linear_save, a folder of gos_linear_write_folder, or a
 * folder of anybody's Matrix Market files M, D, K, G, B, C, C_v, F or E, A, B, C, F (gos_matrices;
 * D.mtx beside A.mtx is taken for F; names of inputs and outputs from names.csv when it is
 * there). */
GOS_API gos_status gos_linear_read(gos_ctx *ctx, const char *path, gos_linear **linear);
/** Store a frequency response (gos_linear_response) in an HDF5 file: /frequency [Hz] (n) and
 * /response (n, outputs, inputs, 2) with names and units. */
GOS_API gos_status gos_response_save(gos_ctx *ctx, const gos_linear *linear, int n,
                                     const double *omega, const double *H, const char *path);
/** Is this a file of gos_response_save? */
GOS_API bool gos_response_is_there(const char *path);

/** Such a file, read. */
typedef struct gos_response gos_response;
/** Its sizes, and what it covers. */
typedef struct gos_response_info {
    int frequencies, inputs, outputs;
    double low, high; // least and largest frequency [Hz]
    double largest;   // magnitude, in the unit of its output by that of its input
    int largest_at, largest_input,
        largest_output; // where: numbers of the frequency, input and output
} gos_response_info;
/** Read the file of gos_response_save at `path`; free with gos_response_destroy.
 *  @return GOS_E_FILE when it is none, or damaged */
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

/** Is this path such a file or folder, by its first bytes and names? */
GOS_API bool gos_linear_is_there(const char *path);

/* ---- reading a results file
 * -------------------------------------------------------------------------- */

/** A results file opened for reading (also one that is still being written). */
typedef struct gos_results gos_results;
/** Open `path`. What was stored when it was opened is what is seen. Free with gos_results_close.
 *  @return GOS_E_FILE when it cannot be opened or is not a results file of this program. */
GOS_API gos_status gos_results_open(gos_ctx *ctx, const char *path, gos_results **results);
/** Close; NULL is allowed. Borrowed arrays end here. */
GOS_API void gos_results_close(gos_results *results);

/** What a results file says about its run; strings are borrowed from the results. */
typedef struct gos_results_info {
    const char *name;      // of the model
    const char *text;      // of the model, with settings
    const char *options;   // how it was solved, "key: value" lines
    const char *status;    // "complete", "interrupted", "failed: REASON", "running"
    const char *warnings;  // one a line
    const char *program;   // program and version
    const char *libraries; // versions of libraries
    bool complete;         // the run came to its end
    bool marked;           // the writer has not closed the file: killed, or still running
    bool running;          // a process is still writing it
    long warning_count;
    gos_sizes sizes;
    gos_statistics statistics;
    int nprobes;
    long nrows;   // times at which probes are stored
    long nframes; // times at which fields and balances are stored
    bool thermal; // temperatures of nodes are stored
    long nevents; // limits of signals that were passed
    int nfields;  // fields of nodes besides motion and temperature
} gos_results_info;
GOS_API void gos_results_info_get(const gos_results *results, gos_results_info *info);

/** Probe i, 0 <= i < nprobes. Strings are borrowed from the results. */
GOS_API void gos_results_probe_info(const gos_results *results, int i, gos_probe_info *info);
/** Number of the probe with this name, or -1. */
GOS_API int gos_results_probe_find(const gos_results *results, const char *name);
/** Times of the probes (nrows); borrowed. */
GOS_API const double *gos_results_time(const gos_results *results);
/** Values and rates of probe i, each (nrows, ncomp); borrowed. `rate` may be NULL. */
GOS_API gos_status gos_results_probe(gos_results *results, int i, const double **value,
                                     const double **rate);
/* Values of probes at the rows of a run, as a sink gets them, between which they are interpolated.
   Rows of known rates, and those beside them, make a polynomial by values and rates, of degree 7
   inside; without rates (reactions, energies, accelerations, temperatures) it is one of degree 5 by
   the values of six rows. None crosses a row at which something switches (gos_sink.start): the step
   behind it begins with values of its own. */
typedef struct gos_time_history {
    long n;                     // rows, >= 1
    const double *time;         // increasing (n) [s]
    int width, stride;          // values a row; from one row to the next
    const double *value, *rate; // (n, stride); rate NULL: not stored
    bool known;                 // rates are those of the quantity
    long nstart;                // rows at which a step begins with values of its own
    const long *start;          // their numbers, increasing (nstart)
    int start_stride;
    const double *start_value, *start_rate; // as the step behind sees them (nstart, start_stride)
} gos_time_history;

/** Values y (width) at t; outside the rows those of the nearest end, at a stored time the stored
 * ones. */
GOS_API void gos_time_history_at(const gos_time_history *c, double t, double *y);
/** Probe i at time t (ncomp), between rows as gos_time_history_at.
 *  @return GOS_E_USE when t lies outside the run. */
GOS_API gos_status gos_results_probe_at(gos_results *results, int i, double t, double *value);

/** The limit that was passed i-th, 0 <= i < nevents, and the name of its event; borrowed. */
GOS_API const char *gos_results_event(const gos_results *results, long i, gos_event *event);

/** Nodes and cells; borrowed. */
GOS_API void gos_results_mesh(const gos_results *results, gos_mesh_info *mesh);
/** Times of the fields (nframes); borrowed. */
GOS_API const double *gos_results_frame_times(const gos_results *results);
/** Fields at output time k: displacement, position [m], velocity [m/s] (nnodes, 3), temperature [K
 * above reference] and its rate [K/s] (nnodes); each may be NULL. Not thermal: temperatures are
 * 0. */
typedef struct gos_node_fields {
    double *position, *displacement, *velocity;
    double *temperature, *temperature_rate;
} gos_node_fields;
GOS_API gos_status gos_results_frame(gos_results *results, long k, const gos_node_fields *fields);
/** Field i of nodes, 0 <= i < nfields: stresses, strains. Strings are borrowed from the results. */
GOS_API void gos_results_field_info(const gos_results *results, int i, gos_field_info *info);
/** Its values at output time k (nnodes, ncomp); not a number where a body has none. */
GOS_API gos_status gos_results_field(gos_results *results, int i, long k, double *value);
/** Energy and heat balance at output time k. */
GOS_API gos_status gos_results_balance(gos_results *results, long k, gos_energy *energy,
                                       gos_heat *heat);

/** Make the file of a killed run readable for other programs: clear its open mark. *repaired tells
 *  whether that was needed. Refused (GOS_E_USE) while a process is still writing it. */
GOS_API gos_status gos_results_repair(gos_ctx *ctx, const char *path, bool *repaired);

/** Write nodes, cells and fields of a run at time t, between output times by cubic Hermite
 * interpolation, as an unstructured grid in VTK's XML (.vtu, text): point data displacement,
 * velocity, temperature and its rate, stresses and strains where they were stored (linear between
 * output times), cell data body. What is there is replaced. @return GOS_E_USE when t lies outside
 * the run */
GOS_API gos_status gos_results_write_vtu(gos_ctx *ctx, gos_results *results, double t,
                                         const char *path);
/** The same of a system at a state, with its n lowest undamped modes by its linear model there
 * (NULL: none) as point vectors "mode 1: 8.3 Hz", ..., with X^T M X = 1, and its n slowest
 * temperature fields, "temperature field 1: 0.02 1/s", X^T C_T X = 1, each with the deformation in
 * which the structure rests under it, "deformation by temperature field 1", where none of the modes
 * is rigid. @return as gos_linear_shapes and gos_linear_thermal_modes */
GOS_API gos_status gos_system_write_vtu(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                        const gos_linear *linear, int n, const char *path);

#define GOS_SID_MADE "made by gossamer" // in the first line of files of the next function
/** Write a flexible body in a floating frame as standard input data (SID_FEM, docs/sid.md): text
 * that programs for multibody systems read, and the body type `sid`. Its amplitudes are those of
 * its modes with X^T M X = 1. Warnings tell what such files do not hold: temperatures, electrodes.
 *  @param body     its name; NULL: the only one that floats
 *  @param nmodes   the lowest so many modes; 0: all, so that nothing of the motion is lost
 *  @param places   (nplaces) places of the body, "end", "node(3)", which become nodes 1, 2, ... of
 * the file; NULL: all its nodes
 *  @return GOS_E_USE for bodies that do not float, places that are no nodes, more than 500 modes;
 * GOS_E_FILE */
GOS_API gos_status gos_system_write_sid(gos_ctx *ctx, const gos_system *sys, const char *body,
                                        int nmodes, int nplaces, const char *const *places,
                                        const char *path);

/* ---- comparing two runs
 * --------------------------------------------------------------------------------- */

/** How far one field of a run is from the reference's. Times are the reference's, within both
 * runs. */
typedef struct gos_field_error {
    double max;      // largest e(t), e = RMS over nodes of the distance
    double max_time; // when [s]
    double rms;      // RMS over time of e
    double worst;    // largest distance of any node at any time
    int worst_node;
    double worst_time; // [s]
    double scale;      // what relative errors are divided by: extent, temperature range
} gos_field_error;

/** How far one probe component is from the reference's; component -1: length of a vector's
 * difference. */
typedef struct gos_probe_error {
    const char *name, *component; // component NULL for a whole vector; borrowed from A
    char unit[32];                // SI, of the component
    double max, max_time, rms;
    double scale;         // extent for positions and displacements, else the reference's range
    const double *course; // (ntimes) over time: largest since the output time before
} gos_probe_error;

typedef struct gos_comparison {
    bool same_mesh; // else only probes are compared
    bool thermal;   // temperatures are compared
    gos_field_error position, temperature;
    int nprobes;             // entries of probe (one a vector, else one a component)
    gos_probe_error *probe;  // owned by the comparison
    double from, to;         // times compared [s]
    double time_a, time_b;   // wall time of the two solutions, without set-up and output [s]
    double setup_a, setup_b; // wall time of preparing [s]
    int ntimes; // output times of A that both runs cover, for all that is over time; owned, as what
                // follows
    double *times;              // (ntimes) [s]
    double *position_course;    // (ntimes) e(t) [m], where the meshes are the same; else NULL
    double *temperature_course; // (ntimes) e(t) [K], where temperatures are compared; else NULL
} gos_comparison;

/** Compare run `b` with the reference `a`, at the times stored in `a`, by cubic Hermite
 * interpolation of `b`. Probes are matched by name. Free with gos_comparison_free. */
GOS_API gos_status gos_compare(gos_ctx *ctx, gos_results *a, gos_results *b,
                               gos_comparison *comparison);
GOS_API void gos_comparison_free(gos_ctx *ctx, gos_comparison *comparison);
/** The largest relative error: of fields for the same mesh, of probes otherwise. NaN counts as
 *  infinite. */
GOS_API double gos_comparison_worst(const gos_comparison *comparison);
/** Draw relative differences over time as SVG: of positions, temperatures and probes, on a
 * logarithmic axis of six decades. At most eight probes, those with the largest ones. @return
 * GOS_E_USE: no output time is in both runs, or nothing has a scale */
GOS_API gos_status gos_comparison_picture(gos_ctx *ctx, const gos_comparison *comparison,
                                          FILE *out);

/* ---- pictures
 * -------------------------------------------------------------------------------------------- */

/** Draw a run as SVG: paths of position probes and deformed shapes at several times, coloured by
 *  temperature when there is one. `other` (may be NULL), a run of the same model, is laid over
 * it. */
GOS_API gos_status gos_picture(gos_ctx *ctx, gos_results *results, gos_results *other, FILE *out);

/** Draw where the patches of a design lie, from a file of gos_controller_save, as SVG: upper and
 * lower faces coloured by the norms of their rows of the gain, those that drive with a border.
 * @return GOS_E_USE: it has none that could be drawn; GOS_E_FILE */
GOS_API gos_status gos_controller_picture(gos_ctx *ctx, const char *path, FILE *out);

/* ---- controllers
 * -------------------------------------------------------------------------------------- */

/** As gos_design_model, with what a report shows beside: courses under the disturbance
 * (gos_design_courses), the lowest modes, and patches of its inputs on the bodies. @return as
 * gos_design_model */
GOS_API gos_status gos_design_show(gos_ctx *ctx, gos_model *model, const char *name,
                                   gos_design **design);
/** Store a design: its law, and all that is told of it. A controller file that is there is
 * replaced. */
GOS_API gos_status gos_controller_save(gos_ctx *ctx, const gos_design *design, const char *path);
/** A design as gos_controller_save has stored it; free with gos_design_destroy.
 *  @return GOS_E_FILE: not such a file, of another version, or damaged */
GOS_API gos_status gos_controller_read(gos_ctx *ctx, const char *path, gos_design **design);
/** Give the controllers of type `designed` their laws, as gos_model_control_law does: from the
 * `file` that they name, looked for below the model's folder, or by their `design`, which is made
 * now. Those that have a law keep it. To be called before gos_system_create; the program does it
 * for every model.
 *  @return GOS_E_INPUT: a file that is not there, or a design without signals; as
 * gos_controller_read and gos_design_model */
GOS_API gos_status gos_model_read_controllers(gos_ctx *ctx, gos_model *model);
/** Let the one controller of type `designed` that the model has use this file in the place of what
 * it names; to be called before that. @return GOS_E_INPUT: it has none or several; as
 * gos_controller_read */
GOS_API gos_status gos_model_use_controller(gos_ctx *ctx, gos_model *model, const char *path);
/** Is this a file of gos_controller_save, by its format? */
GOS_API bool gos_controller_is_there(const char *path);

/* ---- reports
 * --------------------------------------------------------------------------------------------- */

/** A run of a report; strings are borrowed during the call. */
typedef struct gos_report_run {
    const char *path;         // results file; NULL: there are no results
    const char *const *value; // of each parameter, as text (nparameters)
    const char *failure;      // why the run did not come to its end; NULL: it did
    double wall;              // wall time of the whole process [s]; NAN: unknown
} gos_report_run;

/* What gos_spread has of a population of numbers. Quantiles lie between the sorted values,
   linearly: of n values the k-th, from 0 on, has the share k / (n - 1) below it. */
enum {
    GOS_SPREAD_MEAN,
    GOS_SPREAD_DEVIATION, // standard deviation (of n - 1)
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

/** How far runs spread whose parameters are drawn, of all that came to their end; borrowed from
 * their sweep. */
typedef struct gos_spread {
    const char *const *value; // of what varies (nparameters), NULL where it is drawn
    int nruns;                // that came to their end, of nall
    int nall;
    int ntimes, ncurves;           // components of all probes
    const double *time;            // equally spaced over what all runs have (ntimes) [s]
    const gos_spread_curve *curve; // (ncurves)
    const double *v;               // over time (ncurves, ntimes, GOS_SPREAD_COLUMNS)
    const double
        *extreme; // of each run's last, least and largest value (ncurves, 3, GOS_SPREAD_COLUMNS)
} gos_spread;

typedef struct gos_report_content {
    const gos_report_run
        *run; // (nruns); without parameters the first is the reference of the others
    int nruns;
    const char *const
        *parameter; // names of what varies (nparameters); the runs are then one family
    int nparameters;
    const gos_spread *spread; // of runs with drawn parameters (nspreads)
    int nspreads;
    const char *title; // NULL: the name of the model
} gos_report_content;

/** Write one HTML page, complete in itself, about runs of one model: numbers, plots of probes and
 *  balances, errors and times against the first run, shapes and an animation. With parameters:
 * families of curves and what depends on the parameters; with spreads: fans of quantiles over time.
 * Its size is bounded, whatever that of the runs is.
 *  @return GOS_E_FILE when a results file cannot be read or `out` not be written */
GOS_API gos_status gos_report(gos_ctx *ctx, const gos_report_content *content, FILE *out);

/** Write one HTML page, complete in itself, that shows the motion of the run in the results file
 * `path` on the full screen: all nodes (150 000 at most), up to 400 output times, within 5 10^6 of
 * both together. `against` (may be NULL) is another run of the same mesh: the first can then be
 * coloured by how far each node is from it, up to what gos_compare calls the worst.
 *  @return GOS_E_FILE: not results, or `out` cannot be written; GOS_E_USE: no scene in them, or the
 * meshes differ */
GOS_API gos_status gos_view_page(gos_ctx *ctx, const char *path, const char *against, FILE *out);

/** The same of a system at a state: its n lowest undamped modes and n slowest temperature fields by
 * its linear model there, which swing.
 *  @return as gos_system_write_vtu; GOS_E_USE: it has no nodes or no modes */
GOS_API gos_status gos_view_modes(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                  const gos_linear *linear, int n, FILE *out);

/** Write one HTML page, complete in itself, about n >= 1 frequency responses in files of
 *  gos_response_save: magnitude and phase of each pair of output and input, those of the other
 * files laid over the first one's by their names. @return GOS_E_FILE as gos_report */
GOS_API gos_status gos_response_report(gos_ctx *ctx, const char *const *path, int n, FILE *out);

/** Write one HTML page, complete in itself, about the design in a file of gos_controller_save:
 * margins, poles, inputs, errors of the plant, and, of designs of gos_design_show, courses, modes
 * and a map of patches. @return GOS_E_FILE as gos_report */
GOS_API gos_status gos_controller_report(gos_ctx *ctx, const char *path, FILE *out);

/** The same about a stored model: a file of gos_rom_save (sizes, how it was reduced and with what
 * error, frequencies, pictures of its modes) or a linear model as gos_linear_read takes it (the
 * same without pictures, inputs and outputs).
 *  @return as gos_rom_load, gos_linear_read, gos_report */
GOS_API gos_status gos_model_report(gos_ctx *ctx, const char *path, FILE *out);

/** Write the versions of the program and the libraries in use, one a line. */
GOS_API void gos_versions(FILE *out);

#ifdef __cplusplus
}
#endif
#endif
