/* Motion on a Kepler orbit about an oblate central body (secular rates), and the direction of the
 * Sun. Angles in rad; vectors in fixed model axes. */
#ifndef GOS_ORBIT_H
#define GOS_ORBIT_H

#include <stdbool.h>

typedef enum gos_shadow {
    GOS_SHADOW_CONICAL,     // umbra and penumbra, from the discs of Sun and body
    GOS_SHADOW_CYLINDRICAL, // point Sun at infinity
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
    double sun[3];                   // unit vector to the Sun, inertial axes, if not dated
    double sun_distance, sun_radius; // [m]
    gos_shadow shadow;
    bool gradient;
    double metre; // a metre in units of the model, which are those of all lengths here
    double solar; // irradiance at 1 au, in units of the model [W/m^2]
} gos_orbit;

typedef struct gos_orbit_position {
    double r[3], v[3]; // from the central body [m], [m/s]
    // rows: radial, along-track (of a circular orbit), orbit normal
    double axes[9];
    double sun[3];   // unit vector to the Sun
    double distance; // of the Sun from the central body [au], 1 if unknown
    double light;    // visible fraction of the Sun's disc
} gos_orbit_position;

/** Eccentric anomaly for a mean anomaly, to rounding; 0 <= e < 1. */
double gos__kepler(double mean, double e);
/** Mean anomaly for a true anomaly. */
double gos__mean_anomaly(double anomaly, double e);
/** rate, node_rate and perigee_rate from the elements and the coefficient J2 (0: point mass). */
void gos__orbit_rates(gos_orbit *o, double j2);
/** Set the model axes to the orbit axes at t = 0 (rows of gos_orbit_position), not the inertial
 * ones. */
void gos__orbit_align(gos_orbit *o);
/** Set the Sun at angle beta above the orbit plane, `noon` ahead of the point at t = 0, seen from
 * the central body. */
void gos__orbit_beta(gos_orbit *o, double beta, double noon);
/** Unit vector to the Sun on a day (after J2000.0), inertial axes, accurate to about one arc
 * minute; *distance [m]. */
void gos__sun_at(double day, double sun[3], double *distance);
/** Days after J2000.0 of a date, "2026-03-20" or "2026-03-20T12:30:00". @return false: invalid */
bool gos__sun_day(const char *date, double *day);

void gos__orbit_at(const gos_orbit *o, double t, gos_orbit_position *p);
/** Gravity gradient: acceleration G x relative to the orbit point at offset x, to first order. */
void gos__orbit_gradient(const gos_orbit *o, double t, double G[9]);
/** Visible fraction of a disc of angular radius `sun` behind one of radius `body` at separation
 * `apart`. */
double gos__disc_left(double sun, double body, double apart);
/** Next time after t, before `end`, at which light starts or stops changing; `end` if none. */
double gos__orbit_next_edge(const gos_orbit *o, double t, double end);
/** ... at which the Sun rises or sets on the ground below. */
double gos__orbit_next_dusk(const gos_orbit *o, double t, double end);

#endif
