/* Unwrapping of angles and rotation vectors against previous values. */
#include <math.h>

#include "parts/hinge.h"
#include "math/vec3.h"
#include "probes/probe.h"

bool gos__probe_counts(const gos_probe *p) {
    return p->quantity->turns == GOS_TURNS_ANGLE ||
           (p->quantity->turns == GOS_TURNS_COORDINATES && p->ncomp == 1);
}

bool gos__probe_turns(const gos_probe *p) {
    return p->quantity->turns == GOS_TURNS_ANGLE || p->quantity->turns == GOS_TURNS_VECTOR;
}

/* u = sum_j a_j (a_j0 . n1) is linear in the axes a_j; angle = atan2(u . n2, u . n1) */
bool gos__probe_angle_gradient(const gos_state *x, const gos_probe *p, double d[9]) {
    double n1[3], n2[3], a[3], u[3] = {0}, part[3];
    if (p->quantity->turns != GOS_TURNS_ANGLE || p->section) {
        return false;
    }
    gos__normals3(p->axis, n1, n2);
    for (int j = 0; j < 3; j++) {
        gos__marker_value(&p->m[1 + j], x->q, a);
        part[j] = gos__dot3(p->axes0 + 3 * j, n1);
        for (int c = 0; c < 3; c++) {
            u[c] += part[j] * a[c];
        }
    }
    const double co = gos__dot3(u, n1), si = gos__dot3(u, n2), r2 = co * co + si * si;
    for (int k = 0; k < 9; k++) {
        d[k] = part[k / 3] * (co * n2[k % 3] - si * n1[k % 3]) / r2;
    }
    return true;
}

void gos__probe_unwrap(const gos_probe *p, const double *previous, double *value) {
    if (p->quantity->turns == GOS_TURNS_ANGLE) {
        value[0] += 2 * M_PI * round((previous[0] - value[0]) / (2 * M_PI));
    } else if (p->quantity->turns == GOS_TURNS_COORDINATES) {
        for (int c = 0; c < p->ncomp; c++) {
            value[c] = p->coord[c].angle ? gos__hinge_unwrap(value[c], previous[c]) : value[c];
        }
    } else if (p->quantity->turns == GOS_TURNS_VECTOR) {
        /* phi n + 2 pi k n: choose k nearest to the previous vector */
        const double phi = gos__norm3(value), was = gos__norm3(previous);
        if (phi < 1e-12 && was > M_PI) { // whole turns about the previous axis
            for (int c = 0; c < 3; c++) {
                value[c] = previous[c] / was * 2 * M_PI * round(was / (2 * M_PI));
            }
        } else if (phi > 0) {
            const double along = gos__dot3(previous, value) / phi;
            const double turns = round((along - phi) / (2 * M_PI));
            for (int c = 0; c < 3; c++) {
                value[c] *= (phi + 2 * M_PI * turns) / phi;
            }
        }
    }
}

/* phi n becomes (phi + k) n, k = 2 pi turns; its rate gains k n' */
void gos__probe_follow(const gos_probe *p, const double *previous, double *value, double *rate) {
    double v[3];
    if (p->quantity->turns != GOS_TURNS_VECTOR) {
        gos__probe_unwrap(p, previous, value);
        return;
    }
    memcpy(v, value, sizeof v);
    gos__probe_unwrap(p, previous, value);
    const double phi = gos__norm3(v);
    if (phi < 1e-9) { // the axis is rounding noise; its rate is unknown
        return;
    }
    const double turns = gos__dot3(value, v) / phi - phi, along = gos__dot3(rate, v) / (phi * phi);
    for (int c = 0; c < 3; c++) {
        rate[c] += turns * (rate[c] - along * v[c]) / phi;
    }
}
