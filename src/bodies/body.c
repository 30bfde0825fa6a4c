/* Shared by bodies made of a material. */
#include "bodies/body.h"

gos_status gos__body_heat(gos_builder *b, const gos_node *entry, const char *object,
                          int temperature, gos_body *body) {
    int n;
    bool can = true;
    const gos_material *const *m = gos__body_materials(body, &n);
    for (int i = 0; i < n; i++) {
        can = can && m[i]->conductivity > 0 && m[i]->specific_heat > 0;
    }
    if (temperature == 1 && !can) {
        const gos_node *one = n == 1 ? gos__node_get(entry, "material") : NULL;
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "temperature"), object,
                            "material%s%s%s has no conductivity or specific_heat; give both",
                            one ? " '" : " of one of its parts", one ? one->text : "",
                            one ? "'" : "");
    }
    body->nfam = can && temperature != 2 ? body->section->nfam : 0;
    return GOS_OK;
}
