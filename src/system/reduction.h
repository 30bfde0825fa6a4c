/* What reduction methods do with systems. The methods themselves are in rom. */
#ifndef GOS_SYSTEM_REDUCTION_H
#define GOS_SYSTEM_REDUCTION_H

#include "linear_reduction/methods.h"
#include "system/system.h"

/* methods of systems alone; those of linear models, and of both, are in GOS_LINEAR_METHODS */
#define GOS_SYSTEM_METHODS(X)                                                                      \
    X(rotation_closed)                                                                             \
    X(complex_synthesis)                                                                           \
    X(local_pod)

#define X(name) extern const gos_type gos__reduction_##name;
GOS_SYSTEM_METHODS(X)
#undef X

struct gos_local_def;

typedef struct gos_system_method {
    /** Refuse what no table can refuse. `entry`: the map of the section, def: the struct of the
     * table. May be NULL. */
    gos_status (*check)(gos_ctx *ctx, const gos_node *entry, const void *def);
    /** Reduce a system as its `reduction` says, without runs that choose something. */
    gos_status (*reduce)(gos_ctx *ctx, const gos_system *sys, gos_system **reduced);
    /** The same with runs of reduced models where something is to be chosen; NULL: nothing ever
     * is. */
    gos_status (*choose)(gos_ctx *ctx, const gos_system *sys, gos_system **reduced);
    /** What a method of local linearisation says to its stepper (rom/local.h); NULL: it is none. */
    void (*local)(const void *def, struct gos_local_def *local);
} gos_system_method;

/** What the method of a system does with it; NULL: it reduces linear models only. */
static inline const gos_system_method *gos__system_method(const gos_system *s) {
    return ((const gos_reduction_ops *)s->reduction.type->ops)->nonlinear;
}

#endif
