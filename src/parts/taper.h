/* Sections that vary along a line body. */
#ifndef GOS_TAPER_H
#define GOS_TAPER_H

#include "parts/parts.h"

/* Sections at arc lengths from the start; sizes are linear in between. */
typedef struct gos_taper {
    int n;                       // 0: uniform
    const gos_section **section; // (n)
    double *at;                  // ascending, the first 0 [m] (n)
} gos_taper;

/** Why two sections cannot be interpolated, "they have different shapes" ...; NULL: they can. */
const char *gos__taper_between(const gos_section *a, const gos_section *b);
/** Area, second moments, shear factors and, with `torsion`, the torsion constant at arc length s,
 * in a copy of the first section; outline and faces stay those of the first. */
void gos__taper_at(const gos_taper *t, double s, bool torsion, gos_section *at);

#endif
