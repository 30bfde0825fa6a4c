/* Shared by bodies made of a material. */
#ifndef GOS_BODY_H
#define GOS_BODY_H

#include "parts/parts.h"

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

#endif
