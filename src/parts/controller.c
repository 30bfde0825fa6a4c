/* Registers controllers at the builder. */
#include "parts/controller.h"

gos_status gos__add_controller(gos_builder *b, const gos_controller *c) {
    gos_controller *list = GOS_NEW(b->arena, gos_controller, b->ncontroller + 1);
    if (!list) {
        return GOS_E_MEMORY;
    }
    if (b->ncontroller > 0) {
        memcpy(list, b->controller, (size_t)b->ncontroller * sizeof *list);
    }
    list[b->ncontroller++] = *c;
    b->controller = list;
    return GOS_OK;
}
