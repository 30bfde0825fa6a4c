/* Tapered sections. */
#ifndef GOS_TAPER_H
#define GOS_TAPER_H

#include "parts/section.h"

/* Sections by arc length, linear in between. */
typedef struct gos_taper {
    int n;                       // 0: uniform
    const gos_section **section; // (n)
    double *at;                  // ascending, the first 0 [m] (n)
} gos_taper;

/** Why two sections cannot be interpolated; NULL: they can. */
const char *gos__taper_between(const gos_section *a, const gos_section *b);
/** Area, second moments, shear factors and, with `torsion`, torsion constant at s, in a copy of the
 * first section (whose outline and faces stay). */
void gos__taper_at(const gos_taper *t, double s, bool torsion, gos_section *at);

#endif
