/* Warning about costly motion that a model computes without need: heat is its only load, and its
   probes read temperatures. */
#include "system/thermal_only.h"

#include <string.h>

#include "base/base.h"
#include "model/model.h"
#include "probes/probe.h"
#include "system/system.h"

#define MANY 3000 // displacement coordinates of a body from which on its motion is costly

static bool reads_temperatures(const gos_system *s) {
    bool all = s->nprobe > 0;
    for (int i = 0; i < s->nprobe && all; i++) {
        all = strcmp(s->probe[i]->quantity->unit, "K") == 0;
    }
    return all;
}

static bool is_heated_only(const gos_system *s, const gos_node *root) {
    static const char *const mechanics[] = {"joints", "loads", "controllers", "piezo",
                                            "events", "orbit", "reduction"};
    const double *g = s->gravity;
    const gos_node *heat = gos__node_get(root, "heat");
    bool only = heat && heat->n > 0 && g[0] == 0 && g[1] == 0 && g[2] == 0;
    for (int i = 0; i < GOS_COUNT(mechanics) && only; i++) {
        const gos_node *n = gos__node_get(root, mechanics[i]);
        only = !n || n->n == 0;
    }
    return only;
}

void gos__thermal_only_warn(gos_ctx *ctx, const gos_system *s, const gos_node *root) {
    if (s->options.analysis != GOS_DYNAMIC || s->options.motion == GOS_MOTION_QUASI_STATIC ||
        !reads_temperatures(s) || !is_heated_only(s, root)) {
        return;
    }
    for (int i = 0; i < s->nbody; i++) {
        const gos_body *p = s->body[i];
        if (strcmp(p->type, "floating") == 0 && 3 * (double)p->nv >= MANY) {
            char object[200];
            (void)gos__format(object, sizeof object, "body '%s'", p->name);
            gos__warn(ctx, p->loc, object,
                      "motion of this body is computed, but the model has only heat loads and all "
                      "probes read temperatures; give the body `motion: none` to compute only "
                      "temperatures, at a fraction of the cost");
        }
    }
}
