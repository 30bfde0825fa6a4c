/* See gravity_gradient.h. F = M (G e + ...); reduced coordinates add M E0 (gos_system.origin). */
#include "system/gravity_gradient.h"

#include "math/orbit.h"
#include "math/vec3.h"
#include "system/derived.h"

bool gos__gravity_gradient_acts(const gos_system *s) {
    return s->orbit && s->orbit->gradient;
}

const double *gos__gravity_gradient_field(const gos_work *w, const gos_point_of *x, double G[9]) {
    if (!gos__gravity_gradient_acts(w->sys) || w->unloaded || w->floats) {
        return NULL;
    }
    for (int i = 0; i < 9; i++) {
        G[i] = x->scale * w->gravity_gradient[i];
    }
    return G;
}

static void moment_of(const gos_system *s, int i, const double *q, double y[3]) {
    for (int c = 0; c < 3; c++) {
        y[c] = s->origin ? s->origin[3 * i + c] : 0;
    }
    for (int k = s->mass.p[i]; k < s->mass.p[i + 1]; k++) {
        const double *e = q + 3 * s->mass.j[k];
        for (int c = 0; c < 3; c++) {
            y[c] += s->mass.v[k] * e[c];
        }
    }
}

void gos__gravity_gradient_residual(gos_work *w, const gos_point_of *x, const gos_residual *r,
                                    gos_sums *sums) {
    const gos_system *s = w->sys;
    double field[9];
    const double *G = gos__gravity_gradient_field(w, x, field);
    for (int i = 0; i < s->nv && G; i++) {
        double y[3];
        moment_of(s, i, x->q, y);
        for (int c = 0; c < 3; c++) {
            const double f = gos__dot3(G + 3 * c, y);
            r->q[3 * i + c] -= f;
            if (sums && x->v) {
                sums->work += f * x->v[3 * i + c];
            }
        }
    }
    if (sums && G && x->v) {
        sums->work += gos__derived_gravity_gradient_power(s, G, x->q, x->v);
    }
}

/* off-diagonal component pairs */
static const int pair[6][2] = {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};

void gos__gravity_gradient_jacobian(gos_work *w, const gos_point_of *x,
                                    const gos_newton_factors *f) {
    const gos_system *s = w->sys;
    double field[9];
    const double *G = f->k != 0 ? gos__gravity_gradient_field(w, x, field) : NULL;
    for (int k = 0; k < s->mass.nnz && G; k++) {
        const double v = f->k * s->mass.v[k];
        for (int c = 0; c < 3; c++) {
            w->values[s->mass_pos[3 * k + c]] -= v * G[4 * c];
        }
        for (int c = 0; c < 6; c++) {
            w->values[s->gravity_gradient_pos[6 * k + c]] -= v * G[3 * pair[c][0] + pair[c][1]];
        }
    }
}

void gos__gravity_gradient_entries(const gos_system *s, gos_entry_sink *k) {
    for (int i = 0; i < s->nv && gos__gravity_gradient_acts(s); i++) {
        for (int e = s->mass.p[i]; e < s->mass.p[i + 1]; e++) {
            for (int c = 0; c < 6; c++) {
                k->add(k, 3 * i + pair[c][0], 3 * s->mass.j[e] + pair[c][1], 0);
            }
        }
    }
}
