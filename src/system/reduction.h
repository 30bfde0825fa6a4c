/* Interface of system reduction methods (implemented in rom). */
#ifndef GOS_SYSTEM_REDUCTION_H
#define GOS_SYSTEM_REDUCTION_H

#include "linear_reduction/methods.h"
#include "system/system.h"

/* methods for systems only; others are in GOS_LINEAR_METHODS */
#define GOS_SYSTEM_METHODS(X)                                                                      \
    X(rotation_closed)                                                                             \
    X(complex_synthesis)                                                                           \
    X(local_pod)

#define X(name) extern const gos_type gos__reduction_##name;
GOS_SYSTEM_METHODS(X)
#undef X

struct gos_local_def;

typedef struct gos_system_method {
    /** Additional checks. `entry`: the section's map, def: the definition struct. May be NULL. */
    gos_status (*check)(gos_ctx *ctx, const gos_node *entry, const void *def);
    /** Reduce by the system's `reduction`, without training runs. */
    gos_status (*reduce)(gos_ctx *ctx, const gos_system *sys, gos_system **reduced);
    /** With runs of reduced models to select options; NULL: not needed. `runs`: number of runs that
     *  the model will serve, 0: unknown. */
    gos_status (*choose)(gos_ctx *ctx, const gos_system *sys, double runs, gos_system **reduced);
    /** Settings for the local linearisation stepper (rom/local.h); NULL: other method. */
    void (*local)(const void *def, struct gos_local_def *local);
} gos_system_method;

/** Method of a system; NULL: linear models only. */
static inline const gos_system_method *gos__system_method(const gos_system *s) {
    return ((const gos_reduction_ops *)s->reduction.type->ops)->nonlinear;
}

#endif
