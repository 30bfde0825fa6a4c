/* The parts of gossamer response: the command with responses over frequency (response.c), the
   choice of inputs and outputs (response_ports.c), its frequencies (response_grid.c), responses
   over time (response_time.c) to steps or to inputs from a file (response_inputs.c). */
#ifndef GOS_CLI_RESPONSE_H
#define GOS_CLI_RESPONSE_H

#include "cli.h"

/* inputs and outputs to print */
typedef struct response_ports {
    const gos_linear *linear;
    gos_linear_info info;
    int *in, *out; // their numbers, ascending
    int nin, nout;
} response_ports;

/** The inputs and outputs of two lists of names, where "push" is every component of push; all where
 * a list is empty. Free always. @return EXIT_DONE or the exit code, messages written. */
int choose_ports(const gos_linear *linear, const text_list *from, const text_list *to,
                 response_ports *ports);
void free_ports(response_ports *ports);
/** "OUTPUT/INPUT" of output and input number i and j of the model; where a name is on both sides
 * they say which they are. */
void pair_name(const response_ports *ports, int i, int j, char *text, size_t size);

/* a response over frequency */
typedef struct response_grid {
    int n;         // frequencies
    double *omega; // (n) ascending [rad/s]
    double *H;     // (n, outputs, inputs, 2)
} response_grid;

/** Frequencies are added around peaks of the ports that are narrower than its steps, at most as
 * many again as there are. On failure the grid is as it was. */
gos_status refine_grid(gos_ctx *ctx, const response_ports *ports, int workers, response_grid *grid);
void free_grid(response_grid *grid);

/* inputs over time, from a file */
typedef struct input_table {
    const char *path;
    int n, columns; // rows, inputs
    double *time;   // (n) ascending [s]
    double *value;  // (n, columns)
    int *input;     // (columns) number of the model's input
    int rows_room;  // that value and time have room for
} input_table;

/** Read a CSV file with a header "time,INPUT,..." for a model. Free always.
 *  @return EXIT_DONE or the exit code, messages written with file, line and column. */
int read_inputs(const char *path, const gos_linear *linear, input_table *table);
void free_inputs(input_table *table);
/** All inputs of the model at times k h, k = 0 ... n - 1, into u (n, inputs): linear between the
 * rows, held before the first and behind the last one, 0 where the file has no such input. */
void sample_inputs(const input_table *table, int inputs, double h, int n, double *u);
/** How far the sampled inputs, linear between k h, are from the table at its own times, relative to
 * the largest value of the input; *row: where it is most. */
double sampling_error(const input_table *table, int inputs, double h, int n, const double *u,
                      int *row);

/* how a response over time is wanted */
typedef struct time_response {
    bool over_given, points_given;
    double over;        // [s]
    int points;         // equal steps of it
    double rise;        // of a step, 0: at once [s]
    const char *inputs; // CSV file; NULL: a unit step of each input chosen, in turn
    const char *scheme; // auto, exact, trapezoidal
} time_response;

/** Are these options right? @return -1 to go on, or the exit code to end with. */
int check_time_response(const time_response *how);
/** Solve and print as CSV. @return EXIT_DONE or the exit code; messages of the library stay in
 * ctx. */
int respond_over_time(gos_ctx *ctx, const response_ports *ports, const time_response *how);

#endif
