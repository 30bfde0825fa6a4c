/* Shared by bodies made of a material. */
#ifndef GOS_BODY_H
#define GOS_BODY_H

#include "parts/builder.h"

/* Table rows; `st` is the struct to fill. */
#define GOS_BODY_MATERIAL(st, member)                                                              \
    {                                                                                              \
        .name = "material", .kind = GOS_K_NAME, .unit = "", .flags = GOS_P_REQUIRED,               \
        .offset = offsetof(st, member), .choices = "materials", .doc = "material"                  \
    }
#define GOS_BODY_TEMPERATURE(st, member)                                                           \
    {                                                                                              \
        .name = "temperature", .kind = GOS_K_CHOICE, .unit = "", .def = "auto",                    \
        .offset = offsetof(st, member), .choices = "auto|on|off",                                  \
        .doc = "temperature field; auto: on if the material has conductivity and "                 \
               "specific heat"                                                                     \
    }

/** Sets body->nfam from `temperature` (0 auto, 1 on, 2 off) and the materials. @return GOS_E_INPUT
 * if on without thermal properties. */
gos_status gos__body_heat(gos_builder *b, const gos_node *entry, const char *object,
                          int temperature, gos_body *body);

/* Linear rows on single components of vector coordinates. */

/** x[0][0] + x[1][1] + x[2][2] = sum w[k] (coordinate at[k] = 3 v + c), k < n. */
gos_status gos__sum_markers(gos_arena *a, int n, const int *at, const double *w, gos_marker x[3]);
/** Adds the row x[0][0] + x[1][1] + x[2][2] = 0. `name` must live in the builder's arena. */
gos_status gos__add_sum_row(gos_builder *b, const gos_marker x[3], gos_loc loc, const char *name);
/** Locks a coordinate at its initial value. */
gos_status gos__hold_component(gos_builder *b, gos_loc loc, const char *name, int at);
/** Adds the row sum w[k] (coordinate at[k]) = 0, k < n. */
gos_status gos__hold_sum(gos_builder *b, gos_loc loc, const char *name, int n, const int *at,
                         const double *w);

/** Six rows 1/2 (a_i . a_j - delta_ij) = 0 of the vector coordinates axis .. axis + 2. `name`
 * ("body 'hub'") lives in the builder's arena. */
gos_status gos__add_rigidity(gos_builder *b, int axis, const char *name, gos_loc loc);

#endif
