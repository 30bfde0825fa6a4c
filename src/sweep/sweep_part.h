/* Parts of a sweep with results in one file: members run in sequence, and their temporary file.
   Contents depend only on the part's number, so processes, MPI ranks and resumed sweeps give
   identical results. */
#ifndef GOS_SWEEP_PART_H
#define GOS_SWEEP_PART_H

#include <stdio.h>

#include "base/process.h"
#include "sweep/sweep.h"

#define GOS_MEMBERS_FORMAT "gossamer-members" // root attribute `format` of the results

/* Meaning of the members' numbers; equal bytes for all members. */
typedef struct gos_members_layout {
    char *bytes;
    size_t size;
    int ntimes, nprobes, nvalues; // nvalues: components of all probes
    double *time;                 // of the values (ntimes) [s]
    gos_probe_info *probe;        // (nprobes), strings in `bytes`
} gos_members_layout;

/* A member in a part file; followed by layout bytes (in the first record that has them), then
 * numbers. */
typedef struct gos_member_record {
    uint64_t mark; // identifies a record
    int32_t member, status;
    int64_t acceptance;
    int64_t layout; // bytes
    // doubles: last, least and largest value of each component (nvalues, 3), values (ntimes,
    // nvalues); or none
    int64_t numbers;
    int64_t warnings;
    double wall; // [s]
    gos_statistics statistics;
    char failure[GOS_PIECE_TEXT]; // "" if completed
    char warning[GOS_PIECE_TEXT]; // the first
} gos_member_record;

/** From its bytes. @return GOS_E_FILE if invalid */
gos_status gos__members_layout_read(gos_ctx *ctx, gos_arena *a, const char *bytes, size_t size,
                                    gos_members_layout *layout);

/** Finished or in progress; in the arena. */
const char *gos__part_path(gos_arena *a, const gos_sweep *s, int c, bool finished);
bool gos__part_exists(const gos_sweep *s, gos_arena *a, int c);
/** NULL on failure, with a record. */
FILE *gos__part_begin(gos_ctx *ctx, const gos_sweep *s, const char *path, int c);
/** false if the disk fails */
bool gos__part_append(FILE *file, gos_member_record *r, const char *layout, const double *numbers);

/* Reader of a part, up to an incomplete record. */
typedef struct gos_part_reader {
    gos_ctx *ctx;
    FILE *file;
    gos_member_record record;
    char *layout;    // of the current record, NULL: none
    double *numbers; // (record.numbers)
    size_t room[2];  // bytes
} gos_part_reader;
/** @return false: not a part of this sweep */
bool gos__part_open(gos_ctx *ctx, const gos_sweep *s, const char *path, int c,
                    gos_part_reader *reader);
/** @return false at the end */
bool gos__part_next(gos_part_reader *reader);
void gos__part_close(gos_part_reader *reader);

/** Members first .. end - 1 are part c. */
void gos__part_range(const gos_sweep *s, int c, int *first, int *end);
/** Run part c in this process. After a process died it continues behind the failed member,
 *  recording `died` (else NULL). @return GOS_E_INTERRUPTED, GOS_E_FILE, GOS_E_MEMORY; failing
 *  members are GOS_OK */
gos_status gos__part_run(gos_ctx *ctx, const gos_sweep *s, const gos_sweep_options *o, int c,
                         const char *died);

/** Define parts and key of the sweep; creates the folder. */
gos_status gos__sweep_parts(gos_ctx *ctx, gos_sweep *s, const gos_sweep_options *o);
/** Collect run results and the common file. `over`: remove the parts. */
gos_status gos__members_collect(gos_ctx *ctx, gos_sweep *s, bool over);
/** Component `c` of probe p at all times, members first .. first + n - 1: x (n, ntimes). */
gos_status gos__members_read(gos_ctx *ctx, const gos_sweep *s, int p, int c, int first, int n,
                             double *x);

#endif
