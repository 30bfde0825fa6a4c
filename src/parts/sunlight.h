/* Sunlight as entries of a model say it, alike for the heat that it brings (heat/sun.c) and for its
   pressure (loads/solar_pressure.c): a flux, its direction of travel, and a shade that is 1 in the
   light and 0 in an eclipse. What is not given follows from the model's orbit. */
#ifndef GOS_SUNLIGHT_H
#define GOS_SUNLIGHT_H

#include "model/timefn.h"
#include "parts/parts.h"

/* What the parameter tables fill; `eclipse` and `penumbra` make the shade. */
typedef struct gos_sunlight {
    gos_timefn *flux, *direction[3];
    const gos_node *eclipse;
    double penumbra;
    gos_timefn *shade; // NULL: always in the light
    bool by_orbit;     // direction and shade are those of the model's orbit
} gos_sunlight;

/* Their common entries; `st` has a gos_sunlight `member`. */
#define GOS_SUNLIGHT_FLUX(st, member)                                                              \
    {                                                                                              \
        .name = "flux", .kind = GOS_K_TIMEFN, .unit = "W/m^2", .def = "1361",                      \
        .offset = offsetof(st, member.flux),                                                       \
        .doc = "power of the sunlight per area across its direction, out of eclipse; by default "  \
               "that at 1 au, along an `orbit` at the distance of its Sun (on its date)"           \
    }
#define GOS_SUNLIGHT_DIRECTION(st, member)                                                         \
    {                                                                                              \
        .name = "direction", .kind = GOS_K_TIMEFNS, .unit = "-", .shape = 3,                       \
        .offset = offsetof(st, member.direction),                                                  \
        .doc = "direction in which the light travels, in space (normalised); without it "          \
               "direction and eclipses are those of the model's `orbit`"                           \
    }
#define GOS_SUNLIGHT_ECLIPSE(st, member, text)                                                     \
    {                                                                                              \
        .name = "eclipse", .kind = GOS_K_NODE, .unit = "s",                                        \
        .offset = offsetof(st, member.eclipse),                                                    \
        .doc = "times in shadow [[start, end], ...] without " text                                 \
               "; where end <= start there is none"                                                \
    }
#define GOS_SUNLIGHT_PENUMBRA(st, member)                                                          \
    {                                                                                              \
        .name = "penumbra", .kind = GOS_K_NUMBER, .unit = "s", .lo = 0.0, .hi = HUGE_VAL,          \
        .def = "0", .offset = offsetof(st, member.penumbra),                                       \
        .doc = "how long the light takes to fade, with a smooth ramp centred at each start and "   \
               "end: half of it is gone there, so an eclipse takes away (end - start) of light "   \
               "whatever the penumbra"                                                             \
    }

/** Check what has been filled from `entry` and complete it: shade, and what comes from the orbit
 * (the flux too, where it is left out). Functions of time are the caller's to register. @return
 * GOS_E_INPUT where there is no direction, or an eclipse beside an orbit */
gos_status gos__sunlight_read(gos_builder *b, const gos_node *entry, const char *object,
                              gos_sunlight *in);
/** The vector at `key` must not be zero for ever. */
gos_status gos__sunlight_direction(gos_builder *b, const gos_node *entry, const char *object,
                                   const char *key, gos_timefn *const direction[3]);
/** A function of time that the model's orbit gives (gos_orbit_course). */
gos_status gos__sunlight_course(gos_builder *b, const gos_node *entry, const char *object, int what,
                                gos_timefn **fn);

#endif
