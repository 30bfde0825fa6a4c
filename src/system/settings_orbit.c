/* Setting `orbit`: orbital elements of the origin, direction of the Sun. */
#include <math.h>

#include "base/units.h"
#include "math/orbit.h"
#include "math/vec3.h"
#include "system/settings.h"

#define SOLAR_CONSTANT 1361.0 // irradiance at 1 au [W/m^2]

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
             "alternative to semi_major_axis: semi-major axis minus `radius`"),
    P_NUMBER(orbit_def, eccentricity, "-", 0, 1, GOS_P_HI_OPEN, "0", "eccentricity"),
    ANGLE(inclination, "inclination of the orbit to the equator"),
    ANGLE(node, "right ascension of the ascending node at t = 0"),
    ANGLE(perigee, "argument of perigee, from the node, at t = 0"),
    ANGLE(anomaly, "true anomaly at t = 0, from the perigee"),
    P_NUMBER(orbit_def, mu, "m^3/s^2", 0, HUGE_VAL, GOS_P_LO_OPEN, "3.986004418e14",
             "gravitational parameter of the central body; default: the Earth's"),
    P_NUMBER(orbit_def, radius, "m", 0, HUGE_VAL, GOS_P_LO_OPEN, "6378137",
             "radius of the central body, for shadow, infrared and albedo"),
    P_NUMBER(orbit_def, j2, "-", -1, 1, 0, "0",
             "oblateness of the central body (Earth: 1.08263e-3), which causes drift of node, "
             "perigee and mean anomaly; 0: none"),
    {.name = "axes",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "orbit",
     .choices = "orbit|inertial",
     .offset = offsetof(orbit_def, axes),
     .doc = "global axes of the model, which do not rotate: orbit: orbit axes at t = 0 (x away "
            "from the central body, y along the motion, z along the orbit normal); inertial: x to "
            "the vernal equinox, z to the north pole"},
    {.name = "date",
     .kind = GOS_K_TEXT,
     .unit = "",
     .offset = offsetof(orbit_def, date),
     .doc = "date and time (UTC) of t = 0, \"2026-03-20\" or \"2026-03-20T12:00:00\", which "
            "defines the direction and motion of the Sun as seen from the Earth"},
    {.name = "sun",
     .kind = GOS_K_VECTOR,
     .unit = "rad",
     .shape = 2,
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .offset = offsetof(orbit_def, sun),
     .doc = "alternative to date: right ascension and declination of a fixed Sun"},
    P_NUMBER(orbit_def, beta, "rad", -0.5 * M_PI, 0.5 * M_PI, 0, NULL,
             "alternative to date: beta angle, the elevation of the Sun above the orbit plane at "
             "t = 0, towards the orbit normal"),
    ANGLE(noon, "with beta: angle in the orbit plane from the position at t = 0 to the point of "
                "highest Sun"),
    P_NUMBER(orbit_def, sun_distance, "m", 0, HUGE_VAL, GOS_P_LO_OPEN, "1.495978707e11",
             "distance of the Sun, if no date is given"),
    P_NUMBER(orbit_def, sun_radius, "m", 0, HUGE_VAL, 0, "6.957e8",
             "radius of the Sun, for the penumbra"),
    {.name = "shadow",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "conical",
     .choices = "conical|cylindrical|none",
     .offset = offsetof(orbit_def, shadow),
     .doc = "shadow of the central body: conical, with umbra and penumbra; cylindrical, for a "
            "distant point Sun; none, without eclipses"},
    {.name = "gravity_gradient",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "true",
     .offset = offsetof(orbit_def, gravity_gradient),
     .doc = "gravity gradient on every mass, relative to the origin in free fall along the orbit: "
            "mu/R^3 (3 (n . x) n - x)"},
    {0},
};

const gos_type gos__settings_orbit = {
    .section = "orbit",
    .name = "orbit",
    .doc = "The origin of the model falls along this orbit, and its axes do not rotate: gravity "
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
                    axis ? "semi_major_axis already defines the orbit; remove altitude"
                         : "'semi_major_axis' is missing; give it, or `altitude`");
    }
    o->a = axis ? d->semi_major_axis : d->radius + d->altitude;
    if (!(o->a * (1.0 - o->e) > o->radius)) {
        char m[GOS_UNIT_MAX];
        gos__unit_label(b->model->units, "m", m, sizeof m);
        return gos__fail_at(b->ctx, GOS_E_INPUT,
                            gos__key_loc(at, axis ? "semi_major_axis" : "altitude"), "orbit",
                            "the perigee, %g %s from the centre, is inside the central body, whose "
                            "radius is %g %s; lengths of an orbit are in %s",
                            o->a * (1.0 - o->e), m, o->radius, m, m);
    }
    return GOS_OK;
}

static gos_status read_sun(gos_builder *b, const gos_node *at, const orbit_def *d, gos_orbit *o) {
    const bool date = given(at, "date"), sun = given(at, "sun"), beta = given(at, "beta");
    if (date + sun + beta > 1) {
        return fail(b, at, beta ? "beta" : "sun",
                    "date, sun and beta each define the direction of the Sun; give one of them");
    }
    if (given(at, "noon") && !beta) {
        return fail(b, at, "noon", "noon requires beta; give it, or remove noon");
    }
    if (date && given(at, "sun_distance")) {
        return fail(b, at, "sun_distance",
                    "the date already defines the distance of the Sun; remove it");
    }
    o->has_sun = date || sun || beta;
    o->dated = date;
    if (date && !gos__sun_day(d->date, &o->epoch)) {
        return fail(
            b, at, "date",
            "date must have the form \"2026-03-20\" or \"2026-03-20T12:00:00\", from 1900 to 2200");
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
               : fail(b, at, "sun_distance", "the orbit reaches the Sun; check its lengths");
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
    const gos_unit_set *units = b->model->units;
    *o = (gos_orbit){.metre = gos__unit_from_si(units, "m", 1),
                     .solar = gos__unit_from_si(units, "W/m^2", SOLAR_CONSTANT),
                     .mu = d.mu,
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
                            "the model falls freely along its orbit, without uniform gravity; "
                            "remove gravity, or set gravity_gradient: false");
    }
    b->orbit = o;
    return GOS_OK;
}
