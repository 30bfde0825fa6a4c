/* Quantities of the model's orbit (math/orbit.h). */
#include "math/orbit.h"
#include "math/vec3.h"
#include "model/timefn.h"
#include "probes/probe.h"

static gos_orbit_position position_of(const gos_system *s, const gos_state *x) {
    gos_orbit_position at;
    gos__orbit_at(s->orbit, x->t, &at);
    return at;
}

/* Steps end at the edges of the shadow. */
static gos_status add_edges(gos_builder *b, const gos_node *entry, const char *object) {
    gos_timefn *light;
    int first;
    GOS_TRY(gos__timefn_orbit(entry->key_loc, object, b->arena, b->orbit, GOS_ORBIT_LIGHT, &light));
    return gos__add_timefns(b, 1, &light, &first);
}

gos_status gos__probe_check_orbit(gos_builder *b, const gos_node *entry, const char *object,
                                  const gos_probe *p) {
    const bool sun = p->quantity->value == gos__orbit_sun || p->quantity->value == gos__orbit_light;
    if (b->orbit && (!sun || b->orbit->has_sun)) {
        return p->quantity->value == gos__orbit_light ? add_edges(b, entry, object) : GOS_OK;
    }
    if (gos__orbit_failed(b)) {
        return GOS_E_INPUT;
    }
    return gos__fail_at(
        b->ctx, GOS_E_INPUT, gos__key_loc(entry, "quantity"), object,
        b->orbit
            ? "%s: the orbit does not define the direction of the Sun; give it a date, sun or beta"
            : "%s requires `orbit` in the model",
        p->quantity->name);
}

void gos__orbit_position(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    GOS_UNUSED(p);
    memcpy(y, position_of(s, x).r, 3 * sizeof *y);
}

void gos__orbit_velocity(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    GOS_UNUSED(p);
    memcpy(y, position_of(s, x).v, 3 * sizeof *y);
}

void gos__orbit_sun(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    GOS_UNUSED(p);
    memcpy(y, position_of(s, x).sun, 3 * sizeof *y);
}

void gos__orbit_light(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    GOS_UNUSED(p);
    *y = position_of(s, x).light;
}

void gos__orbit_coordinates(const gos_system *s, const gos_state *x, const gos_probe *p,
                            double *y) {
    double r[3];
    const gos_orbit_position at = position_of(s, x);
    gos__marker_value(&p->m[0], x->q, r);
    for (int c = 0; c < 3; c++) {
        y[c] = gos__dot3(at.axes + 3 * c, r);
    }
}
