/* An open results file, for the files that read it. */
#ifndef GOS_RESULTS_PARTS_H
#define GOS_RESULTS_PARTS_H

#include "gossamer/io.h"
#include "results/time_history.h"
#include "results/h5.h"
#include "system/symbols.h"

/* A probe. */
typedef struct gos_results_column {
    gos_probe_info info;
    hid_t set[2];    // values, rates
    double *data[2]; // (nrows, ncomp), NULL until asked for
    int known;       // its rates are those of the quantity; -1: an older file does not say
} gos_results_column;

/* fields, and energies and heats of the balances */
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
    const char *key, *boot;         // of the file and of the machine; "" in older files
    gos_results_column *probe;      // (info.nprobes)
    double *time;                   // of probes (nrows)
    const char *const *event_names; // (nnames)
    int nnames;
    double *events; // time, number, direction (nevents, 3)
    long nstarts;   // rows at which steps begin with values of their own
    long *start;    // their numbers (nstarts)
    double *starts; // number, values, rates (nstarts, 1 + 2 nvalues)
    int nvalues;    // components of all probes
    gos_mesh_info mesh;
    gos_mark *marks; // (nmarks); none in older files
    int nmarks;
    double T_ref;       // from which temperatures count [K]; 0: not known
    double *frame_time; // (nframes)
    hid_t field[GOS_RESULTS_NFIELDS];
    gos_field_info *more; // further fields (info.nfields) ...
    hid_t *more_set;      // ... and where they are
    // (nframes) each, NULL until asked for
    double *balance[GOS_RESULTS_NENERGY + GOS_RESULTS_NHEAT];
};

/** Open a dataset of numbers with `width` columns (1: any shape of one column); *rows is its
 * length, 0 when that fails. */
gos_status gos__results_numbers(gos_results *r, const char *path, hsize_t width, hid_t *set,
                                hsize_t *rows);
/** Rows first .. first + n of an open dataset as doubles or ints (n, width). */
bool gos__results_rows(hid_t set, hid_t type, hsize_t first, hsize_t n, hsize_t width, void *out);

/** The history of probe i; what it refers to is the results'. */
gos_status gos__results_history(gos_results *r, int i, gos_time_history *history);

/** A text of the file into its arena. */
gos_status gos__results_text(gos_results *r, const char *path, const char **text);
/** Pictures of modes (shapes.h): names (a line each), displacements and temperatures at nodes, as
 * many of them as *n; 0: the file has none. In the arena `a`. */
gos_status gos__results_modes(gos_results *r, gos_arena *a, int *n, const char **names,
                              double **displacement, double **temperature);

/** Columns of a field. */
static inline hsize_t gos__results_width(int field) {
    return field < GOS_RESULTS_TEMPERATURE ? 3 : 1;
}

#endif
