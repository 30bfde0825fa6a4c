/* Heat of prescribed temperatures, from multipliers in C T' + K T + H^T lambda = heat for a uniform
   test field, where each row of H yields 1. */
#include "probes/probe.h"

gos_status gos__probe_heater(gos_builder *b, const char *heat, const gos_node *entry,
                             const char *object, gos_probe *p) {
    char label[GOS_LIMIT_NAME + 16];
    snprintf(label, sizeof label, "heat '%s'", heat ? heat : "");
    const gos_item *it = heat ? gos__find_item(b, label) : NULL;
    if (!it || it->nh == 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "heat"), object,
                            "%s requires 'heat', the name of an entry of type temperature%s",
                            p->quantity->name, it ? ", which this one is not" : "");
    }
    p->item = it;
    return GOS_OK;
}

void gos__reaction_heat(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    y[0] = 0;
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        if (it->nh > 0 && it->ninput > 0 && strcmp(it->name, p->item->name) == 0) {
            y[0] -= x->lamT[it->h0]; // the other rows fix gradients
        }
    }
}
