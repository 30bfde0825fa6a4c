/* Inside of a results writer, shared by results_layout.c (what is made at the start) and
   results_write.c (what is written later). */
#ifndef GOS_IO_WRITER_H
#define GOS_IO_WRITER_H

#include "results/h5_put.h"
#include "results/overwrite_image.h"
#include "base/new_file.h"
#include "results/results.h"

/* A dataset that grows: rows of 8-byte numbers, held in memory and appended in blocks. */
typedef struct gos_column {
    hid_t set;       // negative: this file has no such column
    bool integer;    // int64_t instead of double
    bool flat;       // one-dimensional in the file
    int width;       // numbers in a row
    hsize_t written; // rows in the file
    long held, cap;  // rows in memory, and for how many there is space
    void *rows;      // (cap, width)
} gos_column;

/* Columns by number; written from the last to the first, so that a time comes after what belongs to
   it. Behind GOS_COL_PROBES lie value and rate of each probe in turn. */
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
    GOS_COL_EVENTS, // limits that were passed: time, number, direction
    GOS_COL_STARTS, // where steps begin with values of their own: number of the row, values, rates
    GOS_COL_FIELDS, // displacement, velocity, temperature, its rate; then their offsets
    GOS_COL_FIELD_OFFSETS = GOS_COL_FIELDS + 4,
    GOS_COL_ENERGY = GOS_COL_FIELD_OFFSETS + 4,
    GOS_COL_HEAT = GOS_COL_ENERGY + (int)(sizeof(gos_energy) / sizeof(double)),
    GOS_COL_PROBES = GOS_COL_HEAT + (int)(sizeof(gos_heat) / sizeof(double))
};

/* Behind the probes: values at nodes and offset of each further field in turn. */
#define GOS_COL_MORE(w) (GOS_COL_PROBES + 2 * (w)->nprobes)

#define GOS_NSTATISTICS (int)(sizeof(gos_statistics) / 8)

struct gos_writer {
    gos_ctx *ctx;
    char *path;
    gos_newfile made; // settled: the file has its name and is being read by others
    gos_disk disk;    // whose descriptor is the place's
    hid_t file;
    double flushed_at;
    long held_bytes;
    int nnodes, nprobes, nvalues, nfields;
    bool thermal, events, starts;
    double *reference; // (nnodes, 3)
    double *scratch;   // (nnodes, 3)
    double *begin;     // a row of starts (1 + 2 nvalues)
    gos_column *column;
    int ncolumns;
    long rows, frames;   // steps, output times that are complete
    long passed;         // events stored
    char *past_warnings; // of the run before it was interrupted (GOS_WARNINGS_TEXT), or NULL
    long past_warning_count;
    int64_t warned; // warnings in the file
    hid_t nsteps;   // attribute of /VTKHDF/Steps, kept up to date for other readers
    hid_t status, warnings, nwarnings, statistics[GOS_NSTATISTICS];
    off_t status_at;            // where in the file the status text lies
    hid_t boot;                 // when the machine was started
    char key[GOS_KEY_TEXT + 1]; // of the file
    off_t key_at;               // where it lies
    unsigned char *image;       // at the last synchronisation (nimage), with room for more
    size_t nimage, image_size;
};

/** Record why the disk or HDF5 failed. @return GOS_E_FILE */
gos_status gos__writer_failed(gos_writer *w);
/** Put a text into its dataset of `size` bytes. */
bool gos__writer_text(hid_t set, const char *text, size_t size);
/** Close everything that HDF5 has open of the file. */
bool gos__writer_close_file(gos_writer *w);
/** Free all, and remove a file without its name; NULL is allowed. */
void gos__writer_release(gos_writer *w);
/** Make all groups, datasets and attributes. */
bool gos__writer_make(gos_writer *w, const gos_writer_layout *layout);
/** Open all that was made and cut it to what stays (w->rows, frames, passed). @return false
 *  when something is missing, of another kind or shorter. */
bool gos__writer_open(gos_writer *w, const gos_writer_layout *layout);

#endif
