/* Kepler orbit, eclipse and gravity gradient (theory guide, Orbit). Two-body motion with secular
 * J2 rates of node, perigee and mean anomaly (Vallado, Fundamentals of Astrodynamics, 9.6). Sun by
 * the low-precision series of Montenbruck and Gill, Satellite Orbits, 3.3.2, including motion of
 * perigee; visible part of its disc by their 3.4.2. */
#include "math/orbit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"

#define AU 1.495978707e11 // [m]
#define DAY 86400.0       // [s]

/* Inertial components to model axes. */
static void to_model(const gos_orbit *o, const double x[3], double y[3]) {
    for (int i = 0; i < 3; i++) {
        y[i] = gos__dot3(o->axes + 3 * i, x);
    }
}

double gos__kepler(double mean, double e) {
    const double M = remainder(mean, 2.0 * M_PI), m = fabs(M);
    // f(E) = E - e sin E - m is increasing and convex up to pi: Newton's iteration from an upper
    // bound is monotonic
    double E = fmin(fmin(m + e, M_PI), m / (1.0 - e));
    for (int k = 0; k < 200; k++) {
        const double next = E - (E - e * sin(E) - m) / (1.0 - e * cos(E));
        if (!(next < E && next >= m)) {
            break;
        }
        E = next;
    }
    return (mean - M) + copysign(E, M);
}

double gos__mean_anomaly(double anomaly, double e) {
    const double E =
        2.0 * atan2(sqrt(1.0 - e) * sin(0.5 * anomaly), sqrt(1.0 + e) * cos(0.5 * anomaly));
    return E - e * sin(E);
}

void gos__orbit_rates(gos_orbit *o, double j2) {
    const double n = sqrt(o->mu / o->a) / o->a, p = o->a * (1.0 - o->e * o->e);
    const double k = 1.5 * j2 * (o->radius / p) * (o->radius / p) * n;
    const double s = sin(o->inclination), eta = sqrt(1.0 - o->e * o->e);
    o->node_rate = -k * cos(o->inclination);
    o->perigee_rate = k * (2.0 - 2.5 * s * s);
    o->rate = n + k * eta * (1.0 - 1.5 * s * s);
}

/* Inertial r, v, and axes of the orbit. */
static void place_at(const gos_orbit *o, double t, double r[3], double v[3], double axes[9]) {
    const double node = o->node + o->node_rate * t, w = o->perigee + o->perigee_rate * t;
    const double ci = cos(o->inclination), si = sin(o->inclination);
    const double cn = cos(node), sn = sin(node), cw = cos(w), sw = sin(w);
    const double P[3] = {cn * cw - sn * sw * ci, sn * cw + cn * sw * ci, sw * si}; // to perigee
    const double W[3] = {sn * si, -cn * si, ci};                                   // normal
    double Q[3], turn[3], moved[3];
    gos__cross3(W, P, Q);
    const double E = gos__kepler(o->mean + o->rate * t, o->e), eta = sqrt(1.0 - o->e * o->e);
    const double x = o->a * (cos(E) - o->e), y = o->a * eta * sin(E);
    const double Ed = o->rate / (1.0 - o->e * cos(E));
    const double xd = -o->a * sin(E) * Ed, yd = o->a * eta * cos(E) * Ed;
    const double distance = hypot(x, y);
    for (int i = 0; i < 3; i++) {
        r[i] = x * P[i] + y * Q[i];
        turn[i] = o->perigee_rate * W[i] + (i == 2 ? o->node_rate : 0.0);
        axes[i] = r[i] / distance;
        axes[6 + i] = W[i];
    }
    gos__cross3(axes + 6, axes, axes + 3);
    gos__cross3(turn, r, moved);
    for (int i = 0; i < 3; i++) {
        v[i] = xd * P[i] + yd * Q[i] + moved[i];
    }
}

static void sun_of(const gos_orbit *o, double t, double sun[3], double *distance) {
    memcpy(sun, o->sun, 3 * sizeof *sun);
    *distance = o->sun_distance;
    if (o->dated) {
        gos__sun_at(o->epoch + t / DAY, sun, distance);
        *distance *= o->metre;
    }
}

void gos__orbit_align(gos_orbit *o) {
    double r[3], v[3];
    place_at(o, 0.0, r, v, o->axes);
}

void gos__orbit_beta(gos_orbit *o, double beta, double noon) {
    double r[3], v[3], axes[9];
    place_at(o, 0.0, r, v, axes);
    for (int i = 0; i < 3; i++) {
        o->sun[i] =
            cos(beta) * (cos(noon) * axes[i] + sin(noon) * axes[3 + i]) + sin(beta) * axes[6 + i];
    }
}

void gos__sun_at(double day, double sun[3], double *distance) {
    const double degree = M_PI / 180.0, second = degree / 3600.0;
    const double obliquity = 23.43929111 * degree, T = day / 36525.0;
    const double M = (357.5256 + 35999.049 * T) * degree;
    const double longitude =
        (282.94 + 0.3225 * T) * degree + M + (6892.0 * sin(M) + 72.0 * sin(2.0 * M)) * second;
    sun[0] = cos(longitude);
    sun[1] = sin(longitude) * cos(obliquity);
    sun[2] = sin(longitude) * sin(obliquity);
    *distance = (149.619 - 2.499 * cos(M) - 0.021 * cos(2.0 * M)) * 1e9;
}

/* Days from 2000-01-01 to a Gregorian date; years start in March. */
static long days_to(long year, long month, long day) {
    const long y = year - (month < 3), m = (month + 9) % 12;
    const long from_march = (153 * m + 2) / 5 + day - 1;
    return 365 * y + y / 4 - y / 100 + y / 400 + from_march - 730425;
}

static bool in_month(int year, int month, int day) {
    static const int length[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month >= 1 && month <= 12 && day >= 1 && day <= length[month - 1] + (month == 2 && leap);
}

bool gos__sun_day(const char *date, double *day) {
    int year, month, d, hour = 0, minute = 0, second = 0, n = 0;
    if (sscanf(date, "%4d-%2d-%2d%n", &year, &month, &d, &n) != 3 || n != 10) {
        return false;
    }
    if (date[n] != '\0') {
        int more = 0;
        if (sscanf(date + n, "T%2d:%2d:%2d%n", &hour, &minute, &second, &more) != 3 || more != 9) {
            return false;
        }
        n += more;
        n += date[n] == 'Z';
    }
    if (date[n] != '\0' || year < 1900 || year > 2200 || !in_month(year, month, d) || hour < 0 ||
        hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) {
        return false;
    }
    *day = (double)days_to(year, month, d) - 0.5 + (3600.0 * hour + 60.0 * minute + second) / DAY;
    return true;
}

double gos__disc_left(double sun, double body, double apart) {
    if (apart >= sun + body) {
        return 1.0;
    }
    if (apart <= fabs(sun - body)) {
        return body >= sun ? 0.0 : 1.0 - (body * body) / (sun * sun);
    }
    const double x = (apart * apart + sun * sun - body * body) / (2.0 * apart);
    const double y = sqrt(fmax(0.0, sun * sun - x * x));
    // atan2 keeps the digits of small segments
    const double lens = sun * sun * atan2(y, x) + body * body * atan2(y, apart - x) - apart * y;
    return 1.0 - lens / (M_PI * sun * sun);
}

/* Angular radii of both discs and their separation, from inertial position r. */
static void discs_at(const gos_orbit *o, const double r[3], const double sun[3], double distance,
                     double *s, double *b, double *apart) {
    double to[3], down[3], across[3];
    for (int i = 0; i < 3; i++) {
        to[i] = distance * sun[i] - r[i];
        down[i] = -r[i];
    }
    if (o->shadow == GOS_SHADOW_CYLINDRICAL) {
        memcpy(to, sun, sizeof to);
    }
    gos__cross3(to, down, across);
    *apart = atan2(sqrt(gos__dot3(across, across)), gos__dot3(to, down));
    *s = o->shadow == GOS_SHADOW_CYLINDRICAL ? 0.0 : asin(o->sun_radius / sqrt(gos__dot3(to, to)));
    *b = asin(fmin(1.0, o->radius / sqrt(gos__dot3(r, r))));
}

static double light_at(const gos_orbit *o, const double r[3], const double sun[3],
                       double distance) {
    if (o->shadow == GOS_SHADOW_NONE || !o->has_sun) {
        return 1.0;
    }
    double s, b, apart;
    discs_at(o, r, sun, distance, &s, &b, &apart);
    return o->shadow == GOS_SHADOW_CYLINDRICAL ? (double)(apart >= b) : gos__disc_left(s, b, apart);
}

void gos__orbit_at(const gos_orbit *o, double t, gos_orbit_position *p) {
    double r[3], v[3], axes[9], sun[3] = {0}, distance = AU * o->metre;
    place_at(o, t, r, v, axes);
    if (o->has_sun) {
        sun_of(o, t, sun, &distance);
    }
    p->light = light_at(o, r, sun, distance);
    p->distance = distance / (AU * o->metre);
    to_model(o, r, p->r);
    to_model(o, v, p->v);
    to_model(o, sun, p->sun);
    for (int i = 0; i < 9; i += 3) {
        to_model(o, axes + i, p->axes + i);
    }
}

void gos__orbit_gradient(const gos_orbit *o, double t, double G[9]) {
    double r[3], v[3], axes[9], n[3];
    place_at(o, t, r, v, axes);
    to_model(o, axes, n);
    const double square = gos__dot3(r, r), k = o->mu / (square * sqrt(square));
    for (int i = 0; i < 9; i++) {
        G[i] = k * (3.0 * n[i / 3] * n[i % 3] - (i % 4 == 0));
    }
}

/* Separation of the discs from outer (which = 0) or inner contact (1) at time t; 2: cosine of the
 * Sun's zenith angle on the ground below. */
static double gap(const gos_orbit *o, int which, double t) {
    double r[3], v[3], axes[9], sun[3], distance, s, b, apart;
    place_at(o, t, r, v, axes);
    sun_of(o, t, sun, &distance);
    if (which == 2) {
        return gos__dot3(axes, sun);
    }
    discs_at(o, r, sun, distance, &s, &b, &apart);
    return apart - (which == 0 ? b + s : fabs(b - s));
}

static double root(const gos_orbit *o, int which, double lo, double hi) {
    const bool below = gap(o, which, lo) < 0.0;
    for (int k = 0; k < 200; k++) {
        const double mid = lo + 0.5 * (hi - lo);
        if (!(mid > lo && mid < hi)) {
            break;
        }
        if ((gap(o, which, mid) < 0.0) == below) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    return hi;
}

/* Minimum of the gap between lo and hi, if any. */
static double minimum_of(const gos_orbit *o, int which, double lo, double hi) {
    const double g = 0.381966011250105;
    double x = lo + g * (hi - lo), y = hi - g * (hi - lo);
    double fx = gap(o, which, x), fy = gap(o, which, y);
    for (int k = 0; k < 60 && fx >= 0.0 && fy >= 0.0; k++) {
        if (fx < fy) {
            hi = y, y = x, fy = fx;
            x = lo + g * (hi - lo), fx = gap(o, which, x);
        } else {
            lo = x, x = y, fx = fy;
            y = hi - g * (hi - lo), fy = gap(o, which, y);
        }
    }
    return fx < fy ? x : y;
}

/* First edge of one kind in (t, end), scanned along the eccentric anomaly, in which the gap is
 * smooth for any e. */
static double next_edge(const gos_orbit *o, int which, double t, double end) {
    enum { SCAN = 180 };
    const double step = 2.0 * M_PI / SCAN;
    const double mean = o->mean + o->rate * t, E0 = gos__kepler(mean, o->e);
    double before = t, at = t, g0 = HUGE_VAL, g1 = gap(o, which, t);
    for (long k = 1; at < end; k++) {
        const double E = E0 + step * (double)k;
        const double next = fmin(end, (E - o->e * sin(E) - o->mean) / o->rate);
        const double g2 = gap(o, which, next);
        if ((g1 < 0.0) != (g2 < 0.0)) {
            const double edge = root(o, which, at, next);
            if (edge > t) {
                return edge;
            }
        }
        // a minimum that may be negative
        if (g1 >= 0.0 && g2 >= g1 && g0 >= g1 && g1 < 2.0 * step) {
            const double low = minimum_of(o, which, before, next);
            if (gap(o, which, low) < 0.0 && low > t) {
                const double edge = root(o, which, before, low);
                return edge > t ? edge : root(o, which, low, next);
            }
        }
        before = at, at = next, g0 = g1, g1 = g2;
    }
    return end;
}

double gos__orbit_next_edge(const gos_orbit *o, double t, double end) {
    if (o->shadow == GOS_SHADOW_NONE || !o->has_sun) {
        return end;
    }
    const double outer = next_edge(o, 0, t, end);
    return o->shadow == GOS_SHADOW_CYLINDRICAL ? outer : fmin(outer, next_edge(o, 1, t, outer));
}

double gos__orbit_next_dusk(const gos_orbit *o, double t, double end) {
    return next_edge(o, 2, t, end);
}
