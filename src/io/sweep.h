/* Inside of a sweep: what varies and which runs that makes (sweep_grid.c), running them and reading what they left
   (sweep.c). */
#ifndef GOS_SWEEP_H
#define GOS_SWEEP_H

#include "base/base.h"
#include "gossamer/sweep.h"

/* What varies, with the texts that are set one after the other. */
typedef struct gos_varied {
    const char *name;
    const char **value; // (n)
    int n, room;
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
} gos_sweep_member;

struct gos_sweep {
    gos_ctx *ctx;
    gos_arena *arena;      // of all texts and numbers
    gos_model *model;      // with its settings, never changed
    gos_model *tried;      // another one, that what varies is tried on
    gos_varied *parameter; // (nparameters)
    int nparameters, room;
    gos_sweep_member *run; // (nruns)
    int nruns;
};

/** The same model once more. */
gos_status gos__sweep_model(gos_ctx *ctx, const gos_model *model, gos_model **copy);

#endif
