/* Tapered sections. Linear are sides, radii; for general sections the square root of the area and
 * fourth roots of moments. */
#include "parts/taper.h"

#include <math.h>

#include "math/section_shapes.h"

static int kind_of(const gos_section *s) {
    return s->round ? 1 : s->has_outline ? 2 : 0;
}

const char *gos__taper_between(const gos_section *a, const gos_section *b) {
    if (kind_of(a) != kind_of(b) || (a->inner > 0) != (b->inner > 0)) {
        return "they have different shapes; use two of one type";
    }
    if (a->nfam != 3 || b->nfam != 3) {
        return "their temperatures are not linear; remove depth_modes or modes";
    }
    if (a->own_torsion != b->own_torsion || (a->shear[0] > 0) != (b->shear[0] > 0)) {
        return "only one of them has a torsion constant or shear factors; give them for both";
    }
    return NULL;
}

static double linear(double a, double b, double f) {
    return (1 - f) * a + f * b;
}

/* interpolates values proportional to length^n */
static double power(double a, double b, double f, int n) {
    return pow(linear(pow(a, 1.0 / n), pow(b, 1.0 / n), f), n);
}

static void between(const gos_section *a, const gos_section *b, double f, bool torsion,
                    gos_section *s) {
    const int kind = kind_of(a);
    if (kind == 1) {
        s->outer = linear(a->outer, b->outer, f);
        s->inner = linear(a->inner, b->inner, f);
        const double o2 = s->outer * s->outer, i2 = s->inner * s->inner;
        s->A = M_PI * (o2 - i2);
        s->Iy = s->Iz = 0.25 * M_PI * (o2 - i2) * (o2 + i2);
        s->J = 2 * s->Iy;
    } else if (kind == 2) {
        const double h = s->height = linear(a->height, b->height, f);
        const double w = s->width = linear(a->width, b->width, f);
        s->A = h * w;
        s->Iz = w * h * h * h / 12;
        s->Iy = h * w * w * w / 12;
        s->J = torsion && !a->own_torsion ? gos__torsion_rectangle(h, w) : s->J;
    } else {
        s->A = power(a->A, b->A, f, 2);
        s->Iy = power(a->Iy, b->Iy, f, 4);
        s->Iz = power(a->Iz, b->Iz, f, 4);
        s->J = s->Iy + s->Iz;
    }
    if (torsion && a->own_torsion) {
        s->J = power(a->J, b->J, f, 4);
    }
    for (int i = 0; i < 2; i++) {
        s->shear[i] = linear(a->shear[i], b->shear[i], f);
    }
    const double cap[3] = {s->A, s->Iz, s->Iy};
    memcpy(s->cap, cap, sizeof cap);
    s->cond[1 * 3 + 1] = s->cond[2 * 3 + 2] = s->A;
}

void gos__taper_at(const gos_taper *t, double s, bool torsion, gos_section *at) {
    int i = 0;
    while (i + 2 < t->n && s > t->at[i + 1]) {
        i++;
    }
    const double f = (s - t->at[i]) / (t->at[i + 1] - t->at[i]);
    *at = *t->section[0];
    between(t->section[i], t->section[i + 1], fmin(fmax(f, 0), 1), torsion, at);
}
