/* Numbers with units, "200 GPa", and the units of a model. */
#ifndef GOS_QUANTITY_H
#define GOS_QUANTITY_H

#include "model/private.h"

/** Does the text begin with a number, a space and the name of a unit? *number := length of the
 *  number, *unit := its unit. */
bool gos__quantity_written(const char *text, size_t *number, const char **unit);
/** Record that a value takes no unit. @return GOS_E_INPUT */
gos_status gos__quantity_refuse(gos_model *m, const char *text, gos_loc loc, const char *object);
/** A parameter: a number, an expression or "200 GPa"; *unit := its unit, NULL without one. */
gos_status gos__quantity_parameter(gos_model *m, const char *text, gos_loc loc, const char *object,
                                   double *value, const gos_unit_def **unit);
/** Read `units` of the model; NULL if absent. */
gos_status gos__model_units(gos_model *m);

#endif
