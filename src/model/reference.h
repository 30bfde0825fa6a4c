/* Single keys of the reference, for language bindings. */
#ifndef GOS_MODEL_REFERENCE_H
#define GOS_MODEL_REFERENCE_H

#include "gossamer/binding.h"
#include "model/model.h"

/** Key k of a type, from 0, nested keys following their map. False: out of range. */
bool gos__type_param(const gos_type *type, int k, gos_param_info *info);
/** Value j of that key, from 0. False: out of range. */
bool gos__type_value(const gos_type *type, int k, int j, gos_value_info *info);

#endif
