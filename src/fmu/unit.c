/* Units of measurement by SI base units. */
#include "fmu/variables.h"

#include <math.h>

const char *const gos__fmu_base[GOS_FMU_BASES] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

typedef struct known {
    const char *name;
    int exponent[GOS_FMU_BASES];
    double factor;
} known;

static const known units[] = {
    {"m", {0, 1}, 1},
    {"kg", {1}, 1},
    {"s", {0, 0, 1}, 1},
    {"A", {0, 0, 0, 1}, 1},
    {"K", {0, 0, 0, 0, 1}, 1},
    {"mol", {0, 0, 0, 0, 0, 1}, 1},
    {"cd", {0, 0, 0, 0, 0, 0, 1}, 1},
    {"rad", {0, 0, 0, 0, 0, 0, 0, 1}, 1},
    {"deg", {0, 0, 0, 0, 0, 0, 0, 1}, 1.745329251994329576923690768489e-2},
    {"Hz", {0, 0, -1}, 1},
    {"N", {1, 1, -2}, 1},
    {"Pa", {1, -1, -2}, 1},
    {"J", {1, 2, -2}, 1},
    {"W", {1, 2, -3}, 1},
    {"C", {0, 0, 1, 1}, 1},
    {"V", {1, 2, -3, -1}, 1},
    {"F", {-1, -2, 4, 2}, 1},
    {"Ohm", {1, 2, -3, -2}, 1},
    {"H", {1, 2, -2, -2}, 1},
};

/* parse a unit with its power at *at: "m", "s^2", "1" */
static bool factor_of(const char **at, int sign, int exponent[GOS_FMU_BASES], double *factor) {
    const char *s = *at;
    const size_t n = strcspn(s, " /()^*");
    int power = 1;
    *at = s + n;
    if (**at == '^') {
        const size_t digits = strspn(*at + 1, "0123456789");
        if (digits != 1) {
            return false;
        }
        power = (*at)[1] - '0';
        *at += 1 + digits;
    }
    if (n == 1 && *s == '1') {
        return true;
    }
    for (int i = 0; i < GOS_COUNT(units); i++) {
        if (strlen(units[i].name) == n && strncmp(s, units[i].name, n) == 0) {
            for (int k = 0; k < GOS_FMU_BASES; k++) {
                exponent[k] += sign * power * units[i].exponent[k];
            }
            *factor *= pow(units[i].factor, sign * power);
            return true;
        }
    }
    return false;
}

/* FACTOR FACTOR.../FACTOR or FACTOR.../(FACTOR FACTOR...) */
bool gos__fmu_unit(const char *unit, int exponent[GOS_FMU_BASES], double *factor) {
    const char *at = unit;
    int sign = 1;
    bool open = false;
    memset(exponent, 0, GOS_FMU_BASES * sizeof *exponent);
    *factor = 1;
    if (unit[0] == '\0' || strcmp(unit, "-") == 0) {
        return true;
    }
    while (*at) {
        if (*at == '/' && sign > 0) {
            sign = -1;
            at++;
            open = *at == '(';
            at += open;
        } else if (*at == ' ') {
            if (sign < 0 && !open) {
                return false; // ambiguous
            }
            at++;
        } else if (*at == ')' && open && at[1] == '\0') {
            return true;
        } else if (!factor_of(&at, sign, exponent, factor)) {
            return false;
        }
    }
    return !open;
}
