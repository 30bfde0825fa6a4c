/* Stresses, recovered from coordinates or from the law of solids. */
#include <lapacke.h>

#include "fe/recovery.h"
#include "parts/marker.h"
#include "system/made.h"
#include "probes/probe.h"

gos_status gos__probe_recovered(gos_builder *b, const gos_location *place, const gos_recovery *what,
                                gos_probe *p) {
    gos_recovered *all = NULL;
    GOS_TRY(place->body->ops->recover(b, place->body, place, what, &p->nrecovered, &all));
    p->recovered = all;
    return GOS_OK;
}

void gos__recovered_sum(const gos_recovered *r, const double *q, const double *th, double y[6]) {
    for (int a = 0; a < 6; a++) {
        y[a] = gos__tmarker_value(&r->q[a], q) + gos__tmarker_value(&r->th[a], th);
    }
}

void gos__recovered_value(const gos_state *x, const gos_recovered *r, double y[6], double *rate) {
    gos__made_show(x, false);
    gos__recovered_sum(r, x->q, x->th, y);
    if (rate) {
        gos__recovered_sum(r, x->v, x->thd, rate);
    }
    gos__made_show(x, true);
}

static void stress_of(const gos_state *x, const gos_probe *p, double stress[6]) {
    if (p->nrecovered > 0) {
        gos__recovered_value(x, p->recovered, stress, NULL);
    } else {
        gos__section_cauchy(x, p, stress);
    }
}

void gos__stress_mises(const gos_system *sys, const gos_state *x, const gos_probe *p, double *y) {
    double stress[6];
    GOS_UNUSED(sys);
    stress_of(x, p, stress);
    *y = gos__fe_mises(stress);
}

void gos__stress_principal(const gos_system *sys, const gos_state *x, const gos_probe *p,
                           double *y) {
    double stress[6];
    GOS_UNUSED(sys);
    stress_of(x, p, stress);
    gos__fe_principal(GOS_FE_STRESS, stress, y);
}

/* Rows with respect to six components: von Mises 3/2 deviator / value; principal stress: dyad of
   its axis. */
void gos__stress_gradient(const gos_state *x, const gos_probe *p, double d[6][6]) {
    static const int entry[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    double s[6], A[9], w[3];
    memset(d, 0, 36 * sizeof(double));
    for (int a = 0; a < 6 && p->ncomp == 6; a++) {
        d[a][a] = 1;
    }
    if (p->ncomp == 6) {
        return;
    }
    stress_of(x, p, s);
    for (int a = 0; a < 6; a++) {
        const int i = entry[a][0], j = entry[a][1];
        A[3 * i + j] = A[3 * j + i] = s[a];
    }
    const double mises = gos__fe_mises(s), mean = (s[0] + s[1] + s[2]) / 3;
    for (int a = 0; a < 6 && p->ncomp == 1 && mises > 0; a++) {
        d[0][a] = a < 3 ? 1.5 * (s[a] - mean) / mises : 3 * s[a] / mises;
    }
    if (p->ncomp == 1 || LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', 3, A, 3, w) != 0) {
        return;
    }
    for (int k = 0; k < 18; k++) {
        const double *axis = A + 3 * (2 - k / 6);
        const int i = entry[k % 6][0], j = entry[k % 6][1];
        d[k / 6][k % 6] = axis[i] * axis[j] * (i == j ? 1 : 2);
    }
}

void gos__stress_rate(const gos_state *x, const gos_probe *p, double *rate) {
    double value[6], all[6], d[6][6];
    gos__recovered_value(x, p->recovered, value, all);
    gos__stress_gradient(x, p, d);
    for (int c = 0; c < p->ncomp; c++) {
        rate[c] = 0;
        for (int a = 0; a < 6; a++) {
            rate[c] += d[c][a] * all[a];
        }
    }
}

static void take_larger(double mises, const double at[3], double y[4]) {
    if (!(mises <= y[0])) { // keeps NaN
        y[0] = mises;
        memcpy(y + 1, at, 3 * sizeof *y);
    }
}

void gos__stress_largest(const gos_system *sys, const gos_state *x, const gos_probe *p, double *y) {
    double stress[6];
    GOS_UNUSED(sys);
    y[0] = -1;
    gos__made_show(x, false);
    for (int i = 0; i < p->nrecovered; i++) {
        gos__recovered_sum(&p->recovered[i], x->q, x->th, stress);
        take_larger(gos__fe_mises(stress), p->recovered[i].x, y);
    }
    gos__made_show(x, true);
    for (int i = 0; i < p->npart; i++) {
        gos__section_cauchy(x, &p->part[i], stress);
        take_larger(gos__fe_mises(stress), p->part[i].x0, y);
    }
}
