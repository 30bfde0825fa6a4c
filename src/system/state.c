/* State and derived quantities. */
#include <math.h>

#include "math/vec3.h"
#include "system/constants.h"
#include "signals/loops.h"
#include "system/derived.h"

static size_t padded(int n) {
    return ((size_t)n + 7) / 8 * 8;
}

gos_status gos_state_create(gos_ctx *ctx, const gos_system *sys, gos_state **state) {
    gos_state *x = gos__zalloc(ctx, 1, sizeof *x);
    if (!x) {
        return GOS_E_MEMORY;
    }
    const size_t front = (gos__derived_room(sys) + 7) / 8 * 8, nq = front + padded(sys->nq);
    const size_t nt = padded(sys->nt);
    x->sys = sys;
    x->load = 1;
    x->weight = 1;
    x->nblock = 5 * nq + 4 * nt + 2 * padded(sys->nc) + padded(sys->nh) + sys->nmem +
                (size_t)sys->nfn * (sizeof *x->held / sizeof(double));
    x->block = gos__zalloc(ctx, x->nblock + 1, sizeof(double));
    if (!x->block) {
        gos__free(ctx, x);
        return GOS_E_MEMORY;
    }
    double *at = x->block;
    double **const vectors[] = {&x->q, &x->v, &x->a, &x->abar, &x->jerk};
    for (int i = 0; i < GOS_COUNT(vectors); i++, at += nq) {
        *vectors[i] = at + front;
    }
    double **const temperatures[] = {&x->th, &x->thd, &x->tau, &x->thdd};
    for (int i = 0; i < GOS_COUNT(temperatures); i++, at += nt) {
        *temperatures[i] = at;
    }
    x->lam = at;
    x->lamT = at + padded(sys->nc);
    x->lamd = x->lamT + padded(sys->nh);
    x->mem = x->lamd + padded(sys->nc);
    x->held = (gos_held *)(x->mem + sys->nmem);
    memcpy(x->q, sys->e0, (size_t)sys->nq * sizeof(double));
    memcpy(x->v, sys->v0, (size_t)sys->nq * sizeof(double));
    memcpy(x->th, sys->th0, (size_t)sys->nt * sizeof(double));
    memcpy(x->mem, sys->mem0, sys->nmem * sizeof(double));
    gos__derived_refresh(x);
    *state = x;
    return GOS_OK;
}

bool gos_system_linear(const gos_system *sys) {
    return sys->linear != NULL;
}

void gos_state_destroy(gos_state *state) {
    if (state) {
        gos_ctx *ctx = state->sys->ctx;
        gos__free(ctx, state->block);
        gos__free(ctx, state->past);
        gos__free(ctx, state);
    }
}

gos_status gos__state_past(gos_state *x, size_t n) {
    if (n > x->room) {
        double *past = gos__alloc(x->sys->ctx, n, sizeof *past);
        if (!past) {
            return GOS_E_MEMORY;
        }
        gos__free(x->sys->ctx, x->past);
        x->past = past;
        x->room = n;
    }
    x->npast = n;
    return GOS_OK;
}

gos_status gos_state_copy(gos_state *to, const gos_state *from) {
    if (to->sys != from->sys) {
        return gos__fail(to->sys->ctx, GOS_E_USE, "the states belong to different systems");
    }
    GOS_TRY(gos__state_past(to, from->npast));
    /* arrays keep their own block */
    gos_state copy = *from;
    copy.q = to->q, copy.v = to->v, copy.a = to->a, copy.abar = to->abar, copy.jerk = to->jerk;
    copy.th = to->th, copy.thd = to->thd, copy.tau = to->tau, copy.thdd = to->thdd,
    copy.lam = to->lam;
    copy.lamT = to->lamT, copy.lamd = to->lamd, copy.mem = to->mem, copy.block = to->block;
    copy.held = to->held;
    copy.past = to->past, copy.room = to->room;
    memcpy(to->block, from->block, from->nblock * sizeof(double));
    if (from->npast > 0) {
        memcpy(to->past, from->past, from->npast * sizeof(double));
    }
    *to = copy;
    return GOS_OK;
}

double gos_state_time(const gos_state *state) {
    return state->t;
}

static double kinetic(const gos_system *s, const gos_state *x) {
    double sum = 0;
    for (int i = 0; i < s->nv; i++) {
        for (int k = s->mass.p[i]; k < s->mass.p[i + 1]; k++) {
            sum += s->mass.v[k] * gos__dot3(x->v + 3 * i, x->v + 3 * (size_t)s->mass.j[k]);
        }
    }
    return 0.5 * sum + gos__constants_kinetic(s, x->v) + gos__derived_kinetic(s, x->v);
}

double gos__gravity_energy(const gos_system *s, const double *q) {
    double sum = -gos__dot3(s->gravity, s->origin_sum);
    for (int i = s->derived ? -s->derived->n : 0; i < s->nv; i++) {
        sum -= s->gw[i] * gos__dot3(s->gravity, q + 3 * i);
    }
    return sum;
}

void gos__state_energy(const gos_system *sys, const gos_state *state, gos_energy *energy) {
    *energy = state->energy; // strain is updated by the solvers
    energy->kinetic = kinetic(sys, state);
    energy->gravity = gos__gravity_energy(sys, state->q);
    const double moving = state->massless > 0 ? 0 : energy->kinetic;
    energy->balance = moving + energy->strain + energy->gravity + energy->dissipated -
                      energy->work - energy->thermal_work - state->energy0;
}

void gos_system_energy(const gos_system *sys, const gos_state *state, gos_energy *energy) {
    gos__derived_refresh(state);
    gos__state_energy(sys, state, energy);
}

static double held_by_items(const gos_system *sys, const double *th) {
    double sum = 0, now[GOS_ITEM_TMARKERS], then[GOS_ITEM_TMARKERS];
    for (int i = 0; i < sys->nitem; i++) {
        const gos_item *it = sys->item[i];
        for (int m = 0; m < it->ntm && it->stores_heat; m++) {
            now[m] = gos__tmarker_value(&it->tm[m], th);
            then[m] = gos__tmarker_value(&it->tm[m], sys->th0);
        }
        sum += it->stores_heat ? it->type->holds(it, now) - it->type->holds(it, then) : 0;
    }
    return sum;
}

/* equations count heat stored in items as supplied */
void gos_system_heat(const gos_system *sys, const gos_state *state, gos_heat *heat) {
    const double held = held_by_items(sys, state->th);
    heat->stored = state->heat_stored + held;
    heat->supplied = state->heat_supplied + held;
    heat->constrained = state->heat_constrained;
    heat->balance = heat->stored - heat->supplied - heat->constrained;
}

void gos_system_momentum(const gos_system *sys, const gos_state *state, double p[3], double l[3]) {
    memset(p, 0, 3 * sizeof *p);
    memset(l, 0, 3 * sizeof *l);
    gos__derived_refresh(state);
    gos__derived_momentum(sys, state->q, state->v, p, l);
    for (int i = 0; i < sys->nv; i++) {
        double mv[3] = {0, 0, 0}, x[3];
        for (int k = sys->mass.p[i]; k < sys->mass.p[i + 1]; k++) {
            for (int c = 0; c < 3; c++) {
                mv[c] += sys->mass.v[k] * state->v[3 * sys->mass.j[k] + c];
            }
        }
        gos__cross3(state->q + 3 * i, mv, x);
        for (int c = 0; c < 3; c++) {
            p[c] += sys->trans[i] * mv[c];
            l[c] += x[c];
        }
        if (sys->origin) { // positions are E0 + Phi q
            gos__cross3(sys->origin + 3 * i, state->v + 3 * i, x);
            for (int c = 0; c < 3; c++) {
                l[c] += x[c];
            }
        }
    }
}

void gos_system_nodes(const gos_system *sys, const gos_state *state, double *position,
                      double *velocity, double *temperature, double *temperature_rate) {
    gos__derived_observe(state);
    for (int i = 0; i < sys->nnodes; i++) {
        if (position) {
            gos__marker_value(&sys->node_r[i], state->q, position + 3 * i);
        }
        if (velocity) {
            gos__marker_rate(&sys->node_r[i], state->v, velocity + 3 * i);
        }
        if (temperature) {
            temperature[i] = gos__tmarker_value(&sys->node_T[i], state->th);
        }
        if (temperature_rate) {
            temperature_rate[i] = gos__tmarker_value(&sys->node_T[i], state->thd);
        }
    }
}

void gos_system_mesh(const gos_system *sys, gos_mesh_info *mesh) {
    *mesh = (gos_mesh_info){.nnodes = sys->nnodes,
                            .ncells = sys->ncells,
                            .nbodies = sys->nbody - gos__loops_bodies(sys),
                            .cell_offset = sys->cell_offset,
                            .cell_nodes = sys->cell_nodes,
                            .cell_body = sys->cell_body,
                            .body_names = sys->body_names,
                            .body_first_node = sys->body_first_node};
}

gos_status gos__check_missing(gos_ctx *ctx, const gos_system *sys, const char *what) {
    const gos_lacking *l = sys->missing;
    return l ? gos__fail_at(ctx, GOS_E_INPUT, l->loc, l->object,
                            "material '%s' of the deck has no %s, but %s require it; add it",
                            l->material, l->card, what)
             : GOS_OK;
}

void gos_system_sizes(const gos_system *sys, gos_sizes *sizes) {
    *sizes = (gos_sizes){.bodies = sys->nbody - gos__loops_bodies(sys),
                         .joints = sys->njoints,
                         .loads = sys->nloads,
                         .heat = sys->nheat,
                         .nodes = sys->nnodes,
                         .coordinates = sys->nq,
                         .temperatures = sys->nt,
                         .constraints = sys->nc,
                         .temperature_constraints = sys->nh,
                         .mass = sys->missing ? 0 : sys->mass_total,
                         .extent = sys->extent,
                         .reduced = sys->full != NULL || sys->reduced_bodies};
    for (int i = 0; i < sys->npoints; i++) {
        const gos_points *p = sys->points[i];
        const gos_body *b = p->body >= 0 ? sys->body[p->body] : NULL;
        const bool heat = b && (b->derived || b->still); // surface only
        sizes->elements += p->surface && !heat ? p->ne : 0;
        sizes->points += heat ? 0 : p->ne * p->ng;
    }
}

const char *gos_system_name(const gos_system *sys) {
    return sys->name;
}

const char *gos_system_units(const gos_system *sys) {
    return sys->units ? sys->units->text : "SI";
}

const char *gos_system_text(const gos_system *sys) {
    return sys->text;
}

bool gos_system_thermal(const gos_system *sys) {
    return sys->nt > 0;
}

void gos_options_get(const gos_system *sys, gos_options *options) {
    *options = sys->options;
}

typedef struct item_input {
    double m[3 * GOS_ITEM_MARKERS], md[3 * GOS_ITEM_MARKERS], th[GOS_ITEM_TMARKERS];
    double fn[GOS_ITEM_FUNCTIONS];
} item_input;

static gos_item_io input_of(const gos_state *x, const gos_item *it, item_input *b) {
    *b = (item_input){0};
    if (it->pulled) {
        gos__derived_refresh(x);
    }
    for (int k = 0; k < it->nm; k++) {
        gos__marker_value(&it->m[k], x->q, b->m + 3 * k);
        gos__marker_rate(&it->m[k], x->v, b->md + 3 * k);
    }
    for (int k = 0; k < it->ntm; k++) {
        b->th[k] = gos__tmarker_value(&it->tm[k], x->th);
    }
    for (int k = 0; k < it->nfn; k++) {
        b->fn[k] = gos__state_function(x, it->fn0 + k, x->t, NULL, NULL); // values only
    }
    return (gos_item_io){.t = x->t,
                         .fn = b->fn,
                         .scale = 1,
                         .x = b->m,
                         .xd = b->md,
                         .th = b->th,
                         .mem = x->mem ? x->mem + it->m0 : NULL};
}

void gos__item_observe(const gos_system *s, const gos_state *x, const gos_item *it, int fn,
                       double change, double y[GOS_ITEM_OBSERVED]) {
    GOS_UNUSED(s);
    item_input b;
    const gos_item_io io = input_of(x, it, &b);
    b.fn[fn] += change;
    it->type->observe(it, &io, y);
}

void gos__item_forces(const gos_system *s, const gos_state *x, const gos_item *it, double *at,
                      double *f) {
    GOS_UNUSED(s);
    item_input b;
    gos_item_io io = input_of(x, it, &b);
    io.f = f;
    memset(f, 0, (size_t)(3 * it->nm) * sizeof *f);
    it->type->eval(it, &io);
    memcpy(at, b.m, (size_t)(3 * it->nm) * sizeof *at);
}

void gos__item_gradients(const gos_system *s, const gos_state *x, const gos_item *it, double *at,
                         double *cx) {
    GOS_UNUSED(s);
    item_input b;
    gos_item_io io = input_of(x, it, &b);
    io.cx = cx;
    memset(cx, 0, (size_t)(3 * it->nc * it->nm) * sizeof *cx);
    it->type->eval(it, &io);
    memcpy(at, b.m, (size_t)(3 * it->nm) * sizeof *at);
}

void gos__item_rows(const gos_state *x, const gos_item *it, double *c) {
    item_input b;
    gos_item_io io = input_of(x, it, &b);
    io.c = c;
    it->type->eval(it, &io);
}

double gos__item_violation(const gos_state *x, const gos_item *it) {
    double c[GOS_ITEM_ROWS] = {0}, worst = 0;
    gos__item_rows(x, it, c);
    for (int r = 0; r < it->nc; r++) {
        worst = fabs(c[r]) <= worst ? worst : fabs(c[r]); // keeps NaN
    }
    return worst;
}

double gos__state_violation(const gos_system *s, const gos_state *x) {
    double worst = 0;
    for (int i = 0; i < s->nitem; i++) {
        worst = fmax(worst, s->item[i]->nc ? gos__item_violation(x, s->item[i]) : 0);
    }
    return worst;
}
