/* Sections that vary along a line body. */
#ifndef GOS_TAPER_H
#define GOS_TAPER_H

#include "parts/parts.h"

/* Sections at arc lengths from the start; sizes are linear between them. */
typedef struct gos_taper {
    int n;                       // 0: the section is the same everywhere
    const gos_section **section; // (n)
    double *at;                  // ascending, the first 0 [m] (n)
} gos_taper;

/** Why nothing stands between two sections, "they are of unlike shapes" ...; NULL: they can be
 * joined. */
const char *gos__taper_between(const gos_section *a, const gos_section *b);
/** Area, second moments, shear factors and, with `torsion`, the torsion constant at the arc length
 * s, in a copy of the first section; its outline and faces stay those of the first. */
void gos__taper_at(const gos_taper *t, double s, bool torsion, gos_section *at);

#endif
