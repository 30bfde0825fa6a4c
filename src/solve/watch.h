/* What a run conserves: numbers of watch.c. */
#ifndef GOS_SOLVE_WATCH_H
#define GOS_SOLVE_WATCH_H

/* since its start */
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

#endif
