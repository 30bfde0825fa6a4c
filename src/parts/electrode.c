#include "parts/electrode.h"

gos_status gos__add_electrode(gos_builder *b, const gos_electrode *e) {
    gos_electrode *own = GOS_NEW(b->arena, gos_electrode, 1);
    GOS_TRY(own ? GOS_OK : GOS_E_MEMORY);
    *own = *e;
    *(b->electrode ? &b->last_electrode->next : &b->electrode) = own;
    b->last_electrode = own;
    return gos__names_add(b->arena, &b->electrodes, own->name, own);
}

const gos_electrode *gos__find_electrode(const gos_builder *b, const char *name) {
    return gos__names_find(&b->electrodes, name, strlen(name));
}
