/* Temperature-dependent conduction and capacity of solids (cell_heat.h). */
#include "solid/cell_heat.h"
#include "solid/solid.h"

gos_status gos__solid_add_heat(gos_builder *b, const gos_body *body, const char *object) {
    const gos_solid *c = body->par;
    for (int i = 0; i < c->nblock && body->nfam > 0; i++) {
        const gos_solid_block *block = &c->block[i];
        gos_cell_heat k = {
            .material = c->part[block->part].material, .object = object, .loc = body->loc};
        for (int e = 0; e < block->n && gos__cell_heat_varies(k.material); e++) {
            double x[GOS_CELL_NODES][3];
            int temperature[GOS_CELL_NODES];
            for (int n = 0; n < block->nodes; n++) {
                const int node = block->node[(size_t)e * (size_t)block->nodes + (size_t)n];
                memcpy(x[n], c->x[node], sizeof x[n]);
                temperature[n] = body->t0 + node;
            }
            GOS_TRY(gos__cell_heat_add(b, &k, block->shape, x, temperature));
        }
    }
    return GOS_OK;
}
