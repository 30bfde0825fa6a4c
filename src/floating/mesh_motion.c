/* Mesh bodies without motion: temperatures only. */
#include "floating/floating_mesh_make.h"
#include "math/vec3.h"

enum {
    TEMPERATURE_OFF = 2, // gos_mesh_def.temperature
    MOTION_AUTO = 0,
    MOTION_FREE,
    MOTION_NONE
};

/* its materials are those of a deck of heat transfer only */
static bool inelastic(const gos_mesh_making *k) {
    const gos_deck *deck = k->m->skin.mesh->deck;
    bool none = deck && deck->nmaterial > 0 && !k->def->material && !k->def->parts &&
                k->def->temperature != TEMPERATURE_OFF;
    for (int i = 0; none && i < deck->nmaterial; i++) {
        none = deck->material[i].elastic.n == 0 && deck->material[i].conductivity.n > 0;
    }
    return none;
}

gos_status gos__floating_mesh_motion(gos_mesh_making *k) {
    static const char *const rate[2] = {"velocity", "angular_velocity"};
    const gos_floating_start *s = &k->def->floating.start;
    const double *const given[2] = {s->velocity, s->angular_velocity};
    k->m->f.still =
        k->def->motion == MOTION_NONE || (k->def->motion == MOTION_AUTO && inelastic(k));
    for (int i = 0; i < 2 && k->m->f.still; i++) {
        if (gos__norm3(given[i]) > 0) {
            return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, rate[i]), k->object,
                                "%s of a body without motion; remove it, or give `motion: free`",
                                rate[i]);
        }
    }
    return GOS_OK;
}
