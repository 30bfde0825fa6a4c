/* Parameter rows of methods with local linearisation. `at`: offset of gos_local_def in the
   struct; `models`: 0 or GOS_P_NONLINEAR. */
#ifndef GOS_LOCAL_ROWS_H
#define GOS_LOCAL_ROWS_H

#include <math.h>

#include "rom/local.h"
#include "system/reduction.h"

#define GOS_LOCAL_CHOICE(at, models, member, choices_, def_, doc_)                                 \
    {                                                                                              \
        .name = #member, .kind = GOS_K_CHOICE, .unit = "", .flags = (models), .def = def_,         \
        .choices = choices_, .offset = (at) + offsetof(gos_local_def, member), .doc = doc_         \
    }
#define GOS_LOCAL_INT(at, models, member, lo_, hi_, def_, doc_)                                    \
    {                                                                                              \
        .name = #member, .kind = GOS_K_INT, .unit = "", .lo = lo_, .hi = hi_, .flags = (models),   \
        .def = def_, .offset = (at) + offsetof(gos_local_def, member), .doc = doc_                 \
    }
#define GOS_LOCAL_BOOL(at, models, member, def_, doc_)                                             \
    {                                                                                              \
        .name = #member, .kind = GOS_K_BOOL, .unit = "", .flags = (models), .def = def_,           \
        .offset = (at) + offsetof(gos_local_def, member), .doc = doc_                              \
    }
#define GOS_LOCAL_NUMBER(at, models, member, unit_, hi_, def_, doc_)                               \
    {                                                                                              \
        .name = #member, .kind = GOS_K_NUMBER, .unit = unit_, .lo = 0, .hi = hi_,                  \
        .flags = (models), .def = def_, .offset = (at) + offsetof(gos_local_def, member),          \
        .doc = doc_                                                                                \
    }

/* for all kinds of columns */
#define GOS_LOCAL_ROW_THRESHOLDS(at, models)                                                       \
    {                                                                                              \
        .name = "thresholds", .kind = GOS_K_MAP, .unit = "", .flags = (models),                    \
        .sub = gos__local_threshold_params, .offset = (at) + offsetof(gos_local_def, thresholds),  \
        .doc = "limits of an interval, {displacement, temperature}"                                \
    }
#define GOS_LOCAL_ROW_VELOCITY(at, models)                                                         \
    GOS_LOCAL_CHOICE(                                                                              \
        at, models, velocity, "column|truncate|scale", "column",                                   \
        "treatment of the velocity at the start of an interval. column: an additional "            \
        "column, exact; truncate: its projection on the columns, which loses energy; "             \
        "scale: the projection scaled to the same energy, which loses momentum")
#define GOS_LOCAL_ROW_DROPPED(at, models)                                                          \
    GOS_LOCAL_CHOICE(                                                                              \
        at, models, dropped, "follow|ignore", "follow",                                            \
        "truncated modes: follow their load in one additional column, or are ignored, "            \
        "which accumulates strain")
#define GOS_LOCAL_ROW_COUPLING(at, models)                                                         \
    GOS_LOCAL_BOOL(at, models, coupling, "true",                                                   \
                   "temperatures act on the structure within an interval; false: from the "        \
                   "next interval on, as published")
#define GOS_LOCAL_ROW_INTERVALS(at, models)                                                        \
    GOS_LOCAL_CHOICE(                                                                              \
        at, models, intervals, "thresholds|error", "thresholds",                                   \
        "intervals end at the thresholds, or are as long as the force residual at their end "      \
        "permits for `tolerance`")
#define GOS_LOCAL_ROW_MAX_INTERVAL(at, models)                                                     \
    GOS_LOCAL_NUMBER(at, models, max_interval, "s", HUGE_VAL, "0", "longest interval; 0: no limit")
#define GOS_LOCAL_ROW_TOLERANCE(at)                                                                \
    {                                                                                              \
        .name = "tolerance", .kind = GOS_K_NUMBER, .unit = "-", .lo = 0, .hi = 1,                  \
        .flags = GOS_P_LO_OPEN, .def = "1e-3",                                                     \
        .offset = (at) + offsetof(gos_local_def, tolerance),                                       \
        .doc = "error bound of `intervals: error`, relative to the largest extent"                 \
    }
/* for modes */
#define GOS_LOCAL_ROW_MODES(at, models)                                                            \
    GOS_LOCAL_CHOICE(at, models, modes, "complex|real|real_diagonal", "complex",                   \
                     "kind of modes; real: undamped modes; real_diagonal: undamped modes without " \
                     "damping between them")
#define GOS_LOCAL_ROW_SEARCH(at, models)                                                           \
    GOS_LOCAL_INT(at, models, search, 0, 10000, "0",                                               \
                  "undamped modes in the search space of complex modes; 0: a sixth more "          \
                  "than are kept")
#define GOS_LOCAL_ROW_REFRESH(at, models)                                                          \
    GOS_LOCAL_INT(at, models, refresh, 0, 10000, "0",                                              \
                  "intervals between updates of the modes; matrices and extra columns are "        \
                  "updated in each. 0: one, as published")
#define GOS_LOCAL_ROW_COLUMNS(at, models)                                                          \
    GOS_LOCAL_NUMBER(                                                                              \
        at, models, columns, "-", 1, "1e-2",                                                       \
        "least component of the second vector of a mode (imaginary part, or vector of "            \
        "the other real root) orthogonal to previous columns for it to become a column")
#define GOS_LOCAL_ROW_THERMAL_MODES(at, models)                                                    \
    GOS_LOCAL_INT(at, models, thermal_modes, 0, 10000, "0", "thermal modes kept; 0: all")

extern const gos_param gos__local_threshold_params[];

/** Reject features that local linearisation does not support. */
gos_status gos__local_refuse(gos_ctx *ctx, const gos_system *sys);

#endif
