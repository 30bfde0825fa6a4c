/* Floating bodies: coordinates, inertia, stiffness and rows. */
#include "floating/floating.h"

#include <math.h>

#include "floating/residual_modes.h"
#include "floating/floating_range.h"
#include "floating/thermal_response.h"
#include "bodies/body.h"
#include "math/vec3.h"

#define ROUNDING 1e-6

static void destroy(void *flex) {
    gos__flex_destroy(flex);
}

/* ---- coordinates ----------------------------------------------------------------------------- */

static gos_status add_frame(gos_builder *b, const gos_floating_start *start, gos_floating_body *f) {
    int axes;
    GOS_TRY(gos__add_vectors(b, 1, f->origin, 1, &f->r));
    GOS_TRY(gos__add_vectors(b, 3, f->axis[0], 0, &axes));
    memcpy(b->v0[f->r], start->velocity, sizeof start->velocity);
    for (int c = 0; c < 3; c++) {
        gos__cross3(start->angular_velocity, f->axis[c], b->v0[axes + c]);
    }
    return GOS_OK;
}

/* three amplitudes per vector; unused components are locked */
static gos_status add_amplitudes(gos_builder *b, const gos_body *body, const char *object,
                                 gos_floating_body *f) {
    int first;
    const int n = f->flex->n, nv = (n + 2) / 3;
    int *z = GOS_NEW(b->arena, int, n + 1);
    GOS_TRY(z ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__add_vectors(b, nv, NULL, 0, &first));
    for (int k = 0; k < n; k++) {
        z[k] = 3 * first + k;
    }
    for (int k = n; k % 3 != 0; k++) {
        GOS_TRY(gos__hold_component(b, body->loc, object, 3 * first + k));
    }
    return gos__derived_create(b, object, body->loc, f->r, f->r + 1, n, z, &f->derived);
}

/* origin, axes and amplitudes are vectors in rotating axes */
static gos_status add_turns(gos_builder *b, const gos_floating_body *f, gos_body *body) {
    int *turn = GOS_NEW(b->arena, int, 2 * body->nv);
    GOS_TRY(turn ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < 2 * body->nv; i++) {
        turn[i] = i < 8 ? f->r + 1 + i % 2 : -1;
    }
    body->turn = turn;
    return GOS_OK;
}

/* ---- matrices -------------------------------------------------------------------------------- */

static gos_status field_number(gos_floating_body *f, int field, int *number) {
    *number = f->r + field;
    return field < GOS_FLEX_RIGID ? GOS_OK
                                  : gos__derived_vector(f->derived, (field - GOS_FLEX_RIGID) % 3,
                                                        (field - GOS_FLEX_RIGID) / 3, number);
}

static gos_status add_mass(gos_builder *b, gos_floating_body *f) {
    const gos_sparse *G = &f->flex->gram;
    for (int j = 0; j < G->n; j++) {
        for (int k = G->p[j]; k < G->p[j + 1] && G->i[k] <= j; k++) {
            int p, q;
            if (G->x[k] == 0) {
                continue;
            }
            GOS_TRY(field_number(f, G->i[k], &p));
            GOS_TRY(field_number(f, j, &q));
            GOS_TRY(gos__add_symmetric(b, &b->mass, p, q, G->x[k]));
        }
    }
    return GOS_OK;
}

/* derived vector of form p along c, 0: zero */
static gos_status drawn_number(gos_floating_body *f, int column, int *number) {
    int *s = &f->form[column / 3];
    *number = 0;
    GOS_TRY(*s == 0 ? gos__floating_form(f, &f->flex->form[column / 3], s) : GOS_OK);
    return *s > 0 ? gos__derived_vector(f->derived, column % 3, *s, number) : GOS_OK;
}

/* shortening with first-order shapes and with itself, for element-wise forms */
static gos_status add_drawn_mass(gos_builder *b, gos_floating_body *f) {
    const gos_sparse *A = &f->flex->drawn, *B = &f->flex->drawn_twice;
    for (int column = 0; A->p && f->second && f->shared && column < A->n; column++) {
        int own, other;
        GOS_TRY(drawn_number(f, column, &own));
        for (int k = A->p[column]; k < A->p[column + 1] && own != 0; k++) {
            GOS_TRY(field_number(f, A->i[k], &other));
            GOS_TRY(gos__add_symmetric(b, &b->mass, own, other, A->x[k]));
        }
        for (int k = B->p[column]; k < B->p[column + 1] && own != 0; k++) {
            GOS_TRY(B->i[k] <= column ? drawn_number(f, B->i[k], &other) : GOS_OK);
            GOS_TRY(B->i[k] <= column && other != 0
                        ? gos__add_symmetric(b, &b->mass, own, other, B->x[k])
                        : GOS_OK);
        }
    }
    return GOS_OK;
}

/* Second-order displacements couple with rigid motion; other couplings are of third order, included
   only to keep the mass positive (add_drawn_mass). Forms are integrals over the mass, so each
   vector has mass 1. */
static gos_status add_second_mass(gos_builder *b, gos_floating_body *f) {
    for (int i = 0; i < GOS_FLEX_MOMENTS && f->second; i++) {
        int s, number;
        if (f->flex->moment[i].nnz == 0) {
            continue;
        }
        GOS_TRY(gos__floating_form(f, &f->flex->moment[i], &s));
        if (s < 0) {
            continue;
        }
        GOS_TRY(gos__derived_vector(f->derived, i / 4, s, &number));
        GOS_TRY(gos__add_symmetric(b, &b->mass, f->r + i % 4, number, 1));
    }
    return GOS_OK;
}

static gos_status add_matrix(gos_builder *b, const gos_floating_body *f, gos_constant which,
                             const gos_sparse *A) {
    for (int j = 0; j < A->n && A->p; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            if (A->x[k] != 0) {
                GOS_TRY(
                    gos__add_constant(b, which, f->derived->z[A->i[k]], f->derived->z[j], A->x[k]));
            }
        }
    }
    return GOS_OK;
}

/* extent of the nodes along an axis */
static double extent_of(const gos_flex *f) {
    double most = 0;
    for (int c = 0; c < 3; c++) {
        double lo = f->x[0][c], hi = lo;
        for (int i = 1; i < f->nnode; i++) {
            lo = fmin(lo, f->x[i][c]);
            hi = fmax(hi, f->x[i][c]);
        }
        most = fmax(most, hi - lo);
    }
    return most;
}

static double *largest_of(gos_arena *a, const gos_sparse *A) {
    double *most = GOS_NEW(a, double, A->m + 1);
    for (int k = 0; k < A->nnz && most; k++) {
        most[A->i[k]] = fmax(most[A->i[k]], fabs(A->x[k]));
    }
    return most;
}

/* amplitudes that only rotate nodes: tolerances refer to unit angles */
static gos_status add_singles(gos_builder *b, const gos_floating_body *f) {
    const gos_flex *flex = f->flex;
    const gos_sparse *G = &flex->gram;
    const double extent = extent_of(flex), *moves = largest_of(b->arena, &flex->move),
                 *turns = largest_of(b->arena, &flex->turn);
    GOS_TRY(moves && turns ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < flex->n; k++) {
        gos_constant_coordinate one = {
            .i = f->derived->z[k],
            .amplitude = true,
            .scale = moves[k] > ROUNDING * extent * turns[k] ? 0 : 1 / turns[k]};
        for (int c = 0; c < 3; c++) {
            const int at = gos__flex_at(k, c);
            for (int p = G->p[at]; p < G->p[at + 1]; p++) {
                one.weight += G->i[p] == at ? G->x[p] : 0;
            }
        }
        GOS_TRY(gos__add_single(b, &one));
    }
    return GOS_OK;
}

/* conditions C z = 0 that were not eliminated */
static gos_status add_conditions(gos_builder *b, const gos_body *body, const char *object,
                                 const gos_floating_body *f) {
    gos_sparse rows;
    if (!f->flex->C.p || f->flex->C.m == 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__sparse_transpose(b->ctx, &f->flex->C, &rows));
    gos_status status = GOS_OK;
    for (int r = 0; r < rows.n && status == GOS_OK; r++) {
        const int n = rows.p[r + 1] - rows.p[r];
        int *at = GOS_NEW(b->arena, int, n + 1);
        double *w = GOS_NEW(b->arena, double, n + 1), most = 0;
        for (int k = 0; k < n && at && w; k++) {
            most = most > fabs(rows.x[rows.p[r] + k]) ? most : fabs(rows.x[rows.p[r] + k]);
        }
        for (int k = 0; k < n && at && w; k++) {
            at[k] = f->derived->z[rows.i[rows.p[r] + k]];
            w[k] = rows.x[rows.p[r] + k] / most;
        }
        status = at && w ? gos__hold_sum(b, body->loc, object, n, at, w) : GOS_E_MEMORY;
    }
    gos__sparse_free(b->ctx, &rows);
    return status;
}

/* ---- temperatures ---------------------------------------------------------------------------- */

static gos_status add_triangle(gos_builder *b, gos_triplets *to, int t0, const gos_sparse *A) {
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1] && A->i[k] <= j; k++) {
            GOS_TRY(gos__add_symmetric(b, to, t0 + A->i[k], t0 + j, A->x[k]));
        }
    }
    return GOS_OK;
}

/* stiffness from thermal stress */
static gos_status add_heated(gos_builder *b, const gos_floating_body *f, int t0) {
    const gos_flex_heat *h = &f->flex->heat;
    gos_heated *to;
    int n = 0;
    for (int t = 0; t < h->n; t++) {
        n += h->stiff[t].nnz;
    }
    if (n == 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__add_heated(b, n, &to));
    for (int t = 0, e = 0; t < h->n; t++) {
        const gos_sparse *S = &h->stiff[t];
        for (int j = 0; j < S->n && S->nnz > 0; j++) {
            for (int k = S->p[j]; k < S->p[j + 1]; k++, e++) {
                to->i[e] = f->derived->z[S->i[k]];
                to->j[e] = f->derived->z[j];
                to->t[e] = t0 + t;
                to->v[e] = S->x[k];
            }
        }
    }
    return GOS_OK;
}

/* damping losses of amplitudes have no location */
static void warn_of_losses(gos_builder *b, const gos_floating_body *f, const gos_body *body,
                           const char *object) {
    const gos_sparse *D = &f->flex->D;
    if (b->viscous_heating && D->p && D->nnz > 0) {
        gos__warn(b->ctx, body->loc, object,
                  "viscous_heating: the damping of a body in a floating frame does not heat it; "
                  "bodies of type solid, beams, cables and plates support this");
    }
}

/* thermal forces on amplitudes, and heat from strain rates */
static gos_status add_heat(gos_builder *b, const gos_floating_body *f, gos_body *body) {
    const gos_flex_heat *h = &f->flex->heat;
    GOS_TRY(gos__add_temperatures(b, h->n, &body->t0));
    GOS_TRY(add_triangle(b, &b->capacity, body->t0, &h->C));
    GOS_TRY(add_triangle(b, &b->conduction, body->t0, &h->S));
    for (int j = 0; j < h->n; j++) {
        b->tmean[body->t0 + j] = h->mean[j];
        for (int k = h->G.p[j]; k < h->G.p[j + 1]; k++) { // none if still
            const int z = f->derived->z[h->G.i[k]], t = body->t0 + j;
            GOS_TRY(gos__add_constant(b, GOS_CONSTANT_G, z, t, h->G.x[k]));
            GOS_TRY(h->T_ref > 0 ? gos__add_constant(b, GOS_CONSTANT_H, t, z, -h->T_ref * h->G.x[k])
                                 : GOS_OK);
        }
    }
    body->nt = h->n;
    body->nfam = h->half ? 2 : 1;
    return h->stiff ? add_heated(b, f, body->t0) : GOS_OK;
}

/* at height `zeta`, or (mean false) the gradient */
static gos_status temperature_of(gos_arena *a, const gos_flex *flex, int t0, int node, bool mean,
                                 double zeta, gos_tmarker *tm) {
    const gos_sparse *part[2] = {&flex->heat.at, &flex->heat.across};
    const double factor[2] = {mean, mean ? zeta : 1};
    int most = 0, n = 0;
    for (int s = 0; s < 2; s++) {
        most += factor[s] != 0 ? part[s]->p[node + 1] - part[s]->p[node] : 0;
    }
    int *at = GOS_NEW(a, int, most + 1);
    double *w = GOS_NEW(a, double, most + 1);
    GOS_TRY(at && w ? GOS_OK : GOS_E_MEMORY);
    for (int s = 0; s < 2; s++) {
        for (int k = 0; factor[s] != 0 && k < part[s]->p[node + 1] - part[s]->p[node]; k++) {
            at[n] = t0 + part[s]->i[part[s]->p[node] + k];
            w[n++] = factor[s] * part[s]->x[part[s]->p[node] + k];
        }
    }
    return gos__tmarker_make(a, n, at, w, tm);
}

gos_status gos__floating_node_temperature(gos_arena *a, const gos_body *b, const gos_location *p,
                                          gos_tmarker *tm) {
    const gos_floating_body *f = b->par;
    const double *half = f->flex->heat.half;
    if (p->node < 0 || p->node >= f->flex->nnode) {
        return gos__fail_at(f->flex->ctx, GOS_E_INPUT, b->loc, b->name,
                            "its frame has no temperature; give a node or a set of its mesh");
    }
    GOS_TRY(temperature_of(a, f->flex, b->t0, p->node, true, half ? p->side * half[p->node] : 0,
                           &tm[0]));
    return half ? temperature_of(a, f->flex, b->t0, p->node, false, 0, &tm[1]) : GOS_OK;
}

/* ---- picture --------------------------------------------------------------------------------- */

static gos_status add_picture(gos_builder *b, const gos_floating_picture *p, gos_floating_body *f,
                              gos_body *body) {
    gos_marker *mark = GOS_NEW(b->arena, gos_marker, p->nnode + 1);
    gos_tmarker *mark_t = f->flex->heat.n > 0 ? GOS_NEW(b->arena, gos_tmarker, p->nnode + 1) : NULL;
    int *node_v = GOS_NEW(b->arena, int, 1),
        *cell = GOS_NEW(b->arena, int, p->cell_size * p->ncell + 1);
    if (!mark || !node_v || !cell || (f->flex->heat.n > 0 && !mark_t)) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < p->nnode; i++) {
        const int node = p->node ? p->node[i] : i;
        gos_floating_spot spot;
        if (f->still) {
            mark[i] = gos__floating_still_position(f, node);
        } else {
            gos__floating_spot(f, node, &spot);
            GOS_TRY(gos__floating_position(f, &spot, &mark[i]));
        }
        GOS_TRY(mark_t ? temperature_of(b->arena, f->flex, body->t0, node, true, 0, &mark_t[i])
                       : GOS_OK);
    }
    body->nnode = f->still ? 0 : 1; // the origin
    for (int i = 0; i < p->cell_size * p->ncell; i++) {
        cell[i] = body->nnode + p->cell[i];
    }
    *node_v = f->r;
    body->node_v = node_v;
    body->nmark = p->nnode;
    body->mark = mark;
    body->mark_t = mark_t;
    body->cell_size = p->cell_size;
    body->ncell = p->ncell;
    body->cell = cell;
    return GOS_OK;
}

static gos_status add_still(gos_builder *b, const gos_floating_picture *picture, const char *object,
                            gos_floating_body *f, gos_body *body) {
    GOS_TRY(gos__check_room(b, 0, f->flex->heat.n, body->loc, object));
    body->rigid_item = -1;
    body->v0 = 0;
    body->still = true;
    GOS_TRY(add_heat(b, f, body));
    return add_picture(b, picture, f, body);
}

gos_status gos__floating_add(gos_builder *b, const gos_floating_start *start,
                             const gos_floating_picture *picture, const char *object,
                             gos_floating_body *f, gos_body *body) {
    GOS_TRY(gos__arena_defer(b->arena, destroy, f->flex));
    const gos_flex *flex = f->flex;
    if (f->still) {
        return add_still(b, picture, object, f, body);
    }
    GOS_TRY(gos__check_room(b, 4 + flex->n / 3.0, flex->heat.n, body->loc, object));
    f->form = GOS_NEW(b->arena, int, flex->nform + 1);
    f->node_form = gos__arena_alloc(b->arena, (size_t)flex->nnode + 1, sizeof *f->node_form);
    f->node_turn = gos__arena_alloc(b->arena, (size_t)flex->nnode + 1, sizeof *f->node_turn);
    f->turn_form = gos__arena_alloc(b->arena, (size_t)flex->nnode + 1, sizeof *f->turn_form);
    if (!f->form || !f->node_form || !f->node_turn || !f->turn_form) {
        return GOS_E_MEMORY;
    }
    body->rigid_item = -1;
    body->v0 = b->nv;
    GOS_TRY(gos__floating_limits(b, f));
    GOS_TRY(add_frame(b, start, f));
    GOS_TRY(add_amplitudes(b, body, object, f));
    body->nv = b->nv - body->v0;
    body->derived = f->derived;
    GOS_TRY(add_turns(b, f, body));
    GOS_TRY(add_mass(b, f));
    GOS_TRY(add_second_mass(b, f));
    GOS_TRY(add_drawn_mass(b, f));
    GOS_TRY(add_matrix(b, f, GOS_CONSTANT_K, &flex->K));
    GOS_TRY(add_matrix(b, f, GOS_CONSTANT_D, &flex->D));
    GOS_TRY(add_singles(b, f));
    GOS_TRY(gos__add_rigidity(b, f->r + 1, object, body->loc));
    GOS_TRY(add_conditions(b, body, object, f));
    GOS_TRY(flex->heat.n > 0 ? add_heat(b, f, body) : GOS_OK);
    if (flex->heat.n > 0 || body->nfam > 0) {
        warn_of_losses(b, f, body, object);
    }
    GOS_TRY(gos__floating_add_missed(b, f, object, body->loc));
    GOS_TRY(gos__floating_add_dependent(b, f, body->t0, object, body->loc));
    return add_picture(b, picture, f, body);
}
