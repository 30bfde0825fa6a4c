/* Fields at drawn nodes that a model asks for besides motion and temperature: stresses and
   strains. */
#ifndef GOS_FIELDS_H
#define GOS_FIELDS_H

#include "probes/probe.h"
#include "system/system.h"

/* A drawn node where something is strained. */
typedef struct gos_field_node {
    int node;                        // of the system's
    const gos_recovered *told[2][2]; // stress and strain, on the upper and the lower face
    const gos_probe *law;            // of a solid, there; NULL: the body tells
} gos_field_node;

struct gos_fields {
    bool asked[2]; // stress, strain
    int nfaces;    // 2: there are shells
    int nfield;
    const gos_field_info *field; // (nfield)
    int n;
    gos_field_node *node; // (n)
};

/** s->fields, as the builder asks for, of a system whose pictures are complete. GOS_E_INPUT where
 * no body has stresses. */
gos_status gos__fields_make(gos_builder *b, gos_system *s);

#endif
