/* Sun: up to three parallel fluxes (directed.c) on a spacecraft in orbit:

       sunlight         flux * shade                 along direction        absorbed by absorptivity
       Earth's infrared earth_infrared               along earth_direction  ... by emissivity
       Earth's albedo   flux * albedo * shade        along earth_direction  ... by absorptivity

   shade: 1 in light, 0 in eclipse (gos__timefn_shade). shaded_by adds shadows of bodies
   (parts/shadow.h) to sunlight only.

   The model's orbit supplies missing direction and shade. Without earth_direction the Earth is a
   diffuse sphere (directed.c) with earth_infrared at its surface and albedo flux * albedo *
   cos(solar zenith angle below). */
#include "heat/heat.h"
#include "parts/shadow.h"
#include "parts/sunlight.h"

#include <math.h>

typedef struct sun {
    gos_texts on;
    gos_sunlight light;
    double absorptivity, smoothing;
    gos_timefn *earth_infrared, *albedo;
    gos_timefn *earth_direction[3];
    double infrared_absorptivity;
    gos_texts shaded_by;
    int shadow_rays;
    double shadow_tolerance;
} sun;

static const gos_param params[] = {
    GOS_HEAT_ON(sun, "lit bodies (both sides of a plate), faces (rod.top) or ends (rod.end); "
                     "bodies shade each other only with shaded_by"),
    GOS_SUNLIGHT_FLUX(sun, light),
    GOS_SUNLIGHT_DIRECTION(sun, light),
    GOS_HEAT_PART(sun, absorptivity,
                  "absorbed part of sunlight and albedo; default: the material's absorptivity"),
    GOS_HEAT_SMOOTHING(sun, "as for a flux: e > 0 replaces |c|, c the cosine of the incidence "
                            "angle, by sqrt(c^2 + e^2), which rounds the kink when a face is "
                            "edge-on"),
    GOS_SUNLIGHT_ECLIPSE(sun, light, "sunlight and albedo"),
    GOS_SUNLIGHT_PENUMBRA(sun, light),
    {.name = "earth_infrared",
     .kind = GOS_K_TIMEFN,
     .unit = "W/m^2",
     .offset = offsetof(sun, earth_infrared),
     .doc =
         "infrared flux of the Earth at the bodies, per area normal to it; along an orbit without "
         "earth_direction: at the surface of the spherical Earth. Not affected by eclipses"},
    {.name = "albedo",
     .kind = GOS_K_TIMEFN,
     .unit = "-",
     .offset = offsetof(sun, albedo),
     .doc = "sunlight reflected by the Earth, as a fraction of `flux`; zero in eclipse. Along an "
            "orbit without earth_direction: reflectivity of the Earth, times the cosine of the "
            "solar zenith angle on the ground below"},
    GOS_HEAT_DIRECTION(sun, earth_direction, 0,
                       "direction from the Earth to the bodies in space (normalised), along which "
                       "earth_infrared and albedo travel; required without `orbit`"),
    GOS_HEAT_PART(sun, infrared_absorptivity,
                  "absorbed part of earth_infrared; default: the material's emissivity"),
    {.name = "shaded_by",
     .kind = GOS_K_NAMES,
     .unit = "",
     .offset = offsetof(sun, shaded_by),
     .doc = "bodies whose drawn surfaces shade `on` from sunlight, or `all` for every body with a "
            "surface; a body in both lists shades itself. Lines cast no shadow, infrared and "
            "albedo are not shaded, and thickness is ignored"},
    {.name = "shadow_rays",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 1,
     .hi = 10000,
     .def = "16",
     .offset = offsetof(sun, shadow_rays),
     .doc = "number of rays cast towards the Sun from the area around each integration point of "
            "`on`; their unblocked fraction is the lit fraction"},
    {.name = "shadow_tolerance",
     .kind = GOS_K_NUMBER,
     .unit = "rad",
     .lo = 0.0,
     .hi = 0.5,
     .def = "0.001",
     .offset = offsetof(sun, shadow_tolerance),
     .doc = "shadows are recomputed when the Sun has rotated by this angle relative to the "
            "spacecraft, or its shape has changed by this fraction of its size"},
    {.name = NULL},
};

typedef struct lights {
    gos_heat_light sunlight, infrared, albedo;
    bool has_infrared, has_albedo;
} lights;

static const gos_input_def flux_input = {.fn = 0, .unit = "W/m^2", .kind = GOS_INPUT_HEAT};

static bool given(const gos_heat_entry *e, const char *key) {
    return gos__node_given(e->node, key) != NULL;
}

static gos_status fail(const gos_heat_entry *e, const char *key, const char *text) {
    return gos__fail_at(e->b->ctx, GOS_E_INPUT, gos__key_loc(e->node, key), e->object, "%s", text);
}

static gos_status check_earth(const gos_heat_entry *e, const sun *in, bool *by_orbit) {
    const bool earth = in->earth_infrared || in->albedo;
    const bool directed = given(e, "earth_direction");
    if (earth && !directed && gos__orbit_failed(e->b)) {
        return GOS_E_INPUT;
    }
    *by_orbit = earth && !directed && e->b->orbit;
    if (*by_orbit && in->albedo && !in->light.by_orbit) {
        return fail(e, "albedo",
                    "along an orbit albedo follows from the orbit's Sun; remove direction, or give "
                    "earth_direction too");
    }
    if (earth && !directed && !*by_orbit) {
        const char *key = in->albedo ? "albedo" : "earth_infrared";
        return gos__fail_at(e->b->ctx, GOS_E_INPUT, gos__key_loc(e->node, key), e->object,
                            "%s comes from the Earth; give earth_direction, the direction from the "
                            "Earth to the bodies",
                            key);
    }
    if (!earth && directed) {
        return fail(e, "earth_direction",
                    "earth_direction has no effect without earth_infrared or albedo; specify one, "
                    "or remove it");
    }
    return directed ? gos__heat_direction(e, "earth_direction", in->earth_direction) : GOS_OK;
}

static gos_status orbit_fn(const gos_heat_entry *e, int what, gos_timefn **fn) {
    return gos__sunlight_history(e->b, e->node, e->object, what, fn);
}

static gos_status make_lights(gos_heat_entry *e, bool earth, sun *in, lights *l) {
    gos_timefn *shade = in->light.shade, *fn[12] = {in->light.flux};
    for (int i = 0; i < 3 && earth; i++) {
        GOS_TRY(orbit_fn(e, GOS_ORBIT_OUTWARD + i, &in->earth_direction[i]));
    }
    memcpy(&fn[1], in->light.direction, sizeof in->light.direction);
    int n = 4, shaded = 0;
    const gos_heat_light plain = {
        .direction = 1, .nfactor = 1, .input = &flux_input, .smoothing = in->smoothing};
    l->sunlight = l->infrared = l->albedo = plain; // factor[0] is the flux
    if (shade) {
        shaded = n;
        fn[n++] = shade;
        l->sunlight.factor[l->sunlight.nfactor++] = shaded;
        if (!earth) { // the ground below may be lit during an eclipse
            l->albedo.factor[l->albedo.nfactor++] = shaded;
        }
    }
    l->has_infrared = in->earth_infrared != NULL;
    l->has_albedo = in->albedo != NULL;
    if (l->has_infrared || l->has_albedo) {
        l->infrared.direction = l->albedo.direction = n;
        memcpy(&fn[n], in->earth_direction, sizeof in->earth_direction);
        n += 3;
    }
    if (earth) {
        l->infrared.sphere = l->albedo.sphere = n;
        GOS_TRY(orbit_fn(e, GOS_ORBIT_SIZE, &fn[n++]));
    }
    if (earth && l->has_albedo) {
        l->albedo.factor[l->albedo.nfactor++] = n;
        GOS_TRY(orbit_fn(e, GOS_ORBIT_DAY, &fn[n++]));
    }
    if (l->has_infrared) {
        gos_input_def *input = GOS_NEW(e->b->arena, gos_input_def, 1);
        if (!input) {
            return GOS_E_MEMORY;
        }
        *input =
            (gos_input_def){.fn = n, .component = "2", .unit = "W/m^2", .kind = GOS_INPUT_HEAT};
        l->infrared.input = input;
        l->infrared.factor[0] = n;
        fn[n++] = in->earth_infrared;
    }
    if (l->has_albedo) {
        l->albedo.factor[l->albedo.nfactor++] = n;
        fn[n++] = in->albedo;
    }
    return gos__heat_fns(e, n, fn);
}

static bool has_surface(const gos_body *body) {
    return body->cell_size == 4 && body->ncell > 0;
}

static gos_status add_caster(const gos_heat_entry *e, const gos_texts *by, int i,
                             gos_cast_shadow *shadow) {
    const gos_body *body = gos__find_body(e->b, by->v[i]);
    if (!body) {
        return gos__fail_at(e->b->ctx, GOS_E_INPUT, by->loc[i], e->object,
                            "there is no body '%s' to cast a shadow; list bodies, or `all`",
                            by->v[i]);
    }
    if (!has_surface(body)) {
        return gos__fail_at(e->b->ctx, GOS_E_INPUT, by->loc[i], e->object,
                            "body '%s' has no drawn surface and casts no shadow; remove it here, "
                            "or give it one (a rigid body: shape box, cylinder or sphere)",
                            body->name);
    }
    for (int k = 0; k < shadow->ncast; k++) {
        if (shadow->cast[k] == body->index) {
            return gos__fail_at(e->b->ctx, GOS_E_INPUT, by->loc[i], e->object,
                                "body '%s' is listed twice; list it once", body->name);
        }
    }
    shadow->cast[shadow->ncast++] = body->index;
    return GOS_OK;
}

/* *shadow stays NULL without shaded_by */
static gos_status make_shadow(const gos_heat_entry *e, const sun *in, gos_cast_shadow **shadow) {
    const gos_builder *b = e->b;
    const gos_texts *by = &in->shaded_by;
    const bool all = by->n == 1 && strcmp(by->v[0], "all") == 0 && !gos__find_body(b, "all");
    if (by->n == 0) {
        const char *key = given(e, "shadow_rays") ? "shadow_rays" : "shadow_tolerance";
        return given(e, key) ? fail(e, key,
                                    "this key has no effect without shadows; list the bodies that "
                                    "cast them in shaded_by, or remove it")
                             : GOS_OK;
    }
    GOS_TRY(gos__add_shadow(e->b, shadow));
    gos_cast_shadow *s = *shadow;
    s->name = gos__arena_strdup(b->arena, e->name);
    s->object = gos__arena_strdup(b->arena, e->object);
    s->loc = by->loc[0];
    s->direction = e->fn0 + 1;
    s->rays = in->shadow_rays;
    s->tolerance = in->shadow_tolerance;
    s->cast = GOS_NEW(b->arena, int, b->nbody + by->n + 1);
    if (!s->name || !s->object || !s->cast) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < b->nbody && all; i++) {
        if (has_surface(b->body[i])) {
            s->cast[s->ncast++] = i;
        }
    }
    for (int i = 0; i < by->n && !all; i++) {
        GOS_TRY(add_caster(e, by, i, s));
    }
    return s->ncast > 0
               ? GOS_OK
               : gos__fail_at(b->ctx, GOS_E_INPUT, s->loc, e->object,
                              "no body has a drawn surface to cast a shadow; remove shaded_by");
}

static gos_status attach(const gos_heat_entry *e, const gos_heat_location *p, const sun *in,
                         gos_cast_shadow *shadow, lights *l) {
    double absorptivity = in->absorptivity, emissivity = in->infrared_absorptivity;
    const bool visible = gos__node_given(e->node, "absorptivity") != NULL;
    const bool infrared = gos__node_given(e->node, "infrared_absorptivity") != NULL;
    if (!visible) {
        GOS_TRY(gos__heat_property(e, p, offsetof(gos_material, absorptivity), "absorptivity",
                                   &absorptivity));
    }
    if (!infrared && l->has_infrared) {
        GOS_TRY(gos__heat_property(e, p, offsetof(gos_material, emissivity),
                                   "infrared_absorptivity", &emissivity));
    }
    l->sunlight.absorbed = l->albedo.absorbed = absorptivity;
    l->infrared.absorbed = emissivity;
    gos_heat_entry shaded = *e;
    shaded.shadow = shadow;
    GOS_TRY(gos__heat_directed(&shaded, p, &l->sunlight));
    if (l->has_infrared) {
        if (!infrared && !(emissivity > 0.0)) {
            gos__warn(e->b->ctx, p->loc, e->object,
                      "the emissivity of body '%s' is 0, so it absorbs no earth_infrared; give "
                      "infrared_absorptivity here or emissivity in its material",
                      p->location.body->name);
        }
        GOS_TRY(gos__heat_directed(e, p, &l->infrared));
    }
    return l->has_albedo ? gos__heat_directed(e, p, &l->albedo) : GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    sun in;
    gos_heat_entry e;
    GOS_TRY(gos__heat_begin(b, type, entry, name, object, &in, &e));
    bool earth;
    lights l;
    GOS_TRY(gos__sunlight_read(b, entry, object, &in.light));
    GOS_TRY(check_earth(&e, &in, &earth));
    GOS_TRY(make_lights(&e, earth, &in, &l));
    gos_cast_shadow *shadow = NULL;
    GOS_TRY(make_shadow(&e, &in, &shadow));
    for (int i = 0; i < in.on.n; i++) {
        gos_heat_location p;
        GOS_TRY(gos__heat_location(&e, &in.on, i, GOS_ON_BODY | GOS_ON_FACE | GOS_ON_END, &p));
        GOS_TRY(attach(&e, &p, &in, shadow, &l));
    }
    return GOS_OK;
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__heat_sun = {
    .section = "heat",
    .name = "sun",
    .doc = "Sunlight with eclipses and shadows of bodies, and the Earth's infrared and albedo.",
    .params = params,
    .size = sizeof(sun),
    .example =
        "sun: {type: sun, direction: [0, -1, 0], eclipse: [[100, 250]], penumbra: 8, on: rod}",
    .ops = &ops,
};
