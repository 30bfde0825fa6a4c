/* Body type matrices: user-supplied system matrices. */
#ifndef GOS_MATRICES_H
#define GOS_MATRICES_H

#include "parts/parts.h"

extern const gos_type gos__body_matrices;

#endif
