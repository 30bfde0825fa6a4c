/* Functions shared by the commands: options, models with settings, messages, JSON. The program uses
   the public API only. */
#ifndef GOS_CLI_H
#define GOS_CLI_H

#include <stdbool.h>

#include "gossamer/gossamer.h"

/* exit codes: part of the interface */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USE = 2, EXIT_STOPPED = 3, EXIT_EXCEEDED = 4 };

/* ---- options --------------------------------------------------------------------------------- */

typedef enum option_kind {
    OPTION_FLAG,   // bool
    OPTION_TEXT,   // const char *
    OPTION_NUMBER, // double, finite
    OPTION_COUNT,  // int, at least 1
    OPTION_LIST    // text_list: may be repeated
} option_kind;

typedef struct text_list {
    const char **v;
    int n;
} text_list;

typedef struct option {
    const char *name; // "--until" or "-o"
    option_kind kind;
    void *target;
    bool *given; // may be NULL
} option;

/** Parse the arguments of a command: options (list ended by name == NULL) into their targets, the
 * others into `rest`, whose length must be in min..max (max < 0: no limit). "--help" prints the
 * command's help.
 *  @return -1 to continue, or the exit code to end with (messages printed). */
int parse_arguments(const char *command, int argc, char **argv, const option *options,
                    text_list *rest, int min, int max);
/** --threads of commands that evaluate whole models (default 1). */
extern int threads_wanted;
/** --solver and --ranks of commands that compute modes of large models (default "own" and 1). */
extern const char *solver_wanted;
extern int ranks_wanted;
/** Apply --limit (of any command), --threads and --solver to a context. Call before reading a
 * model. */
gos_status use_options(gos_ctx *ctx);
/** Append a text; it is not copied. */
void add_text(text_list *list, const char *text);
/** Free the array of a list, not its texts. */
void free_list(text_list *list);
bool parse_number(const char *text, double *value); // the whole text, finite
/** The name most similar to an unknown word, or NULL if none is similar. */
const char *suggest(const char *word, const char *const *names, int n);

/* ---- messages -------------------------------------------------------------------------------- */

/** Print a message "gossamer: ..." to stderr, without control characters. @return EXIT_USE */
int complain(const char *fmt, ...) GOS_PRINTF(1, 2);
/** Print the messages of ctx from number `first` on to stderr. */
void show_messages(const gos_ctx *ctx, int first);
/** Print the notes of ctx to standard output. */
void print_notes(const gos_ctx *ctx);
/** The exit code of a status that occurred while reading user input (`reading`) or while
 * computing. */
int exit_code(gos_status status, bool reading);

/* ---- texts from files (plain.c) -------------------------------------------------------------- */

/** A text from a file or the command line, safe for a terminal: '?' replaces control characters and
 * invalid UTF-8, "..." the end of a very long text. Valid until the eighth next call. NULL becomes
 * "". */
const char *plain(const char *text);
/** Print a text of several lines, made safe in the same way. */
void print_lines(FILE *out, const char *text);
/** Print the first n events (limits passed) of a run, one per line (events.c). */
void print_events(const gos_results *run, long n);
/** Print a text as a CSV cell (RFC 4180): quoted if necessary, '?' for control characters, and a
 * leading apostrophe if a spreadsheet would evaluate it as a formula (=, @, and + or - not followed
 * by a number). */
void print_cell(FILE *out, const char *text);

/* ---- models ---------------------------------------------------------------------------------- */

/** Read a model, apply "NAME=VALUE" settings and compile it. sys == NULL: read only.
 *  @return EXIT_DONE or the exit code, messages printed. The caller destroys *model and *sys. */
int load_system(gos_ctx *ctx, const char *path, const text_list *settings, gos_model **model,
                gos_system **sys);
/** The same, but controllers of type designed that have no law are omitted, not designed. */
int load_open_loops(gos_ctx *ctx, const char *path, const text_list *settings, gos_model **model,
                    gos_system **sys);
/** The same, but only check the model and compute its sizes. */
int load_sizes(gos_ctx *ctx, const char *path, const text_list *settings, gos_model **model,
               gos_sizes *sizes);
/** Apply one NAME=VALUE to a model. */
int apply_setting(gos_ctx *ctx, gos_model *model, const char *setting);
/* operating point about which a model is linearised */
typedef struct linear_point {
    bool equilibrium, at_given, spin_given;
    bool open_loops;  // omit controllers of type designed
    double at;        // [s]
    const char *spin; // "AXIS:RATE" of a steady rotation
} linear_point;
/** Check the options. @return -1 to continue, or the exit code to end with. */
int check_linear_point(const char *command, const linear_point *where);
/** The state of a system at an operating point. @return EXIT_DONE or the exit code; messages stay
 * in ctx. */
int make_state(gos_ctx *ctx, const gos_system *sys, const linear_point *where, gos_state **state);
/** The linear model of a system at that state, in rotating axes for a steady rotation. @return
 * EXIT_DONE or the exit code; messages stay in ctx. */
int make_linear(gos_ctx *ctx, const gos_system *sys, const linear_point *where,
                const gos_state *state, gos_linear **linear);
/* a system, its state, and the model it was made from */
typedef struct point {
    gos_model *model;
    gos_system *full; // of a reduced system, else NULL
    gos_system *sys;
    gos_state *state;
} point;
/** Load a model, or a reduced model of gos_rom_save, with settings, and compute its state at the
 * operating point. Always call free_point.
 *  @return EXIT_DONE or the exit code; messages stay in ctx. */
int load_point(gos_ctx *ctx, const char *path, const text_list *settings, const linear_point *where,
               point *p);
void free_point(point *p);
/** Is it the path of a deck of CalculiX or Abaqus (.inp), or Nastran (.bdf, .dat, .nas)? */
bool is_deck(const char *path);
#define UNIT_NAME 64 // bytes for the name of a unit

/** Units of length and mass; "" for a deck or mesh without units. The time unit is s if they are
 * known. */
typedef struct unit_names {
    char length[UNIT_NAME], mass[UNIT_NAME];
} unit_names;
/** Units of a deck or mesh: those of --units (name, NULL: not given). Models define their own, see
 * name_units. @return EXIT_DONE or the exit code */
int find_units(const char *path, const char *name, unit_names *found);
/** Units of a file that is not a deck or mesh, from those of its model (gos_model_units). */
void name_units(const char *path, const char *units, unit_names *found);
/** A model that only contains the mesh of a file (.inp, .msh); its folder is that of the file. */
gos_status model_of_mesh(gos_ctx *ctx, const char *path, gos_model **model);
/** Is there a linear model at this path: an own file or folder, Matrix Market files, a MAT-file, or
 * a deck? */
bool is_linear(const char *path);
/** Read a linear model from a file or folder, or read a model with settings and linearise it.
 *  @return EXIT_DONE or the exit code; messages stay in ctx. */
int load_linear(gos_ctx *ctx, const char *path, const text_list *settings,
                const linear_point *where, gos_linear **linear);

/* options of modes --spin AXIS:FROM:TO */
typedef struct campbell_wish {
    const char *path, *spin;
    const text_list *settings;
    int n;
    bool as_json;
} campbell_wish;
/** Compute and print whirl frequencies over the rate of rotation, and critical speeds. @return exit
 * code (campbell.c) */
int show_campbell(gos_ctx *ctx, const campbell_wish *wish);

/* options of modes --buckling */
typedef struct buckling_wish {
    const char *path;
    const text_list *settings;
    const char *scaled; // "NAME,NAME" of the scaled loads; NULL: loads and gravity
    double time;        // of time functions [s]
    int n;
    bool n_given, time_given, as_json;
} buckling_wish;
/** Compute and print load factors. @return exit code (buckling.c) */
int show_buckling(gos_ctx *ctx, const buckling_wish *wish);

/** Parse FROM:TO in Hz. @return EXIT_DONE or the exit code, messages printed. */
int parse_band(const char *command, const char *text, double band[2]);
/** The band around the lowest modes of motion or, for models without motion, of temperature
 * [Hz]. */
int find_band(gos_ctx *ctx, const char *command, const gos_linear *linear, double band[2]);

/** Is neither of the two files the results of a run? */
bool compares_linear(const char *const path[2]);
/* options of the comparison of linear models */
typedef struct linear_comparison {
    const char *band; // FROM:TO; NULL: around the modes of the reference
    double over;      // duration of step responses [s]; 0: frequency responses
    int points;       // number of time steps; 0: 1000
    bool as_json;
} linear_comparison;
/** Compare the second model with the first (reference). *worst: largest difference relative to the
 * largest response; for step responses relative to the largest value of each output. */
int compare_linear(gos_ctx *ctx, const char *const path[2], const linear_comparison *how,
                   double *worst);

#define GOS_MADE "<!-- made by gossamer -->" // in pictures and grids

/** Check the output path of differences over time (.svg or .csv). @return exit code, messages
 * printed */
int check_history(const char *path);
/** Write differences over time as a drawing (.svg) or a table (.csv); messages stay in ctx. @return
 * exit code (compare_history.c) */
int write_history(gos_ctx *ctx, const gos_comparison *comparison, const char *units,
                  const char *path);

/* ---- MAT-files ------------------------------------------------------------------------------- */

#define MAT_MAGIC "MATLAB 5.0 MAT-file"
#define MAT_FORMAT "gossamer-linear-1" // variable `format` of own files
bool is_mat(const char *path);
/** Write a linear model: its blocks as sparse matrices, or E, A, B, C, D (`first_order`: a model of
 *  gos_linear_first_order); names and units as cell arrays. File errors stay in ctx. @return exit
 *  code */
int write_mat(gos_ctx *ctx, const gos_linear *linear, bool first_order, const char *path);
/** Read a file of write_mat, or user-supplied M, D, K, G, B, C, C_v, F or E, A, B, C, D. Messages
 *  are printed or stay in ctx. @return exit code */
int read_mat(gos_ctx *ctx, const char *path, gos_linear **linear);
/** Write the probes of a run: `time` and one matrix per probe. @return exit code */
int write_mat_probes(gos_ctx *ctx, gos_results *results, const char *path);

/** Write all output times of a run as VTK files and their index `output` (export_pvd.c). @return
 * exit code */
int write_pvd(gos_ctx *ctx, gos_results *run, const char *output);
/* options of the export of a body as standard input data */
typedef struct sid_wish {
    const char *body;  // NULL: the only floating body
    const char *nodes; // comma-separated attachment points; NULL: all nodes
    int modes;         // 0: all
} sid_wish;
/** Write the body; messages stay in ctx. @return exit code (export_sid.c) */
int write_sid(gos_ctx *ctx, const gos_system *sys, const sid_wish *wish, const char *path);

/* options of the export as C source */
typedef struct step_wish {
    double step; // [s]
    bool step_given;
    const char *inputs; // "held" (default, NULL) or "linear"
    bool compare;       // with a run of the model
} step_wish;
/** Write a linear, or linearised, model of fixed step as C source into a folder and print its
 * errors; messages stay in ctx. @return exit code (export_c.c) */
int export_step_model(gos_ctx *ctx, const char *path, const text_list *settings,
                      const linear_point *where, const step_wish *wish, const char *output);
/** Print the largest difference between a run of the system from a state, which is changed, and the
 * linear model about it; messages stay in ctx. @return exit code (export_compare.c) */
int compare_with_run(gos_ctx *ctx, const point *p, const gos_linear *linear);
/** The same as export_step_model, as a functional mock-up unit. */
int export_step_unit(gos_ctx *ctx, const char *path, const text_list *settings,
                     const linear_point *where, const step_wish *wish, const char *output);

/** Is it a regular file that begins with these n <= 32 bytes? */
bool begins_with(const char *path, const char *magic, size_t n);
/** Does the file begin with the signature of HDF5? */
bool is_hdf5(const char *path);
#define HDF5_MAGIC "\211HDF\r\n\032\n"

/** The path with its ending replaced; the caller frees it. NULL when out of memory. */
char *with_ending(const char *path, const char *ending);
/** The same, but if the path already has that ending, the ending is appended. */
char *name_output(const char *path, const char *ending);
/** Check that `path` may be written: its folder exists and is writable, and an existing file is
 * empty or begins with `magic` and contains `mark` (may be NULL) in its first 8 kB. So no foreign
 * file is replaced. @return EXIT_DONE, or EXIT_USE with a message */
int check_output(const char *path, const char *magic, const char *mark, const char *kind);
/** The same for an HDF5 file: an existing file must be of this program and kind, and no process may
 * be writing it. */
int check_file(gos_ctx *ctx, const char *path, gos_output_kind kind);
/** Report an error if output and input are the same file, by any name (`input` may be NULL). */
int check_input(const char *output, const char *input);

/* ---- memory ---------------------------------------------------------------------------------- */

/** If the address space is limited: reserve the memory of OpenBLAS, or end with a message
 * (early.c). */
void take_memory(void);

/* ---- progress -------------------------------------------------------------------------------- */

/** Show progress (unless quiet) and interpret SIGINT, SIGTERM, SIGHUP (unless ignored) and SIGXCPU
 *  as a request for an orderly stop. A second signal, except SIGHUP, ends the program at once. */
void watch_progress(gos_ctx *ctx, bool quiet);
/** Show progress; signals still end the program. For the compilation of a model, which leaves
 * nothing to be kept. The functions that load a model remove the progress line. */
void show_progress(gos_ctx *ctx, bool quiet);
/** Remove the progress line. */
void end_progress(void);
/** Stop work that reports progress at this processor time of the program [s]; 0: no limit. */
void limit_progress(double cpu);
/** Was work stopped by the last limit? */
bool progress_limited(void);

/* ---- cost of runs ---------------------------------------------------------------------------- */

/** A run with the bases of floating bodies, to be compared with the full run. */
typedef struct run_plan {
    const char *path; // model
    const text_list *settings;
    double until, runs; // end of the run, 0: that of the model [s]; number of runs planned
    double full;        // processor time of a full run [s]; 0: not measured, HUGE_VAL: long
    double limit;       // of the preparation [s], HUGE_VAL: none
} run_plan;

double cpu_seconds(void);
/** Preparation up to this processor time is not compared with the full run [s]. */
double first_limit(void);
/** Sets plan->limit. @return false if the bases need more than they save */
bool preparation_pays(run_plan *plan);
/** From the processor times of the preparation and of a run [s]. */
bool run_pays(run_plan *plan, double prepared, double run);

/* ---- JSON ------------------------------------------------------------------------------------ */

/* JSON writer; places commas and line ends */
typedef struct json {
    FILE *out;
    int depth;
    bool first;
} json;
void json_open(json *j, const char *key, char bracket); // '{' or '['
void json_close(json *j, char bracket);
void json_text(json *j, const char *key, const char *value);
void json_number(json *j, const char *key, double value); // null when not finite
void json_bool(json *j, const char *key, bool value);
void json_messages(json *j, const gos_ctx *ctx);
void json_sizes(json *j, const gos_sizes *sizes, const char *units);
/** n numbers in one line, every stride-th of x. */
void json_numbers(json *j, const char *key, const double *x, long n, long stride);
void json_statistics(json *j, const gos_statistics *statistics);
/** The report of a reduced system, or null if it is not reduced. */
void json_reduction(json *j, const gos_system *reduced);
/** Begin a value that is written by other functions to j->out. */
void json_value(json *j, const char *key);

/* ---- shared output --------------------------------------------------------------------------- */

void print_sizes(const gos_sizes *sizes, const char *units);
/** "1.23 ms", "2.5 s", "3 min 20 s" */
const char *duration(double seconds, char buf[32]);

/** Print the report of a design. */
void show_design(gos_ctx *ctx, const gos_design *design, bool as_json);

/** Print to stderr the size and the predicted error of a reduced model. */
void show_reduction(const gos_system *reduced);
/** True if the reduced model is accepted for `runs` runs (0: unknown), or `anyway`; else a message
 * is printed. */
bool accept_reduction(const gos_system *reduced, double runs, bool anyway);
/** The same by the error alone, for a stored reduced model. */
bool accept_error(gos_acceptance found, bool anyway);

/* ---- reports --------------------------------------------------------------------------------- */

/** Write a report to `path`; on failure an existing file is kept. Messages stay in ctx. */
int write_report(gos_ctx *ctx, const gos_report_content *content, const char *path);
/** Report an error unless a report may be written to `path`. */
int check_report(const char *path);

/* ---- commands -------------------------------------------------------------------------------- */

typedef struct command_entry {
    const char *name;
    int (*run)(int argc, char **argv); // without program and command
    const char *summary;               // first line of the help
    const char *help;                  // the lines after it
} command_entry;

const command_entry *find_command(const char *name);
/** Help of one command, or the overview with NULL. */
void print_help(const char *name);

int command_new(int argc, char **argv);
int command_run(int argc, char **argv);
int command_check(int argc, char **argv);
int command_mesh(int argc, char **argv);
int command_modes(int argc, char **argv);
int command_export(int argc, char **argv);
int command_response(int argc, char **argv);
int command_correlate(int argc, char **argv);
int command_jitter(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_probe(int argc, char **argv);
int command_info(int argc, char **argv);
int command_picture(int argc, char **argv);
int command_report(int argc, char **argv);
int command_view(int argc, char **argv);
int command_reduce(int argc, char **argv);
int command_design(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_help(int argc, char **argv);

#endif
