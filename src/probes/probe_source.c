/* See probe_source.h. */
#include "probes/probe_source.h"

#include <math.h>

#include "parts/derived.h"

#define NX GOS_SOURCE_X
#define NT GOS_ITEM_TMARKERS
#define ROUNDING 1e-9 // relative to the marker's largest weight

static gos_state state_of(const gos_item_io *io) {
    return (gos_state){.t = io->t,
                       .load = io->scale,
                       .q = (double *)io->x,
                       .v = (double *)io->xd,
                       .th = (double *)io->th};
}

static double component_of(const gos_source *s, const gos_state *x, const double *near) {
    double y[GOS_PROBE_MAX];
    gos__probe_evaluate(NULL, x, &s->probe, y);
    if (near) {
        gos__probe_unwrap(&s->probe, near, y);
    }
    return y[s->component];
}

static const double *remembered(const gos_source *s, const gos_item_io *io) {
    return s->memory >= 0 ? io->mem + s->memory : NULL;
}

/* fourth-order difference; *number belongs to the state */
static double difference(const gos_source *s, const gos_state *x, const double *near,
                         double *number) {
    const double base = *number, h = 0x1p-10 * fmax(1, fabs(base));
    double y[4];
    for (int k = 0; k < 4; k++) {
        *number = base + h * (double)(k < 2 ? k - 2 : k - 1);
        y[k] = component_of(s, x, near);
    }
    *number = base;
    return ((y[0] - y[3]) / 12 + (y[2] - y[1]) * 8 / 12) / h;
}

static void by_differences(const gos_source *s, const gos_item_io *io, int nm, int ntm,
                           gos_source_gradient *g) {
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

void gos__source_gradient(const gos_source *s, const gos_item_io *io, int nm, int ntm,
                          gos_source_gradient *g) {
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

double gos__source_value(const gos_source *s, const gos_item_io *io) {
    const gos_state x = state_of(io);
    return component_of(s, &x, remembered(s, io));
}

void gos__source_remember(const gos_source *s, const gos_item_io *io, double *mem) {
    const gos_state x = state_of(io);
    double y[GOS_PROBE_MAX];
    if (s->memory >= 0) {
        gos__probe_evaluate(NULL, &x, &s->probe, y);
        gos__probe_unwrap(&s->probe, io->mem + s->memory, y);
        memcpy(mem + s->memory, y, (size_t)s->probe.ncomp * sizeof *y);
    }
}

static bool same_marker(const gos_marker *a, const gos_marker *b) {
    const size_t n = (size_t)a->n;
    return a->n == b->n && memcmp(a->off, b->off, sizeof a->off) == 0 &&
           memcmp(a->idx, b->idx, n * sizeof *a->idx) == 0 &&
           memcmp(a->w, b->w, n * sizeof *a->w) == 0;
}

/* value of marker m of the item, added if missing; fixed markers stay */
static gos_status take_marker(gos_source_maker *k, const gos_marker *m, gos_marker *to) {
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
                            "its probes depend on more vectors than an entry supports (%d); split "
                            "it into several entries",
                            GOS_ITEM_MARKERS);
    }
    if (i == it->nm) {
        it->m[it->nm++] = *m;
    }
    return gos__marker_make(k->b->arena, 1, &i, &one, NULL, to);
}

static gos_status take_tmarker(gos_source_maker *k, const gos_tmarker *m, gos_tmarker *to) {
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
                            "its probes depend on more temperatures than an entry supports (%d); "
                            "split it into several entries",
                            GOS_ITEM_TMARKERS);
    }
    if (i == it->ntm) {
        it->tm[it->ntm++] = *m;
    }
    return gos__tmarker_make(k->b->arena, 1, &i, &one, to);
}

/* the coordinate is in the equations, but follows temperatures in outputs */
static bool is_dependent(const gos_builder *b, int vector) {
    const gos_derived_pair *pair = &b->derived->pair[-1 - vector];
    for (int i = 0; i < b->nitem && pair->s < pair->of->n; i++) {
        for (int k = 0; k < b->item[i]->ndependent; k++) {
            if (b->item[i]->dependent[k] == pair->of->z[pair->s]) {
                return true;
            }
        }
    }
    return false;
}

static bool reads_dependent(const gos_builder *b, const gos_probe *p) {
    for (int m = 0; m < p->nm; m++) {
        double max = 0;
        for (int j = 0; j < p->m[m].n; j++) {
            max = fmax(max, fabs(p->m[m].w[j]));
        }
        for (int j = 0; j < p->m[m].n; j++) {
            if (p->m[m].idx[j] < 0 && fabs(p->m[m].w[j]) > ROUNDING * max &&
                is_dependent(b, p->m[m].idx[j])) {
                return true;
            }
        }
    }
    return false;
}

static gos_status check_probe(const gos_source_maker *k, const gos_probe *p) {
    const char *why = NULL;
    const int needs = p->quantity->needs;
    if (p->nrecovered > 0) {
        why = "belongs to a floating mesh body and sums over all of its coordinates; use a "
              "displacement there";
    } else if (needs & GOS_NEEDS_JOINT) {
        why = "follows from the forces it would change; use a section_force, or the corresponding "
              "strain or displacement";
    } else if (needs & GOS_NEEDS_HEATER) {
        why = "follows from the temperatures it would change; use those, or a heat flow";
    } else if (strncmp(gos__probe_quantity(p), "control", 7) == 0 && (needs & GOS_NEEDS_NOTHING)) {
        why = "is a direct controller output; read the states of a continuous one (NAME_state.x1), "
              "or give the control law as an expression of probes here";
    } else if (needs & GOS_NEEDS_NOTHING) {
        why = "is not a differentiable function of the state; use positions, velocities, angles, "
              "strains or temperatures";
    } else if (p->quantity->output == GOS_OUTPUT_NONE) {
        why = "follows from the forces it would change; use a velocity, or position";
    } else if (needs & GOS_NEEDS_HINGE) {
        why = "includes the state of a latch; use the angle and angular_velocity of the bodies of "
              "its hinge";
    } else if ((needs & GOS_NEEDS_SECTION) && p->item) {
        why = "uses a carried section frame; give the body a `normal` or `frame: reference`";
    } else if (reads_dependent(k->b, p)) {
        why = "has a part that follows the body's temperatures without an equation of its own; use "
              "`response: dynamic` in the body's `reduce`";
    } else if (p->nfeed > 0 && !k->direct) {
        why = "has direct feedthrough from body inputs, which closes an algebraic loop; use an "
              "output that depends on coordinates and rates only";
    }
    return why ? gos__fail_at(k->b->ctx, GOS_E_INPUT, k->loc, k->object,
                              "it cannot depend on probe '%s': its %s %s", p->name,
                              gos__probe_quantity(p), why)
               : GOS_OK;
}

/* component is set later */
static gos_status fill_source(gos_source_maker *k, const gos_probe *p, gos_source *s) {
    gos_item *it = k->item;
    const bool whole = (p->quantity->needs & (GOS_NEEDS_RIGID | GOS_NEEDS_SECTION)) == 0;
    *s = (gos_source){.probe = *p, .memory = -1};
    s->probe.nfeed = 0;
    for (int i = 0; i < p->nm; i++) {
        s->probe.m[i] = (gos_marker){0}; // rotation and strain do not depend on position
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
    if (gos__probe_turns(p)) { // starts at 0: rotation is counted from t = 0
        s->memory = it->nmem;
        it->nmem += p->ncomp;
    }
    return GOS_OK;
}

const gos_probe *gos__source_probe(const gos_source_maker *k, const char *name) {
    const size_t n = strcspn(name, ".");
    const gos_probe *p = NULL;
    for (int i = 0; i < k->nprobe; i++) {
        const bool same = strncmp(k->probe[i]->name, name, n) == 0 && k->probe[i]->name[n] == '\0';
        p = same ? k->probe[i] : p;
    }
    return p;
}

gos_status gos__source_take(gos_source_maker *k, const gos_probe *p, const char *component,
                            gos_source *s) {
    int number = 0;
    GOS_TRY(check_probe(k, p));
    GOS_TRY(gos__probe_component(k->b->ctx, p, component, k->loc, k->object, &number));
    GOS_TRY(fill_source(k, p, s));
    s->component = number;
    return GOS_OK;
}

gos_status gos__source_find(gos_source_maker *k, const char *name, gos_source *s) {
    const char *dot = strchr(name, '.');
    const gos_probe *p = gos__source_probe(k, name);
    return p ? gos__source_take(k, p, dot ? dot + 1 : NULL, s)
             : GOS_E_INPUT; // the probe's error has been reported
}
