/* Motion of a point about a central body on a Kepler orbit, with the secular rates of its
   oblateness, and where the Sun is from there. Angles in rad; vectors in the axes of a model, which
   do not turn. */
#ifndef GOS_ORBIT_H
#define GOS_ORBIT_H

#include <stdbool.h>

#define GOS_SOLAR_CONSTANT 1361.0 // power of sunlight per area at 1 au [W/m^2]

typedef enum gos_shadow {
    GOS_SHADOW_CONICAL,     // umbra and penumbra, by the discs that the Sun and the body show
    GOS_SHADOW_CYLINDRICAL, // the Sun is a point, far away
    GOS_SHADOW_NONE
} gos_shadow;

typedef struct gos_orbit {
    double mu, radius;                 // of the central body [m^3/s^2], [m]
    double a, e;                       // semi-major axis [m], eccentricity
    double inclination, node, perigee; // at t = 0; right ascension of the node, argument of perigee
    double mean;                       // mean anomaly at t = 0
    double rate, node_rate, perigee_rate; // of the mean anomaly, the node and the perigee [rad/s]
    double axes[9];                       // rows: the model's axes in inertial ones
    bool has_sun, dated;
    double epoch;                    // of t = 0: days after J2000.0, when dated
    double sun[3];                   // unit vector to the Sun, inertial axes, when not dated
    double sun_distance, sun_radius; // [m]
    gos_shadow shadow;
    bool gradient; // its field acts on masses
} gos_orbit;

typedef struct gos_orbit_place {
    double r[3], v[3]; // from the central body [m], [m/s]
    double
        axes[9]; // rows: radially out, along the motion (of a circular orbit), normal of the orbit
    double sun[3];   // unit vector to the Sun
    double distance; // of the Sun from the central body [au], 1 where it is not known
    double light;    // part of the Sun's disc that is seen from there
} gos_orbit_place;

/** Eccentric anomaly of a mean one, to rounding; 0 <= e < 1. */
double gos__kepler(double mean, double e);
/** Mean anomaly of a true one. */
double gos__mean_anomaly(double anomaly, double e);
/** rate, node_rate and perigee_rate from the elements and the coefficient J2 (0: a point mass). */
void gos__orbit_rates(gos_orbit *o, double j2);
/** Let the model's axes be those of the orbit at t = 0 (rows of gos_orbit_place), not the inertial
 * ones. */
void gos__orbit_align(gos_orbit *o);
/** The Sun beta above the orbit's plane, and `noon` ahead of the point at t = 0, seen from the
 * central body. */
void gos__orbit_beta(gos_orbit *o, double beta, double noon);
/** Unit vector to the Sun on a day (after J2000.0), inertial axes, to about an arc minute;
 * *distance [m]. */
void gos__sun_at(double day, double sun[3], double *distance);
/** Days after J2000.0 of a date, "2026-03-20" or "2026-03-20T12:30:00". @return false: it is
 * none */
bool gos__sun_day(const char *date, double *day);

void gos__orbit_at(const gos_orbit *o, double t, gos_orbit_place *p);
/** Its field as it differs from that at the orbit's point: acceleration G x at a distance x of
 * that, first order in x. */
void gos__orbit_gradient(const gos_orbit *o, double t, double G[9]);
/** Part of a disc of the angular radius `sun` that one of the radius `body` leaves when they are
 * `apart`. */
double gos__disc_left(double sun, double body, double apart);
/** Next time after t, before `end`, at which light begins or ends to fade; `end` when there is
 * none. */
double gos__orbit_next_edge(const gos_orbit *o, double t, double end);
/** ... and at which the Sun rises or sets on the ground below. */
double gos__orbit_next_dusk(const gos_orbit *o, double t, double end);

#endif
