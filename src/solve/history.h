/* What an integrator knows beyond the state: with both, another integrator goes on to the last bit as
   this one would have. */
#ifndef GOS_HISTORY_H
#define GOS_HISTORY_H

#include "system/system.h"

/* What a run conserves, since its start (watch.c). */
#define GOS_WATCH_NUMBERS(X)                                                                       \
    X(energy, "largest of kinetic energy, strain energy and work [J]")                             \
    X(kinetic, "largest kinetic energy [J]")                                                       \
    X(height, "largest energy in the field of gravity [J]")                                        \
    X(moved, "largest RMS displacement, relative to the extent")                                   \
    X(open, "balance of energy where it is most open [J]")                                         \
    X(open_at, "when that was [s]")                                                                \
    X(free, "1: nothing from outside acts")                                                        \
    X(p_x, "momentum at the start [kg m/s]")                                                       \
    X(p_y, "")                                                                                     \
    X(p_z, "")                                                                                     \
    X(l_x, "angular momentum at the start [kg m^2/s]")                                             \
    X(l_y, "")                                                                                     \
    X(l_z, "")                                                                                     \
    X(dp, "largest drift of momentum [kg m/s]")                                                    \
    X(dl, "largest drift of angular momentum [kg m^2/s]")

typedef struct gos_watch {
#define X(name, doc) double name; // doc
    GOS_WATCH_NUMBERS(X)
#undef X
} gos_watch;

#define GOS_HISTORY_NUMBERS(X)                                                                     \
    X(t_start, "start of the run [s]")                                                             \
    X(T_range, "temperature scale for errors [K]")                                                 \
    X(at_break, "1: the next step starts at a switching time, 2: after an event")                  \
    X(stale, "1: the factorisation shall be made anew in the next step")                           \
    X(factor_h, "step the factorisation was made for [s]")                                         \
    X(pace_mark, "time after the last whole thousand of steps [s]")                                \
    X(pace_passed, "time that those thousand steps took the run on [s]")
typedef struct gos_history {
#define X(name, doc) double name; // doc
    GOS_HISTORY_NUMBERS(X)
#undef X
    gos_watch watch;
    /* The matrix of the factorisation is not kept but where it was assembled: time, step, then all of
       gos_point_of (gos__history_point). Borrowed. */
    const double *made_at;   // NULL: there is no factorisation
    const double *pivots_at; // of the older matrix whose pivots it keeps; NULL: it has its own
    const double *seen;      // configuration it was turned to (nq), NULL: not turned
    gos_statistics stats;
} gos_history;

/** Doubles of a place where a matrix was assembled. */
size_t gos__history_point(const gos_system *s);
/** What the integrator remembers between two steps; borrowed until the next step. */
void gos__history_get(const gos_integrator *g, gos_history *history);
/** An integrator that goes on from a state (borrowed as by gos_integrator_create) and its history. */
gos_status gos__history_resume(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                               gos_state *state, const gos_history *history,
                               gos_integrator **integrator);

#endif
