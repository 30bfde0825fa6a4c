/* Values of a model that are the same as they are written. */
#ifndef GOS_SAME_VALUE_H
#define GOS_SAME_VALUE_H

#include "model/model.h"

/** Are both left out, or the same by their texts, numbers by their values? */
bool gos__same_value(const gos_node *a, const gos_node *b);

#endif
