/* Internals of the solvers. */
#ifndef GOS_SOLVE_H
#define GOS_SOLVE_H

#include "gossamer/sim.h"
#include "linalg/solver.h"
#include "system/system.h"

#endif
