/* The setting `orbit`: elements of the orbit that a model's axes fall along, and where the Sun
   is. */
#include <math.h>

#include "math/orbit.h"
#include "parts/vec3.h"
#include "system/settings.h"

typedef struct orbit_def {
    double semi_major_axis, altitude, eccentricity, inclination, node, perigee, anomaly;
    double mu, radius, j2;
    int axes; // 1: inertial
    const char *date;
    double sun[2], beta, noon, sun_distance, sun_radius;
    int shadow, gravity_gradient;
} orbit_def;

#define ANGLE(member, text) P_NUMBER(orbit_def, member, "rad", -HUGE_VAL, HUGE_VAL, 0, "0", text)

static const gos_param params[] = {
    P_NUMBER(orbit_def, semi_major_axis, "m", 0, HUGE_VAL, GOS_P_LO_OPEN, NULL,
             "semi-major axis; or give `altitude`"),
    P_NUMBER(orbit_def, altitude, "m", 0, HUGE_VAL, GOS_P_LO_OPEN, NULL,
             "instead of it: semi-major axis less `radius`"),
    P_NUMBER(orbit_def, eccentricity, "-", 0, 1, GOS_P_HI_OPEN, "0", "eccentricity"),
    ANGLE(inclination, "angle between the orbit and the equator"),
    ANGLE(node, "right ascension of the ascending node at t = 0"),
    ANGLE(perigee, "argument of perigee, from the node, at t = 0"),
    ANGLE(anomaly, "true anomaly at t = 0, from the perigee"),
    P_NUMBER(orbit_def, mu, "m^3/s^2", 0, HUGE_VAL, GOS_P_LO_OPEN, "3.986004418e14",
             "gravitational parameter of the central body, by default the Earth's"),
    P_NUMBER(orbit_def, radius, "m", 0, HUGE_VAL, GOS_P_LO_OPEN, "6378137",
             "radius of the central body, of its shadow, its infrared and its albedo"),
    P_NUMBER(orbit_def, j2, "-", -1, 1, 0, "0",
             "oblateness of the central body (the Earth's: 1.08263e-3), by which node, perigee and "
             "mean anomaly drift; 0: none"),
    {.name = "axes",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "orbit",
     .choices = "orbit|inertial",
     .offset = offsetof(orbit_def, axes),
     .doc = "global axes of the model, which never turn: those of the orbit at t = 0 (x away from "
            "the central body, y along the motion, z normal to the orbit), or inertial ones (x to "
            "the vernal equinox, z to the north pole)"},
    {.name = "date",
     .kind = GOS_K_TEXT,
     .unit = "",
     .offset = offsetof(orbit_def, date),
     .doc = "date and time (UTC) of t = 0, \"2026-03-20\" or \"2026-03-20T12:00:00\", by which the "
            "Sun is where it is seen from the Earth, and moves"},
    {.name = "sun",
     .kind = GOS_K_VECTOR,
     .unit = "rad",
     .shape = 2,
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .offset = offsetof(orbit_def, sun),
     .doc = "instead of a date: right ascension and declination of the Sun, which stands still"},
    P_NUMBER(
        orbit_def, beta, "rad", -0.5 * M_PI, 0.5 * M_PI, 0, NULL,
        "instead of a date: angle of the Sun over the plane of the orbit at t = 0, towards its "
        "normal"),
    ANGLE(noon, "with beta: angle in the plane of the orbit from where t = 0 is to where the Sun "
                "stands highest"),
    P_NUMBER(orbit_def, sun_distance, "m", 0, HUGE_VAL, GOS_P_LO_OPEN, "1.495978707e11",
             "distance of the Sun, without a date"),
    P_NUMBER(orbit_def, sun_radius, "m", 0, HUGE_VAL, 0, "6.957e8",
             "radius of the Sun, which makes the penumbra"),
    {.name = "shadow",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "conical",
     .choices = "conical|cylindrical|none",
     .offset = offsetof(orbit_def, shadow),
     .doc = "shadow of the central body: with umbra and penumbra, of a Sun that is a point far "
            "away, or no eclipses"},
    {.name = "gravity_gradient",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "true",
     .offset = offsetof(orbit_def, gravity_gradient),
     .doc = "every mass feels how gravity there differs from that at the origin, which falls along "
            "the orbit: mu/R^3 (3 (n . x) n - x)"},
    {0},
};

const gos_type gos__settings_orbit = {
    .section = "orbit",
    .name = "orbit",
    .doc = "The origin of the model falls along this orbit, and its axes do not turn: gravity "
           "gradient, Sun, eclipses.",
    .params = params,
    .size = sizeof(orbit_def),
    .example = "orbit: {altitude: 400e3, inclination: deg(51.6), beta: deg(20)}",
};

static gos_status fail(gos_builder *b, const gos_node *at, const char *key, const char *text) {
    return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(at, key), "orbit", "%s", text);
}

static bool given(const gos_node *at, const char *key) {
    return gos__node_given(at, key) != NULL;
}

static gos_status read_axis(gos_builder *b, const gos_node *at, const orbit_def *d, gos_orbit *o) {
    const bool axis = given(at, "semi_major_axis"), altitude = given(at, "altitude");
    if (axis == altitude) {
        return fail(b, at, axis ? "altitude" : "orbit",
                    axis ? "semi_major_axis says how far away the orbit is; remove altitude"
                         : "'semi_major_axis' is missing; give it, or `altitude`");
    }
    o->a = axis ? d->semi_major_axis : d->radius + d->altitude;
    if (!(o->a * (1.0 - o->e) > o->radius)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT,
                            gos__key_loc(at, axis ? "semi_major_axis" : "altitude"), "orbit",
                            "the perigee, %g m from the centre, is inside the central body, whose "
                            "radius is %g m; lengths of an orbit are in m",
                            o->a * (1.0 - o->e), o->radius);
    }
    return GOS_OK;
}

static gos_status read_sun(gos_builder *b, const gos_node *at, const orbit_def *d, gos_orbit *o) {
    const bool date = given(at, "date"), sun = given(at, "sun"), beta = given(at, "beta");
    if (date + sun + beta > 1) {
        return fail(b, at, beta ? "beta" : "sun",
                    "date, sun and beta each say where the Sun is; give one of them");
    }
    if (given(at, "noon") && !beta) {
        return fail(b, at, "noon", "noon belongs to beta; give that, or remove it");
    }
    if (date && given(at, "sun_distance")) {
        return fail(b, at, "sun_distance", "the date says how far away the Sun is; remove it");
    }
    o->has_sun = date || sun || beta;
    o->dated = date;
    if (date && !gos__sun_day(d->date, &o->epoch)) {
        return fail(b, at, "date",
                    "date must be like \"2026-03-20\" or \"2026-03-20T12:00:00\", from 1900 to "
                    "2200");
    }
    if (sun) {
        o->sun[0] = cos(d->sun[1]) * cos(d->sun[0]);
        o->sun[1] = cos(d->sun[1]) * sin(d->sun[0]);
        o->sun[2] = sin(d->sun[1]);
    } else if (beta) {
        gos__orbit_beta(o, d->beta, d->noon);
    }
    return o->a * (1.0 + o->e) + o->sun_radius < o->sun_distance || !o->has_sun || date
               ? GOS_OK
               : fail(b, at, "sun_distance", "the orbit reaches the Sun; lengths are in m");
}

gos_status gos__settings_orbit_read(gos_builder *b) {
    const gos_node *at = gos__node_get(b->model->root, "orbit");
    orbit_def d = {0};
    if (!at) {
        return GOS_OK;
    }
    GOS_TRY(gos__fill(b->model, at, params, "orbit", b->arena, &d));
    gos_orbit *o = GOS_NEW(b->arena, gos_orbit, 1);
    if (!o) {
        return GOS_E_MEMORY;
    }
    *o = (gos_orbit){.mu = d.mu,
                     .radius = d.radius,
                     .e = d.eccentricity,
                     .inclination = d.inclination,
                     .node = d.node,
                     .perigee = d.perigee,
                     .mean = gos__mean_anomaly(d.anomaly, d.eccentricity),
                     .axes = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                     .sun_distance = d.sun_distance,
                     .sun_radius = d.sun_radius,
                     .shadow = (gos_shadow)d.shadow,
                     .gradient = d.gravity_gradient != 0};
    GOS_TRY(read_axis(b, at, &d, o));
    gos__orbit_rates(o, d.j2);
    GOS_TRY(read_sun(b, at, &d, o));
    if (d.axes == 0) {
        gos__orbit_align(o);
    }
    if (gos__norm3(b->gravity) > 0 && o->gradient) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(b->model->root, "gravity"), "orbit",
                            "the model falls freely along its orbit, where there is no uniform "
                            "gravity; remove gravity, or set gravity_gradient: false");
    }
    b->orbit = o;
    return GOS_OK;
}
