/* Second-order displacements from stress stiffness (docs/theory.md, floating bodies). */

/* The strain energy is z^T K z / 2 + z^T K_G(stress of z) z / 2 to third order. Second-order
 * displacements in equilibrium with the last term,
 *
 *     K u2 = -grad (z^T K_G(z) z / 2),   so   f . u2 = -1/2 z^T K_G(K^-1 f) z   for every load f,
 *
 * cancel it. Each load (inertia, forces at nodes) thus needs only its static response in the fixed
 * frame; the stress stiffness returns as work on u2. Known displacements psi(z) of parts that
 * rotate rigidly add f . psi to that work, and to K_G the work of their constraint forces on psi.
 * Thermal strains contribute K_G(b, theta), K b = G theta: none under free expansion. */
#include "flex/flex.h"
#include "linalg/saddle.h"

#include <math.h>

#define RELATIVE_ROUNDING 1e-10 // relative size treated as round-off

typedef struct second {
    gos_ctx *ctx;
    const gos_flex *f;
    const gos_flex_stress *stress;
    const gos_flex_space *space; // may be NULL
    gos_linear *linear;
    gos_saddle *saddle;
    double *u;    // (n)
    double *t;    // (heat.n)
    double count; // numbers so far
} second;

/* S = G, projected if there is a space; consumes G. */
static gos_status take(second *s, gos_sparse *G, gos_sparse *S) {
    if (!s->space) {
        *S = *G;
        return GOS_OK;
    }
    const gos_status status = gos__flex_congruence(s->ctx, G, s->space->r, s->space->V, S);
    gos__sparse_free(s->ctx, G);
    return status;
}

/* S := factor K_G of s->u, t, projected likewise. */
static gos_status stiffness(second *s, double factor, bool inertia, const double *t,
                            gos_sparse *S) {
    gos_sparse G = {0};
    GOS_TRY(s->stress->stiffness(s->stress->of, inertia, s->u, t, &G));
    for (int k = 0; k < G.nnz; k++) {
        G.x[k] *= factor;
    }
    return take(s, &G, S);
}

/* S += known displacement, or integral (c of a rotation: 3 + axis) */
static gos_status add_stress_form(second *s, int node, int c, int d, gos_sparse *S) {
    gos_sparse known_form = {0}, own = {0}, sum = {0};
    if (!s->stress->known) {
        return GOS_OK;
    }
    GOS_TRY(s->stress->known(s->stress->of, node, c, d, &known_form));
    GOS_TRY(take(s, &known_form, &own));
    const gos_status status = gos__sparse_sum(s->ctx, 1, S, 1, &own, &sum);
    gos__sparse_free(s->ctx, &own);
    if (status == GOS_OK) {
        gos__sparse_free(s->ctx, S);
        *S = sum;
    }
    return status;
}

static gos_status count(second *s, const gos_sparse *S) {
    s->count += S->nnz;
    return s->count > s->stress->most ? GOS_E_LIMIT : GOS_OK;
}

/* Load in s->u, along c at a node, or (node -1) with field d. */
static gos_status load_form(second *s, int node, int c, int d, gos_sparse *S) {
    GOS_TRY(gos__saddle_solve(s->saddle, 1, s->u, s->u));
    GOS_TRY(stiffness(s, -1, node < 0, NULL, S));
    GOS_TRY(add_stress_form(s, node, c, d, S));
    return count(s, S);
}

/* Removes forms that are negligible compared with the largest. */
static void clean(gos_ctx *ctx, int n, gos_sparse *S) {
    double max = 0;
    for (int p = 0; p < n; p++) {
        max = fmax(max, S[p].p ? gos__sparse_largest(&S[p]) : 0);
    }
    for (int p = 0; p < n; p++) {
        if (S[p].p && gos__sparse_largest(&S[p]) <= RELATIVE_ROUNDING * max) {
            gos__sparse_free(ctx, &S[p]);
            S[p] = (gos_sparse){0};
        }
    }
}

/* Loads of rigid fields are in the Gram matrix. */
static gos_status add_moments(second *s, gos_flex *to) {
    const gos_sparse *gram = &s->f->gram;
    gos_sparse like[GOS_FLEX_MOMENTS] = {0};
    gos_status status = GOS_OK;
    for (int i = 0; i < GOS_FLEX_MOMENTS && status == GOS_OK; i++) {
        const int c = i / 4, d = i % 4;
        memset(s->u, 0, (size_t)s->f->n * sizeof *s->u);
        for (int k = 0; k < s->f->n; k++) {
            const int at = gos__flex_at(k, c);
            for (int p = gram->p[at]; p < gram->p[at + 1] && gram->i[p] <= d; p++) {
                s->u[k] += gram->i[p] == d ? gram->x[p] : 0;
            }
        }
        status = load_form(s, -1, c, d,
                           &like[d > 0 ? 3 + 3 * c + d - 1 : c]); // grouped by unit
    }
    if (status == GOS_OK) {
        clean(s->ctx, 3, like);
        clean(s->ctx, GOS_FLEX_MOMENTS - 3, like + 3);
    }
    for (int i = 0; i < GOS_FLEX_MOMENTS; i++) {
        const int c = i / 4, d = i % 4;
        gos__sparse_free(s->ctx, &to->moment[i]);
        to->moment[i] = like[d > 0 ? 3 + 3 * c + d - 1 : c];
    }
    return status;
}

static int each_of(const second *s) {
    return s->stress->turns ? 6 : 3;
}

static gos_status begin_locations(second *s, gos_flex *to) {
    const int n = each_of(s) * s->stress->nlocation;
    for (int p = 0; p < to->nform; p++) {
        gos__sparse_free(s->ctx, &to->form[p]);
    }
    gos__free(s->ctx, to->form);
    gos__sparse_free(s->ctx, &to->second);
    gos__sparse_free(s->ctx, &to->second_turn);
    to->second_turn = (gos_sparse){0};
    to->nform = 0;
    to->form = gos__zalloc(s->ctx, (size_t)n + 1, sizeof *to->form);
    GOS_TRY(to->form ? GOS_OK : GOS_E_MEMORY);
    to->nform = n;
    GOS_TRY(gos__sparse_alloc(s->ctx, n, 3 * to->nnode, (size_t)n, &to->second));
    return s->stress->turns
               ? gos__sparse_alloc(s->ctx, n, 3 * to->nnode, (size_t)n, &to->second_turn)
               : GOS_OK;
}

/* Forms of rotations follow all displacements. */
static void weigh(const second *s, const gos_flex *to, int first, gos_sparse *W) {
    W->nnz = 0;
    for (int column = 0; column < W->n; column++) {
        for (int p = 0; p < 3 * s->stress->nlocation; p++) {
            if (3 * s->stress->location[p / 3] + p % 3 == column && to->form[first + p].p) {
                W->i[W->nnz] = first + p;
                W->x[W->nnz++] = 1;
            }
        }
        W->p[column + 1] = W->nnz;
    }
}

static gos_status add_locations(second *s, gos_flex *to) {
    const int moved = 3 * s->stress->nlocation;
    GOS_TRY(begin_locations(s, to));
    for (int p = 0; p < to->nform; p++) {
        const gos_sparse *A = p < moved ? &s->f->move : &s->f->turn;
        const int location = s->stress->location[p % moved / 3], column = 3 * location + p % 3;
        memset(s->u, 0, (size_t)s->f->n * sizeof *s->u);
        for (int k = A->p[column]; k < A->p[column + 1]; k++) {
            s->u[A->i[k]] = A->x[k];
        }
        GOS_TRY(load_form(s, location, p < moved ? p % 3 : 3 + p % 3, 0, &to->form[p]));
    }
    clean(s->ctx, moved, to->form);
    clean(s->ctx, to->nform - moved, to->form + moved);
    weigh(s, to, 0, &to->second);
    if (s->stress->turns) {
        weigh(s, to, moved, &to->second_turn);
    }
    return GOS_OK;
}

/* Largest entry for clamped uniform 1 K, the scale of round-off. */
static gos_status rigid_stress(second *s, double *largest) {
    gos_sparse clamped = {0};
    memset(s->u, 0, (size_t)s->f->n * sizeof *s->u);
    const gos_status status = stiffness(s, 1, false, s->f->heat.mean, &clamped);
    *largest = gos__sparse_largest(&clamped);
    gos__sparse_free(s->ctx, &clamped);
    return status;
}

/* Stress stiffness of each temperature in the fixed frame. */
static gos_status add_heat(second *s, gos_flex *to) {
    const gos_flex_heat *h = &s->f->heat;
    const int n = to->heat.n;
    double largest;
    to->heat.stiff = gos__zalloc(s->ctx, (size_t)n + 1, sizeof *to->heat.stiff);
    GOS_TRY(to->heat.stiff ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(rigid_stress(s, &largest));
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < h->n; k++) {
            s->t[k] = s->space ? s->space->W[k + (size_t)j * (size_t)h->n] : k == j;
        }
        gos__sparse_apply(&h->G, 1, s->t, s->u);
        for (int k = 0; k < s->f->n; k++) {
            s->u[k] = -s->u[k];
        }
        GOS_TRY(gos__saddle_solve(s->saddle, 1, s->u, s->u));
        GOS_TRY(stiffness(s, 1, false, s->t, &to->heat.stiff[j]));
        GOS_TRY(count(s, &to->heat.stiff[j]));
    }
    for (int j = 0; j < n; j++) {
        gos_sparse *S = &to->heat.stiff[j];
        if (gos__sparse_largest(S) <= RELATIVE_ROUNDING * largest) {
            gos__sparse_free(s->ctx, S);
            *S = (gos_sparse){0};
        }
    }
    return GOS_OK;
}

gos_status gos__flex_second_order(const gos_flex *f, const gos_flex_stress *stress,
                                  const gos_flex_space *space, gos_flex *to) {
    second s = {.ctx = f->ctx, .f = f, .stress = stress, .space = space};
    s.u = gos__alloc(s.ctx, (size_t)f->n + 1, sizeof *s.u);
    s.t = gos__alloc(s.ctx, (size_t)f->heat.n + 1, sizeof *s.t);
    gos_status status =
        s.u && s.t ? gos__flex_linear(f, 0, NULL, 0, NULL, &s.linear) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        const gos_pencil pencil = {
            .K = &s.linear->K, .M = &s.linear->M, .C = &s.linear->block[GOS_BLOCK_C], .ncomp = 1};
        status = gos__saddle_create(s.ctx, &pencil, &s.saddle);
        status = status == GOS_OK ? gos__saddle_factor(s.saddle, 0, 0) : status;
        status = status == GOS_OK ? add_moments(&s, to) : status;
        status = status == GOS_OK ? add_locations(&s, to) : status;
        status = status == GOS_OK && f->heat.n > 0 ? add_heat(&s, to) : status;
    }
    gos__saddle_destroy(s.saddle);
    gos_linear_destroy(s.linear);
    gos__free(s.ctx, s.u);
    gos__free(s.ctx, s.t);
    return status;
}
