/* Fourier temperatures around a thin tube (theory 2.8), uniform through the wall w:
 *
 *     T = a_0 + sum_m (a_m cos m phi + b_m sin m phi),   m = 1 .. modes,
 *
 * at the mean radius R, phi from local y to z. Families: T = a_0, T_y = a_1/R, T_z = b_1/R, then
 * a_2, b_2, a_3, ... [K], uncoupled with capacity A/2 and conduction (A/2) m^2/R^2, A = 2 pi R w.
 * Heat enters through the outer circle. */
#include "parts/section.h"

#include <math.h>

static void set_point(const gos_section *s, double dl, double angle, gos_section_point *p) {
    const double R = 0.5 * (s->outer + s->inner);
    p->dl = dl;
    p->phi[0] = 1.0;
    for (int m = 1; m <= s->modes; m++) {
        const double unit = m == 1 ? R : 1.0;
        p->phi[2 * m - 1] = unit * cos(m * angle);
        p->phi[2 * m] = unit * sin(m * angle);
    }
}

gos_status gos__fourier_families(gos_section *s, int modes, gos_arena *a) {
    static const char *const names[] = {"T",  "T_y", "T_z", "a2", "b2", "a3", "b3", "a4", "b4",
                                        "a5", "b5",  "a6",  "b6", "a7", "b7", "a8", "b8"};
    const double R = 0.5 * (s->outer + s->inner);
    s->modes = modes;
    s->nfam = 2 * modes + 1;
    memset(s->cond, 0, sizeof s->cond);
    for (int k = 0; k < s->nfam; k++) {
        const int m = (k + 1) / 2;
        s->family[k] = names[k];
        s->cap[k] = s->A * (m == 0 ? 1.0 : 0.5) * (m == 1 ? R * R : 1.0);
        s->cond[k * s->nfam + k] = s->cap[k] * m * m / (R * R);
    }
    // n equispaced points are exact to degree n - 1; phi T^4 has degree 5 modes. Multiples of 4:
    // sums odd in y or z vanish
    const int n = 4 * ((5 * modes) / 4 + 1);
    gos_section_point *outline = GOS_NEW(a, gos_section_point, n);
    gos_section_point *end = GOS_NEW(a, gos_section_point, n);
    if (!outline || !end) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        const double angle = 2.0 * M_PI * (i + 0.5) / n;
        set_point(s, 2.0 * M_PI * s->outer / n, angle, &outline[i]);
        set_point(s, s->A / n, angle, &end[i]);
    }
    s->noutline = s->nend = n;
    s->outline = outline;
    s->end = end;
    return GOS_OK;
}
