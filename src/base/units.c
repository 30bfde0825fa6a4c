/* Units of quantities with several components. */
#include "base/units.h"

#include <string.h>

static const char separator[] = ", ";

const char *gos__unit_at(const char *units, int c, char buf[GOS_UNIT_MAX]) {
    const char *at = units;
    for (const char *next; c > 0 && (next = strstr(at, separator)); c--) {
        at = next + strlen(separator);
    }
    const char *end = strstr(at, separator);
    gos__format(buf, GOS_UNIT_MAX, "%.*s", (int)(end ? (size_t)(end - at) : strlen(at)), at);
    return buf;
}

const char *gos__unit_rates(const char *units, char buf[GOS_UNITS_MAX]) {
    int n = 0;
    for (const char *at = units; at && n < GOS_UNITS_MAX;) {
        char unit[GOS_UNIT_MAX];
        gos__unit_at(at, 0, unit);
        const bool none = unit[0] == '\0' || strcmp(unit, "-") == 0;
        n += gos__format(buf + n, (size_t)(GOS_UNITS_MAX - n), "%s%s/s", n > 0 ? separator : "",
                         none ? "1" : unit);
        at = strstr(at, separator);
        at = at ? at + strlen(separator) : NULL;
    }
    return buf;
}

const char *gos__unit_list(gos_arena *a, const char *const *unit, int n) {
    bool alike = true;
    for (int i = 1; i < n; i++) {
        alike = alike && strcmp(unit[i], unit[0]) == 0;
    }
    if (alike) {
        return unit[0];
    }
    const char *text = unit[0];
    for (int i = 1; i < n && text; i++) {
        text = gos__arena_printf(a, "%s%s%s", text, separator, unit[i]);
    }
    return text;
}
