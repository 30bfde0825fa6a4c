/* Parts of a sweep whose results come into one file: members that one process runs one after the
   other, and the file they are kept in until the sweep is over. What a part holds depends on its
   number alone, not on who makes it, so that processes, ranks and a sweep that was interrupted and
   goes on give the same. */
#ifndef GOS_SWEEP_PART_H
#define GOS_SWEEP_PART_H

#include <stdio.h>

#include "base/process.h"
#include "sweep/sweep.h"

#define GOS_MEMBERS_FORMAT "gossamer-members" // root attribute `format` of the results

/* What the members' numbers mean: one row of bytes, alike in all of them. */
typedef struct gos_members_layout {
    char *bytes;
    size_t size;
    int ntimes, nprobes, nvalues; // nvalues: components of all probes
    double *time;                 // that values are given at (ntimes) [s]
    gos_probe_info *probe;        // (nprobes), strings in `bytes`
} gos_members_layout;

/* One member as its part has it; behind it come the bytes of the layout (of the first that has
 * one), then numbers. */
typedef struct gos_member_record {
    uint64_t mark; // says that this is one
    int32_t member, status;
    int64_t layout;  // bytes
    int64_t numbers; // doubles: last, least and largest value of each component (nvalues, 3),
                     // values (ntimes, nvalues); or none
    int64_t warnings;
    double wall; // [s]
    gos_statistics statistics;
    char failure[GOS_PIECE_TEXT]; // "" when it came to its end
    char warning[GOS_PIECE_TEXT]; // the first
} gos_member_record;

/** Times and probes of a run, into the arena. @return GOS_E_USE: not of a run in time, GOS_E_LIMIT:
 * too many times */
gos_status gos__members_layout(gos_ctx *ctx, gos_arena *a, const gos_run_info *run,
                               gos_members_layout *layout);
/** From its bytes. @return GOS_E_FILE: they are none */
gos_status gos__members_layout_read(gos_ctx *ctx, gos_arena *a, const char *bytes, size_t size,
                                    gos_members_layout *layout);

/** The file of part c, finished or still in the making; the caller's arena has it. */
const char *gos__part_path(gos_arena *a, const gos_sweep *s, int c, bool finished);
/** Is there a finished part c of this very sweep? */
bool gos__part_is_there(const gos_sweep *s, gos_arena *a, int c);
/** Begin one; NULL on failure (a record). */
FILE *gos__part_begin(gos_ctx *ctx, const gos_sweep *s, const char *path, int c);
/** Append a member; false when the disk does not take it. */
bool gos__part_append(FILE *file, gos_member_record *r, const char *layout, const double *numbers);

/* Reading one: whatever it has, up to where it was torn. */
typedef struct gos_part_reader {
    gos_ctx *ctx;
    FILE *file;
    gos_member_record record;
    char *layout;    // of the present record, NULL: it brings none
    double *numbers; // (record.numbers)
    size_t room[2];  // bytes
} gos_part_reader;
/** @return false: there is none of this sweep */
bool gos__part_open(gos_ctx *ctx, const gos_sweep *s, const char *path, int c,
                    gos_part_reader *reader);
/** The next member. @return false: there is no more */
bool gos__part_next(gos_part_reader *reader);
void gos__part_close(gos_part_reader *reader);

/** Members first .. end - 1 are part c. */
void gos__part_range(const gos_sweep *s, int c, int *first, int *end);
/** Run part c in this process. A part that a process has died in goes on behind the member that it
 * died with, for which `died` (else NULL) is noted. @return GOS_E_INTERRUPTED, GOS_E_FILE,
 * GOS_E_MEMORY; members that fail are GOS_OK */
gos_status gos__part_run(gos_ctx *ctx, const gos_sweep *s, const gos_sweep_options *o, int c,
                         const char *died);

/** Choose parts and find the key of the sweep; its folder of parts is there then. */
gos_status gos__sweep_parts(gos_ctx *ctx, gos_sweep *s, const gos_sweep_options *o);
/** Take what all parts have: results of runs, and the file of all. When all is `over` the parts are
 * removed. */
gos_status gos__members_collect(gos_ctx *ctx, gos_sweep *s, bool over);
/** Values of component `c` of probe p at all times, of members first .. first + n - 1, from the
 * file of all: x (n, ntimes). */
gos_status gos__members_read(gos_ctx *ctx, const gos_sweep *s, int p, int c, int first, int n,
                             double *x);

#endif
