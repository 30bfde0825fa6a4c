/* gossamer response: the command and frequency responses (response.c), selection of inputs and
   outputs (response_ports.c), frequency grid (response_grid.c), time responses (response_time.c) to
   steps or to inputs from a file (response_inputs.c). */
#ifndef GOS_CLI_RESPONSE_H
#define GOS_CLI_RESPONSE_H

#include "cli.h"

/* inputs and outputs to print */
typedef struct response_ports {
    const gos_linear *linear;
    gos_linear_info info;
    int *in, *out; // (nin), (nout) indices, ascending
    int nin, nout;
} response_ports;

/** Select inputs and outputs by two lists of names; "push" selects all components of push, an empty
 * list all ports. Always call free_ports. @return EXIT_DONE or the exit code, messages printed. */
int choose_ports(const gos_linear *linear, const text_list *from, const text_list *to,
                 response_ports *ports);
void free_ports(response_ports *ports);
/** Write "OUTPUT/INPUT" for output i and input j of the model; names that are both input and output
 * are marked. */
void pair_name(const response_ports *ports, int i, int j, char *text, size_t size);

/** Begin the entry of a pair in a list of JSON: names of output i and of input j (negative: none)
 * of the model. Close it with json_close. */
void json_pair(json *out, const response_ports *ports, int i, int j);

/* a frequency response */
typedef struct response_grid {
    int n;         // frequencies
    double *omega; // (n) ascending [rad/s]
    double *H;     // (n, outputs, inputs, 2)
} response_grid;

/* Ports of a grid, and its responses H (n, outputs, inputs, 2) at n frequencies. */
typedef struct grid_source {
    const int *in, *out; // to print: (nin), (nout) indices
    int nin, nout, inputs, outputs;
    gos_status (*respond)(const void *of, int n, const double *omega, double *H);
    const void *of;
} grid_source;

/** Add frequencies around peaks that are narrower than the grid spacing; at most double their
 * number. On failure the grid is unchanged. */
gos_status refine_grid(const grid_source *source, response_grid *grid);
void free_grid(response_grid *grid);

/* time histories of inputs, read from a file */
typedef struct input_table {
    const char *path;
    int n, columns; // rows, inputs
    double *time;   // (n) ascending [s]
    double *value;  // (n, columns)
    int *input;     // (columns) index of the input of the model
    int rows_room;  // allocated rows of time and value
} input_table;

/** Read a CSV file with a header "time,INPUT,...". Always call free_inputs.
 *  @return EXIT_DONE or the exit code, messages printed with file, line and column. */
int read_inputs(const char *path, const gos_linear *linear, input_table *table);
void free_inputs(input_table *table);
/** All inputs of the model at times k h, k = 0 ... n - 1, into u (n, inputs): linear between rows,
 * constant before the first and after the last row, 0 for inputs not in the file. */
void sample_inputs(const input_table *table, int inputs, double h, int n, double *u);
/** Largest difference between the sampled inputs (linear between k h) and the table at its own
 * times, relative to the largest value of the input; *row: the row of the largest difference. */
double sampling_error(const input_table *table, int inputs, double h, int n, const double *u,
                      int *row);

/* options of a time response */
typedef struct time_response {
    bool over_given, points_given;
    bool as_json;
    double over;        // [s]
    int points;         // number of equal time steps
    double rise;        // rise time of a step [s]
    const char *inputs; // CSV file; NULL: a unit step of each selected input in turn
    const char *scheme; // auto, exact, trapezoidal
} time_response;

/** Check the options. @return -1 to continue, or the exit code to end with. */
int check_time_response(const time_response *how);
/** Solve and print as CSV or JSON. @return EXIT_DONE or the exit code; messages of the library stay
 * in ctx. */
int respond_over_time(gos_ctx *ctx, const response_ports *ports, const time_response *how);

#endif
