/* Internals of the results writer. */
#ifndef GOS_IO_WRITER_H
#define GOS_IO_WRITER_H

#include "results/h5_put.h"
#include "results/overwrite_image.h"
#include "base/new_file.h"
#include "results/results.h"

/* A growing dataset: rows of 8-byte numbers, buffered and appended in blocks. */
typedef struct gos_column {
    hid_t set;       // negative: column not in this file
    bool integer;    // int64_t instead of double
    bool flat;       // one-dimensional in the file
    int width;       // numbers per row
    hsize_t written; // rows in the file
    long held, cap;  // rows in memory, and their capacity
    void *rows;      // (cap, width)
} gos_column;

/* Columns are written last to first, so that a time follows its data. From GOS_COL_PROBES on,
   value and rate of each probe. */
enum {
    GOS_COL_TIME,       // of fields
    GOS_COL_PROBE_TIME, // of probes
    GOS_COL_POINTS,
    GOS_COL_PART_OFFSETS,
    GOS_COL_NPARTS,
    GOS_COL_POINT_OFFSETS,
    GOS_COL_CELL_OFFSETS,
    GOS_COL_ID_OFFSETS,
    GOS_COL_BODY_OFFSETS,
    GOS_COL_EVENTS, // events: time, number, direction
    GOS_COL_STARTS, // values after a switch: row, values, rates
    GOS_COL_FIELDS, // displacement, velocity, temperature, temperature rate; then their offsets
    GOS_COL_FIELD_OFFSETS = GOS_COL_FIELDS + 4,
    GOS_COL_ENERGY = GOS_COL_FIELD_OFFSETS + 4,
    GOS_COL_HEAT = GOS_COL_ENERGY + (int)(sizeof(gos_energy) / sizeof(double)),
    GOS_COL_PROBES = GOS_COL_HEAT + (int)(sizeof(gos_heat) / sizeof(double))
};

/* after the probes: values and offset of each further field */
#define GOS_COL_MORE(w) (GOS_COL_PROBES + 2 * (w)->nprobes)

#define GOS_NSTATISTICS (int)(sizeof(gos_statistics) / 8)

struct gos_writer {
    gos_ctx *ctx;
    char *path;
    gos_newfile made; // settled: visible to readers
    gos_disk disk;    // descriptor owned by `made`
    hid_t file;
    double flushed_at;
    long held_bytes;
    int nnodes, nprobes, nvalues, nfields;
    bool thermal, events, starts;
    double *reference; // (nnodes, 3)
    double *scratch;   // (nnodes, 3)
    double *begin;     // buffer for a row of starts (1 + 2 nvalues)
    gos_column *column;
    int ncolumns;
    long rows, frames; // complete steps, output times
    long passed;       // events stored
    int64_t warned;    // warnings in the file
    hid_t nsteps;      // attribute of /VTKHDF/Steps for other readers
    hid_t status, warnings, nwarnings, statistics[GOS_NSTATISTICS];
    off_t status_at;            // position of the status text in the file
    hid_t boot;                 // id of the boot
    char key[GOS_KEY_TEXT + 1]; // id of the file
    off_t key_at;               // position of the id
    unsigned char *image;       // last image (nimage), capacity image_size
    size_t nimage, image_size;
};

gos_status gos__writer_failed(gos_writer *w);
bool gos__writer_text(hid_t set, const char *text, size_t size);
bool gos__writer_close_file(gos_writer *w);
/** Free all, and remove an unpublished file; NULL is allowed. */
void gos__writer_release(gos_writer *w);
bool gos__writer_make(gos_writer *w, const gos_writer_layout *layout);
/** Open all columns and cut them to w->rows, frames, passed. @return false if one is missing, of
 *  another type or shorter. */
bool gos__writer_open(gos_writer *w, const gos_writer_layout *layout);

#endif
