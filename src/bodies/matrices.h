/* A linear model of matrices as the only body of a model. */
#ifndef GOS_MATRICES_H
#define GOS_MATRICES_H

#include "parts/parts.h"

extern const gos_type gos__body_matrices;

/** A model with such a body consists of it alone: anything else that has a place on a body is an error. */
gos_status gos__matrices_alone(const gos_builder *b);

#endif
