/* Parts of a sweep: grid and random parameters (sweep_grid.c), running and reading (sweep.c),
   statistics (sweep_statistics.c). */
#ifndef GOS_SWEEP_H
#define GOS_SWEEP_H

#include "base/base.h"
#include "gossamer/sweep.h"

typedef struct gos_law gos_law; // probability distribution

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
    const char *failure; // NULL: completed
    gos_status status;
    double wall; // [s]
    bool started, has_results;
    long long old[3]; // previous file at its path: inode, modification time
    gos_statistics statistics;
    int nvalues;
    const char **key;
    double *probe;
    long warnings;
    const char *warning; // the first, NULL: none
    gos_acceptance acceptance;
} gos_sweep_member;

struct gos_sweep {
    gos_ctx *ctx;
    gos_arena *arena;      // owns all texts and numbers
    gos_model *model;      // with its settings, never changed
    gos_model *tried;      // a copy for checking parameters
    gos_varied *parameter; // (nparameters)
    int nparameters, room;
    gos_sampling sampling; // n = 0: no random parameters
    gos_sweep_member *run; // (nruns)
    int nruns;
    const char *folder;
    /* for results in one file (sweep_part.h) */
    struct gos_members_layout *layout; // NULL: none, or each run has its own
    uint64_t key;                      // hash of everything the results depend on
    int per_part, nparts;              // members per part
};

/* A compiled run. */
typedef struct gos_sweep_system {
    gos_model *model;
    gos_system *full, *reduced;
    gos_system *sys; // the one to run
    gos_acceptance acceptance;
} gos_sweep_system;
typedef struct gos_rom_stored gos_rom_stored; // models/rom_file.h
/** Compile run i, and reduce it if requested. Free with gos__sweep_system_free, also after
 *  failures. *stored: contents of options->rom, initially NULL; freed by the caller. */
gos_status gos__sweep_system(gos_ctx *ctx, const gos_sweep *s, const gos_sweep_options *o, int i,
                             gos_rom_stored **stored, gos_sweep_system *made);
void gos__sweep_system_free(gos_sweep_system *made);
/** Record why a run failed. */
void gos__sweep_fail(gos_sweep *s, gos_sweep_member *r, gos_status status, const char *why);
/** With results in one file (sweep_parallel.c). */
gos_status gos__sweep_together(gos_ctx *ctx, gos_sweep *s, const gos_sweep_options *o);

/** Copy of a model. */
gos_status gos__sweep_model(gos_ctx *ctx, const gos_model *model, gos_model **copy);

/** Runs per grid point. */
static inline int gos__sweep_draws(const gos_sweep *s) {
    return s->sampling.n > 0 ? s->sampling.n : 1;
}

#endif
