#include "parts/first_order_states.h"

static gos_status no_location(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                              const char *object, gos_location *location) {
    GOS_UNUSED(ref);
    GOS_UNUSED(location);
    return gos__fail_at(ctx, GOS_E_INPUT, loc, object, "%s is not a body", b->name);
}

static gos_status no_port(gos_ctx *ctx, gos_arena *a, const gos_body *b, bool output,
                          const char *name, gos_loc loc, const char *object, int *number,
                          gos_signal *s) {
    GOS_UNUSED(a);
    GOS_UNUSED(output);
    GOS_UNUSED(name);
    GOS_UNUSED(number);
    GOS_UNUSED(s);
    return gos__fail_at(ctx, GOS_E_INPUT, loc, object, "%s is not a body", b->name);
}

static const gos_body_ops ops = {.locate = no_location, .port = no_port};

gos_status gos__add_states(gos_builder *b, const gos_states *s, int *first) {
    gos_body body = {.type = s->type,
                     .loc = s->loc,
                     .name = s->object, // not usable as a reference
                     .ops = &ops,
                     .par = s->of,
                     .rigid_item = -1,
                     .cell_size = 2,
                     .nt = s->n};
    GOS_TRY(gos__check_room(b, 0, s->n, s->loc, s->object));
    GOS_TRY(gos__add_temperatures(b, s->n, &body.t0));
    for (int i = 0; i < s->n; i++) {
        const double inertia = s->inertia ? s->inertia[i] : 1;
        const gos_constant_coordinate one = {.heat = true,
                                             .i = body.t0 + i,
                                             .scale = s->scale,
                                             .weight = inertia,
                                             .relative = s->relative};
        b->th0[body.t0 + i] = s->start ? s->start[i] : 0;
        GOS_TRY(gos__add_single(b, &one));
        GOS_TRY(gos__add_constant(b, GOS_CONSTANT_E, body.t0 + i, body.t0 + i, inertia));
    }
    *first = body.t0;
    return gos__add_body(b, &body, NULL);
}

bool gos__body_is_states(const gos_body *b) {
    return b->ops == &ops;
}

bool gos__states_are(const gos_body *b, const void *of) {
    return b->ops == &ops && b->par == of;
}
