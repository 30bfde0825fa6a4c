/* Tunable parameters: the system is recompiled and takes over the state. Parameters that change
   the initial positions, or violate joints, are rejected. */
#include "fmi/instance.h"

#include <math.h>
#include <stdio.h>

#include "gossamer/sim.h"

/* larger constraint violations, relative to the extent, mean another geometry */
#define MAX_VIOLATION 1e-6

/* "parameters.k = 3, ...": the changes */
static void name_changes(const gos_fmi *f, char *text, size_t room) {
    const int first = f->list.first[GOS_FMU_PARAMETER];
    size_t n = 0;
    text[0] = '\0';
    for (int i = 0; i < gos__fmu_count(&f->list, GOS_FMU_PARAMETER) && n < room; i++) {
        if (f->parameter[i] != f->compiled[i]) {
            n += (size_t)snprintf(text + n, room - n, "%s%s = %g", n > 0 ? ", " : "",
                                  f->list.v[first + i].name, f->parameter[i]);
        }
    }
}

/* data of a run besides its state */
typedef struct kept {
    unsigned char *bytes; // state (n)
    size_t n;
    gos_fmi_input *input;
    double *q; // start positions of the previous system (nq)
    int nq;
    bool over;
    struct gos_fmi_exchange *exchange; // its limits
    char changes[300];
} kept;

static gos_status keep(gos_fmi *f, kept *k) {
    const size_t inputs = (size_t)gos__fmu_count(&f->list, GOS_FMU_INPUT);
    name_changes(f, k->changes, sizeof k->changes);
    k->over = f->over;
    k->input = gos__zalloc(f->ctx, (long)inputs + 1, sizeof *k->input);
    GOS_TRY(k->input ? GOS_OK : GOS_E_MEMORY);
    memcpy(k->input, f->input, inputs * sizeof *k->input);
    k->nq = f->sys->nq;
    k->q = gos__alloc(f->ctx, k->nq + 1L, sizeof *k->q);
    gos_state *start = NULL;
    GOS_TRY(k->q ? gos_state_create(f->ctx, f->sys, &start) : GOS_E_MEMORY);
    memcpy(k->q, start->q, (size_t)k->nq * sizeof *k->q);
    gos_state_destroy(start);
    GOS_TRY(gos__fmi_state_put(f, 0, &k->bytes, &k->n));
    k->exchange = gos__fmi_exchange_detach(f);
    return GOS_OK;
}

static gos_status check_start(gos_fmi *f, const kept *k) {
    gos_state *now = NULL;
    GOS_TRY(gos_state_create(f->ctx, f->sys, &now));
    const bool same =
        f->sys->nq == k->nq && memcmp(now->q, k->q, (size_t)k->nq * sizeof *k->q) == 0;
    gos_state_destroy(now);
    return same ? GOS_OK
                : gos__fmi_wrong(f,
                                 "with %s the model starts at other positions, so the state cannot "
                                 "be kept; set this before initialization ends",
                                 k->changes);
}

static gos_status settle(gos_fmi *f, const kept *k) {
    gos_constraint_correction changed;
    gos_sizes sizes;
    gos_system_sizes(f->sys, &sizes);
    GOS_TRY(gos_state_satisfy_constraints(f->ctx, f->x, &changed));
    return changed.violation <= MAX_VIOLATION * sizes.extent
               ? GOS_OK
               : gos__fmi_wrong(f,
                                "with %s, %s is violated by %.3g at the current positions; set "
                                "this before initialization ends",
                                k->changes, changed.where, changed.violation);
}

static gos_status go_on(gos_fmi *f, const kept *k) {
    GOS_TRY(gos__fmi_continue(f));
    memcpy(f->input, k->input, (size_t)gos__fmu_count(&f->list, GOS_FMU_INPUT) * sizeof *k->input);
    GOS_TRY(gos__fmi_state_take(f, k->bytes, k->n, true));
    f->over = k->over;
    GOS_TRY(settle(f, k)); // drops past values, which belong to other forces
    if (f->kind == GOS_FMU_CO_SIMULATION) {
        GOS_TRY(gos__fmi_integrate(f));
        gos__fmi_sample(f, false);
    }
    f->up_to_date = false;
    return GOS_OK;
}

static gos_status tune(gos_fmi *f, kept *k) {
    GOS_TRY(keep(f, k));
    GOS_TRY(gos__fmi_compile(f));
    GOS_TRY(check_start(f, k));
    return go_on(f, k);
}

gos_status gos__fmi_tune(gos_fmi *f) {
    kept k = {0};
    const gos_status status = tune(f, &k);
    gos__fmi_exchange_adopt(f, k.exchange);
    gos__free(f->ctx, k.q);
    gos__free(f->ctx, k.input);
    gos__free(f->ctx, k.bytes);
    if (status != GOS_OK) {
        gos__fmi_reset_run(f);
        f->phase = GOS_FMI_FAILED;
    }
    return status;
}
