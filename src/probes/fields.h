/* Optional fields at drawn nodes: stresses and strains. */
#ifndef GOS_FIELDS_H
#define GOS_FIELDS_H

#include "probes/probe.h"
#include "system/system.h"

/* A drawn node with strain. */
typedef struct gos_field_node {
    int node;                             // in the system
    const gos_recovered *recovered[2][2]; // stress and strain on the upper and lower face
    const gos_probe *law;                 // of a solid; NULL: the body recovers stresses
} gos_field_node;

struct gos_fields {
    bool requested[2]; // requested: stress, strain
    int nfaces;        // 2 with shells
    int nfield;
    const gos_field_info *field; // (nfield)
    int n;
    gos_field_node *node; // (n)
};

/** Make s->fields as requested, once the drawing is complete. GOS_E_INPUT if no body has
 * stresses. */
gos_status gos__fields_make(gos_builder *b, gos_system *s);

#endif
