/* Body type template. */
#ifndef GOS_TEMPLATE_H
#define GOS_TEMPLATE_H

#include "parts/builder.h"

extern const gos_type gos__body_template;

#endif
