/* Amounts of loads and heat that depend on probes: u = g(t, y), y = y(x, x', T) of the probes' markers.

   An item whose functions of time name probes is put into another one that has the markers of these
   probes behind its own. That one knows all it needs at an evaluation, wherever coordinates lie and whether
   the system is reduced: it evaluates the probes, the amounts, and then the item with these amounts. With
   f(x, u) the forces of the item,

       df/dx = f_x + f_u g_y y_x,   df/dx' = f_u g_y y_x',   df/dT = f_u g_y y_T,

   heat likewise. f_u is what the item declares for linear models (by_amount), g_y comes from the expression
   (model/derivative.c), y_x from the quantity: exact where it is a linear function of its markers or an angle,
   else by differences of fourth order, which are exact to rounding for the polynomials that components
   in turning axes and angular velocities are.

   Angles count full turns: the value at the end of the last step is remembered. */
#include "system/feedback.h"

#include <math.h>

#include "parts/marker.h"

#define NX (3 * GOS_ITEM_MARKERS)
#define NT GOS_ITEM_TMARKERS

/* A component of a probe that an amount depends on; its markers are those of the item, one each. */
typedef struct source {
    gos_probe probe;
    int component;
    int memory; // where its last value is remembered, -1: nowhere
} source;

/* One function of the item that depends on probes. */
typedef struct amount {
    const gos_timefn *fn;
    int index;                          // which of the item's functions
    int n, source[GOS_LIMIT_VARIABLES]; // its sources (n)
    const gos_amount *declared;
} amount;

typedef struct feedback {
    gos_item inner; // the item as it would be without probes
    int nsource, namount;
    source *source; // (nsource)
    amount *amount; // (namount)
} feedback;

/* ---- probes at an evaluation ----------------------------------------------------------------- */

static gos_state state_of(const gos_item_io *io) {
    return (gos_state){.t = io->t,
                       .load = io->scale,
                       .q = (double *)io->x,
                       .v = (double *)io->xd,
                       .th = (double *)io->th};
}

static double component_of(const source *s, const gos_state *x, const double *near) {
    double y[GOS_PROBE_MAX];
    gos__probe_evaluate(NULL, x, &s->probe, y);
    if (near) {
        gos__probe_unwrap(&s->probe, near, y);
    }
    return y[s->component];
}

static const double *remembered(const source *s, const gos_item_io *io) {
    return s->memory >= 0 ? io->mem + s->memory : NULL;
}

/* derivatives of a source by marker values, their rates, and temperatures */
typedef struct gradient {
    double x[NX], v[NX], th[NT];
} gradient;

/* of fourth order; *number is one of the state's */
static double difference(const source *s, const gos_state *x, const double *near, double *number) {
    const double base = *number, h = 0x1p-10 * fmax(1, fabs(base));
    double y[4];
    for (int k = 0; k < 4; k++) {
        *number = base + h * (double)(k < 2 ? k - 2 : k - 1);
        y[k] = component_of(s, x, near);
    }
    *number = base;
    return ((y[0] - y[3]) / 12 + (y[2] - y[1]) * 8 / 12) / h;
}

static void by_differences(const source *s, const gos_item_io *io, int nm, int ntm, gradient *g) {
    double q[NX], v[NX], th[NT + 1], near[GOS_PROBE_MAX];
    gos_state x = state_of(io);
    memcpy(q, io->x, (size_t)(3 * nm) * sizeof *q);
    memcpy(v, io->xd, (size_t)(3 * nm) * sizeof *v);
    memcpy(th, io->th, (size_t)ntm * sizeof *th);
    x.q = q;
    x.v = v;
    x.th = th;
    gos__probe_evaluate(NULL, &x, &s->probe, near);
    for (int k = 0; k < s->probe.nm; k++) {
        for (int c = 0; c < 3 && s->probe.m[k].n > 0; c++) {
            const int i = 3 * s->probe.m[k].idx[0] + c;
            g->x[i] = difference(s, &x, near, &q[i]);
            g->v[i] = difference(s, &x, near, &v[i]);
        }
    }
    for (int k = 0; k < s->probe.ntm; k++) {
        const int i = s->probe.tm[k].idx[0];
        g->th[i] = difference(s, &x, near, &th[i]);
    }
}

static void add_component(const gos_marker *m, int c, double factor, double *to) {
    if (m->n > 0) {
        to[3 * m->idx[0] + c] += factor;
    }
}

static void gradient_of(const source *s, const gos_item_io *io, int nm, int ntm, gradient *g) {
    const gos_probe *p = &s->probe;
    const gos_output_form form = p->quantity->output;
    double d[9];
    memset(g, 0, sizeof *g);
    if (form == GOS_OUTPUT_TEMPERATURE) {
        g->th[p->tm[s->component].idx[0]] = 1;
    } else if (form == GOS_OUTPUT_SIGNAL) {
        for (int k = 0; k < p->nm; k++) {
            add_component(&p->m[k], k % 3, 1, k < 3 ? g->x : g->v);
        }
        for (int k = 0; k < p->ntm; k++) {
            g->th[p->tm[k].idx[0]] += 1;
        }
    } else if ((form == GOS_OUTPUT_POSITION || form == GOS_OUTPUT_VELOCITY) && !p->framed) {
        for (int c = 0; c < 3; c++) {
            const double along = p->scalar ? p->direction[c] : (double)(c == s->component);
            add_component(&p->m[0], c, along, form == GOS_OUTPUT_POSITION ? g->x : g->v);
        }
    } else if (gos__probe_angle_gradient(&(gos_state){.q = (double *)io->x}, p, d)) {
        for (int k = 0; k < 9; k++) {
            add_component(&p->m[1 + k / 3], k % 3, d[k], g->x);
        }
    } else {
        by_differences(s, io, nm, ntm, g);
    }
}

/* ---- evaluation ------------------------------------------------------------------------------ */

/* values of an amount's sources */
static void read_sources(const feedback *f, const amount *a, const gos_item_io *io, double *y) {
    const gos_state x = state_of(io);
    for (int k = 0; k < a->n; k++) {
        const source *s = &f->source[a->source[k]];
        y[k] = component_of(s, &x, remembered(s, io));
    }
}

/* inputs of the item inside: its functions of time with the amounts in their places, no outputs */
static gos_item_io inside(const feedback *f, const gos_item_io *io, double *fn) {
    const gos_item_io in = {.t = io->t,
                            .fn = fn,
                            .fnd = io->fnd,
                            .fndd = io->fndd,
                            .scale = io->scale,
                            .x = io->x,
                            .xd = io->xd,
                            .th = io->th,
                            .lam = io->lam,
                            .mem = io->mem};
    memcpy(fn, io->fn, (size_t)f->inner.nfn * sizeof *fn);
    for (int k = 0; k < f->namount; k++) {
        double y[GOS_LIMIT_VARIABLES];
        read_sources(f, &f->amount[k], io, y);
        fn[f->amount[k].index] = gos__timefn_at(f->amount[k].fn, io->t, y, NULL);
    }
    return in;
}

/* to (rows, n) += from (rows, m), n >= m */
static void spread(int rows, int n, int m, const double *from, double *to) {
    for (int i = 0; i < rows * m; i++) {
        to[i / m * n + i % m] += from[i];
    }
}

static void own_derivatives(const feedback *f, const gos_item *it, const gos_item_io *io,
                            gos_item_io in) {
    const gos_item *inner = &f->inner;
    const int n = 3 * inner->nm, nx = 3 * it->nm, nt = inner->ntm;
    double fx[NX * NX], fv[NX * NX], heat_x[NT * NX], heat_th[NT * NT];
    memset(fx, 0, (size_t)(n * n) * sizeof *fx);
    memset(fv, 0, (size_t)(n * n) * sizeof *fv);
    memset(heat_x, 0, (size_t)(nt * n) * sizeof *heat_x);
    memset(heat_th, 0, (size_t)(nt * nt) * sizeof *heat_th);
    in.fx = io->fx ? fx : NULL;
    in.fv = io->fv ? fv : NULL;
    in.heat_x = io->heat_x ? heat_x : NULL;
    in.heat_th = io->heat_th ? heat_th : NULL;
    inner->type->eval(inner, &in);
    if (io->fx) {
        spread(n, nx, n, fx, io->fx);
    }
    if (io->fv) {
        spread(n, nx, n, fv, io->fv);
    }
    if (io->heat_x) {
        spread(nt, nx, n, heat_x, io->heat_x);
    }
    if (io->heat_th) {
        spread(nt, it->ntm, nt, heat_th, io->heat_th);
    }
}

/* A (n, m) += factor a b^T, with rows m long */
static void add_product(double *A, int n, int m, double factor, const double *a, const double *b) {
    for (int i = 0; i < n && A; i++) {
        for (int j = 0; j < m && a[i] != 0; j++) {
            A[i * m + j] += factor * a[i] * b[j];
        }
    }
}

/* what an amount's dependence adds to the derivatives */
static void add_dependence(const feedback *f, const amount *a, const gos_item *it,
                           const gos_item_io *io, const gos_item_io *in) {
    const gos_item *inner = &f->inner;
    double y[GOS_LIMIT_VARIABLES], dy[GOS_LIMIT_VARIABLES], force[NX] = {0}, heat[NT] = {0};
    gos_item_io by = *in;
    gradient g;
    by.f = force;
    by.heat = heat;
    inner->type->by_amount(inner, &by, a->declared);
    read_sources(f, a, io, y);
    (void)gos__timefn_at(a->fn, io->t, y, dy);
    for (int k = 0; k < a->n; k++) {
        gradient_of(&f->source[a->source[k]], io, it->nm, it->ntm, &g);
        add_product(io->fx, 3 * inner->nm, 3 * it->nm, dy[k], force, g.x);
        add_product(io->fv, 3 * inner->nm, 3 * it->nm, dy[k], force, g.v);
        add_product(io->f_th, 3 * inner->nm, it->ntm, dy[k], force, g.th);
        add_product(io->heat_x, inner->ntm, 3 * it->nm, dy[k], heat, g.x);
        add_product(io->heat_v, inner->ntm, 3 * it->nm, dy[k], heat, g.v);
        add_product(io->heat_th, inner->ntm, it->ntm, dy[k], heat, g.th);
    }
}

static void eval(const gos_item *it, const gos_item_io *io) {
    const feedback *f = it->par;
    double fn[GOS_ITEM_FUNCTIONS];
    gos_item_io in = inside(f, io, fn);
    in.f = io->f;
    in.heat = io->heat;
    if (in.f || in.heat) {
        f->inner.type->eval(&f->inner, &in);
        in.f = in.heat = NULL;
    }
    if (io->fx || io->fv || io->f_th || io->heat_x || io->heat_v || io->heat_th) {
        own_derivatives(f, it, io, in);
        for (int k = 0; k < f->namount; k++) {
            add_dependence(f, &f->amount[k], it, io, &in);
        }
    }
}

static void by_amount(const gos_item *it, const gos_item_io *io, const gos_amount *k) {
    const feedback *f = it->par;
    double fn[GOS_ITEM_FUNCTIONS];
    gos_item_io in = inside(f, io, fn);
    in.f = io->f;
    in.heat = io->heat;
    f->inner.type->by_amount(&f->inner, &in, k);
}

static bool accept(const gos_item *it, const gos_item_io *io, double *mem) {
    const feedback *f = it->par;
    const gos_state x = state_of(io);
    for (int k = 0; k < f->nsource; k++) {
        const source *s = &f->source[k];
        double y[GOS_PROBE_MAX];
        if (s->memory >= 0) {
            gos__probe_evaluate(NULL, &x, &s->probe, y);
            gos__probe_unwrap(&s->probe, io->mem + s->memory, y);
            memcpy(mem + s->memory, y, (size_t)s->probe.ncomp * sizeof *y);
        }
    }
    return false;
}

static const gos_item_type type_feedback = {
    .name = "feedback", .eval = eval, .accept = accept, .by_amount = by_amount};

/* ---- making ---------------------------------------------------------------------------------- */

typedef struct maker {
    gos_builder *b;
    gos_item *item; // that is being changed
    feedback *f;
    gos_loc loc;
    const char *object;
} maker;

static bool same_marker(const gos_marker *a, const gos_marker *b) {
    const size_t n = (size_t)a->n;
    return a->n == b->n && memcmp(a->off, b->off, sizeof a->off) == 0 &&
           memcmp(a->idx, b->idx, n * sizeof *a->idx) == 0 &&
           memcmp(a->w, b->w, n * sizeof *a->w) == 0;
}

/* *to := the value of the item's marker that is m, which it gets where it has none; fixed ones stay */
static gos_status take_marker(maker *k, const gos_marker *m, gos_marker *to) {
    gos_item *it = k->item;
    const double one = 1;
    int i = 0;
    if (m->n == 0) {
        *to = *m;
        return GOS_OK;
    }
    while (i < it->nm && !same_marker(&it->m[i], m)) {
        i++;
    }
    if (i == GOS_ITEM_MARKERS) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, k->loc, k->object,
                            "its probes read more places than an entry can (%d vectors); make a "
                            "sum of several entries",
                            GOS_ITEM_MARKERS);
    }
    if (i == it->nm) {
        it->m[it->nm++] = *m;
    }
    return gos__marker_make(k->b->arena, 1, &i, &one, NULL, to);
}

static gos_status take_tmarker(maker *k, const gos_tmarker *m, gos_tmarker *to) {
    gos_item *it = k->item;
    const double one = 1;
    const size_t n = (size_t)m->n;
    int i = 0;
    while (i < it->ntm &&
           !(it->tm[i].n == m->n && memcmp(it->tm[i].idx, m->idx, n * sizeof *m->idx) == 0 &&
             memcmp(it->tm[i].w, m->w, n * sizeof *m->w) == 0)) {
        i++;
    }
    if (i == GOS_ITEM_TMARKERS) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, k->loc, k->object,
                            "its probes read more temperatures than an entry can (%d); make a "
                            "sum of several entries",
                            GOS_ITEM_TMARKERS);
    }
    if (i == it->ntm) {
        it->tm[it->ntm++] = *m;
    }
    return gos__tmarker_make(k->b->arena, 1, &i, &one, to);
}

/* can it be a function of coordinates, rates and temperatures at an evaluation? */
static gos_status check_probe(const maker *k, const gos_probe *p) {
    const char *why = NULL;
    const int needs = p->quantity->needs;
    if (p->nrecovered > 0) {
        why = "is that of a floating body of a mesh, a sum over all of its coordinates; use a "
              "displacement there";
    } else if (needs & GOS_NEEDS_JOINT) {
        why = "follows from the forces that it would change; use a section_force, or the strain or "
              "displacement that goes with it";
    } else if (needs & GOS_NEEDS_NOTHING) {
        why = "is no function of places that has a derivative here; use positions, velocities, "
              "angles, strains or temperatures";
    } else if (p->quantity->output == GOS_OUTPUT_NONE) {
        why = "follows from the forces that it would change; use a velocity, or position";
    } else if (needs & GOS_NEEDS_HINGE) {
        why = "remembers a latch; use the angle and angular_velocity of the bodies of its hinge";
    } else if ((needs & GOS_NEEDS_SECTION) && p->item) {
        why = "is that of a section frame that is carried along; give the body a `normal` or "
              "`frame: reference`";
    } else if (p->nfeed > 0) {
        why = "shows inputs of its body at once, so that they form a loop; use an output that "
              "depends on coordinates and rates alone";
    }
    return why ? gos__fail_at(k->b->ctx, GOS_E_INPUT, k->loc, k->object,
                              "it cannot depend on probe '%s': its %s %s", p->name,
                              gos__probe_quantity(p), why)
               : GOS_OK;
}

/* the source of a probe, its markers among those of the item; component is set later */
static gos_status fill_source(maker *k, const gos_probe *p, source *s) {
    gos_item *it = k->item;
    const bool whole = (p->quantity->needs & (GOS_NEEDS_RIGID | GOS_NEEDS_SECTION)) == 0;
    *s = (source){.probe = *p, .memory = -1};
    for (int i = 0; i < p->nm; i++) {
        s->probe.m[i] = (gos_marker){0}; // turning and strain do not ask where the place is
        if (i > 0 || whole) {
            GOS_TRY(take_marker(k, &p->m[i], &s->probe.m[i]));
        }
    }
    s->probe.tm = GOS_NEW(k->b->arena, gos_tmarker, p->ntm + 1);
    if (!s->probe.tm) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < p->ntm; i++) {
        GOS_TRY(take_tmarker(k, &p->tm[i], &s->probe.tm[i]));
    }
    if (gos__probe_turns(p)) { // begins at 0: what it counts is turned since t = 0
        s->memory = it->nmem;
        it->nmem += p->ncomp;
    }
    return GOS_OK;
}

/* source of a name as it stands in an expression: PROBE or PROBE.COMPONENT */
static gos_status find_source(maker *k, const char *name, gos_probe *const *probe, int nprobe,
                              int *number) {
    const char *dot = strchr(name, '.');
    const size_t n = dot ? (size_t)(dot - name) : strlen(name);
    const gos_probe *p = NULL;
    for (int i = 0; i < nprobe; i++) {
        const bool same = strncmp(probe[i]->name, name, n) == 0 && probe[i]->name[n] == '\0';
        p = same ? probe[i] : p;
    }
    if (!p) {
        return GOS_E_INPUT; // what is wrong with the probe has been said
    }
    int component = 0;
    GOS_TRY(check_probe(k, p));
    GOS_TRY(
        gos__probe_component(k->b->ctx, p, dot ? dot + 1 : NULL, k->loc, k->object, &component));
    *number = k->f->nsource++;
    GOS_TRY(fill_source(k, p, &k->f->source[*number]));
    k->f->source[*number].component = component;
    return GOS_OK;
}

static const gos_amount *declared_of(const gos_item *it, int fn) {
    for (int k = 0; k < it->namount; k++) {
        if (it->amount[k].fn == fn) {
            return &it->amount[k];
        }
    }
    return NULL;
}

static gos_status fill_amount(maker *k, int index, gos_probe *const *probe, int nprobe) {
    const gos_timefn *fn = k->b->fn[k->item->fn0 + index];
    const char *const *name;
    amount *a = &k->f->amount[k->f->namount];
    *a = (amount){.fn = fn, .index = index, .declared = declared_of(&k->f->inner, index)};
    a->n = gos__timefn_variables(fn, &name);
    if (a->n == 0) {
        return GOS_OK;
    }
    k->loc = gos__timefn_place(fn, &k->object);
    if (!a->declared || !k->f->inner.type->by_amount) {
        return gos__fail_at(k->b->ctx, GOS_E_INTERNAL, k->loc, k->object,
                            "depends on probes, but is not declared as an amount");
    }
    k->f->namount++;
    for (int i = 0; i < a->n; i++) {
        GOS_TRY(find_source(k, name[i], probe, nprobe, &a->source[i]));
    }
    return GOS_OK;
}

/* how many names of probes the functions of an item have */
static int names_of(const gos_builder *b, const gos_item *it) {
    const char *const *name;
    int n = 0;
    for (int k = 0; k < it->nfn; k++) {
        n += gos__timefn_variables(b->fn[it->fn0 + k], &name);
    }
    return n;
}

static gos_status wrap(gos_builder *b, gos_item *it, int names, gos_probe *const *probe,
                       int nprobe) {
    maker k = {.b = b, .item = it, .f = GOS_NEW(b->arena, feedback, 1)};
    gos_tmarker *tm = GOS_NEW(b->arena, gos_tmarker, GOS_ITEM_TMARKERS);
    if (!k.f || !tm) {
        return GOS_E_MEMORY;
    }
    k.f->inner = *it;
    k.f->source = GOS_NEW(b->arena, source, names);
    k.f->amount = GOS_NEW(b->arena, amount, it->nfn);
    if (!k.f->source || !k.f->amount) {
        return GOS_E_MEMORY;
    }
    if (it->ntm > 0) {
        memcpy(tm, it->tm, (size_t)it->ntm * sizeof *tm);
    }
    it->tm = tm;
    for (int i = 0; i < it->nfn; i++) {
        GOS_TRY(fill_amount(&k, i, probe, nprobe));
    }
    double *memory = GOS_NEW(b->arena, double, it->nmem + 1);
    if (!memory) {
        return GOS_E_MEMORY;
    }
    it->type = &type_feedback;
    it->par = k.f;
    it->memory = memory;
    it->dead = false;
    it->mixed = it->nm > 0 && it->ntm > 0;
    return GOS_OK;
}

/* outputs that show an amount at once would have to know what it depends on */
static gos_status check_feeds(gos_builder *b, const gos_probe *p) {
    const char *const *name;
    const char *object;
    for (int k = 0; k < p->nfeed; k++) {
        const gos_timefn *fn = b->fn[p->feed_fn[k]];
        if (gos__timefn_variables(fn, &name) > 0) {
            const gos_loc loc = gos__timefn_place(fn, &object);
            return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                                "it cannot depend on probes while probe '%s' shows it at once; "
                                "remove one of them",
                                p->name);
        }
    }
    return GOS_OK;
}

gos_status gos__feedback_make(gos_builder *b, gos_probe *const *probe, int nprobe) {
    gos_status status = GOS_OK;
    for (int i = 0; i < b->nitem; i++) {
        const int names = names_of(b, b->item[i]);
        const gos_status s = names > 0 ? wrap(b, b->item[i], names, probe, nprobe) : GOS_OK;
        status = status == GOS_OK ? s : status;
    }
    for (int i = 0; i < nprobe && status == GOS_OK; i++) {
        status = check_feeds(b, probe[i]);
    }
    return status;
}

bool gos__item_feeds_back(const gos_item *it) {
    return it->type == &type_feedback;
}

const gos_item *gos__feedback_item(const gos_system *s) {
    for (int i = 0; i < s->nitem; i++) {
        if (gos__item_feeds_back(s->item[i])) {
            return s->item[i];
        }
    }
    return NULL;
}
