/* Skew form for the direction of a whirl about a steady rotation. */
#ifndef GOS_WHIRL_FORM_H
#define GOS_WHIRL_FORM_H

#include "statics/turning.h"

/** form := skew part of (M + E) [w]. M gives directions of a body weights that vanish for the axis
 * of a thin disc, by which alone its tilt turns. So E is, for each direction, the largest weight
 * among those of its body. */
gos_status gos__whirl_form(const gos_rotating *t, const gos_sparse *M, gos_sparse *form);

#endif
