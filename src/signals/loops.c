/* Construction of controllers; see loops.h. */
#include "signals/loops.h"

#include <math.h>

#include "parts/first_order_states.h"
#include "signals/loop_signal.h"
#include "system/derived.h"

/* Direct feed-through of a controller's own output to its signals, e.g. capacitance times voltage
   in the charge of a driven electrode. See loops.h. */

typedef struct folding {
    gos_builder *b;
    const gos_loops *all;
    gos_control_loop *l;
    gos_controller *law; // with its own E and y0
    double *E, *y0;      // (n, nu), (ny)
} folding;

static gos_status refuse(const folding *f, int k, const char *why) {
    const gos_controller *c = f->l->law;
    return gos__fail_at(f->b->ctx, GOS_E_INPUT, c->signal[k].loc, c->object,
                        "its signal '%s' has direct feedthrough from its output '%s', %s; measure "
                        "a motional_charge, or electrodes that it does not drive",
                        c->signal[k].text, c->input[0].text, why);
}

static double *copy(const folding *f, const double *from, int m, int n) {
    const size_t size = (size_t)m * (size_t)n;
    double *to = GOS_NEW(f->b->arena, double, size + 1);
    if (to && from) {
        memcpy(to, from, size * sizeof *to);
    }
    return to;
}

/* copies the law before changing it */
static gos_status own_law(folding *f) {
    const gos_controller *c = f->l->law;
    if (f->law) {
        return GOS_OK;
    }
    f->law = GOS_NEW(f->b->arena, gos_controller, 1);
    f->E = copy(f, c->E, c->n, c->nu);
    f->y0 = copy(f, c->y0, c->ny, 1);
    GOS_TRY(f->law && f->E && f->y0 ? GOS_OK : GOS_E_MEMORY);
    *f->law = *c;
    f->law->E = f->E;
    f->law->y0 = f->y0;
    return GOS_OK;
}

/* signal k includes `factor` times output i: B (y + factor v - y0) + E (v - u0) = B (y - (y0 -
   factor u0)) + (E + B factor) (v - u0) */
static gos_status fold(folding *f, int k, int i, double factor) {
    const gos_controller *c = f->l->law;
    const size_t n = (size_t)c->n, at = (size_t)k * (size_t)c->nu;
    for (int j = 0; c->D && j < c->nu; j++) {
        if (c->D[at + (size_t)j] != 0) {
            return refuse(f, k, "and a feedthrough D, which closes an algebraic loop");
        }
    }
    if (c->delay > 0 || (c->signal_step && c->signal_step[k] > 0)) {
        return refuse(f, k,
                      c->delay > 0 ? "and its samples are delayed, so the observer would use "
                                     "voltages that are not yet applied"
                                   : "and a converter rounds the sum");
    }
    GOS_TRY(own_law(f));
    for (size_t r = 0; r < n && c->B; r++) {
        f->E[(size_t)i * n + r] += c->B[(size_t)k * n + r] * factor;
    }
    f->y0[k] -= c->u0 ? factor * c->u0[i] : 0;
    return GOS_OK;
}

static gos_status fold_function(folding *f, int number, int k, int fn, double factor) {
    const int governor = f->all->governor[fn];
    const gos_control_loop *l = f->l;
    if (governor >= 0 && governor != number) {
        return gos__fail_at(f->b->ctx, GOS_E_INPUT, l->law->signal[k].loc, l->law->object,
                            "its signal '%s' has direct feedthrough from %s; combine both in one "
                            "controller, or measure a motional_charge",
                            l->law->signal[k].text, f->all->loop[governor].law->object);
    }
    for (int i = 0; i < l->law->nu && governor >= 0; i++) {
        GOS_TRY(l->fn[i] == fn ? fold(f, k, i, factor) : GOS_OK);
    }
    return GOS_OK;
}

/* Move the feed-through of controller i's own output from its signals into E.
   @return GOS_E_INPUT if D passes such a signal on, the law is sampled with delay or rounded, or
   another controller drives that input */
static gos_status loop_fold_direct(gos_builder *b, const gos_loops *all, int number) {
    gos_control_loop *l = &all->loop[number];
    folding f = {.b = b, .all = all, .l = l};
    for (int k = 0; k < l->law->ny; k++) {
        const gos_signal_direct *d = gos__signal_direct(l->signal[k]);
        for (int j = 0; j < d->n; j++) {
            GOS_TRY(fold_function(&f, number, k, d->fn[j], d->factor[j]));
        }
        l->direct = l->direct || d->n > 0;
    }
    l->law = f.law ? f.law : l->law;
    return GOS_OK;
}

static gos_status add_states(gos_builder *b, const gos_controller *c) {
    const gos_states states = {.type = "controller",
                               .object = c->object,
                               .loc = c->loc,
                               .n = c->n,
                               .start = c->start,
                               .scale = c->scale,
                               .relative = true,
                               .of = c};
    int first;
    return gos__add_states(b, &states, &first);
}

gos_status gos__loops_states(gos_builder *b) {
    for (int i = 0; i < b->ncontroller; i++) {
        const gos_controller *c = &b->controller[i];
        if (c->period == 0 && c->n > 0) {
            GOS_TRY(add_states(b, c));
        }
    }
    return GOS_OK;
}

int gos__loops_first_state(const gos_builder *b, const gos_controller *c) {
    for (int i = 0; i < b->nbody; i++) {
        if (gos__states_are(b->body[i], c)) {
            return b->body[i]->t0;
        }
    }
    return -1;
}

static bool is_name(const char *name, const char *entry, const gos_input_def *a) {
    const size_t n = strlen(entry);
    return strncmp(name, entry, n) == 0 &&
           (a->component ? name[n] == '.' && strcmp(name + n + 1, a->component) == 0
                         : name[n] == '\0');
}

static const gos_input_def *among(const char *name, const char *entry, int n,
                                  const gos_input_def *input) {
    for (int k = 0; k < n; k++) {
        if (is_name(name, entry, &input[k])) {
            return &input[k];
        }
    }
    return NULL;
}

/* input of this name and its time function; NULL if there is none */
static const gos_input_def *find_input(const gos_builder *b, const char *name, int *fn) {
    for (int i = 0; i < b->nitem; i++) {
        const gos_item *it = b->item[i];
        const gos_input_def *a =
            it->ninput > 0 ? among(name, it->entry, it->ninput, it->input) : NULL;
        if (a) {
            *fn = it->fn0 + a->fn;
            return a;
        }
    }
    for (int i = 0; i < b->npoints; i++) {
        for (int k = 0; k < b->points[i]->nsurf; k++) {
            const gos_surface *f = &b->points[i]->surf[k];
            const gos_input_def *a = among(name, f->name, f->ninput, f->input);
            if (a) {
                *fn = f->fn0 + a->fn;
                return a;
            }
        }
    }
    return NULL;
}

static void list_inputs(const gos_builder *b, char *list, size_t size) {
    list[0] = '\0';
    for (int i = 0; i < b->nitem; i++) {
        const gos_item *it = b->item[i];
        for (int k = 0; k < it->ninput && strlen(list) + 80 < size; k++) {
            const char *part = it->input[k].component;
            const size_t n = strlen(list);
            (void)gos__format(list + n, size - n, "%s%s%s%s", n ? ", " : "", it->entry,
                              part ? "." : "", part ? part : "");
        }
    }
}

static gos_status bind_input(gos_builder *b, const gos_controller *c, int k, gos_control_loop *l) {
    const gos_control_name *name = &c->input[k];
    const gos_input_def *a = find_input(b, name->text, &l->fn[k]);
    const char *const *variable;
    if (!a) {
        char list[600];
        list_inputs(b, list, sizeof list);
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, name->loc, c->object,
            list[0] ? "there is no input '%.64s'; inputs of loads and heat are %s"
                    : "there is no input '%.64s'%s; add an entry to 'loads:' or 'heat:'",
            name->text, list);
    }
    if (a->kind != GOS_INPUT_FORCE && a->kind != GOS_INPUT_HEAT) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, name->loc, c->object,
                            "'%s' prescribes a motion or a temperature, which a controller cannot "
                            "drive; use a force, a moment or a heat input",
                            name->text);
    }
    if (gos__timefn_variables(b->fn[l->fn[k]], &variable) > 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, name->loc, c->object,
                            "'%s' already depends on probes in its entry; set it there to 0 or to "
                            "a function of time, to which the controller adds its output",
                            name->text);
    }
    return GOS_OK;
}

/* an input accepts a single controller */
static gos_status govern(gos_builder *b, gos_loops *all, int i) {
    const gos_control_loop *l = &all->loop[i];
    for (int k = 0; k < l->law->nu; k++) {
        int *governor = &all->governor[l->fn[k]];
        if (*governor >= 0) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, l->law->input[k].loc, l->law->object,
                                "'%s' is already driven by %s; combine both in one controller",
                                l->law->input[k].text, all->loop[*governor].law->object);
        }
        *governor = i;
    }
    return GOS_OK;
}

static gos_status make_loop(gos_builder *b, const gos_controller *c, gos_probe *const *probe,
                            int nprobe, gos_control_loop *l) {
    gos_status status = GOS_OK;
    *l = (gos_control_loop){.law = c, .body = -1};
    l->signal = GOS_NEW(b->arena, const gos_item *, c->ny + 1);
    l->fn = GOS_NEW(b->arena, int, c->nu + 1);
    if (!l->signal || !l->fn) {
        return GOS_E_MEMORY;
    }
    if (c->period > 0) {
        const double pending = ceil(c->delay / c->period * (1 - 1e-12));
        if (!(pending * (2 * c->nu) < 1e7)) {
            return gos__fail_at(b->ctx, GOS_E_LIMIT, c->loc, c->object,
                                "its delay of %g s is %g sampling periods, which is too long; use "
                                "a shorter delay",
                                c->delay, pending);
        }
        l->depth = (int)pending + 1;
    }
    for (int i = 0; i < b->nbody; i++) {
        if (gos__states_are(b->body[i], c)) {
            l->body = i;
            l->t0 = b->body[i]->t0;
        }
    }
    for (int k = 0; k < c->ny; k++) {
        const gos_status s = gos__signal_make(b, c, k, probe, nprobe, &l->signal[k]);
        status = status == GOS_OK ? s : status;
    }
    for (int k = 0; k < c->nu; k++) {
        const gos_status s = bind_input(b, c, k, l);
        status = status == GOS_OK ? s : status;
    }
    return status;
}

gos_status gos__loops_make(gos_builder *b, gos_system *s) {
    gos_status status = GOS_OK;
    if (b->ncontroller == 0) {
        return GOS_OK;
    }
    gos_loops *all = GOS_NEW(b->arena, gos_loops, 1);
    gos_control_loop *loop = GOS_NEW(b->arena, gos_control_loop, b->ncontroller);
    if (!all || !loop) {
        return GOS_E_MEMORY;
    }
    all->n = b->ncontroller;
    all->loop = loop;
    for (int i = 0; i < all->n; i++) {
        const gos_status derived = make_loop(b, &b->controller[i], s->probe, s->nprobe, &loop[i]);
        status = status == GOS_OK ? derived : status;
    }
    GOS_TRY(status);
    all->governor = GOS_NEW(b->arena, int, b->nfn + 1);
    GOS_TRY(all->governor ? GOS_OK : GOS_E_MEMORY);
    for (int fn = 0; fn < b->nfn; fn++) {
        all->governor[fn] = -1;
    }
    for (int i = 0; i < all->n; i++) {
        const gos_status alone = govern(b, all, i);
        status = status == GOS_OK ? alone : status;
    }
    for (int i = 0; i < all->n && status == GOS_OK; i++) {
        status = loop_fold_direct(b, all, i);
    }
    s->loops = all;
    return status;
}

gos_status gos__loops_renumber(const gos_system *from, gos_item *const *map, const int *t0,
                               gos_system *s) {
    if (!from->loops) {
        return GOS_OK;
    }
    gos_loops *all = GOS_NEW(s->arena, gos_loops, 1);
    gos_control_loop *loop = GOS_NEW(s->arena, gos_control_loop, from->loops->n);
    if (!all || !loop) {
        return GOS_E_MEMORY;
    }
    *all = *from->loops;
    all->loop = loop;
    for (int i = 0; i < all->n; i++) {
        loop[i] = from->loops->loop[i];
        loop[i].signal = GOS_NEW(s->arena, const gos_item *, loop[i].law->ny + 1);
        GOS_TRY(loop[i].signal ? GOS_OK : GOS_E_MEMORY);
        loop[i].t0 = loop[i].body >= 0 ? t0[loop[i].body] : 0;
        for (int k = 0; k < loop[i].law->ny; k++) {
            for (int j = 0; j < from->nitem; j++) {
                if (from->item[j] == from->loops->loop[i].signal[k]) {
                    loop[i].signal[k] = map[j];
                }
            }
        }
    }
    s->loops = all;
    return GOS_OK;
}

void gos__loops_number(gos_system *s) {
    for (int i = 0; s->loops && i < s->loops->n; i++) {
        s->loops->loop[i].m0 = s->nmem;
        s->nmem += (gos__loop_memory_size(&s->loops->loop[i]) + 7) / 8 * 8;
    }
}

void gos__loops_begin_memory(gos_system *s) {
    for (int i = 0; s->loops && i < s->loops->n; i++) {
        gos__loop_memory_start(&s->loops->loop[i], s->mem0 + s->loops->loop[i].m0);
    }
}

int gos__loops_bodies(const gos_system *s) {
    int n = 0;
    for (int i = 0; s->loops && i < s->loops->n; i++) {
        n += s->loops->loop[i].body >= 0;
    }
    return n;
}

const gos_control_loop *gos__loops_first(const gos_system *s, bool sampled) {
    for (int i = 0; s->loops && i < s->loops->n; i++) {
        if ((s->loops->loop[i].law->period > 0) == sampled) {
            return &s->loops->loop[i];
        }
    }
    return NULL;
}

/* flags of unknowns that a controller affects or reads */
typedef struct marks {
    const gos_system *s;
    bool *visited; // (nq + nt)
} marks;

static void see(gos_entry_sink *k, int row, int i, double v) {
    GOS_UNUSED(row);
    GOS_UNUSED(v);
    ((marks *)k->user)->visited[i] = true;
}

static void mark_item(marks *m, const gos_item *it) {
    gos_entry_sink k = {.add = see, .user = m};
    for (int i = 0; i < it->nm; i++) {
        for (int j = 0; j < it->m[i].n; j++) {
            const int e = it->m[i].idx[j];
            if (e < 0) {
                gos__derived_parts(m->s, e, &k);
            }
            for (int c = 0; c < 3 && e >= 0; c++) {
                m->visited[3 * e + c] = true;
            }
        }
    }
    for (int i = 0; i < it->ntm; i++) {
        for (int j = 0; j < it->tm[i].n; j++) {
            m->visited[m->s->at.th + it->tm[i].idx[j]] = true;
        }
    }
}

static void mark_input(marks *m, int fn) {
    const gos_system *s = m->s;
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        for (int k = 0; k < it->ninput; k++) {
            if (it->fn0 + it->input[k].fn == fn) {
                mark_item(m, it);
            }
        }
    }
    for (int i = 0; i < s->npoints; i++) {
        const gos_points *p = s->points[i];
        const size_t n = (size_t)p->nb * (size_t)(p->nt * p->nfam) * GOS_LANES;
        for (int j = 0; j < p->nsurf; j++) {
            if (fn >= p->surf[j].fn0 && fn < p->surf[j].fn0 + p->surf[j].nfn) {
                for (size_t k = 0; k < n; k++) {
                    m->visited[s->at.th + p->th[k]] = true;
                }
            }
        }
    }
}

static void mark_states(marks *m, const gos_control_loop *l) {
    for (int i = 0; i < l->law->n; i++) {
        m->visited[m->s->at.th + l->t0 + i] = true;
    }
}

/* ascending list of flagged unknowns; clears the flags; *front: number of coordinates */
static gos_status mark_coordinates(marks *m, int **list, int *n, int *front) {
    const gos_system *s = m->s;
    *n = *front = 0;
    for (int i = 0; i < s->nstate; i++) {
        *n += m->visited[i];
        *front += m->visited[i] && i < s->nq;
    }
    *list = GOS_NEW(s->arena, int, *n + 1);
    GOS_TRY(*list ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0, at = 0; i < s->nstate; i++) {
        if (m->visited[i]) {
            (*list)[at++] = i;
        }
        m->visited[i] = false;
    }
    return GOS_OK;
}

static gos_status lay(gos_ctx *ctx, gos_system *s, gos_control_loop *l, bool *visited) {
    const gos_controller *c = l->law;
    marks m = {s, visited};
    for (int k = 0; k < c->nu; k++) {
        mark_input(&m, l->fn[k]);
    }
    mark_states(&m, l);
    GOS_TRY(mark_coordinates(&m, &l->row, &l->nrow, &l->nforce));
    for (int k = 0; k < c->ny; k++) {
        mark_item(&m, l->signal[k]);
    }
    mark_states(&m, l);
    GOS_TRY(mark_coordinates(&m, &l->col, &l->ncol, &l->nq));
    if ((double)l->nrow * l->ncol > 1e8) {
        return gos__fail_at(ctx, GOS_E_LIMIT, c->loc, c->object,
                            "it couples %d unknowns with %d others, which exceeds the limit; use "
                            "a sampled controller, or reduce the model",
                            l->nrow, l->ncol);
    }
    l->pos = GOS_NEW(s->arena, int, (size_t)l->nrow * l->ncol + 1);
    return l->pos ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__loops_lay(gos_ctx *ctx, gos_system *s) {
    if (!s->loops) {
        return GOS_OK;
    }
    bool *visited = gos__zalloc(ctx, (size_t)s->nstate + 1, sizeof *visited);
    gos_status status = visited ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0; i < s->loops->n && status == GOS_OK; i++) {
        if (s->loops->loop[i].law->period == 0) {
            status = lay(ctx, s, &s->loops->loop[i], visited);
        }
    }
    gos__free(ctx, visited);
    return status;
}

void gos__loops_entries(const gos_system *s, gos_entry_sink *k) {
    for (int i = 0; s->loops && i < s->loops->n; i++) {
        const gos_control_loop *l = &s->loops->loop[i];
        for (int r = 0; r < l->nrow; r++) {
            for (int c = 0; c < l->ncol; c++) {
                k->add(k, l->row[r], l->col[c], 0);
            }
        }
    }
}
