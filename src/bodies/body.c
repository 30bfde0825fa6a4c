/* What bodies of a material share. */
#include "bodies/body.h"

gos_status gos__body_heat(gos_builder *b, const gos_node *entry, const char *object,
                          int temperature, gos_body *body) {
    const gos_material *m = body->material;
    const bool can = m->conductivity > 0 && m->specific_heat > 0;
    if (temperature == 1 && !can) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "temperature"), object,
                            "material '%s' has no conductivity or specific_heat; give both",
                            gos__node_get(entry, "material")->text);
    }
    body->nfam = can && temperature != 2 ? body->section->nfam : 0;
    return GOS_OK;
}
