/* Sun: what a craft in orbit receives, as up to three parallel fluxes (directed.c) on the same places:

       sunlight         flux * shade                 along direction        absorbed by absorptivity
       Earth's infrared earth_infrared               along earth_direction  ... by emissivity
       Earth's albedo   flux * albedo * shade        along earth_direction  ... by absorptivity

   shade is 1 in the light and 0 in an eclipse (gos__timefn_shade). Shadows of bodies on each other or
   on themselves are not computed.

   What is not given follows from the model's orbit: direction and shade, and with earth_direction left out the Earth is a sphere
   that radiates evenly (directed.c), infrared earth_infrared at its surface, albedo flux * albedo * cos(zenith of the Sun on the
   ground below). */
#include "heat/heat.h"
#include "model/timefn.h"

#include <math.h>
#include <stdlib.h>

typedef struct sun {
    gos_texts on;
    gos_timefn *flux;
    gos_timefn *direction[3];
    double absorptivity, smoothing;
    const gos_node *eclipse;
    double penumbra;
    gos_timefn *earth_infrared, *albedo;
    gos_timefn *earth_direction[3];
    double infrared_absorptivity;
} sun;

static const gos_param params[] = {
    GOS_HEAT_ON(
        sun,
        "bodies (of a plate both sides), faces (rod.top) or ends (rod.end) that it meets; bodies "
        "do not shadow each other"),
    {.name = "flux",
     .kind = GOS_K_TIMEFN,
     .unit = "W/m^2",
     .def = "1361",
     .offset = offsetof(sun, flux),
     .doc = "power of the sunlight per area across its direction, out of eclipse"},
    GOS_HEAT_DIRECTION(sun, direction, 0,
                       "direction in which the light travels, in space (normalised); without it "
                       "direction and eclipses are those of the model's `orbit`"),
    GOS_HEAT_PART(sun, absorptivity,
                  "part of sunlight and albedo that is absorbed; by default the material's"),
    GOS_HEAT_SMOOTHING(
        sun,
        "as of a flux: e > 0 replaces |c| by sqrt(c^2 + e^2), which rounds the kink when a face "
        "turns edge-on"),
    {.name = "eclipse",
     .kind = GOS_K_NODE,
     .unit = "s",
     .offset = offsetof(sun, eclipse),
     .doc = "times in shadow [[start, end], ...] without sunlight and albedo; where end <= start "
            "there is none"},
    {.name = "penumbra",
     .kind = GOS_K_NUMBER,
     .unit = "s",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(sun, penumbra),
     .doc =
         "how long the light takes to fade, with a smooth ramp centred at each start and end: half "
         "of it is gone there, so an eclipse takes away (end - start) of light whatever the "
         "penumbra"},
    {.name = "earth_infrared",
     .kind = GOS_K_TIMEFN,
     .unit = "W/m^2",
     .offset = offsetof(sun, earth_infrared),
     .doc =
         "infrared of the Earth where the bodies are, per area across its direction; along an "
         "orbit, "
         "without earth_direction: where it leaves the Earth, a sphere. Eclipses do not touch it"},
    {.name = "albedo",
     .kind = GOS_K_TIMEFN,
     .unit = "-",
     .offset = offsetof(sun, albedo),
     .doc = "sunlight that arrives reflected by the Earth, as a part of `flux`; none in eclipse. "
            "Along "
            "an orbit, without earth_direction: part that the Earth reflects, times the cosine of "
            "the Sun's zenith angle on the ground below"},
    GOS_HEAT_DIRECTION(sun, earth_direction, 0,
                       "direction from the Earth to the bodies, in space (normalised), along which "
                       "earth_infrared and albedo travel; needed where there is no `orbit`"),
    GOS_HEAT_PART(sun, infrared_absorptivity,
                  "part of earth_infrared that is absorbed; by default the material's emissivity"),
    {.name = NULL},
};

/* ---- eclipses ------------------------------------------------------------------------------ */

static gos_status read_window(gos_builder *b, const gos_node *pair, const char *object,
                              double window[2]) {
    if (pair->kind != GOS_LIST || pair->n != 2 || pair->child->kind != GOS_SCALAR ||
        pair->child->next->kind != GOS_SCALAR) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, pair->loc, object,
                            "eclipse is a list of pairs [[start, end], ...] in seconds; write "
                            "[[100, 250]] for one from 100 s to 250 s");
    }
    const gos_node *node = pair->child;
    for (int i = 0; i < 2; i++, node = node->next) {
        GOS_TRY(gos__expr(b->model, node->text, node->loc, object, &window[i]));
    }
    return GOS_OK;
}

static int compare_starts(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* the windows in order of time, empty ones left out: v is (*n)(2) */
static gos_status read_eclipses(gos_builder *b, const gos_node *list, const char *object, int *n,
                                double **v) {
    if (list->kind != GOS_LIST) {
        return read_window(b, list, object, NULL); // says what is expected
    }
    *v = GOS_NEW(b->arena, double, 2 * (list->n + 1));
    if (!*v) {
        return GOS_E_MEMORY;
    }
    for (const gos_node *pair = list->child; pair; pair = pair->next) {
        double *window = *v + 2 * *n;
        GOS_TRY(read_window(b, pair, object, window));
        *n += window[1] > window[0];
    }
    qsort(*v, *n, 2 * sizeof **v, compare_starts);
    for (int i = 1; i < *n; i++) {
        const double *w = *v + 2 * i;
        if (w[0] < w[-1]) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, list->loc, object,
                                "the eclipses %g .. %g s and %g .. %g s overlap; give one for both",
                                w[-2], w[-1], w[0], w[1]);
        }
    }
    return GOS_OK;
}

/* *shade stays NULL without eclipses */
static gos_status make_shade(gos_builder *b, const sun *in, const char *object,
                             gos_timefn **shade) {
    int n = 0;
    double *v = NULL;
    if (!in->eclipse) {
        return GOS_OK;
    }
    GOS_TRY(read_eclipses(b, in->eclipse, object, &n, &v));
    if (n == 0) {
        return GOS_OK;
    }
    return gos__timefn_shade(in->eclipse->loc, object, b->arena, n, v, in->penumbra, shade);
}

/* ---- building ------------------------------------------------------------------------------ */

/* the fluxes that an entry is, their functions counted from its first */
typedef struct lights {
    gos_heat_light sunlight, infrared, albedo;
    bool has_infrared, has_albedo;
} lights;

static const gos_amount flux_amount = {.fn = 0, .unit = "W/m^2", .kind = GOS_AMOUNT_HEAT};

/* what comes from the orbit and not from the entry */
typedef struct from_orbit {
    bool sun, earth;
} from_orbit;

static bool given(const gos_heat_entry *e, const char *key) {
    return gos__node_given(e->node, key) != NULL;
}

static gos_status fail(const gos_heat_entry *e, const char *key, const char *text) {
    return gos__fail_at(e->b->ctx, GOS_E_INPUT, gos__key_loc(e->node, key), e->object, "%s", text);
}

static gos_status check_sun(const gos_heat_entry *e, const sun *in, from_orbit *o) {
    const char *key = given(e, "eclipse") ? "eclipse" : "penumbra";
    o->sun = !given(e, "direction");
    if (!o->sun) {
        return gos__heat_direction(e, "direction", in->direction);
    }
    if (!e->b->orbit || !e->b->orbit->has_sun) {
        return fail(e, "direction",
                    e->b->orbit ? "'direction' is missing, and the orbit does not say where the "
                                  "Sun is; give the orbit a date, sun or beta"
                                : "'direction' is missing; give it, or the model an `orbit`");
    }
    return given(e, "eclipse") || given(e, "penumbra")
               ? fail(e, key, "eclipses follow from the orbit; remove this, or give direction too")
               : GOS_OK;
}

static gos_status check_earth(const gos_heat_entry *e, const sun *in, from_orbit *o) {
    const bool earth = in->earth_infrared || in->albedo;
    const bool directed = given(e, "earth_direction");
    o->earth = earth && !directed && e->b->orbit;
    if (o->earth && in->albedo && !o->sun) {
        return fail(e, "albedo",
                    "along an orbit albedo follows from the Sun of the orbit; remove direction, "
                    "or give earth_direction too");
    }
    if (earth && !directed && !o->earth) {
        const char *key = in->albedo ? "albedo" : "earth_infrared";
        return gos__fail_at(e->b->ctx, GOS_E_INPUT, gos__key_loc(e->node, key), e->object,
                            "%s comes from the Earth; give earth_direction, from it to the bodies",
                            key);
    }
    if (!earth && directed) {
        return fail(e, "earth_direction",
                    "nothing travels along earth_direction; give earth_infrared or albedo, or "
                    "remove it");
    }
    return directed ? gos__heat_direction(e, "earth_direction", in->earth_direction) : GOS_OK;
}

static gos_status orbit_fn(const gos_heat_entry *e, int what, gos_timefn **fn) {
    return gos__timefn_orbit(e->node->key_loc, e->object, e->b->arena, e->b->orbit, what, fn);
}

/* directions and shade of the orbit in the place of what was not given */
static gos_status fill_orbit(const gos_heat_entry *e, const from_orbit *o, sun *in,
                             gos_timefn **shade) {
    for (int i = 0; i < 3; i++) {
        GOS_TRY(o->sun ? orbit_fn(e, GOS_ORBIT_SUNWARD + i, &in->direction[i]) : GOS_OK);
        GOS_TRY(o->earth ? orbit_fn(e, GOS_ORBIT_OUTWARD + i, &in->earth_direction[i]) : GOS_OK);
    }
    return o->sun ? orbit_fn(e, GOS_ORBIT_LIGHT, shade) : make_shade(e->b, in, e->object, shade);
}

/* register the functions of time: flux, direction, then what there is of the rest */
static gos_status make_lights(gos_heat_entry *e, const from_orbit *o, sun *in, lights *l) {
    gos_timefn *shade = NULL, *fn[12] = {in->flux};
    GOS_TRY(fill_orbit(e, o, in, &shade));
    memcpy(&fn[1], in->direction, sizeof in->direction);
    int n = 4, shaded = 0;
    const gos_heat_light plain = {
        .direction = 1, .nfactor = 1, .amount = &flux_amount, .smoothing = in->smoothing};
    l->sunlight = l->infrared = l->albedo = plain; // factor[0] is the flux
    if (shade) {
        shaded = n;
        fn[n++] = shade;
        l->sunlight.factor[l->sunlight.nfactor++] = shaded;
        if (!o->earth) { // the ground below may lie in the light where the craft does not
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
    if (o->earth) {
        l->infrared.sphere = l->albedo.sphere = n;
        GOS_TRY(orbit_fn(e, GOS_ORBIT_SIZE, &fn[n++]));
    }
    if (o->earth && l->has_albedo) {
        l->albedo.factor[l->albedo.nfactor++] = n;
        GOS_TRY(orbit_fn(e, GOS_ORBIT_DAY, &fn[n++]));
    }
    if (l->has_infrared) {
        gos_amount *amount = GOS_NEW(e->b->arena, gos_amount, 1);
        if (!amount) {
            return GOS_E_MEMORY;
        }
        *amount = (gos_amount){.fn = n, .component = "2", .unit = "W/m^2", .kind = GOS_AMOUNT_HEAT};
        l->infrared.amount = amount;
        l->infrared.factor[0] = n;
        fn[n++] = in->earth_infrared;
    }
    if (l->has_albedo) {
        l->albedo.factor[l->albedo.nfactor++] = n;
        fn[n++] = in->albedo;
    }
    return gos__heat_fns(e, n, fn);
}

static gos_status attach(const gos_heat_entry *e, const gos_heat_place *p, const sun *in,
                         lights *l) {
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
    GOS_TRY(gos__heat_directed(e, p, &l->sunlight));
    if (l->has_infrared) {
        if (!infrared && !(emissivity > 0.0)) {
            gos__warn(e->b->ctx, p->loc, e->object,
                      "the emissivity of body '%s' is 0, so it absorbs no earth_infrared; give "
                      "infrared_absorptivity here or emissivity in its material",
                      p->place.body->name);
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
    from_orbit o = {0};
    GOS_TRY(check_sun(&e, &in, &o));
    GOS_TRY(check_earth(&e, &in, &o));
    lights l;
    GOS_TRY(make_lights(&e, &o, &in, &l));
    for (int i = 0; i < in.on.n; i++) {
        gos_heat_place p;
        GOS_TRY(gos__heat_place(&e, &in.on, i, GOS_ON_BODY | GOS_ON_FACE | GOS_ON_END, &p));
        GOS_TRY(attach(&e, &p, &in, &l));
    }
    return GOS_OK;
}

static const gos_build_ops ops = {build};

const gos_type gos__heat_sun = {
    .section = "heat",
    .name = "sun",
    .doc = "Sunlight with eclipses, and the Earth's infrared and albedo; no shadows of bodies.",
    .params = params,
    .size = sizeof(sun),
    .example =
        "sun: {type: sun, direction: [0, -1, 0], eclipse: [[100, 250]], penumbra: 8, on: rod}",
    .ops = &ops,
};
