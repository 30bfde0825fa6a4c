/* What bodies of a material share. */
#ifndef GOS_BODY_H
#define GOS_BODY_H

#include "parts/parts.h"

/* Entries of the parameter tables; `st` is the struct that the table fills. */
#define GOS_BODY_MATERIAL(st, member)                                                              \
    {                                                                                              \
        .name = "material", .kind = GOS_K_NAME, .unit = "", .flags = GOS_P_REQUIRED,               \
        .offset = offsetof(st, member), .choices = "materials", .doc = "material"                  \
    }
#define GOS_BODY_TEMPERATURE(st, member)                                                           \
    {                                                                                              \
        .name = "temperature", .kind = GOS_K_CHOICE, .unit = "", .def = "auto",                    \
        .offset = offsetof(st, member), .choices = "auto|on|off",                                  \
        .doc = "temperature field; auto: when the material has conductivity and specific heat"     \
    }

/** Give the body the temperature families of its section when `temperature` (0 auto, 1 on, 2 off)
 * and the material say so. @return GOS_E_INPUT when they contradict each other. */
gos_status gos__body_heat(gos_builder *b, const gos_node *entry, const char *object,
                          int temperature, gos_body *body);

#endif
