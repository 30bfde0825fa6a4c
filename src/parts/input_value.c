/* Derivatives by system inputs. */
#include "parts/parts.h"

#include <assert.h>

void gos__by_unit_input(const gos_item *it, const gos_item_io *io, const gos_input_def *k) {
    double fn[GOS_ITEM_FUNCTIONS] = {0};
    gos_item_io one = *io;
    assert(k->fn >= 0 && k->fn < GOS_ITEM_FUNCTIONS);
    fn[k->fn] = 1;
    one.fn = fn;
    it->type->eval(it, &one);
}
