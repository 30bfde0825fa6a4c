#include "models/polynomial_model.h"

#include <cblas.h>
#include <math.h>

#include "models/polynomial_fit.h"
#include "parts/gram.h"
#include "probes/probe.h"

/* Variables of terms while the number of markers is not known: kind * SPAN + index. */
enum { ONE, MARKER, RATE, INPUT, SPAN = 1 << 24 };

typedef struct terms {
    int n, room;
    gos_monomial *term;
} terms;

typedef struct making {
    gos_ctx *ctx;
    gos_arena *a;
    const gos_system *s;
    const gos_state *state;
    gos_polynomial_model *model;
    int *input_of; // index of a time function among the inputs, or -1 (nfn)
    int nmarker, room;
    gos_marker *marker;
    terms force, row, output;
} making;

/* ---- what is refused ------------------------------------------------------------------------- */

static gos_status check_points(gos_ctx *ctx, const gos_system *s) {
    for (int i = 0; i < s->npoints; i++) {
        const gos_points *p = s->points[i];
        const gos_body *b = s->body[p->body];
        if (!p->gram) {
            return gos__fail_at(ctx, GOS_E_INPUT, b->loc, b->name,
                                s->reduced ? "its forces are sums over points, which are not "
                                             "exported; of reduced bodies only solids with few "
                                             "fields are: reduce `number`, or set `statics: false`"
                                           : "its forces are sums over points, which are not "
                                             "exported; reduce the model first (gossamer reduce)");
        }
    }
    return GOS_OK;
}

static gos_status check_bodies(gos_ctx *ctx, const gos_system *s) {
    for (int i = 0; i < s->nbody; i++) {
        const gos_body *b = s->body[i];
        const char *kind = b->derived                                    ? "floating bodies"
                           : b->type && strcmp(b->type, "matrices") == 0 ? "bodies of matrices"
                                                                         : NULL;
        if (kind) {
            return gos__fail_at(ctx, GOS_E_INPUT, b->loc, b->name,
                                "%s are exported only in models linearised about a state", kind);
        }
        if (b->nt > 0) {
            return gos__fail_at(ctx, GOS_E_INPUT, b->loc, b->name,
                                b->nv > 0 ? "temperatures are exported only in models linearised "
                                            "about a state; leave them out (temperature: off)"
                                          : "wheels and other first-order states are exported only "
                                            "in models linearised about a state");
        }
    }
    return GOS_OK;
}

static gos_status check(gos_ctx *ctx, const gos_system *s) {
    GOS_TRY(check_bodies(ctx, s));
    GOS_TRY(check_points(ctx, s));
    const char *what = s->loops           ? "controllers are not exported; they run beside "
                                            "the model and set its inputs"
                       : s->orbit         ? "orbits are not exported"
                       : s->ncrossing > 0 ? "events are not exported"
                       : s->dropped       ? "redundant joints are not exported"
                       : s->constants || s->nt > 0 ? "first-order states are not exported"
                       : s->shadows                ? "shadows are not exported"
                       : s->stepper ? "models of local linearisation are not exported"
                                    : NULL;
    if (what) {
        return gos__fail(ctx, GOS_E_INPUT, "nonlinear equations of fixed step: %s", what);
    }
    return s->nq + s->nc <= GOS_POLYNOMIAL_MODEL_MOST
               ? gos__check_missing(ctx, s, "a model of fixed step")
               : gos__fail(ctx, GOS_E_LIMIT,
                           "the model has %d coordinates and %d constraints; a nonlinear model of "
                           "fixed step is limited to %d together: reduce it further",
                           s->nq, s->nc, GOS_POLYNOMIAL_MODEL_MOST);
}

/* ---- items ----------------------------------------------------------------------------------- */

typedef struct sampled_item {
    const gos_item *it;
    int n, variable[GOS_ITEM_FUNCTIONS]; // settable functions of the item (n)
    double t, fn[GOS_ITEM_FUNCTIONS];
} sampled_item;

/* x: markers and their rates (3 nm) each, inputs; y: forces (3 nm), rows (nc) */
static void item_value(void *user, const double *x, double *y) {
    static const double none[GOS_ITEM_FUNCTIONS];
    sampled_item *k = user;
    const gos_item *it = k->it;
    const int nx = 3 * it->nm;
    double ct[GOS_ITEM_ROWS] = {0}, cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS] = {0};
    for (int i = 0; i < k->n; i++) {
        k->fn[k->variable[i]] = x[2 * nx + i];
    }
    memset(y, 0, (size_t)(nx + it->nc) * sizeof *y);
    const gos_item_io io = {.t = k->t,
                            .fn = k->fn,
                            .fnd = none,
                            .fndd = none,
                            .scale = 1,
                            .x = x,
                            .xd = x + nx,
                            .mem = it->memory,
                            .f = y,
                            .c = it->nc ? y + nx : NULL,
                            .cx = it->nc ? cx : NULL,
                            .ct = it->nc ? ct : NULL};
    it->type->eval(it, &io);
}

static gos_status refuse_item(gos_ctx *ctx, const gos_item *it, const char *why) {
    return gos__fail_at(ctx, GOS_E_INPUT, it->loc, it->name,
                        "it is not exported with a fixed step: %s", why);
}

static gos_status read_functions(const making *k, const gos_item *it, sampled_item *f) {
    for (int i = 0; i < it->nfn; i++) {
        const gos_timefn *fn = k->s->fn[it->fn0 + i];
        if (k->input_of[it->fn0 + i] >= 0) {
            f->variable[f->n++] = i;
        } else if (gos__timefn_constant(fn)) {
            f->fn[i] = gos__timefn_eval(fn, f->t, NULL, NULL);
        } else {
            return refuse_item(k->ctx, it, "a prescribed motion or a direction depends on time");
        }
    }
    return GOS_OK;
}

static gos_status add_term(making *k, terms *to, gos_monomial m) {
    GOS_TRY(gos__grow(k->ctx, (void **)&to->term, &to->room, to->n + 1, sizeof *to->term));
    to->term[to->n++] = m;
    return GOS_OK;
}

static gos_status add_markers(making *k, int n, const gos_marker *m) {
    GOS_TRY(gos__grow(k->ctx, (void **)&k->marker, &k->room, k->nmarker + n, sizeof *k->marker));
    memcpy(k->marker + k->nmarker, m, (size_t)n * sizeof *m);
    k->nmarker += n;
    return GOS_OK;
}

/* variable of a fit (from 1) over markers from `first` on, their rates and the item's inputs */
static int variable_of(const making *k, const gos_item *it, const sampled_item *f, int first,
                       int nx, int at) {
    if (at == 0) {
        return ONE;
    }
    const int i = (at - 1) % nx;
    return at <= nx       ? MARKER * SPAN + 3 * first + i
           : at <= 2 * nx ? RATE * SPAN + 3 * first + i
                          : INPUT * SPAN + k->input_of[it->fn0 + f->variable[at - 1 - 2 * nx]];
}

static gos_status add_polynomials(making *k, const gos_item *it, const sampled_item *f,
                                  const gos_polynomials *p) {
    const int first = k->nmarker, nx = 3 * it->nm;
    GOS_TRY(add_markers(k, it->nm, it->m));
    for (int t = 0; t < p->n; t++) {
        gos_monomial m = p->term[t];
        for (int c = 0; c < 3; c++) {
            m.at[c] = variable_of(k, it, f, first, nx, m.at[c]);
        }
        const bool force = m.row < nx;
        m.row = force ? 3 * first + m.row : it->c0 + m.row - nx;
        GOS_TRY(add_term(k, force ? &k->force : &k->row, m));
    }
    return GOS_OK;
}

static gos_status fit_item(making *k, const gos_item *it, sampled_item *f) {
    double x0[6 * GOS_ITEM_MARKERS + GOS_ITEM_FUNCTIONS] = {0};
    for (int m = 0; m < it->nm; m++) {
        gos__marker_value(&it->m[m], k->state->q, x0 + 3 * m);
        gos__marker_rate(&it->m[m], k->state->v, x0 + 3L * it->nm + 3L * m);
    }
    const gos_sampled_function of = {6 * it->nm + f->n, 3 * it->nm + it->nc, item_value, f};
    gos_polynomials p;
    gos_status status = gos__polynomials_fit(k->ctx, &of, x0, &p);
    if (status == GOS_OK && !p.exact) {
        status = refuse_item(k->ctx, it,
                             "its forces or constraints are not polynomials of at most "
                             "third degree");
    }
    status = status == GOS_OK ? add_polynomials(k, it, f, &p) : status;
    gos__polynomials_free(k->ctx, &p);
    return status;
}

static gos_status add_item(making *k, const gos_item *it) {
    sampled_item f = {.it = it, .t = k->state->t};
    if (it->watches || (it->nm == 0 && it->nc == 0)) {
        return GOS_OK;
    }
    if (strcmp(it->type->name, "feedback") == 0) {
        return refuse_item(k->ctx, it, "a function of probes belongs to the program beside it");
    }
    if (it->nmem > 0 || it->type->nevent > 0) {
        return refuse_item(k->ctx, it, "its law switches or has a history");
    }
    GOS_TRY(read_functions(k, it, &f));
    return fit_item(k, it, &f);
}

/* ---- outputs --------------------------------------------------------------------------------- */

typedef struct sampled_probe {
    const gos_system *s;
    gos_state *state; // with its markers as coordinates
    gos_probe probe;  // reads them
} sampled_probe;

static void probe_value(void *user, const double *x, double *y) {
    sampled_probe *k = user;
    const size_t nx = 3L * k->probe.nm;
    memcpy(k->state->q, x, nx * sizeof *x);
    memcpy(k->state->v, x + nx, nx * sizeof *x);
    gos__probe_sample(k->s, k->state, &k->probe, NULL, y, NULL);
}

static gos_status add_outputs(making *k, const gos_probe *p, const gos_polynomials *fit) {
    gos_polynomial_model *m = k->model;
    const int first = k->nmarker, nx = 3 * p->nm;
    GOS_TRY(add_markers(k, p->nm, p->m));
    for (int t = 0; t < fit->n; t++) {
        gos_monomial term = fit->term[t];
        term.row += m->tables.ny;
        for (int c = 0; c < 3; c++) {
            const int at = term.at[c];
            term.at[c] = at == 0    ? ONE
                         : at <= nx ? MARKER * SPAN + 3 * first + at - 1
                                    : RATE * SPAN + 3 * first + at - 1 - nx;
        }
        GOS_TRY(add_term(k, &k->output, term));
    }
    for (int c = 0; c < p->ncomp; c++) {
        const char *name = p->ncomp > 1
                               ? gos__arena_printf(k->a, "%s.%s", p->name, p->components[c])
                               : gos__arena_printf(k->a, "%s", p->name);
        GOS_TRY(name ? GOS_OK : GOS_E_MEMORY);
        m->output[m->tables.ny++] = (gos_port){.name = name, .unit = p->unit};
    }
    return GOS_OK;
}

/* Markers and rates alone, which are the coordinates of a state of another size. */
static gos_status fit_probe(making *k, const gos_probe *p, double *x0, gos_polynomials *fit) {
    static const double one = 1;
    gos_state local = {.sys = k->s, .t = k->state->t};
    int index[GOS_PROBE_MARKERS];
    sampled_probe f = {.s = k->s, .state = &local, .probe = *p};
    local.q = x0 + 6L * p->nm;
    local.v = local.q + 3L * p->nm;
    for (int m = 0; m < p->nm; m++) {
        index[m] = m;
        f.probe.m[m] = (gos_marker){.n = 1, .idx = &index[m], .w = &one};
        gos__marker_value(&p->m[m], k->state->q, x0 + 3 * m);
        gos__marker_rate(&p->m[m], k->state->v, x0 + 3L * p->nm + 3L * m);
    }
    const gos_sampled_function of = {6 * p->nm, p->ncomp, probe_value, &f};
    return gos__polynomials_fit(k->ctx, &of, x0, fit);
}

static gos_status add_probe(making *k, const gos_probe *p) {
    const int needs = p->quantity->needs;
    const bool local = needs == GOS_NEEDS_POINT || needs == GOS_NEEDS_RIGID;
    double *x0 = gos__zalloc(k->ctx, 12L * p->nm + 1, sizeof *x0);
    gos_polynomials fit = {0};
    gos_status status = x0 ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK && local && gos__probe_of_state(p)) {
        status = fit_probe(k, p, x0, &fit);
    }
    if (status == GOS_OK && fit.exact) {
        status = add_outputs(k, p, &fit);
    } else if (status == GOS_OK) {
        gos__warn(k->ctx, (gos_loc){0}, p->name,
                  "left out of the exported model: %s is not a polynomial of coordinates and rates "
                  "at its location",
                  gos__probe_quantity(p));
    }
    gos__polynomials_free(k->ctx, &fit);
    gos__free(k->ctx, x0);
    return status;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static gos_status store_terms(const making *k, const terms *from, gos_step_terms *to) {
    int *at = GOS_NEW(k->a, int, 4L * from->n + 1);
    double *value = GOS_NEW(k->a, double, from->n + 1);
    GOS_TRY(at && value ? GOS_OK : GOS_E_MEMORY);
    const int begin[] = {
        [ONE] = 0, [MARKER] = 1, [RATE] = 1 + 3 * k->nmarker, [INPUT] = 1 + 6 * k->nmarker};
    for (int t = 0; t < from->n; t++) {
        const gos_monomial *m = &from->term[t];
        at[4 * t] = m->row;
        value[t] = m->value;
        for (int c = 0; c < 3; c++) {
            at[4 * t + 1 + c] = begin[m->at[c] / SPAN] + m->at[c] % SPAN;
        }
    }
    *to = (gos_step_terms){from->n, at, value};
    return GOS_OK;
}

static gos_status store_markers(const making *k) {
    gos_step_tables *t = &k->model->tables;
    size_t n = 0;
    for (int i = 0; i < k->nmarker; i++) {
        n += (size_t)k->marker[i].n;
    }
    int *first = GOS_NEW(k->a, int, k->nmarker + 1), *at = GOS_NEW(k->a, int, n + 1);
    double *by = GOS_NEW(k->a, double, n + 1), *offset = GOS_NEW(k->a, double, 3L * k->nmarker + 1);
    GOS_TRY(first && at && by && offset ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k->nmarker; i++) {
        const gos_marker *m = &k->marker[i];
        for (int j = 0; j < m->n; j++) { // locations on the ground have no coordinates
            at[first[i] + j] = m->idx[j];
            by[first[i] + j] = m->w[j];
        }
        memcpy(offset + 3L * i, m->off, sizeof m->off);
        first[i + 1] = first[i] + m->n;
    }
    t->nm = k->nmarker;
    t->first = first;
    t->at = at;
    t->by = by;
    t->offset = offset;
    return GOS_OK;
}

/* masses, weights, and a scale of multipliers that balances the matrix */
static gos_status store_inertia(const making *k) {
    const gos_system *s = k->s;
    gos_step_tables *t = &k->model->tables;
    double *mass = GOS_NEW(k->a, double, (size_t)s->nv *(size_t)s->nv + 1);
    double *weight = GOS_NEW(k->a, double, s->nq + 1);
    GOS_TRY(mass && weight ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < s->nv; i++) {
        for (int e = s->mass.p[i]; e < s->mass.p[i + 1]; e++) {
            mass[(size_t)i * (size_t)s->nv + (size_t)s->mass.j[e]] = s->mass.v[e];
        }
        for (int c = 0; c < 3; c++) {
            weight[3 * i + c] = s->gravity[c] * s->gw[i];
        }
    }
    t->mass = mass;
    t->weight = weight;
    t->scale = s->mass_total > 0 ? s->mass_total : 1;
    return GOS_OK;
}

/* S (pairs, pairs) = U^T U */
static gos_status square(const making *k, int rank, int pairs, const double *U, const double **S) {
    double *to = GOS_NEW(k->a, double, (size_t)pairs *(size_t)pairs);
    GOS_TRY(to ? GOS_OK : GOS_E_MEMORY);
    if (rank > 0) {
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, pairs, pairs, rank, 1, U, pairs, U,
                    pairs, 0, to, pairs);
    }
    *S = to;
    return GOS_OK;
}

static gos_status store_products(const making *k) {
    const gos_system *s = k->s;
    gos_step_products *p = GOS_NEW(k->a, gos_step_products, s->npoints + 1);
    GOS_TRY(p ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < s->npoints; i++) {
        const gos_gram *g = s->points[i]->gram;
        double *stress = GOS_NEW(k->a, double, g->pairs);
        GOS_TRY(stress ? GOS_OK : GOS_E_MEMORY);
        if (g->rank > 0) {
            cblas_dgemv(CblasRowMajor, CblasTrans, g->rank, g->pairs, 1, g->U, g->pairs, g->e, 1, 0,
                        stress, 1);
        }
        p[i] = (gos_step_products){.m = g->m,
                                   .all = g->all,
                                   .pairs = g->pairs,
                                   .first = s->points[i]->v[0],
                                   .damped = s->points[i]->rates && g->vrank > 0,
                                   .g0 = g->g0,
                                   .stress = stress};
        GOS_TRY(square(k, g->rank, g->pairs, g->U, &p[i].stiffness));
        GOS_TRY(square(k, g->vrank, g->pairs, g->V, &p[i].damping));
    }
    k->model->tables.products = p;
    k->model->tables.nproducts = s->npoints;
    return GOS_OK;
}

static gos_status store(const making *k) {
    const gos_system *s = k->s;
    const gos_state *x = k->state;
    gos_step_tables *t = &k->model->tables;
    const size_t nq = (size_t)s->nq;
    double *start = k->model->start = GOS_NEW(k->a, double, 2 * nq + (size_t)s->nc + 1);
    GOS_TRY(start ? GOS_OK : GOS_E_MEMORY);
    memcpy(start, x->q, nq * sizeof *start);
    memcpy(start + nq, x->v, nq * sizeof *start);
    memcpy(start + 2 * nq, x->lam, (size_t)s->nc * sizeof *start);
    t->nv = s->nv;
    t->nc = s->nc;
    GOS_TRY(store_markers(k));
    GOS_TRY(store_inertia(k));
    GOS_TRY(store_products(k));
    GOS_TRY(store_terms(k, &k->force, &t->force));
    GOS_TRY(store_terms(k, &k->row, &t->row));
    return store_terms(k, &k->output, &t->output);
}

static gos_status list_inputs(making *k) {
    gos_input *list;
    GOS_TRY(gos__inputs_list(k->s, k->a, &list, &k->model->tables.nu));
    k->model->input = list;
    k->input_of = GOS_NEW(k->a, int, k->s->nfn + 1);
    GOS_TRY(k->input_of ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k->s->nfn; i++) {
        k->input_of[i] = -1;
    }
    for (int i = 0; i < k->model->tables.nu; i++) {
        k->input_of[list[i].fn] = i;
    }
    return GOS_OK;
}

static gos_status make(making *k) {
    const gos_system *s = k->s;
    GOS_TRY(check(k->ctx, s));
    GOS_TRY(list_inputs(k));
    for (int i = 0; i < s->nitem; i++) {
        GOS_TRY(add_item(k, s->item[i]));
    }
    k->model->output = GOS_NEW(k->a, gos_port, gos__outputs_count(s) + 1);
    GOS_TRY(k->model->output ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < s->nprobe; i++) {
        GOS_TRY(add_probe(k, s->probe[i]));
    }
    if (k->model->tables.ny == 0) {
        return gos__fail(k->ctx, GOS_E_INPUT,
                         "the model has no outputs that can be exported; add probes of positions, "
                         "displacements, velocities or angular velocities");
    }
    return store(k);
}

gos_status gos__polynomial_model_make(gos_ctx *ctx, gos_arena *a, const gos_system *sys,
                                      const gos_state *state, double step,
                                      gos_polynomial_model *model) {
    making k = {.ctx = ctx, .a = a, .s = sys, .state = state, .model = model};
    *model = (gos_polynomial_model){.tables.step = step};
    if (!(step > 0 && step < HUGE_VAL)) {
        return gos__fail(ctx, GOS_E_USE, "a model of fixed step requires a step > 0 s");
    }
    const gos_status status = make(&k);
    gos__free(ctx, k.marker);
    gos__free(ctx, k.force.term);
    gos__free(ctx, k.row.term);
    gos__free(ctx, k.output.term);
    return status;
}
