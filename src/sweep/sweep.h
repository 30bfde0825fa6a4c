/* Inside of a sweep: what varies and which runs that makes (sweep_grid.c, and sweep_random.c for
   what is drawn), running them and reading what they left (sweep.c), how far the runs of draws
   spread (sweep_statistics.c). */
#ifndef GOS_SWEEP_H
#define GOS_SWEEP_H

#include "base/base.h"
#include "gossamer/sweep.h"

typedef struct gos_law gos_law; // of a random number

/* What varies, with the texts that are set one after the other. */
typedef struct gos_varied {
    const char *name;
    const char **value; // (n)
    int n, room;
    const gos_law *law;  // NULL: not random, all values in turn
    double parameter[2]; // of the law
} gos_varied;

typedef struct gos_sweep_member {
    const char **value; // of each parameter
    const char *path;
    const char *failure; // NULL: it came to its end
    gos_status status;
    double wall; // [s]
    bool started, has_results;
    long long old[3]; // what was at its path before: inode, time of the last change
    gos_statistics statistics;
    int nvalues;
    const char **key;
    double *probe;
    long warnings;
    const char *warning; // the first, NULL: none
} gos_sweep_member;

struct gos_sweep {
    gos_ctx *ctx;
    gos_arena *arena;      // of all texts and numbers
    gos_model *model;      // with its settings, never changed
    gos_model *tried;      // another one, that what varies is tried on
    gos_varied *parameter; // (nparameters)
    int nparameters, room;
    gos_sampling sampling; // n = 0: nothing is drawn
    gos_sweep_member *run; // (nruns)
    int nruns;
    const char *folder;
    /* of results in one file (sweep_part.h) */
    struct gos_members_layout *layout; // NULL: there are none, or each run has its own
    uint64_t key;                      // of what is run
    int per_part, nparts;              // members of a part
};

/* A run made ready. */
typedef struct gos_sweep_system {
    gos_model *model;
    gos_system *full, *reduced;
    gos_system *sys; // the one to run
} gos_sweep_system;
typedef struct gos_rom_stored gos_rom_stored; // io/rom_file.h
/** Compile run i with its values, and reduce it where that is wanted. Free with
 * gos__sweep_system_free, after failures too. *stored: what is in the file of options->rom, NULL
 * before the first run; the caller's to forget. */
gos_status gos__sweep_system(gos_ctx *ctx, const gos_sweep *s, const gos_sweep_options *o, int i,
                             gos_rom_stored **stored, gos_sweep_system *made);
void gos__sweep_system_free(gos_sweep_system *made);
/** Note why a run failed. */
void gos__sweep_fail(gos_sweep *s, gos_sweep_member *r, gos_status status, const char *why);
/** All runs, with their results in one file (sweep_parallel.c). */
gos_status gos__sweep_together(gos_ctx *ctx, gos_sweep *s, const gos_sweep_options *o);

/** The same model once more. */
gos_status gos__sweep_model(gos_ctx *ctx, const gos_model *model, gos_model **copy);

/** Append a value of what varies: the shortest text that is a number within a part of x. */
gos_status gos__sweep_number(gos_sweep *s, gos_varied *p, double x, double part);
/** Read `text` as LAW:NUMBER:NUMBER into p, with the median as its only value. *found tells whether
 * it names a law; `all` is for messages. */
gos_status gos__sweep_law(gos_ctx *ctx, gos_sweep *s, gos_varied *p, const char *text,
                          const char *all, bool *found);
/** Draw the values of all that is random, in the place of the medians. */
gos_status gos__sweep_draw(gos_ctx *ctx, gos_sweep *s);
/** Runs for each point of the grid. */
static inline int gos__sweep_draws(const gos_sweep *s) {
    return s->sampling.n > 0 ? s->sampling.n : 1;
}

#endif
