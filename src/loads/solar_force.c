/* Radiation pressure on a surface with specular part s, Lambertian part d, the rest absorbed
   (McInnes, Solar Sailing, 2.5; Montenbruck, Gill, Satellite Orbits, 3.4). With unit vector s to
   the Sun, outward normal n, c = s . n > 0, per area
     dF/dA = -P [ c (1 - s) s + 2 (s c^2 + d c/3) n ] = -P h(n);
   two-sided: sum with |c| and c. Tube of radius R, tangent t, q = s - (s . t) t, q = |q|, per
   length:
     -P R [ 2 (1 - s) q s + (8/3 s q + pi/3 d) q ]
   and the moment P R^2 pi/2 (1 - s) (s . t) t x q (the part along s acts pi/4 R off the axis), as
   forces P R^2 pi/2 (1 - s) (s . t) q / |p| on slope p. Sphere: -P pi R^2 (1 + 4/9 d) s. */
#include "loads/solar_force.h"

#include <math.h>

#include "loads/load.h"

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

int gos__solar_vectors(gos_spread_kind kind) {
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

void gos__solar_force(const gos_solar_point *p, double P, const double s[3], const double *x,
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
