/* Reducing a compiled system by settings of a test, in place of those of its model. */
#ifndef TESTS_REDUCED_H
#define TESTS_REDUCED_H

#include "rom/types.h"

/** rotation_closed with these settings, or with no `number` auto with those of them that it
 * accepts. */
static inline void reduce_as(gos_system *s, gos_reduction_def d) {
    if (d.number > 0) {
        gos_reduction_def *def = GOS_NEW(s->arena, gos_reduction_def, 1);
        assert_non_null(def);
        *def = d;
        s->reduction = (gos_reduction_choice){&gos__reduction_rotation_closed, def};
    } else {
        gos_auto_def *def = GOS_NEW(s->arena, gos_auto_def, 1);
        assert_non_null(def);
        *def = (gos_auto_def){d.fields, d.statics, d.on_mesh, {.tolerance = d.tolerance}};
        s->reduction = (gos_reduction_choice){&gos__reduction_auto, def};
    }
}

#endif
