/* See loop_signal.h. */
#include "signals/loop_signal.h"

#include "signals/loops.h"
#include "system/derived.h"

typedef struct signal {
    const gos_timefn *fn; // of time and sources; NULL: the first source itself
    int n;
    gos_source source[GOS_LIMIT_VARIABLES]; // (n)
    gos_signal_direct direct;
} signal;

static void read_sources(const signal *s, const gos_item_io *io, double *y) {
    for (int k = 0; k < s->n; k++) {
        y[k] = gos__source_value(&s->source[k], io);
    }
}

double gos__signal_value(const gos_item *it, const gos_item_io *io) {
    const signal *s = it->par;
    double y[GOS_LIMIT_VARIABLES];
    read_sources(s, io, y);
    return s->fn ? gos__timefn_at(s->fn, io->t, y, NULL) : y[0];
}

void gos__signal_gradient(const gos_item *it, const gos_item_io *io, gos_source_gradient *g) {
    const signal *s = it->par;
    double y[GOS_LIMIT_VARIABLES], dy[GOS_LIMIT_VARIABLES] = {1};
    gos_source_gradient one;
    memset(g, 0, sizeof *g);
    if (s->fn) {
        read_sources(s, io, y);
        (void)gos__timefn_at(s->fn, io->t, y, dy);
    }
    for (int k = 0; k < s->n; k++) {
        gos__source_gradient(&s->source[k], io, it->nm, it->ntm, &one);
        for (int i = 0; i < 3 * it->nm; i++) {
            g->x[i] += dy[k] * one.x[i];
            g->v[i] += dy[k] * one.v[i];
        }
        for (int i = 0; i < it->ntm; i++) {
            g->th[i] += dy[k] * one.th[i];
        }
    }
}

const gos_signal_direct *gos__signal_direct(const gos_item *it) {
    return &((const signal *)it->par)->direct;
}

/* feed-through of inputs without a controller */
static double direct_at(const gos_item *it, const gos_state *x) {
    const gos_signal_direct *d = gos__signal_direct(it);
    double y = 0;
    for (int j = 0; j < d->n; j++) {
        y += x->sys->loops->governor[d->fn[j]] >= 0
                 ? 0
                 : d->factor[j] * gos__state_function(x, d->fn[j], x->t, NULL, NULL);
    }
    return y;
}

double gos__signal_at(const gos_item *it, const gos_state *x) {
    double q[GOS_SOURCE_X], v[GOS_SOURCE_X], th[GOS_ITEM_TMARKERS + 1];
    if (it->pulled) {
        gos__derived_refresh(x);
    }
    for (int m = 0; m < it->nm; m++) {
        gos__marker_value(&it->m[m], x->q, q + 3 * m);
        gos__marker_rate(&it->m[m], x->v, v + 3 * m);
    }
    for (int m = 0; m < it->ntm; m++) {
        th[m] = gos__tmarker_value(&it->tm[m], x->th);
    }
    const gos_item_io io = {
        .t = x->t, .scale = 1, .x = q, .xd = v, .th = th, .mem = x->mem + it->m0};
    return gos__signal_value(it, &io) + direct_at(it, x);
}

static void eval(const gos_item *it, const gos_item_io *io) {
    GOS_UNUSED(it); // reads only
    GOS_UNUSED(io);
}

static bool accept(const gos_item *it, const gos_item_io *io, double *mem) {
    const signal *s = it->par;
    for (int k = 0; k < s->n; k++) {
        gos__source_remember(&s->source[k], io, mem);
    }
    return false;
}

static const gos_item_type type_signal = {.name = "signal", .eval = eval, .accept = accept};

static bool is_component(const char *text) {
    for (const char *c = text; *c; c++) {
        const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        if (!letter && *c != '.' && !(*c >= '0' && *c <= '9' && c != text)) {
            return false;
        }
    }
    return *text != '\0';
}

static gos_status unknown_probe(gos_source_maker *k, const char *text) {
    const char **names = GOS_NEW(k->b->arena, const char *, k->nprobe + 1);
    GOS_TRY(names ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k->nprobe; i++) {
        names[i] = k->probe[i]->name;
    }
    const char *near = gos__suggest(text, names, k->nprobe);
    return gos__fail_at(
        k->b->ctx, GOS_E_INPUT, k->loc, k->object,
        near ? "there is no probe '%.64s'; did you mean '%s'?"
             : "there is no probe '%.64s'%.0s; add it under 'probes:', or name ELECTRODE.charge",
        text, near ? near : "");
}

static gos_status read_expression(gos_source_maker *k, const gos_node *node, signal *s) {
    gos_timefn *fn;
    const char *const *name;
    const gos_scope scope = {.time = true, .probes = true};
    GOS_TRY(gos__timefn_make(k->b->model, node, k->object, &scope, k->b->arena, &fn));
    GOS_TRY(gos__add_timefns(k->b, 1, &fn, &k->item->fn0));
    k->item->nfn = 1;
    s->fn = fn;
    s->n = gos__timefn_variables(fn, &name);
    for (int i = 0; i < s->n; i++) {
        GOS_TRY(gos__source_find(k, name[i], &s->source[i]));
    }
    return GOS_OK;
}

/* a probe component; the loop handles its feed-through */
static gos_status read_component(gos_source_maker *k, const gos_probe *p, const char *component,
                                 signal *s) {
    s->n = 1;
    k->direct = true;
    GOS_TRY(gos__source_take(k, p, component, &s->source[0]));
    s->direct = (gos_signal_direct){.n = p->nfeed, .fn = p->feed_fn, .factor = p->feed};
    return GOS_OK;
}

gos_status gos__signal_make(gos_builder *b, const gos_controller *c, int k, gos_probe *const *probe,
                            int nprobe, const gos_item **item) {
    const gos_control_name *of = &c->signal[k];
    signal *s = GOS_NEW(b->arena, signal, 1);
    gos_item it = {.type = &type_signal,
                   .par = s,
                   .loc = of->loc,
                   .name = gos__arena_printf(b->arena, "signal '%s' of %s", of->text, c->object),
                   .entry = c->name,
                   .watches = true,
                   .dead = true};
    it.tm = GOS_NEW(b->arena, gos_tmarker, GOS_ITEM_TMARKERS);
    gos_source_maker to = {
        .b = b, .item = &it, .loc = of->loc, .object = c->object, .probe = probe, .nprobe = nprobe};
    if (!s || !it.name || !it.tm) {
        return GOS_E_MEMORY;
    }
    const char *dot = strchr(of->text, '.');
    const gos_probe *named = is_component(of->text) ? gos__source_probe(&to, of->text) : NULL;
    gos_probe *own = NULL; // of an electrode
    GOS_TRY(named ? GOS_OK : gos__probe_of_signal(b, of->text, of->loc, c->object, &own));
    if (named || own) {
        GOS_TRY(read_component(&to, named ? named : own, named && dot ? dot + 1 : NULL, s));
    } else if (of->node && !is_component(of->text)) {
        GOS_TRY(read_expression(&to, of->node, s));
    } else {
        return unknown_probe(&to, of->text);
    }
    it.memory = GOS_NEW(b->arena, double, it.nmem + 1); // turns since t = 0
    GOS_TRY(it.memory ? GOS_OK : GOS_E_MEMORY);
    gos_item *derived;
    GOS_TRY(gos__add_item(b, &it, &derived));
    *item = derived;
    return GOS_OK;
}
