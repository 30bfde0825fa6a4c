/* Projection of full states on a space: a lower bound of its error, and training states. Fields
   that stretch in inextensional bending are close in position but too stiff; energies are
   compared, too, and the equilibrium in the space (locking_error.c). */
#include <math.h>

#include "rom/auto_choice.h"
#include "rom/locking_error.h"

#define STATE_INTERVAL 3 // every third state is projected

/* Also the forces of points (nq), if not NULL. Uses the initial memory. */
gos_status gos__strain_energy(gos_ctx *ctx, const gos_system *s, const double *q, const double *v,
                              const double *th, double *energy, double *forces) {
    size_t n = 0;
    for (int i = 0; i < s->npoints; i++) {
        const size_t size = gos__points_work(s->points[i]);
        n = size > n ? size : n;
    }
    double power = 0, *work = gos__zalloc(ctx, n + s->nq + 1, sizeof *work);
    if (!work) {
        return GOS_E_MEMORY;
    }
    *energy = 0;
    for (int i = 0; i < s->npoints; i++) {
        const gos_points_sum sum = {.e = q,
                                    .v = v,
                                    .th = th,
                                    .mem = s->mem0,
                                    .scale = 1,
                                    .Q = work + n,
                                    .energy = energy,
                                    .power = &power};
        gos__points_residual(s->points[i], &sum, work);
    }
    if (forces) {
        memcpy(forces, work + n, (size_t)s->nq * sizeof *forces);
    }
    gos__free(ctx, work);
    return GOS_OK;
}

static double kinetic_energy(const gos_system *s, const double *v) {
    double sum = 0;
    for (int i = 0; i < s->mass.n; i++) {
        for (int k = s->mass.p[i]; k < s->mass.p[i + 1]; k++) {
            const double *a = v + 3L * i, *b = v + 3L * s->mass.j[k];
            sum += 0.5 * s->mass.v[k] * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
        }
    }
    return sum;
}

/* largest RMS displacement over nodes since the start, relative to the extent */
static double travel_of(const gos_choice *c) {
    const gos_trial_runs *k = &c->reference;
    const size_t n = 3 * (size_t)k->n;
    double max = 0;
    for (size_t i = 1; i < (size_t)k->samples; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) {
            const double d = k->r[i * n + j] - k->r[j];
            sum += d * d;
        }
        max = fmax(max, sqrt(sum / k->n) / c->full->extent);
    }
    return max;
}

/* Free thermal expansion has no strain energy. The energy of the same displacements without
   temperatures shows the stiffness that they would meet. */
gos_status gos__projection_error_prepare(gos_choice *c) {
    const gos_training *k = &c->states;
    double kinetic = 0, strain = 0;
    for (long i = 0; i < k->n; i += STATE_INTERVAL) {
        const double *q = k->q + i * k->nq, *v = k->v + i * k->nq;
        double cold = 0;
        GOS_TRY(gos__strain_energy(c->ctx, c->full, q, v, k->th + i * k->nt, &c->strain[i], NULL));
        GOS_TRY(gos__strain_energy(c->ctx, c->full, q, v, c->full->th0, &cold, NULL));
        kinetic = fmax(kinetic, kinetic_energy(c->full, v));
        strain = fmax(strain, fmax(fabs(c->strain[i]), fabs(cold)));
    }
    c->energy = kinetic + strain;
    c->travel = travel_of(c);
    return GOS_OK;
}

static gos_status project_state(gos_choice *c, const gos_reconstruction *reconstruction, int i,
                                gos_state *x, double *th, gos_locking *locking) {
    const gos_training *from = &c->states;
    const size_t nq = from->nq, nt = from->nt;
    double energy = 0;
    x->t = from->t[i];
    gos__project_motion(reconstruction, true, from->q + i * nq, x->q);
    gos__project_motion(reconstruction, false, from->v + i * nq, x->v);
    gos__project_heat(reconstruction, from->th + i * nt, x->th);
    gos__trial_runs_sample(c->space.sys, x, &c->projected_history, i);
    gos__reconstruct_heat(reconstruction, x->th, th);
    gos__trial_runs_sample_gradients(c->full, th, &c->projected_history, i);
    gos__training_add(&c->space.projected, x);
    if (i % STATE_INTERVAL == 0 && c->energy > 0) {
        const bool smooth = c->def.fields == GOS_FIELDS_POLYNOMIALS && !c->def.on_mesh;
        double own = 0; // also the error of few points
        GOS_TRY(smooth ? gos__strain_energy(c->quiet, c->space.sys, x->q, x->v, x->th, &own, NULL)
                       : GOS_OK);
        GOS_TRY(gos__locking_error(c, locking, reconstruction, i, x, &energy));
        energy = smooth ? own : energy;
        c->space.excess = fmax(c->space.excess, fabs(energy - c->strain[i]) / c->energy);
    }
    return GOS_OK;
}

static gos_status project_states(gos_choice *c, gos_arena *a) {
    gos_reconstruction reconstruction;
    gos_state *x = NULL;
    gos_locking *locking = NULL;
    double *th = GOS_NEW(a, double, c->full->nt + 1);
    if (!th) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos__reconstruction_create(c->quiet, a, c->space.sys, &reconstruction));
    GOS_TRY(gos__training_create(c->ctx, c->space.sys, c->states.n, &c->space.projected));
    gos_status status = gos_state_create(c->quiet, c->space.sys, &x);
    status = status == GOS_OK ? gos__locking_create(c, a, &locking) : status;
    for (int i = 0; i < c->states.n && status == GOS_OK; i++) {
        status = project_state(c, &reconstruction, i, x, th, locking);
    }
    gos__locking_destroy(c, locking);
    gos_state_destroy(x);
    return status;
}

gos_status gos__projection_error(gos_choice *c) {
    gos_arena *a = gos__arena_create(c->ctx);
    if (!a) {
        return GOS_E_MEMORY;
    }
    c->space.excess = c->space.locked = 0;
    const gos_status status = project_states(c, a);
    gos__arena_destroy(a);
    c->space.off = gos__trial_runs_distance(c->full, &c->projected_history, &c->kept_history);
    return status;
}
