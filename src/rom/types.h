/* Common parameters of the methods auto and rotation_closed. */
#ifndef GOS_ROM_TYPES_H
#define GOS_ROM_TYPES_H

#include <math.h>

#include "rom/rom.h"

#define GOS_ROM_TOLERANCE 1e-3 // default

/* Options of auto. */
typedef struct gos_auto_def {
    int fields, statics, on_mesh; // as in gos_reduction_def
    gos_linear_def linear;        // its tolerance also applies to nonlinear models
} gos_auto_def;

#define GOS_ROW_FIELDS(st, models)                                                                 \
    {                                                                                              \
        .name = "fields", .kind = GOS_K_CHOICE, .unit = "", .flags = (models),                     \
        .def = "polynomials", .offset = offsetof(st, fields), .choices = "polynomials|modes",      \
        .doc = "scalar displacement fields of each flexible body: polynomials along it, or its "   \
               "modes and static responses on the mesh"                                            \
    }
#define GOS_ROW_STATICS(st, models)                                                                \
    {                                                                                              \
        .name = "statics", .kind = GOS_K_BOOL, .unit = "", .flags = (models), .def = "true",       \
        .offset = offsetof(st, statics),                                                           \
        .doc = "modes: also static responses to gravity, to unit forces where loads and joints "   \
               "act, and to unit temperatures"                                                     \
    }
#define GOS_ROW_ON_MESH(st, models)                                                                \
    {                                                                                              \
        .name = "on_mesh", .kind = GOS_K_BOOL, .unit = "", .flags = (models), .def = "false",      \
        .offset = offsetof(st, on_mesh),                                                           \
        .doc = "polynomials: use their interpolation on the mesh, with its mass and points, "      \
               "so that the errors of a coarse mesh are those of the full model"                   \
    }

#endif
