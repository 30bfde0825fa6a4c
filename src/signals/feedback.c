/* Loads and heat with inputs u = g(t, y), y = y(x, x', T) the probes.

   An outer item appends the probes' markers, evaluates probes, inputs and then the item. With f(x,
   u) the forces of the item,
     df/dx = f_x + f_u g_y y_x,   df/dx' = f_u g_y y_x',   df/dT = f_u g_y y_T,
   heat likewise: f_u from by_input, g_y from the expression (model/derivative.c), y_x from the
   quantity (probe_source.h). */
#include "signals/feedback.h"

#include <math.h>

#include "probes/probe_source.h"

#define NX GOS_SOURCE_X
#define NT GOS_ITEM_TMARKERS

typedef struct driven_input {
    const gos_timefn *fn;
    int index;                          // index among the item's functions
    int n, source[GOS_LIMIT_VARIABLES]; // sources (n)
    const gos_input_def *declared;
} driven_input;

typedef struct feedback {
    gos_item inner; // the wrapped item
    int nsource, ninput;
    gos_source *source;  // (nsource)
    driven_input *input; // (ninput)
} feedback;

static void read_sources(const feedback *f, const driven_input *a, const gos_item_io *io,
                         double *y) {
    for (int k = 0; k < a->n; k++) {
        y[k] = gos__source_value(&f->source[a->source[k]], io);
    }
}

/* inputs of the wrapped item: u replaces its time functions; no outputs */
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
    for (int k = 0; k < f->ninput; k++) {
        double y[GOS_LIMIT_VARIABLES];
        read_sources(f, &f->input[k], io, y);
        fn[f->input[k].index] = gos__timefn_at(f->input[k].fn, io->t, y, NULL);
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
    double fx[NX * NX], fv[NX * NX], f_th[NX * NT], heat_x[NT * NX], heat_v[NT * NX],
        heat_th[NT * NT];
    const struct {
        double *own, *to, **in;
        int rows, columns, wide;
    } block[] = {{fx, io->fx, &in.fx, n, n, nx},
                 {fv, io->fv, &in.fv, n, n, nx},
                 {f_th, io->f_th, &in.f_th, n, nt, it->ntm},
                 {heat_x, io->heat_x, &in.heat_x, nt, n, nx},
                 {heat_v, io->heat_v, &in.heat_v, nt, n, nx},
                 {heat_th, io->heat_th, &in.heat_th, nt, nt, it->ntm}};
    for (int k = 0; k < GOS_COUNT(block); k++) {
        const bool own = k == 2 || k == 4 ? inner->mixed : true;
        *block[k].in = block[k].to && own ? block[k].own : NULL;
        if (*block[k].in) {
            memset(block[k].own, 0,
                   (size_t)(block[k].rows * block[k].columns) * sizeof *block[k].own);
        }
    }
    inner->type->eval(inner, &in);
    for (int k = 0; k < GOS_COUNT(block); k++) {
        if (*block[k].in) {
            spread(block[k].rows, block[k].wide, block[k].columns, block[k].own, block[k].to);
        }
    }
}

/* A (n, m) += factor a b^T */
static void add_product(double *A, int n, int m, double factor, const double *a, const double *b) {
    for (int i = 0; i < n && A; i++) {
        for (int j = 0; j < m && a[i] != 0; j++) {
            A[i * m + j] += factor * a[i] * b[j];
        }
    }
}

/* adds the derivatives due to probes */
static void add_dependence(const feedback *f, const driven_input *a, const gos_item *it,
                           const gos_item_io *io, const gos_item_io *in) {
    const gos_item *inner = &f->inner;
    double y[GOS_LIMIT_VARIABLES], dy[GOS_LIMIT_VARIABLES], force[NX] = {0}, heat[NT] = {0};
    gos_item_io by = *in;
    gos_source_gradient g;
    by.f = force;
    by.heat = heat;
    inner->type->by_input(inner, &by, a->declared);
    read_sources(f, a, io, y);
    (void)gos__timefn_at(a->fn, io->t, y, dy);
    for (int k = 0; k < a->n; k++) {
        gos__source_gradient(&f->source[a->source[k]], io, it->nm, it->ntm, &g);
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
    in.energy = io->energy;
    in.power = io->power;
    in.work = io->work;
    if (in.f || in.heat || in.energy) {
        f->inner.type->eval(&f->inner, &in);
        in.f = in.heat = in.energy = in.power = in.work = NULL;
    }
    if (io->fx || io->fv || io->f_th || io->heat_x || io->heat_v || io->heat_th) {
        own_derivatives(f, it, io, in);
        for (int k = 0; k < f->ninput; k++) {
            add_dependence(f, &f->input[k], it, io, &in);
        }
    }
}

static void by_input(const gos_item *it, const gos_item_io *io, const gos_input_def *k) {
    const feedback *f = it->par;
    double fn[GOS_ITEM_FUNCTIONS];
    gos_item_io in = inside(f, io, fn);
    in.f = io->f;
    in.heat = io->heat;
    f->inner.type->by_input(&f->inner, &in, k);
}

static void observe(const gos_item *it, const gos_item_io *io, double y[GOS_ITEM_OBSERVED]) {
    const feedback *f = it->par;
    double fn[GOS_ITEM_FUNCTIONS];
    const gos_item_io in = inside(f, io, fn);
    f->inner.type->observe(&f->inner, &in, y);
}

static bool accept(const gos_item *it, const gos_item_io *io, double *mem) {
    const feedback *f = it->par;
    for (int k = 0; k < f->nsource; k++) {
        gos__source_remember(&f->source[k], io, mem);
    }
    return false;
}

static const gos_item_type type_feedback = {
    .name = "feedback", .eval = eval, .accept = accept, .by_input = by_input};
/* wraps an observable item */
static const gos_item_type type_observed = {
    .name = "feedback", .eval = eval, .accept = accept, .by_input = by_input, .observe = observe};

typedef struct maker {
    gos_source_maker to; // the wrapped item
    feedback *f;
} maker;

static const gos_input_def *declared_of(const gos_item *it, int fn) {
    for (int k = 0; k < it->ninput; k++) {
        if (it->input[k].fn == fn) {
            return &it->input[k];
        }
    }
    return NULL;
}

static gos_status fill_input(maker *k, int index) {
    const gos_timefn *fn = k->to.b->fn[k->to.item->fn0 + index];
    const char *const *name;
    driven_input *a = &k->f->input[k->f->ninput];
    *a = (driven_input){.fn = fn, .index = index, .declared = declared_of(&k->f->inner, index)};
    a->n = gos__timefn_variables(fn, &name);
    if (a->n == 0) {
        return GOS_OK;
    }
    k->to.loc = gos__timefn_location(fn, &k->to.object);
    if (!a->declared || !k->f->inner.type->by_input) {
        return gos__fail_at(k->to.b->ctx, GOS_E_INTERNAL, k->to.loc, k->to.object,
                            "depends on probes, but is not declared as an input");
    }
    k->f->ninput++;
    for (int i = 0; i < a->n; i++) {
        a->source[i] = k->f->nsource++;
        GOS_TRY(gos__source_find(&k->to, name[i], &k->f->source[a->source[i]]));
    }
    return GOS_OK;
}

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
    maker k = {.to = {.b = b, .item = it, .probe = probe, .nprobe = nprobe},
               .f = GOS_NEW(b->arena, feedback, 1)};
    gos_tmarker *tm = GOS_NEW(b->arena, gos_tmarker, GOS_ITEM_TMARKERS);
    if (!k.f || !tm) {
        return GOS_E_MEMORY;
    }
    k.f->inner = *it;
    k.f->source = GOS_NEW(b->arena, gos_source, names);
    k.f->input = GOS_NEW(b->arena, driven_input, it->nfn);
    if (!k.f->source || !k.f->input) {
        return GOS_E_MEMORY;
    }
    if (it->ntm > 0) {
        memcpy(tm, it->tm, (size_t)it->ntm * sizeof *tm);
    }
    it->tm = tm;
    for (int i = 0; i < it->nfn; i++) {
        GOS_TRY(fill_input(&k, i));
    }
    double *memory = GOS_NEW(b->arena, double, it->nmem + 1);
    if (!memory) {
        return GOS_E_MEMORY;
    }
    it->type = k.f->inner.type->observe ? &type_observed : &type_feedback;
    it->par = k.f;
    it->memory = memory;
    it->dead = false;
    it->mixed = it->nm > 0 && it->ntm > 0;
    return GOS_OK;
}

/* outputs with direct feed-through would require the input's own probes */
static gos_status check_feeds(gos_builder *b, const gos_probe *p) {
    const char *const *name;
    const char *object;
    for (int k = 0; k < p->nfeed; k++) {
        const gos_timefn *fn = b->fn[p->feed_fn[k]];
        if (gos__timefn_variables(fn, &name) > 0) {
            const gos_loc loc = gos__timefn_location(fn, &object);
            return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                                "it cannot depend on probes while probe '%s' has direct "
                                "feedthrough from it; remove one of these dependencies",
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
    return it->type == &type_feedback || it->type == &type_observed;
}

const gos_item *gos__feedback_item(const gos_system *s) {
    for (int i = 0; i < s->nitem; i++) {
        if (gos__item_feeds_back(s->item[i])) {
            return s->item[i];
        }
    }
    return NULL;
}
