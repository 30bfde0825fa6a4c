/* Units: their names and dimensions, and the base units of a model. */
#ifndef GOS_UNIT_H
#define GOS_UNIT_H

#include "base/base.h"

enum {
    GOS_DIM_LENGTH,
    GOS_DIM_MASS,
    GOS_DIM_TIME,
    GOS_DIM_CURRENT,
    GOS_DIM_TEMPERATURE,
    GOS_DIM_ANGLE,
    GOS_DIM_COUNT
};

/* SI value = value * factor * 10^ten + offset. The power of ten is separate, so that conversions
 * between decimal units are rounded once. */
typedef struct gos_unit_def {
    int power[GOS_DIM_COUNT];
    double factor;
    int ten;
    double offset; // [K], of a temperature scale that does not start at absolute zero
} gos_unit_def;

#define GOS_UNIT_NAME 16
#define GOS_UNIT_TEXT 96 // bytes for a label

/* Base units of a model, each with its name. */
typedef struct gos_unit_set {
    char text[GOS_UNIT_TEXT]; // "SI", "mm-t-s", or its base units "mm, t, s, A"
    char base[GOS_DIM_COUNT][GOS_UNIT_NAME];
    gos_unit_def unit[GOS_DIM_COUNT];
} gos_unit_set;

/** Parse n bytes, "N m s/rad", "W/(m^2 K)"; "-" and "" are dimensionless. @return NULL, or the
 *  first character that is wrong; *word (may be NULL) := length of an unknown name there, or 0 */
const char *gos__unit_parse(const char *text, size_t n, gos_unit_def *unit, int *word);
/** The unit that a misspelt one is likely to be. @return false: none */
bool gos__unit_suggest(const char *word, char near[GOS_UNIT_NAME]);
bool gos__unit_same_dimension(const gos_unit_def *a, const gos_unit_def *b);
/** Has the unit no dimension at all (also no angle)? */
bool gos__unit_plain(const gos_unit_def *unit);
/** A value in `unit`, in the units of `set` (NULL: SI). Without the offset, unless it is a
 *  temperature scale. */
double gos__unit_convert(const gos_unit_def *unit, const gos_unit_set *set, double value);
/** A value in a unit of SI ("Pa"), in the units of `set`. Unchanged if `si` is no unit. */
double gos__unit_from_si(const gos_unit_set *set, const char *si, double value);

/** Name i, from 0, of the sets; NULL after the last one. */
const char *gos__unit_set_name(int i);
/** By its text. @return false: neither a name nor a list of base units */
bool gos__unit_set_find(const char *text, gos_unit_set *set);
/** Set base unit `dimension` to a named unit of it. @return false: not a unit of this dimension */
bool gos__unit_set_base(gos_unit_set *set, int dimension, const char *name);
bool gos__unit_set_same(const gos_unit_set *a, const gos_unit_set *b);
/** Set `text` from the base units. */
void gos__unit_set_describe(gos_unit_set *set);
/** The name of a unit of SI in `set` (NULL: SI), "MPa" for "Pa", into `buf`, which is returned. A
 *  list "rad/s, N m" is converted entry by entry; other texts are unchanged. */
const char *gos__unit_label(const gos_unit_set *set, const char *si, char *buf, size_t size);
/** The same in an arena; `si` itself (static, may be NULL) in SI. */
gos_status gos__unit_kept(const gos_unit_set *set, const char *si, gos_arena *a,
                          const char **label);

/** Write the table of units and sets: text, or markdown. */
void gos__unit_help(bool markdown, FILE *out);

#endif
