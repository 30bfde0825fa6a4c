/* Shared by the commands of the program: options, models with settings, messages, JSON. The program
   uses the public API only. */
#ifndef GOS_CLI_H
#define GOS_CLI_H

#include <stdbool.h>

#include "gossamer/gossamer.h"

/* exit codes, fixed by the interface */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USE = 2, EXIT_STOPPED = 3, EXIT_EXCEEDED = 4 };

/* ---- options
 * ---------------------------------------------------------------------------------------- */

typedef enum option_kind {
    OPTION_FLAG,   // bool
    OPTION_TEXT,   // const char *
    OPTION_NUMBER, // double, finite
    OPTION_COUNT,  // int, at least 1
    OPTION_LIST    // text_list: may be given more than once
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

/** Parse the arguments of a command: options into their targets (ended by name == NULL), everything
 * else into `rest`, whose number must lie in min..max. "--help" prints the command's help.
 *  @return -1 to go on, or the exit code to end with (messages are written). */
int parse_arguments(const char *command, int argc, char **argv, const option *options,
                    text_list *rest, int min, int max);
/** --threads of commands that evaluate whole models; 1 when it was not given. */
extern int threads_wanted;
/** --solver and --ranks of commands that find modes of large models, "own" and 1 when they were not
 * given. */
extern const char *solver_wanted;
extern int ranks_wanted;
/** Give a context what was said by --limit (of any command), --threads and --solver, before a model
 * is read. */
gos_status use_options(gos_ctx *ctx);
/** Add a text, which is not copied. */
void add_text(text_list *list, const char *text);
/** Free what a list points to (not the texts). */
void free_list(text_list *list);
/** A finite number, all of the text. */
bool parse_number(const char *text, double *value);
/** "did you mean" for an unknown word: the nearest of names, or NULL. */
const char *suggest(const char *word, const char *const *names, int n);

/* ---- messages
 * ------------------------------------------------------------------------------------------ */

/** Write a message "gossamer: ..." to stderr, without control characters; returns EXIT_USE for
 * convenience. */
int complain(const char *fmt, ...) GOS_PRINTF(1, 2);
/** Write all messages recorded in ctx from number `first` on to stderr. */
void show_messages(const gos_ctx *ctx, int first);
/** Notes, on standard output. */
void print_notes(const gos_ctx *ctx);
/** The exit code of a status met while reading what the user gave (`reading`) or while
 * computing. */
int exit_code(gos_status status, bool reading);

/* ---- texts from files (plain.c)
 * -------------------------------------------------------------------------- */

/** A text from a file or the command line as a terminal may show it: '?' for control characters and
 * what is no UTF-8, "..." for the rest of a very long one. For one of the next 8 calls. NULL is
 * "". */
const char *plain(const char *text);
/** Write a text of several lines like that. */
void print_lines(FILE *out, const char *text);
/** The first n limits that a run has passed, one a line (events.c); nothing for none. */
void print_events(const gos_results *run, long n);
/** Write a name or text as a cell of CSV (RFC 4180): quoted where it must be, '?' for control
 * characters, and an apostrophe before what a spreadsheet would take for a formula (=, @, and + or
 * - before no number). */
void print_cell(FILE *out, const char *text);

/* ---- models
 * ---------------------------------------------------------------------------------------------- */

/** Read a model, apply "NAME=VALUE" settings and compile. `sys` may be NULL: only read.
 *  @return EXIT_DONE or the exit code, messages written. Destroy what is not NULL afterwards. */
int load_system(gos_ctx *ctx, const char *path, const text_list *settings, gos_model **model,
                gos_system **sys);
/** The same without controllers of type designed that have no law, whose designs are not made. */
int load_open_loops(gos_ctx *ctx, const char *path, const text_list *settings, gos_model **model,
                    gos_system **sys);
/** The same for the errors and sizes of a model alone. */
int load_sizes(gos_ctx *ctx, const char *path, const text_list *settings, gos_model **model,
               gos_sizes *sizes);
/** One NAME=VALUE to a model. */
int apply_setting(gos_ctx *ctx, gos_model *model, const char *setting);
/* where a model is linearised */
typedef struct linear_point {
    bool equilibrium, at_given, spin_given;
    bool open_loops;  // without controllers of type designed, whose designs are then not made
    double at;        // [s]
    const char *spin; // "AXIS:RATE", an equilibrium that turns
} linear_point;
/** @return -1 to go on, or the exit code to end with. */
int check_linear_point(const char *command, const linear_point *where);
/** The state of a system there. @return EXIT_DONE or the exit code; messages stay in ctx. */
int make_state(gos_ctx *ctx, const gos_system *sys, const linear_point *where, gos_state **state);
/** The linear model of a system at that state, in turning axes where its equilibrium turns. @return
 * EXIT_DONE or the exit code; messages stay in ctx. */
int make_linear(gos_ctx *ctx, const gos_system *sys, const linear_point *where,
                const gos_state *state, gos_linear **linear);
/* a system at a state, with what it was made of */
typedef struct point {
    gos_model *model;
    gos_system *full; // of a reduced model, else NULL
    gos_system *sys;
    gos_state *state;
} point;
/** A model, or a reduced model of gos_rom_save, with settings and its state there. Free always.
 *  @return EXIT_DONE or the exit code; messages stay in ctx. */
int load_point(gos_ctx *ctx, const char *path, const text_list *settings, const linear_point *where,
               point *p);
void free_point(point *p);
/** Is it the path of a deck of CalculiX or Abaqus (.inp)? */
bool is_deck(const char *path);
/** Names of units of length and mass, "" where a bare deck or mesh has none; time is in s where
 * they are known. */
typedef struct unit_names {
    const char *name, *length, *mass;
} unit_names;
/** Those of what is at a path: m, kg of models; of decks and meshes those of --units (NULL: not
 * given). */
int find_units(const char *path, const char *name, const unit_names **found);
/** A model with nothing but the mesh of that file (.inp, .msh), whose folder is that of the
 * file. */
gos_status model_of_mesh(gos_ctx *ctx, const char *path, gos_model **model);
/** Is a linear model at this path: one of our files or folders, Matrix Market files, a MAT-file, a
 * deck? */
bool is_linear(const char *path);
/** A linear model: read from a file or folder that holds one, or a model with settings, linearised.
 *  @return EXIT_DONE or the exit code; messages stay in ctx. */
int load_linear(gos_ctx *ctx, const char *path, const text_list *settings,
                const linear_point *where, gos_linear **linear);

/** FROM:TO in Hz. @return EXIT_DONE or the exit code, messages written. */
int parse_band(const char *command, const char *text, double band[2]);
/** A band around the lowest modes, of motion or, without it, of temperature [Hz]. */
int find_band(gos_ctx *ctx, const char *command, const gos_linear *linear, double band[2]);

/** Is none of two files to compare the results of a run? */
bool compares_linear(const char *const path[2]);
/* how linear models are compared */
typedef struct linear_comparison {
    const char *band; // of frequencies; NULL: around the first one's modes
    double over;      // 0, or over this time instead, after a step of each input [s]
    int points;       // of that time, 0: 1000
    bool as_json;
} linear_comparison;
/** Compare the second with the first; *worst is the largest difference relative to the largest
 * response, of each output by itself over time. */
int compare_linear(gos_ctx *ctx, const char *const path[2], const linear_comparison *how,
                   double *worst);

#define GOS_MADE "<!-- made by gossamer -->" // in pictures and grids

/** Is this a name for differences over time: .svg or .csv, whose file may be written? Shows what is
 * wrong; exit code. */
int check_course(const char *path);
/** Write differences over time: drawn, or (.csv) as a table; messages are in the context. @return
 * exit code (compare_course.c) */
int write_course(gos_ctx *ctx, const gos_comparison *comparison, const char *path);

/* ---- MAT-files
 * -------------------------------------------------------------------------------------- */

#define MAT_MAGIC "MATLAB 5.0 MAT-file"
#define MAT_FORMAT "gossamer-linear-1" // variable `format` of our own models
bool is_mat(const char *path);
/** Write a linear model: its blocks as sparse matrices, or (`first_order`, a model of
 *  gos_linear_first_order) E, A, B, C, D; names and units as cell arrays. What is wrong
 *  with the file stays in ctx. */
int write_mat(gos_ctx *ctx, const gos_linear *linear, bool first_order, const char *path);
/** Read what write_mat wrote, or anybody's M, D, K, G, B, C, C_v, F or E, A, B, C, D. Messages are
 *  written, or stay in ctx. */
int read_mat(gos_ctx *ctx, const char *path, gos_linear **linear);
/** Write the probes of a run: time and a matrix for each. */
int write_mat_probes(gos_ctx *ctx, gos_results *results, const char *path);

/* What of a body becomes standard input data. */
typedef struct sid_wish {
    const char *body;  // NULL: the only one that floats
    const char *nodes; // places with commas between them, NULL: all nodes
    int modes;         // 0: all
} sid_wish;
/** Write it; messages are in the context. @return exit code (export_sid.c) */
int write_sid(gos_ctx *ctx, const gos_system *sys, const sid_wish *wish, const char *path);

/** Is it a regular file that begins with these bytes (at most 32)? */
bool begins_with(const char *path, const char *magic, size_t n);
/** Does the file begin with the signature of HDF5? */
bool is_hdf5(const char *path);
#define HDF5_MAGIC "\211HDF\r\n\032\n"

/** The model's path with another ending in place of .yaml; free it. NULL when out of memory. */
char *with_ending(const char *path, const char *ending);
/** The same of a file or folder that may have that ending already: it is then added. */
char *name_output(const char *path, const char *ending);
/** Show an error unless `path` may be written: its folder exists, and what is there already is
 * empty or begins with `magic` and has our `mark` (may be NULL) near its beginning, so that nothing
 * else gets replaced. */
int check_output(const char *path, const char *magic, const char *mark, const char *kind);
/** The same of an HDF5 file: what is there must be of this program and kind, and nobody may be
 * writing it. */
int check_file(gos_ctx *ctx, const char *path, gos_output_kind kind);
/** Show an error when an output is an input too, by whatever name (`input` may be NULL). */
int check_input(const char *output, const char *input);

/* ---- memory
 * -------------------------------------------------------------------------------------------- */

/** Where the address space is limited: take what OpenBLAS needs, or end in words (early.c). */
void take_memory(void);

/* ---- progress
 * ----------------------------------------------------------------------------------------- */

/** From here on show progress (unless quiet) and take SIGINT, SIGTERM, SIGHUP (unless ignored) and
 *  SIGXCPU as the wish to stop in good order. A second signal, except SIGHUP, ends the program at
 * once. */
void watch_progress(gos_ctx *ctx, bool quiet);
/** The same without the signals, which end the program: while a model is compiled, of which nothing
 * is to be kept. The functions that load one remove the line. */
void show_progress(gos_ctx *ctx, bool quiet);
/** Remove the progress line. */
void end_progress(void);

/* ---- JSON
 * ------------------------------------------------------------------------------------------------
 */

/* A writer that knows where commas go. */
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
void json_sizes(json *j, const gos_sizes *sizes);

/* ---- shared output
 * ---------------------------------------------------------------------------------------- */

void print_sizes(const gos_sizes *sizes);
/** "1.23 ms", "2.5 s", "3 min 20 s" */
const char *duration(double seconds, char buf[32]);

/** Print what is told of a design. */
void show_design(gos_ctx *ctx, const gos_design *design, bool as_json);

/** Say on stderr what a reduction chose and which error it predicts. */
void show_reduction(const gos_system *reduced);

/* ---- reports
 * ------------------------------------------------------------------------------------------------
 */

/** Write a report to `path`, or leave what is there untouched. Messages stay in ctx. */
int write_report(gos_ctx *ctx, const gos_report_content *content, const char *path);
/** Show an error unless `path` may become a report. */
int check_report(const char *path);

/* ---- commands
 * ---------------------------------------------------------------------------------------------- */

typedef struct command_entry {
    const char *name;
    int (*run)(int argc, char **argv); // without program and command
    const char *summary;
    const char *help;
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
