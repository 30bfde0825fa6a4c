/* View factor of a plane element to a sphere that its plane intersects, |c| < u, with s^2 = 1 -
 * c^2 and x^2 = 1 - u^2:
 *     F = 1/2 - asin(x/s)/pi + (c u^2 acos(-c x/(u s)) - x sqrt(u^2 - c^2))/pi
 * (Howell, Catalog of Radiation Heat Transfer Configuration Factors, B-43), otherwise u^2 max(0,
 * c). Derivative: F' = (u^2 acos(-c x/(u s)) + c x sqrt(u^2 - c^2)/s^2)/pi. */
#include "math/sphere.h"

#include <math.h>

double gos__sphere_factor(double c, double u, double *d) {
    double unused;
    d = d ? d : &unused;
    if (fabs(c) >= u) {
        *d = c > 0.0 ? u * u : 0.0;
        return c > 0.0 ? u * u * c : 0.0;
    }
    // atan2 keeps the digits where the plane is tangent to the sphere
    const double x = sqrt((1.0 - u) * (1.0 + u)), r = sqrt((u - c) * (u + c));
    const double s2 = (1.0 - c) * (1.0 + c), angle = atan2(r, -c * x);
    *d = (u * u * angle + c * x * r / s2) / M_PI;
    return (atan2(r, x) + c * u * u * angle - x * r) / M_PI;
}

double gos__sphere_even(double c, double u, double *d) {
    double slope;
    if (fabs(c) >= u) {
        if (d) {
            *d = c > 0.0 ? 1.0 : -1.0;
        }
        return fabs(c);
    }
    const double F = gos__sphere_factor(c, u, &slope);
    if (d) {
        *d = 2.0 * slope / (u * u) - 1.0;
    }
    return 2.0 * F / (u * u) - c;
}

double gos__sphere_around(double p, double u, double *d) {
    // Gauss rule with 12 points
    static const double x[] = {0.9815606342467192, 0.9041172563704748, 0.7699026741943047,
                               0.5873179542866175, 0.3678314989981802, 0.1252334085114689};
    static const double w[] = {0.0235876681932559, 0.0534696629976591, 0.0800391642716732,
                               0.1015837133615329, 0.1167462682691774, 0.1245735229067014};
    const double edge = p > u ? acos(u / p) : 0.0; // |cos| is exact up to there
    const double length = 0.5 * M_PI - edge;
    double sum = 0.0, by = 0.0, slope;
    // points cluster at the edge, where the rest is like a square root
    for (int i = 0; i < 12; i++) {
        const double y = 0.5 * (i % 2 ? 1.0 + x[i / 2] : 1.0 - x[i / 2]);
        const double c = cos(edge + length * y * y), weight = 2.0 * y * length * w[i / 2];
        sum += weight * gos__sphere_even(p * c, u, &slope);
        by += weight * slope * c;
    }
    if (d) {
        *d = by + sin(edge);
    }
    return sum + p * sin(edge);
}
