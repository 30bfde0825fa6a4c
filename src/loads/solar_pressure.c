/* Solar radiation pressure (theory guide, Pressure of sunlight), one item per surface point. */
#include <math.h>

#include "loads/loads.h"
#include "parts/location.h"
#include "parts/sunlight.h"
#include "math/vec3.h"
#include "loads/load.h"
#include "parts/spread.h"

/* Optical properties; the rest to 1 is absorbed. */
typedef struct gos_optics {
    double specular, diffuse; // specular and Lambertian reflected parts [-]
    // Lambertian emission: diffuse part plus immediately re-emitted part [-]
    double normal;
    double smoothing; // rounds the kink of edge-on surfaces [-]
} gos_optics;

typedef struct gos_solar_point {
    gos_spread at; // uses the item's markers
    gos_optics optics;
} gos_solar_point;

/* Radiation pressure on a surface with specular part s, Lambertian part d, the rest absorbed
 * (McInnes, Solar Sailing, 2.5; Montenbruck, Gill, Satellite Orbits, 3.4). With unit vector s to
 * the Sun, outward normal n, c = s . n > 0, per area
 * dF/dA = -P [ c (1 - s) s + 2 (s c^2 + d c/3) n ] = -P h(n);
 * two-sided: sum with |c| and c. Tube of radius R, tangent t, q = s - (s . t) t, q = |q|, per
 * length:
 * -P R [ 2 (1 - s) q s + (8/3 s q + pi/3 d) q ]
 * and the moment P R^2 pi/2 (1 - s) (s . t) t x q (the part along s acts pi/4 R off the axis), as
 * forces P R^2 pi/2 (1 - s) (s . t) q / |p| on slope p. Sphere: -P pi R^2 (1 + 4/9 d) s. */

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

/* Markers besides the position. */
static int solar_vectors(gos_spread_kind kind) {
    return kind == GOS_SPREAD_SPHERE ? 0 : kind == GOS_SPREAD_TANGENT ? 2 : 1;
}

static void facet(const gos_optics *o, bool both, const double s[3], const double n[3], double h[3],
                  double D[9]) {
    const double c = gos__dot3(s, n), a = sqrt(c * c + o->smoothing * o->smoothing);
    const double slope = a > 0.0 ? c / a : 0.0;
    const double lit = both ? a : 0.5 * (a + c), dlit = both ? slope : 0.5 * (slope + 1.0);
    const double square = both ? a * c : lit * lit;
    const double dsquare = both ? slope * c + a : 2.0 * lit * dlit;
    const double once = both ? c : lit, donce = both ? 1.0 : dlit;
    const double along = (1.0 - o->specular) * lit, dalong = (1.0 - o->specular) * dlit;
    const double out = 2.0 * (o->specular * square + o->normal * once / 3.0);
    const double dout = 2.0 * (o->specular * dsquare + o->normal * donce / 3.0);
    for (int i = 0; i < 3; i++) {
        h[i] = along * s[i] + out * n[i];
        for (int j = 0; j < 3; j++) {
            D[3 * i + j] = (dalong * s[i] + dout * n[i]) * s[j] + (i == j ? out : 0.0);
        }
    }
}

/* E = D (1 - n n^T) */
static void across(const double D[9], const double n[3], double E[9]) {
    for (int i = 0; i < 3; i++) {
        const double Dn = gos__dot3(D + 3 * i, n);
        for (int j = 0; j < 3; j++) {
            E[3 * i + j] = D[3 * i + j] - Dn * n[j];
        }
    }
}

/* -P A h(N/|N|) */
static void flat(const gos_solar_point *p, double P, const double s[3], const double *x, double *f,
                 double *fx) {
    const double *N = x + 3, size = gos__norm3(N), w = P * p->at.size;
    double n[3], h[3], D[9], E[9];
    if (!(size > 0.0)) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        n[i] = N[i] / size;
    }
    facet(&p->optics, p->at.both, s, n, h, D);
    for (int i = 0; f && i < 3; i++) {
        f[i] -= w * h[i];
    }
    if (fx) {
        across(D, n, E);
        gos__add33(fx, 6, 0, 1, -w / size, E);
    }
}

/* -P w |N| h(N/|N|), N = a x b; dN = [a] db - [b] da */
static void tangent(const gos_solar_point *p, double P, const double s[3], const double *x,
                    double *f, double *fx) {
    const double *a = x + 3, *b = x + 6, w = P * p->at.size;
    double N[3], h[3], D[9], E[9], S[9], M[9];
    gos__cross3(a, b, N);
    const double size = gos__norm3(N);
    if (!(size > 0.0)) {
        return;
    }
    const double n[3] = {N[0] / size, N[1] / size, N[2] / size};
    facet(&p->optics, p->at.both, s, n, h, D);
    for (int i = 0; f && i < 3; i++) {
        f[i] -= w * size * h[i];
    }
    if (!fx) {
        return;
    }
    across(D, n, E);
    for (int k = 0; k < 9; k++) {
        E[k] += h[k / 3] * n[k % 3];
    }
    gos__skew3(b, S);
    gos__mul33(E, S, M);
    gos__add33(fx, 9, 0, 1, w, M);
    gos__skew3(a, S);
    gos__mul33(E, S, M);
    gos__add33(fx, 9, 0, 2, -w, M);
}

/* -P w |p| h(+-d(p)), d a section director of a cable */
static void face(const gos_solar_point *p, double P, const double s[3], const double *x, double *f,
                 double *fx) {
    const double *slope = x + 3, w = P * p->at.size, length = gos__norm3(slope);
    double d[3][3], G[3][9], h[3], D[9], M[9];
    if (!gos__section_frame(slope, p->at.ref, d, G)) {
        return;
    }
    const double *e = d[p->at.dir], sign = p->at.sign;
    const double n[3] = {sign * e[0], sign * e[1], sign * e[2]};
    facet(&p->optics, false, s, n, h, D);
    for (int i = 0; f && i < 3; i++) {
        f[i] -= w * length * h[i];
    }
    if (!fx) {
        return;
    }
    gos__mul33(D, G[p->at.dir], M);
    for (int k = 0; k < 9; k++) {
        M[k] = sign * length * M[k] + h[k / 3] * d[0][k % 3];
    }
    gos__add33(fx, 6, 0, 1, -w, M);
}

/* tube segment along p; c = s . t, q = s - c t */
static void tube(const gos_solar_point *p, double P, const double s[3], const double *x, double *f,
                 double *fx) {
    const gos_optics *o = &p->optics;
    const double *v = x + 3, length = gos__norm3(v), R = p->at.radius, w = P * p->at.size * R;
    const double straight = 2.0 * (1.0 - o->specular), mirror = 8.0 / 3.0 * o->specular;
    const double lambert = M_PI / 3.0 * o->normal;
    const double couple = 0.5 * M_PI * (1.0 - o->specular) * R * w;
    if (!(length > 0.0)) {
        return;
    }
    const double t[3] = {v[0] / length, v[1] / length, v[2] / length}, c = gos__dot3(s, t);
    const double q[3] = {s[0] - c * t[0], s[1] - c * t[1], s[2] - c * t[2]};
    const double size = sqrt(gos__dot3(q, q) + o->smoothing * o->smoothing);
    const double fade = size > 0.0 ? -c / size : 0.0; // |p| dsize = fade q . dp
    const double k = mirror * size + lambert;
    double M[9], C[9];
    for (int i = 0; f && i < 3; i++) {
        f[i] -= w * length * (straight * size * s[i] + k * q[i]);
        f[3 + i] += couple * c * q[i];
    }
    if (!fx) {
        return;
    }
    for (int i = 0; i < 3; i++) { // |p| dq = -t q . dp - c (dp - t t . dp)
        for (int j = 0; j < 3; j++) {
            const double dq = -t[i] * q[j] - c * ((i == j) - t[i] * t[j]);
            M[3 * i + j] = (straight * size * s[i] + k * q[i]) * t[j] +
                           (straight * s[i] + mirror * q[i]) * fade * q[j] + k * dq;
            C[3 * i + j] = (q[i] * q[j] + c * dq) / length;
        }
    }
    gos__add33(fx, 6, 0, 1, -w, M);
    gos__add33(fx, 6, 1, 1, couple, C);
}

/* Add radiation forces for pressure P and unit vector s to the Sun to f (3 nm), and derivatives
 * with respect to marker values x (nm, 3) to fx (3 nm)(3 nm); either may be NULL. Markers:
 * position, then the point's vectors. */
static void solar_force(const gos_solar_point *p, double P, const double s[3], const double *x,
                        double *f, double *fx) {
    const double R = p->at.radius;
    switch (p->at.kind) {
    case GOS_SPREAD_FLAT:
        flat(p, P, s, x, f, fx);
        break;
    case GOS_SPREAD_TANGENT:
        tangent(p, P, s, x, f, fx);
        break;
    case GOS_SPREAD_FACE:
        face(p, P, s, x, f, fx);
        break;
    case GOS_SPREAD_ROUND:
        tube(p, P, s, x, f, fx);
        break;
    case GOS_SPREAD_SPHERE:
        for (int i = 0; f && i < 3; i++) {
            f[i] -= P * M_PI * R * R * (1.0 + 4.0 / 9.0 * p->optics.normal) * s[i];
        }
        break;
    }
}

#define FLUX 0
#define LIGHT_DIRECTION 1
#define SHADE 4

typedef struct pressure_def {
    gos_texts on;
    gos_sunlight light;
    double specular, diffuse, reemitted, smoothing, speed;
    double radius; // [m], 0: not given
    const gos_node *facets;
} pressure_def;

typedef struct facet_def {
    double at[3], normal[3], area;
    int both;
} facet_def;

typedef struct gos_pressure {
    gos_solar_point point;
    double speed; // of light [m/s]
    bool shaded;
} gos_pressure;

#define PART(key, def_, text)                                                                      \
    {                                                                                              \
        .name = #key, .kind = GOS_K_NUMBER, .unit = "-", .lo = 0.0, .hi = 1.0, .def = def_,        \
        .offset = offsetof(pressure_def, key), .doc = text                                         \
    }

static const gos_param facet_params[] = {
    {.name = "at",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(facet_def, at),
     .doc = "centre relative to the point given in `on`, body axes"},
    {.name = "normal",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .flags = GOS_P_REQUIRED | GOS_P_UNIT_VECTOR,
     .offset = offsetof(facet_def, normal),
     .doc = "outward normal, body axes"},
    {.name = "area",
     .kind = GOS_K_NUMBER,
     .unit = "m^2",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
     .offset = offsetof(facet_def, area),
     .doc = "area"},
    {.name = "sides",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "one",
     .choices = "one=0|both=1",
     .offset = offsetof(facet_def, both),
     .doc = "one: illuminated only from the side of the normal; both: from either side"},
    {0}};

static const gos_param params[] = {
    {.name = "on",
     .kind = GOS_K_NAMES,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(pressure_def, on),
     .doc =
         "loaded surfaces: bodies (both sides of plates and shells, the outline of line bodies, "
         "the shape of rigid bodies), faces (panel.top), ends (rod.end), mesh surfaces and sets; "
         "with `facets` or `radius`: rigid bodies and points. Bodies do not shadow each other"},
    GOS_SUNLIGHT_FLUX(pressure_def, light),
    GOS_SUNLIGHT_DIRECTION(pressure_def, light),
    GOS_SUNLIGHT_ECLIPSE(pressure_def, light, "sunlight"),
    GOS_SUNLIGHT_PENUMBRA(pressure_def, light),
    PART(specular, "0", "specularly reflected part of the light"),
    PART(diffuse, NULL,
         "diffusely reflected part (Lambert); default: 1 - absorptivity of the material - "
         "`specular`. The rest is absorbed"),
    PART(reemitted, "0",
         "part of the absorbed power that is immediately re-emitted from the lit side (Lambert); "
         "0: emitted equally from both sides, without net force"),
    {.name = "facets",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(pressure_def, facets),
     .doc =
         "flat surfaces of a rigid body, [{at: [x, y, z], normal: [x, y, z], area: A, sides: "
         "one|both}, ...], relative to the point given in `on` (the node of a body), in body axes"},
    {.name = "radius",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(pressure_def, radius),
     .doc = "radius of a sphere centred at the point given in `on`, which carries the force"},
    {.name = "smoothing",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0.0,
     .hi = 0.01,
     .def = "0",
     .offset = offsetof(pressure_def, smoothing),
     .doc = "e > 0 replaces |c| by sqrt(c^2 + e^2), which rounds the kink when a face is edge-on"},
    {.name = "speed_of_light",
     .kind = GOS_K_NUMBER,
     .unit = "m/s",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .def = "299792458",
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(pressure_def, speed),
     .doc = "speed of light, follows `units` of the model"},
    {0}};

/* false: no light or no direction */
static bool light_of(const gos_pressure *par, const gos_item_io *io, double q, double *P,
                     double s[3]) {
    const double *d = io->fn + LIGHT_DIRECTION, n = gos__norm3(d);
    *P = io->scale * q / par->speed * (par->shaded ? io->fn[SHADE] : 1.0);
    for (int i = 0; i < 3 && n > 0.0; i++) {
        s[i] = -d[i] / n;
    }
    return n > 0.0 && *P != 0.0;
}

static void eval(const gos_item *it, const gos_item_io *io) {
    const gos_pressure *par = it->par;
    double P, s[3];
    if (light_of(par, io, io->fn[FLUX], &P, s)) {
        solar_force(&par->point, P, s, io->x, io->f, io->fx);
    }
}

/* forces are proportional to the flux */
static void by_input(const gos_item *it, const gos_item_io *io, const gos_input_def *k) {
    const gos_pressure *par = it->par;
    double P, s[3];
    GOS_UNUSED(k);
    if (light_of(par, io, 1.0, &P, s)) {
        solar_force(&par->point, P, s, io->x, io->f, NULL);
    }
}

static const gos_item_type type_pressure = {
    .name = "solar pressure", .eval = eval, .by_input = by_input};
static const gos_input_def input = {.fn = FLUX, .unit = "W/m^2", .kind = GOS_INPUT_FORCE};

typedef struct building {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    const pressure_def *def;
    gos_item form;
    gos_optics optics;
    const gos_location *at; // for facets
} building;

static gos_status fail(const building *k, gos_loc loc, const char *text) {
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, loc, k->object, "%s", text);
}

static gos_status add_point(void *to, const gos_spread *point) {
    const building *k = to;
    gos_pressure *par = GOS_NEW(k->b->arena, gos_pressure, 1);
    gos_item item = k->form;
    if (!par) {
        return GOS_E_MEMORY;
    }
    par->point = (gos_solar_point){*point, k->optics};
    par->speed = k->def->speed;
    par->shaded = k->def->light.shade != NULL;
    item.par = par;
    item.nm = 1 + solar_vectors(point->kind);
    item.m[0] = point->x;
    for (int i = 1; i < item.nm; i++) {
        item.m[i] = point->v[i - 1];
    }
    return gos__add_item(k->b, &item, NULL);
}

/* Defaults from the body's materials, which must agree. */
static gos_status take_optics(building *k, const gos_body *body, gos_loc loc) {
    const pressure_def *d = k->def;
    const bool given = gos__node_given(k->entry, "diffuse") != NULL;
    double diffuse = d->diffuse;
    int n;
    const gos_material *const *m = gos__body_materials(body, &n);
    if (!given && (n == 0 || body->rigid_item >= 0)) {
        return gos__fail_at(
            k->b->ctx, GOS_E_INPUT, loc, k->object,
            "body '%s' has no material that defines its absorptivity; give diffuse (and specular)",
            body->name);
    }
    for (int i = 0; i < n && !given; i++) {
        if (i > 0 && m[i]->absorptivity != m[0]->absorptivity) {
            return gos__fail_at(k->b->ctx, GOS_E_INPUT, loc, k->object,
                                "the materials of body '%s' differ in absorptivity; give diffuse "
                                "here",
                                body->name);
        }
        diffuse = 1.0 - m[i]->absorptivity - d->specular;
    }
    const double absorbed = 1.0 - d->specular - diffuse;
    if (!(diffuse >= -1e-12)) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "specular"), k->object,
                            "specular %g and absorptivity %g of the material of body '%s' exceed "
                            "1 in total; also specify diffuse (the remainder is absorbed)",
                            d->specular, 1.0 - d->specular - diffuse, body->name);
    }
    if (!(absorbed >= -1e-12)) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "diffuse"), k->object,
                            "specular and diffuse add up to %g, which exceeds 1; reduce them (the "
                            "remainder is absorbed)",
                            d->specular + diffuse);
    }
    k->optics = (gos_optics){.specular = d->specular,
                             .diffuse = fmax(0.0, diffuse),
                             .normal = fmax(0.0, diffuse) + d->reemitted * fmax(0.0, absorbed),
                             .smoothing = d->smoothing};
    return GOS_OK;
}

static gos_status add_facet(building *k, const gos_node *node) {
    facet_def d = {0};
    gos_marker axis[4];
    GOS_TRY(gos__fill(k->b->model, node, facet_params, k->object, k->b->arena, &d));
    gos_spread p = {.kind = GOS_SPREAD_FLAT, .size = d.area, .both = d.both == 1};
    const double arm[4] = {1.0, d.at[0], d.at[1], d.at[2]};
    GOS_TRY(gos__position(k->b, k->at, &axis[0]));
    GOS_TRY(gos__rigid_axes(k->b, k->at, &axis[1]));
    GOS_TRY(gos__marker_sum(k->b->arena, 4, axis, arm, &p.x));
    GOS_TRY(gos__marker_sum(k->b->arena, 3, &axis[1], d.normal, &p.v[0]));
    return add_point(k, &p);
}

static gos_status add_facets(building *k, gos_loc loc) {
    const gos_node *list = k->def->facets;
    if (gos__rotating(k->at) != GOS_TURN_FRAME) {
        return fail(k, loc,
                    "facets require a rigid body; specify one, or remove facets (other bodies "
                    "have surfaces of their own)");
    }
    for (const gos_node *c = list->child; c; c = c->next) {
        GOS_TRY(c->kind == GOS_MAP
                    ? add_facet(k, c)
                    : fail(k, c->loc, "a facet must be a map, {normal: [0, 0, 1], area: 2}"));
    }
    return GOS_OK;
}

static gos_status add_sphere(building *k) {
    gos_spread p = {.kind = GOS_SPREAD_SPHERE, .radius = k->def->radius};
    GOS_TRY(gos__position(k->b, k->at, &p.x));
    return add_point(k, &p);
}

static gos_status add_location(building *k, int i) {
    const gos_texts *on = &k->def->on;
    const bool own = !k->def->facets && !(k->def->radius > 0.0);
    gos_location p;
    GOS_TRY(own ? gos__locate(k->b, on->v[i], on->loc[i], k->object, &p)
                : gos__locate_point(k->b, on->v[i], on->loc[i], k->object, &p));
    if (!p.body) {
        return fail(k, on->loc[i], "solar pressure on the ground has no effect; specify a body");
    }
    k->at = &p;
    GOS_TRY(take_optics(k, p.body, on->loc[i]));
    if (!own) {
        return k->def->facets ? add_facets(k, on->loc[i]) : add_sphere(k);
    }
    if (!p.body->ops->spread) {
        return gos__fail_at(
            k->b->ctx, GOS_E_INPUT, on->loc[i], k->object,
            "body '%s' (%s) has no defined surface; give `facets`, or a `radius` at points of it",
            p.body->name, p.body->type);
    }
    const gos_spread_to to = {add_point, k, on->loc[i], on->v[i], k->object};
    return p.body->ops->spread(k->b, p.body, &p, &to);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    pressure_def def = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    building k = {.b = b, .entry = entry, .object = object, .def = &def};
    if (def.facets && (def.facets->kind != GOS_LIST || def.facets->n == 0)) {
        return fail(&k, def.facets->loc,
                    "facets must be a list, [{normal: [0, 0, 1], area: 2, at: [0, 0, 1]}, ...]");
    }
    if (def.facets && def.radius > 0.0) {
        return fail(&k, gos__key_loc(entry, "radius"),
                    "facets and radius both define the surface; remove one");
    }
    GOS_TRY(gos__sunlight_read(b, entry, object, &def.light));
    gos_timefn *const fn[5] = {def.light.flux, def.light.direction[0], def.light.direction[1],
                               def.light.direction[2], def.light.shade};
    k.form = (gos_item){.type = &type_pressure,
                        .name = gos__arena_strdup(b->arena, object),
                        .entry = gos__arena_strdup(b->arena, name),
                        .loc = entry->key_loc,
                        .nfn = def.light.shade ? 5 : 4,
                        .ninput = 1,
                        .input = &input};
    if (!k.form.name || !k.form.entry) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos__add_timefns(b, k.form.nfn, fn, &k.form.fn0));
    for (int i = 0; i < def.on.n; i++) {
        GOS_TRY(add_location(&k, i));
    }
    return GOS_OK;
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__load_solar_pressure = {
    .section = "loads",
    .name = "solar_pressure",
    .doc = "Solar radiation pressure on surfaces, which follows their motion; eclipses come from "
           "the entry or from `orbit`; bodies cast no shadows.",
    .params = params,
    .size = sizeof(pressure_def),
    .example = "light: {type: solar_pressure, on: panel, direction: [0, 0, -1], specular: 0.2}",
    .ops = &ops};
