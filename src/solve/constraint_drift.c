/* Motion normal to constraints. A polynomial of degree 4 for prescribed positions q gives, with
 * constant steps, the settled values
 *     v = q' - E h^2 q''' + O(h^3),                  E = beta + 1/12 - gamma/2
 *     a = q'' + E_a h^2 q'''',                       E_a = E_bar - (am - af)(am - 1/2)
 *     A = q'' + (am - af) h q''' + E_bar h^2 q'''',  E_bar = 1/6 - E - gamma (1/2 + am - af)
 * (the third-order term of v is small: 0.004 h^3 q'''' with the usual parameters). */
#include "solve/consistent.h"
#include "steppers/alpha/generalised_alpha.h"

/* g->r := motion with constraint rates c (nc), by the last factors. */
static void solve(gos_alpha *g, const double *c) {
    const gos_system *s = g->sys;
    memset(g->r, 0, s->n * sizeof *g->r);
    memcpy(g->r + s->at.lam, c, s->nc * sizeof *c);
    gos__alpha_solve(g);
}

void gos__normal_part(gos_alpha *g, const gos_state *x, double t, const double *u) {
    double *c = g->normal;
    const gos_point_of at = gos__state_point(x, t);
    gos__constraint_apply(g->w, &at, u, c);
    solve(g, c);
}

/* Without prescribed motion the scheme follows, with constant steps,
 *     q' = w + eta h^2 q''',   w' = q'' from forces,   v = w + (eta - E) h^2 q''',   eta = -E_a.
 * w carries the impulse and stays continuous when the step changes; v does not. Only the part of
 * q''' due to forces along the null space counts, so that uniform rotation stays uniform: the
 * rotation of constraint forces, -(d/dt C_q)^T mu for normal accelerations -M^-1 C_q^T mu, is
 * removed. */
void gos__alpha_carry(gos_alpha *g, gos_state *x, double t, double before, double h) {
    const gos_system *s = g->sys;
    const double f = -(g->k.error_a + g->k.error) * (h * h - before * before);
    if (s->nc > 0) {
        gos__normal_part(g, x, t, x->a);
    }
    memcpy(g->normal, g->r + s->at.lam, s->nc * sizeof(double));
    gos__inertia_apply(g->w, x->q, x->jerk, g->r);
    const gos_point_of at = gos__state_point(x, t);
    gos__constraint_turn(g->w, &at, g->normal, g->r);
    memset(g->r + s->at.th, 0, (s->n - s->nq) * sizeof *g->r);
    gos__alpha_solve(g);
    for (int i = 0; i < s->nq; i++) {
        x->v[i] += f * g->r[i];
    }
}

/* Changes y (nq) so that C_q y = want; two passes, since the factors are those of a nearby
 * point. */
static void bring(gos_alpha *g, const gos_point_of *at, const double *want, double *y) {
    enum { PASSES = 2 };
    const gos_system *s = g->sys;
    double *c = g->normal;
    for (int pass = 0; pass < PASSES; pass++) {
        gos__constraint_apply(g->w, at, y, c);
        for (int i = 0; i < s->nc; i++) {
            c[i] = want[i] - c[i];
        }
        solve(g, c);
        for (int i = 0; i < s->nq; i++) {
            y[i] += g->r[i];
        }
    }
}

/* f(e), see gos__normal_settle */
static void along(gos_alpha *g, const gos_state *x, double t, double e, double *f) {
    const gos_system *s = g->sys;
    gos_state *y = g->at;
    double *unused = g->normal, *r = f;
    for (int i = 0; i < s->nq; i++) {
        y->a[i] = x->a[i] + e * x->jerk[i];
        y->v[i] = x->v[i] + e * (x->a[i] + 0.5 * e * x->jerk[i]);
        y->q[i] = x->q[i] + e * (x->v[i] + e * (0.5 * x->a[i] + e / 6 * x->jerk[i]));
    }
    const gos_point_of at = gos__state_point(y, t + e);
    gos__constraint_rates(g->w, &at, NULL, r);
    gos__constraint_apply(g->w, &at, y->a, unused);
    for (int i = 0; i < s->nc; i++) {
        f[i] -= unused[i];
    }
}

/* Data of another step, or of none at a start, cause errors O(h) of accelerations and multipliers
 * until they decay. So velocities and accelerations are set to their settled values by the
 * smallest changes in the Newton matrix, outside the null space of the constraints. Derivatives of
 * q normal to constraints follow from constraint rates along the path q + e v + ...:
 *     C_q a = r(q, v, t),   f(e) = r - C_q (a + e j) there,
 *     C_q q''' = C_q j + f'(0),   C_q q'''' = f''(0). */
void gos__normal_settle(gos_alpha *g, gos_state *x, double t, double h) {
    const int nc = g->sys->nc;
    const gos_scheme *k = &g->k;
    const gos_point_of at = gos__state_point(x, t);
    double *r = g->normal + nc, *half = r + nc, *whole = half + nc, *want = whole + nc;
    const double e = h * (1 - 1e-9); // exclude a switch at the end of the step
    gos__constraint_rates(g->w, &at, want, r);
    for (int i = 0; i < nc; i++) {
        want[i] = -want[i];
    }
    bring(g, &at, want, x->v);
    gos__constraint_rates(g->w, &at, NULL, r);
    bring(g, &at, r, x->a);
    gos_state_copy(g->at, x);
    along(g, x, t, 0.5 * e, half);
    along(g, x, t, e, whole);
    gos__constraint_apply(g->w, &at, x->jerk, g->normal);
    for (int i = 0; i < nc; i++) { // third and fourth derivatives of the motion
        const double jerk = g->normal[i] + (4 * half[i] - whole[i]) / e;
        whole[i] = 4 * (whole[i] - 2 * half[i]) / (e * e);
        half[i] = jerk;
        want[i] -= k->error * h * h * jerk;
    }
    bring(g, &at, want, x->v);
    for (int i = 0; i < nc; i++) {
        want[i] = r[i] + k->error_a * h * h * whole[i];
        r[i] += h * ((k->am - k->af) * half[i] + k->error_bar * h * whole[i]);
    }
    bring(g, &at, want, x->a);
    bring(g, &at, r, x->abar);
}
