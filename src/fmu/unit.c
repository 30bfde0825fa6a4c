/* Units of measurement by SI base units. */
#include <math.h>

#include "fmu/variables.h"
#include "model/unit.h"

const char *const gos__fmu_base[GOS_FMU_BASES] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

bool gos__fmu_unit(const char *unit, int exponent[GOS_FMU_BASES], double *factor) {
    static const int base[GOS_DIM_COUNT] = {
        [GOS_DIM_LENGTH] = 1,  [GOS_DIM_MASS] = 0,        [GOS_DIM_TIME] = 2,
        [GOS_DIM_CURRENT] = 3, [GOS_DIM_TEMPERATURE] = 4, [GOS_DIM_ANGLE] = 7};
    gos_unit_def u;
    memset(exponent, 0, GOS_FMU_BASES * sizeof *exponent);
    if (gos__unit_parse(unit, strlen(unit), &u, NULL)) {
        return false;
    }
    for (int d = 0; d < GOS_DIM_COUNT; d++) {
        exponent[base[d]] = u.power[d];
    }
    u.offset = 0;
    *factor = gos__unit_convert(&u, NULL, 1);
    return true;
}
