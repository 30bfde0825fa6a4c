/* Inputs and outputs of a system: amounts that loads, heat and drives declare, components of
 * probes. */
#ifndef GOS_PORTS_H
#define GOS_PORTS_H

#include "linear/linear.h"
#include "system/system.h"

/* One input: an amount that an entry declares (gos_amount). */
typedef struct gos_input {
    int fn; // its function of time
    const char *name, *unit;
    gos_amount_kind kind;
    bool idle; // a component given as 0 of a vector that has others
} gos_input;

/** All amounts of a system, in the order of their functions of time. *list lives in arena a. */
gos_status gos__amounts_list(const gos_system *s, gos_arena *a, gos_input **list, int *n);
/** The inputs of its linear model: amounts that forces or heat follow, without idle ones; what
 * moves as a drive or prescribed temperature says stands still there. */
gos_status gos__inputs_list(const gos_system *s, gos_arena *a, gos_input **list, int *n);
/** Columns of B (nq, n) and B_T (nt, n): what forces and heat gain when an input grows by one, by
 * the derivatives that items and surfaces declare. */
gos_status gos__inputs_columns(gos_ctx *ctx, gos_work *w, const gos_point_of *x,
                               const gos_input *list, int n, gos_sparse *B, gos_sparse *B_T);

/** One of them at a point that was entered, of function of time fn: force (nq), heat (nt); rest
 * (nq) is scratch. */
void gos__input_column(gos_work *w, const gos_point_of *x, int fn, double *force, double *heat,
                       double *rest);

/** Number of components of all probes that depend on coordinates, rates and temperatures alone
 *  (not: accelerations, joint forces, energies, violations). */
int gos__outputs_count(const gos_system *s);
#define GOS_NOUTPUTS 4
/** Rows of Y_q, Y_v (ny, nq), Y_T (ny, nt) and, for the listed inputs, Y_u (ny, ninput), the
 * derivatives of these components, and their names and units put into `linear`. Exact for
 * positions, displacements, velocities and temperatures in global axes and for outputs of matrices;
 * else by differences of fourth order. */
gos_status gos__outputs_rows(gos_ctx *ctx, const gos_system *s, const gos_state *x,
                             const gos_input *input, int ninput, gos_linear *linear,
                             gos_sparse Y[GOS_NOUTPUTS]);

#endif
