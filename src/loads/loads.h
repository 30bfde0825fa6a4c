/* The load types. */
#ifndef GOS_LOADS_H
#define GOS_LOADS_H

#include "parts/builder.h"

extern const gos_type gos__load_force;
extern const gos_type gos__load_moment;
extern const gos_type gos__load_edge_moment;
extern const gos_type gos__load_spring;
extern const gos_type gos__load_torsion_spring;
extern const gos_type gos__load_wheel;
extern const gos_type gos__load_input;
extern const gos_type gos__load_solar_pressure;

#endif
