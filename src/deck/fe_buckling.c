/* Linearised buckling of the structure of a deck: K u = f under all loads of the step, then the
   stiffness of the stress. */
#include <math.h>

#include "deck/fe_forces.h"
#include "deck/fe_model.h"
#include "gossamer/buckling.h"
#include "linalg/saddle.h"
#include "linear/buckling.h"

#define FACTORS 10 // if neither caller nor deck gives a number

typedef struct loading {
    gos_deck_model *m;
    const gos_linear *l;
    double *f;    // (nq)
    double *warm; // temperatures above the initial ones, per node
    double *t;    // (temperatures)
    double *u;    // (nq)
    bool any, warms;
} loading;

static void add_forces(loading *k, const gos_deck_nodal *n) {
    for (int i = 0; i < n->n; i++) {
        const int three = (n->dof - 1) / 3 * 3;
        double axis[3];
        gos__deck_direction(k->m->mesh->deck, n->node[i], n->dof - 1, axis, NULL);
        for (int d = 0; d < 3; d++) {
            const int at = gos__deck_ties_number(&k->m->ties, n->node[i], three + d);
            if (at >= 0) {
                k->f[at] += n->value * axis[d];
            } else if (n->value * axis[d] != 0) {
                gos__warn_once(k->m->ctx, n->loc, gos__deck_word(k->m->mesh->deck, "*CLOAD"),
                               "node %lld does not have this degree of freedom: it belongs to no "
                               "cell, or has no rotations; this load is not applied",
                               (long long)gos__mesh_node_tag(k->m->mesh, n->node[i]));
            }
        }
    }
    k->any = k->any || n->value != 0;
}

/* later lines replace earlier ones */
static void set_temperatures(loading *k, const gos_deck *d) {
    for (int initial = 0; initial < 2; initial++) {
        for (int j = 0; j < k->m->mesh->nnode; j++) {
            k->u[j] = (double)NAN; // scratch
        }
        for (int i = 0; i < d->nnodal; i++) {
            const gos_deck_nodal *n = &d->nodal[i];
            const bool now =
                n->kind == GOS_DECK_TEMPERATURE || (n->kind == GOS_DECK_FIXED && n->dof == 11);
            for (int j = 0; j < n->n; j++) {
                if (initial ? n->kind == GOS_DECK_INITIAL_TEMPERATURE : now) {
                    k->u[n->node[j]] = n->value;
                }
            }
        }
        for (int j = 0; j < k->m->mesh->nnode; j++) {
            const double T = k->u[j];
            // nodes without a temperature of the step keep the initial one
            k->warm[j] = initial ? k->warm[j] - (isnan(T) ? 0 : T) : T;
        }
    }
    for (int j = 0; j < k->m->mesh->nnode; j++) {
        const int at = gos__fe_number(&k->m->body->temperature, j, 0);
        if (at >= 0 && !isnan(k->warm[j])) {
            k->t[at] = k->warm[j];
            k->warms = k->warms || k->warm[j] != 0;
        }
    }
}

static gos_status add_heat(loading *k) {
    const gos_deck_model *m = k->m;
    gos_fe_heat heat = {0};
    gos_status status = gos__fe_body_heat(m->body, &heat);
    if (status == GOS_OK) {
        gos__sparse_apply(&heat.couple, 1, k->t, k->u);
        for (int i = 0; i < heat.couple.m; i++) {
            k->f[i] += k->u[i];
        }
    }
    gos__fe_heat_free(m->ctx, &heat);
    return status;
}

static gos_status add_loads(loading *k) {
    const gos_deck *d = k->m->mesh->deck;
    for (int i = 0; i < d->nnodal; i++) {
        const gos_deck_nodal *n = &d->nodal[i];
        if (n->kind == GOS_DECK_FORCE) {
            add_forces(k, n);
        }
        if (n->kind == GOS_DECK_FIXED && n->dof <= GOS_FE_FREEDOMS && n->value != 0) {
            return gos__fail_at(k->m->ctx, GOS_E_INPUT, n->loc, "*BOUNDARY",
                                "buckling: prescribed displacements are not supported; give the "
                                "reaction as *CLOAD, or use the deck in a model as a `solid`");
        }
    }
    for (int i = 0; i < d->nload; i++) {
        if (d->load[i].kind <= GOS_DECK_CENTRIFUGAL) {
            GOS_TRY(gos__deck_force(k->m->body, &k->m->ties, &d->load[i], k->f));
            gos__deck_force_masses(k->m->body, &k->m->ties, &d->load[i], k->f);
            k->any = true;
        }
    }
    set_temperatures(k, d);
    return k->warms ? add_heat(k) : GOS_OK;
}

static gos_status respond(loading *k) {
    const gos_linear *l = k->l;
    const gos_pencil pencil = {
        .K = &l->K, .M = &l->K, .C = &l->block[GOS_BLOCK_C], .ncomp = l->ncomp};
    gos_saddle *saddle = NULL;
    gos_status status = gos__saddle_create(k->m->ctx, &pencil, &saddle);
    status = status == GOS_OK ? gos__saddle_factor(saddle, 0, 0) : status;
    status = status == GOS_OK ? gos__saddle_solve(saddle, 1, k->f, k->u) : status;
    gos__saddle_destroy(saddle);
    return status;
}

static int largest(const gos_linear *l, const double *x) {
    const size_t nq = l->nq;
    size_t at = 0;
    for (size_t i = 1; i < nq; i++) {
        const double *T = l->rigid;
        const bool moves = T[i] != 0 || T[nq + i] != 0 || T[2 * nq + i] != 0;
        at = moves && fabs(x[i]) > fabs(x[at]) ? i : at;
    }
    return (int)at;
}

static gos_status solve(loading *k, int n, gos_buckling_mode *modes, double *X, int *found) {
    gos_ctx *ctx = k->m->ctx;
    const gos_linear *l = k->l;
    gos_sparse G = {0};
    double *lambda = gos__alloc(ctx, (size_t)n + 1, sizeof *lambda);
    gos_status status = lambda ? respond(k) : GOS_E_MEMORY;
    status = status == GOS_OK
                 ? gos__fe_body_stress_stiffness(k->m->body, k->u, k->warms ? k->t : NULL, &G)
                 : status;
    if (status == GOS_OK) { // reference nodes of constraints follow the freedoms
        status = gos__deck_widen(ctx, l->nq, &G);
    }
    const gos_buckling_pencil p = {
        .K = &l->K, .Kg = &G, .C = &l->block[GOS_BLOCK_C], .ncomp = l->ncomp};
    status = status == GOS_OK ? gos__buckling_factors(ctx, &p, n, lambda, X, found) : status;
    for (int i = 0; i < *found && status == GOS_OK; i++) {
        modes[i] = (gos_buckling_mode){.factor = lambda[i]};
        gos_linear_coordinate(l, largest(l, X + (size_t)i * l->nq), modes[i].where,
                              sizeof modes[i].where);
    }
    gos__sparse_free(ctx, &G);
    gos__free(ctx, lambda);
    return status;
}

static void warn_of_couplings(gos_ctx *ctx, const gos_deck *d) {
    for (int i = 0; i < d->ncoupling; i++) {
        if (!d->coupling[i].distributing) {
            gos__warn_once(ctx, d->coupling[i].loc, "*COUPLING, *RIGID BODY",
                           "buckling: forces inside rigid couplings have no geometric stiffness, "
                           "which matters where their nodes rotate");
        }
    }
}

static gos_status buckle(gos_deck_model *m, const gos_linear *l, int n, gos_buckling_mode *modes,
                         double *shapes, int *found) {
    const size_t nq = l->nq, nodes = m->mesh->nnode;
    const size_t scratch = nq > nodes ? nq : nodes;
    loading k = {.m = m, .l = l};
    double *own = NULL;
    k.f = gos__zalloc(m->ctx, nq + nodes + scratch + m->body->temperature.n + 1, sizeof *k.f);
    if (k.f && !shapes) {
        own = gos__alloc(m->ctx, nq * (size_t)n + 1, sizeof *own);
    }
    gos_status status = k.f && (own || shapes) ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        k.u = k.f + nq;
        k.warm = k.u + scratch;
        k.t = k.warm + nodes;
        status = add_loads(&k);
    }
    if (status == GOS_OK && !k.any && !k.warms) {
        status = gos__fail_at(m->ctx, GOS_E_INPUT, m->mesh->deck->step.loc, "*STEP",
                              "buckling: the first step has no forces, pressures, gravity or "
                              "temperatures; add the loads to be scaled");
    }
    if (status == GOS_OK) {
        warn_of_couplings(m->ctx, m->mesh->deck);
        status = solve(&k, n, modes, shapes ? shapes : own, found);
    }
    gos__free(m->ctx, k.f);
    gos__free(m->ctx, own);
    return status;
}

gos_status gos_mesh_buckling(gos_ctx *ctx, const gos_mesh *mesh, int n, int most,
                             gos_buckling_mode *modes, double *shapes, int *found) {
    gos_deck_model m = {.ctx = ctx, .mesh = mesh, .loaded = true};
    gos_linear *l = NULL;
    *found = 0;
    gos_status status = gos__deck_model_make(&m, &l);
    if (status == GOS_OK) {
        const gos_deck_step *s = &mesh->deck->step;
        const bool given = s->procedure == GOS_DECK_BUCKLE && s->data[0] >= 1;
        n = n > 0 ? n : given ? (int)fmin(s->data[0], most) : FACTORS;
        n = n < most ? n : most;
        n = n < l->nq ? n : l->nq;
        status = buckle(&m, l, n, modes, shapes, found);
    }
    gos_linear_destroy(l);
    gos__deck_model_free(&m);
    return status;
}
