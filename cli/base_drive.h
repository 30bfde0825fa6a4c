/* gossamer response --base: options. */
#ifndef GOS_CLI_BASE_DRIVE_H
#define GOS_CLI_BASE_DRIVE_H

#include "cli.h"

typedef struct base_wish {
    const char *base;   // BODY:AXIS or ground:AXIS
    const char *psd;    // CSV file of a spectral density; NULL: frequency response
    const char *output; // CSV file of spectral densities and cumulative root mean squares, or NULL
    const char *band;   // FROM:TO; NULL: around the modes
    const text_list *to;
    int points;
    bool refined; // further frequencies around peaks
    bool as_json;
} base_wish;

/** Compute and print the response to an acceleration of the base. @return exit code; messages of
 * the library stay in ctx (base_drive.c) */
int respond_to_base(gos_ctx *ctx, const gos_linear *linear, const base_wish *wish);

typedef struct shock_wish {
    const char *path; // CSV file with time and accelerations
    const char *band; // FROM:TO
    double q;         // quality factor
    int points;       // frequencies; 0: 1/6 octave
} shock_wish;
/** Print shock response spectra of the columns of a file. @return exit code (shock.c) */
int respond_to_shock(gos_ctx *ctx, const shock_wish *wish);

/* rows of numbers of a CSV file */
typedef struct number_table {
    const char *path;
    int n, columns;
    double *value; // (n, columns)
    int *line;     // of each row (n)
    char **name;   // (columns) of the header, "" without one
    int room;
} number_table;
/** Read a file with an optional header; the first column must ascend, with at
 * least 1 or 2 rows. Always call free_table.
 * @return exit code, messages printed with file, line and remedy (number_table.c) */
int read_table(const char *path, const char *what, int least, number_table *table);
void free_table(number_table *table);

#endif
