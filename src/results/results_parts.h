/* An open results file. */
#ifndef GOS_RESULTS_PARTS_H
#define GOS_RESULTS_PARTS_H

#include "gossamer/io.h"
#include "results/time_history.h"
#include "results/h5.h"
#include "system/marks.h"

typedef struct gos_results_column {
    gos_probe_info info;
    hid_t set[2];    // values, rates
    double *data[2]; // (nrows, ncomp), NULL until requested
    int known;       // rates are those of the quantity; -1: older file, not stored
} gos_results_column;

/* fields; energy and heat columns of the balances */
enum {
    GOS_RESULTS_POSITION,
    GOS_RESULTS_DISPLACEMENT,
    GOS_RESULTS_VELOCITY,
    GOS_RESULTS_TEMPERATURE,
    GOS_RESULTS_TEMPERATURE_RATE,
    GOS_RESULTS_NFIELDS
};
enum {
    GOS_RESULTS_NENERGY = (int)(sizeof(gos_energy) / sizeof(double)),
    GOS_RESULTS_NHEAT = (int)(sizeof(gos_heat) / sizeof(double))
};

struct gos_results {
    gos_ctx *ctx;
    gos_arena *arena;
    const char *path;
    gos_disk disk;
    hid_t file;
    gos_results_info info;
    const char *key, *boot;         // ids of file and boot; "" in older files
    gos_results_column *probe;      // (info.nprobes)
    double *time;                   // of probes (nrows)
    const char *const *event_names; // (nnames)
    int nnames;
    double *events; // time, number, direction (nevents, 3)
    long nstarts;   // rows after which steps begin with new values
    long *start;    // their row numbers (nstarts)
    double *starts; // row, values, rates (nstarts, 1 + 2 nvalues)
    int nvalues;    // components of all probes
    gos_mesh_info mesh;
    gos_mark *marks; // (nmarks); none in older files
    int nmarks;
    double T_ref;       // reference of temperatures [K]; 0: unknown
    bool *athermal;     // nodes without temperature (nnodes); NULL: none, or an older file
    double *frame_time; // (nframes)
    hid_t field[GOS_RESULTS_NFIELDS];
    gos_field_info *more; // further fields (info.nfields)
    hid_t *more_set;      // their datasets
    // (nframes) each, NULL until requested
    double *balance[GOS_RESULTS_NENERGY + GOS_RESULTS_NHEAT];
};

/** Dataset of numbers with `width` columns (1: any shape of one column); *rows is 0 on failure. */
gos_status gos__results_numbers(gos_results *r, const char *path, hsize_t width, hid_t *set,
                                hsize_t *rows);
/** Rows first .. first + n as doubles or ints (n, width). */
bool gos__results_rows(hid_t set, hid_t type, hsize_t first, hsize_t n, hsize_t width, void *out);

/** Points into the results. */
gos_status gos__results_history(gos_results *r, int i, gos_time_history *history);

/** Set values (nnodes) to NaN at nodes without temperature. */
void gos__mask_athermal(const gos_results *r, double *value);

/** In the file's arena. */
gos_status gos__results_text(gos_results *r, const char *path, const char **text);
/** Mode shapes (mode_shapes.h): names (one per line), displacements and temperatures at nodes, *n
 * of each; 0: none. In the arena `a`. */
gos_status gos__results_modes(gos_results *r, gos_arena *a, int *n, const char **names,
                              double **displacement, double **temperature);

/** Columns of a field. */
static inline hsize_t gos__results_width(int field) {
    return field < GOS_RESULTS_TEMPERATURE ? 3 : 1;
}

#endif
