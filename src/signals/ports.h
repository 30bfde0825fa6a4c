/* Inputs (of loads, heat and drives) and outputs (probe components) of a system. */
#ifndef GOS_PORTS_H
#define GOS_PORTS_H

#include "linear/linear.h"
#include "system/system.h"

/* An input declared by an entry (gos_input_def). */
typedef struct gos_input {
    int fn; // time function
    const char *name, *unit;
    gos_input_kind kind;
    bool idle; // zero component of a vector with other components
} gos_input;

/** All inputs of a system, ordered by time function. *list lives in arena a. */
gos_status gos__input_defs_list(const gos_system *s, gos_arena *a, gos_input **list, int *n);
/** Inputs of the linear model: forces and heat without idle ones; drives and prescribed
 * temperatures are fixed there. */
gos_status gos__inputs_list(const gos_system *s, gos_arena *a, gos_input **list, int *n);
/** Columns of B (nq, n) and B_T (nt, n): forces and heat per unit input, from declared
 * derivatives. */
gos_status gos__inputs_columns(gos_ctx *ctx, gos_work *w, const gos_point_of *x,
                               const gos_input *list, int n, gos_sparse *B, gos_sparse *B_T);

/** Column of time function fn at an entered point: force (nq), heat (nt); rest (nq) is scratch. */
void gos__input_column(gos_work *w, const gos_point_of *x, int fn, double *force, double *heat,
                       double *rest);

/** Number of probe components that depend on coordinates, rates and temperatures only (no
 * accelerations, joint forces, energies, violations). */
int gos__outputs_count(const gos_system *s);
#define GOS_NOUTPUTS 4
/** Derivatives of these components: Y_q, Y_v (ny, nq), Y_T (ny, nt) and, for the listed inputs, Y_u
 * (ny, ninput); sets names and units in `linear`. Exact for positions, displacements, velocities
 * and temperatures in global axes and for matrix outputs; else fourth-order differences. */
gos_status gos__outputs_rows(gos_ctx *ctx, const gos_system *s, const gos_state *x,
                             const gos_input *input, int ninput, gos_linear *linear,
                             gos_sparse Y[GOS_NOUTPUTS]);

#endif
