/* Sunlight for heating (heat/sun.c) and pressure (loads/solar_pressure.c): flux, direction, and a
 * shade, 1 in light and 0 in eclipse. Missing values follow from the orbit. */
#ifndef GOS_SUNLIGHT_H
#define GOS_SUNLIGHT_H

#include "model/timefn.h"
#include "parts/builder.h"

/* Parameters; `eclipse` and `penumbra` define the shade. */
typedef struct gos_sunlight {
    gos_timefn *flux, *direction[3];
    const gos_node *eclipse;
    double penumbra;
    gos_timefn *shade; // NULL: always lit
    bool by_orbit;     // direction and shade from the orbit
} gos_sunlight;

/* Rows of parameter tables; `st` has a gos_sunlight `member`. */
#define GOS_SUNLIGHT_FLUX(st, member)                                                              \
    {                                                                                              \
        .name = "flux", .kind = GOS_K_TIMEFN, .unit = "W/m^2", .def = "1361",                      \
        .offset = offsetof(st, member.flux),                                                       \
        .doc = "power of sunlight per area normal to its direction, outside eclipses; "            \
               "default: that at 1 au, or with an `orbit` that at the distance of the "            \
               "Sun on its date"                                                                   \
    }
#define GOS_SUNLIGHT_DIRECTION(st, member)                                                         \
    {                                                                                              \
        .name = "direction", .kind = GOS_K_TIMEFNS, .unit = "-", .shape = 3,                       \
        .offset = offsetof(st, member.direction),                                                  \
        .doc = "direction in which the light travels, in space (normalised); default: "            \
               "direction and eclipses from the model's `orbit`"                                   \
    }
#define GOS_SUNLIGHT_ECLIPSE(st, member, text)                                                     \
    {                                                                                              \
        .name = "eclipse", .kind = GOS_K_NODE, .unit = "s",                                        \
        .offset = offsetof(st, member.eclipse),                                                    \
        .doc = "times in shadow [[start, end], ...] without " text                                 \
               "; pairs with end <= start are ignored"                                             \
    }
#define GOS_SUNLIGHT_PENUMBRA(st, member)                                                          \
    {                                                                                              \
        .name = "penumbra", .kind = GOS_K_NUMBER, .unit = "s", .lo = 0.0, .hi = HUGE_VAL,          \
        .def = "0", .offset = offsetof(st, member.penumbra),                                       \
        .doc = "duration of the smooth ramp of the light, centred at each start and "              \
               "end: half of the light is gone there, so an eclipse removes (end - "               \
               "start) of light for any penumbra"                                                  \
    }

/** Checks and completes the parameters of `entry` (shade, values from the orbit). The caller
 * registers the functions. @return GOS_E_INPUT if there is no direction, or an eclipse besides an
 * orbit */
gos_status gos__sunlight_read(gos_builder *b, const gos_node *entry, const char *object,
                              gos_sunlight *in);
/** Rejects a vector that is identically zero. */
gos_status gos__sunlight_direction(gos_builder *b, const gos_node *entry, const char *object,
                                   const char *key, gos_timefn *const direction[3]);
/** Time function from the orbit (gos_orbit_quantity). */
gos_status gos__sunlight_history(gos_builder *b, const gos_node *entry, const char *object,
                                 int what, gos_timefn **fn);

#endif
